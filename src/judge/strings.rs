//! Finding JSON in a text, and the strings in JSON.

use std::ops::Range;

use super::scene::MAX_LEAVES;
use crate::bytes::json::{Fault, Json, Kind, text_of};

/// Places in one text where JSON is tried.
const MAX_JSON_STARTS: usize = 64;

/// A string inside of JSON.
pub struct Leaf {
    /// Where, quotes aside.
    pub at: Range<usize>,
    /// It stands in an object that looks like a content block.
    pub in_block: bool,
}

/// Type names that make an object look like a content block.
const BLOCK_TYPES: [&[u8]; 5] = [b"text", b"image", b"audio", b"resource", b"resource_link"];

/// Collects the strings of a JSON value.
pub fn walk(v: &mut Json<'_>, out: &mut Vec<Leaf>, cap: usize) -> Result<(), Fault> {
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
pub fn quoted(text: &[u8]) -> Option<Range<usize>> {
    let start = text.iter().position(|b| !b.is_ascii_whitespace())?;
    if text[start] != b'"' {
        return None;
    }
    let mut json = Json::new(text, start);
    let range = json.string().ok()?;
    (json.at_end() && !range.is_empty()).then_some(range)
}

/// A text with escapes of a string literal (`\n`, `\"`, `\'`) undone; `None` when it has none.
pub fn unescape_literal(text: &[u8]) -> Option<Vec<u8>> {
    let has = |needle: &[u8]| memchr::memmem::find(text, needle).is_some();
    if memchr::memchr(b'\\', text).is_none() || !(has(b"\\n") || has(b"\\\"") || has(b"\\'") || has(b"\\u")) {
        return None;
    }
    Some(text_of(text).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_in_brackets_is_not_json() {
        assert!(json_regions(b"[see below] {nothing} [1 image omitted]").is_empty());
        assert_eq!(json_regions(b"a\n{\"b\":1}\n[1,2]"), [2..9, 10..15]);
    }
}
