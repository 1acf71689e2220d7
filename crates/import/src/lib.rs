//! Recordings of real sessions: their evidence, the verdict about the page, and what the documented
//! player does instead.
//!
//! A [`RequestRecording`] is a list of requests, read from an HTTP archive or another form. Three
//! steps follow, each a type that can be printed and tested alone. [`Evidence`] is the finding
//! about each request, with its role, how sure that is and why. [`PageVerdict`] is the verdict
//! about the page, from evidence alone. [`PageSimulation`] is the documented player in the same
//! world, and where the page did something else. [`play`] takes all three, and is the function for
//! a front end: its result can be printed as text, as JSON or as a page.
//!
//! Nothing here touches files or the network.

mod certainty;
mod charles;
mod days;
mod difference;
mod draft;
mod evidence;
mod film;
mod har;
mod lenient;
mod lines;
mod other;
mod packed;
mod page;
mod pattern;
mod play;
mod recording;
mod replay;
mod secrets;
mod simulation;
mod verdict;
mod write;

use std::io::{self, BufRead, BufReader, Read};

use encoding_rs_io::DecodeReaderBytesBuilder;
use serde_json::Deserializer;

use packed::Packed;

pub use certainty::{Certainty, Note};
pub use days::{
    ChangedFigure, ChangedValues, CodeCount, CourseTag, FailureCount, FailureKind, LatencyQuantile,
    LeftOut, OutcomeCount, OutcomeKind, RecordedCount, RecordedCourse, RecordedTag,
    RecordingChange, RecordingLinks, RecordingSet, RecordingTable, SetFigures,
};
pub use difference::{VerdictDifference, differences};
pub use evidence::{
    AdDocument, Bodies, Damage, Evidence, EvidenceRow, Ground, Hints, Jump, RecordedAnswer,
    RequestFinding, Role,
};
pub use film::length as media_length;
pub use other::other_form;
pub use packed::is_recording;
pub use page::RecordingPage;
pub use pattern::UrlPattern;
pub use play::{PlayedRecording, play, play_changed, removed, scenario};
pub use playsim_base::interval::{CONFIDENCE, Proportion, ShareDifference};
pub use recording::{
    Body, Exchange, RecordedClock, RecordedOutcome, RecordedPage, RequestRecording,
};
pub use replay::{Gap, Replayed, replay, scenario_of_lines};
pub use simulation::{PageDifference, PageSimulation, PlaySettings, Rank, compare};
pub use verdict::{
    AdVerdict, BidVerdict, BreakVerdict, ContentLength, Headline, Hop, MissingAd, NotShown,
    PageVerdict, PixelFault, PixelVerdict, PlayedLength, PlayerLimit, RecordedBreakKind,
    RecordedEnd, Sentence, Shown, ShownBy, TagFailure, TagResult, TagVerdict, Unknown,
};
pub use write::write_har;

/// Why a file is not a recording.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportFault {
    /// Nothing could be read; with the name of the file and the error.
    #[error("{0}")]
    NotAnArchive(String),
    /// No request is an ad tag; with what may be one.
    #[error("{0}")]
    NoTag(String),
    /// No request has a time that can be read.
    #[error("{0}")]
    NoTimes(String),
    /// The scenario that was made of it was changed into one that cannot be played.
    #[error("{0}")]
    NotPlayable(String),
}

/// Reads a recording in any of the known forms: an HTTP archive, or a session of Charles as JSON or
/// XML, plain or compressed by gzip, or a zip file with an archive and its bodies. `name` is used
/// in messages; `load` reads the files next to it that some tools put bodies in.
///
/// Invalid bytes are replaced; a byte-order mark says the encoding.
///
/// # Errors
///
/// If it has no list of requests, or breaks off before the first one is complete.
pub fn read(
    name: &str,
    from: impl Read,
    load: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
) -> Result<RequestRecording, ImportFault> {
    let (head, rest) = head(from);
    match Packed::of(&head) {
        Some(packed) => packed.read(name, io::Cursor::new(head).chain(rest), load),
        None => read_unpacked(name, head, rest, load),
    }
}

/// Reads the beginning of a file, which may be all of it.
fn head<R: Read>(mut from: R) -> (Vec<u8>, Rest<R>) {
    let mut head = Vec::new();
    let rest = match from.by_ref().take(MOST_IN_MEMORY).read_to_end(&mut head) {
        Ok(_) if (head.len() as u64) < MOST_IN_MEMORY => Rest::Nothing,
        Ok(_) => Rest::More(from),
        Err(error) => Rest::Failed(error),
    };
    (head, rest)
}

/// Reads a recording that is not compressed, or no longer.
fn read_unpacked(
    name: &str,
    head: Vec<u8>,
    rest: Rest<impl Read>,
    load: &mut draft::Load<'_>,
) -> Result<RequestRecording, ImportFault> {
    if let Some(what) = other_form(&head) {
        return Err(ImportFault::NotAnArchive(format!("{name} is {what}")));
    }
    let is_utf16 = head.starts_with(&[0xff, 0xfe]) || head.starts_with(&[0xfe, 0xff]);
    if matches!(rest, Rest::Nothing) && !is_utf16 {
        // A file in memory is walked through several times as fast as a stream.
        let text = String::from_utf8(head)
            .unwrap_or_else(|it| String::from_utf8_lossy(it.as_bytes()).into_owned());
        return read_text(name, text.strip_prefix('\u{feff}').unwrap_or(&text), load);
    }
    // The part of a file before a read error counts.
    let from = io::Cursor::new(head).chain(rest);
    let decoder = DecodeReaderBytesBuilder::new()
        .encoding(Some(encoding_rs::UTF_8))
        .bom_override(true)
        .strip_bom(true)
        .build(from);
    let mut from = BufReader::with_capacity(1 << 16, decoder);
    let begin = from
        .fill_buf()
        .map_err(|error| ImportFault::NotAnArchive(format!("{name}: {error}")))?;
    match begin.trim_ascii_start().first() {
        Some(b'<') => {
            let mut text = String::new();
            from.take(MOST_XML)
                .read_to_string(&mut text)
                .map_err(|error| ImportFault::NotAnArchive(format!("{name}: {error}")))?;
            charles::read_xml(name, &text)
        }
        Some(b'[') => charles::read_json(name, from),
        Some(b'{') => har::read(name, Deserializer::from_reader(from), load),
        Some(_) | None => Err(unknown(name, begin.is_empty())),
    }
}

/// Reads a recording that is in memory as a whole.
fn read_text(
    name: &str,
    text: &str,
    load: &mut draft::Load<'_>,
) -> Result<RequestRecording, ImportFault> {
    match text.trim_ascii_start().bytes().next() {
        Some(b'<') => charles::read_xml(name, text),
        Some(b'[') => charles::read_json(name, text.as_bytes()),
        Some(b'{') => har::read(name, Deserializer::from_str(text), load),
        Some(_) | None => Err(unknown(name, text.is_empty())),
    }
}

fn unknown(name: &str, is_empty: bool) -> ImportFault {
    ImportFault::NotAnArchive(if is_empty {
        format!("{name} is empty; expected an HTTP archive")
    } else {
        format!(
            "{name} is not a recording: expected an HTTP archive (.har), which is JSON, or a session of Charles (.chlsj, \
             .chlsx)"
        )
    })
}

/// The rest of a file after its beginning: nothing, more of it, or the error that ended reading.
enum Rest<R> {
    Nothing,
    More(R),
    Failed(io::Error),
}

impl<R: Read> Read for Rest<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self {
            Rest::Nothing => Ok(0),
            Rest::More(from) => from.read(bytes),
            Rest::Failed(error) => Err(io::Error::new(error.kind(), error.to_string())),
        }
    }
}

/// The largest file that is read into memory as a whole; a larger one is read as a stream.
const MOST_IN_MEMORY: u64 = 8 << 20;

/// The largest session in XML, which is read as a whole.
const MOST_XML: u64 = 1 << 30;
