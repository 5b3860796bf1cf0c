//! The columns themselves.

use std::borrow::Cow;

use jiff::Timestamp;

use super::schema::{Column, Outcome, Row, Take, file_of};
use crate::event::{Id, Sym};
use crate::judge::JudgedBlock;

/// Text, or null when there is none.
fn text(s: &str) -> Option<Cow<'_, str>> {
    (!s.is_empty()).then_some(Cow::Borrowed(s))
}

fn sym<'a>(s: Sym) -> Option<Cow<'a, str>> {
    text(s.as_str())
}

fn id<'a>(id: Id) -> Option<Cow<'a, str>> {
    match id {
        Id::None | Id::Odd => None,
        Id::Int(n) => Some(Cow::Owned(n.to_string())),
        Id::Text(s) => sym(s),
    }
}

/// `2026-05-01`, in UTC.
fn day<'a>(time_us: i64) -> Option<Cow<'a, str>> {
    let time = Timestamp::from_microsecond(time_us).ok()?;
    Some(Cow::Owned(time.strftime("%Y-%m-%d").to_string()))
}

fn count(row: &Row<'_>, is_it: impl Fn(&JudgedBlock) -> bool) -> Option<u32> {
    Some(row.blocks.iter().filter(|b| is_it(b)).count() as u32)
}

fn outcomes(row: &Row<'_>, outcome: Outcome) -> Option<u32> {
    count(row, |b| Outcome::of(b.fate) == outcome)
}

const fn column(name: &'static str, unit: &'static str, meaning: &'static str, take: Take) -> Column {
    Column { name, unit, meaning, take }
}

/// Columns that both tables have.
pub const CALL: &[Column] = &[
    column(
        "call_index",
        "",
        "number of the call in this run: the #N of reports",
        Take::U32(|r| Some(r.call_index)),
    ),
    column("method", "", "MCP method", Take::Text(|r| text(r.call.method))),
    column("tool", "", "tool (or resource, prompt) as the server calls it", Take::Text(|r| sym(r.call.tool))),
    column("server", "", "serverInfo.name", Take::Text(|r| sym(r.call.server))),
    column("server_version", "", "serverInfo.version", Take::Text(|r| sym(r.call.server_version))),
    column("client", "", "clientInfo.name, or the transcript's client", Take::Text(|r| sym(r.call.client))),
    column("client_version", "", "version of the client", Take::Text(|r| sym(r.call.client_version))),
    column("protocol", "", "negotiated protocol version", Take::Text(|r| sym(r.call.protocol))),
    column("session", "", "name of the session in its log", Take::Text(|r| sym(r.call.session))),
    column("model", "", "model that got the result", Take::Text(|r| sym(r.call.model))),
    column(
        "time_us",
        "µs since 1970 UTC",
        "when the call was made, by the log's clock",
        Take::I64(|r| r.call.time_us),
    ),
    column("day", "", "its day in UTC, YYYY-MM-DD", Take::Text(|r| day(r.call.time_us?))),
    column(
        "link_how",
        "",
        "how the wire call was tied to the model's call",
        Take::Text(|r| text(r.call.link?.id())),
    ),
    column(
        "link_confidence",
        "0 to 1",
        "how sure that tie is",
        Take::F64(|r| Some(f64::from(r.call.link?.confidence()))),
    ),
];

/// Columns of `calls` alone.
pub const CALL_ONLY: &[Column] = &[
    column("model_tool", "", "tool as the model calls it", Take::Text(|r| sym(r.call.model_tool))),
    column("model_call_id", "", "the model's call id", Take::Text(|r| sym(r.call.model_call_id))),
    column("jsonrpc_id", "", "JSON-RPC id of the request", Take::Text(|r| id(r.call.jsonrpc_id))),
    column("session_index", "", "number of the session in this run", Take::U32(|r| r.call.session_index)),
    column("duration_us", "µs", "from request to answer", Take::I64(|r| r.call.duration_us)),
    column("state", "", "how far the call came", Take::Text(|r| text(r.call.state.id()))),
    column("blame", "", "who answers for a call that did not come far", Take::Text(|r| text(r.call.blame.id()))),
    column("reason", "", "why", Take::Text(|r| text(r.call.reason))),
    column("hint", "", "which log would settle it", Take::Text(|r| text(r.call.hint))),
    column(
        "rivals",
        "",
        "model calls that fit equally well, the linked one included",
        Take::U32(|r| Some(r.call.rivals)),
    ),
    column("is_error", "", "the tool said isError", Take::Bool(|r| Some(r.call.is_error))),
    column("has_response", "", "a log holds an answer to it", Take::Bool(|r| Some(!r.call.response.is_none()))),
    column("block_count", "", "blocks in its answer", Take::U32(|r| Some(r.blocks.len() as u32))),
    column(
        "blocks_delivered",
        "",
        "of these delivered as they were",
        Take::U32(|r| outcomes(r, Outcome::Delivered)),
    ),
    column(
        "blocks_transformed",
        "",
        "delivered in another form",
        Take::U32(|r| outcomes(r, Outcome::Transformed)),
    ),
    column("blocks_truncated", "", "delivered in part", Take::U32(|r| outcomes(r, Outcome::Truncated))),
    column("blocks_evicted", "", "delivered and gone later", Take::U32(|r| outcomes(r, Outcome::Evicted))),
    column("blocks_lost", "", "lost", Take::U32(|r| outcomes(r, Outcome::Lost))),
    column("blocks_by_design", "", "withheld or superseded", Take::U32(|r| outcomes(r, Outcome::ByDesign))),
    column("blocks_unobserved", "", "not judged", Take::U32(|r| outcomes(r, Outcome::Unobserved))),
    column("result_bytes", "bytes", "length of the response's record", Take::U32(|r| Some(r.call.result_bytes))),
    column(
        "output_bytes",
        "bytes",
        "length of what the model was shown",
        Take::U32(|r| Some(r.call.output_bytes)),
    ),
    column(
        "marker",
        "",
        "marker that stands for the whole result",
        Take::Text(|r| text(&r.context.catalogue.markers.get(r.call.marker? as usize)?.id)),
    ),
    column(
        "marker_text",
        "",
        "its text in the catalogue",
        Take::Text(|r| text(&r.context.catalogue.markers.get(r.call.marker? as usize)?.text)),
    ),
    column(
        "admission",
        "",
        "phrase with which the model's next answer says that content was missing",
        Take::Text(|r| {
            text(&crate::event::phrase::Phrases::built_in().phrases.get(r.call.admission? as usize)?.id)
        }),
    ),
    column("has_answer", "", "an answer of the model follows", Take::Bool(|r| Some(r.call.has_answer))),
];

/// Columns of `blocks` alone.
pub const BLOCK_ONLY: &[Column] = &[
    column(
        "block_index",
        "",
        "position in content; structuredContent is last",
        Take::U32(|r| Some(r.block?.index.into())),
    ),
    column("block_type", "", "protocol type", Take::Text(|r| text(r.block?.block_type.name()))),
    column("type_name", "", "type as logged", Take::Text(|r| text(r.block?.type_name))),
    column("fate", "", "what became of it", Take::Text(|r| text(r.block?.fate.id()))),
    column(
        "outcome",
        "",
        "class of the fate; the classes add up to all blocks",
        Take::Text(|r| text(Outcome::of(r.block?.fate).id())),
    ),
    column(
        "how",
        "",
        "forms of a transformed block, joined by +",
        Take::Text(|r| none_if_empty(r.block?.how.names())),
    ),
    column("rule", "", "rule that decided", Take::Text(|r| text(r.block?.rule))),
    column("runner_up", "", "best rule that it beat", Take::Text(|r| text(r.block?.runner_up))),
    column("blame", "", "who answers for it", Take::Text(|r| text(r.block?.blame.id()))),
    column(
        "marker",
        "",
        "marker that stands in its place",
        Take::Text(|r| text(&r.context.catalogue.markers.get(r.block?.marker? as usize)?.id)),
    ),
    column(
        "marker_text",
        "",
        "its text in the catalogue",
        Take::Text(|r| text(&r.context.catalogue.markers.get(r.block?.marker? as usize)?.text)),
    ),
    column("reason", "", "why it is unobserved, or what the rule adds", Take::Text(|r| text(r.block?.reason))),
    column("hint", "", "which log would settle it", Take::Text(|r| text(r.block?.hint))),
    column(
        "payload_bytes",
        "bytes",
        "payload with escapes undone (base64 characters for media)",
        Take::U32(|r| Some(r.block?.payload_bytes)),
    ),
    column(
        "delivered_bytes",
        "bytes",
        "how much of it the model was shown",
        Take::U32(|r| Some(r.block?.delivered_bytes)),
    ),
    column(
        "cut_is_broken",
        "",
        "a cut JSON payload no longer parses",
        Take::Bool(|r| Some(r.block?.cut_is_broken)),
    ),
    column("mime_declared", "", "MIME type that the server declares", Take::Text(|r| sym(r.block?.mime_declared))),
    column("mime_sniffed", "", "MIME type that the bytes prove", Take::Text(|r| sym(r.block?.mime_sniffed))),
    column("confidence", "0 to 1", "how sure the verdict is", Take::F64(|r| Some(f64::from(r.block?.confidence)))),
];

fn none_if_empty<'a>(s: String) -> Option<Cow<'a, str>> {
    (!s.is_empty()).then_some(Cow::Owned(s))
}

/// Three columns that say where evidence stands: file, offset and length.
macro_rules! place {
    ($(#[$doc:meta])* $constant:ident, $name:literal, $what:literal, |$r:ident| $span:expr) => {
        $(#[$doc])*
        pub const $constant: &[Column] = &[
            column(
                concat!($name, "_file"),
                "",
                concat!("file with ", $what),
                Take::Text(|$r| file_of($r, $span)),
            ),
            column(
                concat!($name, "_offset"),
                "bytes",
                "where it begins in the (decompressed) file",
                Take::U64(|$r| {
                    let span = $span;
                    (!span.is_none()).then_some(span.offset)
                }),
            ),
            column(
                concat!($name, "_len"),
                "bytes",
                "its length",
                Take::U32(|$r| {
                    let span = $span;
                    (!span.is_none()).then_some(span.len)
                }),
            ),
        ];
    };
}

place!(/// Place of the request.
    REQUEST, "request", "the request", |r| r.call.request);
place!(/// Place of the response.
    RESPONSE, "response", "the response", |r| r.call.response);
place!(/// Place of the output.
    OUTPUT, "output", "the output that the model was shown", |r| r.call.output);
place!(/// Place of the answer.
    ANSWER, "answer", "the model's next answer", |r| r.call.answer);
place!(/// Place of the block in the server's answer.
    RETURNED, "returned", "the block in the server's answer", |r| r.block?.returned);
place!(/// Place of the block in the client's wire log.
    RECEIVED, "received", "the block in the client's wire log", |r| r.block?.received);
place!(/// Place of the block in the client's record.
    KEPT, "kept", "the block in the client's own record", |r| r.block?.kept);
place!(/// Place of the block in the model request.
    DELIVERED, "delivered", "what stands in the model request: the block, a marker in its place, or the output that lacks it", |r| r.block?.delivered);
