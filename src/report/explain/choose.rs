//! Which call is meant.

use std::fmt::Write as _;

use super::{Logs, id, timeline, tool};
use crate::event::Sym;
use crate::judge::{Fate, JudgedCall};
use crate::report::escape::short;
use crate::report::style::Style;
use crate::report::table::{Align, Sheet};

/// Indices of the calls that `wanted` names, by the first of these that fits any: `#N`, the model's call id, a
/// JSON-RPC id, a tool.
pub fn choose(logs: Logs<'_>, wanted: &str) -> Vec<usize> {
    let calls = &logs.judgement.calls;
    if let Some(number) = wanted.strip_prefix('#').and_then(|n| n.parse::<usize>().ok()) {
        return if number < calls.len() { vec![number] } else { Vec::new() };
    }
    let by = |is: &dyn Fn(&JudgedCall) -> bool| -> Vec<usize> {
        calls.iter().enumerate().filter(|(_, c)| is(c)).map(|(i, _)| i).collect()
    };
    let same = |s: Sym| s.as_str() == wanted;
    let ways: [&dyn Fn(&JudgedCall) -> bool; 3] = [
        &|c| !c.model_call_id.is_empty() && same(c.model_call_id),
        &|c| id(c.jsonrpc_id).is_some_and(|i| i == wanted),
        &|c| same(c.tool) || same(c.model_tool),
    ];
    ways.iter().map(|is| by(is)).find(|found| !found.is_empty()).unwrap_or_default()
}

/// Calls listed at most.
const MOST_ROWS: usize = 50;

/// The calls to choose from.
pub fn list(logs: Logs<'_>, indices: &[usize], style: Style) -> String {
    let columns = [
        ("call", Align::Left),
        ("tool", Align::Left),
        ("id", Align::Left),
        ("time (UTC)", Align::Left),
        ("state", Align::Left),
        ("blocks", Align::Fill),
    ];
    let mut sheet = Sheet::new(style, &columns);
    for &i in indices.iter().take(MOST_ROWS) {
        let Some(call) = logs.judgement.calls.get(i) else { continue };
        sheet.row(vec![
            format!("#{i}"),
            short(tool(call), 32),
            id(call.jsonrpc_id).map_or_else(|| "–".to_owned(), |i| short(&i, 16)),
            call.time_us.map_or_else(|| "–".to_owned(), timeline::moment),
            call.state.id().to_owned(),
            fates(logs, i),
        ]);
    }
    let mut out = format!("{} calls fit; choose one by its number:\n", indices.len());
    sheet.write(&mut out);
    if let Some(rest) = indices.len().checked_sub(MOST_ROWS).filter(|n| *n > 0) {
        let _ = writeln!(out, "  and {rest} more");
    }
    out
}

/// `2 delivered, 1 placeholder`
fn fates(logs: Logs<'_>, index: usize) -> String {
    let own = || logs.judgement.blocks.iter().filter(|b| b.call as usize == index);
    let counts = Fate::ALL.iter().map(|fate| (own().filter(|b| b.fate == *fate).count(), fate.id()));
    let named: Vec<String> = counts.filter(|(n, _)| *n > 0).map(|(n, id)| format!("{n} {id}")).collect();
    named.join(", ")
}

/// Tools of the run, for a message when nothing fits.
pub fn known_tools(logs: Logs<'_>) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = logs.judgement.calls.iter().map(tool).collect();
    names.sort_unstable();
    names.dedup();
    names
}
