//! Stage 2 of 9: dialect. One file per log dialect; each turns its records into [`raw`] events.
//!
//! To add one: a file with a `DIALECT` constant, a line in [`DIALECTS`], a case folder under
//! `tests/cases/dialect/`. What `mcploss formats`, detection and the registry tests need is in the constant.

pub mod codec;
pub mod conversation;
pub mod detect;
pub mod jsonrpc;
pub mod raw;
pub mod stamp;

mod bare_jsonrpc;
mod claude_desktop;
mod codex;
mod frames;
mod gateway;
mod github_mcp_server;

pub use detect::{Sample, detect};
pub use raw::{Payloads, Side, Sink};

use crate::bytes::Chunk;

/// Where a record ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// A record is a line and stands for itself: a file can be parsed in parallel pieces.
    Line,
    /// Records span lines or depend on those before: a file is parsed in one piece.
    Whole,
}

/// A stage of a block's life that a log can prove.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// In the server's answer.
    Returned,
    /// In the client's wire log.
    Received,
    /// In the client's own record, after its parsing.
    Kept,
    /// In a model request.
    Delivered,
    /// Only that the call was made or ended.
    CallEnded,
}

impl Stage {
    /// Lower-case name.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Returned => "returned",
            Stage::Received => "received",
            Stage::Kept => "kept",
            Stage::Delivered => "delivered",
            Stage::CallEnded => "call-ended",
        }
    }
}

/// A log dialect: what it is, what it proves, how it is recognised and read.
pub struct Dialect {
    /// Stable name, as in `--as NAME` and in the accounting.
    pub name: &'static str,
    /// One line: whose log, and where it lies.
    pub about: &'static str,
    /// How to turn that log on.
    pub enable: &'static str,
    /// Whose log it is unless a record or the user says otherwise.
    pub side: Side,
    /// What it can prove at best.
    pub proves: &'static [Stage],
    /// What is left of the payloads.
    pub payloads: Payloads,
    /// Where its records end.
    pub framing: Framing,
    /// How sure this dialect is that the sample is its own, 0 to 100.
    pub detect: fn(&Sample<'_>) -> u8,
    /// Parses a chunk; counts every line exactly once.
    pub parse: fn(Chunk<'_>, Context, &mut dyn Sink),
}

/// What a parser needs to know beside the bytes.
#[derive(Clone, Copy, Debug)]
pub struct Context {
    /// Whose log it is: the dialect's side, or what the user said with `--server`, `--client`, `--model`.
    pub side: Side,
    /// Longest line that is parsed.
    pub max_line_bytes: u64,
}

/// All dialects. On equal confidence the earlier one wins.
pub const DIALECTS: &[&Dialect] = &[
    &frames::DIALECT,
    &bare_jsonrpc::DIALECT,
    &claude_desktop::DIALECT,
    &github_mcp_server::DIALECT,
    &codex::DIALECT,
    &gateway::DIALECT,
];

/// The dialect of that name.
pub fn by_name(name: &str) -> Option<&'static Dialect> {
    DIALECTS.iter().copied().find(|d| d.name == name)
}
