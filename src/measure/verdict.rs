//! The first line: who lost what, how many of how many, and by what for the most part.

mod sentence;

use polars::prelude::{IntoLazy, PolarsResult, SortMultipleOptions, col, len, lit};
use serde::Serialize;

use super::call_state::StateCount;
use super::interval::Ratio;
use super::marker::MarkerCount;
use super::mechanism::{Detail, Mechanism};
use super::query::Answer;
use super::tally::{self, Tally};
use super::unobserved::Unobserved;
use super::version::{self, VersionNote};
use crate::judge::Blame;
use crate::ledger::{Ledger, Outcome};

/// What kind of answer it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// Blocks were lost.
    Lost,
    /// All judged blocks came through.
    NothingLost,
    /// There are blocks, and none could be judged.
    Undetermined,
    /// There are calls, and no block that a server returned.
    NoBlocks,
    /// There is no call.
    NoCalls,
}

/// The verdict of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// What kind of answer.
    pub kind: Kind,
    /// The whole verdict for a person.
    pub sentence: String,
    /// The side that lost most; empty when nothing was lost.
    pub blame: String,
    /// Name of the client, server or so, where all of its losses are of one.
    pub culprit: String,
    /// All blocks lost, whoever lost them, of those judged.
    pub lost: Ratio,
    /// What that side lost, by block type, most first.
    pub types: Vec<TypeLoss>,
    /// What explains most of it.
    pub mechanism: Option<Cause>,
    /// Losses of the other sides.
    pub others: Vec<SideLoss>,
    /// Versions with the loss, where others are without.
    pub version: Option<VersionNote>,
    /// Blocks delivered in part.
    pub truncated: u64,
    /// Blocks not judged.
    pub unobserved: u64,
    /// Why most of these were not.
    pub unobserved_reason: String,
    /// Which log would settle most of them.
    pub hint: String,
    /// Calls that brought no content, by state.
    pub failed_calls: Vec<FailedCalls>,
    /// All calls.
    pub calls: u64,
    /// Fewer blocks were judged than a share can rest on.
    pub is_small_sample: bool,
    /// The marker most often found where only the model's side is logged.
    pub marker: Option<MarkerCount>,
}

/// Losses of one block type.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TypeLoss {
    /// Protocol's name of the type.
    pub block_type: String,
    /// Lost by this side, of all judged blocks of the type.
    pub loss: Ratio,
}

/// A mechanism as the verdict names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Cause {
    /// Fate.
    pub fate: String,
    /// What stands in the place, or which type was refused.
    pub detail: Option<Detail>,
    /// Blocks that it explains.
    pub blocks: u64,
}

/// Losses of one side.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SideLoss {
    /// Side.
    pub blame: String,
    /// Blocks.
    pub blocks: u64,
}

/// Calls that ended before any content could reach the model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FailedCalls {
    /// State.
    pub state: String,
    /// Who answers for it.
    pub blame: String,
    /// Calls.
    pub calls: u64,
}

/// The numbers that the verdict rests on.
#[derive(Clone, Copy)]
pub struct Numbers<'a> {
    /// All blocks.
    pub blocks: &'a Tally,
    /// By what they were lost.
    pub mechanisms: &'a [Mechanism],
    /// Markers.
    pub markers: &'a [MarkerCount],
    /// What could not be judged.
    pub unobserved: &'a [Unobserved],
    /// How far the calls came.
    pub states: &'a [StateCount],
}

/// Forms the verdict.
pub fn verdict(ledger: &Ledger, n: Numbers<'_>) -> PolarsResult<Verdict> {
    let sides = sides(n.mechanisms);
    let blame = sides.first().map(|s| s.blame.clone()).unwrap_or_default();
    let types = if blame.is_empty() { Vec::new() } else { types(ledger, &blame)? };
    let culprit = if blame.is_empty() { String::new() } else { culprit(ledger, &blame)? };
    let is_client = blame == Blame::Client.id();
    let version = match types.first() {
        Some(worst) if is_client && !culprit.is_empty() => version(ledger, &culprit, &worst.block_type)?,
        _ => None,
    };
    let most = n.unobserved.first();
    let mut verdict = Verdict {
        kind: kind(n),
        sentence: String::new(),
        mechanism: cause(n.mechanisms, &blame),
        culprit,
        lost: n.blocks.loss,
        types,
        others: sides.into_iter().skip(1).collect(),
        version,
        truncated: n.blocks.truncated,
        unobserved: n.blocks.unobserved,
        unobserved_reason: most.map(|u| u.reason.clone()).unwrap_or_default(),
        hint: most.map(|u| u.hint.clone()).unwrap_or_default(),
        failed_calls: failed(n.states),
        calls: n.states.iter().map(|s| s.calls).sum(),
        is_small_sample: n.blocks.judged > 0 && n.blocks.loss.is_small(),
        marker: n.markers.first().cloned(),
        blame,
    };
    verdict.sentence = sentence::sentence(&verdict);
    Ok(verdict)
}

fn kind(n: Numbers<'_>) -> Kind {
    match n.blocks {
        b if b.lost > 0 => Kind::Lost,
        b if b.returned > b.unobserved => Kind::NothingLost,
        b if b.returned > 0 => Kind::Undetermined,
        _ if n.states.is_empty() => Kind::NoCalls,
        _ => Kind::NoBlocks,
    }
}

fn lost(mechanisms: &[Mechanism]) -> impl Iterator<Item = &Mechanism> {
    mechanisms.iter().filter(|m| m.outcome == Outcome::Lost.id())
}

/// Sides with losses, most first.
fn sides(mechanisms: &[Mechanism]) -> Vec<SideLoss> {
    let mut found: Vec<SideLoss> = Vec::new();
    for m in lost(mechanisms) {
        match found.iter_mut().find(|s| s.blame == m.blame) {
            Some(s) => s.blocks += m.blocks,
            None => found.push(SideLoss { blame: m.blame.clone(), blocks: m.blocks }),
        }
    }
    found.sort_by(|a, b| b.blocks.cmp(&a.blocks).then_with(|| a.blame.cmp(&b.blame)));
    found
}

fn cause(mechanisms: &[Mechanism], blame: &str) -> Option<Cause> {
    // They come with the most frequent first.
    let worst = lost(mechanisms).find(|m| m.blame == blame)?;
    let detail = worst.details.first().filter(|d| !d.marker.is_empty() || !d.mime.is_empty()).cloned();
    let blocks = detail.as_ref().map_or(worst.blocks, |d| d.blocks);
    Some(Cause { fate: worst.fate.clone(), detail, blocks })
}

fn types(ledger: &Ledger, blame: &str) -> PolarsResult<Vec<TypeLoss>> {
    let is_lost = col("outcome").eq(lit(Outcome::Lost.id()));
    let of_side = ledger.blocks.clone().lazy().filter(is_lost.and(col("blame").eq(lit(blame))));
    let answer =
        Answer::of(of_side.group_by([col("block_type")]).agg([len().alias("lost")]).sort(
            ["lost", "block_type"],
            SortMultipleOptions::default().with_order_descending_multi([true, false]),
        ))?;
    let judged = tally::by_type(ledger)?;
    answer
        .rows()
        .map(|row| {
            let block_type = answer.text("block_type", row)?;
            let of = judged.iter().find(|t| t.block_type == block_type).map_or(0, |t| t.tally.judged);
            Ok(TypeLoss { loss: Ratio::new(answer.count("lost", row)?, of), block_type })
        })
        .collect()
}

/// The one client (or server) of all losses of that side; empty when there are several or its name is unknown.
fn culprit(ledger: &Ledger, blame: &str) -> PolarsResult<String> {
    let column = match blame {
        b if b == Blame::Client.id() => "client",
        b if b == Blame::Server.id() => "server",
        _ => return Ok(String::new()),
    };
    let is_lost = col("outcome").eq(lit(Outcome::Lost.id()));
    let answer = Answer::of(
        ledger
            .blocks
            .clone()
            .lazy()
            .filter(is_lost.and(col("blame").eq(lit(blame))))
            .group_by([col(column)])
            .agg([len().alias("n")]),
    )?;
    if answer.rows().len() == 1 { answer.text(column, 0) } else { Ok(String::new()) }
}

fn version(ledger: &Ledger, client: &str, block_type: &str) -> PolarsResult<Option<VersionNote>> {
    let own = ledger
        .blocks
        .clone()
        .lazy()
        .filter(col("client").eq(lit(client)).and(col("block_type").eq(lit(block_type))));
    let rows: Vec<(String, Tally)> =
        tally::by(own, &["client_version"])?.into_iter().map(|(names, t)| (names.concat(), t)).collect();
    Ok(version::isolate(client, &rows))
}

fn failed(states: &[StateCount]) -> Vec<FailedCalls> {
    let mut found: Vec<FailedCalls> = Vec::new();
    for s in states.iter().filter(|s| s.is_failure()) {
        match found.iter_mut().find(|f| f.state == s.state && f.blame == s.blame) {
            Some(f) => f.calls += s.calls,
            None => {
                found.push(FailedCalls { state: s.state.clone(), blame: s.blame.clone(), calls: s.calls });
            }
        }
    }
    found
}
