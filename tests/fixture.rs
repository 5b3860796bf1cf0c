//! Verdicts built by hand: a run whose right answers are known without any log.

use mcploss::bytes::{Source, SourceSet, Span};
use mcploss::event::{BlockType, Catalogue, Id, Sym};
use mcploss::join::LinkHow;
use mcploss::judge::{Blame, CallState, Fate, How, JudgedBlock, JudgedCall, Judgement};
use mcploss::ledger::Ledger;
use mcploss::ledger::schema::Context;
use mcploss::measure::input::Recognised;
use mcploss::measure::{Inputs, Summary, summary};

/// A run under construction.
#[derive(Default)]
pub struct Run {
    pub judgement: Judgement,
}

/// A file of 100-byte lines: byte offset `100 * n` is line `n + 1`.
fn file(name: &str) -> Source {
    Source::from_bytes(name, format!("{}\n", "x".repeat(99)).repeat(200).as_bytes()).unwrap()
}

/// The files that fixtures point into.
pub fn sources() -> SourceSet {
    SourceSet { sources: vec![file("logs/server.jsonl"), file("logs/client.jsonl"), file("logs/gateway.jsonl")] }
}

fn line(file: u32, line: u64) -> Span {
    Span { file, offset: 100 * (line - 1), len: 50 }
}

fn a_call(tool: &str) -> JudgedCall {
    JudgedCall {
        call: Some(0),
        model_call: Some(0),
        method: "tools/call",
        tool: tool.into(),
        model_tool: Sym::default(),
        model_call_id: Sym::default(),
        jsonrpc_id: Id::Int(7),
        session: "s1".into(),
        session_index: Some(0),
        client: "desk".into(),
        client_version: "1.1.0".into(),
        server: "files".into(),
        server_version: "2.0".into(),
        protocol: "2025-06-18".into(),
        model: "some-model".into(),
        time_us: Some(1_777_636_800_000_000),
        duration_us: Some(1500),
        state: CallState::Shown,
        blame: Blame::Nobody,
        reason: "",
        hint: "",
        link: Some(LinkHow::CallId),
        rivals: 1,
        is_error: false,
        first_block: 0,
        block_count: 0,
        result_bytes: 1000,
        output_bytes: 800,
        admission: None,
        has_answer: false,
        request: line(0, 1),
        response: line(0, 2),
        output: line(2, 3),
        answer: Span::default(),
        marker: None,
    }
}

fn a_block(block_type: BlockType, fate: Fate, blame: Blame) -> JudgedBlock {
    JudgedBlock {
        call: 0,
        index: 0,
        block: 0,
        block_type,
        type_name: block_type.name(),
        fate,
        how: How::default(),
        rule: fate.id(),
        runner_up: "",
        blame,
        marker: None,
        reason: "",
        hint: "",
        payload_bytes: 400,
        delivered_bytes: 0,
        cut_is_broken: false,
        mime_declared: Sym::default(),
        mime_sniffed: Sym::default(),
        returned: Span::default(),
        received: Span::default(),
        kept: Span::default(),
        delivered: Span::default(),
        confidence: 0.95,
    }
}

impl Run {
    /// Adds a call without blocks.
    pub fn call(&mut self, tool: &str, change: impl FnOnce(&mut JudgedCall)) -> &mut Run {
        let mut call = a_call(tool);
        call.first_block = self.judgement.blocks.len() as u32;
        call.time_us = call.time_us.map(|t| t + 60_000_000 * self.judgement.calls.len() as i64);
        change(&mut call);
        self.judgement.calls.push(call);
        self
    }

    /// Adds a block to the last call.
    pub fn block(
        &mut self,
        block_type: BlockType,
        fate: Fate,
        blame: Blame,
        change: impl FnOnce(&mut JudgedBlock),
    ) -> &mut Run {
        let number = self.judgement.blocks.len() as u64;
        let mut b = a_block(block_type, fate, blame);
        let call = self.judgement.calls.last_mut().unwrap();
        call.block_count += 1;
        b.index = (call.block_count - 1) as u16;
        b.call = self.judgement.calls.len() as u32 - 1;
        b.block = number as u32;
        b.returned = line(0, 1 + number % 200);
        b.received = line(1, 1 + number % 200);
        b.delivered = line(2, 1 + number % 200);
        change(&mut b);
        self.judgement.blocks.push(b);
        self
    }

    /// `count` calls of `tool`, each with one such block.
    pub fn calls(
        &mut self,
        count: usize,
        tool: &str,
        block_type: BlockType,
        fate: Fate,
        blame: Blame,
        change: impl Fn(&mut JudgedCall, &mut JudgedBlock),
    ) -> &mut Run {
        for _ in 0..count {
            self.call(tool, |_| {});
            let mut call = self.judgement.calls.pop().unwrap();
            self.judgement.calls.push(call);
            self.block(block_type, fate, blame, |b| change(&mut call, b));
            let last = self.judgement.calls.last_mut().unwrap();
            *last = JudgedCall { block_count: last.block_count, ..call };
        }
        self
    }

    /// The tables.
    pub fn ledger(&self, sources: &SourceSet) -> Ledger {
        Ledger::new(&self.judgement, Context { sources, catalogue: Catalogue::built_in() }).unwrap()
    }

    /// The numbers.
    pub fn summary(&self) -> Summary {
        summary(&self.ledger(&sources())).unwrap()
    }
}

/// Index of a built-in marker.
pub fn marker(id: &str) -> Option<u32> {
    let index = Catalogue::built_in().markers.iter().position(|m| m.id == id);
    assert!(index.is_some(), "no marker {id}");
    index.map(|i| i as u32)
}

/// Index of an admission phrase.
pub fn phrase(id: &str) -> Option<u32> {
    let index = mcploss::event::phrase::Phrases::built_in().phrases.iter().position(|p| p.id == id);
    assert!(index.is_some(), "no phrase {id}");
    index.map(|i| i as u32)
}

/// An accounting with something of everything.
pub fn inputs() -> Inputs {
    use mcploss::bytes::{Accounting, Skip};
    let mut server = Accounting::default();
    server.understood("frames", 180);
    server.skip_many(Skip::OtherText, 12);
    server.skip_many(Skip::Blank, 7);
    server.skip(Skip::CutJson, Span { file: 0, offset: 19_900, len: 99 });
    let mut client = Accounting::default();
    client.understood("frames", 200);
    let mut gateway = Accounting::default();
    gateway.skip_many(Skip::UnknownDialect, 200);
    let recognised = [
        Recognised { dialect: Some("frames"), side: Some("server") },
        Recognised { dialect: Some("frames"), side: Some("client") },
        Recognised::default(),
    ];
    Inputs::new(&sources(), &[server, client, gateway], &recognised, vec!["logs/old.gz: damaged".to_owned()])
}

/// The seed's question: a client that discards resources, since one version, among much else.
pub fn lossy() -> Run {
    let mut run = Run::default();
    let (client, nobody) = (Blame::Client, Blame::Nobody);
    let discarded = marker("bridge-resource-discarded");
    run.calls(39, "fetch_doc", BlockType::Resource, Fate::Placeholder, client, |c, b| {
        b.marker = discarded;
        b.runner_up = "dropped-silently";
        c.has_answer = true;
    });
    let cannot_see = phrase("en-cannot-see-contents");
    for call in run.judgement.calls.iter_mut().take(9) {
        call.admission = cannot_see;
    }
    run.calls(2, "fetch\u{1b}[31m_\u{202e}page", BlockType::Resource, Fate::DroppedSilently, client, |_, _| {});
    run.calls(17, "fetch_doc", BlockType::Resource, Fate::Delivered, nobody, |c, b| {
        c.client_version = "1.0.9".into();
        c.has_answer = true;
        b.delivered_bytes = b.payload_bytes;
    });
    run.calls(30, "read_file", BlockType::Text, Fate::Delivered, nobody, |c, b| {
        c.has_answer = true;
        b.delivered_bytes = b.payload_bytes;
    });
    run.calls(3, "read_file", BlockType::Text, Fate::Truncated, client, |_, b| {
        b.delivered_bytes = 100;
        b.cut_is_broken = true;
    });
    run.calls(5, "screenshot", BlockType::Image, Fate::DeliveredTransformed, nobody, |_, b| {
        b.how = How(How::BASE64_TEXT | How::JSON_TEXT);
        b.delivered_bytes = b.payload_bytes;
    });
    run.calls(4, "render", BlockType::Image, Fate::MimeRejected, client, |_, b| {
        b.mime_declared = "image/svg+xml".into();
        b.mime_sniffed = "image/png".into();
    });
    run.calls(1, "render", BlockType::Image, Fate::MimeRejected, Blame::ModelApi, |_, b| {
        b.mime_declared = "image/bmp".into();
        b.mime_sniffed = "image/bmp".into();
    });
    run.calls(2, "record", BlockType::Audio, Fate::Evicted, client, |_, _| {});
    run.calls(1, "list", BlockType::ResourceLink, Fate::ServerInvalid, Blame::Server, |_, _| {});
    run.calls(2, "list", BlockType::Structured, Fate::Superseded, Blame::Design, |_, _| {});
    run.calls(6, "watch", BlockType::Text, Fate::Unobserved, Blame::Undetermined, |c, b| {
        c.state = CallState::Answered;
        b.reason = "no model request shows this call";
        b.hint = "the model log of this conversation";
    });
    run.call("slow", |c| {
        c.state = CallState::NoResponse;
        c.blame = Blame::Transport;
        c.reason = "never answered though the log goes on";
        c.response = Span::default();
    });
    run
}

/// Everything came through.
pub fn clean() -> Run {
    let mut run = Run::default();
    run.calls(25, "read_file", BlockType::Text, Fate::Delivered, Blame::Nobody, |_, _| {});
    run
}

/// No model log at all.
pub fn blind() -> Run {
    let mut run = Run::default();
    run.calls(8, "read_file", BlockType::Text, Fate::Unobserved, Blame::Undetermined, |c, b| {
        c.state = CallState::Answered;
        b.reason = "no model log";
        b.hint = "log the model requests, e.g. with a gateway";
        b.delivered = Span::default();
    });
    run
}

/// The server is at fault, and the sample is small.
pub fn server_fault() -> Run {
    let mut run = Run::default();
    run.calls(3, "empty_resource", BlockType::Resource, Fate::ServerInvalid, Blame::Server, |_, _| {});
    run.calls(5, "read_file", BlockType::Text, Fate::Delivered, Blame::Nobody, |_, _| {});
    for state in [CallState::ServerEmpty, CallState::ServerError] {
        run.call("broken", |c| {
            c.state = state;
            c.blame = Blame::Server;
        });
    }
    run
}

/// Only the model's side is logged.
pub fn model_only() -> Run {
    let mut run = Run::default();
    let discarded = marker("bridge-resource-discarded");
    for n in 0..6 {
        run.call("fetch_doc", |c| {
            c.call = None;
            c.marker = if n < 4 { discarded } else { None };
            c.request = Span::default();
            c.response = Span::default();
            c.reason = "no wire log";
            c.hint = "the MCP log of the server or the client";
        });
    }
    run
}

/// The server answers, and there is nothing in its answers.
pub fn empty_server() -> Run {
    let mut run = Run::default();
    for _ in 0..3 {
        run.call("search", |c| {
            c.state = CallState::ServerEmpty;
            c.blame = Blame::Server;
            c.reason = "the answer has no content";
        });
    }
    run
}
