//! The engine of a media element: the rules about media elements, for bare ones and for players.
//!
//! A bare [`MediaElement`](super::MediaElement) and a player each have one engine. They drive it by the same
//! calls and it reports by the same events; only the form of a report differs, see [`Voice`]. Whether playback
//! is wanted is for the owner to decide, since a player's content also stops for ads: the owner lets the
//! position advance or stop.
//!
//! The modules: `motion` moves the position, `readiness` is the ready state and the arrival of data.
//!
//! Rules: MEL-1, MEL-2, MEL-4 to MEL-8, MEL-14, MEL-16, MEL-20, MEL-23, QUAL-3, QUAL-5, EVT-14, EVT-18, STOP-7.

use std::sync::Arc;

use super::data::{Data, Ready};
use super::live::Stream;
use super::rhythm::Rhythm;
use super::schedule::Schedule;
use crate::api::{
    Cause, EventName, Fields, LineName, MediaTask, MediaWork, Outbox, Output, Purpose, Request, RequestId,
    TimeUpdates,
};
use crate::media::{LoadFault, MediaFault, MediaInfo, Playhead, Rate};
use crate::rules::{self, RuleId};
use crate::time::{Position, Span, Time};

mod motion;
mod readiness;

pub(crate) use motion::{Obstacle, SeekEnd};
pub(crate) use readiness::Rise;

/// The form in which an engine reports its events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Voice {
    /// As tasks of a bare element, each tagged with its load. Rule MEL-23.
    Tasks,
    /// As those of a player: lines that page code does not see, apart from the documented events. Rule
    /// EVT-14.
    Lines,
    /// As those of a player with knob `bus.expose_html`: as events. Rule EVT-18.
    Events,
}

impl Voice {
    /// Whether the element stands alone, and does all that HTML leaves to it.
    pub(super) fn is_bare(self) -> bool {
        self == Voice::Tasks
    }
}

/// The element's `networkState`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Network {
    Empty = 0,
    Idle = 1,
    Loading = 2,
    NoSource = 3,
}

/// The state of the source in use.
#[derive(Debug, Clone)]
enum Resource {
    /// No source has been chosen, or it failed.
    Nothing,
    /// The request waits until playback is wanted.
    Deferred,
    /// Its metadata have been requested.
    Asked(RequestId),
    /// Its metadata have arrived.
    Here(Arc<MediaInfo>),
}

/// Why nothing can be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Failure {
    fault: LoadFault,
    /// The code of the element's `error`.
    code: u8,
}

/// A seek that waits for its data.
#[derive(Debug, Clone, Copy)]
struct Seek {
    /// Distinguishes it from the seeks that it replaced.
    number: u32,
    /// Whether it waits for something other than data: scripts of this instant, or the end of an ad.
    is_held: bool,
    end: SeekEnd,
}

/// What loads, plays and seeks media.
#[derive(Debug, Clone)]
pub(crate) struct Engine {
    pub(super) voice: Voice,
    /// When something is due at the position. Rule MEL-15.
    pub(super) schedule: Schedule,
    /// The URL that was chosen: `currentSrc`.
    source: Option<Arc<str>>,
    resource: Resource,
    /// The number of the current load: tasks of older ones are dropped. Rule MEL-23.
    load: u32,
    pub(super) network: Network,
    ready: Ready,
    error: Option<Failure>,
    /// Whether the first frame of this load has been announced. Rule MEL-3.
    has_shown: bool,
    head: Playhead,
    /// Where playback starts, set before metadata. Rule MEL-14.
    start: Position,
    /// The state of a live stream. Rule LIVE-3.
    stream: Option<Stream>,
    data: Data,
    seek: Option<Seek>,
    /// The number of seeks so far.
    seeks: u32,
    /// The interval between `progress` events. Rule MEL-4.
    rhythm: Rhythm,
}

impl Engine {
    pub(crate) fn new(voice: Voice, updates: Rhythm, progress: Rhythm) -> Engine {
        Engine {
            voice,
            schedule: Schedule::new(updates),
            source: None,
            resource: Resource::Nothing,
            load: 0,
            network: Network::Empty,
            ready: Ready::Nothing,
            error: None,
            has_shown: false,
            head: Playhead::default(),
            start: Position::ZERO,
            stream: None,
            data: Data::default(),
            seek: None,
            seeks: 0,
            rhythm: progress,
        }
    }

    /// Gives up what was loaded or loading, and reports that. Returns whether there was anything. Rules MEL-1,
    /// MEL-8, MEL-23.
    pub(crate) fn empty(&mut self, now: Time, out: &mut Outbox) -> bool {
        let (network, rate) = (self.network, self.head.rate());
        let has_moved = self.head.position(now) > Position::ZERO;
        self.reset();
        if matches!(network, Network::Idle | Network::Loading) {
            self.report(now, rules::MEL_1, EventName::Abort, out);
        }
        if network != Network::Empty {
            self.report(now, rules::MEL_1, EventName::Emptied, out);
            if has_moved {
                self.report(now, rules::MEL_1, EventName::TimeUpdate, out);
            }
        }
        if rate != Rate::NORMAL {
            self.report(now, rules::MEL_1, EventName::RateChange, out);
        }
        network != Network::Empty
    }

    /// Removes the source, if there is one, and the start position.
    pub(crate) fn unload(&mut self) {
        self.reset();
        self.source = None;
        self.start = Position::ZERO;
    }

    fn reset(&mut self) {
        self.load += 1;
        self.resource = Resource::Nothing;
        self.network = Network::Empty;
        self.ready = Ready::Nothing;
        self.error = None;
        self.has_shown = false;
        self.head = Playhead::default();
        self.schedule.stop();
        self.stream = None;
        self.data = Data::default();
        self.seek = None;
    }

    /// Loads another source. Rules MEL-1, MEL-2.
    pub(crate) fn load(&mut self, now: Time, source: Arc<str>, out: &mut Outbox) {
        self.empty(now, out);
        self.start = Position::ZERO;
        self.choose(now, source, out);
        self.ask(now, out);
    }

    /// A source has been chosen. Rule MEL-2.
    pub(super) fn choose(&mut self, now: Time, source: Arc<str>, out: &mut Outbox) {
        self.source = Some(source);
        self.network = Network::Loading;
        self.report(now, rules::MEL_2, EventName::LoadStart, out);
    }

    /// Requests the source. Rules MEL-2, MEL-5.
    pub(super) fn ask(&mut self, now: Time, out: &mut Outbox) {
        let (id, url) = (out.next_request(), self.source.clone().unwrap_or_default());
        let fetch =
            Request { id, url, purpose: Purpose::Media, hop: None, wp: None, pod: None, in_break: None };
        let asked = out.put(rules::MEL_2, Output::Fetch(fetch));
        self.network = Network::Loading;
        self.resource = Resource::Asked(id);
        self.data = Data::asked(now, asked);
    }

    /// Puts the request off until playback is wanted. Rule MEL-4.
    pub(super) fn defer(&mut self, now: Time, out: &mut Outbox) {
        self.resource = Resource::Deferred;
        self.suspend(now, rules::MEL_4, out);
    }

    pub(crate) fn awaits(&self, id: RequestId) -> bool {
        matches!(self.resource, Resource::Asked(waiting) if waiting == id)
    }

    /// The metadata have arrived. Returns the start position if one was set, for a seek. Rules MEL-2, MEL-4,
    /// MEL-14, MEL-20, LIVE-3.
    pub(crate) fn loaded(&mut self, now: Time, info: Arc<MediaInfo>, out: &mut Outbox) -> Option<Position> {
        self.stream = info.live.map(|live| Stream::joined(now, live));
        let start = Some(std::mem::take(&mut self.start)).filter(|start| *start > Position::ZERO);
        self.resource = Resource::Here(info.clone());
        self.ready = Ready::Metadata;
        let place = match (start, self.stream) {
            (Some(start), _) => self.nearest(now, start),
            (None, Some(stream)) => stream.edge(now),
            (None, None) => Position::ZERO,
        };
        self.head.jump(now, place);
        self.data = Data::arriving(now, &info, place, &mut self.rhythm, out.cause());
        if let Some(stream) = self.stream.filter(|stream| stream.stops_at().is_some()) {
            self.data.stalled_at = stream.stalled_at();
        }
        if self.is_complete() {
            self.suspend(now, rules::MEL_4, out);
        }
        self.report_length(now, &info, out);
        if self.has_pictures() {
            self.report(now, rules::MEL_2, EventName::Resize, out);
        }
        self.report(now, rules::MEL_2, EventName::LoadedMetadata, out);
        start.map(|_| place)
    }

    /// The source cannot be loaded or used, before there were any metadata: code 4. Rule MEL-6.
    pub(crate) fn fail_to_load(&mut self, now: Time, fault: LoadFault, out: &mut Outbox) {
        self.network = Network::NoSource;
        self.resource = Resource::Nothing;
        self.data = Data::default();
        self.report_failure(now, rules::MEL_6, Failure { fault, code: 4 }, out);
    }

    /// Playback fails: a network failure has code 2, a decoding failure code 3. Rule MEL-7.
    pub(crate) fn fail(&mut self, now: Time, how: MediaFault, out: &mut Outbox) {
        self.stand(now);
        self.network = Network::Idle;
        self.data = Data::default();
        self.seek = None;
        let code = match how {
            MediaFault::Network | MediaFault::NotFound | MediaFault::NotRunning => 2,
            MediaFault::Decode | MediaFault::Unsupported => 3,
        };
        let fault = LoadFault { how, is_live: self.stream.is_some() };
        self.report_failure(now, rules::MEL_7, Failure { fault, code }, out);
    }

    fn report_failure(&mut self, now: Time, rule: RuleId, failure: Failure, out: &mut Outbox) {
        self.error = Some(failure);
        let Failure { fault, code } = failure;
        let data = |fields: Fields| fields.with("code", code).with("how", fault.how.word());
        self.report_with(now, rule, EventName::Error, data, out);
    }

    /// Withdraws a failure, so that the source can be loaded once more. No effect without a failure. Rule
    /// STOP-7.
    pub(crate) fn take_back_failure(&mut self) {
        if self.error.is_some() {
            // A live stream is joined anew; until then the position is a start position. TIME-7
            self.reset();
            (self.network, self.resource) = (Network::NoSource, Resource::Deferred);
        }
    }

    /// Whether the source has yet to be requested.
    pub(crate) fn is_deferred(&self) -> bool {
        matches!(self.resource, Resource::Deferred)
    }

    /// The load in progress goes on with another URL. Rule QUAL-5.
    pub(crate) fn take_over(&mut self, source: Arc<str>) {
        self.source = Some(source);
    }

    /// Continues with other media of the same content at the same place, or at the end if they are shorter.
    ///
    /// Rules QUAL-3, QUAL-5, MEL-20.
    pub(crate) fn change(&mut self, now: Time, source: Arc<str>, info: Arc<MediaInfo>, out: &mut Outbox) {
        let position = self.position(now);
        let is_other_length = self.duration() != Some(info.duration);
        self.source = Some(source);
        self.resource = Resource::Here(info.clone());
        self.stream = info.live.map(|live| match self.stream {
            Some(stream) => stream.switched(now, live),
            None => Stream::joined(now, live),
        });
        let place = self.nearest(now, position);
        self.head.jump(now, place);
        self.data = Data::arriving(now, &info, place, &mut self.rhythm, out.cause());
        // Its first picture is there, and no event announces that. QUAL-7
        self.has_shown = true;
        self.ready = Ready::Metadata;
        self.raise_silently(now);
        if is_other_length {
            self.report_length(now, &info, out);
        }
        self.report(now, rules::QUAL_5, EventName::Resize, out);
    }

    fn report_length(&self, now: Time, info: &MediaInfo, out: &mut Outbox) {
        let data = |fields: Fields| fields.with("duration", info.duration);
        self.report_with(now, rules::MEL_20, EventName::DurationChange, data, out);
    }

    /// The ready state. Rule MEL-3.
    pub(super) fn ready(&self) -> Ready {
        self.ready
    }

    pub(crate) fn source(&self) -> Option<&Arc<str>> {
        self.source.as_ref()
    }

    /// The media, if they can be played.
    pub(super) fn info(&self) -> Option<&Arc<MediaInfo>> {
        self.loaded_info().filter(|_| self.error.is_none())
    }

    /// The media, even if playing them has failed.
    fn loaded_info(&self) -> Option<&Arc<MediaInfo>> {
        match &self.resource {
            Resource::Here(info) => Some(info),
            Resource::Nothing | Resource::Deferred | Resource::Asked(_) => None,
        }
    }

    /// The length, once the metadata are there; it remains known after a failure. Rule MEL-20.
    pub(crate) fn duration(&self) -> Option<Span> {
        self.loaded_info().map(|info| info.duration)
    }

    /// The length once the metadata are there, for placing cues; `Some(None)` is a live stream. Rule CUE-2.
    pub(crate) fn length(&self) -> Option<Option<Span>> {
        self.info().map(|info| info.live.is_none().then_some(info.duration))
    }

    /// Whether its source is loading or loaded.
    pub(crate) fn has_media(&self) -> bool {
        self.error.is_none() && matches!(self.resource, Resource::Asked(_) | Resource::Here(_))
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.error.is_some()
    }

    /// Why it cannot be played.
    pub(crate) fn fault(&self) -> Option<LoadFault> {
        self.error.map(|failure| failure.fault)
    }

    /// The code of the element's `error`.
    pub(super) fn error_code(&self) -> Option<u8> {
        self.error.map(|failure| failure.code)
    }

    /// Whether it has a picture; a URL with the extension of an audio file does not.
    fn has_pictures(&self) -> bool {
        const SOUND: &[&str] = &["aac", "flac", "m4a", "mp3", "oga", "ogg", "opus", "wav", "weba"];
        let path = self.source.as_deref().and_then(|url| url.split(['?', '#']).next()).unwrap_or_default();
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        !SOUND.iter().any(|sound| ending.eq_ignore_ascii_case(sound))
    }

    /// Whether a task still counts: no other load has begun since. Rule MEL-23.
    pub(super) fn is_current(&self, task: MediaTask) -> bool {
        task.load == self.load
    }

    /// Queues a task of this load. Rule MEL-23.
    pub(super) fn queue(&self, rule: RuleId, work: MediaWork, out: &mut Outbox) -> Cause {
        out.put(rule, Output::Media(MediaTask { load: self.load, work }))
    }

    /// Reports an event. Returns the cause that refers to it.
    pub(crate) fn report(&self, now: Time, rule: RuleId, name: EventName, out: &mut Outbox) -> Cause {
        self.report_with(now, rule, name, |fields| fields, out)
    }

    /// Reports an event; a line has the position and more data.
    pub(super) fn report_with(
        &self,
        now: Time,
        rule: RuleId,
        name: EventName,
        data: impl FnOnce(Fields) -> Fields,
        out: &mut Outbox,
    ) -> Cause {
        let is_documented = matches!(name, EventName::LoadedMetadata | EventName::Progress);
        match self.voice {
            Voice::Tasks if name == EventName::TimeUpdate => {
                self.queue(rule, MediaWork::TimeUpdates(self.one_update(now)), out)
            }
            Voice::Tasks => self.queue(rule, MediaWork::Event(name), out),
            Voice::Lines if !is_documented => {
                let data = data(Fields::one("position", self.position(now)));
                out.line(rule, LineName::MediaEvent(name), data)
            }
            Voice::Lines | Voice::Events => out.event(rule, name),
        }
    }

    /// Reports an event that page code sees.
    pub(super) fn announce(&self, rule: RuleId, name: EventName, out: &mut Outbox) {
        match self.voice {
            Voice::Tasks => self.queue(rule, MediaWork::Event(name), out),
            Voice::Lines | Voice::Events => out.event(rule, name),
        };
    }

    /// Reports a time update that is not a periodic one, and that page code sees. Rule MEL-16.
    pub(crate) fn update_time(&self, now: Time, rule: RuleId, out: &mut Outbox) {
        self.report_updates(rule, self.one_update(now), out);
    }

    #[inline]
    pub(super) fn report_updates(&self, rule: RuleId, updates: TimeUpdates, out: &mut Outbox) {
        match self.voice {
            Voice::Tasks => {
                self.queue(rule, MediaWork::TimeUpdates(updates), out);
            }
            Voice::Lines | Voice::Events => out.time_updates(rule, updates),
        }
    }

    fn one_update(&self, now: Time) -> TimeUpdates {
        TimeUpdates { first: now, step: self.schedule.period(), count: 1 }
    }

    /// Nothing more is on its way. Rules MEL-4, MEL-17.
    pub(super) fn suspend(&mut self, now: Time, rule: RuleId, out: &mut Outbox) {
        self.network = Network::Idle;
        self.report(now, rule, EventName::Suspend, out);
    }
}
