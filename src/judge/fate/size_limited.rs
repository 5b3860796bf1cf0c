//! `size-limited`: refused whole for its size.

use super::{Blame, Case, Fate, Finding, Rule, is_shown, of};
use crate::event::Says;

/// The registry entry.
pub const RULE: Rule = Rule {
    id: "size-limited",
    fate: Fate::SizeLimited,
    meaning: "the block, or the result that it is in, was refused whole because it was too large",
    needs: "a marker that says so, and nothing of the payload in the output",
    is_not: "a payload of which a part is there (truncated)",
    apply,
};

fn apply(case: &Case<'_>, block: usize) -> Option<Finding> {
    let (_, e) = of(case, block);
    if !is_shown(case) || e.found.is_some() || e.part.is_some() {
        return None;
    }
    let own = e.mark.filter(|m| m.says == Says::SizeLimited);
    let mark = own.or(if e.mark.is_none() { case.size_mark } else { None })?;
    Some(Finding {
        marker: Some(mark.marker),
        reason: "refused whole for its size",
        confidence: if own.is_some() { 1.0 } else { 0.9 },
        ..Finding::new(Blame::Client, mark.span)
    })
}
