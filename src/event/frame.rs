//! A JSON-RPC message.

use std::ops::Range;

use super::Sym;
use crate::bytes::Span;
use crate::dialect::raw::{At, Codec, Dir, Method, Payloads, Side};

/// A JSON-RPC id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Id {
    /// No id.
    #[default]
    None,
    /// An integer; a string of digits counts as one, since some loggers write ids as strings.
    Int(i64),
    /// Any other string.
    Text(Sym),
    /// `null`, a fraction or the like.
    Odd,
}

/// A set of yes/no facts about a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FrameFlags(pub u16);

impl FrameFlags {
    /// A request or notification.
    pub const HAS_METHOD: u16 = 1;
    /// A response with `result`.
    pub const HAS_RESULT: u16 = 1 << 1;
    /// A response with `error`.
    pub const HAS_ERROR: u16 = 1 << 2;
    /// The result has a `content` array.
    pub const HAS_CONTENT: u16 = 1 << 3;
    /// `isError` is true.
    pub const IS_ERROR: u16 = 1 << 4;
    /// `input_required`, or a created task.
    pub const IS_INTERIM: u16 = 1 << 5;
    /// Carries `inputResponses`.
    pub const IS_RETRY: u16 = 1 << 6;
    /// The client's own record of a result.
    pub const IS_KEPT: u16 = 1 << 7;
}

/// A JSON-RPC message in a log.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// Bytes of the record in its file.
    pub span: Span,
    /// Microseconds since 1970 by the log's own clock.
    pub time_us: Option<i64>,
    /// Hash of `arguments`, order of keys aside; 0 when there are none.
    pub args_hash: u64,
    /// JSON-RPC id.
    pub id: Id,
    /// Session that the log names.
    pub session: Sym,
    /// Tool, resource uri or prompt of a request.
    pub name: Sym,
    /// The model's own call id, when the client sent it along.
    pub call_link: Sym,
    /// First of its blocks in [`Events::blocks`].
    pub first_block: u32,
    /// How many.
    pub block_count: u32,
    /// What rarely occurs.
    pub extra: Option<Box<Extra>>,
    /// Facts.
    pub flags: FrameFlags,
    /// How the record's text is wrapped.
    pub codec: Codec,
    /// Whose log.
    pub side: Option<Side>,
    /// Which way, as far as the log says.
    pub dir: Dir,
    /// What is left of the payloads.
    pub payloads: Payloads,
    /// Which method.
    pub method: Method,
}

impl Frame {
    /// Is this fact ([`FrameFlags`]) true?
    pub fn is(&self, flag: u16) -> bool {
        self.flags.0 & flag != 0
    }

    /// A response of either kind.
    pub fn is_response(&self) -> bool {
        self.is(FrameFlags::HAS_RESULT | FrameFlags::HAS_ERROR) && !self.is(FrameFlags::HAS_METHOD)
    }

    /// Indices of its blocks.
    pub fn blocks(&self) -> Range<usize> {
        self.first_block as usize..(self.first_block + self.block_count) as usize
    }
}

/// What only some frames have.
#[derive(Clone, Debug, Default)]
pub struct Extra {
    /// Protocol version.
    pub protocol_version: Sym,
    /// Name in `clientInfo` or `serverInfo`.
    pub peer_name: Sym,
    /// Version there.
    pub peer_version: Sym,
    /// `capabilities`.
    pub capabilities: At,
    /// `tools` of a `tools/list` result.
    pub tools: At,
    /// Task that the message is about.
    pub task_id: Sym,
    /// `error.code`.
    pub error_code: Option<i64>,
    /// `error.message`.
    pub error_message: At,
    /// `params._meta`.
    pub meta: At,
    /// Number of blocks where the log has only their count.
    pub block_count: Option<u32>,
}
