//! How a player gets ready and how an item starts.
//!
//! Rules: INIT-11, INIT-12, INIT-15 to INIT-17, PLAY-4 to PLAY-13, PL-7, PL-10, PL-12, PL-16,
//! PL-19, PRE-1 to PRE-3, REQ-14, PRD-9.

use std::sync::Arc;

use super::chapters::Chapters;
use super::playlist::{Item, ItemPlace, Record};
use crate::Player;
use crate::state::{Advance, AfterBreak, Due, Held, Holder, State};
use playsim_ads::BreakPlan;
use playsim_api::media::{LoadFault, MediaInfo};
use playsim_api::video::Video;
use playsim_api::{AdLine, EventName, Fields, Outbox, Output, RequestId, StateLine, Task};
use playsim_base::time::Position;
use playsim_element::Outcome;
use playsim_rules::knobs::{PlayInDelay, PlayWithPreroll, PrerollHold, StartScope};
use playsim_rules::{self as rules, RuleId};

impl Player {
    /// The ready work is done. The `ready` event is queued after the callback, so that calls made
    /// in the callback cause events after it. Rule INIT-12.
    pub(crate) fn ready(&mut self, out: &mut Outbox) {
        if !matches!(self.state, State::Created(_)) {
            return;
        }
        self.enter(State::Initial, rules::READY_1, out);
        out.put(rules::INIT_12, Output::Callback);
        let ready = out.event(rules::INIT_12, EventName::Ready);
        out.set_cause(ready);
        self.role.start_by_itself(out);
        if self.items.playlist.current().is_some() && self.content_has_failed() {
            out.put(rules::INIT_15, Output::Task(Task::HeldFailure));
        }
    }

    /// A failure before the API was usable takes effect after `ready`, unless a `play()` has
    /// already met it. Rule INIT-15.
    pub(crate) fn show_held_failure(&mut self, out: &mut Outbox) {
        if matches!(self.state, State::Initial)
            && self.items.playlist.current().is_some()
            && self.content_has_failed()
        {
            self.fail(rules::INIT_15, out);
        }
    }

    /// Sets up the item in use, to the extent that its record is known. Rules PL-21, CH-12.
    pub(crate) fn prepare_item(&mut self, out: &mut Outbox) {
        self.element.reject(Outcome::Aborted(rules::MEL_1), out);
        self.breaks.turns.leave();
        self.set_up_item(out);
    }

    fn set_up_item(&mut self, out: &mut Outbox) {
        self.items.due.arm(Due::ITEM);
        let Some(video) = self.items.playlist.video().cloned() else {
            self.items.chapters = Chapters::default();
            self.breaks.begin_item(&[], out);
            self.unload(out);
            return;
        };
        self.show_poster(out);
        self.items.chapters = Chapters::read(&video.chapters, out);
        self.breaks.begin_item(&video.ads, out);
        if !self.load(&video, out) {
            self.unload(out);
        }
    }

    /// Whether the item cannot be played: no record, no source, or a load that failed.
    pub(super) fn content_has_failed(&self) -> bool {
        let missing = match self.items.playlist.current().map(|item| &item.record) {
            None | Some(Record::Missing) => true,
            Some(Record::Pending(_) | Record::Stopped) => false,
            Some(Record::Known(video)) => {
                self.items.playlist.is_barred() || self.items.quality.first(video).is_none()
            }
        };
        missing || self.element.has_failed()
    }

    /// A record has arrived. Rules INIT-11, INIT-15.
    pub(crate) fn record(&mut self, id: RequestId, video: Option<Arc<Video>>, out: &mut Outbox) {
        let Some(index) = self.items.playlist.answer(id, video) else {
            return;
        };
        let is_current = self.items.playlist.index() == Some(index);
        self.items.leave_out(&self.settings.page, index, out);
        if !is_current {
            return;
        }
        let goes_on = self.items.playlist.close_ranks();
        self.prepare_record(out);
        if let State::Held(Held {
            by: Holder::Record,
            wanted,
        }) = self.state
        {
            if !goes_on {
                self.enter(State::Initial, rules::PL_19, out);
            } else if !matches!(
                self.items.playlist.current(),
                Some(Item {
                    record: Record::Pending(_),
                    ..
                })
            ) {
                self.open_or_start(wanted, out);
            }
        } else if !matches!(self.state, State::Created(_) | State::Destroyed)
            // A list that has become empty fails only when it is played. PL-20
            && self.items.playlist.current().is_some()
            && self.content_has_failed()
        {
            self.fail(rules::INIT_15, out);
        }
    }

    /// Like `prepare_item`, for a record that arrives later: everything that is due stays due, and
    /// play requests keep waiting.
    fn prepare_record(&mut self, out: &mut Outbox) {
        let now = out.now();
        let (due, start) = (self.items.due, self.element.position(now));
        self.set_up_item(out);
        self.items.due = due;
        self.element.place(now, start);
    }

    /// A response to a request for media has arrived.
    pub(crate) fn loaded(
        &mut self,
        id: RequestId,
        answer: Result<Arc<MediaInfo>, LoadFault>,
        out: &mut Outbox,
    ) {
        if self.changes_with(id) {
            self.rendition_loaded(answer.map_err(|fault| fault.how), out);
            return;
        }
        if !self.element.awaits(id) {
            if let Some(which) = self.break_awaiting(id) {
                self.feed(which, out, |ad_break, cx| {
                    ad_break.loaded(id, answer.map_err(|fault| fault.how), cx)
                });
            }
            return;
        }
        match answer {
            Ok(info) => self.metadata(info, out),
            Err(fault) => {
                self.element.fail_to_load(fault, out);
                // The failure is held back until the player is ready, and while an ad is on screen.
                // INIT-15
                if !self.state.holds_failures_back() {
                    self.fail(rules::MEL_6, out);
                }
            }
        }
    }

    /// The metadata of the content have arrived. Rules MEL-2, MEL-3, EV-36.
    pub(super) fn metadata(&mut self, info: Arc<MediaInfo>, out: &mut Outbox) {
        let duration = info.duration;
        self.element.take_metadata(info, out);
        self.items.chapters.fit(duration, out);
        self.find_cues(out);
    }

    /// The first start of the item in use. Rules PLAY-4, PLAY-5, PL-10.
    pub(crate) fn first_start(&mut self, out: &mut Outbox) {
        let place = self.items.playlist.current_place();
        let loads = place.is_none() || self.element.is_deferred();
        if loads && !self.settle_item(place.unwrap_or(ItemPlace::FIRST), out) && place.is_some() {
            self.fail(rules::PL_23, out);
            return;
        }
        self.items.begin_pass(out);
        self.breaks.turns.begin();
        match self.items.playlist.current().map(|item| &item.record) {
            Some(Record::Pending(_)) => self.wait_for_record(rules::INIT_11, out),
            Some(Record::Stopped) => {
                self.items.request_again(out);
                self.wait_for_record(rules::INIT_11, out);
            }
            Some(Record::Known(_) | Record::Missing) | None => {
                if self.element.is_deferred() {
                    self.load_again(out);
                }
                self.open_or_start(true, out);
            }
        }
    }

    /// An item is about to load: the first at or after this place that may play becomes the one in
    /// use. Returns whether there is one. Rule PL-23.
    pub(super) fn settle_item(&mut self, place: ItemPlace, out: &mut Outbox) -> bool {
        let was = self.items.playlist.current_place();
        self.items.judge(&self.settings.page, out);
        let found = self
            .items
            .playable_from(&self.settings.page, out.now(), place);
        if let Some(index) = found
            && self.items.playlist.place(index) != was
        {
            self.items.playlist.choose(index);
            self.prepare_item(out);
        }
        found.is_some()
    }

    /// Holds content until the record of the item in use has arrived.
    fn wait_for_record(&mut self, rule: RuleId, out: &mut Outbox) {
        self.enter(
            State::Held(Held {
                by: Holder::Record,
                wanted: true,
            }),
            rule,
            out,
        );
    }

    /// Opens the pre-roll break if one is due, else starts the content. Rules PRE-1, REQ-14,
    /// REQ-15.
    fn open_or_start(&mut self, wanted: bool, out: &mut Outbox) {
        let may_show_ads = self.may_show_ads()
            && self
                .items
                .playlist
                .has_pre_rolls(self.settings.knobs.playlist_prerolls());
        let is_due = self.items.due.take(Due::PRE_ROLL);
        let may_break = is_due && may_show_ads && !self.content_has_failed();
        let is_refused = self.breaks.refuses_ads;
        let plan = if may_break {
            self.breaks.schedule.pre_roll()
        } else {
            None
        };
        let plan = plan.filter(|_| {
            if self.items.no_pre_roll {
                let why = "page code has not asked for ads since it set the source";
                out.line(rules::PRD_34, AdLine::PassPreRoll, Fields::one("why", why));
            }
            !self.items.no_pre_roll
        });
        // Its tags may still return a schedule. PRD-9
        let plan = plan.map(|plan| match self.passes_pre_roll(out.now()) {
            Some(why) => plan.for_schedule(why),
            None => plan,
        });
        let (plan, rule) = match plan {
            Some(plan) if self.breaks.refuses_ads => {
                self.refuse_break(plan, out);
                (None, rules::PLAY_17)
            }
            plan => (plan, rules::PLAY_4),
        };
        self.breaks.refuses_ads = false;
        if is_due
            && self
                .items
                .playlist
                .video()
                .is_some_and(|video| !video.monetize)
            && self.breaks.schedule.has_ads()
        {
            out.line(rules::REQ_14, AdLine::NotMonetized, Fields::NONE);
        } else if is_due && self.breaks.schedule.has_ads() {
            self.breaks.turns.note(out);
        }
        if let Some(plan) = plan {
            self.open_pre_roll(plan, wanted, out);
        } else if !self.content_has_failed() && self.open_next_start(wanted, false, out) {
            // The breaks of a VMAP document that were still due at the start.
        } else if wanted && is_due && !is_refused && self.waits_for_no_pre_roll(out) {
            // It starts after that.
        } else if wanted {
            self.start_content(rule, true, out);
        } else {
            self.enter(State::Initial, rules::PAUSE_4, out);
        }
    }

    /// Opens the pre-roll; knob `play.with_preroll` can make `play` fire before it. Rules PLAY-5,
    /// PRE-1.
    fn open_pre_roll(&mut self, plan: BreakPlan, wanted: bool, out: &mut Outbox) {
        if wanted && self.settings.knobs.preroll_hold() == PrerollHold::WhenReady {
            let rule = rules::PRD_21;
            self.open_pending(
                plan.because(rule, "first start of the item, content plays"),
                out,
            );
            self.start_content(rule, true, out);
            return;
        }
        let play_fired = wanted && self.fire_play_early(out);
        self.open_break(plan, wanted, AfterBreak::Start { play_fired }, out);
        if self.element.has_data() {
            self.show_first_picture(out);
        }
    }

    /// Shows the first picture of content that is held for its pre-roll, if the knob says so: it
    /// begins to play and is held in the same instant. Rule PRD-21.
    pub(super) fn show_first_picture(&mut self, out: &mut Outbox) {
        let is_held = matches!(&self.state, State::Held(Held { by: Holder::Break(open), wanted: true })
            if matches!(open.back, AfterBreak::Start { .. }));
        if is_held
            && self.settings.knobs.preroll_hold() == PrerollHold::AtPicture
            && self.state.name() == StateLine::AdLoading
        {
            let from = std::mem::replace(&mut self.logged, StateLine::Playing);
            let from = Fields::one("from", from.name());
            out.line(rules::PRD_21, StateLine::Playing, from);
            self.log_state(rules::PRD_21, out);
        }
    }

    /// Fires `play` before the pre-roll, if the knob says so. Returns whether it is not to fire
    /// again after it. Rule PLAY-5.
    pub(crate) fn fire_play_early(&self, out: &mut Outbox) -> bool {
        let moment = self.settings.knobs.play_with_preroll();
        if moment != PlayWithPreroll::AfterAds {
            out.event(rules::PLAY_5, EventName::Play);
        }
        moment == PlayWithPreroll::AtCall
    }

    /// Starts the content after the pre-roll, or immediately without one; `rule` distinguishes the
    /// two. Rules PLAY-4 to PLAY-7.
    pub(crate) fn start_content(&mut self, rule: RuleId, fires_play: bool, out: &mut Outbox) {
        let now = out.now();
        if self.items.playlist.current().is_none() {
            self.fail(rules::PL_20, out);
            return;
        }
        if self.content_has_failed() {
            self.fail(rules::INIT_15, out);
            self.pass_over(out);
            return;
        }
        if self.element.is_at_end(now) && self.element.position(now) > Position::ZERO {
            // A seek has gone to its end before it started. MEL-12
            self.rewind(out);
        }
        self.breaks.cues.leave(Position::ZERO);
        if fires_play {
            self.play_content(rule, out);
        } else {
            self.go_on(rule, out);
        }
    }

    /// Fires `play`; the position advances as soon as there are data. Rules PLAY-4, PLAY-8, MEL-9.
    pub(super) fn play_content(&mut self, rule: RuleId, out: &mut Outbox) {
        out.event(rule, EventName::Play);
        self.go_on(rule, out);
    }

    /// Lets the position advance as soon as there are data. Rule MEL-9.
    pub(crate) fn go_on(&mut self, rule: RuleId, out: &mut Outbox) {
        self.refill(out);
        self.has_played = true;
        if self.element.can_begin(out) {
            self.run(out);
        } else if self.element.is_rewound(out.now()) {
            // A rewind with available data is over before playback begins. MEL-12
            self.element.wait(rules::MEL_12, out);
            self.element.end_seek(out);
            self.raise(rules::MEL_12, out);
            // If it began to play, a mid-roll at its start may hold it already.
            if self.element.is_waiting() {
                self.enter(State::Buffering, rule, out);
            }
        } else {
            self.wait(rule, rules::MEL_9, out);
        }
        self.breaks.offer_pending(out);
    }

    /// Fires `start`, and `beforeStart` directly before it unless it fired before an ad. Rules
    /// PLAY-4, PLAY-9.
    pub(super) fn fire_start(&mut self, out: &mut Outbox) {
        let is_first_time = self.items.playlist.note_started();
        if self.settings.knobs.start_scope() == StartScope::FirstTime && !is_first_time {
            return;
        }
        if self.items.due.take(Due::BEFORE_START) {
            out.event(rules::PLAY_4, EventName::BeforeStart);
        }
        let start = out.event(rules::PLAY_9, EventName::Start);
        self.items.measure_start(&self.settings.knobs, start, out);
    }

    /// Plays from the end: the next item, another pass, or the same item from its start without ads
    /// that were already opened. Rules PLAY-10, PLAY-11, PL-15.
    pub(super) fn play_from_end(&mut self, advance: Advance, out: &mut Outbox) {
        match advance {
            Advance::Due(..)
                if self.settings.knobs.playlist_play_in_delay() == PlayInDelay::Replay =>
            {
                out.decide(rules::PL_15);
                self.rewind(out);
                self.play_content(rules::PLAY_10, out);
            }
            Advance::Due(..) | Advance::Paused => {
                out.decide(rules::PL_15);
                self.advance(out);
            }
            Advance::Breaks { ended, .. } => {
                // They remain due, and the player is at the end as without them. END-2
                self.finish(true, Some(ended), out);
                if let State::Ended(advance) = self.state {
                    self.play_from_end(advance, out);
                }
            }
            Advance::Nowhere if self.items.starts_another_pass() => {
                out.decide(rules::PLAY_11);
                self.items.judge(&self.settings.page, out);
                match self
                    .items
                    .playable_from(&self.settings.page, out.now(), ItemPlace::FIRST)
                {
                    Some(first) => self.go_to(first, None, out),
                    None => self.fail(rules::PL_20, out),
                }
            }
            Advance::Nowhere => {
                out.decide(rules::PLAY_10);
                self.rewind(out);
                self.play_content(rules::PLAY_10, out);
            }
        }
    }

    /// Returns to the start for another pass; page code sees no seek. Rules MEL-12, TIME-11.
    pub(super) fn rewind(&mut self, out: &mut Outbox) {
        self.element
            .seek_by_itself(Position::ZERO, rules::MEL_12, out);
        self.items.due.arm(Due::LAST_SECOND);
        self.breaks.cues.rewind();
    }

    /// Loads the item once more after a failure. Rule PLAY-15.
    pub(super) fn reload(&mut self, out: &mut Outbox) {
        let failed = self.items.playlist.current_place();
        if !self.settle_item(failed.unwrap_or(ItemPlace::FIRST), out) && failed.is_some() {
            self.fail(rules::PL_23, out);
            return;
        }
        if failed != self.items.playlist.current_place() {
            self.enter(State::Initial, rules::PL_23, out);
            self.first_start(out);
            return;
        }
        self.items.due.arm(Due::ITEM);
        self.items.due.take(Due::PRE_ROLL);
        self.breaks.cues.arm();
        self.items.chapters.forget_position();
        self.items.begin_pass(out);
        if self
            .items
            .playlist
            .index()
            .is_some_and(|index| self.items.playlist.take_up_edit(index))
        {
            self.take_in_record(out);
        }
        let Some(item) = self.items.playlist.current() else {
            self.fail(rules::PL_20, out);
            return;
        };
        match &item.record {
            Record::Known(video) => {
                let video = video.clone();
                self.element.reject(Outcome::Aborted(rules::MEL_1), out);
                self.load(&video, out);
                self.start_content(rules::PLAY_15, true, out);
            }
            Record::Missing | Record::Stopped => {
                self.items.request_again(out);
                self.wait_for_record(rules::PLAY_15, out);
            }
            Record::Pending(_) => self.wait_for_record(rules::PLAY_15, out),
        }
    }

    /// Goes on to the next item automatically. Rules PL-8, PL-12.
    pub(super) fn advance(&mut self, out: &mut Outbox) {
        match self.items.judged_next(&self.settings.page, out) {
            Some(next) => self.go_to(next, Some(rules::PL_12), out),
            None => {
                self.enter(State::Ended(Advance::Nowhere), rules::PL_13, out);
                self.items.complete_pass(out);
            }
        }
    }

    /// Changes to an item and starts it. `skipped` is the rule for the `skipped` event, if it is
    /// due. Rule PL-7.
    pub(super) fn go_to(&mut self, index: usize, skipped: Option<RuleId>, out: &mut Outbox) {
        self.note_left(out);
        self.abort_breaks(out);
        self.items.playlist.choose(index);
        if let Some(rule) = skipped {
            out.event(rule, EventName::Skipped);
        }
        self.enter(State::Initial, rules::PL_7, out);
        self.items.playlist.take_up_edit(index);
        self.prepare_item(out);
        self.first_start(out);
    }
}
