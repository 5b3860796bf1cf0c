//! Cases of joining and judging: `tests/cases/{join,fate}/*.toml`, found by file. A case holds its logs and, one
//! line a call, what must come out of them:
//!
//! `tool state how-linked: type fate(how) …`, with `-` where there is no link. `[marker]` stands behind a fate
//! that a marker of the catalogue gave.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use mcploss::event::Catalogue;
use serde::Deserialize;

use crate::support::{Run, analyze};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// What the case shows.
    about: String,
    /// One line a call.
    expected: String,
    log: Vec<Log>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Log {
    /// File name; `server.*` and `client.*` set the side, other names leave it to the dialect.
    name: String,
    text: String,
}

fn render(run: &Run) -> String {
    let mut out = String::new();
    for c in &run.verdict.calls {
        let link = c.link.map_or("-", |l| l.id());
        let _ = write!(out, "{} {} {link}:", c.tool, c.state.id());
        for b in &run.verdict.blocks[c.first_block as usize..(c.first_block + c.block_count) as usize] {
            let _ = write!(out, " {} {}", b.type_name, b.fate.id());
            if b.how.0 != 0 {
                let _ = write!(out, "({})", b.how.names());
            }
            if let Some(m) = b.marker {
                let _ = write!(out, "[{}]", Catalogue::built_in().markers[m as usize].id);
            }
        }
        out.push('\n');
    }
    out
}

fn run(case: &Case) -> String {
    let dir = tempfile::tempdir().unwrap();
    let paths: Vec<PathBuf> = case.log.iter().map(|l| dir.path().join(&l.name)).collect();
    for (log, path) in case.log.iter().zip(&paths) {
        std::fs::write(path, log.text.trim_start()).unwrap();
    }
    render(&analyze(&paths))
}

#[test]
fn every_case_comes_out_as_written() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut files: Vec<PathBuf> = ["join", "fate"]
        .iter()
        .flat_map(|d| std::fs::read_dir(root.join(d)).unwrap())
        .map(|e| e.unwrap().path())
        .filter(|p| p.extension().is_some_and(|e| e == "toml"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    let mut failed = String::new();
    for file in files {
        let text = std::fs::read_to_string(&file).unwrap();
        let case: Case = toml::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let got = run(&case);
        if got.trim() != case.expected.trim() {
            let want = case.expected.trim();
            let _ = writeln!(failed, "{}: {}\nwant\n{want}\ngot\n{got}", file.display(), case.about);
        }
    }
    assert!(failed.is_empty(), "\n{failed}");
}
