//! `mcploss explain`: one call through all logs.

use anyhow::bail;

use crate::app::cli::ExplainArgs;
use crate::app::exit::Exit;

/// Runs it.
pub fn run(_args: &ExplainArgs) -> anyhow::Result<Exit> {
    bail!("not there yet")
}
