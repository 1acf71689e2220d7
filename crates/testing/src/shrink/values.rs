//! Parts of values: fields of objects and items of lists, at any depth.

use std::ops::Range;
use std::sync::Arc;

use playsim_api::{Fields, Value};
use playsim_scenario::{Scenario, StepAct};

/// The number of parts of all values of a scenario.
pub(super) fn count(scenario: &mut Scenario) -> usize {
    let mut sum = 0;
    each(scenario, &mut |value| sum += parts(value));
    sum
}

/// Leaves out parts, numbered from the first value to the last, each before its own parts.
pub(super) fn remove(scenario: &mut Scenario, range: &Range<usize>) {
    let mut next = 0;
    each(scenario, &mut |value| remove_from(value, range, &mut next));
}

/// Visits the ad objects of a scenario and the arguments of its steps.
fn each(scenario: &mut Scenario, visit: &mut dyn FnMut(&mut Value)) {
    scenario.player.ads.iter_mut().for_each(&mut *visit);
    scenario
        .players
        .iter_mut()
        .flat_map(|(_, player)| &mut player.ads)
        .for_each(&mut *visit);
    for script in &mut scenario.videos {
        if !script.video.ads.is_empty() {
            Arc::make_mut(&mut script.video)
                .ads
                .iter_mut()
                .for_each(&mut *visit);
        }
    }
    let steps = scenario.steps.iter_mut().map(|step| &mut step.act);
    for act in steps.chain(
        scenario
            .listeners
            .iter_mut()
            .flat_map(|(_, script)| &mut script.then.acts),
    ) {
        let act = if let StepAct::For { act, .. } = act {
            &mut **act
        } else {
            act
        };
        match act {
            StepAct::Init { config, .. } => visit(config),
            StepAct::Queue { entry, .. } => visit(entry),
            StepAct::Do { args, .. } => args.iter_mut().for_each(&mut *visit),
            StepAct::Element { .. }
            | StepAct::User(_)
            | StepAct::Page(_)
            | StepAct::Script(_)
            | StepAct::Container(_)
            | StepAct::Edit(_)
            | StepAct::Read(_)
            | StepAct::Let { .. }
            | StepAct::Use { .. }
            | StepAct::When { .. }
            | StepAct::For { .. }
            | StepAct::Task(_) => {}
        }
    }
}

fn parts(value: &Value) -> usize {
    match value {
        Value::List(items) => items.iter().map(|item| 1 + parts(item)).sum(),
        Value::Map(fields) => fields.iter().map(|(_, value)| 1 + parts(value)).sum(),
        Value::Undefined
        | Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::NaN
        | Value::Infinity
        | Value::NegativeInfinity
        | Value::Text(_)
        | Value::Function(_) => 0,
    }
}

fn remove_from(value: &mut Value, range: &Range<usize>, next: &mut usize) {
    let mut kept = |mut value: Value| {
        let is_kept = !range.contains(next);
        *next += 1;
        remove_from(&mut value, range, next);
        is_kept.then_some(value)
    };
    if let Value::List(items) = value {
        *items = std::mem::take(items).into_iter().filter_map(kept).collect();
    } else if let Value::Map(fields) = value {
        let all = fields
            .iter()
            .map(|(key, value)| (key.clone(), value.clone()));
        *fields = all
            .filter_map(|(key, value)| kept(value).map(|value| (key, value)))
            .collect::<Fields>();
    }
}
