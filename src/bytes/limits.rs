//! Caps on what an input may cost. Logs are hostile: a cap is reported when it bites, and the rest goes on.

/// How deep JSON may nest before a line counts as not understood (the same order as serde_json's 128).
pub const MAX_DEPTH: u32 = 192;

/// Caps on one run's input.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Longest line that is parsed, in bytes; longer ones are counted as [`crate::bytes::Skip::TooLong`].
    pub max_line_bytes: u64,
    /// Most bytes that one compressed input may unpack to; the rest of it is refused.
    pub max_decompressed_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits { max_line_bytes: 1 << 30, max_decompressed_bytes: 64 << 30 }
    }
}
