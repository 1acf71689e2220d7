//! Compressed recordings, and how files that are recordings begin.

use std::io::{self, Cursor, Read};

use flate2::read::MultiGzDecoder;
use zip::ZipArchive;

use super::{ImportFault, RequestRecording, draft, head, read_unpacked};

/// How files of gzip and zip begin.
const GZIP: &[u8] = &[0x1f, 0x8b];
const ZIP: &[u8] = b"PK\x03\x04";

/// How many bytes say whether a file is a recording.
const HEAD: u64 = 64;
/// The most bytes of a body in a zip file: what the file says of its own size is not trusted.
const MOST_BODY: u64 = 64 << 20;
/// The largest zip file, which is read as a whole since its table is at its end.
const MOST_ZIP: u64 = 1 << 30;

/// Returns whether a file that begins like this is a recording: an HTTP archive, also a compressed
/// one, or a zip file. Sessions of Charles are only known by their name.
#[must_use]
pub fn is_recording(head: &[u8]) -> bool {
    let mut unpacked = Vec::new();
    let head = match Packed::of(head) {
        Some(Packed::Zip) => return true,
        Some(Packed::Gzip) => {
            // What cannot be unpacked is not a recording.
            let _ = MultiGzDecoder::new(head)
                .take(HEAD)
                .read_to_end(&mut unpacked);
            &unpacked
        }
        None => head,
    };
    let text = String::from_utf8_lossy(&head[..head.len().min(64)]);
    let text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    text.strip_prefix('{')
        .is_some_and(|rest| rest.trim_start().starts_with("\"log\""))
}

/// How a recording is compressed.
#[derive(Debug, Clone, Copy)]
pub(super) enum Packed {
    Gzip,
    Zip,
}

impl Packed {
    /// Returns how a file is compressed that begins like this; `None` if it is not.
    pub(super) fn of(head: &[u8]) -> Option<Packed> {
        match head {
            _ if head.starts_with(GZIP) => Some(Packed::Gzip),
            _ if head.starts_with(ZIP) => Some(Packed::Zip),
            _ => None,
        }
    }

    /// Unpacks and reads a recording.
    pub(super) fn read(
        self,
        name: &str,
        from: impl Read,
        load: &mut draft::Load<'_>,
    ) -> Result<RequestRecording, ImportFault> {
        match self {
            Packed::Gzip => {
                // Once only: a file may be compressed so that it unpacks to itself.
                let (head, rest) = head(MultiGzDecoder::new(from));
                read_unpacked(name, head, rest, load)
            }
            Packed::Zip => read_zip(name, from),
        }
    }
}

/// Reads an archive in a zip file together with its bodies, as Playwright writes it.
fn read_zip(name: &str, from: impl Read) -> Result<RequestRecording, ImportFault> {
    let wrong =
        |error: &dyn std::fmt::Display| ImportFault::NotAnArchive(format!("{name}: {error}"));
    let mut whole = Vec::new();
    from.take(MOST_ZIP)
        .read_to_end(&mut whole)
        .map_err(|error| wrong(&error))?;
    let open = || ZipArchive::new(Cursor::new(&*whole)).map_err(|error| wrong(&error));
    // Bodies are read while the archive is.
    let (mut archive, mut bodies) = (open()?, open()?);
    let is_archive = |name: &str| {
        name.get(name.len().saturating_sub(4)..)
            .is_some_and(|end| end.eq_ignore_ascii_case(".har"))
    };
    let found = archive
        .file_names()
        .find(|name| is_archive(name))
        .map(str::to_owned);
    let Some(found) = found else {
        return Err(ImportFault::NotAnArchive(format!(
            "{name} has no HTTP archive (.har) in it"
        )));
    };
    let mut load = |path: &str| {
        let entry = bodies
            .by_name(path)
            .map_err(|_| io::Error::from(io::ErrorKind::NotFound))?;
        let mut bytes = Vec::new();
        entry.take(MOST_BODY).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let (head, rest) = head(archive.by_name(&found).map_err(|error| wrong(&error))?);
    read_unpacked(name, head, rest, &mut load)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::{Compression, write::GzEncoder};

    use super::*;

    const ARCHIVE: &[u8] = include_bytes!("../../../fixtures/recordings/by_hand/late.har");

    fn gzipped(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder
            .write_all(bytes)
            .and_then(|()| encoder.finish())
            .expect("memory can be written")
    }

    fn exchanges(bytes: &[u8]) -> Result<usize, String> {
        let read = crate::read("a", bytes, &mut |_| Err(io::ErrorKind::NotFound.into()));
        read.map(|recording| recording.exchanges.len())
            .map_err(|fault| fault.to_string())
    }

    #[test]
    fn a_compressed_recording_is_the_same_recording() {
        let once = gzipped(ARCHIVE);
        assert!(is_recording(ARCHIVE) && is_recording(&once) && is_recording(ZIP));
        assert!(!is_recording(b"<VAST/>") && !is_recording(&gzipped(b"videos: []")));
        assert_eq!(exchanges(&once), exchanges(ARCHIVE));
        // The part before the end of a file that breaks off counts.
        assert!(exchanges(&once[..once.len() - 8]).is_ok());
    }

    #[test]
    fn a_file_is_unpacked_once() {
        let fault = exchanges(&gzipped(&gzipped(ARCHIVE))).expect_err("it is not a recording");
        assert!(fault.starts_with("a is not a recording"), "{fault}");
        assert!(exchanges(b"PK\x03\x04 and nothing else").is_err());
    }
}
