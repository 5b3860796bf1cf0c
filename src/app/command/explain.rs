//! `mcploss explain`: one call through all logs.

use anyhow::bail;

use super::load::{catalogue, load};
use crate::app::cli::ExplainArgs;
use crate::app::exit::Exit;
use crate::app::output;
use crate::report::explain::{Logs, Look, choose, explain};
use crate::{join, judge};

/// Runs it.
///
/// # Errors
/// When nothing could be read, or no call fits.
pub fn run(args: &ExplainArgs) -> anyhow::Result<Exit> {
    let markers = catalogue(&args.logs)?;
    let loaded = load(&args.paths, &args.logs)?;
    let calls = join::join(&loaded.events, &loaded.sources);
    let judgement = judge::judge(&loaded.events, &calls, &loaded.sources, &markers);
    let logs = Logs {
        sources: &loaded.sources,
        events: &loaded.events,
        calls: &calls,
        judgement: &judgement,
        catalogue: &markers,
    };
    let style = output::style(args.color);
    let text = match choose::choose(logs, &args.call).as_slice() {
        [] => bail!("{}", nothing_fits(logs, &args.call)),
        [one] => explain(logs, *one, Look { style, mask: !args.no_mask }),
        several => choose::list(logs, several, style),
    };
    output::write(&text)?;
    Ok(Exit::Ok)
}

/// Tools named in a message.
const TOOLS_NAMED: usize = 12;

fn nothing_fits(logs: Logs<'_>, wanted: &str) -> String {
    let tools = choose::known_tools(logs);
    let named = tools.iter().take(TOOLS_NAMED).copied().collect::<Vec<_>>().join(", ");
    let more = if tools.len() > TOOLS_NAMED { ", …" } else { "" };
    let count = logs.judgement.calls.len();
    if count == 0 {
        return "these logs hold no MCP call".to_owned();
    }
    format!(
        "{wanted}: no such call\n  give #0 to #{}, a JSON-RPC id, the model's call id, or a tool: {named}{more}",
        count - 1
    )
}
