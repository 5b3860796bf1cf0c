//! `dropped-silently`: nothing stands in its place.

use super::{Blame, Case, Fate, Finding, Rule, is_shown, of};

/// The registry entry.
pub const RULE: Rule = Rule {
    id: "dropped-silently",
    fate: Fate::DroppedSilently,
    meaning: "the output was shown to the model without the block and without a word about it",
    needs: "the output of this very call in a model request, and the payload in none of its forms",
    is_not: "a call whose output no log shows (unobserved); one side of content and structuredContent (superseded)",
    apply,
};

fn apply(case: &Case<'_>, block: usize) -> Option<Finding> {
    let (b, e) = of(case, block);
    let is_gone = is_shown(case) && e.found.is_none() && b.fingerprint.bytes > 0;
    is_gone.then(|| Finding {
        marker: e.mark.map(|m| m.marker),
        reason: "nothing stands in its place",
        confidence: 0.95,
        ..Finding::new(Blame::Client, case.output)
    })
}
