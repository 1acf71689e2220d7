//! The film on screen, and whether it plays there.
//!
//! A player that starts its content and stops it at once, until an ad comes, shows a flash: the
//! content is on screen, but nobody has seen it play. A player that plays its content until the ad
//! is ready behaves differently.

use playsim_api::{EventName, HeaderLine, Kind, StateLine, UiLine};
use playsim_base::time::{Span, Time};
use playsim_trace::session::AdBreakKind;
use playsim_trace::{Record, Trace};

/// How much of a film must be played for a viewer to see that it plays: three pictures.
pub(super) const SEEN: Span = Span::from_millis(50);

/// The film on screen.
#[derive(Debug, Default)]
pub(super) struct Screen {
    /// The film, or the last one.
    pub(super) film: String,
    /// The index of its mark, if it is the content and may be a flash.
    pub(super) mark: Option<usize>,
    is_simulated: bool,
    /// The film and the position of the last line of a media element.
    last: Option<(String, Span)>,
    /// The position at which it came on screen, and the one at which it was paused.
    began: Option<Span>,
    paused: Option<Span>,
    /// Since when the simulation plays it, and how long it has played it.
    since: Option<Time>,
    played: Span,
}

impl Screen {
    pub(super) fn of(trace: &Trace) -> Screen {
        let is_simulated = trace
            .records
            .first()
            .is_some_and(|first| first.is(HeaderLine::Trace));
        Screen {
            is_simulated,
            ..Screen::default()
        }
    }

    pub(super) const fn is_simulated(&self) -> bool {
        self.is_simulated
    }

    /// Follows a line. Returns the index of the mark of a film that leaves the screen and was only
    /// a flash.
    pub(super) fn follow(&mut self, record: &Record) -> Option<usize> {
        if record.is(UiLine::Shown) || record.is(UiLine::Gone) {
            let flash = self.mark.take().filter(|_| self.is_flash());
            (self.paused, self.played) = (None, Span::ZERO);
            self.since = record.is(UiLine::Shown).then_some(record.at);
            if record.is(UiLine::Shown) {
                self.film = src(record);
                self.began = self
                    .last
                    .as_ref()
                    .filter(|(film, _)| *film == self.film)
                    .map(|(_, at)| *at);
            }
            return flash;
        }
        if record.kind == Kind::State && self.is_simulated {
            if let Some(since) = self.since.take() {
                self.played += record.at - since;
            }
            self.since = record.is(StateLine::Playing).then_some(record.at);
        } else if let (Kind::Media, Some(at)) = (record.kind, position(record)) {
            let film = src(record);
            if film == self.film {
                self.moved(record, at);
            }
            self.last = Some((film, at));
        }
        if record.media_event() == Some(EventName::Ended) {
            self.mark = None;
        }
        None
    }

    /// Follows an event of the media element that shows the film.
    fn moved(&mut self, record: &Record, at: Span) {
        let event = record.media_event();
        if event == Some(EventName::Pause) {
            self.paused = Some(at);
        } else if event == Some(EventName::Play) || event == Some(EventName::Playing) {
            self.paused = None;
        } else if event == Some(EventName::Seeked) {
            // A jump is no playing.
            self.began = None;
        }
        if self.began.is_none() {
            self.began = Some(at);
        }
    }

    fn is_flash(&self) -> bool {
        if self.is_simulated {
            return self.played < SEEN;
        }
        // A recording that does not say where the film was paused may have played it.
        let (Some(began), Some(paused)) = (self.began, self.paused) else {
            return false;
        };
        began <= paused && paused - began < SEEN
    }
}

/// Whether an ad plays, by documented events.
#[derive(Debug, Default)]
pub(super) struct InAd {
    is_on: bool,
    has_update: bool,
}

impl InAd {
    /// Follows a line. Returns whether an ad plays.
    pub(super) fn follow(&mut self, record: &Record) -> bool {
        match record.event() {
            Some(EventName::AdStart) => *self = InAd::of_an_ad(),
            Some(
                EventName::AdComplete
                | EventName::AdSkip
                | EventName::AdError
                | EventName::AdEnd
                | EventName::Stopped
                | EventName::DestroyBefore,
            ) => self.is_on = false,
            _ => {}
        }
        self.is_on
    }

    fn of_an_ad() -> InAd {
        InAd {
            is_on: true,
            has_update: false,
        }
    }

    /// Returns whether this is the first time update in the ad.
    pub(super) fn first_update(&mut self) -> bool {
        !std::mem::replace(&mut self.has_update, true)
    }
}

/// Whether the content's film is over: its media element says so before a post-roll, the documented
/// event `ended` comes after it.
#[derive(Debug, Default)]
pub(super) struct ContentEnd {
    pub(super) is_over: bool,
    /// Whether a post-roll break of a simulation is open.
    is_post: bool,
}

impl ContentEnd {
    /// Follows a line. Returns whether the content's film ends with it.
    pub(super) fn follow(&mut self, record: &Record, is_content: impl Fn(&str) -> bool) -> bool {
        let film = src(record);
        let is_of_content = film.is_empty() || is_content(&film);
        self.is_post |= record.begins_break() && record.break_kind() == Some(AdBreakKind::Post);
        let is_held = record.is(StateLine::AdLoading) || record.is(StateLine::AdPlaying);
        let ends = is_held && self.is_post
            || record.media_event() == Some(EventName::Ended) && is_of_content;
        self.is_post &= !(ends || record.ends_break());
        let goes_on = record.is(StateLine::Playing)
            || matches!(
                record.media_event(),
                Some(EventName::Play | EventName::Playing | EventName::Start)
            ) && is_of_content;
        let was_over = self.is_over;
        self.is_over = (was_over || ends) && !goes_on;
        ends && !was_over
    }
}

/// Returns the position of the media element that a line contains.
pub(super) fn position(record: &Record) -> Option<Span> {
    let millionths = record.data.get("position")?.as_number()?.millionths();
    u64::try_from(millionths).ok().map(Span::from_micros)
}

/// Returns the name of a film: the last part of its URL. Players and pages may write the rest in
/// their own way.
pub(super) fn film(url: &str) -> &str {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    path.rsplit('/').next().unwrap_or_default()
}

/// Returns a text in the data of a line; empty if there is none.
#[must_use]
pub fn text(record: &Record, key: &str) -> String {
    record
        .data
        .text(key)
        .map_or_else(String::new, |text| text.to_string())
}

pub(super) fn src(record: &Record) -> String {
    film(&text(record, "src")).to_owned()
}
