//! What a JSON text means: strings without their escapes, and a hash of a value that spelling does not change.

use memchr::memchr;
use xxhash_rust::xxh3::xxh3_64;

use super::{Fault, Json, Kind};

/// Undoes the escapes of a raw string (the part between the quotes), appending to `out`. Lone surrogates and
/// broken escapes become U+FFFD, the same on both sides of a comparison.
pub fn unescape(raw: &[u8], out: &mut Vec<u8>) {
    let mut rest = raw;
    out.reserve(raw.len());
    while let Some(n) = memchr(b'\\', rest) {
        out.extend_from_slice(&rest[..n]);
        let Some(&escape) = rest.get(n + 1) else {
            rest = &[];
            break;
        };
        rest = &rest[n + 2..];
        match escape {
            b'n' => out.push(b'\n'),
            b't' => out.push(b'\t'),
            b'r' => out.push(b'\r'),
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'u' => rest = unescape_unicode(rest, out),
            other => out.push(other),
        }
    }
    out.extend_from_slice(rest);
}

fn unescape_unicode<'a>(rest: &'a [u8], out: &mut Vec<u8>) -> &'a [u8] {
    let mut push = |c: char| out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes());
    let Some(unit) = hex4(rest) else {
        push(char::REPLACEMENT_CHARACTER);
        return rest;
    };
    let after = &rest[4..];
    if let Some(c) = char::from_u32(unit) {
        push(c);
        return after;
    }
    if let Some(tail) = after.strip_prefix(b"\\u")
        && let Some(low) = hex4(tail)
        && (0xD800..0xDC00).contains(&unit)
        && (0xDC00..0xE000).contains(&low)
    {
        let c = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
        push(char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER));
        return &tail[4..];
    }
    push(char::REPLACEMENT_CHARACTER);
    after
}

fn hex4(text: &[u8]) -> Option<u32> {
    let digits = text.get(..4)?;
    digits.iter().try_fold(0u32, |n, &d| Some(n * 16 + char::from(d).to_digit(16)?))
}

/// The text of a raw string: borrowed when it has no escapes.
pub fn text_of(raw: &[u8]) -> std::borrow::Cow<'_, [u8]> {
    if memchr(b'\\', raw).is_none() {
        return raw.into();
    }
    let mut out = Vec::new();
    unescape(raw, &mut out);
    out.into()
}

/// A hash of a JSON value that does not depend on key order, white space, escapes or the way whole numbers
/// are written. Equal values have equal hashes; this is how `arguments` and `structuredContent` are compared.
///
/// # Errors
/// When the text at the cursor is not JSON.
pub fn canonical_hash(json: &mut Json<'_>) -> Result<u64, Fault> {
    let tagged = |tag: u8, parts: &[u64]| {
        let mut bytes = vec![tag];
        parts.iter().for_each(|p| bytes.extend_from_slice(&p.to_le_bytes()));
        xxh3_64(&bytes)
    };
    match json.kind()? {
        Kind::Object => {
            let mut members: Vec<(u64, u64)> = Vec::new();
            json.object(|key, value| {
                members.push((xxh3_64(&text_of(key)), canonical_hash(value)?));
                Ok(())
            })?;
            members.sort_unstable();
            let flat: Vec<u64> = members.into_iter().flat_map(|(k, v)| [k, v]).collect();
            Ok(tagged(b'{', &flat))
        }
        Kind::Array => {
            let mut elements = Vec::new();
            json.array(|_, value| {
                elements.push(canonical_hash(value)?);
                Ok(())
            })?;
            Ok(tagged(b'[', &elements))
        }
        Kind::String => {
            let range = json.string()?;
            Ok(tagged(b'"', &[xxh3_64(&text_of(&json.text()[range]))]))
        }
        Kind::Number => {
            let range = json.skip()?;
            let digits = &json.text()[range];
            let number = std::str::from_utf8(digits).ok().and_then(|s| s.parse::<f64>().ok());
            Ok(tagged(b'0', &[number.map_or_else(|| xxh3_64(digits), |n| (n + 0.0).to_bits())]))
        }
        Kind::Bool | Kind::Null => {
            let range = json.skip()?;
            Ok(xxh3_64(&json.text()[range]))
        }
    }
}
