//! The first screen: who lost what, by type and mechanism, with calls to look at.

use std::fmt::Write as _;

use super::{heading, name, wrap};
use crate::ledger::Outcome;
use crate::measure::mechanism::Mechanism;
use crate::measure::verdict::Kind;
use crate::measure::{Ratio, Tally};
use crate::report::View;
use crate::report::escape::{escape, short, short_path};
use crate::report::style::Style;
use crate::report::table::{Align, Sheet, count, interval, percent};

/// Mechanisms of which examples are shown.
const WITH_EXAMPLES: usize = 1;
/// Characters of a marker's text that are shown.
const MARKER_WIDTH: usize = 48;

pub fn verdict(view: View<'_>, style: Style, out: &mut String) {
    let v = &view.summary.verdict;
    let text = escape(&v.sentence).replace(" %", "\u{a0}%").replace("% CI ", "%\u{a0}CI\u{a0}");
    for line in wrap(&text, style.width.into(), "") {
        let line = match v.kind {
            Kind::Lost => style.bad(&line),
            Kind::NothingLost if v.failed_calls.is_empty() => style.good(&line),
            _ => style.care(&line),
        };
        out.push_str(&line);
        out.push('\n');
    }
}

/// A column of counts: heading, short heading, and what it shows.
type Column = (&'static str, &'static str, fn(&Tally) -> u64);

/// Those of which all are 0 are left out, these aside: what the question asks for.
const ALWAYS: [&str; 3] = ["returned", "delivered", "lost"];
const COLUMNS: [Column; 9] = [
    ("returned", "ret.", |t| t.returned),
    ("received", "recv.", |t| t.received),
    ("delivered", "deliv.", |t| t.delivered),
    ("transformed", "transf.", |t| t.transformed),
    ("truncated", "trunc.", |t| t.truncated),
    ("evicted", "evict.", |t| t.evicted),
    ("by design", "design", |t| t.by_design),
    ("unobserved", "unobs.", |t| t.unobserved),
    ("lost", "lost", |t| t.lost),
];

pub fn types(view: View<'_>, style: Style, out: &mut String) {
    let s = view.summary;
    if s.blocks.returned == 0 {
        return;
    }
    heading(out, style, "Content types");
    let shown: Vec<Column> =
        COLUMNS.into_iter().filter(|(name, _, f)| ALWAYS.contains(name) || f(&s.blocks) > 0).collect();
    // From the roomiest form to the narrowest; the last one is broken into lines if it must be.
    let same = s.types.iter().all(|t| t.tally.received == t.tally.returned);
    let narrow: Vec<Column> = shown.iter().copied().filter(|(name, ..)| *name != "received" || !same).collect();
    let forms = [
        type_sheet(view, style, &shown, false, true),
        type_sheet(view, style, &shown, true, true),
        type_sheet(view, style, &narrow, true, true),
        type_sheet(view, style, &narrow, true, true).tight(),
        type_sheet(view, style, &narrow, true, false).tight(),
    ];
    if let Some(sheet) = forms.iter().find(|s| s.fits()).or(forms.last()) {
        sheet.write(out);
    }
}

fn type_sheet(view: View<'_>, style: Style, shown: &[Column], is_short: bool, with_interval: bool) -> Sheet {
    let mut columns = vec![("type", Align::Left)];
    columns.extend(shown.iter().map(|(long, short, _)| (if is_short { *short } else { *long }, Align::Right)));
    columns.push(("loss", Align::Right));
    if with_interval {
        columns.push(("95\u{a0}% CI", Align::Right));
    }
    let mut sheet = Sheet::new(style, &columns);
    let mut row = |label: &str, t: &Tally| {
        let mut cells = vec![label.to_owned()];
        cells.extend(shown.iter().map(|(_, _, f)| count(f(t))));
        cells.push(percent(t.loss));
        if with_interval {
            cells.push(interval(t.loss));
        }
        sheet.row(cells);
    };
    let s = view.summary;
    s.types.iter().for_each(|t| row(&t.block_type, &t.tally));
    if s.types.len() > 1 {
        row("all", &s.blocks);
    }
    sheet
}

pub fn mechanisms(view: View<'_>, style: Style, out: &mut String) {
    let mechanisms = &view.summary.mechanisms;
    if mechanisms.is_empty() {
        return;
    }
    heading(out, style, "Loss by mechanism, and who is to blame");
    let columns = [
        ("fate", Align::Left),
        ("blame", Align::Left),
        ("blocks", Align::Right),
        ("of lost", Align::Right),
        ("calls", Align::Right),
        ("mostly", Align::Fill),
    ];
    let mut sheet = Sheet::new(style, &columns);
    for m in mechanisms {
        let share = if m.outcome == Outcome::Lost.id() { m.share } else { Ratio::default() };
        sheet.row(vec![
            m.fate.clone(),
            m.blame.clone(),
            count(m.blocks),
            percent(share),
            count(m.calls),
            mostly(m),
        ]);
    }
    sheet.write(out);
}

fn mostly(m: &Mechanism) -> String {
    let Some(d) = m.details.first() else { return String::new() };
    let what = match (d.marker_text.is_empty(), d.mime.is_empty()) {
        (_, false) => escape(&d.mime),
        (false, true) => short(&d.marker_text.replace("{}", "…").replace("{N}", "N"), MARKER_WIDTH),
        (true, true) => return String::new(),
    };
    if d.blocks == m.blocks { what } else { format!("{what} ({})", d.blocks) }
}

pub fn examples(view: View<'_>, style: Style, out: &mut String) {
    let with_loss = view.summary.mechanisms.iter().filter(|m| !m.examples.is_empty());
    for m in with_loss.take(WITH_EXAMPLES) {
        heading(out, style, &format!("Examples: {} ({})", m.fate, m.blame));
        for e in &m.examples {
            let width = usize::from(style.width);
            let head = format!(
                "  #{} {}, block {} ({})",
                e.call_index,
                name(&e.tool, width / 3),
                e.block_index,
                e.block_type
            );
            let places: Vec<String> = e
                .evidence
                .iter()
                .map(|e| {
                    place_line(stage_label(e.stage), &view.places.show(e), width.saturating_sub(EXAMPLE_INDENT))
                })
                .collect();
            let chain = places.join(" → ");
            let one_line = format!("{head}: {chain}");
            if one_line.chars().count() <= width {
                let _ = writeln!(out, "{one_line}");
            } else {
                let _ = writeln!(out, "{head}:");
                // A stage stays beside its place: only the arrows may end a line.
                let lines = wrap(&chain.replace(' ', "\u{a0}").replace("→\u{a0}", "→ "), width, "      ");
                for line in lines {
                    let _ = writeln!(out, "{line}");
                }
            }
        }
        if let Some(first) = m.examples.first() {
            let hint = format!("  to see one: mcploss explain '#{}' LOGS…", first.call_index);
            let _ = writeln!(out, "{}", style.dim(&hint));
        }
    }
}

/// Where the places of an example begin.
const EXAMPLE_INDENT: usize = 6;

/// Examples are of losses: what stands in the model's request is not the block.
fn stage_label(stage: &str) -> &str {
    if stage == "delivered" { "model got" } else { stage }
}

/// `stage file:line`, the path cut from the left when it does not fit; room is left for an arrow.
fn place_line(stage: &str, place: &str, width: usize) -> String {
    format!("{stage} {}", short_path(place, width.saturating_sub(stage.len() + 3)))
}
