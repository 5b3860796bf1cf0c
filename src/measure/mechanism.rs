//! By what blocks did not come through, and examples of each to open.

use polars::prelude::{Expr, IntoLazy, LazyFrame, PolarsResult, SortMultipleOptions, col, len, lit};
use serde::Serialize;

use super::interval::Ratio;
use super::query::Answer;
use crate::ledger::{Ledger, Outcome};

/// A fate with the side that answers for it.
#[derive(Clone, Debug, Serialize)]
pub struct Mechanism {
    /// Fate.
    pub fate: String,
    /// Who answers for it.
    pub blame: String,
    /// Class of the fate: lost, truncated, evicted or by-design.
    pub outcome: String,
    /// Blocks.
    pub blocks: u64,
    /// Calls with such blocks.
    pub calls: u64,
    /// Share of all blocks of its class.
    pub share: Ratio,
    /// What stands in the place of these blocks, or which type was refused, most frequent first.
    pub details: Vec<Detail>,
    /// A few calls to look at.
    pub examples: Vec<Example>,
}

/// What a mechanism left behind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Detail {
    /// Marker; empty when nothing stands there.
    pub marker: String,
    /// Its text.
    pub marker_text: String,
    /// Declared MIME type, for rejections.
    pub mime: String,
    /// Blocks.
    pub blocks: u64,
}

/// A block to look at.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Example {
    /// Number of the call.
    pub call_index: u64,
    /// Tool.
    pub tool: String,
    /// Position of the block.
    pub block_index: u64,
    /// Its type.
    pub block_type: String,
    /// Where it can be seen, stage by stage.
    pub evidence: Vec<Evidence>,
}

/// A place in a log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// `returned`, `received`, `kept` or `delivered`.
    pub stage: &'static str,
    /// File.
    pub file: String,
    /// Byte offset in the (decompressed) file.
    pub offset: u64,
    /// Length in bytes.
    pub len: u64,
}

/// The stages with the names of their columns.
pub const STAGES: [&str; 4] = ["returned", "received", "kept", "delivered"];
/// Examples kept of each mechanism.
const EXAMPLES: usize = 3;
/// Rows looked at to find examples of different tools.
const EXAMPLE_ROWS: u32 = 200;

/// All mechanisms: losses first, then the most frequent first.
pub fn mechanisms(ledger: &Ledger) -> PolarsResult<Vec<Mechanism>> {
    let blocks = ledger.blocks.clone().lazy().filter(not_through());
    let answer = Answer::of(
        blocks
            .clone()
            .group_by([col("fate"), col("blame"), col("outcome")])
            .agg([len().alias("blocks"), col("call_index").n_unique().alias("calls")]),
    )?;
    let mut found = Vec::new();
    for row in answer.rows() {
        let fate = answer.text("fate", row)?;
        let blame = answer.text("blame", row)?;
        let own =
            blocks.clone().filter(col("fate").eq(lit(fate.as_str())).and(col("blame").eq(lit(blame.as_str()))));
        found.push(Mechanism {
            details: details(own.clone())?,
            examples: examples(own)?,
            outcome: answer.text("outcome", row)?,
            blocks: answer.count("blocks", row)?,
            calls: answer.count("calls", row)?,
            share: Ratio::default(),
            fate,
            blame,
        });
    }
    let place = |m: &Mechanism| Outcome::ALL.iter().position(|o| o.id() == m.outcome && *o != Outcome::Lost);
    found.sort_by(|a, b| {
        (place(a), std::cmp::Reverse(a.blocks), &a.fate, &a.blame).cmp(&(
            place(b),
            std::cmp::Reverse(b.blocks),
            &b.fate,
            &b.blame,
        ))
    });
    let of_class = |class: &str| found.iter().filter(|m| m.outcome == class).map(|m| m.blocks).sum::<u64>();
    let shares: Vec<Ratio> = found.iter().map(|m| Ratio::new(m.blocks, of_class(&m.outcome))).collect();
    for (m, share) in found.iter_mut().zip(shares) {
        m.share = share;
    }
    Ok(found)
}

fn not_through() -> Expr {
    let is = |o: Outcome| col("outcome").eq(lit(o.id()));
    is(Outcome::Lost).or(is(Outcome::Truncated)).or(is(Outcome::Evicted)).or(is(Outcome::ByDesign))
}

fn details(own: LazyFrame) -> PolarsResult<Vec<Detail>> {
    let refused = col("fate").eq(lit("mime-rejected"));
    let answer = Answer::of(
        own.with_column(
            polars::prelude::when(refused).then(col("mime_declared")).otherwise(lit("")).alias("mime"),
        )
        .group_by([col("marker"), col("marker_text"), col("mime")])
        .agg([len().alias("blocks")])
        .sort(
            ["blocks", "marker", "mime"],
            SortMultipleOptions::default().with_order_descending_multi([true, false, false]),
        ),
    )?;
    answer
        .rows()
        .map(|row| {
            Ok(Detail {
                marker: answer.text("marker", row)?,
                marker_text: answer.text("marker_text", row)?,
                mime: answer.text("mime", row)?,
                blocks: answer.count("blocks", row)?,
            })
        })
        .collect()
}

/// The first few of different calls, of different tools where there are several.
fn examples(own: LazyFrame) -> PolarsResult<Vec<Example>> {
    let answer = Answer::of(own.limit(EXAMPLE_ROWS))?;
    let mut found: Vec<Example> = Vec::new();
    for only_new_tools in [true, false] {
        for row in answer.rows() {
            let call_index = answer.count("call_index", row)?;
            let tool = answer.text("tool", row)?;
            let is_known = found.iter().any(|e| e.call_index == call_index || (only_new_tools && e.tool == tool));
            if found.len() < EXAMPLES && !is_known {
                found.push(Example {
                    call_index,
                    tool,
                    block_index: answer.count("block_index", row)?,
                    block_type: answer.text("block_type", row)?,
                    evidence: evidence(&answer, row)?,
                });
            }
        }
    }
    found.sort_by_key(|e| e.call_index);
    Ok(found)
}

fn evidence(answer: &Answer, row: usize) -> PolarsResult<Vec<Evidence>> {
    let mut found: Vec<Evidence> = Vec::new();
    for stage in STAGES {
        if let Some(offset) = answer.number(&format!("{stage}_offset"), row)? {
            let file = answer.text(&format!("{stage}_file"), row)?;
            let len = answer.count(&format!("{stage}_len"), row)?;
            let is_known = found.iter().any(|e| e.file == file && e.offset == offset);
            // With one wire log, returned and received are the same place.
            if !is_known {
                found.push(Evidence { stage, file, offset, len });
            }
        }
    }
    Ok(found)
}
