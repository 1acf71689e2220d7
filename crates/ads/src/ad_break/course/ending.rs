//! How a break ends: its `adEnd` and its last line.
//!
//! Rules: REQ-4, BRK-10, BRK-23, OVL-5, OVL-6, VMAP-9, VMAP-22, VMAP-23.

use super::{Course, Onward, fire_ad_error};
use crate::ad_break::outcome::BreakOutcome;
use crate::ad_break::state::State;
use crate::report::context::Scope;
use playsim_api::{BreakLine, EventName, Fields};
use playsim_rules::knobs::{AdEndScope, VmapAdEnd};
use playsim_rules::{self as rules, RuleId};
use playsim_vast::TrackingEvent;

impl Course {
    /// Fires the error that was held back, if there is one. Rule REQ-4.
    pub(super) fn fire_pending_error(&mut self, cx: &mut Scope<'_>) {
        if let Some(code) = self.pending_error.take() {
            fire_ad_error(code, rules::REQ_4, cx);
        }
    }

    pub(super) fn fire_ad_end(&mut self, cx: &mut Scope<'_>) {
        self.last_end = Some(cx.out.event(rules::BRK_10, EventName::AdEnd));
    }

    /// Ends the break because nothing is left to try. Rules BRK-10, BRK-23.
    pub(crate) fn end(&mut self, cx: &mut Scope<'_>) -> State {
        let is_filled = self.offset_pod().is_some_and(|pod| pod.is_filled);
        if self.outcome == BreakOutcome::NoFill && !is_filled && !self.has_parts_to_come() {
            self.fire_pending_error(cx);
        }
        self.close(None, cx)
    }

    /// Ends the break early from outside, for the given reason. Rules OVL-5, OVL-6.
    pub(crate) fn cut(&mut self, why: &'static str, cx: &mut Scope<'_>) -> State {
        self.leave_tag(Onward::End, cx);
        self.close(Some(why), cx)
    }

    fn close(&mut self, why: Option<&'static str>, cx: &mut Scope<'_>) -> State {
        let is_due = self.reporting.ends == AdEndScope::Break || self.last_end.is_none();
        let later = self.ends_later();
        if is_due && later.is_none() {
            self.fire_ad_end(cx);
        }
        let end = self.last_end.unwrap_or(cx.out.cause());
        self.call_break_trackers(TrackingEvent::BreakEnd, end, cx);
        let data = Fields::one("kind", self.kind.name()).with("outcome", self.outcome.word());
        let asks_nobody = self.vmap.is_some() && self.waterfalls.pods().is_empty();
        let rule = match later {
            _ if asks_nobody => rules::VMAP_9,
            Some((rule, _)) => rule,
            None => rules::BRK_23,
        };
        let data = data
            .with_some("why", why)
            .with_some("ad_end", later.map(|(_, when)| when));
        cx.out.line(rule, BreakLine::End, data);
        State::Over {
            outcome: self.outcome,
            end,
        }
    }

    /// The break that the `adEnd` is left to, with the rule: the pre-roll that the response has
    /// scheduled, so that a page that acts on `adEnd` waits for the ads, or the last one of a pod.
    /// Rules VMAP-22, VMAP-23.
    fn ends_later(&self) -> Option<(RuleId, &'static str)> {
        if self.has_parts_to_come() {
            return Some((rules::VMAP_23, "with the last break of its offset"));
        }
        let is_left = self.reporting.schedule_ends == VmapAdEnd::Break
            && self.outcome == BreakOutcome::Scheduled
            && self.has_scheduled_pre_roll;
        is_left.then_some((rules::VMAP_22, "with the scheduled pre-roll"))
    }
}
