//! The border guard to the terminal: text from logs must not move the cursor, change colours or reorder a line.

use std::fmt::Write as _;

/// Shows what a terminal would obey: control characters (ANSI sequences among them), bidirectional controls,
/// invisible characters and line breaks become visible escapes.
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if is_unsafe(c) => {
                let _ = write!(out, "\\u{{{:x}}}", c as u32);
            }
            c => out.push(c),
        }
    }
    out
}

/// The same for bytes, which need not be UTF-8.
pub fn escape_bytes(bytes: &[u8]) -> String {
    escape(&String::from_utf8_lossy(bytes))
}

/// Escaped and cut to at most `width` characters, the last of which is `…` when something is missing.
pub fn short(text: &str, width: usize) -> String {
    // An escape makes text longer, never shorter: more than `width` characters are not needed.
    let head: String = text.chars().take(width + 1).collect();
    cut(&escape(&head), width)
}

/// Cuts at a character.
pub fn cut(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        None => text.to_owned(),
        Some(_) => {
            let end = text.char_indices().nth(width.saturating_sub(1)).map_or(0, |(i, _)| i);
            format!("{}…", &text[..end])
        }
    }
}

/// Cuts in the middle of a path, so that the file's name stays.
pub fn short_path(path: &str, width: usize) -> String {
    let path = escape(path);
    let count = path.chars().count();
    if count <= width {
        return path;
    }
    let tail: String = path.chars().skip(count - width.saturating_sub(1)).collect();
    format!("…{tail}")
}

/// Characters that act instead of being seen. Sources: Unicode 16, general categories Cc, Cf, Zl, Zp as far as
/// terminals obey them; "Trojan Source" (CVE-2021-42574) for the bidirectional ones.
pub fn is_unsafe(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_shown() {
        assert_eq!(escape("a\x1b[31mb"), "a\\u{1b}[31mb");
        assert_eq!(escape("x\u{202e}y\u{2066}\u{200b}\u{9b}"), "x\\u{202e}y\\u{2066}\\u{200b}\\u{9b}");
        assert_eq!(escape("l\r\n\tm\0"), "l\\r\\n\\tm\\u{0}");
        assert_eq!(escape("größe 図"), "größe 図");
    }

    #[test]
    fn cuts_at_characters() {
        assert_eq!(short("日本語のツール", 4), "日本語…");
        assert_eq!(short("abcd", 4), "abcd");
        assert_eq!(short("", 4), "");
        assert_eq!(short("\x1b\x1b\x1b", 8), "\\u{1b}\\…");
        assert_eq!(short_path("/var/log/mcp/server.jsonl", 14), "…/server.jsonl");
    }
}
