//! What the form of scenarios has room for and this version does not play.
//!
//! It is refused with a word on what can be written instead, never passed over.

use crate::rules;

/// Whether the rules name this knob.
pub(super) fn is_knob(name: &str) -> bool {
    rules::all().any(|rule| rule.row().knob.split(", ").any(|knob| knob == name))
}
