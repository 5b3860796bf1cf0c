//! One block with its stages, its verdict and the evidence.

use std::fmt::Write as _;

use super::excerpt::excerpt_from;
use super::{Logs, Look};
use crate::judge::{Blame, JudgedBlock};
use crate::ledger::Outcome;
use crate::report::escape::escape;
use crate::report::table::grouped;

/// Writes it.
pub fn write(logs: Logs<'_>, b: &JudgedBlock, look: Look, out: &mut String) {
    let _ = write!(out, "  block {}: {}", b.index, escape(b.type_name));
    for (label, mime) in [("", b.mime_declared), ("bytes are ", b.mime_sniffed)] {
        if !mime.is_empty() && (label.is_empty() || b.mime_sniffed != b.mime_declared) {
            let _ = write!(out, ", {label}{}", escape(mime.as_str()));
        }
    }
    let _ = writeln!(out, ", {} bytes", grouped(b.payload_bytes.into()));
    fate(logs, b, look, out);
    let width = usize::from(look.style.width).saturating_sub(INDENT.len() + 2);
    let stages =
        [("returned", b.returned), ("received", b.received), ("kept", b.kept), ("delivered", b.delivered)];
    for (i, (stage, span)) in stages.iter().enumerate() {
        // With one wire log, returned and received are the same place.
        if span.is_none() || stages[..i].iter().any(|(_, earlier)| earlier == span) {
            continue;
        }
        let shown = stages[i + 1..].iter().filter(|(_, later)| later == span).map(|(s, _)| format!(" = {s}"));
        let lacks_it = *stage == "delivered" && !b.fate.is_delivered();
        let name = if lacks_it { "model got" } else { stage };
        let label = std::iter::once(name.to_owned()).chain(shown).collect::<String>();
        let place = escape(&logs.sources.place(*span));
        let _ = writeln!(out, "{INDENT}{label}: {place}, byte {} ({} bytes)", span.offset, span.len);
        // What lacks the block is a whole output: its beginning is an envelope.
        let members: &[&str] = if lacks_it { &["output", "content", "response"] } else { &[] };
        let text = excerpt_from(logs, *span, members, look, width);
        let _ = writeln!(out, "{INDENT}  {}", look.style.dim(&text));
    }
}

const INDENT: &str = "    ";

fn fate(logs: Logs<'_>, b: &JudgedBlock, look: Look, out: &mut String) {
    let style = look.style;
    let name = match Outcome::of(b.fate) {
        Outcome::Delivered | Outcome::Transformed => style.good(b.fate.id()),
        Outcome::Lost => style.bad(b.fate.id()),
        _ => style.care(b.fate.id()),
    };
    let _ = write!(out, "{INDENT}{name}");
    if b.how.0 != 0 {
        let _ = write!(out, " as {}", b.how.names());
    }
    if b.blame != Blame::Nobody {
        let _ = write!(out, ", blame: {}", b.blame.id());
    }
    let _ = write!(out, "; rule {}", b.rule);
    if !b.runner_up.is_empty() {
        let _ = write!(out, " before {}", b.runner_up);
    }
    let _ = write!(out, ", confidence {:.2}", b.confidence);
    if b.delivered_bytes != b.payload_bytes && b.delivered_bytes > 0 {
        let _ = write!(out, "; {} bytes of it came through", grouped(b.delivered_bytes.into()));
    }
    if b.cut_is_broken {
        out.push_str("; what came through is broken JSON");
    }
    out.push('\n');
    if let Some(m) = b.marker.and_then(|m| logs.catalogue.markers.get(m as usize)) {
        let _ = writeln!(
            out,
            "{INDENT}marker {}: `{}`, written by {}",
            escape(&m.id),
            escape(&m.text),
            escape(&m.client)
        );
    }
    for (label, text) in [("", b.reason), ("to settle it: ", b.hint)] {
        if !text.is_empty() {
            let _ = writeln!(out, "{INDENT}{label}{}", escape(text));
        }
    }
}
