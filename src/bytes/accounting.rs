//! What was read and what became of it: lines understood plus lines not understood are the lines read.

use std::collections::BTreeMap;

use super::Span;

/// Why a line was not understood. The name (`id`) is stable: it is a key of the JSON output.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Skip {
    /// Nothing but white space.
    Blank,
    /// Text that the dialect does not define: stderr of a server between frames, banners, stack traces.
    OtherText,
    /// JSON of a shape that the dialect does not define.
    OtherJson,
    /// The line ends in the middle of a JSON value, as after a crash or a full disk.
    CutJson,
    /// Starts like JSON and is not.
    BadJson,
    /// JSON nested deeper than [`crate::bytes::limits::MAX_DEPTH`].
    TooDeep,
    /// Longer than `--max-line`.
    TooLong,
    /// No dialect recognised the file.
    UnknownDialect,
    /// Outside `--since`/`--until` or the other filters.
    Filtered,
}

impl Skip {
    /// All reasons, in the order of the accounting table.
    pub const ALL: &'static [Skip] = &[
        Skip::Blank,
        Skip::OtherText,
        Skip::OtherJson,
        Skip::CutJson,
        Skip::BadJson,
        Skip::TooDeep,
        Skip::TooLong,
        Skip::UnknownDialect,
        Skip::Filtered,
    ];

    /// Stable machine name.
    pub fn id(self) -> &'static str {
        match self {
            Skip::Blank => "blank",
            Skip::OtherText => "other-text",
            Skip::OtherJson => "other-json",
            Skip::CutJson => "cut-json",
            Skip::BadJson => "bad-json",
            Skip::TooDeep => "too-deep",
            Skip::TooLong => "too-long",
            Skip::UnknownDialect => "unknown-dialect",
            Skip::Filtered => "filtered",
        }
    }

    /// One sentence for a person.
    pub fn doc(self) -> &'static str {
        match self {
            Skip::Blank => "empty line",
            Skip::OtherText => "text that is not part of the dialect (server's stderr, banners)",
            Skip::OtherJson => "JSON of a shape the dialect does not define",
            Skip::CutJson => "line ends in the middle of its JSON",
            Skip::BadJson => "starts like JSON and is not",
            Skip::TooDeep => "JSON nested too deeply",
            Skip::TooLong => "line longer than --max-line",
            Skip::UnknownDialect => "no dialect recognised the file",
            Skip::Filtered => "outside the asked time window or filter",
        }
    }

    /// Whether a user should be told where the first of these stands.
    pub fn is_damage(self) -> bool {
        matches!(self, Skip::CutJson | Skip::BadJson | Skip::TooDeep | Skip::TooLong)
    }
}

/// Counts of one input (or, merged, of a run).
#[derive(Clone, Debug, Default)]
pub struct Accounting {
    /// Lines read.
    pub lines: u64,
    /// Lines understood, by dialect name.
    pub understood: BTreeMap<&'static str, u64>,
    /// Lines not understood, by reason.
    pub skipped: BTreeMap<Skip, u64>,
    /// Where the first damaged lines stand, at most `MAX_EXAMPLES` a chunk.
    pub examples: Vec<(Skip, Span)>,
}

impl Accounting {
    const MAX_EXAMPLES: usize = 3;

    /// Counts `n` lines as understood by `dialect`.
    pub fn understood(&mut self, dialect: &'static str, n: u64) {
        if n > 0 {
            self.lines += n;
            *self.understood.entry(dialect).or_default() += n;
        }
    }

    /// Counts one line as not understood.
    pub fn skip(&mut self, reason: Skip, at: Span) {
        self.lines += 1;
        *self.skipped.entry(reason).or_default() += 1;
        if reason.is_damage() && self.examples.len() < Self::MAX_EXAMPLES {
            self.examples.push((reason, at));
        }
    }

    /// Counts `n` lines as not understood, without an example.
    pub fn skip_many(&mut self, reason: Skip, n: u64) {
        if n > 0 {
            self.lines += n;
            *self.skipped.entry(reason).or_default() += n;
        }
    }

    /// Adds `other`; associative, so the number of threads cannot change the sum.
    pub fn merge(&mut self, other: Accounting) {
        self.lines += other.lines;
        for (k, n) in other.understood {
            *self.understood.entry(k).or_default() += n;
        }
        for (k, n) in other.skipped {
            *self.skipped.entry(k).or_default() += n;
        }
        let room = (4 * Self::MAX_EXAMPLES).saturating_sub(self.examples.len());
        self.examples.extend(other.examples.into_iter().take(room));
    }

    /// The conservation law: every line read is accounted for exactly once.
    pub fn adds_up(&self) -> bool {
        self.understood.values().sum::<u64>() + self.skipped.values().sum::<u64>() == self.lines
    }
}
