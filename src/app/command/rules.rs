//! `mcploss rules`: how fates are decided, and which markers are known.

use crate::app::cli::RulesArgs;
use crate::app::exit::Exit;
use crate::app::output;
use crate::event::Catalogue;
use crate::report::rules;

/// Runs it.
///
/// # Errors
/// When stdout cannot be written to.
pub fn run(args: &RulesArgs) -> anyhow::Result<Exit> {
    let style = output::style(args.show.color);
    let text = match (args.markers, args.show.json) {
        (true, _) => rules::markers(Catalogue::built_in(), style),
        (false, true) => rules::json()?,
        (false, false) => rules::terminal(style),
    };
    output::write(&text)?;
    Ok(Exit::Ok)
}
