//! The media element that plays the content: its load, its playhead, its data.
//!
//! It knows one source at a time. What its events mean for page code is `playback`; here they are lines
//! of kind `media`, which page code does not see.
//!
//! Rules: MEL-1 to MEL-3, MEL-6, MEL-7, MEL-13, MEL-14, MEL-17, MEL-19, MEL-20, MEL-23, QUAL-3, QUAL-5.

use std::sync::Arc;

use crate::api::{Cause, Fields, Kind, Outbox, Output, Purpose, Request, RequestId};
use crate::media::{MediaFault, MediaInfo, Playhead, Stall};
use crate::rule;
use crate::rules::RuleId;
use crate::time::{Position, Span, Time};

/// One media element.
#[derive(Debug, Clone, Default)]
pub(super) struct Element {
    source: Option<Arc<str>>,
    load: Load,
    head: Playhead,
    /// The stalls that have not been met since the source was loaded, ascending.
    stalls: Vec<Stall>,
    /// Which of them lies ahead of the playhead.
    next_stall: usize,
    /// Until when data is short, once it ran out, and the line that told.
    short: Option<(Time, Cause)>,
    /// Tells a seek from the ones it replaced.
    seek: u32,
}

#[derive(Debug, Clone, Default)]
enum Load {
    #[default]
    Empty,
    Waiting(RequestId),
    Ready(Arc<MediaInfo>),
    /// With what was known of it before.
    Failed(Option<Arc<MediaInfo>>),
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
    /// Loads a source; whatever was loaded or loading is given up. Rule MEL-1.
    pub(super) fn load(&mut self, source: Arc<str>, out: &mut Outbox) {
        let given_up = match self.load {
            Load::Waiting(_) => Some("abort"),
            Load::Ready(_) | Load::Failed(Some(_)) | Load::Stopped { had_metadata: true } => Some("emptied"),
            Load::Empty | Load::Failed(None) | Load::Stopped { had_metadata: false } => None,
        };
        let id = out.next_request();
        *self = Element {
            source: Some(source.clone()),
            load: Load::Waiting(id),
            seek: self.seek + 1,
            ..Element::default()
        };
        // The new source stands at its start, whatever the time. MEL-8
        if let Some(name) = given_up {
            self.note(Time::ZERO, rule!("MEL-1"), name, out);
        }
        self.note(Time::ZERO, rule!("MEL-2"), "loadstart", out);
        let request = Request { id, url: source, purpose: Purpose::Media, hop: None, wp: None, pod: None };
        out.put(rule!("MEL-2"), Output::Fetch(request));
    }

    /// Lets go of the source, if there is one.
    pub(super) fn unload(&mut self) {
        *self = Element { seek: self.seek + 1, ..Element::default() };
    }

    /// Takes the answer to its load. Rules MEL-2, MEL-6, MEL-20.
    pub(super) fn loaded(&mut self, now: Time, answer: Result<Arc<MediaInfo>, MediaFault>, out: &mut Outbox) {
        match answer {
            Ok(info) => {
                // A seek before metadata has set where it starts. MEL-14
                let start = self.head.position(now).min(info.duration.end());
                self.head = Playhead::standing(start);
                self.stalls.clone_from(&info.stalls);
                self.find_next_stall(start);
                let data = Fields::one("position", start).with("duration", info.duration);
                self.load = Load::Ready(info);
                out.line(rule!("MEL-20"), Kind::Media, "durationchange", data);
                self.note(now, rule!("MEL-2"), "resize", out);
            }
            Err(fault) => {
                self.load = Load::Failed(None);
                // Code 4: the source is not supported, whatever the reason.
                let data = Fields::one("position", self.position(now)).with("code", 4u8);
                let data = data.with("how", fault.word());
                out.line(rule!("MEL-6"), Kind::Media, "error", data);
            }
        }
    }

    /// Fails while there is metadata: network is code 2, decoding code 3. Rule MEL-7.
    pub(super) fn fail(&mut self, now: Time, fault: MediaFault, out: &mut Outbox) {
        self.head.stand(now);
        self.load = Load::Failed(self.info().cloned());
        let code: u8 = match fault {
            MediaFault::Network | MediaFault::NotFound | MediaFault::NotRunning => 2,
            MediaFault::Decode | MediaFault::Unsupported => 3,
        };
        let data = Fields::one("position", self.position(now)).with("code", code);
        let data = data.with("how", fault.word());
        out.line(rule!("MEL-7"), Kind::Media, "error", data);
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
            Load::Ready(info) | Load::Failed(Some(info)) => Some(info.duration),
            Load::Empty | Load::Waiting(_) | Load::Failed(None) | Load::Stopped { .. } => None,
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
        let place = self.head.position(now).min(info.duration.end());
        let is_other_length = self.duration() != Some(info.duration);
        self.head.jump(now, place);
        self.stalls.clone_from(&info.stalls);
        self.find_next_stall(place);
        self.short = None;
        self.source = Some(source);
        let data = Fields::one("position", place).with("duration", info.duration);
        self.load = Load::Ready(info);
        if is_other_length {
            out.line(rule!("MEL-20"), Kind::Media, "durationchange", data);
        }
        self.note(now, rule!("QUAL-5"), "resize", out);
    }

    pub(super) fn has_failed(&self) -> bool {
        matches!(self.load, Load::Failed(_))
    }

    /// Takes a failure back: the source is to be loaded once more. No effect without one. Rule STOP-7.
    pub(super) fn take_back_failure(&mut self) {
        if let Load::Failed(info) = &self.load {
            self.load = Load::Stopped { had_metadata: info.is_some() };
        }
    }

    /// The source that is to be loaded once more.
    pub(super) fn due_again(&self) -> Option<&Arc<str>> {
        match &self.load {
            Load::Stopped { .. } => self.source.as_ref(),
            Load::Empty | Load::Waiting(_) | Load::Ready(_) | Load::Failed(_) => None,
        }
    }

    pub(super) fn position(&self, now: Time) -> Position {
        self.head.position(now)
    }

    /// Whether there are data to play on with.
    pub(super) fn has_data(&self, now: Time) -> bool {
        self.info().is_some() && self.short.is_none_or(|(until, _)| until <= now)
    }

    /// When missing data will be back.
    pub(super) fn short_until(&self) -> Option<Time> {
        self.short.map(|(until, _)| until)
    }

    /// Data are back; that they ran out is what led to all that follows. Rule MEL-17.
    pub(super) fn refill(&mut self, now: Time, out: &mut Outbox) {
        if let Some((_, cause)) = self.short.take() {
            out.blame(cause);
        }
        self.note(now, rule!("MEL-17"), "canplay", out);
    }

    pub(super) fn is_at_end(&self, now: Time) -> bool {
        self.duration().is_some_and(|duration| self.position(now) >= duration.end())
    }

    pub(super) fn advance(&mut self, now: Time) {
        self.head.advance(now);
    }

    pub(super) fn stand(&mut self, now: Time) {
        self.head.stand(now);
    }

    /// Sets the position without a seek: a start position before metadata, a stop, an end.
    pub(super) fn place(&mut self, now: Time, position: Position) {
        self.head.jump(now, position);
        self.find_next_stall(position);
        self.short = None;
        self.seek += 1;
    }

    /// Each stall comes once for each load: what a seek passes over may still come. Rule MEL-17.
    fn find_next_stall(&mut self, position: Position) {
        self.next_stall = self.stalls.partition_point(|stall| stall.at < position);
    }

    /// Seeks: the position counts at once, the data come later in the same instant. Rules MEL-13, TIME-10.
    ///
    /// Gives the seek's number, by which a replaced seek is known.
    pub(super) fn seek(&mut self, now: Time, position: Position, out: &mut Outbox) -> u32 {
        self.place(now, position);
        self.note(now, rule!("MEL-13"), "seeking", out);
        self.seek
    }

    pub(super) fn is_current_seek(&self, seek: u32) -> bool {
        self.seek == seek
    }

    /// What the playhead runs into next, and where.
    pub(super) fn next_obstacle(&self) -> Option<(Position, Obstacle)> {
        let info = self.info()?;
        let end = (info.duration.end(), Obstacle::End);
        let stall = self.stalls.get(self.next_stall).map(|stall| (stall.at, Obstacle::Stall));
        let failure = info.fails.map(|failure| (failure.at, Obstacle::Failure(failure.how)));
        // At one place the data come first: a stall or failure at the end is met there no more.
        [failure, stall]
            .into_iter()
            .flatten()
            .filter(|(at, _)| *at < end.0)
            .chain([end])
            .min_by_key(|(at, _)| *at)
    }

    /// Stalls here, as scripted. Rule MEL-17.
    pub(super) fn stall(&mut self, now: Time, out: &mut Outbox) {
        self.head.stand(now);
        if self.next_stall < self.stalls.len() {
            let stall = self.stalls.remove(self.next_stall);
            let waiting = self.note(now, rule!("MEL-17"), "waiting", out);
            self.short = Some((now + stall.length, waiting));
        }
    }

    /// When the playhead will be at a position, if it advances towards it.
    pub(super) fn reaches(&self, position: Position) -> Option<Time> {
        self.head.reaches(position)
    }

    /// Tells of a media event that page code does not see. Gives what names the line as a cause.
    pub(super) fn note(&self, now: Time, rule: RuleId, name: &'static str, out: &mut Outbox) -> Cause {
        out.line(rule, Kind::Media, name, Fields::one("position", self.position(now)))
    }

    fn info(&self) -> Option<&Arc<MediaInfo>> {
        match &self.load {
            Load::Ready(info) => Some(info),
            Load::Empty | Load::Waiting(_) | Load::Failed(_) | Load::Stopped { .. } => None,
        }
    }
}
