//! The columns of the facts for a reader, printed from the same list that the tables are built from.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::ledger::SCHEMA_VERSION;
use crate::ledger::schema::TABLES;

/// Markdown, as in the README.
pub fn markdown() -> String {
    let mut out = format!("# Facts, schema version {SCHEMA_VERSION}\n");
    for table in TABLES {
        let _ = write!(out, "\n## {}\n\n{}.\n\n", table.name, table.about);
        out += "| column | type | unit | meaning |\n|---|---|---|---|\n";
        for c in table.columns() {
            let _ = writeln!(out, "| `{}` | {} | {} | {} |", c.name, c.take.type_name(), c.unit, c.meaning);
        }
    }
    out
}

/// The same for programs.
///
/// # Errors
/// Never in practice.
pub fn json() -> serde_json::Result<String> {
    let tables: Vec<Value> = TABLES
        .iter()
        .map(|t| {
            let columns: Vec<Value> = t
                .columns()
                .map(|c| {
                    json!({ "name": c.name, "type": c.take.type_name(), "unit": c.unit, "meaning": c.meaning })
                })
                .collect();
            json!({ "name": t.name, "about": t.about, "columns": columns })
        })
        .collect();
    let all = json!({ "schema_version": SCHEMA_VERSION, "tables": tables });
    Ok(serde_json::to_string_pretty(&all)? + "\n")
}
