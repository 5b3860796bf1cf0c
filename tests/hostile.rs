//! Whatever bytes a log holds: nothing panics, every line is counted once, every block gets one fate.

use mcploss::bytes::{Chunk, Source, SourceSet};
use mcploss::dialect::{Context, DIALECTS, Dialect, Sample, detect};
use mcploss::event::{Catalogue, Distiller, Events};
use proptest::prelude::*;

/// Lines in the true shape of each dialect, to be damaged.
fn samples() -> Vec<Vec<u8>> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let files = [
        "sample-logs/incident/server.log",
        "sample-logs/incident/client.log",
        "sample-logs/incident/model.jsonl",
        "sample-logs/codex-everything/wire.jsonl",
        "sample-logs/codex-everything/rollout.jsonl",
        "sample-logs/opencode-everything/gateway.jsonl",
    ];
    // The first lines hold every kind of record and keep the test short.
    files
        .map(|f| std::fs::read(root.join(f)).unwrap())
        .into_iter()
        .map(|b| b[..b.len().min(12_000)].to_vec())
        .collect()
}

/// Parses with one dialect and checks the conservation of lines; gives what was said.
fn parse(dialect: &Dialect, bytes: &[u8]) -> Events {
    let chunk = Chunk { file: 0, offset: 0, bytes };
    let mut sink = Distiller::default();
    (dialect.parse)(chunk, Context { side: dialect.side, max_line_bytes: 1 << 20 }, &mut sink);
    let events = sink.finish();
    let a = &events.accounting[0];
    assert_eq!(a.lines, chunk.count_lines(), "{}", dialect.name);
    assert!(a.adds_up(), "{}", dialect.name);
    events
}

/// All stages on the same bytes: conservation of blocks.
fn judge(dialect: &Dialect, bytes: &[u8]) {
    let mut events = Events::default();
    events.append(0, parse(dialect, bytes));
    let sources = SourceSet { sources: vec![Source::from_bytes("log", bytes).unwrap()] };
    let calls = mcploss::join::join(&events, &sources);
    let verdict = mcploss::judge::judge(&events, &calls, &sources, Catalogue::built_in());
    let mut want = 0;
    for call in &calls.calls {
        let frame = call.response().map(|(_, f)| f).or(call.kept);
        want += frame.map_or(0, |f| events.frames[f as usize].block_count as usize);
    }
    assert_eq!(verdict.blocks.len(), want, "{}", dialect.name);
}

/// Damage to a log: bytes overwritten, cut out, and doubled.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let samples = samples();
    let edits = prop::collection::vec((any::<prop::sample::Index>(), 0..4u8, any::<u8>(), 1..200usize), 0..12);
    (0..samples.len(), edits).prop_map(move |(which, edits)| {
        let mut bytes = samples[which].clone();
        for (at, kind, byte, len) in edits {
            let at = at.index(bytes.len());
            let end = (at + len).min(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => drop(bytes.drain(at..end)),
                2 => bytes[at] = b"{}[]\",:\\\n0"[usize::from(byte) % 10],
                _ => {
                    let copy = bytes[at..end].to_vec();
                    bytes.splice(at..at, copy);
                }
            }
            if bytes.is_empty() {
                bytes.push(b'\n');
            }
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..2000)) {
        for dialect in DIALECTS {
            parse(dialect, &bytes);
        }
        detect(&Sample::new(&bytes));
    }

    #[test]
    fn damaged_logs(bytes in damaged()) {
        for dialect in DIALECTS {
            parse(dialect, &bytes);
        }
        if let Some((dialect, _)) = detect(&Sample::new(&bytes)) {
            judge(dialect, &bytes);
        }
    }
}

#[test]
fn nesting_and_unclosed_strings_come_to_an_end() {
    let deep = "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":".repeat(5000);
    let arrays = format!("{{\"ts\":1,\"msg\":{}", "[".repeat(100_000));
    let quotes = format!("{{\"messages\":[\"{}", "\\\"".repeat(100_000));
    for text in [deep, arrays, quotes] {
        for dialect in DIALECTS {
            parse(dialect, text.as_bytes());
        }
    }
}
