//! One call seen by several logs is one call: the server's log, a recorder's, the client's.
//!
//! Calls meet by (id, name, arguments), in order; where that leaves a choice, by time. Clocks of two machines
//! differ, so the offset is estimated first, from calls that can only be each other's.

use rustc_hash::FxHashMap;

use super::{Call, ClockOffset, Exchange};
use crate::dialect::raw::{Method, Side};
use crate::event::{Events, Id, Sym};

/// Two views of one call lie no further apart than this once the clock offset is taken out: a log may be
/// written late, yet two equal calls of one agent are rarely closer than a model's answer takes.
const SAME_CALL_US: i64 = 5_000_000;

/// Merges the views of server, wire and client logs.
pub fn merge(events: &Events, exchanges: Vec<Exchange>) -> (Vec<Call>, Vec<ClockOffset>) {
    let side_of = |e: &Exchange| frame_of(e).and_then(|f| events.frames[f as usize].side).unwrap_or(Side::Wire);
    let mut by_side: FxHashMap<Side, Vec<Exchange>> = FxHashMap::default();
    for e in exchanges {
        // The model's side has no frames of its own; a log that was called that still saw the wire.
        let side = if side_of(&e) == Side::Model { Side::Wire } else { side_of(&e) };
        by_side.entry(side).or_default().push(e);
    }
    let mut calls: Vec<Call> = Vec::new();
    let mut offsets = Vec::new();
    for side in [Side::Server, Side::Wire, Side::Client] {
        let mine = drop_twins(events, by_side.remove(&side).unwrap_or_default());
        let matched = align(events, &calls, &mine, &mut offsets);
        for (exchange, at) in mine.into_iter().zip(matched) {
            let call = match at {
                Some(at) => &mut calls[at],
                None => {
                    calls.push(new_call(events, &exchange));
                    let last = calls.len() - 1;
                    &mut calls[last]
                }
            };
            match side {
                Side::Server => call.server = Some(exchange),
                Side::Client => call.client = Some(exchange),
                _ => call.wire = Some(exchange),
            }
        }
    }
    calls.sort_by_key(|c| c.exchanges().filter_map(|(_, e)| frame_of(e)).min());
    (calls, offsets)
}

fn frame_of(e: &Exchange) -> Option<u32> {
    e.request.or(e.response)
}

fn new_call(events: &Events, e: &Exchange) -> Call {
    let Some(request) = e.request.map(|r| &events.frames[r as usize]) else {
        return Call { method: Method::ToolsCall, ..Call::default() };
    };
    Call { method: request.method, name: request.name, args_hash: request.args_hash, ..Call::default() }
}

/// The fingerprints of a response's blocks in one number; 0 without a response.
fn content_hash(events: &Events, e: &Exchange) -> u64 {
    let Some(r) = e.response else { return 0 };
    events.blocks[events.frames[r as usize].blocks()]
        .iter()
        .fold(1, |h: u64, b| (h.rotate_left(7) ^ b.fingerprint.hash).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

/// Drops what a second logger of the same side wrote about a call that the first has, too: another file, the
/// same id, call and content, at the same time.
fn drop_twins(events: &Events, exchanges: Vec<Exchange>) -> Vec<Exchange> {
    type Key = (Id, Sym, u64, u64);
    let mut seen: FxHashMap<Key, Vec<(u32, Option<i64>)>> = FxHashMap::default();
    let mut out = Vec::with_capacity(exchanges.len());
    for e in exchanges {
        let Some(f) = e.request.map(|r| &events.frames[r as usize]) else {
            out.push(e);
            continue;
        };
        let known = seen.entry((f.id, f.name, f.args_hash, content_hash(events, &e))).or_default();
        let twin = known.iter().any(|(file, time)| {
            let near = match (time, f.time_us) {
                (Some(a), Some(b)) => (a - b).abs() <= SAME_CALL_US,
                _ => true,
            };
            *file != f.span.file && near && e.response.is_some()
        });
        if !twin {
            known.push((f.span.file, f.time_us));
            out.push(e);
        }
    }
    out
}

/// For each exchange the call that it is another view of.
fn align(
    events: &Events,
    calls: &[Call],
    mine: &[Exchange],
    offsets: &mut Vec<ClockOffset>,
) -> Vec<Option<usize>> {
    let mut matched: Vec<Option<usize>> = vec![None; mine.len()];
    if calls.is_empty() || mine.is_empty() {
        return matched;
    }
    let mut taken = vec![false; calls.len()];
    let offset = estimate_offset(events, calls, mine, offsets);
    for with_id in [true, false] {
        let key = |r: &crate::event::Frame| (if with_id { r.id } else { Id::None }, r.name, r.args_hash);
        let mut theirs: FxHashMap<_, Vec<usize>> = FxHashMap::default();
        for (i, call) in calls.iter().enumerate() {
            if let Some(r) = call.request().filter(|_| !taken[i]) {
                theirs.entry(key(&events.frames[r as usize])).or_default().push(i);
            }
        }
        for (i, e) in mine.iter().enumerate() {
            let Some(r) = e.request.map(|r| &events.frames[r as usize]).filter(|_| matched[i].is_none()) else {
                continue;
            };
            let Some(candidates) = theirs.get_mut(&key(r)) else { continue };
            let distance = |c: usize| -> Option<i64> {
                let other = &events.frames[calls[c].request()? as usize];
                Some((r.time_us? - other.time_us? - offset.unwrap_or(0)).abs())
            };
            let best = match offset {
                // Both have times: the nearest, if near at all.
                Some(_) => candidates
                    .iter()
                    .enumerate()
                    .filter_map(|(at, c)| distance(*c).map(|d| (d, at)))
                    .min()
                    .filter(|(d, _)| *d <= SAME_CALL_US)
                    .map(|(_, at)| at),
                // In order; without ids and times that would be a guess.
                None => (with_id && !candidates.is_empty()).then_some(0),
            };
            if let Some(at) = best {
                let call = candidates.remove(at);
                taken[call] = true;
                matched[i] = Some(call);
            }
        }
    }
    matched
}

/// The median of the time differences of calls whose key is unique on both sides.
fn estimate_offset(
    events: &Events,
    calls: &[Call],
    mine: &[Exchange],
    offsets: &mut Vec<ClockOffset>,
) -> Option<i64> {
    type Seen = Option<u32>;
    type Requests = (Vec<u32>, Vec<u32>);
    let mut unique: FxHashMap<(Id, Sym, u64), Requests> = FxHashMap::default();
    let key = |r: u32| {
        let f = &events.frames[r as usize];
        (f.id, f.name, f.args_hash)
    };
    calls.iter().filter_map(|c| -> Seen { c.request() }).for_each(|r| unique.entry(key(r)).or_default().0.push(r));
    mine.iter().filter_map(|e| e.request).for_each(|r| unique.entry(key(r)).or_default().1.push(r));
    let mut differences: Vec<(i64, u32, u32)> = Vec::new();
    for (theirs, ours) in unique.values() {
        // Where a key repeats equally often on both sides, order tells the pairs.
        if theirs.len() != ours.len() {
            continue;
        }
        for (t, o) in theirs.iter().zip(ours) {
            let (t, o) = (&events.frames[*t as usize], &events.frames[*o as usize]);
            if let (Some(a), Some(b)) = (t.time_us, o.time_us) {
                differences.push((b - a, t.span.file, o.span.file));
            }
        }
    }
    differences.sort_unstable();
    let (median, server_file, client_file) = *differences.get(differences.len() / 2)?;
    offsets.push(ClockOffset { server_file, client_file, offset_us: median, pairs: differences.len() as u32 });
    Some(median)
}
