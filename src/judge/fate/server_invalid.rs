//! `server-invalid`: the block breaks the schema, so no client can deliver it.

use super::{Blame, Case, Fate, Finding, Rule, at, of};
use crate::event::BlockType;
use crate::judge::case::breaks_schema;

/// The registry entry.
pub const RULE: Rule = Rule {
    id: "server-invalid",
    fate: Fate::ServerInvalid,
    meaning: "the block lacks what its type must have: a resource without text and blob, an image without data",
    needs: "the block itself, logged whole",
    is_not: "a log that leaves payloads out; a type that the client does not know (unknown-type)",
    apply,
};

fn apply(case: &Case<'_>, block: usize) -> Option<Finding> {
    let (b, e) = of(case, block);
    if case.payloads != crate::dialect::Payloads::Whole || !breaks_schema(b) {
        return None;
    }
    let reason = match b.block_type {
        BlockType::Resource => "the resource has neither text nor blob",
        BlockType::Image | BlockType::Audio => "the block has no data",
        BlockType::Text => "the block has no text",
        BlockType::ResourceLink => "the link has no uri",
        _ => "the block has no type",
    };
    Some(Finding { reason, ..Finding::new(Blame::Server, at(case, e)) })
}
