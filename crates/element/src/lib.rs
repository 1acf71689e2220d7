//! The media element, as HTML defines it and browsers implement it: bare, or below a player.
//!
//! A bare [`MediaElement`] is driven like a player: it takes one input at a time together with its
//! time, writes the consequences to the [`Outbox`] that it is lent, and [`MediaElement::next_wake`]
//! returns when something will happen without an input. The outbox is the element's task queue:
//! state changes immediately and its events fire later, so that a listener may read a state whose
//! event it has not received yet. A task carries the load that it belongs to and is dropped once
//! another load has begun.
//!
//! Where the standard leaves a choice, or browsers deviate from it, this follows the recorded
//! behaviour of a browser: each seek lowers the ready state to metadata, so that `canplay` fires
//! again after `seeked`; at the end the element is paused before its last `timeupdate` is
//! delivered; a failure pauses.
//!
//! A player owns the element that plays its content, and drives it by its methods. It decides when
//! content is to play, and holds it for ads; it fires its own documented events. Therefore it takes
//! some steps that a bare element takes on its own: it begins playback once data suffice, finishes
//! a seek, and decides how to continue after an obstacle or the end. `reports` has the form of the
//! element's own events for both.
//!
//! The modules: `data` is how data arrive, `live` live streams, `rhythm` the intervals of recurring
//! events, `schedule` the work without a call, `requests` the promises of `play()`. `media` is the
//! state of one load, `load` the choice of a source, its metadata and failures, `ready` the ready
//! state and changes of the data, `motion` the position, `transport` play, pause and the end,
//! `seek` when a seek begins and ends, `clock` the work as the playhead advances, `attributes` the
//! attributes for page code.
//!
//! Rules: MEL-1 to MEL-20, MEL-22 to MEL-26, CLK-3, CLK-4, LIVE-1, LIVE-3, EVT-14, EVT-18.

use std::sync::Arc;

use playsim_api::media::{ElementConfig, MediaFault, MediaInfo};
use playsim_api::{
    Act, ApiError, Cause, Class, Command, MediaStep, MediaTask, Outbox, PageChange, RequestId,
    StateLine, Value, Wake,
};
use playsim_base::time::{Position, Time};
use playsim_rules as rules;
use playsim_rules::knobs::{AutoplayOrder, KnobReader, ProgressMeaning, UnmuteRefused};

mod attributes;
mod clock;
mod data;
mod live;
mod load;
mod media;
mod motion;
mod ready;
mod reports;
mod requests;
mod rhythm;
mod schedule;
mod seek;
mod transport;

use attributes::Attributes;
use data::Ready;
use media::Media;
pub use motion::Obstacle;
pub use ready::Refill;
use reports::Voice;
pub use requests::Outcome;
use requests::Requests;
use rhythm::Rhythm;
use schedule::Schedule;
pub use seek::SeekEnd;

/// An input of a bare media element.
#[derive(Debug, Clone)]
pub enum ElementInput {
    /// Page code calls a method or sets an attribute.
    Call(Command),
    /// The user uses the browser's own controls.
    Person(Act),
    /// The page changes.
    Page(PageChange),
    /// The response to a request for media: metadata, or a failure.
    Loaded(RequestId, Result<Arc<MediaInfo>, MediaFault>),
    /// A task of its own has reached the front of the queue.
    Step(MediaStep),
    /// It is the instant that `next_wake` returned.
    Wake,
}

/// The environment of an element.
#[derive(Debug, Clone)]
pub struct ElementSettings {
    /// The knobs in force.
    pub knobs: KnobReader,
    /// Whether script may start audible playback only after a gesture. Rule PLAY-16.
    pub requires_gesture: bool,
}

/// One media element on a page.
#[derive(Debug, Clone, Hash)]
pub struct MediaElement {
    /// Whether script may start audible playback only after a gesture. Rule PLAY-16.
    requires_gesture: bool,
    /// Whether it was started with sound when that was permitted. Rule PLAY-22.
    was_allowed: bool,
    /// What happens when a script unmutes what may only play muted. Rule PLAY-25.
    unmute_refused: UnmuteRefused,
    /// When it fires `play` if it plays by itself. Rule MEL-29.
    autoplay: AutoplayOrder,
    voice: Voice,
    attributes: Attributes,
    /// The URL that was chosen: `currentSrc`.
    source: Option<Arc<str>>,
    /// The number of the current load: tasks of older ones are dropped. Rule MEL-23.
    load: u32,
    media: Media,
    /// Where playback starts, set before metadata. Rule MEL-14.
    start: Position,
    is_paused: bool,
    /// Since when playback has been waiting for data. Rule MEL-26.
    waits_since: Option<Time>,
    /// The meaning of `progress`. Rule MEL-26.
    progress: ProgressMeaning,
    /// The interval between `progress` events. Rule MEL-4.
    rhythm: Rhythm,
    schedule: Schedule,
    /// The number of seeks so far.
    seeks: u32,
    /// When to choose a source, after the scripts of that instant have run, and the cause.
    choice: Option<(Time, Cause)>,
    /// When the current seek finishes, if its data are available: after the scripts of that instant
    /// have run.
    finishing: Option<(Time, Cause)>,
    requests: Requests,
}

impl MediaElement {
    /// Creates an element; if it has a source, it begins to load.
    ///
    /// # Panics
    ///
    /// May panic later, as time passes, if [`KnobReader::check`] rejects the settings' knobs.
    #[must_use]
    pub fn new(config: ElementConfig, settings: ElementSettings, out: &mut Outbox) -> MediaElement {
        let has_source = config.source.is_some();
        let updates = Rhythm::even(settings.knobs.timeupdate_period());
        let mut element = MediaElement {
            requires_gesture: settings.requires_gesture,
            unmute_refused: settings.knobs.unmute_refused(),
            autoplay: settings.knobs.autoplay_play(),
            attributes: Attributes::new(config),
            ..MediaElement::with(
                Voice::Tasks,
                ProgressMeaning::Data,
                updates,
                Rhythm::default(),
            )
        };
        if has_source {
            element.begin_load(out);
        }
        element
    }

    /// The element of a player. The player's name and seed decide intervals that are random.
    pub fn of_player(name: &str, seed: u64, knobs: &KnobReader) -> MediaElement {
        let voice = if knobs.bus_expose_html().is_on() {
            Voice::Events
        } else {
            Voice::Lines
        };
        let updates = Rhythm::of_updates(name, seed, knobs);
        MediaElement::with(
            voice,
            knobs.progress_meaning(),
            updates,
            Rhythm::of_progress(name, seed, knobs),
        )
    }

    fn with(
        voice: Voice,
        progress: ProgressMeaning,
        updates: Rhythm,
        rhythm: Rhythm,
    ) -> MediaElement {
        MediaElement {
            requires_gesture: false,
            was_allowed: false,
            unmute_refused: UnmuteRefused::Pause,
            autoplay: AutoplayOrder::After,
            voice,
            attributes: Attributes::new(ElementConfig::default()),
            source: None,
            load: 0,
            media: Media::default(),
            start: Position::ZERO,
            is_paused: true,
            waits_since: None,
            progress,
            rhythm,
            schedule: Schedule::new(updates),
            seeks: 0,
            choice: None,
            finishing: None,
            requests: Requests::default(),
        }
    }

    /// Applies one input at `now`; its consequences go to `out`, oldest first.
    ///
    /// # Errors
    ///
    /// The exception of a call: an `IndexSizeError`, a `NotSupportedError` or a `TypeError`. Rules
    /// MEL-18, MEL-22.
    pub fn handle(&mut self, input: ElementInput, out: &mut Outbox) -> Result<Value, ApiError> {
        let result = match input {
            ElementInput::Call(command) => self.call(&command, out),
            ElementInput::Person(act) => self.person(&act, out),
            ElementInput::Page(change) => {
                self.page_changes(change, out);
                Ok(Value::Undefined)
            }
            ElementInput::Loaded(request, answer) => {
                self.loaded(request, answer, out);
                Ok(Value::Undefined)
            }
            ElementInput::Step(step) => {
                self.step(step, out);
                Ok(Value::Undefined)
            }
            ElementInput::Wake => {
                self.wake(out);
                return Ok(Value::Undefined);
            }
        };
        self.mark(out.now(), None);
        result
    }

    /// When `ElementInput::Wake` is due; `None` if nothing will happen without an input.
    #[must_use]
    pub fn next_wake(&self) -> Option<Wake> {
        let update = self.is_moving().then_some(self.schedule.next_update);
        let media = [update, self.schedule.next_mark]
            .into_iter()
            .flatten()
            .min();
        let media = media.map(|at| Wake {
            at,
            class: Class::Media,
        });
        // Scripts that are due at the same instant come first, as they were in the browser's queue
        // before.
        let due_after_scripts = self.due_after_scripts().map(|at| Wake {
            at,
            class: Class::Action,
        });
        [media, due_after_scripts].into_iter().flatten().min()
    }

    /// When something is due that lets the scripts of its instant run first.
    fn due_after_scripts(&self) -> Option<Time> {
        [self.choice, self.finishing]
            .into_iter()
            .flatten()
            .map(|(at, _)| at)
            .min()
    }

    /// Whether a task still counts: no other load has begun since. Rule MEL-23.
    #[must_use]
    pub fn is_current(&self, task: MediaTask) -> bool {
        task.load == self.load
    }

    /// A script has run to its end: play requests that it settled immediately are reported before
    /// anything else. Rule MEL-1.
    pub fn checkpoint(&mut self, out: &mut Outbox) {
        self.requests.report(out);
    }

    /// Whether its source has yet to be chosen.
    #[must_use]
    pub fn has_choice(&self) -> bool {
        self.choice.is_some()
    }

    /// A listener is about to act, so that the scripts have ended: the source is chosen, and
    /// `loadstart` comes after what they have queued, before what the listener causes. Does nothing
    /// if no source has to be chosen. Rule MEL-2.
    pub fn settle_source(&mut self, out: &mut Outbox) {
        if let Some((_, cause)) = self.choice.take() {
            out.set_cause(cause);
            self.choose(out);
            self.mark(out.now(), None);
        }
    }

    /// Its state, as the name of a player's state.
    #[must_use]
    pub fn state(&self, now: Time) -> &'static str {
        let ready = self.media.ready;
        let state = match self.is_paused {
            _ if self.has_failed() => StateLine::Failed,
            _ if self.has_ended(now) => StateLine::Ended,
            false if ready >= Ready::Future => StateLine::Playing,
            false => StateLine::Buffering,
            true if ready >= Ready::Metadata => StateLine::Paused,
            true => StateLine::Initial,
        };
        state.name()
    }

    fn step(&mut self, step: MediaStep, out: &mut Outbox) {
        match step {
            MediaStep::Data => self.note_data(rules::MEL_3, out),
            MediaStep::Settle => self.requests.settle(),
            MediaStep::Stop => self.stop_for_failure(out),
            MediaStep::Refuse => out.ahead_of_waiting(|out| {
                self.fail_to_load(MediaFault::Unsupported.into(), out);
            }),
        }
    }

    /// Lets the playhead advance or stop, according to the state. Rules MEL-15, MEL-19.
    fn settle_head(&mut self, out: &Outbox) {
        let now = out.now();
        if self.is_potentially_playing(now) && !self.is_seeking() {
            self.advance(out);
        } else if self.advances() {
            self.stand(now);
        }
    }

    /// Whether it is unpaused, with data, neither at the end nor failed.
    fn is_potentially_playing(&self, now: Time) -> bool {
        // The continuation after the end of a player's content is up to the player.
        let goes_on = self.attributes.content.looping || !self.voice.is_bare();
        let is_stopped = self.has_failed() || (self.is_at_end(now) && !goes_on);
        !self.is_paused && self.media.ready >= Ready::Future && !is_stopped
    }
}
