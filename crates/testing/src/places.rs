//! Where the players of a scenario are, and what page code hears there.

use std::sync::Arc;

use playsim_api::EventName;
use playsim_scenario::{Scenario, StepAct};

/// The events that page code can listen for in a container; a bare element has its own events only.
///
/// Rule EVT-18.
pub(super) fn heard(scenario: &Scenario, place: &str) -> &'static [EventName] {
    let hears_all =
        scenario.knobs.bus_expose_html.is_on() || elements(scenario).any(|div| **div == *place);
    if hears_all {
        EventName::ALL
    } else {
        EventName::DOCUMENTED
    }
}

/// Where players, units and elements may be.
pub(super) fn places(scenario: &Scenario) -> Vec<Arc<str>> {
    let containers = scenario
        .page
        .containers
        .iter()
        .map(|container| &container.id);
    let mut places: Vec<Arc<str>> = containers.chain(elements(scenario)).cloned().collect();
    places.dedup();
    places
}

fn elements(scenario: &Scenario) -> impl Iterator<Item = &Arc<str>> {
    scenario.steps.iter().filter_map(|step| match &step.act {
        StepAct::Element { div, .. } => Some(div),
        StepAct::Init { .. }
        | StepAct::Queue { .. }
        | StepAct::Do { .. }
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
        | StepAct::Task(_) => None,
    })
}
