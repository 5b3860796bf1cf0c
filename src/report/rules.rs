//! The fate rules and the markers for a reader, from the registries that decide.

use serde_json::{Value, json};

use super::escape::escape;
use super::style::Style;
use super::table::INDENT;
use super::terminal::wrap;
use crate::event::Catalogue;
use crate::judge::fate::RULES;

/// All rules in the order in which they are asked, one paragraph each.
pub fn terminal(style: Style) -> String {
    let mut out = String::new();
    for rule in RULES {
        out += &style.heading(rule.id);
        out.push('\n');
        for (label, text) in [("", rule.meaning), ("needs: ", rule.needs), ("is not: ", rule.is_not)] {
            for line in wrap(&format!("{label}{text}"), style.width.into(), INDENT) {
                out += &line;
                out.push('\n');
            }
        }
        out.push('\n');
    }
    out += &format!("{} rules, asked in this order; the first that applies decides a block's fate\n", RULES.len());
    out
}

/// The same for programs.
///
/// # Errors
/// Never in practice.
pub fn json() -> serde_json::Result<String> {
    let all: Vec<Value> = RULES
        .iter()
        .map(|r| {
            json!({ "id": r.id, "fate": r.fate.id(), "meaning": r.meaning, "needs": r.needs, "is_not": r.is_not })
        })
        .collect();
    Ok(serde_json::to_string_pretty(&all)? + "\n")
}

/// All markers: who writes them, and what they stand for.
pub fn markers(catalogue: &Catalogue, style: Style) -> String {
    let mut out = String::new();
    for m in &catalogue.markers {
        out += &style.heading(&escape(&m.id));
        let about = format!(
            "  {:?} for {}; written by {}; {}",
            m.fate,
            m.stands_for.join(", "),
            escape(&m.client),
            escape(&m.source)
        );
        out += &style.dim(&about);
        out.push('\n');
        for line in wrap(&escape(&m.text), style.width.into(), INDENT) {
            out += &line;
            out.push('\n');
        }
    }
    out += &format!("{} markers\n", catalogue.markers.len());
    out
}
