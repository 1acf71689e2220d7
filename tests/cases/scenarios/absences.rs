//! Tests of rules that leave no line of their own: an absence, an order, a returned value.
//!
//! Each plays a small scenario and checks the rules it names. Its name is listed as evidence for
//! them.

mod ads;
mod around;
mod break_numbers;
mod calls;
mod changes;
mod comparing;
mod content;
mod desk;
mod edit;
mod edit_effects;
mod edit_fields;
mod escapes;
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
    /// What it checks, as a sentence.
    pub(crate) name: &'static str,
    /// The rules that it checks.
    pub(crate) rules: &'static [&'static str],
    /// The test.
    pub(crate) check: fn() -> Result<(), String>,
}

/// All such tests.
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
        ads::TRACES,
        comparing::ALL,
        exports::ALL,
        break_numbers::ALL,
        escapes::ALL,
        units::ALL,
        edit::ALL,
        edit_fields::ALL,
        edit_effects::ALL,
    ]
    .into_iter()
    .flatten()
}
