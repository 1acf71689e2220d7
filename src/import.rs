//! Recordings of real sessions: read, understood, and made into scenarios.
//!
//! A [`Recording`] is a list of requests, read from an HTTP archive or another form. [`Session`] finds out what each
//! request was for, and gives a scenario that plays the same page. [`compare`] compares the recording with the trace of
//! that scenario.
//!
//! Nothing here touches files or the network.

mod charles;
mod compare;
mod draft;
mod har;
mod heard;
mod lenient;
mod pattern;
mod recording;
mod secrets;
mod session;

use std::io::{self, BufRead, BufReader, Read};

use encoding_rs_io::DecodeReaderBytesBuilder;

pub use compare::compare;
pub use pattern::Pattern;
pub use recording::{Body, Exchange, Outcome, RecordedPage, Recording};
pub use session::{AdDocument, Hints, RecordedAd, RecordedBreak, RecordedTag, Role, Session};

/// Why a file is not a recording.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// Nothing could be read; with the name of the file and what is wrong.
    #[error("{0}")]
    NotAnArchive(String),
    /// No request is an ad tag; with what may be one.
    #[error("{0}")]
    NoTag(String),
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
) -> Result<Recording, Fault> {
    let decoder = DecodeReaderBytesBuilder::new().encoding(Some(encoding_rs::UTF_8)).build(from);
    let mut from = BufReader::with_capacity(1 << 16, decoder);
    let begin = from.fill_buf().map_err(|error| Fault::NotAnArchive(format!("{name}: {error}")))?;
    match begin.trim_ascii_start().first() {
        Some(b'<') => {
            let mut text = String::new();
            from.take(MOST_XML)
                .read_to_string(&mut text)
                .map_err(|error| Fault::NotAnArchive(format!("{name}: {error}")))?;
            charles::read_xml(name, &text)
        }
        Some(b'[') => charles::read_json(name, from),
        Some(b'{') => har::read(name, from, load),
        Some(_) => Err(Fault::NotAnArchive(format!(
            "{name} is not a recording: expected an HTTP archive (.har), which is JSON, or a session of Charles (.chlsj, \
             .chlsx)"
        ))),
        None => Err(Fault::NotAnArchive(format!("{name} is empty; expected an HTTP archive"))),
    }
}

/// The largest session in XML, which is read as a whole.
const MOST_XML: u64 = 1 << 30;
