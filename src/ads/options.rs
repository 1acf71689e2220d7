//! Options of a player that say how often its ads come: the loop of its first pre-roll slot, and which videos
//! have ads at all.
//!
//! A loop is one pass through the waterfall of that slot: it ends at the first ad that fills, or when all tags
//! were asked. The first comes as the pre-roll, the others at cue points within the content.
//!
//! Rules: SCHED; advertising.md section 7.

use super::schedule::AdSchedule;
use super::{BreakKind, BreakPlan};
use crate::api::{Fields, Kind, Outbox};
use crate::rule;
use crate::time::{Position, Span};

/// So many cue points of a loop have a place in one item at the most.
const MAX_CUES: u64 = 1_000;

/// The loop of the first pre-roll slot. Rules SCHED-1 to SCHED-3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdLoop {
    /// How many loops there are in an item, the pre-roll included; from 1.
    pub times: u32,
    /// From one cue point to the next, in content; never zero.
    pub every: Span,
    /// So many ads that have started end the loop; `None`: any number.
    pub impressions: Option<u32>,
}

/// Which videos have ads. Rules SCHED-4 to SCHED-6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdTurns {
    /// On every so manieth video; 1: on all of them.
    pub every: u32,
    /// So many videos come before the first one with ads.
    pub offset: u32,
    /// So many videos were seen before this page was loaded.
    pub seen: u32,
}

impl Default for AdTurns {
    fn default() -> AdTurns {
        AdTurns { every: 1, offset: 0, seen: 0 }
    }
}

impl AdTurns {
    /// Whether a video has ads, by its number from 0.
    #[must_use]
    pub fn include(self, video: u32) -> bool {
        video.checked_sub(self.offset).is_some_and(|since| since % self.every.max(1) == 0)
    }
}

/// A loop under way in an item.
#[derive(Debug, Clone, Copy)]
pub(super) struct Looping {
    option: AdLoop,
    opened: u32,
    impressions: u32,
    /// Whether it was said that it is over.
    is_told: bool,
}

impl Looping {
    /// A loop that has not begun.
    pub(super) fn new(option: AdLoop) -> Looping {
        Looping { option, opened: 0, impressions: 0, is_told: false }
    }

    fn is_over(&self) -> bool {
        self.opened >= self.option.times
            || self.option.impressions.is_some_and(|most| self.impressions >= most)
    }
}

impl AdSchedule {
    /// The same, with a loop of the first pre-roll slot. Rule SCHED-1.
    #[must_use]
    pub fn looping(self, option: Option<AdLoop>) -> AdSchedule {
        AdSchedule { looping: option.map(Looping::new), ..self }
    }

    /// The loop begins anew: with an item, or after `stop()`. Rule SCHED-1.
    pub fn rewind_loop(&mut self) {
        if let Some(looping) = &mut self.looping {
            *looping = Looping::new(looping.option);
        }
    }

    /// A break of the loop is opened. Rule SCHED-2.
    pub fn count_loop(&mut self) {
        if let Some(looping) = &mut self.looping {
            looping.opened += 1;
        }
    }

    /// An ad of the loop starts. Rule SCHED-3.
    pub fn count_impression(&mut self) {
        if let Some(looping) = &mut self.looping {
            looping.impressions += 1;
        }
    }

    /// A cue point of the loop was reached, and the loop is over: that is said once. Rules SCHED-2, SCHED-3.
    pub fn note_loop_over(&mut self, out: &mut Outbox) {
        let Some(looping) = self.looping.as_mut().filter(|looping| looping.is_over()) else { return };
        if std::mem::replace(&mut looping.is_told, true) {
            return;
        }
        let rule = if looping.opened >= looping.option.times { rule!("SCHED-2") } else { rule!("SCHED-3") };
        let data = Fields::one("loops", looping.opened).with("impressions", looping.impressions);
        out.line(rule, Kind::Ad, "loop-over", data);
    }

    /// A plan of pre-rolls as the next loop has it: the first slot alone. Rules SCHED-1, SCHED-2.
    pub(super) fn as_loop(&self, plan: BreakPlan) -> BreakPlan {
        let Some(looping) = &self.looping else { return plan };
        let mut pods = plan.pods;
        pods.truncate(1);
        let why = format!("{}: loop {} of {}", plan.why, looping.opened + 1, looping.option.times);
        BreakPlan { pods, is_loop: true, ..plan }.because(rule!("SCHED-1"), why)
    }

    /// The next loop within the content; `None` if it is over, or has nothing to ask. Rules SCHED-2, SCHED-3.
    pub(super) fn loop_plan(&self, at: Position) -> Option<BreakPlan> {
        let looping = self.looping.as_ref().filter(|looping| !looping.is_over())?;
        let plan = self.pre_roll()?;
        let why = format!("loop {} of {}", looping.opened + 1, looping.option.times);
        let plan = BreakPlan { kind: BreakKind::Mid, cue: Some(at), may_schedule: false, ..plan };
        Some(plan.because(rule!("SCHED-2"), why))
    }

    /// Where loops are due in content of this length, ascending. Rule SCHED-1.
    pub(super) fn loop_cues(&self, duration: Option<Span>) -> Vec<Position> {
        let Some(looping) = self.looping.as_ref().filter(|_| self.pre_roll().is_some()) else {
            return Vec::new();
        };
        let cues = (1..=MAX_CUES).map(|nth| looping.option.every.times(nth).end());
        cues.take_while(|at| duration.is_none_or(|duration| *at < duration.end())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn videos_have_ads_in_turn() {
        let turns = |every, offset| {
            let turns = AdTurns { every, offset, seen: 0 };
            (0..8).filter(|video| turns.include(*video)).collect::<Vec<u32>>()
        };
        assert_eq!(turns(1, 0), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(turns(3, 0), [0, 3, 6]);
        assert_eq!(turns(3, 2), [2, 5]);
        assert_eq!(turns(1, 6), [6, 7]);
        assert_eq!(turns(2, 9), [0; 0]);
        assert!(AdTurns { every: u32::MAX, offset: u32::MAX, seen: 0 }.include(u32::MAX));
    }
}
