//! The rules, in order: the first that applies decides a block's fate, the next one that would have is kept as
//! the runner-up. To add one: a file with a `RULE` constant, a line in [`RULES`], a case folder.

mod collateral;
mod decode_failed;
mod delivered;
mod delivered_transformed;
mod dropped_silently;
mod evicted;
mod mime_rejected;
mod not_received;
mod placeholder;
mod server_invalid;
mod size_limited;
mod superseded;
mod truncated;
mod unknown_type;
mod unobserved;
mod withheld;

use super::case::{Case, Evidence, ModelSide};
use super::verdict::{Blame, Fate, How};
use crate::bytes::Span;
use crate::event::Block;

/// One rule: what it claims, what it takes, what it must not be mistaken for, and how it decides.
pub struct Rule {
    /// Stable name.
    pub id: &'static str,
    /// Fate that it gives.
    pub fate: Fate,
    /// What it means that a block has this fate.
    pub meaning: &'static str,
    /// Evidence that it takes.
    pub needs: &'static str,
    /// What looks like it and is something else.
    pub is_not: &'static str,
    /// Decides about block `.1` of a case.
    pub apply: fn(&Case<'_>, usize) -> Option<Finding>,
}

/// What a rule found.
#[derive(Clone, Copy, Debug)]
pub struct Finding {
    /// Forms.
    pub how: How,
    /// Who answers for it.
    pub blame: Blame,
    /// Marker that says so.
    pub marker: Option<u32>,
    /// What to add for a person.
    pub reason: &'static str,
    /// Which log would settle it.
    pub hint: &'static str,
    /// Evidence on the model's side.
    pub at: Span,
    /// How much of the payload the model was shown.
    pub delivered_bytes: u32,
    /// 0 to 1.
    pub confidence: f32,
}

impl Finding {
    /// A finding that blames `blame`, with the evidence at `at`.
    fn new(blame: Blame, at: Span) -> Finding {
        Finding {
            how: How::default(),
            blame,
            marker: None,
            reason: "",
            hint: "",
            at,
            delivered_bytes: 0,
            confidence: 1.0,
        }
    }
}

/// All rules in the order in which they are asked.
pub const RULES: [&Rule; 16] = [
    &not_received::RULE,
    &server_invalid::RULE,
    &unobserved::RULE,
    &mime_rejected::RULE,
    &evicted::RULE,
    &delivered::RULE,
    &delivered_transformed::RULE,
    &truncated::RULE,
    &superseded::RULE,
    &unknown_type::RULE,
    &decode_failed::RULE,
    &size_limited::RULE,
    &collateral::RULE,
    &placeholder::RULE,
    &withheld::RULE,
    &dropped_silently::RULE,
];

/// Asks the rules about a block: the decision, and the rule that would have decided otherwise.
pub fn decide(case: &Case<'_>, block: usize) -> Option<(&'static Rule, Finding, &'static str)> {
    let mut hits = RULES.iter().filter_map(|r| (r.apply)(case, block).map(|f| (*r, f)));
    let (rule, finding) = hits.next()?;
    let runner_up = hits.next().map_or("", |(r, _)| r.id);
    Some((rule, finding, runner_up))
}

/// Shorthand for what every rule looks at.
fn of<'c>(case: &'c Case<'_>, block: usize) -> (&'c Block, &'c Evidence) {
    (&case.blocks[block], &case.evidence[block])
}

/// Where evidence on the model's side stands when nothing more exact is known.
fn at(case: &Case<'_>, e: &Evidence) -> Span {
    e.mark.map_or(case.output, |m| m.span)
}

/// Was the output seen at all?
fn is_shown(case: &Case<'_>) -> bool {
    case.model_side == ModelSide::Shown
}
