//! Stage 6 of 9: ledger. The verdicts as two tables, `calls` and `blocks`: every number of every report is a
//! query over these, and so is whatever a reader asks on his own.
//!
//! Knows the verdicts and where things stand in the files; knows nothing of ratios or of how things are shown.

mod build;
mod columns;
pub mod filter;
pub mod parquet;
pub mod schema;

pub use filter::Filter;
pub use schema::{CALLS_FILE, Outcome, SCHEMA_VERSION};

use polars::prelude::{DataFrame, PolarsError};
use thiserror::Error;

/// Why the tables could not be built, written or read.
#[derive(Debug, Error)]
pub enum LedgerError {
    /// Polars refused.
    #[error("facts: {}", first_line(.0))]
    Table(#[from] PolarsError),
    /// The operating system refused.
    #[error("{path}: {source}\n  --facts takes a folder that can be written to")]
    Io {
        /// Which file or folder.
        path: String,
        /// Why.
        source: std::io::Error,
    },
    /// Not facts, or facts of another version.
    #[error(
        "{path}: holds facts of schema version {found}, this program reads {SCHEMA_VERSION}\n  run `mcploss analyze --facts DIR` again"
    )]
    Version {
        /// Which file.
        path: String,
        /// What it says.
        found: String,
    },
}

/// What Polars says, without the query plan that it appends.
pub fn first_line(error: &PolarsError) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

/// The facts of a run.
#[derive(Clone, Debug)]
pub struct Ledger {
    /// One row a call; columns: [`schema::CALLS`].
    pub calls: DataFrame,
    /// One row a block; columns: [`schema::BLOCKS`].
    pub blocks: DataFrame,
}
