//! One call through all logs: when what was seen where, and what became of each block.

mod block;
pub mod choose;
mod excerpt;
mod timeline;

use std::fmt::Write as _;

use super::escape::{escape, short};
use super::style::Style;
use crate::bytes::SourceSet;
use crate::event::{Catalogue, Events, Id, Sym};
use crate::join::Calls;
use crate::judge::{Blame, JudgedCall, Judgement};

/// All that is known, before it is cut into tables.
#[derive(Clone, Copy)]
pub struct Logs<'a> {
    /// The files.
    pub sources: &'a SourceSet,
    /// What they say.
    pub events: &'a Events,
    /// The calls.
    pub calls: &'a Calls,
    /// The verdicts.
    pub judgement: &'a Judgement,
    /// The markers.
    pub catalogue: &'a Catalogue,
}

/// How it is shown.
#[derive(Clone, Copy)]
pub struct Look {
    /// Width and colours.
    pub style: Style,
    /// Secrets are hidden.
    pub mask: bool,
}

/// The story of call `#index`.
pub fn explain(logs: Logs<'_>, index: usize, look: Look) -> String {
    let Some(call) = logs.judgement.calls.get(index) else { return String::new() };
    let mut out = String::new();
    head(call, index, look, &mut out);
    out.push_str(&format!("\n{}\n", look.style.heading("Timeline")));
    timeline::write(logs, call, look, &mut out);
    let blocks = logs.judgement.blocks.iter().filter(|b| b.call as usize == index);
    let mut count = 0;
    for b in blocks {
        if count == 0 {
            out.push_str(&format!("\n{}\n", look.style.heading("Blocks")));
        }
        count += 1;
        block::write(logs, b, look, &mut out);
    }
    if count == 0 {
        out.push_str("\n  No block: the logs hold no answer with content for this call.\n");
    }
    out
}

fn head(call: &JudgedCall, index: usize, look: Look, out: &mut String) {
    let title = format!("#{index} {}", escape(tool(call)));
    let _ = write!(out, "{}  {}", look.style.heading(&title), call.method);
    if let Some(id) = id(call.jsonrpc_id) {
        let _ = write!(out, ", id {}", escape(&id));
    }
    for (label, name) in [("model's call", call.model_call_id), ("session", call.session), ("model", call.model)] {
        if !name.is_empty() {
            let _ = write!(out, ", {label} {}", short(name.as_str(), NAME_WIDTH));
        }
    }
    out.push('\n');
    let peers: Vec<String> = [
        ("server", call.server, call.server_version),
        ("client", call.client, call.client_version),
        ("protocol", call.protocol, Sym::default()),
    ]
    .iter()
    .filter(|(_, name, _)| !name.is_empty())
    .map(|(label, name, version)| escape(format!("{label} {name} {version}").trim_end()))
    .collect();
    if !peers.is_empty() {
        let _ = writeln!(out, "  {}", peers.join(", "));
    }
    let _ = write!(out, "  state: {}", call.state.id());
    if call.blame != Blame::Nobody {
        let _ = write!(out, " (blame: {})", call.blame.id());
    }
    for text in [call.reason, call.hint].iter().filter(|t| !t.is_empty()) {
        let _ = write!(out, "; {}", escape(text));
    }
    out.push('\n');
    match call.link {
        Some(how) => {
            let _ = write!(out, "  tied to the model's call by {} (confidence {:.2}", how.id(), how.confidence());
            if call.rivals > 1 {
                let _ = write!(out, ", {} calls fit equally well", call.rivals);
            }
            out.push_str(")\n");
        }
        None if call.call.is_some() => out.push_str("  not tied to a call of the model\n"),
        None => out.push_str("  only the model's side of it is logged\n"),
    }
}

/// Widest name.
const NAME_WIDTH: usize = 48;

/// The best name of the tool.
fn tool(call: &JudgedCall) -> &'static str {
    let tool = if call.tool.is_empty() { call.model_tool } else { call.tool };
    if tool.is_empty() { "(unnamed)" } else { tool.as_str() }
}

fn id(id: Id) -> Option<String> {
    match id {
        Id::None => None,
        Id::Odd => Some("(no valid id)".to_owned()),
        Id::Int(n) => Some(n.to_string()),
        Id::Text(s) => Some(s.as_str().to_owned()),
    }
}
