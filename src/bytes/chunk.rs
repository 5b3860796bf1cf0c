//! Cutting a file into pieces that workers parse on their own, always at the end of a line.

use std::ops::Range;

use memchr::memchr;

use super::Span;

/// A run of whole lines of one file.
#[derive(Clone, Copy, Debug)]
pub struct Chunk<'s> {
    /// Index of the file in the [`crate::bytes::SourceSet`].
    pub file: u32,
    /// Offset of `bytes` in the file.
    pub offset: u64,
    /// The lines, each ended by `\n` except perhaps the last.
    pub bytes: &'s [u8],
}

/// One line without its line end.
#[derive(Clone, Copy, Debug)]
pub struct Line<'s> {
    /// The bytes of the line, without `\n`, `\r\n` or a byte order mark at the start of the file.
    pub bytes: &'s [u8],
    /// Where `bytes` stand.
    pub span: Span,
}

impl<'s> Chunk<'s> {
    /// The lines of the chunk in order. A final `\n` does not open another, empty line.
    pub fn lines(self) -> impl Iterator<Item = Line<'s>> {
        let mut at = 0usize;
        std::iter::from_fn(move || {
            if at >= self.bytes.len() {
                return None;
            }
            let rest = &self.bytes[at..];
            let (mut line, step) = match memchr(b'\n', rest) {
                Some(n) => (&rest[..n], n + 1),
                None => (rest, rest.len()),
            };
            let mut start = at;
            at += step;
            if let [head @ .., b'\r'] = line {
                line = head;
            }
            if self.offset == 0
                && start == 0
                && let Some(tail) = line.strip_prefix(b"\xef\xbb\xbf")
            {
                line = tail;
                start = 3;
            }
            Some(Line { bytes: line, span: self.span_of(start, line.len()) })
        })
    }

    /// The span of `len` bytes that start `at` bytes into the chunk.
    pub fn span_of(&self, at: usize, len: usize) -> Span {
        Span { file: self.file, len: u32::try_from(len).unwrap_or(u32::MAX), offset: self.offset + at as u64 }
    }

    /// How many lines the chunk has, as [`Chunk::lines`] counts them.
    pub fn count_lines(&self) -> u64 {
        let ends = memchr::memchr_iter(b'\n', self.bytes).count() as u64;
        ends + u64::from(self.bytes.last().is_some_and(|&b| b != b'\n'))
    }
}

/// Ranges of about `target_bytes` each that cover `bytes` and end behind a line end.
pub fn cut(bytes: &[u8], target_bytes: usize) -> Vec<Range<usize>> {
    let mut out = Vec::with_capacity(bytes.len() / target_bytes.max(1) + 1);
    let mut start = 0;
    while start < bytes.len() {
        let mut end = (start + target_bytes.max(1)).min(bytes.len());
        if end < bytes.len() && bytes[end - 1] != b'\n' {
            end = memchr(b'\n', &bytes[end..]).map_or(bytes.len(), |n| end + n + 1);
        }
        out.push(start..end);
        start = end;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_cover_everything_at_line_ends() {
        let text = b"a\nbb\n\nccc\r\nlast";
        for target in 1..20 {
            let cuts = cut(text, target);
            assert_eq!(cuts.first().map(|r| r.start), Some(0));
            assert_eq!(cuts.last().map(|r| r.end), Some(text.len()));
            let lines: Vec<_> = cuts
                .iter()
                .flat_map(|r| Chunk { file: 0, offset: r.start as u64, bytes: &text[r.clone()] }.lines())
                .map(|l| l.bytes.to_vec())
                .collect();
            assert_eq!(lines, [&b"a"[..], b"bb", b"", b"ccc", b"last"], "target {target}");
        }
    }

    #[test]
    fn byte_order_mark_is_not_part_of_the_first_line() {
        let c = Chunk { file: 0, offset: 0, bytes: b"\xef\xbb\xbf{}\n" };
        let line = c.lines().next().map(|l| (l.bytes, l.span.offset));
        assert_eq!(line, Some((&b"{}"[..], 3)));
    }
}
