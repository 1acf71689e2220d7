//! Recordings: the lines that were heard of a real player, in the form of a trace.
//!
//! A recording is a trace in JSON lines whose first line, its head, names the player and says what
//! the recorder could hear. Only `t`, `kind` and `name` of a line are required, and the head may be
//! missing. A recording also has lines that no simulation writes: `ui shown` and `ui gone`, which
//! say which film is on screen, and `native` events.
//!
//! A recorder sees requests and does not know which of them are trackers. [`Recording::label`]
//! turns the requests for tracking URLs into the `beacon` lines of a trace, by the documents that
//! name the URLs.
//!
//! [`heard`] goes the other way: it makes a recording of a simulated trace, so that the two can be
//! compared line by line.

use std::borrow::Cow;
use std::sync::Arc;

use playsim_api::{Fields, HeaderLine, Kind, NetLine, Text, Value};
use playsim_base::named::named;
use playsim_base::place::Place;
use playsim_base::words;
use playsim_rules::knobs::Knobs;
use playsim_trace::{Pattern, Record, Trace, TraceError, read_jsonl};
use playsim_vast as vast;
use playsim_vast::names::Names;

mod content;
mod heard;
mod log;
mod schema;
mod tolerance;

pub use content::ContentClock;
pub use heard::heard;
pub(crate) use heard::is_content;
pub use schema::schema;
pub use tolerance::{TOGETHER, Tolerance};

pub use playsim_trace::RECORDING_VERSION as VERSION;

/// Returns the knobs of a run: the header of its trace lists those that differ from the default.
/// Rule TRACE-6.
#[must_use]
pub fn knobs_of(trace: &Trace) -> Knobs {
    let mut knobs = Knobs::default();
    let listed = trace
        .records
        .first()
        .and_then(|header| header.data.get("knobs"))
        .and_then(Value::as_map);
    for (name, value) in listed.into_iter().flat_map(Fields::iter) {
        // A trace written by hand may name a knob that does not exist, which has no effect.
        let _ = value.as_text().map(|value| knobs.set(name, value));
    }
    knobs
}

/// Returns whether a line asks a player to play. From the first one on, times are compared.
pub fn is_play(record: &Record) -> bool {
    record.kind.is_act() && record.name == *"play"
}

named! {
    /// How a page requests a URL, as recorders name it: the field `via` of a request.
    RequestVia {
        Image "image" "As an image.",
        Media "media" "As the source of a media element.",
        Script "script" "As a script.",
        Frame "frame" "As the page of a frame.",
        Fetch "fetch" "By `fetch`.",
        Xhr "xhr" "By `XMLHttpRequest`.",
        Beacon "beacon" "By `navigator.sendBeacon`.",
    }
}

impl RequestVia {
    /// Returns how a line's request was sent; `None` if the line does not say that.
    #[must_use]
    pub fn of(record: &Record) -> Option<RequestVia> {
        RequestVia::from_name(record.data.text("via")?)
    }
}

/// A trace that was recorded, with its head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recording {
    /// The content of the first line.
    pub head: Head,
    /// All lines, the head among them if there is one.
    pub trace: Trace,
}

/// The head of a recording. All of it may be missing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Head {
    /// The player, such as `fluid-player`.
    pub player: Option<Text>,
    /// The packages that it is made of, with their versions.
    pub versions: Vec<(Text, Text)>,
    /// The browser, such as `Chromium 148.0.7778.0`.
    pub browser: Option<Text>,
    /// The name of the case that was played.
    pub case: Option<Text>,
    /// The file of its scenario.
    pub scenario: Option<Text>,
    /// The lines that the recorder can hear.
    pub hears: Hears,
    /// Behaviour that the adapter decides, which therefore says nothing about the player: one
    /// sentence each.
    pub decides: Vec<Text>,
    /// Why the case could not be shown.
    pub cannot: Option<Text>,
    /// The reasons why the case could not be played as written, such as a fault of the adapter: one
    /// sentence each.
    pub problems: Vec<Text>,
}

/// The lines that a recorder can hear. Others are unknown, and never missing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Hears(Option<Vec<Heard>>);

/// One entry of `hears`: a kind, or `kind:name`, with `*` as a wildcard in the name.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Heard {
    kind: Kind,
    name: Pattern,
}

impl Hears {
    /// Everything.
    #[must_use]
    pub const fn all() -> Hears {
        Hears(None)
    }

    /// The kinds of lines that a trace has, for a recording that does not say.
    #[must_use]
    pub fn kinds_of(trace: &Trace) -> Hears {
        let has = |kind: &Kind| trace.records.iter().any(|record| record.kind == *kind);
        let kinds = Kind::ALL
            .iter()
            .filter(|kind| has(kind) && !kind.is_frame());
        Hears(Some(
            kinds
                .map(|kind| Heard {
                    kind: *kind,
                    name: Pattern::new("*"),
                })
                .collect(),
        ))
    }

    /// The lines that could be heard, according to the header of a recording or the kinds of lines
    /// in it. `None` for the trace of a simulation, and for a header that does not say.
    pub(crate) fn of(trace: &Trace) -> Option<Hears> {
        match trace.records.first() {
            Some(first) if first.is(HeaderLine::Trace) => None,
            Some(first) if first.is(HeaderLine::Recording) => {
                let said = first
                    .data
                    .get("hears")
                    .and_then(|hears| Hears::read(hears).ok());
                Some(said.unwrap_or_default())
            }
            Some(_) | None => Some(Hears::kinds_of(trace)),
        }
    }

    /// Returns whether a line of this kind and name would be heard. Trackers are requests, and
    /// heard as such.
    #[must_use]
    pub fn hears(&self, kind: Kind, name: &str) -> bool {
        let Some(entries) = &self.0 else { return true };
        let of = |kind: Kind, name: &str| {
            entries
                .iter()
                .any(|entry| entry.kind == kind && entry.name.matches(name))
        };
        of(kind, name) || kind == Kind::Beacon && of(Kind::Net, NetLine::Request.name())
    }

    fn read(value: &Value) -> Result<Hears, String> {
        let due = "it must be a list of kinds, like [\"net\", \"media\", \"event:ad*\"]";
        let Some(items) = value.as_list() else {
            return Err(format!("\"hears\" is {}; {due}", value.shown()));
        };
        let entry = |item: &Value| {
            let text = item
                .as_text()
                .ok_or_else(|| format!("\"hears\" contains {}; {due}", item.shown()))?;
            let (kind, name) = text.split_once(':').unwrap_or((text, "*"));
            let unknown = || {
                let known = Kind::ALL.iter().map(|kind| kind.name()).collect::<Vec<_>>();
                format!("in \"hears\": {}", words::unknown("kind", kind, known))
            };
            let kind = Kind::from_name(kind).ok_or_else(unknown)?;
            Ok(Heard {
                kind,
                name: Pattern::new(name),
            })
        };
        items
            .iter()
            .map(entry)
            .collect::<Result<Vec<Heard>, String>>()
            .map(|entries| Hears(Some(entries)))
    }
}

impl Head {
    fn of(record: &Record) -> Result<Head, String> {
        let data = &record.data;
        let text = |key: &str| match data.get(key) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Text(text)) => Ok(Some(text.clone())),
            Some(other) => {
                let other = other.shown();
                Err(format!(
                    "\"{key}\" of the head is {other}; it must be a string"
                ))
            }
        };
        let versions =
            data.get("versions")
                .and_then(Value::as_map)
                .map_or_else(Vec::new, |versions| {
                    let text = |value: &Value| {
                        value
                            .as_text()
                            .cloned()
                            .unwrap_or_else(|| value.to_string().into())
                    };
                    versions
                        .iter()
                        .map(|(name, version)| (name.clone(), text(version)))
                        .collect()
                });
        let adapter = data.get("adapter").and_then(Value::as_map);
        let decides = adapter
            .and_then(|adapter| adapter.get("decides"))
            .and_then(Value::as_list);
        let texts = |list: Option<&[Value]>| {
            list.into_iter()
                .flatten()
                .filter_map(Value::as_text)
                .cloned()
                .collect::<Vec<Text>>()
        };
        Ok(Head {
            player: text("player")?,
            versions,
            browser: text("browser")?,
            case: text("case")?,
            scenario: text("scenario")?,
            hears: data.get("hears").map_or(Ok(Hears::all()), Hears::read)?,
            decides: texts(decides),
            cannot: text("cannot")?,
            problems: texts(data.get("problems").and_then(Value::as_list)),
        })
    }
}

impl Recording {
    /// Returns whether playsim wrote it.
    #[must_use]
    pub fn is_own(&self) -> bool {
        let mut records = self.trace.records.iter();
        records
            .next()
            .is_some_and(|first| first.is(HeaderLine::Trace))
    }

    /// Returns it with the lines that only recordings have: of a trace of playsim, the film on
    /// screen follows from its states.
    #[must_use]
    pub fn heard(&self) -> Cow<'_, Recording> {
        if !self.is_own() {
            return Cow::Borrowed(self);
        }
        Cow::Owned(Recording {
            head: self.head.clone(),
            trace: heard(&self.trace),
        })
    }

    /// Reads a recording: JSON lines, or one JSON object with a `log` of lists.
    ///
    /// # Errors
    ///
    /// The first error, with its place.
    pub fn read(name: &str, text: &str) -> Result<Recording, TraceError> {
        match log::lines(name, text) {
            Some(lines) => Recording::of(read_jsonl(name, &lines?).map_err(|error| {
                // Its lines are those of the file that is made of it, whose first one is the head.
                let message = match error.place.line {
                    ..2 => error.message,
                    line => format!("entry {} of \"log\": {}", line - 2, error.message),
                };
                TraceError {
                    message,
                    place: Place::of_byte(text, 0),
                    ..error
                }
            })?),
            None => Recording::of(read_jsonl(name, text)?),
        }
        .map_err(|message| TraceError {
            file: name.into(),
            place: Place::of_byte(text, 0),
            message,
        })
    }

    /// Takes a trace as a recording. Lines that its head does not name could not be heard.
    ///
    /// # Errors
    ///
    /// If the head has a field of a wrong type.
    pub fn of(trace: Trace) -> Result<Recording, String> {
        let head = match trace.records.first() {
            Some(first) if first.is(HeaderLine::Recording) => Head::of(first)?,
            Some(first) if first.is(HeaderLine::Trace) => Head::default(),
            Some(_) | None => Head {
                hears: Hears::kinds_of(&trace),
                ..Head::default()
            },
        };
        Ok(Recording { head, trace })
    }

    /// Turns requests for tracking URLs into `beacon` lines, by the documents in the responses that
    /// were recorded and by `documents`, each with its URL.
    pub fn label(&mut self, documents: &[(Arc<str>, Arc<str>)]) {
        let mut trackers = Trackers::default();
        for (url, text) in documents {
            trackers.add(url, text);
        }
        for record in self
            .trace
            .records
            .iter()
            .filter(|record| record.is(NetLine::Response))
        {
            if let (Some(url), Some(text)) = (record.data.text("url"), record.data.text("text")) {
                trackers.add(url, text);
            }
        }
        for record in &mut self.trace.records {
            trackers.label(record);
        }
    }
}

/// Returns whether a file is a recording in the compact form: one JSON object with a `log`.
#[must_use]
pub fn is_compact(text: &str) -> bool {
    log::lines("", text).is_some()
}

/// The tracking URLs of documents.
#[derive(Debug, Default)]
pub struct Trackers {
    names: Names,
    documents: usize,
}

impl Trackers {
    /// Adds those of a document, given its URL. Text that is not a document adds none.
    pub fn add(&mut self, url: &str, text: &str) {
        let mut document = vast::read(text);
        document.resolve(url);
        self.names.add(self.documents, &document);
        self.documents += 1;
    }

    /// Returns the event of a tracking URL, as the first document has it that names the URL.
    #[must_use]
    pub fn event(&self, url: &str) -> Option<&str> {
        self.names
            .of(url)
            .into_iter()
            .find_map(|index| self.names.all[index].what.event())
    }

    fn label(&self, record: &mut Record) {
        if !record.is(NetLine::Request) {
            return;
        }
        let Some(url) = record.data.text("url").cloned() else {
            return;
        };
        if let Some(event) = self.event(&url) {
            record.kind = Kind::Beacon;
            record.name = event.to_owned().into();
        }
    }
}

#[cfg(test)]
mod tests;
