//! Tables that fit the terminal.

use comfy_table::presets;
use comfy_table::{Cell, CellAlignment, ColumnConstraint, ContentArrangement, LineStyle, Table};

use super::style::Style;
use crate::measure::Ratio;

/// Left of every table.
pub const INDENT: &str = "  ";

/// How a column aligns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Align {
    /// Names: to the left, never broken.
    Left,
    /// Numbers: to the right, never broken.
    Right,
    /// Prose: to the left, broken at spaces when the table is too wide.
    Fill,
}

/// A table under construction.
pub struct Sheet {
    table: Table,
    aligns: Vec<Align>,
    width: u16,
    padding: (u16, u16),
}

impl Sheet {
    /// A table with these headings.
    pub fn new(style: Style, columns: &[(&str, Align)]) -> Sheet {
        let width = style.width.saturating_sub(INDENT.len() as u16);
        let aligns: Vec<Align> = columns.iter().map(|(_, align)| *align).collect();
        let mut table = Table::new();
        table.load_style(presets::NOTHING.header_separator(LineStyle::none().fill(RULER)));
        table.set_content_arrangement(ContentArrangement::Dynamic);
        table.set_width(width);
        table.set_header(columns.iter().map(|(heading, align)| cell(*align, (*heading).to_owned())));
        for (i, align) in aligns.iter().enumerate() {
            if let (Some(column), true) = (table.column_mut(i), *align != Align::Fill) {
                column.set_constraint(ColumnConstraint::ContentWidth);
            }
        }
        Sheet { table, aligns, width, padding: (1, 1) }
    }

    /// One space between columns instead of two.
    pub fn tight(mut self) -> Sheet {
        self.padding = (0, 1);
        for column in self.table.column_iter_mut() {
            column.set_padding(self.padding);
        }
        self
    }

    /// One more row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.table.add_row(cells.into_iter().zip(&self.aligns).map(|(text, align)| cell(*align, text)));
    }

    /// No line has to be broken.
    pub fn fits(&self) -> bool {
        let widths = self.table.column_max_content_widths();
        let padding = usize::from(self.padding.0 + self.padding.1);
        let all: usize = widths.iter().map(|w| usize::from(*w) + padding).sum();
        all <= usize::from(self.width + self.padding.0 + self.padding.1)
    }

    /// The lines, indented.
    pub fn write(&self, out: &mut String) {
        for line in self.table.lines() {
            // The outer padding is no part of the table; a ruler is drawn over it.
            let line: String = line.chars().skip(self.padding.0.into()).collect();
            let is_ruler = line.starts_with(RULER);
            let end = if is_ruler { line.char_indices().next_back().map_or(0, |(i, _)| i) } else { line.len() };
            out.push_str(format!("{INDENT}{}", &line[..end]).trim_end());
            out.push('\n');
        }
    }
}

/// Drawn below headings.
const RULER: char = '─';

fn cell(align: Align, text: String) -> Cell {
    let side = if align == Align::Right { CellAlignment::Right } else { CellAlignment::Left };
    Cell::new(text).set_alignment(side)
}

/// `70.7 %`, or `–` of nothing. The space does not break.
pub fn percent(r: Ratio) -> String {
    r.value().map_or_else(|| "–".to_owned(), |p| format!("{:.1}\u{a0}%", 100.0 * p))
}

/// `58–81`, in percent.
pub fn interval(r: Ratio) -> String {
    r.wilson().map_or_else(String::new, |(low, high)| format!("{:.0}–{:.0}", 100.0 * low, 100.0 * high))
}

/// A count; nothing for none, so that what is there stands out.
pub fn count(n: u64) -> String {
    if n == 0 { "·".to_owned() } else { grouped(n) }
}

/// `12,345`
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) && digits.len() > 4 {
            out.push(',');
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
