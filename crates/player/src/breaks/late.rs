//! Responses that arrive too late to be awaited.
//!
//! Rules: REQ-10, VX-2.

use super::lifecycle::received;
use super::slot::Alongside;
use crate::{Player, ResponseStatus};
use playsim_ads::{Abandoned, AdBreak, BreakKind, BreakPlan};
use playsim_api::{Fetched, Outbox};
use playsim_rules as rules;
use playsim_rules::knobs::LateAnswer;

impl Player {
    /// A response that arrives too late opens a break of its own, if none is open and content has
    /// started.
    ///
    /// Knob `ad.late`.
    pub(super) fn late_answer(&mut self, fetched: &Fetched, out: &mut Outbox) {
        let is_idle = !self.breaks.is_pending() && self.state.is_in_content();
        if !self.uses_late_answers() || !is_idle {
            return;
        }
        let Fetched::Response(answer) = fetched else {
            return;
        };
        let tags = vec![vec![answer.name.clone()]];
        let plan =
            BreakPlan::new(BreakKind::Command, "", tags).because(rules::REQ_10, "late response");
        let mut ad_break = AdBreak::open_late(plan, fetched, &mut self.lend_to_a_new_break(out));
        self.breaks.last_document = received(&mut ad_break, &self.settings.knobs).flatten();
        self.breaks.put(Alongside::Pending, ad_break);
        self.follow_pending(out);
    }

    /// Whether responses that arrive too late are used. Knob `ad.late`.
    #[must_use]
    pub fn uses_late_answers(&self) -> bool {
        self.settings.knobs.ad_late() == LateAnswer::UseIfIdle
    }
}

impl From<Abandoned> for ResponseStatus {
    fn from(why: Abandoned) -> ResponseStatus {
        match why {
            Abandoned::Late => ResponseStatus::Late,
            Abandoned::Dropped => ResponseStatus::Dropped,
        }
    }
}
