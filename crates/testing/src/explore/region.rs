//! The instants of a choice for which a way does the same.

use std::collections::BTreeSet;

use playsim_api::PlayerIndex;
use playsim_base::time::Time;
use playsim_base::watch::Compared;

use super::way::{Attempt, Decision, Met, Point};
use crate::played::Why;

/// A choice without its instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Template {
    Act { action: u16, player: PlayerIndex },
    Move { number: u32 },
}

impl Template {
    /// The choice at an instant.
    pub(super) fn at(self, at: Time) -> Decision {
        match self {
            Template::Act { action, player } => Decision::Act { at, action, player },
            Template::Move { number } => Decision::Move { number, to: at },
        }
    }
}

/// A state on a way, and what follows.
#[derive(Debug)]
pub(super) struct Here<'a> {
    pub(super) point: &'a Point,
    /// The instant of the next state; `None` if nothing is due any more.
    pub(super) next: Option<Time>,
}

/// The instants of a choice at which all comparisons of the run have the same answers.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) from: Time,
    pub(super) to: Time,
    /// The run at the first of them, and at the last if that is another.
    pub(super) low: Track,
    pub(super) high: Option<Track>,
    /// The first of their states that is the same; `None` if they end without one.
    pub(super) settled: Option<usize>,
}

/// What came of a choice in a region.
#[derive(Debug)]
pub(super) struct Region {
    /// The place of the state at which the choice was made.
    pub(super) place: usize,
    pub(super) template: Template,
    pub(super) from: Time,
    pub(super) to: Time,
    pub(super) first: Attempt,
    /// At the last instant, if the choices that follow may differ.
    pub(super) last: Option<Attempt>,
    pub(super) settled: Option<usize>,
}

/// How two runs that differ in the instant of a choice go on.
#[derive(Debug)]
pub(super) enum Meet {
    /// With the same answers, up to the same state, or to the end if there is none.
    Same(Option<usize>),
    /// With another answer from a share of the difference on, if that can be said.
    Parts(Option<(u128, u128)>),
}

/// A run that is played on as far as it is needed.
#[derive(Debug, Default)]
pub(super) struct Track {
    pub(super) point: Option<Point>,
    /// Its states, from that right after the choice.
    pub(super) mets: Vec<Option<Met>>,
    /// How many comparisons were made up to each state.
    marks: Vec<usize>,
    pub(super) compared: Vec<Compared>,
    /// How it has ended.
    pub(super) end: Option<Last>,
    /// The lines and the outcome when it passed the horizon, and the states since.
    pub(super) at_horizon: Option<(u128, u128)>,
    pub(super) states: BTreeSet<u128>,
}

/// How a run ends.
#[derive(Debug)]
pub(super) enum Last {
    /// The choice could not be made.
    Nothing,
    Ended,
    /// It comes to the same states for ever.
    Endless,
    /// It was not played on.
    Cut,
    Panics(Why),
}

impl Track {
    pub(super) fn add(&mut self, met: Option<Met>) {
        self.mets.push(met);
        self.add_last();
    }

    /// Notes what was compared up to the end.
    pub(super) fn add_last(&mut self) {
        self.marks.push(self.compared.len());
    }

    /// Returns what was compared from the state before to a state, or to the end.
    pub(super) fn compared(&self, at: usize) -> &[Compared] {
        let from = at.checked_sub(1).map_or(0, |before| self.mark(before));
        &self.compared[from..self.mark(at)]
    }

    fn mark(&self, at: usize) -> usize {
        self.marks.get(at).copied().unwrap_or(self.compared.len())
    }
}
