//! What of a trace is compared with a real player: requests and trackers, what is on screen, documented events.
//!
//! Marks are kept in separate streams, one for each [`Stream`]. Within a stream the order is exact. Between streams it
//! is not compared: whether a browser reports the first picture just before or just after the page calls a tracker says
//! nothing about the player, and the time of each mark is compared anyway.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::api::{EventName, Kind, NetLine, UiLine};
use crate::knobs::RelativeUrls;
use crate::recording::{self, Hears};
use crate::scenario::{Scenario, ScriptedAnswer};
use crate::time::Time;
use crate::trace::{Record, Trace};
use crate::vast;
use crate::vast::names::{Named, Names, browser_form};

/// What belongs together, and has an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Stream {
    /// Requests for documents, and trackers, in the order in which the page made them.
    Requests,
    /// Films that are shown, the end of the content, windows that open.
    Screen,
    /// Documented events.
    Events,
}

impl Stream {
    pub(super) const ALL: [Stream; 3] = [Stream::Requests, Stream::Screen, Stream::Events];
}

/// Something that both sides may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mark {
    pub(super) at: Time,
    pub(super) stream: Stream,
    /// What it is, in words that are the same on both sides.
    pub(super) words: String,
    /// Whether a film comes on screen here, so that the times of what follows are counted from it.
    pub(super) is_anchor: bool,
    /// The number of its line.
    pub(super) seq: u32,
}

/// The marks of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Marks {
    /// In the order of the trace.
    pub(super) all: Vec<Mark>,
    /// When playback was first requested.
    pub(super) start: Time,
    /// The time of the last line.
    pub(super) end: Time,
}

/// The URLs and films of a scenario.
#[derive(Debug)]
pub(super) struct Known {
    names: Names,
    /// The documents, each also in the form that a browser gives its URL.
    documents: Vec<(Arc<str>, String)>,
    /// The names of the content's films.
    content: BTreeSet<String>,
}

impl Known {
    /// Reads the documents of a scenario.
    pub(super) fn of(scenario: &Scenario) -> Known {
        let mut names = Names::default();
        let answers =
            scenario.network.iter().flat_map(|(url, answers)| answers.iter().map(move |it| (url, it)));
        for (index, (url, answer)) in answers.enumerate() {
            if let ScriptedAnswer::Body { text, .. } = &answer.answer {
                let mut document = vast::read(text);
                document.resolve(url, RelativeUrls::Resolve);
                names.add(index, &document);
            }
        }
        let documents =
            scenario.network.iter().map(|(url, _)| (Arc::clone(url), browser_form(url))).collect();
        let films = scenario.videos.iter().flat_map(|it| it.video.renditions.iter());
        let content = films.map(|(_, url)| film(url).to_owned()).collect();
        Known { names, documents, content }
    }

    /// Returns the marks of a trace that can be heard: `hears` is what the recording hears, for both sides.
    pub(super) fn marks(&self, trace: &Trace, hears: &Hears) -> Marks {
        let records = &trace.records;
        let start = records
            .iter()
            .find(|record| recording::is_play(record))
            .or(records.first())
            .map_or(Time::ZERO, |record| record.at);
        let has_events = hears.hears(Kind::Event, EventName::Ended.name());
        let has_screen = hears.hears(Kind::Ui, UiLine::Shown.name());
        let mut on = String::new();
        let mut all: Vec<Mark> = Vec::new();
        for record in records {
            let is_heard = hears.hears(record.kind, &record.name);
            let mut push = |stream, words, is_anchor| {
                all.push(Mark { at: record.at, stream, words, is_anchor, seq: record.seq });
            };
            if record.is(UiLine::Shown) {
                on = src(record);
                if has_screen {
                    push(Stream::Screen, format!("shown {on}"), true);
                }
            } else if record.is(UiLine::Navigate) && is_heard {
                push(Stream::Screen, format!("opens {}", self.key(&text(record, "url"))), false);
            } else if record.is(NetLine::Request) || record.kind == Kind::Beacon {
                for words in self.requests(record).into_iter().filter(|_| is_heard) {
                    push(Stream::Requests, words, false);
                }
            } else if let Some(event) = record.event() {
                // Without documented events, the content's end is that of its media element.
                if event == EventName::Ended && !has_events {
                    push(Stream::Screen, format!("ended {}", self.content_on(&on)), false);
                } else if is_heard && !is_frequent(event) {
                    let begins = matches!(event, EventName::AdStart | EventName::Start | EventName::AdEnd);
                    push(Stream::Events, event.name().to_owned(), begins && !has_screen);
                }
            } else if record.media_event() == Some(EventName::Ended) && !has_events {
                let film = src(record);
                if self.content.contains(&film) {
                    push(Stream::Screen, format!("ended {film}"), false);
                }
            }
        }
        Marks { all, start, end: records.last().map_or(Time::ZERO, Record::until) }
    }

    /// Returns the content's film: the one on screen, or the only one there is.
    fn content_on<'a>(&'a self, on: &'a str) -> &'a str {
        if self.content.contains(on) { on } else { self.content.first().map_or("", String::as_str) }
    }

    /// Returns a request in words, and what its URL has besides that of its document. A URL that nobody knows, such as a
    /// tag sent through another server, is a request of its own; films and pieces of them are none.
    fn requests(&self, record: &Record) -> Vec<String> {
        let url = text(record, "url");
        if let Some(words) = self.request(&url) {
            return vec![words];
        }
        if let Some((short, added)) = self.names.with_additions(&url)
            && let Some(words) = self.request(&short)
        {
            let what = format!("adds {added} to {words}");
            return vec![words, what];
        }
        let via = record.data.text("via").map_or("", |via| &**via);
        let is_known = !self.names.of(&url).is_empty() || self.content.contains(film(&url));
        let is_page = matches!(via, "" | "media" | "script" | "frame");
        if is_known || is_page { Vec::new() } else { vec![format!("asks unknown {}", browser_form(&url))] }
    }

    /// Returns a request in words: the event of a tracker, or the document; `None` for anything else.
    fn request(&self, url: &str) -> Option<String> {
        for name in self.names.of(url).into_iter().map(|index| &self.names.all[index]) {
            match &name.what {
                Named::Pixel(event) => return Some(format!("{event} {}", key(&name.written, url))),
                Named::Hop | Named::BreakTag(_) => return Some(format!("asks {}", key(&name.written, url))),
                Named::Media | Named::Interactive | Named::Verification => return None,
                Named::Page | Named::Resource => {}
            }
        }
        let form = browser_form(url);
        let is_it = |listed: &&(Arc<str>, String)| listed.1 == form || vast::is_filled(&listed.0, url);
        self.documents.iter().find(is_it).map(|(listed, _)| format!("asks {}", key(listed, url)))
    }

    /// Returns a URL in the form that both sides share.
    fn key(&self, url: &str) -> String {
        let written = self.names.of(url).first().map(|index| Arc::clone(&self.names.all[*index].written));
        written.map_or_else(|| browser_form(url), |written| key(&written, url))
    }
}

/// The macros whose values are compared: they say what happened.
const TELLING: [&str; 3] = ["ERRORCODE", "ERROR_CODE", "REASON"];

/// Returns a URL as the document writes it, with the values of those macros that say what happened.
fn key(written: &str, url: &str) -> String {
    let (mut text, mut from, mut rest) = (String::new(), 0, url);
    let macros = vast::macros(written);
    for (index, (at, end)) in macros.iter().enumerate() {
        let before = &written[from..*at];
        text.push_str(before);
        rest = rest.find(before).map_or("", |found| &rest[found + before.len()..]);
        let next = macros.get(index + 1).map_or(written.len(), |(next, _)| *next);
        let after = &written[*end..next];
        let value = match after {
            "" => rest,
            after => rest.find(after).map_or(rest, |found| &rest[..found]),
        };
        let name = written[*at..*end].trim_matches(['[', ']', '%', '$', '{', '}']);
        let is_telling = TELLING.iter().any(|telling| name.eq_ignore_ascii_case(telling));
        text.push_str(if is_telling { value } else { &written[*at..*end] });
        from = *end;
    }
    text.push_str(&written[from..]);
    text
}

/// Returns the name of a film: the last part of its URL. Players and pages may write the rest in their own way.
fn film(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    path.rsplit('/').next().unwrap_or_default()
}

fn text(record: &Record, key: &str) -> String {
    record.data.text(key).map_or_else(String::new, |text| text.to_string())
}

fn src(record: &Record) -> String {
    film(&text(record, "src")).to_owned()
}

/// Returns whether an event comes many times, at times that depend on the browser.
fn is_frequent(event: EventName) -> bool {
    matches!(event, EventName::TimeUpdate | EventName::Progress)
}
