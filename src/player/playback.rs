//! What the content's playhead brings, and what moves it.
//!
//! Positions are found at the exact microsecond: whatever the position will bring next is one instant,
//! worked out when the playhead starts, jumps or has passed the one before.
//!
//! Rules: CLK-3, MEL-10, MEL-11, MEL-13 to MEL-17, END-1 to END-5, LAST-1 to LAST-4, TIME-5 to TIME-11,
//! CH-8, PAUSE-1, PL-12, PL-13, PL-16.

use super::element::Obstacle;
use super::state::{Back, OpenBreak};
use super::*;
use crate::ads::{Opening, Phase};
use crate::api::Cause;
use crate::knobs::{Detection, SeekDuringAd};

/// `lastSecond` comes so long before the end. Rule LAST-1.
const LAST_SECOND: Span = Span::from_secs(1);

impl Player {
    /// The position begins to advance. Rules PLAY-4, MEL-15.
    pub(super) fn run(&mut self, now: Time, out: &mut Outbox) {
        self.catch_up(now, out);
        self.element.advance(now);
        let next_update = now + self.updates.next();
        let ticking = Ticking { next_update, next_mark: None, cause: out.cause() };
        self.enter(State::Playing(ticking), rule!("MEL-9"), out);
        self.note_playing(now, out);
        if self.due.take(Due::START) {
            let start = out.event(rule!("PLAY-9"), EventName::Start);
            self.measure_start(start, out);
            self.start_at_cues(now, out);
        }
        self.note_chapter(now, out);
        self.find_next_mark(now);
    }

    /// The hot path: a time update, or all of them up to the next thing that happens.
    #[inline]
    pub(super) fn wake_playing(&mut self, now: Time, out: &mut Outbox) {
        let beside = self.next_wake_beside().map_or(Time::MAX, |wake| wake.at);
        let State::Playing(ticking) = &mut self.state else { return };
        out.blame(ticking.cause);
        if ticking.next_mark.is_some_and(|mark| mark <= now) {
            let next_update = ticking.next_update;
            if self.change_is_due(now) {
                // Data come first; what follows from the position has a turn of its own. CLK-3
                self.change_rendition(now, out);
                return;
            }
            self.reach_mark(now, next_update, out);
            return;
        }
        let step = self.settings.knobs.timeupdate_period;
        if !self.updates.is_even() {
            self.update_unevenly(now, out);
            return;
        }
        let count = if self.listeners.hears(EventName::TimeUpdate) {
            1
        } else {
            // Nobody listens: all updates before the next mark and up to the horizon in one run.
            let before_mark =
                ticking.next_mark.map_or(Time::MAX, |mark| Time::from_micros(mark.micros() - 1));
            let last = out.horizon().min(before_mark).min(beside).max(now);
            u32::try_from((last - now).micros() / step.micros() + 1).unwrap_or(u32::MAX)
        };
        ticking.next_update = now + step.times(u64::from(count));
        out.time_updates(rule!("MEL-15"), TimeUpdates { first: now, step, count });
    }

    /// What the position brings at one instant, in the order of CLK-3.
    fn reach_mark(&mut self, now: Time, next_update: Time, out: &mut Outbox) {
        if self.refill(now, out) && !matches!(self.state, State::Playing(_)) {
            return;
        }
        let position = self.element.position(now);
        let obstacle = self.element.obstacle(now);
        match obstacle {
            Some(Obstacle::Failure(fault)) => {
                self.element.fail(now, fault, out);
                self.fail(now, rule!("MEL-7"), out);
                return;
            }
            Some(Obstacle::Stall) => {
                // What the position has reached comes now, and not when data are back. CLK-3
                self.update_time(now, rule!("MEL-17"), out);
                self.element.stall(now, out);
                self.note_chapter(now, out);
                self.note_last_second(position, out);
                self.enter(State::Buffering, rule!("MEL-17"), out);
                self.end_overlay(now, out);
                self.reach_cues(now, position, out);
                return;
            }
            // The end brings a time update of its own; a periodic one is not due then. MEL-16
            Some(Obstacle::End) | None => {}
        }
        let is_update = obstacle.is_none() && next_update <= now;
        if is_update {
            self.update_time(now, rule!("MEL-15"), out);
            if let State::Playing(ticking) = &mut self.state {
                ticking.next_update = now + self.updates.next();
            }
        }
        self.note_chapter(now, out);
        // Between updates nothing but the exact instant is noticed. LAST-4
        let notices = match self.settings.knobs.detect {
            Detection::Exact => true,
            Detection::OnTimeupdate => is_update || obstacle.is_some(),
        };
        if notices {
            self.note_last_second(position, out);
        }
        self.end_overlay(now, out);
        if notices {
            self.reach_cues(now, position, out);
        }
        match obstacle {
            // A mid-roll may hold content already; the end comes after it.
            Some(Obstacle::End) if matches!(self.state, State::Playing(_)) => self.end(now, out),
            Some(Obstacle::End) => {}
            Some(Obstacle::Stall | Obstacle::Failure(_)) | None => self.find_next_mark(now),
        }
    }

    /// `lastSecond`, if the position has come to it. Rules LAST-1, LAST-2.
    fn note_last_second(&mut self, position: Position, out: &mut Outbox) {
        if self.last_second_starts().is_some_and(|start| start <= position) {
            self.due.take(Due::LAST_SECOND);
            let is_short = self.element.duration().is_some_and(|duration| duration <= LAST_SECOND);
            let rule = if is_short { rule!("LAST-2") } else { rule!("LAST-1") };
            out.event(rule, EventName::LastSecond);
        }
    }

    /// Where `lastSecond` is due, if it is. Rules LAST-1, LAST-2.
    fn last_second_starts(&self) -> Option<Position> {
        let duration = self.element.duration().filter(|_| self.due.has(Due::LAST_SECOND))?;
        Some((duration - LAST_SECOND).end())
    }

    /// Works out when the position brings something else than a periodic time update. Rules CLK-3, LAST-4.
    pub(super) fn find_next_mark(&mut self, now: Time) {
        let State::Playing(ticking) = &self.state else { return };
        let next_update = ticking.next_update;
        let position = self.element.position(now);
        let reached = |at: Option<Position>| at.and_then(|at| self.element.reaches(at.max(position)));
        // These come of themselves, whatever is noticed when.
        let exact = [
            reached(self.element.next_obstacle().map(|(at, _)| at)),
            reached(self.chapters.next_start(position)),
            self.overlay_ends_at(),
            self.element.next_change(now),
            self.element.dry_at(now),
            self.change_due(),
        ];
        let noticed = [
            reached(self.last_second_starts()),
            reached(self.cues.next_mid_roll()),
            reached(self.cues.next_overlay(position).filter(|_| self.overlay.is_none())),
        ];
        let noticed = noticed.into_iter().flatten().min().map(|at| self.noticed_at(at, next_update));
        let next_mark = exact.into_iter().chain([noticed]).flatten().min();
        if let State::Playing(ticking) = &mut self.state {
            ticking.next_mark = next_mark;
        }
    }

    /// When something that the position reaches at an instant is noticed. Rule LAST-4.
    fn noticed_at(&self, at: Time, next_update: Time) -> Time {
        match self.settings.knobs.detect {
            Detection::Exact => at,
            // When the one after the next comes is not known yet: it is looked at again then.
            Detection::OnTimeupdate if !self.updates.is_even() => next_update,
            Detection::OnTimeupdate => {
                let step = self.settings.knobs.timeupdate_period;
                next_update + step.times((at - next_update).micros().div_ceil(step.micros()))
            }
        }
    }

    /// A time update that is not a periodic one. Rule MEL-16.
    pub(super) fn update_time(&mut self, now: Time, rule: RuleId, out: &mut Outbox) {
        let step = self.settings.knobs.timeupdate_period;
        out.time_updates(rule, TimeUpdates { first: now, step, count: 1 });
    }

    /// No event tells that another chapter began; a line does. Rule CH-8.
    fn note_chapter(&mut self, now: Time, out: &mut Outbox) {
        let position = self.element.position(now);
        let chapter = self.chapters.at(position);
        if chapter == self.chapter {
            return;
        }
        self.chapter = chapter;
        let described = chapter
            .and_then(|number| self.chapters.describe(number, self.element.duration()))
            .unwrap_or_else(|| Fields::one("chapter", Value::Null));
        let data = Fields::one("position", position).and(described);
        out.line(rule!("CH-8"), Kind::Media, "chapter", data);
    }

    /// The position has come to the end. Rules END-1, MEL-11.
    fn end(&mut self, now: Time, out: &mut Outbox) {
        let end = self.element.duration().map_or(Position::ZERO, Span::end);
        self.update_time(now, rule!("MEL-11"), out);
        if self.settings.knobs.ended_pause_event.is_on() {
            // A media element pauses itself there. MEL-11
            out.event(rule!("END-1"), EventName::Pause);
        }
        self.element.place(now, end);
        self.element.stand(now);
        self.leave_content(now, out);
    }

    /// What stands between the end of the content and the end of the item: breaks that are still due, the
    /// post-roll. Rules CUE-10, END-2, OVL-6, POST-1.
    pub(super) fn leave_content(&mut self, now: Time, out: &mut Outbox) {
        self.take_overlay_away(now, "content is over", out);
        if let Some(pending) = self.pending.take() {
            let is_ready = matches!(pending.ad_break.phase(), Phase::Ready);
            let open = Box::new(OpenBreak { ad_break: pending.ad_break, back: Back::Rest });
            let held = Held { by: Holder::Break(open), wanted: true };
            self.enter(State::AdLoading(held), rule!("CUE-10"), out);
            if is_ready {
                out.put(rule!("BRK-1"), Output::Task(Task::StartAd));
            }
            return;
        }
        while let Some(plan) = self.waiting_plan() {
            match plan.opening() {
                Opening::InPlace => {
                    if self.open_held(now, plan, true, Back::Rest, out) {
                        return;
                    }
                }
                Opening::Over => plan.drop_it("content is over", out),
                Opening::Beside => self.bring_display(now, plan, false, out),
            }
        }
        self.play_out(now, true, None, out);
    }

    /// The item is over: `ended` unless it was told before, then the next item. Rules END-1 to END-4, PL-12 to
    /// PL-14, PAUSE-4.
    pub(super) fn finish(&mut self, now: Time, wanted: bool, told: Option<Cause>, out: &mut Outbox) {
        let is_after_post_roll =
            self.state.open_break().is_some_and(|open| matches!(open.back, Back::End { .. }));
        let rule = if is_after_post_roll { rule!("POST-2") } else { rule!("END-1") };
        self.enter(State::Ended(Advance::Nowhere), rule, out);
        let ended = told.unwrap_or_else(|| out.event(rule, EventName::Ended));
        if self.playlist.next_index().is_some() {
            let at = now + self.settings.knobs.playlist_advance_delay;
            self.state = State::Ended(if wanted { Advance::Due(at, ended) } else { Advance::Paused });
        } else if self.playlist.is_list() && !self.due.has(Due::PLAYLIST_START) {
            // After a seek back the pass is complete already, and no other one has begun. PL-11, EV-16
            out.blame(ended);
            out.event(rule!("PL-13"), EventName::PlaylistComplete);
            self.due.arm(Due::PLAYLIST_START);
        }
    }

    /// The content fails. Rules ERR-1 to ERR-3, PL-16: no `pause`, no `ended`.
    pub(super) fn fail(&mut self, _now: Time, rule: RuleId, out: &mut Outbox) {
        let is_wanted = match &self.state {
            State::AdLoading(held) => held.wanted,
            State::AdPlaying(_) | State::AdPaused(_) | State::Playing(_) | State::Buffering => true,
            State::Created(_)
            | State::Initial
            | State::Paused
            | State::Ended(_)
            | State::Failed
            | State::Destroyed => false,
        };
        self.abort_breaks(out);
        self.enter(State::Failed, rule, out);
        self.tell_failure(out);
        if is_wanted {
            self.pass_over(out);
        }
    }

    /// Content stops where it is. Rules PAUSE-1, MEL-10.
    pub(super) fn pause_content(&mut self, now: Time, out: &mut Outbox) {
        self.element.stand(now);
        self.enter(State::Paused, rule!("PAUSE-1"), out);
        self.update_time(now, rule!("MEL-10"), out);
        out.event(rule!("PAUSE-1"), EventName::Pause);
        self.reject_play(rule!("MEL-10"), "AbortError", out);
    }

    /// Seeks; gives where it goes. Rules TIME-4 to TIME-9, END-5, PL-15.
    pub(super) fn seek(&mut self, now: Time, target: Position, by: By, out: &mut Outbox) -> Position {
        match &self.state {
            State::AdPlaying(_) | State::AdPaused(_) => return self.seek_during_ad(now, target, by, out),
            State::AdLoading(Held { by: Holder::Break(open), wanted }) => {
                let (back, wanted) = (open.back, *wanted);
                self.seek_while_loading(target, back, wanted, out);
            }
            State::Failed => {
                out.diag(rule!("ERR-5"), "no_media", "the item has failed, and there is nothing to seek in");
                return self.element.position(now);
            }
            State::Created(_)
            | State::Initial
            | State::AdLoading(_)
            | State::Playing(_)
            | State::Buffering
            | State::Paused
            | State::Ended(_)
            | State::Destroyed => {}
        }
        let Some(duration) = self.element.duration() else {
            self.element.place(now, target);
            return target;
        };
        let target = self.element.nearest(now, target);
        if matches!(self.state, State::Ended(_)) && target < duration.end() {
            // Another pass begins, and the advance to the next item is called off. LAST-3, PL-15
            self.due.arm(Due::LAST_SECOND);
            self.enter(State::Paused, rule!("TIME-8"), out);
        }
        self.cues.leave(self.element.position(now));
        let was_running = self.element.has_data();
        let seek = self.element.seek(now, target, Some(by), rule!("MEL-13"), out);
        self.await_seek(now, seek, was_running, out);
        target
    }

    /// A seek while a linear ad is on. Rule TIME-6.
    fn seek_during_ad(&mut self, now: Time, target: Position, by: By, out: &mut Outbox) -> Position {
        match self.settings.knobs.seek_during_ad {
            SeekDuringAd::Ignore => {
                out.diag(rule!("TIME-6"), "seek_during_ad", "an ad is on, and content cannot be sought");
                self.element.position(now)
            }
            SeekDuringAd::DeferToContent => {
                let target = self.element.nearest(now, target);
                self.deferred_seek = Some((target, by));
                target
            }
            SeekDuringAd::SeekAd => {
                let Some(open) = self.state.open_break_mut() else { return target };
                let before = open.ad_break.playhead(now).map(|(_, position)| position);
                let target = open.ad_break.seek(now, target).unwrap_or(target);
                self.tell_seek_of_ad(now, before, target, out);
                target
            }
        }
    }

    /// A seek has its data, unless a later one replaced it. Rules MEL-13, TIME-10, MEL-24, LAST-3.
    pub(super) fn seeked(&mut self, now: Time, seek: u32, out: &mut Outbox) {
        if !self.element.is_current_seek(seek) || self.is_destroyed() {
            return;
        }
        if matches!(self.state, State::AdPlaying(_) | State::AdPaused(_)) {
            // An ad started within the instant of the seek; it finishes after that. BRK-16
            self.held_seek = Some(seek);
            self.element.hold_seek();
            return;
        }
        let arrives = self.tell_seeked(now, rule!("MEL-14"), out);
        if let State::Playing(ticking) = &mut self.state {
            ticking.next_update = now + self.updates.next();
            // It stood at the end before a post-roll, and advances again. POST-3
            self.element.advance(now);
            self.note_chapter(now, out);
        }
        self.raise(now, rule!("MEL-13"), false, out);
        match &self.state {
            State::Playing(_) | State::Buffering | State::Paused if arrives => self.arrive_at_cues(now, out),
            State::AdLoading(Held { by: Holder::Break(open), .. })
                if arrives && open.back.is_within_content() =>
            {
                self.arrive_at_cues(now, out);
            }
            State::Playing(_)
            | State::Buffering
            | State::Paused
            | State::Created(_)
            | State::Initial
            | State::AdLoading(_)
            | State::AdPlaying(_)
            | State::AdPaused(_)
            | State::Ended(_)
            | State::Failed
            | State::Destroyed => {}
        }
        self.find_next_mark(now);
    }
}
