//! `collateral`: fine itself; a sibling's failure took the whole result.

use super::{Blame, Case, Fate, Finding, Rule, of};

/// The registry entry.
pub const RULE: Rule = Rule {
    id: "collateral",
    fate: Fate::Collateral,
    meaning: "the client refused the whole result because of another block",
    needs: "a refusal of the result in the output, nothing of the result there, and a culprit among the siblings",
    is_not: "the culprit itself; a refusal without one, where every block is simply replaced (placeholder)",
    apply,
};

fn apply(case: &Case<'_>, block: usize) -> Option<Finding> {
    let (_, e) = of(case, block);
    let refusal = case.refusal.filter(|_| e.found.is_none())?;
    let culprit = refusal.culprit.filter(|c| *c != block)?;
    let reason = match culprit {
        0 => "block 0 of the same result made the client refuse all of it",
        1 => "block 1 of the same result made the client refuse all of it",
        2 => "block 2 of the same result made the client refuse all of it",
        _ => "another block of the same result made the client refuse all of it",
    };
    Some(Finding { marker: Some(refusal.mark.marker), reason, ..Finding::new(Blame::Client, refusal.mark.span) })
}
