//! No code; see `Cargo.toml`.

fn main() {}
