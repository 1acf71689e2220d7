//! The purpose of a player: to play content, or, as an outstream unit, to show ads only.
//!
//! A unit is hidden until an ad of its own starts; calls and actions about content are refused.
//!
//! Rules: INIT-4, INIT-17, OUT-1 to OUT-3, OUT-8 to OUT-10.

use playsim_api::{Act, Code, Fields, Outbox, Output, Task, Text, UiLine, UnitKind, Value};
use playsim_rules::{self as rules, RuleId};

/// The purpose of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Role {
    /// To play content, perhaps automatically. Rule INIT-17.
    Player { autoplay: bool },
    /// To show ads. Rule OUT-1.
    Unit(Unit),
}

/// The data of an outstream unit in addition to its state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub(super) struct Unit {
    /// Whether it is visible to the user. Rule OUT-2.
    is_shown: bool,
    /// Whether scrolling paused its ad, so that scrolling resumes it. Rule OUT-10.
    is_paused_by_view: bool,
}

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

    /// Whether it is an outstream unit.
    pub(super) fn is_unit(&self) -> bool {
        matches!(self, Role::Unit(_))
    }

    /// Whether it plays content automatically. Rule INIT-17.
    pub(super) fn plays_by_itself(&self) -> bool {
        matches!(self, Role::Player { autoplay: true })
    }

    /// The automatic action of a player after `ready` has fired. Rules INIT-17, OUT-3.
    pub(super) fn start_by_itself(&self, out: &mut Outbox) {
        match self {
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
    pub(super) fn is_hidden(&self) -> bool {
        matches!(
            self,
            Role::Unit(Unit {
                is_shown: false,
                ..
            })
        )
    }

    /// Forgets that scrolling paused the ad: scrolling does not undo an explicit pause. Rule
    /// OUT-10.
    pub(super) fn clear_paused_by_view(&mut self) {
        if let Some(unit) = self.unit() {
            unit.is_paused_by_view = false;
        }
    }

    /// Shows the unit, if this is a hidden one. Rule OUT-2.
    pub(super) fn show(&mut self, out: &mut Outbox) {
        self.set_shown(true, rules::OUT_2, out);
    }

    /// Hides the unit, if this is a visible one. Rules OUT-6, OUT-9.
    pub(super) fn hide(&mut self, rule: RuleId, out: &mut Outbox) {
        self.set_shown(false, rule, out);
        self.clear_paused_by_view();
    }

    fn set_shown(&mut self, shown: bool, rule: RuleId, out: &mut Outbox) {
        if let Some(unit) = self.unit()
            && unit.is_shown != shown
        {
            unit.is_shown = shown;
            out.line(rule, UiLine::Unit, Fields::one("visible", shown));
        }
    }

    /// Whether a call about content is refused, because this is a unit. Rule OUT-8.
    pub(super) fn refuses_content(&self, call: &str, out: &mut Outbox) -> bool {
        if self.is_unit() {
            out.decide(rules::OUT_8);
            let text = format!("{call}() is about content; an outstream unit has none");
            out.diag(rules::OUT_8, Code::Outstream, text);
        }
        self.is_unit()
    }

    /// Whether a user action is refused because it is about content, which a unit does not have.
    /// Rules OUT-8, ENV-3.
    pub(super) fn refuses_act(&self, act: &Act, out: &mut Outbox) -> bool {
        let is_about_content = matches!(act, Act::Seek(_) | Act::Next | Act::Previous);
        let refuses = is_about_content && self.is_unit();
        if refuses {
            let text = format!(
                "{} is about content; an outstream unit has none",
                act.name().name()
            );
            out.diag(rules::OUT_8, Code::Outstream, text);
        }
        refuses
    }

    /// The arguments of `setAd` and `playAd` as a unit takes them: an ad of any type and level
    /// becomes a pre-roll. Invalid values stay as they are. `None` if this is not a unit. Rule
    /// OUT-9.
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
        if let Some(level) = args
            .get_mut(2)
            .filter(|level| level.as_text().is_some_and(|text| **text == *"video"))
        {
            *level = "player".into();
        }
        Some(args)
    }

    /// Scrolling pauses the ad. Rule OUT-10.
    pub(super) fn note_paused_by_view(&mut self) {
        if let Some(unit) = self.unit() {
            unit.is_paused_by_view = true;
        }
    }

    /// Whether scrolling paused the ad, so that scrolling resumes it. Rule OUT-10.
    pub(super) fn is_paused_by_view(&self) -> bool {
        matches!(
            self,
            Role::Unit(Unit {
                is_paused_by_view: true,
                ..
            })
        )
    }
}
