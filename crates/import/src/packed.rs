//! Compressed recordings, and how files that are recordings begin.

use std::cell::Cell;
use std::io::{self, Cursor, Read};

use flate2::read::MultiGzDecoder;
use playsim_base::words::counted;
use zip::ZipArchive;

use super::{ImportFault, Note, RequestRecording, draft, head, read_unpacked};

/// How files of gzip and zip begin.
const GZIP: &[u8] = &[0x1f, 0x8b];
const ZIP: &[u8] = b"PK\x03\x04";

/// How many bytes say whether a file is a recording.
const HEAD: u64 = 64;
/// The most bytes of a body in a zip file: what the file says of its own size is not trusted.
const MOST_BODY: u64 = 64 << 20;
/// The largest zip file, which is read as a whole since its table is at its end.
const MOST_ZIP: u64 = 1 << 30;

/// What every file may unpack to, and what each of its bytes may in addition: a file that is larger
/// unpacked was made to be.
const LEAST: u64 = 64 << 20;
const RATIO: u64 = 64;

/// What was read of a compressed file, and what it was unpacked to.
#[derive(Debug, Default)]
struct Unpacked {
    packed: Cell<u64>,
    bytes: Cell<u64>,
}

impl Unpacked {
    /// How many bytes may still be unpacked.
    fn left(&self) -> u64 {
        let most = LEAST.saturating_add(self.packed.get().saturating_mul(RATIO));
        most.saturating_sub(self.bytes.get())
    }
}

/// Counts the bytes that are read of a compressed file.
struct Packing<'u, R>(R, &'u Unpacked);

impl<R: Read> Read for Packing<'_, R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let Packing(from, count) = self;
        let read = from.read(bytes)?;
        count.packed.set(count.packed.get() + read as u64);
        Ok(read)
    }
}

/// Gives the bytes that a compressed file unpacks to, unless they are out of proportion.
struct Unpacking<'u, R>(R, &'u Unpacked);

impl<R: Read> Read for Unpacking<'_, R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let Unpacking(from, count) = self;
        let read = from.read(bytes)?;
        if read as u64 > count.left() {
            return Err(io::Error::other(format!(
                "it unpacks to more than {} MB and {RATIO} times its size",
                LEAST >> 20
            )));
        }
        count.bytes.set(count.bytes.get() + read as u64);
        Ok(read)
    }
}

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
                let count = Unpacked::default();
                // Once only: a file may be compressed so that it unpacks to itself.
                let unpacked = MultiGzDecoder::new(Packing(from, &count));
                let (head, rest) = head(Unpacking(unpacked, &count));
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
    let count = Unpacked::default();
    count.packed.set(whole.len() as u64);
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
    let mut left_out = 0;
    let mut load = |path: &str| {
        let entry = bodies
            .by_name(path)
            .map_err(|_| io::Error::from(io::ErrorKind::NotFound))?;
        let mut bytes = Vec::new();
        let read = Unpacking(entry, &count)
            .take(MOST_BODY)
            .read_to_end(&mut bytes);
        left_out += usize::from(read.is_err());
        read.map(|_| bytes)
    };
    let found = archive.by_name(&found).map_err(|error| wrong(&error))?;
    let (head, rest) = head(Unpacking(found, &count));
    let mut recording = read_unpacked(name, head, rest, &mut load)?;
    if left_out > 0 {
        recording.notes.push(Note::seen(format!(
            "{} in the zip file cannot be read, or make it unpack to more than {} MB and {RATIO} times its size",
            counted(left_out, "file"),
            LEAST >> 20
        )));
    }
    Ok(recording)
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
    fn a_file_that_was_made_to_unpack_to_far_more_is_read_in_part() {
        let entry = br#"{"request":{"url":"https://a.test/x"},"response":{"status":200,"content":{"text":""#;
        let mut bomb = br#"{"log":{"entries":[{"request":{"url":"https://a.test/y"}},"#.to_vec();
        bomb.extend_from_slice(entry);
        bomb.resize(bomb.len() + (80 << 20), b' ');
        let mut most = 0;
        let packed = gzipped(&bomb);
        assert!(packed.len() < 1 << 20, "{}", packed.len());
        let read = crate::read("a", &*packed, &mut |_| Err(io::ErrorKind::NotFound.into()));
        if let Ok(recording) = read {
            most = recording.exchanges.len();
            assert!(recording.is_cut, "{:?}", recording.notes);
        }
        assert!(most <= 2);
    }

    #[test]
    fn a_file_is_unpacked_once() {
        let fault = exchanges(&gzipped(&gzipped(ARCHIVE))).expect_err("it is not a recording");
        assert!(fault.starts_with("a is not a recording"), "{fault}");
        assert!(exchanges(b"PK\x03\x04 and nothing else").is_err());
    }
}
