//! Stage 1 of 9: bytes. Opens what the user named and hands out whole lines with their place in the file.
//!
//! Everything downstream points back here with a [`Span`]: payloads are neither copied nor kept, so memory
//! grows with the number of blocks and never with their size. Plain files are memory-mapped; what cannot be
//! mapped (stdin, `.gz`, `.zst`) is spooled into an unlinked temporary file and mapped from there.

pub mod accounting;
pub mod chunk;
pub mod find;
pub mod json;
pub mod limits;
pub mod source;
pub mod span;

pub use accounting::{Accounting, Skip};
pub use chunk::{Chunk, Line};
pub use limits::Limits;
pub use source::{Source, SourceSet};
pub use span::Span;
