//! What a log of model requests, or a client's transcript, can say.

use super::{At, Origin};

/// What an item of a model conversation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ItemKind {
    /// System or developer instructions.
    System,
    /// A user message, or the part of one that is no tool result.
    User,
    /// What the model said.
    Assistant,
    /// The model asks for a tool.
    ToolCall,
    /// The result of a tool, as the model gets it.
    ToolOutput,
    /// The history before this was replaced by a summary.
    Compaction,
    /// Reasoning and other items that carry no tool content.
    Other,
}

/// One item of a model conversation.
#[derive(Clone, Copy, Debug)]
pub struct RawItem<'a> {
    /// What it is.
    pub kind: ItemKind,
    /// The model's call id, escapes untouched.
    pub call_id: &'a [u8],
    /// The tool's name as the model knows it.
    pub name: &'a [u8],
    /// A name space beside the name (codex: `mcp__server`).
    pub namespace: &'a [u8],
    /// Arguments: a JSON object, or the raw inside of a JSON string that holds one.
    pub arguments: Arguments<'a>,
    /// The item's content in the decoded record: what [`crate::event::piece`] reads.
    pub at: At,
    /// Time of its own, where a transcript has one.
    pub time_us: Option<i64>,
    /// The client marked the output as an error.
    pub is_error: bool,
}

/// Arguments of a call as a model log has them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Arguments<'a> {
    /// None logged.
    #[default]
    None,
    /// A JSON value.
    Json(&'a [u8]),
    /// The raw inside of a JSON string that holds a JSON value.
    Escaped(&'a [u8]),
}

/// A model request with its answer, or a piece of a transcript.
#[derive(Clone, Debug)]
pub struct RawTurn<'a> {
    /// Where.
    pub origin: Origin<'a>,
    /// A client's own record of the conversation: items add up over records, and prove `kept` rather than
    /// `delivered`.
    pub is_transcript: bool,
    /// When the request was made.
    pub time_us: Option<i64>,
    /// A conversation that the log names.
    pub session: Option<&'a [u8]>,
    /// Model name.
    pub model: &'a [u8],
    /// Client name and version, where a transcript says so.
    pub client: (&'a [u8], &'a [u8]),
    /// HTTP status, 0 when not logged.
    pub status: u16,
    /// Error body of the answer.
    pub error: At,
    /// How many items at the head are those of an earlier turn of this chunk, not repeated here:
    /// (index of that turn since the chunk began, items).
    pub shared: Option<(u32, u32)>,
    /// The request's items, oldest first.
    pub items: Vec<RawItem<'a>>,
    /// The answer's items.
    pub answer: Vec<RawItem<'a>>,
    /// Reserved output tokens (`max_tokens`).
    pub max_output_tokens: u32,
    /// Input tokens that the API billed.
    pub input_tokens: u32,
}
