//! Writes compact JSON: the form in which a scenario is written and its digest computed.
//!
//! A scenario made in Rust is checked in the same way: its forms, which know the bounds of their
//! values, write it, and refuse a value that no file could hold.

use std::fmt::Write;
use std::sync::Arc;

use super::ScenarioError;
use super::read::reading::is_file_path;
use playsim_base::number::{Decimal, LONGEST};
use playsim_base::time::Span;

/// Writes compact JSON.
pub(super) struct Writer {
    text: String,
    /// Whether the next value is the first in its list or object, and needs no comma.
    is_first: bool,
    is_canonical: bool,
    /// What is known of the value if it is only checked.
    checking: Option<Checking>,
    /// The files that were named so far.
    pub(super) files: Vec<(Arc<str>, Arc<str>)>,
}

/// Where the writer is in a scenario that is only checked, and the first value that is refused.
#[derive(Default)]
struct Checking {
    part: String,
    name: String,
    refused: Option<ScenarioError>,
}

/// The initial capacity for everything except bodies; most scenarios need less.
const ROOM: usize = 2 * 1024;

impl Writer {
    /// Returns a writer for JSON that can be read again.
    pub(super) fn text_form() -> Writer {
        Writer {
            text: String::new(),
            is_first: true,
            is_canonical: false,
            checking: None,
            files: Vec::new(),
        }
    }

    /// Returns a writer for a digest: with the contents of files, which have this many bytes, and
    /// with values that cannot be read again.
    pub(super) fn canonical(bodies: usize) -> Writer {
        Writer {
            text: String::with_capacity(ROOM + bodies),
            is_canonical: true,
            ..Writer::text_form()
        }
    }

    /// Returns a writer that only checks values.
    pub(super) fn checking() -> Writer {
        Writer {
            checking: Some(Checking::default()),
            ..Writer::text_form()
        }
    }

    /// Whether this only checks values.
    pub(super) fn is_checking(&self) -> bool {
        self.checking.is_some()
    }

    /// Says which part of the scenario the next values are in, for messages.
    pub(super) fn part(&mut self, part: impl FnOnce() -> String) {
        if let Some(checking) = &mut self.checking {
            checking.part = part();
        }
    }

    /// Says what the next value is called in messages.
    pub(super) fn name(&mut self, name: &str) {
        if let Some(checking) = &mut self.checking {
            checking.name.clear();
            checking.name.push_str(name);
        }
    }

    /// Refuses the value that is written next, if values are checked and `why` returns a message;
    /// it is given the name of the value.
    pub(super) fn refuse(&mut self, why: impl FnOnce(&str) -> Option<String>) {
        if let Some(checking) = &mut self.checking
            && checking.refused.is_none()
            && let Some(message) = why(&checking.name)
        {
            checking.refused = Some(ScenarioError::OutOfBounds {
                part: checking.part.clone(),
                message,
            });
        }
    }

    /// Refuses what is written next with this message, if values are checked.
    pub(super) fn refuse_if(&mut self, is_wrong: bool, message: &str) {
        self.refuse(|_| is_wrong.then(|| message.to_owned()));
    }

    /// Returns the first value that was refused.
    pub(super) fn checked(self) -> Result<(), ScenarioError> {
        let refused = self.checking.and_then(|checking| checking.refused);
        refused.map_or(Ok(()), Err)
    }

    /// Whether this is for a digest.
    pub(super) fn is_canonical(&self) -> bool {
        self.is_canonical
    }

    /// Returns the output.
    pub(super) fn end(self) -> String {
        self.text
    }

    /// Writes `null`.
    pub(super) fn null(&mut self) {
        self.begin().push_str("null");
    }

    /// Writes `true` or `false`.
    pub(super) fn truth(&mut self, truth: bool) {
        self.begin().push_str(if truth { "true" } else { "false" });
    }

    /// Writes a whole number.
    pub(super) fn number(&mut self, number: u64) {
        let _ = write!(self.begin(), "{number}");
    }

    /// Writes a decimal number.
    pub(super) fn decimal(&mut self, number: Decimal) {
        self.begin().push_str(number.written(&mut [0; LONGEST]));
    }

    /// Writes a length of time with its unit. One that is too long to be read back is written in
    /// full, so that it is refused then.
    pub(super) fn span(&mut self, span: Span) {
        self.refuse(|name| {
            let most = Span::LONGEST;
            (span > most).then(|| format!("\"{name}\" is too long; it must be at most {most} s"))
        });
        let out = self.begin();
        out.push('"');
        match i64::try_from(span.micros()) {
            Ok(micros) => out.push_str(Decimal::from_millionths(micros).written(&mut [0; LONGEST])),
            Err(_) => _ = write!(out, "{span}"),
        }
        out.push_str("s\"");
    }

    /// Writes a string that must not be empty.
    pub(super) fn filled(&mut self, text: &str) {
        self.refuse_empty(text);
        self.text(text);
    }

    /// Refuses an empty name.
    pub(super) fn refuse_empty(&mut self, text: &str) {
        let is_empty = text.is_empty();
        self.refuse(|name| is_empty.then(|| format!("\"{name}\" must not be empty")));
    }

    /// Writes a string.
    pub(super) fn text(&mut self, text: &str) {
        quote(text, self.begin());
    }

    /// Writes a list of what `items` writes.
    pub(super) fn list(&mut self, items: impl FnOnce(&mut Writer)) {
        self.begin().push('[');
        self.is_first = true;
        items(self);
        self.text.push(']');
        self.is_first = false;
    }

    /// Writes an object of what `fields` writes.
    pub(super) fn object(&mut self, fields: impl FnOnce(&mut Writer)) {
        self.begin().push('{');
        self.is_first = true;
        fields(self);
        self.text.push('}');
        self.is_first = false;
    }

    /// Writes the key of the next value.
    pub(super) fn key(&mut self, key: &str) {
        self.name(key);
        quote(key, self.begin());
        self.text.push(':');
        self.is_first = true;
    }

    /// Writes the key of the next value, a word of a table: nothing in it is escaped.
    pub(super) fn field(&mut self, key: &'static str) {
        debug_assert!(first_escaped(key.as_bytes()).is_none(), "{key}");
        self.name(key);
        let out = self.begin();
        out.push('"');
        out.push_str(key);
        out.push_str("\":");
        self.is_first = true;
    }

    /// Writes the body of a response: the name of its file, or the body itself.
    pub(super) fn body(&mut self, name: &Arc<str>, text: &Arc<str>) {
        // Bodies are long, and any text is one.
        if self.is_checking() {
            return;
        }
        let is_file = !name.is_empty() && (self.is_canonical || self.takes_file(name, text));
        if is_file {
            self.field("file");
            self.text(name);
        }
        if !text.is_empty() && (!is_file || self.is_canonical) {
            self.field("text");
            self.text(text);
        }
    }

    /// Whether the body can be written as a file of this name.
    fn takes_file(&mut self, name: &Arc<str>, text: &Arc<str>) -> bool {
        if let Some((_, known)) = self.files.iter().find(|(known, _)| known == name) {
            return known == text;
        }
        let is_path = is_file_path(name);
        if is_path {
            self.files.push((Arc::clone(name), Arc::clone(text)));
        }
        is_path
    }

    /// Returns the output, ready for a value or a key.
    fn begin(&mut self) -> &mut String {
        if self.is_checking() {
            self.text.clear();
        } else if !self.is_first {
            self.text.push(',');
        }
        self.is_first = false;
        &mut self.text
    }
}

/// Appends a JSON string.
pub(super) fn quote(text: &str, out: &mut String) {
    out.push('"');
    escape(text, out);
    out.push('"');
}

fn escape(text: &str, out: &mut String) {
    let mut rest = text;
    // All of them are characters of one byte, and most text lies between them.
    while let Some(at) = first_escaped(rest.as_bytes()) {
        out.push_str(&rest[..at]);
        match rest.as_bytes()[at] {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            other => _ = write!(out, "\\u{other:04x}"),
        }
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
}

/// The bytes that are escaped in a JSON string.
const ESCAPED: [bool; 256] = {
    let mut escaped = [false; 256];
    let mut byte = 0;
    while byte < b' ' as usize {
        escaped[byte] = true;
        byte += 1;
    }
    escaped[b'"' as usize] = true;
    escaped[b'\\' as usize] = true;
    escaped
};

/// Returns the index of the first byte that is escaped. Long texts are looked at in strides, which
/// processors compare at once.
fn first_escaped(bytes: &[u8]) -> Option<usize> {
    const STRIDE: usize = 32;
    let is_escaped = |byte: u8| (byte < b' ') | (byte == b'"') | (byte == b'\\');
    let is_clean = |stride: &&[u8]| {
        !stride
            .iter()
            .fold(false, |any, byte| any | is_escaped(*byte))
    };
    let from = STRIDE * bytes.chunks_exact(STRIDE).take_while(is_clean).count();
    bytes[from..]
        .iter()
        .position(|byte| ESCAPED[usize::from(*byte)])
        .map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_those_of_json_wherever_they_are() {
        for filler in ["", "x", "\u{e9}", &"y".repeat(31), &"z".repeat(70)] {
            for code in 0..=0xff_u32 {
                let text = format!(
                    "{filler}{}{filler}",
                    char::from_u32(code).unwrap_or_default()
                );
                let mut quoted = String::new();
                quote(&text, &mut quoted);
                assert_eq!(serde_json::from_str(&quoted).ok(), Some(text), "{quoted}");
            }
        }
    }
}
