//! Finds the positions of values in JSON text.
//!
//! The JSON parser reports no positions, but it does return the raw text of every value, and where that is
//! within the whole is its position. Numbers stay exactly as they are written.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// The names and raw values of an object, in their order, including duplicates.
pub(crate) struct Entries<'a>(pub(crate) Vec<(String, &'a RawValue)>);

/// The byte range of a piece within the whole string.
pub(crate) fn range(text: &str, piece: &str) -> Range<usize> {
    let start = piece.as_ptr().addr() - text.as_ptr().addr();
    start..start + piece.len()
}

/// The byte range of the key before the value that begins at `value`. Quotes within a key are always escaped.
pub(crate) fn key_before(text: &str, value: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let end = bytes[..value].iter().rposition(|byte| *byte == b'"').unwrap_or(0);
    let is_opening = |at: &usize| {
        let escapes = bytes[..*at].iter().rev().take_while(|byte| **byte == b'\\').count();
        bytes[*at] == b'"' && escapes % 2 == 0
    };
    let start = (0..end).rev().find(is_opening).unwrap_or(end);
    start..end + 1
}

/// The parser's message about the piece of `text` that begins at `base`, after the byte that it refers to.
///
/// The parser counts columns in bytes, from the start of that piece.
pub(crate) fn fault(text: &str, base: usize, error: &serde_json::Error) -> (usize, String) {
    let piece = &text[base..];
    let line_start: usize =
        piece.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let mut at = (base + line_start + error.column().saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let message = error.to_string();
    let message = message.rsplit_once(" at line ").map_or(message.as_str(), |(message, _)| message);
    (at, message.to_owned())
}

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Entries<'de>, D::Error> {
        struct EntriesVisitor;

        impl<'de> Visitor<'de> for EntriesVisitor {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<'de>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        deserializer.deserialize_map(EntriesVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_and_its_key_have_positions() {
        let text = r#" { "a\"b" : [1], "c": 2.50 }"#;
        let Entries(entries) = serde_json::from_str(text).expect("it is an object");
        let names: Vec<&str> = entries.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a\"b", "c"]);
        let (first, second) = (range(text, entries[0].1.get()), range(text, entries[1].1.get()));
        assert_eq!((&text[first.clone()], &text[second]), ("[1]", "2.50"));
        assert_eq!(&text[key_before(text, first.start)], r#""a\"b""#);
    }

    #[test]
    fn a_fault_has_its_byte_in_the_whole_string() {
        let text = "[\n\u{e9} {]";
        let error = serde_json::from_str::<Entries<'_>>(&text[5..]).err().expect("it is not an object");
        assert_eq!(fault(text, 5, &error), (6, "key must be a string".to_owned()));
    }
}
