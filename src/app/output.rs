//! All that touches the terminal: results on stdout, diagnostics on stderr, neither of them ever panics.

use std::io::{self, IsTerminal, Write};

use anyhow::Context;

use super::cli::When;
use super::exit::Exit;
use crate::report::escape::escape;
use crate::report::style::{DEFAULT_WIDTH, Style};

/// Writes a result.
pub fn write(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("standard output cannot be written to")
}

/// Writes a diagnostic; line breaks and indentation are ours, everything else that a terminal obeys is shown.
pub fn warn(text: &str) {
    let lines: Vec<String> = text.lines().map(escape).collect();
    // Nobody is left to tell when stderr is closed.
    let _ = writeln!(io::stderr().lock(), "mcploss: {}", lines.join("\n"));
}

/// Writes an error with its causes.
pub fn error(error: &anyhow::Error) {
    let mut text = String::new();
    for cause in error.chain() {
        let cause = cause.to_string();
        // Many errors say their cause themselves.
        let is_said = cause.lines().next().is_none_or(|first| text.contains(first));
        if !is_said {
            text += if text.is_empty() { "" } else { "\n  because: " };
            text += &cause;
        }
    }
    warn(&text);
}

/// Shows clap's message: help on stdout, mistakes on stderr.
pub fn usage(message: &clap::Error) -> Exit {
    let shown = message.print();
    if message.use_stderr() {
        Exit::RunFailed
    } else {
        match shown {
            Err(e) if e.kind() != io::ErrorKind::BrokenPipe => Exit::RunFailed,
            _ => Exit::Ok,
        }
    }
}

/// The reader of our output went away, as `head` does: no error.
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|c| c.downcast_ref::<io::Error>()).any(|e| e.kind() == io::ErrorKind::BrokenPipe)
}

/// Width and colour for stdout. `NO_COLOR`: <https://no-color.org>.
pub fn style(color: When) -> Style {
    let stdout = io::stdout();
    let is_terminal = stdout.is_terminal();
    let width = if is_terminal { terminal_size::terminal_size_of(&stdout).map(|(w, _)| w.0) } else { None };
    let is_plain = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty())
        || std::env::var_os("TERM").is_some_and(|v| v == "dumb");
    let color = match color {
        When::Always => true,
        When::Never => false,
        When::Auto => is_terminal && !is_plain,
    };
    Style { width: width.unwrap_or(DEFAULT_WIDTH).max(MIN_WIDTH), color }
}

/// Narrower tables cannot be read.
const MIN_WIDTH: u16 = 60;
