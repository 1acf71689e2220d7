//! What `conform` holds: the situations that real players are shown.

mod pages;
mod suite;
