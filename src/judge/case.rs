//! The evidence on one call: for each block what was found of it, and which markers stand in its place.

use super::marks::{Mark, Refusal, assign_marks, find_marks, refusal};
use super::media::{Media, find_media, find_media_part, find_re_encoded, free_media};
use super::part::{Part, find_part};
use super::scene::Scene;
use super::text::{Found, find_rewritten, find_text, find_value};
use super::verdict::How;
use crate::bytes::Span;
use crate::bytes::json::text_of;
use crate::dialect::raw::Payloads;
use crate::event::piece::PieceKind;
use crate::event::{Block, BlockType, Catalogue, Says};

/// What is known about one block.
#[derive(Clone, Copy, Debug, Default)]
pub struct Evidence {
    /// It was found whole.
    pub found: Option<Found>,
    /// Where.
    pub found_at: Span,
    /// A part of it was found, in bytes of the payload.
    pub part: Option<Part>,
    /// Where.
    pub part_at: Span,
    /// A marker in its place.
    pub mark: Option<Mark>,
    /// A later request shows this call without the block, which an earlier one showed.
    pub gone: Option<Span>,
    /// Marker in place of what is gone.
    pub gone_mark: Option<u32>,
    /// The model's API refused the request for this block.
    pub api_refusal: Option<Mark>,
}

/// What became of a call's output as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModelSide {
    /// A model request shows the output.
    Shown,
    /// None does; why, and which log would settle it.
    Unseen(&'static str, &'static str),
}

/// One call before the rules.
pub struct Case<'a> {
    /// Blocks of the response nearest to the server.
    pub blocks: &'a [Block],
    /// Evidence, one a block.
    pub evidence: Vec<Evidence>,
    /// Refusal of the whole result.
    pub refusal: Option<Refusal>,
    /// Whether the model's side can be seen.
    pub model_side: ModelSide,
    /// The blocks that the client's log received; `None` when there is no such log beside the server's.
    pub received: Option<Vec<bool>>,
    /// What is left of the payloads in the log they are read from.
    pub payloads: Payloads,
    /// The model was shown an error in place of the result.
    pub output: Span,
    /// A size marker stands in the output.
    pub size_mark: Option<Mark>,
}

/// A block's payload, escapes undone.
pub fn payload<'t>(text: &'t [u8], block: &Block) -> std::borrow::Cow<'t, [u8]> {
    let raw = block.payload.of(text);
    if block.block_type == BlockType::Structured { raw.into() } else { text_of(raw) }
}

/// Looks for every block of a call in the scene.
pub fn gather(
    scene: &mut Scene,
    text: &[u8],
    blocks: &[Block],
    markers: &Catalogue,
) -> (Vec<Evidence>, Option<Refusal>, Option<Mark>) {
    let mut evidence = vec![Evidence::default(); blocks.len()];
    find_whole(scene, text, blocks, &mut evidence);
    find_parts(scene, text, blocks, &mut evidence);
    let marks = find_marks(scene, markers);
    for at in assign_marks(markers, &marks, blocks, &mut evidence) {
        // A message behind several outputs is read for each of them: a marker there stands for one.
        scene.consume(marks[at].node, marks[at].at.clone());
    }
    let size_mark = marks.iter().map(|m| m.mark).find(|m| matches!(m.says, Says::Truncated | Says::SizeLimited));
    let refusal = refusal(scene, &marks, blocks, &evidence);
    (evidence, refusal, size_mark)
}

fn is_text(b: &Block) -> bool {
    b.is(Block::HAS_TEXT)
        && matches!(b.block_type, BlockType::Text | BlockType::Resource)
        && (b.block_type == BlockType::Text || !b.is(Block::HAS_DATA))
}

fn media_kind(b: &Block) -> Option<PieceKind> {
    match b.block_type {
        BlockType::Image => Some(PieceKind::Image),
        BlockType::Audio => Some(PieceKind::Audio),
        _ => None,
    }
}

fn find_whole(scene: &mut Scene, text: &[u8], blocks: &[Block], evidence: &mut [Evidence]) {
    let payloads: Vec<_> = blocks.iter().map(|b| payload(text, b)).collect();
    let texts: Vec<&[u8]> =
        blocks.iter().zip(&payloads).filter(|(b, _)| is_text(b)).map(|(_, p)| p.as_ref()).collect();
    // Long ones first: a short text must not take a place inside of a long one.
    let mut order: Vec<usize> = (0..blocks.len()).collect();
    order.sort_by_key(|i| std::cmp::Reverse(payloads[*i].len()));
    for i in &order {
        let (b, p) = (&blocks[*i], payloads[*i].as_ref());
        let found = if is_text(b) {
            let others: Vec<&[u8]> = texts.iter().copied().filter(|t| !std::ptr::eq(*t, p)).collect();
            find_text(scene, p, &others)
        } else if b.is(Block::HAS_DATA) {
            find_media(scene, &Media { data: p, mime: b.mime.as_str(), kind: media_kind(b) })
        } else {
            None
        };
        set(scene, &mut evidence[*i], found);
    }
    for i in &order {
        if is_text(&blocks[*i]) && evidence[*i].found.is_none() {
            let found = find_rewritten(scene, &payloads[*i]);
            set(scene, &mut evidence[*i], found);
        }
    }
    for (i, b) in blocks.iter().enumerate() {
        if evidence[i].found.is_some() {
            continue;
        }
        let found = match b.block_type {
            BlockType::Structured => find_structured(scene, b, &payloads[i]),
            BlockType::ResourceLink => find_link(scene, &text_of(b.uri.of(text))),
            BlockType::Unknown => find_json(scene, b.fingerprint.hash, b.at.len as usize),
            _ => None,
        };
        set(scene, &mut evidence[i], found);
    }
    for kind in [PieceKind::Image, PieceKind::Audio] {
        let missing: Vec<usize> = (0..blocks.len())
            .filter(|i| media_kind(&blocks[*i]) == Some(kind) && evidence[*i].found.is_none())
            .collect();
        // One for one, or it would be a guess which of them came through.
        if !missing.is_empty() && missing.len() == free_media(scene, kind) {
            for i in missing {
                let found = find_re_encoded(scene, kind);
                set(scene, &mut evidence[i], found);
            }
        }
    }
}

fn set(scene: &Scene, e: &mut Evidence, found: Option<Found>) {
    let Some(f) = found else { return };
    e.found = found;
    e.found_at = match (f.piece, f.node) {
        (Some(piece), _) => scene.pieces[piece].span,
        (None, Some(node)) => scene.span_of(node),
        (None, None) => scene.output,
    };
}

/// The value itself, or its text. Its text twin in `content` may have claimed the same place: both are there.
fn find_structured(scene: &mut Scene, b: &Block, raw: &[u8]) -> Option<Found> {
    scene.open();
    if let Some((node, range)) = find_value(scene, b.fingerprint.hash, raw.len()) {
        let is_moved = scene.pieces[scene.nodes[node].piece].is_moved;
        scene.consume(node, range);
        let how = How(if is_moved { How::MOVED } else { 0 });
        return Some(Found { how, node: Some(node), piece: None, confidence: 1.0 });
    }
    // A scalar, or JSON inside of something that is none.
    let needle = raw.trim_ascii();
    let whole = |text: &[u8]| {
        if needle.len() >= 16 { memchr::memmem::find(text, needle).is_some() } else { text.trim_ascii() == needle }
    };
    let node = scene.nodes.iter().position(|n| whole(&n.text))?;
    let start = memchr::memmem::find(&scene.nodes[node].text, needle)?;
    scene.consume(node, start..start + needle.len());
    Some(Found { how: How(0), node: Some(node), piece: None, confidence: 1.0 })
}

fn find_json(scene: &mut Scene, hash: u64, bytes: usize) -> Option<Found> {
    scene.open();
    let (node, range) = find_value(scene, hash, bytes)?;
    scene.consume(node, range);
    Some(Found { how: How(How::JSON_TEXT), node: Some(node), piece: None, confidence: 1.0 })
}

/// What a link carries is its address: it is there when the address is, in a text that is not another block's.
fn find_link(scene: &mut Scene, uri: &[u8]) -> Option<Found> {
    const MIN_URI_BYTES: usize = 4;
    if uri.len() < MIN_URI_BYTES {
        return None;
    }
    scene.open();
    let (node, range) = scene.nodes.iter().enumerate().rev().find_map(|(i, node)| {
        memchr::memmem::find_iter(&node.text, uri).take(100).find_map(|at| {
            let range = at..at + uri.len();
            // `file:///a` is not `file:///a.md`.
            let next = node.text.get(range.end).copied().unwrap_or(b' ');
            let continues = next.is_ascii_alphanumeric()
                || matches!(next, b'/' | b'_' | b'-' | b'%')
                || (next == b'.' && node.text.get(range.end + 1).is_some_and(u8::is_ascii_alphanumeric));
            let is_free = !node.used.iter().any(|u| u.start < range.end && range.start < u.end);
            (!continues && is_free).then_some((i, range))
        })
    })?;
    let n = &scene.nodes[node];
    let form = if n.in_block { How::JSON_TEXT } else { How::RE_ENCODED };
    let moved = if scene.pieces[n.piece].is_moved { How::MOVED } else { 0 };
    scene.consume(node, range);
    Some(Found { how: How(form | moved), node: Some(node), piece: None, confidence: 0.95 })
}

fn find_parts(scene: &mut Scene, text: &[u8], blocks: &[Block], evidence: &mut [Evidence]) {
    for (i, b) in blocks.iter().enumerate() {
        if evidence[i].found.is_some() {
            continue;
        }
        let p = payload(text, b);
        let part = if is_text(b) || b.block_type == BlockType::Structured {
            find_part(scene, &p)
        } else if b.is(Block::HAS_DATA) {
            find_media_part(scene, &Media { data: &p, mime: b.mime.as_str(), kind: media_kind(b) })
        } else {
            None
        };
        evidence[i].part = part;
        if let Some(part) = part {
            evidence[i].part_at = scene.span_of(part.node);
        }
    }
}

/// A block that the schema does not allow: a resource with neither text nor blob, an image without data.
/// Source: MCP schema, `EmbeddedResource`, `TextContent`, `ImageContent`, `AudioContent`, `ResourceLink`.
pub fn breaks_schema(b: &Block) -> bool {
    match b.block_type {
        BlockType::Text => !b.is(Block::HAS_TEXT),
        BlockType::Image | BlockType::Audio => !b.is(Block::HAS_DATA),
        BlockType::Resource => !b.is(Block::HAS_TEXT | Block::HAS_DATA),
        BlockType::ResourceLink => b.uri.is_empty(),
        BlockType::Structured => false,
        BlockType::Unknown => b.type_name.is_empty(),
    }
}
