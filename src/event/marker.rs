//! What clients write where content used to be: the catalogue, and finding its entries in a text.
//!
//! The catalogue is data (`markers.toml`); a user adds to it with `--markers FILE`. One Aho-Corasick automaton
//! over each marker's longest literal finds candidates; a candidate's own expression decides.

use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;
use regex::bytes::Regex;
use serde::Deserialize;
use thiserror::Error;

/// What a marker says about the blocks that it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
pub enum Says {
    /// The block was replaced.
    Placeholder,
    /// Its MIME type was refused.
    MimeRejected,
    /// Its bytes could not be decoded.
    DecodeFailed,
    /// Its type is not modelled.
    UnknownType,
    /// It was too large.
    SizeLimited,
    /// A part of it was cut.
    Truncated,
    /// It was there and was removed later.
    Evicted,
    /// The whole result was refused because of one block.
    Refused,
    /// Nothing was left, or nothing came.
    Empty,
    /// The client made a result up: timeout, cancellation, crash.
    Synthetic,
    /// A guard or filter took it out.
    Policy,
    /// No loss: moved, wrapped, re-encoded, shown.
    None,
}

/// Where a marker may stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Match {
    /// It is the whole text part.
    Part,
    /// It is a whole line.
    Line,
    /// Anywhere in a text.
    Anywhere,
}

/// Which log a marker stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Where {
    /// In text sent to the model.
    Model,
    /// In the client's own log.
    Log,
    /// In an error answer of the model API.
    Api,
}

/// One entry of the catalogue.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Marker {
    /// Unique name.
    pub id: String,
    /// Literal text; `{}` stands for a varying part of a line, `{N}` for a number.
    pub text: String,
    /// Where in a text it may stand.
    #[serde(rename = "match")]
    pub matching: Match,
    /// Block types that it can stand for: `any`, or `result` for the whole result.
    pub stands_for: Vec<String>,
    /// What it says.
    pub fate: Says,
    /// Which log it stands in.
    #[serde(rename = "where")]
    pub place: Where,
    /// Program that writes it.
    pub client: String,
    /// How that is known.
    pub source: String,
    /// When it needs care.
    #[serde(default)]
    pub note: String,
}

impl Marker {
    /// Can it stand for a block of this type?
    pub fn covers(&self, block_type: &str) -> bool {
        self.stands_for.iter().any(|s| s == block_type || s == "any" || s == "result")
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    marker: Vec<Marker>,
}

/// Why a marker file was refused.
#[derive(Debug, Error)]
pub enum MarkerError {
    /// Not TOML, or not of the documented shape.
    #[error("marker file: {0}\n  see `mcploss rules --markers` for the built-in ones as an example")]
    Shape(#[from] toml::de::Error),
    /// An entry that would match everything, or twice the same name.
    #[error("marker `{id}`: {why}")]
    Entry {
        /// The entry.
        id: String,
        /// What is wrong with it.
        why: String,
    },
}

/// All markers, ready to be found.
pub struct Catalogue {
    /// The entries; [`Hit::marker`] is an index into this.
    pub markers: Vec<Marker>,
    literals: AhoCorasick,
    expressions: Vec<OnceLock<Option<Regex>>>,
}

/// A marker found in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Index into [`Catalogue::markers`].
    pub marker: usize,
    /// Where in the text.
    pub at: Range<usize>,
}

const BUILT_IN: &str = include_str!("markers.toml");
/// Shortest literal that may be searched for anywhere: shorter ones occur in prose.
const MIN_LITERAL_BYTES: usize = 3;

impl Catalogue {
    /// The built-in catalogue, with a user's entries in front of it.
    ///
    /// # Errors
    /// When `user_toml` is not a marker file.
    pub fn new(user_toml: Option<&str>) -> Result<Catalogue, MarkerError> {
        let mut markers = match user_toml {
            Some(text) => toml::from_str::<File>(text)?.marker,
            None => Vec::new(),
        };
        markers.extend(toml::from_str::<File>(BUILT_IN)?.marker);
        let mut names = rustc_hash::FxHashSet::default();
        let mut literals = Vec::with_capacity(markers.len());
        for m in &markers {
            let bad = |why: &str| MarkerError::Entry { id: m.id.clone(), why: why.to_owned() };
            if !names.insert(m.id.as_str()) {
                return Err(bad("the id is used twice"));
            }
            let literal = longest_literal(&m.text);
            if literal.len() < MIN_LITERAL_BYTES {
                return Err(bad("needs at least 3 literal bytes in a row"));
            }
            literals.push(literal.to_owned());
        }
        let literals =
            AhoCorasick::new(&literals).map_err(|e| MarkerError::Entry { id: "*".into(), why: e.to_string() })?;
        let expressions = markers.iter().map(|_| OnceLock::new()).collect();
        Ok(Catalogue { markers, literals, expressions })
    }

    /// The built-in catalogue alone.
    pub fn built_in() -> &'static Catalogue {
        static BUILT: OnceLock<Catalogue> = OnceLock::new();
        BUILT.get_or_init(|| Catalogue::new(None).unwrap_or_else(|e| unreachable!("built-in markers: {e}")))
    }

    /// All markers in `text`, in the order of their places; of overlapping ones the longest.
    pub fn find(&self, text: &[u8], place: Where) -> Vec<Hit> {
        let mut candidates: Vec<usize> =
            self.literals.find_overlapping_iter(text).map(|m| m.pattern().as_usize()).collect();
        candidates.sort_unstable();
        candidates.dedup();
        let mut hits: Vec<Hit> = Vec::new();
        for marker in candidates {
            if self.markers[marker].place != place {
                continue;
            }
            let compile = || Regex::new(&expression(&self.markers[marker])).ok();
            let Some(re) = self.expressions[marker].get_or_init(compile) else { continue };
            hits.extend(re.find_iter(text).map(|m| Hit { marker, at: m.range() }));
        }
        // Of two that match one place, the one with more words of its own is the better witness.
        let literal = |h: &Hit| self.markers[h.marker].text.replace("{}", "").len();
        hits.sort_by_key(|h| (h.at.start, std::cmp::Reverse((h.at.len(), literal(h))), h.marker));
        let mut end = 0;
        hits.retain(|h| {
            let keep = h.at.start >= end;
            if keep {
                end = h.at.end;
            }
            keep
        });
        hits
    }
}

fn longest_literal(text: &str) -> &str {
    text.split("{}").flat_map(|p| p.split("{N}")).max_by_key(|p| p.len()).unwrap_or("")
}

fn expression(m: &Marker) -> String {
    let body: Vec<String> = m
        .text
        .split("{}")
        .map(|p| p.split("{N}").map(regex::escape).collect::<Vec<_>>().join(r"[0-9][0-9.,_]*[kKM]?"))
        .collect();
    let body = body.join(r"[^\n]{0,300}?");
    match m.matching {
        Match::Part => format!(r"\A\s*{body}\s*\z"),
        Match::Line => format!(r"(?m)^[ \t]*{body}[ \t]*\r?$"),
        Match::Anywhere => body,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_marker_finds_itself() {
        let c = Catalogue::built_in();
        assert!(c.markers.len() >= 60);
        let mut failed = Vec::new();
        for (i, m) in c.markers.iter().enumerate() {
            let text = m.text.replace("{}", "something").replace("{N}", "1,234");
            let hits = c.find(text.as_bytes(), m.place);
            // A marker inside of a longer one is found as the longer one.
            let found = hits.iter().any(|h| h.marker == i || c.markers[h.marker].text.contains(&m.text));
            if !found {
                let got: Vec<_> = hits.iter().map(|h| &c.markers[h.marker].id).collect();
                failed.push(format!("{}: {text:?} gave {got:?}", m.id));
            }
        }
        assert!(failed.is_empty(), "{}", failed.join("\n"));
    }
}
