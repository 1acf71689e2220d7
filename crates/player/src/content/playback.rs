//! The effects of the content's advancing playhead, and its moves.
//!
//! Positions are exact to the microsecond: the instant of the next thing that the position triggers
//! is computed when the playhead starts, jumps, or has passed the previous one.
//!
//! Rules: CLK-3, MEL-10, MEL-11, MEL-13 to MEL-17, END-1 to END-5, LAST-1 to LAST-4, TIME-5 to
//! TIME-11, CH-8, PAUSE-1, PL-12, PL-13, PL-16.

use crate::Player;
use crate::api::calls::By;
use crate::breaks::slot::Alongside;
use crate::state::{Advance, AfterBreak, Due, Held, Holder, OpenBreak, State};
use playsim_ads::Opening;
use playsim_api::{Cause, Code, EventName, Outbox, Output, Task};
use playsim_base::time::{Position, Span, Time};
use playsim_element::{Obstacle, SeekEnd};
use playsim_rules::knobs::{AskAhead, Detection, Limit, SeekDuringAd, SeekedCause};
use playsim_rules::{self as rules, RuleId};

/// How long before the end `lastSecond` fires. Rule LAST-1.
const LAST_SECOND: Span = Span::from_secs(1);

impl Player {
    /// The position begins to advance. Rules PLAY-4, MEL-15.
    pub(crate) fn run(&mut self, out: &mut Outbox) {
        let now = out.now();
        self.element.catch_up(out);
        self.enter(State::Playing, rules::MEL_9, out);
        self.element.begin(out);
        if self.items.due.take(Due::START) {
            self.breaks.cues.look_from(now);
            self.fire_start(out);
            self.start_at_cues(out);
        }
        self.note_chapter(out);
        self.find_next_mark(now);
    }

    /// The hot path: all time updates up to the next thing that happens, or up to the horizon.
    #[inline]
    pub(super) fn wake_playing(&mut self, out: &mut Outbox) {
        if self.element.is_marked(out) {
            if self.change_is_due(out.now()) {
                // Data change first; triggers of the position follow. CLK-3
                self.change_rendition(out);
            } else {
                self.reach_mark(out);
            }
            return;
        }
        let of_breaks = self.breaks.next_wake().map_or(Time::MAX, |wake| wake.at);
        self.element.update_times(of_breaks.min(out.horizon()), out);
    }

    /// Handles everything that the position triggers at one instant, in the order of CLK-3.
    fn reach_mark(&mut self, out: &mut Outbox) {
        let now = out.now();
        let is_update = self.element.is_update_due(now);
        if self.refill(out) && !matches!(self.state, State::Playing) {
            return;
        }
        let (position, content_time) = (self.element.position(now), self.element.content_time(now));
        let obstacle = self
            .element
            .next_obstacle(now)
            .filter(|(at, _)| *at <= now)
            .map(|(_, obstacle)| obstacle);
        match obstacle {
            Some(Obstacle::Failure(fault)) => {
                self.element.fail(fault, out);
                self.fail(rules::MEL_7, out);
                return;
            }
            Some(obstacle @ (Obstacle::Stall(_) | Obstacle::Dry)) => {
                // Cues at the position are due now, not when data are back. CLK-3
                self.element.run_dry(obstacle, out);
                self.note_chapter(out);
                self.note_last_second(position, out);
                self.enter(State::Buffering, rules::MEL_17, out);
                self.end_overlay(out);
                self.ask_ahead(content_time, out);
                self.reach_cues(content_time, out);
                return;
            }
            // The end has a time update of its own, which replaces the periodic one. MEL-16
            Some(Obstacle::End) | None => {}
        }
        let is_update = obstacle.is_none() && is_update;
        if is_update {
            self.element.update_times(now, out);
        }
        self.note_chapter(out);
        // With this knob, positions are only checked at updates. LAST-4
        let notices = match self.settings.knobs.detect() {
            Detection::Exact => true,
            Detection::OnTimeupdate => is_update || obstacle.is_some(),
        };
        if notices {
            self.note_last_second(position, out);
        }
        self.end_overlay(out);
        self.ask_ahead(content_time, out);
        // The end of the content is always the last look. PRD-24
        let looks = match self.settings.knobs.cue_check() {
            Limit::Off => notices,
            Limit::After(_) if matches!(obstacle, Some(Obstacle::End)) => true,
            Limit::After(period) => self.breaks.cues.next_look(now, period) == now,
        };
        if looks {
            self.reach_cues(content_time, out);
        }
        match obstacle {
            // A mid-roll may already hold content; the end comes after it.
            Some(Obstacle::End) if matches!(self.state, State::Playing) => self.end(out),
            Some(Obstacle::End) => {}
            Some(Obstacle::Stall(_) | Obstacle::Dry | Obstacle::Failure(_)) | None => {
                self.find_next_mark(now)
            }
        }
    }

    /// Fires `lastSecond` if the position has reached it. Rules LAST-1, LAST-2.
    fn note_last_second(&mut self, position: Position, out: &mut Outbox) {
        if self
            .last_second_starts()
            .is_some_and(|start| start <= position)
        {
            self.items.due.take(Due::LAST_SECOND);
            let is_short = self
                .element
                .duration()
                .is_some_and(|duration| duration <= LAST_SECOND);
            let rule = if is_short {
                rules::LAST_2
            } else {
                rules::LAST_1
            };
            out.event(rule, EventName::LastSecond);
        }
    }

    /// The position at which `lastSecond` is due, if it is. Rules LAST-1, LAST-2.
    fn last_second_starts(&self) -> Option<Position> {
        let duration = self
            .element
            .duration()
            .filter(|_| self.items.due.has(Due::LAST_SECOND))?;
        Some((duration - LAST_SECOND).end())
    }

    /// Computes when the position triggers something other than a periodic time update. Rules
    /// CLK-3, LAST-4.
    pub(crate) fn find_next_mark(&mut self, now: Time) {
        if !matches!(self.state, State::Playing) {
            return;
        }
        let position = self.element.position(now);
        let reached =
            |at: Option<Position>| at.and_then(|at| self.element.reaches(at.max(position)));
        let content_time = self.element.content_time(now);
        let reached_cue = |at: Option<Position>| reached(at.map(|at| self.element.on_timeline(at)));
        let [next_mid_roll, next_overlay] = self.breaks.next_cues(content_time);
        // These are exact, whatever knob `detect` says.
        let request = match self.settings.knobs.midroll_ask() {
            AskAhead::AtCue => None,
            ask @ (AskAhead::AtStart | AskAhead::Before(_)) => self.breaks.cues.next_request(ask),
        };
        let exact = [
            reached_cue(request),
            reached_cue(self.post_roll_request()),
            reached(self.items.chapters.next_start(position)),
            self.breaks.overlay_ends_at(),
            self.change_due(),
        ];
        let noticed = |at: Option<Time>| {
            at.map(|at| match self.settings.knobs.detect() {
                Detection::Exact => at,
                Detection::OnTimeupdate => self.element.update_from(at),
            })
        };
        let cue = [reached_cue(next_mid_roll), reached_cue(next_overlay)]
            .into_iter()
            .flatten()
            .min();
        let cue = match self.settings.knobs.cue_check() {
            Limit::Off => noticed(cue),
            Limit::After(period) => cue.map(|at| self.breaks.cues.next_look(at, period)),
        };
        let last_second = noticed(reached(self.last_second_starts()));
        self.element.mark(
            now,
            exact.into_iter().chain([cue, last_second]).flatten().min(),
        );
    }

    fn note_chapter(&mut self, out: &mut Outbox) {
        self.items.chapters.note(
            self.element.position(out.now()),
            self.element.duration(),
            out,
        );
    }

    /// The position has reached the end. Rules END-1, MEL-11.
    fn end(&mut self, out: &mut Outbox) {
        let pauses = self.settings.knobs.ended_pause_event().is_on();
        self.element
            .stop_at_end(pauses.then_some(rules::END_1), out);
        self.leave_content(out);
    }

    /// The content is over: opens the breaks that are still due before the item ends, the post-roll
    /// last. Rules CUE-10, END-2, OVL-6, POST-1.
    pub(crate) fn leave_content(&mut self, out: &mut Outbox) {
        self.take_overlay_away("content is over", out);
        if let Some(pending) = self.breaks.take(Alongside::Pending) {
            let is_ready = pending.is_ready();
            let open = Box::new(OpenBreak {
                ad_break: *pending,
                back: AfterBreak::Rest,
            });
            let held = Held {
                by: Holder::Break(open),
                wanted: true,
            };
            self.enter(State::Held(held), rules::CUE_10, out);
            if is_ready {
                out.put(rules::BRK_1, Output::Task(Task::StartAd));
            }
            return;
        }
        if let Some(ad_break) = self.breaks.take_waiting_ahead() {
            self.hold(*ad_break, true, AfterBreak::Rest, rules::CUE_10, out);
            self.follow_held(out);
            return;
        }
        while let Some(plan) = self.waiting_plan() {
            match plan.opening() {
                Opening::InPlace => {
                    if self.open_held(plan, true, AfterBreak::Rest, out) {
                        return;
                    }
                }
                Opening::Over => plan.drop_it(rules::VMAP_19, "content is over", out),
                Opening::NextToPlayer => self.bring_display(plan, false, out),
            }
        }
        self.breaks.abort_mid_rolls_ahead(out);
        self.play_out(true, None, out);
    }

    /// The item is over: fires `ended` unless it has already fired, then continues with the next
    /// item. Rules END-1 to END-4, PL-12 to PL-14, PAUSE-4.
    pub(crate) fn finish(&mut self, wanted: bool, ended: Option<Cause>, out: &mut Outbox) {
        let rule = match self.state.back() {
            Some(AfterBreak::End { .. }) if self.state.absent().is_some() => rules::PRD_32,
            Some(AfterBreak::End { .. }) => rules::POST_2,
            Some(_) | None => rules::END_1,
        };
        self.enter(State::Ended(Advance::Nowhere), rule, out);
        let ended = ended.unwrap_or_else(|| out.event(rule, EventName::Ended));
        let next = self.items.judged_next(&self.settings.page, out);
        out.set_cause(ended);
        if next.is_some() {
            let at = out.now() + self.settings.knobs.playlist_advance_delay();
            self.state = State::Ended(if wanted {
                Advance::Due(at, ended)
            } else {
                Advance::Paused
            });
        } else {
            self.items.complete_pass(out);
        }
    }

    /// The content fails. Rules ERR-1 to ERR-3, PL-16: no `pause`, no `ended`.
    pub(crate) fn fail(&mut self, rule: RuleId, out: &mut Outbox) {
        let is_wanted = self.state.is_wanted();
        self.abort_breaks(out);
        self.enter(State::Failed, rule, out);
        self.fire_failure(out);
        if is_wanted {
            self.pass_over(out);
        }
    }

    /// Content pauses where it is. Rules PAUSE-1, MEL-10.
    pub(super) fn pause_content(&mut self, out: &mut Outbox) {
        self.enter(State::Paused, rules::PAUSE_1, out);
        self.element.stop(rules::MEL_10, Some(rules::PAUSE_1), out);
    }

    /// Seeks; returns the resulting position. Rules TIME-4 to TIME-9, END-5, PL-15.
    pub(crate) fn seek(&mut self, target: Position, by: By, out: &mut Outbox) -> Position {
        let now = out.now();
        if self.state.is_ad() {
            return self.seek_during_ad(target, by, out);
        }
        if let Some(back) = self.state.back() {
            self.seek_while_loading(target, back, self.state.is_wanted(), out);
        } else if let State::Failed = self.state {
            out.diag(
                rules::ERR_5,
                Code::NoMedia,
                "the item has failed, so there is nothing to seek in",
            );
            return self.element.position(now);
        }
        let Some(duration) = self.element.duration() else {
            self.element.place(now, target);
            return target;
        };
        let target = self.element.nearest(now, target);
        if matches!(self.state, State::Ended(_)) && target < duration.end() {
            // Another pass begins, and the advance to the next item is cancelled. LAST-3, PL-15
            self.items.due.arm(Due::LAST_SECOND);
            self.enter(State::Paused, rules::TIME_8, out);
        }
        self.breaks.cues.leave(self.element.content_time(now));
        let tells =
            by == By::Person || self.settings.knobs.seeked_cause() == SeekedCause::AnyRequest;
        let end = if tells {
            SeekEnd::Announced(rules::TIME_5)
        } else {
            SeekEnd::Internal
        };
        self.element.seek(target, rules::MEL_13, end, out);
        if matches!(self.state, State::Playing) && self.element.is_waiting() {
            self.enter(State::Buffering, rules::MEL_13, out);
        }
        target
    }

    /// A seek while a linear ad is on. Rule TIME-6.
    fn seek_during_ad(&mut self, target: Position, by: By, out: &mut Outbox) -> Position {
        let now = out.now();
        match (self.settings.knobs.seek_during_ad(), by) {
            (SeekDuringAd::Ignore, _) | (SeekDuringAd::DeferCalls, By::Person) => {
                out.diag(
                    rules::TIME_6,
                    Code::SeekDuringAd,
                    "an ad is on screen, so seeking in content is not possible",
                );
                self.element.position(now)
            }
            (SeekDuringAd::DeferCalls, By::Script | By::Autoplay)
            | (SeekDuringAd::DeferToContent, _) => {
                let target = self.element.nearest(now, target);
                self.deferred_seek = Some((target, by));
                target
            }
            (SeekDuringAd::SeekAd, _) => {
                let Some(open) = self.state.open_break_mut() else {
                    return target;
                };
                let before = open.ad_break.playhead(now).map(|(_, position)| position);
                let target = open.ad_break.seek(now, target).unwrap_or(target);
                self.report_ad_seek(before, target, out);
                target
            }
        }
    }

    /// Finishes a seek that has its data, unless a later one replaced it. Rules MEL-13, TIME-10,
    /// MEL-24, LAST-3.
    pub(crate) fn seeked(&mut self, seek: u32, out: &mut Outbox) {
        if !self.element.is_current_seek(seek) || self.is_destroyed() {
            return;
        }
        if self.state.is_ad() {
            // An ad started within the instant of the seek, which finishes after the ad. BRK-16
            self.element.hold_seek();
            return;
        }
        let arrives = self.element.end_seek(out);
        if matches!(self.state, State::Playing) {
            self.note_chapter(out);
        }
        self.raise(rules::MEL_13, out);
        let is_in_content = match self.state.back() {
            Some(back) => back.is_within_content(),
            None => self.state.is_in_content(),
        };
        if arrives && is_in_content {
            self.arrive_at_cues(out);
        }
        self.find_next_mark(out.now());
    }
}
