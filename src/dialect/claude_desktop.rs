//! Dialect `claude-desktop`: Claude Desktop's `mcp.log` and `mcp-server-NAME.log`.
//!
//! `2026-08-20T08:00:01.500Z [docs] [info] Message from client: {…}`, in `mcp.log` with the level first, in some
//! builds without a name, in newer ones with ` { metadata: undefined }` behind the message. Builds from mid-2026
//! log no payloads: `Message from server: id=3 result(4 blocks)`. The server's stderr stands in between, raw.
//! Ids start again at 0 with each start of the server.
//! Sources: logs pasted in public reports (anthropics/claude-code#91898, #86235, modelcontextprotocol/go-sdk#395).

use crate::bytes::{Chunk, Line, Skip};

use super::raw::{At, Codec, Dir, Message, Method, Origin, Payloads, RawFrame, RawId, Side, Sink, skip_reason};
use super::{Context, Dialect, Framing, Sample, Stage, frames, stamp};

/// The registry entry.
pub const DIALECT: Dialect = Dialect {
    name: "claude-desktop",
    about: "Claude Desktop's mcp.log and mcp-server-NAME.log (macOS: ~/Library/Logs/Claude)",
    enable: "on by default; builds from mid-2026 log block counts without payloads",
    side: Side::Client,
    proves: &[Stage::Received, Stage::CallEnded],
    payloads: Payloads::Whole,
    framing: Framing::Line,
    detect,
    parse,
};

/// One line, taken apart.
struct Head<'l> {
    time_us: Option<i64>,
    /// Server's name; empty when the line has none.
    name: &'l [u8],
    /// Offset of what follows the brackets.
    rest: usize,
}

const LEVELS: [&[u8]; 5] = [b"info", b"error", b"warn", b"debug", b"warning"];

/// `TIME [a] [b] …` with at least one bracket, one of them a level.
fn head(line: &[u8]) -> Option<Head<'_>> {
    let space = memchr::memchr(b' ', line)?;
    let time = line.get(..space).filter(|t| t.len() >= 20 && t.ends_with(b"Z") && t.get(10) == Some(&b'T'))?;
    let mut head = Head { time_us: Some(stamp::parse(time)?), name: b"", rest: space + 1 };
    let mut has_level = false;
    for _ in 0..2 {
        let text = &line[head.rest..];
        let Some(inner) = text.strip_prefix(b"[") else { break };
        let end = memchr::memchr(b']', &inner[..inner.len().min(200)])?;
        let word = &inner[..end];
        if LEVELS.contains(&word) {
            has_level = true;
        } else {
            head.name = word;
        }
        head.rest += end + 2;
        while line.get(head.rest) == Some(&b' ') {
            head.rest += 1;
        }
    }
    has_level.then_some(head)
}

const FROM_CLIENT: &[u8] = b"Message from client: ";
const FROM_SERVER: &[u8] = b"Message from server: ";

fn message_at(line: &[u8], head: &Head<'_>) -> Option<(Dir, usize)> {
    let text = &line[head.rest..];
    if text.starts_with(FROM_CLIENT) {
        return Some((Dir::ToServer, head.rest + FROM_CLIENT.len()));
    }
    text.starts_with(FROM_SERVER).then_some((Dir::ToClient, head.rest + FROM_SERVER.len()))
}

fn detect(sample: &Sample<'_>) -> u8 {
    sample.share(60, |line| head(line).is_some_and(|h| message_at(line, &h).is_some()))
}

fn parse(chunk: Chunk<'_>, context: Context, sink: &mut dyn Sink) {
    for line in chunk.lines() {
        if line.bytes.trim_ascii().is_empty() {
            sink.accounting().skip(Skip::Blank, line.span);
        } else if line.bytes.len() as u64 > context.max_line_bytes {
            sink.accounting().skip(Skip::TooLong, line.span);
        } else {
            parse_line(line, context, sink);
        }
    }
}

fn parse_line(line: Line<'_>, context: Context, sink: &mut dyn Sink) {
    let Some(head) = head(line.bytes) else {
        sink.accounting().skip(Skip::OtherText, line.span);
        return;
    };
    let Some((dir, start)) = message_at(line.bytes, &head) else {
        // The client's own words about a server.
        sink.accounting().understood(DIALECT.name, 1);
        return;
    };
    let session = (!head.name.is_empty()).then_some(head.name);
    let text = &line.bytes[start..];
    let span = line.span.sub(start as u32, text.len() as u32);
    let origin = Origin { span, codec: Codec::Plain, text };
    if matches!(text.first(), Some(b'{' | b'[')) {
        match frames::bare(origin, head.time_us, dir, session, context, sink) {
            Ok(0) => sink.accounting().skip(Skip::OtherJson, line.span),
            Ok(_) => sink.accounting().understood(DIALECT.name, 1),
            Err(fault) => sink.accounting().skip(skip_reason(fault), line.span),
        }
    } else if let Some(message) = summary(text) {
        sink.frame(RawFrame {
            origin,
            side: context.side,
            dir,
            time_us: head.time_us,
            session,
            payloads: Payloads::Absent,
            is_kept: false,
            message,
        });
        sink.accounting().understood(DIALECT.name, 1);
    } else {
        sink.accounting().skip(Skip::OtherText, line.span);
    }
}

/// `method="tools/call" id=3 params`, `id=3 result(4 blocks)`, `id=4 error(code=-32603)`.
fn summary(text: &[u8]) -> Option<Message<'_>> {
    let mut m = Message::default();
    if let Some(value) = field(text, b"method=\"") {
        let end = memchr::memchr(b'"', value)?;
        m.has_method = true;
        m.method = Method::parse(&value[..end]);
    }
    if let Some(value) = field(text, b"id=") {
        let id = value.split(|b| *b == b' ').next().unwrap_or(&[]);
        let number = std::str::from_utf8(id).ok().and_then(|s| s.parse().ok());
        m.id = number.map_or(RawId::Text(unquoted(id)), RawId::Int);
    }
    let all = At::new(0..text.len());
    if let Some(value) = field(text, b"result") {
        m.result = Some(all);
        m.block_count = value.strip_prefix(b"(").and_then(number);
    }
    if let Some(value) = field(text, b"error(code=") {
        m.error = Some(all);
        let end = value.iter().position(|b| *b == b')').unwrap_or(value.len());
        m.error_code = std::str::from_utf8(&value[..end]).ok().and_then(|s| s.parse().ok());
    }
    (m.has_method || m.result.is_some() || m.error.is_some()).then_some(m)
}

/// What follows `key` at the start of a word.
fn field<'t>(text: &'t [u8], key: &[u8]) -> Option<&'t [u8]> {
    memchr::memmem::find_iter(text, key)
        .find(|at| *at == 0 || text[at - 1] == b' ')
        .map(|at| &text[at + key.len()..])
}

fn unquoted(text: &[u8]) -> &[u8] {
    text.strip_prefix(b"\"").and_then(|t| t.strip_suffix(b"\"")).unwrap_or(text)
}

fn number(text: &[u8]) -> Option<u32> {
    let end = text.iter().position(|b| !b.is_ascii_digit()).unwrap_or(text.len());
    std::str::from_utf8(&text[..end]).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_of_all_builds() {
        for (line, name) in [
            ("2026-08-20T08:00:01.500Z [docs] [info] Message from client: {}", "docs"),
            ("2026-08-20T08:00:01.500Z [info] [docs] Message from client: {}", "docs"),
            ("2026-08-20T08:00:01.500Z [info] Message from client: {}", ""),
        ] {
            let h = head(line.as_bytes());
            assert_eq!(h.as_ref().map(|h| h.name), Some(name.as_bytes()), "{line}");
            let at = h.and_then(|h| message_at(line.as_bytes(), &h)).map(|m| m.1);
            assert_eq!(at, Some(line.len() - 2), "{line}");
        }
        for line in [
            "docs listening",
            "2026-08-20 08:00:01.500 [info] x",
            "[info] [docs] x",
            "2026-08-20T08:00:01.500Z [x",
        ] {
            assert!(head(line.as_bytes()).is_none(), "{line}");
        }
    }

    #[test]
    fn summaries_without_payloads() {
        let m = summary(b"id=3 result(4 blocks) { metadata: undefined }").unwrap_or_default();
        assert_eq!((m.id, m.block_count), (RawId::Int(3), Some(4)));
        let m = summary(b"method=\"tools/call\" id=3 params { metadata: undefined }").unwrap_or_default();
        assert_eq!((m.method, m.id), (Method::ToolsCall, RawId::Int(3)));
        let m = summary(b"id=4 error(code=-32603)").unwrap_or_default();
        assert_eq!(m.error_code, Some(-32603));
        assert!(summary(b"hello").is_none());
    }
}
