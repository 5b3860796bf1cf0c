//! `superseded`: `structuredContent` was sent in place of `content`, or the other way round.

use super::{Blame, Case, Fate, Finding, Rule, at, is_shown, of};
use crate::event::BlockType;

/// The registry entry.
pub const RULE: Rule = Rule {
    id: "superseded",
    fate: Fate::Superseded,
    meaning: "the client shows only one of `content` and `structuredContent`, and the block is of the other",
    needs: "the other one in the output, this one not, and no marker in its place",
    is_not: "a block that is lost while a sibling of the same kind came through",
    apply,
};

fn apply(case: &Case<'_>, block: usize) -> Option<Finding> {
    let (b, e) = of(case, block);
    if !is_shown(case) || e.found.is_some() || e.mark.is_some() || e.part.is_some() {
        return None;
    }
    let shown = |structured: bool| {
        case.blocks.iter().zip(&case.evidence).any(|(b, e)| {
            (b.block_type == BlockType::Structured) == structured
                && (e.found.is_some_and(|_| b.fingerprint.bytes > 0) || e.part.is_some())
        })
    };
    let is_structured = b.block_type == BlockType::Structured;
    let other = shown(!is_structured);
    let own = !is_structured && shown(false);
    (other && !own).then(|| {
        let reason = if is_structured {
            "the client showed `content` alone"
        } else {
            "the client showed `structuredContent` alone"
        };
        Finding { reason, confidence: 0.95, ..Finding::new(Blame::Client, at(case, e)) }
    })
}
