//! What the model was shown of one call: the texts and media of its output and of the messages that follow it,
//! with a note of every part that is already accounted for by a block.
//!
//! A text may be JSON, and its strings may be JSON again: such strings are texts of their own (leaves), opened
//! only when a block is still missing. What no block accounts for is where markers are looked for.

use std::borrow::Cow;
use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::bytes::Span;
use crate::bytes::json::{Fault, Json, Kind, text_of};
use crate::event::piece::{Piece, PieceKind};

/// A text that the model was shown, or a string inside of one.
pub struct Node {
    /// The characters.
    pub text: Vec<u8>,
    /// Text that it is a part of, and where.
    pub parent: Option<(usize, Range<usize>)>,
    /// Index of its piece in [`Scene::pieces`].
    pub piece: usize,
    /// Parts that a block accounts for.
    pub used: Vec<Range<usize>>,
    /// Parts that are JSON objects or arrays.
    pub json: Vec<Range<usize>>,
    /// It stands in a JSON object that looks like a content block.
    pub in_block: bool,
    /// It was unescaped as a whole: its text was inside a literal of some programming language.
    pub is_unescaped: bool,
    depth: u8,
}

impl Node {
    /// The text with a control character in place of all that a block accounts for already.
    pub fn unaccounted_text(&self) -> Cow<'_, [u8]> {
        if self.used.is_empty() {
            return Cow::Borrowed(&self.text);
        }
        let mut text = self.text.clone();
        for range in &self.used {
            let end = range.end.min(text.len());
            text[range.start.min(end)..end].fill(1);
        }
        Cow::Owned(text)
    }
}

/// A piece of an item with its place.
pub struct Shown {
    /// What it is.
    pub kind: PieceKind,
    /// Base64 of a medium; empty for texts, which are nodes.
    pub data: Vec<u8>,
    /// MIME type of a medium.
    pub mime: String,
    /// Only an address is there.
    pub is_reference: bool,
    /// Stands in a message behind the tool's output.
    pub is_moved: bool,
    /// Where it stands in the log.
    pub span: Span,
    /// A block accounts for it.
    pub is_used: bool,
}

/// All that was shown of one call.
#[derive(Default)]
pub struct Scene {
    /// Pieces, the output's own first.
    pub pieces: Vec<Shown>,
    /// Texts; those of the pieces first, then leaves.
    pub nodes: Vec<Node>,
    /// Where the output itself stands.
    pub output: Span,
    is_open: bool,
}

/// JSON in a string in JSON in a string: as deep as any client was seen to go, and an end for hostile ones.
const MAX_NESTED_STRINGS: u8 = 4;
/// Strings of one output that are looked into; beyond them an output is a data file, not a wrapped result.
const MAX_LEAVES: usize = 50_000;
/// Places in one text where JSON is tried.
const MAX_JSON_STARTS: usize = 64;

impl Scene {
    /// An empty scene of the output that stands at `output`.
    pub fn new(output: Span) -> Scene {
        Scene { output, ..Scene::default() }
    }

    /// Adds a piece; `span` is where it stands.
    pub fn push(&mut self, piece: Piece, span: Span, is_moved: bool) {
        let index = self.pieces.len();
        let is_text = piece.kind == PieceKind::Text;
        let (text, data) = if is_text { (piece.text, Vec::new()) } else { (Vec::new(), piece.text) };
        self.pieces.push(Shown {
            kind: piece.kind,
            data,
            mime: piece.mime,
            is_reference: piece.is_reference,
            is_moved,
            span,
            is_used: false,
        });
        if is_text {
            let json = json_regions(&text);
            self.nodes.push(Node {
                text,
                parent: None,
                piece: index,
                used: Vec::new(),
                json,
                in_block: false,
                is_unescaped: false,
                depth: 0,
            });
        }
    }

    /// Opens the strings inside of JSON, once.
    pub fn open(&mut self) {
        if std::mem::replace(&mut self.is_open, true) {
            return;
        }
        let mut at = 0;
        while at < self.nodes.len() && self.nodes.len() < MAX_LEAVES {
            let node = &self.nodes[at];
            let mut leaves: Vec<Leaf> = Vec::new();
            if node.depth < MAX_NESTED_STRINGS {
                for region in &node.json {
                    let _ = walk(&mut Json::new(&node.text[..region.end], region.start), &mut leaves, MAX_LEAVES);
                }
                if let Some(whole) = quoted(&node.text) {
                    leaves.push(Leaf { at: whole, in_block: false });
                }
            }
            let (piece, depth) = (node.piece, node.depth + 1);
            // Characters outside of JSON that were escaped for some other notation.
            let unescaped = (leaves.is_empty() && node.json.is_empty() && !node.is_unescaped)
                .then(|| unescape_literal(&node.text))
                .flatten();
            let opened: Vec<Node> = leaves
                .into_iter()
                .map(|leaf| {
                    let text = text_of(&self.nodes[at].text[leaf.at.clone()]).into_owned();
                    let json = json_regions(&text);
                    let parent = Some((at, leaf.at));
                    let in_block = leaf.in_block || self.nodes[at].in_block;
                    Node { text, parent, piece, used: Vec::new(), json, in_block, is_unescaped: false, depth }
                })
                .collect();
            self.nodes.extend(opened);
            if let Some(text) = unescaped {
                let json = json_regions(&text);
                let parent = Some((at, 0..0));
                self.nodes.push(Node {
                    text,
                    parent,
                    piece,
                    used: Vec::new(),
                    json,
                    in_block: false,
                    is_unescaped: true,
                    depth,
                });
            }
            at += 1;
        }
    }

    /// Notes that a block accounts for a part of a text, and with it for the place of that text in its parents.
    pub fn consume(&mut self, node: usize, range: Range<usize>) {
        let (mut node, mut range) = (node, range);
        loop {
            let Some(n) = self.nodes.get_mut(node) else { return };
            n.used.push(range);
            n.used.sort_by_key(|r| r.start);
            match n.parent.clone() {
                // An unescaped copy accounts for all of its original.
                Some((parent, at)) if at.is_empty() => {
                    (node, range) = (parent, 0..self.nodes[parent].text.len());
                }
                Some((parent, at)) => (node, range) = (parent, at),
                None => return,
            }
        }
    }

    /// The parts of the texts that no block accounts for, as (node, range): outside of JSON, in the strings of
    /// JSON of which a part is accounted for, and JSON of which nothing is.
    pub fn unaccounted(&self) -> Vec<(usize, Range<usize>)> {
        let touched: FxHashSet<usize> = self
            .nodes
            .iter()
            .filter(|n| !n.used.is_empty())
            .filter_map(|n| n.parent.as_ref())
            .map(|p| p.0)
            .collect();
        let mut out = Vec::new();
        for (i, node) in self.nodes.iter().enumerate() {
            match &node.parent {
                Some((parent, _)) if !touched.contains(parent) => continue,
                Some(_) if node.is_unescaped => continue,
                _ => {}
            }
            let mut covered = node.used.clone();
            if touched.contains(&i) {
                covered.extend(node.json.iter().cloned());
            }
            covered.sort_by_key(|r| r.start);
            let mut at = 0;
            for range in covered {
                if range.start > at {
                    out.push((i, at..range.start));
                }
                at = at.max(range.end);
            }
            if at < node.text.len() {
                out.push((i, at..node.text.len()));
            }
        }
        out.retain(|(i, r)| !self.nodes[*i].text[r.clone()].trim_ascii().is_empty());
        out
    }

    /// Where a part of a node stands in the log.
    pub fn span_of(&self, node: usize) -> Span {
        self.nodes.get(node).map_or(self.output, |n| self.pieces[n.piece].span)
    }

    /// Was anything at all shown?
    pub fn is_empty(&self) -> bool {
        self.nodes.iter().all(|n| n.text.trim_ascii().is_empty()) && self.nodes.len() == self.pieces.len()
    }
}

struct Leaf {
    at: Range<usize>,
    in_block: bool,
}

/// Type names that make an object look like a content block.
const BLOCK_TYPES: [&[u8]; 5] = [b"text", b"image", b"audio", b"resource", b"resource_link"];

/// Collects the strings of a JSON value.
fn walk(v: &mut Json<'_>, out: &mut Vec<Leaf>, cap: usize) -> Result<(), Fault> {
    if out.len() >= cap {
        return v.skip().map(drop);
    }
    match v.kind()? {
        Kind::Object => {
            let first = out.len();
            let mut is_block = false;
            v.object(|key, v| {
                if key == b"type" && v.kind()? == Kind::String {
                    let range = v.string()?;
                    is_block |= BLOCK_TYPES.contains(&&v.text()[range]);
                    return Ok(());
                }
                walk(v, out, cap)
            })?;
            if is_block {
                out[first..].iter_mut().for_each(|l| l.in_block = true);
            }
            Ok(())
        }
        Kind::Array => v.array(|_, v| walk(v, out, cap)),
        Kind::String => {
            let at = v.string()?;
            if !at.is_empty() {
                out.push(Leaf { at, in_block: false });
            }
            Ok(())
        }
        _ => v.skip().map(drop),
    }
}

/// Objects and arrays in a text: at its start, at the start of a line, and behind a few other places.
pub fn json_regions(text: &[u8]) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    let mut tries = 0;
    while let Some(n) = memchr::memchr2(b'{', b'[', &text[at..]) {
        let start = at + n;
        tries += 1;
        if tries > MAX_JSON_STARTS {
            break;
        }
        let mut json = Json::new(text, start);
        match json.skip() {
            Ok(range) if is_json(&text[range.clone()]) => {
                at = range.end;
                out.push(range);
                // A file of JSON lines has many; only failures are counted.
                tries -= 1;
                if out.len() >= MAX_LEAVES {
                    break;
                }
            }
            _ => at = start + 1,
        }
    }
    out
}

/// A full look at a candidate: the skipping cursor checks brackets and quotes only, and `[see below]` is no JSON.
fn is_json(text: &[u8]) -> bool {
    struct Nothing;
    fn value(v: &mut Json<'_>, _: &Nothing) -> Result<(), Fault> {
        match v.kind()? {
            Kind::Object => v.object(|_, v| value(v, &Nothing)),
            Kind::Array => v.array(|_, v| value(v, &Nothing)),
            _ => v.skip().map(drop),
        }
    }
    // `{}` and `[]` hold nothing to look into.
    text.len() > 2 && value(&mut Json::new(text, 0), &Nothing).is_ok()
}

/// The inside of a text that is one JSON string.
fn quoted(text: &[u8]) -> Option<Range<usize>> {
    let start = text.iter().position(|b| !b.is_ascii_whitespace())?;
    if text[start] != b'"' {
        return None;
    }
    let mut json = Json::new(text, start);
    let range = json.string().ok()?;
    (json.at_end() && !range.is_empty()).then_some(range)
}

/// A text with escapes of a string literal (`\n`, `\"`, `\'`) undone; `None` when it has none.
fn unescape_literal(text: &[u8]) -> Option<Vec<u8>> {
    let has = |needle: &[u8]| memchr::memmem::find(text, needle).is_some();
    if memchr::memchr(b'\\', text).is_none() || !(has(b"\\n") || has(b"\\\"") || has(b"\\'") || has(b"\\u")) {
        return None;
    }
    Some(text_of(text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect::raw::At;

    fn scene(text: &str) -> Scene {
        let mut s = Scene::default();
        let piece = Piece {
            kind: PieceKind::Text,
            text: text.as_bytes().to_vec(),
            mime: String::new(),
            is_reference: false,
            at: At::default(),
        };
        s.push(piece, Span::default(), false);
        s
    }

    #[test]
    fn opens_json_in_json_in_json() {
        let mut s = scene("Output:\n{\"a\":\"[{\\\"type\\\":\\\"text\\\",\\\"text\\\":\\\"deep\\\\nest\\\"}]\"}");
        s.open();
        let leaf = s.nodes.iter().position(|n| n.text == b"deep\nest");
        assert!(leaf.is_some_and(|i| s.nodes[i].in_block));
        s.consume(leaf.unwrap_or(0), 0..9);
        let left: Vec<_> = s.unaccounted().into_iter().map(|(i, r)| s.nodes[i].text[r].to_vec()).collect();
        assert_eq!(left, [b"Output:\n".to_vec()]);
    }

    #[test]
    fn prose_in_brackets_is_not_json() {
        assert!(json_regions(b"[see below] {nothing} [1 image omitted]").is_empty());
        assert_eq!(json_regions(b"a\n{\"b\":1}\n[1,2]"), [2..9, 10..15]);
    }
}
