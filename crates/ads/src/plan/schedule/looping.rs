//! The loop of the first pre-roll slot.
//!
//! Each pass of the loop goes through the waterfall of that slot and ends at the first ad that
//! fills, or when all tags were tried. The first pass is the pre-roll, the others are due at cue
//! points within the content.
//!
//! Rules: SCHED-1 to SCHED-3.

use super::AdSchedule;
use crate::plan::looping::Looping;
use crate::plan::{BreakPlan, Takes};
use playsim_api::{AdLine, AdLoop, BreakKind, Fields, Outbox};
use playsim_base::time::{Position, Span};
use playsim_rules as rules;

/// The maximum number of cue points of a loop in one item.
const MAX_CUES: u64 = 1_000;

impl AdSchedule {
    /// Sets the loop of the first pre-roll slot. Rule SCHED-1.
    #[must_use]
    pub fn looping(self, option: Option<AdLoop>) -> AdSchedule {
        AdSchedule {
            looping: option.map(Looping::new),
            ..self
        }
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

    /// Called at each cue point of the loop: logs once that the loop is over. Rules SCHED-2,
    /// SCHED-3.
    pub fn note_loop_over(&mut self, out: &mut Outbox) {
        let Some(looping) = self.looping.as_mut().filter(|looping| looping.is_over()) else {
            return;
        };
        if std::mem::replace(&mut looping.is_end_logged, true) {
            return;
        }
        let rule = if looping.opened >= looping.option.times {
            rules::SCHED_2
        } else {
            rules::SCHED_3
        };
        let data = Fields::one("loops", looping.opened).with("impressions", looping.impressions);
        out.line(rule, AdLine::LoopOver, data);
    }

    /// Limits a plan of pre-rolls to the first slot, which the loop uses. Rules SCHED-1, SCHED-2.
    pub(crate) fn as_loop(&self, plan: BreakPlan) -> BreakPlan {
        let Some(looping) = &self.looping else {
            return plan;
        };
        let mut pods = plan.pods;
        pods.truncate(1);
        let why = format!(
            "{}: loop {} of {}",
            plan.why,
            looping.opened + 1,
            looping.option.times
        );
        BreakPlan {
            pods,
            is_loop: true,
            ..plan
        }
        .because(rules::SCHED_1, why)
    }

    /// The next pass within the content; `None` if the loop is over or has no tags. Rules SCHED-2,
    /// SCHED-3.
    pub(crate) fn loop_plan(&self, at: Position) -> Option<BreakPlan> {
        let looping = self.looping.as_ref().filter(|looping| !looping.is_over())?;
        let plan = self.pre_roll()?;
        let why = format!("loop {} of {}", looping.opened + 1, looping.option.times);
        let plan = BreakPlan {
            kind: BreakKind::Mid,
            cue: Some(at),
            takes: Takes::Ads,
            ..plan
        };
        Some(plan.because(rules::SCHED_2, why))
    }

    /// The cue points of the loop in content of this duration, ascending. Rule SCHED-1.
    pub(crate) fn loop_cues(&self, duration: Option<Span>) -> Vec<Position> {
        let Some(looping) = self.looping.as_ref().filter(|_| self.pre_roll().is_some()) else {
            return Vec::new();
        };
        let cues = (1..=MAX_CUES).map(|nth| looping.option.every.times(nth).end());
        cues.take_while(|at| duration.is_none_or(|duration| *at < duration.end()))
            .collect()
    }
}
