//! A look at the bytes that evidence points to.

use super::{Logs, Look};
use crate::bytes::Span;
use crate::report::escape::{cut, escape};
use crate::report::mask::mask;

/// Bytes read around a piece of evidence: secrets are recognised before the text is cut.
const WINDOW: u64 = 4096;
/// Evidence shorter than this is shown with what stands around it.
const WITH_CONTEXT: u32 = 40;
/// Bytes of that.
const CONTEXT: u64 = 24;

/// One line that shows what stands at `span`, at most `width` characters.
pub fn excerpt(logs: Logs<'_>, span: Span, look: Look, width: usize) -> String {
    if span.is_none() {
        return String::new();
    }
    let line = logs.sources.line_text(span);
    let whole = logs.sources.text(span);
    // Records that span lines are looked at from their own beginning.
    let in_line = offset_in(line, whole).filter(|at| at + whole.len() <= line.len());
    let (text, starts_late, ends_early) = match in_line {
        Some(at) if span.len < WITH_CONTEXT => {
            let from = at.saturating_sub(CONTEXT as usize);
            let to = (at + whole.len() + CONTEXT as usize).min(line.len());
            (&line[from..to], from > 0, to < line.len())
        }
        _ => {
            let to = whole.len().min(WINDOW as usize);
            (&whole[..to], false, to < whole.len())
        }
    };
    let text = String::from_utf8_lossy(text);
    let text = if look.mask { mask(&text) } else { text };
    let text = escape(text.trim());
    let front = if starts_late { "…" } else { "" };
    let back = if ends_early && text.chars().count() < width { "…" } else { "" };
    cut(&format!("{front}{text}{back}"), width)
}

/// The same, from the first of these JSON members on that the text holds.
pub fn excerpt_from(logs: Logs<'_>, span: Span, members: &[&str], look: Look, width: usize) -> String {
    let text = logs.sources.text(span);
    let find = |name: &&str| memchr::memmem::find(text, format!("\"{name}").as_bytes()).filter(|at| *at > 0);
    // Inside of a JSON string, the quote has a backslash before it.
    let escaped = |name: &&str| memchr::memmem::find(text, format!("\"{name}\\\"").as_bytes());
    let start = members.iter().find_map(|name| escaped(name).or_else(|| find(name)));
    let Some(start) = start.and_then(|at| u32::try_from(at).ok()) else { return excerpt(logs, span, look, width) };
    let rest = span.sub(start, (span.len - start).max(WITH_CONTEXT));
    format!("…{}", excerpt(logs, rest, look, width.saturating_sub(1)))
}

/// Where `part` begins in `line`, when it is a part of it.
fn offset_in(line: &[u8], part: &[u8]) -> Option<usize> {
    (part.as_ptr() as usize).checked_sub(line.as_ptr() as usize).filter(|at| *at <= line.len())
}
