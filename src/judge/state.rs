//! How far a call came, and who answers for it when it did not come far.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::dialect::raw::{Payloads, Side};
use crate::event::{Events, FrameFlags};
use crate::join::{Call, Calls};

use super::case::ModelSide;
use super::verdict::{Blame, CallState};

/// A state with its reason and the log that would say more.
pub struct State {
    /// How far.
    pub state: CallState,
    /// Who answers for it.
    pub blame: Blame,
    /// Why.
    pub reason: &'static str,
    /// Which log would settle it.
    pub hint: &'static str,
}

fn new(state: CallState, blame: Blame, reason: &'static str) -> State {
    State { state, blame, reason, hint: "" }
}

/// What states need to know of the logs as a whole.
#[derive(Default)]
pub struct Context {
    /// The last frame of each file.
    last_frame: FxHashMap<u32, u32>,
    /// For each client session the first and the last request that a server's log holds, too.
    covered: FxHashMap<u32, (u32, u32)>,
    /// Model calls whose output some request shows.
    shown: FxHashSet<u32>,
}

impl Context {
    /// Looks over all logs.
    pub fn new(events: &Events, calls: &Calls) -> Context {
        let mut c = Context::default();
        for (i, f) in events.frames.iter().enumerate() {
            c.last_frame.insert(f.span.file, i as u32);
        }
        let shown = calls.model_calls.iter().enumerate().filter(|(_, m)| m.output.is_some());
        c.shown = shown.map(|(i, _)| i as u32).collect();
        for call in calls.calls.iter().filter(|c| c.server.is_some()) {
            let Some(e) = call.wire.or(call.client) else { continue };
            let Some(r) = e.request else { continue };
            let (first, last) = c.covered.entry(e.session).or_insert((r, r));
            (*first, *last) = (r.min(*first), r.max(*last));
        }
        c
    }

    /// Does the log of this frame hold anything behind it?
    fn goes_on(&self, events: &Events, frame: u32) -> bool {
        let file = events.frames[frame as usize].span.file;
        self.last_frame.get(&file).is_some_and(|last| *last > frame)
    }
}

/// The state of a call that some log of frames holds.
pub fn of(events: &Events, call: &Call, context: &Context, model: ModelSide) -> State {
    let response = call.response().map(|(_, r)| r).or(call.kept);
    let cancelled = call.exchanges().any(|(_, e)| e.cancelled.is_some());
    let Some(r) = response else {
        return unanswered(events, call, context, cancelled);
    };
    let frame = &events.frames[r as usize];
    if not_received(events, call, context) {
        return new(
            CallState::NotReceived,
            Blame::Transport,
            "the server's log has the answer, the client's does not",
        );
    }
    if frame.is(FrameFlags::HAS_ERROR) {
        return new(CallState::ServerError, Blame::Server, "answered with a JSON-RPC error");
    }
    if frame.is(FrameFlags::IS_INTERIM) && frame.block_count == 0 {
        return new(CallState::Interim, Blame::Nobody, "an interim result: the real one comes under another id");
    }
    let is_counted = frame.extra.as_ref().is_some_and(|x| x.block_count.is_some());
    if frame.block_count == 0 && frame.payloads == Payloads::Whole && !is_counted {
        return new(CallState::ServerEmpty, Blame::Server, "the answer has no content");
    }
    match model {
        ModelSide::Shown => new(CallState::Shown, Blame::Nobody, ""),
        ModelSide::Unseen(reason, hint) => State { hint, ..new(CallState::Answered, Blame::Nobody, reason) },
    }
}

/// The server's log has the answer and the client's log has only the request, although the client went on: its
/// log holds later frames, or the model was shown what it made of the call.
pub fn not_received(events: &Events, call: &Call, context: &Context) -> bool {
    let answered = call.server.is_some_and(|e| e.response.is_some());
    let client = call.client.or(call.wire);
    answered
        && client.is_some_and(|e| {
            let moved_on = call.link.is_some_and(|l| context.shown.contains(&l.model_call));
            let goes_on = moved_on || e.request.is_some_and(|r| context.goes_on(events, r));
            e.response.is_none() && e.cancelled.is_none() && goes_on
        })
}

fn unanswered(events: &Events, call: &Call, context: &Context, cancelled: bool) -> State {
    if cancelled {
        return new(CallState::Cancelled, Blame::Nobody, "the client cancelled it before an answer came");
    }
    let request = call.request();
    let ends = request.is_some_and(|r| !context.goes_on(events, r));
    let sides: Vec<Side> = call.exchanges().map(|(side, _)| side).collect();
    if !sides.contains(&Side::Server) && covered_by_server(call, context) {
        let reason = "in the client's log, not in the server's, which holds calls before and after it";
        return new(CallState::NotArrived, Blame::Transport, reason);
    }
    if ends {
        let hint = "the rest of this log, or the server's own log";
        return State { hint, ..new(CallState::NoResponse, Blame::Undetermined, "the log ends before an answer") };
    }
    if sides.contains(&Side::Server) {
        return new(CallState::NoResponse, Blame::Server, "the server's own log has no answer");
    }
    State {
        hint: "the server's own log",
        ..new(CallState::NoResponse, Blame::Undetermined, "no answer in the log")
    }
}

/// Does a server's log hold calls of the same client session on both sides of this one?
fn covered_by_server(call: &Call, context: &Context) -> bool {
    let Some(mine) = call.wire.or(call.client) else { return false };
    let Some(request) = mine.request else { return false };
    context.covered.get(&mine.session).is_some_and(|(first, last)| *first < request && request < *last)
}
