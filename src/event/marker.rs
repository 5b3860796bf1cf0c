//! What clients write where content used to be: the catalogue, and finding its entries in a text.
//!
//! The catalogue is data (`markers/*.toml`); a user adds to it with `--markers FILE`. One Aho-Corasick automaton
//! over each marker's longest literal finds candidates; the rest of the candidate's text decides.

mod template;

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::OnceLock;

use aho_corasick::AhoCorasick;
use rustc_hash::FxHashSet;
use serde::Deserialize;
use thiserror::Error;

use self::template::{MAX_HOLES, Template};

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
    /// It is the whole text part, or one of the markers that make up the whole of it, a line each.
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
    templates: Vec<Template>,
    /// How many of the entries are the user's: they stand in front.
    users: usize,
    searches: [Search; 3],
}

/// The longest literals of the markers of one place.
struct Search {
    place: Where,
    literals: AhoCorasick,
    /// Marker of each literal.
    markers: Vec<usize>,
}

/// A marker found in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hit {
    /// Index into [`Catalogue::markers`].
    pub marker: usize,
    /// Where in the text: the marker's own words, without blanks around them.
    pub at: Range<usize>,
}

const BUILT_IN: [&str; 12] = [
    include_str!("markers/bridges.toml"),
    include_str!("markers/clients.toml"),
    include_str!("markers/wordings.toml"),
    include_str!("markers/refused.toml"),
    include_str!("markers/size.toml"),
    include_str!("markers/evicted.toml"),
    include_str!("markers/empty.toml"),
    include_str!("markers/synthetic.toml"),
    include_str!("markers/policy.toml"),
    include_str!("markers/api.toml"),
    include_str!("markers/log.toml"),
    include_str!("markers/kept.toml"),
];
/// Shortest literal that may be searched for: shorter ones are in every other line.
const MIN_LITERAL_BYTES: usize = 3;
/// Longest text that a marker can make up as a whole; measured ones have a few hundred bytes.
const PART_BYTES: usize = 64 << 10;
/// Most blanks before and behind a marker that has a line of its own.
const INDENT_BYTES: usize = 64;

impl Catalogue {
    /// The built-in catalogue, with a user's entries in front of it. An entry with the id of a built-in one
    /// takes its place.
    ///
    /// # Errors
    /// When `user_toml` is not a marker file.
    pub fn new(user_toml: Option<&str>) -> Result<Catalogue, MarkerError> {
        let mut markers = match user_toml {
            Some(text) => toml::from_str::<File>(text)?.marker,
            None => Vec::new(),
        };
        let users = markers.len();
        let mut names = FxHashSet::default();
        for m in &markers {
            check(m, &mut names)?;
        }
        let own = names.clone();
        for text in BUILT_IN {
            for m in toml::from_str::<File>(text)?.marker.into_iter().filter(|m| !own.contains(&m.id)) {
                check(&m, &mut names)?;
                markers.push(m);
            }
        }
        let templates: Vec<Template> = markers.iter().map(|m| Template::new(&m.text)).collect();
        let search = |place| {
            let at: Vec<usize> = (0..markers.len()).filter(|i| markers[*i].place == place).collect();
            let literals = AhoCorasick::new(at.iter().map(|i| templates[*i].anchor()))
                .map_err(|e| MarkerError::Entry { id: "*".into(), why: e.to_string() })?;
            Ok::<_, MarkerError>(Search { place, literals, markers: at })
        };
        let searches = [search(Where::Model)?, search(Where::Log)?, search(Where::Api)?];
        Ok(Catalogue { markers, templates, users, searches })
    }

    /// The built-in catalogue alone.
    pub fn built_in() -> &'static Catalogue {
        static BUILT: OnceLock<Catalogue> = OnceLock::new();
        BUILT.get_or_init(|| Catalogue::new(None).unwrap_or_else(|e| unreachable!("built-in markers: {e}")))
    }

    /// All markers in `text`, in the order of their places; of overlapping ones the longest.
    ///
    /// One pass over the text; a marker is tried only where its longest literal stands, and no further than it
    /// can reach from there.
    pub fn find(&self, text: &[u8], place: Where) -> Vec<Hit> {
        let mut hits: Vec<Hit> = Vec::new();
        for search in self.searches.iter().filter(|s| s.place == place) {
            for found in search.literals.find_overlapping_iter(text) {
                let marker = search.markers[found.pattern().as_usize()];
                let template = &self.templates[marker];
                let at = match self.markers[marker].matching {
                    Match::Anywhere => template.around(text, found.range(), |_| true, |_| true),
                    Match::Part if text.len() > PART_BYTES => None,
                    Match::Line | Match::Part => {
                        template.around(text, found.range(), |p| starts_line(text, p), |p| ends_line(text, p))
                    }
                };
                hits.extend(at.map(|at| Hit { marker, at }));
            }
        }
        let is_part = |h: &Hit| self.markers[h.marker].matching == Match::Part;
        let best = self.longest(&hits);
        if !best.iter().any(is_part) || covers(text, &best) {
            return best;
        }
        hits.retain(|h| !is_part(h));
        self.longest(&hits)
    }

    /// Of overlapping hits the longest; of equally long ones a user's, then the one with more words of its own.
    fn longest(&self, hits: &[Hit]) -> Vec<Hit> {
        let mut order: Vec<&Hit> = hits.iter().collect();
        order.sort_unstable_by_key(|h| {
            let literal = self.templates[h.marker].literal_bytes();
            (Reverse(h.at.len()), h.marker >= self.users, Reverse(literal), h.at.start, h.marker)
        });
        let mut taken: BTreeMap<usize, &Hit> = BTreeMap::new();
        for h in order {
            let is_free = taken.range(..h.at.end).next_back().is_none_or(|(_, t)| t.at.end <= h.at.start);
            if is_free {
                taken.insert(h.at.start, h);
            }
        }
        taken.into_values().cloned().collect()
    }
}

/// The rules for an entry.
fn check(m: &Marker, names: &mut FxHashSet<String>) -> Result<(), MarkerError> {
    let template = Template::new(&m.text);
    let why = if m.id.trim().is_empty() {
        "needs an id"
    } else if !names.insert(m.id.clone()) {
        "the id is used twice"
    } else if template.anchor().len() < MIN_LITERAL_BYTES {
        "needs at least 3 literal bytes in a row"
    } else if template.holes() > MAX_HOLES {
        "has more than 8 varying parts"
    } else if m.stands_for.is_empty() {
        "stands for nothing: give block types, `any` or `result`"
    } else {
        return Ok(());
    };
    Err(MarkerError::Entry { id: m.id.clone(), why: why.to_owned() })
}

/// Only blanks between `at` and the start of its line.
fn starts_line(text: &[u8], at: usize) -> bool {
    let blanks = text[..at].iter().rev().take(INDENT_BYTES).take_while(|b| matches!(b, b' ' | b'\t')).count();
    at == blanks || text[at - blanks - 1] == b'\n'
}

/// Only blanks between `at` and the end of its line.
fn ends_line(text: &[u8], at: usize) -> bool {
    let blank = |b: &&u8| matches!(b, b' ' | b'\t' | b'\r');
    let blanks = text[at..].iter().take(INDENT_BYTES).take_while(blank).count();
    text.get(at + blanks).is_none_or(|b| *b == b'\n')
}

/// Nothing but blanks stands beside the hits, which are in order.
fn covers(text: &[u8], hits: &[Hit]) -> bool {
    let ends = std::iter::once(0).chain(hits.iter().map(|h| h.at.end));
    let starts = hits.iter().map(|h| h.at.start).chain([text.len()]);
    ends.zip(starts).all(|(from, to)| text[from..to].trim_ascii().is_empty())
}

#[cfg(test)]
mod tests;
