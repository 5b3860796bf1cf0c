//! What is kept of a payload: enough to know it again without holding it.

use memchr::memmem;
use xxhash_rust::xxh3::xxh3_64;

use crate::bytes::json::{Json, canonical_hash, unescape};

/// Length and hash of a text, escapes undone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Fingerprint {
    /// Length in bytes after unescaping.
    pub bytes: u32,
    /// XXH3 of the same bytes; for `structuredContent` the order-free hash of the value.
    pub hash: u64,
}

/// Fingerprint of a raw JSON string (between its quotes). `scratch` saves allocations.
pub fn of_string(raw: &[u8], scratch: &mut Vec<u8>) -> Fingerprint {
    if memchr::memchr(b'\\', raw).is_none() {
        return of_text(raw);
    }
    scratch.clear();
    unescape(raw, scratch);
    of_text(scratch)
}

/// Fingerprint of a text.
pub fn of_text(text: &[u8]) -> Fingerprint {
    Fingerprint { bytes: text.len() as u32, hash: xxh3_64(text) }
}

/// Fingerprint of a JSON value by what it means.
pub fn of_value(text: &[u8]) -> Fingerprint {
    let hash = canonical_hash(&mut Json::new(text, 0)).unwrap_or_else(|_| xxh3_64(text));
    Fingerprint { bytes: text.len() as u32, hash }
}

/// Standard base64 with correct padding and nothing else.
pub fn is_clean_base64(data: &[u8]) -> bool {
    base64_simd::STANDARD.check(data).is_ok()
}

/// Splits a data URL into its base64 part and its MIME type; other text comes back whole.
/// Source: RFC 2397.
pub fn strip_data_url(text: &[u8]) -> (&[u8], Option<&[u8]>) {
    let Some(rest) = text.strip_prefix(b"data:") else { return (text, None) };
    let Some(comma) = memchr::memchr(b',', &rest[..rest.len().min(256)]) else { return (text, None) };
    let head = &rest[..comma];
    if memmem::find(head, b";base64").is_none() {
        return (text, None);
    }
    let mime = head.split(|&b| b == b';').next().filter(|m| !m.is_empty());
    (&rest[comma + 1..], mime)
}

/// The bytes that a base64 text stands for, as a lenient reader takes it: data-URL prefix, line breaks,
/// URL-safe alphabet and missing padding allowed.
pub fn decode_leniently(text: &[u8]) -> Option<Vec<u8>> {
    let data = strip_data_url(text).0;
    let mut clean: Vec<u8> = Vec::with_capacity(data.len() + 3);
    for &b in data {
        match b {
            b'-' => clean.push(b'+'),
            b'_' => clean.push(b'/'),
            b'=' | b' ' | b'\n' | b'\r' | b'\t' => {}
            _ => clean.push(b),
        }
    }
    base64_simd::STANDARD_NO_PAD.decode_to_vec(&clean).ok()
}
