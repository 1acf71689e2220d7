//! The public API of each crate, listed in `listed`, so that a change is seen. `cargo test`
//! compares.
