//! Asking about a part of the calls: the tables stay whole rows, and `call_index` keeps its meaning.

use polars::prelude::{Expr, IntoLazy, col, lit};

use super::{Ledger, LedgerError};

/// Which calls are asked about; everything that is set must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Made at this time or later, in microseconds since 1970.
    pub since_us: Option<i64>,
    /// Made before this time.
    pub until_us: Option<i64>,
    /// Of this tool.
    pub tool: Option<String>,
    /// Of this session.
    pub session: Option<String>,
    /// Of this MCP server.
    pub server: Option<String>,
}

impl Filter {
    /// Nothing is set.
    pub fn is_empty(&self) -> bool {
        *self == Filter::default()
    }

    /// Calls without a known time are outside any time window.
    fn condition(&self) -> Option<Expr> {
        let name = |column: &str, value: &Option<String>| value.as_ref().map(|v| col(column).eq(lit(v.as_str())));
        [
            self.since_us.map(|t| col("time_us").gt_eq(lit(t))),
            self.until_us.map(|t| col("time_us").lt(lit(t))),
            name("tool", &self.tool),
            name("session", &self.session),
            name("server", &self.server),
        ]
        .into_iter()
        .flatten()
        .reduce(Expr::and)
    }
}

impl Ledger {
    /// The calls that the filter lets through, with their blocks.
    ///
    /// # Errors
    /// When Polars refuses the query.
    pub fn filter(self, filter: &Filter) -> Result<Ledger, LedgerError> {
        let Some(condition) = filter.condition() else { return Ok(self) };
        Ok(Ledger {
            calls: self.calls.lazy().filter(condition.clone()).collect()?,
            blocks: self.blocks.lazy().filter(condition).collect()?,
        })
    }
}
