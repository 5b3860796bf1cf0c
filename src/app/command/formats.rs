//! `mcploss formats`: which logs are read, and how to turn them on.

use crate::app::cli::FormatsArgs;
use crate::app::exit::Exit;
use crate::app::output;
use crate::report::formats;

/// Runs it.
///
/// # Errors
/// When stdout cannot be written to.
pub fn run(args: &FormatsArgs) -> anyhow::Result<Exit> {
    let text = if args.json { formats::json()? } else { formats::terminal(output::style(args.color)) };
    output::write(&text)?;
    Ok(Exit::Ok)
}
