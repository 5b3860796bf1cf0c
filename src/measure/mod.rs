//! Stage 7 of 9: measure. Every number of every report, each a query over the two tables of the ledger.
//!
//! Knows tables and counts; knows nothing of files, logs or of how numbers are shown.

pub mod admission;
pub mod call_state;
pub mod delivery;
pub mod input;
pub mod interval;
pub mod marker;
pub mod mechanism;
pub mod mime;
mod query;
pub mod tally;
pub mod unobserved;
pub mod verdict;
mod version;

use polars::prelude::PolarsError;
use serde::Serialize;
use thiserror::Error;

pub use input::Inputs;
pub use interval::Ratio;
pub use tally::Tally;
pub use verdict::Verdict;

use crate::ledger::Ledger;

/// Why the tables could not be asked.
#[derive(Debug, Error)]
#[error("measuring: {}\n  are these facts from another version of mcploss?", crate::ledger::first_line(.0))]
pub struct MeasureError(#[from] PolarsError);

/// All numbers of a run. Serialized, its fields are the keys of the JSON output.
#[derive(Clone, Debug, Serialize)]
pub struct Summary {
    /// Who lost what, in a sentence and in parts.
    pub verdict: Verdict,
    /// All calls.
    pub calls: u64,
    /// All blocks.
    pub blocks: Tally,
    /// Blocks by protocol type, in the protocol's order.
    pub types: Vec<tally::TypeTally>,
    /// What blocks did not come through by, most frequent first.
    pub mechanisms: Vec<mechanism::Mechanism>,
    /// Markers found in place of content, most frequent first.
    pub markers: Vec<marker::MarkerCount>,
    /// MIME types that were refused, most frequent first.
    pub mime_rejections: Vec<mime::MimeCount>,
    /// Share of blocks that reached the model.
    pub delivery: delivery::Delivery,
    /// Answers that say that content was missing.
    pub admissions: admission::Admissions,
    /// What could not be judged, most frequent first.
    pub unobserved: Vec<unobserved::Unobserved>,
    /// How far the calls came.
    pub call_states: Vec<call_state::StateCount>,
}

/// Measures everything.
///
/// # Errors
/// When a column is missing from the tables.
pub fn summary(ledger: &Ledger) -> Result<Summary, MeasureError> {
    let blocks = tally::total(ledger)?;
    let types = tally::by_type(ledger)?;
    let mechanisms = mechanism::mechanisms(ledger)?;
    let markers = marker::markers(ledger)?;
    let unobserved = unobserved::unobserved(ledger)?;
    let call_states = call_state::states(ledger)?;
    let verdict = verdict::verdict(
        ledger,
        verdict::Numbers {
            blocks: &blocks,
            mechanisms: &mechanisms,
            markers: &markers,
            unobserved: &unobserved,
            states: &call_states,
        },
    )?;
    Ok(Summary {
        verdict,
        calls: ledger.calls.height() as u64,
        blocks,
        types,
        mechanisms,
        markers,
        mime_rejections: mime::rejections(ledger)?,
        delivery: delivery::delivery(ledger)?,
        admissions: admission::admissions(ledger)?,
        unobserved,
        call_states,
    })
}
