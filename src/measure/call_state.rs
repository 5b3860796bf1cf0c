//! How far the calls came: content is also lost before there is any.

use polars::prelude::{IntoLazy, PolarsResult, col, len};
use serde::Serialize;

use super::query::Answer;
use crate::judge::CallState;
use crate::ledger::Ledger;

/// Calls that came equally far, for the same reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StateCount {
    /// State.
    pub state: String,
    /// Who answers for it.
    pub blame: String,
    /// Why.
    pub reason: String,
    /// Which log would settle it.
    pub hint: String,
    /// Calls.
    pub calls: u64,
}

impl StateCount {
    /// The call ended before any content could reach the model.
    pub fn is_failure(&self) -> bool {
        let failures = [
            CallState::ServerEmpty,
            CallState::ServerError,
            CallState::NoResponse,
            CallState::NotReceived,
            CallState::NotArrived,
            CallState::Intended,
        ];
        failures.iter().any(|s| s.id() == self.state)
    }
}

/// Every state that occurs, in the order of [`CallState::ALL`], then the most frequent first.
pub fn states(ledger: &Ledger) -> PolarsResult<Vec<StateCount>> {
    let answer = Answer::of(
        ledger
            .calls
            .clone()
            .lazy()
            .group_by([col("state"), col("blame"), col("reason"), col("hint")])
            .agg([len().alias("calls")]),
    )?;
    let mut found = answer
        .rows()
        .map(|row| {
            Ok(StateCount {
                state: answer.text("state", row)?,
                blame: answer.text("blame", row)?,
                reason: answer.text("reason", row)?,
                hint: answer.text("hint", row)?,
                calls: answer.count("calls", row)?,
            })
        })
        .collect::<PolarsResult<Vec<_>>>()?;
    let place = |s: &StateCount| CallState::ALL.iter().position(|c| c.id() == s.state);
    found.sort_by(|a, b| {
        (place(a), b.calls, &a.blame, &a.reason, &a.hint).cmp(&(place(b), a.calls, &b.blame, &b.reason, &b.hint))
    });
    Ok(found)
}
