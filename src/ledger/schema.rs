//! The columns of the two tables: name, type, unit, meaning, and how each is taken from a verdict. This is the
//! only list: the tables are built from it and their documentation is printed from it.

use std::borrow::Cow;

use super::columns;
use crate::bytes::{SourceSet, Span};
use crate::event::Catalogue;
use crate::judge::{Fate, JudgedBlock, JudgedCall};

/// Version of the tables. Goes up when a column changes its name, type or meaning; a new column does not count.
pub const SCHEMA_VERSION: u32 = 1;
/// File of the table `calls` in a facts folder.
pub const CALLS_FILE: &str = "calls.parquet";
/// File of the table `blocks` in a facts folder.
pub const BLOCKS_FILE: &str = "blocks.parquet";

/// A row before it is cut into columns.
#[derive(Clone, Copy)]
pub struct Row<'a> {
    /// What the indices in the verdicts refer to.
    pub context: &'a Context<'a>,
    /// Position of the call in the run: the `#N` of reports.
    pub call_index: u32,
    /// The call.
    pub call: &'a JudgedCall,
    /// Its blocks.
    pub blocks: &'a [JudgedBlock],
    /// The block; `None` in the table `calls`.
    pub block: Option<&'a JudgedBlock>,
}

/// What verdicts point into.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Names of files.
    pub sources: &'a SourceSet,
    /// Names of markers.
    pub catalogue: &'a Catalogue,
}

/// How a column takes its value from a row. `None` becomes null.
#[derive(Clone, Copy)]
pub enum Take {
    /// UTF-8 text.
    Text(for<'a> fn(&Row<'a>) -> Option<Cow<'a, str>>),
    /// Unsigned 32-bit integer.
    U32(fn(&Row<'_>) -> Option<u32>),
    /// Unsigned 64-bit integer.
    U64(fn(&Row<'_>) -> Option<u64>),
    /// Signed 64-bit integer.
    I64(fn(&Row<'_>) -> Option<i64>),
    /// 64-bit float.
    F64(fn(&Row<'_>) -> Option<f64>),
    /// True or false.
    Bool(fn(&Row<'_>) -> Option<bool>),
}

impl Take {
    /// Name of the type in the documentation.
    pub fn type_name(self) -> &'static str {
        match self {
            Take::Text(_) => "text",
            Take::U32(_) => "u32",
            Take::U64(_) => "u64",
            Take::I64(_) => "i64",
            Take::F64(_) => "f64",
            Take::Bool(_) => "bool",
        }
    }
}

/// A column.
#[derive(Clone, Copy)]
pub struct Column {
    /// Name, `snake_case`.
    pub name: &'static str,
    /// Unit; empty for names and counts.
    pub unit: &'static str,
    /// What it means, for a person.
    pub meaning: &'static str,
    /// Where it comes from.
    pub take: Take,
}

/// A table.
pub struct Table {
    /// Name.
    pub name: &'static str,
    /// What a row is.
    pub about: &'static str,
    /// Columns, in groups.
    pub groups: &'static [&'static [Column]],
}

impl Table {
    /// All columns in order.
    pub fn columns(&self) -> impl Iterator<Item = &'static Column> {
        self.groups.iter().flat_map(|g| g.iter())
    }
}

/// The table of calls.
pub const CALLS: Table = Table {
    name: "calls",
    about: "one row a call: tools/call, resources/read, prompts/get, or a call that only a model log holds",
    groups: &[
        columns::CALL,
        columns::CALL_ONLY,
        columns::REQUEST,
        columns::RESPONSE,
        columns::OUTPUT,
        columns::ANSWER,
    ],
};

/// The table of blocks.
pub const BLOCKS: Table = Table {
    name: "blocks",
    about: "one row a content block that a server returned; structuredContent counts as one more block",
    groups: &[
        columns::CALL,
        columns::BLOCK_ONLY,
        columns::RETURNED,
        columns::RECEIVED,
        columns::KEPT,
        columns::DELIVERED,
    ],
};

/// Both tables.
pub const TABLES: [&Table; 2] = [&CALLS, &BLOCKS];

/// Fates put into classes that add up to all blocks: the columns of the reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// As it was.
    Delivered,
    /// In another form.
    Transformed,
    /// In part.
    Truncated,
    /// There, and gone later.
    Evicted,
    /// Never there although it should have been.
    Lost,
    /// Not meant to be there: withheld or superseded.
    ByDesign,
    /// The logs do not show it.
    Unobserved,
}

impl Outcome {
    /// All, in the order of the tables.
    pub const ALL: [Outcome; 7] = [
        Outcome::Delivered,
        Outcome::Transformed,
        Outcome::Truncated,
        Outcome::Evicted,
        Outcome::Lost,
        Outcome::ByDesign,
        Outcome::Unobserved,
    ];

    /// The class of a fate.
    pub fn of(fate: Fate) -> Outcome {
        match fate {
            Fate::Delivered => Outcome::Delivered,
            Fate::DeliveredTransformed => Outcome::Transformed,
            Fate::Truncated => Outcome::Truncated,
            Fate::Evicted => Outcome::Evicted,
            Fate::Unobserved => Outcome::Unobserved,
            f if f.is_lost() => Outcome::Lost,
            _ => Outcome::ByDesign,
        }
    }

    /// Stable name.
    pub fn id(self) -> &'static str {
        match self {
            Outcome::Delivered => "delivered",
            Outcome::Transformed => "transformed",
            Outcome::Truncated => "truncated",
            Outcome::Evicted => "evicted",
            Outcome::Lost => "lost",
            Outcome::ByDesign => "by-design",
            Outcome::Unobserved => "unobserved",
        }
    }
}

/// The name of the file that a span stands in; `None` for a span that points nowhere.
pub fn file_of<'a>(row: &Row<'a>, span: Span) -> Option<Cow<'a, str>> {
    (!span.is_none()).then(|| Cow::Borrowed(row.context.sources.name(span)))
}
