//! Options of a player that set how often its ads come: the loop of its first pre-roll slot, and which videos
//! have ads at all.
//!
//! Each pass of the loop goes through the waterfall of that slot and ends at the first ad that fills, or when
//! all tags were tried. The first pass is the pre-roll, the others are due at cue points within the content.
//!
//! Rules: SCHED; advertising.md section 7.

use super::schedule::AdSchedule;
use super::{BreakKind, BreakPlan};
use crate::api::{AdLine, Fields, Outbox};
use crate::rules;
use crate::time::{Position, Span};

/// The maximum number of cue points of a loop in one item.
const MAX_CUES: u64 = 1_000;

/// The loop of the first pre-roll slot. Rules SCHED-1 to SCHED-3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdLoop {
    /// The number of passes in an item, including the pre-roll; at least 1.
    pub times: u32,
    /// The interval between cue points, in content time; never zero.
    pub every: Span,
    /// The loop ends after this many ads have started; `None` for no limit.
    pub impressions: Option<u32>,
}

/// Which videos have ads. Rules SCHED-4 to SCHED-6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdTurns {
    /// Every nth video has ads; 1 for all of them.
    pub every: u32,
    /// The number of videos before the first one with ads.
    pub offset: u32,
    /// The number of videos seen before the page was loaded.
    pub seen: u32,
}

impl Default for AdTurns {
    fn default() -> AdTurns {
        AdTurns { every: 1, offset: 0, seen: 0 }
    }
}

impl AdTurns {
    /// Whether the video with this number, counted from 0, has ads.
    #[must_use]
    pub fn include(self, video: u32) -> bool {
        video.checked_sub(self.offset).is_some_and(|since| since % self.every.max(1) == 0)
    }
}

/// The state of a loop in an item.
#[derive(Debug, Clone, Copy)]
pub(super) struct Looping {
    option: AdLoop,
    opened: u32,
    impressions: u32,
    /// Whether its end has been logged.
    is_end_logged: bool,
}

impl Looping {
    /// A loop that has not begun.
    pub(super) fn new(option: AdLoop) -> Looping {
        Looping { option, opened: 0, impressions: 0, is_end_logged: false }
    }

    fn is_over(&self) -> bool {
        self.opened >= self.option.times
            || self.option.impressions.is_some_and(|most| self.impressions >= most)
    }
}

impl AdSchedule {
    /// Sets the loop of the first pre-roll slot. Rule SCHED-1.
    #[must_use]
    pub fn looping(self, option: Option<AdLoop>) -> AdSchedule {
        AdSchedule { looping: option.map(Looping::new), ..self }
    }

    /// Restarts the loop, for a new item or after `stop()`. Rule SCHED-1.
    pub fn rewind_loop(&mut self) {
        if let Some(looping) = &mut self.looping {
            *looping = Looping::new(looping.option);
        }
    }

    /// Counts a break of the loop that opens. Rule SCHED-2.
    pub fn count_loop(&mut self) {
        if let Some(looping) = &mut self.looping {
            looping.opened += 1;
        }
    }

    /// Counts an ad of the loop that starts. Rule SCHED-3.
    pub fn count_impression(&mut self) {
        if let Some(looping) = &mut self.looping {
            looping.impressions += 1;
        }
    }

    /// Called at each cue point of the loop: logs once that the loop is over. Rules SCHED-2, SCHED-3.
    pub fn note_loop_over(&mut self, out: &mut Outbox) {
        let Some(looping) = self.looping.as_mut().filter(|looping| looping.is_over()) else { return };
        if std::mem::replace(&mut looping.is_end_logged, true) {
            return;
        }
        let rule = if looping.opened >= looping.option.times { rules::SCHED_2 } else { rules::SCHED_3 };
        let data = Fields::one("loops", looping.opened).with("impressions", looping.impressions);
        out.line(rule, AdLine::LoopOver, data);
    }

    /// Limits a plan of pre-rolls to what the loop uses, the first slot. Rules SCHED-1, SCHED-2.
    pub(super) fn as_loop(&self, plan: BreakPlan) -> BreakPlan {
        let Some(looping) = &self.looping else { return plan };
        let mut pods = plan.pods;
        pods.truncate(1);
        let why = format!("{}: loop {} of {}", plan.why, looping.opened + 1, looping.option.times);
        BreakPlan { pods, is_loop: true, ..plan }.because(rules::SCHED_1, why)
    }

    /// The next pass within the content; `None` if the loop is over or has no tags. Rules SCHED-2, SCHED-3.
    pub(super) fn loop_plan(&self, at: Position) -> Option<BreakPlan> {
        let looping = self.looping.as_ref().filter(|looping| !looping.is_over())?;
        let plan = self.pre_roll()?;
        let why = format!("loop {} of {}", looping.opened + 1, looping.option.times);
        let plan = BreakPlan { kind: BreakKind::Mid, cue: Some(at), may_schedule: false, ..plan };
        Some(plan.because(rules::SCHED_2, why))
    }

    /// The cue points of the loop in content of this duration, ascending. Rule SCHED-1.
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
    fn every_nth_video_has_ads_after_the_offset() {
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
