//! Recordings of real sessions: what they show, what happened on the page, and what the documented player does instead.
//!
//! A [`RequestRecording`] is a list of requests, read from an HTTP archive or another form. Three steps follow, each a type that
//! can be printed and tested alone. [`Evidence`] is what each request shows, with its role, how sure that is and why.
//! [`PageVerdict`] is what happened on the page, from evidence alone. [`PageSimulation`] is the documented player in the same
//! world, and where the page did something else. [`play`] takes all three.
//!
//! Nothing here touches files or the network.

mod charles;
mod days;
mod difference;
mod draft;
mod evidence;
mod film;
mod har;
mod heard;
mod lenient;
mod page;
mod pattern;
mod play;
mod recording;
mod secrets;
mod simulation;
mod verdict;
mod write;

use std::io::{self, BufRead, BufReader, Read};

use encoding_rs_io::DecodeReaderBytesBuilder;

pub use crate::interval::{CONFIDENCE, Proportion, ShareDifference};
pub use days::{
    ChangedFigure, ChangedValues, CodeCount, FailureCount, FailureKind, LatencyQuantile, LeftOut,
    OutcomeCount, OutcomeKind, RecordedCount, RecordedTag, RecordingChange, RecordingSet, RecordingTable,
    SetFigures,
};
pub use difference::{VerdictDifference, differences};
pub use evidence::{
    AdDocument, Bodies, Certainty, Damage, Evidence, EvidenceRow, Ground, Hints, RecordedAnswer,
    RequestFinding, Role,
};
#[cfg(feature = "fetch")]
pub(crate) use film::length as media_length;
pub use page::RecordingPage;
pub use pattern::UrlPattern;
pub use play::{PlayedRecording, play, removed, scenario};
pub use recording::{Body, Exchange, RecordedOutcome, RecordedPage, RequestRecording};
pub use simulation::{PageDifference, PageSimulation, PlaySettings, Rank, compare};
pub use verdict::{
    AdVerdict, BreakVerdict, ContentLength, Headline, Hop, NotShown, PageVerdict, PixelFault, PixelVerdict,
    PlayedLength, PlayerLimit, RecordedBreakKind, RecordedEnd, Sentence, Shown, ShownBy, TagFailure,
    TagResult, TagVerdict, Unknown,
};
pub use write::write_har;

/// Why a file is not a recording.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ImportFault {
    /// Nothing could be read; with the name of the file and what is wrong.
    #[error("{0}")]
    NotAnArchive(String),
    /// No request is an ad tag; with what may be one.
    #[error("{0}")]
    NoTag(String),
    /// The scenario that was made of it was changed into one that cannot be played.
    #[error("{0}")]
    NotPlayable(String),
}

/// Reads a recording in any of the known forms: an HTTP archive, or a session of Charles as JSON or XML. `name` is used
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
    let decoder = DecodeReaderBytesBuilder::new().encoding(Some(encoding_rs::UTF_8)).build(from);
    let mut from = BufReader::with_capacity(1 << 16, decoder);
    let begin = from.fill_buf().map_err(|error| ImportFault::NotAnArchive(format!("{name}: {error}")))?;
    match begin.trim_ascii_start().first() {
        Some(b'<') => {
            let mut text = String::new();
            from.take(MOST_XML)
                .read_to_string(&mut text)
                .map_err(|error| ImportFault::NotAnArchive(format!("{name}: {error}")))?;
            charles::read_xml(name, &text)
        }
        Some(b'[') => charles::read_json(name, from),
        Some(b'{') => har::read(name, from, load),
        Some(_) => Err(ImportFault::NotAnArchive(format!(
            "{name} is not a recording: expected an HTTP archive (.har), which is JSON, or a session of Charles (.chlsj, \
             .chlsx)"
        ))),
        None => Err(ImportFault::NotAnArchive(format!("{name} is empty; expected an HTTP archive"))),
    }
}

/// The largest session in XML, which is read as a whole.
const MOST_XML: u64 = 1 << 30;
