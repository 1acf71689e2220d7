//! Bodies: those that the HTTP library leaves compressed, and the encoding of documents.

use std::io::{self, Read};

use flate2::read::{DeflateDecoder, ZlibDecoder};

/// Decompresses at most this many bytes; servers send `deflate` unasked, with or without the frame
/// of zlib.
pub(super) fn inflated(packed: &[u8], most: u64) -> (Vec<u8>, io::Result<usize>) {
    let mut bytes = Vec::new();
    let result = ZlibDecoder::new(packed).take(most).read_to_end(&mut bytes);
    if result.is_ok() {
        return (bytes, result);
    }
    bytes.clear();
    let result = DeflateDecoder::new(packed)
        .take(most)
        .read_to_end(&mut bytes);
    (bytes, result)
}

/// Decodes a document by its byte-order mark or its declaration; invalid bytes are replaced.
pub(super) fn decoded(bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut reader = encoding_rs_io::DecodeReaderBytesBuilder::new()
        .encoding(Some(declared(bytes).unwrap_or(encoding_rs::UTF_8)))
        .bom_override(true)
        .build(bytes);
    // Reading from memory cannot fail, and invalid bytes are replaced.
    let _ = reader.read_to_string(&mut text);
    text
}

/// Returns the encoding that an XML declaration names.
fn declared(bytes: &[u8]) -> Option<&'static encoding_rs::Encoding> {
    const LONGEST: usize = 200;
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(LONGEST)]);
    let head = head
        .trim_start()
        .strip_prefix("<?xml")?
        .split("?>")
        .next()?;
    let value = head
        .split_once("encoding")?
        .1
        .trim_start()
        .strip_prefix('=')?
        .trim_start();
    let quote = value
        .chars()
        .next()
        .filter(|quote| matches!(quote, '"' | '\''))?;
    encoding_rs::Encoding::for_label(value[1..].split(quote).next()?.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_decoded_by_its_declaration() {
        let latin = b"<?xml version='1.0' encoding='ISO-8859-1'?><VAST>\xe9</VAST>";
        assert!(decoded(latin).contains("\u{e9}"));
        assert!(decoded("\u{feff}<VAST>\u{e9}</VAST>".as_bytes()).starts_with("<VAST>\u{e9}"));
        assert!(decoded(b"<VAST>\xff</VAST>").contains('\u{fffd}'));
        let utf_16: Vec<u8> = "\u{feff}<VAST/>"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        assert_eq!(decoded(&utf_16), "<VAST/>");
    }
}
