//! Counting blocks by what became of them, over all or by group.

use polars::prelude::{Expr, IntoLazy, LazyFrame, PolarsResult, SortMultipleOptions, col, len, lit};
use serde::Serialize;

use super::interval::Ratio;
use super::query::Answer;
use crate::event::BlockType;
use crate::ledger::{Ledger, Outcome};

/// Blocks by what became of them. `delivered + transformed + truncated + evicted + lost + by_design +
/// unobserved` is `returned`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// All blocks that servers returned.
    pub returned: u64,
    /// Of these, seen in the client's wire log (or in the one log between both).
    pub received: u64,
    /// Delivered as they were.
    pub delivered: u64,
    /// Delivered in another form.
    pub transformed: u64,
    /// Of the transformed ones: as base64 characters in a text.
    pub base64_text: u64,
    /// Delivered in part.
    pub truncated: u64,
    /// Delivered, and gone from a later request.
    pub evicted: u64,
    /// Lost.
    pub lost: u64,
    /// Withheld or superseded.
    pub by_design: u64,
    /// Not judged.
    pub unobserved: u64,
    /// Blocks whose fate is known and that the model should have got: the denominator of the shares.
    pub judged: u64,
    /// Share lost of those judged.
    pub loss: Ratio,
    /// Share of those judged that was whole in front of the model at least once.
    pub delivery: Ratio,
    /// The same, base64 characters in a text not counted as delivered.
    pub delivery_without_base64_text: Ratio,
}

/// The tally of one block type.
#[derive(Clone, Debug, Serialize)]
pub struct TypeTally {
    /// Protocol's name of the type.
    pub block_type: String,
    /// Its blocks.
    #[serde(flatten)]
    pub tally: Tally,
}

const BASE64: &str = "base64_text";
const RECEIVED: &str = "received";

fn aggregates() -> Vec<Expr> {
    let mut all = vec![
        len().alias("returned"),
        col("received_file").is_not_null().sum().alias(RECEIVED),
        col("how").fill_null(lit("")).str().contains_literal(lit("base64-text")).sum().alias(BASE64),
    ];
    all.extend(Outcome::ALL.iter().map(|o| col("outcome").eq(lit(o.id())).sum().alias(o.id())));
    all
}

fn read(answer: &Answer, row: usize) -> PolarsResult<Tally> {
    let of = |o: Outcome| answer.count(o.id(), row);
    let mut t = Tally {
        returned: answer.count("returned", row)?,
        received: answer.count(RECEIVED, row)?,
        delivered: of(Outcome::Delivered)?,
        transformed: of(Outcome::Transformed)?,
        base64_text: answer.count(BASE64, row)?,
        truncated: of(Outcome::Truncated)?,
        evicted: of(Outcome::Evicted)?,
        lost: of(Outcome::Lost)?,
        by_design: of(Outcome::ByDesign)?,
        unobserved: of(Outcome::Unobserved)?,
        ..Tally::default()
    };
    let whole = t.delivered + t.transformed + t.evicted;
    t.judged = whole + t.truncated + t.lost;
    t.loss = Ratio::new(t.lost, t.judged);
    t.delivery = Ratio::new(whole, t.judged);
    t.delivery_without_base64_text = Ratio::new(whole.saturating_sub(t.base64_text), t.judged);
    Ok(t)
}

/// Tallies by the values of some columns, in the order of these values.
pub fn by(blocks: LazyFrame, columns: &[&str]) -> PolarsResult<Vec<(Vec<String>, Tally)>> {
    let keys: Vec<Expr> = columns.iter().map(|c| col(*c)).collect();
    let query = blocks
        .group_by(keys.clone())
        .agg(aggregates())
        .sort_by_exprs(keys, SortMultipleOptions::default().with_nulls_last(false));
    let answer = Answer::of(query)?;
    answer
        .rows()
        .map(|row| {
            let names = columns.iter().map(|c| answer.text(c, row)).collect::<PolarsResult<_>>()?;
            Ok((names, read(&answer, row)?))
        })
        .collect()
}

/// The tally of all blocks.
pub fn total(ledger: &Ledger) -> PolarsResult<Tally> {
    let answer = Answer::of(ledger.blocks.clone().lazy().select(aggregates()))?;
    read(&answer, 0)
}

/// The tally of each type that occurs.
pub fn by_type(ledger: &Ledger) -> PolarsResult<Vec<TypeTally>> {
    let mut found: Vec<TypeTally> = by(ledger.blocks.clone().lazy(), &["block_type"])?
        .into_iter()
        .map(|(names, tally)| TypeTally { block_type: names.concat(), tally })
        .collect();
    found.sort_by_key(|t| BlockType::ALL.iter().position(|b| b.name() == t.block_type));
    Ok(found)
}
