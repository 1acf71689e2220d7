//! The media element that plays the content: its load, its playhead, its seeks.
//!
//! It knows one source at a time. What its events mean for page code is `playback`; here they are lines
//! of kind `media`, which page code does not see, or events that it does where a knob asks for that. How data
//! arrive is `data`, what a live stream has besides is `live`.
//!
//! Rules: MEL-1 to MEL-3, MEL-6, MEL-7, MEL-13, MEL-14, MEL-17, MEL-19, MEL-20, MEL-22, MEL-23, QUAL-3, QUAL-5,
//! EVT-18.

use std::sync::Arc;

use super::calls::By;
use super::rhythm::Rhythm;
use crate::api::{Cause, Decimal, EventName, Fields, Kind, Outbox, Output, Purpose, Request, RequestId};
use crate::media::{MediaFault, MediaInfo, Playhead, Rate};
use crate::rule;
use crate::rules::RuleId;
use crate::time::{Position, Span, Time};

mod data;
mod live;
mod seeks;
mod supply;

pub(super) use data::{Ready, Told};

use data::Data;
use live::Stream;
use seeks::Seek;

/// One media element.
#[derive(Debug, Clone)]
pub(super) struct Element {
    source: Option<Arc<str>>,
    load: Load,
    head: Playhead,
    data: Data,
    /// What a live stream has besides. Rule LIVE-3.
    stream: Option<Stream>,
    seek: Option<Seek>,
    /// How many seeks there were: tells one from those it replaced.
    seeks: u32,
    /// Whether page code hears all of its events. Rule EVT-18.
    is_exposed: bool,
    /// How far apart `progress` comes. Rule MEL-4.
    rhythm: Rhythm,
}

#[derive(Debug, Clone, Default)]
enum Load {
    #[default]
    Empty,
    Waiting(RequestId),
    Ready(Arc<MediaInfo>),
    /// With what was known of it before.
    Failed(Option<Arc<MediaInfo>>, MediaFault),
    /// It failed and was stopped; it is loaded again when it is to be played. Rule STOP-7.
    Stopped {
        had_metadata: bool,
    },
}

/// What a playhead runs into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Obstacle {
    /// Data runs out.
    Stall,
    /// Playing fails.
    Failure(MediaFault),
    /// The end.
    End,
}

impl Element {
    pub(super) fn new(is_exposed: bool, rhythm: Rhythm) -> Element {
        Element {
            source: None,
            load: Load::Empty,
            head: Playhead::default(),
            data: Data::default(),
            stream: None,
            seek: None,
            seeks: 0,
            is_exposed,
            rhythm,
        }
    }

    /// Loads a source; whatever was loaded or loading is given up. Rules MEL-1, MEL-2.
    pub(super) fn load(&mut self, now: Time, source: Arc<str>, out: &mut Outbox) {
        self.give_up(now, out);
        self.note(now, rule!("MEL-2"), EventName::LoadStart, out);
        let id = out.next_request();
        let request =
            Request { id, url: source.clone(), purpose: Purpose::Media, hop: None, wp: None, pod: None };
        let asked = out.put(rule!("MEL-2"), Output::Fetch(request));
        self.source = Some(source);
        self.load = Load::Waiting(id);
        self.data = Data::asked(now, asked);
    }

    /// Gives up what was loaded or loading, and says so. Rule MEL-1.
    pub(super) fn give_up(&mut self, now: Time, out: &mut Outbox) {
        let (had_source, was_loading, had_media) = match self.load {
            Load::Empty => (false, false, false),
            Load::Failed(None, _) | Load::Stopped { had_metadata: false } => (true, false, false),
            Load::Waiting(_) => (true, true, false),
            Load::Ready(_) | Load::Failed(Some(_), _) | Load::Stopped { had_metadata: true } => {
                (true, true, true)
            }
        };
        let was_moved = had_media && self.position(now) > Position::ZERO;
        let had_rate = self.head.rate();
        self.unload();
        // All is as it will be before the first of them is told. MEL-8
        if was_loading {
            self.note(now, rule!("MEL-1"), EventName::Abort, out);
        }
        if had_source {
            self.note(now, rule!("MEL-1"), EventName::Emptied, out);
        }
        if was_moved {
            self.note(now, rule!("MEL-1"), EventName::TimeUpdate, out);
        }
        if had_rate != Rate::NORMAL {
            self.note(now, rule!("MEL-1"), EventName::RateChange, out);
        }
    }

    /// Lets go of the source, if there is one.
    pub(super) fn unload(&mut self) {
        self.source = None;
        self.load = Load::Empty;
        self.head = Playhead::default();
        self.data = Data::default();
        self.stream = None;
        self.seek = None;
    }

    /// Takes the answer to its load. Rules MEL-2, MEL-6, MEL-20.
    pub(super) fn loaded(&mut self, now: Time, answer: Result<Arc<MediaInfo>, MediaFault>, out: &mut Outbox) {
        match answer {
            Ok(info) => {
                self.stream = info.live.map(|live| Stream::joined(now, live));
                let duration = info.duration;
                self.load = Load::Ready(info.clone());
                // A seek before metadata has set where it starts. MEL-14
                let start = self.nearest(now, self.head.position(now));
                self.head.stand(now);
                self.head.jump(now, start);
                self.data = Data::arriving(now, &info, start, &mut self.rhythm, out.cause());
                let data = Fields::one("position", start).with("duration", duration);
                self.note_with(rule!("MEL-20"), EventName::DurationChange, data, out);
                self.note(now, rule!("MEL-2"), EventName::Resize, out);
            }
            Err(fault) => {
                self.load = Load::Failed(None, fault);
                self.data = Data::default();
                // Code 4: the source is not supported, whatever the reason.
                let data = Fields::one("position", self.position(now)).with("code", 4u8);
                self.note_with(rule!("MEL-6"), EventName::Error, data.with("how", fault.word()), out);
            }
        }
    }

    /// Fails while there is metadata: network is code 2, decoding code 3. Rule MEL-7.
    pub(super) fn fail(&mut self, now: Time, fault: MediaFault, out: &mut Outbox) {
        self.stand(now);
        self.load = Load::Failed(self.info().cloned(), fault);
        self.data = Data::default();
        self.seek = None;
        let code: u8 = match fault {
            MediaFault::Network | MediaFault::NotFound | MediaFault::NotRunning => 2,
            MediaFault::Decode | MediaFault::Unsupported => 3,
        };
        let data = Fields::one("position", self.position(now)).with("code", code);
        self.note_with(rule!("MEL-7"), EventName::Error, data.with("how", fault.word()), out);
    }

    pub(super) fn awaits(&self, id: RequestId) -> bool {
        matches!(self.load, Load::Waiting(waiting) if waiting == id)
    }

    pub(super) fn source(&self) -> Option<&Arc<str>> {
        self.source.as_ref()
    }

    /// The length, once metadata is there; a failure does not take it away. Rule MEL-20.
    pub(super) fn duration(&self) -> Option<Span> {
        match &self.load {
            Load::Ready(info) | Load::Failed(Some(info), _) => Some(info.duration),
            Load::Empty | Load::Waiting(_) | Load::Failed(None, _) | Load::Stopped { .. } => None,
        }
    }

    /// The length once metadata is there, to place cues by: `Some(None)` is a live stream. Rule CUE-2.
    pub(super) fn length(&self) -> Option<Option<Span>> {
        let info = self.info()?;
        Some(if info.live.is_some() { None } else { Some(info.duration) })
    }

    /// Whether its source is loading or loaded.
    pub(super) fn has_media(&self) -> bool {
        matches!(self.load, Load::Waiting(_) | Load::Ready(_))
    }

    /// The load that is under way is answered by another address. Rule QUAL-5.
    pub(super) fn take_over(&mut self, source: Arc<str>) {
        self.source = Some(source);
    }

    /// Goes on with other media of the same content, at the same place; at the end if they are shorter.
    ///
    /// Rules QUAL-3, QUAL-5, MEL-20.
    pub(super) fn change(&mut self, now: Time, source: Arc<str>, info: Arc<MediaInfo>, out: &mut Outbox) {
        let place = self.position(now).min(info.duration.end());
        let is_other_length = self.duration() != Some(info.duration);
        self.head.jump(now, place);
        self.source = Some(source);
        self.data = Data::arriving(now, &info, place, &mut self.rhythm, out.cause());
        let data = Fields::one("position", place).with("duration", info.duration);
        self.load = Load::Ready(info);
        // Its first picture is there, and nothing else is told of it. QUAL-7
        self.data.has_shown = true;
        self.data.ready = self.level(now).max(Ready::Metadata);
        if is_other_length {
            self.note_with(rule!("MEL-20"), EventName::DurationChange, data, out);
        }
        self.note(now, rule!("QUAL-5"), EventName::Resize, out);
    }

    pub(super) fn has_failed(&self) -> bool {
        self.fault().is_some()
    }

    /// Why it cannot be played.
    pub(super) fn fault(&self) -> Option<MediaFault> {
        match self.load {
            Load::Failed(_, fault) => Some(fault),
            Load::Empty | Load::Waiting(_) | Load::Ready(_) | Load::Stopped { .. } => None,
        }
    }

    /// Takes a failure back: the source is to be loaded once more. No effect without one. Rule STOP-7.
    pub(super) fn take_back_failure(&mut self) {
        if let Load::Failed(info, _) = &self.load {
            self.load = Load::Stopped { had_metadata: info.is_some() };
            // It is joined anew; until then a position is one to start at. TIME-7
            self.stream = None;
        }
    }

    /// The source that is to be loaded once more.
    pub(super) fn due_again(&self) -> Option<&Arc<str>> {
        match &self.load {
            Load::Stopped { .. } => self.source.as_ref(),
            Load::Empty | Load::Waiting(_) | Load::Ready(_) | Load::Failed(..) => None,
        }
    }

    pub(super) fn position(&self, now: Time) -> Position {
        let position = self.head.position(now);
        self.stream.map_or(position, |stream| position.min(stream.edge(now)))
    }

    /// Whether there are data to play on with.
    pub(super) fn has_data(&self) -> bool {
        self.data.ready >= Ready::Future && self.seek.is_none() && self.info().is_some()
    }

    pub(super) fn is_at_end(&self, now: Time) -> bool {
        self.end().is_some_and(|end| self.position(now) >= end)
    }

    /// Where it ends, if that is known and if it does. Rules MEL-20, LIVE-3.
    fn end(&self) -> Option<Position> {
        self.duration().map(Span::end).filter(|end| *end < Position::MAX)
    }

    pub(super) fn advance(&mut self, now: Time) {
        self.head.advance(now);
    }

    pub(super) fn stand(&mut self, now: Time) {
        let position = self.position(now);
        self.head.stand(now);
        self.head.jump(now, position);
    }

    /// Where the position has to be when it begins to advance, if it fell out of what a live stream keeps.
    /// Rule LIVE-3.
    pub(super) fn left_behind(&self, now: Time) -> Option<Position> {
        let position = self.position(now);
        self.stream.map(|stream| stream.nearest(now, position)).filter(|nearest| *nearest != position)
    }

    /// What the playhead runs into next, and where.
    pub(super) fn next_obstacle(&self) -> Option<(Position, Obstacle)> {
        let info = self.info()?;
        let end = self.end();
        let stall = self.data.next_stall().map(|at| (at, Obstacle::Stall));
        let failure = info.fails.map(|failure| (failure.at, Obstacle::Failure(failure.how)));
        // At one place the data come first: a stall or failure at the end is met there no more.
        [failure, stall]
            .into_iter()
            .flatten()
            .filter(|(at, _)| end.is_none_or(|end| *at < end))
            .chain(end.map(|end| (end, Obstacle::End)))
            .min_by_key(|(at, _)| *at)
    }

    /// What it runs into at this instant: a failure before a lack of data, both before the end.
    pub(super) fn obstacle(&self, now: Time) -> Option<Obstacle> {
        let position = self.position(now);
        let met = self.next_obstacle().filter(|(at, _)| *at <= position).map(|(_, what)| what);
        met.or_else(|| self.dry_at(now).filter(|at| *at <= now).map(|_| Obstacle::Stall))
    }

    /// Runs out of data. Rule MEL-17.
    pub(super) fn stall(&mut self, now: Time, out: &mut Outbox) {
        self.stand(now);
        let waiting = self.note(now, rule!("MEL-17"), EventName::Waiting, out);
        self.data.run_out(now, self.position(now), waiting);
    }

    /// When the playhead will be at a position, if it advances towards it.
    pub(super) fn reaches(&self, position: Position) -> Option<Time> {
        let at = self.head.reaches(position)?;
        Some(self.stream.map_or(at, |stream| at.max(stream.edge_reaches(position))))
    }

    /// Plays faster or slower from here on. Rule MEL-22.
    pub(super) fn set_rate(&mut self, now: Time, rate: Rate, out: &mut Outbox) {
        if rate == self.head.rate() {
            return;
        }
        self.head.jump(now, self.position(now));
        self.head.set_rate(now, rate);
        let millionths = i64::try_from(rate.millionths()).unwrap_or(i64::MAX);
        let data = Fields::one("position", self.position(now));
        let data = data.with("rate", Decimal::from_millionths(millionths));
        self.note_with(rule!("MEL-22"), EventName::RateChange, data, out);
    }

    /// Tells of a media event. Gives what names the line as a cause.
    pub(super) fn note(&self, now: Time, rule: RuleId, name: EventName, out: &mut Outbox) -> Cause {
        if self.is_exposed {
            return out.event(rule, name);
        }
        self.note_with(rule, name, Fields::one("position", self.position(now)), out)
    }

    /// Page code does not see it, unless all is exposed; then without what else a line says. Rules EVT-14,
    /// EVT-18.
    fn note_with(&self, rule: RuleId, name: EventName, data: Fields, out: &mut Outbox) -> Cause {
        if self.is_exposed { out.event(rule, name) } else { out.line(rule, Kind::Media, name.name(), data) }
    }

    fn info(&self) -> Option<&Arc<MediaInfo>> {
        match &self.load {
            Load::Ready(info) => Some(info),
            Load::Empty | Load::Waiting(_) | Load::Failed(..) | Load::Stopped { .. } => None,
        }
    }
}
