//! The features of a random scenario: drawn first, so that those that are off do not interfere with those
//! that are on.

use std::sync::Arc;

use playsim::api::EventName;
use playsim::scenario::{Scenario, StepAct};

use super::dice::Dice;

/// The features of a scenario.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each feature is on or off independently")]
pub(crate) struct Features {
    /// Ad objects at both levels, and responses for their tags.
    pub(crate) ads: bool,
    /// Ads on command.
    pub(crate) commanded: bool,
    /// Header bids that win.
    pub(crate) bids: bool,
    /// What the page plays, and which ads it requests.
    pub(crate) terms: bool,
    /// Icons, companions, end cards, verifications, viewability.
    pub(crate) attachments: bool,
    /// VPAID units among the ads.
    pub(crate) vpaid: bool,
    /// SIMID units alongside ads, and overlays that are such units.
    pub(crate) simid: bool,
    /// Several items instead of one.
    pub(crate) playlists: bool,
    /// Media and sources that page code sets, and lists that it loads.
    pub(crate) sources: bool,
    /// Several renditions, plans, and changes between them.
    pub(crate) renditions: bool,
    /// Live streams.
    pub(crate) live: bool,
    /// Data delivered by a script of the network.
    pub(crate) slow: bool,
    /// Media, responses and records that fail.
    pub(crate) faults: bool,
    /// Records with dates, countries, rejection and fields that are only reported.
    pub(crate) records: bool,
    /// Steps that wait for events, and named listeners.
    pub(crate) listeners: bool,
    /// Responses, media and scripts with delays.
    pub(crate) late: bool,
    /// Arguments and configurations of any type.
    pub(crate) nonsense: bool,
    /// More than one container.
    pub(crate) several: bool,
    /// Queue arrays, and scripts that arrive.
    pub(crate) queues: bool,
    /// Outstream units.
    pub(crate) units: bool,
    /// A bare media element.
    pub(crate) elements: bool,
    /// Volume and mute.
    pub(crate) sound: bool,
    /// Gestures, clicks, and every button.
    pub(crate) people: bool,
    /// Size, fullscreen, skin, visibility, sticky state.
    pub(crate) surroundings: bool,
    /// Profiles, and knobs of every value.
    pub(crate) settings: bool,
}

impl Features {
    /// Draws some of them. Those that the others depend on are more likely.
    pub(crate) fn draw(dice: &mut Dice) -> Features {
        let mut on = |times| dice.chance(times, 8);
        Features {
            ads: on(6),
            commanded: on(2),
            bids: on(1),
            terms: on(2),
            attachments: on(2),
            vpaid: on(2),
            simid: on(2),
            playlists: on(4),
            sources: on(2),
            renditions: on(2),
            live: on(1),
            slow: on(1),
            faults: on(4),
            records: on(2),
            listeners: on(4),
            late: on(4),
            nonsense: on(3),
            several: on(3),
            queues: on(2),
            units: on(2),
            elements: on(1),
            sound: on(2),
            people: on(3),
            surroundings: on(2),
            settings: on(3),
        }
    }
}

/// The events that page code can listen for in a container; a bare element has its own events only.
///
/// Rule EVT-18.
pub(crate) fn heard(scenario: &Scenario, place: &str) -> &'static [EventName] {
    let hears_all = scenario.knobs.bus_expose_html.is_on() || elements(scenario).any(|div| **div == *place);
    if hears_all { EventName::ALL } else { EventName::DOCUMENTED }
}

/// Where players, units and elements may be.
pub(crate) fn places(scenario: &Scenario) -> Vec<Arc<str>> {
    let containers = scenario.page.containers.iter().map(|container| &container.id);
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
        | StepAct::Edit(_)
        | StepAct::Read(_) => None,
    })
}
