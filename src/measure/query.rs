//! Reading the answer of a query row by row.

use polars::prelude::{AnyValue, DataFrame, LazyFrame, PolarsResult};

/// The collected answer of a query.
pub struct Answer(DataFrame);

impl Answer {
    /// Runs the query.
    pub fn of(query: LazyFrame) -> PolarsResult<Answer> {
        Ok(Answer(query.collect()?))
    }

    /// Indices of the rows.
    pub fn rows(&self) -> std::ops::Range<usize> {
        0..self.0.height()
    }

    fn value(&self, column: &str, row: usize) -> PolarsResult<AnyValue<'_>> {
        self.0.column(column)?.get(row)
    }

    /// A text; null is the empty one.
    pub fn text(&self, column: &str, row: usize) -> PolarsResult<String> {
        Ok(self.value(column, row)?.get_str().unwrap_or_default().to_owned())
    }

    /// A count; null is 0.
    pub fn count(&self, column: &str, row: usize) -> PolarsResult<u64> {
        Ok(self.value(column, row)?.extract::<u64>().unwrap_or(0))
    }

    /// A number that may be null.
    pub fn number(&self, column: &str, row: usize) -> PolarsResult<Option<u64>> {
        Ok(self.value(column, row)?.extract::<u64>())
    }
}
