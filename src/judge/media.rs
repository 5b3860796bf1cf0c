//! Looks for the bytes of an image, a sound or a blob in what the model was shown.

use memchr::memmem;

use super::part::Part;
use super::scene::Scene;
use super::text::{Found, find_rewritten, find_text};
use super::verdict::How;
use crate::event::fingerprint::{decode_leniently, strip_data_url};
use crate::event::piece::PieceKind;
use crate::event::sniff;

/// The base64 of one block.
pub struct Media<'a> {
    /// Base64 as the server wrote it.
    pub data: &'a [u8],
    /// Declared MIME type.
    pub mime: &'a str,
    /// The block's type says image, sound, or `None` for a blob.
    pub kind: Option<PieceKind>,
}

/// Base64 shorter than this can stand in a text by chance.
const MIN_BASE64_BYTES: usize = 16;

/// Finds the bytes whole: as a medium, as the text that they hold, or as base64 in a text.
pub fn find_media(scene: &mut Scene, media: &Media<'_>) -> Option<Found> {
    if media.data.is_empty() {
        return None;
    }
    same_medium(scene, media).or_else(|| decoded(scene, media)).or_else(|| base64_text(scene, media))
}

/// `image/jpg` is how many write `image/jpeg`.
fn same_mime(a: &str, b: &str) -> bool {
    let plain = |m: &str| m.replace("jpg", "jpeg").replace("audio/mp3", "audio/mpeg").replace("x-wav", "wav");
    a.is_empty() || b.is_empty() || plain(a) == plain(b)
}

fn same_medium(scene: &mut Scene, media: &Media<'_>) -> Option<Found> {
    let clean = strip_data_url(media.data).0;
    let mut repaired = false;
    let mut hit = scene.pieces.iter().position(|p| !p.is_used && !p.data.is_empty() && p.data == media.data);
    if hit.is_none() {
        repaired = true;
        hit = scene.pieces.iter().position(|p| !p.is_used && !p.data.is_empty() && p.data == clean);
    }
    if hit.is_none() && scene.pieces.iter().any(|p| !p.is_used && !p.data.is_empty()) {
        let bytes = decode_leniently(media.data)?;
        hit = scene.pieces.iter().position(|p| {
            let near = p.data.len().abs_diff(media.data.len()) <= media.data.len() / 8 + 64;
            !p.is_used && !p.data.is_empty() && near && decode_leniently(&p.data).as_deref() == Some(&bytes)
        });
    }
    let index = hit?;
    let p = &mut scene.pieces[index];
    p.is_used = true;
    let mut how = 0;
    if p.is_moved {
        how |= How::MOVED;
    }
    if repaired && media.data != p.data.as_slice() {
        how |= How::REPAIRED;
    }
    if !same_mime(&p.mime, media.mime) {
        how |= How::RELABELLED;
    }
    Some(Found { how: How(how), node: None, piece: Some(index), confidence: 1.0 })
}

/// A blob that is text, turned into that text.
fn decoded(scene: &mut Scene, media: &Media<'_>) -> Option<Found> {
    if media.kind.is_some() {
        return None;
    }
    let bytes = decode_leniently(media.data)?;
    let text = std::str::from_utf8(&bytes).ok().filter(|t| !t.trim().is_empty())?;
    let found = find_text(scene, text.as_bytes(), &[]).or_else(|| find_rewritten(scene, text.as_bytes()))?;
    Some(Found { how: How(found.how.0 | How::DECODED), ..found })
}

fn base64_text(scene: &mut Scene, media: &Media<'_>) -> Option<Found> {
    scene.open();
    let clean = strip_data_url(media.data).0;
    let needles = [media.data, clean];
    let (node, range) = scene.nodes.iter().enumerate().rev().find_map(|(i, node)| {
        needles.iter().find_map(|needle| {
            let at = if needle.len() >= MIN_BASE64_BYTES {
                memmem::find(&node.text, needle)
            } else {
                (node.text == **needle).then_some(0)
            }?;
            let range = at..at + needle.len();
            let is_free = !node.used.iter().any(|u| u.start < range.end && range.start < u.end);
            is_free.then_some((i, range))
        })
    })?;
    let moved = if scene.pieces[scene.nodes[node].piece].is_moved { How::MOVED } else { 0 };
    scene.consume(node, range);
    Some(Found { how: How(How::BASE64_TEXT | moved), node: Some(node), piece: None, confidence: 1.0 })
}

/// The beginning of the base64 in a text that was cut.
pub fn find_media_part(scene: &mut Scene, media: &Media<'_>) -> Option<Part> {
    const SEED_BYTES: usize = 64;
    let data = strip_data_url(media.data).0;
    let seed = data.get(..SEED_BYTES)?;
    scene.open();
    let (node, range) = scene.nodes.iter().enumerate().rev().find_map(|(i, node)| {
        let at = memmem::find(&node.text, seed)?;
        let len = node.text[at..].iter().zip(data).take_while(|(a, b)| a == b).count();
        Some((i, at..at + len))
    })?;
    let bytes = range.len();
    scene.consume(node, range);
    Some(Part { bytes, node })
}

/// A medium of the right kind that no block accounts for, where as many blocks as media are left: the same
/// picture in other bytes (scaled down, another format), or behind an address.
pub fn find_re_encoded(scene: &mut Scene, kind: PieceKind) -> Option<Found> {
    let index = scene
        .pieces
        .iter()
        .position(|p| !p.is_used && p.kind == kind && (p.is_reference || !p.data.is_empty()))?;
    let p = &mut scene.pieces[index];
    p.is_used = true;
    let moved = if p.is_moved { How::MOVED } else { 0 };
    Some(Found { how: How(How::RE_ENCODED | moved), node: None, piece: Some(index), confidence: 0.7 })
}

/// Media of a kind that no block accounts for.
pub fn free_media(scene: &Scene, kind: PieceKind) -> usize {
    scene.pieces.iter().filter(|p| !p.is_used && p.kind == kind && (p.is_reference || !p.data.is_empty())).count()
}

/// Does the MIME type name pictures that model APIs take?
pub fn is_raster_image(mime: &str) -> bool {
    sniff::is_raster(mime)
}
