//! Occurrences of each marker.

use std::collections::BTreeMap;

use polars::prelude::{IntoLazy, LazyFrame, PolarsResult, col, len};
use serde::Serialize;

use super::query::Answer;
use crate::ledger::Ledger;

/// How often a marker was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MarkerCount {
    /// Marker's name in the catalogue.
    pub marker: String,
    /// Its text.
    pub text: String,
    /// In the place of so many blocks.
    pub blocks: u64,
    /// In the place of so many whole results, those of calls without a wire log included.
    pub results: u64,
}

/// All markers that were found, most frequent first.
pub fn markers(ledger: &Ledger) -> PolarsResult<Vec<MarkerCount>> {
    let mut found: BTreeMap<(String, String), (u64, u64)> = BTreeMap::new();
    for (key, n) in count(ledger.blocks.clone().lazy())? {
        found.entry(key).or_default().0 += n;
    }
    for (key, n) in count(ledger.calls.clone().lazy())? {
        found.entry(key).or_default().1 += n;
    }
    let mut all: Vec<MarkerCount> = found
        .into_iter()
        .map(|((marker, text), (blocks, results))| MarkerCount { marker, text, blocks, results })
        .collect();
    all.sort_by(|a, b| (b.blocks + b.results).cmp(&(a.blocks + a.results)).then_with(|| a.marker.cmp(&b.marker)));
    Ok(all)
}

type Counts = Vec<((String, String), u64)>;

fn count(table: LazyFrame) -> PolarsResult<Counts> {
    let answer = Answer::of(
        table
            .filter(col("marker").is_not_null())
            .group_by([col("marker"), col("marker_text")])
            .agg([len().alias("n")]),
    )?;
    answer
        .rows()
        .map(|row| Ok(((answer.text("marker", row)?, answer.text("marker_text", row)?), answer.count("n", row)?)))
        .collect()
}
