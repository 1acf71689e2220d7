//! The media element alone, as HTML defines it and browsers implement it.
//!
//! A [`MediaElement`] is driven like a player: it takes one input at a time together with its time, writes
//! the consequences to the [`Outbox`] that it is lent, and [`MediaElement::next_wake`] returns when something
//! will happen without an input. The outbox is the element's task queue: state changes immediately and its
//! events fire later, so that a listener may read a state whose event it has not received yet. A task carries
//! the load that it belongs to and is dropped once another load has begun.
//!
//! Where the standard leaves a choice, or browsers deviate from it, this follows the recorded behaviour of a
//! browser: each seek lowers the ready state to metadata, so that `canplay` fires again after `seeked`; at
//! the end the element is paused before its last `timeupdate` is delivered; a failure pauses.
//!
//! Most of these rules apply to the content of a player as well: its element and a bare one are the same
//! `engine`, which loads, seeks, and reports how far the data suffice. This file is the bare
//! element: the paused flag, the attributes, and when HTML has something happen.
//!
//! The modules: `engine` with `data` (how data arrive), `live` (live streams), `rhythm` (the intervals of
//! recurring events) and `schedule` (what is due by itself), and `requests` (the promises of `play()`) are common to both. `load` is when a source is
//! chosen and what a failure leads to, `ready` what changes of the data mean, `transport` play, pause and the
//! end, `seek` when a seek begins and ends, `clock` what happens as the playhead advances, `attributes` what
//! page code sets and reads.
//!
//! Rules: MEL-1 to MEL-20, MEL-22 to MEL-25, CLK-3, CLK-4.

use std::sync::Arc;

use crate::api::{
    Act, ApiError, Cause, Class, Command, EventName, MediaStep, MediaTask, MediaWork, Outbox, PageChange,
    RequestId, StateLine, Value, Wake,
};
use crate::knobs::{Knobs, ProgressMeaning};
use crate::media::{MediaFault, MediaInfo};
use crate::rules::{self, RuleId};
use crate::time::{Position, Time};

mod attributes;
mod clock;
mod data;
mod engine;
mod live;
mod load;
mod owned;
mod ready;
mod requests;
mod rhythm;
mod schedule;
mod seek;
mod transport;

use attributes::Attributes;
pub use attributes::Preload;
use data::{ProgressReports, Ready};
use engine::{Engine, Network, Voice};
pub(crate) use engine::{Obstacle, SeekEnd};
pub(crate) use owned::Refill;
pub(crate) use requests::Outcome;
use requests::Requests;
use rhythm::Rhythm;

/// What can happen to a bare media element.
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
    /// The instant that `next_wake` returned has come.
    Wake,
}

/// The initial content attributes of an element.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ElementConfig {
    /// The URL; `None`: there is no such attribute.
    pub source: Option<Arc<str>>,
    /// How much is loaded before playback is requested.
    pub preload: Preload,
    /// Whether it starts automatically.
    pub autoplay: bool,
    /// Whether it starts over at the end. Rule MEL-12.
    pub looping: bool,
    /// Whether it starts muted.
    pub muted: bool,
}

/// The environment of an element.
#[derive(Debug, Clone)]
pub struct ElementSettings {
    /// The knobs in force.
    pub knobs: Knobs,
    /// Whether script may start audible playback only after a gesture. Rule PLAY-16.
    pub requires_gesture: bool,
}

/// One media element on a page.
#[derive(Debug, Clone)]
pub struct MediaElement {
    /// Whether script may start audible playback only after a gesture. Rule PLAY-16.
    requires_gesture: bool,
    attributes: Attributes,
    engine: Engine,
    is_paused: bool,
    /// Since when playback has been waiting for data. Rule MEL-26.
    waits_since: Option<Time>,
    /// What `progress` reports. Rule MEL-26.
    progress: ProgressMeaning,
    /// When to choose a source, after the scripts of that instant have run, and what caused that.
    choice: Option<(Time, Cause)>,
    /// When the current seek finishes, if its data are there: after the scripts of that instant have run.
    finishing: Option<(Time, Cause)>,
    requests: Requests,
}

impl MediaElement {
    /// Creates an element; if it has a source, it begins to load.
    ///
    /// # Panics
    ///
    /// May panic later, as time passes, if [`Knobs::check`] rejects the settings' knobs.
    #[must_use]
    pub fn new(
        now: Time,
        config: ElementConfig,
        settings: ElementSettings,
        out: &mut Outbox,
    ) -> MediaElement {
        let has_source = config.source.is_some();
        let updates = Rhythm::even(settings.knobs.timeupdate_period);
        let engine = Engine::new(Voice::Tasks, updates, Rhythm::default());
        let mut element = MediaElement {
            requires_gesture: settings.requires_gesture,
            ..MediaElement::with(engine, ProgressMeaning::Data, config)
        };
        if has_source {
            element.begin_load(now, out);
        }
        element
    }

    fn with(engine: Engine, progress: ProgressMeaning, config: ElementConfig) -> MediaElement {
        MediaElement {
            requires_gesture: false,
            attributes: Attributes::new(config),
            engine,
            is_paused: true,
            waits_since: None,
            progress,
            choice: None,
            finishing: None,
            requests: Requests::default(),
        }
    }

    /// Applies one input at `now`; its consequences go to `out`, oldest first.
    ///
    /// # Errors
    ///
    /// What a call throws: an `IndexSizeError`, a `NotSupportedError` or a `TypeError`. Rules MEL-18, MEL-22.
    pub fn handle(&mut self, now: Time, input: ElementInput, out: &mut Outbox) -> Result<Value, ApiError> {
        let result = match input {
            ElementInput::Call(command) => self.call(now, &command, out),
            ElementInput::Person(act) => self.person(now, &act, out),
            ElementInput::Page(change) => {
                self.page_changes(now, change, out);
                Ok(Value::Undefined)
            }
            ElementInput::Loaded(request, answer) => {
                self.loaded(now, request, answer, out);
                Ok(Value::Undefined)
            }
            ElementInput::Step(step) => {
                self.step(now, step, out);
                Ok(Value::Undefined)
            }
            ElementInput::Wake => {
                self.wake(now, out);
                return Ok(Value::Undefined);
            }
        };
        self.plan(now);
        result
    }

    /// When `ElementInput::Wake` is due; `None` if nothing will happen without an input.
    #[must_use]
    pub fn next_wake(&self) -> Option<Wake> {
        let update = self.engine.is_moving().then_some(self.engine.schedule.next_update());
        let media = [update, self.engine.schedule.next_mark()].into_iter().flatten().min();
        let media = media.map(|at| Wake { at, class: Class::Media });
        // Scripts that are due at the same instant come first, as they were in the browser's queue before.
        let due_after_scripts = self.due_after_scripts().map(|at| Wake { at, class: Class::Action });
        [media, due_after_scripts].into_iter().flatten().min()
    }

    /// When something is due that lets the scripts of its instant run first.
    fn due_after_scripts(&self) -> Option<Time> {
        [self.choice, self.finishing].into_iter().flatten().map(|(at, _)| at).min()
    }

    /// Whether a task still counts: no other load has begun since. Rule MEL-23.
    #[must_use]
    pub fn is_current(&self, task: MediaTask) -> bool {
        self.engine.is_current(task)
    }

    /// Whether the response to a request is awaited.
    #[must_use]
    pub fn awaits(&self, id: RequestId) -> bool {
        self.engine.awaits(id)
    }

    /// A script has run to its end: the source is settled, before any task runs, and play requests that the
    /// script settled immediately are reported before anything else. Rule MEL-2.
    pub fn checkpoint(&mut self, out: &mut Outbox) {
        self.settle_source();
        self.requests.report(out);
    }

    /// What it is doing, as the name of a player's state.
    #[must_use]
    pub fn state(&self, now: Time) -> &'static str {
        let ready = self.engine.ready();
        let state = match self.is_paused {
            _ if self.engine.has_failed() => StateLine::Failed,
            _ if self.has_ended(now) => StateLine::Ended,
            false if ready >= Ready::Future => StateLine::Playing,
            false => StateLine::Buffering,
            true if ready >= Ready::Metadata => StateLine::Paused,
            true => StateLine::Initial,
        };
        state.name()
    }

    fn step(&mut self, now: Time, step: MediaStep, out: &mut Outbox) {
        match step {
            MediaStep::Data => self.note_data(now, rules::MEL_3, out),
            MediaStep::Settle => self.requests.settle(),
            MediaStep::Stop => self.stop_for_failure(now, out),
        }
    }

    fn queue_step(&self, rule: RuleId, step: MediaStep, out: &mut Outbox) {
        self.engine.queue(rule, MediaWork::Step(step), out);
    }

    /// Lets the playhead advance or stop, according to the state. Rules MEL-15, MEL-19.
    fn settle_head(&mut self, now: Time, out: &Outbox) {
        if self.is_potentially_playing(now) && !self.engine.is_seeking() {
            self.engine.advance(now, out);
        } else if self.engine.advances() {
            self.engine.stand(now);
        }
    }

    /// Whether it is unpaused, with data, neither at the end nor failed.
    fn is_potentially_playing(&self, now: Time) -> bool {
        // What follows the end of a player's content is up to the player.
        let goes_on = self.attributes.content.looping || !self.engine.voice.is_bare();
        let is_stopped = self.engine.has_failed() || (self.engine.is_at_end(now) && !goes_on);
        !self.is_paused && self.engine.ready() >= Ready::Future && !is_stopped
    }
}
