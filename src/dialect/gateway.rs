//! Dialect `gateway`: what a gateway or proxy logs of model requests, one JSON object a line with the request
//! and the answer: OpenAI chat and Responses, Anthropic Messages, Gemini, under the usual envelope names.
//!
//! Every request repeats the whole conversation. What a request shares byte for byte with one of the requests
//! before it is compared, not parsed again: the quadratic part of such a log costs a memory comparison.

use std::ops::Range;

use crate::bytes::json::{Fault, Json, Kind};
use crate::bytes::{Chunk, Line, Skip};

use super::raw::{At, Codec, ItemKind, Origin, Payloads, RawTurn, Side, Sink, skip_reason};
use super::{Context, Dialect, Framing, Sample, Stage, conversation, stamp};

/// The registry entry.
pub const DIALECT: Dialect = Dialect {
    name: "gateway",
    about: "model requests and answers logged by a gateway (LiteLLM and alike), one JSON object a line",
    enable: "route the client's model traffic through a logging gateway, e.g. LiteLLM with a JSON file logger",
    side: Side::Model,
    proves: &[Stage::Delivered],
    payloads: Payloads::Whole,
    framing: Framing::Line,
    detect,
    parse,
};

const REQUEST_KEYS: [&[u8]; 7] =
    [b"request", b"req", b"body", b"request_body", b"requestBody", b"kwargs", b"payload"];
const RESPONSE_KEYS: [&[u8]; 6] =
    [b"response", b"resp", b"response_body", b"responseBody", b"answer", b"completion"];
const HISTORY_KEYS: [&[u8]; 3] = [b"messages", b"input", b"contents"];
const TIME_KEYS: [&[u8]; 6] = [b"ts", b"timestamp", b"time", b"@timestamp", b"startTime", b"start_time"];
const SESSION_KEYS: [&[u8]; 5] =
    [b"session_id", b"conversation_id", b"conversationId", b"sessionId", b"litellm_session_id"];

fn detect(sample: &Sample<'_>) -> u8 {
    sample.share(35, |line| {
        let mut turn = empty_turn(Origin { span: Default::default(), codec: Codec::Plain, text: line });
        let mut recent = Recent::default();
        let read = Json::new(line, 0).clone().object(|key, v| envelope(key, v, &mut turn, &mut recent, 0));
        let role_seen = turn.items.iter().any(|i| i.kind != ItemKind::Other);
        read.is_ok() && role_seen
    })
}

fn parse(chunk: Chunk<'_>, context: Context, sink: &mut dyn Sink) {
    let mut recent = Recent::default();
    for line in chunk.lines() {
        let text = line.bytes.trim_ascii();
        if text.is_empty() {
            sink.accounting().skip(Skip::Blank, line.span);
        } else if line.bytes.len() as u64 > context.max_line_bytes {
            sink.accounting().skip(Skip::TooLong, line.span);
        } else if text[0] != b'{' {
            sink.accounting().skip(Skip::OtherText, line.span);
        } else {
            match parse_line(line, &mut recent, sink) {
                Ok(true) => sink.accounting().understood(DIALECT.name, 1),
                Ok(false) => sink.accounting().skip(Skip::OtherJson, line.span),
                Err(fault) => sink.accounting().skip(skip_reason(fault), line.span),
            }
        }
    }
}

fn empty_turn(origin: Origin<'_>) -> RawTurn<'_> {
    RawTurn {
        origin,
        is_transcript: false,
        time_us: None,
        session: None,
        model: b"",
        client: (b"", b""),
        status: 0,
        error: At::default(),
        shared: None,
        items: Vec::new(),
        answer: Vec::new(),
        max_output_tokens: 0,
        input_tokens: 0,
    }
}

fn parse_line<'s>(line: Line<'s>, recent: &mut Recent<'s>, sink: &mut dyn Sink) -> Result<bool, Fault> {
    let origin = Origin { span: line.span, codec: Codec::Plain, text: line.bytes };
    let mut turn = empty_turn(origin);
    let mut json = Json::new(line.bytes, 0);
    recent.history = None;
    json.object(|key, v| envelope(key, v, &mut turn, recent, 0))?;
    if !json.at_end() {
        return Err(Fault::Bad(json.pos()));
    }
    if recent.history.is_none() && turn.answer.is_empty() && turn.error.is_empty() {
        return Ok(false);
    }
    let index = sink.turn(turn);
    recent.remember(index);
    Ok(true)
}

/// Envelopes inside envelopes (`request.body.messages`): deep enough for all seen, and an end for hostile logs.
const MAX_ENVELOPES: u32 = 4;

fn envelope<'s>(
    key: &'s [u8],
    v: &mut Json<'s>,
    turn: &mut RawTurn<'s>,
    recent: &mut Recent<'s>,
    depth: u32,
) -> Result<(), Fault> {
    let kind = v.kind()?;
    match key {
        k if HISTORY_KEYS.contains(&k) && kind == Kind::Array && recent.history.is_none() => {
            history(v, turn, recent)
        }
        // The Responses API takes a bare string as the whole user input.
        b"input" if kind == Kind::String && depth > 0 => {
            let at = At::new(v.skip()?);
            turn.items.push(super::raw::RawItem {
                kind: ItemKind::User,
                call_id: b"",
                name: b"",
                namespace: b"",
                arguments: Default::default(),
                at,
                time_us: None,
                is_error: false,
            });
            recent.history.get_or_insert_with(Default::default);
            Ok(())
        }
        k if REQUEST_KEYS.contains(&k) && kind == Kind::Object && depth < MAX_ENVELOPES => {
            v.object(|key, v| envelope(key, v, turn, recent, depth + 1))
        }
        k if RESPONSE_KEYS.contains(&k) && kind == Kind::Object => answer(v, turn),
        b"error" | b"exception" | b"error_str" if kind != Kind::Null => {
            turn.error = At::new(v.skip()?);
            Ok(())
        }
        b"status" | b"status_code" | b"statusCode" | b"http_status" | b"response_status" => {
            if let Some(status) = v.int()?.and_then(|n| u16::try_from(n).ok()) {
                turn.status = status;
            }
            Ok(())
        }
        b"model" => {
            if let Some(range) = v.string_or_skip()? {
                turn.model = &v.text()[range];
            }
            Ok(())
        }
        b"max_tokens" | b"max_output_tokens" | b"max_completion_tokens" => {
            turn.max_output_tokens = v.int()?.and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
            Ok(())
        }
        k if TIME_KEYS.contains(&k) && depth == 0 => {
            let range = v.skip()?;
            let raw = &v.text()[range];
            let raw = raw.strip_prefix(b"\"").and_then(|r| r.strip_suffix(b"\"")).unwrap_or(raw);
            turn.time_us = stamp::parse(raw);
            Ok(())
        }
        k if SESSION_KEYS.contains(&k) => {
            turn.session = v.string_or_skip()?.map(|r| &v.text()[r]);
            Ok(())
        }
        _ => v.skip().map(drop),
    }
}

/// Reads a conversation array, skipping what an earlier request of this chunk had byte for byte.
fn history<'s>(v: &mut Json<'s>, turn: &mut RawTurn<'s>, recent: &mut Recent<'s>) -> Result<(), Fault> {
    let text = v.text();
    let start = v.pos();
    let known = recent.longest_common(&text[start..]);
    let mut history = History { bytes: &[], ends: Vec::new(), turn: 0 };
    let mut shared_items = 0;
    let (index, end) = match known {
        Some((earlier, elements)) => {
            let parent = &recent.ring[earlier];
            history.ends.extend_from_slice(&parent.ends[..elements]);
            let (at, items) = parent.ends[elements - 1];
            turn.shared = Some((parent.turn, items));
            shared_items = items;
            (elements, Some(start + at))
        }
        None => (0, None),
    };
    v.array_from(index, end, |_, v| {
        conversation::element(v, &mut turn.items)?;
        history.ends.push((v.pos() - start, shared_items + turn.items.len() as u32));
        Ok(())
    })?;
    history.bytes = &text[start..v.pos()];
    recent.history = Some(history);
    Ok(())
}

/// Reads the answer of any of the APIs.
pub fn answer<'s>(v: &mut Json<'s>, turn: &mut RawTurn<'s>) -> Result<(), Fault> {
    let whole: Range<usize> = v.clone().skip()?;
    let mut is_message = false;
    v.object(|key, v| {
        let kind = v.kind()?;
        match key {
            b"choices" if kind == Kind::Array => v.array(|_, v| {
                if v.kind()? != Kind::Object {
                    return v.skip().map(drop);
                }
                v.object(|key, v| match key {
                    b"message" | b"delta" => conversation::element(v, &mut turn.answer),
                    _ => v.skip().map(drop),
                })
            }),
            b"output" if kind == Kind::Array => v.array(|_, v| conversation::element(v, &mut turn.answer)),
            b"candidates" if kind == Kind::Array => v.array(|_, v| {
                if v.kind()? != Kind::Object {
                    return v.skip().map(drop);
                }
                v.object(|key, v| match key {
                    b"content" => conversation::element(v, &mut turn.answer),
                    _ => v.skip().map(drop),
                })
            }),
            b"content" if kind == Kind::Array => {
                is_message = true;
                v.skip().map(drop)
            }
            b"body" if kind == Kind::Object => answer(v, turn),
            b"error" if kind != Kind::Null => {
                turn.error = At::new(v.skip()?);
                Ok(())
            }
            b"status" | b"status_code" | b"statusCode" => {
                if let Some(status) = v.int()?.and_then(|n| u16::try_from(n).ok()) {
                    turn.status = status;
                }
                Ok(())
            }
            b"usage" | b"usageMetadata" if kind == Kind::Object => v.object(|key, v| match key {
                b"prompt_tokens" | b"input_tokens" | b"promptTokenCount" => {
                    turn.input_tokens = v.int()?.and_then(|n| u32::try_from(n).ok()).unwrap_or(0);
                    Ok(())
                }
                _ => v.skip().map(drop),
            }),
            _ => v.skip().map(drop),
        }
    })?;
    if is_message {
        conversation::element(&mut Json::new(v.text(), whole.start), &mut turn.answer)?;
    }
    Ok(())
}

/// A conversation array already read: its bytes, and for each element where it ends and how many items the
/// array had given by then.
#[derive(Default)]
struct History<'s> {
    bytes: &'s [u8],
    ends: Vec<(usize, u32)>,
    turn: u32,
}

/// The last few conversations of a chunk; several are in flight when agents run in parallel.
#[derive(Default)]
struct Recent<'s> {
    ring: Vec<History<'s>>,
    history: Option<History<'s>>,
    next: usize,
}

const RING: usize = 8;

impl<'s> Recent<'s> {
    fn remember(&mut self, turn: u32) {
        let Some(mut history) = self.history.take() else { return };
        history.turn = turn;
        if self.ring.len() < RING {
            self.ring.push(history);
        } else {
            self.ring[self.next] = history;
            self.next = (self.next + 1) % RING;
        }
    }

    /// The remembered conversation that `bytes` continues furthest: its index and the number of whole
    /// elements that both begin with.
    fn longest_common(&self, bytes: &[u8]) -> Option<(usize, usize)> {
        self.ring
            .iter()
            .enumerate()
            .filter_map(|(i, h)| {
                let common = common_prefix(h.bytes, bytes);
                // The byte behind an element must be there and equal too, or a number could be cut.
                let elements = h.ends.partition_point(|(end, _)| *end < common);
                (elements > 0).then_some((i, elements))
            })
            .max_by_key(|(_, elements)| *elements)
    }
}

fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    const STEP: usize = 4096;
    let n = a.len().min(b.len());
    let mut at = 0;
    while at + STEP <= n && a[at..at + STEP] == b[at..at + STEP] {
        at += STEP;
    }
    at + a[at..n].iter().zip(&b[at..n]).take_while(|(x, y)| x == y).count()
}
