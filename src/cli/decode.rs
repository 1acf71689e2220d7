//! Text from bytes: what XML may be written in, as the bytes say or the document declares.
//!
//! A byte-order mark counts before a declaration, as browsers have it. What is neither is UTF-8.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// A declaration that says its encoding stands within so many bytes.
const DECLARATION: usize = 256;

/// What bytes are written in, and without the mark that says so.
fn encoding(bytes: &[u8]) -> (&'static Encoding, &[u8]) {
    if let Some((encoding, mark)) = Encoding::for_bom(bytes) {
        return (encoding, &bytes[mark..]);
    }
    // XML without a mark, by its first character. XML 1.0 appendix F
    let encoding = match bytes {
        [b'<', 0, _, 0, ..] => UTF_16LE,
        [0, b'<', 0, _, ..] => UTF_16BE,
        _ => declared(bytes).unwrap_or(UTF_8),
    };
    (encoding, bytes)
}

/// What an XML declaration of single bytes says.
fn declared(bytes: &[u8]) -> Option<&'static Encoding> {
    let start = bytes.trim_ascii_start();
    let head = &start[..start.len().min(DECLARATION)];
    let inside = head.strip_prefix(b"<?xml")?;
    let end = inside.windows(2).position(|two| two == b"?>")?;
    let inside = std::str::from_utf8(&inside[..end]).ok()?;
    let (_, behind) = inside.split_once("encoding")?;
    let behind = behind.trim_start().strip_prefix('=')?.trim_start();
    let quote = behind.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let (label, _) = behind[1..].split_once(quote)?;
    // What can be read so far is no UTF-16, whatever it says.
    Encoding::for_label(label.trim().as_bytes()).filter(|it| it.is_ascii_compatible())
}

/// The text, and what it was written in if that is not UTF-8. What cannot be read stands as U+FFFD.
pub(super) fn lossy(bytes: &[u8]) -> (String, Option<&'static str>) {
    let (encoding, rest) = encoding(bytes);
    let (text, _) = encoding.decode_without_bom_handling(rest);
    (text.into_owned(), (encoding != UTF_8).then(|| encoding.name()))
}

/// The same, if all of it can be read.
pub(super) fn whole(bytes: &[u8]) -> Option<String> {
    let (encoding, rest) = encoding(bytes);
    encoding.decode_without_bom_handling_and_without_replacement(rest).map(|text| text.into_owned())
}

/// What is to be said of a text that was read so, if anything.
pub(super) fn remark(name: &str, text: &str, bytes: &[u8], written: Option<&str>) -> Option<String> {
    match written {
        Some(written) => Some(format!("{name}: this is {written}, not UTF-8; read as that")),
        None if std::str::from_utf8(bytes).is_err() => {
            debug_assert!(text.contains('\u{fffd}'));
            Some(format!("{name}: this is not UTF-8; what could not be read stands as \u{fffd}"))
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
    fn a_text_is_read_as_its_mark_or_its_declaration_says() {
        let plain = "<VAST version=\"4.2\"/>\u{e9}";
        assert_eq!(lossy(plain.as_bytes()), (plain.to_owned(), None));
        assert_eq!(lossy(format!("\u{feff}{plain}").as_bytes()), (plain.to_owned(), None));
        let marked = format!("\u{feff}{plain}");
        assert_eq!(lossy(&utf_16(&marked, u16::to_le_bytes)), (plain.to_owned(), Some("UTF-16LE")));
        assert_eq!(lossy(&utf_16(&marked, u16::to_be_bytes)), (plain.to_owned(), Some("UTF-16BE")));
        assert_eq!(lossy(&utf_16(plain, u16::to_le_bytes)), (plain.to_owned(), Some("UTF-16LE")));
        assert_eq!(lossy(&utf_16(plain, u16::to_be_bytes)), (plain.to_owned(), Some("UTF-16BE")));
        let declared = b"<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>";
        assert_eq!(lossy(declared).0, "<?xml version='1.0' encoding='ISO-8859-1'?><a>\u{e9}</a>");
        assert!(whole(declared).is_some());
    }

    #[test]
    fn what_a_declaration_cannot_mean_does_not_count() {
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
