//! Dialect `codex-rollout`: Codex CLI's session files, `~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl`.
//!
//! `response_item` lines are what goes to the model; `event_msg` lines with an `McpToolCall` item (0.153 and
//! later) or `mcp_tool_call_end` (before) hold the MCP result before its conversion, already sanitised: audio
//! can be a placeholder and long text cut there, so it proves `kept`, not `returned`.
//! Sources: openai/codex `codex-rs/protocol`; rollouts of versions 0.20 to 0.171.

use crate::bytes::json::{Fault, Json, Kind};
use crate::bytes::{Chunk, Line, Skip};

use super::raw::{
    At, Codec, Dir, ItemKind, Message, Origin, Payloads, RawFrame, RawTurn, Side, Sink, skip_reason,
};
use super::{Context, Dialect, Framing, Sample, Stage, conversation, jsonrpc, stamp};

/// The registry entry.
pub const DIALECT: Dialect = Dialect {
    name: "codex-rollout",
    about: "Codex CLI session files, ~/.codex/sessions/YYYY/MM/DD/rollout-*.jsonl",
    enable: "on by default",
    side: Side::Client,
    proves: &[Stage::Received, Stage::Kept, Stage::Delivered],
    payloads: Payloads::Cut,
    framing: Framing::Whole,
    detect,
    parse,
};

fn detect(sample: &Sample<'_>) -> u8 {
    sample.share(50, |line| {
        let (mut kind, mut payload, mut time) = (false, false, false);
        super::detect::members(line, |key, v| match key {
            b"type" => {
                kind = v.string().is_ok_and(|r| {
                    [&b"session_meta"[..], b"response_item", b"event_msg", b"turn_context", b"compacted"]
                        .contains(&&v.text()[r])
                });
            }
            b"payload" => payload = true,
            b"timestamp" => time = true,
            _ => {}
        });
        kind && payload && time
    })
}

fn parse(chunk: Chunk<'_>, context: Context, sink: &mut dyn Sink) {
    let mut client_version: Vec<u8> = Vec::new();
    for line in chunk.lines() {
        let text = line.bytes.trim_ascii();
        if text.is_empty() {
            sink.accounting().skip(Skip::Blank, line.span);
        } else if line.bytes.len() as u64 > context.max_line_bytes {
            sink.accounting().skip(Skip::TooLong, line.span);
        } else if text[0] != b'{' {
            sink.accounting().skip(Skip::OtherText, line.span);
        } else {
            match parse_line(line, &mut client_version, sink) {
                Ok(true) => sink.accounting().understood(DIALECT.name, 1),
                Ok(false) => sink.accounting().skip(Skip::OtherJson, line.span),
                Err(fault) => sink.accounting().skip(skip_reason(fault), line.span),
            }
        }
    }
}

fn parse_line(line: Line<'_>, client_version: &mut Vec<u8>, sink: &mut dyn Sink) -> Result<bool, Fault> {
    let text = line.bytes;
    let origin = Origin { span: line.span, codec: Codec::Plain, text };
    let mut json = Json::new(text, 0);
    let (mut time_us, mut kind, mut payload): (Option<i64>, &[u8], Option<usize>) = (None, b"", None);
    json.object(|key, v| {
        match key {
            b"timestamp" => time_us = v.string_or_skip()?.and_then(|r| stamp::parse(&text[r])),
            b"type" => {
                if let Some(range) = v.string_or_skip()? {
                    kind = &text[range];
                }
            }
            b"payload" if v.kind()? == Kind::Object => payload = Some(v.skip()?.start),
            _ => {
                v.skip()?;
            }
        }
        Ok(())
    })?;
    let turn = |items| RawTurn {
        origin,
        is_transcript: true,
        time_us,
        session: None,
        model: b"",
        client: (b"codex", client_version.as_slice()),
        status: 0,
        error: At::default(),
        shared: None,
        items,
        answer: Vec::new(),
        max_output_tokens: 0,
        input_tokens: 0,
    };
    match (kind, payload) {
        (b"session_meta", Some(at)) => {
            Json::new(text, at).object(|key, v| {
                if key == b"cli_version" {
                    if let Some(range) = v.string_or_skip()? {
                        *client_version = text[range].to_vec();
                    }
                    return Ok(());
                }
                v.skip().map(drop)
            })?;
            Ok(true)
        }
        (b"response_item", Some(at)) => {
            let mut items = Vec::new();
            conversation::element(&mut Json::new(text, at), &mut items)?;
            sink.turn(turn(items));
            Ok(true)
        }
        (b"compacted", Some(at)) => {
            let end = Json::new(text, at).skip()?;
            sink.turn(turn(vec![super::raw::RawItem {
                kind: ItemKind::Compaction,
                call_id: b"",
                name: b"",
                namespace: b"",
                arguments: Default::default(),
                at: At::new(end),
                time_us,
                is_error: false,
            }]));
            Ok(true)
        }
        (b"event_msg", Some(at)) => {
            if let Some(message) = tool_call_record(&mut Json::new(text, at))? {
                sink.frame(RawFrame {
                    origin,
                    side: Side::Client,
                    dir: Dir::ToClient,
                    time_us,
                    session: None,
                    payloads: Payloads::Cut,
                    is_kept: true,
                    message,
                });
            }
            Ok(true)
        }
        (b"turn_context" | b"token_usage_record" | b"world_state" | b"ghost_snapshot", Some(_)) => Ok(true),
        (b"", None) => bare_item(text, turn, sink),
        // Line types that later versions add beside these.
        (_, Some(_)) => Ok(true),
        _ => Ok(false),
    }
}

/// Up to 0.2x a line is the item itself, without time.
fn bare_item<'a>(
    text: &'a [u8],
    turn: impl Fn(Vec<super::raw::RawItem<'a>>) -> RawTurn<'a>,
    sink: &mut dyn Sink,
) -> Result<bool, Fault> {
    let mut items = Vec::new();
    conversation::element(&mut Json::new(text, 0), &mut items)?;
    let known = items.iter().any(|i| i.kind != ItemKind::Other);
    if known {
        sink.turn(turn(items));
    }
    Ok(known)
}

/// Reads `item_completed` with an `McpToolCall`, or `mcp_tool_call_end`.
fn tool_call_record<'a>(v: &mut Json<'a>) -> Result<Option<Message<'a>>, Fault> {
    let mut m = Message::default();
    let mut is_record = false;
    fn members<'a>(v: &mut Json<'a>, m: &mut Message<'a>, is_record: &mut bool) -> Result<(), Fault> {
        v.object(|key, v| {
            let kind = v.kind()?;
            match key {
                b"type" => {
                    if let Some(range) = v.string_or_skip()? {
                        *is_record |= matches!(&v.text()[range], b"McpToolCall" | b"mcp_tool_call_end");
                    }
                }
                b"item" | b"invocation" if kind == Kind::Object => members(v, m, is_record)?,
                b"id" | b"call_id" if kind == Kind::String => m.call_link = At::new(v.string()?),
                b"tool" if kind == Kind::String => m.name = At::new(v.string()?),
                b"arguments" => m.arguments = Some(At::new(v.skip()?)),
                b"result" if kind == Kind::Object => {
                    let start = v.pos();
                    // `{"Ok": {…}}` or `{"Err": "…"}` up to 0.144, the plain result later.
                    let mut inner = None;
                    v.clone().object(|key, v| {
                        if key == b"Ok" {
                            inner = Some(v.pos());
                        }
                        v.skip().map(drop)
                    })?;
                    jsonrpc::result(&mut Json::new(v.text(), inner.unwrap_or(start)), m)?;
                    m.result = Some(At::new(v.skip()?));
                }
                b"error" if kind != Kind::Null => m.error = Some(At::new(v.skip()?)),
                _ => {
                    v.skip()?;
                }
            }
            Ok(())
        })
    }
    members(v, &mut m, &mut is_record)?;
    Ok(is_record.then_some(m))
}
