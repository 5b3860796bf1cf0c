//! What a verdict consists of: the fate of a block, its forms, who answers for it, and the evidence.

use crate::bytes::Span;
use crate::event::{BlockType, Id, Sym};
use crate::join::LinkHow;

/// What became of a block. The order is that of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Fate {
    /// The payload stands in the model's context.
    Delivered,
    /// It is there in another form; see [`How`].
    DeliveredTransformed,
    /// A part of it is there.
    Truncated,
    /// It was there and is gone from a later request.
    Evicted,
    /// A marker stands in its place.
    Placeholder,
    /// Refused for its MIME type.
    MimeRejected,
    /// Its base64 did not decode or did not pass validation.
    DecodeFailed,
    /// Its `type` is not modelled by the client.
    UnknownType,
    /// Refused whole for its size.
    SizeLimited,
    /// Fine itself; a sibling's failure took the whole result.
    Collateral,
    /// `structuredContent` was sent in place of `content`, or the other way round.
    Superseded,
    /// Nothing stands in its place.
    DroppedSilently,
    /// Meant for the user alone, and not delivered.
    Withheld,
    /// It breaks the schema.
    ServerInvalid,
    /// In the server's log, not in the client's.
    NotReceived,
    /// The logs at hand end before anyone could know.
    Unobserved,
}

impl Fate {
    /// All fates in the order of the tables.
    pub const ALL: [Fate; 16] = [
        Fate::Delivered,
        Fate::DeliveredTransformed,
        Fate::Truncated,
        Fate::Evicted,
        Fate::Placeholder,
        Fate::MimeRejected,
        Fate::DecodeFailed,
        Fate::UnknownType,
        Fate::SizeLimited,
        Fate::Collateral,
        Fate::Superseded,
        Fate::DroppedSilently,
        Fate::Withheld,
        Fate::ServerInvalid,
        Fate::NotReceived,
        Fate::Unobserved,
    ];

    /// Stable name.
    pub fn id(self) -> &'static str {
        match self {
            Fate::Delivered => "delivered",
            Fate::DeliveredTransformed => "delivered-transformed",
            Fate::Truncated => "truncated",
            Fate::Evicted => "evicted",
            Fate::Placeholder => "placeholder",
            Fate::MimeRejected => "mime-rejected",
            Fate::DecodeFailed => "decode-failed",
            Fate::UnknownType => "unknown-type",
            Fate::SizeLimited => "size-limited",
            Fate::Collateral => "collateral",
            Fate::Superseded => "superseded",
            Fate::DroppedSilently => "dropped-silently",
            Fate::Withheld => "withheld",
            Fate::ServerInvalid => "server-invalid",
            Fate::NotReceived => "not-received",
            Fate::Unobserved => "unobserved",
        }
    }

    /// The whole block was in front of the model at least once.
    pub fn is_delivered(self) -> bool {
        matches!(self, Fate::Delivered | Fate::DeliveredTransformed | Fate::Evicted)
    }

    /// Counts as a loss: the model never saw it although someone should have shown it. By-policy and by-design
    /// fates (`superseded`, `withheld`) do not, since another form stood in or nobody was meant to see it;
    /// `truncated` and `evicted` have columns of their own.
    pub fn is_lost(self) -> bool {
        matches!(
            self,
            Fate::Placeholder
                | Fate::MimeRejected
                | Fate::DecodeFailed
                | Fate::UnknownType
                | Fate::SizeLimited
                | Fate::Collateral
                | Fate::DroppedSilently
                | Fate::ServerInvalid
                | Fate::NotReceived
        )
    }
}

/// Forms in which a `delivered-transformed` block stands there; a set of bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct How(pub u8);

impl How {
    /// Serialized as JSON text.
    pub const JSON_TEXT: u8 = 1;
    /// Its bytes as base64 characters in a text: paid for in tokens, of no use to a model.
    pub const BASE64_TEXT: u8 = 1 << 1;
    /// In a neighbouring message.
    pub const MOVED: u8 = 1 << 2;
    /// A blob turned into the text that it holds.
    pub const DECODED: u8 = 1 << 3;
    /// Under another MIME type.
    pub const RELABELLED: u8 = 1 << 4;
    /// Its base64 was repaired.
    pub const REPAIRED: u8 = 1 << 5;
    /// The same content in other bytes.
    pub const RE_ENCODED: u8 = 1 << 6;

    const NAMES: [(u8, &'static str); 7] = [
        (How::JSON_TEXT, "json-text"),
        (How::BASE64_TEXT, "base64-text"),
        (How::MOVED, "moved"),
        (How::DECODED, "decoded"),
        (How::RELABELLED, "relabelled"),
        (How::REPAIRED, "repaired"),
        (How::RE_ENCODED, "re-encoded"),
    ];

    /// The names of its members, joined by `+`; empty for none.
    pub fn names(self) -> String {
        let names: Vec<_> = How::NAMES.iter().filter(|(bit, _)| self.0 & bit != 0).map(|(_, n)| *n).collect();
        names.join("+")
    }

    /// Is this form among them?
    pub fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }
}

/// Who is to answer for a fate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Blame {
    /// Nothing was lost.
    #[default]
    Nobody,
    /// The server.
    Server,
    /// Between the two.
    Transport,
    /// The client.
    Client,
    /// The model's API.
    ModelApi,
    /// By design or policy.
    Design,
    /// The logs do not show it.
    Undetermined,
}

impl Blame {
    /// Stable name.
    pub fn id(self) -> &'static str {
        match self {
            Blame::Nobody => "nobody",
            Blame::Server => "server",
            Blame::Transport => "transport",
            Blame::Client => "client",
            Blame::ModelApi => "model-api",
            Blame::Design => "by-design",
            Blame::Undetermined => "undetermined",
        }
    }
}

/// How far a call came.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CallState {
    /// Its result was shown to the model.
    #[default]
    Shown,
    /// Answered; whether the model saw anything is not in the logs.
    Answered,
    /// Answered with empty `content` and no `structuredContent`.
    ServerEmpty,
    /// Answered with a JSON-RPC error.
    ServerError,
    /// An interim result (`input_required`, a created task): the result comes under another id.
    Interim,
    /// Cancelled by the client before the answer.
    Cancelled,
    /// Never answered.
    NoResponse,
    /// In the server's log, not in the client's.
    NotReceived,
    /// In the client's log, not in the server's although that log covers the time.
    NotArrived,
    /// The model asked for it; no wire log holds it.
    Intended,
}

impl CallState {
    /// All states.
    pub const ALL: [CallState; 10] = [
        CallState::Shown,
        CallState::Answered,
        CallState::ServerEmpty,
        CallState::ServerError,
        CallState::Interim,
        CallState::Cancelled,
        CallState::NoResponse,
        CallState::NotReceived,
        CallState::NotArrived,
        CallState::Intended,
    ];

    /// Stable name.
    pub fn id(self) -> &'static str {
        match self {
            CallState::Shown => "shown",
            CallState::Answered => "answered",
            CallState::ServerEmpty => "server-empty",
            CallState::ServerError => "server-error",
            CallState::Interim => "interim",
            CallState::Cancelled => "cancelled",
            CallState::NoResponse => "no-response",
            CallState::NotReceived => "not-received",
            CallState::NotArrived => "not-arrived",
            CallState::Intended => "intended",
        }
    }
}

/// The verdict on one block.
#[derive(Clone, Copy, Debug)]
pub struct JudgedBlock {
    /// Index into [`Judgement::calls`].
    pub call: u32,
    /// Position in `content`; `structuredContent` comes last.
    pub index: u16,
    /// Index into [`crate::event::Events::blocks`] of the copy nearest to the server.
    pub block: u32,
    /// Type.
    pub block_type: BlockType,
    /// Name of its type as logged.
    pub type_name: &'static str,
    /// Verdict.
    pub fate: Fate,
    /// Forms, for `delivered-transformed`.
    pub how: How,
    /// Name of the rule that decided.
    pub rule: &'static str,
    /// Best rule that it beat; empty when there was none.
    pub runner_up: &'static str,
    /// Who answers for it.
    pub blame: Blame,
    /// Index into [`crate::event::Catalogue::markers`].
    pub marker: Option<u32>,
    /// Why it is unobserved, or what a rule wants to add.
    pub reason: &'static str,
    /// Which log would settle an unobserved one.
    pub hint: &'static str,
    /// Payload as it stands in the frame, escapes undone (base64 characters for media).
    pub payload_bytes: u32,
    /// How much of it the model was shown.
    pub delivered_bytes: u32,
    /// A cut JSON payload no longer parses.
    pub cut_is_broken: bool,
    /// Declared MIME type.
    pub mime_declared: Sym,
    /// MIME type that its bytes prove.
    pub mime_sniffed: Sym,
    /// Where it stands in the server's answer.
    pub returned: Span,
    /// In the client's wire log.
    pub received: Span,
    /// In the client's own record.
    pub kept: Span,
    /// In the model's request: the payload, the marker in its place, or the output that lacks it.
    pub delivered: Span,
    /// How sure, 0 to 1.
    pub confidence: f32,
}

/// The verdict on one call.
#[derive(Clone, Copy, Debug)]
pub struct JudgedCall {
    /// Index into [`crate::join::Calls::calls`]; `None` for a call that only a model log holds.
    pub call: Option<u32>,
    /// Index into [`crate::join::Calls::model_calls`].
    pub model_call: Option<u32>,
    /// MCP method.
    pub method: &'static str,
    /// Tool as the server calls it.
    pub tool: Sym,
    /// Tool as the model calls it.
    pub model_tool: Sym,
    /// The model's call id.
    pub model_call_id: Sym,
    /// JSON-RPC id.
    pub jsonrpc_id: Id,
    /// Session's name.
    pub session: Sym,
    /// Index into [`crate::join::Calls::sessions`].
    pub session_index: Option<u32>,
    /// Client name, from `initialize` or the transcript.
    pub client: Sym,
    /// Version of the client.
    pub client_version: Sym,
    /// Server name.
    pub server: Sym,
    /// Server version.
    pub server_version: Sym,
    /// Negotiated protocol version.
    pub protocol: Sym,
    /// Model that got the result.
    pub model: Sym,
    /// When it was made.
    pub time_us: Option<i64>,
    /// From request to answer, in microseconds.
    pub duration_us: Option<i64>,
    /// How far it came.
    pub state: CallState,
    /// Who answers for it, where it did not come far.
    pub blame: Blame,
    /// Why, for a person.
    pub reason: &'static str,
    /// Which log would settle it.
    pub hint: &'static str,
    /// How it was tied to the model's call.
    pub link: Option<LinkHow>,
    /// Model calls that fit equally well.
    pub rivals: u32,
    /// The tool said `isError`.
    pub is_error: bool,
    /// First of its blocks in [`Judgement::blocks`].
    pub first_block: u32,
    /// How many.
    pub block_count: u32,
    /// Length of the response's record in the wire log.
    pub result_bytes: u32,
    /// Length of the output item that the model was shown.
    pub output_bytes: u32,
    /// Index of the phrase with which the model's next answer says that content was missing.
    pub admission: Option<u32>,
    /// There is an answer after it that could have said so.
    pub has_answer: bool,
    /// Where the request stands.
    pub request: Span,
    /// Where the response stands.
    pub response: Span,
    /// Where the model was shown the output.
    pub output: Span,
    /// Where the answer stands.
    pub answer: Span,
    /// Marker for the whole result, or found in the output of a call without a wire log.
    pub marker: Option<u32>,
}

/// The verdicts of a run.
#[derive(Debug, Default)]
pub struct Judgement {
    /// Calls, in the order of their requests; those that only a model log holds come last.
    pub calls: Vec<JudgedCall>,
    /// Blocks, in the order of the calls.
    pub blocks: Vec<JudgedBlock>,
}
