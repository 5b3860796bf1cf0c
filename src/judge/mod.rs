//! Stage 5 of 9: judge. Each block gets exactly one fate, by an ordered list of rules, one file a rule.
//!
//! A fate is a claim about people's software, so each rests on evidence that opens to file, line and bytes,
//! and what the logs cannot show is called unobserved.

mod call;
pub mod case;
mod describe;
pub mod fate;
pub mod marks;
pub mod media;
pub mod part;
pub mod scene;
mod state;
mod strings;
pub mod text;
pub mod verdict;
mod view;

pub use call::judge;
pub use verdict::{Blame, CallState, Fate, How, JudgedBlock, JudgedCall, Judgement};
