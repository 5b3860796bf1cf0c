//! Model conversations: which calls the model made and where it was first shown what they returned.
//!
//! Every request repeats the conversation so far. A call is therefore known by (conversation, call id, how
//! often that id came before in the history) and its output is taken from the first request that shows it.
//! What a later request of the same conversation no longer shows, though it shows calls that followed it, was
//! evicted.

use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::xxh3_64;

use crate::bytes::SourceSet;
use crate::dialect::raw::ItemKind;
use crate::event::piece::pieces;
use crate::event::{Events, Item, Sym};

/// Where an item of a conversation was seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sighting {
    /// Index into [`Events::turns`]: the request in which it was shown.
    pub turn: u32,
    /// Index into [`Events::items`].
    pub item: u32,
}

/// A tool call as the model logs hold it.
#[derive(Clone, Copy, Debug, Default)]
pub struct ModelCall {
    /// The model's call id; empty where the API has none.
    pub call_id: Sym,
    /// Tool as the model knows it.
    pub name: Sym,
    /// Name space beside the name.
    pub namespace: Sym,
    /// The server's tool that the name stands for, where a log of frames knows it.
    pub tool: Sym,
    /// Hash of the arguments.
    pub args_hash: u64,
    /// Number of the conversation.
    pub conversation: u32,
    /// The item with which the model asked.
    pub call: Option<Sighting>,
    /// First request that showed the output.
    pub output: Option<Sighting>,
    /// Output in the client's own record.
    pub kept: Option<Sighting>,
    /// A later request that shows another output in its place.
    pub replaced: Option<Sighting>,
    /// A later request of the same conversation that no longer has it.
    pub evicted_in: Option<u32>,
    /// How often one history shows its output again.
    pub duplicates: u32,
}

/// Call ids at least this long are unique by chance alone; shorter ones (`call_1`) may repeat.
const UNIQUE_ID_BYTES: usize = 16;

#[derive(Default)]
struct Conversations {
    calls: Vec<ModelCall>,
    /// The call that stood before this one when it was first seen.
    previous: Vec<Option<u32>>,
    by_key: FxHashMap<(u32, Sym, u32), u32>,
    by_unique_id: FxHashMap<Sym, u32>,
    by_opening: FxHashMap<(Sym, u64), u32>,
    of_turn: FxHashMap<u32, (u32, u32)>,
    same_content: FxHashMap<(u64, u64), bool>,
    count: u32,
}

/// Finds all calls of all conversations.
pub fn model_calls(events: &Events, sources: &SourceSet) -> Vec<ModelCall> {
    let mut c = Conversations::default();
    let mut order: Vec<u32> =
        (0..events.turns.len() as u32).filter(|t| !events.turns[*t as usize].is_transcript).collect();
    // Rotated files come in any order; without times the order of the lines counts.
    order.sort_by_key(|t| events.turns[*t as usize].time_us.unwrap_or(i64::MIN));
    for turn in order {
        c.request(events, sources, turn);
    }
    transcripts(events, &mut c);
    c.calls
}

/// The text of an item, escapes undone, whatever API wrote it.
fn content_hash(events: &Events, sources: &SourceSet, item: &Item) -> u64 {
    let turn = &events.turns[item.turn as usize];
    let text = events.turn_text(turn, sources);
    let mut all = Vec::new();
    for piece in pieces(&text, item.at) {
        all.extend_from_slice(&piece.text);
        all.push(0);
    }
    xxh3_64(&all)
}

impl Conversations {
    fn request(&mut self, events: &Events, sources: &SourceSet, turn: u32) {
        let items = events.request_items(turn);
        let conversation = self.conversation(events, sources, turn, &items);
        let opening = items.iter().position(|i| events.items[*i as usize].kind == ItemKind::User);
        self.of_turn.insert(turn, (conversation, opening.map_or(u32::MAX, |n| n as u32)));
        let answer = events.turns[turn as usize].answer_items();
        let mut seen_calls: FxHashMap<Sym, u32> = FxHashMap::default();
        let mut seen_outputs: FxHashMap<Sym, u32> = FxHashMap::default();
        let mut present: Vec<u32> = Vec::new();
        let mut is_compacted = false;
        let all = items.iter().copied().map(|i| (i, false)).chain(answer.map(|i| (i as u32, true)));
        for (index, in_answer) in all {
            let item = &events.items[index as usize];
            let sighting = Sighting { turn, item: index };
            is_compacted |= item.kind == ItemKind::Compaction && !in_answer;
            match item.kind {
                ItemKind::ToolCall => {
                    let nth = next(&mut seen_calls, id_of(item));
                    let call = self.entry(conversation, item, nth, present.last().copied());
                    let c = &mut self.calls[call as usize];
                    if c.call.is_none() || c.name.is_empty() {
                        (c.name, c.namespace, c.args_hash) = (item.name, item.namespace, item.args_hash);
                    }
                    c.call.get_or_insert(sighting);
                    if !in_answer {
                        present.push(call);
                    }
                }
                ItemKind::ToolOutput if !in_answer => {
                    let nth = next(&mut seen_outputs, id_of(item));
                    let asked = seen_calls.get(&id_of(item)).copied().unwrap_or(0);
                    if asked > 0 && nth >= asked {
                        let key = (conversation, id_of(item), asked - 1);
                        if let Some(call) = self.by_key.get(&key) {
                            self.calls[*call as usize].duplicates += 1;
                        }
                        continue;
                    }
                    let call = self.entry(conversation, item, nth, present.last().copied());
                    if asked == 0 {
                        present.push(call);
                    }
                    self.output(events, sources, call, sighting);
                }
                _ => {}
            }
        }
        self.evict(conversation, turn, &present, is_compacted);
    }

    /// Which conversation a request belongs to: that of the request it continues, of a call id it shows, or of
    /// the one that opened with the same words.
    fn conversation(&mut self, events: &Events, sources: &SourceSet, turn: u32, items: &[u32]) -> u32 {
        let t = &events.turns[turn as usize];
        if let Some((parent, n)) = t.shared
            && let Some((conversation, opening)) = self.of_turn.get(&parent)
            && n > *opening
        {
            return *conversation;
        }
        let known = items.iter().map(|i| &events.items[*i as usize]).find_map(|i| {
            let is_call = matches!(i.kind, ItemKind::ToolCall | ItemKind::ToolOutput);
            (is_call && i.call_id.as_str().len() >= UNIQUE_ID_BYTES)
                .then(|| self.by_unique_id.get(&i.call_id).copied())
                .flatten()
        });
        if let Some(call) = known {
            return self.calls[call as usize].conversation;
        }
        let first = items.iter().map(|i| &events.items[*i as usize]).find(|i| i.kind == ItemKind::User);
        let Some(first) = first else {
            self.count += 1;
            return self.count;
        };
        let key = (t.session, content_hash(events, sources, first));
        let count = &mut self.count;
        *self.by_opening.entry(key).or_insert_with(|| {
            *count += 1;
            *count
        })
    }

    fn entry(&mut self, conversation: u32, item: &Item, nth: u32, previous: Option<u32>) -> u32 {
        let key = (conversation, id_of(item), nth);
        if let Some(call) = self.by_key.get(&key) {
            return *call;
        }
        let call = self.calls.len() as u32;
        self.calls.push(ModelCall {
            call_id: item.call_id,
            name: item.name,
            namespace: item.namespace,
            args_hash: item.args_hash,
            conversation,
            ..ModelCall::default()
        });
        self.previous.push(previous);
        self.by_key.insert(key, call);
        if item.call_id.as_str().len() >= UNIQUE_ID_BYTES {
            self.by_unique_id.entry(item.call_id).or_insert(call);
        }
        call
    }

    fn output(&mut self, events: &Events, sources: &SourceSet, call: u32, sighting: Sighting) {
        let c = &mut self.calls[call as usize];
        let Some(first) = c.output else {
            c.output = Some(sighting);
            return;
        };
        let last = c.replaced.unwrap_or(first);
        if last.item == sighting.item {
            return;
        }
        let (a, b) = (&events.items[first.item as usize], &events.items[sighting.item as usize]);
        if a.hash == b.hash {
            return;
        }
        // Cache marks and the like change the bytes of an item, not what it says.
        let same = *self
            .same_content
            .entry((a.hash, b.hash))
            .or_insert_with(|| content_hash(events, sources, a) == content_hash(events, sources, b));
        if !same {
            c.replaced = Some(sighting);
        }
    }

    /// Walks back from each call that is present over those that stood before it: what is missing there was
    /// taken out of the history.
    fn evict(&mut self, conversation: u32, turn: u32, present: &[u32], is_compacted: bool) {
        let here: FxHashSet<u32> = present.iter().copied().collect();
        let mut gone = Vec::new();
        for (at, call) in present.iter().enumerate() {
            let mut back = self.previous[*call as usize];
            // An unbroken history costs one comparison a call.
            if at > 0 && back == Some(present[at - 1]) {
                continue;
            }
            while let Some(b) = back.filter(|b| !here.contains(b)) {
                if gone.contains(&b) || gone.len() > 10_000 {
                    break;
                }
                gone.push(b);
                back = self.previous[b as usize];
            }
        }
        if is_compacted {
            let earlier = |(_, c): &(usize, &ModelCall)| c.conversation == conversation && c.output.is_some();
            gone.extend(
                self.calls.iter().enumerate().filter(earlier).map(|(i, _)| i as u32).filter(|i| !here.contains(i)),
            );
        }
        for call in gone {
            let c = &mut self.calls[call as usize];
            if c.output.is_some_and(|o| o.turn != turn) {
                c.evicted_in.get_or_insert(turn);
            }
        }
    }
}

/// APIs without call ids (Gemini) know calls by name and order.
fn id_of(item: &Item) -> Sym {
    if item.call_id.is_empty() { item.name } else { item.call_id }
}

fn next(seen: &mut FxHashMap<Sym, u32>, id: Sym) -> u32 {
    let n = seen.entry(id).or_default();
    *n += 1;
    *n - 1
}

/// The client's own records: what they show of a call that a gateway saw too becomes its `kept`; other calls
/// are known from the record alone.
fn transcripts(events: &Events, c: &mut Conversations) {
    let mut by_id: FxHashMap<Sym, Vec<u32>> = FxHashMap::default();
    for (i, call) in c.calls.iter().enumerate() {
        by_id.entry(call.call_id).or_default().push(i as u32);
    }
    let mut conversation_of: FxHashMap<(u32, Sym), u32> = FxHashMap::default();
    let mut mine: FxHashMap<(u32, Sym, u32), u32> = FxHashMap::default();
    let mut nth_of: FxHashMap<(u32, Sym, bool), u32> = FxHashMap::default();
    for (turn, t) in events.turns.iter().enumerate().filter(|(_, t)| t.is_transcript) {
        let count = &mut c.count;
        let conversation = *conversation_of.entry((t.span.file, t.session)).or_insert_with(|| {
            *count += 1;
            *count
        });
        for index in t.own_items().chain(t.answer_items()) {
            let item = &events.items[index];
            let is_call = item.kind == ItemKind::ToolCall;
            if !is_call && item.kind != ItemKind::ToolOutput {
                continue;
            }
            let n = nth_of.entry((conversation, id_of(item), is_call)).or_default();
            let nth = *n;
            *n += 1;
            let sighting = Sighting { turn: turn as u32, item: index as u32 };
            let call = *mine.entry((conversation, id_of(item), nth)).or_insert_with(|| {
                let twins = by_id.get_mut(&item.call_id).filter(|_| !item.call_id.is_empty());
                let twin = twins.and_then(|t| (!t.is_empty()).then(|| t.remove(0)));
                twin.unwrap_or_else(|| {
                    c.calls.push(ModelCall {
                        call_id: item.call_id,
                        name: item.name,
                        namespace: item.namespace,
                        args_hash: item.args_hash,
                        conversation,
                        ..ModelCall::default()
                    });
                    c.calls.len() as u32 - 1
                })
            });
            let entry = &mut c.calls[call as usize];
            if is_call {
                entry.call.get_or_insert(sighting);
            } else {
                entry.kept.get_or_insert(sighting);
                entry.output.get_or_insert(sighting);
            }
        }
    }
}
