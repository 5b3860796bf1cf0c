//! The program as a user meets it: messages and exit codes.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

/// What a run said.
struct Said {
    code: i32,
    out: String,
    err: String,
}

impl Said {
    #[track_caller]
    fn code(self, want: i32) -> Said {
        assert_eq!(self.code, want, "stdout:\n{}\nstderr:\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    fn err(self, needs: &[&str]) -> Said {
        for need in needs {
            assert!(self.err.contains(need), "{need:?} is not in stderr:\n{}", self.err);
        }
        self
    }

    #[track_caller]
    fn out(self, needs: &[&str]) -> Said {
        for need in needs {
            assert!(self.out.contains(need), "{need:?} is not in stdout:\n{}", self.out);
        }
        self
    }
}

fn command() -> Command {
    let mut c = Command::new(assert_cmd::cargo::cargo_bin!("mcploss"));
    c.env_remove("NO_COLOR").env_remove("CI").current_dir(env!("CARGO_MANIFEST_DIR"));
    c
}

fn run(args: &[&str]) -> Said {
    run_with(args, "")
}

fn run_with(args: &[&str], stdin: &str) -> Said {
    let output = command().args(args).write_stdin(stdin).output().unwrap();
    Said {
        code: output.status.code().unwrap_or(-1),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn folder_with(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        std::fs::write(dir.path().join(name), bytes).unwrap();
    }
    dir
}

fn name(path: &Path) -> &str {
    path.to_str().unwrap()
}

const REQUEST: &str = r#"{"ts":1,"dir":"client->server","msg":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fetch","arguments":{}}}}"#;
const RESPONSE: &str = r#"{"ts":2,"dir":"server->client","msg":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"hello"}]}}}"#;
const CAPTURED: &str = "tests/corpus/codex-corner";

#[test]
fn help_has_examples_and_exit_codes() {
    run(&["--help"]).code(0).out(&["Examples:", "mcploss analyze logs/", "Exit codes:"]);
    run(&["analyze", "--help"]).code(0).out(&["--max-decompressed", "--since", "--facts"]);
    run(&["--version"]).code(0).out(&["mcploss "]);
}

#[test]
fn bad_flags_are_a_failed_run() {
    run(&[]).code(2);
    run(&["analyze"]).code(2).err(&["PATH"]);
    run(&["analyze", "--frobnicate", "x"]).code(2).err(&["--frobnicate"]);
    run(&["analyze", "--max-line", "12 parsecs", "x"]).code(2).err(&["64M"]);
    run(&["analyze", "--since", "yesterday", CAPTURED]).code(2).err(&["--since yesterday", "7d"]);
}

#[test]
fn a_missing_file_is_named() {
    run(&["analyze", "no-such-file.jsonl"]).code(2).err(&["nothing could be read", "no-such-file.jsonl"]);
    let captured = format!("{CAPTURED}/wire.jsonl");
    run(&["analyze", "no-such-file.jsonl", &captured]).code(0).err(&["no-such-file.jsonl: no such file"]);
    run(&["analyze", "--strict", "no-such-file.jsonl", &captured]).code(3);
}

#[test]
fn an_empty_folder_is_named() {
    let dir = folder_with(&[]);
    run(&["analyze", name(dir.path())]).code(2).err(&["folder without files", "mcploss formats"]);
}

#[test]
fn an_empty_file_is_no_log() {
    let dir = folder_with(&[("empty.jsonl", b"")]);
    run(&["analyze", name(dir.path())]).code(2).err(&["the input is empty"]);
}

#[test]
fn an_unknown_format_lists_the_known_ones() {
    run(&["analyze", "--as", "nonsense", CAPTURED]).code(2).err(&["no such format", "frames", "gateway"]);
}

#[test]
fn garbage_is_not_understood_and_says_so() {
    let garbage: Vec<u8> = (0..5000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let dir = folder_with(&[("noise.bin", &garbage), ("prose.txt", b"Dear diary,\nnothing happened.\n")]);
    run(&["analyze", name(dir.path())]).code(2).err(&["was understood", "--as FORMAT"]);
    // Beside a real log it is counted and named.
    let log = format!("{REQUEST}\n{RESPONSE}\n");
    let dir = folder_with(&[("noise.bin", &garbage), ("wire.jsonl", log.as_bytes())]);
    run(&["analyze", name(dir.path())]).code(0).err(&["noise.bin: no known log format"]).out(&["unknown-dialect"]);
}

#[test]
fn a_cut_line_is_named_with_its_number() {
    let log = format!("{REQUEST}\n{RESPONSE}\n{}", &REQUEST[..70]);
    let dir = folder_with(&[("wire.jsonl", log.as_bytes())]);
    run(&["analyze", name(dir.path())])
        .code(0)
        .err(&["wire.jsonl:3: line ends in the middle of its JSON"])
        .out(&["cut-json"]);
    run(&["analyze", "--strict", name(dir.path())]).code(3);
}

#[test]
fn many_damaged_lines_are_summed_up() {
    let log = format!("{REQUEST}\n{RESPONSE}\n{}", format!("{}\n", &REQUEST[..70]).repeat(40));
    let dir = folder_with(&[("wire.jsonl", log.as_bytes())]);
    let said = run(&["analyze", name(dir.path())]).code(0).err(&["more such lines"]);
    assert!(said.err.lines().count() < 12, "{}", said.err);
    let quiet = run(&["analyze", "-q", name(dir.path())]).code(0);
    assert_eq!(quiet.err, "");
    assert_eq!(quiet.out, said.out);
}

#[test]
fn a_log_without_the_model_is_undetermined_and_strict_says_3() {
    let log = format!("{REQUEST}\n{RESPONSE}\n");
    run_with(&["analyze", "-"], &log).code(0).out(&["Undetermined", "To settle it:"]);
    run_with(&["analyze", "--strict", "-"], &log).code(3);
}

#[test]
fn too_long_lines_and_too_large_archives_are_reported() {
    let log = format!("{REQUEST}\n{RESPONSE}\n");
    let dir = folder_with(&[("wire.jsonl", log.as_bytes())]);
    let short = REQUEST.len().min(RESPONSE.len()).to_string();
    run(&["analyze", "--max-line", &short, name(dir.path())]).code(0).out(&["too-long"]);
    let packed = zstd_of(log.repeat(2000).as_bytes());
    let dir = folder_with(&[("wire.jsonl.zst", &packed)]);
    run(&["analyze", "--max-decompressed", "1K", name(dir.path())]).code(0).err(&["--max-decompressed"]);
    run(&["analyze", name(dir.path())]).code(0);
}

fn zstd_of(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

#[test]
fn json_is_one_document_with_the_same_numbers() {
    let said = run(&["analyze", "--json", "-q", CAPTURED]).code(0);
    let v: Value = serde_json::from_str(&said.out).unwrap();
    let n = |pointer: &str| v.pointer(pointer).and_then(Value::as_u64).unwrap_or_else(|| panic!("{pointer}"));
    assert!(n("/blocks/returned") > 0);
    assert_eq!(
        n("/inputs/lines"),
        v["inputs"]["understood"].as_array().unwrap().iter().map(|u| u["lines"].as_u64().unwrap()).sum::<u64>()
            + v["inputs"]["skipped"].as_array().unwrap().iter().map(|u| u["lines"].as_u64().unwrap()).sum::<u64>()
    );
    let evidence = v.pointer("/mechanisms/0/examples/0/evidence/0").unwrap();
    let (file, line) = (evidence["file"].as_str().unwrap(), evidence["line"].as_u64().unwrap());
    let text = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
    let offset = usize::try_from(evidence["offset"].as_u64().unwrap()).unwrap();
    assert_eq!(1 + text[..offset].iter().filter(|b| **b == b'\n').count() as u64, line);
}

#[test]
fn facts_are_written() {
    let dir = tempfile::tempdir().unwrap();
    let facts = dir.path().join("facts");
    run(&["analyze", "-q", CAPTURED, "--facts", name(&facts)]).code(0);
    let ledger = mcploss::ledger::parquet::read(&facts).unwrap();
    assert!(ledger.blocks.height() > 0 && ledger.calls.height() > 0);
    let blocked = dir.path().join("file");
    std::fs::write(&blocked, b"").unwrap();
    run(&["analyze", "-q", CAPTURED, "--facts", name(&blocked)]).code(2).err(&["facts", "folder"]);
}

#[test]
fn sides_and_detection_can_be_told() {
    let log = format!("{REQUEST}\n{RESPONSE}\n");
    let dir = folder_with(&[("a.log", log.as_bytes()), ("b.log", log.as_bytes())]);
    let (a, b) = (dir.path().join("a.log"), dir.path().join("b.log"));
    run(&["analyze", "--server", name(&a), "--client", name(&b), "--explain-detection"]).code(0).err(&[
        "a.log: frames",
        "side server",
        "side client",
    ]);
    // Both logs hold the same call: it is one call.
    let said = run(&["analyze", "--json", "-q", "--server", name(&a), "--client", name(&b)]).code(0);
    let v: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((v["calls"].as_u64(), v["blocks"]["returned"].as_u64()), (Some(1), Some(1)));
    // A file that is named twice is read once.
    let said = run(&["analyze", "--json", "-q", name(dir.path()), name(&a), "--client", name(&b)]).code(0);
    let v: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(v["inputs"]["files"].as_array().map(Vec::len), Some(2));
}

#[test]
fn filters_choose_calls() {
    let json = |args: &[&str]| -> Value {
        let all = [&["analyze", "--json", "-q", CAPTURED], args].concat();
        serde_json::from_str(&run(&all).code(0).out).unwrap()
    };
    let all = json(&[])["calls"].as_u64().unwrap();
    let one = json(&["--tool", "record_audio"]);
    assert_eq!(one["calls"].as_u64(), Some(1));
    assert_eq!(json(&["--since", "2000-01-01"])["calls"].as_u64(), Some(all));
    let none = json(&["--until", "2000-01-01"]);
    assert_eq!((none["calls"].as_u64(), none["verdict"]["kind"].as_str()), (Some(0), Some("no-calls")));
    assert_eq!(json(&["--mcp-server", "nobody"])["calls"].as_u64(), Some(0));
    run(&["analyze", CAPTURED, "--tool", "no-such-tool"]).code(0).err(&["no call passes"]);
}

#[test]
fn explain_finds_calls_by_number_id_and_tool() {
    run(&["explain", "#5", CAPTURED, "-q"]).code(0).out(&["#5 ", "Timeline", "Blocks", "wire.jsonl:17"]);
    run(&["explain", "record_audio", CAPTURED, "-q"]).code(0).out(&["record_audio", "block 0"]);
    run(&["explain", "call_0006abc", CAPTURED, "-q"]).code(0).out(&["#5 "]);
    run(&["explain", "record_audio", "tests/corpus", "-q"]).code(0).out(&["calls fit", "record_audio"]);
    run(&["explain", "#99999", CAPTURED, "-q"]).code(2).err(&["no such call", "record_audio"]);
}

#[test]
fn explain_masks_secrets_unless_told_not_to() {
    let key = ["sk-", "ant-", "aB3dE5fG7hI9jK1lM3nO5pQ7"].concat();
    let request = REQUEST.replace(r#""arguments":{}"#, &format!(r#""arguments":{{"api_key":"{key}"}}"#));
    let log = format!("{request}\n{RESPONSE}\n");
    let masked = run_with(&["explain", "fetch", "-"], &log).code(0).out(&["masked›"]);
    assert!(!masked.out.contains(&key), "{}", masked.out);
    run_with(&["explain", "fetch", "-", "--no-mask"], &log).code(0).out(&[&key]);
}

#[test]
fn formats_are_listed() {
    let said = run(&["formats"]).code(0);
    let json: Value = serde_json::from_str(&run(&["formats", "--json"]).code(0).out).unwrap();
    for d in mcploss::dialect::DIALECTS {
        assert!(said.out.contains(d.name), "{}", d.name);
        assert!(json.as_array().unwrap().iter().any(|f| f["name"] == d.name && f["enable"] == d.enable));
    }
}

#[test]
fn schema_is_printed() {
    run(&["facts-schema"]).code(0).out(&["## calls", "## blocks", "`payload_bytes`"]);
    let v: Value = serde_json::from_str(&run(&["facts-schema", "--json"]).code(0).out).unwrap();
    assert_eq!(v["tables"].as_array().map(Vec::len), Some(2));
}

#[test]
fn markers_of_a_user_are_read_or_refused() {
    let dir = folder_with(&[("bad.toml", b"[[marker]]\nid = 3\n")]);
    let bad = dir.path().join("bad.toml");
    run(&["analyze", CAPTURED, "--markers", name(&bad)]).code(2).err(&["bad.toml", "marker"]);
    run(&["analyze", CAPTURED, "--markers", "no-such.toml"]).code(2).err(&["no-such.toml: cannot be read"]);
}

#[test]
fn colours_and_timings_when_asked_for() {
    let plain = run(&["analyze", "-q", CAPTURED]).code(0);
    assert!(!plain.out.contains('\u{1b}'));
    run(&["analyze", "-q", "--color", "always", CAPTURED]).code(0).out(&["\u{1b}["]);
    run(&["analyze", "-q", "--timings", CAPTURED]).code(0).err(&["timings", "judge", "MB/s"]);
}

#[test]
fn the_same_logs_give_the_same_bytes() {
    let first = run(&["analyze", "--json", "-q", "tests/corpus"]).code(0).out;
    for threads in ["1", "2", "7"] {
        let again = command()
            .env("RAYON_NUM_THREADS", threads)
            .args(["analyze", "--json", "-q", "tests/corpus"])
            .output()
            .unwrap();
        assert_eq!(String::from_utf8(again.stdout).unwrap(), first, "{threads} threads");
    }
}

/// The reader goes away after a few bytes, as `head` does.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    use std::io::Read;
    use std::process::{Command as Process, Stdio};
    for args in [&["analyze", "--json", "-q", "tests/corpus"][..], &["--help"], &["formats"]] {
        let mut child = Process::new(assert_cmd::cargo::cargo_bin!("mcploss"))
            .args(args)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut err = String::new();
        child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        assert_eq!((child.wait().unwrap().code(), err.as_str()), (Some(0), ""), "{args:?}");
    }
}
