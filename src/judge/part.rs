//! Looks for what is left of a text payload that was cut.

use std::ops::Range;

use memchr::memmem;

use super::scene::Scene;
use super::text::occurrences;

/// A part of a payload found.
#[derive(Clone, Copy, Debug)]
pub struct Part {
    /// How much of it.
    pub bytes: usize,
    /// Node that holds its beginning.
    pub node: usize,
}

/// Lines of a payload in a text.
pub struct Lines {
    /// The text.
    pub node: usize,
    /// How many of them stand there.
    pub shown: usize,
    /// How many were looked for.
    pub all: usize,
    bytes: usize,
}

/// Lines shorter than this (`}`, `end`) say nothing.
const MIN_LINE_BYTES: usize = 8;
/// Lines that are looked for, evenly over a long payload.
const MAX_LINES: usize = 2000;

/// How many lines of a payload stand, in order, in the text that shows most of them.
pub fn shown_lines(scene: &Scene, payload: &[u8]) -> Option<Lines> {
    let lines: Vec<&[u8]> =
        payload.split(|b| *b == b'\n').map(<[u8]>::trim_ascii).filter(|l| l.len() >= MIN_LINE_BYTES).collect();
    if lines.len() < 3 {
        return None;
    }
    let step = lines.len().div_ceil(MAX_LINES);
    let total: usize = lines.iter().map(|l| l.len()).sum();
    scene
        .nodes
        .iter()
        .enumerate()
        .filter(|(_, n)| !n.text.is_empty())
        .map(|(node, n)| {
            let text = n.unaccounted_text();
            let (mut at, mut shown, mut all, mut bytes) = (0, 0, 0, 0);
            for line in lines.iter().step_by(step) {
                all += 1;
                if let Some(hit) = memmem::find(&text[at..], line) {
                    at += hit + line.len();
                    shown += 1;
                    bytes += line.len() * step;
                }
            }
            Lines { node, shown, all, bytes: bytes.min(total) }
        })
        .max_by_key(|l| l.shown)
        .filter(|l| l.shown > 0)
}

/// A beginning at least this long is a part of the payload; shorter ones are coincidences ("The file").
const MIN_HEAD_BYTES: usize = 32;

/// Finds the part of a payload that is left of it: its head, its tail, or both; at least 32 bytes, or a half.
pub fn find_part(scene: &mut Scene, payload: &[u8]) -> Option<Part> {
    let payload = payload.trim_ascii();
    let seed = MIN_HEAD_BYTES.min(payload.len() / 2);
    if seed < MIN_HEAD_BYTES / 2 {
        return None;
    }
    scene.open();
    struct Best {
        bytes: usize,
        node: usize,
        first: Range<usize>,
        second: Option<Range<usize>>,
    }
    let mut best: Option<Best> = None;
    for (i, node) in scene.nodes.iter().enumerate() {
        let text = &node.text;
        let free = |r: &Range<usize>| !node.used.iter().any(|u| u.start < r.end && r.start < u.end);
        let head = occurrences(text, &payload[..seed]).find(|r| free(r)).map(|r| {
            let more = text[r.end..].iter().zip(&payload[seed..]).take_while(|(a, b)| a == b).count();
            r.start..r.end + more
        });
        let from = head.as_ref().map_or(0, |h| h.end);
        let tail_seed = &payload[payload.len() - seed..];
        let tail =
            memmem::rfind(&text[from..], tail_seed).map(|at| from + at..from + at + seed).filter(free).map(|r| {
                let room = payload.len() - seed - head.as_ref().map_or(0, |h| h.len()).min(payload.len() - seed);
                let more = text[from..r.start]
                    .iter()
                    .rev()
                    .zip(payload[..payload.len() - seed].iter().rev())
                    .take(room)
                    .take_while(|(a, b)| a == b)
                    .count();
                r.start - more..r.end
            });
        let bytes = head.as_ref().map_or(0, |h| h.len()) + tail.as_ref().map_or(0, |t| t.len());
        if bytes > best.as_ref().map_or(0, |b| b.bytes) {
            let first = head.clone().or(tail.clone()).unwrap_or(0..0);
            best = Some(Best { bytes, node: i, first, second: head.and(tail) });
        }
    }
    if let Some(Best { bytes, node, first, second }) = best {
        scene.consume(node, first);
        if let Some(tail) = second {
            scene.consume(node, tail);
        }
        return Some(Part { bytes: bytes.min(payload.len()), node });
    }
    let lines = shown_lines(scene, payload)?;
    (lines.shown * 3 >= lines.all).then_some(Part { bytes: lines.bytes, node: lines.node })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::text::tests::scene;

    #[test]
    fn a_part_is_measured() {
        let payload: Vec<u8> = (0..1000).map(|i| format!("line {i}\n")).collect::<String>().into_bytes();
        let text = String::from_utf8_lossy(&payload).into_owned();
        let cut = format!("{}\n…9000 bytes truncated…\n{}", &text[..500], &text[text.len() - 300..]);
        let part = find_part(&mut scene(&[&cut]), &payload);
        let bytes = part.map_or(0, |p| p.bytes);
        assert!((780..=800).contains(&bytes), "{bytes}");
        assert!(find_part(&mut scene(&["line 0 is something else altogether"]), &payload).is_none());
    }
}
