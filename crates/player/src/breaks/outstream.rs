//! Outstream units: players without content that only show ads.
//!
//! A unit is hidden until an ad of its own starts. Once ready it automatically opens its only
//! break: the pre-rolls at player level, which include whatever `setAd` adds. When the break is
//! over, so is the unit. Scrolling the unit out of view pauses its ad.
//!
//! ```text
//!   created ── ready ──► initial ── autoplay, play ──► ad-loading ◄──► ad-playing ◄──► ad-paused
//!                           ▲                               │               │  view, pause, play
//!                           └── stop (any)                  └──► ended ◄────┘
//!                                                                  └──► destroyed
//! ```
//!
//! Rules: INIT-4, OUT-1 to OUT-10.

use crate::Player;
use crate::state::{Advance, AfterBreak, State};
use crate::surface::is_in_view;
use playsim_ads::{BreakOutcome, BreakPlan, Takes};
use playsim_api::{Code, EventName, Outbox, Output, PageChange, StateLine, Task};
use playsim_rules::knobs::OutstreamAfter;
use playsim_rules::{self as rules, RuleId};

impl Player {
    /// Opens the unit's break: automatically once it is ready, or by `play()`. Rules OUT-3, OUT-9,
    /// REQ-15.
    pub(crate) fn open_unit_break(&mut self, rule: RuleId, why: &'static str, out: &mut Outbox) {
        if !matches!(self.state, State::Initial) || !self.role.is_unit() {
            return;
        }
        if self.breaks.is_pending() {
            out.diag(
                rule,
                Code::AdBusy,
                "the unit requests no tag of its own while a commanded ad loads",
            );
            return;
        }
        // A unit has no item that scheduled breaks could belong to. VMAP-1
        let of_unit = |plan: BreakPlan| BreakPlan {
            takes: Takes::Ads,
            ..plan.because(rule, why)
        };
        match self.breaks.schedule.pre_roll().map(of_unit) {
            Some(plan) if std::mem::take(&mut self.breaks.refuses_ads) => {
                self.refuse_break(plan, out);
                self.after_unit_break(BreakOutcome::NoFill, out);
            }
            Some(plan) => self.open_break(plan, true, AfterBreak::Start { play_fired: false }, out),
            None => {
                let text = "the unit has no pre-roll to request; call setAd(ad) and then play()";
                out.diag(rule, Code::NoAds, text);
            }
        }
    }

    /// `play()` on a unit plays its ad, never content. Rules OUT-9, PLAY-13, PLAY-14.
    ///
    /// Returns `false` if a unit behaves like any other player in this state.
    pub(crate) fn play_unit(&mut self, out: &mut Outbox) -> bool {
        if !self.role.is_unit() {
            return false;
        }
        if let State::Initial = self.state {
            if self.breaks.is_pending() {
                // The commanded ad will start on its own.
                out.decide(rules::PA_3);
            } else {
                out.decide(rules::OUT_9);
                self.open_unit_break(rules::OUT_9, "play", out);
            }
            return true;
        }
        if let State::Ended(_) = self.state {
            out.decide(rules::OUT_9);
            let text = "the unit's ad break is over; call stop() before playing it again";
            out.diag(rules::OUT_9, Code::Outstream, text);
            return true;
        }
        if self.state.name() == StateLine::AdPaused {
            // After an explicit `play()`, scrolling must not resume the ad again.
            self.role.clear_paused_by_view();
        }
        false
    }

    /// Ends the unit after its break, whether or not the break was filled. Rules OUT-5 to OUT-7.
    pub(super) fn after_unit_break(&mut self, outcome: BreakOutcome, out: &mut Outbox) {
        let rule = match outcome {
            BreakOutcome::Filled => rules::OUT_6,
            BreakOutcome::NoFill | BreakOutcome::Scheduled => rules::OUT_7,
        };
        self.enter(State::Ended(Advance::Nowhere), rule, out);
        match self.settings.knobs.outstream_after() {
            // A task, so that the listeners of `adEnd` still find the unit.
            OutstreamAfter::Destroy => {
                out.put(rule, Output::Task(Task::DestroySelf));
            }
            OutstreamAfter::Hide => self.role.hide(rule, out),
            OutstreamAfter::KeepLastFrame => self.role.clear_paused_by_view(),
        }
    }

    /// The unit destroys itself; its container stays. Rules OUT-6, OUT-7, DESTROY-7.
    pub(crate) fn destroy_self(&mut self, out: &mut Outbox) {
        if !self.is_leaving && self.role.is_unit() {
            self.is_leaving = true;
            out.event(rules::OUT_6, EventName::DestroyBefore);
            out.put(rules::OUT_6, Output::Task(Task::TearDown));
        }
    }

    /// The unit has been scrolled; its ad pauses or resumes accordingly. Rule OUT-10.
    pub(crate) fn scroll_unit(&mut self, change: PageChange, out: &mut Outbox) {
        let PageChange::InView(percent) = change else {
            return;
        };
        let is_in_view = is_in_view(percent);
        if self.role.is_paused_by_view() && is_in_view {
            self.role.clear_paused_by_view();
            self.resume_ad(out);
        } else if self.role.is_unit() && self.state.name() == StateLine::AdPlaying && !is_in_view {
            self.role.note_paused_by_view();
            self.pause_ad(out);
        }
    }
}
