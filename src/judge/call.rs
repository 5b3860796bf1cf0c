//! From joined calls to verdicts: gathers the evidence on each call and asks the rules about each block.

use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::bytes::{SourceSet, Span};
use crate::dialect::raw::{Method, Payloads, Side};
use crate::event::marker::Where;
use crate::event::piece::PieceKind;
use crate::event::{Block, BlockType, Catalogue, Events, Says};
use crate::join::{Call, Calls, LinkHow, Sighting};

use super::case::{Case, Evidence, ModelSide, gather, payload};
use super::marks::Mark;
use super::scene::Scene;
use super::state::{self, Context};
use super::verdict::{JudgedBlock, JudgedCall, Judgement};
use super::{fate, text, view};

/// Judges every block of every call.
pub fn judge(events: &Events, calls: &Calls, sources: &SourceSet, markers: &Catalogue) -> Judgement {
    let judge = Judge { events, calls, sources, markers, context: Context::new(events, calls) };
    let mut verdicts: Vec<(u32, JudgedCall, Vec<JudgedBlock>)> =
        judge.groups().into_par_iter().flat_map_iter(|group| judge.group(&group)).collect();
    verdicts.sort_by_key(|v| v.0);
    let mut out = Judgement::default();
    for (_, mut call, blocks) in verdicts {
        let index = out.calls.len() as u32;
        call.first_block = out.blocks.len() as u32;
        call.block_count = blocks.len() as u32;
        out.blocks.extend(blocks.into_iter().map(|b| JudgedBlock { call: index, ..b }));
        out.calls.push(call);
    }
    judge.model_only(&mut out);
    out
}

pub(super) struct Judge<'e> {
    pub(super) events: &'e Events,
    pub(super) calls: &'e Calls,
    pub(super) sources: &'e SourceSet,
    pub(super) markers: &'e Catalogue,
    pub(super) context: Context,
}

/// What of the messages behind an output was accounted for by an earlier call of the same group.
#[derive(Default)]
struct Shared {
    used_texts: Vec<Vec<std::ops::Range<usize>>>,
    used_media: Vec<bool>,
}

impl Judge<'_> {
    /// Calls whose outputs are followed by the same messages are judged together, in order: what stands there
    /// belongs to one of them.
    fn groups(&self) -> Vec<Vec<u32>> {
        let mut by_neighbour: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
        let mut out = Vec::new();
        for (i, call) in self.calls.calls.iter().enumerate() {
            let output = self.output(call);
            match output.and_then(|o| view::neighbours(self.events, o).first().copied()) {
                Some(first) => by_neighbour.entry(first).or_default().push(i as u32),
                None => out.push(vec![i as u32]),
            }
        }
        for mut group in by_neighbour.into_values() {
            group.sort_by_key(|c| self.output(&self.calls.calls[*c as usize]).map(|o| o.item));
            out.push(group);
        }
        out
    }

    fn output(&self, call: &Call) -> Option<Sighting> {
        call.link.and_then(|l| self.calls.model_calls[l.model_call as usize].output)
    }

    fn group(&self, group: &[u32]) -> Vec<(u32, JudgedCall, Vec<JudgedBlock>)> {
        let mut shared = Shared::default();
        group
            .iter()
            .map(|index| {
                let (call, blocks) = self.call(*index, &mut shared);
                (*index, call, blocks)
            })
            .collect()
    }

    fn call(&self, index: u32, shared: &mut Shared) -> (JudgedCall, Vec<JudgedBlock>) {
        let call = &self.calls.calls[index as usize];
        let base = call.response().or(call.kept.map(|k| (Side::Client, k)));
        let (ids, blocks) = self.blocks(base.map(|b| b.1));
        let text = base.map(|(_, f)| self.events.frame_text(&self.events.frames[f as usize], self.sources));
        let text = text.as_deref().unwrap_or(&[]);
        let model_side = self.model_side(call);
        let mut case = Case {
            blocks: &blocks,
            evidence: vec![Evidence::default(); blocks.len()],
            refusal: None,
            model_side,
            received: base.and_then(|(side, _)| self.received(call, side, &blocks)),
            payloads: base.map_or(Payloads::Whole, |(_, f)| self.events.frames[f as usize].payloads),
            output: Span::default(),
            size_mark: None,
        };
        if let (Some(output), ModelSide::Shown) = (self.output(call), model_side) {
            self.look(call, output, text, &mut case, shared);
        }
        let verdict = self.describe(index, call, &case);
        let judged = (0..blocks.len()).filter_map(|i| self.block(call, base, &case, i, ids[i], text)).collect();
        (verdict, judged)
    }

    /// The blocks of a frame in the order of the tables: `content` first, `structuredContent` last.
    fn blocks(&self, frame: Option<u32>) -> (Vec<u32>, Vec<Block>) {
        let range = frame.map_or(0..0, |f| self.events.frames[f as usize].blocks());
        let mut ids: Vec<u32> = range.map(|i| i as u32).collect();
        ids.sort_by_key(|i| self.events.blocks[*i as usize].block_type == BlockType::Structured);
        let blocks = ids.iter().map(|i| self.events.blocks[*i as usize]).collect();
        (ids, blocks)
    }

    fn model_side(&self, call: &Call) -> ModelSide {
        if call.method != Method::ToolsCall {
            return ModelSide::Unseen("what clients do with it is not in a model's tool output", "");
        }
        if self.events.turns.is_empty() {
            let hint = "a gateway's log of the model requests, or the client's transcript";
            return ModelSide::Unseen("no log of model requests", hint);
        }
        if call.request().is_none() && call.kept.is_none() {
            return ModelSide::Unseen("the request of this answer is in no log", "the log with the request");
        }
        let Some(link) = call.link else {
            return ModelSide::Unseen("no model request shows this call", "the model log of this conversation");
        };
        match self.calls.model_calls[link.model_call as usize].output {
            Some(_) => ModelSide::Shown,
            None => {
                ModelSide::Unseen("no later model request follows", "the next model request of this conversation")
            }
        }
    }

    /// Gathers the evidence in the request that first showed the output, and in a later one that differs.
    fn look(&self, call: &Call, output: Sighting, text: &[u8], case: &mut Case<'_>, shared: &mut Shared) {
        let neighbours = view::neighbours(self.events, output);
        let mut scene = view::scene(self.events, self.sources, output, &neighbours);
        restore(&mut scene, shared);
        case.output = scene.output;
        let blocks = case.blocks;
        (case.evidence, case.refusal, case.size_mark) = gather(&mut scene, text, blocks, self.markers);
        store(&scene, shared);
        self.api_refusal(&scene, output, case);
        let seen_any = case.evidence.iter().any(|e| e.found.is_some() || e.mark.is_some() || e.part.is_some());
        let how = call.link.map(|l| l.how);
        if !seen_any && case.refusal.is_none() && matches!(how, Some(LinkHow::NameAndOrder | LinkHow::Order)) {
            let hint = "a log in which the client sends the model's call id, or calls that differ";
            case.model_side = ModelSide::Unseen("which of several calls this output belongs to is not sure", hint);
            return;
        }
        let Some(model) = call.link.map(|l| &self.calls.model_calls[l.model_call as usize]) else { return };
        if let Some(later) = model.replaced {
            let neighbours = view::neighbours(self.events, later);
            let mut scene = view::scene(self.events, self.sources, later, &neighbours);
            let (again, _, _) = gather(&mut scene, text, blocks, self.markers);
            for (e, later) in case.evidence.iter_mut().zip(again) {
                let is_moved = e.found.and_then(|f| f.piece).is_some();
                // Media that were moved behind the output are not looked for in later requests.
                if e.found.is_some() && later.found.is_none() && !is_moved {
                    e.gone = Some(scene.output);
                    e.gone_mark = later.mark.map(|m| m.marker);
                }
            }
        }
        if let Some(turn) = model.evicted_in {
            let span = self.events.turns[turn as usize].span;
            case.evidence.iter_mut().for_each(|e| e.gone = e.gone.or(Some(span)));
        }
    }

    /// The request that showed the output was refused by the model's API for a medium in it.
    fn api_refusal(&self, scene: &Scene, output: Sighting, case: &mut Case<'_>) {
        let turn = &self.events.turns[output.turn as usize];
        if turn.status < 400 && turn.error.is_empty() {
            return;
        }
        let record = self.events.turn_text(turn, self.sources);
        let error = turn.error.of(&record);
        let refused = |says| matches!(says, Says::MimeRejected);
        let hit = self
            .markers
            .find(error, Where::Api)
            .into_iter()
            .find(|h| refused(self.markers.markers[h.marker].fate));
        let Some(hit) = hit else { return };
        let span = Events::span_in(turn.span, turn.codec, turn.error);
        let mark = Mark { marker: hit.marker as u32, says: Says::MimeRejected, span, is_bare_json: false };
        let is_medium = |e: &Evidence| e.found.and_then(|f| f.piece);
        let media = case.evidence.iter().filter(|e| is_medium(e).is_some()).count();
        for (b, e) in case.blocks.iter().zip(case.evidence.iter_mut()) {
            let Some(piece) = is_medium(e) else { continue };
            let sent = scene.pieces[piece].mime.as_str();
            let names = |mime: &str| !mime.is_empty() && memchr::memmem::find(error, mime.as_bytes()).is_some();
            let foreign = scene.pieces[piece].kind == PieceKind::Image && !super::media::is_raster_image(sent);
            if media == 1 || foreign || names(b.mime.as_str()) {
                e.api_refusal = Some(mark);
            }
        }
    }

    /// Which blocks the client's log received, where the server's own log is there to compare.
    fn received(&self, call: &Call, base: Side, blocks: &[Block]) -> Option<Vec<bool>> {
        let client =
            call.client.filter(|_| base != Side::Client).or(call.wire.filter(|_| base == Side::Server))?;
        let Some(response) = client.response else {
            return state::not_received(self.events, call, &self.context).then(|| vec![false; blocks.len()]);
        };
        let frame = &self.events.frames[response as usize];
        if frame.payloads != Payloads::Whole {
            let count = frame.extra.as_ref().and_then(|x| x.block_count).unwrap_or(u32::MAX) as usize;
            let all = frame.block_count == 0 && count == u32::MAX as usize;
            return Some((0..blocks.len()).map(|i| all || i < count.max(frame.block_count as usize)).collect());
        }
        let theirs = self.blocks(Some(response)).1;
        let same = |i: usize, b: &Block| {
            theirs.iter().any(|t| t.fingerprint == b.fingerprint && t.block_type == b.block_type)
                || theirs.get(i).is_some_and(|t| t.block_type == b.block_type)
        };
        Some(blocks.iter().enumerate().map(|(i, b)| same(i, b)).collect())
    }

    fn block(
        &self,
        call: &Call,
        base: Option<(Side, u32)>,
        case: &Case<'_>,
        index: usize,
        id: u32,
        text: &[u8],
    ) -> Option<JudgedBlock> {
        let (side, frame) = base?;
        let b = &case.blocks[index];
        let (rule, found, runner_up) = fate::decide(case, index)?;
        let here = self.span_in_frame(frame, b);
        let twin = |other: u32| -> Span {
            let blocks = self.blocks(Some(other)).1;
            let same = blocks.iter().find(|t| t.fingerprint == b.fingerprint && t.block_type == b.block_type);
            let at = same.or(blocks.get(index).filter(|t| t.block_type == b.block_type));
            at.map(|t| self.span_in_frame(other, t)).unwrap_or_default()
        };
        let is_record = call.response().is_none();
        let received = match (side, call.client.or(call.wire).and_then(|e| e.response)) {
            (Side::Server, Some(other)) => twin(other),
            (Side::Server, None) => Span::default(),
            _ if is_record => Span::default(),
            _ => here,
        };
        let model = call.link.map(|l| &self.calls.model_calls[l.model_call as usize]);
        let transcript =
            model.and_then(|m| m.kept).map(|k| view::span_of(self.events, &self.events.items[k.item as usize]));
        let kept = match call.kept {
            Some(k) => twin(k),
            None => transcript.filter(|_| found.delivered_bytes > 0).unwrap_or_default(),
        };
        let link_confidence = call.link.map_or(1.0, |l| l.how.confidence());
        Some(JudgedBlock {
            call: 0,
            index: index as u16,
            block: id,
            block_type: b.block_type,
            type_name: b.type_str(),
            fate: rule.fate,
            how: found.how,
            rule: rule.id,
            runner_up,
            blame: found.blame,
            marker: found.marker,
            reason: found.reason,
            hint: found.hint,
            payload_bytes: b.fingerprint.bytes,
            delivered_bytes: found.delivered_bytes,
            cut_is_broken: rule.id == "truncated" && text::json_hash(&payload(text, b)).is_some(),
            mime_declared: b.mime,
            mime_sniffed: b.mime_sniffed,
            returned: if is_record { Span::default() } else { here },
            received,
            kept,
            delivered: found.at,
            confidence: found.confidence * link_confidence,
        })
    }

    fn span_in_frame(&self, frame: u32, b: &Block) -> Span {
        let f = &self.events.frames[frame as usize];
        Events::span_in(f.span, f.codec, b.at)
    }
}

fn restore(scene: &mut Scene, shared: &Shared) {
    let mut texts = shared.used_texts.iter();
    for i in 0..scene.nodes.len() {
        if scene.pieces[scene.nodes[i].piece].is_moved
            && let Some(used) = texts.next()
        {
            scene.nodes[i].used.clone_from(used);
        }
    }
    for (piece, used) in scene.pieces.iter_mut().filter(|p| p.is_moved).zip(&shared.used_media) {
        piece.is_used = *used;
    }
}

fn store(scene: &Scene, shared: &mut Shared) {
    let is_moved = |n: &&super::scene::Node| n.parent.is_none() && scene.pieces[n.piece].is_moved;
    shared.used_texts = scene.nodes.iter().filter(is_moved).map(|n| n.used.clone()).collect();
    shared.used_media = scene.pieces.iter().filter(|p| p.is_moved).map(|p| p.is_used).collect();
}
