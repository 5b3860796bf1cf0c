//! The second screen: markers, MIME types, ratios, admissions, and what could not be judged.

use std::fmt::Write as _;

use super::{heading, name, paragraph, peer};
use crate::judge::Blame;
use crate::measure::{Ratio, Tally};
use crate::report::View;
use crate::report::escape::{escape, short};
use crate::report::style::Style;
use crate::report::table::{Align, Sheet, count, grouped, interval, percent};

/// Rows of a list; the rest is counted.
const MOST_ROWS: usize = 8;
/// Widest name in a table.
const NAME_WIDTH: usize = 40;

pub fn markers(view: View<'_>, style: Style, out: &mut String) {
    let markers = &view.summary.markers;
    if markers.is_empty() {
        return;
    }
    heading(out, style, "Placeholders in place of content, by marker");
    let columns =
        [("marker", Align::Left), ("blocks", Align::Right), ("results", Align::Right), ("text", Align::Fill)];
    let mut sheet = Sheet::new(style, &columns);
    for m in markers.iter().take(MOST_ROWS) {
        sheet.row(vec![
            short(&m.marker, NAME_WIDTH),
            count(m.blocks),
            count(m.results),
            short(&m.text.replace("{}", "…").replace("{N}", "N"), 2 * NAME_WIDTH),
        ]);
    }
    sheet.write(out);
    more(out, markers.len(), "marker");
}

pub fn mime(view: View<'_>, style: Style, out: &mut String) {
    let rejections = &view.summary.mime_rejections;
    if rejections.is_empty() {
        return;
    }
    heading(out, style, "MIME types refused");
    let columns = [
        ("declared type", Align::Left),
        ("refused", Align::Right),
        ("of judged", Align::Right),
        ("share", Align::Right),
        ("95\u{a0}% CI", Align::Right),
        ("mislabelled", Align::Right),
    ];
    let mut sheet = Sheet::new(style, &columns);
    for m in rejections.iter().take(MOST_ROWS) {
        sheet.row(vec![
            name(&m.mime, NAME_WIDTH),
            count(m.rejected.count),
            count(m.rejected.of),
            percent(m.rejected),
            interval(m.rejected),
            count(m.mislabelled),
        ]);
    }
    sheet.write(out);
    more(out, rejections.len(), "type");
}

pub fn delivery(view: View<'_>, style: Style, out: &mut String) {
    let s = view.summary;
    if s.blocks.judged == 0 {
        return;
    }
    heading(out, style, "Delivered to the model");
    let mut all = share_of(s.blocks.delivery, " blocks");
    if s.blocks.base64_text > 0 {
        let _ = write!(
            all,
            "; {} without the {} that stand there as base64 characters, which no model sees a picture in",
            percent(s.blocks.delivery_without_base64_text),
            grouped(s.blocks.base64_text)
        );
    }
    paragraph(out, style, &all);
    let tools: Vec<_> = s.delivery.tools.iter().filter(|t| t.tally.judged > t.tally.delivery.count).collect();
    if !tools.is_empty() {
        let mut sheet = ratio_sheet(style, "worst tools", s.blocks.base64_text > 0);
        for t in tools.iter().take(MOST_ROWS) {
            let label = if t.server.is_empty() || s.delivery.servers.len() < 2 {
                name(&t.tool, NAME_WIDTH)
            } else {
                format!("{} ({})", name(&t.tool, NAME_WIDTH), name(&t.server, NAME_WIDTH / 2))
            };
            sheet.row(ratio_row(label, &t.tally, s.blocks.base64_text > 0));
        }
        sheet.write(out);
        more(out, tools.len(), "tool");
    }
    let clients: Vec<_> = s.delivery.clients.iter().filter(|c| c.tally.judged > 0).collect();
    if clients.len() > 1 {
        let mut sheet = ratio_sheet(style, "clients", s.blocks.base64_text > 0);
        for c in clients.iter().take(MOST_ROWS) {
            let label = short(&peer(&c.name, &c.version), NAME_WIDTH);
            sheet.row(ratio_row(label, &c.tally, s.blocks.base64_text > 0));
        }
        sheet.write(out);
        more(out, clients.len(), "client version");
    }
}

fn ratio_sheet(style: Style, what: &str, with_base64: bool) -> Sheet {
    let mut columns = vec![
        (what, Align::Left),
        ("judged", Align::Right),
        ("delivered", Align::Right),
        ("ratio", Align::Right),
        ("95\u{a0}% CI", Align::Right),
    ];
    if with_base64 {
        columns.push(("less base64", Align::Right));
    }
    Sheet::new(style, &columns)
}

fn ratio_row(label: String, t: &Tally, with_base64: bool) -> Vec<String> {
    let small = if t.delivery.is_small() { " small" } else { "" };
    let mut row = vec![
        label,
        format!("{}{small}", grouped(t.judged)),
        count(t.delivery.count),
        percent(t.delivery),
        interval(t.delivery),
    ];
    if with_base64 {
        row.push(percent(t.delivery_without_base64_text));
    }
    row
}

pub fn admissions(view: View<'_>, style: Style, out: &mut String) {
    let a = &view.summary.admissions;
    if a.all.of == 0 {
        return;
    }
    heading(out, style, "Answers that say content was unavailable");
    let mut parts = Vec::new();
    if a.after_loss.of > 0 {
        parts.push(format!("after a loss {}", share(a.after_loss)));
    }
    if a.after_none_lost.of > 0 {
        parts.push(format!("where nothing was lost {}", share(a.after_none_lost)));
    }
    if parts.is_empty() {
        parts.push(format!("of all {}", share(a.all)));
    }
    paragraph(
        out,
        style,
        &format!("{}. A lower bound: a model may invent what it did not get.", parts.join("; ")),
    );
}

pub fn call_states(view: View<'_>, style: Style, out: &mut String) {
    let states = &view.summary.call_states;
    if !states.iter().any(|s| s.is_failure() || !s.reason.is_empty()) {
        return;
    }
    heading(out, style, "How far the calls came");
    let columns = [("state", Align::Left), ("calls", Align::Right), ("blame", Align::Left), ("why", Align::Fill)];
    let mut sheet = Sheet::new(style, &columns);
    for s in states {
        sheet.row(vec![s.state.clone(), count(s.calls), side(&s.blame).to_owned(), escape(&s.reason)]);
    }
    sheet.write(out);
}

pub fn unobserved(view: View<'_>, style: Style, out: &mut String) {
    let rows = &view.summary.unobserved;
    let hints: Vec<_> = view
        .summary
        .call_states
        .iter()
        .filter(|s| !s.hint.is_empty() && rows.iter().all(|u| u.hint != s.hint))
        .collect();
    if rows.is_empty() && hints.is_empty() {
        return;
    }
    heading(out, style, "What could not be judged, and which log would settle it");
    for u in rows.iter().take(MOST_ROWS) {
        let mut line =
            format!("{} of {}: {}", plural(u.blocks, "block"), plural(u.calls, "call"), escape(&u.reason));
        if !u.hint.is_empty() {
            let _ = write!(line, " → {}", escape(&u.hint));
        }
        paragraph(out, style, &line);
    }
    more(out, rows.len(), "reason");
    for s in hints {
        let line = format!("{} {}: {} → {}", plural(s.calls, "call"), s.state, escape(&s.reason), escape(&s.hint));
        paragraph(out, style, &line);
    }
}

/// Nobody needs no name.
fn side(blame: &str) -> &str {
    if blame == Blame::Nobody.id() { "–" } else { blame }
}

/// `9 of 12 (75.0 %, 95 % CI 47–91)`
fn share(r: Ratio) -> String {
    share_of(r, "")
}

fn share_of(r: Ratio, noun: &str) -> String {
    format!("{} of {}{noun} ({}, 95\u{a0}% CI {})", grouped(r.count), grouped(r.of), percent(r), interval(r))
}

fn plural(n: u64, noun: &str) -> String {
    if n == 1 { format!("1 {noun}") } else { format!("{} {noun}s", grouped(n)) }
}

fn more(out: &mut String, all: usize, noun: &str) {
    if let Some(rest) = all.checked_sub(MOST_ROWS).filter(|n| *n > 0) {
        let _ = writeln!(out, "  and {} more: see --json or --facts", plural(rest as u64, noun));
    }
}
