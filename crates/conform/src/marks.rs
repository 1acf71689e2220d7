//! The lines of a trace that are compared with a real player: requests and trackers, films on
//! screen, documented events.
//!
//! Marks are kept in separate streams, one for each [`Stream`]. Within a stream the order is exact.
//! Between streams it is not compared: whether a browser reports the first picture just before or
//! just after the page calls a tracker says nothing about the player, and the time of each mark is
//! compared anyway.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::screen::{Screen, film, src, text};
use playsim_api::{EventName, Kind, NetLine, UiLine};
use playsim_base::time::Time;
use playsim_check::recording::{self, Hears};
use playsim_scenario::{Scenario, ScriptedAnswer};
use playsim_trace::{Record, Trace};
use playsim_vast as vast;
use playsim_vast::names::{Named, Names, browser_form};

/// A group of marks whose order is compared.
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
    /// Its description, in words that are the same on both sides.
    pub(super) words: String,
    /// Its kind.
    pub(super) what: What,
    /// Whether a film comes on screen here, so that the times of later lines are counted from it.
    pub(super) is_anchor: bool,
    /// The number of its line.
    pub(super) seq: u32,
}

/// The kind of a mark, from the point of view of a viewer or an advertiser.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    /// The content comes on screen, and plays.
    Content,
    /// The content comes on screen for a moment, without playing.
    Flash,
    /// The content is over.
    ContentEnd,
    /// The film of an ad comes on screen.
    Ad,
    /// A document is asked for.
    Asks,
    /// A URL that neither the scenario nor its documents have.
    Stranger,
    /// The URL of a request has more in it than that of its document.
    Addition,
    /// A tracker is called: its event, and its URL as the document writes it.
    Tracker { event: String, written: String },
    /// A window opens.
    Opens,
    /// A documented event.
    Event,
}

impl What {
    pub(super) const fn stream(&self) -> Stream {
        match self {
            What::Content | What::Flash | What::ContentEnd | What::Ad | What::Opens => {
                Stream::Screen
            }
            What::Asks | What::Stranger | What::Addition | What::Tracker { .. } => Stream::Requests,
            What::Event => Stream::Events,
        }
    }

    /// Returns the name of what many cases may share.
    pub(super) fn class(&self) -> String {
        match self {
            What::Content => "the content is shown".to_owned(),
            What::Flash => "the content flashes, without playing, before an ad".to_owned(),
            What::ContentEnd => "the content ends".to_owned(),
            What::Ad => "an ad is shown".to_owned(),
            What::Asks => "a document is asked for".to_owned(),
            What::Stranger => "a request that nobody knows".to_owned(),
            What::Addition => "more in the URL of a request than its document has".to_owned(),
            What::Tracker { event, .. } => format!("the tracker {event}"),
            What::Opens => "a window opens".to_owned(),
            What::Event => "a documented event".to_owned(),
        }
    }
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

/// A line in words, and its kind.
type Words = (String, What);

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
        let answers = scenario
            .network
            .iter()
            .flat_map(|(url, answers)| answers.iter().map(move |it| (url, it)));
        for (index, (url, answer)) in answers.enumerate() {
            if let ScriptedAnswer::Body { text, .. } = &answer.answer {
                let mut document = vast::read(text);
                document.resolve(url);
                names.add(index, &document);
            }
        }
        let documents = scenario
            .network
            .iter()
            .map(|(url, _)| (Arc::clone(url), browser_form(url)))
            .collect();
        let films = scenario
            .videos
            .iter()
            .flat_map(|it| it.video.renditions.iter());
        let content = films.map(|(_, url)| film(url).to_owned()).collect();
        Known {
            names,
            documents,
            content,
        }
    }

    /// Returns the marks of a trace that can be heard: `hears` names the lines that the recording
    /// hears, for both sides.
    pub(super) fn marks(&self, trace: &Trace, hears: &Hears) -> Marks {
        let records = &trace.records;
        let start = records
            .iter()
            .find(|record| recording::is_play(record))
            .or(records.first())
            .map_or(Time::ZERO, |record| record.at);
        let has_events = hears.hears(Kind::Event, EventName::Ended.name());
        let has_screen = hears.hears(Kind::Ui, UiLine::Shown.name());
        let mut screen = Screen::of(trace);
        let mut all: Vec<Mark> = Vec::new();
        for record in records {
            if let Some(mark) = screen.follow(record) {
                let Mark {
                    words,
                    what,
                    is_anchor,
                    ..
                } = &mut all[mark];
                (*words, *what, *is_anchor) =
                    (format!("flash of {}", film_of(words)), What::Flash, false);
            }
            let is_heard = hears.hears(record.kind, &record.name);
            let found = if record.is(UiLine::Shown) {
                let film = src(record);
                let what = if self.content.contains(&film) {
                    What::Content
                } else {
                    What::Ad
                };
                has_screen.then(|| (format!("shown {film}"), what))
            } else if record.is(UiLine::Navigate) {
                let url = self.key(&text(record, "url"));
                is_heard.then(|| (format!("opens {url}"), What::Opens))
            } else if record.is(NetLine::Request) || record.kind == Kind::Beacon {
                let (mark, added) = self.requests(record);
                if is_heard && let Some((words, what)) = added {
                    all.push(Mark {
                        at: record.at,
                        words,
                        what,
                        is_anchor: false,
                        seq: record.seq,
                    });
                }
                mark.filter(|_| is_heard)
            } else if record.event() == Some(EventName::Ended) && !has_events {
                // Without documented events, the content's end is that of its media element.
                Some((
                    format!("ended {}", self.content_on(&screen.film)),
                    What::ContentEnd,
                ))
            } else if let Some(event) = record.event() {
                (is_heard && !is_frequent(event)).then(|| (event.name().to_owned(), What::Event))
            } else if record.media_event() == Some(EventName::Ended) && !has_events {
                let film = src(record);
                self.content
                    .contains(&film)
                    .then(|| (format!("ended {film}"), What::ContentEnd))
            } else {
                None
            };
            let Some((words, what)) = found else { continue };
            if what == What::Content {
                screen.mark = Some(all.len());
            }
            let begins = |event| {
                matches!(
                    event,
                    EventName::AdStart | EventName::Start | EventName::AdEnd
                )
            };
            let is_anchor =
                record.is(UiLine::Shown) || !has_screen && record.event().is_some_and(begins);
            all.push(Mark {
                at: record.at,
                words,
                what,
                is_anchor,
                seq: record.seq,
            });
        }
        Marks {
            all,
            start,
            end: records.last().map_or(Time::ZERO, Record::until),
        }
    }

    /// Returns the content's film: the one on screen, or the only one there is.
    fn content_on<'a>(&'a self, on: &'a str) -> &'a str {
        if self.content.contains(on) {
            on
        } else {
            self.content.first().map_or("", String::as_str)
        }
    }

    /// Returns a request in words, and what its URL has besides that of its document. A URL that
    /// nobody knows, such as a tag sent through another server, is a request of its own; films and
    /// pieces of them are none.
    fn requests(&self, record: &Record) -> (Option<Words>, Option<Words>) {
        let url = text(record, "url");
        if let Some(found) = self.request(&url) {
            return (Some(found), None);
        }
        if let Some((short, added)) = self.names.with_additions(&url)
            && let Some((words, what)) = self.request(&short)
        {
            // Digits are often random.
            let added: Vec<&str> = added
                .split(|letter: char| letter.is_ascii_digit())
                .collect();
            let added: Vec<&str> = added.into_iter().filter(|part| !part.is_empty()).collect();
            let more = format!("adds {}# to {words}", added.join("#"));
            return (Some((words, what)), Some((more, What::Addition)));
        }
        let via = record.data.text("via").map_or("", |via| &**via);
        let is_known = !self.names.of(&url).is_empty() || self.content.contains(film(&url));
        let is_page = matches!(via, "" | "media" | "script" | "frame");
        if is_known || is_page {
            return (None, None);
        }
        (
            Some((
                format!("asks unknown {}", browser_form(&url)),
                What::Stranger,
            )),
            None,
        )
    }

    /// Returns a request in words: the event of a tracker, or the document; `None` for anything
    /// else.
    fn request(&self, url: &str) -> Option<Words> {
        for name in self
            .names
            .of(url)
            .into_iter()
            .map(|index| &self.names.all[index])
        {
            match &name.what {
                Named::Pixel(event) => {
                    let what = What::Tracker {
                        event: event.to_string(),
                        written: name.written.to_string(),
                    };
                    return Some((format!("{event} {}", key(&name.written, url)), what));
                }
                Named::Hop | Named::BreakTag(_) => {
                    return Some((format!("asks {}", key(&name.written, url)), What::Asks));
                }
                Named::Media | Named::Interactive | Named::Verification => return None,
                Named::Page | Named::Resource => {}
            }
        }
        let form = browser_form(url);
        let is_it =
            |listed: &&(Arc<str>, String)| listed.1 == form || vast::is_filled(&listed.0, url);
        let found = self.documents.iter().find(is_it);
        found.map(|(listed, _)| (format!("asks {}", key(listed, url)), What::Asks))
    }

    /// Returns a URL in the form that both sides share.
    fn key(&self, url: &str) -> String {
        let written = self
            .names
            .of(url)
            .first()
            .map(|index| Arc::clone(&self.names.all[*index].written));
        written.map_or_else(|| browser_form(url), |written| key(&written, url))
    }
}

/// The macros whose values are compared, because they report an outcome.
const TELLING: [&str; 3] = ["ERRORCODE", "ERROR_CODE", "REASON"];

/// Returns a URL as the document writes it, with the values of those macros that report an outcome.
fn key(written: &str, url: &str) -> String {
    let (mut text, mut from, mut rest) = (String::new(), 0, url);
    let macros = vast::macros(written);
    for (index, (at, end)) in macros.iter().enumerate() {
        let before = &written[from..*at];
        text.push_str(before);
        rest = rest
            .find(before)
            .map_or("", |found| &rest[found + before.len()..]);
        let next = macros
            .get(index + 1)
            .map_or(written.len(), |(next, _)| *next);
        let after = &written[*end..next];
        let value = match after {
            "" => rest,
            after => rest.find(after).map_or(rest, |found| &rest[..found]),
        };
        let name = written[*at..*end].trim_matches(['[', ']', '%', '$', '{', '}']);
        let is_telling = TELLING
            .iter()
            .any(|telling| name.eq_ignore_ascii_case(telling));
        text.push_str(if is_telling {
            value
        } else {
            &written[*at..*end]
        });
        from = *end;
    }
    text.push_str(&written[from..]);
    text
}

/// Returns the film of a mark's words.
fn film_of(words: &str) -> &str {
    words.split_once(' ').map_or(words, |(_, film)| film)
}

/// Returns whether an event comes many times, at times that depend on the browser.
fn is_frequent(event: EventName) -> bool {
    matches!(event, EventName::TimeUpdate | EventName::Progress)
}
