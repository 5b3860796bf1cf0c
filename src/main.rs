//! Parse, run, exit code: the rest is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    mcploss::app::run(std::env::args_os()).into()
}
