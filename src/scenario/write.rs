//! Writes a scenario, and computes its digest.
//!
//! Both come from one [`Writer`]: the fields in the order of their tables, without those that equal their
//! default. Therefore what is written reads back as the same scenario, a digest does not depend on how a
//! scenario was made, and a new field does not change the digest of a scenario that does not use it.

use std::fmt::Write;
use std::sync::Arc;

use super::read::reading::is_file_path;
use super::{Scenario, fields, read};
use crate::api::Decimal;
use crate::time::Span;
use crate::trace::Digest;

mod layout;

impl Scenario {
    /// Returns the scenario as JSON. Reading it gives an equal scenario; [`Scenario::files`] returns the
    /// files that it names.
    ///
    /// A body whose name is not a path in or below the scenario's folder, or is the name of a different body
    /// too, is written inline and loses its name. Only a scenario made in Rust has such bodies, and only such
    /// a scenario can hold values that have no written form: a `setAd` argument with the key `$`, for
    /// example.
    #[must_use]
    pub fn to_json(&self) -> String {
        let text = self.written(Writer::text_form());
        read::json_tree(&text).map_or(text, |root| layout::json(&root))
    }

    /// Returns the scenario as YAML, otherwise like [`Scenario::to_json`].
    #[cfg(feature = "yaml")]
    #[must_use]
    pub fn to_yaml(&self) -> String {
        let text = self.written(Writer::text_form());
        // JSON is YAML too.
        read::json_tree(&text).map_or(text, |root| layout::yaml(&root))
    }

    /// Returns the names and contents of the files that the written scenario names.
    #[must_use]
    pub fn files(&self) -> Vec<(Arc<str>, Arc<str>)> {
        let mut out = Writer::text_form();
        fields::write(self, &mut out);
        out.files
    }

    /// Returns a fingerprint of everything that a run depends on: that of the scenario's compact JSON, in
    /// which the body of a response has both its file's name, which messages show, and its content. Equal
    /// scenarios have the same digest, whether they were read from YAML or JSON or made in Rust. Rule
    /// TRACE-6.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of_text(&self.written(Writer::canonical()))
    }

    fn written(&self, mut out: Writer) -> String {
        fields::write(self, &mut out);
        out.end()
    }
}

/// Writes compact JSON.
pub(super) struct Writer {
    text: String,
    /// Whether the next value is the first in its list or object, and needs no comma.
    is_first: bool,
    is_canonical: bool,
    /// The files that were named so far.
    files: Vec<(Arc<str>, Arc<str>)>,
}

/// The initial capacity; most scenarios are shorter.
const ROOM: usize = 2 * 1024;

impl Writer {
    /// Returns a writer for JSON that can be read again.
    pub(super) fn text_form() -> Writer {
        Writer { text: String::new(), is_first: true, is_canonical: false, files: Vec::new() }
    }

    /// Returns a writer for a digest: with the contents of files, and with values that cannot be read again.
    fn canonical() -> Writer {
        Writer { text: String::with_capacity(ROOM), is_canonical: true, ..Writer::text_form() }
    }

    /// Whether this is for a digest.
    pub(super) fn is_canonical(&self) -> bool {
        self.is_canonical
    }

    /// Returns what was written.
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
        let _ = write!(self.begin(), "{number}");
    }

    /// Writes a length of time with its unit. One that is too long to be read back is written in full, so
    /// that it is refused then.
    pub(super) fn span(&mut self, span: Span) {
        let _ = match i64::try_from(span.micros()) {
            Ok(micros) => write!(self.begin(), "\"{}s\"", Decimal::from_millionths(micros)),
            Err(_) => write!(self.begin(), "\"{span}s\""),
        };
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
        quote(key, self.begin());
        self.text.push(':');
        self.is_first = true;
    }

    /// Writes the body of a response: the name of its file, or the body itself.
    pub(super) fn body(&mut self, name: &Arc<str>, text: &Arc<str>) {
        let is_file = !name.is_empty() && (self.is_canonical || self.takes_file(name, text));
        if is_file {
            self.key("file");
            self.text(name);
        }
        if !text.is_empty() && (!is_file || self.is_canonical) {
            self.key("text");
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
        if !self.is_first {
            self.text.push(',');
        }
        self.is_first = false;
        &mut self.text
    }
}

/// Appends a JSON string.
fn quote(text: &str, out: &mut String) {
    out.push('"');
    // Few strings have anything to escape, and checking is quick.
    if text.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
        escape(text, out);
    } else {
        out.push_str(text);
    }
    out.push('"');
}

#[cold]
fn escape(text: &str, out: &mut String) {
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\u{1f}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(letter));
            }
            letter => out.push(letter),
        }
    }
}
