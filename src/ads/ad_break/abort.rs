//! How a break ends from outside, before its time, and what its end leads to.
//!
//! Rule STOP-3.

use super::end_card::tell_card_gone;
use super::*;

impl AdBreak {
    /// Ends the break here and now, without an event. Gives the requests whose answers nobody waits for.
    ///
    /// Rule STOP-3.
    pub fn abort(&mut self, out: &mut Outbox) -> Vec<(RequestId, Abandoned)> {
        self.give_up_page();
        match &mut self.state {
            State::Fetching { pending, .. } | State::LoadingOverlay { pending, .. } => {
                self.course.abandon(pending.id, Abandoned::Dropped);
            }
            State::LoadingPage { ad, .. } => ad.beside.vanish(rule!("STOP-3"), out),
            State::LoadingMedia { pending, ad, .. } => {
                self.course.abandon(pending.id, Abandoned::Dropped);
                ad.beside.vanish(rule!("STOP-3"), out);
            }
            State::Overlay { ad, is_visible: true } => {
                dismiss(ad.simid.as_mut(), "adStopped", out.cause(), out);
                ad.vanish(rule!("STOP-3"), out);
                tell_visible(false, rule!("STOP-3"), out);
            }
            State::EndCard { ad, .. } => {
                ad.vanish(rule!("STOP-3"), out);
                tell_card_gone(rule!("STOP-3"), out);
            }
            State::Ad { ad, .. } => {
                ad.dismiss_vpaid(out);
                dismiss(ad.simid.as_mut(), "adStopped", out.cause(), out);
                ad.vanish(rule!("STOP-3"), out);
            }
            State::Overlay { .. } => {}
            State::Over { .. } => return self.course.take_abandoned(),
        }
        let data = Fields::one("kind", self.course.kind().word()).with("outcome", "aborted");
        let end = out.line(rule!("STOP-3"), Kind::Break, "end", data);
        self.state = State::Over { outcome: self.course.outcome(), end };
        self.course.take_abandoned()
    }

    /// The `adEnd`, once the break is over: the cause of what a player does after it.
    #[must_use]
    pub fn end_cause(&self) -> Option<Cause> {
        match &self.state {
            State::Over { end, .. } => Some(*end),
            State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::LoadingPage { .. }
            | State::LoadingOverlay { .. }
            | State::Ad { .. }
            | State::EndCard { .. }
            | State::Overlay { .. } => None,
        }
    }
}
