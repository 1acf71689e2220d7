//! The media element alone, as HTML has it and browsers play it.
//!
//! A [`MediaElement`] is driven like a player: one input at a time goes in with its time, what it causes goes
//! into a lent [`Outbox`], [`MediaElement::next_wake`] says when something will happen by itself. The
//! outbox is the element's task queue: state changes at once, and the events that tell of it come up later,
//! so that what a listener reads runs ahead of what it hears. A task carries the load that it belongs to
//! and is dropped when another load has begun.
//!
//! Where the standard leaves room, or browsers go another way, this follows what a browser was recorded to
//! do: each seek takes the ready state back to metadata, so that `canplay` comes again behind `seeked`; at
//! the end the element is paused before its last `timeupdate` is delivered; a failure pauses.
//!
//! What is where: `load` sources and their failures, `ready` the ready state and what it announces,
//! `supply` how data arrive, `transport` play, pause and the end, `seek` seeking, `clock` what the playhead
//! brings, `requests` the promises of `play()`, `attributes` what page code sets and reads.
//!
//! Rules: MEL-1 to MEL-20, MEL-22 to MEL-25, CLK-3, CLK-4.

use std::sync::Arc;

use crate::api::{
    Act, ApiError, Cause, Class, Command, EventName, MediaStep, MediaTask, MediaWork, Outbox, Output,
    PageChange, RequestId, TimeUpdates, Value, Wake,
};
use crate::knobs::Knobs;
use crate::media::{MediaFault, MediaInfo, Playhead};
use crate::rule;
use crate::rules::RuleId;
use crate::time::{Position, Time};

mod attributes;
mod clock;
mod load;
mod ready;
mod requests;
mod seek;
mod supply;
mod transport;

use attributes::Attributes;
pub use attributes::Preload;
use requests::Requests;
use supply::Media;

/// What can happen to a bare media element.
#[derive(Debug, Clone)]
pub enum ElementInput {
    /// Page code calls a method or sets an attribute.
    Call(Command),
    /// The person uses the browser's own controls.
    Person(Act),
    /// The surroundings change.
    Page(PageChange),
    /// A media address gave its metadata, or failed.
    Loaded(RequestId, Result<Arc<MediaInfo>, MediaFault>),
    /// A task of its own has come up.
    Step(MediaStep),
    /// The instant that `next_wake` named has come.
    Wake,
}

/// What an element is made with: its content attributes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ElementConfig {
    /// The address; `None`: the attribute is not there.
    pub source: Option<Arc<str>>,
    /// How much is loaded before it is to be played.
    pub preload: Preload,
    /// Whether it starts by itself.
    pub autoplay: bool,
    /// Whether it starts over at the end. Rule MEL-12.
    pub looping: bool,
    /// Whether it starts mute.
    pub muted: bool,
}

/// What is around an element.
#[derive(Debug, Clone)]
pub struct ElementSettings {
    /// The knobs in force.
    pub knobs: Knobs,
    /// Whether script may start what can be heard only after a gesture. Rule PLAY-16.
    pub requires_gesture: bool,
}

/// The element's `networkState`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Network {
    Empty = 0,
    Idle = 1,
    Loading = 2,
    NoSource = 3,
}

/// The element's `readyState`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
enum Ready {
    Nothing = 0,
    Metadata = 1,
    Current = 2,
    Future = 3,
    Enough = 4,
}

/// What stands behind the source in use.
#[derive(Debug, Clone)]
enum Resource {
    /// No source was chosen, or it failed.
    Nothing,
    /// Nothing is asked for until it is to be played: `preload` is `none`.
    Deferred(Arc<str>),
    /// Its metadata are asked for.
    Asked {
        request: RequestId,
        /// When it counts as stalled, unless it does already. Rule MEL-5.
        stalled_at: Option<Time>,
    },
    /// Its metadata are here.
    Here(Box<Media>),
}

/// A seek that is not finished.
#[derive(Debug, Clone, Copy)]
enum Seek {
    /// Its data have not come.
    Waiting,
    /// Its data are there: it finishes when the scripts of this instant have run.
    Finishing(Time, Cause),
}

/// One media element on a page.
#[derive(Debug, Clone)]
pub struct MediaElement {
    settings: ElementSettings,
    attributes: Attributes,
    resource: Resource,
    /// Which load this is: tasks of older ones are dropped. Rule MEL-23.
    load: u32,
    network: Network,
    ready: Ready,
    error: Option<u8>,
    is_paused: bool,
    /// Whether the first frame of this load was announced. Rule MEL-3.
    has_shown: bool,
    head: Playhead,
    /// Where playback starts, set before metadata. Rule MEL-14.
    start: Position,
    seek: Option<Seek>,
    /// When a source is to be chosen, and what asked for it: once the scripts of that instant have run.
    choice: Option<(Time, Cause)>,
    requests: Requests,
    /// When the next periodic time update is due, if the position moves.
    next_update: Time,
    /// When something else than a periodic time update is due.
    next_mark: Option<Time>,
    /// What made the position move.
    moved: Cause,
    /// What made data come, or stay away.
    supplied: Cause,
}

impl MediaElement {
    /// Makes an element; if it has a source, it begins to load.
    #[must_use]
    pub fn new(
        now: Time,
        config: ElementConfig,
        settings: ElementSettings,
        out: &mut Outbox,
    ) -> MediaElement {
        let has_source = config.source.is_some();
        let mut element = MediaElement {
            settings,
            attributes: Attributes::new(config),
            resource: Resource::Nothing,
            load: 0,
            network: Network::Empty,
            ready: Ready::Nothing,
            error: None,
            is_paused: true,
            has_shown: false,
            head: Playhead::default(),
            start: Position::ZERO,
            seek: None,
            choice: None,
            requests: Requests::default(),
            next_update: Time::MAX,
            next_mark: None,
            moved: Cause::Script,
            supplied: Cause::Script,
        };
        if has_source {
            element.begin_load(now, out);
        }
        element
    }

    /// Applies one input at `now`; what it causes goes to `out`, oldest first.
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

    /// When `ElementInput::Wake` is due; `None` if nothing will happen by itself.
    #[must_use]
    pub fn next_wake(&self) -> Option<Wake> {
        let update = self.is_moving().then_some(self.next_update);
        let media = [update, self.next_mark].into_iter().flatten().min();
        let media = media.map(|at| Wake { at, class: Class::Media });
        // Scripts that were due at the instant come first, as they stood in the browser's queue before.
        let behind_scripts = self.behind_scripts().map(|at| Wake { at, class: Class::Action });
        [media, behind_scripts].into_iter().flatten().min()
    }

    /// When something is due that lets the scripts of its instant run first.
    fn behind_scripts(&self) -> Option<Time> {
        let choice = self.choice.map(|(at, _)| at);
        let seek = if let Some(Seek::Finishing(at, _)) = self.seek { Some(at) } else { None };
        [choice, seek].into_iter().flatten().min()
    }

    /// Whether a task still counts: no other load has begun since. Rule MEL-23.
    #[must_use]
    pub fn is_current(&self, task: MediaTask) -> bool {
        task.load == self.load
    }

    /// Whether the answer to a request is waited for.
    #[must_use]
    pub fn awaits(&self, id: RequestId) -> bool {
        matches!(self.resource, Resource::Asked { request, .. } if request == id)
    }

    /// A script has run to its end: what became of its play requests at once is told before all else.
    pub fn checkpoint(&mut self, out: &mut Outbox) {
        self.requests.tell(out);
    }

    /// What it is doing, in the words of a player's state.
    #[must_use]
    pub fn state(&self, now: Time) -> &'static str {
        match self.error {
            Some(_) => "failed",
            None if self.has_ended(now) => "ended",
            None if !self.is_paused && self.ready >= Ready::Future => "playing",
            None if !self.is_paused => "buffering",
            None if self.ready >= Ready::Metadata => "paused",
            None => "initial",
        }
    }

    fn step(&mut self, now: Time, step: MediaStep, out: &mut Outbox) {
        match step {
            MediaStep::Data => self.note_data(now, out),
            MediaStep::Settle => self.requests.settle(),
        }
    }

    /// Queues an event. Gives what names it as a cause.
    fn fire(&self, rule: RuleId, name: EventName, out: &mut Outbox) -> Cause {
        self.queue(rule, MediaWork::Event(name), out)
    }

    /// Queues a time update that is not a periodic one. Rule MEL-16.
    fn fire_time_update(&self, now: Time, rule: RuleId, out: &mut Outbox) {
        let step = self.settings.knobs.timeupdate_period;
        let updates = TimeUpdates { first: now, step, count: 1 };
        self.queue(rule, MediaWork::TimeUpdates(updates), out);
    }

    /// Queues a task of this load. Rule MEL-23.
    fn queue(&self, rule: RuleId, work: MediaWork, out: &mut Outbox) -> Cause {
        out.put(rule, Output::Media(MediaTask { load: self.load, work }))
    }

    fn queue_step(&self, rule: RuleId, step: MediaStep, out: &mut Outbox) {
        self.queue(rule, MediaWork::Step(step), out);
    }

    /// Lets the playhead advance or stand, as the state has it. Rules MEL-15, MEL-19.
    fn settle_head(&mut self, now: Time, out: &Outbox) {
        if self.is_advancing(now) == self.head.advances() {
            return;
        }
        if self.head.advances() {
            self.head.stand(now);
        } else {
            self.head.advance(now);
            self.moved = out.cause();
            self.next_update = now + self.settings.knobs.timeupdate_period;
        }
    }

    /// Whether the position is to advance: unpaused, with data, neither at the end nor failed.
    fn is_advancing(&self, now: Time) -> bool {
        self.is_potentially_playing(now) && self.seek.is_none()
    }

    fn is_potentially_playing(&self, now: Time) -> bool {
        let is_stopped = self.error.is_some() || (self.is_at_end(now) && !self.attributes.content.looping);
        !self.is_paused && self.ready >= Ready::Future && !is_stopped
    }

    /// Whether the position changes with time.
    fn is_moving(&self) -> bool {
        self.head.advances() && self.head.rate().millionths() > 0
    }
}
