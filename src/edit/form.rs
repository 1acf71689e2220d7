//! What a client sent: header fields, and names with values in their order.
//!
//! Bytes of a multipart body are read by whoever has them; URL-encoded ones here.
//!
//! Rules: EDIT-4, EDIT-5, EDIT-42, EDIT-49.

use std::sync::Arc;

use crate::rule;
use crate::rules::RuleId;

/// Names and values in the order in which they were sent; both are UTF-8.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Form(Vec<(Arc<str>, Arc<str>)>);

impl Form {
    /// A form without fields.
    #[must_use]
    pub fn new() -> Form {
        Form::default()
    }

    /// Adds a field at the end.
    pub fn push(&mut self, name: impl Into<Arc<str>>, value: impl Into<Arc<str>>) {
        self.0.push((name.into(), value.into()));
    }

    /// Names and values in their order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&Arc<str>, &Arc<str>)> {
        self.0.iter().map(|(name, value)| (name, value))
    }

    /// How many fields there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many bytes its names and values have: no body with them has fewer.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let bytes = self.0.iter().map(|(name, value)| name.len() as u64 + value.len() as u64);
        bytes.sum()
    }

    /// Reads a URL-encoded form.
    ///
    /// # Errors
    ///
    /// A name or value that is no UTF-8. Rule EDIT-49.
    pub fn urlencoded(body: &[u8]) -> Result<Form, BodyError> {
        let mut form = Form::new();
        for piece in body.split(|byte| *byte == b'&').filter(|piece| !piece.is_empty()) {
            let equals = piece.iter().position(|byte| *byte == b'=');
            let (name, value) = equals.map_or((piece, &[][..]), |at| (&piece[..at], &piece[at + 1..]));
            let text = |bytes: &[u8]| decoded(bytes, true).ok_or(BodyError::NotUtf8);
            form.push(text(name)?, text(value)?);
        }
        Ok(form)
    }
}

impl<N: Into<Arc<str>>, V: Into<Arc<str>>> FromIterator<(N, V)> for Form {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(fields: I) -> Form {
        Form(fields.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}

/// A text without its percent signs, and where `plus` says so without its plus signs; `None` if it is no UTF-8.
pub(super) fn decoded(bytes: &[u8], plus: bool) -> Option<String> {
    let digit = |at: usize| bytes.get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                out.push(u8::try_from(high * 16 + low).unwrap_or_default());
                at += 2;
            }
            (b'+', _, _) if plus => out.push(b' '),
            (byte, _, _) => out.push(*byte),
        }
        at += 1;
    }
    String::from_utf8(out).ok()
}

/// Why a body is no form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// It is larger than the knob allows. Rule EDIT-42.
    #[error("the body is larger than this service takes")]
    TooLarge,
    /// It is broken multipart; what is wrong with it. Rule EDIT-5.
    #[error("the multipart body is broken: {0}")]
    Broken(String),
    /// A name or a value is no UTF-8. Rule EDIT-49.
    #[error("a name or a value is no UTF-8")]
    NotUtf8,
}

impl BodyError {
    /// The status of its answer.
    #[must_use]
    pub const fn status(&self) -> u16 {
        match self {
            BodyError::TooLarge => 413,
            BodyError::Broken(_) | BodyError::NotUtf8 => 400,
        }
    }

    /// The rule that says so.
    #[must_use]
    pub const fn rule(&self) -> RuleId {
        match self {
            BodyError::TooLarge => rule!("EDIT-42"),
            BodyError::Broken(_) => rule!("EDIT-5"),
            BodyError::NotUtf8 => rule!("EDIT-49"),
        }
    }
}

/// How a body is to be read, by its header fields. Rule EDIT-4.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BodyKind {
    /// As multipart with this boundary; `None`: it has none, and is broken.
    Multipart(Option<String>),
    /// As a URL-encoded form.
    Urlencoded,
    /// As something else, with this type; `None`: it has no type.
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

    /// The value of the first field of this name, in any case of letters.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| &**value)
    }

    /// How the body is to be read. Rule EDIT-4.
    #[must_use]
    pub fn body_kind(&self) -> BodyKind {
        let Some(full) = self.get("Content-Type") else { return BodyKind::Other(None) };
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
        Headers(fields.into_iter().map(|(name, value)| (name.into(), value.into())).collect())
    }
}
