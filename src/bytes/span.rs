//! Where something stands: the currency in which every later stage pays for its claims.

/// A byte range of one input file. 16 bytes, `Copy`; resolved to text by [`crate::bytes::SourceSet::text`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Index into the [`crate::bytes::SourceSet`].
    pub file: u32,
    /// Length in bytes.
    pub len: u32,
    /// Offset of the first byte in the (decompressed) file.
    pub offset: u64,
}

impl Span {
    /// The part of this span that starts `at` bytes in and is `len` bytes long.
    pub fn sub(self, at: u32, len: u32) -> Span {
        Span { file: self.file, len, offset: self.offset + u64::from(at) }
    }

    /// True for the default span, which points nowhere.
    pub fn is_none(self) -> bool {
        self.len == 0
    }
}
