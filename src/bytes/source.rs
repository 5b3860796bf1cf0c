//! One opened input, and the set of all of them.

use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

use memmap2::Mmap;
use thiserror::Error;

use super::{Limits, Span, find::Place};

/// Why an input could not be opened. The run goes on with the others.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The operating system refused.
    #[error("{path}: cannot be read: {source}")]
    Io {
        /// The input's name.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// The compressed stream is damaged.
    #[error(
        "{path}: {kind} data is damaged after {good_bytes} bytes of text: {source}\n  what came before is analyzed"
    )]
    Damaged {
        /// The input's name.
        path: String,
        /// gzip or zstd.
        kind: &'static str,
        /// How much text was unpacked before the damage.
        good_bytes: u64,
        /// Why.
        source: io::Error,
    },
    /// A cap was hit.
    #[error(
        "{path}: unpacks to more than {limit} bytes; the rest is not read\n  raise the cap with --max-decompressed"
    )]
    TooBig {
        /// The input's name.
        path: String,
        /// The cap.
        limit: u64,
    },
}

enum Data {
    Map(Mmap),
    Empty,
}

/// One opened input.
pub struct Source {
    /// The name that the user sees.
    pub name: String,
    /// Size on disk in bytes (compressed size for compressed inputs).
    pub disk_bytes: u64,
    data: Data,
}

impl Source {
    /// The whole (decompressed) content.
    pub fn bytes(&self) -> &[u8] {
        match &self.data {
            Data::Map(m) => m,
            Data::Empty => &[],
        }
    }

    /// A source over bytes in memory, for tests, benches and small generated inputs.
    ///
    /// # Errors
    /// When no temporary file can be written.
    pub fn from_bytes(name: &str, bytes: &[u8]) -> io::Result<Source> {
        let mut file = tempfile::tempfile()?;
        file.write_all(bytes)?;
        Ok(Source { name: name.to_owned(), disk_bytes: bytes.len() as u64, data: map(&file)? })
    }
}

/// Opens one place. `Ok((source, Some(error)))` means that a part could be read.
///
/// # Errors
/// When nothing of it can be read.
pub fn open(place: &Place, limits: &Limits) -> Result<(Source, Option<OpenError>), OpenError> {
    let name = match place {
        Place::File(p) => p.display().to_string(),
        Place::Stdin => "stdin".to_owned(),
    };
    let io = |source| OpenError::Io { path: name.clone(), source };
    match place {
        Place::Stdin => {
            let (data, problem) = inflate(&name, io::stdin().lock(), limits).map_err(io)?;
            let disk_bytes = data_len(&data);
            Ok((Source { name, disk_bytes, data }, problem))
        }
        Place::File(path) => open_file(path, name.clone(), limits).map_err(io),
    }
}

fn open_file(path: &Path, name: String, limits: &Limits) -> io::Result<(Source, Option<OpenError>)> {
    let file = File::open(path)?;
    let meta = file.metadata()?;
    let disk_bytes = meta.len();
    // Pipes and devices have no length to map.
    let regular = meta.is_file();
    let magic = if regular { magic(&file)? } else { [0; 4] };
    let (data, problem) =
        if regular && !is_compressed(&magic) { (map(&file)?, None) } else { inflate(&name, file, limits)? };
    Ok((Source { name, disk_bytes, data }, problem))
}

fn magic(file: &File) -> io::Result<[u8; 4]> {
    use std::os::unix::fs::FileExt;
    let mut m = [0u8; 4];
    file.read_at(&mut m, 0)?;
    Ok(m)
}

fn is_compressed(magic: &[u8]) -> bool {
    magic.starts_with(&GZIP_MAGIC) || magic.starts_with(&ZSTD_MAGIC)
}

/// RFC 1952, section 2.3.1.
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
/// RFC 8878, section 3.1.1, little-endian 0xFD2FB528.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Reads `input` to its end into an unlinked temporary file, unpacking gzip and zstd, and maps that.
fn inflate(name: &str, mut input: impl Read, limits: &Limits) -> io::Result<(Data, Option<OpenError>)> {
    let mut head = Vec::with_capacity(4);
    input.by_ref().take(4).read_to_end(&mut head)?;
    let whole = io::Cursor::new(head.clone()).chain(input);
    if head.starts_with(&ZSTD_MAGIC) {
        spool(name, "zstd", zstd::stream::read::Decoder::new(whole)?, limits)
    } else if head.starts_with(&GZIP_MAGIC) {
        spool(name, "gzip", flate2::read::MultiGzDecoder::new(whole), limits)
    } else {
        spool(name, "plain", whole, limits)
    }
}

const SPOOL_BUFFER_BYTES: usize = 1 << 20;

fn spool(
    name: &str,
    kind: &'static str,
    mut input: impl Read,
    limits: &Limits,
) -> io::Result<(Data, Option<OpenError>)> {
    let file = tempfile::tempfile()?;
    let mut out = BufWriter::with_capacity(SPOOL_BUFFER_BYTES, &file);
    let mut buffer = vec![0u8; SPOOL_BUFFER_BYTES];
    let mut total = 0u64;
    let mut problem = None;
    loop {
        match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => {
                let room = limits.max_decompressed_bytes.saturating_sub(total);
                let take = (n as u64).min(room) as usize;
                out.write_all(&buffer[..take])?;
                total += take as u64;
                if take < n {
                    problem =
                        Some(OpenError::TooBig { path: name.to_owned(), limit: limits.max_decompressed_bytes });
                    break;
                }
            }
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(source) => {
                problem = Some(OpenError::Damaged { path: name.to_owned(), kind, good_bytes: total, source });
                break;
            }
        }
    }
    out.flush()?;
    drop(out);
    Ok((map(&file)?, problem))
}

fn data_len(data: &Data) -> u64 {
    match data {
        Data::Map(m) => m.len() as u64,
        Data::Empty => 0,
    }
}

#[expect(unsafe_code, reason = "memory mapping, the one place")]
fn map(file: &File) -> io::Result<Data> {
    if file.metadata()?.len() == 0 {
        return Ok(Data::Empty);
    }
    // SAFETY: the map is read-only and private to this process. A file that grows is fine: the map keeps the
    // length it had. A file that another process cuts short while it is read can raise SIGBUS: the README
    // says so, and copying the file first is the way out.
    let map = unsafe { Mmap::map(file)? };
    Ok(Data::Map(map))
}

/// All inputs of a run; spans index into it.
#[derive(Default)]
pub struct SourceSet {
    /// In the order in which they were opened; a [`Span::file`] is an index into this.
    pub sources: Vec<Source>,
}

impl SourceSet {
    /// The bytes that a span names; empty when it points outside.
    pub fn text(&self, span: Span) -> &[u8] {
        let Some(source) = self.sources.get(span.file as usize) else { return &[] };
        let start = usize::try_from(span.offset).unwrap_or(usize::MAX);
        source.bytes().get(start..start.saturating_add(span.len as usize)).unwrap_or(&[])
    }

    /// The name of the file that a span stands in.
    pub fn name(&self, span: Span) -> &str {
        self.sources.get(span.file as usize).map_or("?", |s| s.name.as_str())
    }

    /// The line number (from 1) of the first byte of a span. Scans from the start of the file: for the few
    /// spans that a person looks at.
    pub fn line_number(&self, span: Span) -> u64 {
        let Some(source) = self.sources.get(span.file as usize) else { return 0 };
        let end = usize::try_from(span.offset).unwrap_or(usize::MAX).min(source.bytes().len());
        1 + memchr::memchr_iter(b'\n', &source.bytes()[..end]).count() as u64
    }

    /// `file:line` of a span, as compilers print it.
    pub fn place(&self, span: Span) -> String {
        format!("{}:{}", self.name(span), self.line_number(span))
    }

    /// The whole line around a span, without its line end.
    pub fn line_text(&self, span: Span) -> &[u8] {
        let Some(source) = self.sources.get(span.file as usize) else { return &[] };
        let bytes = source.bytes();
        let at = usize::try_from(span.offset).unwrap_or(usize::MAX).min(bytes.len());
        let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |n| n + 1);
        let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |n| at + n);
        &bytes[start..end]
    }
}
