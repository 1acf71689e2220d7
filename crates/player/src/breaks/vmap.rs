//! The player's side of breaks that come from a VMAP document: before, after and alongside the
//! content. Also handles breaks that turn out to be of another kind than they were opened as.
//!
//! Breaks within the content are treated like cue points, in `cue_points`. A break that is over as
//! soon as it is opened (its document has no ad) does not hold content, and the next one has its
//! turn in the same instant.
//!
//! Rules: VMAP-1, VMAP-7, VMAP-18 to VMAP-21, POST-1, POST-3, END-2, PRD-9, PRD-30.

use super::cue_points::Bringing;
use super::slot::{Alongside, BreakAtCue, BreakSlot, Moment};
use crate::Player;
use crate::state::{Advance, AfterBreak, Due, OpenBreak, State};
use playsim_ads::{AdBreak, BreakPlan, Opening, Phase, Room};
use playsim_api::{Cause, EventName, Outbox};
use playsim_base::time::Position;
use playsim_rules as rules;
use playsim_rules::knobs::{EndedVsPostroll, VmapAdEnd};

impl Player {
    /// Opens the next VMAP break that is due before the content. Returns `false` if there is none,
    /// or all of them were over immediately. Rule VMAP-18.
    pub(crate) fn open_next_start(
        &mut self,
        wanted: bool,
        play_fired: bool,
        out: &mut Outbox,
    ) -> bool {
        let length = self.element.length().flatten();
        let mut owes_end = self.settings.knobs.vmap_ad_end() == VmapAdEnd::Break;
        while self.may_show_ads()
            && let Some(plan) = self.breaks.schedule.next_start(length)
        {
            if let Some(why) = self.passes_pre_roll(out.now()) {
                Self::pass_start(&plan, why, &mut owes_end, out);
                continue;
            }
            if self.open_held(plan, wanted, AfterBreak::Start { play_fired }, out) {
                return true;
            }
        }
        self.open_stand_in(wanted, AfterBreak::Start { play_fired }, out)
    }

    /// Passes over a pre-roll of a schedule. The break that brought the schedule has left its
    /// `adEnd` to the first one. Rules PRD-9, VMAP-22.
    fn pass_start(plan: &BreakPlan, why: &'static str, owes_end: &mut bool, out: &mut Outbox) {
        plan.drop_it(rules::PRD_9, why, out);
        if std::mem::take(owes_end) {
            out.event(rules::VMAP_22, EventName::AdEnd);
        }
    }

    /// A pre-roll that loads while content plays has brought a schedule: the breaks that come
    /// before the content or with its start come now, unless they are passed over for this reason.
    /// Rules PRD-9, PRD-21, VMAP-18.
    pub(super) fn start_schedule(&mut self, passes: Option<&'static str>, out: &mut Outbox) {
        let length = self.element.length().flatten();
        let mut owes_end = self.settings.knobs.vmap_ad_end() == VmapAdEnd::Break;
        while !self.is_in_linear_break()
            && self.may_show_ads()
            && let Some(plan) = self.breaks.schedule.next_start(length)
        {
            let Some(why) = passes else {
                self.open_pending(plan, out);
                continue;
            };
            Self::pass_start(&plan, why, &mut owes_end, out);
        }
        self.show_display_at_start(passes, out);
    }

    /// Opens the breaks that come with the start of the content, over it or next to it, unless they
    /// are passed over for this reason. Rules VMAP-7, PRD-9.
    pub(super) fn show_display_at_start(&mut self, passes: Option<&'static str>, out: &mut Outbox) {
        for which in self
            .breaks
            .schedule
            .display_at_start(self.element.length().flatten())
        {
            let cue = BreakAtCue {
                at: Position::ZERO,
                which,
            };
            match passes {
                Some(why) => {
                    if let Some(plan) = self.plan_cue(cue, Bringing::Play) {
                        plan.drop_it(rules::PRD_9, why, out);
                    }
                }
                None => self.bring_break(cue, Bringing::Play, out),
            }
        }
    }

    /// Opens the breaks that are due after the content, then ends the item. Rules END-2, POST-1,
    /// POST-2, VMAP-18.
    pub(crate) fn play_out(&mut self, wanted: bool, ended: Option<Cause>, out: &mut Outbox) {
        let may_show_ads = self.may_show_ads();
        if let Some(plan) = self.breaks.schedule.post_roll().filter(|_| may_show_ads)
            && self.items.due.has(Due::POST_ROLL)
        {
            let is_asked = self.breaks.asked_post_roll();
            // One that was requested ahead and found no ad is over.
            let is_over = is_asked && !self.breaks.has_ahead(Moment::End);
            if !is_over && self.ends_before_breaks(wanted, ended, out) {
                return;
            }
            self.items.due.take(Due::POST_ROLL);
            if let Some(ad_break) = self.breaks.take_ahead(Moment::End) {
                self.hold(
                    *ad_break,
                    wanted,
                    AfterBreak::End { ended },
                    rules::PRD_30,
                    out,
                );
                self.follow_held(out);
                return;
            }
            if !is_asked {
                self.open_break(plan, wanted, AfterBreak::End { ended }, out);
                return;
            }
        }
        let length = self.element.length().flatten();
        let mut has_had_one = matches!(self.state.back(), Some(AfterBreak::End { .. }));
        while may_show_ads && let Some(plan) = self.breaks.schedule.next_end(length) {
            has_had_one = true;
            if plan.opening() == Opening::NextToPlayer {
                self.bring_display(plan, false, out);
                continue;
            }
            if self.ends_before_breaks(wanted, ended, out) {
                self.breaks.schedule.give_back_end(length);
                return;
            }
            if self.open_held(plan, wanted, AfterBreak::End { ended }, out) {
                return;
            }
        }
        if has_had_one || !self.waits_for_no_post_roll(wanted, ended, out) {
            self.finish(wanted, ended, out);
        }
    }

    /// Fires `ended` before the breaks after the content, if the knob says so. Until its listeners
    /// have run, the player is at the end: if one of them plays again, these breaks remain due.
    /// Rule END-2.
    pub(super) fn ends_before_breaks(
        &mut self,
        wanted: bool,
        ended: Option<Cause>,
        out: &mut Outbox,
    ) -> bool {
        match self.settings.knobs.ended_vs_postroll() {
            EndedVsPostroll::Before if ended.is_none() => {
                self.enter(State::Ended(Advance::Nowhere), rules::END_2, out);
                let ended = out.event(rules::END_2, EventName::Ended);
                self.state = State::Ended(Advance::Breaks { ended, wanted });
                self.state.ask_for_end_breaks(out);
                true
            }
            EndedVsPostroll::Before | EndedVsPostroll::After => false,
        }
    }

    /// The listeners of `ended` have run: opens the breaks after the content, unless one of them
    /// has started something else. A commanded ad comes first. Rules END-2, PA-3.
    pub(crate) fn open_end_breaks(&mut self, out: &mut Outbox) {
        if let State::Ended(Advance::Breaks { ended, wanted }) = self.state
            && !self.breaks.is_pending()
        {
            self.play_out(wanted, Some(ended), out);
        }
    }

    /// A break after the content is cancelled, and remains due. Rule POST-3.
    pub(super) fn rearm_post_roll(&mut self) {
        if self
            .break_of(BreakSlot::Held)
            .is_some_and(AdBreak::is_of_vmap)
        {
            self.breaks
                .schedule
                .give_back_end(self.element.length().flatten());
        } else {
            self.items.due.arm(Due::POST_ROLL);
            self.breaks.forget_post_roll();
        }
    }

    /// Opens a break that content is held for. Returns `false` if it does not hold content after
    /// all, because it was over immediately or has turned into one of another kind. Rules VMAP-7,
    /// VMAP-18.
    pub(crate) fn open_held(
        &mut self,
        plan: BreakPlan,
        wanted: bool,
        back: AfterBreak,
        out: &mut Outbox,
    ) -> bool {
        if plan.vmap.is_none() {
            self.open_break(plan, wanted, back, out);
            return true;
        }
        let rule = plan.rule;
        let ad_break = self.begin_break(plan.over_content(may_lie_over(back)), out);
        let Some(ad_break) = self.sort_out(ad_break, out) else {
            return false;
        };
        self.hold(ad_break, wanted, back, rule, out);
        self.follow_held(out);
        true
    }

    /// Puts a break that was just opened in its place; returns it if it has linear ads and is not
    /// over.
    pub(super) fn sort_out(&mut self, mut ad_break: AdBreak, out: &mut Outbox) -> Option<AdBreak> {
        if let Phase::Over(_) = ad_break.phase() {
            self.breaks.conclude(&mut ad_break, out);
            return None;
        }
        if Alongside::of(ad_break.kind()) == Alongside::Pending {
            return Some(ad_break);
        }
        self.put_aside(ad_break, out);
        None
    }

    /// Moves a break that has turned into another kind to its new place, which is known to be free.
    /// Rule VMAP-7.
    fn put_aside(&mut self, ad_break: AdBreak, out: &mut Outbox) {
        let which = Alongside::of(ad_break.kind());
        self.breaks.put(which, ad_break);
        self.follow(which.into(), out);
    }

    /// The kinds of break that a break at this place may turn into. Rules VMAP-7, VMAP-19.
    pub(super) fn room(&self, which: Alongside, has_content: bool) -> Room {
        let is_free = |other: Alongside| self.breaks.get(other).is_none();
        Room {
            linear: which == Alongside::Pending || (has_content && !self.is_in_linear_break()),
            overlay: which == Alongside::Overlay || (has_content && is_free(Alongside::Overlay)),
            display: which == Alongside::Display
                || (is_free(Alongside::Display) && !self.surface.view.is_fullscreen()),
        }
    }

    /// The kinds of break that an open break may turn into now. Rule VMAP-7.
    pub(super) fn room_of(&self, which: BreakSlot) -> Room {
        match which {
            BreakSlot::Held => {
                let may_have = self
                    .state
                    .open_break()
                    .is_some_and(|open| may_lie_over(open.back));
                self.room(Alongside::Pending, may_have)
            }
            BreakSlot::Alongside(Alongside::Pending) => self.room(Alongside::Pending, true),
            // It does not change its kind before its cue point. PRD-26
            BreakSlot::Ahead(_) => Room {
                linear: true,
                overlay: false,
                display: false,
            },
            BreakSlot::Alongside(which) => self.room(which, self.state.is_in_content()),
        }
    }

    /// Moves the break that content is held for if it has turned into one that holds nothing. Rule
    /// VMAP-7.
    pub(super) fn turn_held(&mut self, out: &mut Outbox) -> bool {
        let Some(OpenBreak { ad_break, back }) = self.state.open_break() else {
            return false;
        };
        if !has_turned(ad_break, Alongside::Pending) {
            return false;
        }
        let (ad_break, back) = (ad_break.clone(), *back);
        self.put_aside(ad_break, out);
        self.after_break(back, playsim_ads::BreakOutcome::NoFill, out);
        true
    }

    /// Moves a break that is open while content plays if it has changed into a kind with another
    /// slot. Rule VMAP-7.
    pub(super) fn turn(&mut self, which: Alongside, out: &mut Outbox) -> bool {
        if !self
            .breaks
            .get(which)
            .is_some_and(|ad_break| has_turned(ad_break, which))
        {
            return false;
        }
        if let Some(ad_break) = self.breaks.take(which) {
            self.put_aside(*ad_break, out);
            if which == Alongside::Pending {
                self.bring_waiting(out);
            }
        }
        true
    }

    /// A display break is due. Rules VMAP-19, VMAP-20.
    pub(crate) fn bring_display(&mut self, plan: BreakPlan, has_content: bool, out: &mut Outbox) {
        if self.surface.view.is_fullscreen() {
            plan.wait_for_room("there is no space next to the player in fullscreen", out);
            if let Some(earlier) = self.breaks.missed_display.replace(Box::new(plan)) {
                earlier.drop_it(rules::VMAP_19, "a later display break takes its place", out);
            }
        } else if self.breaks.get(Alongside::Display).is_some() {
            plan.drop_it(rules::VMAP_19, "another display break is loading", out);
        } else {
            let ad_break = self.begin_break(plan.over_content(has_content), out);
            self.breaks.put(Alongside::Display, ad_break);
            self.follow_display(out);
        }
    }

    /// There is space next to the player again. Rule VMAP-20.
    pub(crate) fn offer_display(&mut self, out: &mut Outbox) {
        if let Some(plan) = self.breaks.missed_display.take() {
            let has_content = self.state.is_in_content();
            let plan = plan.because(rules::VMAP_20, "there is space next to the player again");
            self.bring_display(plan, has_content, out);
        }
    }

    /// Reacts to the phase of the display break: an ad that is ready is shown, and the break is
    /// then over. Rule VMAP-20.
    pub(super) fn follow_display(&mut self, out: &mut Outbox) {
        while !self.turn(Alongside::Display, out)
            && let Some((display, mut cx)) = self.break_and_context(Alongside::Display.into(), out)
        {
            match display.phase() {
                Phase::Loading | Phase::Playing | Phase::Paused => return,
                Phase::Ready => display.start(&mut cx),
                Phase::Over(_) => {
                    if let Some(mut display) = self.breaks.take(Alongside::Display) {
                        self.breaks.settle(&mut display);
                    }
                }
            }
        }
    }
}

/// Whether a break has turned into one of another place, and is not over.
fn has_turned(ad_break: &AdBreak, from: Alongside) -> bool {
    Alongside::of(ad_break.kind()) != from && !matches!(ad_break.phase(), Phase::Over(_))
}

/// Whether there is content, or will be, for an overlay to lie over.
fn may_lie_over(back: AfterBreak) -> bool {
    match back {
        AfterBreak::Start { .. } | AfterBreak::Content | AfterBreak::Paused => true,
        AfterBreak::Rest
        | AfterBreak::Initial { .. }
        | AfterBreak::Ended(_)
        | AfterBreak::End { .. } => false,
    }
}
