//! Data flows one way: a stage knows only the stages before it, and heavy crates live in one place.

use std::path::{Path, PathBuf};

/// In the order of the data; `app` may see all of them.
const STAGES: [&str; 8] = ["bytes", "dialect", "event", "join", "judge", "ledger", "measure", "report"];

/// Crates and the folders that may name them.
const HOMES: [(&str, &[&str]); 9] = [
    ("clap", &["app"]),
    ("clap_complete", &["app"]),
    ("indicatif", &["app"]),
    ("anyhow", &["app"]),
    ("polars", &["ledger", "measure"]),
    ("polars_io", &["ledger"]),
    ("comfy_table", &["report"]),
    ("plotters", &["report"]),
    ("memmap2", &["bytes/source.rs"]),
];

const MOST_LINES: usize = 400;

/// Whoever reads logs sends nothing anywhere: crates that open connections.
const NETWORK: [&str; 12] = [
    "hyper",
    "reqwest",
    "rustls",
    "native-tls",
    "openssl",
    "ureq",
    "curl",
    "h2",
    "object_store",
    "quinn",
    "isahc",
    "tungstenite",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn sources(dir: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, out);
        } else if path.extension().is_some_and(|e| e == "rs") {
            out.push(path);
        }
    }
}

/// Path below `src/`, and text.
fn files() -> Vec<(String, String)> {
    let mut paths = Vec::new();
    sources(&root(), &mut paths);
    paths.sort();
    let name = |p: &Path| p.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
    paths.iter().map(|p| (name(p), std::fs::read_to_string(p).unwrap())).collect()
}

fn code(text: &str) -> String {
    text.lines().map(|l| l.split("//").next().unwrap_or("")).collect::<Vec<_>>().join("\n")
}

/// Is `word` used as a path's first segment, as in `word::x`, or imported whole?
fn uses(code: &str, word: &str) -> bool {
    code.match_indices(word).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = &code[at + word.len()..];
        let starts = !before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':' || c == '.');
        let is_import = code[..at].trim_end().ends_with("use") && after.starts_with(';');
        starts && (after.starts_with("::") || is_import)
    })
}

/// Modules named in `crate::…`, those in braces included.
fn stages_named(code: &str) -> Vec<String> {
    let mut named = Vec::new();
    for (at, key) in code.match_indices("crate::") {
        let rest = &code[at + key.len()..];
        match rest.strip_prefix('{') {
            Some(list) => {
                let mut depth = 0;
                let mut word = String::new();
                for c in list.chars() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => named.push(std::mem::take(&mut word)),
                        c if depth == 0 => word.push(c),
                        _ => {}
                    }
                }
                named.push(word);
            }
            None => named.push(rest.to_owned()),
        }
    }
    let first = |s: &String| s.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    named.iter().map(first).collect()
}

#[test]
fn imports_point_upstream() {
    let mut checked = 0;
    for (name, text) in files() {
        let Some(own) = STAGES.iter().position(|s| name.starts_with(&format!("{s}/"))) else { continue };
        let depth = name.matches('/').count() - usize::from(name.ends_with("/mod.rs"));
        // `super` once per folder below the stage, and once out of a test module.
        let climbs = "super::".repeat(depth + 2);
        assert!(!code(&text).contains(&climbs), "{name} climbs out of its stage");
        for named in stages_named(&code(&text)) {
            let is_later = STAGES.iter().position(|s| *s == named).is_some_and(|other| other > own);
            assert!(!is_later && named != "app", "{name} names crate::{named}, which is downstream");
            checked += 1;
        }
    }
    assert!(checked > 50, "the check sees no imports: {checked}");
}

#[test]
fn the_check_sees_what_it_should() {
    let code = "use crate::{bytes::Span, judge::{Fate, How}, report};\nuse crate::app::Exit;";
    assert_eq!(stages_named(code), ["bytes", "judge", "report", "app"]);
    assert!(uses("use polars::prelude::col;", "polars") && uses("x = clap::Error", "clap"));
    assert!(
        !uses("use polars_io::X;", "polars") && !uses("my_clap::X", "clap") && !uses("crate::clap::X", "clap")
    );
}

#[test]
fn heavy_crates_live_at_home() {
    for (name, text) in files() {
        let code = code(&text);
        for (krate, homes) in HOMES {
            let at_home = homes.iter().any(|h| name == *h || name.starts_with(&format!("{h}/")));
            assert!(at_home || !uses(&code, krate), "{name} names {krate}, which belongs to {homes:?}");
        }
    }
}

#[test]
fn files_are_read_in_one_sitting() {
    for (name, text) in files() {
        let own = text.find("\n#[cfg(test)]").map_or(text.as_str(), |at| &text[..at]);
        let lines = own.lines().count();
        assert!(lines <= MOST_LINES, "{name}: {lines} lines, tests aside");
    }
}

/// `Cargo.lock` also lists what optional features of dependencies would bring; what counts is what is built.
#[test]
fn no_crate_opens_a_connection() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let tree = std::process::Command::new(cargo)
        .args(["tree", "--offline", "--locked", "--edges", "normal,build", "--prefix", "none", "--format", "{p}"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&tree.stdout);
    let names: Vec<&str> = text.lines().filter_map(|l| l.split(' ').next()).collect();
    assert!(names.len() > 50, "{}", String::from_utf8_lossy(&tree.stderr));
    let found: Vec<_> = names.iter().filter(|n| NETWORK.contains(n)).collect();
    assert!(found.is_empty(), "{found:?}");
}
