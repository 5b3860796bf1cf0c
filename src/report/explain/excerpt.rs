//! A look at the bytes that evidence points to.

use std::borrow::Cow;

use memchr::memmem;

use super::{Logs, Look};
use crate::bytes::Span;
use crate::report::escape::{cut, escape};
use crate::report::mask::mask;

/// Bytes looked at on each side: secrets are recognised whole, before the text is cut.
const WINDOW: usize = 4096;
/// Evidence shorter than this is shown with what stands around it.
const WITH_CONTEXT: usize = 40;
/// Characters of that, on each side.
const CONTEXT: usize = 24;

/// From its beginning, or with what stands around it when it is short.
fn excerpt(logs: Logs<'_>, span: Span, look: Look, width: usize) -> String {
    let text = logs.sources.text(span);
    if text.is_empty() {
        return String::new();
    }
    let (head, is_cut) = window(text);
    let own = shown(head, look);
    if text.len() >= WITH_CONTEXT {
        let more = if is_cut { "…" } else { "" };
        return cut(&format!("{own}{more}"), width);
    }
    let line = logs.sources.line_text(span);
    // Records that span lines are looked at from their own beginning.
    let Some(at) = offset_in(line, text) else { return cut(&own, width) };
    let before = shown(&line[at.saturating_sub(WINDOW)..at], look);
    let after = shown(window(&line[at + text.len()..]).0, look);
    let skipped = before.chars().count().saturating_sub(CONTEXT);
    let front: String = before.chars().skip(skipped).collect();
    let back = cut(&after, CONTEXT);
    let more = if skipped > 0 { "…" } else { "" };
    cut(&format!("{more}{front}{own}{back}"), width)
}

/// One line that shows what stands at `span`, from the first of these JSON members on that it holds; at most
/// `width` characters.
pub fn excerpt_from(logs: Logs<'_>, span: Span, members: &[&str], look: Look, width: usize) -> String {
    let text = logs.sources.text(span);
    let find = |name: &&str| memmem::find(text, format!("\"{name}\"").as_bytes()).filter(|at| *at > 0);
    // Inside of a JSON string, quotes have a backslash before them.
    let escaped = |name: &&str| memmem::find(text, format!("\"{name}\\\"").as_bytes());
    match members.iter().find_map(|name| find(name).or_else(|| escaped(name))) {
        Some(start) => cut(&format!("…{}", shown(window(&text[start..]).0, look)), width),
        None => excerpt(logs, span, look, width),
    }
}

fn window(text: &[u8]) -> (&[u8], bool) {
    (&text[..text.len().min(WINDOW)], text.len() > WINDOW)
}

fn shown(text: &[u8], look: Look) -> String {
    let text = String::from_utf8_lossy(text);
    let text: Cow<'_, str> = if look.mask { mask(&text).into_owned().into() } else { text };
    escape(text.trim_end())
}

/// Where `part` begins in `line`, when it is a part of it: both are slices of one file.
fn offset_in(line: &[u8], part: &[u8]) -> Option<usize> {
    let at = (part.as_ptr() as usize).checked_sub(line.as_ptr() as usize)?;
    (at + part.len() <= line.len()).then_some(at)
}
