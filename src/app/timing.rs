//! How long each stage took, for `--timings`.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

/// A stop watch with laps.
pub struct Timing {
    last: Instant,
    laps: Vec<(&'static str, Duration)>,
}

impl Timing {
    /// Starts.
    pub fn start() -> Timing {
        Timing { last: Instant::now(), laps: Vec::new() }
    }

    /// Ends a lap.
    pub fn lap(&mut self, stage: &'static str) {
        let now = Instant::now();
        self.laps.push((stage, now - self.last));
        self.last = now;
    }

    /// All laps, and what they are in bytes per second.
    pub fn show(&self, bytes: u64) -> String {
        let total: Duration = self.laps.iter().map(|(_, d)| *d).sum();
        let mut out = "timings".to_owned();
        for (stage, d) in &self.laps {
            let _ = write!(out, "\n  {stage:<8} {:>9.1} ms", 1e3 * d.as_secs_f64());
        }
        let rate = bytes as f64 / 1e6 / total.as_secs_f64().max(1e-9);
        let _ = write!(out, "\n  total    {:>9.1} ms, {rate:.0} MB/s", 1e3 * total.as_secs_f64());
        out
    }
}
