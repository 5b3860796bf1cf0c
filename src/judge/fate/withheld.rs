//! `withheld`: `annotations.audience` leaves the assistant out, and it was not delivered.

use super::{Blame, Case, Fate, Finding, Rule, is_shown, of};
use crate::event::Block;

/// The registry entry.
pub const RULE: Rule = Rule {
    id: "withheld",
    fate: Fate::Withheld,
    meaning: "the block was meant for the user alone, and the model was not shown it",
    needs: "an `audience` without \"assistant\", and the payload nowhere in the output",
    is_not: "a loss",
    apply,
};

fn apply(case: &Case<'_>, block: usize) -> Option<Finding> {
    let (b, e) = of(case, block);
    let meant_for_user = b.is(Block::NOT_FOR_ASSISTANT) && is_shown(case) && e.found.is_none();
    meant_for_user.then(|| Finding {
        reason: "its audience leaves the assistant out",
        ..Finding::new(Blame::Design, case.output)
    })
}
