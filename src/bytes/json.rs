//! Reading JSON where it lies: a pull parser that visits each byte once and gives back byte ranges.
//!
//! Blocks are claims about places in a file, so every value must be known by its range; and payloads are
//! most of a log, so a value that nobody asks for must cost no more than the search for its end. What is
//! skipped is checked only for balance and closed strings. Strings are compared and unescaped on demand.

use std::ops::Range;

use memchr::memchr2;
use thiserror::Error;

use super::limits::MAX_DEPTH;

mod text;

pub use text::{canonical_hash, text_of, unescape};

/// Why a text is not (whole) JSON. Offsets are into the text given to [`Json::new`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum Fault {
    /// The text ends inside a value.
    #[error("ends inside a value")]
    Cut,
    /// Not JSON at this offset.
    #[error("not JSON at byte {0}")]
    Bad(usize),
    /// Nested deeper than [`MAX_DEPTH`].
    #[error("nested too deeply at byte {0}")]
    Deep(usize),
}

/// What kind of value stands next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `{`
    Object,
    /// `[`
    Array,
    /// `"`
    String,
    /// A digit or `-`.
    Number,
    /// `true` or `false`.
    Bool,
    /// `null`
    Null,
}

/// A cursor over a text that holds JSON.
#[derive(Clone, Debug)]
pub struct Json<'a> {
    text: &'a [u8],
    pos: usize,
    depth: u32,
}

type Step = Result<(), Fault>;

impl<'a> Json<'a> {
    /// A cursor at byte `pos` of `text`.
    pub fn new(text: &'a [u8], pos: usize) -> Self {
        Json { text, pos, depth: 0 }
    }

    /// Where the cursor stands.
    pub fn pos(&self) -> usize {
        self.pos
    }

    /// The text behind the cursor's ranges.
    pub fn text(&self) -> &'a [u8] {
        self.text
    }

    fn space(&mut self) {
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = self.text.get(self.pos) {
            self.pos += 1;
        }
    }

    /// The kind of the next value.
    pub fn kind(&mut self) -> Result<Kind, Fault> {
        self.space();
        match self.text.get(self.pos) {
            None => Err(Fault::Cut),
            Some(b'{') => Ok(Kind::Object),
            Some(b'[') => Ok(Kind::Array),
            Some(b'"') => Ok(Kind::String),
            Some(b'-' | b'0'..=b'9') => Ok(Kind::Number),
            Some(b't' | b'f') => Ok(Kind::Bool),
            Some(b'n') => Ok(Kind::Null),
            Some(_) => Err(Fault::Bad(self.pos)),
        }
    }

    /// Nothing but white space is left.
    pub fn at_end(&mut self) -> bool {
        self.space();
        self.pos >= self.text.len()
    }

    /// Reads a string and gives the range between its quotes, escapes untouched.
    pub fn string(&mut self) -> Result<Range<usize>, Fault> {
        self.space();
        match self.text.get(self.pos) {
            Some(b'"') => {}
            None => return Err(Fault::Cut),
            Some(_) => return Err(Fault::Bad(self.pos)),
        }
        let start = self.pos + 1;
        let end = string_end(self.text, start)?;
        self.pos = end + 1;
        Ok(start..end)
    }

    /// Reads a string if one stands next, else skips the value and gives `None`.
    pub fn string_or_skip(&mut self) -> Result<Option<Range<usize>>, Fault> {
        if self.kind()? == Kind::String {
            return self.string().map(Some);
        }
        self.skip()?;
        Ok(None)
    }

    /// Visits the members of an object. `visit` gets the raw key and must consume the value.
    pub fn object(&mut self, mut visit: impl FnMut(&'a [u8], &mut Self) -> Step) -> Step {
        self.open(b'{')?;
        self.space();
        if self.text.get(self.pos) == Some(&b'}') {
            return self.close();
        }
        loop {
            let key = self.string()?;
            self.space();
            self.expect(b':')?;
            self.space();
            let before = self.pos;
            visit(&self.text[key], self)?;
            debug_assert!(self.pos > before, "visit must consume the value");
            if self.comma_or(b'}')? {
                return self.close();
            }
        }
    }

    /// Visits the elements of an array. `visit` must consume the value.
    pub fn array(&mut self, visit: impl FnMut(usize, &mut Self) -> Step) -> Step {
        self.array_from(0, None, visit)
    }

    /// As [`Json::array`], yet the first `index` elements, which end at byte `known_end`, are known already
    /// and are not visited.
    pub fn array_from(
        &mut self,
        mut index: usize,
        known_end: Option<usize>,
        mut visit: impl FnMut(usize, &mut Self) -> Step,
    ) -> Step {
        self.open(b'[')?;
        self.space();
        if self.text.get(self.pos) == Some(&b']') {
            return self.close();
        }
        if let Some(end) = known_end {
            self.pos = end;
            if self.comma_or(b']')? {
                return self.close();
            }
        }
        loop {
            self.space();
            visit(index, self)?;
            index += 1;
            if self.comma_or(b']')? {
                return self.close();
            }
        }
    }

    fn open(&mut self, bracket: u8) -> Step {
        self.space();
        self.expect(bracket)?;
        self.depth += 1;
        if self.depth > MAX_DEPTH { Err(Fault::Deep(self.pos)) } else { Ok(()) }
    }

    fn close(&mut self) -> Step {
        self.pos += 1;
        self.depth -= 1;
        Ok(())
    }

    fn expect(&mut self, byte: u8) -> Step {
        match self.text.get(self.pos) {
            Some(&b) if b == byte => {
                self.pos += 1;
                Ok(())
            }
            None => Err(Fault::Cut),
            Some(_) => Err(Fault::Bad(self.pos)),
        }
    }

    fn comma_or(&mut self, end: u8) -> Result<bool, Fault> {
        self.space();
        match self.text.get(self.pos) {
            Some(b',') => {
                self.pos += 1;
                Ok(false)
            }
            Some(&b) if b == end => Ok(true),
            None => Err(Fault::Cut),
            Some(_) => Err(Fault::Bad(self.pos)),
        }
    }

    /// Skips one value of any kind and gives its range.
    pub fn skip(&mut self) -> Result<Range<usize>, Fault> {
        let kind = self.kind()?;
        let start = self.pos;
        match kind {
            Kind::String => {
                self.string()?;
            }
            Kind::Object | Kind::Array => self.skip_container()?,
            Kind::Number => {
                let rest = &self.text[self.pos..];
                let n = rest
                    .iter()
                    .position(|b| !matches!(b, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'))
                    .unwrap_or(rest.len());
                self.pos += n;
            }
            Kind::Bool | Kind::Null => {
                let rest = &self.text[self.pos..];
                let word = [&b"true"[..], b"false", b"null"].into_iter().find(|w| rest.starts_with(w));
                match word {
                    Some(w) => self.pos += w.len(),
                    None if [&b"true"[..], b"false", b"null"].iter().any(|w| w.starts_with(rest)) => {
                        return Err(Fault::Cut);
                    }
                    None => return Err(Fault::Bad(self.pos)),
                }
            }
        }
        Ok(start..self.pos)
    }

    fn skip_container(&mut self) -> Step {
        let mut depth = 0u32;
        while let Some(&b) = self.text.get(self.pos) {
            match b {
                b'"' => {
                    self.pos = string_end(self.text, self.pos + 1)? + 1;
                    continue;
                }
                b'{' | b'[' => {
                    depth += 1;
                    if self.depth + depth > MAX_DEPTH {
                        return Err(Fault::Deep(self.pos));
                    }
                }
                b'}' | b']' => {
                    depth -= 1;
                    if depth == 0 {
                        self.pos += 1;
                        return Ok(());
                    }
                }
                _ => {}
            }
            self.pos += 1;
        }
        Err(Fault::Cut)
    }

    /// Reads a whole number; any other value is skipped and gives `None`.
    pub fn int(&mut self) -> Result<Option<i64>, Fault> {
        let range = self.skip()?;
        Ok(std::str::from_utf8(&self.text[range]).ok().and_then(|s| s.parse().ok()))
    }

    /// Reads a boolean; any other value is skipped and gives `None`.
    pub fn bool(&mut self) -> Result<Option<bool>, Fault> {
        let range = self.skip()?;
        Ok(match &self.text[range] {
            b"true" => Some(true),
            b"false" => Some(false),
            _ => None,
        })
    }
}

/// The offset of the quote that closes a string whose first character is at `start`.
fn string_end(text: &[u8], start: usize) -> Result<usize, Fault> {
    let mut at = start;
    loop {
        let rest = text.get(at..).ok_or(Fault::Cut)?;
        match memchr2(b'"', b'\\', rest) {
            None => return Err(Fault::Cut),
            Some(n) if rest[n] == b'"' => return Ok(at + n),
            Some(n) => at += n + 2,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(s: &str) -> Result<u64, Fault> {
        canonical_hash(&mut Json::new(s.as_bytes(), 0))
    }

    #[test]
    fn canonical_hash_sees_values_not_spelling() {
        assert_eq!(hash(r#"{"a":1,"b":[true,"é"]}"#), hash("{ \"b\" : [true, \"\\u00e9\"], \"a\" : 1.0 }"));
        assert_ne!(hash(r#"{"a":"1"}"#), hash(r#"{"a":1}"#));
        assert_ne!(hash("[1,[2]]"), hash("[[1],2]"));
        assert_eq!(hash("-0.0"), hash("0"));
    }

    #[test]
    fn unescapes_pairs_and_lone_surrogates() {
        let mut out = Vec::new();
        unescape(br#"a\"\\\/\n\ud83d\ude00\ud83d|\u12"#, &mut out);
        assert_eq!(String::from_utf8_lossy(&out), "a\"\\/\n😀\u{fffd}|\u{fffd}12");
    }

    #[test]
    fn a_cut_text_is_told_from_a_bad_one() {
        for text in ["{\"a\":\"b", "{\"a\":", "[1,", "{", "\"x\\", "tru"] {
            assert_eq!(Json::new(text.as_bytes(), 0).skip(), Err(Fault::Cut), "{text}");
        }
        assert_eq!(Json::new(b"nope", 0).skip(), Err(Fault::Bad(0)));
        let deep = "[".repeat(500);
        assert!(matches!(Json::new(deep.as_bytes(), 0).skip(), Err(Fault::Deep(_))));
    }
}
