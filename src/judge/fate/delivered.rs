//! `delivered`: the payload stands in the model's context.

use super::{Blame, Case, Fate, Finding, Rule, is_shown, of};

/// The registry entry.
pub const RULE: Rule = Rule {
    id: "delivered",
    fate: Fate::Delivered,
    meaning: "the whole payload stands in a request to the model: in a text, or as a medium of its kind",
    needs: "every byte of the payload, white space at its ends and JSON escapes aside",
    is_not: "its first words; its name or address; a text that happens to contain a short payload",
    apply,
};

fn apply(case: &Case<'_>, block: usize) -> Option<Finding> {
    let (b, e) = of(case, block);
    let found = e.found.filter(|f| f.how.0 == 0 && is_shown(case))?;
    Some(Finding {
        delivered_bytes: b.fingerprint.bytes,
        confidence: found.confidence,
        ..Finding::new(Blame::Nobody, e.found_at)
    })
}
