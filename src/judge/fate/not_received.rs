//! `not-received`: the server's log has it, the client's log does not.

use super::{Blame, Case, Fate, Finding, Rule};
use crate::bytes::Span;

/// The registry entry.
pub const RULE: Rule = Rule {
    id: "not-received",
    fate: Fate::NotReceived,
    meaning: "the block stands in the server's answer and is missing from what the client's log received",
    needs: "a server log with the answer, and a client log with the request of the same call",
    is_not: "a client log that does not cover the call, which proves nothing",
    apply,
};

fn apply(case: &Case<'_>, block: usize) -> Option<Finding> {
    let received = case.received.as_ref()?;
    // What the model was shown was received, whatever the log says.
    if case.evidence[block].found.is_some() {
        return None;
    }
    (!received.get(block).copied().unwrap_or(true)).then(|| {
        let reason = "in the server's log, not in the client's log of the same call";
        Finding { reason, ..Finding::new(Blame::Transport, Span::default()) }
    })
}
