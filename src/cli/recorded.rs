//! Recordings on the command line: how they are read, and what the user knows better about them.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use playsim::import::{self, Hints, Pattern, Recording, Session};
use playsim::internal::words::io_error;
use playsim::time::Span;

use super::failure::Failure;
use super::file::has_ending;
use super::input;
use super::output::Talk;

/// What the user knows better about a recording.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Recorded {
    /// For a recording: these requests are ad tags; a part of their URL, with * for any text
    #[arg(long, value_name = "PATTERN")]
    tag: Vec<Pattern>,
    /// For a recording: these requests do not matter
    #[arg(long, value_name = "PATTERN")]
    ignore: Vec<Pattern>,
    /// For a recording: keep the values of query parameters such as token, which are removed otherwise
    #[arg(long)]
    keep_secrets: bool,
}

/// The content: its length, or for a recording, the requests for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Content {
    Length(Span),
    Requests(Pattern),
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

    /// Reads a recording and finds out what its requests were for.
    pub(super) fn session(&self, file: &Path, content: &[Content]) -> Result<Session, Failure> {
        let recording = read(file)?;
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
        Session::of(recording, hints).map_err(|fault| Failure::Input(fault.to_string()))
    }
}

/// Returns whether an argument names a recording and not the answer of a tag.
pub(super) fn is_recording(word: &str) -> bool {
    has_ending(Path::new(word), &["har", "chlsj", "chlsx"]) || begins_as_archive(Path::new(word))
}

/// Returns whether a file begins as HTTP archives do, whatever its name.
fn begins_as_archive(file: &Path) -> bool {
    const HEAD: u64 = 64;
    let mut head = Vec::new();
    let read = File::open(file).and_then(|open| open.take(HEAD).read_to_end(&mut head));
    let text = String::from_utf8_lossy(&head);
    let rest =
        text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).strip_prefix('{').map(str::trim_start);
    read.is_ok() && rest.is_some_and(|rest| rest.starts_with("\"log\""))
}

fn read(file: &Path) -> Result<Recording, Failure> {
    let name = input::name(file);
    let open =
        File::open(file).map_err(|error| Failure::Io(format!("cannot read {name}: {}", io_error(&error))))?;
    let folder = file.parent().map(Path::to_path_buf).unwrap_or_default();
    let mut load = |path: &str| input::bytes_below(&folder, path);
    import::read(&input::heading(file), open, &mut load).map_err(|fault| Failure::Input(fault.to_string()))
}

/// Prints what was assumed, and what was removed.
pub(super) fn say_notes(session: &Session, concluded: &[String], talk: &Talk) {
    for note in session.notes.iter().chain(concluded).chain(&removed(session)) {
        talk.say(&format!("note: {note}"));
    }
}

/// Says what was removed as a secret, if anything.
pub(super) fn removed(session: &Session) -> Vec<String> {
    if session.removed.is_empty() {
        return Vec::new();
    }
    let names = session.removed.join(", ");
    vec![format!("removed from URLs and documents: {names}; --keep-secrets keeps them")]
}

/// Returns the name of the scenario for a recording: that of its file.
pub(super) fn stem(file: &Path) -> PathBuf {
    file.file_stem().map_or_else(|| PathBuf::from("session"), PathBuf::from)
}
