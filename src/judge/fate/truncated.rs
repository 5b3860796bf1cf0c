//! `truncated`: a part of the payload is there.

use super::{Blame, Case, Fate, Finding, Rule, is_shown, of};

/// The registry entry.
pub const RULE: Rule = Rule {
    id: "truncated",
    fate: Fate::Truncated,
    meaning: "the beginning or the end of the payload is there, the rest is not",
    needs: "at least 32 bytes (or a half) of the payload's head or tail in the output, and no place that has all",
    is_not: "a first line that another text shares; a payload refused whole for its size (size-limited)",
    apply,
};

fn apply(case: &Case<'_>, block: usize) -> Option<Finding> {
    let (_, e) = of(case, block);
    let part = e.part.filter(|_| is_shown(case))?;
    let says = case.size_mark.map(|m| m.marker);
    Some(Finding {
        marker: says,
        reason: "a part of the payload is there",
        delivered_bytes: part.bytes as u32,
        confidence: if says.is_some() { 1.0 } else { 0.9 },
        ..Finding::new(Blame::Client, e.part_at)
    })
}
