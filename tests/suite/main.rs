//! All tests that are functions, except for the random sessions in `tests/properties` and those of
//! real documents in `tests/corpus`.
//!
//! They are one binary, because each binary links the whole library. Each module is a subject, and
//! its name begins those of its tests. All of them may run at once: none sets the environment or
//! the current folder, and the allocations that some of them measure are counted for each thread.

#![allow(
    clippy::too_many_lines,
    reason = "a test tells one story from beginning to end"
)]

mod check;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "yaml")]
mod conform;
mod corpus_mutations;
#[cfg(all(feature = "cli", feature = "serve"))]
mod docs;
#[cfg(feature = "cli")]
mod earlier_versions;
mod edit;
mod element;
mod elements;
#[cfg(all(feature = "cli", feature = "fetch"))]
mod fetch;
#[cfg(feature = "yaml")]
mod literal;
mod macros;
mod matrix;
#[cfg(all(feature = "cli", feature = "origin"))]
mod origin;
#[cfg(feature = "yaml")]
mod page;
#[cfg(feature = "yaml")]
mod products;
mod reading_limits;
#[cfg(all(feature = "import", feature = "yaml"))]
mod recordings;
#[cfg(feature = "yaml")]
mod scenario;
#[cfg(all(feature = "cli", feature = "serve"))]
mod serve;
mod tidy;
mod vast_limits;
