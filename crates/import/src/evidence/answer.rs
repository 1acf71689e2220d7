//! The kinds of answers, by their bodies.

use std::fmt;
use std::sync::Arc;

use serde::Serialize;

use super::json;
use crate::recording::{Body, Exchange, RecordedOutcome};
use playsim_vast::{self as vast, Document, Root};
use quick_xml::Reader;
use quick_xml::events::Event;

/// The kind of an answer, by its body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum RecordedAnswer {
    /// A VAST or VMAP document.
    Document {
        /// The error in it.
        damage: Option<Damage>,
    },
    /// A page.
    Html,
    /// JSON without an ad document.
    Json,
    /// A script that calls a function.
    Jsonp,
    /// Other XML.
    Xml,
    /// Anything else.
    Text,
    /// The answer has no body.
    Empty,
    /// There was a body, and the recording does not have it.
    Missing,
    /// There was no answer.
    None,
}

/// The damage of an ad document.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Damage {
    /// The number of bytes that came, if it was cut: its last element is open.
    pub cut_at: Option<usize>,
    /// The findings of a reader.
    pub text: String,
    /// The error code for it.
    pub code: u16,
}

impl RecordedAnswer {
    /// Returns whether it could be data for the page, and not the answer of an ad server without an
    /// ad.
    pub(super) const fn is_data(&self) -> bool {
        match self {
            RecordedAnswer::Json | RecordedAnswer::Jsonp | RecordedAnswer::Text => true,
            RecordedAnswer::Document { .. }
            | RecordedAnswer::Html
            | RecordedAnswer::Xml
            | RecordedAnswer::Empty
            | RecordedAnswer::Missing
            | RecordedAnswer::None => false,
        }
    }
}

impl fmt::Display for RecordedAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordedAnswer::Document { damage: None } => f.write_str("VAST"),
            RecordedAnswer::Document {
                damage: Some(damage),
            } => write!(f, "{damage}"),
            RecordedAnswer::Html => f.write_str("an HTML page"),
            RecordedAnswer::Json => f.write_str("JSON"),
            RecordedAnswer::Jsonp => f.write_str("a script (JSONP)"),
            RecordedAnswer::Xml => f.write_str("XML that is no ad document"),
            RecordedAnswer::Text => f.write_str("text"),
            RecordedAnswer::Empty => f.write_str("an empty body"),
            RecordedAnswer::Missing => f.write_str("a body that the recording does not have"),
            RecordedAnswer::None => f.write_str("no answer"),
        }
    }
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.cut_at {
            Some(bytes) => write!(f, "broken VAST, cut at byte {bytes}"),
            None => write!(f, "broken VAST: {}", self.text),
        }
    }
}

/// Returns the document that is the body of an answer or a string in it, with its source and, of a
/// string, the field that has it. What only begins like one is one, too.
pub(super) fn document(it: &Exchange) -> Option<(Document, Arc<str>, Option<String>)> {
    let text = it.text()?;
    let begin = text.trim_start_matches('\u{feff}').trim_start();
    if begin.starts_with('<') {
        let is_named = json::document_begins(begin);
        // A document without one of the names may still have it after an entity or a comment.
        let read = vast::read(text);
        let is_one = match &read.root {
            Root::Vast => !(read.ads.is_empty() && read.error_urls.is_empty() && is_foreign(text)),
            Root::Vmap | Root::Vast1 => true,
            Root::None | Root::Other(_) => is_named,
        };
        return is_one.then(|| (read, text.clone(), None));
    }
    if let Some(text) = json::encoded_document(begin) {
        return Some((vast::read(&text), text.into(), None));
    }
    let (field, text) = json::document(begin)?;
    let read = vast::read(&text);
    // A string that is not XML to its end quotes a document, as a search index does.
    let is_quoted = read.fault.as_ref().is_some_and(|fault| fault.code == 100);
    (!is_quoted).then(|| (read, text.into(), Some(field)))
}

/// Returns whether the root has an element with others in it that no ad document has there: it is
/// something else by the same name.
fn is_foreign(text: &str) -> bool {
    let mut reader = Reader::from_str(text);
    let (mut depth, mut is_in_other) = (0, false);
    loop {
        match reader.read_event() {
            Ok(Event::Start(begin)) => {
                if depth == 1 {
                    is_in_other = !matches!(begin.local_name().as_ref(), "Ad" | "Error");
                } else if depth > 1 && is_in_other {
                    return true;
                }
                depth += 1;
            }
            Ok(Event::End(_)) => depth -= 1,
            Ok(Event::Eof) | Err(_) => return false,
            Ok(_) => {}
        }
    }
}

/// Returns whether the body of an answer begins as an ad document, and the tool cut it.
pub(super) fn is_cut_document(it: &Exchange) -> bool {
    matches!(&it.body, Body::Cut(text) if json::document_begins(text.trim_start_matches('\u{feff}')))
}

/// Returns the kind of an answer, whose document and its source are given if it is one.
pub(super) fn of(it: &Exchange, read: Option<&Document>, text: Option<&str>) -> RecordedAnswer {
    if let (Some(read), Some(text)) = (read, text) {
        return RecordedAnswer::Document {
            damage: damage(it, read, text),
        };
    }
    match (&it.outcome, &it.body) {
        (RecordedOutcome::Failed(_) | RecordedOutcome::Unknown, _) => RecordedAnswer::None,
        (_, Body::Empty) => RecordedAnswer::Empty,
        (_, Body::Missing | Body::Cut(_)) => RecordedAnswer::Missing,
        (_, Body::Text(text)) => kind(
            text.trim_start_matches('\u{feff}').trim(),
            it.mime.as_deref(),
        ),
    }
}

fn kind(text: &str, mime: Option<&str>) -> RecordedAnswer {
    let mime = mime.unwrap_or_default();
    let begins = |word: &str| {
        text.get(..word.len())
            .is_some_and(|it| it.eq_ignore_ascii_case(word))
    };
    let is_call = || {
        let name = text.find('(').map(|at| text[..at].trim());
        let is_name = |name: &str| {
            !name.is_empty()
                && name
                    .chars()
                    .all(|it| it.is_ascii_alphanumeric() || "_$./* ".contains(it))
        };
        name.is_some_and(is_name) && text.trim_end_matches(';').ends_with(')')
    };
    match text.chars().next() {
        None => RecordedAnswer::Empty,
        Some('<') if begins("<!doctype html") || begins("<html") || mime.contains("html") => {
            RecordedAnswer::Html
        }
        Some('<') => RecordedAnswer::Xml,
        Some('{' | '[') => RecordedAnswer::Json,
        Some(_) if is_call() => RecordedAnswer::Jsonp,
        Some(_) => RecordedAnswer::Text,
    }
}

fn damage(it: &Exchange, read: &Document, text: &str) -> Option<Damage> {
    // Some(303) is an empty string, which is not a document; a document without ads is sound.
    let broke_off = matches!(it.outcome, RecordedOutcome::BrokeOff(_));
    let end = text.trim_end();
    let is_open = !end.ends_with('>') || {
        let last = end.rfind('<').map_or("", |at| &end[at..]);
        !last.starts_with("</") && !last.ends_with("/>") && !last.starts_with("<!")
    };
    match &read.fault {
        Some(fault) => {
            let cut_at = (broke_off || is_open).then_some(text.len());
            Some(Damage {
                cut_at,
                text: fault.text.to_string(),
                code: fault.code,
            })
        }
        None if broke_off => Some(Damage {
            cut_at: Some(text.len()),
            text: String::new(),
            code: 100,
        }),
        None => None,
    }
}
