//! Mid-rolls whose ads are requested ahead of their cue points.
//!
//! Such a break loads like any other that is open while content goes on, and waits for its cue point. There it takes the
//! place of the break that would be opened.
//!
//! Rule: PRD-26.

use super::Breaks;
use super::cue_points::Bringing;
use super::slot::Alongside;
use crate::ads::{AdBreak, CueBreak, Opening, Phase};
use crate::api::Outbox;
use crate::knobs::{AskAhead, MidrollHold};
use crate::player::Player;
use crate::player::state::{Back, Due};
use crate::rules;
use crate::time::{Position, Time};

/// A break that loads ahead of its cue point.
#[derive(Debug, Clone)]
pub(in crate::player) struct Ahead {
    /// Its cue point, and which of the breaks there it is.
    pub(super) cue: (Position, CueBreak),
    pub(super) ad_break: Box<AdBreak>,
}

impl Player {
    /// Requests the ads of the mid-rolls whose moment has come at this position of the content.
    pub(in crate::player) fn ask_ahead(&mut self, now: Time, position: Position, out: &mut Outbox) {
        let ask = self.settings.knobs.midroll_ask;
        if ask == AskAhead::AtCue || self.items.due.has(Due::START) || !self.may_show_ads() {
            return;
        }
        while let Some(at) = self.breaks.cues.take_request(position, ask) {
            for which in self.breaks.schedule.breaks_at(at, self.element.length().flatten()) {
                self.open_ahead(now, (at, which), out);
            }
        }
    }

    fn open_ahead(&mut self, now: Time, cue: (Position, CueBreak), out: &mut Outbox) {
        let length = self.element.length().flatten();
        let Some(plan) = self.breaks.schedule.cue_plan(cue.0, cue.1, length) else { return };
        if plan.opening() != Opening::InPlace {
            return;
        }
        self.breaks.asked_ahead.push(cue);
        let plan = plan.because(rules::PRD_26, "ahead of its cue point");
        let ad_break = Box::new(self.begin_break(now, plan.over_content(false), out));
        self.breaks.ahead.push(Ahead { cue, ad_break });
        self.follow_ahead(self.breaks.ahead.len() - 1, out);
    }

    /// A break that finds no ad is over, and does not come at its cue point.
    pub(super) fn follow_ahead(&mut self, index: usize, out: &mut Outbox) {
        let is_over = |ahead: &Ahead| matches!(ahead.ad_break.phase(), Phase::Over(_));
        if self.breaks.ahead.get(index).is_some_and(is_over) {
            let mut over = self.breaks.ahead.remove(index);
            self.breaks.conclude(&mut over.ad_break, out);
        }
    }

    /// Brings a break at its cue point that was requested ahead. Returns whether nothing else is to be opened for it:
    /// it was requested ahead, or should have been.
    pub(super) fn bring_ahead(
        &mut self,
        now: Time,
        cue: (Position, CueBreak),
        by: Bringing,
        out: &mut Outbox,
    ) -> bool {
        if self.settings.knobs.midroll_ask == AskAhead::AtCue {
            return false;
        }
        let Some(index) = self.breaks.ahead.iter().position(|ahead| ahead.cue == cue) else {
            return self.breaks.asked_ahead.contains(&cue) || self.has_lost(cue);
        };
        if self.is_in_linear_break() {
            self.breaks.cues.wait(cue.0, cue.1);
            return true;
        }
        let Ahead { mut ad_break, .. } = self.breaks.ahead.remove(index);
        ad_break.join_at(self.joins_at(by));
        if self.settings.knobs.midroll_hold == MidrollHold::AtCue && self.state.plays_content() {
            self.element.hold(now);
            self.hold(*ad_break, true, Back::Content, rules::PRD_26, out);
            self.follow_held(now, out);
        } else {
            self.breaks.put(Alongside::Pending, *ad_break);
            self.follow_pending(now, out);
        }
        true
    }

    /// Whether a break should have been requested ahead, but a seek has passed the moment.
    fn has_lost(&self, (at, which): (Position, CueBreak)) -> bool {
        let length = self.element.length().flatten();
        self.breaks.cues.has_lost(at)
            && self
                .breaks
                .schedule
                .cue_plan(at, which, length)
                .is_some_and(|plan| plan.opening() == Opening::InPlace)
    }

    /// Content is over: returns the break that was requested ahead and has its turn now. Rule CUE-10.
    pub(in crate::player) fn ahead_at_end(&mut self) -> Option<Box<AdBreak>> {
        let cue = self.breaks.cues.waiting()?;
        let index = self.breaks.ahead.iter().position(|ahead| ahead.cue == cue)?;
        self.breaks.cues.take_waiting();
        Some(self.breaks.ahead.remove(index).ad_break)
    }
}

impl Breaks {
    /// Content is over: breaks that were requested ahead and did not come are aborted. They can be requested again.
    pub(in crate::player) fn abort_ahead(&mut self, out: &mut Outbox) {
        for mut ahead in std::mem::take(&mut self.ahead) {
            self.abort(&mut ahead.ad_break, out);
            self.cues.forget_request(ahead.cue.0);
            self.asked_ahead.retain(|asked| *asked != ahead.cue);
        }
    }
}
