//! Stage 3 of 9: event. What the logs say, in a compact form that owns nothing of the payloads.
//!
//! Dialects hand over borrowed [`crate::dialect::raw`] views; [`Distiller`] keeps of each what joining and
//! judging need: where it stands, what it is called, how long its payload is and what it hashes to. A payload
//! itself is read again from the file when a block is judged.

pub mod distill;
pub mod fingerprint;
pub mod intern;
pub mod marker;
pub mod phrase;
pub mod piece;
pub mod sniff;

use std::ops::Range;

pub use distill::Distiller;
pub use fingerprint::Fingerprint;
pub use intern::Sym;
pub use marker::{Catalogue, Says};

use crate::bytes::{Accounting, SourceSet, Span};
use crate::dialect::codec;
use crate::dialect::raw::{At, Codec, Dir, ItemKind, Method, NoteKind, Payloads, Side, Slot};

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

/// The type of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BlockType {
    /// `text`
    #[default]
    Text,
    /// `image`
    Image,
    /// `audio`
    Audio,
    /// `resource_link`
    ResourceLink,
    /// `resource`
    Resource,
    /// The result's `structuredContent`, counted as one more block.
    Structured,
    /// A type the protocol does not define, or none.
    Unknown,
}

impl BlockType {
    /// All, in the order of the tables.
    pub const ALL: [BlockType; 7] = [
        BlockType::Text,
        BlockType::Image,
        BlockType::Audio,
        BlockType::ResourceLink,
        BlockType::Resource,
        BlockType::Structured,
        BlockType::Unknown,
    ];

    /// The protocol's name.
    pub fn name(self) -> &'static str {
        match self {
            BlockType::Text => "text",
            BlockType::Image => "image",
            BlockType::Audio => "audio",
            BlockType::ResourceLink => "resource_link",
            BlockType::Resource => "resource",
            BlockType::Structured => "structuredContent",
            BlockType::Unknown => "unknown",
        }
    }
}

/// One block of a result.
#[derive(Clone, Copy, Debug, Default)]
pub struct Block {
    /// Its frame.
    pub frame: u32,
    /// Type name where it is [`BlockType::Unknown`].
    pub type_name: Sym,
    /// The whole block in the frame's text.
    pub at: At,
    /// Raw text or base64 in the frame's text (between the quotes); the value itself for `structuredContent`.
    pub payload: At,
    /// `uri`.
    pub uri: At,
    /// Length and hash of the payload, escapes undone.
    pub fingerprint: Fingerprint,
    /// Declared MIME type.
    pub mime: Sym,
    /// MIME type that the bytes prove; empty when they prove none.
    pub mime_sniffed: Sym,
    /// Type.
    pub block_type: BlockType,
    /// Where in the message.
    pub slot: Slot,
    /// Facts: see the constants.
    pub flags: u8,
}

impl Block {
    /// Has text (`text` or `resource.text`).
    pub const HAS_TEXT: u8 = 1;
    /// Has base64 (`data` or `resource.blob`).
    pub const HAS_DATA: u8 = 1 << 1;
    /// Its base64 is `resource.blob`.
    pub const IS_BLOB: u8 = 1 << 2;
    /// `annotations.audience` leaves the assistant out.
    pub const NOT_FOR_ASSISTANT: u8 = 1 << 3;
    /// Its base64 is not clean: wrong alphabet, padding, line breaks, data-URL prefix.
    pub const BASE64_BAD: u8 = 1 << 4;
    /// It has a `resource` object.
    pub const HAS_RESOURCE: u8 = 1 << 5;
    /// It has annotations.
    pub const HAS_ANNOTATIONS: u8 = 1 << 6;

    /// Is this fact true?
    pub fn is(&self, flag: u8) -> bool {
        self.flags & flag != 0
    }

    /// The name of its type as the log has it.
    pub fn type_str(&self) -> &'static str {
        match self.block_type {
            BlockType::Unknown if !self.type_name.is_empty() => self.type_name.as_str(),
            t => t.name(),
        }
    }
}

/// An item of a model conversation.
#[derive(Clone, Copy, Debug)]
pub struct Item {
    /// Turn in whose record it stands.
    pub turn: u32,
    /// Where in that record.
    pub at: At,
    /// What it is.
    pub kind: ItemKind,
    /// The client marked the output as an error.
    pub is_error: bool,
    /// The model's call id.
    pub call_id: Sym,
    /// Tool name as the model knows it.
    pub name: Sym,
    /// Name space beside the name.
    pub namespace: Sym,
    /// Hash of the arguments; 0 when there are none.
    pub args_hash: u64,
    /// Hash of its raw bytes.
    pub hash: u64,
}

/// A model request with its answer, or a piece of a transcript.
#[derive(Clone, Debug)]
pub struct Turn {
    /// Bytes of the record.
    pub span: Span,
    /// When.
    pub time_us: Option<i64>,
    /// Conversation that the log names.
    pub session: Sym,
    /// Model name.
    pub model: Sym,
    /// Client name.
    pub client: Sym,
    /// Client version.
    pub client_version: Sym,
    /// Error body.
    pub error: At,
    /// The first `.1` items are those of turn `.0`.
    pub shared: Option<(u32, u32)>,
    /// Own items: a range of [`Events::items`].
    pub first_item: u32,
    /// How many own items.
    pub item_count: u32,
    /// Items of the answer, which follow the own items.
    pub answer_count: u32,
    /// Reserved output tokens.
    pub max_output_tokens: u32,
    /// Billed input tokens.
    pub input_tokens: u32,
    /// HTTP status, 0 when not logged.
    pub status: u16,
    /// How the record's text is wrapped.
    pub codec: Codec,
    /// A client's own record: items add up over records.
    pub is_transcript: bool,
}

impl Turn {
    /// Indices of the items that this record holds itself.
    pub fn own_items(&self) -> Range<usize> {
        self.first_item as usize..(self.first_item + self.item_count) as usize
    }

    /// Indices of the items of the answer.
    pub fn answer_items(&self) -> Range<usize> {
        let from = self.first_item + self.item_count;
        from as usize..(from + self.answer_count) as usize
    }
}

/// A client's or server's own line about a call or block.
#[derive(Clone, Copy, Debug)]
pub struct Note {
    /// Where.
    pub span: Span,
    /// When.
    pub time_us: Option<i64>,
    /// Tool, call id or type that it names.
    pub subject: Sym,
    /// A count that it gives.
    pub number: u32,
    /// What it is evidence of.
    pub kind: NoteKind,
    /// Whose log.
    pub side: Side,
}

/// All that the logs say.
#[derive(Default)]
pub struct Events {
    /// JSON-RPC messages, in the order of files and lines.
    pub frames: Vec<Frame>,
    /// Their blocks.
    pub blocks: Vec<Block>,
    /// Model requests.
    pub turns: Vec<Turn>,
    /// Their items.
    pub items: Vec<Item>,
    /// Other lines of evidence.
    pub notes: Vec<Note>,
    /// What was read, by file.
    pub accounting: Vec<Accounting>,
}

impl Events {
    /// Appends the events of the next chunk; indices are moved along.
    pub fn append(&mut self, file: usize, part: Events) {
        let frames = self.frames.len() as u32;
        let blocks = self.blocks.len() as u32;
        let turns = self.turns.len() as u32;
        let items = self.items.len() as u32;
        self.frames.extend(part.frames.into_iter().map(|mut f| {
            f.first_block += blocks;
            f
        }));
        self.blocks.extend(part.blocks.into_iter().map(|b| Block { frame: b.frame + frames, ..b }));
        self.turns.extend(part.turns.into_iter().map(|mut t| {
            t.first_item += items;
            t.shared = t.shared.map(|(turn, n)| (turn + turns, n));
            t
        }));
        self.items.extend(part.items.into_iter().map(|i| Item { turn: i.turn + turns, ..i }));
        self.notes.extend(part.notes);
        if self.accounting.len() <= file {
            self.accounting.resize_with(file + 1, Accounting::default);
        }
        for a in part.accounting {
            self.accounting[file].merge(a);
        }
    }

    /// The decoded text of a frame's record.
    pub fn frame_text<'s>(&self, frame: &Frame, sources: &'s SourceSet) -> std::borrow::Cow<'s, [u8]> {
        codec::decode(frame.codec, sources.text(frame.span))
    }

    /// The decoded text of a turn's record.
    pub fn turn_text<'s>(&self, turn: &Turn, sources: &'s SourceSet) -> std::borrow::Cow<'s, [u8]> {
        codec::decode(turn.codec, sources.text(turn.span))
    }

    /// All items of a turn's request, oldest first: those shared with earlier turns and its own.
    pub fn request_items(&self, turn: u32) -> Vec<u32> {
        let mut segments: Vec<Range<u32>> = Vec::new();
        let (mut at, mut limit) = (turn, u32::MAX);
        loop {
            let Some(t) = self.turns.get(at as usize) else { break };
            let shared = t.shared.map_or(0, |(_, n)| n);
            let own = limit.saturating_sub(shared).min(t.item_count);
            segments.push(t.first_item..t.first_item + own);
            match t.shared {
                // A parent stands before its child: no loop, whatever the log says.
                Some((parent, n)) if parent < at => (at, limit) = (parent, n.min(limit)),
                _ => break,
            }
        }
        segments.into_iter().rev().flatten().collect()
    }

    /// The span of a part of a frame's record: exact for plain records, else the whole record.
    pub fn span_in(span: Span, codec: Codec, at: At) -> Span {
        if codec == Codec::Plain { span.sub(at.start, at.len) } else { span }
    }
}
