//! When what was seen where, in the order of the cause, not of the logs' clocks.

use std::fmt::Write as _;

use jiff::Timestamp;

use super::excerpt::excerpt_from;
use super::{Logs, Look};
use crate::bytes::Span;
use crate::dialect::Side;
use crate::event::Events;
use crate::join::{Exchange, Sighting};
use crate::judge::JudgedCall;
use crate::report::escape::escape;

/// Something that a log holds of the call.
struct Step {
    time_us: Option<i64>,
    side: Side,
    what: &'static str,
    span: Span,
}

/// Writes the steps.
pub fn write(logs: Logs<'_>, call: &JudgedCall, look: Look, out: &mut String) {
    let steps = steps(logs, call);
    let width = usize::from(look.style.width);
    for s in &steps {
        let time = s.time_us.map_or_else(|| "no time".to_owned(), moment);
        let place = escape(&logs.sources.place(s.span));
        let _ = writeln!(out, "  {time:<23}  {:<6}  {:<9}  {place}", s.side.name(), s.what);
        let text = excerpt_from(logs, s.span, focus(s.what), look, width.saturating_sub(EXCERPT_INDENT));
        if !text.is_empty() {
            let _ = writeln!(out, "{:EXCERPT_INDENT$}{}", "", look.style.dim(&text));
        }
    }
    if steps.is_empty() {
        out.push_str("  nothing\n");
    }
}

/// The member of a record with which its excerpt begins: what stands before it is in the line above.
fn focus(what: &str) -> &'static [&'static str] {
    match what {
        "request" => &["params"],
        "response" | "again" => &["result", "error"],
        "asked" => &["arguments", "input", "args"],
        "kept" => &["result", "output", "content"],
        "shown" | "replaced" => &["output", "content", "response"],
        _ => &[],
    }
}

/// Where excerpts begin.
const EXCERPT_INDENT: usize = 6;

fn steps(logs: Logs<'_>, judged: &JudgedCall) -> Vec<Step> {
    let mut steps = Vec::new();
    let call = judged.call.and_then(|i| logs.calls.calls.get(i as usize));
    let model = judged.model_call.and_then(|i| logs.calls.model_calls.get(i as usize));
    let sighting = |steps: &mut Vec<Step>, what, s: Option<Sighting>| {
        steps.extend(s.and_then(|s| of_item(logs.events, what, s)));
    };
    sighting(&mut steps, "asked", model.and_then(|m| m.call));
    let views: Vec<(Side, &Exchange)> = call.into_iter().flat_map(|c| c.exchanges()).collect();
    let frames = |steps: &mut Vec<Step>, what, side: Side, index: Option<u32>| {
        let frame = index.and_then(|i| logs.events.frames.get(i as usize));
        steps.extend(frame.map(|f| Step { time_us: f.time_us, side: f.side.unwrap_or(side), what, span: f.span }));
    };
    // A request goes from the client to the server, its answer back.
    for (side, e) in views.iter().rev() {
        frames(&mut steps, "request", *side, e.request);
    }
    for (side, e) in &views {
        frames(&mut steps, "cancelled", *side, e.cancelled);
        frames(&mut steps, "response", *side, e.response);
        frames(&mut steps, "again", *side, e.second_response);
    }
    frames(&mut steps, "kept", Side::Client, call.and_then(|c| c.kept));
    sighting(&mut steps, "kept", model.and_then(|m| m.kept));
    sighting(&mut steps, "shown", model.and_then(|m| m.output));
    if !judged.answer.is_none() {
        let shown = model.and_then(|m| m.output);
        let time_us = shown.and_then(|s| logs.events.turns.get(s.turn as usize)).and_then(|t| t.time_us);
        steps.push(Step { time_us, side: Side::Model, what: "answer", span: judged.answer });
    }
    sighting(&mut steps, "replaced", model.and_then(|m| m.replaced));
    let evicted = model.and_then(|m| m.evicted_in).and_then(|t| logs.events.turns.get(t as usize));
    steps.extend(evicted.map(|t| Step { time_us: t.time_us, side: Side::Model, what: "evicted", span: t.span }));
    steps.dedup_by(|b, a| a.span == b.span && a.what == b.what);
    steps
}

fn of_item(events: &Events, what: &'static str, s: Sighting) -> Option<Step> {
    let item = events.items.get(s.item as usize)?;
    let turn = events.turns.get(item.turn as usize)?;
    let side = if turn.is_transcript { Side::Client } else { Side::Model };
    Some(Step { time_us: turn.time_us, side, what, span: Events::span_in(turn.span, turn.codec, item.at) })
}

/// `2026-05-01 12:00:00.123`, in UTC.
pub fn moment(time_us: i64) -> String {
    match Timestamp::from_microsecond(time_us) {
        Ok(t) => t.strftime("%Y-%m-%d %H:%M:%S.%3f").to_string(),
        Err(_) => format!("{time_us} µs"),
    }
}
