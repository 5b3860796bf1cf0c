//! Captured logs with the true fate of each block: `tests/corpus/*/expected.jsonl`, found by folder.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use mcploss::event::BlockType;
use mcploss::judge::{Fate, Judgement};
use serde_json::Value;

fn analyze(paths: &[PathBuf]) -> Judgement {
    crate::support::analyze(paths).verdict
}

fn folders() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let mut out: Vec<PathBuf> = std::fs::read_dir(root)
        .unwrap()
        .map(|e| e.unwrap().path())
        .filter(|p| p.join("expected.jsonl").exists())
        .collect();
    out.sort();
    out
}

/// One line a block: `call tool block type: fate (how)`.
fn expected(folder: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(folder.join("expected.jsonl")).unwrap();
    let mut out = Vec::new();
    for (call, line) in text.lines().enumerate() {
        let v: Value = serde_json::from_str(line).unwrap();
        let tool = v["tool"].as_str().unwrap();
        for (i, b) in v["blocks"].as_array().unwrap().iter().enumerate() {
            let how = b["how"].as_str().unwrap_or("");
            out.push(format!(
                "{call} {tool} {i} {}: {} {how}",
                b["type"].as_str().unwrap(),
                b["fate"].as_str().unwrap()
            ));
        }
        if let Some(s) = v.get("structuredContent") {
            let (fate, how) = match s {
                Value::String(fate) => (fate.as_str(), ""),
                v => (v["fate"].as_str().unwrap(), v["how"].as_str().unwrap_or("")),
            };
            let i = v["blocks"].as_array().unwrap().len();
            out.push(format!("{call} {tool} {i} structuredContent: {fate} {how}"));
        }
    }
    out
}

fn got(j: &Judgement) -> Vec<String> {
    let with_frames = j.calls.iter().filter(|c| c.call.is_some());
    let mut out = Vec::new();
    for (call, c) in with_frames.enumerate() {
        for b in &j.blocks[c.first_block as usize..(c.first_block + c.block_count) as usize] {
            let how = b.how.names();
            out.push(format!("{call} {} {} {}: {} {how}", c.tool, b.index, b.type_name, b.fate.id()));
        }
    }
    out
}

/// The lines in which two lists differ. An expectation without a `how` accepts any.
fn diff(want: &[String], got: &[String]) -> String {
    let mut out = String::new();
    for i in 0..want.len().max(got.len()) {
        let (w, g) = (want.get(i).map_or("", String::as_str), got.get(i).map_or("", String::as_str));
        let same = w == g || (w.ends_with(' ') && !w.is_empty() && g.starts_with(w));
        if !same {
            let _ = writeln!(out, "  want {w}\n  got  {g}");
        }
    }
    out
}

#[test]
fn every_block_has_its_true_fate() {
    let mut failed = String::new();
    let folders = folders();
    assert!(folders.len() >= 5, "the corpus is there");
    for folder in folders {
        let want = expected(&folder);
        let mut sets = vec![vec!["wire.jsonl", "gateway.jsonl"], vec!["gateway.jsonl", "wire.jsonl"]];
        if folder.join("rollout.jsonl").exists() {
            sets.push(vec!["wire.jsonl", "gateway.jsonl", "rollout.jsonl"]);
        }
        for set in sets {
            let paths: Vec<PathBuf> = set.iter().map(|f| folder.join(f)).collect();
            let d = diff(&want, &got(&analyze(&paths)));
            if !d.is_empty() {
                let _ = writeln!(failed, "{} {set:?}\n{d}", folder.display());
            }
        }
    }
    assert!(failed.is_empty(), "\n{failed}");
}

#[test]
fn a_wire_log_alone_proves_no_loss() {
    for folder in folders() {
        let j = analyze(&[folder.join("wire.jsonl")]);
        assert!(!j.blocks.is_empty());
        for b in &j.blocks {
            let settled = matches!(b.fate, Fate::Unobserved | Fate::ServerInvalid);
            assert!(settled, "{} {:?}", folder.display(), b.fate);
            assert!(b.fate != Fate::Unobserved || (!b.reason.is_empty() && !b.hint.is_empty()));
        }
    }
}

#[test]
fn a_third_log_adds_evidence() {
    for folder in folders().into_iter().filter(|f| f.join("rollout.jsonl").exists()) {
        let paths = ["wire.jsonl", "gateway.jsonl", "rollout.jsonl"].map(|f| folder.join(f));
        let j = analyze(&paths);
        let kept = j.blocks.iter().filter(|b| !b.kept.is_none()).count();
        assert!(kept > 0, "{}", folder.display());
    }
}

#[test]
fn the_model_side_alone_says_what_it_can() {
    for folder in folders() {
        let j = analyze(&[folder.join("gateway.jsonl")]);
        assert!(j.blocks.is_empty());
        assert!(j.calls.len() >= 5, "{}", folder.display());
        assert!(j.calls.iter().all(|c| c.call.is_none()));
    }
}

#[test]
fn structured_content_is_a_block() {
    let any = folders().iter().any(|f| {
        let j = analyze(&[f.join("wire.jsonl"), f.join("gateway.jsonl")]);
        j.blocks.iter().any(|b| b.block_type == BlockType::Structured)
    });
    assert!(any);
}
