//! `mime-rejected`: refused for its MIME type, by the client or by the model's API.

use super::{Blame, Case, Fate, Finding, Rule, at, of};
use crate::event::{Block, Says};
use crate::judge::media::is_raster_image;

/// The registry entry.
pub const RULE: Rule = Rule {
    id: "mime-rejected",
    fate: Fate::MimeRejected,
    meaning: "the block was refused for its MIME type: skipped with a marker, thrown, or answered with API 400",
    needs: "a marker, a log line or an API error that says so; or a marker of an image that could not be \
            processed where its bytes decode well and its MIME type is none that models take",
    is_not: "an image whose base64 is bad (decode-failed); a placeholder that names no type",
    apply,
};

fn apply(case: &Case<'_>, block: usize) -> Option<Finding> {
    let (b, e) = of(case, block);
    if let Some(refused) = e.api_refusal {
        return Some(Finding {
            marker: Some(refused.marker),
            reason: "the model's API refused the request for this type",
            ..Finding::new(Blame::ModelApi, refused.span)
        });
    }
    let mark = e.mark.filter(|_| e.found.is_none())?;
    let finding = |reason, confidence| Finding {
        marker: Some(mark.marker),
        reason,
        confidence,
        ..Finding::new(Blame::Client, at(case, e))
    };
    match mark.says {
        Says::MimeRejected => Some(finding("the client refused this MIME type", 1.0)),
        Says::DecodeFailed if is_good_but_foreign(b) => {
            Some(finding("its bytes decode; its MIME type is none that the client can process", 0.9))
        }
        _ => None,
    }
}

/// Clean base64 whose declared or real type is no raster image.
fn is_good_but_foreign(b: &Block) -> bool {
    let real = if b.mime_sniffed.is_empty() { b.mime } else { b.mime_sniffed };
    b.is(Block::HAS_DATA) && !b.is(Block::BASE64_BAD) && !real.is_empty() && !is_raster_image(real.as_str())
}
