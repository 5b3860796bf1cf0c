//! A random client between random results and a model: what it delivered is never called lost, what it dropped
//! never delivered, and each block has the fate that the client gave it.

use mcploss::judge::Fate;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::support::analyze;

/// What the client does with a block.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Deed {
    Deliver,
    JsonText,
    Placeholder,
    Drop,
}

#[derive(Clone, Debug)]
enum Kind {
    Text,
    Resource,
    Image,
}

#[derive(Clone, Debug)]
struct Block {
    kind: Kind,
    words: String,
    deed: Deed,
}

/// A text that no other block shares, with what JSON and terminals find hard.
fn words() -> impl Strategy<Value = String> {
    let piece = "[a-zA-Z0-9 .,;:_/\\\\\"'<>&\u{e9}\u{1F600}\u{7b2c}\n\t{}\\[\\]-]{0,80}";
    (piece, piece).prop_map(|(a, b)| format!("{a}<№>{b}"))
}

fn block() -> impl Strategy<Value = Block> {
    let kind = prop_oneof![Just(Kind::Text), Just(Kind::Resource), Just(Kind::Image)];
    let deed = prop_oneof![Just(Deed::Deliver), Just(Deed::JsonText), Just(Deed::Placeholder), Just(Deed::Drop)];
    (kind, words(), deed).prop_map(|(kind, words, deed)| Block { kind, words, deed })
}

/// A PNG that no other block shares.
fn base64_of(words: &str) -> String {
    let bytes = [b"\x89PNG\r\n\x1a\n", words.as_bytes(), b"padding of a picture"].concat();
    base64_simd::STANDARD.encode_to_string(bytes)
}

fn mcp(b: &Block) -> Value {
    match b.kind {
        Kind::Text => json!({"type": "text", "text": b.words}),
        Kind::Resource => {
            json!({"type": "resource", "resource": {"uri": "file:///f", "mimeType": "text/plain", "text": b.words}})
        }
        Kind::Image => json!({"type": "image", "data": base64_of(&b.words), "mimeType": "image/png"}),
    }
}

/// The parts that the client makes of a block.
fn parts(b: &Block) -> Vec<Value> {
    let text = |t: String| vec![json!({"type": "text", "text": t})];
    match (b.deed, &b.kind) {
        (Deed::Drop, _) => vec![],
        (Deed::JsonText, _) => text(mcp(b).to_string()),
        (Deed::Placeholder, Kind::Text) => text("[text: invalid content discarded]".into()),
        (Deed::Placeholder, Kind::Resource) => text("[resource: content discarded]".into()),
        (Deed::Placeholder, Kind::Image) => text("[image: image/png, content discarded]".into()),
        (Deed::Deliver, Kind::Image) => {
            let url = format!("data:image/png;base64,{}", base64_of(&b.words));
            vec![json!({"type": "image_url", "image_url": {"url": url}})]
        }
        (Deed::Deliver, _) => text(b.words.clone()),
    }
}

fn want(b: &Block) -> Fate {
    match b.deed {
        Deed::Deliver => Fate::Delivered,
        Deed::JsonText => Fate::DeliveredTransformed,
        Deed::Placeholder => Fate::Placeholder,
        Deed::Drop => Fate::DroppedSilently,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_block_has_the_fate_that_the_client_gave_it(
        calls in prop::collection::vec(prop::collection::vec(block(), 1..5), 1..5),
        is_joined in any::<bool>(),
    ) {
        let mut calls = calls;
        // Equal blocks are another matter: see the cases.
        for (n, b) in calls.iter_mut().flatten().enumerate() {
            b.words = b.words.replace('№', &format!("block number {n:03}"));
        }
        let mut wire = String::new();
        let mut history = vec![json!({"role": "user", "content": "go"})];
        let mut gateway = String::new();
        for (n, blocks) in calls.iter().enumerate() {
            let content: Vec<Value> = blocks.iter().map(mcp).collect();
            let request = json!({"jsonrpc": "2.0", "id": n, "method": "tools/call",
                "params": {"name": "tool", "arguments": {"n": n}}});
            let response = json!({"jsonrpc": "2.0", "id": n, "result": {"content": content}});
            let at = 1_796_093_700 + n;
            wire += &format!("{}\n", json!({"ts": at, "dir": "client->server", "msg": request}));
            wire += &format!("{}\n", json!({"ts": at, "dir": "server->client", "msg": response}));
            let mut shown: Vec<Value> = blocks.iter().flat_map(parts).collect();
            if is_joined && shown.iter().all(|p| p["type"] == "text") {
                let all: Vec<&str> = shown.iter().filter_map(|p| p["text"].as_str()).collect();
                shown = vec![json!({"type": "text", "text": all.join("\n\n")})];
            }
            let arguments = json!({ "n": n }).to_string();
            history.push(json!({"role": "assistant", "tool_calls": [{"id": format!("c{n}"), "type": "function",
                "function": {"name": "mcp__s__tool", "arguments": arguments}}]}));
            history.push(json!({"role": "tool", "tool_call_id": format!("c{n}"), "content": shown}));
            let answer = json!({"choices": [{"message": {"role": "assistant", "content": "ok"}}]});
            gateway += &format!("{}\n", json!({"ts": at, "request": {"messages": history}, "response": answer}));
        }
        let dir = tempfile::tempdir().unwrap();
        let paths = [dir.path().join("wire.jsonl"), dir.path().join("gateway.jsonl")];
        std::fs::write(&paths[0], wire).unwrap();
        std::fs::write(&paths[1], gateway).unwrap();
        let run = analyze(&paths);
        let got: Vec<Fate> = run.verdict.blocks.iter().map(|b| b.fate).collect();
        let expected: Vec<Fate> = calls.iter().flatten().map(want).collect();
        let reached = |f: &[Fate]| f.iter().map(|f| if f.is_lost() { None } else { Some(*f) }).collect::<Vec<_>>();
        prop_assert_eq!(reached(&got), reached(&expected));
        // One marker and two missing blocks of its type: which of them it stands for, no log can say.
        let mut at = 0;
        for blocks in &calls {
            for kind in ["Text", "Resource", "Image"] {
                let mine = |(_, b): &(usize, &Block)| format!("{:?}", b.kind) == kind;
                let count = |fates: &[Fate], fate| {
                    let here = blocks.iter().enumerate().filter(mine);
                    here.filter(|(i, _)| fates[at + i] == fate).count()
                };
                for fate in [Fate::Placeholder, Fate::DroppedSilently] {
                    prop_assert_eq!(count(&got, fate), count(&expected, fate));
                }
            }
            at += blocks.len();
        }
    }
}
