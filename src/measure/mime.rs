//! MIME types that were refused.

use polars::prelude::{IntoLazy, PolarsResult, col, len, lit};
use serde::Serialize;

use super::interval::Ratio;
use super::query::Answer;
use crate::ledger::Ledger;

/// Refusals of one declared MIME type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MimeCount {
    /// As the server declared it; empty when it did not.
    pub mime: String,
    /// Refused, of the blocks of this type whose fate is known.
    pub rejected: Ratio,
    /// Of the refused ones: the bytes prove another type.
    pub mislabelled: u64,
}

/// Every refused type, most frequent first.
pub fn rejections(ledger: &Ledger) -> PolarsResult<Vec<MimeCount>> {
    let refused = col("fate").eq(lit("mime-rejected"));
    let judged = col("outcome").neq(lit("unobserved"));
    let other = col("mime_sniffed").neq(col("mime_declared")).fill_null(lit(false));
    let answer = Answer::of(
        ledger
            .blocks
            .clone()
            .lazy()
            .filter(judged)
            .group_by([col("mime_declared")])
            .agg([
                len().alias("of"),
                refused.clone().sum().alias("rejected"),
                refused.and(other).sum().alias("other"),
            ])
            .filter(col("rejected").gt(lit(0u32))),
    )?;
    let mut found = answer
        .rows()
        .map(|row| {
            Ok(MimeCount {
                mime: answer.text("mime_declared", row)?,
                rejected: Ratio::new(answer.count("rejected", row)?, answer.count("of", row)?),
                mislabelled: answer.count("other", row)?,
            })
        })
        .collect::<PolarsResult<Vec<_>>>()?;
    found.sort_by(|a, b| b.rejected.count.cmp(&a.rejected.count).then_with(|| a.mime.cmp(&b.mime)));
    Ok(found)
}
