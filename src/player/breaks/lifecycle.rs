//! The player's side of its ad breaks: it holds content for them or lets it go on, starts ads that are ready,
//! and afterwards returns to where it was.
//!
//! A break that content is held for is part of the state. A mid-roll or commanded break that is still loading
//! is kept outside of the state ([`Pending`]), and so is an overlay. The breaks themselves decide what is
//! requested, tried and reported; they never call the player.
//!
//! Rules: BRK-1, BRK-11, BRK-14 to BRK-18, PAUSE-3 to PAUSE-5, PLAY-5 to PLAY-7, PLAY-13, PLAY-14, STOP-3,
//! REQ-10, REQ-11, VX-2, CUE-3, CUE-9 to CUE-11, POST-1 to POST-3, PA-2, PA-3, PA-10.

use std::sync::Arc;

use super::macro_facts::lend;
use super::slot::BreakSlot;
use crate::ads::{AdBreak, BreakKind, BreakPlan, Context, Phase};
use crate::api::{Code, EventName, Fetched, Fields, Outbox, Output, RequestId, Task};
use crate::element::Outcome;
use crate::knobs::{AdEngine, Knobs};
use crate::player::Player;
use crate::player::state::{Back, Held, Holder, OpenBreak, Pending, State, UnitStart};
use crate::rules::{self, RuleId};
use crate::time::Time;

impl Player {
    /// Opens a break that content is held for. Rules PRE-1, POST-1, CUE-3, CUE-10, VX-2.
    pub(in crate::player) fn open_break(
        &mut self,
        now: Time,
        plan: BreakPlan,
        wanted: bool,
        back: Back,
        out: &mut Outbox,
    ) {
        let rule = plan.rule;
        let ad_break = self.begin_break(now, plan, out);
        self.hold(ad_break, wanted, back, rule, out);
        self.follow_held(now, self.state.word(), out);
    }

    /// Opens a break that loads while content goes on. Rules CUE-3, PA-2.
    pub(super) fn open_pending(&mut self, now: Time, plan: BreakPlan, out: &mut Outbox) {
        let is_of_vmap = plan.vmap.is_some();
        let plan = plan.over_content(true);
        let mut ad_break = self.begin_break(now, plan, out);
        if is_of_vmap {
            // There may be many of them in a row: one that is over immediately is not kept. VMAP-18
            let Some(held) = self.sort_out(now, ad_break, out) else { return };
            ad_break = held;
        }
        self.pending = Some(Box::new(Pending { ad_break, then_play: false }));
        self.follow_pending(now, out);
    }

    /// Opens a break and writes its first lines. Header bids count the breaks of a kind. Rules REQ-13, VX-2.
    pub(super) fn begin_break(&mut self, now: Time, mut plan: BreakPlan, out: &mut Outbox) -> AdBreak {
        self.last_vast_xml = None;
        plan.room = self.room(BreakSlot::of(plan.kind), plan.room.overlay);
        if plan.is_loop {
            self.schedule.count_loop();
        }
        // Breaks that come from a VMAP document take no header bids.
        if plan.vmap.is_none() {
            let nth = &mut self.breaks_opened[plan.kind as usize];
            *nth += 1;
            let bids = self.settings.bids.iter();
            let won = bids.into_iter().find(|bid| bid.kind == plan.kind && bid.nth == *nth);
            plan.bid = won.map(|bid| bid.url.clone());
        }
        self.note_facts_of_a_new_break(now);
        let size = self.pixels();
        let cx = &mut lend(now, &self.settings, size, &mut self.macros, out);
        AdBreak::open(plan, cx)
    }

    /// A break whose ads may not start: it fails without any request. Rule PLAY-17.
    pub(in crate::player) fn refuse_break(&mut self, now: Time, plan: BreakPlan, out: &mut Outbox) {
        self.last_vast_xml = None;
        let why = "no gesture has allowed the ad to start";
        let size = self.pixels();
        AdBreak::refuse(plan, why, &mut lend(now, &self.settings, size, &mut self.macros, out));
    }

    pub(super) fn hold(
        &mut self,
        ad_break: AdBreak,
        wanted: bool,
        back: Back,
        rule: RuleId,
        out: &mut Outbox,
    ) {
        let open = Box::new(OpenBreak { ad_break, back });
        self.enter(State::AdLoading(Held { by: Holder::Break(open), wanted }), rule, out);
    }

    /// A response to a document request arrived. Rule REQ-10.
    pub(in crate::player) fn fetched(
        &mut self,
        now: Time,
        id: RequestId,
        fetched: &Fetched,
        out: &mut Outbox,
    ) {
        match self.break_awaiting(id) {
            Some(which) => self.feed(which, now, out, |ad_break, cx| ad_break.fetched(id, fetched, cx)),
            None => self.late_answer(now, fetched, out),
        }
    }

    /// Runs the work of a break that is due.
    pub(in crate::player) fn wake_break(&mut self, which: BreakSlot, now: Time, out: &mut Outbox) {
        let Some(ad_break) = self.break_of(which) else { return };
        if let Some(wake) = ad_break.next_wake().filter(|wake| wake.at <= now) {
            out.set_cause(ad_break.due_because());
            self.feed(which, now, out, |ad_break, cx| ad_break.wake(wake.class, cx));
        }
    }

    /// Starts the ad that is ready, if it may start. Rules BRK-1, PAUSE-4, PAUSE-5, PLAY-5.
    pub(in crate::player) fn start_ad(&mut self, now: Time, out: &mut Outbox) {
        let is_ready = |ad_break: &AdBreak| matches!(ad_break.phase(), Phase::Ready);
        match &self.state {
            State::AdLoading(Held { by: Holder::Break(open), wanted: true }) => {
                if is_ready(&open.ad_break) {
                    self.begin_ad(now, self.state.word(), out);
                }
            }
            State::AdLoading(_)
            | State::AdPlaying(_)
            | State::AdPaused(_)
            | State::Created(_)
            | State::Failed
            | State::Destroyed => {}
            State::Initial | State::Playing(_) | State::Buffering(_) | State::Paused | State::Ended(_) => {
                if self.pending.as_deref().is_some_and(|pending| is_ready(&pending.ad_break)) {
                    self.bring_on(now, out);
                }
            }
        }
    }

    /// Content stops for the break that loaded alongside it. A mid-roll waits while content is paused.
    ///
    /// Rules CUE-3, PAUSE-5, PA-2, PA-3.
    fn bring_on(&mut self, now: Time, out: &mut Outbox) {
        let Some(pending) = self.pending.as_deref() else { return };
        let is_commanded = pending.ad_break.kind() != BreakKind::Mid;
        let back = match self.state {
            State::Playing(_) | State::Buffering(_) => Back::Content,
            State::Paused if is_commanded => Back::Paused,
            State::Initial if is_commanded => Back::Initial { then_play: pending.then_play },
            State::Ended(advance) if is_commanded => Back::Ended(advance),
            State::Paused
            | State::Initial
            | State::Ended(_)
            | State::AdLoading(_)
            | State::AdPlaying(_)
            | State::AdPaused(_)
            | State::Created(_)
            | State::Failed
            | State::Destroyed => return,
        };
        let Some(pending) = self.pending.take() else { return };
        let from = self.state.word();
        self.element.stand(now);
        let open = Box::new(OpenBreak { ad_break: pending.ad_break, back });
        self.state = State::AdLoading(Held { by: Holder::Break(open), wanted: true });
        self.begin_ad(now, from, out);
    }

    /// An ad goes on screen: the overlay is removed, and `beforeStart` fires if it is due. Rules BRK-1,
    /// OVL-6, PLAY-5, PLAY-7, PA-10.
    fn begin_ad(&mut self, now: Time, from: &'static str, out: &mut Outbox) {
        self.take_overlay_away(now, "a linear ad begins", out);
        self.show_unit(out);
        self.has_played = true;
        if self.break_of(BreakSlot::Held).is_some_and(AdBreak::is_loop) {
            self.schedule.count_impression();
        }
        let ad_break = self.break_of(BreakSlot::Held);
        let is_first = ad_break.is_none_or(|ad_break| ad_break.ads_started() == 0);
        self.unit_start = ad_break.filter(|ad_break| ad_break.begins_by_itself()).map(|ad_break| UnitStart {
            in_break: ad_break.number(),
            earlier_ads: ad_break.ads_started(),
            asked: out.cause(),
        });
        if self.unit_start.is_none()
            && let Some(rule) = self.before_start_of_ad(is_first)
        {
            out.event(rule, EventName::BeforeStart);
        }
        self.feed_from(BreakSlot::Held, now, from, out, |ad_break, cx| ad_break.start(cx));
    }

    /// Pauses the ad; content stays held. Rule PAUSE-3.
    pub(in crate::player) fn pause_ad(&mut self, now: Time, out: &mut Outbox) {
        self.feed(BreakSlot::Held, now, out, |ad_break, cx| ad_break.pause(cx));
    }

    /// Resumes the ad. Rule PLAY-14.
    pub(in crate::player) fn resume_ad(&mut self, now: Time, out: &mut Outbox) {
        self.feed(BreakSlot::Held, now, out, |ad_break, cx| ad_break.resume(cx));
    }

    /// The user skips the ad. Rules BRK-13, BRK-14.
    pub(in crate::player) fn skip_ad(&mut self, now: Time, out: &mut Outbox) {
        if self.state.is_ad() {
            self.feed(BreakSlot::Held, now, out, |ad_break, cx| {
                ad_break.skip(cx);
            });
        } else {
            out.diag(rules::BRK_13, Code::SkipNotOffered, "no ad that could be skipped is on screen");
        }
    }

    /// Records whether play is wanted while content is held. Rules PAUSE-4, PLAY-13, PA-3.
    pub(in crate::player) fn want(&mut self, play: bool, out: &mut Outbox) {
        if !play {
            self.reject_play(Outcome::Aborted(rules::MEL_10), out);
        }
        let State::AdLoading(held) = &mut self.state else { return };
        held.wanted = play;
        if let Holder::Break(open) = &mut held.by {
            if let Back::Initial { then_play } = &mut open.back {
                *then_play = play;
            }
            if play && matches!(open.ad_break.phase(), Phase::Ready) {
                out.put(rules::PLAY_13, Output::Task(Task::StartAd));
            }
        }
    }

    /// Passes something to an open break and then acts on the break's new phase.
    pub(in crate::player) fn feed(
        &mut self,
        which: BreakSlot,
        now: Time,
        out: &mut Outbox,
        feed: impl FnOnce(&mut AdBreak, &mut Context<'_>),
    ) {
        self.feed_from(which, now, self.state.word(), out, feed);
    }

    fn feed_from(
        &mut self,
        which: BreakSlot,
        now: Time,
        from: &'static str,
        out: &mut Outbox,
        feed: impl FnOnce(&mut AdBreak, &mut Context<'_>),
    ) {
        self.note_facts(which, now);
        self.note_room(which);
        let size = self.pixels();
        let ad_break = match which {
            BreakSlot::Held => self.state.open_break_mut().map(|open| &mut open.ad_break),
            BreakSlot::Pending => self.pending.as_deref_mut().map(|pending| &mut pending.ad_break),
            BreakSlot::Overlay => self.overlay.as_deref_mut(),
            BreakSlot::Display => self.display.open.as_deref_mut(),
        };
        let Some(ad_break) = ad_break else { return };
        feed(ad_break, &mut lend(now, &self.settings, size, &mut self.macros, out));
        // Set as soon as the document was received, so that listeners of `adError` and `adImpression` see it.
        // REQ-11
        if let Some(text) = received(ad_break, &self.settings.knobs) {
            self.last_vast_xml = text;
        }
        self.take_schedule(now, which, out);
        match which {
            BreakSlot::Held => {
                self.announce_unit_ad(out);
                self.follow_held(now, from, out);
            }
            BreakSlot::Pending => self.follow_pending(now, out),
            BreakSlot::Overlay => self.follow_overlay(now, out),
            BreakSlot::Display => self.follow_display(now, out),
        }
    }

    /// Brings the player's state in line with the break that content is held for.
    pub(super) fn follow_held(&mut self, now: Time, from: &'static str, out: &mut Outbox) {
        if self.turn_held(now, out) {
            return;
        }
        let Some(open) = self.state.open_break() else { return };
        let (phase, back) = (open.ad_break.phase(), open.back);
        let was_paused = matches!(self.state, State::AdPaused(_));
        let was_held = self.wants_play();
        if let Phase::Over(outcome) = phase {
            self.after_break(now, back, outcome, out);
            return;
        }
        let state = std::mem::replace(&mut self.state, State::Initial);
        self.state = match state {
            State::AdLoading(Held { by: Holder::Break(open), wanted }) => shown(open, wanted),
            State::AdPlaying(open) | State::AdPaused(open) => shown(open, true),
            State::AdLoading(Held { by: Holder::Record, .. })
            | State::Created(_)
            | State::Initial
            | State::Playing(_)
            | State::Buffering(_)
            | State::Paused
            | State::Ended(_)
            | State::Failed
            | State::Destroyed => state,
        };
        if self.state.word() != from {
            let rule = match &self.state {
                State::AdPaused(_) => rules::PAUSE_3,
                State::AdPlaying(_) if was_paused => rules::PLAY_14,
                State::AdPlaying(_) => rules::BRK_1,
                State::AdLoading(_)
                | State::Created(_)
                | State::Initial
                | State::Playing(_)
                | State::Buffering(_)
                | State::Paused
                | State::Ended(_)
                | State::Failed
                | State::Destroyed => rules::BRK_11,
            };
            out.line(rule, self.state.name(), Fields::one("from", from));
        }
        if let (Some(was_wanted), State::AdPlaying(_)) = (was_held, &self.state) {
            self.ad_came_on(now, was_wanted, out);
        }
        let is_wanted = matches!(self.state, State::AdLoading(Held { wanted: true, .. }));
        if matches!(phase, Phase::Ready) && is_wanted {
            out.put(rules::BRK_1, Output::Task(Task::StartAd));
        }
    }

    /// Reacts to the phase of a break that loads alongside content. Rules CUE-3, CUE-9, PA-3.
    pub(super) fn follow_pending(&mut self, now: Time, out: &mut Outbox) {
        if self.turn_pending(now, out) {
            return;
        }
        let Some(pending) = self.pending.as_deref() else { return };
        match pending.ad_break.phase() {
            Phase::Loading | Phase::Playing | Phase::Paused => {}
            Phase::Ready => {
                out.put(rules::BRK_1, Output::Task(Task::StartAd));
            }
            Phase::Over(outcome) => {
                let Some(mut pending) = self.pending.take() else { return };
                self.abandoned.extend(pending.ad_break.take_abandoned());
                if let Some(end) = pending.ad_break.end_cause() {
                    out.set_cause(end);
                }
                if self.is_unit() {
                    self.after_unit_break(outcome, out);
                } else if pending.then_play && matches!(self.state, State::Initial) {
                    self.first_start(now, out);
                } else {
                    self.bring_waiting(now, out);
                }
            }
        }
    }

    /// A break that has waited while content was paused may start now that content plays. Rule PAUSE-5.
    pub(in crate::player) fn offer_pending(&mut self, out: &mut Outbox) {
        if self.pending.as_deref().is_some_and(|pending| matches!(pending.ad_break.phase(), Phase::Ready)) {
            out.put(rules::PAUSE_5, Output::Task(Task::StartAd));
        }
    }
}

/// The state that corresponds to a break's phase.
fn shown(open: Box<OpenBreak>, wanted: bool) -> State {
    match open.ad_break.phase() {
        Phase::Loading | Phase::Ready | Phase::Over(_) => {
            State::AdLoading(Held { by: Holder::Break(open), wanted })
        }
        Phase::Playing => State::AdPlaying(open),
        Phase::Paused => State::AdPaused(open),
    }
}

/// The document that a break has received since the last call; if several breaks are open, the last response
/// counts. With the third-party engine page code sees none of it. Rules REQ-11, REQ-12, VX-1.
pub(super) fn received(ad_break: &mut AdBreak, knobs: &Knobs) -> Option<Option<Arc<str>>> {
    let is_in_house = knobs.ad_engine == AdEngine::InHouse;
    ad_break.take_news().then(|| ad_break.last_document().filter(|_| is_in_house).cloned())
}
