//! What several tests need: from files to verdicts without the command line.

use std::path::PathBuf;

use mcploss::bytes::{Chunk, Limits, SourceSet, find, source};
use mcploss::dialect::{self, Context, Sample};
use mcploss::event::{Catalogue, Distiller, Events};
use mcploss::join::Calls;
use mcploss::judge::Judgement;

/// All stages up to the verdict.
pub struct Run {
    pub events: Events,
    pub calls: Calls,
    pub verdict: Judgement,
}

/// Reads, joins and judges the files; each must be of a known dialect.
pub fn analyze(paths: &[PathBuf]) -> Run {
    let mut sources = SourceSet::default();
    let mut events = Events::default();
    for (file, path) in paths.iter().enumerate() {
        let place = find::Place::File(path.clone());
        let (source, problem) = source::open(&place, &Limits::default()).unwrap();
        assert!(problem.is_none());
        sources.sources.push(source);
        let bytes = sources.sources[file].bytes();
        let (dialect, _) = dialect::detect(&Sample::new(bytes)).unwrap_or_else(|| panic!("{}", path.display()));
        let mut sink = Distiller::default();
        let side = match path.file_stem().and_then(|s| s.to_str()).unwrap_or("") {
            "server" => dialect::Side::Server,
            "client" => dialect::Side::Client,
            _ => dialect.side,
        };
        let context = Context { side, max_line_bytes: 1 << 30 };
        (dialect.parse)(Chunk { file: file as u32, offset: 0, bytes }, context, &mut sink);
        events.append(file, sink.finish());
        assert!(events.accounting[file].adds_up(), "{}", path.display());
    }
    let calls = mcploss::join::join(&events, &sources);
    let verdict = mcploss::judge::judge(&events, &calls, &sources, Catalogue::built_in());
    let run = Run { events, calls, verdict };
    run.conserves();
    run
}

impl Run {
    /// Every block of the log nearest to the server comes out with exactly one fate.
    fn conserves(&self) {
        let mut want = 0;
        for call in &self.calls.calls {
            let frame = call.response().map(|(_, f)| f).or(call.kept);
            want += frame.map_or(0, |f| self.events.frames[f as usize].block_count as usize);
        }
        assert_eq!(self.verdict.blocks.len(), want);
        let mut ids: Vec<u32> = self.verdict.blocks.iter().map(|b| b.block).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), want);
    }
}
