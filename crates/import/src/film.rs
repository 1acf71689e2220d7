//! How long a media file plays, by its beginning, and a stream, by its playlist.
//!
//! Sources: ISO/IEC 14496-12 sections 4.2 and 8.2.2 (MP4); RFC 8794 and RFC 9559 sections 5.1.2
//! (WebM).

use playsim_base::number::Decimal;
use playsim_base::time::Span;

const EBML: u32 = 0x1a45_dfa3;
const SEGMENT: u32 = 0x1853_8067;
const INFO: u32 = 0x1549_a966;
const SCALE: u32 = 0x2a_d7b1;
const DURATION: u32 = 0x4489;
/// Nanoseconds of a unit of time in WebM, unless the file says otherwise.
const USUAL_SCALE: u64 = 1_000_000;

/// Returns how long an MP4 or WebM file plays, if the header that says so is in these bytes, or a
/// stream of HLS or DASH whose playlist they are.
pub fn length(bytes: &[u8]) -> Option<Span> {
    let text = || std::str::from_utf8(bytes).ok();
    mp4(bytes)
        .or_else(|| webm(bytes))
        .or_else(|| text().and_then(|text| hls(text).or_else(|| dash(text))))
}

/// Reads seconds with decimals.
pub(super) fn seconds(text: &str) -> Option<Span> {
    let micros = Decimal::parse_rounded(text.trim())?.millionths();
    u64::try_from(micros).ok().map(Span::from_micros)
}

/// RFC 8216, section 4.3.3.4: a playlist with an end is that of the whole stream.
fn hls(text: &str) -> Option<Span> {
    let is_whole = text.starts_with("#EXTM3U") && text.contains("#EXT-X-ENDLIST");
    let lengths = text
        .lines()
        .filter_map(|line| line.strip_prefix("#EXTINF:"));
    let lengths = lengths.filter_map(|line| seconds(line.split(',').next()?));
    let sum = lengths.fold(Span::ZERO, |sum, length| sum + length);
    (is_whole && sum > Span::ZERO).then_some(sum)
}

/// ISO/IEC 23009-1, section 5.3.1.2.
fn dash(text: &str) -> Option<Span> {
    let (_, after) = text.split_once("mediaPresentationDuration=")?;
    let written = after.get(1..)?.split(['"', '\'']).next()?;
    let length: jiff::SignedDuration = written.parse().ok()?;
    u64::try_from(length.as_micros())
        .ok()
        .map(Span::from_micros)
}

fn mp4(bytes: &[u8]) -> Option<Span> {
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
    u64::try_from(micros)
        .ok()
        .filter(|_| is_known)
        .map(Span::from_micros)
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
    bytes
        .iter()
        .fold(0, |number, byte| number << 8 | u64::from(*byte))
}

fn webm(bytes: &[u8]) -> Option<Span> {
    if !bytes.starts_with(&EBML.to_be_bytes()) {
        return None;
    }
    let (segment, _) = element(bytes, SEGMENT)?;
    let (info, _) = element(segment, INFO)?;
    let whole = |id| {
        element(info, id)
            .filter(|(_, is_whole)| *is_whole)
            .map(|(content, _)| content)
    };
    let scale = whole(SCALE).map_or(USUAL_SCALE, number);
    let nanoseconds = real(whole(DURATION)?, scale)?;
    let micros = u64::try_from(nanoseconds / 1_000)
        .ok()
        .filter(|micros| *micros > 0)?;
    Some(Span::from_micros(micros))
}

/// Returns the product of a binary fraction of 4 or 8 bytes and a whole number, rounded down. IEEE
/// 754.
fn real(bytes: &[u8], factor: u64) -> Option<u128> {
    let bits = number(bytes);
    // The bits of the exponent and of the fraction, and the exponent of the last bit of the
    // fraction.
    let (exponent, fraction, least) = match bytes.len() {
        4 => (8, 23, 150),
        8 => (11, 52, 1_075),
        _ => return None,
    };
    let power = bits >> fraction & ((1 << exponent) - 1);
    let is_negative = bits >> (exponent + fraction) != 0;
    let whole = u128::from(bits & ((1 << fraction) - 1) | 1 << fraction);
    // A larger power has no fraction: no file is that long, and infinity is none either.
    let shift = u32::try_from(least - i64::try_from(power).ok()?).ok()?;
    let product = whole.checked_mul(u128::from(factor))?;
    (!is_negative).then(|| product.checked_shr(shift).unwrap_or_default())
}

/// Returns the content of the first element with an ID, and whether it is whole: its end may be
/// cut.
fn element(mut bytes: &[u8], id: u32) -> Option<(&[u8], bool)> {
    loop {
        let width = width(bytes, 4)?;
        let found = number(&bytes[..width]);
        bytes = &bytes[width..];
        let width = self::width(bytes, 8)?;
        let most = (1 << (7 * width)) - 1;
        let size = number(&bytes[..width]) & most;
        bytes = &bytes[width..];
        // All ones: until the end of the file.
        let end = if size == most {
            bytes.len()
        } else {
            usize::try_from(size).unwrap_or(usize::MAX)
        };
        if found == u64::from(id) {
            return Some((&bytes[..end.min(bytes.len())], end <= bytes.len()));
        }
        bytes = bytes.get(end..)?;
    }
}

/// Returns the number of bytes of a number that begins with its width, which is at most `most`.
fn width(bytes: &[u8], most: usize) -> Option<usize> {
    let width = 1 + usize::try_from(bytes.first()?.leading_zeros()).ok()?;
    (width <= most && width <= bytes.len()).then_some(width)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed(kind: &[u8; 4], content: &[u8]) -> Vec<u8> {
        let size = u32::try_from(content.len() + 8).expect("short");
        [&size.to_be_bytes()[..], kind, content].concat()
    }

    fn header(scale: u32, units: u32) -> Vec<u8> {
        [
            &[0; 12][..],
            &scale.to_be_bytes(),
            &units.to_be_bytes(),
            &[0; 80],
        ]
        .concat()
    }

    #[test]
    fn an_mp4_file_has_the_length_of_its_movie_header() {
        let film = |scale, units| {
            [
                boxed(b"ftyp", b"isom"),
                boxed(b"moov", &boxed(b"mvhd", &header(scale, units))),
            ]
            .concat()
        };
        assert_eq!(length(&film(600, 4_800)), Some(Span::from_secs(8)));
        assert_eq!(length(&film(90_000, u32::MAX)), None);
        assert_eq!(length(&film(0, 1)), None);
    }

    fn webm_file(duration: &[u8]) -> Vec<u8> {
        let part = |id: &[u8], content: &[u8]| {
            let size = u8::try_from(content.len()).expect("short") | 0x80;
            [id, &[size], content].concat()
        };
        let info = [
            part(&[0x2a, 0xd7, 0xb1], &[0x0f, 0x42, 0x40]),
            part(&[0x44, 0x89], duration),
        ]
        .concat();
        let segment = [
            part(&[0xec], b"void"),
            part(&[0x15, 0x49, 0xa9, 0x66], &info),
        ]
        .concat();
        [
            part(&EBML.to_be_bytes(), b"webm"),
            // Its length is unknown, as in a live stream.
            [&SEGMENT.to_be_bytes()[..], &[0xff], &segment].concat(),
        ]
        .concat()
    }

    #[test]
    fn a_webm_file_has_the_length_of_its_info() {
        assert_eq!(
            length(&webm_file(&4_000.0_f64.to_be_bytes())),
            Some(Span::from_secs(4))
        );
        assert_eq!(length(&webm_file(&1e300_f64.to_be_bytes())), None);
        assert_eq!(length(&webm_file(&0.0_f64.to_be_bytes())), None);
        assert_eq!(
            length(&webm_file(&2_500.0_f32.to_be_bytes())),
            Some(Span::from_millis(2_500))
        );
        assert_eq!(
            length(&webm_file(&0x7ff8_0000_0000_0000_u64.to_be_bytes())),
            None
        );
        assert_eq!(length(&webm_file(&(-1.0_f64).to_be_bytes())), None);
    }

    #[test]
    fn a_file_that_is_cut_before_its_header_has_no_length() {
        let whole = webm_file(&4_000.0_f64.to_be_bytes());
        for end in 0..whole.len() {
            assert_eq!(length(&whole[..end]), None, "{end}");
        }
        for bytes in [
            &b""[..],
            b"\0\0\0\0",
            b"\x1a\x45\xdf\xa3 webm",
            b"\0\0\0\x07moov",
            b"\0\0\0\x08moov",
        ] {
            assert_eq!(length(bytes), None, "{bytes:?}");
        }
    }
}
