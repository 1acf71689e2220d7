//! The answer to a call, in the form that the knobs select.
//!
//! Rules: EDIT-35, EDIT-38, EDIT-39, EDIT-41, EDIT-44.

use std::sync::Arc;

use serde::Serialize;

use super::{FieldError, JournalEntry};
use playsim_api::video::{Shape, VideoRecord, field, fields};
use playsim_api::{Fields, Text, Value};
use playsim_base::time::Span;
use playsim_base::words;
use playsim_rules::knobs::{ErrorShape, KnobReader, ReadDate, SuccessShape};

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct EditResponse {
    /// The HTTP status.
    pub status: u16,
    /// The header fields, without those of the connection.
    pub headers: Vec<(&'static str, String)>,
    /// The body; may be empty.
    pub body: String,
    /// How long it takes on the virtual clock. Rule EDIT-44.
    pub after: Span,
    /// Whether the connection is closed instead of answering. Rule EDIT-44.
    pub is_cut: bool,
    /// The journal's entry for the call.
    pub entry: Arc<JournalEntry>,
}

/// The header field that names the unknown fields of a form. Rule EDIT-35.
pub const UNKNOWN_FIELDS: &str = "Playsim-Unknown-Fields";
/// The most names in it: header fields are limited.
const MOST_UNKNOWN: usize = 20;

/// Names the unknown fields of a form, as the value of a header field. Rule EDIT-35.
pub(super) fn unknown_fields(names: &[Arc<str>]) -> Option<String> {
    if names.is_empty() {
        return None;
    }
    let known = || fields().flat_map(|field| field.form.iter().copied());
    let mut value = String::new();
    for name in names.iter().take(MOST_UNKNOWN) {
        value.push_str(if value.is_empty() { "" } else { ", " });
        push_encoded(&mut value, name);
        if let Some(meant) = words::nearest(name, known()) {
            value.push_str("; meant=");
            push_encoded(&mut value, meant);
        }
    }
    value.push_str(if names.len() > MOST_UNKNOWN {
        ", ..."
    } else {
        ""
    });
    Some(value)
}

/// Appends up to 100 bytes of a name, with all characters percent-encoded that have a meaning in
/// the header field.
fn push_encoded(value: &mut String, name: &str) {
    const LONGEST: usize = 100;
    for byte in name.bytes().take(LONGEST) {
        if byte.is_ascii_alphanumeric() || b"-._[]".contains(&byte) {
            value.push(char::from(byte));
        } else {
            let hex = |digit: u8| char::from(b"0123456789ABCDEF"[usize::from(digit)]);
            value.extend(['%', hex(byte >> 4), hex(byte & 15)]);
        }
    }
}

/// Returns the HTTP reason phrase of a status.
#[must_use]
pub const fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        401 => "Unauthorized",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        422 => "Unprocessable Content",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => "",
    }
}

/// Returns the type and the body of a success. Rules EDIT-38, EDIT-41.
pub(super) fn success(record: &VideoRecord, knobs: &KnobReader) -> (Option<&'static str>, String) {
    let video = || {
        let mut fields = record.to_fields();
        if knobs.edit_read_date() == ReadDate::YearFirst {
            fields = fields
                .into_iter()
                .map(|(name, value)| turned(name, value))
                .collect();
        }
        Value::Map(fields)
    };
    let body = match knobs.edit_success_shape() {
        SuccessShape::Obs => {
            let fields = Fields::one("status", "success").with("videoId", &record.id);
            Value::Map(fields.with("Video", video()))
        }
        SuccessShape::RecordOnly => video(),
        SuccessShape::Empty => return (None, String::new()),
    };
    (Some("application/json"), body.to_string())
}

/// A field of the record; if it is a date, with the year first.
fn turned(name: Text, value: Value) -> (Text, Value) {
    let is_day = field(&name).is_some_and(|field| field.kind.shape == Shape::Day);
    let text = value.as_text().filter(|_| is_day);
    let parts: Option<Vec<&str>> = text.map(|text| text.splitn(3, '-').collect());
    match parts.as_deref() {
        Some([day, month, year]) => {
            let date = Value::from(format!("{year}-{month}-{day}"));
            (name, date)
        }
        Some(_) | None => (name, value),
    }
}

/// Returns the type and the body of a failure. Rule EDIT-39.
pub(super) fn failure(
    status: u16,
    detail: &str,
    errors: &[FieldError],
    knobs: &KnobReader,
) -> (Option<&'static str>, String) {
    #[derive(Serialize)]
    struct Problem<'a> {
        r#type: &'static str,
        title: &'static str,
        status: u16,
        detail: &'a str,
        errors: &'a [FieldError],
    }
    match knobs.edit_error_shape() {
        ErrorShape::Problem => {
            let title = reason(status);
            let problem = Problem {
                r#type: "about:blank",
                title,
                status,
                detail,
                errors,
            };
            (
                Some("application/problem+json"),
                serde_json::to_string(&problem).unwrap_or_default(),
            )
        }
        ErrorShape::MessageErrorsValidation => {
            let message = |error: &FieldError| Value::from(error.message.clone());
            let mut validation = Fields::NONE;
            for error in errors {
                if validation.get(&error.field).is_none() {
                    let same = errors.iter().filter(|other| other.field == error.field);
                    validation.push(&error.field, Value::List(same.map(message).collect()));
                }
            }
            let fields = Fields::one("message", detail.to_owned())
                .with("errors", Value::List(errors.iter().map(message).collect()))
                .with("validation", Value::Map(validation));
            (Some("application/json"), Value::Map(fields).to_string())
        }
        ErrorShape::EmptyBody => (None, String::new()),
    }
}
