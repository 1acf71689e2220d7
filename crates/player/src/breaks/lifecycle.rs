//! The player's side of its ad breaks: it holds content for them or lets it play, starts ads that
//! are ready, and afterwards returns to where it was.
//!
//! A break that content is held for is part of the state. A mid-roll or commanded break that is
//! still loading is kept outside of the state, and so is an overlay. The breaks themselves decide
//! about requests, ads and reports; they never call the player.
//!
//! Rules: BRK-1, BRK-11, BRK-14 to BRK-18, PAUSE-3 to PAUSE-5, PLAY-5 to PLAY-7, PLAY-13, PLAY-14,
//! STOP-3, REQ-10, REQ-11, VX-2, CUE-3, CUE-9 to CUE-11, POST-1 to POST-3, PA-2, PA-3, PA-10.

use std::sync::Arc;

use super::UnitStart;
use super::slot::{Alongside, BreakSlot};
use crate::Player;
use crate::state::{AfterBreak, Held, Holder, OpenBreak, State};
use playsim_ads::{AdBreak, BreakKind, BreakOutcome, BreakPlan, Context, OffsetPod, Phase, Takes};
use playsim_api::{Code, EventName, Fetched, Outbox, Output, RequestId, StateLine, Task};
use playsim_element::Outcome;
use playsim_rules::knobs::{AdEngine, KnobReader};
use playsim_rules::{self as rules, RuleId};

impl Player {
    /// Opens a break that content is held for. Rules PRE-1, POST-1, CUE-3, CUE-10, VX-2.
    pub(crate) fn open_break(
        &mut self,
        plan: BreakPlan,
        wanted: bool,
        back: AfterBreak,
        out: &mut Outbox,
    ) {
        let rule = plan.rule;
        let ad_break = self.begin_break(plan, out);
        self.hold(ad_break, wanted, back, rule, out);
        self.follow_held(out);
    }

    /// Opens a break that loads while content plays. Rules CUE-3, PA-2.
    pub(crate) fn open_pending(&mut self, plan: BreakPlan, out: &mut Outbox) {
        let is_of_vmap = plan.vmap.is_some();
        let plan = plan.over_content(true);
        let mut ad_break = self.begin_break(plan, out);
        if is_of_vmap {
            // There may be many of them in a row: one that is over immediately is not kept. VMAP-18
            let Some(held) = self.sort_out(ad_break, out) else {
                return;
            };
            ad_break = held;
        }
        self.breaks.put(Alongside::Pending, ad_break);
        self.follow_pending(out);
    }

    /// Opens a break and writes its first lines. Header bids count the breaks of a kind. Rules
    /// REQ-13, VX-2.
    pub(super) fn begin_break(&mut self, mut plan: BreakPlan, out: &mut Outbox) -> AdBreak {
        self.breaks.last_document = None;
        plan.room = self.room(Alongside::of(plan.kind), plan.room.overlay);
        if let Some(part) = &mut plan.part {
            if part.is_first {
                self.breaks.offset_pod = OffsetPod::default();
            }
            part.before = self.breaks.offset_pod;
        }
        if plan.is_loop {
            self.breaks.schedule.count_loop();
        }
        // Breaks that come from a VMAP document take no header bids, nor does one that is passed
        // over.
        if plan.vmap.is_none() && !matches!(plan.takes, Takes::Schedule(_)) {
            let nth = &mut self.breaks.opened[plan.kind as usize];
            *nth += 1;
            let bids = self.settings.bids.iter();
            let won = bids
                .into_iter()
                .find(|bid| bid.kind == plan.kind && bid.nth == *nth);
            plan.bid = won.map(|bid| bid.url.clone());
        }
        AdBreak::open(plan, &mut self.lend_to_a_new_break(out))
    }

    /// A break whose ads may not start: it fails without any request. Rule PLAY-17.
    pub(crate) fn refuse_break(&mut self, plan: BreakPlan, out: &mut Outbox) {
        self.breaks.last_document = None;
        let why = "no gesture has allowed the ad to start";
        AdBreak::refuse(plan, why, &mut self.lend(out));
    }

    pub(crate) fn hold(
        &mut self,
        ad_break: AdBreak,
        wanted: bool,
        back: AfterBreak,
        rule: RuleId,
        out: &mut Outbox,
    ) {
        let open = Box::new(OpenBreak { ad_break, back });
        self.enter(
            State::Held(Held {
                by: Holder::Break(open),
                wanted,
            }),
            rule,
            out,
        );
    }

    /// A response to a document request arrived. Rule REQ-10.
    pub(crate) fn fetched(&mut self, id: RequestId, fetched: &Fetched, out: &mut Outbox) {
        match self.break_awaiting(id) {
            Some(which) => self.feed(which, out, |ad_break, cx| ad_break.fetched(id, fetched, cx)),
            None => self.late_answer(fetched, out),
        }
    }

    /// Runs the work of a break that is due.
    pub(crate) fn wake_break(&mut self, which: BreakSlot, out: &mut Outbox) {
        let Some(ad_break) = self.break_of(which) else {
            return;
        };
        if let Some(wake) = ad_break.next_wake().filter(|wake| wake.at <= out.now()) {
            out.set_cause(ad_break.due_because());
            self.feed(which, out, |ad_break, cx| ad_break.wake(wake.class, cx));
        }
    }

    /// Starts the ad that is ready, if it may start. Rules BRK-1, PAUSE-4, PAUSE-5, PLAY-5.
    pub(crate) fn start_ad(&mut self, out: &mut Outbox) {
        if let State::Held(held) = &self.state {
            if matches!(held.phase(), Phase::Ready) && held.wanted {
                self.begin_ad(out);
            }
        } else if self
            .breaks
            .get(Alongside::Pending)
            .is_some_and(AdBreak::is_ready)
        {
            self.bring_on(out);
        }
    }

    /// Content stops for the break that loaded alongside it. A mid-roll waits while content is
    /// paused.
    ///
    /// Rules CUE-3, PAUSE-5, PA-2, PA-3.
    fn bring_on(&mut self, out: &mut Outbox) {
        let Some(pending) = self.breaks.get(Alongside::Pending) else {
            return;
        };
        let is_commanded = pending.kind() == BreakKind::Command;
        let back = match self.state {
            State::Playing | State::Buffering => AfterBreak::Content,
            State::Paused if is_commanded => AfterBreak::Paused,
            State::Initial if is_commanded => AfterBreak::Initial {
                then_play: self.breaks.then_play,
            },
            State::Ended(advance) if is_commanded => AfterBreak::Ended(advance),
            // A mid-roll waits until content plays.
            State::Paused | State::Initial | State::Ended(_) => return,
            State::Held(_) | State::Created(_) | State::Failed | State::Destroyed => return,
        };
        let Some(pending) = self.breaks.take(Alongside::Pending) else {
            return;
        };
        self.element.hold(out.now());
        let open = Box::new(OpenBreak {
            ad_break: *pending,
            back,
        });
        self.state = State::Held(Held {
            by: Holder::Break(open),
            wanted: true,
        });
        self.begin_ad(out);
    }

    /// An ad appears on screen: the overlay is removed, and `beforeStart` fires if it is due. Rules
    /// BRK-1, OVL-6, PLAY-5, PLAY-7, PA-10.
    fn begin_ad(&mut self, out: &mut Outbox) {
        if let Some(why) = self.ad_start_refusal(out) {
            self.feed(BreakSlot::Held, out, |ad_break, cx| {
                ad_break.refuse_start(why, cx)
            });
            return;
        }
        self.take_overlay_away("a linear ad begins", out);
        self.role.show(out);
        self.has_played = true;
        if self.break_of(BreakSlot::Held).is_some_and(AdBreak::is_loop) {
            self.breaks.schedule.count_impression();
        }
        let ad_break = self.break_of(BreakSlot::Held);
        let is_first = ad_break.is_none_or(|ad_break| ad_break.ads_started() == 0);
        let unit_start = ad_break
            .filter(|ad_break| ad_break.begins_by_itself())
            .map(|ad_break| UnitStart {
                in_break: ad_break.number(),
                earlier_ads: ad_break.ads_started(),
                asked: out.cause(),
            });
        self.breaks.unit_start = unit_start;
        if unit_start.is_none()
            && let Some(rule) = self.before_start_of_ad(is_first)
        {
            out.event(rule, EventName::BeforeStart);
        }
        self.feed(BreakSlot::Held, out, |ad_break, cx| ad_break.start(cx));
    }

    /// Pauses the ad; content stays held. Rule PAUSE-3.
    pub(crate) fn pause_ad(&mut self, out: &mut Outbox) {
        self.feed(BreakSlot::Held, out, |ad_break, cx| ad_break.pause(cx));
    }

    /// Resumes the ad. Rule PLAY-14.
    pub(crate) fn resume_ad(&mut self, out: &mut Outbox) {
        self.feed(BreakSlot::Held, out, |ad_break, cx| ad_break.resume(cx));
    }

    /// The user skips the ad. Rules BRK-13, BRK-14.
    pub(crate) fn skip_ad(&mut self, out: &mut Outbox) {
        if self.state.is_ad() {
            self.feed(BreakSlot::Held, out, |ad_break, cx| {
                ad_break.skip(cx);
            });
        } else {
            out.diag(
                rules::BRK_13,
                Code::SkipNotOffered,
                "no ad that could be skipped is on screen",
            );
        }
    }

    /// Records whether play is wanted while content is held. Rules PAUSE-4, PLAY-13, PA-3.
    pub(crate) fn want(&mut self, play: bool, out: &mut Outbox) {
        if !play {
            self.element.reject(Outcome::Aborted(rules::MEL_10), out);
        }
        let State::Held(held) = &mut self.state else {
            return;
        };
        held.wanted = play;
        if let Holder::Break(open) = &mut held.by {
            if let AfterBreak::Initial { then_play } = &mut open.back {
                *then_play = play;
            }
            if play && open.ad_break.is_ready() {
                out.put(rules::PLAY_13, Output::Task(Task::StartAd));
            }
        }
    }

    /// Passes something to an open break and then acts on the break's new phase.
    pub(crate) fn feed(
        &mut self,
        which: impl Into<BreakSlot>,
        out: &mut Outbox,
        feed: impl FnOnce(&mut AdBreak, &mut Context<'_>),
    ) {
        let which = which.into();
        self.note_facts(which, out.now());
        let room = self.room_of(which);
        let Some((ad_break, mut cx)) = self.break_and_context(which, out) else {
            return;
        };
        ad_break.set_room(room);
        feed(ad_break, &mut cx);
        let (document, schedule) = (
            received(ad_break, cx.around.knobs),
            ad_break.take_schedule(),
        );
        // Set as soon as the document was received, so that listeners of `adError` and
        // `adImpression` see it. REQ-11
        if let Some(document) = document {
            self.breaks.last_document = document;
        }
        // The breaks that the document schedules for the item. VMAP-1
        if let Some(schedule) = schedule {
            self.breaks.schedule.adopt(schedule);
            self.find_cues(out);
        }
        self.follow(which, out);
    }

    /// Passes something to an open break that does not change its phase.
    pub(crate) fn with_ad<T>(
        &mut self,
        which: impl Into<BreakSlot>,
        out: &mut Outbox,
        tell: impl FnOnce(&mut AdBreak, &mut Context<'_>) -> T,
    ) -> Option<T> {
        let which = which.into();
        self.note_facts(which, out.now());
        let (ad_break, mut cx) = self.break_and_context(which, out)?;
        Some(tell(ad_break, &mut cx))
    }

    /// Reacts to the phase of an open break.
    pub(super) fn follow(&mut self, which: BreakSlot, out: &mut Outbox) {
        match which {
            BreakSlot::Held => {
                self.announce_unit_ad(out);
                self.follow_held(out);
            }
            BreakSlot::Alongside(Alongside::Pending) => self.follow_pending(out),
            BreakSlot::Alongside(Alongside::Overlay) => self.follow_overlay(out),
            BreakSlot::Alongside(Alongside::Display) => self.follow_display(out),
            BreakSlot::Ahead(index) => self.breaks.follow_ahead(index, out),
        }
    }

    /// Reacts to the phase of the break that content is held for.
    pub(crate) fn follow_held(&mut self, out: &mut Outbox) {
        if self.turn_held(out) {
            return;
        }
        let State::Held(Held {
            by: Holder::Break(open),
            wanted,
        }) = &mut self.state
        else {
            return;
        };
        let (phase, back, was_wanted, before) =
            (open.ad_break.phase(), open.back, *wanted, self.logged);
        if let Phase::Over(outcome) = phase {
            self.after_break(back, outcome, out);
            return;
        }
        let was_on_screen = matches!(before, StateLine::AdPlaying | StateLine::AdPaused);
        match phase {
            Phase::Playing => {
                *wanted = true;
                let goes_on = before == StateLine::AdPaused;
                self.log_state(
                    if goes_on {
                        rules::PLAY_14
                    } else {
                        rules::BRK_1
                    },
                    out,
                );
                if !was_on_screen {
                    self.ad_came_on(was_wanted, out);
                }
            }
            Phase::Paused => {
                *wanted = true;
                self.log_state(rules::PAUSE_3, out);
            }
            Phase::Ready if was_wanted => {
                self.log_state(rules::BRK_11, out);
                out.put(rules::BRK_1, Output::Task(Task::StartAd));
            }
            Phase::Loading | Phase::Ready | Phase::Over(_) => self.log_state(rules::BRK_11, out),
        }
    }

    /// Reacts to the phase of a break that loads alongside content. Rules CUE-3, CUE-9, PA-3.
    pub(super) fn follow_pending(&mut self, out: &mut Outbox) {
        if self.turn(Alongside::Pending, out) {
            return;
        }
        let Some(pending) = self.breaks.get(Alongside::Pending) else {
            return;
        };
        match pending.phase() {
            Phase::Loading | Phase::Playing | Phase::Paused => {}
            Phase::Ready => {
                out.put(rules::BRK_1, Output::Task(Task::StartAd));
            }
            Phase::Over(outcome) => {
                let then_play = self.breaks.then_play;
                let Some(mut pending) = self.breaks.take(Alongside::Pending) else {
                    return;
                };
                self.breaks.conclude(&mut pending, out);
                if outcome == BreakOutcome::Scheduled && !self.role.is_unit() {
                    self.start_schedule(pending.passes(), out);
                }
                if self.role.is_unit() {
                    self.after_unit_break(outcome, out);
                } else if then_play && matches!(self.state, State::Initial) {
                    self.first_start(out);
                } else {
                    self.state.ask_for_end_breaks(out);
                    self.bring_waiting(out);
                }
            }
        }
    }
}

/// The document that a break has received since the last call; if several breaks are open, the last
/// response counts. With the third-party engine page code sees none of it. Rules REQ-11, REQ-12,
/// VX-1.
pub(super) fn received(ad_break: &mut AdBreak, knobs: &KnobReader) -> Option<Option<Arc<str>>> {
    let is_in_house = knobs.ad_engine() == AdEngine::InHouse;
    ad_break
        .take_news()
        .then(|| ad_break.last_document().filter(|_| is_in_house).cloned())
}
