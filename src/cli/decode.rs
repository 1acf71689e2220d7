//! Decodes XML documents: finds the character encoding in the bytes or in the XML declaration.
//!
//! As in browsers, a byte-order mark takes precedence over a declaration. Without either, UTF-8 is
//! assumed.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::output::Talk;

/// An XML declaration is searched for within this many bytes.
const DECLARATION: usize = 256;

/// Returns the encoding, and the bytes without a byte-order mark.
fn encoding(bytes: &[u8]) -> (&'static Encoding, &[u8]) {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return (encoding, &bytes[mark..]);
    }
    // Without a byte-order mark, the first character shows whether it is UTF-16. XML 1.0 appendix F
    let encoding = match bytes {
        [b'<', 0, _, 0, ..] => UTF_16LE,
        [0, b'<', 0, _, ..] => UTF_16BE,
        _ => declared(bytes).unwrap_or(UTF_8),
    };
    (encoding, bytes)
}

/// Returns the encoding in an XML declaration, if the document has one and is not in UTF-16.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = bytes.trim_ascii_start();
    let head = &start[..start.len().min(DECLARATION)];
    let inside = head.strip_prefix(b"<?xml")?;
    let end = inside.windows(2).position(|two| two == b"?>")?;
    let inside = std::str::from_utf8(&inside[..end]).ok()?;
    let (_, behind) = inside.split_once("encoding")?;
    let behind = behind.trim_start().strip_prefix('=')?.trim_start();
    let quote = behind
        .chars()
        .next()
        .filter(|quote| matches!(quote, '"' | '\''))?;
    let (label, _) = behind[1..].split_once(quote)?;
    // The declaration was read byte by byte, so the document is not in UTF-16, even if it claims to
    // be.
    Encoding::for_label(label.trim().as_bytes()).filter(|it| it.is_ascii_compatible())
}

/// Decodes the bytes, and returns the name of the encoding if it is not UTF-8. Invalid bytes become
/// U+FFFD.
pub(super) fn lossy(bytes: &[u8]) -> (String, Option<&'static str>) {
    let (encoding, rest) = encoding(bytes);
    let (text, _) = encoding.decode_without_bom_handling(rest);
    (
        text.into_owned(),
        (encoding != UTF_8).then(|| encoding.name()),
    )
}

/// Decodes the bytes, or returns `None` if some of them are invalid.
pub(super) fn whole(bytes: &[u8]) -> Option<String> {
    let (encoding, rest) = encoding(bytes);
    encoding
        .decode_without_bom_handling_and_without_replacement(rest)
        .map(|text| text.into_owned())
}

/// Decodes the bytes of a file, and says how if they are not valid UTF-8.
pub(super) fn told(name: &str, bytes: &[u8], talk: &Talk) -> String {
    let (text, written) = lossy(bytes);
    if let Some(remark) = remark(name, &text, bytes, written) {
        talk.say(&remark);
    }
    text
}

/// Returns a note for the user if the text is not valid UTF-8.
fn remark(name: &str, text: &str, bytes: &[u8], written: Option<&str>) -> Option<String> {
    match written {
        Some(written) => Some(format!(
            "{name}: the file is {written}, not UTF-8; decoded as {written}"
        )),
        None if std::str::from_utf8(bytes).is_err() => {
            debug_assert!(text.contains('\u{fffd}'));
            Some(format!(
                "{name}: the file is not valid UTF-8; invalid bytes are replaced by \u{fffd}"
            ))
        }
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf_16(text: &str, to: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(to).collect()
    }

    #[test]
    fn the_byte_order_mark_or_the_declaration_decides_the_encoding() {
        let plain = "<VAST version=\"4.2\"/>\u{e9}";
        assert_eq!(lossy(plain.as_bytes()), (plain.to_owned(), None));
        assert_eq!(
            lossy(format!("\u{feff}{plain}").as_bytes()),
            (plain.to_owned(), None)
        );
        let marked = format!("\u{feff}{plain}");
        assert_eq!(
            lossy(&utf_16(&marked, u16::to_le_bytes)),
            (plain.to_owned(), Some("UTF-16LE"))
        );
        assert_eq!(
            lossy(&utf_16(&marked, u16::to_be_bytes)),
            (plain.to_owned(), Some("UTF-16BE"))
        );
        assert_eq!(
            lossy(&utf_16(plain, u16::to_le_bytes)),
            (plain.to_owned(), Some("UTF-16LE"))
        );
        assert_eq!(
            lossy(&utf_16(plain, u16::to_be_bytes)),
            (plain.to_owned(), Some("UTF-16BE"))
        );
        let declared = b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>";
        assert_eq!(
            lossy(declared).0,
            "<?xml version='1.0' encoding='ISO-8859-1'?><a>\u{e9}</a>"
        );
        assert!(whole(declared).is_some());
    }

    #[test]
    fn an_invalid_declaration_is_ignored() {
        for text in [
            "<?xml version=\"1.0\" encoding=\"UTF-16\"?><a>\u{e9}</a>",
            "<?xml version=\"1.0\" encoding=\"nonsense\"?><a>\u{e9}</a>",
            "<?xml version=\"1.0\" encoding=\"?><a>\u{e9}</a>",
            "<a encoding=\"windows-1252\">\u{e9}</a>",
        ] {
            assert_eq!(lossy(text.as_bytes()), (text.to_owned(), None));
        }
        assert_eq!(whole(b"<a>\xe9</a>"), None);
        assert_eq!(lossy(b"<a>\xe9</a>").0, "<a>\u{fffd}</a>");
        assert_eq!(lossy(b""), (String::new(), None));
    }
}
