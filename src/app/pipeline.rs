//! From arguments to events: find, open, recognise, cut, parse in parallel, append in order.

use std::collections::btree_map::{BTreeMap, Entry};

use rayon::prelude::*;
use thiserror::Error;

use super::progress::Progress;
use crate::bytes::find::{FindError, Place, find};
use crate::bytes::source::{OpenError, open};
use crate::bytes::{Accounting, Chunk, Limits, Skip, SourceSet, chunk};
use crate::dialect::{Context, DIALECTS, Dialect, Framing, Sample, Side, detect};
use crate::event::{Distiller, Events};
use crate::measure::input::Recognised;

/// What workers parse at a time: small enough to keep all of them busy, large enough that seams cost nothing.
const CHUNK_BYTES: usize = 4 << 20;

/// An input as the user named it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Path, folder, glob or `-`.
    pub name: String,
    /// Whose log, if the user said so.
    pub side: Option<Side>,
}

/// What to load.
pub struct Request<'a> {
    /// Inputs.
    pub inputs: &'a [Input],
    /// Dialect of all of them, if the user said so.
    pub dialect: Option<&'static Dialect>,
    /// Caps.
    pub limits: Limits,
    /// Where progress is shown.
    pub progress: &'a Progress,
}

/// What was loaded.
#[derive(Default)]
pub struct Loaded {
    /// The opened files.
    pub sources: SourceSet,
    /// What they say.
    pub events: Events,
    /// How each file was taken.
    pub recognised: Vec<Recognised>,
    /// How sure the dialects are of each file, surest first.
    pub rankings: Vec<Vec<(&'static str, u8)>>,
    /// What could not be read, or only in part.
    pub problems: Vec<Problem>,
}

/// An input that could not be read, or only in part.
#[derive(Debug, Error)]
pub enum Problem {
    /// Not found.
    #[error(transparent)]
    Find(#[from] FindError),
    /// Not opened, or damaged.
    #[error(transparent)]
    Open(#[from] OpenError),
}

impl Loaded {
    /// Something was understood.
    pub fn has_events(&self) -> bool {
        self.events.accounting.iter().any(|a| !a.understood.is_empty())
    }

    /// Counts of all files together.
    pub fn accounting(&self) -> Accounting {
        let mut all = Accounting::default();
        self.events.accounting.iter().for_each(|a| all.merge(a.clone()));
        all
    }
}

/// Loads everything that can be loaded.
pub fn load(request: &Request<'_>) -> Loaded {
    let mut loaded = Loaded::default();
    let mut places = Places::default();
    for input in request.inputs {
        match find(&input.name) {
            Ok(found) => found.into_iter().for_each(|p| places.add(p, input.side)),
            Err(e) => loaded.problems.push(e.into()),
        }
    }
    let opened: Vec<_> =
        places.all.par_iter().map(|(place, side)| (open(place, &request.limits), *side)).collect();
    let mut sides = Vec::new();
    for (result, side) in opened {
        match result {
            Ok((source, problem)) => {
                loaded.sources.sources.push(source);
                sides.push(side);
                loaded.problems.extend(problem.map(Problem::from));
            }
            Err(e) => loaded.problems.push(e.into()),
        }
    }
    parse(request, &sides, &mut loaded);
    loaded
}

/// The places to open, in order.
#[derive(Default)]
struct Places {
    all: Vec<(Place, Option<Side>)>,
    known: BTreeMap<Place, usize>,
}

impl Places {
    /// A file that is named twice is read once; a name with a side wins over one without.
    fn add(&mut self, place: Place, side: Option<Side>) {
        let key = match &place {
            Place::File(path) => Place::File(path.canonicalize().unwrap_or_else(|_| path.clone())),
            Place::Stdin => Place::Stdin,
        };
        match self.known.entry(key) {
            Entry::Occupied(at) => {
                let known = &mut self.all[*at.get()].1;
                *known = known.or(side);
            }
            Entry::Vacant(free) => {
                free.insert(self.all.len());
                self.all.push((place, side));
            }
        }
    }
}

/// One piece of work.
struct Job<'s> {
    dialect: &'static Dialect,
    context: Context,
    chunk: Chunk<'s>,
}

fn parse(request: &Request<'_>, sides: &[Option<Side>], loaded: &mut Loaded) {
    let sources = std::mem::take(&mut loaded.sources);
    let files = sources.sources.iter().zip(sides).enumerate();
    let rankings: Vec<_> = sources.sources.par_iter().map(|s| rank(request.dialect, s.bytes())).collect();
    let mut jobs: Vec<Job<'_>> = Vec::new();
    for ((file, (source, side)), ranking) in files.zip(&rankings) {
        let bytes = source.bytes();
        let whole = Chunk { file: file as u32, offset: 0, bytes };
        let best = ranking.first().map(|(d, _)| *d);
        let side = side.or(best.map(|d| d.side));
        loaded.recognised.push(Recognised { dialect: best.map(|d| d.name), side: side.map(Side::name) });
        let (Some(dialect), Some(side)) = (best, side) else {
            let mut accounting = Accounting::default();
            accounting.skip_many(Skip::UnknownDialect, whole.count_lines());
            loaded.events.append(file, Events { accounting: vec![accounting], ..Events::default() });
            continue;
        };
        let context = Context { side, max_line_bytes: request.limits.max_line_bytes };
        let pieces = match dialect.framing {
            Framing::Line => chunk::cut(bytes, CHUNK_BYTES),
            Framing::Whole => std::iter::once(0..bytes.len()).collect(),
        };
        jobs.extend(pieces.into_iter().map(|r| Job {
            dialect,
            context,
            chunk: Chunk { offset: r.start as u64, bytes: &bytes[r], ..whole },
        }));
    }
    request.progress.announce(jobs.iter().map(|j| j.chunk.bytes.len() as u64).sum());
    let parts: Vec<Events> = jobs.par_iter().map(|job| distil(job, request.progress)).collect();
    request.progress.finish();
    for (job, part) in jobs.iter().zip(parts) {
        loaded.events.append(job.chunk.file as usize, part);
    }
    loaded.events.accounting.resize_with(sources.sources.len(), Accounting::default);
    let names = |r: Vec<(&'static Dialect, u8)>| r.into_iter().map(|(d, c)| (d.name, c)).collect();
    loaded.rankings = rankings.into_iter().map(names).collect();
    loaded.sources = sources;
}

/// Confidence of a dialect that the user asked for.
const ASKED_FOR: u8 = 100;

fn rank(asked: Option<&'static Dialect>, bytes: &[u8]) -> Vec<(&'static Dialect, u8)> {
    match asked {
        Some(d) => vec![(d, ASKED_FOR)],
        None => detect::ranking(&Sample::new(bytes)),
    }
}

fn distil(job: &Job<'_>, progress: &Progress) -> Events {
    let mut distiller = Distiller::default();
    (job.dialect.parse)(job.chunk, job.context, &mut distiller);
    progress.advance(job.chunk.bytes.len() as u64);
    distiller.finish()
}

/// Names of all dialects, for messages.
pub fn dialect_names() -> String {
    DIALECTS.iter().map(|d| d.name).collect::<Vec<_>>().join(", ")
}
