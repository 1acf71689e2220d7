//! The reason why a document is not XML, and its place.

use quick_xml::errors::{Error, IllFormedError, SyntaxError};
use quick_xml::events::attributes::AttrError;

use super::clip;
use super::places::ByteOffset;

/// The reason why a document is not XML.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct NotXml {
    /// The found and the expected text.
    pub(crate) text: String,
    /// The byte offset.
    pub(crate) at: ByteOffset,
}

impl NotXml {
    /// Converts an error of quick-xml at a byte offset of `text`.
    pub(crate) fn new(text: &str, error: &Error, at: ByteOffset) -> NotXml {
        let text = match error {
            Error::IllFormed(IllFormedError::MismatchedEndTag { expected, found }) => {
                format!(
                    "found \"</{}>\"; expected \"</{}>\"",
                    clip(found),
                    clip(expected)
                )
            }
            Error::IllFormed(IllFormedError::UnmatchedEndTag(found)) => {
                format!("found \"</{}>\", but no element is open", clip(found))
            }
            Error::Syntax(syntax) => {
                let rest = text.get(at.index()..).unwrap_or_default();
                format!(
                    "\"{}\" is never closed; expected {}",
                    clip(rest),
                    closing(*syntax)
                )
            }
            Error::IllFormed(_)
            | Error::Io(_)
            | Error::InvalidAttr(_)
            | Error::Encoding(_)
            | Error::Escape(_)
            | Error::Namespace(_) => error.to_string(),
        };
        NotXml { text, at }
    }

    /// Converts an error in an attribute of the element that starts at `tag_at`.
    pub(crate) fn of_attribute(element: &str, error: &AttrError, tag_at: ByteOffset) -> NotXml {
        let (what, inside) = match error {
            AttrError::ExpectedEq(at) => ("an attribute without \"=\" and a value", at),
            AttrError::ExpectedValue(at) => ("an attribute without a value", at),
            AttrError::UnquotedValue(at) => ("an attribute whose value has no quotation marks", at),
            AttrError::ExpectedQuote(at, _) => ("an attribute whose value is never closed", at),
            AttrError::Duplicated(at, _) => ("an attribute twice", at),
        };
        // The position counts from the byte after "<".
        NotXml {
            text: format!("\"<{element}>\" has {what}"),
            at: tag_at + 1 + *inside,
        }
    }
}

fn closing(error: SyntaxError) -> &'static str {
    match error {
        SyntaxError::InvalidBangMarkup => "a comment, a CDATA section or a DOCTYPE",
        SyntaxError::UnclosedPI | SyntaxError::UnclosedXmlDecl => "\"?>\"",
        SyntaxError::UnclosedComment => "\"-->\"",
        SyntaxError::UnclosedDoctype | SyntaxError::UnclosedTag => "\">\"",
        SyntaxError::UnclosedCData => "\"]]>\"",
        SyntaxError::UnclosedSingleQuotedAttributeValue => {
            "an apostrophe after the attribute's value"
        }
        SyntaxError::UnclosedDoubleQuotedAttributeValue => {
            "a quotation mark after the attribute's value"
        }
    }
}
