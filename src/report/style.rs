//! Width and colour of a terminal report.

/// How a report may look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Columns.
    pub width: u16,
    /// ANSI colours.
    pub color: bool,
}

/// Width where there is no terminal to ask.
pub const DEFAULT_WIDTH: u16 = 100;

impl Default for Style {
    fn default() -> Self {
        Style { width: DEFAULT_WIDTH, color: false }
    }
}

impl Style {
    fn paint(self, code: &str, text: &str) -> String {
        if self.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// A heading.
    pub fn heading(self, text: &str) -> String {
        self.paint("1", text)
    }

    /// Bad news.
    pub fn bad(self, text: &str) -> String {
        self.paint("1;31", text)
    }

    /// Good news.
    pub fn good(self, text: &str) -> String {
        self.paint("1;32", text)
    }

    /// News that needs care.
    pub fn care(self, text: &str) -> String {
        self.paint("1;33", text)
    }

    /// Of less weight.
    pub fn dim(self, text: &str) -> String {
        self.paint("2", text)
    }
}
