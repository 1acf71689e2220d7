//! The documented player.
//!
//! A [`Player`] takes one input at a time, with the time at which it happens, and puts what it causes
//! into a lent [`Outbox`]. It never fetches, never waits, never reads a clock. When something will happen
//! by itself, [`Player::next_wake`] says when; nothing is scheduled.
//!
//! What is where: `state` the states and what they hold, `calls` which call leads where, `transport` play,
//! pause, stop and seeking, `start` how an item starts, `playback` what the playhead brings, `breaks` and
//! `after_break` the player's side of its ad breaks, `vmap_breaks` of those of VMAP documents, `cue_points`
//! and `cues` mid-rolls and overlays, `query` the getters, `element` the media element below, `supply` what
//! its data bring; `commanded`, `sound`, `rendition`, `source`, `view`, `outstream`, `click`, `analytics`,
//! `listeners`, `playlist`, `chapters`, `promises`, `rate`, `late`, `ad_turns` and `config` their names;
//! `wakes` what is due and when; `exclusion` what is not played, `edits` what
//! is edited of a record in use, `video_object` and `playlist_file` what page
//! code writes out.

use std::sync::Arc;

use crate::ads::{Abandoned, AdBreak, AdLoop, AdSchedule, AdServices, AdTurns, Bid, Macros};
use crate::api::{
    Act, ApiError, Call, Cause, Command, Decimal, EventName, Fields, Input, Kind, Outbox, Output, PageChange,
    Purpose, Query, Request, RequestId, Task, Text, TimeUpdates, UnitKind, Value,
};
use crate::knobs::{Knobs, PropertyCalls, SeekedCause};
use crate::page::{Page, Situation};
use crate::rule;
use crate::rules::RuleId;
use crate::time::{Position, Span, Time};
use crate::video::Rendition;

mod ad_turns;
mod after_break;
mod analytics;
mod beside_ads;
mod breaks;
mod calls;
mod chapters;
mod click;
mod commanded;
mod config;
mod cue_points;
mod cues;
mod edits;
mod element;
mod exclusion;
mod late;
mod listeners;
mod macro_facts;
mod outstream;
mod playback;
mod playlist;
mod playlist_file;
mod promises;
mod query;
mod rate;
mod rendition;
mod rhythm;
mod sound;
mod source;
mod start;
mod state;
mod supply;
mod transport;
mod video_object;
mod view;
mod vmap_breaks;
mod wakes;
mod which;

use ad_turns::Turns;
use calls::By;
use chapters::Chapters;
pub use config::{Config, Content, Size};
use cues::Cues;
use element::Element;
pub(crate) use listeners::Listeners;
pub use listeners::{Delivery, ListenerIndex};
use outstream::Role;
use playlist::{Edits, Item, Origin, Playlist, Record};
use promises::Requests;
use rendition::Quality;
use rhythm::Rhythm;
use sound::Sound;
use state::{Advance, Due, Held, Holder, Pending, ReadyWork, State, Ticking};
use view::View;
use vmap_breaks::Beside;
use which::Which;

/// What a player is set up with besides its configuration.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The knobs in force.
    pub knobs: Knobs,
    /// The page around it, as far as it stays as it is.
    pub page: Page,
    /// How long the ready work takes. Rule INIT-11.
    pub ready_after: Span,
    /// Ad objects at player level.
    pub ads: Vec<Value>,
    /// The renditions that the account's plan allows; `None`: all. Rule QUAL-4.
    pub plan: Option<Vec<Rendition>>,
    /// The volume at the start, 0 to 1. Rule VOL-5.
    pub volume: Decimal,
    /// Whether it starts mute.
    pub muted: bool,
    /// Header bids that win. Rule REQ-13.
    pub bids: Vec<Bid>,
    /// The loop of the first pre-roll slot, if there is one. Rule SCHED-1.
    pub ad_loop: Option<AdLoop>,
    /// Which videos have ads. Rules SCHED-4 to SCHED-6.
    pub ad_turns: AdTurns,
    /// The names of the functions that page code can bind.
    pub listeners: Arc<[Text]>,
    /// The seed of everything random. Rule CLK-8.
    pub seed: u64,
}

/// What becomes of an answer that arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// It is waited for.
    Awaited,
    /// Its time-out has passed. Rule REQ-10.
    Late,
    /// What it was for is gone.
    Dropped,
}

/// One player on a page.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own, true or not")]
pub struct Player {
    settings: Arc<Settings>,
    role: Role,
    state: State,
    listeners: Listeners,
    playlist: Playlist,
    element: Element,
    quality: Quality,
    chapters: Chapters,
    /// The chapter that the position was last seen in. Rule CH-8.
    chapter: Option<usize>,
    due: Due,
    schedule: AdSchedule,
    macros: Macros,
    /// Requests of breaks that are over, and why nobody waits for them.
    abandoned: Vec<(RequestId, Abandoned)>,
    /// `values.lastVASTXML`. Rules VX-1 to VX-4.
    last_vast_xml: Option<Arc<str>>,
    /// What the page is like at the moment.
    situation: Situation,
    sound: Sound,
    view: View,
    /// A mid-roll or commanded break that loads while content goes on. Rules CUE-3, PA-2.
    pending: Option<Box<Pending>>,
    /// The break of an overlay. Rules OVL-1 to OVL-6.
    overlay: Option<Box<AdBreak>>,
    /// The break of a display ad. Rule VMAP-20.
    beside: Beside,
    /// The mid-rolls and overlays of the item in use.
    cues: Cues,
    /// Which video the item is. Rules SCHED-4 to SCHED-6.
    turns: Turns,
    /// How many breaks of each kind were opened. Rule REQ-13.
    breaks_opened: [u32; 5],
    /// Whether anything was played yet. Rules PLAY-16, PA-8.
    has_played: bool,
    /// Whether an overlay that covers the content has paused it. Rule SIMID-15.
    is_covered: bool,
    /// Whether the unit that was asked to begin plays the first ad of its break, and what asked it; `None`:
    /// none was asked. Rule BRK-1.
    unit_begins: Option<(bool, Cause)>,
    /// Whether the pre-roll that is due may not be shown. Knob `gesture.violation`.
    refuses_ads: bool,
    /// A seek that waits until the ad that is on has ended. Rule BRK-16.
    held_seek: Option<u32>,
    /// A seek that was asked for during an ad and is made after it. Knob `seek.during_ad`.
    deferred_seek: Option<(Position, By)>,
    /// How far apart periodic time updates come. Rule MEL-15.
    updates: Rhythm,
    /// The promises that `play()` gave. Rule PLAY-3.
    requests: Requests,
    /// Whether `destroyBefore` is being delivered. Rule DESTROY-7.
    is_leaving: bool,
}

impl Player {
    /// Makes a player as the initialiser does; it is `created` until its ready work is done.
    ///
    /// The name, such as its container's id, tells its stream of random numbers from other players'.
    ///
    /// Rules INIT-9, INIT-11, INIT-16.
    #[must_use]
    pub fn new(
        now: Time,
        name: &str,
        config: Config,
        situation: Situation,
        settings: Arc<Settings>,
        out: &mut Outbox,
    ) -> Player {
        let mut schedule = AdSchedule::new(settings.page.device, &settings.knobs).looping(settings.ad_loop);
        schedule.add_player_level(&settings.ads, out);
        schedule.add_player_level(&config.ads, out);
        let state = State::Created(if settings.ready_after == Span::ZERO {
            ReadyWork::Now
        } else {
            ReadyWork::At(now + settings.ready_after, out.cause())
        });
        out.line(rule!("INIT-9"), Kind::State, &state, Fields::NONE);
        let (knobs, seed) = (&settings.knobs, settings.seed);
        let element = Element::new(knobs.bus_expose_html.is_on(), Rhythm::of_progress(name, seed, knobs));
        let updates = Rhythm::of_updates(name, seed, knobs);
        let sound = Sound::new(&settings, config.muted);
        let turns = Turns::new(settings.ad_turns.seen);
        let mut player = Player {
            macros: Macros::new(name, settings.seed, settings.page.epoch_micros)
                .on(&settings.page, &settings.knobs),
            settings,
            role: Role::of(config.unit, config.autoplay),
            state,
            listeners: Listeners::default(),
            playlist: Playlist::default(),
            element,
            quality: Quality::default(),
            chapters: Chapters::default(),
            chapter: None,
            due: Due::ALL,
            schedule,
            abandoned: Vec::new(),
            last_vast_xml: None,
            situation,
            sound,
            view: View::new(config.size, config.poster),
            pending: None,
            overlay: None,
            beside: Beside::default(),
            cues: Cues::default(),
            turns,
            breaks_opened: [0; 5],
            has_played: false,
            is_covered: false,
            unit_begins: None,
            refuses_ads: false,
            held_seek: None,
            deferred_seek: None,
            updates,
            requests: Requests::default(),
            is_leaving: false,
        };
        let items = config.content.into_iter().map(|content| ask(content, out)).collect();
        let origin = if config.is_list { Origin::List } else { Origin::Video };
        player.playlist = Playlist::new(items, origin).called(config.title);
        player.leave_out_all(now, out);
        player.prepare_item(now, out);
        if player.settings.ready_after == Span::ZERO {
            out.put(rule!("INIT-11"), Output::Task(Task::Ready));
        }
        player
    }

    /// Applies one input at `now`; what it causes goes to `out`, oldest first.
    ///
    /// # Errors
    ///
    /// What a call gives that fails in the host language. Only calls fail.
    pub fn handle(&mut self, now: Time, input: Input, out: &mut Outbox) -> Result<Value, ApiError> {
        let given = self.take(now, input, out);
        self.clock_overlay(now);
        given
    }

    fn take(&mut self, now: Time, input: Input, out: &mut Outbox) -> Result<Value, ApiError> {
        match input {
            Input::Call(command) => return self.call(now, &command, out),
            Input::Person(act) => self.act(now, &act, out),
            Input::Page(change) => {
                self.page_changes(now, change, out);
                self.scroll_unit(now, change, out);
            }
            Input::Record(id, video) => self.record(now, id, video, out),
            Input::Edited(video) => self.edited(&video, out),
            Input::Fetched(id, fetched) if self.playlist.awaits_file(id) => {
                self.playlist_answered(now, &fetched, out);
            }
            Input::Fetched(id, fetched) => self.fetched(now, id, &fetched, out),
            Input::Loaded(id, answer) => self.loaded(now, id, answer, out),
            Input::Task(task) => self.task(now, task, out),
            Input::Wake => self.wake(now, out),
        }
        Ok(Value::Undefined)
    }

    /// The state's word, such as `ad-playing`.
    #[must_use]
    pub fn state(&self) -> &'static str {
        self.state.word()
    }

    /// Whether `destroy` has finished.
    #[must_use]
    pub fn is_destroyed(&self) -> bool {
        matches!(self.state, State::Destroyed)
    }

    /// Whether `destroy` has begun. Rule DESTROY-7.
    #[must_use]
    pub fn is_leaving(&self) -> bool {
        self.is_leaving
    }

    /// Whether anybody listens to an event.
    #[must_use]
    pub fn hears(&self, event: EventName) -> bool {
        self.listeners.hears(event)
    }

    /// Begins the delivery of an event to the listeners that are bound now. Rule EVT-2.
    #[must_use]
    pub fn begin_delivery(&self, event: EventName) -> Delivery {
        self.listeners.begin(event)
    }

    /// The next listener that has its turn.
    #[inline(always)]
    pub fn next_listener(&mut self, delivery: &mut Delivery) -> Option<ListenerIndex> {
        self.listeners.next(delivery)
    }

    /// Binds a listener without a call: those that the scenario itself makes.
    pub fn bind(&mut self, event: EventName, listener: ListenerIndex) {
        self.listeners.bind(event, listener, false);
    }

    /// What becomes of the answer to a request.
    #[must_use]
    pub fn expects(&self, id: RequestId) -> Expected {
        if self.is_destroyed() {
            return Expected::Dropped;
        }
        if self.element.awaits(id) || self.changes_with(id) || self.playlist.awaits(id) {
            return Expected::Awaited;
        }
        let known = Which::ALL.into_iter().find_map(|which| self.break_of(which)?.awaits(id));
        let gone = || self.abandoned.iter().find(|(gone, _)| *gone == id).map(|(_, why)| *why);
        match known {
            Some(crate::ads::Expected::Awaited) => Expected::Awaited,
            Some(crate::ads::Expected::GivenUp(why)) => why.into(),
            None => gone().map_or(Expected::Dropped, Expected::from),
        }
    }

    /// Changes the state and says so, unless the word stays the same.
    fn enter(&mut self, state: State, rule: RuleId, out: &mut Outbox) {
        let from = self.state.word();
        self.state = state;
        if self.state.word() != from {
            out.line(rule, Kind::State, &self.state, Fields::one("from", from));
        }
    }

    fn task(&mut self, now: Time, task: Task, out: &mut Outbox) {
        match task {
            Task::Ready => self.ready(out),
            Task::StartAd => self.start_ad(now, out),
            Task::StartOverlay => self.start_overlay(now, out),
            Task::Data => self.note_data(now, rule!("MEL-3"), out),
            Task::Seeked(seek) => self.seeked(now, seek, out),
            Task::Autoplay => self.play(now, By::Autoplay, out),
            Task::OpenUnitBreak => self.open_unit_break(now, rule!("OUT-3"), "the unit is ready", out),
            Task::LeaveByItself => self.leave_by_itself(out),
            Task::HeldFailure => self.show_held_failure(now, out),
            Task::PassOver(index) => self.passed_over(now, index, out),
            Task::TearDown => self.tear_down(out),
        }
    }
}

/// Asks for an item's record, if the configuration does not hold it.
fn ask(content: Content, out: &mut Outbox) -> Item {
    match content {
        Content::Inline(video) => {
            Item { id: video.id.clone(), record: Record::Known(video), edits: Edits::Never }
        }
        Content::Id(id) => {
            let request = ask_record(&id, out);
            Item { id, record: Record::Pending(request), edits: Edits::None }
        }
    }
}

fn ask_record(id: &Arc<str>, out: &mut Outbox) -> RequestId {
    let (request, url, purpose) = (out.next_request(), id.clone(), Purpose::Record);
    let fetch = Request { id: request, url, purpose, hop: None, wp: None, pod: None };
    out.put(rule!("INIT-11"), Output::Fetch(fetch));
    request
}
