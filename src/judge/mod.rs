//! Stage 5 of 9: judge. Each block gets exactly one fate, by an ordered list of rules, one file a rule.
//!
//! A fate is a claim about people's software, so each rests on evidence that opens to file, line and bytes,
//! and what the logs cannot show is called unobserved.

pub mod verdict;

pub use verdict::{Blame, CallState, Fate, How, JudgedBlock, JudgedCall, Judgement};

use crate::bytes::SourceSet;
use crate::event::{Catalogue, Events};
use crate::join::Calls;

/// Judges every block of every call.
pub fn judge(_events: &Events, _calls: &Calls, _sources: &SourceSet, _markers: &Catalogue) -> Judgement {
    Judgement::default()
}
