//! Stage 8 of 9: report. Numbers and facts as something to read, one file a form.
//!
//! Does no arithmetic beyond rounding. Everything that comes from a log passes [`escape`] on its way out.

pub mod escape;
pub mod explain;
pub mod facts_schema;
pub mod formats;
pub mod json;
pub mod mask;
pub mod place;
pub mod plot;
pub mod rules;
pub mod style;
mod table;
pub mod terminal;

pub use place::Places;
pub use style::Style;

use crate::measure::{Inputs, Summary};

/// What a report is made from.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The numbers.
    pub summary: &'a Summary,
    /// What was read.
    pub inputs: &'a Inputs,
    /// From byte offsets to lines.
    pub places: &'a Places<'a>,
}
