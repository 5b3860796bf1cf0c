//! Looks for a text payload in what the model was shown.

use std::ops::Range;

use memchr::memmem;

use super::part::shown_lines;
use super::scene::{Node, Scene};
use super::verdict::How;
use crate::bytes::json::{Json, canonical_hash};

/// A payload found whole.
#[derive(Clone, Copy, Debug, Default)]
pub struct Found {
    /// In which form.
    pub how: How,
    /// Node that holds it.
    pub node: Option<usize>,
    /// Piece that holds it.
    pub piece: Option<usize>,
    /// 0 to 1.
    pub confidence: f32,
}

/// Texts at least this long are found anywhere; shorter ones must stand for themselves, or every "ok" in a
/// sentence would be one.
const ANYWHERE_BYTES: usize = 32;

/// Finds `payload` whole and accounts for it. `neighbours` are the other texts of the same call: clients join
/// blocks without a separator, too.
pub fn find_text(scene: &mut Scene, payload: &[u8], neighbours: &[&[u8]]) -> Option<Found> {
    let trimmed = payload.trim_ascii();
    if trimmed.is_empty() {
        return Some(Found { confidence: 1.0, ..Found::default() });
    }
    for needle in [payload, trimmed] {
        if let Some(found) = find_exact(scene, needle, neighbours) {
            return Some(found);
        }
    }
    scene.open();
    if let Some(found) = find_exact(scene, trimmed, neighbours) {
        return Some(found);
    }
    None
}

/// What [`find_text`] misses when a client rewrote the text: white space, ANSI codes, HTML escapes, JSON
/// printed another way, line numbers, a long text cut into several parts.
pub fn find_rewritten(scene: &mut Scene, payload: &[u8]) -> Option<Found> {
    let re_encoded = |scene: &Scene, node: usize, confidence| Found {
        how: How(How::RE_ENCODED | moved(scene, node)),
        node: Some(node),
        piece: None,
        confidence,
    };
    scene.open();
    if let Some(hash) = json_hash(payload)
        && let Some((node, range)) = find_value(scene, hash, payload.len())
    {
        scene.consume(node, range);
        return Some(re_encoded(scene, node, 1.0));
    }
    let folded = fold(payload);
    if folded.len() >= MIN_FOLDED_BYTES {
        let hit = (0..scene.nodes.len()).find(|i| {
            let node = &scene.nodes[*i];
            node.text.len() + node.text.len() / 2 >= folded.len()
                && memmem::find(&fold(&node.unaccounted_text()), &folded).is_some()
        });
        if let Some(node) = hit {
            let end = scene.nodes[node].text.len();
            scene.consume(node, 0..end);
            return Some(re_encoded(scene, node, 0.95));
        }
    }
    if let Some(node) = find_pieces(scene, payload) {
        return Some(re_encoded(scene, node, 0.95));
    }
    let lines = shown_lines(scene, payload)?;
    (lines.shown == lines.all).then(|| {
        let end = scene.nodes[lines.node].text.len();
        scene.consume(lines.node, 0..end);
        re_encoded(scene, lines.node, 0.9)
    })
}

const MIN_FOLDED_BYTES: usize = 12;

fn moved(scene: &Scene, node: usize) -> u8 {
    if scene.pieces[scene.nodes[node].piece].is_moved { How::MOVED } else { 0 }
}

fn find_exact(scene: &mut Scene, needle: &[u8], neighbours: &[&[u8]]) -> Option<Found> {
    let (node, range) = (0..scene.nodes.len()).find_map(|i| {
        let node = &scene.nodes[i];
        occurrences(&node.text, needle).find(|r| fits(node, r, needle, neighbours)).map(|r| (i, r))
    })?;
    let n = &scene.nodes[node];
    let mut how = moved(scene, node);
    if n.in_block {
        how |= How::JSON_TEXT;
    }
    if n.is_unescaped {
        how |= How::RE_ENCODED;
    }
    scene.consume(node, range);
    Some(Found { how: How(how), node: Some(node), piece: None, confidence: 1.0 })
}

/// Enough for any real output; a hostile one that repeats a text a million times costs no more.
const MAX_OCCURRENCES: usize = 1000;

pub(super) fn occurrences<'t>(text: &'t [u8], needle: &'t [u8]) -> impl Iterator<Item = Range<usize>> + 't {
    memmem::find_iter(text, needle).take(MAX_OCCURRENCES).map(|at| at..at + needle.len())
}

/// May an occurrence stand for the payload: not yet accounted for, not a part of a larger JSON value, and, when
/// short, standing for itself.
fn fits(node: &Node, range: &Range<usize>, needle: &[u8], neighbours: &[&[u8]]) -> bool {
    if node.used.iter().any(|u| u.start < range.end && range.start < u.end) {
        return false;
    }
    if node.json.iter().any(|j| j.start <= range.start && range.end <= j.end && j.len() > range.len()) {
        return false;
    }
    if needle.len() >= ANYWHERE_BYTES {
        return true;
    }
    let before = &node.text[..range.start];
    let after = &node.text[range.end..];
    let is_edge = |b: u8| matches!(b, b'\n' | b'\r' | b'<' | b'>' | b'"' | b'`' | b'\'' | b'|');
    let starts = before.trim_ascii_end().is_empty()
        || before.last().is_some_and(|b| is_edge(*b))
        || before.ends_with(b": ")
        || before.ends_with(b"] ")
        || node.used.iter().any(|u| u.end == range.start)
        || neighbours.iter().any(|n| !n.is_empty() && before.ends_with(n));
    let ends = after.trim_ascii_start().is_empty()
        || after.first().is_some_and(|b| is_edge(*b))
        || node.used.iter().any(|u| u.start == range.end)
        || neighbours.iter().any(|n| !n.is_empty() && after.starts_with(n));
    starts && ends
}

/// The order-free hash of a text that is a JSON object or array.
pub fn json_hash(text: &[u8]) -> Option<u64> {
    let text = text.trim_ascii();
    if !matches!(text.first(), Some(b'{' | b'[')) {
        return None;
    }
    let mut json = Json::new(text, 0);
    let hash = canonical_hash(&mut json).ok()?;
    json.at_end().then_some(hash)
}

/// Finds a JSON value in the JSON parts of the texts, at the top or inside of other values.
pub fn find_value(scene: &Scene, hash: u64, bytes: usize) -> Option<(usize, Range<usize>)> {
    scene.nodes.iter().enumerate().find_map(|(i, node)| {
        let hit = node.json.iter().find_map(|r| value_in(&node.text, r.clone(), hash, bytes, 0))?;
        Some((i, hit))
    })
}

/// A wrapped value is looked for this deep: `{"result": {"structuredContent": …}}`.
const MAX_WRAPPERS: u8 = 4;

fn value_in(text: &[u8], at: Range<usize>, hash: u64, bytes: usize, depth: u8) -> Option<Range<usize>> {
    // White space and escapes change the length of a value, not by an order of magnitude.
    let could_be = at.len() * 8 + 64 >= bytes && bytes * 8 + 64 >= at.len();
    if could_be && canonical_hash(&mut Json::new(&text[..at.end], at.start)) == Ok(hash) {
        return Some(at);
    }
    if depth >= MAX_WRAPPERS || at.len() * 8 + 64 < bytes {
        return None;
    }
    let mut inner: Vec<Range<usize>> = Vec::new();
    let mut json = Json::new(&text[..at.end], at.start);
    let mut visit = |v: &mut Json<'_>| {
        let start = {
            v.kind()?;
            v.pos()
        };
        let is_container = matches!(text.get(start), Some(b'{' | b'['));
        let range = v.skip()?;
        if is_container && inner.len() < MAX_OCCURRENCES {
            inner.push(range);
        }
        Ok(())
    };
    let _ = match json.kind() {
        Ok(crate::bytes::json::Kind::Object) => json.object(|_, v| visit(v)),
        _ => json.array(|_, v| visit(v)),
    };
    inner.into_iter().find_map(|r| value_in(text, r, hash, bytes, depth + 1))
}

/// White space runs as one blank, ANSI codes gone, the five HTML escapes undone.
pub fn fold(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&b, tail)) = rest.split_first() {
        rest = tail;
        match b {
            b' ' | b'\t' | b'\n' | b'\r' => {
                if out.last() != Some(&b' ') {
                    out.push(b' ');
                }
            }
            0x1b if tail.first() == Some(&b'[') => {
                let end =
                    tail.iter().skip(1).position(|b| (0x40..=0x7e).contains(b)).map_or(tail.len(), |n| n + 2);
                rest = &tail[end.min(tail.len())..];
            }
            b'&' => {
                let escapes: [(&[u8], u8); 5] =
                    [(b"lt;", b'<'), (b"gt;", b'>'), (b"amp;", b'&'), (b"quot;", b'"'), (b"#39;", b'\'')];
                let hit = escapes.iter().find(|(name, _)| tail.starts_with(name));
                out.push(hit.map_or(b'&', |(_, c)| *c));
                rest = &tail[hit.map_or(0, |(name, _)| name.len())..];
            }
            _ => out.push(b),
        }
    }
    out.trim_ascii().to_vec()
}

/// A long payload cut into several texts that follow each other: gives the first node.
fn find_pieces(scene: &mut Scene, payload: &[u8]) -> Option<usize> {
    if payload.len() < 2 * ANYWHERE_BYTES {
        return None;
    }
    let mut left = payload;
    let mut taken: Vec<(usize, Range<usize>)> = Vec::new();
    for (i, node) in scene.nodes.iter().enumerate() {
        if node.text.is_empty() || node.used.iter().any(|u| !u.is_empty()) {
            continue;
        }
        if left.starts_with(&node.text) {
            taken.push((i, 0..node.text.len()));
            left = &left[node.text.len()..];
        } else if taken.is_empty() {
            // A heading may stand before the first part.
            let head = &left[..ANYWHERE_BYTES];
            let Some(at) = memmem::find(&node.text, head) else { continue };
            if left.starts_with(&node.text[at..]) {
                taken.push((i, at..node.text.len()));
                left = &left[node.text.len() - at..];
            }
        }
        if left.is_empty() {
            break;
        }
    }
    if !left.trim_ascii().is_empty() {
        return None;
    }
    let first = taken.first().map(|t| t.0);
    for (node, range) in taken {
        scene.consume(node, range);
    }
    first
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::bytes::Span;
    use crate::dialect::raw::At;
    use crate::event::piece::{Piece, PieceKind};

    pub fn scene(texts: &[&str]) -> Scene {
        let mut s = Scene::default();
        for text in texts {
            let text = text.as_bytes().to_vec();
            let at = At::default();
            let piece = Piece { kind: PieceKind::Text, text, mime: String::new(), is_reference: false, at };
            s.push(piece, Span::default(), false);
        }
        s
    }

    #[test]
    fn a_short_text_must_stand_for_itself() {
        let others: &[&[u8]] = &[b"done"];
        for text in ["ok", "Output:\nok", "<result>ok</result>", "{\"result\":\"ok\"}", "okdone", "\"ok\""] {
            assert!(find_text(&mut scene(&[text]), b"ok", others).is_some(), "{text}");
        }
        for text in ["look", "it is ok now", "okay", "{\"result\":\"okay\"}", ""] {
            assert!(find_text(&mut scene(&[text]), b"ok", others).is_none(), "{text}");
        }
    }

    #[test]
    fn each_occurrence_counts_once() {
        let mut s = scene(&["ok\nok"]);
        assert!(find_text(&mut s, b"ok", &[]).is_some());
        assert!(find_text(&mut s, b"ok", &[]).is_some());
        assert!(find_text(&mut s, b"ok", &[]).is_none());
    }

    #[test]
    fn rewritten_texts_are_found() {
        let payload = "first line\r\n\tsecond <b>line</b>\n\nthird line of it";
        for text in [
            "first line\nsecond <b>line</b>\nthird line of it",
            "first line second &lt;b&gt;line&lt;/b&gt; third line of it",
            "1→first line\n2→\tsecond <b>line</b>\n3→\n4→third line of it",
            "\u{1b}[1mfirst line\u{1b}[0m\n second <b>line</b> third line of it",
        ] {
            assert!(find_rewritten(&mut scene(&[text]), payload.as_bytes()).is_some(), "{text}");
        }
        let json = b"{\"b\": [1, 2], \"a\": \"x\"}";
        assert!(find_rewritten(&mut scene(&["{\"a\":\"x\",\"b\":[1,2]}"]), json).is_some());
        assert!(find_rewritten(&mut scene(&["{\"a\":\"x\",\"b\":[1,3]}"]), json).is_none());
        assert!(find_rewritten(&mut scene(&["first line\nthird line of it"]), payload.as_bytes()).is_none());
    }

    #[test]
    fn a_text_in_two_parts_is_whole() {
        let payload = "abcdefgh ".repeat(40);
        let (a, b) = payload.split_at(200);
        assert!(find_rewritten(&mut scene(&[&format!("Part 1:\n{a}"), b]), payload.as_bytes()).is_some());
        assert!(find_rewritten(&mut scene(&[a]), payload.as_bytes()).is_none());
    }
}
