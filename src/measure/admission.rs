//! Answers of the model that say that content was missing.

use polars::prelude::{Expr, IntoLazy, PolarsResult, SortMultipleOptions, col, len, lit};
use serde::Serialize;

use super::interval::Ratio;
use super::query::Answer;
use crate::ledger::Ledger;

/// Shares of answers with an admission. Lower bounds: a model often invents what it did not get.
#[derive(Clone, Debug, Serialize)]
pub struct Admissions {
    /// Of all calls that an answer follows.
    pub all: Ratio,
    /// Of those that lost at least one block.
    pub after_loss: Ratio,
    /// Of those whose blocks all came through: the base rate.
    pub after_none_lost: Ratio,
    /// The phrases, most frequent first.
    pub phrases: Vec<PhraseCount>,
}

/// How often a phrase was found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PhraseCount {
    /// Its name in the list.
    pub phrase: String,
    /// Answers.
    pub answers: u64,
}

/// Measures admissions.
pub fn admissions(ledger: &Ledger) -> PolarsResult<Admissions> {
    let answered = ledger.calls.clone().lazy().filter(col("has_answer"));
    let zero = |column: &str| col(column).eq(lit(0u32));
    let lost = col("blocks_lost").gt(lit(0u32));
    let whole = col("block_count")
        .gt(lit(0u32))
        .and(zero("blocks_lost"))
        .and(zero("blocks_truncated"))
        .and(zero("blocks_unobserved"));
    let share = |condition: Expr| -> PolarsResult<Ratio> {
        let query = answered.clone().filter(condition);
        let answer =
            Answer::of(query.select([len().alias("of"), col("admission").is_not_null().sum().alias("admitted")]))?;
        Ok(Ratio::new(answer.count("admitted", 0)?, answer.count("of", 0)?))
    };
    let phrases = Answer::of(
        answered
            .clone()
            .filter(col("admission").is_not_null())
            .group_by([col("admission")])
            .agg([len().alias("answers")])
            .sort(
                ["answers", "admission"],
                SortMultipleOptions::default().with_order_descending_multi([true, false]),
            ),
    )?;
    Ok(Admissions {
        all: share(lit(true))?,
        after_loss: share(lost)?,
        after_none_lost: share(whole)?,
        phrases: phrases
            .rows()
            .map(|row| {
                Ok(PhraseCount {
                    phrase: phrases.text("admission", row)?,
                    answers: phrases.count("answers", row)?,
                })
            })
            .collect::<PolarsResult<_>>()?,
    })
}
