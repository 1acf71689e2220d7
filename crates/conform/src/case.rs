//! A case: a scenario that the simulator and a real player both play.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::shared::Shared;
use playsim_check::compare::{Compared, Detail, Known, Marks, compare};
use playsim_check::recording::{Recording, Tolerance, heard};
use playsim_rules::knobs::{Knobs, Profiles};
use playsim_scenario::{Scenario, ScenarioError};
use playsim_sim::Simulation;
use playsim_trace::Trace;

/// A scenario, read once, to be held against any number of recordings with any settings.
#[derive(Debug)]
pub struct Case {
    /// The name of its file, without the ending.
    pub name: Arc<str>,
    /// The suite that it is of: the name of its folder, empty if that is not known.
    pub suite: Arc<str>,
    /// The scenario.
    pub scenario: Scenario,
    known: Known,
    simulation: Simulation,
    /// The knobs that the scenario sets itself. They stay on top of every profile.
    own: Vec<(&'static str, String)>,
}

/// The behaviour that a player is held against.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Behaviour {
    /// The profile or profile file that it comes from, such as `contrib-ads+vast-client-js`.
    pub name: String,
    /// The settings.
    pub knobs: Knobs,
}

impl Case {
    /// Prepares a scenario.
    ///
    /// # Errors
    ///
    /// If it cannot be played.
    pub fn of(name: &str, scenario: Scenario) -> Result<Case, ScenarioError> {
        let simulation = Simulation::new(&scenario)?;
        let own = scenario
            .knobs
            .differing_from(scenario.profile.knobs())
            .collect();
        Ok(Case {
            name: name.into(),
            suite: "".into(),
            known: Known::of(&scenario),
            simulation,
            own,
            scenario,
        })
    }

    /// Returns the same case, of a suite.
    #[must_use]
    pub fn in_suite(self, suite: &str) -> Case {
        Case {
            suite: suite.into(),
            ..self
        }
    }

    /// Plays the case with these settings. The trace has the lines that a recorder would have
    /// heard.
    ///
    /// # Errors
    ///
    /// If a knob has an invalid value.
    pub fn play(&self, knobs: &Knobs) -> Result<Trace, ScenarioError> {
        self.play_noting(knobs).map(|(trace, _)| trace)
    }

    /// Plays the case, and returns the knobs that the run has read, too: no other one can have
    /// changed it. Those that the scenario sets itself are not among them.
    pub(super) fn play_noting(
        &self,
        knobs: &Knobs,
    ) -> Result<(Trace, BTreeSet<&'static str>), ScenarioError> {
        let mut scenario = Scenario {
            profile: Profiles::default(),
            knobs: knobs.clone(),
            ..self.scenario.clone()
        };
        for (name, value) in &self.own {
            // It was read from a scenario, so that it is valid.
            let _ = scenario.knobs.set(name, value);
        }
        let simulation = self.simulation.with_scenario(&scenario)?;
        let reader = simulation.knobs().clone();
        let trace = heard(&simulation.run());
        let read = reader.noted().map(|knob| knob.name);
        Ok((trace, read.filter(|name| !self.sets(name)).collect()))
    }

    /// Returns whether the scenario itself sets a knob.
    #[must_use]
    pub fn sets(&self, knob: &str) -> bool {
        self.own.iter().any(|(name, _)| *name == knob)
    }

    /// Reads a recording of the case, to compare it with any settings.
    pub(super) fn held<'a>(&'a self, recording: &'a Recording, tolerance: Tolerance) -> Held<'a> {
        let marks = self
            .known
            .marks(&recording.trace, &recording.head.hears, Detail::Outline);
        Held {
            case: self,
            recording,
            marks,
            tolerance,
        }
    }
}

/// A recording of a case, read once.
#[derive(Debug)]
pub(super) struct Held<'a> {
    pub(super) case: &'a Case,
    pub(super) recording: &'a Recording,
    marks: Marks,
    tolerance: Tolerance,
}

impl Held<'_> {
    /// Returns the marks of the recording.
    pub(super) const fn recorded(&self) -> &Marks {
        &self.marks
    }

    /// Returns the marks of a simulation that the recorder would have heard.
    pub(super) fn marks(&self, trace: &Trace) -> Marks {
        self.case
            .known
            .marks(trace, &self.recording.head.hears, Detail::Outline)
    }

    /// Compares the recording with a simulation.
    pub(super) fn compare(&self, simulated: &Marks) -> Compared {
        compare(&self.marks, simulated, self.tolerance)
    }

    /// Compares the two, but for what many cases share.
    pub(super) fn compare_but(&self, simulated: &Marks, shared: &Shared) -> Compared {
        let mut compared = self.compare(simulated);
        compared.differences.retain(|it| !shared.has(it));
        compared
    }
}
