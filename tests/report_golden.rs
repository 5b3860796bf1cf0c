//! What reports look like, word for word: `tests/golden/`. `UPDATE_GOLDEN=1` rewrites the files; the diff is
//! the review.

use std::path::Path;

use mcploss::measure::summary;
use mcploss::report::{Places, Style, View, json, terminal};
use serde_json::Value;

use crate::fixture::{self, Run};

/// Compares with a file of the repository, or writes it.
#[track_caller]
pub fn golden(path: &str, got: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, got).unwrap();
    }
    let want = std::fs::read_to_string(&path).unwrap_or_default();
    if want != got {
        let differ = want.lines().zip(got.lines()).position(|(w, g)| w != g);
        let line = differ.unwrap_or(want.lines().count().min(got.lines().count()));
        panic!(
            "{}: differs in line {} (UPDATE_GOLDEN=1 rewrites it)\nwant: {}\ngot:  {}\n\n{got}",
            path.display(),
            line + 1,
            want.lines().nth(line).unwrap_or("(end)"),
            got.lines().nth(line).unwrap_or("(end)"),
        );
    }
}

fn with_view<T>(run: &Run, use_it: impl FnOnce(View<'_>) -> T) -> T {
    let sources = fixture::sources();
    let summary = summary(&run.ledger(&sources)).unwrap();
    let inputs = fixture::inputs();
    use_it(View { summary: &summary, inputs: &inputs, places: &Places::new(&sources) })
}

fn terminal_text(run: &Run, width: u16) -> String {
    with_view(run, |view| terminal::terminal(view, Style { width, color: false }))
}

#[test]
fn terminal_reports() {
    golden("tests/golden/lossy-100.txt", &terminal_text(&fixture::lossy(), 100));
    golden("tests/golden/lossy-80.txt", &terminal_text(&fixture::lossy(), 80));
    golden("tests/golden/clean.txt", &terminal_text(&fixture::clean(), 80));
    golden("tests/golden/blind.txt", &terminal_text(&fixture::blind(), 80));
    golden("tests/golden/server-fault.txt", &terminal_text(&fixture::server_fault(), 80));
    golden("tests/golden/empty-server.txt", &terminal_text(&fixture::empty_server(), 80));
    golden("tests/golden/model-only.txt", &terminal_text(&fixture::model_only(), 80));
    golden("tests/golden/no-calls.txt", &terminal_text(&Run::default(), 80));
}

#[test]
fn json_document() {
    golden("tests/golden/lossy.json", &with_view(&fixture::lossy(), json::json).unwrap());
}

#[test]
fn every_json_key_is_documented() {
    let document: Value = serde_json::from_str(&with_view(&fixture::lossy(), json::json).unwrap()).unwrap();
    let doc = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/json.md")).unwrap();
    let mut keys = Vec::new();
    collect(&document, &mut keys);
    keys.sort();
    keys.dedup();
    let missing: Vec<_> = keys.iter().filter(|k| !doc.contains(&format!("`{k}`"))).collect();
    assert!(missing.is_empty(), "not in docs/json.md: {missing:?}");
    assert!(keys.len() > 60, "{}", keys.len());
}

fn collect(value: &Value, keys: &mut Vec<String>) {
    match value {
        Value::Object(o) => {
            for (key, v) in o {
                keys.push(key.clone());
                collect(v, keys);
            }
        }
        Value::Array(a) => a.iter().for_each(|v| collect(v, keys)),
        _ => {}
    }
}

#[test]
fn lines_fit_and_nothing_from_a_log_reaches_the_terminal_raw() {
    for width in [60, 72, 80, 100, 160] {
        let text = terminal_text(&fixture::lossy(), width);
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'));
        assert!(text.contains("fetch\\u{1b}[31m_\\u{202e}page"));
        if width >= 80 {
            for line in text.lines() {
                assert!(line.chars().count() <= width.into(), "{width}: {line}");
            }
        }
    }
}

#[test]
fn colours_only_where_asked_for() {
    let colored = with_view(&fixture::lossy(), |v| terminal::terminal(v, Style { width: 100, color: true }));
    assert!(colored.contains("\u{1b}[1;31m"));
    let plain = regex::Regex::new("\u{1b}\\[[0-9;]*m").unwrap().replace_all(&colored, "").into_owned();
    assert_eq!(plain, terminal_text(&fixture::lossy(), 100));
}

#[test]
fn first_screen_answers_the_question() {
    let text = terminal_text(&fixture::lossy(), 100);
    let first: Vec<&str> = text.lines().take(40).collect();
    let screen = first.join("\n");
    for need in
        ["The client desk lost 41 of 58 resource blocks (70.7 %, 95 % CI 58–81)", "Content types", "placeholder"]
    {
        assert!(screen.contains(need), "{need}\n{screen}");
    }
    assert!(screen.contains("logs/gateway.jsonl:1\n") || screen.contains("logs/gateway.jsonl:1 "), "{screen}");
}
