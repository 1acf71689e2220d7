//! The continuation after a break that content was held for, and the cancellation of such a break.
//!
//! The state to return to is settled when the break is opened or starts to show: its
//! [`AfterBreak`].
//!
//! Rules: BRK-16, BRK-18, CUE-9, CUE-10, PLAY-5, PLAY-6, PAUSE-4, PA-3, POST-2, POST-3, STOP-3,
//! ERR-3, TIME-6, TIME-7.

use super::UnitStart;
use super::slot::BreakSlot;
use crate::Player;
use crate::state::{Advance, AfterBreak, Due, Held, State};
use playsim_ads::{AdBreak, BreakKind, BreakOutcome};
use playsim_api::{AdLine, EventName, Fields, Outbox, Output};
use playsim_base::time::{Position, Span};
use playsim_rules::knobs::{BeforeStartScope, PauseDuringLoad};
use playsim_rules::{self as rules, RuleId};

impl Player {
    /// A break that content was held for is over. Rules PLAY-5, PLAY-6, PAUSE-4.
    pub(super) fn after_break(
        &mut self,
        back: AfterBreak,
        outcome: BreakOutcome,
        out: &mut Outbox,
    ) {
        if let Some(open) = self.state.open_break_mut() {
            self.breaks.conclude(&mut open.ad_break, out);
        }
        self.element.release_seek(out);
        if self.element.has_failed() {
            // It failed during the ad, and the failure was held back. ERR-3
            self.fail(rules::ERR_3, out);
        } else {
            self.go_back(back, outcome, out);
            // Another break may follow immediately.
            if !matches!(self.state, State::Held(_))
                && let Some((target, by)) = self.deferred_seek.take()
            {
                self.seek(target, by, out);
            }
        }
    }

    /// Returns to the state before the break, or continues with the state that the break preceded.
    pub(super) fn go_back(&mut self, back: AfterBreak, outcome: BreakOutcome, out: &mut Outbox) {
        let now = out.now();
        if self.role.is_unit() {
            self.after_unit_break(outcome, out);
            return;
        }
        let wanted = !matches!(self.state, State::Held(Held { wanted: false, .. }));
        match back {
            AfterBreak::Start { play_fired } if wanted => {
                let rule = match outcome {
                    BreakOutcome::NoFill if self.state.absent().is_some() => rules::PRD_32,
                    BreakOutcome::Filled => rules::PLAY_5,
                    BreakOutcome::NoFill | BreakOutcome::Scheduled => rules::PLAY_6,
                };
                if !self.open_next_start(true, play_fired, out) {
                    self.start_content(rule, !play_fired, out);
                }
            }
            AfterBreak::Start { .. } => self.enter(State::Initial, rules::PAUSE_4, out),
            AfterBreak::Content | AfterBreak::Rest if !wanted => {
                self.enter(State::Paused, rules::PAUSE_4, out);
                self.bring_waiting(out);
            }
            AfterBreak::Content if self.goes_back(outcome) => self.go_on_from_before(out),
            AfterBreak::Rest if self.element.is_at_end(now) => self.leave_content(out),
            AfterBreak::Content | AfterBreak::Rest => self.go_on_with_content(out),
            AfterBreak::Paused => self.enter(State::Paused, rules::PA_3, out),
            AfterBreak::Initial { then_play } => {
                self.enter(State::Initial, rules::PA_3, out);
                if then_play {
                    self.first_start(out);
                }
            }
            AfterBreak::Ended(Advance::Due(_, cause)) => {
                self.enter(State::Ended(Advance::Due(now, cause)), rules::PA_3, out);
            }
            AfterBreak::Ended(advance) => {
                self.enter(State::Ended(advance), rules::PA_3, out);
                self.state.ask_for_end_breaks(out);
            }
            AfterBreak::End { ended } => self.play_out(wanted, ended, out),
        }
    }

    /// Content continues at its position; no documented event fires. Rules BRK-18, CUE-9.
    fn go_on_with_content(&mut self, out: &mut Outbox) {
        if self.element.can_begin(out) {
            self.run(out);
        } else {
            self.wait(rules::BRK_18, rules::BRK_18, out);
        }
        self.bring_waiting(out);
    }

    /// Whether content continues before the position where it stopped. Rule PRD-22.
    fn goes_back(&self, outcome: BreakOutcome) -> bool {
        self.settings.knobs.midroll_rewind() > Span::ZERO
            && outcome == BreakOutcome::Filled
            && self
                .break_of(BreakSlot::Held)
                .is_some_and(|ad_break| ad_break.kind() == BreakKind::Mid)
    }

    /// Content continues a little before the position where it stopped. Rule PRD-22.
    fn go_on_from_before(&mut self, out: &mut Outbox) {
        let stopped = self.element.position(out.now()) - Position::ZERO;
        let target = (stopped - self.settings.knobs.midroll_rewind()).end();
        self.element.seek_by_itself(target, rules::PRD_22, out);
        self.go_on(rules::PRD_22, out);
        self.bring_waiting(out);
    }

    /// Ends all open breaks without any event to the page. Rule STOP-3.
    ///
    /// The caller has to change the state.
    pub(crate) fn abort_breaks(&mut self, out: &mut Outbox) {
        self.deferred_seek = None;
        self.abort_held(out);
        self.breaks.abort_alongside(out);
    }

    /// Ends the break that content is held for, without any event to the page.
    pub(super) fn abort_held(&mut self, out: &mut Outbox) {
        if let Some(open) = self.state.open_break_mut() {
            self.breaks.abort(&mut open.ad_break, out);
        }
    }

    /// `pause()` while content is held for a break that loads. Rule PAUSE-4.
    pub(crate) fn pause_while_loading(&mut self, out: &mut Outbox) {
        match self.settings.knobs.pause_during_load() {
            PauseDuringLoad::Hold => self.want(false, out),
            PauseDuringLoad::Ignore => {}
            PauseDuringLoad::CancelBreak => {
                self.want(false, out);
                let Some(back) = self.state.back() else {
                    return;
                };
                self.abort_held(out);
                self.go_back(back, BreakOutcome::NoFill, out);
            }
        }
    }

    /// A seek while content is held for a break that loads. During the load of the post-roll it
    /// cancels that break: the post-roll remains due and content can play again. Rules POST-3,
    /// TIME-7, TIME-8.
    pub(crate) fn seek_while_loading(
        &mut self,
        target: Position,
        back: AfterBreak,
        wanted: bool,
        out: &mut Outbox,
    ) {
        if let AfterBreak::End { ended } = back {
            self.rearm_post_roll();
            self.abort_held(out);
            if ended.is_some() {
                // `ended` has already fired: another pass begins as after any seek from the end.
                // TIME-8
                self.items.due.arm(Due::LAST_SECOND);
            }
            let plays = wanted && ended.is_none();
            if plays {
                self.element.unpause();
            }
            self.enter(
                if plays { State::Playing } else { State::Paused },
                rules::POST_3,
                out,
            );
        } else if let AfterBreak::Ended(_) = back
            && self
                .element
                .duration()
                .is_some_and(|duration| target < duration.end())
        {
            self.items.due.arm(Due::LAST_SECOND);
            if let Some(open) = self.state.open_break_mut() {
                open.back = AfterBreak::Paused;
            }
        }
    }

    /// Whether `beforeStart` fires before an ad, and by which rule. Rules PLAY-5, PLAY-7, PA-10.
    pub(super) fn before_start_of_ad(&mut self, is_first_of_break: bool) -> Option<RuleId> {
        let is_due = self.items.due.take(Due::BEFORE_START);
        let tells = match self.settings.knobs.before_start_scope() {
            BeforeStartScope::Item => is_due,
            BeforeStartScope::Break => is_due || is_first_of_break,
            BeforeStartScope::Ad => true,
        };
        let kind = self.break_of(BreakSlot::Held).map(AdBreak::kind);
        tells.then_some(match kind {
            Some(BreakKind::Command) if is_due => rules::PA_10,
            Some(_) | None if is_due => rules::PLAY_5,
            Some(_) | None => rules::PLAY_7,
        })
    }

    /// Fires `beforeStart` if the ad of a unit has started, even if it is over at the same instant.
    /// Rule PLAY-5.
    pub(super) fn announce_unit_ad(&mut self, out: &mut Outbox) {
        let Some(UnitStart {
            in_break,
            earlier_ads,
            asked,
        }) = self.breaks.unit_start
        else {
            return;
        };
        let has_started = |ad_break: &AdBreak| {
            ad_break.number() == in_break && ad_break.ads_started() > earlier_ads
        };
        if !self.break_of(BreakSlot::Held).is_some_and(has_started) {
            return;
        }
        self.breaks.unit_start = None;
        if let Some(rule) = self.before_start_of_ad(earlier_ads == 0) {
            // The impression is already in the outbox.
            let cause = out.cause();
            out.set_cause(asked);
            out.put_first(rule, Output::Event(EventName::BeforeStart.into()));
            out.set_cause(cause);
        }
    }

    /// An ad has appeared on screen. `was_wanted` is false if it was paused after its unit was
    /// asked to start.
    ///
    /// Rules MUTE-6, VPAID-18.
    pub(super) fn ad_came_on(&mut self, was_wanted: bool, out: &mut Outbox) {
        self.note_own_sound(out);
        if !was_wanted {
            let why = "it was paused before it was on screen";
            let number = self.break_of(BreakSlot::Held).and_then(AdBreak::number);
            out.within(number)
                .line(rules::VPAID_18, AdLine::Hold, Fields::one("why", why));
            self.pause_ad(out);
        }
    }
}
