//! `unknown-type`: a `type` that the client does not model.

use super::{Blame, Case, Fate, Finding, Rule, at, of};
use crate::event::{BlockType, Says};

/// The registry entry.
pub const RULE: Rule = Rule {
    id: "unknown-type",
    fate: Fate::UnknownType,
    meaning: "the client does not know the block's `type`: it dropped it, or refused the result because of it",
    needs: "a marker that says so; or a type that the protocol does not define, not shown; or a refusal that \
            names a block whose type is newer than the client",
    is_not: "a known type that is replaced by a marker (placeholder)",
    apply,
};

fn apply(case: &Case<'_>, block: usize) -> Option<Finding> {
    let (b, e) = of(case, block);
    if e.found.is_some() {
        return None;
    }
    let finding = |marker, reason, span| Finding { marker, reason, ..Finding::new(Blame::Client, span) };
    if let Some(mark) = e.mark.filter(|m| m.says == Says::UnknownType) {
        return Some(finding(Some(mark.marker), "the client says that it does not know this type", mark.span));
    }
    let refusal = case.refusal.filter(|r| r.culprit == Some(block));
    if b.block_type == BlockType::Unknown {
        let marker = refusal.map(|r| r.mark.marker).or(e.mark.map(|m| m.marker));
        let span = refusal.map_or(at(case, e), |r| r.mark.span);
        return Some(finding(marker, "the protocol does not define this type", span));
    }
    // A well-formed block that the client's validation names: types were added over the protocol's versions.
    let newer = matches!(b.block_type, BlockType::Audio | BlockType::ResourceLink);
    refusal
        .filter(|r| newer && !r.names_data)
        .map(|r| finding(Some(r.mark.marker), "the client's validation knows no such type", r.mark.span))
}
