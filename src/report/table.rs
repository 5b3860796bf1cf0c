//! Tables that fit the terminal.

use comfy_table::presets;
use comfy_table::{Cell, CellAlignment, ContentArrangement, LineStyle, Table};

use super::style::Style;
use crate::measure::Ratio;

/// Left of every table.
pub const INDENT: &str = "  ";

/// A table under construction: the first column is text, of the others those named here are, too.
pub struct Sheet {
    table: Table,
    text_columns: &'static [usize],
}

impl Sheet {
    /// A table with these headings; `text_columns` are aligned to the left, the others to the right.
    pub fn new(style: Style, headings: &[&str], text_columns: &'static [usize]) -> Sheet {
        let mut table = Table::new();
        table.load_style(presets::NOTHING.header_separator(LineStyle::none().fill('─')));
        table.set_content_arrangement(ContentArrangement::Dynamic);
        table.set_width(style.width.saturating_sub(INDENT.len() as u16));
        table.set_header(headings.iter().enumerate().map(|(i, h)| align(text_columns, i, (*h).to_owned())));
        Sheet { table, text_columns }
    }

    /// One more row.
    pub fn row(&mut self, cells: Vec<String>) {
        let text_columns = self.text_columns;
        self.table.add_row(cells.into_iter().enumerate().map(|(i, c)| align(text_columns, i, c)));
    }

    /// Nothing was added.
    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// The lines, indented.
    pub fn write(&self, out: &mut String) {
        for line in self.table.lines() {
            // Cells are padded on both sides; the outer padding is ours.
            out.push_str(format!("{INDENT}{}", line.strip_prefix(' ').unwrap_or(&line)).trim_end());
            out.push('\n');
        }
    }
}

fn align(text_columns: &[usize], column: usize, text: String) -> Cell {
    let side = if text_columns.contains(&column) { CellAlignment::Left } else { CellAlignment::Right };
    Cell::new(text).set_alignment(side)
}

/// `70.7 %`, or `–` of nothing.
pub fn percent(r: Ratio) -> String {
    r.value().map_or_else(|| "–".to_owned(), |p| format!("{:.1} %", 100.0 * p))
}

/// `58–81`, in percent.
pub fn interval(r: Ratio) -> String {
    r.wilson().map_or_else(String::new, |(low, high)| format!("{:.0}–{:.0}", 100.0 * low, 100.0 * high))
}

/// A count; nothing for none, so that what is there stands out.
pub fn count(n: u64) -> String {
    if n == 0 { "·".to_owned() } else { grouped(n) }
}

/// `12 345`, with narrow spaces that do not break.
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i) % 3 == 0 && digits.len() > 4 {
            out.push('\u{202f}');
        }
        out.push(c);
    }
    out
}

/// `1.4 GB`, decimal units.
pub fn bytes(n: u64) -> String {
    const UNITS: [(&str, f64); 4] = [("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)];
    let unit = UNITS.iter().find(|(_, size)| n as f64 >= *size);
    unit.map_or_else(|| format!("{n} B"), |(name, size)| format!("{:.1} {name}", n as f64 / size))
}
