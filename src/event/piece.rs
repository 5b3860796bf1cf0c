//! Takes an item of a model conversation apart into what the model gets to see: texts and media.
//!
//! Works on the JSON of one item, whichever API wrote it: the names of parts differ, their roles do not.

use crate::bytes::json::{Fault, Json, Kind, text_of, unescape};
use crate::dialect::raw::At;

use super::fingerprint::strip_data_url;

/// What a piece is to the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PieceKind {
    /// Words.
    Text,
    /// A picture.
    Image,
    /// A sound.
    Audio,
    /// A document or other file.
    File,
}

/// One piece of an item.
#[derive(Clone, Debug)]
pub struct Piece {
    /// What it is.
    pub kind: PieceKind,
    /// A text's characters, or a medium's base64 without a data-URL prefix.
    pub text: Vec<u8>,
    /// MIME type of a medium, as the request says it.
    pub mime: String,
    /// Only a reference to the medium (URL, file id) is there, not its bytes.
    pub is_reference: bool,
    /// Where it stands in the item's record.
    pub at: At,
}

/// The pieces of the item that stands at `at` in `text`. What is no JSON gives what was read before the fault.
pub fn pieces(text: &[u8], at: At) -> Vec<Piece> {
    let mut out = Vec::new();
    let range = at.start as usize..(at.start as usize + at.len as usize).min(text.len());
    if range.start > range.end {
        return out;
    }
    let mut json = Json::new(&text[..range.end], range.start);
    let _ = item(&mut json, &mut out);
    out
}

type Step = Result<(), Fault>;

/// An item: its content is under one of these names.
fn item(v: &mut Json<'_>, out: &mut Vec<Piece>) -> Step {
    match v.kind()? {
        Kind::Object => {}
        _ => return value(v, out),
    }
    let mut has_body = false;
    v.clone().object(|key, v| {
        has_body |=
            matches!(key, b"content" | b"output" | b"response" | b"functionResponse" | b"function_response");
        v.skip().map(drop)
    })?;
    if !has_body {
        return value(v, out);
    }
    v.object(|key, v| match key {
        b"content" | b"output" => value(v, out),
        b"response" => gemini_response(v, out),
        b"functionResponse" | b"function_response" => item(v, out),
        b"parts" => value(v, out),
        _ => v.skip().map(drop),
    })
}

/// `functionResponse.response`: an object whose one member holds the result.
fn gemini_response(v: &mut Json<'_>, out: &mut Vec<Piece>) -> Step {
    if v.kind()? != Kind::Object {
        return value(v, out);
    }
    let (mut members, mut known) = (0, false);
    v.clone().object(|key, v| {
        members += 1;
        known |= matches!(key, b"output" | b"result" | b"content" | b"error");
        v.skip().map(drop)
    })?;
    if members == 1 && known {
        return v.object(|_, v| value(v, out));
    }
    raw_json(v, out)
}

fn raw_json(v: &mut Json<'_>, out: &mut Vec<Piece>) -> Step {
    let range = v.skip()?;
    let text = v.text()[range.clone()].to_vec();
    out.push(Piece { kind: PieceKind::Text, text, mime: String::new(), is_reference: false, at: At::new(range) });
    Ok(())
}

fn value(v: &mut Json<'_>, out: &mut Vec<Piece>) -> Step {
    match v.kind()? {
        Kind::String => {
            let range = v.string()?;
            string(v.text(), range, PieceKind::Text, b"", out);
            Ok(())
        }
        Kind::Array => v.array(|_, v| value(v, out)),
        Kind::Object => part(v, out),
        Kind::Null => v.skip().map(drop),
        Kind::Number | Kind::Bool => raw_json(v, out),
    }
}

/// A string: text, unless it is a data URL.
fn string(text: &[u8], range: std::ops::Range<usize>, kind: PieceKind, mime: &[u8], out: &mut Vec<Piece>) {
    let at = At::new(range.clone());
    let mut decoded = Vec::new();
    unescape(&text[range], &mut decoded);
    let (data, url_mime) = strip_data_url(&decoded);
    let mime = String::from_utf8_lossy(url_mime.unwrap_or(mime)).to_ascii_lowercase();
    if url_mime.is_some() {
        let kind = if kind == PieceKind::Text { kind_of(&mime) } else { kind };
        out.push(Piece { kind, text: data.to_vec(), mime, is_reference: false, at });
    } else {
        let is_url = decoded.starts_with(b"http://") || decoded.starts_with(b"https://") || decoded.is_empty();
        let is_reference = kind != PieceKind::Text && is_url;
        out.push(Piece { kind, text: decoded, mime, is_reference, at });
    }
}

fn kind_of(mime: &str) -> PieceKind {
    match mime.split('/').next() {
        Some("image") => PieceKind::Image,
        Some("audio") => PieceKind::Audio,
        _ => PieceKind::File,
    }
}

/// The members of a content part that matter, whichever API it is from.
#[derive(Default)]
struct Part {
    text: Option<At>,
    data: Option<At>,
    mime: Vec<u8>,
    reference: Option<At>,
    kind: Option<PieceKind>,
    is_tool_result: bool,
    known: bool,
}

fn part(v: &mut Json<'_>, out: &mut Vec<Piece>) -> Step {
    v.kind()?;
    let start = v.pos();
    let mut p = Part::default();
    let mut inner: Vec<Piece> = Vec::new();
    v.object(|key, v| member(key, v, &mut p, &mut inner))?;
    let text = v.text();
    let whole = At::new(start..v.pos());
    if p.is_tool_result || !inner.is_empty() {
        out.append(&mut inner);
    }
    if let Some(at) = p.data {
        let range = at.start as usize..(at.start + at.len) as usize;
        let mime = if p.mime.contains(&b'/') || p.mime.is_empty() {
            p.mime.clone()
        } else {
            // `input_audio` names a format, not a MIME type.
            [b"audio/", p.mime.as_slice()].concat()
        };
        let kind = p.kind.unwrap_or_else(|| kind_of(&String::from_utf8_lossy(&mime)));
        string(text, range, kind, &mime, out);
    } else if let Some(at) = p.text {
        string(text, at.start as usize..(at.start + at.len) as usize, PieceKind::Text, b"", out);
    } else if let Some(at) = p.reference {
        let kind = p.kind.unwrap_or(PieceKind::File);
        let text = text_of(at.of(text)).into_owned();
        out.push(Piece { kind, text, mime: String::new(), is_reference: true, at });
    } else if !p.known {
        raw_json(&mut Json::new(text, whole.start as usize), out)?;
    }
    Ok(())
}

fn member(key: &[u8], v: &mut Json<'_>, p: &mut Part, inner: &mut Vec<Piece>) -> Step {
    let kind = v.kind()?;
    match key {
        b"type" => {
            if let Some(range) = v.string_or_skip()? {
                let name = &v.text()[range];
                p.is_tool_result = matches!(name, b"tool_result" | b"function_call_output");
                p.kind = match name {
                    b"image" | b"image_url" | b"input_image" | b"image-data" | b"media" => Some(PieceKind::Image),
                    b"audio" | b"input_audio" | b"audio_url" => Some(PieceKind::Audio),
                    b"file" | b"input_file" | b"document" | b"file-data" => Some(PieceKind::File),
                    _ => None,
                };
                // Reasoning and cache markers carry no content of a tool.
                p.known |= matches!(name, b"thinking" | b"redacted_thinking" | b"reasoning" | b"tool_use");
            }
            Ok(())
        }
        b"text" if kind == Kind::String => {
            p.text = Some(At::new(v.string()?));
            Ok(())
        }
        // `{"type": "text", "value": …}` and `{"type": "json", "value": …}` of the Vercel AI SDK.
        b"value" | b"content" | b"output" => value(v, inner),
        b"resource" if kind == Kind::Object => value(v, inner),
        b"data" | b"blob" | b"file_data" | b"base64" | b"bytes" if kind == Kind::String => {
            p.data = Some(At::new(v.string()?));
            Ok(())
        }
        b"image_url" | b"audio_url" | b"url" | b"file_url" => url(v, p),
        b"file_id" if kind == Kind::String => {
            p.reference = Some(At::new(v.string()?));
            Ok(())
        }
        b"media_type" | b"mimeType" | b"mime_type" | b"format" | b"mediaType" if kind == Kind::String => {
            let range = v.string()?;
            p.mime = v.text()[range].to_vec();
            Ok(())
        }
        b"source" | b"inlineData" | b"inline_data" | b"input_audio" | b"file" if kind == Kind::Object => {
            v.object(|key, v| if key == b"type" { v.skip().map(drop) } else { member(key, v, p, inner) })
        }
        b"functionResponse" | b"function_response" => {
            p.is_tool_result = true;
            item(v, inner)
        }
        _ => v.skip().map(drop),
    }
}

fn url(v: &mut Json<'_>, p: &mut Part) -> Step {
    if v.kind()? == Kind::Object {
        return v.object(|key, v| if key == b"url" { url(v, p) } else { v.skip().map(drop) });
    }
    if let Some(range) = v.string_or_skip()? {
        let at = At::new(range);
        if at.of(v.text()).starts_with(b"data:") {
            p.data = Some(at);
        } else {
            p.reference = Some(at);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(json: &str) -> Vec<(PieceKind, String, String)> {
        pieces(json.as_bytes(), At::new(0..json.len()))
            .into_iter()
            .map(|p| (p.kind, String::from_utf8_lossy(&p.text).into_owned(), p.mime))
            .collect()
    }

    #[test]
    fn the_same_content_in_four_apis() {
        let want = vec![
            (PieceKind::Text, "a\nb".to_owned(), String::new()),
            (PieceKind::Image, "AAAA".to_owned(), "image/png".to_owned()),
        ];
        for json in [
            r#"{"role":"tool","tool_call_id":"c","content":[{"type":"text","text":"a\nb"},{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}]}"#,
            r#"{"type":"function_call_output","call_id":"c","output":[{"type":"input_text","text":"a\nb"},{"type":"input_image","image_url":"data:image/png;base64,AAAA"}]}"#,
            r#"{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","text":"a\nb"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}]}"#,
            r#"{"functionResponse":{"id":"c","name":"t","response":{"output":"a\nb"},"parts":[{"inlineData":{"mimeType":"image/png","data":"AAAA"}}]}}"#,
        ] {
            assert_eq!(of(json), want, "{json}");
        }
    }
}
