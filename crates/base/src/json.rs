//! Finds the positions of values in JSON text.
//!
//! The JSON parser reports no positions, but it returns the raw text of every value as a slice of
//! the input. The start of the slice is the position. Numbers are kept exactly as written.

use std::fmt;
use std::ops::Range;

use serde::de::{self, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;

/// Why a walk over an object or a list ended early.
pub enum Stopped<E> {
    /// Its text is not JSON.
    Syntax(serde_json::Error),
    /// The caller refused a part of it.
    Refused(E),
}

/// The byte range of a piece within the whole string.
pub fn range(text: &str, piece: &str) -> Range<usize> {
    let start = piece.as_ptr().addr() - text.as_ptr().addr();
    start..start + piece.len()
}

/// The byte range of the key before the value that begins at `value`. Quotes within a key are
/// always escaped.
pub fn key_before(text: &str, value: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let end = bytes[..value]
        .iter()
        .rposition(|byte| *byte == b'"')
        .unwrap_or(0);
    let is_opening = |at: &usize| {
        let escapes = bytes[..*at]
            .iter()
            .rev()
            .take_while(|byte| **byte == b'\\')
            .count();
        bytes[*at] == b'"' && escapes % 2 == 0
    };
    let start = (0..end).rev().find(is_opening).unwrap_or(end);
    start..end + 1
}

/// Returns the byte offset in `text` of a parser error, and its message.
///
/// `base` is the offset of the piece that was parsed: the parser counts columns in bytes from its
/// start.
pub fn fault(text: &str, base: usize, error: &serde_json::Error) -> (usize, String) {
    let piece = &text[base..];
    let line_start: usize = piece
        .split_inclusive('\n')
        .take(error.line().saturating_sub(1))
        .map(str::len)
        .sum();
    let mut at = (base + line_start + error.column().saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let message = error.to_string();
    let message = message
        .rsplit_once(" at line ")
        .map_or(message.as_str(), |(message, _)| message);
    (at, message.to_owned())
}

/// Calls `each` with the parts of an object or a list: the name, if it is an object, and the raw
/// value, in their order, including duplicates. Nothing is collected, so a caller with a limit can
/// stop before using much memory.
///
/// # Errors
///
/// Text that is neither an object nor a list, or what `each` returns.
pub fn each_part<'a, E>(
    piece: &'a str,
    each: impl FnMut(Option<String>, &'a RawValue) -> Result<(), E>,
) -> Result<(), Stopped<E>> {
    let mut refused = None;
    let mut deserializer = serde_json::Deserializer::from_str(piece);
    let walked = deserializer.deserialize_any(Parts {
        each,
        refused: &mut refused,
    });
    match (refused, walked.and_then(|()| deserializer.end())) {
        (Some(error), _) => Err(Stopped::Refused(error)),
        (None, walked) => walked.map_err(Stopped::Syntax),
    }
}

struct Parts<'r, F, E> {
    each: F,
    refused: &'r mut Option<E>,
}

impl<F, E> Parts<'_, F, E> {
    /// Stops the parser, which only accepts errors of its own type, and keeps the caller's error.
    fn stop<X: de::Error>(&mut self, error: E) -> X {
        *self.refused = Some(error);
        de::Error::custom("refused")
    }
}

impl<'de, E, F: FnMut(Option<String>, &'de RawValue) -> Result<(), E>> Visitor<'de>
    for Parts<'_, F, E>
{
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object or a list")
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some((name, value)) = map.next_entry()? {
            (self.each)(Some(name), value).map_err(|error| self.stop(error))?;
        }
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut list: A) -> Result<(), A::Error> {
        while let Some(value) = list.next_element()? {
            (self.each)(None, value).map_err(|error| self.stop(error))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_and_its_key_have_positions() {
        let text = r#" { "a\"b" : [1], "c": 2.50 }"#;
        let mut entries = Vec::new();
        let walked = each_part(text, |name, value| {
            entries.push((name.unwrap_or_default(), value));
            Ok::<(), ()>(())
        });
        assert!(walked.is_ok());
        let names: Vec<&str> = entries.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a\"b", "c"]);
        let (first, second) = (
            range(text, entries[0].1.get()),
            range(text, entries[1].1.get()),
        );
        assert_eq!((&text[first.clone()], &text[second]), ("[1]", "2.50"));
        assert_eq!(&text[key_before(text, first.start)], r#""a\"b""#);
    }

    #[test]
    fn a_refused_part_ends_the_walk() {
        let mut seen = 0;
        let walked = each_part("[1, 2, {]", |_, value| {
            seen += 1;
            if value.get() == "2" {
                Err("two")
            } else {
                Ok(())
            }
        });
        assert!(matches!(walked, Err(Stopped::Refused("two"))));
        assert_eq!(seen, 2);
    }

    #[test]
    fn a_fault_has_its_byte_in_the_whole_string() {
        let text = "[\n\u{e9} {]";
        let error =
            each_part(&text[5..], |_, _| Ok::<(), ()>(())).expect_err("it is not an object");
        let Stopped::Syntax(error) = error else {
            panic!("nothing was refused")
        };
        assert_eq!(
            fault(text, 5, &error),
            (6, "key must be a string".to_owned())
        );
    }
}
