//! One block of a result.

use super::{Fingerprint, Sym};
use crate::dialect::raw::{At, Slot};

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
