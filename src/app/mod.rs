//! The command line: what was typed, what is meant, one file a command, exit codes. Sees every stage.

pub mod cli;
mod command;
pub mod exit;
mod output;
pub mod pipeline;
mod progress;
pub mod size;
mod timing;
pub mod when;

use std::ffi::OsString;

use clap::Parser;

use cli::{Cli, Command};
pub use exit::Exit;

/// Runs the program with these arguments, its own name first.
pub fn run(args: impl IntoIterator<Item = OsString>) -> Exit {
    let cli = match Cli::try_parse_from(args) {
        Ok(cli) => cli,
        Err(message) => return output::usage(&message),
    };
    let done = match &cli.command {
        Command::Analyze(args) => command::analyze::run(args),
        Command::Explain(args) => command::explain::run(args),
        Command::Formats(args) => command::formats::run(args),
        Command::FactsSchema(args) => command::facts_schema::run(args),
        Command::Rules(args) => command::rules::run(args),
        Command::Completions { shell } => command::shell::completions(*shell),
        Command::Man { folder } => command::shell::man(folder),
    };
    match done {
        Ok(exit) => exit,
        Err(error) if output::is_closed_pipe(&error) => Exit::Ok,
        Err(error) => {
            output::error(&error);
            Exit::RunFailed
        }
    }
}
