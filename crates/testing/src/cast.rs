//! The actors of a random scenario.

use std::sync::Arc;

use super::feature::Feature;
use super::places::heard;
use super::plan::Plan;
use super::source::Source;
use playsim_api::{Call, EventName, Text};
use playsim_base::time::Time;
use playsim_scenario::Scenario;

/// The actors that steps can name.
pub(super) struct Cast<'a> {
    pub(super) plan: &'a Plan,
    /// The containers of players, except those of outstream units.
    pub(super) containers: &'a [Text],
    /// Names of listeners.
    pub(super) listeners: Vec<Arc<str>>,
    /// The events that page code can listen for.
    pub(super) events: &'static [EventName],
    /// The calls that this scenario mostly uses; all others are less frequent.
    pub(super) usual: Vec<Call>,
    pub(super) end: Time,
}

impl<'a> Cast<'a> {
    /// The actors of a scenario without steps, whose players are in these containers.
    pub(super) fn new(
        scenario: &Scenario,
        plan: &'a Plan,
        containers: &'a [Text],
        source: &mut Source,
    ) -> Cast<'a> {
        let names = if plan.has(Feature::Listeners) {
            1 + source.index(3)
        } else {
            0
        };
        let own = scenario.listeners.iter().map(|(name, _)| name);
        let is_free = |name: &Arc<str>| scenario.listeners.iter().all(|(known, _)| known != name);
        let drawn = (0..names)
            .map(|number| Arc::from(format!("L{number}")))
            .filter(is_free);
        Cast {
            plan,
            containers,
            listeners: own.cloned().chain(drawn).collect(),
            events: if plan.has(Feature::Elements) {
                EventName::ALL
            } else {
                heard(scenario, "")
            },
            usual: usual(plan),
            end: scenario.until.end().unwrap_or(Time::MAX),
        }
    }
}

/// The most frequent calls, and those that belong to a feature.
fn usual(plan: &Plan) -> Vec<Call> {
    let mut usual = vec![
        Call::Play,
        Call::Play,
        Call::Play,
        Call::Pause,
        Call::Pause,
        Call::Stop,
        Call::CurrentTime,
        Call::CurrentTime,
        Call::CurrentChapter,
        Call::Next,
        Call::Previous,
        Call::PlayByIndex,
        Call::SetAd,
    ];
    let groups: [(bool, &[Call]); 6] = [
        (
            plan.has(Feature::Elements),
            &[
                Call::Load,
                Call::Loop,
                Call::PlaybackRate,
                Call::Volume,
                Call::Src,
            ],
        ),
        (
            plan.has(Feature::Commanded),
            &[
                Call::PlayAd,
                Call::PlayAd,
                Call::PlayAd,
                Call::PushAds,
                Call::PushAds,
            ],
        ),
        (
            plan.has(Feature::Sources),
            &[Call::Src, Call::Src, Call::LoadPlaylist, Call::LoadPlaylist],
        ),
        (
            plan.has(Feature::Renditions),
            &[
                Call::SetVideoSource,
                Call::SetVideoSource,
                Call::SetHd,
                Call::SetHd,
            ],
        ),
        (
            plan.has(Feature::Sound),
            &[Call::Volume, Call::Volume, Call::Muted, Call::Muted],
        ),
        (
            plan.has(Feature::Surroundings),
            &[
                Call::ToggleFullScreen,
                Call::Resize,
                Call::ChangeSkin,
                Call::FireCustom,
            ],
        ),
    ];
    for (_, calls) in groups.into_iter().filter(|(is_on, _)| *is_on) {
        usual.extend(calls);
    }
    usual
}
