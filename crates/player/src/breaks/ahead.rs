//! Mid-rolls and post-rolls whose ads are requested ahead of their cue points.
//!
//! Such a break loads while content plays, and waits for its cue point or the end of the content.
//! There it replaces the break that would be opened.
//!
//! Rules: PRD-26, PRD-30.

use super::Breaks;
use super::cue_points::Bringing;
use super::slot::{Alongside, BreakAtCue, Moment};
use crate::Player;
use crate::state::{AfterBreak, Due};
use playsim_ads::{AdBreak, BreakPlan, Opening, Phase};
use playsim_api::Outbox;
use playsim_base::time::Position;
use playsim_rules as rules;
use playsim_rules::knobs::{AskAhead, MidrollHold};

/// A break that loads ahead of its moment.
#[derive(Debug, Clone, Hash)]
pub(crate) struct Ahead {
    pub(super) moment: Moment,
    pub(super) ad_break: Box<AdBreak>,
}

impl Player {
    /// Requests the ads of the mid-rolls and of the post-roll that are to be requested at this
    /// position of the content.
    pub(crate) fn ask_ahead(&mut self, position: Position, out: &mut Outbox) {
        let knobs = &self.settings.knobs;
        let ask = knobs.midroll_ask();
        if !knobs.asks_ahead() || self.items.due.has(Due::START) || !self.may_show_ads() {
            return;
        }
        while let Some(at) = self.breaks.cues.take_request(position, ask) {
            for which in self
                .breaks
                .schedule
                .breaks_at(at, self.element.length().flatten())
            {
                let length = self.element.length().flatten();
                let plan = self.breaks.schedule.cue_plan(at, which, length);
                if let Some(plan) = plan.filter(|plan| plan.opening() == Opening::InPlace) {
                    let plan = plan.because(rules::PRD_26, "ahead of its cue point");
                    self.open_ahead(Moment::Cue(BreakAtCue { at, which }), plan, out);
                }
            }
        }
        if self
            .post_roll_request()
            .is_some_and(|place| place <= position)
            && let Some(plan) = self.breaks.schedule.post_roll()
        {
            let plan = plan.because(rules::PRD_30, "ahead of the end of the content");
            self.open_ahead(Moment::End, plan, out);
        }
    }

    /// The position of the content at which the ads of the post-roll are requested, if that is
    /// still to come. Rule PRD-30.
    pub(crate) fn post_roll_request(&self) -> Option<Position> {
        let ask = self.settings.knobs.postroll_ask();
        let is_open = ask != AskAhead::AtCue
            && self.items.due.has(Due::POST_ROLL)
            && !self.breaks.asked_ahead.contains(&Moment::End)
            && self.may_show_ads()
            && self.breaks.schedule.post_roll().is_some();
        let length = self.element.length().flatten().filter(|_| is_open)?;
        ask.place(length.end())
    }

    fn open_ahead(&mut self, moment: Moment, plan: BreakPlan, out: &mut Outbox) {
        self.breaks.asked_ahead.push(moment);
        // It may be over before the breaks at the same time begin: it is in no pod. VMAP-23
        let plan = BreakPlan {
            part: None,
            ..plan.over_content(false)
        };
        let ad_break = Box::new(self.begin_break(plan, out));
        self.breaks.ahead.push(Ahead { moment, ad_break });
        self.breaks.follow_ahead(self.breaks.ahead.len() - 1, out);
    }

    /// Brings a break that was requested ahead to its cue point. Returns whether no other break is
    /// to be opened there: it was requested ahead, or should have been.
    pub(super) fn bring_ahead(&mut self, cue: BreakAtCue, by: Bringing, out: &mut Outbox) -> bool {
        if self.settings.knobs.midroll_ask() == AskAhead::AtCue {
            return false;
        }
        let moment = Moment::Cue(cue);
        let Some(index) = self
            .breaks
            .ahead
            .iter()
            .position(|ahead| ahead.moment == moment)
        else {
            return self.breaks.asked_ahead.contains(&moment) || self.has_lost(cue);
        };
        if self.is_in_linear_break() {
            self.breaks.cues.wait(cue);
            return true;
        }
        let Ahead { mut ad_break, .. } = self.breaks.ahead.remove(index);
        ad_break.join_at(by.joins_at(self.settings.knobs.midroll_join()));
        if self.settings.knobs.midroll_hold() == MidrollHold::AtCue && self.state.plays_content() {
            self.element.hold(out.now());
            self.hold(*ad_break, true, AfterBreak::Content, rules::PRD_26, out);
            self.follow_held(out);
        } else {
            self.breaks.put(Alongside::Pending, *ad_break);
            self.follow_pending(out);
        }
        true
    }

    /// Whether a seek has passed the moment at which a break should have been requested.
    fn has_lost(&self, BreakAtCue { at, which }: BreakAtCue) -> bool {
        let length = self.element.length().flatten();
        self.breaks.cues.has_lost(at)
            && self
                .breaks
                .schedule
                .cue_plan(at, which, length)
                .is_some_and(|plan| plan.opening() == Opening::InPlace)
    }
}

impl Breaks {
    /// Takes the break that was requested ahead of this moment, if it has found an ad or is still
    /// looking for one.
    pub(super) fn take_ahead(&mut self, moment: Moment) -> Option<Box<AdBreak>> {
        let index = self.ahead.iter().position(|ahead| ahead.moment == moment)?;
        Some(self.ahead.remove(index).ad_break)
    }

    /// Whether a break that was requested ahead of this moment has found an ad or is still looking
    /// for one.
    pub(super) fn has_ahead(&self, moment: Moment) -> bool {
        self.ahead.iter().any(|ahead| ahead.moment == moment)
    }

    /// Whether the ads of the post-roll were requested ahead. Rule PRD-30.
    pub(super) fn asked_post_roll(&self) -> bool {
        self.asked_ahead.contains(&Moment::End)
    }

    /// The post-roll is due again, and its ads can be requested ahead again. Rule PRD-30.
    pub(super) fn forget_post_roll(&mut self) {
        self.asked_ahead.retain(|asked| *asked != Moment::End);
    }

    /// Breaks that were requested ahead and did not come are aborted. They can be requested again.
    pub(crate) fn abort_ahead(&mut self, out: &mut Outbox) {
        let all = std::mem::take(&mut self.ahead);
        self.abort_each(all, out);
    }

    /// Content is over: mid-rolls that were requested ahead and did not come are aborted.
    pub(crate) fn abort_mid_rolls_ahead(&mut self, out: &mut Outbox) {
        let all = std::mem::take(&mut self.ahead);
        let (post_roll, mid_rolls) = all
            .into_iter()
            .partition(|ahead| ahead.moment == Moment::End);
        self.ahead = post_roll;
        self.abort_each(mid_rolls, out);
    }

    fn abort_each(&mut self, breaks: Vec<Ahead>, out: &mut Outbox) {
        for mut ahead in breaks {
            self.abort(&mut ahead.ad_break, out);
            if let Moment::Cue(BreakAtCue { at, .. }) = ahead.moment {
                self.cues.forget_request(at);
            }
            self.asked_ahead.retain(|asked| *asked != ahead.moment);
        }
    }

    /// Removes a break that found no ad: it does not come at its cue point.
    pub(super) fn follow_ahead(&mut self, index: usize, out: &mut Outbox) {
        let is_over = |ahead: &Ahead| matches!(ahead.ad_break.phase(), Phase::Over(_));
        if self.ahead.get(index).is_some_and(is_over) {
            let mut over = self.ahead.remove(index);
            self.conclude(&mut over.ad_break, out);
        }
    }

    /// Takes the break that was requested ahead for the mid-roll that has waited longest. Rule
    /// CUE-10.
    pub(crate) fn take_waiting_ahead(&mut self) -> Option<Box<AdBreak>> {
        let ad_break = self.take_ahead(Moment::Cue(self.cues.waiting()?))?;
        self.cues.take_waiting();
        Some(ad_break)
    }
}
