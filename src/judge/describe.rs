//! The verdict on a call as a whole, and calls that only a model log holds.

use crate::bytes::Span;
use crate::dialect::raw::Method;
use crate::event::phrase::Phrases;
use crate::event::{Id, Sym};
use crate::join::Call;

use super::call::Judge;
use super::case::Case;
use super::marks::find_marks;
use super::verdict::{Blame, CallState, JudgedCall, Judgement};
use super::{state, view};

impl Judge<'_> {
    pub(super) fn describe(&self, index: u32, call: &Call, case: &Case<'_>) -> JudgedCall {
        let s = state::of(self.events, call, &self.context, case.model_side);
        let frame = |f: Option<u32>| f.map(|f| &self.events.frames[f as usize]);
        let request = frame(call.request());
        let response = frame(call.response().map(|r| r.1).or(call.kept));
        let sessions: Vec<_> = call.exchanges().map(|(_, e)| &self.calls.sessions[e.session as usize]).collect();
        let known = |get: fn(&crate::join::Session) -> Sym| {
            sessions.iter().map(|s| get(s)).find(|s| !s.is_empty()).unwrap_or_default()
        };
        let model = call.link.map(|l| &self.calls.model_calls[l.model_call as usize]);
        let mut out = self.describe_model(model);
        let from_transcript = (out.client, out.client_version);
        let named = (known(|s| s.client), known(|s| s.client_version));
        (out.client, out.client_version) = if named.0.is_empty() { from_transcript } else { named };
        let pair = call.exchanges().find(|(_, e)| e.request.is_some() && e.response.is_some());
        let times = pair.and_then(|(_, e)| Some((frame(e.request)?.time_us?, frame(e.response)?.time_us?)));
        JudgedCall {
            call: Some(index),
            model_call: call.link.map(|l| l.model_call),
            method: method_name(call.method),
            tool: if call.name.is_empty() { out.tool } else { call.name },
            jsonrpc_id: request.or(response).map_or(Id::None, |f| f.id),
            session: known(|s| s.name),
            session_index: call.session(),
            server: known(|s| s.server),
            server_version: known(|s| s.server_version),
            protocol: known(|s| s.protocol),
            time_us: request.and_then(|f| f.time_us).or(response.and_then(|f| f.time_us)).or(out.time_us),
            duration_us: times.map(|(a, b)| b - a),
            state: s.state,
            blame: s.blame,
            reason: s.reason,
            hint: s.hint,
            link: call.link.map(|l| l.how),
            rivals: call.rivals,
            is_error: response.is_some_and(|f| f.is(crate::event::FrameFlags::IS_ERROR)),
            result_bytes: response.map_or(0, |f| f.span.len),
            request: request.map(|f| f.span).unwrap_or_default(),
            response: response.map(|f| f.span).unwrap_or_default(),
            marker: case.refusal.map(|r| r.mark.marker),
            ..out
        }
    }

    /// What the model's side says about a call.
    fn describe_model(&self, model: Option<&crate::join::ModelCall>) -> JudgedCall {
        let output = model.and_then(|m| m.output);
        let turn = output.or(model.and_then(|m| m.call)).map(|o| &self.events.turns[o.turn as usize]);
        let answer = output.and_then(|o| view::answer(self.events, self.sources, o));
        let item = output.map(|o| &self.events.items[o.item as usize]);
        JudgedCall {
            call: None,
            model_call: None,
            method: "tools/call",
            tool: model.map(|m| if m.tool.is_empty() { m.name } else { m.tool }).unwrap_or_default(),
            model_tool: model.map(|m| m.name).unwrap_or_default(),
            model_call_id: model.map(|m| m.call_id).unwrap_or_default(),
            jsonrpc_id: Id::None,
            session: turn.map(|t| t.session).unwrap_or_default(),
            session_index: None,
            client: turn.map(|t| t.client).unwrap_or_default(),
            client_version: turn.map(|t| t.client_version).unwrap_or_default(),
            server: Sym::default(),
            server_version: Sym::default(),
            protocol: Sym::default(),
            model: turn.map(|t| t.model).unwrap_or_default(),
            time_us: turn.and_then(|t| t.time_us),
            duration_us: None,
            state: CallState::Answered,
            blame: Blame::Nobody,
            reason: "",
            hint: "",
            link: None,
            rivals: 0,
            is_error: item.is_some_and(|i| i.is_error),
            first_block: 0,
            block_count: 0,
            result_bytes: 0,
            output_bytes: item.map_or(0, |i| i.at.len),
            admission: answer.as_ref().and_then(|(words, _)| Phrases::built_in().find(words)).map(|i| i as u32),
            has_answer: answer.is_some(),
            request: Span::default(),
            response: Span::default(),
            output: item.map(|i| view::span_of(self.events, i)).unwrap_or_default(),
            answer: answer.map(|a| a.1).unwrap_or_default(),
            marker: None,
        }
    }

    /// Calls that only a model log holds. Beside logs of frames, a model's other tools (shell, files) are none
    /// of MCP's business: only names that a server offers count.
    pub(super) fn model_only(&self, out: &mut Judgement) {
        let linked: rustc_hash::FxHashSet<u32> =
            self.calls.calls.iter().filter_map(|c| c.link).map(|l| l.model_call).collect();
        let has_frames = !self.calls.calls.is_empty();
        for (i, m) in self.calls.model_calls.iter().enumerate().filter(|(i, _)| !linked.contains(&(*i as u32))) {
            let is_mcp = !m.tool.is_empty() || m.name.as_str().starts_with("mcp__");
            if has_frames && !is_mcp {
                continue;
            }
            let mut call = self.describe_model(Some(m));
            call.model_call = Some(i as u32);
            call.first_block = out.blocks.len() as u32;
            (call.state, call.reason) = match (m.output, has_frames) {
                (Some(_), false) => (CallState::Shown, "only the model's side is logged"),
                (Some(_), true) => (CallState::Shown, "no log of frames holds this call"),
                (None, _) => (CallState::Intended, "asked for by the model; no log shows that it was sent"),
            };
            call.hint = "the client's or the server's log of this time";
            if let Some(output) = m.output {
                let scene = view::scene(self.events, self.sources, output, &[]);
                call.marker = find_marks(&scene, self.markers).first().map(|m| m.mark.marker);
            }
            out.calls.push(call);
        }
    }
}

fn method_name(method: Method) -> &'static str {
    match method {
        Method::ResourcesRead => "resources/read",
        Method::PromptsGet => "prompts/get",
        _ => "tools/call",
    }
}
