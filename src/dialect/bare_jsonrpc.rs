//! Dialect `bare-jsonrpc`: one JSON-RPC message a line, as `tee` of a stdio server writes it: no time, no
//! direction. The direction follows from method and result; the time from the order of the lines.

use crate::bytes::json::Json;
use crate::bytes::{Chunk, Skip};

use super::raw::{Codec, Dir, Origin, Payloads, Side, Sink, skip_reason};
use super::{Context, Dialect, Framing, Sample, Stage, frames, jsonrpc};

/// The registry entry.
pub const DIALECT: Dialect = Dialect {
    name: "bare-jsonrpc",
    about: "a tee of a stdio server: one JSON-RPC message a line, stderr text may stand between",
    enable: "start the server through `tee`: sh -c 'tee -a in.ndjson | SERVER | tee -a out.ndjson'",
    side: Side::Wire,
    proves: &[Stage::Returned, Stage::Received],
    payloads: Payloads::Whole,
    framing: Framing::Line,
    detect,
    parse,
};

fn detect(sample: &Sample<'_>) -> u8 {
    sample.share(30, |line| match line.first() {
        Some(b'{') => {
            let mut version = false;
            super::detect::members(line, |key, _| version |= key == b"jsonrpc");
            version && matches!(jsonrpc::read(&mut Json::new(line, 0)), Ok(Some(_)))
        }
        Some(b'[') => {
            let mut hit = false;
            let whole = Json::new(line, 0).array(|_, v| {
                hit |= matches!(jsonrpc::read(v), Ok(Some(_)));
                Ok(())
            });
            hit && whole.is_ok()
        }
        _ => false,
    })
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
            let origin = Origin { span: line.span, codec: Codec::Plain, text: line.bytes };
            match frames::bare(origin, None, Dir::Unknown, None, context, sink) {
                Ok(0) => sink.accounting().skip(Skip::OtherJson, line.span),
                Ok(_) => sink.accounting().understood(DIALECT.name, 1),
                Err(fault) => sink.accounting().skip(skip_reason(fault), line.span),
            }
        }
    }
}
