//! What a way consists of: choices, states, and what comes of each choice.

use playsim_api::PlayerIndex;
use playsim_base::time::Time;
use playsim_sim::{Pending, PendingWork, Simulation};

use super::history::History;
use super::statements::Longest;
use crate::laws::Law;
use crate::played::Why;

/// One thing that is done otherwise than in the scenario.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Decision {
    /// The user or the page does something.
    Act {
        at: Time,
        /// The index of the action.
        action: u16,
        player: PlayerIndex,
    },
    /// Something that the world does comes at another time.
    Move {
        /// The number of the pending thing.
        number: u32,
        to: Time,
    },
}

/// A choice, and how many instants its run had played before.
pub(super) type Step = (usize, Decision);

/// How many acts and moves a way has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Done {
    pub(super) acts: u32,
    pub(super) moves: u32,
}

impl Done {
    pub(super) fn and(self, choice: Decision) -> Done {
        match choice {
            Decision::Act { .. } => Done {
                acts: self.acts + 1,
                ..self
            },
            Decision::Move { .. } => Done {
                moves: self.moves + 1,
                ..self
            },
        }
    }

    pub(super) fn depth(self) -> u32 {
        self.acts + self.moves
    }
}

/// A state on a way: after everything of its instant, or before a response that may come in it.
#[derive(Debug, Clone)]
pub(super) struct Point {
    pub(super) run: Simulation,
    pub(super) history: History,
    pub(super) done: Done,
    /// The number of the first response that was requested in the last turn: it may come at once,
    /// before what else is due.
    pub(super) fresh: u32,
}

impl Point {
    /// Whether something pending is a response that was requested in the last turn.
    pub(super) fn is_fresh(&self, pending: &Pending) -> bool {
        let is_response = matches!(pending.work, PendingWork::Response { .. });
        is_response && pending.number >= self.fresh
    }
}

/// A state that was met, as the explorer knows it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Met {
    pub(super) key: u128,
    pub(super) order: u128,
}

/// What came of one choice.
#[derive(Debug)]
pub(super) struct Attempt {
    pub(super) choice: Option<Decision>,
    pub(super) done: Done,
    /// The states that were new, in order.
    pub(super) states: Vec<Met>,
    /// The known state that follows, if the way comes to one.
    pub(super) joins: Option<u128>,
    /// What its end shows, if it was played to its end.
    pub(super) end: Option<End>,
    /// The longest times between events, up to there.
    pub(super) longest: Longest,
}

/// The end of a way.
#[derive(Debug)]
pub(super) struct End {
    /// The lines in their order.
    pub(super) order: u128,
    /// The outcome.
    pub(super) outcome: u128,
    /// The laws that it breaks; `None` if the same lines were judged before.
    pub(super) broken: Option<Vec<(&'static Law, Why)>>,
}

/// What is known before a batch.
pub(super) trait Known: Sync {
    /// The order of the lines with which a state was met first.
    fn state(&self, key: u128) -> Option<u128>;
    /// Whether lines in this order were judged.
    fn is_judged(&self, order: u128) -> bool;
}
