//! What a model request shows of a call: the scene of its output, and the answer that followed.

use crate::bytes::{SourceSet, Span};
use crate::dialect::raw::ItemKind;
use crate::event::piece::pieces;
use crate::event::{Events, Item};
use crate::join::Sighting;

use super::scene::Scene;

/// Messages behind an output in which a client may have put its media.
const MAX_NEIGHBOURS: usize = 64;

/// The items that stand behind an output before the model speaks again.
pub fn neighbours(events: &Events, output: Sighting) -> Vec<u32> {
    let item = &events.items[output.item as usize];
    let turn = &events.turns[item.turn as usize];
    let mut out = Vec::new();
    let mut visit = |index: usize| -> bool {
        match events.items[index].kind {
            ItemKind::User => out.push(index as u32),
            ItemKind::Assistant | ItemKind::ToolCall | ItemKind::Compaction => return false,
            _ => {}
        }
        out.len() < MAX_NEIGHBOURS
    };
    let mut go = (output.item as usize + 1..turn.own_items().end).all(&mut visit);
    if turn.is_transcript {
        // Each record of a transcript holds an item or two: the messages behind are records of their own.
        let mut at = item.turn as usize + 1;
        while let Some(next) =
            events.turns.get(at).filter(|t| go && t.is_transcript && t.span.file == turn.span.file)
        {
            if next.session == turn.session {
                go = next.own_items().all(&mut visit);
            }
            at += 1;
            go &= at - (item.turn as usize) < 4 * MAX_NEIGHBOURS;
        }
    }
    out
}

/// Where an item stands.
pub fn span_of(events: &Events, item: &Item) -> Span {
    let turn = &events.turns[item.turn as usize];
    Events::span_in(turn.span, turn.codec, item.at)
}

/// Builds the scene of an output and of the messages behind it.
pub fn scene(events: &Events, sources: &SourceSet, output: Sighting, neighbours: &[u32]) -> Scene {
    let mut scene = Scene::new(span_of(events, &events.items[output.item as usize]));
    let all = std::iter::once((output.item, false)).chain(neighbours.iter().map(|n| (*n, true)));
    for (index, is_moved) in all {
        let item = &events.items[index as usize];
        let turn = &events.turns[item.turn as usize];
        let text = events.turn_text(turn, sources);
        for piece in pieces(&text, item.at) {
            let span = Events::span_in(turn.span, turn.codec, piece.at);
            scene.push(piece, span, is_moved);
        }
    }
    scene
}

/// What the model said next after it was shown the output: the words, and where they stand. When it asked for
/// further tools first, its words come with a later request that continues this one.
pub fn answer(events: &Events, sources: &SourceSet, output: Sighting) -> Option<(Vec<u8>, Span)> {
    let turn = &events.turns[output.turn as usize];
    if turn.is_transcript {
        let following = events.turns.iter().skip(output.turn as usize + 1).take(4 * MAX_NEIGHBOURS);
        let items = following
            .filter(|t| t.is_transcript && t.span.file == turn.span.file && t.session == turn.session)
            .flat_map(|t| t.own_items())
            .take_while(|i| events.items[*i].kind != ItemKind::ToolOutput);
        return words(events, sources, items);
    }
    let mut at = output.turn;
    for _ in 0..MAX_NEIGHBOURS {
        if let Some(found) = words(events, sources, events.turns[at as usize].answer_items()) {
            return Some(found);
        }
        let next = events.turns.iter().enumerate().skip(at as usize + 1).take(MAX_NEIGHBOURS);
        at = next.into_iter().find(|(_, t)| t.shared.is_some_and(|(parent, _)| parent == at))?.0 as u32;
    }
    None
}

/// The words of the assistant among these items.
fn words(events: &Events, sources: &SourceSet, items: impl Iterator<Item = usize>) -> Option<(Vec<u8>, Span)> {
    let mut words = Vec::new();
    let mut at = Span::default();
    for item in items.map(|i| &events.items[i]).filter(|i| i.kind == ItemKind::Assistant) {
        let text = events.turn_text(&events.turns[item.turn as usize], sources);
        for piece in pieces(&text, item.at) {
            words.extend_from_slice(&piece.text);
            words.push(b'\n');
        }
        if at.is_none() {
            at = span_of(events, item);
        }
    }
    (!words.trim_ascii().is_empty()).then_some((words, at))
}
