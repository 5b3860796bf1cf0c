//! The numbers for programs: one JSON document. Keys and their meaning: `docs/json.md`; they only ever grow
//! within one `schema_version`. Shares are fractions from 0 to 1, with their 95 % interval.

use serde_json::{Value, json};

use super::View;
use super::escape::is_unsafe;
use crate::ledger::SCHEMA_VERSION;
use crate::measure::mechanism::Evidence;

/// The document, ended by a line end.
///
/// # Errors
/// Never in practice: all keys are strings and all values are finite.
pub fn json(view: View<'_>) -> serde_json::Result<String> {
    let mut document = json!({
        "schema_version": SCHEMA_VERSION,
        "generator": { "name": env!("CARGO_PKG_NAME"), "version": env!("CARGO_PKG_VERSION") },
    });
    let mut summary = serde_json::to_value(view.summary)?;
    add_lines(&mut summary, view);
    if let (Value::Object(document), Value::Object(summary)) = (&mut document, summary) {
        document.extend(summary);
        document.insert("inputs".to_owned(), serde_json::to_value(view.inputs)?);
    }
    let mut text = visible(&serde_json::to_string_pretty(&document)?);
    text.push('\n');
    Ok(text)
}

/// Evidence is measured in bytes; a person wants lines, too.
fn add_lines(summary: &mut Value, view: View<'_>) {
    let evidence = summary
        .get_mut("mechanisms")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
        .filter_map(|m| m.get_mut("examples").and_then(Value::as_array_mut))
        .flatten()
        .filter_map(|e| e.get_mut("evidence").and_then(Value::as_array_mut))
        .flatten();
    let places: Vec<&Evidence> =
        view.summary.mechanisms.iter().flat_map(|m| &m.examples).flat_map(|e| &e.evidence).collect();
    for (value, place) in evidence.zip(places) {
        if let Value::Object(object) = value {
            object.insert("line".to_owned(), json!(view.places.line(place)));
        }
    }
}

/// Characters that a terminal obeys occur only inside strings (the rest is ASCII), where an escape means the
/// same character.
fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unsafe(c) && !c.is_ascii_whitespace() {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_mean_the_same_characters() {
        let text = serde_json::to_string("a\u{202e}b\u{9b}c\u{e0041}\u{7f}\n").unwrap_or_default();
        let shown = visible(&text);
        assert!(shown.is_ascii(), "{shown}");
        assert_eq!(
            serde_json::from_str::<String>(&shown).ok().as_deref(),
            Some("a\u{202e}b\u{9b}c\u{e0041}\u{7f}\n")
        );
    }
}
