//! Dialect `frames`: one JSON object a line that wraps a JSON-RPC message with a time and a direction.
//!
//! `{"ts": 1796093753.97, "dir": "client->server", "msg": {…}}` (mcp-rec) and its cousins: other names for the
//! three members, ISO or epoch times, the message as a JSON string, a batch as an array.

use crate::bytes::json::{Fault, Json, Kind, text_of};
use crate::bytes::{Chunk, Line, Skip};

use super::raw::{At, Codec, Dir, Message, Origin, Payloads, RawFrame, Side, Sink, skip_reason};
use super::{Context, Dialect, Framing, Sample, Stage, jsonrpc, stamp};

/// The registry entry.
pub const DIALECT: Dialect = Dialect {
    name: "frames",
    about: "recorders and proxies that log each JSON-RPC message with time and direction, one JSON object a line",
    enable: "put a recorder between client and server, e.g. `mcp-rec -- SERVER ARGS` as the server's command",
    side: Side::Wire,
    proves: &[Stage::Returned, Stage::Received],
    payloads: Payloads::Whole,
    framing: Framing::Line,
    detect,
    parse,
};

const TIME_KEYS: [&[u8]; 6] = [b"ts", b"timestamp", b"time", b"@timestamp", b"t", b"date"];
const DIR_KEYS: [&[u8]; 5] = [b"dir", b"direction", b"from", b"sender", b"origin"];
const MESSAGE_KEYS: [&[u8]; 10] =
    [b"msg", b"message", b"frame", b"data", b"payload", b"raw", b"body", b"json", b"rpc", b"content"];
const SESSION_KEYS: [&[u8]; 6] =
    [b"session", b"sessionId", b"session_id", b"mcp_session_id", b"mcp-session-id", b"Mcp-Session-Id"];
const SIDE_KEYS: [&[u8]; 2] = [b"side", b"recorded_by"];

fn detect(sample: &Sample<'_>) -> u8 {
    sample.share(40, |line| {
        let (mut message, mut beside) = (false, false);
        super::detect::members(line, |key, v| {
            if MESSAGE_KEYS.contains(&key) {
                message |= holds_message(v);
            }
            beside |= TIME_KEYS.contains(&key) || DIR_KEYS.contains(&key);
        });
        message && beside
    })
}

fn holds_message(v: &mut Json<'_>) -> bool {
    match v.kind() {
        Ok(Kind::Object) => matches!(jsonrpc::read(v), Ok(Some(_))),
        Ok(Kind::Array) => {
            let mut hit = false;
            let whole = v.array(|_, v| {
                hit |= matches!(jsonrpc::read(v), Ok(Some(_)));
                Ok(())
            });
            hit && whole.is_ok()
        }
        Ok(Kind::String) => v.string().is_ok_and(|range| {
            let text = text_of(&v.text()[range]);
            text.first() == Some(&b'{') && matches!(jsonrpc::read(&mut Json::new(&text, 0)), Ok(Some(_)))
        }),
        _ => false,
    }
}

fn parse(chunk: Chunk<'_>, context: Context, sink: &mut dyn Sink) {
    for line in chunk.lines() {
        let text = line.bytes.trim_ascii();
        if text.is_empty() {
            sink.accounting().skip(Skip::Blank, line.span);
        } else if line.bytes.len() as u64 > context.max_line_bytes {
            sink.accounting().skip(Skip::TooLong, line.span);
        } else if text[0] != b'{' && text[0] != b'[' {
            sink.accounting().skip(Skip::OtherText, line.span);
        } else {
            match parse_line(line, context, sink) {
                Ok(true) => sink.accounting().understood(DIALECT.name, 1),
                Ok(false) => sink.accounting().skip(Skip::OtherJson, line.span),
                Err(fault) => sink.accounting().skip(skip_reason(fault), line.span),
            }
        }
    }
}

/// What stands around the message.
#[derive(Default)]
struct Envelope<'l> {
    time_us: Option<i64>,
    dir: Dir,
    session: Option<&'l [u8]>,
    side: Option<Side>,
}

fn parse_line(line: Line<'_>, context: Context, sink: &mut dyn Sink) -> Result<bool, Fault> {
    let text = line.bytes;
    let mut json = Json::new(text, 0);
    let mut envelope = Envelope::default();
    let mut messages: Vec<Message<'_>> = Vec::new();
    let mut nested: Option<At> = None;
    let mut bare = json.kind()? == Kind::Array;
    if bare {
        json.skip()?;
    } else {
        json.object(|key, v| {
            match key {
                b"jsonrpc" => bare = true,
                k if MESSAGE_KEYS.contains(&k) && messages.is_empty() => {
                    match v.kind()? {
                        Kind::Object => messages.extend(jsonrpc::read(v)?),
                        Kind::Array => v.array(|_, v| {
                            messages.extend(jsonrpc::read(v)?);
                            Ok(())
                        })?,
                        Kind::String => {
                            let range = v.string()?;
                            if starts_like_object(&v.text()[range.clone()]) {
                                nested = Some(At::new(range));
                            }
                        }
                        _ => {
                            v.skip()?;
                        }
                    }
                    return Ok(());
                }
                k if TIME_KEYS.contains(&k) => {
                    let range = v.skip()?;
                    envelope.time_us = stamp::parse(unquote(&v.text()[range]));
                    return Ok(());
                }
                k if DIR_KEYS.contains(&k) => {
                    let range = v.skip()?;
                    envelope.dir = direction(unquote(&v.text()[range]));
                    return Ok(());
                }
                k if SESSION_KEYS.contains(&k) => {
                    envelope.session = v.string_or_skip()?.map(|r| &v.text()[r]);
                    return Ok(());
                }
                k if SIDE_KEYS.contains(&k) => {
                    envelope.side = v.string_or_skip()?.and_then(|r| side(&v.text()[r]));
                    return Ok(());
                }
                _ => {}
            }
            v.skip().map(drop)
        })?;
    }
    if !json.at_end() {
        return Err(Fault::Bad(json.pos()));
    }
    let origin = Origin { span: line.span, codec: Codec::Plain, text };
    if bare {
        return Ok(emit_bare(origin, &envelope, context, sink)? > 0);
    }
    if let Some(at) = nested {
        let decoded = text_of(at.of(text));
        let span = line.span.sub(at.start, at.len);
        let origin = Origin { span, codec: Codec::JsonString, text: &decoded };
        return Ok(emit_bare(origin, &envelope, context, sink)? > 0);
    }
    let found = !messages.is_empty();
    for message in messages {
        emit(origin, &envelope, context, message, sink);
    }
    Ok(found)
}

fn emit(origin: Origin<'_>, e: &Envelope<'_>, context: Context, message: Message<'_>, sink: &mut dyn Sink) {
    sink.frame(RawFrame {
        origin,
        side: e.side.unwrap_or(context.side),
        dir: e.dir,
        time_us: e.time_us,
        session: e.session,
        payloads: Payloads::Whole,
        is_kept: false,
        message,
    });
}

/// The whole record is a message, or a batch of them. Returns how many it held.
fn emit_bare(origin: Origin<'_>, e: &Envelope<'_>, context: Context, sink: &mut dyn Sink) -> Result<usize, Fault> {
    let mut json = Json::new(origin.text, 0);
    let mut messages = Vec::new();
    if json.kind()? == Kind::Array {
        json.array(|_, v| {
            messages.extend(jsonrpc::read(v)?);
            Ok(())
        })?;
    } else {
        messages.extend(jsonrpc::read(&mut json)?);
    }
    let count = messages.len();
    for message in messages {
        emit(origin, e, context, message, sink);
    }
    Ok(count)
}

/// Parses a record that is a bare message or batch; for dialects whose frames have no envelope of their own.
///
/// # Errors
/// When the text is not JSON.
pub fn bare(
    origin: Origin<'_>,
    time_us: Option<i64>,
    dir: Dir,
    session: Option<&[u8]>,
    context: Context,
    sink: &mut dyn Sink,
) -> Result<usize, Fault> {
    emit_bare(origin, &Envelope { time_us, dir, session, side: None }, context, sink)
}

fn starts_like_object(raw: &[u8]) -> bool {
    raw.iter().find(|b| !b.is_ascii_whitespace()).is_some_and(|&b| b == b'{' || b == b'[')
}

fn unquote(raw: &[u8]) -> &[u8] {
    raw.strip_prefix(b"\"").and_then(|r| r.strip_suffix(b"\"")).unwrap_or(raw)
}

/// Reads a direction word. "in", "out", "send" and the like depend on who logs and stay unknown: method and
/// result tell the direction then.
pub fn direction(raw: &[u8]) -> Dir {
    let word = String::from_utf8_lossy(raw).to_ascii_lowercase();
    let word = word.as_str();
    let client_first = ["client", "c2s", "c->s", "c→s", "to_server", "to-server", "toserver", "->server"];
    let server_first = ["server", "s2c", "s->c", "s→c", "to_client", "to-client", "toclient", "->client"];
    if client_first.iter().any(|p| word.starts_with(p)) {
        Dir::ToServer
    } else if server_first.iter().any(|p| word.starts_with(p)) {
        Dir::ToClient
    } else {
        Dir::Unknown
    }
}

fn side(raw: &[u8]) -> Option<Side> {
    match raw {
        b"server" => Some(Side::Server),
        b"client" | b"host" => Some(Side::Client),
        b"wire" | b"proxy" => Some(Side::Wire),
        _ => None,
    }
}
