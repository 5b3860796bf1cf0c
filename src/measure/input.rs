//! What was read: files, bytes and lines, and how many of them were understood.

use serde::Serialize;

use crate::bytes::{Accounting, Skip, SourceSet};

/// What was read in a run. `lines` is the sum of `understood` and `skipped`.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Inputs {
    /// Size on disk in bytes.
    pub disk_bytes: u64,
    /// Size of the (decompressed) text in bytes.
    pub text_bytes: u64,
    /// Lines.
    pub lines: u64,
    /// Lines understood, by dialect.
    pub understood: Vec<Understood>,
    /// Lines not understood, by reason.
    pub skipped: Vec<Skipped>,
    /// Inputs that could not be opened, or only in part: the messages.
    pub failed: Vec<String>,
    /// Each file.
    pub files: Vec<FileInput>,
}

/// Lines of one dialect.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Understood {
    /// Dialect.
    pub dialect: &'static str,
    /// Lines.
    pub lines: u64,
}

/// Lines that were not understood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Skipped {
    /// Reason.
    pub reason: &'static str,
    /// In a sentence.
    pub meaning: &'static str,
    /// The line is damaged, or hit a limit: not merely text of another kind.
    pub is_damage: bool,
    /// Lines.
    pub lines: u64,
}

/// How a file was taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Recognised {
    /// Dialect; `None` when nobody claimed the file.
    pub dialect: Option<&'static str>,
    /// Whose log it was taken for.
    pub side: Option<&'static str>,
}

/// One file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FileInput {
    /// Name as given or found.
    pub name: String,
    /// Dialect; null when nobody claimed it.
    pub dialect: Option<&'static str>,
    /// `server`, `wire`, `client` or `model`: whose log.
    pub side: Option<&'static str>,
    /// Size on disk in bytes.
    pub disk_bytes: u64,
    /// Size of its text in bytes.
    pub text_bytes: u64,
    /// Lines.
    pub lines: u64,
    /// Of these understood.
    pub understood_lines: u64,
}

impl Inputs {
    /// Sums up what was read; `accounting` and `recognised` go by file.
    pub fn new(
        sources: &SourceSet,
        accounting: &[Accounting],
        recognised: &[Recognised],
        failed: Vec<String>,
    ) -> Inputs {
        let mut all = Accounting::default();
        let mut inputs = Inputs { failed, ..Inputs::default() };
        for (i, source) in sources.sources.iter().enumerate() {
            let own = accounting.get(i).cloned().unwrap_or_default();
            let how = recognised.get(i).copied().unwrap_or_default();
            let text_bytes = source.bytes().len() as u64;
            inputs.disk_bytes += source.disk_bytes;
            inputs.text_bytes += text_bytes;
            inputs.files.push(FileInput {
                name: source.name.clone(),
                dialect: how.dialect,
                side: how.side,
                disk_bytes: source.disk_bytes,
                text_bytes,
                lines: own.lines,
                understood_lines: own.understood.values().sum(),
            });
            all.merge(own);
        }
        inputs.lines = all.lines;
        inputs.understood =
            all.understood.into_iter().map(|(dialect, lines)| Understood { dialect, lines }).collect();
        inputs.skipped = all
            .skipped
            .into_iter()
            .map(|(s, lines)| Skipped { reason: s.id(), meaning: s.doc(), is_damage: s.is_damage(), lines })
            .collect();
        inputs
    }

    /// Lines understood.
    pub fn understood_lines(&self) -> u64 {
        self.understood.iter().map(|u| u.lines).sum()
    }

    /// Lines that say something and were not understood, blank ones aside.
    pub fn unread_lines(&self) -> u64 {
        self.skipped.iter().filter(|s| s.reason != Skip::Blank.id()).map(|s| s.lines).sum()
    }

    /// A part of the input is missing: a file was not read or not recognised, or a line is damaged.
    pub fn has_gaps(&self) -> bool {
        !self.failed.is_empty()
            || self.skipped.iter().any(|s| s.is_damage)
            || self.files.iter().any(|f| f.dialect.is_none() && f.lines > 0)
    }
}
