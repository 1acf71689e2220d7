//! A pre-roll or post-roll that the item does not have, but that content is held for.
//!
//! Some players do not know which ads there are: a plugin asks for them. One that says nothing
//! holds content until a time limit has passed. An ad that page code plays meanwhile replaces the
//! break.
//!
//! Rules: PRD-32, PRD-33.

use crate::Player;
use crate::state::{Absent, AfterBreak, Due, Held, Holder, State};
use playsim_ads::BreakOutcome;
use playsim_api::{AdLine, Cause, Fields, Outbox};
use playsim_base::time::Span;
use playsim_rules as rules;
use playsim_rules::knobs::{AbsentBreak, Limit};

impl Player {
    /// Content starts without a pre-roll. Returns whether it is held for one all the same. Rule
    /// PRD-32.
    pub(crate) fn waits_for_no_pre_roll(&mut self, out: &mut Outbox) -> bool {
        let knobs = &self.settings.knobs;
        let Some(wait) = wait(knobs.preroll_absent(), knobs.pre_roll_limit()) else {
            return false;
        };
        let play_fired = self.fire_play_early(out);
        self.hold_without_break(wait, "pre", AfterBreak::Start { play_fired }, true, out);
        true
    }

    /// Content is over without a break after it. Returns whether it is held for one all the same.
    /// Rule PRD-32.
    pub(super) fn waits_for_no_post_roll(
        &mut self,
        wanted: bool,
        ended: Option<Cause>,
        out: &mut Outbox,
    ) -> bool {
        let knobs = &self.settings.knobs;
        let Some(wait) = wait(knobs.postroll_absent(), knobs.post_roll_limit()) else {
            return false;
        };
        if !self.items.due.has(Due::POST_ROLL) {
            return false;
        }
        if self.ends_before_breaks(wanted, ended, out) {
            return true;
        }
        self.items.due.take(Due::POST_ROLL);
        self.hold_without_break(wait, "post", AfterBreak::End { ended }, wanted, out);
        true
    }

    fn hold_without_break(
        &mut self,
        wait: Span,
        kind: &'static str,
        back: AfterBreak,
        wanted: bool,
        out: &mut Outbox,
    ) {
        let why = "nothing has said that no ad comes";
        let data = Fields::one("kind", kind)
            .with("limit", wait)
            .with("why", why);
        let cause = out.line(rules::PRD_32, AdLine::NoBreak, data);
        let by = Holder::Absent(Absent {
            until: out.now() + wait,
            cause,
            back,
        });
        self.enter(State::Held(Held { by, wanted }), rules::PRD_32, out);
    }

    /// The time limit has passed: continues as after the break.
    pub(crate) fn give_up_absent(&mut self, absent: Absent, out: &mut Outbox) {
        self.go_back(absent.back, BreakOutcome::NoFill, out);
    }
}

/// How long content is held for a break that does not come.
fn wait(absent: AbsentBreak, limit: Limit) -> Option<Span> {
    match absent {
        AbsentBreak::AtOnce => None,
        AbsentBreak::AfterTimeout => limit.length(),
    }
}
