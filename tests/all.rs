//! All integration tests are one program: Polars is linked once.

mod cases;
mod corpus;
mod support;
