//! A bar on stderr while files are read.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The bar; does nothing where nobody would see it.
pub struct Progress(Option<ProgressBar>);

impl Progress {
    /// A bar if stderr is a terminal and neither `--quiet`, `NO_COLOR` nor `CI` is set.
    pub fn new(quiet: bool) -> Progress {
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
        if quiet || is_set("NO_COLOR") || is_set("CI") || !std::io::stderr().is_terminal() {
            return Progress(None);
        }
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let template = "{bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left";
        bar.set_style(ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar()));
        Progress(Some(bar))
    }

    /// How many bytes there are to read.
    pub fn announce(&self, bytes: u64) {
        if let Some(bar) = &self.0 {
            bar.set_length(bytes);
        }
    }

    /// So many were read.
    pub fn advance(&self, bytes: u64) {
        if let Some(bar) = &self.0 {
            bar.inc(bytes);
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        if let Some(bar) = &self.0 {
            bar.finish_and_clear();
        }
    }
}
