//! What was read: every line is accounted for.

use std::fmt::Write as _;

use super::heading;
use crate::report::View;
use crate::report::style::Style;
use crate::report::table::{Align, Sheet, bytes, grouped};

pub fn accounting(view: View<'_>, style: Style, out: &mut String) {
    let i = view.inputs;
    heading(out, style, "Input");
    let files = if i.files.len() == 1 { "1 file".to_owned() } else { format!("{} files", i.files.len()) };
    let _ = write!(out, "  {files}, {}", bytes(i.text_bytes));
    if i.disk_bytes != i.text_bytes {
        let _ = write!(out, " ({} on disk)", bytes(i.disk_bytes));
    }
    if !i.failed.is_empty() {
        let _ = write!(out, "; {} could not be read whole", i.failed.len());
    }
    out.push('\n');
    let mut sheet = Sheet::new(style, &[("lines", Align::Right), ("", Align::Left), ("what", Align::Fill)]);
    for u in &i.understood {
        sheet.row(vec![grouped(u.lines), "understood".to_owned(), format!("dialect {}", u.dialect)]);
    }
    for s in &i.skipped {
        sheet.row(vec![grouped(s.lines), s.reason.to_owned(), s.meaning.to_owned()]);
    }
    sheet.row(vec![grouped(i.lines), "read".to_owned(), "the sum of the lines above".to_owned()]);
    sheet.write(out);
}
