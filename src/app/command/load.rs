//! What every command that reads logs does first, and what it says on stderr about it.

use anyhow::{Context, bail};

use crate::app::cli::LogArgs;
use crate::app::output;
use crate::app::pipeline::{self, Input, Loaded, Request};
use crate::app::progress::Progress;
use crate::dialect::Side;
use crate::event::Catalogue;
use crate::measure::Inputs;

/// Damaged lines that are named; the rest is counted.
const DAMAGE_SHOWN: usize = 5;

/// Loads the logs and warns of what could not be read.
///
/// # Errors
/// When nothing could be read at all.
pub fn load(paths: &[String], args: &LogArgs) -> anyhow::Result<Loaded> {
    let inputs = inputs(paths, args);
    let progress = Progress::new(args.quiet);
    let dialect = args.dialect.map(|d| d.0);
    let loaded = pipeline::load(&Request { inputs: &inputs, dialect, limits: args.limits(), progress: &progress });
    if args.explain_detection {
        output::warn(&detection(&loaded));
    }
    if loaded.sources.sources.is_empty() {
        let problems: Vec<String> = loaded.problems.iter().map(ToString::to_string).collect();
        bail!("nothing could be read\n{}", problems.join("\n"));
    }
    // A problem is told even when asked to be quiet about progress: a missing log changes the verdict.
    loaded.problems.iter().for_each(|p| output::warn(&p.to_string()));
    if !loaded.has_events() {
        bail!("{}", not_understood(&loaded));
    }
    if !args.quiet {
        damage(&loaded);
        strangers(&loaded);
    }
    Ok(loaded)
}

fn inputs(paths: &[String], args: &LogArgs) -> Vec<Input> {
    let sided =
        [(&args.server, Some(Side::Server)), (&args.client, Some(Side::Client)), (&args.model, Some(Side::Model))];
    let named = sided.into_iter().flat_map(|(names, side)| names.iter().map(move |n| (n, side)));
    let plain = paths.iter().map(|n| (n, None));
    plain.chain(named).map(|(name, side)| Input { name: name.clone(), side }).collect()
}

/// The catalogue, with the user's markers in it.
///
/// # Errors
/// When the user's file cannot be read or is no marker file.
pub fn catalogue(args: &LogArgs) -> anyhow::Result<Catalogue> {
    let Some(path) = &args.markers else { return Ok(Catalogue::new(None)?) };
    let text = std::fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    Catalogue::new(Some(&text)).with_context(|| format!("{}: not used", path.display()))
}

/// The accounting of a run.
pub fn accounting(loaded: &Loaded) -> Inputs {
    let failed = loaded.problems.iter().map(ToString::to_string).collect();
    Inputs::new(&loaded.sources, &loaded.events.accounting, &loaded.recognised, failed)
}

fn detection(loaded: &Loaded) -> String {
    let mut out = "how each file was recognised".to_owned();
    for (i, source) in loaded.sources.sources.iter().enumerate() {
        let ranking = loaded.rankings.get(i).map_or(&[][..], Vec::as_slice);
        let bids: Vec<String> = ranking.iter().map(|(name, sure)| format!("{name} {sure} %")).collect();
        let side = loaded.recognised.get(i).and_then(|r| r.side).unwrap_or("unknown");
        let bids = if bids.is_empty() { "no format claims it".to_owned() } else { bids.join(", ") };
        out += &format!("\n  {}: {bids}; taken as a log of side {side}", source.name);
    }
    out
}

fn not_understood(loaded: &Loaded) -> String {
    let all = loaded.accounting();
    let mut out = match (all.lines, loaded.sources.sources.len()) {
        (0, _) => "no line to read: the input is empty".to_owned(),
        (lines, files) => format!("none of {lines} lines in {files} file(s) was understood"),
    };
    for (reason, n) in &all.skipped {
        out += &format!("\n  {n}: {}", reason.doc());
    }
    for (_, span) in all.examples.iter().take(DAMAGE_SHOWN) {
        out += &format!("\n  e.g. {}", loaded.sources.place(*span));
    }
    out + "\n  try: mcploss formats (which logs are read), --as FORMAT, --explain-detection"
}

/// Names the first damaged lines and counts the others.
fn damage(loaded: &Loaded) {
    let all = loaded.accounting();
    let total: u64 = all.skipped.iter().filter(|(s, _)| s.is_damage()).map(|(_, n)| n).sum();
    let named = &all.examples[..all.examples.len().min(DAMAGE_SHOWN)];
    for (reason, span) in named {
        output::warn(&format!("{}: {}; the line is left out", loaded.sources.place(*span), reason.doc()));
    }
    if let Some(rest) = total.checked_sub(named.len() as u64).filter(|n| *n > 0) {
        output::warn(&format!("{rest} more such lines; the accounting at the end of the report counts them"));
    }
}

fn strangers(loaded: &Loaded) {
    let names: Vec<&str> = loaded
        .sources
        .sources
        .iter()
        .zip(&loaded.recognised)
        .filter(|(s, r)| r.dialect.is_none() && !s.bytes().is_empty())
        .map(|(s, _)| s.name.as_str())
        .collect();
    if let Some(first) = names.first() {
        let more = if names.len() > 1 { format!(" and {} more", names.len() - 1) } else { String::new() };
        output::warn(&format!("{first}{more}: no known log format, not read (name it with --as FORMAT)"));
    }
}
