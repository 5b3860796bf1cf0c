//! `decode-failed`: its base64 did not decode or did not pass validation.

use super::{Blame, Case, Fate, Finding, Rule, at, of};
use crate::event::{Block, Says};

/// The registry entry.
pub const RULE: Rule = Rule {
    id: "decode-failed",
    fate: Fate::DecodeFailed,
    meaning: "the client could not decode the block's base64, or its validation refused it",
    needs: "a marker that says so, or a refusal of the whole result that names the block's data",
    is_not: "a MIME type that the client does not take (mime-rejected)",
    apply,
};

fn apply(case: &Case<'_>, block: usize) -> Option<Finding> {
    let (b, e) = of(case, block);
    if e.found.is_some() {
        return None;
    }
    let bad = b.is(Block::BASE64_BAD);
    let reason = if bad {
        "its base64 is not clean: data-URL prefix, alphabet, padding or line breaks"
    } else {
        "its base64 is clean: the client should have decoded it"
    };
    if let Some(mark) = e.mark.filter(|m| m.says == Says::DecodeFailed) {
        return Some(Finding { marker: Some(mark.marker), reason, ..Finding::new(Blame::Client, at(case, e)) });
    }
    let refusal = case.refusal.filter(|r| r.culprit == Some(block) && b.is(Block::HAS_DATA))?;
    (bad || refusal.names_data).then(|| Finding {
        marker: Some(refusal.mark.marker),
        reason,
        confidence: if refusal.names_data { 1.0 } else { 0.8 },
        ..Finding::new(Blame::Client, refusal.mark.span)
    })
}
