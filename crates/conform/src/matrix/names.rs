//! Names in ids, and long names that may be broken.

use std::collections::BTreeSet;

use maud::Render;

use playsim_base::html::Text;
use playsim_base::words::seconds;

/// The longest name in an id.
const LONGEST: usize = 80;

/// The ids that are taken.
#[derive(Debug, Default)]
pub(super) struct Ids(BTreeSet<String>);

impl Ids {
    /// Returns an id for a name: its letters, digits, dots and underscores, never with two hyphens
    /// in a row.
    pub(super) fn of(&mut self, name: &str) -> String {
        let mut id = String::new();
        for letter in name.chars() {
            if letter.is_ascii_alphanumeric() || letter == '_' || letter == '.' {
                id.push(letter);
            } else if !id.ends_with('-') && !id.is_empty() {
                id.push('-');
            }
            if id.len() >= LONGEST {
                break;
            }
        }
        let base = match id.trim_end_matches('-') {
            "" => "unnamed".to_owned(),
            id => id.to_owned(),
        };
        let mut id = base.clone();
        let mut number = 2;
        while !self.0.insert(id.clone()) {
            id = format!("{base}-{number}");
            number += 1;
        }
        id
    }
}

/// A name that may be broken after dots, slashes, underscores and equals signs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Broken<'a>(pub(super) &'a str);

impl Render for Broken<'_> {
    fn render_to(&self, buffer: &mut String) {
        for part in self.0.split_inclusive(['_', '.', '/', '=']) {
            Text(part).render_to(buffer);
            if part.ends_with(['_', '.', '/', '=']) {
                buffer.push_str("<wbr/>");
            }
        }
    }
}

/// A time since the start in seconds; before it, negative.
pub(super) fn since_start(at_us: i64) -> String {
    let sign = if at_us < 0 { "\u{2212}" } else { "" };
    format!("{sign}{}", seconds(at_us.unsigned_abs()))
}
