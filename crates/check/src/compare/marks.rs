//! The lines of a trace that are compared, as marks.
//!
//! Marks are kept in separate streams, one for each [`Stream`]. Within a stream the order is exact.
//! Between streams it is not compared: whether a browser reports the first picture just before or
//! just after the page calls a tracker says nothing about the player, and the time of each mark is
//! compared anyway. A trace of playsim has one stream: its order is exact.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::screen::{ContentEnd, InAd, SEEN, Screen, film, position, src, text};
use crate::diff::{Shared, write_fields};
use crate::recording::{self, Hears, RequestVia};
use playsim_api::{EventName, Kind, LineName, NetLine, Text, UiLine};
use playsim_base::time::{Span, Time};
use playsim_scenario::{Scenario, ScriptedAnswer};
use playsim_trace::{PlayerIndex, Record, Trace, line_words};
use playsim_vast as vast;
use playsim_vast::names::{Named, Names, browser_form};

/// A group of marks whose order is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stream {
    /// Requests for documents, and trackers, in the order in which the page made them.
    Requests,
    /// Films that are shown, the end of the content, windows that open.
    Screen,
    /// Documented events.
    Events,
    /// Calls of page code, and acts of the user.
    Acts,
    /// All lines of a trace of playsim.
    Lines,
}

impl Stream {
    pub(super) const ALL: [Stream; 5] = [
        Stream::Requests,
        Stream::Screen,
        Stream::Events,
        Stream::Acts,
        Stream::Lines,
    ];
}

/// Something that both sides may have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// The time of its line.
    pub at: Time,
    /// Its description.
    pub words: String,
    /// What is compared: the same on both sides, if the line is.
    pub data: String,
    /// The part of it that tells it from other lines, without its content: two marks with the same
    /// key and other data are one line with another content.
    pub key: String,
    /// Its kind.
    pub what: What,
    /// Whether a film comes on screen here, so that the times of later lines are counted from it.
    pub is_anchor: bool,
    /// The number of its line.
    pub seq: u32,
    /// The number of the line that caused it.
    pub cause: Option<u32>,
    /// Whether a recorder may not have heard it, whatever it hears otherwise.
    pub is_optional: bool,
    /// For content that comes on screen, its position, if that is told.
    pub position: Option<Span>,
}

impl Mark {
    /// Returns its words, with the position if that is known.
    #[must_use]
    pub fn in_words(&self) -> String {
        match self.position {
            Some(position) => format!("{} at {}", self.words, position.in_seconds()),
            None => self.words.clone(),
        }
    }
}

/// The kind of a mark, from the point of view of a viewer or an advertiser.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum What {
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
    /// A tracker is called.
    Tracker {
        /// The event.
        event: String,
        /// The URL as its document writes it.
        written: String,
    },
    /// A window opens.
    Opens,
    /// A documented event.
    Event,
    /// A call of page code, or an act of the user.
    Act,
    /// A time update, or progress, of a trace of playsim.
    Update,
    /// Another line of a trace of playsim.
    Line(Kind),
}

impl What {
    /// Returns its stream in a recording.
    #[must_use]
    pub const fn stream(&self) -> Stream {
        match self {
            What::Content | What::Flash | What::ContentEnd | What::Ad | What::Opens => {
                Stream::Screen
            }
            What::Asks | What::Stranger | What::Addition | What::Tracker { .. } => Stream::Requests,
            What::Event => Stream::Events,
            What::Act => Stream::Acts,
            What::Update | What::Line(_) => Stream::Lines,
        }
    }

    /// Returns the name of what many cases may share.
    #[must_use]
    pub fn class(&self) -> String {
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
            What::Act => "an act".to_owned(),
            What::Update => "a time update".to_owned(),
            What::Line(kind) => format!("a line of {}", kind.name()),
        }
    }
}

/// The marks of a trace.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marks {
    /// In the order of the trace.
    pub all: Vec<Mark>,
    /// When playback was first requested, or else the time of the first line.
    pub start: Time,
    /// Whether it is known when playback was first requested.
    pub is_begun: bool,
    /// The time until which the trace shows everything: that of its last line, or all time if it
    /// has an outcome.
    pub end: Time,
    /// Whether all marks are in one order.
    pub is_ordered: bool,
}

impl Marks {
    /// Returns the stream in which a mark is compared.
    #[must_use]
    pub fn stream(&self, mark: &Mark) -> Stream {
        if self.is_ordered {
            Stream::Lines
        } else {
            mark.what.stream()
        }
    }
}

/// How much of two traces is compared.
#[derive(Debug, Clone, Copy)]
pub enum Detail<'a> {
    /// What every player has in some form: requests, trackers with the codes in them, films, the
    /// end of the content, documented events by their names.
    Outline,
    /// Everything that both sides have: also the data of events, calls and acts, and what macros
    /// were replaced by. Needs the fields that both have.
    Full(&'a Shared),
}

/// A line in words, and its kind.
#[derive(Debug)]
struct Words {
    words: String,
    data: String,
    key: String,
    what: What,
}

impl Words {
    /// A line whose words are all that it says.
    fn plain(words: String, what: What) -> Words {
        let key = words.clone();
        Words {
            data: key.clone(),
            words,
            key,
            what,
        }
    }

    /// The end of the content, whatever its film is called.
    fn end(words: String) -> Words {
        Words {
            words,
            data: "ended".to_owned(),
            key: "ended".to_owned(),
            what: What::ContentEnd,
        }
    }
}

/// The URLs and films of a scenario.
#[derive(Debug)]
pub struct Known {
    pub(super) names: Names,
    /// The documents, each also in the form that a browser gives its URL.
    documents: Vec<(Arc<str>, String)>,
    /// The names of the content's films.
    content: BTreeSet<String>,
    /// The trackers that a simulation calls, each with its event.
    pub(super) called: BTreeMap<String, Text>,
}

impl Known {
    /// Reads the documents of a scenario.
    #[must_use]
    pub fn of(scenario: &Scenario) -> Known {
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
            called: BTreeMap::new(),
        }
    }

    /// Adds what a simulation asks for: the films of its content, such as those of playlist files,
    /// and the trackers that no document names, such as those that a unit calls.
    #[must_use]
    pub fn with_trace(mut self, predicted: &Trace) -> Known {
        for record in &predicted.records {
            let url = text(record, "url");
            if record.kind == Kind::Beacon {
                self.called.insert(browser_form(&url), record.name.clone());
            } else if recording::is_content(record) && !url.is_empty() {
                self.content.insert(film(&url).to_owned());
            }
        }
        self
    }

    /// Returns the marks of a trace that can be heard: `hears` names the lines that the recording
    /// hears, for both sides.
    #[must_use]
    pub fn marks(&self, trace: &Trace, hears: &Hears, detail: Detail<'_>) -> Marks {
        let records = &trace.records;
        let play = records.iter().find(|record| recording::is_play(record));
        let start = play
            .or(records.first())
            .map_or(Time::ZERO, |record| record.at);
        let mut gathering = Gathering {
            known: self,
            hears,
            detail,
            screen: Screen::of(trace),
            end: ContentEnd::default(),
            ads: InAd::default(),
            again: None,
            placed: None,
            all: Vec::new(),
        };
        records.iter().for_each(|record| gathering.take(record));
        gathering.leave_out_again();
        Marks {
            all: gathering.all,
            start,
            is_begun: play.is_some(),
            end: records.last().map_or(Time::ZERO, Record::until),
            is_ordered: false,
        }
    }

    /// Returns the marks of a line that was heard.
    fn heard(&self, record: &Record, detail: Detail<'_>) -> Vec<Words> {
        if record.is(UiLine::Navigate) {
            let url = text(record, "url");
            let written = self.written(&url);
            let words = format!("opens {}", key(&written, &url, detail));
            return vec![Words {
                key: format!("opens {written}"),
                ..Words::plain(words, What::Opens)
            }];
        }
        if record.is(NetLine::Request) || record.kind == Kind::Beacon {
            return self.requests(record, detail);
        }
        match (record.event(), detail) {
            (Some(event), _) if is_frequent(event) => Vec::new(),
            (Some(event), Detail::Outline) => {
                vec![Words::plain(event.name().to_owned(), What::Event)]
            }
            (Some(_), Detail::Full(shared)) => vec![full(record, shared, What::Event)],
            (None, Detail::Full(shared))
                if record.kind.is_act()
                    && !matches!(record.line_name(), Some(LineName::Making(_))) =>
            {
                vec![full(record, shared, What::Act)]
            }
            (None, _) => Vec::new(),
        }
    }

    /// Returns all lines of a trace of playsim as marks, in one order.
    #[must_use]
    pub fn lines(&self, trace: &Trace, hears: impl Fn(&Record) -> bool) -> Marks {
        let records = &trace.records;
        let compared = records
            .iter()
            .filter(|record| !matches!(record.kind, Kind::Header | Kind::Outcome) && hears(record));
        // The time of the last update of each player.
        let mut updates: BTreeMap<Option<PlayerIndex>, Time> = BTreeMap::new();
        let mark = |(record, seq, at): (&Record, u32, Time)| {
            let mut key = format!("{} {}", record.kind.name(), record.name);
            if let Some(url) = record.data.text("url") {
                key.push_str(&format!(" {}", self.written(url)));
            }
            let player = trace.container(record).map_or("", |name| &**name);
            let mut data = format!("{key}\n{player} ");
            // A document that a recorder adds to its response is given, and not predicted.
            let is_given = |name: &str| record.kind == Kind::Net && name == "text";
            let fields = crate::diff::fields(record).filter(|(name, _)| !is_given(name));
            write_fields(fields, &mut data);
            if record.event().is_some_and(is_frequent) {
                // Updates are told apart by the time since the one before, if that is one period.
                let last = updates.insert(record.player, at);
                let since = last.map(|last| at - last).filter(|it| *it < PERIODS);
                data.push_str(&since.map_or_else(String::new, |since| since.to_string()));
            }
            let words = match trace.players.len() {
                0 | 1 => line_words(record),
                _ => format!("{player}: {}", line_words(record)),
            };
            Mark {
                at,
                words,
                data,
                key,
                what: self.what(record),
                is_anchor: false,
                seq,
                cause: record.cause,
                is_optional: false,
                position: None,
            }
        };
        let each = |record| {
            let of = move |(seq, at)| (record, seq, at);
            Record::each(record).map(of)
        };
        let is_whole = records
            .last()
            .is_some_and(|last| last.kind == Kind::Outcome);
        Marks {
            all: compared.flat_map(each).map(mark).collect(),
            start: Time::ZERO,
            is_begun: true,
            end: if is_whole {
                Time::MAX
            } else {
                records.last().map_or(Time::ZERO, Record::until)
            },
            is_ordered: true,
        }
    }

    /// Returns the kind of a line of playsim.
    fn what(&self, record: &Record) -> What {
        let url = || text(record, "url");
        match record.kind {
            Kind::Beacon => What::Tracker {
                event: record.name.to_string(),
                written: self.written(&url()),
            },
            Kind::Event if record.event().is_some_and(is_frequent) => What::Update,
            Kind::Event => What::Event,
            Kind::Net if record.is(NetLine::Request) => What::Asks,
            Kind::Ui if record.is(UiLine::Navigate) => What::Opens,
            Kind::Call | Kind::User | Kind::Page if record.cause.is_none() => What::Act,
            kind @ (Kind::Call
            | Kind::User
            | Kind::Page
            | Kind::Native
            | Kind::Listener
            | Kind::State
            | Kind::Media
            | Kind::Ui
            | Kind::Ad
            | Kind::Break
            | Kind::Net
            | Kind::Diag
            | Kind::Analytics
            | Kind::Measurement
            | Kind::Edit
            | Kind::Header
            | Kind::Outcome) => What::Line(kind),
        }
    }

    /// Returns whether a line of a media element is of the content.
    fn is_of_content(&self, record: &Record) -> bool {
        let film = src(record);
        film.is_empty() || self.content.contains(&film)
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
    fn requests(&self, record: &Record, detail: Detail<'_>) -> Vec<Words> {
        let url = text(record, "url");
        if let Some(found) = self.request(&url, detail) {
            return vec![found];
        }
        if let Some((short, added)) = self.names.with_additions(&url)
            && let Some(found) = self.request(&short, detail)
        {
            // Digits are often random.
            let added: Vec<&str> = added
                .split(|letter: char| letter.is_ascii_digit())
                .collect();
            let added: Vec<&str> = added.into_iter().filter(|part| !part.is_empty()).collect();
            let more = format!("adds {}# to {}", added.join("#"), found.words);
            return vec![Words::plain(more, What::Addition), found];
        }
        let form = browser_form(&url);
        let called = self.called.get(&form);
        if let Some(event) = called.or((record.kind == Kind::Beacon).then_some(&record.name)) {
            let what = What::Tracker {
                event: event.to_string(),
                written: url.clone(),
            };
            return vec![Words::plain(format!("{event} {form}"), what)];
        }
        let is_known = !self.names.of(&url).is_empty() || self.content.contains(film(&url));
        let is_page = match RequestVia::of(record) {
            Some(RequestVia::Media | RequestVia::Script | RequestVia::Frame) => true,
            Some(RequestVia::Image | RequestVia::Fetch | RequestVia::Xhr | RequestVia::Beacon) => {
                false
            }
            None => record.data.text("via").is_none_or(|via| via.is_empty()),
        };
        if is_known || is_page {
            return Vec::new();
        }
        let unknown = format!("asks unknown {form}");
        vec![Words::plain(unknown, What::Stranger)]
    }

    /// Returns a request in words: the event of a tracker, or the document; `None` for anything
    /// else.
    fn request(&self, url: &str, detail: Detail<'_>) -> Option<Words> {
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
                    let words = format!("{event} {}", key(&name.written, url, detail));
                    return Some(Words {
                        key: format!("{event} {}", name.written),
                        ..Words::plain(words, what)
                    });
                }
                Named::Hop | Named::BreakTag(_) => {
                    return Some(asks(&name.written, url, detail));
                }
                Named::Media | Named::Interactive | Named::Verification => return None,
                Named::Page | Named::Resource => {}
            }
        }
        let form = browser_form(url);
        let is_it =
            |listed: &&(Arc<str>, String)| listed.1 == form || vast::is_filled(&listed.0, url);
        let found = self.documents.iter().find(is_it);
        found.map(|(listed, _)| asks(listed, url, detail))
    }

    /// Returns a URL as its document writes it; one that no document has as a browser sends it.
    fn written(&self, url: &str) -> String {
        let found = self.names.of(url).first().copied();
        found.map_or_else(
            || browser_form(url),
            |index| self.names.all[index].written.to_string(),
        )
    }
}

/// The macros of positions: not their values are compared, but how they are written.
const PLAYHEADS: [&str; 3] = ["ADPLAYHEAD", "CONTENTPLAYHEAD", "MEDIAPLAYHEAD"];

/// Returns a value with each of its numbers as its number of digits.
fn shape(value: &str) -> String {
    let value = value.replace("%3A", ":").replace("%3a", ":");
    value
        .chars()
        .map(|letter| if letter.is_ascii_digit() { '0' } else { letter })
        .collect()
}

/// Marks being gathered from the lines of a trace.
struct Gathering<'a> {
    known: &'a Known,
    hears: &'a Hears,
    detail: Detail<'a>,
    screen: Screen,
    end: ContentEnd,
    ads: InAd,
    /// The mark of content that is on screen again after its end.
    again: Option<usize>,
    /// The mark of content that has just come on screen and whose position is not known yet.
    placed: Option<usize>,
    all: Vec<Mark>,
}

impl Gathering<'_> {
    fn hears_request(&self) -> bool {
        self.hears.hears(Kind::Net, NetLine::Request.name())
    }

    /// Whether the content's end is that of its media element: the documented event is not heard.
    fn is_end_heard(&self) -> bool {
        let ended = EventName::Ended.name();
        !self.hears.hears(Kind::Event, ended) && self.hears.hears(Kind::Media, ended)
    }

    fn has_screen(&self) -> bool {
        self.hears.hears(Kind::Ui, UiLine::Shown.name())
    }

    fn take(&mut self, record: &Record) {
        if let Some(mark) = self.screen.follow(record) {
            self.is_flash(mark);
        }
        self.place(record);
        let is_in_ad = self.ads.follow(record);
        let was_over = self.end.is_over;
        let known = self.known;
        let ends = self.end.follow(record, |src| known.content.contains(src));
        if was_over && !self.end.is_over {
            self.again = None;
        }
        if record.is(UiLine::Shown) {
            self.leave_out_again();
        }
        if record.event() == Some(EventName::Ended) || ends {
            self.leave_out_last(record);
        }
        // Some tools have the request that a redirect leads to, others only the first one; none has
        // one for what is no URL.
        let is_redirect = record.is(NetLine::Redirect) && self.screen.is_simulated();
        let is_no_url = record.kind == Kind::Beacon && !is_url(&text(record, "url"));
        let is_update = is_in_ad && record.event() == Some(EventName::TimeUpdate);
        let is_heard = self.hears.hears(record.kind, &record.name);
        let found: Vec<Words> = if is_redirect {
            let asked = known.request(&text(record, "to"), self.detail);
            asked.filter(|_| self.hears_request()).into_iter().collect()
        } else if record.is(UiLine::Shown) {
            self.shown(record, was_over).into_iter().collect()
        } else if ends && self.is_end_heard() {
            let film = Some(src(record)).filter(|film| !film.is_empty());
            let film = film.unwrap_or_else(|| known.content_on(&self.screen.film).to_owned());
            vec![Words::end(format!("ended {film}"))]
        } else if is_update && is_heard {
            // One for each ad, at whatever pace they come.
            let update = || Words::plain("timeupdate in an ad".to_owned(), What::Event);
            self.ads.first_update().then(update).into_iter().collect()
        } else if is_heard {
            known.heard(record, self.detail)
        } else {
            Vec::new()
        };
        for words in found {
            self.push(record, words, is_redirect || is_no_url || is_update);
        }
    }

    fn push(&mut self, record: &Record, found: Words, is_optional: bool) {
        if found.what == What::Content {
            self.screen.mark = Some(self.all.len());
            self.placed = Some(self.all.len());
        }
        let begins = |event| {
            matches!(
                event,
                EventName::AdStart | EventName::Start | EventName::AdEnd
            )
        };
        let is_anchor =
            record.is(UiLine::Shown) || !self.has_screen() && record.event().is_some_and(begins);
        self.all.push(Mark {
            at: record.at,
            words: found.words,
            data: found.data,
            key: found.key,
            what: found.what,
            is_anchor,
            seq: record.seq,
            cause: record.cause,
            is_optional,
            position: None,
        });
    }

    /// Returns the mark of a film that comes on screen.
    fn shown(&mut self, record: &Record, was_over: bool) -> Option<Words> {
        let film = src(record);
        let is_content = self.known.content.contains(&film);
        let what = if is_content { What::Content } else { What::Ad };
        if !self.has_screen() {
            return None;
        }
        if is_content && was_over {
            // The last picture of the content may be seen again after its end, unless it plays.
            self.again = Some(self.all.len());
        }
        Some(Words::plain(format!("shown {film}"), what))
    }

    /// Turns the mark of a film into that of a flash.
    fn is_flash(&mut self, mark: usize) {
        let is_simulated = self.screen.is_simulated();
        let Some(mark) = self.all.get_mut(mark) else {
            return;
        };
        mark.words = format!("flash of {}", film_of(&mark.words));
        mark.data.clone_from(&mark.words);
        if !is_simulated {
            // A recording may not tell a flash: what the simulation knows to be one keeps the key
            // of any film that is shown.
            mark.key.clone_from(&mark.words);
        }
        (mark.what, mark.is_anchor) = (What::Flash, false);
    }

    /// Takes the position of content that has just come on screen from a line of its element.
    fn place(&mut self, record: &Record) {
        if let Some(mark) = self.placed.and_then(|mark| self.all.get_mut(mark))
            && record.at <= mark.at + SEEN
            && record.kind == Kind::Media
            && self.known.is_of_content(record)
            && let Some(position) = position(record)
        {
            mark.position = Some(position);
            self.placed = None;
        }
    }

    /// Leaves out content that was on screen again after its end, and did not play.
    fn leave_out_again(&mut self) {
        if let Some(again) = self.again.take() {
            self.all.remove(again);
            (self.screen.mark, self.placed) = (None, None);
        }
    }

    /// Leaves out the last picture of the content behind its post-roll.
    fn leave_out_last(&mut self, record: &Record) {
        let is_it = |last: &Mark| last.what == What::Content && last.at + SEEN > record.at;
        if self.all.last().is_some_and(is_it) {
            self.all.pop();
            (self.screen.mark, self.placed, self.again) = (None, None, None);
        }
    }
}

/// A request for a document.
fn asks(written: &str, url: &str, detail: Detail<'_>) -> Words {
    let words = format!("asks {}", key(written, url, detail));
    Words {
        key: format!("asks {written}"),
        ..Words::plain(words, What::Asks)
    }
}

/// An event, a call or an act, with the data that both sides have.
fn full(record: &Record, shared: &Shared, what: What) -> Words {
    let (mut words, mut data) = (record.name.to_string(), record.name.to_string());
    let fields = shared.fields(record);
    for (name, value) in &fields {
        words.push_str(&format!(" {name}={value}"));
    }
    write_fields(fields.iter().map(|(name, value)| (*name, value)), &mut data);
    Words {
        words,
        data,
        key: format!("{} {}", record.kind.name(), record.name),
        what,
    }
}

/// The macros whose values are compared with every player, because they report an outcome.
const TELLING: [&str; 3] = ["ERRORCODE", "ERROR_CODE", "REASON"];

/// The macros whose values follow from the documents and from what was played. The values of others
/// are random, or say what time it is, how far a film got or what the page looks like.
const DETERMINED: [&str; 11] = [
    "ADCOUNT",
    "ADSERVINGID",
    "ADTYPE",
    "ASSETURI",
    "BREAKMAXADLENGTH",
    "BREAKMAXADS",
    "BREAKPOSITION",
    "MEDIAMIME",
    "PODSEQUENCE",
    "TRANSACTIONID",
    "UNIVERSALADID",
];

/// Returns a URL as the document writes it, with the values of the macros that are compared.
fn key(written: &str, url: &str, detail: Detail<'_>) -> String {
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
        let is_among = |names: &[&str]| names.iter().any(|it| name.eq_ignore_ascii_case(it));
        let is_compared = is_among(&TELLING)
            || match detail {
                Detail::Outline => false,
                Detail::Full(_) => is_among(&DETERMINED),
            };
        // A macro that was left as it is written is told, whatever it is.
        let is_left = !vast::macros(value).is_empty();
        if is_left {
            text.push_str("(not filled in)");
        } else if is_compared {
            text.push_str(value);
        } else if is_among(&PLAYHEADS) {
            text.push_str(&shape(value));
        } else {
            text.push_str(&written[*at..*end]);
        }
        from = *end;
    }
    text.push_str(&written[from..]);
    text
}

/// Returns whether a browser would ask for a URL: it is absolute, with a host.
fn is_url(url: &str) -> bool {
    let host = url.split_once("://").map_or("", |(_, rest)| rest);
    host.starts_with(|first: char| first.is_alphanumeric())
        || host.starts_with('[') && host.contains(']')
}

/// Time updates that are further apart than this have something else between them.
const PERIODS: Span = Span::from_secs(1);

/// Returns the film of a mark's words.
fn film_of(words: &str) -> &str {
    words.split_once(' ').map_or(words, |(_, film)| film)
}

/// Returns whether an event comes many times, at times that depend on the browser.
fn is_frequent(event: EventName) -> bool {
    matches!(event, EventName::TimeUpdate | EventName::Progress)
}
