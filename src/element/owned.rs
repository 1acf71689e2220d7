//! The element below a player: what the player asks of it and has it do, apart from what a bare element does
//! as well.
//!
//! The player decides when its content plays, and holds it for ads; its own documented events are not those of
//! the element. So it starts playback in two steps, between which it changes its state, and what the data
//! bring is its to follow: the element reports a [`Rise`], an [`Obstacle`] or the end of a seek.
//!
//! Rules: PLAY-3, MEL-15, MEL-20, LIVE-1, LIVE-3, QUAL-5, BRK-16, STOP-7.

use super::engine::Rise;
use super::*;
use crate::media::{LoadFault, Rate};
use crate::time::Span;

/// What the player asks the engine.
macro_rules! asks {
    ($($name:ident($($arg:ident: $type:ty),*) -> $answer:ty;)*) => {
        impl MediaElement {
            $(#[inline]
            pub(crate) fn $name(&self, $($arg: $type),*) -> $answer {
                self.engine.$name($($arg),*)
            })*
        }
    };
}

asks! {
    position(now: Time) -> Position;
    content_time(now: Time) -> Position;
    on_timeline(content_time: Position) -> Position;
    nearest(now: Time, target: Position) -> Position;
    reaches(position: Position) -> Option<Time>;
    is_at_end(now: Time) -> bool;
    next_obstacle(now: Time) -> Option<(Time, Obstacle)>;
    duration() -> Option<Span>;
    length() -> Option<Option<Span>>;
    source() -> Option<&Arc<str>>;
    fault() -> Option<LoadFault>;
    has_failed() -> bool;
    has_media() -> bool;
    has_data() -> bool;
    is_deferred() -> bool;
    is_current_seek(number: u32) -> bool;
    seek_with_data(now: Time) -> Option<u32>;
    due() -> Time;
    is_update_due(now: Time) -> bool;
}

/// What has come of the data at an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Refill {
    /// A live stream has stopped running, which is a failure. Rule LIVE-1.
    Stopped,
    /// More data may be there, by this rule.
    Data(RuleId),
}

impl MediaElement {
    /// The element of a player. The player's name and seed decide intervals that are random.
    pub(crate) fn of_player(name: &str, seed: u64, knobs: &Knobs) -> MediaElement {
        let voice = if knobs.bus_expose_html.is_on() { Voice::Events } else { Voice::Lines };
        let updates = Rhythm::of_updates(name, seed, knobs);
        let engine = Engine::new(voice, updates, Rhythm::of_progress(name, seed, knobs));
        MediaElement::with(engine, knobs.progress_meaning, ElementConfig::default())
    }

    /// Loads another source. Rules MEL-1, MEL-2.
    pub(crate) fn load(&mut self, now: Time, source: Arc<str>, out: &mut Outbox) {
        self.hold(now);
        self.engine.load(now, source, out);
    }

    /// Gives up what is loaded, and has no source any more. Rule MEL-1.
    pub(crate) fn unload(&mut self, now: Time, out: &mut Outbox) {
        self.hold(now);
        self.engine.empty(now, out);
        self.engine.unload();
    }

    /// Has no source any more, without any event.
    pub(crate) fn forget(&mut self) {
        (self.is_paused, self.waits_since) = (true, None);
        self.engine.unload();
    }

    /// A call of `play()` begins.
    pub(crate) fn ask(&mut self) {
        self.requests.ask();
    }

    /// The call of `play()` returns its promise, whose outcome may be known already.
    pub(crate) fn answer(&mut self, outcome: Option<Outcome>, out: &mut Outbox) -> Value {
        self.requests.answer(outcome, out)
    }

    /// Rejects the waiting play requests: what they asked for will not happen. Rules MEL-1, MEL-6, MEL-10.
    pub(crate) fn reject(&mut self, outcome: Outcome, out: &mut Outbox) {
        self.requests.settle_now(outcome, out);
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.is_paused
    }

    /// Whether playback is wanted but lacks data.
    pub(crate) fn is_waiting(&self) -> bool {
        self.waits_since.is_some()
    }

    /// Whether the player has moved the position on its own, and the data are there to play from it.
    pub(crate) fn is_rewound(&self, now: Time) -> bool {
        matches!(self.engine.seek_end(), Some(SeekEnd::Silent(_)))
            && self.engine.seek_with_data(now).is_some()
    }

    /// Playback is wanted again after the end, from where a seek leads. Rule POST-3.
    pub(crate) fn unpause(&mut self) {
        self.is_paused = false;
    }

    /// The content has played to its end: it pauses there, with an event if `pause` is its rule. Rule MEL-11.
    pub(crate) fn stop_at_end(&mut self, now: Time, pause: Option<RuleId>, out: &mut Outbox) {
        if let Some(end) = self.engine.end() {
            self.engine.place(now, end);
        }
        self.stop(now, rules::MEL_11, pause, out);
    }

    /// Sets the position without a seek.
    pub(crate) fn place(&mut self, now: Time, position: Position) {
        self.engine.place(now, position);
    }

    /// Plays faster or slower. Rule MEL-22.
    pub(crate) fn set_rate(&mut self, now: Time, rate: Rate, out: &mut Outbox) {
        self.engine.set_rate(now, rate, out);
    }

    /// Withdraws a failure, so that the source can be loaded once more. Rule STOP-7.
    pub(crate) fn take_back_failure(&mut self) {
        self.engine.take_back_failure();
    }

    /// The load in progress goes on with another URL. Rule QUAL-5.
    pub(crate) fn take_over(&mut self, source: Arc<str>) {
        self.engine.take_over(source);
    }

    /// Continues with other media of the same content. Rule QUAL-5.
    pub(crate) fn change(&mut self, now: Time, source: Arc<str>, info: Arc<MediaInfo>, out: &mut Outbox) {
        self.engine.change(now, source, info, out);
    }

    /// Handles changes of the data that are due, if there are any; `is_silent` while a linear ad is on screen.
    /// Rules MEL-4, MEL-5, LIVE-1, BRK-16.
    pub(crate) fn refill(&mut self, now: Time, is_silent: bool, out: &mut Outbox) -> Option<Refill> {
        self.next_change(now).filter(|at| *at <= now)?;
        out.set_cause(self.engine.data_cause());
        if self.engine.stream_stops_at().is_some_and(|stop| stop <= now) {
            self.fail(now, MediaFault::NotRunning, out);
            return Some(Refill::Stopped);
        }
        self.engine.data_move(now, self.progress_reports(is_silent), out);
        Some(Refill::Data(self.engine.rule_of_data()))
    }

    /// Raises the ready state to what the data permit. Returns `None` if it does not rise. If it rises,
    /// playback that is wanted has to begin, then [`report_enough`](Self::report_enough) is due. Rule MEL-3.
    pub(crate) fn rise(&mut self, now: Time, rule: RuleId, out: &mut Outbox) -> Option<Rise> {
        self.engine.raise(now, rule, out)
    }

    /// Reports that there are enough data to play to the end. Rules MEL-3, MEL-17.
    pub(crate) fn report_enough(&self, now: Time, rule: RuleId, out: &mut Outbox) {
        self.engine.report_enough(now, rule, out);
    }

    /// Reports a time update that is not a periodic one. Rule MEL-16.
    pub(crate) fn update_time(&self, now: Time, rule: RuleId, out: &mut Outbox) {
        self.engine.update_time(now, rule, out);
    }

    /// Sets when something other than a periodic time update is due while the position advances: what the
    /// data bring, what stops the position, or `mark`.
    pub(crate) fn mark(&mut self, now: Time, mark: Option<Time>) {
        let obstacle = self.engine.next_obstacle(now).map(|(at, _)| at);
        let next = [obstacle, self.next_change(now), mark].into_iter().flatten().min();
        self.engine.schedule.mark(next);
    }

    /// When something that the position reaches at `at` is noticed, if only time updates notice it. Rule LAST-4.
    pub(crate) fn update_from(&self, at: Time) -> Time {
        self.engine.schedule.update_from(at)
    }

    /// The next periodic time update is an interval away. Rule MEL-15.
    pub(crate) fn restart_updates(&mut self, now: Time) {
        self.engine.schedule.restart(now);
    }

    /// Reports periodic time updates: this one, and all up to `last` and before the next mark. Rule MEL-15.
    #[inline]
    pub(crate) fn update_times(&mut self, now: Time, last: Time, out: &mut Outbox) {
        self.engine.update_times(now, last, out);
    }

    /// Whether something other than a periodic time update is due. Either is caused by what moved the position.
    #[inline]
    pub(crate) fn is_marked(&self, now: Time, out: &mut Outbox) -> bool {
        out.set_cause(self.engine.schedule.moved());
        self.engine.schedule.next_mark().is_some_and(|mark| mark <= now)
    }
}
