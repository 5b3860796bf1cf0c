//! Hides secrets in excerpts. A best effort: it knows what keys and tokens look like, not which text is one.

use std::borrow::Cow;
use std::sync::OnceLock;

use regex::{Captures, Regex};

/// Prefixes that providers give their keys, and the fields and headers in which secrets travel. The group
/// `keep` is shown, `hide` is not.
/// Sources: the providers' own pages on key formats (OpenAI, Anthropic, GitHub, GitLab, Slack, AWS, Google,
/// Hugging Face, npm, Stripe); RFC 6750 and RFC 7617 for the headers; RFC 7519 for JSON Web Tokens.
const PATTERNS: &str = r#"(?x)
    (?<hide1>-----BEGIN\ [A-Z\ ]*PRIVATE\ KEY-----[\s\S]*?(?:-----END\ [A-Z\ ]*PRIVATE\ KEY-----|\z))
  | (?<keep2>\b(?:sk|pk|rk)[-_](?:ant-|proj-|live_|test_)?)(?<hide2>[A-Za-z0-9_-]{12,})
  | (?<keep3>\b(?:gh[oprsu]_|github_pat_|glpat-|xox[abeoprs]-|hf_|npm_|AKIA|ASIA|AIza|ya29\.))(?<hide3>[A-Za-z0-9_.-]{12,})
  | (?<keep4>\beyJ)(?<hide4>[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?)
  | (?<keep5>(?i:\b(?:bearer|basic|token)\s+))(?<hide5>[A-Za-z0-9._~+/=-]{8,})
  | (?<keep6>://[^/\s:@"']{1,64}:)(?<hide6>[^/\s:@"']{1,256})@
  | (?<keep7>(?i:(?:api[-_]?key|access[-_]?key|secret|passwd|password|authorization|cookie|credential|
      (?:access|refresh|auth|session|id|bearer)[-_]?token|x-api-key|client[-_]?secret)[A-Za-z0-9_-]{0,16})
      (?:\\?["'])?\s{0,3}[:=]\s{0,3}(?:\\?["'])?(?:(?i:bearer|basic)\s+)?)(?<hide7>[^\s"'\\,;}&]{4,})
"#;

/// How many alternatives [`PATTERNS`] has.
const ALTERNATIVES: usize = 7;

/// Long runs of the base64 and hexadecimal alphabets: keys without a known prefix, and media.
const RUNS: &str = r"[A-Za-z0-9+/_=-]{32,}";

/// Text with secrets replaced by their first characters and their length.
pub fn mask(text: &str) -> Cow<'_, str> {
    static KNOWN: OnceLock<Option<(Regex, Regex)>> = OnceLock::new();
    let compile = || Some((Regex::new(PATTERNS).ok()?, Regex::new(RUNS).ok()?));
    let Some((known, runs)) = KNOWN.get_or_init(compile) else { return Cow::Borrowed("(masked)") };
    let text = known.replace_all(text, |c: &Captures<'_>| known_secret(c));
    match runs.replace_all(&text, |c: &Captures<'_>| run(&c[0])) {
        Cow::Borrowed(_) => text,
        Cow::Owned(s) => Cow::Owned(s),
    }
}

fn known_secret(c: &Captures<'_>) -> String {
    for n in 1..=ALTERNATIVES {
        if let Some(hidden) = c.name(&format!("hide{n}")) {
            let keep = c.name(&format!("keep{n}")).map_or("", |m| m.as_str());
            let behind = if n == 6 { "@" } else { "" };
            return format!("{keep}{}{behind}", gap(hidden.as_str()));
        }
    }
    c[0].to_owned()
}

fn run(text: &str) -> String {
    if looks_random(text) {
        let head: String = text.chars().take(SHOWN).collect();
        format!("{head}{}", gap(&text[head.len()..]))
    } else {
        text.to_owned()
    }
}

/// First characters of a run that are shown: enough to tell a PNG from a key, too few to use one.
const SHOWN: usize = 4;

fn gap(hidden: &str) -> String {
    format!("‹{} masked›", hidden.chars().count())
}

/// Words in paths and identifiers are long runs of lower-case letters; in random text these are rare. Eight in
/// a row have a chance of (26/64)^8, less than one in a thousand at each place.
fn looks_random(text: &str) -> bool {
    let is_hex = text.bytes().all(|b| b.is_ascii_hexdigit()) && text.bytes().any(|b| b.is_ascii_digit());
    let has = |is: fn(&u8) -> bool| text.as_bytes().iter().any(is);
    let mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    let longest_word =
        text.as_bytes().split(|b| !b.is_ascii_lowercase()).map(<[u8]>::len).max().unwrap_or_default();
    is_hex || (mixed && longest_word < WORD)
}

const WORD: usize = 8;

#[cfg(test)]
mod tests {
    use super::mask;

    #[test]
    fn secrets_are_hidden() {
        // Put together at run time: none of these is a key, and no scanner shall take one for it.
        let random = "aB3dE5fG7hI9jK1lM3nO5pQ7";
        for text in [
            format!("Authorization: Bearer {random}"),
            format!("{{\"api_key\": \"{random}\"}}"),
            format!("{{\\\"password\\\":\\\"{random}\\\"}}"),
            format!("https://user:{random}@host/path"),
            format!("sk-ant-{random}"),
            format!("ghp_{random}{random}"),
            format!("eyJ{random}.{random}.{random}"),
            format!("x={random}{random}"),
            format!("-----BEGIN RSA PRIVATE KEY-----\n{random}"),
            "0123456789abcdef0123456789abcdef".to_owned(),
        ] {
            let shown = mask(&text);
            assert!(shown.contains("masked›") && !shown.contains("E5fG7hI9"), "{text}: {shown}");
        }
    }

    #[test]
    fn ordinary_text_stays() {
        for text in [
            "/home/someone/projects/long-directory-names/another_long_one/file.txt",
            "[resource: content discarded]",
            "{\"type\":\"text\",\"text\":\"the token was refused\"}",
            "the_quick_brown_fox_jumps_over_the_lazy_dog",
            "call_1 and 3f2a",
        ] {
            assert_eq!(mask(text), text);
        }
    }
}
