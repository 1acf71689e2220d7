//! Recordings on the command line: how they are read, and what the user knows better about them.

use std::io::{self, BufRead, Read};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use playsim::import::{self, Hints, Note, RequestRecording, UrlPattern};
use playsim::time::Span;

use super::failure::{Failure, bail};
use super::file::has_ending;
use super::output::Talk;
use super::{input, reading};

/// What the user knows better about a recording.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Recorded {
    /// For a recording: these requests are ad tags; a part of their URL, with * for any text
    #[arg(long, value_name = "PATTERN")]
    tag: Vec<UrlPattern>,
    /// For a recording: these requests do not matter
    #[arg(long, value_name = "PATTERN")]
    ignore: Vec<UrlPattern>,
    /// For a recording of several pages with ads: look at this one; its id, or a part of its title
    #[arg(long, value_name = "PAGE")]
    page: Option<String>,
    /// For a recording: keep the values of query parameters such as token, which are removed
    /// otherwise
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
            Err(_) if text.contains(['/', '.', '*']) && !text.starts_with(['.', '-']) => text
                .parse()
                .map(Content::Requests)
                .map_err(|_| String::new()),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Recorded {
    /// Returns what the user knows better.
    pub(super) fn hints(&self, content: &[Content]) -> Hints {
        let mut hints = Hints {
            tags: self.tag.clone(),
            ignored: self.ignore.clone(),
            page: self.page.clone(),
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
        return io::stdin()
            .lock()
            .fill_buf()
            .is_ok_and(import::is_recording);
    }
    let is_packed = || word.to_ascii_lowercase().ends_with(".har.gz") || has_ending(file, &["zip"]);
    has_ending(file, &["har", "chlsj", "chlsx"]) || is_packed() || file_begins_as_archive(file)
}

/// Returns whether a file begins as HTTP archives do, whatever its name.
fn file_begins_as_archive(file: &Path) -> bool {
    head(file).is_some_and(|head| import::is_recording(&head))
}

/// Refuses a file that tells of requests and is neither a recording nor the answer of a tag.
pub(super) fn check_form(word: &str) -> Result<(), Failure> {
    match head(Path::new(word)).and_then(|head| import::other_form(&head)) {
        Some(what) => bail!("{word} is {what}"),
        None => Ok(()),
    }
}

/// Returns how a file begins, if it is one that can be read.
fn head(file: &Path) -> Option<Vec<u8>> {
    const HEAD: u64 = 4 << 10;
    let mut head = Vec::new();
    // What is read from a pipe would be missing later.
    let open = file.is_file().then(|| reading::open(file))?;
    open.and_then(|it| it.take(HEAD).read_to_end(&mut head))
        .ok()?;
    Some(head)
}

/// Reads a recording: a file, also a compressed one, or standard input.
pub(super) fn read(file: &Path) -> Result<RequestRecording, Failure> {
    let read = if file.as_os_str() == STDIN {
        import::read("standard input", io::stdin().lock(), &mut |_| {
            Err(io::ErrorKind::NotFound.into())
        })
    } else {
        let folder = file.parent().map(Path::to_path_buf).unwrap_or_default();
        let mut load = |path: &str| reading::bytes_below(&folder, Path::new(path));
        import::read(
            &input::heading(file),
            reading::open(file).map_err(Failure::cannot("read", file))?,
            &mut load,
        )
    };
    read.map_err(Failure::input)
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
    if has_ending(&stem, &["har"]) {
        stem.with_extension("")
    } else {
        stem
    }
}
