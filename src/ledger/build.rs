//! From verdicts to columns.

use std::borrow::Cow;

use polars::prelude::{
    BooleanChunked, ChunkTake, Column as Filled, DataFrame, Float64Chunked, IdxCa, IdxSize, Int64Chunked,
    IntoColumn, NewChunkedArray, PolarsResult, StringChunked, UInt32Chunked, UInt64Chunked,
};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

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
    let filled = columns.par_iter().map(|c| fill(c, rows)).collect::<PolarsResult<Vec<Filled>>>()?;
    Ok(DataFrame::new(rows.len(), filled)?)
}

fn fill(column: &Column, rows: &[Row<'_>]) -> PolarsResult<Filled> {
    let name = column.name.into();
    Ok(match column.take {
        Take::Text(f) => return text(column.name, rows, f),
        Take::U32(f) => UInt32Chunked::from_iter_options(name, rows.iter().map(f)).into_column(),
        Take::U64(f) => UInt64Chunked::from_iter_options(name, rows.iter().map(f)).into_column(),
        Take::I64(f) => Int64Chunked::from_iter_options(name, rows.iter().map(f)).into_column(),
        Take::F64(f) => Float64Chunked::from_iter_options(name, rows.iter().map(f)).into_column(),
        Take::Bool(f) => BooleanChunked::from_iter_options(name, rows.iter().map(f)).into_column(),
    })
}

/// Names repeat in most columns of text: each is stored once, and rows point to it.
fn text<'a>(
    name: &str,
    rows: &[Row<'a>],
    f: for<'r> fn(&Row<'r>) -> Option<Cow<'r, str>>,
) -> PolarsResult<Filled> {
    let mut known: FxHashMap<Cow<'a, str>, IdxSize> = FxHashMap::default();
    let mut values: Vec<Cow<'a, str>> = Vec::new();
    let mut indices: Vec<Option<IdxSize>> = Vec::with_capacity(rows.len());
    for row in rows {
        indices.push(f(row).map(|value| match known.get(&value) {
            Some(index) => *index,
            None => {
                let index = values.len() as IdxSize;
                known.insert(value.clone(), index);
                values.push(value);
                index
            }
        }));
    }
    let values = StringChunked::from_iter_values(name.into(), values.iter());
    Ok(values.take(&IdxCa::from_iter_options("".into(), indices.into_iter()))?.into_column())
}
