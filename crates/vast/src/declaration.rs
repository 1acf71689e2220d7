//! The encoding that the XML declaration claims.
//!
//! Source: XML 1.0 section 2.8.

use super::defects::BYTE_ORDER_MARK;
use super::notes::Notes;
use super::places::ByteOffset;
use super::{WarningCode, clip};

/// Warns of an XML declaration that declares another encoding.
pub(super) fn warn(text: &str, notes: &mut Notes) {
    let start = text.trim_start_matches(|c: char| c.is_whitespace() || c == BYTE_ORDER_MARK);
    let at = ByteOffset::from(text.len() - start.len());
    if let Some((label, offset)) = start.strip_prefix("<?xml ").and_then(declared_encoding) {
        let text = format!(
            "the encoding is \"{}\", expected \"UTF-8\"; read anyway",
            clip(label)
        );
        notes.warn_at(
            at + "<?xml ".len() + offset,
            WarningCode::EncodingDeclared,
            text,
        );
    }
}

/// Returns the declared encoding, if it is not UTF-8, and its byte offset.
fn declared_encoding(inside: &str) -> Option<(&str, usize)> {
    let (inside, _) = inside.split_once("?>")?;
    let (before, after) = inside.split_once("encoding")?;
    let value = after.trim_start().strip_prefix('=')?.trim_start();
    let label = value
        .strip_prefix(['"', '\''])?
        .split(['"', '\''])
        .next()?
        .trim();
    let is_utf8 = ["utf-8", "utf8", "us-ascii"]
        .iter()
        .any(|known| known.eq_ignore_ascii_case(label));
    (!is_utf8 && !label.is_empty()).then_some((label, before.len()))
}
