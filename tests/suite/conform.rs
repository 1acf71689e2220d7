//! What `conform` holds: the situations that real players are shown, the scripts that show them,
//! and the results.

mod findings;
mod fit;
mod pages;
mod recipes;
mod recording;
pub(crate) mod report;
mod results;
mod suite;
