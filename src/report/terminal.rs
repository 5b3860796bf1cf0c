//! The report for a person at a terminal: the answer first, then how it comes about, then what was read.

mod detail;
mod first;
mod input;

use super::escape::escape;
use super::style::Style;
use super::{View, table};

/// The whole report.
pub fn terminal(view: View<'_>, style: Style) -> String {
    let mut out = String::new();
    first::verdict(view, style, &mut out);
    first::types(view, style, &mut out);
    first::mechanisms(view, style, &mut out);
    first::examples(view, style, &mut out);
    detail::markers(view, style, &mut out);
    detail::mime(view, style, &mut out);
    detail::delivery(view, style, &mut out);
    detail::admissions(view, style, &mut out);
    detail::call_states(view, style, &mut out);
    detail::unobserved(view, style, &mut out);
    input::accounting(view, style, &mut out);
    // Spaces that must not end a line have done their work; who searches the text types ordinary ones.
    out.replace('\u{a0}', " ")
}

fn heading(out: &mut String, style: Style, text: &str) {
    out.push('\n');
    out.push_str(&style.heading(text));
    out.push('\n');
}

/// Lines of at most `width` columns, broken at spaces; each begins with `indent`.
pub(super) fn wrap(text: &str, width: usize, indent: &str) -> Vec<String> {
    let room = width.saturating_sub(indent.len()).max(20);
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let line = lines.last_mut().filter(|l| l.chars().count() + 1 + word.chars().count() <= room);
        match line {
            Some(line) if line.is_empty() => line.push_str(word),
            Some(line) => {
                line.push(' ');
                line.push_str(word);
            }
            None => lines.push(word.to_owned()),
        }
    }
    lines.into_iter().filter(|l| !l.is_empty()).map(|l| format!("{indent}{l}")).collect()
}

fn paragraph(out: &mut String, style: Style, text: &str) {
    for line in wrap(text, style.width.into(), table::INDENT) {
        out.push_str(&line);
        out.push('\n');
    }
}

/// A name from a log, or a dash where the log has none.
fn name(text: &str, width: usize) -> String {
    if text.is_empty() { "–".to_owned() } else { super::escape::short(text, width) }
}

/// `name version`
fn peer(name: &str, version: &str) -> String {
    match (name.is_empty(), version.is_empty()) {
        (true, _) => "unnamed".to_owned(),
        (false, true) => escape(name),
        (false, false) => escape(&format!("{name} {version}")),
    }
}

#[cfg(test)]
mod tests {
    use super::wrap;

    #[test]
    fn wraps_at_spaces_and_leaves_long_words_whole() {
        assert_eq!(wrap("aaaa bbbb cccc", 24, ""), ["aaaa bbbb cccc"]);
        let long = "x".repeat(40);
        assert_eq!(
            wrap(&format!("a {long} b"), 24, "  "),
            ["  a".to_owned(), format!("  {long}"), "  b".to_owned()]
        );
    }
}
