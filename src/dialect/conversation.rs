//! Reads the items of a model conversation, whichever API wrote them: OpenAI chat completions, OpenAI
//! Responses, Anthropic Messages, Gemini `contents`. Shared by gateway logs and client transcripts.
//!
//! Sources of the field names: the APIs' public references; captured requests of codex, opencode,
//! openai-agents and others.

use std::ops::Range;

use crate::bytes::json::{Fault, Json, Kind};

use super::raw::{Arguments, At, ItemKind, RawItem};

type Step = Result<(), Fault>;

/// The members of one element that matter, whichever API it is from.
#[derive(Default)]
struct Element<'a> {
    at: Range<usize>,
    role: &'a [u8],
    kind: &'a [u8],
    call_id: &'a [u8],
    id: &'a [u8],
    name: &'a [u8],
    namespace: &'a [u8],
    arguments: Arguments<'a>,
    content: Option<(Kind, Range<usize>)>,
    output: bool,
    tool_calls: Option<Range<usize>>,
    parts: Option<Range<usize>>,
}

/// Reads one element of `messages`, `input`, `output` or `contents` and appends its items.
///
/// # Errors
/// When the text is not JSON.
pub fn element<'a>(v: &mut Json<'a>, out: &mut Vec<RawItem<'a>>) -> Step {
    if v.kind()? != Kind::Object {
        v.skip()?;
        return Ok(());
    }
    let text = v.text();
    let mut e = Element::default();
    let start = v.pos();
    v.object(|key, v| {
        let slot = match key {
            b"role" => &mut e.role,
            b"type" => &mut e.kind,
            b"call_id" | b"tool_call_id" | b"toolCallId" | b"tool_use_id" => &mut e.call_id,
            b"id" => &mut e.id,
            b"name" | b"toolName" => &mut e.name,
            b"namespace" | b"server_label" => &mut e.namespace,
            b"arguments" => {
                e.arguments = arguments(v)?;
                return Ok(());
            }
            b"input" if v.kind()? != Kind::Array => {
                e.arguments = arguments(v)?;
                return Ok(());
            }
            b"content" => {
                let kind = v.kind()?;
                e.content = Some((kind, v.skip()?));
                return Ok(());
            }
            b"output" => {
                e.output = v.kind()? != Kind::Null;
                v.skip()?;
                return Ok(());
            }
            b"tool_calls" if v.kind()? == Kind::Array => {
                e.tool_calls = Some(v.skip()?);
                return Ok(());
            }
            b"parts" if v.kind()? == Kind::Array => {
                e.parts = Some(v.skip()?);
                return Ok(());
            }
            _ => {
                v.skip()?;
                return Ok(());
            }
        };
        if let Some(range) = v.string_or_skip()? {
            *slot = &text[range];
        }
        Ok(())
    })?;
    e.at = start..v.pos();
    items(text, &e, out)
}

fn arguments<'a>(v: &mut Json<'a>) -> Result<Arguments<'a>, Fault> {
    if v.kind()? == Kind::String {
        let range = v.string()?;
        return Ok(Arguments::Escaped(&v.text()[range]));
    }
    let range = v.skip()?;
    Ok(Arguments::Json(&v.text()[range]))
}

fn item<'a>(kind: ItemKind, at: Range<usize>) -> RawItem<'a> {
    RawItem {
        kind,
        call_id: b"",
        name: b"",
        namespace: b"",
        arguments: Arguments::None,
        at: At::new(at),
        time_us: None,
        is_error: false,
    }
}

fn items<'a>(text: &'a [u8], e: &Element<'a>, out: &mut Vec<RawItem<'a>>) -> Step {
    let call_id = if e.call_id.is_empty() { e.id } else { e.call_id };
    let named = |kind| RawItem {
        call_id,
        name: e.name,
        namespace: e.namespace,
        arguments: e.arguments,
        ..item(kind, e.at.clone())
    };
    match e.kind {
        b"function_call" | b"custom_tool_call" | b"tool_use" | b"tool-call" => out.push(named(ItemKind::ToolCall)),
        b"function_call_output" | b"custom_tool_call_output" | b"tool_result" | b"tool-result" => {
            out.push(named(ItemKind::ToolOutput));
        }
        // Hosted MCP of the Responses API: call and result in one item.
        b"mcp_call" => {
            out.push(named(ItemKind::ToolCall));
            if e.output {
                out.push(named(ItemKind::ToolOutput));
            }
        }
        b"compaction" | b"compaction_summary" => out.push(item(ItemKind::Compaction, e.at.clone())),
        b"reasoning" => out.push(item(ItemKind::Other, e.at.clone())),
        _ => message(text, e, &named, out)?,
    }
    Ok(())
}

fn message<'a>(
    text: &'a [u8],
    e: &Element<'a>,
    named: &impl Fn(ItemKind) -> RawItem<'a>,
    out: &mut Vec<RawItem<'a>>,
) -> Step {
    let kind = match e.role {
        b"tool" | b"function" if e.parts.is_none() && !holds_tool_results(text, e) => {
            out.push(named(ItemKind::ToolOutput));
            return Ok(());
        }
        b"assistant" | b"model" => ItemKind::Assistant,
        b"system" | b"developer" => ItemKind::System,
        b"user" | b"tool" | b"function" => ItemKind::User,
        _ => ItemKind::Other,
    };
    match (&e.content, &e.parts) {
        (_, Some(parts)) => {
            Json::new(text, parts.start).array(|_, v| gemini_part(v, kind, out))?;
        }
        (Some((Kind::Array, content)), None) => {
            Json::new(text, content.start).array(|_, v| content_block(v, kind, out))?;
        }
        _ => out.push(item(kind, e.at.clone())),
    }
    if let Some(calls) = &e.tool_calls {
        Json::new(text, calls.start).array(|_, v| tool_call(v, out))?;
    }
    Ok(())
}

/// Some APIs (Vercel AI SDK, LangChain dumps) give `role: "tool"` a content array of tool-result parts.
fn holds_tool_results(text: &[u8], e: &Element<'_>) -> bool {
    let Some((Kind::Array, content)) = &e.content else { return false };
    let mut hit = false;
    let _ = Json::new(text, content.start).array(|_, v| {
        let mut inner = Vec::new();
        element(v, &mut inner)?;
        hit |= inner.iter().any(|i| i.kind == ItemKind::ToolOutput);
        Ok(())
    });
    hit
}

/// One block of an Anthropic (or OpenAI parts) content array inside a message of kind `kind`.
fn content_block<'a>(v: &mut Json<'a>, kind: ItemKind, out: &mut Vec<RawItem<'a>>) -> Step {
    v.kind()?;
    let start = v.pos();
    let before = out.len();
    element(v, out)?;
    let is_tool = out[before..].iter().any(|i| matches!(i.kind, ItemKind::ToolCall | ItemKind::ToolOutput));
    if !is_tool {
        out.truncate(before);
        out.push(item(kind, start..v.pos()));
    }
    Ok(())
}

/// `{"id", "type": "function", "function": {"name", "arguments"}}` of chat completions.
fn tool_call<'a>(v: &mut Json<'a>, out: &mut Vec<RawItem<'a>>) -> Step {
    if v.kind()? != Kind::Object {
        return v.skip().map(drop);
    }
    let text = v.text();
    let start = v.pos();
    let mut call = item(ItemKind::ToolCall, start..start);
    v.object(|key, v| match key {
        b"id" => {
            if let Some(range) = v.string_or_skip()? {
                call.call_id = &text[range];
            }
            Ok(())
        }
        b"function" if v.kind()? == Kind::Object => v.object(|key, v| call_member(key, v, &mut call)),
        _ => call_member(key, v, &mut call),
    })?;
    call.at = At::new(start..v.pos());
    out.push(call);
    Ok(())
}

fn call_member<'a>(key: &[u8], v: &mut Json<'a>, call: &mut RawItem<'a>) -> Step {
    match key {
        b"name" => {
            if let Some(range) = v.string_or_skip()? {
                call.name = &v.text()[range];
            }
        }
        b"id" => {
            if let Some(range) = v.string_or_skip()? {
                call.call_id = &v.text()[range];
            }
        }
        b"arguments" | b"args" => call.arguments = arguments(v)?,
        _ => {
            v.skip()?;
        }
    }
    Ok(())
}

/// A Gemini part: text, functionCall, functionResponse or inlineData.
fn gemini_part<'a>(v: &mut Json<'a>, kind: ItemKind, out: &mut Vec<RawItem<'a>>) -> Step {
    if v.kind()? != Kind::Object {
        return v.skip().map(drop);
    }
    let start = v.pos();
    let mut part = item(kind, start..start);
    v.object(|key, v| match key {
        b"functionCall" | b"function_call" if v.kind()? == Kind::Object => {
            part.kind = ItemKind::ToolCall;
            v.object(|key, v| call_member(key, v, &mut part))
        }
        b"functionResponse" | b"function_response" if v.kind()? == Kind::Object => {
            part.kind = ItemKind::ToolOutput;
            v.object(|key, v| call_member(key, v, &mut part))
        }
        _ => v.skip().map(drop),
    })?;
    part.at = At::new(start..v.pos());
    out.push(part);
    Ok(())
}
