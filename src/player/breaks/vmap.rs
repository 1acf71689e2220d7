//! The player's side of breaks that come from a VMAP document: before, after and alongside the content. Also
//! handles breaks that turn out to be of another kind than they were opened as.
//!
//! Breaks within the content are treated like cue points, in `cue_points`. A break that is over as soon as it
//! is opened (its document has no ad) does not hold content, and the next one has its turn in the same
//! instant.
//!
//! Rules: VMAP-1, VMAP-7, VMAP-18 to VMAP-21, POST-1, POST-3, END-2, PRD-9.

use super::cue_points::Bringing;
use super::macro_facts::lend;
use super::slot::BreakSlot;
use crate::ads::{AdBreak, BreakPlan, Opening, Phase, Room};
use crate::api::{Cause, EventName, Outbox};
use crate::knobs::{EndedVsPostroll, VmapAdEnd};
use crate::player::Player;
use crate::player::state::{Back, Due, OpenBreak, Pending, State};
use crate::rules;
use crate::time::{Position, Time};

/// The break of a display ad, which is shown next to the player. Rule VMAP-20.
#[derive(Debug, Clone, Default)]
pub(in crate::player) struct DisplayBreaks {
    /// The break while it loads. Once its ad is shown the break is over; it never holds content.
    pub(in crate::player) open: Option<Box<AdBreak>>,
    /// The latest break that could not be shown because of fullscreen.
    missed: Option<Box<BreakPlan>>,
}

impl Player {
    /// Takes over the schedule of breaks that a response has brought for the item. Rule VMAP-1.
    pub(super) fn take_schedule(&mut self, now: Time, which: BreakSlot, out: &mut Outbox) {
        let schedule = self.break_of_mut(which).and_then(AdBreak::take_schedule);
        if let Some(schedule) = schedule {
            self.schedule.adopt(schedule);
            self.find_cues(now, out);
        }
    }

    /// Opens the next VMAP break that is due before the content. Returns `false` if there is none, or all of
    /// them were over immediately. Rule VMAP-18.
    pub(in crate::player) fn open_next_start(
        &mut self,
        now: Time,
        wanted: bool,
        play_fired: bool,
        out: &mut Outbox,
    ) -> bool {
        let length = self.element.length().flatten();
        let mut owes_end = self.settings.knobs.vmap_ad_end == VmapAdEnd::Break;
        while self.may_show_ads()
            && let Some(plan) = self.schedule.next_start(length)
        {
            if let Some(why) = self.passes_pre_roll(now) {
                plan.drop_it(rules::PRD_9, why, out);
                // The break that brought the schedule left its `adEnd` to this pre-roll, which is skipped. VMAP-22
                if std::mem::take(&mut owes_end) {
                    out.event(rules::VMAP_22, EventName::AdEnd);
                }
                continue;
            }
            if self.open_held(now, plan, wanted, Back::Start { play_fired }, out) {
                return true;
            }
        }
        false
    }

    /// Opens the breaks that come with the start of the content, over it or next to it. Rule VMAP-7.
    pub(super) fn show_display_at_start(&mut self, now: Time, out: &mut Outbox) {
        for which in self.schedule.display_at_start(self.element.length().flatten()) {
            self.bring_break(now, (Position::ZERO, which), Bringing::Play, out);
        }
    }

    /// Opens the breaks that are due after the content, then ends the item. Rules END-2, POST-1, POST-2,
    /// VMAP-18.
    pub(in crate::player) fn play_out(
        &mut self,
        now: Time,
        wanted: bool,
        ended: Option<Cause>,
        out: &mut Outbox,
    ) {
        let mut ended = ended;
        let may_show_ads = self.may_show_ads();
        if let Some(plan) = self.schedule.post_roll().filter(|_| may_show_ads)
            && self.due.take(Due::POST_ROLL)
        {
            ended = self.fire_ended_early(ended, out);
            self.open_break(now, plan, wanted, Back::End { ended }, out);
            return;
        }
        let length = self.element.length().flatten();
        while may_show_ads && let Some(plan) = self.schedule.next_end(length) {
            if plan.opening() == Opening::NextToPlayer {
                self.bring_display(now, plan, false, out);
                continue;
            }
            ended = self.fire_ended_early(ended, out);
            if self.open_held(now, plan, wanted, Back::End { ended }, out) {
                return;
            }
        }
        self.finish(now, wanted, ended, out);
    }

    /// Fires `ended` before the post-roll, if the knob says so. Rule END-2.
    fn fire_ended_early(&self, ended: Option<Cause>, out: &mut Outbox) -> Option<Cause> {
        match self.settings.knobs.ended_vs_postroll {
            EndedVsPostroll::After => None,
            EndedVsPostroll::Before => ended.or_else(|| Some(out.event(rules::END_2, EventName::Ended))),
        }
    }

    /// A break after the content is cancelled, and remains due. Rule POST-3.
    pub(super) fn rearm_post_roll(&mut self) {
        if self.break_of(BreakSlot::Held).is_some_and(AdBreak::is_of_vmap) {
            self.schedule.give_back_end(self.element.length().flatten());
        } else {
            self.due.arm(Due::POST_ROLL);
        }
    }

    /// Opens a break that content is held for. Returns `false` if it does not hold content after all, because
    /// it was over immediately or has turned into one of another kind. Rules VMAP-7, VMAP-18.
    pub(in crate::player) fn open_held(
        &mut self,
        now: Time,
        plan: BreakPlan,
        wanted: bool,
        back: Back,
        out: &mut Outbox,
    ) -> bool {
        if plan.vmap.is_none() {
            self.open_break(now, plan, wanted, back, out);
            return true;
        }
        let rule = plan.rule;
        let ad_break = self.begin_break(now, plan.over_content(may_lie_over(back)), out);
        let Some(ad_break) = self.sort_out(now, ad_break, out) else { return false };
        self.hold(ad_break, wanted, back, rule, out);
        self.follow_held(now, self.state.word(), out);
        true
    }

    /// Puts a break that was just opened in its place; returns it if it has linear ads and is not over.
    pub(super) fn sort_out(&mut self, now: Time, mut ad_break: AdBreak, out: &mut Outbox) -> Option<AdBreak> {
        if let Phase::Over(_) = ad_break.phase() {
            self.abandoned.extend(ad_break.take_abandoned());
            if let Some(end) = ad_break.end_cause() {
                out.set_cause(end);
            }
            return None;
        }
        if BreakSlot::of(ad_break.kind()) == BreakSlot::Held {
            return Some(ad_break);
        }
        self.put_aside(now, ad_break, out);
        None
    }

    /// Moves a break that has turned into another kind to its new place, which is known to be free. Rule
    /// VMAP-7.
    fn put_aside(&mut self, now: Time, ad_break: AdBreak, out: &mut Outbox) {
        match BreakSlot::of(ad_break.kind()) {
            BreakSlot::Overlay => {
                self.overlay = Some(Box::new(ad_break));
                self.follow_overlay(now, out);
            }
            BreakSlot::Display => {
                self.display.open = Some(Box::new(ad_break));
                self.follow_display(now, out);
            }
            BreakSlot::Held | BreakSlot::Pending => {
                self.pending = Some(Box::new(Pending { ad_break, then_play: false }));
                self.follow_pending(now, out);
            }
        }
    }

    /// The kinds of break that a break at this place may turn into. Rules VMAP-7, VMAP-19.
    pub(super) fn room(&self, which: BreakSlot, has_content: bool) -> Room {
        let is_linear = matches!(which, BreakSlot::Held | BreakSlot::Pending);
        Room {
            linear: is_linear || (has_content && !self.is_in_linear_break()),
            overlay: which == BreakSlot::Overlay || (has_content && self.overlay.is_none()),
            display: which == BreakSlot::Display || (self.display.open.is_none() && !self.is_fullscreen()),
        }
    }

    /// Whether content has started and is not over, so that a linear ad can interrupt it.
    fn has_content(&self) -> bool {
        matches!(self.state, State::Playing(_) | State::Buffering(_) | State::Paused)
    }

    /// Informs a break of the kinds that it may turn into. Rule VMAP-7.
    pub(super) fn note_room(&mut self, which: BreakSlot) {
        let has_content = match which {
            BreakSlot::Held => self.state.open_break().is_some_and(|open| may_lie_over(open.back)),
            BreakSlot::Pending => true,
            BreakSlot::Overlay | BreakSlot::Display => self.has_content(),
        };
        let room = self.room(which, has_content);
        if let Some(ad_break) = self.break_of_mut(which) {
            ad_break.set_room(room);
        }
    }

    /// Moves the break that content is held for if it has turned into one that holds nothing. Rule VMAP-7.
    pub(super) fn turn_held(&mut self, now: Time, out: &mut Outbox) -> bool {
        let Some(OpenBreak { ad_break, back }) = self.state.open_break() else { return false };
        if !has_turned(ad_break, BreakSlot::Held) {
            return false;
        }
        let (ad_break, back) = (ad_break.clone(), *back);
        self.put_aside(now, ad_break, out);
        self.after_break(now, back, crate::ads::BreakOutcome::NoFill, out);
        true
    }

    /// Moves the break that loads while content goes on if it has turned into an overlay or a display ad.
    /// Rule VMAP-7.
    pub(super) fn turn_pending(&mut self, now: Time, out: &mut Outbox) -> bool {
        if !self.pending.as_deref().is_some_and(|pending| has_turned(&pending.ad_break, BreakSlot::Held)) {
            return false;
        }
        if let Some(pending) = self.pending.take() {
            self.put_aside(now, pending.ad_break, out);
            self.bring_waiting(now, out);
        }
        true
    }

    /// Moves the overlay that loads if it has turned into another kind. Rule VMAP-7.
    pub(super) fn turn_overlay(&mut self, now: Time, out: &mut Outbox) -> bool {
        if !self.overlay.as_deref().is_some_and(|overlay| has_turned(overlay, BreakSlot::Overlay)) {
            return false;
        }
        if let Some(overlay) = self.overlay.take() {
            self.put_aside(now, *overlay, out);
        }
        true
    }

    /// A display break is due. Rules VMAP-19, VMAP-20.
    pub(in crate::player) fn bring_display(
        &mut self,
        now: Time,
        plan: BreakPlan,
        has_content: bool,
        out: &mut Outbox,
    ) {
        if self.is_fullscreen() {
            plan.wait_for_room("there is no space next to the player in fullscreen", out);
            if let Some(earlier) = self.display.missed.replace(Box::new(plan)) {
                earlier.drop_it(rules::VMAP_19, "a later display break takes its place", out);
            }
        } else if self.display.open.is_some() {
            plan.drop_it(rules::VMAP_19, "another display break is loading", out);
        } else {
            let ad_break = self.begin_break(now, plan.over_content(has_content), out);
            self.display.open = Some(Box::new(ad_break));
            self.follow_display(now, out);
        }
    }

    /// There is space next to the player again. Rule VMAP-20.
    pub(in crate::player) fn offer_display(&mut self, now: Time, out: &mut Outbox) {
        if let Some(plan) = self.display.missed.take() {
            let has_content = self.has_content();
            let plan = plan.because(rules::VMAP_20, "there is space next to the player again");
            self.bring_display(now, plan, has_content, out);
        }
    }

    /// Reacts to the phase of the display break: an ad that is ready is shown, and the break is then over.
    /// Rule VMAP-20.
    pub(super) fn follow_display(&mut self, now: Time, out: &mut Outbox) {
        let size = self.pixels();
        while let Some(display) = self.display.open.as_deref_mut() {
            match display.phase() {
                Phase::Loading if !has_turned(display, BreakSlot::Display) => return,
                Phase::Ready if !has_turned(display, BreakSlot::Display) => {
                    display.start(&mut lend(now, &self.settings, size, &mut self.macros, out));
                }
                Phase::Loading | Phase::Ready | Phase::Playing | Phase::Paused => {
                    let Some(display) = self.display.open.take() else { return };
                    self.put_aside(now, *display, out);
                }
                Phase::Over(_) => {
                    self.abandoned.extend(display.take_abandoned());
                    self.display.open = None;
                }
            }
        }
    }

    /// Ends the display break without any event, and forgets the one that could not be shown. Rules STOP-3,
    /// VMAP-21.
    pub(super) fn abort_display(&mut self, out: &mut Outbox) {
        self.display.missed = None;
        if let Some(mut display) = self.display.open.take() {
            self.abandoned.extend(display.abort(out));
        }
    }
}

/// Whether a break has turned into one of another place, and is not over.
fn has_turned(ad_break: &AdBreak, is: BreakSlot) -> bool {
    BreakSlot::of(ad_break.kind()) != is && !matches!(ad_break.phase(), Phase::Over(_))
}

/// Whether there is content, or will be, for an overlay to lie over.
fn may_lie_over(back: Back) -> bool {
    match back {
        Back::Start { .. } | Back::Content | Back::Paused => true,
        Back::Rest | Back::Initial { .. } | Back::Ended(_) | Back::End { .. } => false,
    }
}
