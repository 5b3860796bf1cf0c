//! Stage 3 of 9: event. What the logs say, in a compact form that owns nothing of the payloads.
//!
//! Dialects hand over borrowed [`crate::dialect::raw`] views; [`Distiller`] keeps of each what joining and
//! judging need: where it stands, what it is called, how long its payload is and what it hashes to. A payload
//! itself is read again from the file when a block is judged.

mod block;
pub mod distill;
pub mod fingerprint;
mod frame;
pub mod intern;
pub mod marker;
pub mod phrase;
pub mod piece;
pub mod sniff;

use std::ops::Range;

pub use block::{Block, BlockType};
pub use distill::Distiller;
pub use fingerprint::Fingerprint;
pub use frame::{Extra, Frame, FrameFlags, Id};
pub use intern::Sym;
pub use marker::{Catalogue, Says};

use crate::bytes::{Accounting, SourceSet, Span};
use crate::dialect::codec;
use crate::dialect::raw::{At, Codec, ItemKind, NoteKind, Side};

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
        while let Some(t) = self.turns.get(at as usize) {
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
