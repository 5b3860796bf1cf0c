//! The verdict in words.

use std::fmt::Write as _;

use super::{Cause, Kind, Verdict};
use crate::judge::{Blame, CallState, Fate};
use crate::measure::interval::Ratio;

/// Types named before "other types".
const NAMED_TYPES: usize = 2;

/// The whole verdict: one sentence that answers, then what qualifies it.
pub fn sentence(v: &Verdict) -> String {
    let mut s = match v.kind {
        Kind::Lost => lost(v),
        Kind::NothingLost => nothing_lost(v),
        Kind::Undetermined => undetermined(v),
        Kind::NoBlocks => no_blocks(v),
        Kind::NoCalls => "No MCP call in these logs.".to_owned(),
    };
    if v.kind == Kind::Lost {
        others(v, &mut s);
    }
    if matches!(v.kind, Kind::Lost | Kind::NothingLost) {
        qualify(v, &mut s);
    }
    failed_calls(v, &mut s);
    s
}

fn lost(v: &Verdict) -> String {
    let mut named: Vec<String> =
        v.types.iter().take(NAMED_TYPES).map(|t| of_blocks(t.loss, &t.block_type)).collect();
    let rest: u64 = v.types.iter().skip(NAMED_TYPES).map(|t| t.loss.count).sum();
    if rest > 0 {
        named.push(format!("{} of other types", blocks(rest)));
    }
    let what = listed(&named);
    let mut s = match subject(v) {
        Some(who) => format!("{who} lost {what}"),
        None => format!("Lost, by whom the logs do not show: {what}"),
    };
    if let Some(cause) = &v.mechanism {
        let all: u64 = v.types.iter().map(|t| t.loss.count).sum();
        let how_many = match cause.blocks {
            n if n == all && n == 1 => String::new(),
            n if n == all => "all ".to_owned(),
            n => format!("{n} "),
        };
        let _ = write!(s, ": {how_many}{}", by_what(cause));
    }
    if let Some(note) = &v.version {
        let _ = write!(
            s,
            "; {} version {} ({} of the same type came through in {})",
            note.relation,
            note.version,
            blocks(note.clean_blocks),
            note.clean_versions.join(", ")
        );
    }
    s + "."
}

fn subject(v: &Verdict) -> Option<String> {
    let side = |who: &str| {
        if v.culprit.is_empty() { format!("The {who}") } else { format!("The {who} {}", v.culprit) }
    };
    match v.blame.as_str() {
        b if b == Blame::Client.id() => Some(side("client")),
        b if b == Blame::Server.id() => Some(side("server")),
        b if b == Blame::Transport.id() => Some("The transport".to_owned()),
        b if b == Blame::ModelApi.id() => Some("The model API".to_owned()),
        _ => None,
    }
}

fn by_what(cause: &Cause) -> String {
    let detail = cause.detail.as_ref();
    let marker = detail.map(|d| shown(&d.marker_text)).filter(|t| !t.is_empty());
    let is = |fate: Fate| cause.fate == fate.id();
    let by = if is(Fate::Placeholder) {
        return match marker {
            Some(text) => format!("by writing the placeholder `{text}`"),
            None => "by writing a placeholder".to_owned(),
        };
    } else if is(Fate::MimeRejected) {
        return match detail.map(|d| d.mime.as_str()).filter(|m| !m.is_empty()) {
            Some(mime) => format!("by refusing the MIME type {mime}"),
            None => "by refusing the MIME type".to_owned(),
        };
    } else if is(Fate::DecodeFailed) {
        "because the base64 did not decode"
    } else if is(Fate::UnknownType) {
        "because the client does not know the block type"
    } else if is(Fate::SizeLimited) {
        "by refusing the whole block for its size"
    } else if is(Fate::Collateral) {
        "because another block of the result failed and took all with it"
    } else if is(Fate::DroppedSilently) {
        "by dropping the block without a word"
    } else if is(Fate::ServerInvalid) {
        "by returning blocks that break the schema"
    } else if is(Fate::NotReceived) {
        "between the server's log and the client's"
    } else {
        return format!("by {}", cause.fate);
    };
    match marker {
        Some(text) => format!("{by} (`{text}`)"),
        None => by.to_owned(),
    }
}

/// A marker's text as a person reads it.
pub fn shown(marker_text: &str) -> String {
    marker_text.replace("{}", "…").replace("{N}", "N")
}

fn nothing_lost(v: &Verdict) -> String {
    match v.lost.of {
        0 => "Nothing was lost: all judged blocks were withheld or superseded by design.".to_owned(),
        1 => "Nothing was lost: the one judged block reached the model.".to_owned(),
        n => format!("Nothing was lost of {n} judged blocks."),
    }
}

fn undetermined(v: &Verdict) -> String {
    let mut s = match v.unobserved {
        1 => "Undetermined: the one block cannot be judged".to_owned(),
        n => format!("Undetermined: none of {n} blocks can be judged"),
    };
    if !v.unobserved_reason.is_empty() {
        let _ = write!(s, ": {}", v.unobserved_reason);
    }
    s += ".";
    if !v.hint.is_empty() {
        let _ = write!(s, " To settle it: {}.", v.hint.trim_end_matches('.'));
    }
    s
}

fn no_blocks(v: &Verdict) -> String {
    if all_failed(v) {
        let by_server = v.failed_calls.iter().all(|f| f.blame == Blame::Server.id());
        let who = if by_server { "The server returned no content" } else { "No content was returned" };
        return format!("{who} for any of {}: {}.", calls(v.calls), states(v));
    }
    let mut s = format!("Undetermined: {} but no content block that a server returned", calls(v.calls));
    match &v.marker {
        Some(m) => {
            let _ = write!(
                s,
                "; {} hold a marker of lost content, most often `{}`. \
                 To settle it: add the MCP log of the server or the client.",
                if m.results == 1 { "1 result".to_owned() } else { format!("{} results", m.results) },
                shown(&m.text)
            );
        }
        None => s += ".",
    }
    s
}

fn others(v: &Verdict, s: &mut String) {
    if v.others.is_empty() {
        return;
    }
    let all: Vec<String> = v.others.iter().map(|o| format!("{} by {}", o.blocks, side_name(&o.blame))).collect();
    let _ = write!(s, " Lost besides: {}.", all.join(", "));
}

fn side_name(blame: &str) -> &str {
    match blame {
        b if b == Blame::Client.id() => "the client",
        b if b == Blame::Server.id() => "the server",
        b if b == Blame::Transport.id() => "the transport",
        b if b == Blame::ModelApi.id() => "the model API",
        b if b == Blame::Undetermined.id() => "an unknown side",
        other => other,
    }
}

fn qualify(v: &Verdict, s: &mut String) {
    if v.truncated > 0 {
        let _ = write!(s, " {} came through only in part.", capital(&blocks(v.truncated)));
    }
    if v.unobserved > 0 {
        let _ = write!(s, " {} could not be judged", capital(&blocks(v.unobserved)));
        if !v.unobserved_reason.is_empty() {
            let _ = write!(s, " ({})", v.unobserved_reason);
        }
        *s += ".";
    }
    if v.is_small_sample {
        let _ = write!(s, " Small sample: {} judged.", v.lost.of);
    }
}

fn failed(v: &Verdict) -> u64 {
    v.failed_calls.iter().map(|f| f.calls).sum()
}

fn all_failed(v: &Verdict) -> bool {
    v.calls > 0 && failed(v) == v.calls
}

fn failed_calls(v: &Verdict, s: &mut String) {
    // Without any block, this was the verdict itself.
    if failed(v) > 0 && !(v.kind == Kind::NoBlocks && all_failed(v)) {
        let _ = write!(s, " {} of {} brought no content: {}.", failed(v), calls(v.calls), states(v));
    }
}

/// `never answered`, or `2 never answered and 1 answered empty by the server`
fn states(v: &Verdict) -> String {
    match v.failed_calls.as_slice() {
        [one] => state_phrase(&one.state).to_owned(),
        all => listed(&all.iter().map(|f| format!("{} {}", f.calls, state_phrase(&f.state))).collect::<Vec<_>>()),
    }
}

fn state_phrase(state: &str) -> &str {
    let phrases = [
        (CallState::ServerEmpty, "answered empty by the server"),
        (CallState::ServerError, "answered with an error by the server"),
        (CallState::NoResponse, "never answered"),
        (CallState::NotReceived, "not received by the client"),
        (CallState::NotArrived, "never arrived at the server"),
        (CallState::Intended, "asked for by the model and not in any MCP log"),
    ];
    phrases.iter().find(|(s, _)| s.id() == state).map_or(state, |(_, phrase)| phrase)
}

/// `41 of 58 resource blocks (70.7 %, 95 % CI 58–81)`
fn of_blocks(r: Ratio, block_type: &str) -> String {
    let noun = if r.of == 1 { "block" } else { "blocks" };
    let mut s = format!("{} of {} {block_type} {noun}", r.count, r.of);
    if let (Some(p), Some((low, high))) = (r.value(), r.wilson()) {
        let _ = write!(s, " ({:.1} %, 95 % CI {:.0}–{:.0})", 100.0 * p, 100.0 * low, 100.0 * high);
    }
    s
}

/// `a`, `a and b`, `a, b and c`
fn listed(items: &[String]) -> String {
    match items {
        [head @ .., last] if !head.is_empty() => format!("{} and {last}", head.join(", ")),
        _ => items.concat(),
    }
}

fn blocks(n: u64) -> String {
    if n == 1 { "1 block".to_owned() } else { format!("{n} blocks") }
}

fn calls(n: u64) -> String {
    if n == 1 { "1 call".to_owned() } else { format!("{n} calls") }
}

fn capital(s: &str) -> String {
    let mut chars = s.chars();
    chars.next().map(|c| c.to_uppercase().chain(chars).collect()).unwrap_or_default()
}
