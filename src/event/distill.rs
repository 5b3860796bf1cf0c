//! From borrowed views of one chunk to compact events.

use xxhash_rust::xxh3::xxh3_64;

use super::fingerprint::{self, Fingerprint};
use super::{Block, BlockType, Events, Extra, Frame, FrameFlags, Id, Item, Note, Sym, Turn, sniff};
use crate::bytes::Accounting;
use crate::bytes::json::{Json, canonical_hash, text_of};
use crate::dialect::raw::{
    Arguments, At, Message, Method, Payloads, RawBlock, RawFrame, RawId, RawItem, RawNote, RawTurn, Sink, Slot,
};

/// Collects the events of one chunk.
#[derive(Default)]
pub struct Distiller {
    events: Events,
    accounting: Accounting,
    scratch: Vec<u8>,
}

impl Distiller {
    /// What was collected; its accounting is that of the chunk.
    pub fn finish(mut self) -> Events {
        self.events.accounting = vec![self.accounting];
        self.events
    }

    fn block(&mut self, text: &[u8], raw: &RawBlock, payloads: Payloads) -> Block {
        let kind = text_of(raw.kind.of(text));
        let block_type = match (raw.slot, kind.as_ref()) {
            (Slot::Structured, _) => BlockType::Structured,
            (Slot::ReadContents, _) | (_, b"resource") => BlockType::Resource,
            (_, b"text") => BlockType::Text,
            (_, b"image") => BlockType::Image,
            (_, b"audio") => BlockType::Audio,
            (_, b"resource_link") => BlockType::ResourceLink,
            _ => BlockType::Unknown,
        };
        let mut b = Block {
            frame: self.events.frames.len() as u32,
            at: raw.at,
            uri: raw.uri,
            block_type,
            slot: raw.slot,
            mime: mime_sym(raw.mime.of(text)),
            ..Block::default()
        };
        if block_type == BlockType::Unknown {
            b.type_name = Sym::new(&kind);
        }
        let mut set = |flag: u8, yes: bool| b.flags |= if yes { flag } else { 0 };
        set(Block::HAS_TEXT, raw.text.is_some());
        set(Block::HAS_DATA, raw.data.is_some());
        set(Block::IS_BLOB, raw.is_blob);
        set(Block::NOT_FOR_ASSISTANT, raw.not_for_assistant);
        set(Block::HAS_RESOURCE, raw.has_resource);
        set(Block::HAS_ANNOTATIONS, !raw.annotations.is_empty());
        let prefers_data = !matches!(block_type, BlockType::Text | BlockType::Structured);
        let payload = if prefers_data { raw.data.or(raw.text) } else { raw.text.or(raw.data) };
        let is_data = payload.is_some() && payload == raw.data;
        if let Some(at) = payload {
            let bytes = at.of(text);
            b.payload = at;
            if block_type == BlockType::Structured {
                b.fingerprint = fingerprint::of_value(bytes);
            } else {
                b.fingerprint = fingerprint::of_string(bytes, &mut self.scratch);
            }
            if is_data {
                let escaped = memchr::memchr(b'\\', bytes).is_some();
                let data: &[u8] = if escaped { &self.scratch } else { bytes };
                if payloads == Payloads::Whole && !fingerprint::is_clean_base64(data) {
                    b.flags |= Block::BASE64_BAD;
                }
                b.mime_sniffed = sniff::mime(&sniff::decode_head(data)).map(Sym::from).unwrap_or_default();
            }
        } else if block_type == BlockType::ResourceLink {
            // What a link carries is its address.
            b.payload = raw.uri;
            b.fingerprint = fingerprint::of_string(raw.uri.of(text), &mut self.scratch);
        } else if block_type == BlockType::Unknown {
            b.payload = raw.at;
            b.fingerprint = fingerprint::of_value(raw.at.of(text));
        }
        b
    }

    fn item(&self, text: &[u8], raw: &RawItem<'_>) -> Item {
        Item {
            turn: self.events.turns.len() as u32,
            at: raw.at,
            kind: raw.kind,
            is_error: raw.is_error,
            call_id: Sym::new(&text_of(raw.call_id)),
            name: Sym::new(&text_of(raw.name)),
            namespace: Sym::new(&text_of(raw.namespace)),
            args_hash: arguments_hash(raw.arguments),
            hash: xxh3_64(raw.at.of(text)),
        }
    }
}

/// MIME types compare without case and parameters: `Text/Plain; charset=utf-8` is `text/plain`.
/// Source: RFC 2045, section 5.1 (case); parameters never decide whether a client takes a type.
fn mime_sym(raw: &[u8]) -> Sym {
    let text = text_of(raw);
    let essence = text.split(|&b| b == b';').next().unwrap_or(&[]).trim_ascii();
    Sym::new(&essence.to_ascii_lowercase())
}

fn arguments_hash(arguments: Arguments<'_>) -> u64 {
    let value = |text: &[u8]| {
        let text = text.trim_ascii();
        // No arguments, an empty object and null are the same call.
        if text.is_empty() || text == b"{}" || text == b"null" {
            return EMPTY_ARGUMENTS;
        }
        canonical_hash(&mut Json::new(text, 0)).unwrap_or_else(|_| xxh3_64(text))
    };
    match arguments {
        Arguments::None => EMPTY_ARGUMENTS,
        Arguments::Json(text) => value(text),
        Arguments::Escaped(raw) => value(&text_of(raw)),
    }
}

/// Hash of "no arguments".
pub const EMPTY_ARGUMENTS: u64 = 1;

fn id(raw: RawId<'_>) -> Id {
    match raw {
        RawId::None => Id::None,
        RawId::Odd => Id::Odd,
        RawId::Int(n) => Id::Int(n),
        RawId::Text(raw) => {
            let text = text_of(raw);
            let digits = std::str::from_utf8(&text).ok().filter(|s| !s.starts_with('+'));
            digits.and_then(|s| s.parse().ok()).map_or_else(|| Id::Text(Sym::new(&text)), Id::Int)
        }
    }
}

fn flags(f: &RawFrame<'_>) -> FrameFlags {
    let m = &f.message;
    let mut bits = 0;
    for (flag, yes) in [
        (FrameFlags::HAS_METHOD, m.has_method),
        (FrameFlags::HAS_RESULT, m.result.is_some()),
        (FrameFlags::HAS_ERROR, m.error.is_some()),
        (FrameFlags::HAS_CONTENT, m.has_content),
        (FrameFlags::IS_ERROR, m.is_error),
        (FrameFlags::IS_INTERIM, m.is_interim),
        (FrameFlags::IS_RETRY, m.is_retry),
        (FrameFlags::IS_KEPT, f.is_kept),
    ] {
        if yes {
            bits |= flag;
        }
    }
    FrameFlags(bits)
}

fn extra(m: &Message<'_>, text: &[u8]) -> Option<Box<Extra>> {
    let sym = |at: At| Sym::new(&text_of(at.of(text)));
    let has_any = [m.protocol_version, m.peer_name, m.capabilities, m.tools, m.task_id, m.error_message, m.meta]
        .iter()
        .any(|at| !at.is_empty())
        || m.error_code.is_some()
        || m.block_count.is_some();
    has_any.then(|| {
        Box::new(Extra {
            protocol_version: sym(m.protocol_version),
            peer_name: sym(m.peer_name),
            peer_version: sym(m.peer_version),
            capabilities: m.capabilities,
            tools: m.tools,
            task_id: sym(m.task_id),
            error_code: m.error_code,
            error_message: m.error_message,
            meta: m.meta,
            block_count: m.block_count,
        })
    })
}

impl Sink for Distiller {
    fn frame(&mut self, f: RawFrame<'_>) {
        let m = &f.message;
        // Notifications that no rule asks about.
        let idle = matches!(m.method, Method::Other | Method::Progress);
        if m.has_method && m.id == RawId::None && idle {
            return;
        }
        let text = f.origin.text;
        let sym = |at: At| Sym::new(&text_of(at.of(text)));
        let arguments = m.arguments.map_or(Arguments::None, |at| Arguments::Json(at.of(text)));
        let first_block = self.events.blocks.len() as u32;
        for raw in &m.blocks {
            let block = self.block(text, raw, f.payloads);
            self.events.blocks.push(block);
        }
        self.events.frames.push(Frame {
            span: f.origin.span,
            time_us: f.time_us,
            args_hash: if m.has_method || f.is_kept { arguments_hash(arguments) } else { 0 },
            id: id(m.id),
            session: f.session.map(|s| Sym::new(&text_of(s))).unwrap_or_default(),
            name: sym(m.name),
            call_link: sym(m.call_link),
            first_block,
            block_count: m.blocks.len() as u32,
            extra: extra(m, text),
            flags: flags(&f),
            codec: f.origin.codec,
            side: Some(f.side),
            dir: f.dir,
            payloads: f.payloads,
            method: m.method,
        });
    }

    fn turn(&mut self, t: RawTurn<'_>) -> u32 {
        let index = self.events.turns.len() as u32;
        let text = t.origin.text;
        let first_item = self.events.items.len() as u32;
        for raw in t.items.iter().chain(&t.answer) {
            let item = self.item(text, raw);
            self.events.items.push(item);
        }
        let item_time = t.items.iter().find_map(|i| i.time_us);
        self.events.turns.push(Turn {
            span: t.origin.span,
            time_us: t.time_us.or(item_time),
            session: t.session.map(|s| Sym::new(&text_of(s))).unwrap_or_default(),
            model: Sym::new(&text_of(t.model)),
            client: Sym::new(&text_of(t.client.0)),
            client_version: Sym::new(&text_of(t.client.1)),
            error: t.error,
            shared: t.shared,
            first_item,
            item_count: t.items.len() as u32,
            answer_count: t.answer.len() as u32,
            max_output_tokens: t.max_output_tokens,
            input_tokens: t.input_tokens,
            status: t.status,
            codec: t.origin.codec,
            is_transcript: t.is_transcript,
        });
        index
    }

    fn note(&mut self, n: RawNote<'_>) {
        self.events.notes.push(Note {
            span: n.origin.span,
            time_us: n.time_us,
            subject: Sym::new(&text_of(n.subject)),
            number: n.number,
            kind: n.kind,
            side: n.side,
        });
    }

    fn accounting(&mut self) -> &mut Accounting {
        &mut self.accounting
    }
}

/// A fingerprint for what has no payload.
pub const NO_PAYLOAD: Fingerprint = Fingerprint { bytes: 0, hash: 0 };
