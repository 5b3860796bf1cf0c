//! The text of a marker as a pattern: literal parts, holes and numbers, tried outwards from one literal part.
//!
//! Not a regular expression: compiling hundreds of them costs more than all the searching, and a hole of up to 300
//! bytes is dear for an automaton. Here the longest literal has been found already, and a pattern is tried around
//! it in time that depends on the pattern alone.

use std::ops::Range;

/// Longest varying part, in bytes: longer ones are other text that happens to stand between the literals.
const HOLE_BYTES: usize = 300;
/// Longest number, in bytes.
const NUMBER_BYTES: usize = 20;
/// Most varying parts in one text: bounds the time of a trial.
pub const MAX_HOLES: usize = 8;

/// A part of a marker's text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Token {
    /// Stands as it is.
    Literal(Vec<u8>),
    /// `{}`: whatever is on the line.
    Hole,
    /// `{N}`: digits, with separators and a unit such as `k`.
    Number,
}

/// A marker's text, ready to be tried.
#[derive(Clone, Debug)]
pub struct Template {
    tokens: Vec<Token>,
    /// Index of the longest literal.
    anchor: usize,
}

impl Template {
    /// Reads `{}` and `{N}`; any other brace stands for itself.
    pub fn new(text: &str) -> Template {
        let mut tokens = Vec::new();
        for (i, part) in text.split("{}").enumerate() {
            if i > 0 {
                tokens.push(Token::Hole);
            }
            for (j, literal) in part.split("{N}").enumerate() {
                if j > 0 {
                    tokens.push(Token::Number);
                }
                if !literal.is_empty() {
                    tokens.push(Token::Literal(literal.as_bytes().to_vec()));
                }
            }
        }
        let len = |t: &Token| if let Token::Literal(l) = t { l.len() } else { 0 };
        let anchor = (0..tokens.len()).max_by_key(|i| len(&tokens[*i])).unwrap_or(0);
        Template { tokens, anchor }
    }

    /// Its longest literal: what to search for.
    pub fn anchor(&self) -> &[u8] {
        match self.tokens.get(self.anchor) {
            Some(Token::Literal(l)) => l,
            _ => &[],
        }
    }

    /// Bytes of all its literals.
    pub fn literal_bytes(&self) -> usize {
        self.tokens.iter().map(|t| if let Token::Literal(l) = t { l.len() } else { 0 }).sum()
    }

    /// Number of its varying parts.
    pub fn holes(&self) -> usize {
        self.tokens.iter().filter(|t| !matches!(t, Token::Literal(_))).count()
    }

    /// Where it stands around its longest literal, which was found at `at`: the narrowest place whose ends suit.
    pub fn around(
        &self,
        text: &[u8],
        at: Range<usize>,
        may_start: impl Fn(usize) -> bool,
        may_end: impl Fn(usize) -> bool,
    ) -> Option<Range<usize>> {
        let mut starts = vec![at.start];
        for token in self.tokens[..self.anchor].iter().rev() {
            starts = token.before(text, &starts);
        }
        // A number at an end is a whole number.
        let at_number = |at: usize| text.get(at).is_some_and(|b| is_number(*b));
        let splits = |at: usize| at > 0 && at_number(at - 1) && at_number(at);
        let from_number = self.tokens.first() == Some(&Token::Number);
        let to_number = self.tokens.last() == Some(&Token::Number);
        let is_start = |p: &usize| !(from_number && splits(*p)) && may_start(*p);
        let start = starts.into_iter().rev().find(is_start)?;
        let mut ends = vec![at.end];
        for token in self.tokens.get(self.anchor + 1..).unwrap_or(&[]) {
            ends = token.after(text, &ends);
        }
        let is_end = |p: &usize| !(to_number && splits(*p)) && may_end(*p);
        let end = ends.into_iter().find(is_end)?;
        Some(start..end)
    }
}

impl Token {
    /// The places at which it can end when it starts at one of `from`; both in ascending order.
    fn after(&self, text: &[u8], from: &[usize]) -> Vec<usize> {
        let mut out: Vec<usize> = Vec::new();
        match self {
            Token::Literal(l) => {
                out.extend(from.iter().filter(|p| text[**p..].starts_with(l)).map(|p| p + l.len()))
            }
            Token::Hole => {
                for p in from {
                    let mut q = out.last().map_or(*p, |last| (*p).max(last + 1));
                    // What was reached before ends at the end of the line: so does this.
                    if q > *p && text.get(q - 1) == Some(&b'\n') {
                        continue;
                    }
                    while q <= text.len() && q - p <= HOLE_BYTES {
                        out.push(q);
                        if text.get(q) == Some(&b'\n') {
                            break;
                        }
                        q += 1;
                    }
                }
            }
            Token::Number => {
                for p in from.iter().filter(|p| text.get(**p).is_some_and(u8::is_ascii_digit)) {
                    let run = text[*p..].iter().take(NUMBER_BYTES).take_while(|b| is_number(**b)).count();
                    out.extend(p + 1..=p + run);
                    if text.get(p + run).is_some_and(|b| is_unit(*b)) {
                        out.push(p + run + 1);
                    }
                }
                out.sort_unstable();
                out.dedup();
            }
        }
        out
    }

    /// The places at which it can start when it ends at one of `from`; both in ascending order.
    fn before(&self, text: &[u8], from: &[usize]) -> Vec<usize> {
        let mut out: Vec<usize> = Vec::new();
        match self {
            Token::Literal(l) => out.extend(from.iter().filter(|p| text[..**p].ends_with(l)).map(|p| p - l.len())),
            Token::Hole => {
                for p in from {
                    let line = text[..*p].iter().rev().take(HOLE_BYTES).take_while(|b| **b != b'\n').count();
                    let reached = out.last().map_or(0, |last| last + 1);
                    out.extend((p - line).max(reached)..=*p);
                }
            }
            Token::Number => {
                for p in from {
                    let unit = usize::from(*p > 0 && is_unit(text[p - 1]));
                    for end in p - unit..=*p {
                        let run =
                            text[..end].iter().rev().take(NUMBER_BYTES).take_while(|b| is_number(**b)).count();
                        out.extend((end - run..end).filter(|s| text[*s].is_ascii_digit()));
                    }
                }
                out.sort_unstable();
                out.dedup();
            }
        }
        out
    }
}

fn is_number(b: u8) -> bool {
    b.is_ascii_digit() || matches!(b, b'.' | b',' | b'_')
}

fn is_unit(b: u8) -> bool {
    matches!(b, b'k' | b'K' | b'M')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(template: &str, text: &str) -> Option<String> {
        let t = Template::new(template);
        let anchor = std::str::from_utf8(t.anchor()).unwrap();
        text.match_indices(anchor)
            .find_map(|(i, a)| t.around(text.as_bytes(), i..i + a.len(), |_| true, |_| true))
            .map(|r| text[r].to_owned())
    }

    #[test]
    fn holes_and_numbers() {
        for (template, text, found) in [
            ("plain", "so plain it is", Some("plain")),
            ("[image: {}]", "x [image: image/png] y]", Some("[image: image/png]")),
            ("[image: {}]", "[image: image\n/png]", None),
            ("[image: {}]", "[image: ]", Some("[image: ]")),
            ("({N} tokens)", "(12,345 tokens)", Some("(12,345 tokens)")),
            ("({N} tokens)", "(1.2k tokens)", Some("(1.2k tokens)")),
            ("({N} tokens)", "(many tokens)", None),
            ("({N} tokens)", "(k tokens)", None),
            ("…{N} tokens truncated…", "ab…7 tokens truncated…cd", Some("…7 tokens truncated…")),
            (
                "MCP tool \"{}\" is {N}s late",
                "MCP tool \"a\" b\" is 7s late",
                Some("MCP tool \"a\" b\" is 7s late"),
            ),
            ("{} at {}: {N} of {N} bytes left", "x at y: 1 of 2 bytes left", Some(" at y: 1 of 2 bytes left")),
            ("{N}x{N}, shown", "640x480, shown", Some("640x480, shown")),
            ("took {N}", "it took 12,5 s", Some("took 12,5")),
            ("{\"a\": {}}", "{\"a\": 1}", Some("{\"a\": 1}")),
            ("{n}", "{n}", Some("{n}")),
        ] {
            assert_eq!(find(template, text).as_deref(), found, "{template} in {text}");
        }
    }

    #[test]
    fn a_hole_is_no_longer_than_its_limit() {
        let with = |n: usize| format!("[image: {}]", "x".repeat(n));
        assert!(find("[image: {}]", &with(HOLE_BYTES)).is_some());
        assert!(find("[image: {}]", &with(HOLE_BYTES + 1)).is_none());
        let before = |n: usize| format!("({}) is no longer here", "x".repeat(n));
        assert!(find("({}) is no longer here", &before(HOLE_BYTES)).is_some());
        assert!(find("({}) is no longer here", &before(HOLE_BYTES + 1)).is_none());
    }

    #[test]
    fn the_narrowest_place_that_suits() {
        let t = Template::new("{} gone");
        let text = b"  one two gone";
        let at = 9..14;
        assert_eq!(t.around(text, at.clone(), |p| p <= 2, |_| true), Some(2..14));
        assert_eq!(t.around(text, at, |p| p > 9, |_| true), None);
    }

    #[test]
    fn what_a_text_is_made_of() {
        let t = Template::new("[{} of {N}] omitted");
        assert_eq!((t.anchor(), t.literal_bytes(), t.holes()), (b"] omitted".as_slice(), 14, 2));
        assert_eq!(Template::new("").anchor(), b"");
        assert_eq!(Template::new("{}{N}").anchor(), b"");
    }
}
