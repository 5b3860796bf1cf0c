//! `mcploss analyze`: the whole pipeline, from logs to a verdict.

use anyhow::{Context as _, anyhow};

use super::load::{accounting, catalogue, load};
use crate::app::cli::{AnalyzeArgs, FilterArgs};
use crate::app::exit::Exit;
use crate::app::timing::Timing;
use crate::app::{output, when};
use crate::event::Events;
use crate::ledger::schema::Context;
use crate::ledger::{Filter, Ledger, parquet};
use crate::report::{Places, View, json, plot, terminal};
use crate::{join, judge, measure};

/// Runs it.
///
/// # Errors
/// When nothing could be read, or a result could not be written.
pub fn run(args: &AnalyzeArgs) -> anyhow::Result<Exit> {
    let filter = filter(&args.filter, when::now_us())?;
    let markers = catalogue(&args.logs)?;
    let mut timing = Timing::start();
    let mut loaded = load(&args.paths, &args.logs)?;
    timing.lap("read");
    let calls = join::join(&loaded.events, &loaded.sources);
    timing.lap("join");
    let judgement = judge::judge(&loaded.events, &calls, &loaded.sources, &markers);
    timing.lap("judge");
    let context = Context { sources: &loaded.sources, catalogue: &markers };
    let ledger = Ledger::new(&judgement, context)?.filter(&filter)?;
    timing.lap("ledger");
    if ledger.calls.height() == 0 && !judgement.calls.is_empty() {
        output::warn(&format!("no call passes the filters; without them there are {}", judgement.calls.len()));
    }
    let inputs = accounting(&loaded);
    // From here on the tables and the files are all that is asked.
    drop((calls, judgement));
    loaded.events = Events::default();
    let summary = measure::summary(&ledger)?;
    timing.lap("measure");
    let places = Places::new(&loaded.sources);
    let view = View { summary: &summary, inputs: &inputs, places: &places };
    let text = if args.json { json::json(view)? } else { terminal::terminal(view, output::style(args.color)) };
    timing.lap("report");
    if let Some(folder) = &args.facts {
        parquet::write(&ledger, folder).context("the facts were not written")?;
        timing.lap("facts");
    }
    if let Some(folder) = &args.plots {
        let svg = plot::types(&summary).map_err(|e| anyhow!("the plot was not drawn: {e}"))?;
        std::fs::create_dir_all(folder)
            .and_then(|()| std::fs::write(folder.join("types.svg"), svg))
            .with_context(|| format!("{}: the plots were not written", folder.display()))?;
    }
    output::write(&text)?;
    if args.timings {
        output::warn(&timing.show(inputs.text_bytes));
    }
    let is_incomplete = summary.blocks.unobserved > 0 || summary.blocks.judged == 0 || inputs.has_gaps();
    Ok(if args.strict && is_incomplete { Exit::Incomplete } else { Exit::Ok })
}

fn filter(args: &FilterArgs, now_us: i64) -> anyhow::Result<Filter> {
    let time = |flag: &str, text: &Option<String>| {
        text.as_deref().map(|t| when::parse(t, now_us).map_err(|e| anyhow!("{flag} {t}: {e}"))).transpose()
    };
    Ok(Filter {
        since_us: time("--since", &args.since)?,
        until_us: time("--until", &args.until)?,
        tool: args.tool.clone(),
        session: args.session.clone(),
        server: args.mcp_server.clone(),
    })
}
