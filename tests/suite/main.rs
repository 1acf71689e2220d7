//! All tests of whole sessions that are functions; those that are files are in `tests/cases`.
//!
//! They are one binary, because each binary links the whole library. Each module is a subject, and
//! its name begins those of its tests. All of them may run at once: none sets the environment or
//! the current folder, and the allocations that some of them measure are counted for each thread.

#![allow(
    clippy::too_many_lines,
    reason = "a test tells one story from beginning to end"
)]

mod check;
mod cli;
mod conform;
mod corpus_mutations;
mod docs;
mod earlier_versions;
mod edit;
mod element;
mod elements;
mod fetch;
#[path = "../shared/json_schema.rs"]
mod json_schema;
mod literal;
mod live;
mod macros;
mod matrix;
mod nightly;
mod origin;
mod page;
mod products;
mod properties;
mod reading_limits;
mod recordings;
mod scenario;
mod serve;
mod tidy;
mod vast_limits;
