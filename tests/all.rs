//! All integration tests are one program: Polars is linked once.

mod architecture;
mod buffers;
mod cases;
mod cli;
mod conservation;
mod corpus;
mod facts;
mod fixture;
mod hostile;
mod judge_props;
mod report_golden;
mod reports;
mod support;
