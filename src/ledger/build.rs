//! From verdicts to columns.

use polars::prelude::{
    BooleanChunked, Column as Filled, DataFrame, Float64Chunked, Int64Chunked, IntoColumn, NewChunkedArray,
    StringChunked, UInt32Chunked, UInt64Chunked,
};
use rayon::prelude::*;

use super::schema::{BLOCKS, CALLS, Column, Context, Row, Table, Take};
use super::{Ledger, LedgerError};
use crate::judge::Judgement;

impl Ledger {
    /// Builds both tables.
    ///
    /// # Errors
    /// When a table cannot be held (never in practice: columns have equal lengths by construction).
    pub fn new(judgement: &Judgement, context: Context<'_>) -> Result<Ledger, LedgerError> {
        let calls: Vec<Row<'_>> = judgement
            .calls
            .iter()
            .enumerate()
            .map(|(i, call)| {
                let first = call.first_block as usize;
                let blocks = judgement.blocks.get(first..first + call.block_count as usize).unwrap_or(&[]);
                Row { context: &context, call_index: i as u32, call, blocks, block: None }
            })
            .collect();
        let blocks: Vec<Row<'_>> = judgement
            .blocks
            .iter()
            .filter_map(|b| calls.get(b.call as usize).map(|call| Row { block: Some(b), ..*call }))
            .collect();
        Ok(Ledger { calls: table(&CALLS, &calls)?, blocks: table(&BLOCKS, &blocks)? })
    }
}

fn table(table: &Table, rows: &[Row<'_>]) -> Result<DataFrame, LedgerError> {
    let columns: Vec<&Column> = table.columns().collect();
    let filled: Vec<Filled> = columns.par_iter().map(|c| fill(c, rows)).collect();
    Ok(DataFrame::new(rows.len(), filled)?)
}

fn fill(column: &Column, rows: &[Row<'_>]) -> Filled {
    let name = column.name.into();
    match column.take {
        Take::Text(f) => StringChunked::from_iter_options(name, rows.iter().map(f)).into_column(),
        Take::U32(f) => UInt32Chunked::from_iter_options(name, rows.iter().map(f)).into_column(),
        Take::U64(f) => UInt64Chunked::from_iter_options(name, rows.iter().map(f)).into_column(),
        Take::I64(f) => Int64Chunked::from_iter_options(name, rows.iter().map(f)).into_column(),
        Take::F64(f) => Float64Chunked::from_iter_options(name, rows.iter().map(f)).into_column(),
        Take::Bool(f) => BooleanChunked::from_iter_options(name, rows.iter().map(f)).into_column(),
    }
}
