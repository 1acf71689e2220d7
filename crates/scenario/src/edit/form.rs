//! The contents of a request: header fields, and the names and values of a form in their order.
//!
//! The caller reads multipart bodies; URL-encoded ones are read here.
//!
//! Rules: EDIT-4, EDIT-5, EDIT-42, EDIT-49.

use std::sync::Arc;

use percent_encoding::percent_decode;

use super::names::MAX_FIELDS;
use playsim_rules::{self as rules, RuleId};

/// Names and values in the order in which they were sent; both are UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Form(Vec<(Arc<str>, Arc<str>)>);

impl Form {
    /// Returns a form without fields.
    #[must_use]
    pub fn new() -> Form {
        Form::default()
    }

    /// Adds a field at the end.
    pub fn push(&mut self, name: impl Into<Arc<str>>, value: impl Into<Arc<str>>) {
        self.0.push((name.into(), value.into()));
    }

    /// Returns names and values in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Arc<str>, &Arc<str>)> {
        self.0.iter().map(|(name, value)| (name, value))
    }

    /// Returns the number of fields.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no fields.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the total size of names and values in bytes, a lower bound of the size of the body.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let bytes = self
            .0
            .iter()
            .map(|(name, value)| name.len() as u64 + value.len() as u64);
        bytes.sum()
    }

    /// Reads a URL-encoded form. One field more than a form may have is read, and none after it.
    ///
    /// # Errors
    ///
    /// A name or value that is not UTF-8. Rule EDIT-49.
    pub fn urlencoded(body: &[u8]) -> Result<Form, BodyError> {
        let mut form = Form::new();
        let mut buffer = Vec::new();
        let mut text = |bytes: &[u8]| {
            buffer.clear();
            // A plus sign is a blank; only an encoded one is a plus sign.
            for (number, part) in bytes.split(|byte| *byte == b'+').enumerate() {
                buffer.extend((number > 0).then_some(b' '));
                buffer.extend(percent_decode(part));
            }
            str::from_utf8(&buffer)
                .map(Arc::<str>::from)
                .map_err(|_| BodyError::NotUtf8)
        };
        let pieces = body
            .split(|byte| *byte == b'&')
            .filter(|piece| !piece.is_empty());
        for piece in pieces.take(MAX_FIELDS + 1) {
            let equals = piece.iter().position(|byte| *byte == b'=');
            let (name, value) =
                equals.map_or((piece, &[][..]), |at| (&piece[..at], &piece[at + 1..]));
            form.push(text(name)?, text(value)?);
        }
        Ok(form)
    }
}

impl<N: Into<Arc<str>>, V: Into<Arc<str>>> FromIterator<(N, V)> for Form {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(fields: I) -> Form {
        Form(
            fields
                .into_iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
        )
    }
}

/// The reason why a body is not a form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// It is larger than the knob allows. Rule EDIT-42.
    #[error("the body is too large for this service")]
    TooLarge,
    /// It is invalid multipart, with the error. Rule EDIT-5.
    #[error("invalid multipart body: {0}")]
    Broken(String),
    /// A name or a value is not UTF-8. Rule EDIT-49.
    #[error("a name or a value is not UTF-8")]
    NotUtf8,
}

impl BodyError {
    /// Returns the status of its answer.
    #[must_use]
    pub const fn status(&self) -> u16 {
        match self {
            BodyError::TooLarge => 413,
            BodyError::Broken(_) | BodyError::NotUtf8 => 400,
        }
    }

    /// Returns the rule that refuses the body.
    #[must_use]
    pub const fn rule(&self) -> RuleId {
        match self {
            BodyError::TooLarge => rules::EDIT_42,
            BodyError::Broken(_) => rules::EDIT_5,
            BodyError::NotUtf8 => rules::EDIT_49,
        }
    }
}

/// The format of a body according to its header fields. Rule EDIT-4.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BodyKind {
    /// Multipart with this boundary. `None`: the boundary is missing, and the body invalid.
    Multipart(Option<String>),
    /// A URL-encoded form.
    Urlencoded,
    /// Not a form. The content type, if there is one.
    Other(Option<String>),
}

/// Header fields in the order in which they were sent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Headers(Vec<(Arc<str>, Arc<str>)>);

impl Headers {
    /// Adds a field at the end.
    pub fn push(&mut self, name: impl Into<Arc<str>>, value: impl Into<Arc<str>>) {
        self.0.push((name.into(), value.into()));
    }

    /// Returns the value of the first field with this name, ignoring case.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| &**value)
    }

    /// Returns the format of the body. Rule EDIT-4.
    #[must_use]
    pub fn body_kind(&self) -> BodyKind {
        let Some(full) = self.get("Content-Type") else {
            return BodyKind::Other(None);
        };
        let mut parts = full.split(';').map(str::trim);
        let essence = parts.next().unwrap_or_default().to_ascii_lowercase();
        match essence.as_str() {
            "multipart/form-data" => {
                let boundary = parts.find_map(|part| {
                    let (name, value) = part.split_once('=')?;
                    name.trim()
                        .eq_ignore_ascii_case("boundary")
                        .then(|| value.trim().trim_matches('"').to_owned())
                });
                BodyKind::Multipart(boundary.filter(|boundary| !boundary.is_empty()))
            }
            "application/x-www-form-urlencoded" => BodyKind::Urlencoded,
            _ => BodyKind::Other(Some(essence)),
        }
    }
}

impl<N: Into<Arc<str>>, V: Into<Arc<str>>> FromIterator<(N, V)> for Headers {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(fields: I) -> Headers {
        Headers(
            fields
                .into_iter()
                .map(|(name, value)| (name.into(), value.into()))
                .collect(),
        )
    }
}
