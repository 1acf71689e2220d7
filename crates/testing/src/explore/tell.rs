//! A way as others see it: as a scenario of its own, and in words.

use std::sync::Arc;

use playsim_base::time::Time;
use playsim_scenario::{Scenario, Step as ScenarioStep, Target, Trigger};
use playsim_sim::Simulation;
use playsim_trace::Trace;

use super::Choice;
use super::choices::{pending, word_of_act, word_of_move, work_word};
use super::region::{Last, Track};
use super::walk::Walker;
use super::way::{Decision, Point, Step};
use crate::played::caught;

/// A way that was played to its end, as a scenario of its own.
#[derive(Debug)]
pub(super) struct Whole {
    pub(super) scenario: Scenario,
    /// `None` if it panics.
    pub(super) trace: Option<Trace>,
}

impl Walker<'_> {
    /// Returns a way whose last choice panics, as a scenario.
    fn panicking(&self, way: &[Step]) -> Option<Whole> {
        let ((place, choice), before) = way.split_last()?;
        let mut point = caught(|| Ok(self.replay(before))).ok().flatten()?;
        for _ in 0..*place {
            self.plays_on(&mut point);
        }
        let mut scenario = point.run.to_scenario();
        if let Decision::Act { at, action, player } = *choice {
            let container = Arc::clone(point.run.container(player)?);
            let act = self.bounds.actions.get(usize::from(action))?;
            let act = act.act(self.scenario, &point.run, &container)?;
            let player = Target::Container(container);
            scenario.steps.push(ScenarioStep {
                trigger: Trigger::At(at),
                act,
                player,
            });
        }
        Some(Whole {
            scenario,
            trace: None,
        })
    }

    /// Plays a way to its end.
    pub(super) fn whole(&self, way: &[Step]) -> Option<Whole> {
        let Ok(point) = caught(|| Ok(self.replay(way))) else {
            return self.panicking(way);
        };
        let point = point?;
        let mut scenario = point.run.to_scenario();
        let mut track = Track::default();
        track.add(None);
        track.point = Some(point);
        while track.end.is_none() {
            self.extend(&mut track);
        }
        if matches!(track.end, Some(Last::Endless | Last::Cut)) {
            scenario = self.cut(scenario);
        }
        let trace = caught(|| Ok(Simulation::new(&scenario)?.run())).ok();
        Some(Whole { scenario, trace })
    }

    /// Returns the choices of a way in words.
    pub(super) fn words(&self, way: &[Step]) -> Vec<Choice> {
        let word = |number: usize| {
            let (place, choice) = way.get(number)?;
            let mut point = caught(|| Ok(self.replay(&way[..number]))).ok().flatten()?;
            for _ in 0..*place {
                self.plays_on(&mut point);
            }
            self.word(&point, *choice)
        };
        (0..way.len()).map_while(word).collect()
    }

    /// Returns the instants of the scenario's own way, at which its first states were met.
    pub(super) fn instants(&self, states: usize) -> Vec<Time> {
        let mut point = self.first();
        let mut instants = vec![point.run.now()];
        for _ in 1..states {
            self.plays_on(&mut point);
            instants.push(point.run.now());
        }
        instants
    }

    /// Returns what a choice at a place of the scenario's own way is about, and when it comes.
    pub(super) fn branch(&self, place: usize, choice: Decision) -> Option<(String, Time)> {
        let mut point = self.first();
        for _ in 0..place {
            self.plays_on(&mut point);
        }
        match choice {
            Decision::Act { at, action, player } => {
                let action = self.bounds.actions.get(usize::from(action))?;
                Some((word_of_act(&point.run, at, action, player).what, at))
            }
            Decision::Move { number, to } => {
                let pending = pending(&point.run, number)?;
                Some((work_word(&pending.work), to))
            }
        }
    }

    fn word(&self, point: &Point, choice: Decision) -> Option<Choice> {
        match choice {
            Decision::Act { at, action, player } => {
                let action = self.bounds.actions.get(usize::from(action))?;
                Some(word_of_act(&point.run, at, action, player))
            }
            Decision::Move { number, to } => {
                let pending = pending(&point.run, number)?;
                Some(word_of_move(&pending, to))
            }
        }
    }
}
