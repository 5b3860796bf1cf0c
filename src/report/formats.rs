//! The registry of dialects for a reader: whose logs, what they prove, how to turn them on.

use serde_json::{Value, json};

use super::style::Style;
use super::table::INDENT;
use crate::dialect::{DIALECTS, Dialect, Payloads};

fn payloads(p: Payloads) -> &'static str {
    match p {
        Payloads::Whole => "whole",
        Payloads::Cut => "long ones cut",
        Payloads::Absent => "not logged",
    }
}

fn proves(d: &Dialect) -> Vec<&'static str> {
    d.proves.iter().map(|s| s.name()).collect()
}

/// All dialects, one paragraph each: their texts are too long for columns.
pub fn terminal(style: Style) -> String {
    let mut out = String::new();
    for d in DIALECTS {
        out += &style.heading(d.name);
        out += &style.dim(&format!(
            "  side: {}; proves: {}; payloads: {}",
            d.side.name(),
            proves(d).join(", "),
            payloads(d.payloads)
        ));
        out.push('\n');
        for text in [d.about.to_owned(), format!("turn on: {}", d.enable)] {
            for line in super::terminal::wrap(&text, style.width.into(), INDENT) {
                out += &line;
                out.push('\n');
            }
        }
        out.push('\n');
    }
    out += &format!("{} formats; a file is recognised by its content, or named with --as NAME\n", DIALECTS.len());
    out
}

/// The same for programs.
///
/// # Errors
/// Never in practice.
pub fn json() -> serde_json::Result<String> {
    let all: Vec<Value> = DIALECTS
        .iter()
        .map(|d| {
            json!({
                "name": d.name,
                "side": d.side.name(),
                "proves": proves(d),
                "payloads": payloads(d.payloads),
                "about": d.about,
                "enable": d.enable,
            })
        })
        .collect();
    Ok(serde_json::to_string_pretty(&all)? + "\n")
}
