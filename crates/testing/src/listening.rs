//! Scenarios with more listeners or reads, which change nothing but their own lines.
//!
//! Rule: INV-23.

use playsim_api::{Call, Code, EventName, Kind, Query, Value};
use playsim_base::time::Time;
use playsim_scenario::{ListenerScript, Scenario, Step, StepAct, Target, Trigger};
use playsim_trace::Record;

use super::lines::Lines;
use super::places::{heard, places};
use super::played::{Played, Why};

/// Without any steps a scenario starts on its own; with one more it would not.
fn starts_by_itself(scenario: &Scenario) -> bool {
    scenario.steps.is_empty()
}

/// The listener of a step that never triggers is bound and runs, and writes no line. Of the events
/// that are heard in a place, those from `first` on get one.
pub(super) fn silent(
    played: &Played<'_>,
    mut first: impl FnMut(&[EventName]) -> usize,
) -> Result<(), Why> {
    let Played {
        scenario, trace, ..
    } = *played;
    if starts_by_itself(scenario) {
        return Ok(());
    }
    let mut other = scenario.clone();
    for place in places(scenario) {
        let heard = heard(scenario, &place);
        for event in heard.iter().skip(first(heard)) {
            let trigger = Trigger::On {
                event: *event,
                nth: Some(u32::MAX),
                after: None,
            };
            let act = StepAct::Read(vec![Query::IsReady]);
            other.steps.push(Step {
                trigger,
                act,
                player: Target::Container(place.clone()),
            });
        }
    }
    let own = Lines::of(trace, names_listeners);
    own.same(
        "with listeners",
        &Lines::of(&played.play(&other)?, names_listeners),
    )
}

/// Whether a line names the steps that listen to a player which was destroyed. Rule DESTROY-11.
fn names_listeners(record: &Record) -> bool {
    record.is(Code::ListenersGone)
}

/// The name of a listener that generated scenarios do not use.
const RECORDER: &str = "recorder";

/// The only additional lines are the calls that bind the listeners and the listeners' own lines
/// (EVT-2). `binds` says when and how they are bound in a place.
pub(super) fn recording(
    played: &Played<'_>,
    mut binds: impl FnMut() -> Vec<(Time, Call)>,
) -> Result<(), Why> {
    let Played {
        scenario, trace, ..
    } = *played;
    if starts_by_itself(scenario) {
        return Ok(());
    }
    let mut other = scenario.clone();
    other
        .listeners
        .push((RECORDER.into(), ListenerScript::default()));
    // A step that binds a listener to `ready` as a player is made is a line of that script. INIT-11
    let makes_player = |at: Time| {
        scenario
            .steps
            .iter()
            .any(|it| it.trigger == Trigger::At(at) && matches!(it.act, StepAct::Init { .. }))
    };
    for place in places(scenario) {
        let heard = heard(scenario, &place);
        for (at, call) in binds() {
            let names = heard
                .iter()
                .filter(|event| **event != EventName::Ready || !makes_player(at));
            let names: Vec<Value> = names.map(|event| Value::from(event.name())).collect();
            let args = vec![Value::List(names), Value::Function(RECORDER.into())];
            let act = StepAct::Do { call, args };
            let player = Target::Container(place.clone());
            other.steps.push(Step {
                trigger: Trigger::At(at),
                act,
                player,
            });
        }
    }
    let is_new = |record: &Record| {
        let args = record
            .data
            .get("args")
            .filter(|_| record.kind == Kind::Call);
        let binds = matches!(args, Some(Value::List(args)) if args.get(1) == Some(&Value::Function(RECORDER.into())));
        binds
            || record.kind == Kind::Listener
                && record.data.get("binding") == Some(&Value::from(RECORDER))
    };
    let own = Lines::of(trace, is_new);
    own.same(
        "with recording listeners",
        &Lines::of(&played.play(&other)?, is_new),
    )
}

/// Steps that read, and reads within listeners, change nothing.
pub(super) fn reading(
    played: &Played<'_>,
    steps: Vec<Step>,
    mut within: impl FnMut(&mut Vec<StepAct>),
) -> Result<(), Why> {
    let Played {
        scenario, trace, ..
    } = *played;
    if starts_by_itself(scenario) {
        return Ok(());
    }
    let mut other = scenario.clone();
    other.steps.extend(steps);
    for (_, script) in &mut other.listeners {
        within(&mut script.then.acts);
    }
    // Reads of the scenario itself are left out on both sides: they cannot be reported apart.
    let is_read = |record: &Record| {
        let gives = record.data.get("returns").is_some() || record.data.get("error").is_some();
        let args = record.data.get("args");
        let has_none = args.is_none_or(|args| *args == Value::List(Vec::new()));
        record.kind == Kind::Call && Query::from_name(&record.name).is_some() && gives && has_none
    };
    let leave_out = |record: &Record| is_read(record) || names_listeners(record);
    Lines::of(trace, leave_out).same("with reads", &Lines::of(&played.play(&other)?, leave_out))
}
