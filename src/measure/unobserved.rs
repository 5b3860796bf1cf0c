//! What could not be judged, why, and which log would settle it.

use polars::prelude::{IntoLazy, PolarsResult, SortMultipleOptions, col, len, lit};
use serde::Serialize;

use super::query::Answer;
use crate::ledger::Ledger;

/// Blocks that could not be judged for one reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unobserved {
    /// Why.
    pub reason: String,
    /// Which log would settle it.
    pub hint: String,
    /// Blocks.
    pub blocks: u64,
    /// Calls with such blocks.
    pub calls: u64,
}

/// Every reason, most frequent first.
pub fn unobserved(ledger: &Ledger) -> PolarsResult<Vec<Unobserved>> {
    let answer = Answer::of(
        ledger
            .blocks
            .clone()
            .lazy()
            .filter(col("outcome").eq(lit("unobserved")))
            .group_by([col("reason"), col("hint")])
            .agg([len().alias("blocks"), col("call_index").n_unique().alias("calls")])
            .sort(
                ["blocks", "reason", "hint"],
                SortMultipleOptions::default().with_order_descending_multi([true, false, false]),
            ),
    )?;
    answer
        .rows()
        .map(|row| {
            Ok(Unobserved {
                reason: answer.text("reason", row)?,
                hint: answer.text("hint", row)?,
                blocks: answer.count("blocks", row)?,
                calls: answer.count("calls", row)?,
            })
        })
        .collect()
}
