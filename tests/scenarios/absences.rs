//! Tests of rules that leave no line of their own: an absence, an order, a returned value.
//!
//! Each plays a small scenario and asserts what the rules it names say. The names count as what shows
//! them.

mod ads;
mod around;
mod calls;
mod changes;
mod comparing;
mod content;
mod desk;
mod edit;
mod edit_effects;
mod edit_fields;
mod every_player;
mod every_trace;
mod exports;
mod listeners;
mod macros;
mod media;
mod support;
mod units;

/// A test that shows rules.
pub(crate) struct Absence {
    /// What it asserts, as a sentence.
    pub(crate) name: &'static str,
    /// The rules that it asserts.
    pub(crate) rules: &'static [&'static str],
    /// The test.
    pub(crate) check: fn() -> Result<(), String>,
}

/// All of them.
pub(crate) fn all() -> impl Iterator<Item = &'static Absence> {
    [
        content::ALL,
        around::ALL,
        around::LAWS,
        calls::ALL,
        changes::ALL,
        listeners::ALL,
        macros::ALL,
        media::ALL,
        every_trace::ALL,
        every_player::ALL,
        ads::ALL,
        ads::TALES,
        comparing::ALL,
        exports::ALL,
        units::ALL,
        edit::ALL,
        edit_fields::ALL,
        edit_effects::ALL,
    ]
    .into_iter()
    .flatten()
}
