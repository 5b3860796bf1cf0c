//! Decodes the text of a record again, from the file's bytes alone: see [`Codec`].

use std::borrow::Cow;

use base64_simd::forgiving_decode_to_vec;

use super::raw::Codec;
use crate::bytes::json::text_of;

/// The decoded text of a record. What cannot be decoded comes back as it is.
pub fn decode(codec: Codec, bytes: &[u8]) -> Cow<'_, [u8]> {
    match codec {
        Codec::Plain => bytes.into(),
        Codec::JsonString => text_of(bytes),
        Codec::Base64 => forgiving_decode_to_vec(&text_of(bytes)).map_or(bytes.into(), Cow::Owned),
        Codec::SlogBuffers => super::github_mcp_server::joined(bytes).into(),
        // Dialects that need one of these bring its decoder.
        Codec::GoQuoted => super::github_mcp_server::go_unquote(bytes).into(),
        Codec::PythonRepr | Codec::EventStream | Codec::Wrapped | Codec::JsonEventStream | Codec::RustDebug => {
            bytes.into()
        }
    }
}
