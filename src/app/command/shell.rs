//! `mcploss completions` and `mcploss man`: what a shell and `man` know about this program, from its own grammar.

use std::path::Path;

use anyhow::Context as _;
use clap::CommandFactory as _;

use crate::app::cli::Cli;
use crate::app::exit::Exit;
use crate::app::output;

/// Prints the completion script of a shell.
///
/// # Errors
/// When stdout cannot be written to.
pub fn completions(shell: clap_complete::Shell) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "mcploss", &mut script);
    output::write(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Ok)
}

/// Writes the manual pages into a folder.
///
/// # Errors
/// When the folder cannot be written to.
pub fn man(folder: &Path) -> anyhow::Result<Exit> {
    std::fs::create_dir_all(folder).with_context(|| format!("{}: cannot be made", folder.display()))?;
    clap_mangen::generate_to(Cli::command(), folder)
        .with_context(|| format!("{}: manual pages cannot be written", folder.display()))?;
    Ok(Exit::Ok)
}
