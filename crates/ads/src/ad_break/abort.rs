//! Aborting a break from outside, and the cause of the lines after its end.
//!
//! Rule STOP-3.

use super::AdBreak;
use super::end_card::log_card_hidden;
use super::outcome::Abandoned;
use super::state::{Loading, State};
use crate::show::overlay::log_visible;
use crate::show::unit::simid_lines::dismiss;
use playsim_api::{BreakLine, Cause, Fields, Outbox, RequestId};
use playsim_rules as rules;

impl AdBreak {
    /// Ends the break at once, without firing an event. Returns the requests whose responses are no
    /// longer awaited. Rule STOP-3.
    pub fn abort(&mut self, out: &mut Outbox) -> Vec<(RequestId, Abandoned)> {
        let out = &mut *out.within(self.number());
        match &mut self.state {
            State::Loading { what, .. } => {
                if let Some(ad) = what.ad() {
                    self.course.give_up_page(ad, Abandoned::Dropped);
                }
                if let Some(pending) = what.own() {
                    self.course.abandon(pending.id, Abandoned::Dropped);
                }
                if let Loading::Media(_, ad) | Loading::Data(ad, ..) | Loading::Page(ad, _) = what {
                    ad.attachments.vanish(rules::STOP_3, out);
                }
            }
            State::Overlay {
                ad,
                is_visible: true,
            } => {
                dismiss(ad.simid.as_deref_mut(), "adStopped", out.cause(), out);
                ad.vanish(rules::STOP_3, out);
                log_visible(false, rules::STOP_3, out);
            }
            State::EndCard { ad, .. } => {
                ad.vanish(rules::STOP_3, out);
                log_card_hidden(rules::STOP_3, out);
            }
            State::Ad { ad, .. } => {
                ad.dismiss_vpaid(out);
                dismiss(ad.unit.simid_mut(), "adStopped", out.cause(), out);
                ad.vanish(rules::STOP_3, out);
            }
            State::Overlay { .. } => {}
            State::Over { .. } => return self.course.take_abandoned(),
        }
        let data = Fields::one("kind", self.course.kind().name()).with("outcome", "aborted");
        let end = out.line(rules::STOP_3, BreakLine::End, data);
        self.state = State::Over {
            outcome: self.course.outcome(),
            end,
        };
        self.course.take_abandoned()
    }

    /// The cause of the lines of the player after the break: its `adEnd`, or the last line of an
    /// aborted break. `None` until the break is over.
    #[must_use]
    pub fn end_cause(&self) -> Option<Cause> {
        match &self.state {
            State::Over { end, .. } => Some(*end),
            State::Loading { .. }
            | State::Ad { .. }
            | State::EndCard { .. }
            | State::Overlay { .. } => None,
        }
    }
}
