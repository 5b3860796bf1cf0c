//! `unobserved`: the logs at hand end before anyone could know.

use super::{Blame, Case, Fate, Finding, ModelSide, Rule, of};
use crate::bytes::Span;
use crate::dialect::Payloads;

/// The registry entry.
pub const RULE: Rule = Rule {
    id: "unobserved",
    fate: Fate::Unobserved,
    meaning: "no log at hand shows what the model was given of this block",
    needs: "nothing: it is what is left when evidence is missing, and it names the log that would settle it",
    is_not: "a loss",
    apply,
};

fn apply(case: &Case<'_>, block: usize) -> Option<Finding> {
    let (b, e) = of(case, block);
    let unseen = |reason, hint| {
        Some(Finding { reason, hint, confidence: 1.0, ..Finding::new(Blame::Undetermined, Span::default()) })
    };
    if let ModelSide::Unseen(reason, hint) = case.model_side {
        return unseen(reason, hint);
    }
    if e.found.is_some() || e.mark.is_some() {
        return None;
    }
    match case.payloads {
        Payloads::Whole => None,
        Payloads::Absent => unseen("the log holds no payloads", "a log of the frames themselves"),
        // What the logger cut cannot be compared to its end.
        Payloads::Cut if b.fingerprint.bytes > 0 && case.refusal.is_none() => {
            unseen("the logger may have cut this payload", "a log that holds the frames whole")
        }
        Payloads::Cut => None,
    }
}
