//! Markers in what the model was shown: finding them, and saying which blocks they stand for.

use super::case::{Evidence, breaks_schema};
use super::scene::Scene;
use crate::bytes::Span;
use crate::event::marker::{Match, Where};
use crate::event::{Block, BlockType, Catalogue, Says};

/// A marker in what the model was shown.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// Index into the catalogue.
    pub marker: u32,
    /// What it says.
    pub says: Says,
    /// Where it stands.
    pub span: Span,
    /// Its text is a bare JSON value such as `[]`: an empty result serialized, not words in a block's place.
    pub is_bare_json: bool,
}

/// A marker with the place that it takes up, and how many blocks it stands for.
#[derive(Clone, Debug)]
pub struct Marked {
    /// The marker.
    pub mark: Mark,
    /// Blocks that it stands for.
    pub count: usize,
    /// Node in the scene.
    pub node: usize,
    /// Where in that node.
    pub at: std::ops::Range<usize>,
}

/// What a refusal of the whole result says.
#[derive(Clone, Copy, Debug)]
pub struct Refusal {
    /// The marker.
    pub mark: Mark,
    /// The block that it names, or that breaks the rules.
    pub culprit: Option<usize>,
    /// It names the culprit's `data`.
    pub names_data: bool,
}

/// Markers in what no block accounts for, with how many blocks each stands for.
pub fn find_marks(scene: &Scene, markers: &Catalogue) -> Vec<Marked> {
    let mut out = Vec::new();
    for (node, range) in scene.unaccounted() {
        let text = &scene.nodes[node].text[range.clone()];
        let is_part = range.len() == scene.nodes[node].text.len();
        for hit in markers.find(text, Where::Model) {
            let m = &markers.markers[hit.marker];
            // A gap between two blocks is no part of its own, unless it stands alone on its lines.
            if m.matching == Match::Part && !is_part && !stands_alone(&scene.nodes[node].text, &range) {
                continue;
            }
            if m.fate == Says::None {
                continue;
            }
            let words = &text[hit.at.clone()];
            let is_bare_json = matches!(words.trim_ascii(), b"[]" | b"{}" | b"null" | b"\"\"")
                || words.trim_ascii().starts_with(b"{\"");
            let mark = Mark { marker: hit.marker as u32, says: m.fate, span: scene.span_of(node), is_bare_json };
            let at = range.start + hit.at.start..range.start + hit.at.end;
            out.push(Marked { mark, count: count_in(&m.text, words), node, at });
        }
    }
    out
}

fn stands_alone(text: &[u8], range: &std::ops::Range<usize>) -> bool {
    let before = text[..range.start].last().is_none_or(|b| *b == b'\n');
    let starts = text[range.clone()].first() == Some(&b'\n');
    before || starts
}

/// `[3 images omitted]` stands for three blocks.
fn count_in(pattern: &str, words: &[u8]) -> usize {
    let counts =
        ["{N} image", "{N} audio", "{N} file", "{N} resource", "{N} attachment", "{N} block", "{N} content"];
    if !counts.iter().any(|c| pattern.contains(c)) {
        return 1;
    }
    let digits: String = words
        .iter()
        .skip_while(|b| !b.is_ascii_digit())
        .take_while(|b| b.is_ascii_digit())
        .map(|b| char::from(*b))
        .collect();
    digits.parse().unwrap_or(1)
}

/// Gives each missing block the marker that stands for it: in order, its own type's before one for any.
/// Gives back the marks that were used up.
pub fn assign_marks(
    markers: &Catalogue,
    marks: &[Marked],
    blocks: &[Block],
    evidence: &mut [Evidence],
) -> Vec<usize> {
    let mut left: Vec<usize> = marks.iter().map(|m| m.count).collect();
    let mut taken = Vec::new();
    for pass in 0..3 {
        for (i, b) in blocks.iter().enumerate() {
            let e = &mut evidence[i];
            if e.found.is_some() || e.mark.is_some() || (pass > 0 && e.part.is_some()) {
                continue;
            }
            let hit = marks.iter().enumerate().find(|(at, Marked { mark, .. })| {
                let m = &markers.markers[mark.marker as usize];
                let own = m.stands_for.iter().any(|s| s == b.type_str());
                let covers = match pass {
                    0 => own,
                    1 => m.stands_for.iter().any(|s| s == "any"),
                    _ => m.stands_for.iter().any(|s| s == "result"),
                };
                // One marker for the whole result stands for all that is missing.
                let is_free = left[*at] > 0 || pass == 2;
                let replaces = !matches!(mark.says, Says::Refused | Says::Truncated | Says::None);
                covers && is_free && replaces
            });
            if let Some((at, Marked { mark, .. })) = hit {
                left[at] = left[at].saturating_sub(1);
                if left[at] == 0 && pass < 2 {
                    taken.push(at);
                }
                e.mark = Some(*mark);
            }
        }
    }
    taken
}

/// A refusal of the whole result: only where nothing of it was shown.
pub fn refusal(scene: &Scene, marks: &[Marked], blocks: &[Block], evidence: &[Evidence]) -> Option<Refusal> {
    let mark = marks.iter().map(|m| m.mark).find(|m| m.says == Says::Refused)?;
    if evidence.iter().zip(blocks).any(|(e, b)| e.found.is_some() && b.fingerprint.bytes > 0) {
        return None;
    }
    let mut named = None;
    let mut names_data = false;
    for (node, range) in scene.unaccounted() {
        let text = &scene.nodes[node].text[range];
        if let Some((index, is_data)) = named_block(text) {
            named = Some(index);
            names_data = is_data;
            break;
        }
    }
    let broken = |i: &usize| {
        let b = &blocks[*i];
        breaks_schema(b) || b.block_type == BlockType::Unknown
    };
    let culprit = named
        .filter(|i| *i < blocks.len())
        .or_else(|| (0..blocks.len()).find(broken))
        .or_else(|| (0..blocks.len()).find(|i| blocks[*i].is(Block::BASE64_BAD)));
    Some(Refusal { mark, culprit, names_data })
}

/// The block that a validation error names: `"path": ["content", 1, "data"]` (zod), `content.1.data` (pydantic).
fn named_block(text: &[u8]) -> Option<(usize, bool)> {
    use regex::bytes::Regex;
    use std::sync::LazyLock;
    static PATH: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(r#"(?:"content",\s*|\bcontent[.\[])(\d{1,4})(?:\]|"?,\s*"(?P<a>data|blob)"|\.(?:\w+\.)?(?P<b>data|blob)\b)?"#).ok()
    });
    let found = PATH.as_ref()?.captures(text)?;
    let index = std::str::from_utf8(&found[1]).ok()?.parse().ok()?;
    Some((index, found.name("a").or(found.name("b")).is_some()))
}
