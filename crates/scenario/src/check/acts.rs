//! Checks steps and listeners.

use super::{
    Checked, length, named, once, out_of_bounds, part, shallow, size, within, within_text,
};
use crate::limits;
use crate::{EditScript, HIDDEN, Scenario, ScenarioError, Step, StepAct, Trigger};
use playsim_api::{Act, PageChange, Query};

pub(super) fn check(scenario: &Scenario) -> Result<(), ScenarioError> {
    once(
        "listener",
        scenario.listeners.iter().map(|(name, _)| &**name),
    )
    .map_err(|text| out_of_bounds("listeners", text))?;
    for (name, listener) in &scenario.listeners {
        named("name", name)
            .and_then(|()| listener.all_acts().try_for_each(act))
            .map_err(|text| out_of_bounds(part("listener", name), text))?;
    }
    for (number, step) in scenario.steps.iter().enumerate() {
        within_bounds(step).map_err(|text| out_of_bounds(format!("step {}", number + 1), text))?;
    }
    Ok(())
}

fn within_bounds(step: &Step) -> Checked {
    trigger(step).and_then(|()| act(&step.act))
}

impl Step {
    /// Checks a step that is not yet in a scenario.
    pub fn check(&self) -> Result<(), ScenarioError> {
        within_bounds(self).map_err(|text| out_of_bounds("the act", text))
    }
}

fn trigger(step: &Step) -> Checked {
    match step.trigger {
        Trigger::Visibility if step.act.changes_the_page() => {
            Err("a step at a change of visibility cannot change the page".to_owned())
        }
        Trigger::Visibility => Ok(()),
        Trigger::At(at) => within_text("at", at.micros()),
        Trigger::On { nth, after, .. } => {
            nth.map_or(Ok(()), |nth| within("nth", nth, limits::FROM_ONE))?;
            after.map_or(Ok(()), |after| length("after", after))
        }
    }
}

fn act(checked: &StepAct) -> Checked {
    match checked {
        StepAct::Init { div, config, .. } => {
            shallow("div", div)?;
            shallow("config", config)
        }
        StepAct::Queue { entry, .. } => shallow("queue", entry),
        StepAct::Do { args, .. } => args.iter().try_for_each(|arg| shallow("do", arg)),
        StepAct::User(Act::Seek(value)) => shallow("seek", value),
        StepAct::User(Act::Volume(value)) => shallow("volume", value),
        StepAct::User(Act::Icon(name)) => named("icon", name),
        StepAct::User(Act::Companion(name)) => named("companion", name),
        StepAct::Page(PageChange::InView(percent)) => within("in_view", *percent, limits::PERCENT),
        StepAct::Page(PageChange::Window(width, height)) => size("window", (*width, *height)),
        StepAct::Container(id) => named("container", id),
        StepAct::Edit(script) => edit(script),
        StepAct::Read(queries) if queries.is_empty() => Err("\"read\" must name at least one getter or property".to_owned()),
        StepAct::Let { name, .. } if **name == *HIDDEN || Query::from_name(name).is_some() => {
            Err(format!("\"{name}\" has a meaning of its own; a kept value needs another name"))
        }
        StepAct::Let { name, .. } => named("let", name),
        StepAct::Use { name, .. } => named("use", name),
        StepAct::When { conditions, act: inner } => {
            conditions.iter().try_for_each(|(name, value)| {
                named("when", name)?;
                shallow("when", value)
            })?;
            if matches!(**inner, StepAct::When { .. }) {
                return Err("conditions cannot have conditions".to_owned());
            }
            act(inner)
        }
        StepAct::For { act: inner, .. } if inner.is_for_a_player() => act(inner),
        StepAct::For { .. } => {
            Err("only a call, a reading, a user or a page can be for another player".to_owned())
        }
        StepAct::Task(acts) => acts.iter().try_for_each(|part| match part {
            StepAct::Task(_) => Err("a task cannot contain another one".to_owned()),
            StepAct::Edit(_) => Err("an edit call is made by a server, not in a task of the page".to_owned()),
            StepAct::Init { .. }
            | StepAct::Queue { .. }
            | StepAct::Element { .. }
            | StepAct::Do { .. }
            | StepAct::User(_)
            | StepAct::Page(_)
            | StepAct::Script(_)
            | StepAct::Container(_)
            | StepAct::Read(_)
            | StepAct::Let { .. }
            | StepAct::Use { .. }
            | StepAct::For { .. } => act(part),
            StepAct::When { act: inner, .. } if matches!(**inner, StepAct::Task(_) | StepAct::Edit(_)) => {
                Err("a task of the page has neither tasks nor edit calls".to_owned())
            }
            StepAct::When { .. } => act(part),
        }),
        StepAct::Element { .. }
        | StepAct::User(_)
        // Rule MEL-22 covers rates that no browser plays.
        | StepAct::Page(
            PageChange::Rate(_) | PageChange::Sticky(_) | PageChange::Fullscreen(_) | PageChange::Hidden(_),
        )
        | StepAct::Script(_)
        | StepAct::Read(_) => Ok(()),
    }
}

fn edit(script: &EditScript) -> Checked {
    match &script.id {
        Some(id) => named("id", id)?,
        None if script.route.has_id_in_path() => {
            return Err("an edit by this route must have an \"id\"".to_owned());
        }
        None => {}
    }
    let Some(fault) = &script.fault else {
        return Ok(());
    };
    length("after", fault.after)?;
    fault.status.map_or(Ok(()), |status| {
        within("status", status, limits::FAULT_STATUS)
    })
}
