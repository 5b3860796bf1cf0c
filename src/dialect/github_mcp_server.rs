//! Dialect `github-mcp-server`: its command log (`--enable-command-logging --log-file FILE`).
//!
//! `time=… level=INFO msg="[stdin]: received bytes" count=161 data="{\"jsonrpc\":…}\n"`, and
//! `[stdout]: sending bytes`; older builds `msg="[stdin]: received 161 bytes: {…}\n"`; the same keys as JSON where
//! slog's JSON handler is used. A line is one read or write of a buffer, not one message: a message can span
//! lines and a line can hold several, so each direction is put together first.
//! Source: github/github-mcp-server, `pkg/log/io.go`.

use memchr::{memchr, memmem};

use crate::bytes::json::{Fault, Json, text_of};
use crate::bytes::{Chunk, Skip, Span};

use super::raw::{Codec, Dir, Origin, Payloads, RawFrame, Side, Sink};
use super::{Context, Dialect, Framing, Sample, Stage, jsonrpc, stamp};

/// The registry entry.
pub const DIALECT: Dialect = Dialect {
    name: "github-mcp-server",
    about: "github-mcp-server's command log, slog text or JSON, and the older logrus form",
    enable: "start the server with --enable-command-logging --log-file FILE",
    side: Side::Server,
    proves: &[Stage::Returned],
    payloads: Payloads::Whole,
    framing: Framing::Whole,
    detect,
    parse,
};

/// What one line says.
enum Entry {
    /// Bytes that went in or out.
    Buffer { time_us: Option<i64>, dir: Dir, data: Vec<u8> },
    /// Another line of the same logger.
    Other,
    /// A line of something else.
    Foreign,
}

fn entry(line: &[u8]) -> Entry {
    if line.first() == Some(&b'{') { json_entry(line) } else { text_entry(line) }
}

fn direction(message: &[u8]) -> Option<Dir> {
    if message.starts_with(b"[stdin]: received ") {
        Some(Dir::ToServer)
    } else {
        message.starts_with(b"[stdout]: sending ").then_some(Dir::ToClient)
    }
}

/// `key=value` or `key="value"` at the start of a word; gives the raw value, quotes taken off.
fn value<'l>(line: &'l [u8], key: &[u8]) -> Option<&'l [u8]> {
    let at = if line.starts_with(key) { 0 } else { memmem::find(line, &[b" ", key].concat())? + 1 };
    let rest = &line[at + key.len()..];
    match rest.strip_prefix(b"\"") {
        Some(inner) => quoted_end(inner).map(|end| &inner[..end]),
        None => Some(&rest[..memchr(b' ', rest).unwrap_or(rest.len())]),
    }
}

fn quoted_end(inner: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr2(b'"', b'\\', inner.get(at..)?)?;
        if inner[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

fn text_entry(line: &[u8]) -> Entry {
    let foreign = Entry::Foreign;
    if !line.starts_with(b"time=") || memmem::find(&line[..line.len().min(200)], b" level=").is_none() {
        return foreign;
    }
    let time_us = value(line, b"time=").and_then(stamp::parse);
    let Some(message) = value(line, b"msg=") else { return foreign };
    let Some(dir) = direction(message) else { return Entry::Other };
    let raw = match value(line, b"data=") {
        Some(data) => data,
        // logrus: the bytes are the rest of the message itself.
        None => match memmem::find(message, b" bytes: ") {
            Some(at) => &message[at + b" bytes: ".len()..],
            None => return Entry::Other,
        },
    };
    Entry::Buffer { time_us, dir, data: go_unquote(raw) }
}

fn json_entry(line: &[u8]) -> Entry {
    let (mut time_us, mut dir, mut data, mut level) = (None, None, None, false);
    let whole = Json::new(line, 0).object(|key, v| {
        let text = v.string_or_skip()?.map(|r| &line[r]);
        match (key, text) {
            (b"time", Some(t)) => time_us = stamp::parse(t),
            (b"level", Some(_)) => level = true,
            (b"msg", Some(m)) => dir = direction(m),
            (b"data", Some(d)) => data = Some(text_of(d).into_owned()),
            _ => {}
        }
        Ok(())
    });
    match (whole, level, dir, data) {
        (Ok(()), true, Some(dir), Some(data)) => Entry::Buffer { time_us, dir, data },
        (Ok(()), true, ..) => Entry::Other,
        _ => Entry::Foreign,
    }
}

/// Undoes Go's `strconv.Quote`.
/// Source: The Go Programming Language Specification, "String literals".
pub fn go_unquote(raw: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = memchr(b'\\', rest) {
        out.extend_from_slice(&rest[..at]);
        let Some(&escape) = rest.get(at + 1) else {
            rest = &[];
            break;
        };
        rest = &rest[at + 2..];
        let mut number = |digits: usize| -> Option<u32> {
            let hex = std::str::from_utf8(rest.get(..digits)?).ok()?;
            let n = u32::from_str_radix(hex, 16).ok()?;
            rest = &rest[digits..];
            Some(n)
        };
        match escape {
            b'n' => out.push(b'\n'),
            b't' => out.push(b'\t'),
            b'r' => out.push(b'\r'),
            b'a' => out.push(7),
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'v' => out.push(11),
            b'x' => out.extend(number(2).map(|n| n as u8)),
            b'u' | b'U' => {
                let code = number(if escape == b'u' { 4 } else { 8 });
                let c = code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER);
                out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
            }
            other => out.push(other),
        }
    }
    out.extend_from_slice(rest);
    out
}

/// The text of the lines in `bytes` that go in the direction of the first of them: [`Codec::SlogBuffers`].
pub fn joined(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut wanted = None;
    for line in (Chunk { file: 0, offset: 1, bytes }).lines() {
        if let Entry::Buffer { dir, data, .. } = entry(line.bytes)
            && *wanted.get_or_insert(dir) == dir
        {
            out.extend_from_slice(&data);
        }
    }
    out
}

fn detect(sample: &Sample<'_>) -> u8 {
    sample.share(70, |line| matches!(entry(line), Entry::Buffer { .. }))
}

/// One direction of the stream: what is not yet a whole message.
#[derive(Default)]
struct Stream {
    text: Vec<u8>,
    /// Where the next message starts in `text`.
    next: usize,
    /// The lines that `text` is from, with the length of `text` before each.
    lines: Vec<(Span, usize)>,
}

fn parse(chunk: Chunk<'_>, context: Context, sink: &mut dyn Sink) {
    let mut streams = [Stream::default(), Stream::default()];
    for line in chunk.lines() {
        if line.bytes.trim_ascii().is_empty() {
            sink.accounting().skip(Skip::Blank, line.span);
            continue;
        }
        if line.bytes.len() as u64 > context.max_line_bytes {
            sink.accounting().skip(Skip::TooLong, line.span);
            continue;
        }
        match entry(line.bytes) {
            Entry::Buffer { time_us, dir, data } => {
                let stream = &mut streams[usize::from(dir == Dir::ToClient)];
                stream.push(line.span, &data, context.max_line_bytes);
                stream.drain(time_us, dir, context, sink);
                sink.accounting().understood(DIALECT.name, 1);
            }
            Entry::Other => sink.accounting().understood(DIALECT.name, 1),
            Entry::Foreign => sink.accounting().skip(Skip::OtherText, line.span),
        }
    }
}

impl Stream {
    fn push(&mut self, span: Span, data: &[u8], max_bytes: u64) {
        if (self.text.len() + data.len()) as u64 > max_bytes {
            *self = Stream::default();
        }
        self.lines.push((span, self.text.len()));
        self.text.extend_from_slice(data);
    }

    /// Hands out the messages that are whole.
    fn drain(&mut self, time_us: Option<i64>, dir: Dir, context: Context, sink: &mut dyn Sink) {
        while self.next < self.text.len() {
            let rest = &self.text[self.next..];
            let blank = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
            if blank > 0 {
                self.next += blank;
                continue;
            }
            // A message ends with its line, or with its buffer.
            let ends = memchr(b'\n', rest).is_some() || rest.ends_with(b"}") || rest.ends_with(b"]");
            if !ends {
                break;
            }
            let mut json = Json::new(&self.text, self.next);
            match json.skip() {
                Ok(range) => {
                    let first = self.lines.partition_point(|(_, before)| *before <= range.start).saturating_sub(1);
                    self.keep_from(first);
                    let start = self.next;
                    let end = start + range.len();
                    self.emit(start, time_us, dir, context, sink);
                    self.next = end;
                }
                Err(Fault::Cut) => break,
                Err(_) => {
                    // Not a message: on to the next line.
                    self.next += memchr(b'\n', rest).map_or(rest.len(), |n| n + 1);
                }
            }
        }
        if self.next >= self.text.len() {
            *self = Stream::default();
        }
    }

    /// Lets go of the lines before `first`.
    fn keep_from(&mut self, first: usize) {
        let cut = self.lines.get(first).map_or(0, |l| l.1);
        if cut > 0 {
            self.text.drain(..cut);
            self.lines.drain(..first);
            self.lines.iter_mut().for_each(|l| l.1 -= cut);
            self.next -= cut;
        }
    }

    fn emit(&self, start: usize, time_us: Option<i64>, dir: Dir, context: Context, sink: &mut dyn Sink) {
        let (Some((first, _)), Some((last, _))) = (self.lines.first(), self.lines.last()) else { return };
        let len = last.offset + u64::from(last.len) - first.offset;
        let Ok(len) = u32::try_from(len) else { return };
        let origin = Origin { span: Span { len, ..*first }, codec: Codec::SlogBuffers, text: &self.text };
        if let Ok(Some(message)) = jsonrpc::read(&mut Json::new(&self.text, start)) {
            sink.frame(RawFrame {
                origin,
                side: context.side,
                dir,
                time_us,
                session: None,
                payloads: Payloads::Whole,
                is_kept: false,
                message,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_three_forms_of_a_line() {
        for line in [
            r#"time=2026-08-20T10:00:00.120+02:00 level=INFO msg="[stdin]: received bytes" count=2 data="{\"a\":\"x\\ny\"}\n""#,
            r#"time="2025-05-20T10:00:00+02:00" level=info msg="[stdin]: received 2 bytes: {\"a\":\"x\\ny\"}\n""#,
            r#"{"time":"2026-08-20T10:00:00.12+02:00","level":"INFO","msg":"[stdin]: received bytes","count":2,"data":"{\"a\":\"x\\ny\"}\n"}"#,
        ] {
            match entry(line.as_bytes()) {
                Entry::Buffer { data, dir, time_us } => {
                    assert_eq!(data, b"{\"a\":\"x\\ny\"}\n", "{line}");
                    assert_eq!(dir, Dir::ToServer);
                    assert!(time_us.is_some());
                }
                _ => unreachable!("{line}"),
            }
        }
    }
}
