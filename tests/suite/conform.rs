//! What `conform` holds: the situations that real players are shown.

mod pages;
mod recording;
mod report;
mod suite;
