//! All integration tests are one program: Polars is linked once.

mod corpus;
