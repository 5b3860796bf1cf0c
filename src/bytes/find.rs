//! From what the user typed to a list of inputs: files, folders, globs and `-` for standard input.

use std::path::{Path, PathBuf};

use thiserror::Error;

/// Where one input comes from.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// A file on disk.
    File(PathBuf),
    /// Standard input.
    Stdin,
}

/// Why a name on the command line gave no input.
#[derive(Debug, Error)]
pub enum FindError {
    /// Neither a path nor a glob that matches anything.
    #[error(
        "{0}: no such file or folder\n  try: mcploss analyze FOLDER, a file, a quoted glob, or - for standard input"
    )]
    Missing(String),
    /// The glob matches nothing.
    #[error("{0}: the pattern matches no file")]
    NoMatch(String),
    /// The glob itself is wrong.
    #[error("{pattern}: not a valid pattern: {why}")]
    BadPattern {
        /// What was typed.
        pattern: String,
        /// What is wrong with it.
        why: String,
    },
    /// The folder holds no files.
    #[error("{0}: folder without files\n  try: mcploss formats  (which logs it reads and how to turn them on)")]
    EmptyFolder(String),
    /// The operating system refused.
    #[error("{path}: {source}")]
    Io {
        /// What could not be listed.
        path: String,
        /// Why.
        source: std::io::Error,
    },
}

/// Resolves one argument. Folders are walked in alphabetical order; links to folders are not followed.
///
/// # Errors
/// When nothing readable is found under that name; see [`FindError`].
pub fn find(arg: &str) -> Result<Vec<Place>, FindError> {
    if arg == "-" {
        return Ok(vec![Place::Stdin]);
    }
    let path = Path::new(arg);
    match std::fs::metadata(path) {
        Ok(meta) if meta.is_dir() => {
            let mut out = Vec::new();
            walk(path, 0, &mut out)?;
            if out.is_empty() {
                return Err(FindError::EmptyFolder(arg.to_owned()));
            }
            Ok(out)
        }
        Ok(_) => Ok(vec![Place::File(path.to_owned())]),
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            if !arg.contains(['*', '?', '[']) {
                return Err(FindError::Missing(arg.to_owned()));
            }
            let paths = glob::glob(arg)
                .map_err(|e| FindError::BadPattern { pattern: arg.to_owned(), why: e.to_string() })?;
            let mut out: Vec<Place> =
                paths.filter_map(Result::ok).filter(|p| p.is_file()).map(Place::File).collect();
            out.sort();
            if out.is_empty() { Err(FindError::NoMatch(arg.to_owned())) } else { Ok(out) }
        }
        Err(source) => Err(FindError::Io { path: arg.to_owned(), source }),
    }
}

/// Deeper than any log folder; stops bind-mount loops.
const MAX_FOLDER_DEPTH: u32 = 32;

fn walk(dir: &Path, depth: u32, out: &mut Vec<Place>) -> Result<(), FindError> {
    let io = |source| FindError::Io { path: dir.display().to_string(), source };
    let mut entries: Vec<_> = std::fs::read_dir(dir).map_err(io)?.filter_map(Result::ok).collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        if entry.file_name().to_string_lossy().starts_with('.') {
            continue;
        }
        let Ok(kind) = entry.file_type() else { continue };
        let path = entry.path();
        if kind.is_dir() {
            if depth < MAX_FOLDER_DEPTH {
                walk(&path, depth + 1, out)?;
            }
        } else if kind.is_file() || (kind.is_symlink() && path.is_file()) {
            out.push(Place::File(path));
        }
    }
    Ok(())
}
