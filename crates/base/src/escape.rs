//! Escapes control characters, so that they are visible and have no effect.
//!
//! A terminal obeys control characters, and bidirectional overrides change the order in which text
//! is displayed. Documents and scenarios may contain both. Everything printed for people shows such
//! characters as Rust writes them in a string, `\u{1b}`; JSON uses the escapes of its own grammar,
//! `\u001b`.
//!
//! Rule TRACE-9.

use std::borrow::Cow;
use std::fmt::{self, Write};

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode};

/// The characters that are percent-encoded in a component of a URL: all but the unreserved ones of
/// RFC 3986.
pub const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Formats a word for a message: shortened, and with line ends escaped.
pub fn shown(word: &str) -> String {
    const LONGEST: usize = 60;
    let end = word
        .char_indices()
        .nth(LONGEST)
        .map_or(word.len(), |(end, _)| end);
    let more = if end < word.len() { "..." } else { "" };
    format!("{}{more}", line(&word[..end]))
}

/// Percent-decodes a string; `None` if the result is not UTF-8. A percent sign without two digits
/// is kept.
pub fn percent_decoded(bytes: &[u8]) -> Option<String> {
    String::from_utf8(percent_decode(bytes).collect()).ok()
}

/// Whether a character is invisible and affects the text around it: C0, DEL and C1 controls, the
/// characters that Unicode calls `Bidi_Control`, line and paragraph separators, and the byte-order
/// mark.
#[must_use]
pub const fn is_control(letter: char) -> bool {
    matches!(
        letter,
        '\0'..='\u{1f}'
            | '\u{7f}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200e}'
            | '\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}'
            | '\u{feff}'
    )
}

/// Escapes every control character, including line ends, so that the result is one line.
#[must_use]
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, is_control, write_plain)
}

/// Escapes every control character except the line feed.
#[must_use]
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(
        text,
        |letter| letter != '\n' && is_control(letter),
        write_plain,
    )
}

/// Quotes and escapes a string as in source code.
#[must_use]
pub fn quoted(text: &str) -> String {
    let text = escaped(
        text,
        |letter| matches!(letter, '"' | '\\') || is_control(letter),
        write_plain,
    );
    format!("\"{text}\"")
}

/// Escapes a JSON document in which control characters occur in strings only: those that JSON
/// permits unescaped are escaped by its grammar. White space between values is kept.
#[must_use]
pub fn json(document: &str) -> Cow<'_, str> {
    let is_let_through = |letter| letter > '\u{1f}' && is_control(letter);
    escaped(document, is_let_through, |letter, out| {
        write!(out, "\\u{:04x}", u32::from(letter))
    })
}

fn write_plain(letter: char, out: &mut String) -> fmt::Result {
    match letter {
        '\n' => out.write_str("\\n"),
        '\r' => out.write_str("\\r"),
        '\t' => out.write_str("\\t"),
        '"' => out.write_str("\\\""),
        '\\' => out.write_str("\\\\"),
        _ => write!(out, "\\u{{{:x}}}", u32::from(letter)),
    }
}

fn escaped(
    text: &str,
    is_escaped: impl Fn(char) -> bool,
    write: impl Fn(char, &mut String) -> fmt::Result,
) -> Cow<'_, str> {
    let Some(first) = text.find(&is_escaped) else {
        return Cow::Borrowed(text);
    };
    let mut out = String::with_capacity(text.len() + 16);
    out.push_str(&text[..first]);
    for letter in text[first..].chars() {
        if is_escaped(letter) {
            // Writing to a string cannot fail.
            let _ = write(letter, &mut out);
        } else {
            out.push(letter);
        }
    }
    Cow::Owned(out)
}

/// A writer that escapes everything like [`lines`].
pub struct Lines<'a, W>(pub &'a mut W);

impl<W: Write> Write for Lines<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.write_str(&lines(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOSTILE: &str =
        "a\u{1b}[2J\u{7f}\u{9b}\u{202e}\u{2066}\u{feff}\u{2028}\r\n\t\0\u{e9}\u{1f600}";

    #[test]
    fn control_characters_are_escaped_and_visible_characters_stay() {
        let shown = "a\\u{1b}[2J\\u{7f}\\u{9b}\\u{202e}\\u{2066}\\u{feff}\\u{2028}";
        assert_eq!(
            line(HOSTILE),
            format!("{shown}\\r\\n\\t\\u{{0}}\u{e9}\u{1f600}")
        );
        assert_eq!(
            lines(HOSTILE),
            format!("{shown}\\r\n\\t\\u{{0}}\u{e9}\u{1f600}")
        );
        assert_eq!(quoted("a\"\\\u{1b}"), "\"a\\\"\\\\\\u{1b}\"");
        assert!(matches!(line("na\u{ef}ve"), Cow::Borrowed(_)));
    }

    #[test]
    fn json_keeps_its_meaning_and_its_white_space() {
        let document = serde_json::to_string_pretty(&[HOSTILE]).expect("a list of strings");
        let written = json(&document);
        assert!(
            !written
                .chars()
                .any(|letter| letter != '\n' && is_control(letter)),
            "{written}"
        );
        assert_eq!(
            serde_json::from_str::<[String; 1]>(&written).expect("it is JSON"),
            [HOSTILE]
        );
    }

    #[test]
    fn a_writer_escapes_everything_written_to_it() {
        let mut out = String::new();
        writeln!(Lines(&mut out), "{:>4}|\u{1b}", "\u{7}")
            .expect("writing to a string cannot fail");
        assert_eq!(out, "   \\u{7}|\\u{1b}\n");
    }
}
