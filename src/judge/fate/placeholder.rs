//! `placeholder`: a marker stands in the block's place.

use super::{Blame, Case, Fate, Finding, Rule, is_shown, of};
use crate::event::{BlockType, Says};

/// The registry entry.
pub const RULE: Rule = Rule {
    id: "placeholder",
    fate: Fate::Placeholder,
    meaning: "the client wrote a marker in the block's place, or in that of the whole result",
    needs: "a marker of the catalogue in a text that no block of the result accounts for, and the payload nowhere",
    is_not: "a marker beside the real data; a tool that returns the words of a marker itself",
    apply,
};

fn apply(case: &Case<'_>, block: usize) -> Option<Finding> {
    let (b, e) = of(case, block);
    if !is_shown(case) || e.found.is_some() {
        return None;
    }
    let finding = |mark: &crate::judge::marks::Mark, blame, reason| Finding {
        marker: Some(mark.marker),
        reason,
        ..Finding::new(blame, mark.span)
    };
    if let Some(mark) = &e.mark {
        // `[]` is an empty result written out, no words in a block's place.
        if mark.says == Says::Empty && (mark.is_bare_json || b.block_type == BlockType::Structured) {
            return None;
        }
        return Some(match mark.says {
            Says::Policy => finding(mark, Blame::Design, "a guard or filter took it out"),
            Says::Synthetic => finding(mark, Blame::Client, "the client made this result up"),
            _ => finding(mark, Blame::Client, "a marker stands in its place"),
        });
    }
    let refusal = case.refusal.filter(|r| r.culprit.is_none_or(|c| c == block))?;
    Some(finding(&refusal.mark, Blame::Client, "the client refused the result"))
}
