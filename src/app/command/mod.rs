//! One file a command; no arithmetic here.

pub mod analyze;
pub mod explain;
pub mod facts_schema;
pub mod formats;
mod load;
pub mod rules;
pub mod shell;
