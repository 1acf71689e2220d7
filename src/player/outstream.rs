//! Outstream units: a player without content, which shows ads only.
//!
//! A unit is hidden until an ad of its own starts. Once ready it opens its one break by itself: the pre-rolls at
//! player level. When the break is over, so is the unit. What `setAd` gives it counts as pre-roll of that
//! break. Scrolling it out of view pauses its ad.
//!
//! ```text
//!   created ── ready ──► initial ── by itself, play ──► ad-loading ◄──► ad-playing ◄──► ad-paused
//!                           ▲                               │               │  view, pause, play
//!                           └── stop (any)                  └──► ended ◄────┘
//!                                                                  └──► destroyed
//! ```
//!
//! Rules: INIT-4, OUT-1 to OUT-10.

use super::state::Back;
use super::*;
use crate::ads::{BreakOutcome, BreakPlan};
use crate::knobs::OutstreamAfter;

/// What a player is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// To play content; perhaps by itself. Rule INIT-17.
    Player { autoplay: bool },
    /// To show ads. Rule OUT-1.
    Unit(Unit),
}

/// What an outstream unit keeps besides its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Unit {
    /// Whether the person can see it. Rule OUT-2.
    is_shown: bool,
    /// Whether scrolling paused its ad, so that scrolling resumes it. Rule OUT-10.
    is_paused_by_view: bool,
}

/// The first percentage in view that resumes an ad: the constant `view.threshold`. Rules OUT-10, VIEW-1.
const IN_VIEW_PERCENT: Decimal = Decimal::from_integer(50);

impl Role {
    pub(super) fn of(unit: UnitKind, autoplay: bool) -> Role {
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
    pub(super) fn is_unit(&self) -> bool {
        matches!(self.role, Role::Unit(_))
    }

    /// What a player does by itself, once `ready` was delivered. Rules INIT-17, OUT-3.
    pub(super) fn start_by_itself(&self, out: &mut Outbox) {
        match self.role {
            Role::Player { autoplay: false } => {}
            Role::Player { autoplay: true } => {
                out.put(rule!("INIT-17"), Output::Task(Task::Autoplay));
            }
            Role::Unit(_) => {
                out.put(rule!("OUT-3"), Output::Task(Task::OpenUnitBreak));
            }
        }
    }

    /// Whether it is a unit that the person cannot see. Rule OUT-2.
    pub(super) fn is_hidden_unit(&self) -> bool {
        matches!(self.role, Role::Unit(Unit { is_shown: false, .. }))
    }

    /// Opens the unit's break: by itself once it is ready, or by `play()`. Rules OUT-3, OUT-9, REQ-15.
    pub(super) fn open_unit_break(&mut self, now: Time, rule: RuleId, why: &'static str, out: &mut Outbox) {
        if !matches!(self.state, State::Initial) {
            return;
        }
        if self.pending.is_some() {
            out.diag(rule, "ad_busy", "the unit asks no tag of its own: an ad on command loads");
            return;
        }
        // A unit has no item that breaks could belong to. VMAP-1
        let of_unit = |plan: BreakPlan| BreakPlan { may_schedule: false, ..plan.because(rule, why) };
        match self.schedule.pre_roll().map(of_unit) {
            Some(plan) if std::mem::take(&mut self.refuses_ads) => {
                self.refuse_break(now, plan, out);
                self.after_unit_break(BreakOutcome::NoFill, out);
            }
            Some(plan) => self.open_break(now, plan, true, Back::Start { told_play: false }, out),
            None => {
                let text = "the unit has no ad tag to ask; setAd(ad) and then play() would give it one";
                out.diag(rule, "no_ads", text);
            }
        }
    }

    /// `play()` on a unit: its ad, never content. Rules OUT-9, PLAY-13, PLAY-14.
    ///
    /// `false`: a unit does as any player does here.
    pub(super) fn play_unit(&mut self, now: Time, out: &mut Outbox) -> bool {
        if !self.is_unit() {
            return false;
        }
        match self.state {
            State::Initial if self.pending.is_some() => {
                // What was asked on command comes by itself.
                out.decide(rule!("PA-3"));
                true
            }
            State::Initial => {
                out.decide(rule!("OUT-9"));
                self.open_unit_break(now, rule!("OUT-9"), "play", out);
                true
            }
            State::Ended(_) => {
                out.decide(rule!("OUT-9"));
                out.diag(
                    rule!("OUT-9"),
                    "outstream",
                    "the unit has shown what it had; stop() makes it due again",
                );
                true
            }
            State::AdPaused(_) => {
                // Whoever asks for play does not want it to depend on scrolling.
                self.forget_view();
                false
            }
            State::AdLoading(_)
            | State::AdPlaying(_)
            | State::Created(_)
            | State::Playing(_)
            | State::Buffering
            | State::Paused
            | State::Failed
            | State::Destroyed => false,
        }
    }

    /// A pause that was asked for is not taken back by scrolling. Rule OUT-10.
    pub(super) fn forget_view(&mut self) {
        if let Some(unit) = self.role.unit() {
            unit.is_paused_by_view = false;
        }
    }

    /// The unit appears, if it is one that is hidden. Rule OUT-2.
    pub(super) fn show_unit(&mut self, out: &mut Outbox) {
        self.set_shown(true, rule!("OUT-2"), out);
    }

    /// The unit disappears, if it is one that shows. Rules OUT-6, OUT-9.
    pub(super) fn hide_unit(&mut self, rule: RuleId, out: &mut Outbox) {
        self.set_shown(false, rule, out);
        self.forget_view();
    }

    fn set_shown(&mut self, shown: bool, rule: RuleId, out: &mut Outbox) {
        if let Some(unit) = self.role.unit()
            && unit.is_shown != shown
        {
            unit.is_shown = shown;
            out.line(rule, Kind::Ui, "unit", Fields::one("visible", shown));
        }
    }

    /// The unit's break is over, filled or not: so is the unit. Rules OUT-5 to OUT-7.
    pub(super) fn after_unit_break(&mut self, outcome: BreakOutcome, out: &mut Outbox) {
        let rule = match outcome {
            BreakOutcome::Filled => rule!("OUT-6"),
            BreakOutcome::NoFill | BreakOutcome::Scheduled => rule!("OUT-7"),
        };
        self.enter(State::Ended(Advance::Nowhere), rule, out);
        match self.settings.knobs.outstream_after {
            // Behind `adEnd`, whose listeners still find it as it is.
            OutstreamAfter::Destroy => {
                out.put(rule, Output::Task(Task::LeaveByItself));
            }
            OutstreamAfter::Hide => self.hide_unit(rule, out),
            OutstreamAfter::KeepLastFrame => self.forget_view(),
        }
    }

    /// The unit destroys itself; its container stays. Rules OUT-6, OUT-7, DESTROY-7.
    pub(super) fn leave_by_itself(&mut self, out: &mut Outbox) {
        if !self.is_leaving {
            self.is_leaving = true;
            out.event(rule!("OUT-6"), EventName::DestroyBefore);
            out.put(rule!("OUT-6"), Output::Task(Task::TearDown));
        }
    }

    /// What a call about content gives on a unit, which has none; `None`: it is none of these, or no unit.
    /// Rule OUT-8.
    pub(super) fn refuse_content_call(&self, call: Call, out: &mut Outbox) -> Option<Value> {
        let nothing = match call {
            Call::CurrentTime => Value::from(0),
            Call::CurrentChapter => Value::Null,
            Call::SetHd
            | Call::SetVideoSource
            | Call::Src
            | Call::LoadPlaylist
            | Call::Next
            | Call::Previous
            | Call::PlayByIndex
            | Call::PushAds => Value::Undefined,
            Call::On
            | Call::Once
            | Call::Off
            | Call::Add
            | Call::AddOnce
            | Call::Remove
            | Call::Destroy
            | Call::Play
            | Call::Pause
            | Call::Stop
            | Call::Volume
            | Call::Muted
            | Call::SetAd
            | Call::PlayAd
            | Call::ToggleFullScreen
            | Call::ChangeSkin
            | Call::Resize
            | Call::FireCustom
            | Call::Duration
            | Call::IsHd
            | Call::CurrentSrc
            | Call::GetAdInProgress
            | Call::IsPlayerInView
            | Call::GetTitle
            | Call::GetTags
            | Call::IsReady
            | Call::PlaylistLength
            | Call::CurrentIndex
            | Call::IsFullScreen
            | Call::Load
            | Call::Loop
            | Call::PlaybackRate => return None,
        };
        if !self.is_unit() {
            return None;
        }
        out.decide(rule!("OUT-8"));
        let text = format!("{}() is about content; an outstream unit has none", call.name());
        out.diag(rule!("OUT-8"), "outstream", text);
        Some(nothing)
    }

    /// Whether an act of the person is about content, of which a unit has none. Rules OUT-8, ENV-3.
    pub(super) fn refuses_act(&self, act: &Act, out: &mut Outbox) -> bool {
        let is_about_content = matches!(act, Act::Seek(_) | Act::Next | Act::Previous);
        let refuses = is_about_content && self.is_unit();
        if refuses {
            let text = format!("{} is about content; an outstream unit has none", act.word());
            out.diag(rule!("OUT-8"), "outstream", text);
        }
        refuses
    }

    /// The arguments of `setAd` and `playAd` as a unit takes them: whatever its type and level, an ad is a
    /// pre-roll. What is wrong with it stays wrong. `None`: it is no unit. Rule OUT-9.
    pub(super) fn ad_of_unit(&self, args: &[Value]) -> Option<Vec<Value>> {
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

    /// The unit is scrolled out of view or back. Rule OUT-10.
    pub(super) fn scroll_unit(&mut self, now: Time, change: PageChange, out: &mut Outbox) {
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

    /// The rule by which a getter of content answers on a unit; `None`: it is none of these. Rules OUT-2, OUT-5.
    pub(super) fn rule_of_unit_query(query: Query) -> Option<RuleId> {
        match query {
            Query::IsPlayerInView => Some(rule!("OUT-2")),
            Query::CurrentTime
            | Query::Duration
            | Query::CurrentChapter
            | Query::CurrentSrc
            | Query::PlaylistLength
            | Query::CurrentIndex
            | Query::IsHd
            | Query::GetTitle
            | Query::GetTags => Some(rule!("OUT-5")),
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
