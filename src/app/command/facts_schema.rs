//! `mcploss facts-schema`: the columns of the tables that `--facts` writes.

use crate::app::cli::FormatsArgs;
use crate::app::exit::Exit;
use crate::app::output;
use crate::report::facts_schema;

/// Runs it.
///
/// # Errors
/// When stdout cannot be written to.
pub fn run(args: &FormatsArgs) -> anyhow::Result<Exit> {
    let text = if args.json { facts_schema::json()? } else { facts_schema::markdown() };
    output::write(&text)?;
    Ok(Exit::Ok)
}
