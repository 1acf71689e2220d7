//! Recordings on the command line: how they are read, and what the user knows better about them.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use flate2::read::MultiGzDecoder;
use playsim::import::{self, Hints, Note, RequestRecording, UrlPattern};
use playsim::time::Span;
use playsim_base::words::io_error;
use zip::ZipArchive;
use zip::result::ZipError;

use super::failure::Failure;
use super::file::has_ending;
use super::input;
use super::output::Talk;

/// What the user knows better about a recording.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Recorded {
    /// For a recording: these requests are ad tags; a part of their URL, with * for any text
    #[arg(long, value_name = "PATTERN")]
    tag: Vec<UrlPattern>,
    /// For a recording: these requests do not matter
    #[arg(long, value_name = "PATTERN")]
    ignore: Vec<UrlPattern>,
    /// For a recording: keep the values of query parameters such as token, which are removed otherwise
    #[arg(long)]
    keep_secrets: bool,
}

/// The content: its length, or for a recording, the requests for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Content {
    Length(Span),
    Requests(UrlPattern),
}

impl FromStr for Content {
    type Err = String;

    fn from_str(text: &str) -> Result<Content, String> {
        match text.parse::<Span>() {
            Ok(length) => Ok(Content::Length(length)),
            Err(_) if text.contains(['/', '.', '*']) && !text.starts_with(['.', '-']) => {
                text.parse().map(Content::Requests).map_err(|_| String::new())
            }
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Recorded {
    /// Returns the first option that was given.
    pub(super) fn option(&self) -> Option<&'static str> {
        let given = [
            (!self.tag.is_empty(), "--tag"),
            (!self.ignore.is_empty(), "--ignore"),
            (self.keep_secrets, "--keep-secrets"),
        ];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, option)| option)
    }

    /// Returns what the user knows better.
    pub(super) fn hints(&self, content: &[Content]) -> Hints {
        let mut hints = Hints {
            tags: self.tag.clone(),
            ignored: self.ignore.clone(),
            keeps_secrets: self.keep_secrets,
            ..Hints::default()
        };
        for it in content {
            match it {
                Content::Length(length) => hints.content_length = Some(*length),
                Content::Requests(pattern) => hints.content.push(pattern.clone()),
            }
        }
        hints
    }
}

/// The argument for standard input.
const STDIN: &str = "-";

/// Returns whether an argument names a recording and not the answer of a tag.
pub(super) fn is_recording(word: &str) -> bool {
    let file = Path::new(word);
    if word == STDIN {
        // Looking does not consume: the lock has the same buffer as later ones.
        return io::stdin().lock().fill_buf().is_ok_and(begins_as_archive);
    }
    let is_packed = || word.to_ascii_lowercase().ends_with(".har.gz") || has_ending(file, &["zip"]);
    has_ending(file, &["har", "chlsj", "chlsx"]) || is_packed() || file_begins_as_archive(file)
}

/// Returns whether a file begins as HTTP archives do, whatever its name.
fn file_begins_as_archive(file: &Path) -> bool {
    const HEAD: u64 = 64;
    let mut head = Vec::new();
    let read = File::open(file).and_then(|open| open.take(HEAD).read_to_end(&mut head));
    if head.starts_with(GZIP) {
        let mut unpacked = Vec::new();
        // What cannot be unpacked is no archive.
        let _ =
            File::open(file).and_then(|open| MultiGzDecoder::new(open).take(HEAD).read_to_end(&mut unpacked));
        return begins_as_archive(&unpacked);
    }
    read.is_ok() && begins_as_archive(&head)
}

fn begins_as_archive(head: &[u8]) -> bool {
    let text = String::from_utf8_lossy(&head[..head.len().min(64)]);
    let rest =
        text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).strip_prefix('{').map(str::trim_start);
    head.starts_with(GZIP) || head.starts_with(ZIP) || rest.is_some_and(|rest| rest.starts_with("\"log\""))
}

/// How files of gzip and zip begin.
const GZIP: &[u8] = &[0x1f, 0x8b];
const ZIP: &[u8] = b"PK\x03\x04";

/// Reads a recording: a file, also one that is packed, or standard input.
pub(super) fn read(file: &Path) -> Result<RequestRecording, Failure> {
    if file.as_os_str() == STDIN {
        let mut from = io::stdin().lock();
        let head = from.fill_buf().map(|head| head[..head.len().min(ZIP.len())].to_vec());
        let head = head.unwrap_or_default();
        if head == ZIP {
            // A zip file begins at its end.
            let mut whole = Vec::new();
            from.take(MOST_ZIP)
                .read_to_end(&mut whole)
                .map_err(|error| Failure::Io(format!("cannot read standard input: {}", io_error(&error))))?;
            return read_zip("standard input", Cursor::new(&whole), Cursor::new(&whole))
                .map_err(|error| Failure::Input(format!("standard input: {error}")))?;
        }
        let mut load = |_: &str| Err(io::ErrorKind::NotFound.into());
        return if head.starts_with(GZIP) {
            take("standard input", MultiGzDecoder::new(from), &mut load)
        } else {
            take("standard input", from, &mut load)
        };
    }
    let name = input::name(file);
    let cannot = |error: io::Error| Failure::Io(format!("cannot read {name}: {}", io_error(&error)));
    let mut open = File::open(file).map_err(cannot)?;
    let mut head = Vec::new();
    (&mut open).take(4).read_to_end(&mut head).map_err(cannot)?;
    open.rewind().map_err(cannot)?;
    let heading = input::heading(file);
    if head == ZIP {
        let again = File::open(file).map_err(cannot)?;
        return read_zip(&heading, BufReader::new(open), BufReader::new(again))
            .map_err(|error| Failure::Input(format!("{name}: {error}")))?;
    }
    let folder = file.parent().map(Path::to_path_buf).unwrap_or_default();
    let mut load = |path: &str| input::bytes_below(&folder, path);
    if head.starts_with(GZIP) {
        take(&heading, MultiGzDecoder::new(open), &mut load)
    } else {
        take(&heading, open, &mut load)
    }
}

/// The most bytes of a body that a packed archive may have: what it says of its own size is not trusted.
const MOST_BODY: u64 = 64 << 20;
/// The most bytes of a packed archive on standard input, which has to be in memory as a whole.
const MOST_ZIP: u64 = 1 << 30;

/// Reads an archive that is packed together with its bodies, as Playwright writes it. It is given twice:
/// bodies are read while the archive is.
fn read_zip<R: Read + Seek>(
    name: &str,
    archive: R,
    bodies: R,
) -> Result<Result<RequestRecording, Failure>, ZipError> {
    let mut archive = ZipArchive::new(archive)?;
    let mut bodies = ZipArchive::new(bodies)?;
    let names = archive.file_names().filter_map(Result::ok);
    let found = names.map(Cow::into_owned).find(|name| has_ending(Path::new(name), &["har"]));
    let Some(found) = found else {
        return Ok(Err(Failure::Input(format!("{name} has no HTTP archive (.har) in it"))));
    };
    let mut load = |path: &str| {
        let entry = bodies.by_name(path).map_err(|_| io::Error::from(io::ErrorKind::NotFound))?;
        let mut bytes = Vec::new();
        entry.take(MOST_BODY).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    Ok(take(name, archive.by_name(&found)?, &mut load))
}

fn take(
    name: &str,
    from: impl Read,
    load: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
) -> Result<RequestRecording, Failure> {
    import::read(name, from, load).map_err(|fault| Failure::Input(fault.to_string()))
}

/// Prints how a recording was read.
pub(super) fn say_notes(notes: &[Note], talk: &Talk) {
    for note in notes {
        talk.say(&format!("note: {note}"));
    }
}

/// Returns the name of the scenario for a recording: that of its file.
pub(super) fn stem(file: &Path) -> PathBuf {
    let stem = file
        .file_stem()
        .filter(|stem| *stem != STDIN)
        .map_or_else(|| PathBuf::from("session"), PathBuf::from);
    // Of session.har.gz.
    if has_ending(&stem, &["har"]) { stem.with_extension("") } else { stem }
}
