//! Which dialect is this? Decided by content, never by a file's name.

use super::{DIALECTS, Dialect};
use crate::bytes::Chunk;
use crate::bytes::json::{Json, Kind};

/// The beginning of a file, as detection sees it.
pub struct Sample<'s> {
    /// Non-blank lines from the start, whole ones as far as possible.
    pub lines: Vec<&'s [u8]>,
    /// The first bytes of the file, for dialects that are one document.
    pub head: &'s [u8],
    /// The whole file.
    pub all: &'s [u8],
}

const MAX_LINES: usize = 60;
/// Enough for several frames with images; a longer first line is sampled whole.
const MAX_BYTES: usize = 4 << 20;
const HEAD_BYTES: usize = 64 << 10;

impl<'s> Sample<'s> {
    /// Takes the sample of a file.
    pub fn new(bytes: &'s [u8]) -> Sample<'s> {
        let mut lines = Vec::new();
        let mut taken = 0;
        for line in (Chunk { file: 0, offset: 0, bytes }).lines() {
            let text = line.bytes.trim_ascii();
            if !text.is_empty() {
                lines.push(text);
            }
            taken += line.bytes.len();
            if lines.len() >= MAX_LINES || taken > MAX_BYTES {
                break;
            }
        }
        let head = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        Sample { lines, head: &head[..head.len().min(HEAD_BYTES)], all: bytes }
    }

    /// The share of lines for which `is_mine` holds, 0 to 100; with at least one hit never below `floor`.
    pub fn share(&self, floor: u8, is_mine: impl Fn(&[u8]) -> bool) -> u8 {
        let hits = self.lines.iter().filter(|l| is_mine(l)).count();
        if hits == 0 {
            return 0;
        }
        ((hits * 100 / self.lines.len().max(1)) as u8).max(floor)
    }
}

/// Calls `visit` with the members of a JSON object at the start of `line`. Stops at the first fault, so a cut
/// line still shows its first members.
pub fn members<'l>(line: &'l [u8], mut visit: impl FnMut(&'l [u8], &mut Json<'l>)) {
    let mut json = Json::new(line, 0);
    if json.kind() == Ok(Kind::Object) {
        let _ = json.object(|key, v| {
            visit(key, &mut v.clone());
            v.skip().map(drop)
        });
    }
}

/// The dialect that is surest of the sample, with its confidence; `None` when nobody claims it.
pub fn detect(sample: &Sample<'_>) -> Option<(&'static Dialect, u8)> {
    ranking(sample).into_iter().next()
}

/// All dialects that claim the sample, surest first.
pub fn ranking(sample: &Sample<'_>) -> Vec<(&'static Dialect, u8)> {
    if looks_binary(sample.head) {
        return Vec::new();
    }
    let mut bids: Vec<_> = DIALECTS.iter().map(|d| (*d, (d.detect)(sample))).filter(|(_, c)| *c > 0).collect();
    bids.sort_by_key(|(_, confidence)| std::cmp::Reverse(*confidence));
    bids
}

/// More than one byte in ten is NUL: not a log (a few NULs are, after a crash).
fn looks_binary(head: &[u8]) -> bool {
    memchr::memchr_iter(0, head).count() * 10 > head.len()
}
