//! Stage 4 of 9: join. Which lines of which logs are about the same call.
//!
//! In order: sessions (ids restart), request and response by (session, direction, id), the server's log and
//! the client's log of the same traffic, the client's own record, and at last the model's call. Every link
//! keeps how it was made and how sure it is; what is ambiguous is said, not guessed away.

mod conversation;
mod link;
mod merge;
mod pair;

use crate::bytes::{SourceSet, Span};
use crate::dialect::raw::{Method, Side};
use crate::event::{Events, Sym};

pub use conversation::{ModelCall, Sighting};

/// A run of frames in which a JSON-RPC id means one request.
#[derive(Clone, Debug, Default)]
pub struct Session {
    /// File in which it was seen first.
    pub file: u32,
    /// Name that the log gives it; empty when none.
    pub name: Sym,
    /// How many `initialize` requests stood before it in the same file and name.
    pub epoch: u32,
    /// Whose log.
    pub side: Option<Side>,
    /// `clientInfo`.
    pub client: Sym,
    /// Its version.
    pub client_version: Sym,
    /// `serverInfo`.
    pub server: Sym,
    /// Its version.
    pub server_version: Sym,
    /// Negotiated protocol version.
    pub protocol: Sym,
    /// Frame that answers `initialize` or `server/discover`.
    pub initialized: Option<u32>,
}

/// One log's view of a call: indices into [`Events::frames`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Exchange {
    /// Index into [`Calls::sessions`].
    pub session: u32,
    /// The request.
    pub request: Option<u32>,
    /// The response that counts.
    pub response: Option<u32>,
    /// A further response to the same request.
    pub second_response: Option<u32>,
    /// `notifications/cancelled` for it.
    pub cancelled: Option<u32>,
    /// More than one open request could have been meant.
    pub is_ambiguous: bool,
}

/// How a wire call was tied to the model's call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LinkHow {
    /// The client sent the model's call id along.
    CallId,
    /// Tool name and arguments are equal and nothing else has them.
    NameAndArguments,
    /// Several identical calls, told apart by what the model got to see.
    Content,
    /// Several identical calls, paired in order.
    Order,
    /// Same tool, arguments differ (defaults filled in or dropped), paired in order.
    NameAndOrder,
}

impl LinkHow {
    /// Stable name for the facts.
    pub fn id(self) -> &'static str {
        match self {
            LinkHow::CallId => "call-id",
            LinkHow::NameAndArguments => "name+arguments",
            LinkHow::Content => "content",
            LinkHow::Order => "order",
            LinkHow::NameAndOrder => "name+order",
        }
    }

    /// How sure such a link is, 0 to 1. Estimates, ordered by what can go wrong: an id cannot, equal calls in
    /// parallel can be swapped, calls with other arguments may be other calls.
    pub fn confidence(self) -> f32 {
        match self {
            LinkHow::CallId => 1.0,
            LinkHow::NameAndArguments => 0.97,
            LinkHow::Content => 0.95,
            LinkHow::Order => 0.8,
            LinkHow::NameAndOrder => 0.5,
        }
    }
}

/// A tie between a wire call and a model's call.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// Index into [`Calls::model_calls`].
    pub model_call: u32,
    /// How it was made.
    pub how: LinkHow,
}

/// One call with all that the logs hold about it.
#[derive(Clone, Debug, Default)]
pub struct Call {
    /// `tools/call`, `resources/read` or `prompts/get`.
    pub method: Method,
    /// Tool, uri or prompt.
    pub name: Sym,
    /// Hash of its arguments.
    pub args_hash: u64,
    /// In the server's log.
    pub server: Option<Exchange>,
    /// Between the two.
    pub wire: Option<Exchange>,
    /// In the client's log.
    pub client: Option<Exchange>,
    /// The client's own record of the result: index into [`Events::frames`].
    pub kept: Option<u32>,
    /// The model's call.
    pub link: Option<Link>,
    /// How many model calls fit equally well, this one included; 0 without a link.
    pub rivals: u32,
}

impl Call {
    /// The views in the order from the server to the client.
    pub fn exchanges(&self) -> impl Iterator<Item = (Side, &Exchange)> {
        [(Side::Server, &self.server), (Side::Wire, &self.wire), (Side::Client, &self.client)]
            .into_iter()
            .filter_map(|(side, e)| e.as_ref().map(|e| (side, e)))
    }

    /// The first request in any log.
    pub fn request(&self) -> Option<u32> {
        self.exchanges().find_map(|(_, e)| e.request)
    }

    /// The response nearest to the server, with the log that holds it.
    pub fn response(&self) -> Option<(Side, u32)> {
        self.exchanges().find_map(|(side, e)| e.response.map(|r| (side, r)))
    }

    /// The session that knows most: the one nearest to the server.
    pub fn session(&self) -> Option<u32> {
        self.exchanges().next().map(|(_, e)| e.session)
    }
}

/// The clock of one log against that of another, estimated from calls that both hold.
#[derive(Clone, Copy, Debug)]
pub struct ClockOffset {
    /// A file of the server's log.
    pub server_file: u32,
    /// A file of the client's log.
    pub client_file: u32,
    /// Client's time minus server's time, in microseconds: the median over the pairs.
    pub offset_us: i64,
    /// How many calls it was estimated from.
    pub pairs: u32,
}

/// All calls of a run.
#[derive(Debug, Default)]
pub struct Calls {
    /// Calls that a server, wire or client log holds, in the order of their first request.
    pub calls: Vec<Call>,
    /// Sessions.
    pub sessions: Vec<Session>,
    /// Calls as the model logs hold them.
    pub model_calls: Vec<ModelCall>,
    /// Clock offsets between server and client logs.
    pub offsets: Vec<ClockOffset>,
    /// Responses with blocks whose request is in no log: spans of the first few, and how many.
    pub orphan_responses: (Vec<Span>, u64),
}

/// Joins all events.
pub fn join(events: &Events, sources: &SourceSet) -> Calls {
    let paired = pair::pair(events);
    let (calls, offsets) = merge::merge(events, paired.exchanges);
    let model_calls = conversation::model_calls(events, sources);
    let mut all =
        Calls { calls, sessions: paired.sessions, model_calls, offsets, orphan_responses: paired.orphans };
    link::link(events, sources, &mut all);
    all
}
