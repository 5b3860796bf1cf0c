//! Ties wire calls to the model's calls: by an id that the client sent along, else by tool name and arguments,
//! told apart by content and order where several are equal.

use std::borrow::Cow;

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Call, Calls, Link, LinkHow, ModelCall};
use crate::bytes::SourceSet;
use crate::dialect::raw::Method;
use crate::event::{Events, FrameFlags, Sym};

/// Sets [`Call::link`] and [`Call::kept`] wherever they can be made, and adds calls that only the client's own
/// record holds.
pub fn link(events: &Events, sources: &SourceSet, all: &mut Calls) {
    let mut linker = Linker {
        events,
        sources,
        taken: FxHashSet::default(),
        by_id: FxHashMap::default(),
        tool_of: FxHashMap::default(),
    };
    for (i, m) in all.model_calls.iter().enumerate() {
        linker.by_id.entry(m.call_id).or_default().push(i as u32);
    }
    linker.explicit(all);
    linker.name_tools(all);
    for m in &mut all.model_calls {
        m.tool = linker.tool_of.get(&(m.name, m.namespace)).copied().unwrap_or_default();
    }
    linker.by_arguments(all);
    linker.by_order(all);
    kept(events, all);
}

struct Linker<'e> {
    events: &'e Events,
    sources: &'e SourceSet,
    taken: FxHashSet<u32>,
    by_id: FxHashMap<Sym, Vec<u32>>,
    /// The server's tool that a model's tool name stands for.
    tool_of: FxHashMap<(Sym, Sym), Sym>,
}

impl Linker<'_> {
    fn explicit(&mut self, all: &mut Calls) {
        for call in &mut all.calls {
            let links = call.exchanges().filter_map(|(_, e)| e.request);
            let id = links.map(|r| self.events.frames[r as usize].call_link).find(|l| !l.is_empty());
            let Some(candidates) = id.and_then(|id| self.by_id.get(&id)) else { continue };
            let free: Vec<u32> = candidates.iter().copied().filter(|m| !self.taken.contains(m)).collect();
            // Ids such as `call_1` come again in the next run: the arguments tell which one is meant.
            let same = free.iter().copied().find(|m| all.model_calls[*m as usize].args_hash == call.args_hash);
            if let Some(model_call) = same.or(free.first().copied()) {
                let how = if candidates.len() == 1 || same.is_some() { LinkHow::CallId } else { LinkHow::Order };
                call.link = Some(Link { model_call, how });
                call.rivals = free.len() as u32;
                self.taken.insert(model_call);
            }
        }
    }

    /// Clients rewrite tool names: `mcp__server__tool`, `server_tool`, `-` and `.` as `_`. A model's name
    /// stands for the longest tool name that it ends with.
    fn name_tools(&mut self, all: &Calls) {
        let tools: FxHashSet<Sym> =
            all.calls.iter().filter(|c| c.method == Method::ToolsCall).map(|c| c.name).collect();
        let mut tools: Vec<(Sym, String)> = tools.into_iter().map(|t| (t, normal(t.as_str()))).collect();
        tools.sort_by(|a, b| b.1.len().cmp(&a.1.len()).then_with(|| a.0.as_str().cmp(b.0.as_str())));
        for m in &all.model_calls {
            self.tool_of.entry((m.name, m.namespace)).or_insert_with(|| {
                let name = normal(m.name.as_str());
                let exact = tools.iter().find(|(_, t)| *t == name);
                let suffix = || tools.iter().find(|(_, t)| names_match(&name, t));
                exact.or_else(suffix).map(|(tool, _)| *tool).unwrap_or_default()
            });
        }
    }

    fn free_model_calls(&self, all: &Calls) -> impl Iterator<Item = (u32, Sym, u64)> {
        let free = |(i, m): (usize, &ModelCall)| {
            let tool = self.tool_of.get(&(m.name, m.namespace)).copied().filter(|t| !t.is_empty())?;
            (!self.taken.contains(&(i as u32))).then_some((i as u32, tool, m.args_hash))
        };
        all.model_calls.iter().enumerate().filter_map(free).collect::<Vec<_>>().into_iter()
    }

    /// Calls that could be the model's: asked with `tools/call`, not yet tied.
    fn free_calls(all: &Calls) -> impl Iterator<Item = u32> {
        all.calls
            .iter()
            .enumerate()
            .filter(|(_, c)| c.method == Method::ToolsCall && c.link.is_none() && !c.name.is_empty())
            .map(|(i, _)| i as u32)
    }

    fn by_arguments(&mut self, all: &mut Calls) {
        let mut groups: FxHashMap<(Sym, u64), (Vec<u32>, Vec<u32>)> = FxHashMap::default();
        for call in Self::free_calls(all) {
            let c = &all.calls[call as usize];
            groups.entry((c.name, c.args_hash)).or_default().0.push(call);
        }
        for (m, tool, args_hash) in self.free_model_calls(all) {
            groups.entry((tool, args_hash)).or_default().1.push(m);
        }
        for (calls, model_calls) in groups.into_values() {
            self.pair_group(all, calls, model_calls, None);
        }
    }

    /// What is left: arguments differ, since clients fill in defaults or drop empty ones. Only where a tool has
    /// as many calls left on both sides, and only in order.
    fn by_order(&mut self, all: &mut Calls) {
        let mut groups: FxHashMap<Sym, (Vec<u32>, Vec<u32>)> = FxHashMap::default();
        for call in Self::free_calls(all) {
            groups.entry(all.calls[call as usize].name).or_default().0.push(call);
        }
        for (m, tool, _) in self.free_model_calls(all) {
            groups.entry(tool).or_default().1.push(m);
        }
        for (calls, model_calls) in groups.into_values() {
            if calls.len() == model_calls.len() {
                self.pair_group(all, calls, model_calls, Some(LinkHow::NameAndOrder));
            }
        }
    }

    fn pair_group(&mut self, all: &mut Calls, mut calls: Vec<u32>, mut model: Vec<u32>, how: Option<LinkHow>) {
        if calls.is_empty() || model.is_empty() {
            return;
        }
        let rivals = model.len() as u32;
        let mut tie = |all: &mut Calls, call: u32, model_call: u32, how: LinkHow| {
            let c = &mut all.calls[call as usize];
            (c.link, c.rivals) = (Some(Link { model_call, how }), rivals);
            self.taken.insert(model_call);
        };
        if calls.len() == 1 && model.len() == 1 {
            tie(all, calls[0], model[0], how.unwrap_or(LinkHow::NameAndArguments));
            return;
        }
        // A call without a final answer gets a model call only when one is left over.
        calls.sort_by_key(|c| !has_answer(self.events, &all.calls[*c as usize]));
        let differ = differ(self.events, all, &calls);
        // Equal answers to equal calls: whichever belongs to which, the verdict is the same.
        let in_order =
            if differ || calls.len() != model.len() { LinkHow::Order } else { LinkHow::NameAndArguments };
        if differ {
            let mut content: FxHashMap<u32, Cow<'_, [u8]>> = FxHashMap::default();
            calls.retain(|call| {
                let keys = content_keys(self.events, self.sources, &all.calls[*call as usize]);
                if keys.is_empty() {
                    return true;
                }
                let hit = model.iter().take(MAX_CONTENT_CANDIDATES).position(|m| {
                    let output = content
                        .entry(*m)
                        .or_insert_with(|| output_bytes(self.events, self.sources, &all.model_calls[*m as usize]));
                    keys.iter().any(|k| memchr::memmem::find(output, k).is_some())
                });
                match hit {
                    Some(at) => {
                        tie(all, *call, model.remove(at), how.unwrap_or(LinkHow::Content));
                        false
                    }
                    None => true,
                }
            });
        }
        for (call, m) in calls.into_iter().zip(model) {
            tie(all, call, m, how.unwrap_or(in_order));
        }
    }
}

/// How many equal calls are compared by content; beyond that, order decides.
const MAX_CONTENT_CANDIDATES: usize = 64;

fn has_answer(events: &Events, call: &Call) -> bool {
    call.response().is_some_and(|(_, r)| !events.frames[r as usize].is(FrameFlags::IS_INTERIM))
}

/// Do the answers of these calls differ at all?
fn differ(events: &Events, all: &Calls, calls: &[u32]) -> bool {
    let hashes = |c: &u32| -> Vec<u64> {
        let response = all.calls[*c as usize].response();
        let range = response.map_or(0..0, |(_, r)| events.frames[r as usize].blocks());
        events.blocks[range].iter().map(|b| b.fingerprint.hash).collect()
    };
    calls.windows(2).any(|w| hashes(&w[0]) != hashes(&w[1]))
}

/// Shortest run of plain characters that tells one content from another.
const MIN_KEY_BYTES: usize = 8;
/// Enough of a payload to know it by.
const MAX_KEY_BYTES: usize = 256;

/// For each block of a call a run of its payload that looks the same however often it was escaped.
fn content_keys<'s>(events: &Events, sources: &'s SourceSet, call: &Call) -> Vec<Vec<u8>> {
    let Some((_, r)) = call.response() else { return Vec::new() };
    let frame = &events.frames[r as usize];
    let text: Cow<'s, [u8]> = events.frame_text(frame, sources);
    let plain =
        |b: &u8| (0x20..0x7f).contains(b) && !matches!(b, b'"' | b'\\' | b'/' | b'<' | b'>' | b'&' | b'\'');
    events.blocks[frame.blocks()]
        .iter()
        .filter_map(|b| {
            let payload = b.payload.of(&text);
            let head = &payload[..payload.len().min(16 * MAX_KEY_BYTES)];
            let run = head.split(|b| !plain(b)).max_by_key(|run| run.len())?;
            (run.len() >= MIN_KEY_BYTES).then(|| run[..run.len().min(MAX_KEY_BYTES)].to_vec())
        })
        .collect()
}

fn output_bytes<'s>(events: &Events, sources: &'s SourceSet, m: &ModelCall) -> Cow<'s, [u8]> {
    let Some(seen) = m.output else { return Cow::Borrowed(&[]) };
    let item = &events.items[seen.item as usize];
    match events.turn_text(&events.turns[item.turn as usize], sources) {
        Cow::Borrowed(text) => Cow::Borrowed(item.at.of(text)),
        Cow::Owned(text) => Cow::Owned(item.at.of(&text).to_vec()),
    }
}

/// Lower case, everything but letters and digits as `_`.
fn normal(name: &str) -> String {
    name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' }).collect()
}

/// Does a model's (normalised) name stand for this (normalised) tool?
fn names_match(model: &str, tool: &str) -> bool {
    if tool.is_empty() {
        return false;
    }
    model == tool || model.strip_suffix(tool).is_some_and(|prefix| prefix.ends_with('_') && prefix.len() > 1)
}

/// Gives each call the client's own record of its result, and makes calls of records that no frame log knows.
fn kept(events: &Events, all: &mut Calls) {
    let mut records: FxHashMap<Sym, Vec<u32>> = FxHashMap::default();
    for (i, f) in events.frames.iter().enumerate().filter(|(_, f)| f.is(FrameFlags::IS_KEPT)) {
        records.entry(f.call_link).or_default().push(i as u32);
    }
    if records.is_empty() {
        return;
    }
    for call in &mut all.calls {
        let sent = call.request().map(|r| events.frames[r as usize].call_link).filter(|l| !l.is_empty());
        let asked = call.link.map(|l| all.model_calls[l.model_call as usize].call_id);
        let Some(id) = sent.or(asked).filter(|id| !id.is_empty()) else { continue };
        let Some(candidates) = records.get_mut(&id) else { continue };
        let same = candidates.iter().position(|f| events.frames[*f as usize].args_hash == call.args_hash);
        if !candidates.is_empty() {
            call.kept = Some(candidates.remove(same.unwrap_or(0)));
        }
    }
    let tied: FxHashSet<u32> = all.calls.iter().filter_map(|c| c.link).map(|l| l.model_call).collect();
    let mut by_id: FxHashMap<Sym, Vec<u32>> = FxHashMap::default();
    for (i, m) in all.model_calls.iter().enumerate().filter(|(i, _)| !tied.contains(&(*i as u32))) {
        by_id.entry(m.call_id).or_default().push(i as u32);
    }
    let mut left: Vec<u32> = records.into_values().flatten().collect();
    left.sort_unstable();
    for frame in left {
        let f = &events.frames[frame as usize];
        let candidates = by_id.get_mut(&f.call_link).filter(|c| !c.is_empty());
        let link = candidates.map(|c| Link { model_call: c.remove(0), how: LinkHow::CallId });
        all.calls.push(Call {
            method: Method::ToolsCall,
            name: f.name,
            args_hash: f.args_hash,
            kept: Some(frame),
            link,
            rivals: u32::from(link.is_some()),
            ..Call::default()
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rewritten_names_are_known_and_others_are_not() {
        for model in
            ["mcp__git_hub__get-file", "git-hub_get_file", "get_file", "GitHub.get_file", "mcp.x.get_file"]
        {
            assert!(names_match(&normal(model), &normal("get-file")), "{model}");
        }
        for model in ["forget_file", "get_file_contents", "file", "_get_file"] {
            assert!(!names_match(&normal(model), &normal("get_file")), "{model}");
        }
    }
}
