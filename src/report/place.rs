//! From a file and a byte offset to `file:line`.

use std::collections::HashMap;

use crate::bytes::{SourceSet, Span};
use crate::measure::mechanism::Evidence;

use super::escape::escape;

/// Finds lines in the files of a run. Without the files (facts read back from disk) offsets are shown.
#[derive(Default)]
pub struct Places<'a> {
    files: HashMap<&'a str, (u32, &'a SourceSet)>,
}

impl<'a> Places<'a> {
    /// Over opened files.
    pub fn new(sources: &'a SourceSet) -> Places<'a> {
        let files = sources.sources.iter().enumerate();
        Places { files: files.map(|(i, s)| (s.name.as_str(), (i as u32, sources))).collect() }
    }

    /// The line of a piece of evidence, counted from 1. Scans the file: for the few that are shown.
    pub fn line(&self, e: &Evidence) -> Option<u64> {
        let (file, sources) = self.files.get(e.file.as_str())?;
        Some(sources.line_number(Span { file: *file, offset: e.offset, len: 1 }))
    }

    /// `file:line`, or `file@offset` where the file is not at hand.
    pub fn show(&self, e: &Evidence) -> String {
        let name = escape(&e.file);
        match self.line(e) {
            Some(line) => format!("{name}:{line}"),
            None => format!("{name}@{}", e.offset),
        }
    }
}
