//! What the beginning of a media file says about it.
//!
//! Sources: RFC 9110 section 14.4; ISO/IEC 14496-12 sections 4.2 and 8.2.2.

use crate::time::Span;

/// A media file, as far as its beginning and its headers show it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MediaStart {
    /// The media type that the server says.
    pub mime: String,
    /// Its size in bytes.
    pub bytes: Option<u64>,
    /// How long it plays, if it is an MP4 file whose header comes first.
    pub length: Option<Span>,
}

/// Returns the size of a whole file, by the headers of a response with a part of it.
pub(super) fn whole(content_range: Option<&str>, content_length: Option<&str>) -> Option<u64> {
    match content_range {
        Some(range) => range.rsplit('/').next()?.trim().parse().ok(),
        None => content_length?.trim().parse().ok(),
    }
}

/// Returns how long an MP4 file plays, if its movie header is in these bytes.
pub(super) fn length(bytes: &[u8]) -> Option<Span> {
    let movie = find(bytes, b"moov")?;
    let header = find(movie, b"mvhd")?;
    let (scale, units) = match header.first()? {
        0 => (number(header.get(12..16)?), number(header.get(16..20)?)),
        1 => (number(header.get(20..24)?), number(header.get(24..32)?)),
        _ => return None,
    };
    // All ones: the length is unknown.
    let is_known = scale > 0 && units > 0 && !matches!(units, 0xffff_ffff | u64::MAX);
    let micros = u128::from(units) * 1_000_000 / u128::from(scale.max(1));
    u64::try_from(micros).ok().filter(|_| is_known).map(Span::from_micros)
}

/// Returns the content of the first box of a kind, which may be cut.
fn find<'a>(mut bytes: &'a [u8], kind: &[u8; 4]) -> Option<&'a [u8]> {
    loop {
        let size = number(bytes.get(..4)?);
        let (head, size) = match size {
            1 => (16, number(bytes.get(8..16)?)),
            0 => (8, bytes.len() as u64),
            size => (8, size),
        };
        let size = usize::try_from(size).ok().filter(|size| *size >= head)?;
        if bytes.get(4..8)? == kind {
            return bytes.get(head..size.min(bytes.len()));
        }
        bytes = bytes.get(size..)?;
    }
}

fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
        let size = u32::try_from(content.len() + 8).expect("short");
        [&size.to_be_bytes()[..], kind, content].concat()
    }

    fn header(scale: u32, units: u32) -> Vec<u8> {
        [&[0; 12][..], &scale.to_be_bytes(), &units.to_be_bytes(), &[0; 80]].concat()
    }

    #[test]
    fn the_length_is_that_of_the_movie_header() {
        let film = |scale, units| {
            [boxed(b"ftyp", b"isom"), boxed(b"moov", &boxed(b"mvhd", &header(scale, units)))].concat()
        };
        assert_eq!(length(&film(600, 4_800)), Some(Span::from_secs(8)));
        assert_eq!(length(&film(90_000, u32::MAX)), None);
        assert_eq!(length(&film(0, 1)), None);
    }

    #[test]
    fn other_bytes_have_no_length() {
        for bytes in [&b""[..], b"\0\0\0\0", b"\x1a\x45\xdf\xa3 webm", b"\0\0\0\x07moov", b"\0\0\0\x08moov"] {
            assert_eq!(length(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn the_size_is_that_of_the_whole_file() {
        assert_eq!(whole(Some("bytes 0-65535/1000000"), Some("65536")), Some(1_000_000));
        assert_eq!(whole(Some("bytes 0-65535/*"), Some("65536")), None);
        assert_eq!(whole(None, Some("12")), Some(12));
    }
}
