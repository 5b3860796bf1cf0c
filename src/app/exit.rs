//! What the exit code says.

use std::process::ExitCode;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It ran; whatever it found.
    Ok,
    /// It ran, and a gate that was asked for failed.
    GateFailed,
    /// It did not run: bad arguments, nothing to read, no place to write.
    RunFailed,
    /// It ran, the evidence has gaps, and `--strict` was asked for.
    Incomplete,
}

impl Exit {
    /// The code, as documented in `--help`.
    pub fn code(self) -> u8 {
        match self {
            Exit::Ok => 0,
            Exit::GateFailed => 1,
            Exit::RunFailed => 2,
            Exit::Incomplete => 3,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}
