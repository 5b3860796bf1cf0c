//! mcploss: who lost the block? The stages of the pipeline, in the order in which the data flows.

#![deny(unsafe_code, missing_docs)]

pub mod app;
pub mod bytes;
pub mod dialect;
pub mod event;
pub mod join;
pub mod judge;
pub mod ledger;
pub mod measure;
pub mod report;
