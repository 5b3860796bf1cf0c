//! Reads one JSON-RPC message of MCP out of a text, in one pass. Shared by all dialects that log frames.
//!
//! Source of the field names: the MCP schemas 2024-11-05 to 2026-07-28 (`schema.ts`). Unknown members are
//! skipped; snake_case spellings (Python dumps) are read as their camelCase twins.

use crate::bytes::json::{Fault, Json, Kind};

use super::raw::{At, Message, Method, RawBlock, RawId, Slot};

type Read<T> = Result<T, Fault>;

/// Reads the message that starts at the cursor. `Ok(None)`: JSON, yet no JSON-RPC message.
///
/// # Errors
/// When the text is not JSON or ends early.
pub fn read<'a>(json: &mut Json<'a>) -> Read<Option<Message<'a>>> {
    if json.kind()? != Kind::Object {
        json.skip()?;
        return Ok(None);
    }
    let mut m = Message::default();
    let mut seen = false;
    json.object(|key, v| {
        match key {
            b"jsonrpc" => {
                seen = true;
                v.skip()?;
            }
            b"id" => m.id = id(v)?,
            b"method" => {
                if let Some(name) = v.string_or_skip()? {
                    m.has_method = true;
                    m.method = Method::parse(&v.text()[name]);
                }
            }
            b"params" if v.kind()? == Kind::Object => params(v, &mut m)?,
            b"result" => {
                let start = v.pos();
                if v.kind()? == Kind::Object {
                    result(v, &mut m)?;
                } else {
                    v.skip()?;
                }
                m.result = Some(At::new(start..v.pos()));
            }
            b"error" if v.kind()? == Kind::Object => {
                let start = v.pos();
                error(v, &mut m)?;
                // Some loggers write an empty `error: {}` beside every result (mcpspy).
                if m.error_code.is_some() || !m.error_message.is_empty() {
                    m.error = Some(At::new(start..v.pos()));
                }
            }
            _ => {
                v.skip()?;
            }
        }
        Ok(())
    })?;
    let is_message = m.has_method || m.result.is_some() || m.error.is_some();
    Ok((is_message && (seen || m.id != RawId::None || m.has_method)).then_some(m))
}

/// Reads an id; see [`RawId`].
pub fn id<'a>(v: &mut Json<'a>) -> Read<RawId<'a>> {
    Ok(match v.kind()? {
        Kind::String => {
            let range = v.string()?;
            RawId::Text(&v.text()[range])
        }
        Kind::Number => {
            let range = v.skip()?;
            let digits = std::str::from_utf8(&v.text()[range]).unwrap_or("");
            // `3.0` is an integer that went through a float.
            let float = || digits.parse::<f64>().ok().filter(|n| n.fract() == 0.0).map(|n| n as i64);
            digits.parse().ok().or_else(float).map_or(RawId::Odd, RawId::Int)
        }
        _ => {
            v.skip()?;
            RawId::Odd
        }
    })
}

fn text(v: &mut Json<'_>, slot: &mut At) -> Read<()> {
    if let Some(range) = v.string_or_skip()? {
        *slot = At::new(range);
    }
    Ok(())
}

fn whole(v: &mut Json<'_>, slot: &mut At) -> Read<()> {
    *slot = At::new(v.skip()?);
    Ok(())
}

/// Reads `params` of a request or notification.
pub fn params<'a>(v: &mut Json<'a>, m: &mut Message<'a>) -> Read<()> {
    v.object(|key, v| match key {
        b"name" => text(v, &mut m.name),
        b"uri" if m.name.is_empty() => text(v, &mut m.name),
        b"arguments" => {
            m.arguments = Some(At::new(v.skip()?));
            Ok(())
        }
        b"requestId" => {
            m.id = id(v)?;
            Ok(())
        }
        b"taskId" => text(v, &mut m.task_id),
        b"inputResponses" => {
            m.is_retry = true;
            v.skip().map(drop)
        }
        b"_meta" => {
            let start = v.pos();
            meta(v, m)?;
            m.meta = At::new(start..v.pos());
            Ok(())
        }
        b"protocolVersion" => text(v, &mut m.protocol_version),
        b"clientInfo" => info(v, m),
        b"capabilities" => whole(v, &mut m.capabilities),
        _ => v.skip().map(drop),
    })
}

/// Members of `params._meta` in which clients put the model's own call id.
/// Sources: codex rollouts and wire captures; Claude Code wire captures.
const CALL_LINK_KEYS: [&[u8]; 4] = [b"callId", b"claudecode/toolUseId", b"toolCallId", b"tool_call_id"];

fn meta<'a>(v: &mut Json<'a>, m: &mut Message<'a>) -> Read<()> {
    if v.kind()? != Kind::Object {
        return v.skip().map(drop);
    }
    v.object(|key, v| match key {
        k if CALL_LINK_KEYS.contains(&k) => text(v, &mut m.call_link),
        b"sessionId" | b"session_id" => text(v, &mut m.session),
        b"io.modelcontextprotocol/protocolVersion" => text(v, &mut m.protocol_version),
        b"io.modelcontextprotocol/clientInfo" | b"io.modelcontextprotocol/serverInfo" => info(v, m),
        b"io.modelcontextprotocol/related-task" => task(v, m),
        _ => v.skip().map(drop),
    })
}

fn info<'a>(v: &mut Json<'a>, m: &mut Message<'a>) -> Read<()> {
    if v.kind()? != Kind::Object {
        return v.skip().map(drop);
    }
    v.object(|key, v| match key {
        b"name" => text(v, &mut m.peer_name),
        b"version" => text(v, &mut m.peer_version),
        _ => v.skip().map(drop),
    })
}

fn task<'a>(v: &mut Json<'a>, m: &mut Message<'a>) -> Read<()> {
    if v.kind()? != Kind::Object {
        return v.skip().map(drop);
    }
    v.object(|key, v| match key {
        b"taskId" => text(v, &mut m.task_id),
        _ => v.skip().map(drop),
    })
}

fn error(v: &mut Json<'_>, m: &mut Message<'_>) -> Read<()> {
    v.object(|key, v| match key {
        b"code" => {
            m.error_code = v.int()?;
            Ok(())
        }
        b"message" => text(v, &mut m.error_message),
        _ => v.skip().map(drop),
    })
}

/// Reads a `result` object: blocks, flags, and what `initialize` and `tools/list` answer.
pub fn result<'a>(v: &mut Json<'a>, m: &mut Message<'a>) -> Read<()> {
    v.object(|key, v| match key {
        b"content" | b"contents" if v.kind()? == Kind::Array => {
            m.has_content = true;
            let slot = if key == b"content" { Slot::Content } else { Slot::ReadContents };
            v.array(|_, v| {
                m.blocks.push(block(v, slot)?);
                Ok(())
            })
        }
        b"messages" if v.kind()? == Kind::Array => v.array(|_, v| prompt_message(v, m)),
        b"structuredContent" | b"structured_content" => {
            if v.kind()? == Kind::Null {
                return v.skip().map(drop);
            }
            let at = At::new(v.skip()?);
            m.blocks.push(RawBlock { slot: Slot::Structured, at, text: Some(at), ..RawBlock::default() });
            Ok(())
        }
        b"isError" | b"is_error" => {
            m.is_error = v.bool()? == Some(true);
            Ok(())
        }
        b"resultType" | b"result_type" => {
            if let Some(kind) = v.string_or_skip()? {
                m.is_interim |= &v.text()[kind] == b"input_required";
            }
            Ok(())
        }
        b"task" => {
            task(v, m)?;
            m.is_interim |= !m.task_id.is_empty();
            Ok(())
        }
        b"_meta" => meta(v, m),
        b"protocolVersion" => text(v, &mut m.protocol_version),
        b"serverInfo" => info(v, m),
        b"capabilities" => whole(v, &mut m.capabilities),
        b"tools" => whole(v, &mut m.tools),
        _ => v.skip().map(drop),
    })
}

fn prompt_message<'a>(v: &mut Json<'a>, m: &mut Message<'a>) -> Read<()> {
    if v.kind()? != Kind::Object {
        return v.skip().map(drop);
    }
    v.object(|key, v| match key {
        b"content" if v.kind()? == Kind::Object => {
            m.blocks.push(block(v, Slot::Prompt)?);
            Ok(())
        }
        _ => v.skip().map(drop),
    })
}

/// Reads one content block, or one element of `contents`.
pub fn block(v: &mut Json<'_>, slot: Slot) -> Read<RawBlock> {
    let mut b = RawBlock { slot, ..RawBlock::default() };
    v.kind()?;
    let start = v.pos();
    if v.kind()? == Kind::Object {
        v.object(|key, v| member(key, v, &mut b))?;
    } else {
        v.skip()?;
    }
    b.at = At::new(start..v.pos());
    if slot == Slot::ReadContents {
        b.has_resource = true;
    }
    Ok(b)
}

fn member(key: &[u8], v: &mut Json<'_>, b: &mut RawBlock) -> Read<()> {
    match key {
        b"type" => text(v, &mut b.kind),
        b"text" => {
            b.text = v.string_or_skip()?.map(At::new);
            Ok(())
        }
        b"data" => {
            b.data = v.string_or_skip()?.map(At::new);
            Ok(())
        }
        b"blob" => {
            b.data = v.string_or_skip()?.map(At::new);
            b.is_blob = b.data.is_some();
            Ok(())
        }
        b"mimeType" | b"mime_type" => text(v, &mut b.mime),
        b"uri" => text(v, &mut b.uri),
        b"name" => text(v, &mut b.name),
        b"resource" if v.kind()? == Kind::Object => {
            b.has_resource = true;
            v.object(|key, v| match key {
                b"type" | b"name" => v.skip().map(drop),
                _ => member(key, v, b),
            })
        }
        b"annotations" => {
            let start = v.pos();
            annotations(v, b)?;
            b.annotations = At::new(start..v.pos());
            Ok(())
        }
        _ => v.skip().map(drop),
    }
}

fn annotations(v: &mut Json<'_>, b: &mut RawBlock) -> Read<()> {
    if v.kind()? != Kind::Object {
        return v.skip().map(drop);
    }
    v.object(|key, v| match key {
        b"audience" if v.kind()? == Kind::Array => {
            let mut assistant = false;
            v.array(|_, v| {
                let range = v.skip()?;
                assistant |= &v.text()[range] == br#""assistant""#;
                Ok(())
            })?;
            b.not_for_assistant = !assistant;
            Ok(())
        }
        _ => v.skip().map(drop),
    })
}
