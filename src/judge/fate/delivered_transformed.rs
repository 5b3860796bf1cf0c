//! `delivered-transformed`: the payload is there, in another form.

use super::{Blame, Case, Fate, Finding, How, Rule, is_shown, of};

/// The registry entry.
pub const RULE: Rule = Rule {
    id: "delivered-transformed",
    fate: Fate::DeliveredTransformed,
    meaning: "the payload is there in another form: as JSON text, in a neighbouring message, decoded, under \
              another MIME type, repaired, encoded anew, or as base64 characters that no model can see through",
    needs: "every byte of the payload in that form",
    is_not: "a loss, whatever it looks like in the output; `base64-text` is counted apart, since it is paid for \
             and of no use",
    apply,
};

fn apply(case: &Case<'_>, block: usize) -> Option<Finding> {
    let (b, e) = of(case, block);
    let found = e.found.filter(|f| f.how.0 != 0 && is_shown(case))?;
    let reason = if found.how.has(How::BASE64_TEXT) { "base64 characters in a text" } else { "" };
    Some(Finding {
        how: found.how,
        reason,
        delivered_bytes: b.fingerprint.bytes,
        confidence: found.confidence,
        ..Finding::new(Blame::Nobody, e.found_at)
    })
}
