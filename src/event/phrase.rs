//! Sentences with which a model admits that content was missing: data (`phrases.toml`), matched as one set.

use std::sync::OnceLock;

use regex::bytes::RegexSet;
use serde::Deserialize;

/// One entry of the list.
#[derive(Clone, Debug, Deserialize)]
pub struct Phrase {
    /// Unique name.
    pub id: String,
    /// Language tag.
    pub lang: String,
    /// Regular expression (`regex` crate syntax).
    pub regex: String,
    /// Where the wording is from.
    pub source: String,
}

#[derive(Deserialize)]
struct File {
    phrase: Vec<Phrase>,
}

/// The phrases and the compiled set.
pub struct Phrases {
    /// The entries.
    pub phrases: Vec<Phrase>,
    set: RegexSet,
}

const BUILT_IN: &str = include_str!("phrases.toml");

impl Phrases {
    /// The built-in list.
    pub fn built_in() -> &'static Phrases {
        static BUILT: OnceLock<Phrases> = OnceLock::new();
        BUILT.get_or_init(|| {
            let phrases = toml::from_str::<File>(BUILT_IN).unwrap_or_else(|e| unreachable!("{e}")).phrase;
            let set = RegexSet::new(phrases.iter().map(|p| &p.regex)).unwrap_or_else(|e| unreachable!("{e}"));
            Phrases { phrases, set }
        })
    }

    /// The first phrase that the text holds: an index into [`Phrases::phrases`].
    pub fn find(&self, text: &[u8]) -> Option<usize> {
        self.set.matches(text).iter().next()
    }
}
