//! `evicted`: it was delivered, and a later request of the same conversation no longer has it.

use super::{Blame, Case, Fate, Finding, Rule, of};

/// The registry entry.
pub const RULE: Rule = Rule {
    id: "evicted",
    fate: Fate::Evicted,
    meaning: "an earlier request showed the block, a later one of the same conversation does not",
    needs: "both requests, and in the later one either this call with another output or a call that followed it",
    is_not: "another conversation; a request of the same client that is no continuation (titles, summaries)",
    apply,
};

fn apply(case: &Case<'_>, block: usize) -> Option<Finding> {
    let (b, e) = of(case, block);
    let found = e.found?;
    let gone = e.gone.filter(|_| b.fingerprint.bytes > 0)?;
    Some(Finding {
        how: found.how,
        marker: e.gone_mark,
        reason: "shown once, gone from a later request of the same conversation",
        delivered_bytes: b.fingerprint.bytes,
        confidence: found.confidence.min(0.95),
        ..Finding::new(Blame::Client, gone)
    })
}
