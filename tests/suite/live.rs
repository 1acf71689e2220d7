//! Simulations that are driven while they run: what was done is saved as a scenario, which plays to
//! the same trace.

mod dice;
mod exact;
mod page;
mod sessions;
