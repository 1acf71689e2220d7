//! Outstream units: a player without content, which shows ads only.
//!
//! A unit is hidden until an ad of its own starts. Once ready it automatically opens its only break: the
//! pre-rolls at player level, which include whatever `setAd` adds. When the break is over, so is the unit.
//! Scrolling the unit out of view pauses its ad.
//!
//! ```text
//!   created ── ready ──► initial ── autoplay, play ──► ad-loading ◄──► ad-playing ◄──► ad-paused
//!                           ▲                               │               │  view, pause, play
//!                           └── stop (any)                  └──► ended ◄────┘
//!                                                                  └──► destroyed
//! ```
//!
//! Rules: INIT-4, OUT-1 to OUT-10.

use crate::ads::{BreakOutcome, BreakPlan};
use crate::api::{
    Act, Code, Decimal, EventName, Fields, Outbox, Output, PageChange, Query, Task, Text, UiLine, UnitKind,
    Value,
};
use crate::knobs::OutstreamAfter;
use crate::player::Player;
use crate::player::state::{Advance, Back, State};
use crate::rules::{self, RuleId};
use crate::time::Time;

/// What a player is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::player) enum Role {
    /// To play content, perhaps automatically. Rule INIT-17.
    Player { autoplay: bool },
    /// To show ads. Rule OUT-1.
    Unit(Unit),
}

/// The data of an outstream unit in addition to its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::player) struct Unit {
    /// Whether it is visible to the user. Rule OUT-2.
    is_shown: bool,
    /// Whether scrolling paused its ad, so that scrolling resumes it. Rule OUT-10.
    is_paused_by_view: bool,
}

/// The lowest percentage in view that counts as in view: the constant `view.threshold`. Rules OUT-10, VIEW-1.
const IN_VIEW_PERCENT: Decimal = Decimal::from_integer(50);

impl Role {
    pub(in crate::player) fn of(unit: UnitKind, autoplay: bool) -> Role {
        match unit {
            UnitKind::Player => Role::Player { autoplay },
            UnitKind::Outstream => Role::Unit(Unit::default()),
        }
    }

    fn unit(&mut self) -> Option<&mut Unit> {
        match self {
            Role::Player { .. } => None,
            Role::Unit(unit) => Some(unit),
        }
    }
}

impl Player {
    /// Whether it is an outstream unit.
    pub(in crate::player) fn is_unit(&self) -> bool {
        matches!(self.role, Role::Unit(_))
    }

    /// What a player does automatically after `ready` has fired. Rules INIT-17, OUT-3.
    pub(in crate::player) fn start_by_itself(&self, out: &mut Outbox) {
        match self.role {
            Role::Player { autoplay: false } => {}
            Role::Player { autoplay: true } => {
                out.put(rules::INIT_17, Output::Task(Task::Autoplay));
            }
            Role::Unit(_) => {
                out.put(rules::OUT_3, Output::Task(Task::OpenUnitBreak));
            }
        }
    }

    /// Whether it is a unit that is hidden from the user. Rule OUT-2.
    pub(in crate::player) fn is_hidden_unit(&self) -> bool {
        matches!(self.role, Role::Unit(Unit { is_shown: false, .. }))
    }

    /// Opens the unit's break: automatically once it is ready, or by `play()`. Rules OUT-3, OUT-9, REQ-15.
    pub(in crate::player) fn open_unit_break(
        &mut self,
        now: Time,
        rule: RuleId,
        why: &'static str,
        out: &mut Outbox,
    ) {
        if !matches!(self.state, State::Initial) {
            return;
        }
        if self.pending.is_some() {
            out.diag(rule, Code::AdBusy, "the unit requests no tag of its own while a commanded ad loads");
            return;
        }
        // A unit has no item that scheduled breaks could belong to. VMAP-1
        let of_unit = |plan: BreakPlan| BreakPlan { may_schedule: false, ..plan.because(rule, why) };
        match self.schedule.pre_roll().map(of_unit) {
            Some(plan) if std::mem::take(&mut self.refuses_ads) => {
                self.refuse_break(now, plan, out);
                self.after_unit_break(BreakOutcome::NoFill, out);
            }
            Some(plan) => self.open_break(now, plan, true, Back::Start { play_fired: false }, out),
            None => {
                let text = "the unit has no pre-roll to request; call setAd(ad) and then play()";
                out.diag(rule, Code::NoAds, text);
            }
        }
    }

    /// `play()` on a unit plays its ad, never content. Rules OUT-9, PLAY-13, PLAY-14.
    ///
    /// Returns `false` if a unit behaves like any other player in this state.
    pub(in crate::player) fn play_unit(&mut self, now: Time, out: &mut Outbox) -> bool {
        if !self.is_unit() {
            return false;
        }
        match self.state {
            State::Initial if self.pending.is_some() => {
                // The commanded ad will start on its own.
                out.decide(rules::PA_3);
                true
            }
            State::Initial => {
                out.decide(rules::OUT_9);
                self.open_unit_break(now, rules::OUT_9, "play", out);
                true
            }
            State::Ended(_) => {
                out.decide(rules::OUT_9);
                out.diag(
                    rules::OUT_9,
                    Code::Outstream,
                    "the unit's ad break is over; call stop() before playing it again",
                );
                true
            }
            State::AdPaused(_) => {
                // After an explicit `play()`, scrolling must not resume the ad again.
                self.forget_view();
                false
            }
            State::AdLoading(_)
            | State::AdPlaying(_)
            | State::Created(_)
            | State::Playing
            | State::Buffering
            | State::Paused
            | State::Failed
            | State::Destroyed => false,
        }
    }

    /// Forgets that scrolling paused the ad: scrolling does not undo an explicit pause. Rule OUT-10.
    pub(in crate::player) fn forget_view(&mut self) {
        if let Some(unit) = self.role.unit() {
            unit.is_paused_by_view = false;
        }
    }

    /// Shows the unit, if this is a hidden one. Rule OUT-2.
    pub(super) fn show_unit(&mut self, out: &mut Outbox) {
        self.set_shown(true, rules::OUT_2, out);
    }

    /// Hides the unit, if this is a visible one. Rules OUT-6, OUT-9.
    pub(in crate::player) fn hide_unit(&mut self, rule: RuleId, out: &mut Outbox) {
        self.set_shown(false, rule, out);
        self.forget_view();
    }

    fn set_shown(&mut self, shown: bool, rule: RuleId, out: &mut Outbox) {
        if let Some(unit) = self.role.unit()
            && unit.is_shown != shown
        {
            unit.is_shown = shown;
            out.line(rule, UiLine::Unit, Fields::one("visible", shown));
        }
    }

    /// The unit's break is over, filled or not, and with it the unit. Rules OUT-5 to OUT-7.
    pub(super) fn after_unit_break(&mut self, outcome: BreakOutcome, out: &mut Outbox) {
        let rule = match outcome {
            BreakOutcome::Filled => rules::OUT_6,
            BreakOutcome::NoFill | BreakOutcome::Scheduled => rules::OUT_7,
        };
        self.enter(State::Ended(Advance::Nowhere), rule, out);
        match self.settings.knobs.outstream_after {
            // A task, so that the listeners of `adEnd` still find the unit.
            OutstreamAfter::Destroy => {
                out.put(rule, Output::Task(Task::LeaveByItself));
            }
            OutstreamAfter::Hide => self.hide_unit(rule, out),
            OutstreamAfter::KeepLastFrame => self.forget_view(),
        }
    }

    /// The unit destroys itself; its container stays. Rules OUT-6, OUT-7, DESTROY-7.
    pub(in crate::player) fn leave_by_itself(&mut self, out: &mut Outbox) {
        if !self.is_leaving {
            self.is_leaving = true;
            out.event(rules::OUT_6, EventName::DestroyBefore);
            out.put(rules::OUT_6, Output::Task(Task::TearDown));
        }
    }

    /// Whether a call about content is refused, because this is a unit. Rule OUT-8.
    pub(in crate::player) fn refuses_content(&self, call: &str, out: &mut Outbox) -> bool {
        if self.is_unit() {
            out.decide(rules::OUT_8);
            let text = format!("{call}() is about content; an outstream unit has none");
            out.diag(rules::OUT_8, Code::Outstream, text);
        }
        self.is_unit()
    }

    /// Whether a user action is refused because it is about content, which a unit does not have. Rules OUT-8,
    /// ENV-3.
    pub(in crate::player) fn refuses_act(&self, act: &Act, out: &mut Outbox) -> bool {
        let is_about_content = matches!(act, Act::Seek(_) | Act::Next | Act::Previous);
        let refuses = is_about_content && self.is_unit();
        if refuses {
            let text = format!("{} is about content; an outstream unit has none", act.name().name());
            out.diag(rules::OUT_8, Code::Outstream, text);
        }
        refuses
    }

    /// The arguments of `setAd` and `playAd` as a unit takes them: an ad of any type and level becomes a
    /// pre-roll. Invalid values stay as they are. `None` if this is not a unit. Rule OUT-9.
    pub(in crate::player) fn ad_of_unit(&self, args: &[Value]) -> Option<Vec<Value>> {
        if !self.is_unit() {
            return None;
        }
        let mut args = args.to_vec();
        if let Some(Value::Map(ad)) = args.first_mut() {
            let as_pre_roll = |(key, value): (&Text, &Value)| match value.as_integer() {
                Some(0..=3) if **key == *"adType" => (key.clone(), Value::from(0)),
                Some(_) | None => (key.clone(), value.clone()),
            };
            *ad = ad.iter().map(as_pre_roll).collect();
        }
        if let Some(level) =
            args.get_mut(2).filter(|level| level.as_text().is_some_and(|text| **text == *"video"))
        {
            *level = "player".into();
        }
        Some(args)
    }

    /// The unit has been scrolled; its ad pauses or resumes accordingly. Rule OUT-10.
    pub(in crate::player) fn scroll_unit(&mut self, now: Time, change: PageChange, out: &mut Outbox) {
        let (Role::Unit(unit), PageChange::InView(percent)) = (self.role, change) else { return };
        let is_in_view = percent >= IN_VIEW_PERCENT;
        if let State::AdPlaying(_) = self.state
            && !is_in_view
        {
            self.role = Role::Unit(Unit { is_paused_by_view: true, ..unit });
            self.pause_ad(now, out);
        } else if unit.is_paused_by_view && is_in_view {
            self.forget_view();
            self.resume_ad(now, out);
        }
    }

    /// The rule by which a getter about content returns its value on a unit; `None` for other getters. Rules
    /// OUT-2, OUT-5.
    pub(in crate::player) fn rule_of_unit_query(query: Query) -> Option<RuleId> {
        match query {
            Query::IsPlayerInView => Some(rules::OUT_2),
            Query::CurrentTime
            | Query::Duration
            | Query::CurrentChapter
            | Query::CurrentSrc
            | Query::PlaylistLength
            | Query::CurrentIndex
            | Query::IsHd
            | Query::GetTitle
            | Query::GetTags => Some(rules::OUT_5),
            Query::IsReady
            | Query::Volume
            | Query::Muted
            | Query::GetAdInProgress
            | Query::IsFullScreen
            | Query::LastVastXml
            | Query::Paused
            | Query::Ended
            | Query::Seeking
            | Query::ReadyState
            | Query::NetworkState
            | Query::Error
            | Query::Loop
            | Query::PlaybackRate
            | Query::Src => None,
        }
    }
}
