//! What a dialect can say: borrowed views of one record, handed to a [`Sink`] and gone with the chunk.

use crate::bytes::{Accounting, Skip, Span};

mod turn;

pub use turn::{Arguments, ItemKind, RawItem, RawTurn};

/// A byte range inside the decoded text of one record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct At {
    /// Offset in the decoded record.
    pub start: u32,
    /// Length in bytes.
    pub len: u32,
}

impl At {
    /// From a range; text longer than 4 GiB does not reach a dialect.
    pub fn new(range: std::ops::Range<usize>) -> At {
        At { start: range.start as u32, len: range.len() as u32 }
    }

    /// The bytes that this names in `text`.
    pub fn of(self, text: &[u8]) -> &[u8] {
        let start = self.start as usize;
        text.get(start..start + self.len as usize).unwrap_or(&[])
    }

    /// Nothing at all.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

/// How the text of a record is wrapped in its log, so that it can be read again later from the file alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Codec {
    /// The bytes of the file are the text.
    #[default]
    Plain,
    /// The inside of a JSON string.
    JsonString,
    /// The inside of a Go-quoted string (`strconv.Quote`).
    GoQuoted,
    /// A Python literal (dict, list, str, bytes), rewritten as JSON.
    PythonRepr,
    /// Several `data="…"` records of a github-mcp-server log, joined.
    SlogBuffers,
    /// `data:` lines of an event stream, joined.
    EventStream,
    /// A console record that was wrapped at a fixed width, unwrapped.
    Wrapped,
    /// Base64 (HAR bodies).
    Base64,
    /// The inside of a JSON string that holds an event stream.
    JsonEventStream,
    /// The Rust `Debug` form of a result, rewritten as JSON.
    RustDebug,
}

/// Where a record's text is: the span in the file, its codec, and the decoded text itself.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The bytes in the file from which `text` is decoded.
    pub span: Span,
    /// How.
    pub codec: Codec,
    /// The decoded text; equal to the file's bytes for [`Codec::Plain`].
    pub text: &'a [u8],
}

/// Whose log it is: what its lines are evidence of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// Written by the server: proves what was returned.
    Server,
    /// Taken between the two: returned and received are one.
    Wire,
    /// Written by the client: proves what was received or kept.
    Client,
    /// Model requests: proves what was delivered.
    Model,
}

impl Side {
    /// Lower-case name.
    pub fn name(self) -> &'static str {
        match self {
            Side::Server => "server",
            Side::Wire => "wire",
            Side::Client => "client",
            Side::Model => "model",
        }
    }
}

/// Which way a message went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Dir {
    /// The log does not say; it follows from method and result.
    #[default]
    Unknown,
    /// Client to server.
    ToServer,
    /// Server to client.
    ToClient,
}

/// What is left of the payloads in a dialect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Payloads {
    /// Logged as they were.
    #[default]
    Whole,
    /// Long ones were cut by the logger.
    Cut,
    /// Not logged: only that a call was made or ended.
    Absent,
}

/// A JSON-RPC id.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RawId<'a> {
    /// No id: a notification.
    #[default]
    None,
    /// An integer.
    Int(i64),
    /// A string, escapes untouched.
    Text(&'a [u8]),
    /// `null`, a fraction, or another value that no request may use.
    Odd,
}

/// Where in its message a block stood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Slot {
    /// An element of a result's `content`.
    #[default]
    Content,
    /// The result's `structuredContent`.
    Structured,
    /// An element of a `resources/read` result's `contents`.
    ReadContents,
    /// A `prompts/get` message.
    Prompt,
}

/// One content block of a result, by its parts.
#[derive(Clone, Copy, Debug, Default)]
pub struct RawBlock {
    /// Where it stands.
    pub slot: Slot,
    /// The whole block.
    pub at: At,
    /// `type`, escapes untouched; empty when there is none.
    pub kind: At,
    /// `text` of a text block or `resource.text`.
    pub text: Option<At>,
    /// `data` of an image or audio block, or `resource.blob`.
    pub data: Option<At>,
    /// `resource.blob` is what `data` holds.
    pub is_blob: bool,
    /// `mimeType` or `resource.mimeType`.
    pub mime: At,
    /// `uri` or `resource.uri`.
    pub uri: At,
    /// `name` of a resource_link.
    pub name: At,
    /// There is a `resource` object.
    pub has_resource: bool,
    /// `annotations`.
    pub annotations: At,
    /// `annotations.audience` is there and does not name the assistant.
    pub not_for_assistant: bool,
}

/// What a message is about. Only methods that matter to blocks are told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Method {
    /// A response, or a method that does not matter here.
    #[default]
    Other,
    /// `tools/call`
    ToolsCall,
    /// `tools/list`
    ToolsList,
    /// `initialize`
    Initialize,
    /// `server/discover` (2026-07-28)
    Discover,
    /// `resources/read`
    ResourcesRead,
    /// `prompts/get`
    PromptsGet,
    /// `notifications/cancelled`
    Cancelled,
    /// `notifications/progress`
    Progress,
    /// `tasks/result`, `tasks/get`
    Tasks,
}

impl Method {
    /// From the wire's name.
    pub fn parse(name: &[u8]) -> Method {
        match name {
            b"tools/call" => Method::ToolsCall,
            b"tools/list" => Method::ToolsList,
            b"initialize" => Method::Initialize,
            b"server/discover" => Method::Discover,
            b"resources/read" => Method::ResourcesRead,
            b"prompts/get" => Method::PromptsGet,
            b"notifications/cancelled" => Method::Cancelled,
            b"notifications/progress" => Method::Progress,
            b"tasks/result" | b"tasks/get" => Method::Tasks,
            _ => Method::Other,
        }
    }
}

/// What a JSON-RPC message holds; ranges are into the decoded record.
#[derive(Clone, Debug, Default)]
pub struct Message<'a> {
    /// Its id; for `notifications/cancelled` the `requestId`.
    pub id: RawId<'a>,
    /// Request or notification.
    pub has_method: bool,
    /// Which.
    pub method: Method,
    /// Tool, uri or prompt name of a request.
    pub name: At,
    /// `params.arguments`.
    pub arguments: Option<At>,
    /// The model's own call id in `params._meta`.
    pub call_link: At,
    /// A session named in the message (`_meta`).
    pub session: At,
    /// `params._meta` as a whole.
    pub meta: At,
    /// `result`.
    pub result: Option<At>,
    /// The result has a `content` array.
    pub has_content: bool,
    /// The result's `isError` is true.
    pub is_error: bool,
    /// The result's `resultType` is `input_required`, or it is a created task: an interim result.
    pub is_interim: bool,
    /// Id of the task that a created task, or a request about one, names.
    pub task_id: At,
    /// The request is a retry that carries `inputResponses`.
    pub is_retry: bool,
    /// `error`.
    pub error: Option<At>,
    /// `error.code`.
    pub error_code: Option<i64>,
    /// `error.message`.
    pub error_message: At,
    /// Negotiated or proposed protocol version.
    pub protocol_version: At,
    /// `clientInfo.name` or `serverInfo.name`.
    pub peer_name: At,
    /// `clientInfo.version` or `serverInfo.version`.
    pub peer_version: At,
    /// `capabilities` of either peer.
    pub capabilities: At,
    /// `tools` of a `tools/list` result.
    pub tools: At,
    /// Number of blocks where the log has only their count.
    pub block_count: Option<u32>,
    /// The blocks of the result.
    pub blocks: Vec<RawBlock>,
}

/// A JSON-RPC message in a log.
#[derive(Clone, Debug)]
pub struct RawFrame<'a> {
    /// Where.
    pub origin: Origin<'a>,
    /// Whose log.
    pub side: Side,
    /// Which way.
    pub dir: Dir,
    /// Microseconds since 1970 in UTC, as the log has it.
    pub time_us: Option<i64>,
    /// A session that the log names.
    pub session: Option<&'a [u8]>,
    /// What is left of the payloads.
    pub payloads: Payloads,
    /// The client's own record of a result, after its parsing: the `kept` stage.
    pub is_kept: bool,
    /// The message.
    pub message: Message<'a>,
}

/// A client's or server's own line about a call or a block, not a message.
#[derive(Clone, Copy, Debug)]
pub struct RawNote<'a> {
    /// Where.
    pub origin: Origin<'a>,
    /// Whose log.
    pub side: Side,
    /// When.
    pub time_us: Option<i64>,
    /// What kind of line.
    pub kind: NoteKind,
    /// Tool, call id or type that it names.
    pub subject: &'a [u8],
    /// A count that it gives (blocks, milliseconds, status).
    pub number: u32,
}

/// What a note is evidence of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NoteKind {
    /// A call was begun.
    CallStarted,
    /// A call ended well, with what is not said.
    CallEnded,
    /// A call failed.
    CallFailed,
    /// The client received a result with so many blocks.
    BlocksReceived,
    /// The client mapped a block of this type.
    BlockMapped,
    /// The client says that it dropped a block of this type.
    BlockDropped,
    /// An HTTP request arrived.
    HttpArrived,
    /// A gateway's policy removed something.
    PolicyRemoved,
}

/// Takes what dialects say.
pub trait Sink {
    /// A JSON-RPC message.
    fn frame(&mut self, frame: RawFrame<'_>);
    /// A model request or a piece of a transcript. Returns the turn's index within the chunk.
    fn turn(&mut self, turn: RawTurn<'_>) -> u32;
    /// A line of a client or server.
    fn note(&mut self, note: RawNote<'_>);
    /// Where lines are counted.
    fn accounting(&mut self) -> &mut Accounting;
}

/// Maps a JSON fault of a line to the reason under which the line is counted.
pub fn skip_reason(fault: crate::bytes::json::Fault) -> Skip {
    use crate::bytes::json::Fault;
    match fault {
        Fault::Cut => Skip::CutJson,
        Fault::Bad(_) => Skip::BadJson,
        Fault::Deep(_) => Skip::TooDeep,
    }
}
