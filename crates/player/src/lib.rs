//! The documented player.
//!
//! A [`Player`] takes one input at a time, with the time at which it happens, and writes the
//! consequences to the [`Outbox`] that it is lent. It never fetches, never waits and never reads a
//! clock. It schedules nothing either: [`Player::next_wake`] returns the time at which it next
//! wants to be woken.
//!
//! [`Player`] is the conductor of owners, each with its own fields: `State` and [`MediaElement`],
//! `Items` in `content`, `Breaks` in `breaks`, `Surface` in `surface`, the listeners and the role.
//! Work of a single owner is its own method. Work that needs several is a method of the player, in
//! the folder of its subject: `api` is the interface to page code, `content` the items and their
//! playback by the media element, `breaks` its side of the ad breaks, and `surface` sound, view and
//! clicks.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use playsim_ads::{AdSchedule, Macros};
use playsim_api::page::{Page, Situation};
use playsim_api::video::Rendition;
use playsim_api::{
    AdLoop, AdTurns, ApiError, Bid, Decimal, EventName, Fields, Input, Outbox, Output, RequestId,
    StateLine, Task, Value,
};
use playsim_base::time::{Position, Span, Time};
use playsim_element::MediaElement;
use playsim_rules::knobs::KnobReader;
use playsim_rules::{self as rules, RuleId};

mod api;
mod breaks;
mod content;
mod role;
mod state;
mod surface;

use api::calls::By;
pub use api::config::{Config, Content, Size};
pub use api::listeners::Dispatch;
pub use api::listeners::Listeners;
pub use api::video_object::inline_record;
use breaks::Breaks;
use breaks::ad_turns::Turns;
use content::Items;
use content::playlist::{Item, Origin, Playlist};
pub use playsim_api::ListenerIndex;
use role::Role;
use state::{ReadyWork, State};
use surface::Surface;
use surface::sound::Sound;
use surface::view::View;

/// The settings of a player in addition to its configuration.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The knobs in force.
    pub knobs: KnobReader,
    /// The parts of the surrounding page that do not change.
    pub page: Page,
    /// How long the ready work takes. Rule INIT-11.
    pub ready_after: Span,
    /// Ad objects added at player level.
    pub ads: Vec<Value>,
    /// The renditions that the account's plan allows; `None`: all. Rule QUAL-4.
    pub plan: Option<Vec<Rendition>>,
    /// The initial volume, 0 to 1. Rule VOL-5.
    pub volume: Decimal,
    /// Whether it starts muted.
    pub muted: bool,
    /// The winning header bids. Rule REQ-13.
    pub bids: Vec<Bid>,
    /// The loop of the first pre-roll slot, if there is one. Rule SCHED-1.
    pub ad_loop: Option<AdLoop>,
    /// Which videos have ads. Rules SCHED-4 to SCHED-6.
    pub ad_turns: AdTurns,
    /// The seed of all random numbers. Rule CLK-8.
    pub seed: u64,
}

/// A player's settings never change, so they are not part of its state.
impl Hash for Settings {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            knobs: KnobReader::default(),
            page: Page::default(),
            ready_after: Span::ZERO,
            ads: Vec::new(),
            plan: None,
            volume: Decimal::ONE,
            muted: false,
            bids: Vec::new(),
            ad_loop: None,
            ad_turns: AdTurns::default(),
            seed: 0,
        }
    }
}

/// The use of a response that arrives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResponseStatus {
    /// The player is waiting for it.
    Awaited,
    /// Its timeout has passed. Rule REQ-10.
    Late,
    /// Whatever requested it no longer exists.
    Dropped,
}

/// One player on a page.
#[derive(Debug, Clone, Hash)]
pub struct Player {
    settings: Arc<Settings>,
    role: Role,
    state: State,
    /// The state that the trace has last.
    logged: StateLine,
    listeners: Listeners,
    items: Items,
    /// The media element that plays the content. The meaning of its events for page code is decided
    /// in `playback` and `supply`.
    element: MediaElement,
    surface: Surface,
    breaks: Breaks,
    /// Whether anything has been played yet. Rules PLAY-16, PA-8.
    has_played: bool,
    /// A seek requested during an ad and performed after it. Knob `seek.during_ad`.
    deferred_seek: Option<(Position, By)>,
    /// Whether `destroyBefore` is being delivered. Rule DESTROY-7.
    is_leaving: bool,
    /// The time of the last input.
    last_input: Time,
}

impl Player {
    /// Creates a player as the initialiser does; it is `created` until its ready work is done.
    ///
    /// The name, such as its container's id, gives each player its own stream of random numbers.
    /// Rules INIT-9, INIT-11, INIT-16.
    ///
    /// # Panics
    ///
    /// May panic later, as time passes, if [`KnobReader::check`] rejects the settings' knobs.
    #[must_use]
    pub fn new(
        name: &str,
        config: Config,
        situation: Situation,
        settings: Arc<Settings>,
        out: &mut Outbox,
    ) -> Player {
        let now = out.now();
        let mut schedule =
            AdSchedule::new(settings.page.device, &settings.knobs).looping(settings.ad_loop);
        schedule.add_player_level(&settings.ads, out);
        schedule.add_player_level(&config.ads, out);
        let state = State::Created(if settings.ready_after == Span::ZERO {
            ReadyWork::Now
        } else {
            ReadyWork::At(now + settings.ready_after, out.cause())
        });
        let logged = state.name();
        out.line(rules::INIT_9, logged, Fields::NONE);
        let (knobs, seed) = (&settings.knobs, settings.seed);
        let element = MediaElement::of_player(name, seed, knobs);
        let sound = Sound::new(&settings, config.muted);
        let items = Items::new(settings.plan.clone());
        let turns = Turns::new(settings.ad_turns);
        let macros = Macros::new(name, seed, settings.page.epoch_micros).on(&settings.page, knobs);
        let mut player = Player {
            settings,
            role: Role::of(config.unit, config.autoplay),
            state,
            logged,
            listeners: Listeners::default(),
            items,
            element,
            surface: Surface::new(situation, sound, View::new(config.size, config.poster)),
            breaks: Breaks::new(schedule, turns, macros),
            has_played: false,
            deferred_seek: None,
            is_leaving: false,
            last_input: now,
        };
        let configured = config
            .content
            .into_iter()
            .map(|content| Item::new(content, out))
            .collect();
        let origin = if config.is_list {
            Origin::List
        } else {
            Origin::Video
        };
        player.items.playlist = Playlist::new(configured, origin).called(config.title);
        player.items.leave_out_all(&player.settings.page, out);
        player.prepare_item(out);
        if player.settings.ready_after == Span::ZERO {
            out.put(rules::INIT_11, Output::Task(Task::Ready));
        }
        player
    }

    /// Applies one input at `now`; its consequences go to `out`, oldest first.
    ///
    /// # Errors
    ///
    /// The error of a call that fails in the host language. Only calls fail.
    pub fn handle(&mut self, input: Input, out: &mut Outbox) -> Result<Value, ApiError> {
        let given = self.take(input, out);
        debug_assert_eq!(
            self.state.plays_content(),
            !self.element.is_paused(),
            "the element is unpaused exactly while content plays"
        );
        self.move_unit_over_content(out);
        self.come_to_rest(out.now());
        given
    }

    /// Updates the player after every input.
    #[inline]
    fn come_to_rest(&mut self, now: Time) {
        self.last_input = now;
        self.clock_overlay(now);
    }

    fn take(&mut self, input: Input, out: &mut Outbox) -> Result<Value, ApiError> {
        match input {
            Input::Call(command) => return self.call(&command, out),
            Input::Person(act) => self.act(&act, out),
            Input::Page(change) => {
                self.page_changes(change, out);
                self.scroll_unit(change, out);
            }
            Input::Record(id, video) => self.record(id, video, out),
            Input::Edited(video) => self.edited(&video, out),
            Input::Fetched(id, fetched) if self.items.playlist.awaits_file(id) => {
                self.playlist_answered(&fetched, out);
            }
            Input::Fetched(id, fetched) => self.fetched(id, &fetched, out),
            Input::Loaded(id, answer) => self.loaded(id, answer, out),
            Input::Task(task) => self.task(task, out),
            Input::Wake => self.wake(out),
        }
        Ok(Value::Undefined)
    }

    /// The name of the state, such as `ad-playing`.
    #[must_use]
    pub fn state(&self) -> &'static str {
        self.state.name().name()
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

    /// Whether any listener is bound to an event.
    #[must_use]
    pub fn hears(&self, event: EventName) -> bool {
        self.listeners.hears(event)
    }

    /// The listeners that page code has bound.
    #[inline]
    pub fn listeners(&self) -> &Listeners {
        &self.listeners
    }

    /// A later player has taken the container of this one, which is destroyed: its listeners that
    /// wait for their turn are not called. Rule DESTROY-12.
    pub fn forget_listeners(&mut self) {
        self.listeners = Listeners::default();
    }

    /// Begins the delivery of an event to the listeners that are bound now. Rule EVT-2.
    #[must_use]
    pub fn begin_delivery(&self, event: EventName) -> Dispatch {
        self.listeners.begin(event)
    }

    /// Returns the next listener to be called.
    #[inline(always)]
    pub fn next_listener(&mut self, delivery: &mut Dispatch) -> Option<ListenerIndex> {
        self.listeners.next(delivery)
    }

    /// Binds a listener that the scenario declares, without a call by page code.
    pub fn bind(&mut self, event: EventName, listener: ListenerIndex) {
        self.listeners.bind(event, listener, false);
    }

    /// The use of the response to a request.
    #[must_use]
    pub fn expects(&self, id: RequestId) -> ResponseStatus {
        if self.is_destroyed() {
            return ResponseStatus::Dropped;
        }
        if self.element.awaits(id) || self.changes_with(id) || self.items.playlist.awaits(id) {
            return ResponseStatus::Awaited;
        }
        let known = self
            .breaks
            .slots()
            .find_map(|which| self.break_of(which)?.awaits(id));
        match known {
            Some(playsim_ads::Expected::Awaited) => ResponseStatus::Awaited,
            Some(playsim_ads::Expected::GivenUp(why)) => why.into(),
            None => self
                .breaks
                .abandoned(id)
                .map_or(ResponseStatus::Dropped, ResponseStatus::from),
        }
    }

    /// Changes the state, and logs it.
    fn enter(&mut self, state: State, rule: RuleId, out: &mut Outbox) {
        self.state = state;
        self.log_state(rule, out);
    }

    /// Logs the state, unless it has the same name as before.
    fn log_state(&mut self, rule: RuleId, out: &mut Outbox) {
        let (name, from) = (self.state.name(), self.logged);
        if name != from {
            self.logged = name;
            out.line(rule, name, Fields::one("from", from.name()));
        }
    }

    /// Does a task that was put off. Each looks at the state itself: since then, an event's
    /// listener may have changed it, and a driver may give a task twice.
    fn task(&mut self, task: Task, out: &mut Outbox) {
        match task {
            Task::Ready => self.ready(out),
            Task::StartAd => self.start_ad(out),
            Task::StartOverlay => self.start_overlay(out),
            Task::Data => self.note_data(rules::MEL_3, out),
            Task::Seeked(seek) => self.seeked(seek, out),
            Task::Autoplay => self.play(By::Autoplay, out),
            Task::OpenUnitBreak => self.open_unit_break(rules::OUT_3, "the unit is ready", out),
            Task::DestroySelf => self.destroy_self(out),
            Task::HeldFailure => self.show_held_failure(out),
            Task::OpenEndBreaks => self.open_end_breaks(out),
            Task::PassOver(index) => self.passed_over(index, out),
            Task::TearDown => self.tear_down(out),
        }
    }
}
