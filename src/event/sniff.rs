//! What a payload really is, by its first bytes.
//!
//! Source of the signatures: WHATWG MIME Sniffing Standard, sections 6.1 to 6.3, and the formats' own
//! specifications.

/// The MIME type that the first bytes of a decoded payload prove, if any.
pub fn mime(head: &[u8]) -> Option<&'static str> {
    let ascii = |at: usize, word: &[u8]| head.get(at..at + word.len()) == Some(word);
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
    Some(match head {
        _ if head.starts_with(b"\x89PNG\r\n\x1a\n") => "image/png",
        _ if head.starts_with(b"\xff\xd8\xff") => "image/jpeg",
        _ if head.starts_with(b"GIF87a") || head.starts_with(b"GIF89a") => "image/gif",
        _ if head.starts_with(b"RIFF") && ascii(8, b"WEBP") => "image/webp",
        _ if head.starts_with(b"RIFF") && ascii(8, b"WAVE") => "audio/wav",
        _ if head.starts_with(b"BM") && head.len() > 13 && head[6..10] == [0; 4] => "image/bmp",
        _ if head.starts_with(b"II*\0") || head.starts_with(b"MM\0*") => "image/tiff",
        _ if ascii(4, b"ftypavif") => "image/avif",
        _ if ascii(4, b"ftypheic") || ascii(4, b"ftypmif1") => "image/heic",
        _ if ascii(4, b"ftypM4A") => "audio/mp4",
        _ if ascii(4, b"ftyp") => "video/mp4",
        _ if head.starts_with(b"\x1aE\xdf\xa3") => "video/webm",
        _ if head.starts_with(b"ID3") => "audio/mpeg",
        _ if head.len() > 1 && head[0] == 0xff && head[1] & 0xe6 == 0xe2 => "audio/mpeg",
        _ if head.starts_with(b"OggS") => "audio/ogg",
        _ if head.starts_with(b"fLaC") => "audio/flac",
        _ if head.starts_with(b"%PDF-") => "application/pdf",
        _ if head.starts_with(b"PK\x03\x04") => "application/zip",
        _ if head.starts_with(b"\x1f\x8b") => "application/gzip",
        _ if text.starts_with(b"<svg") => "image/svg+xml",
        _ if text.starts_with(b"<?xml") && memchr::memmem::find(text, b"<svg").is_some() => "image/svg+xml",
        _ if text.starts_with(b"<!DOCTYPE html") || text.starts_with(b"<html") => "text/html",
        _ => return None,
    })
}

/// Images that model APIs take: what a client that cannot decode an image can be expected to decode.
pub fn is_raster(mime: &str) -> bool {
    matches!(mime, "image/png" | "image/jpeg" | "image/jpg" | "image/gif" | "image/webp" | "image/bmp")
}

/// Decodes the first bytes of a base64 text, a data URL's prefix aside, for [`mime`].
pub fn decode_head(base64: &[u8]) -> Vec<u8> {
    let data = crate::event::fingerprint::strip_data_url(base64).0;
    let mut clean: Vec<u8> = data.iter().copied().filter(|b| !b.is_ascii_whitespace()).take(256).collect();
    for b in &mut clean {
        match b {
            b'-' => *b = b'+',
            b'_' => *b = b'/',
            _ => {}
        }
    }
    clean.truncate(clean.len() / 4 * 4);
    base64_simd::forgiving_decode_to_vec(&clean).unwrap_or_default()
}
