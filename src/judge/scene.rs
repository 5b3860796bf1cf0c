//! What the model was shown of one call: the texts and media of its output and of the messages that follow it,
//! with a note of every part that is already accounted for by a block.
//!
//! A text may be JSON, and its strings may be JSON again: such strings are texts of their own (leaves), opened
//! only when a block is still missing. What no block accounts for is where markers are looked for.

use std::borrow::Cow;
use std::ops::Range;

use rustc_hash::FxHashSet;

use crate::bytes::Span;
use crate::bytes::json::{Json, text_of};
use crate::event::piece::{Piece, PieceKind};

use super::strings::{Leaf, json_regions, quoted, unescape_literal, walk};

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
    /// Strings inside of it that are nodes of their own.
    children: Vec<usize>,
    depth: u8,
}

impl Node {
    fn account(&mut self, range: Range<usize>) {
        if !self.used.contains(&range) {
            self.used.push(range);
            self.used.sort_by_key(|r| r.start);
        }
    }

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
pub(super) const MAX_LEAVES: usize = 50_000;
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
                children: Vec::new(),
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
            // Characters outside of JSON that were escaped for some other notation.
            let unescaped = (leaves.is_empty() && node.json.is_empty() && !node.is_unescaped)
                .then(|| unescape_literal(&node.text))
                .flatten();
            for leaf in leaves {
                let text = text_of(&self.nodes[at].text[leaf.at.clone()]).into_owned();
                let in_block = leaf.in_block || self.nodes[at].in_block;
                self.add_child(at, leaf.at, text, in_block, false);
            }
            if let Some(text) = unescaped {
                self.add_child(at, 0..0, text, false, true);
            }
            at += 1;
        }
    }

    /// Adds a string that stands at `at` in `parent`; what is accounted for there is so here.
    fn add_child(&mut self, parent: usize, at: Range<usize>, text: Vec<u8>, in_block: bool, is_unescaped: bool) {
        let index = self.nodes.len();
        let above = &mut self.nodes[parent];
        above.children.push(index);
        let used = above.used.clone();
        let node = Node {
            json: json_regions(&text),
            text,
            parent: Some((parent, at)),
            piece: above.piece,
            used: Vec::new(),
            in_block,
            is_unescaped,
            children: Vec::new(),
            depth: above.depth + 1,
        };
        self.nodes.push(node);
        for range in used {
            self.account_below(parent, &range);
        }
    }

    /// Notes that a block accounts for a part of a text, for the place of that text in its parents, and for the
    /// strings inside of that part.
    pub fn consume(&mut self, node: usize, range: Range<usize>) {
        let (mut node, mut range) = (node, range);
        self.account_below(node, &range);
        loop {
            let Some(n) = self.nodes.get_mut(node) else { return };
            n.account(range);
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

    fn account_below(&mut self, node: usize, range: &Range<usize>) {
        for at in 0..self.nodes[node].children.len() {
            let child = self.nodes[node].children[at];
            let below = match &self.nodes[child].parent {
                Some((_, place)) if place.is_empty() => {
                    let part = text_of(&self.nodes[node].text[range.clone()]).into_owned();
                    let copy = memchr::memmem::find(&self.nodes[child].text, &part);
                    copy.map(|start| start..start + part.len())
                }
                Some((_, place)) if range.start <= place.start && place.end <= range.end => {
                    Some(0..self.nodes[child].text.len())
                }
                _ => None,
            };
            if let Some(below) = below {
                self.nodes[child].account(below.clone());
                self.account_below(child, &below);
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
}
