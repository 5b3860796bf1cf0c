//! Sessions, and the request and response of each id.

use super::{Exchange, Session};
use crate::bytes::Span;
use crate::event::Events;

/// What pairing found.
#[derive(Default)]
pub struct Paired {
    /// Sessions.
    pub sessions: Vec<Session>,
    /// One log's calls, in the order of their first frame.
    pub exchanges: Vec<Exchange>,
    /// Responses with blocks but no request.
    pub orphans: (Vec<Span>, u64),
}

/// Pairs the frames of all logs.
pub fn pair(_events: &Events) -> Paired {
    Paired::default()
}
