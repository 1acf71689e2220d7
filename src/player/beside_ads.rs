//! What the person does to what goes with an ad, and whether the person sees it.
//!
//! The ad that has the screen is met first, then the overlay.
//!
//! Rules: ADX-4, ADX-10, ADX-11, ADX-16, ADX-17, ADX-19, ADX-22, ENV-3.

use super::*;
use crate::ads::{AdNews, AdServices, Reaction};
use crate::api::{Interaction, Text};
use crate::knobs::SeekQuartiles;

impl Player {
    /// The person clicks on the icon of a programme. Rules ADX-10, ADX-11.
    pub(super) fn click_icon(&mut self, now: Time, program: &Text, out: &mut Outbox) {
        let text = format!("no icon of \"{program}\" is on screen");
        self.do_to_ad(now, text, out, |ad, services, out| ad.click_icon(now, program, services, out));
    }

    /// The person clicks on the companion in a place of the page. Rule ADX-16.
    pub(super) fn click_companion(&mut self, now: Time, slot: &Text, out: &mut Outbox) {
        let text = format!("no companion shows in \"{slot}\"");
        self.do_to_ad(now, text, out, |ad, services, out| ad.click_companion(now, slot, services, out));
    }

    /// The person does something with the ad. Rules ADX-19, ADX-22.
    pub(super) fn interact(&mut self, now: Time, what: Interaction, out: &mut Outbox) {
        let text = format!("no ad is on screen that offers {}", what.name());
        self.do_to_ad(now, text, out, |ad, services, out| ad.interact(now, what, services, out));
        self.clock_overlay(now);
    }

    /// The person closes a fallback image or an end card. `false` if there is none. Rules ADX-11, ADX-17.
    pub(super) fn close_beside(&mut self, now: Time, out: &mut Outbox) -> bool {
        let mut reaction = Reaction::NotOffered;
        if self.state.is_ad() {
            self.feed(Which::Held, now, out, |ad, services, out| {
                reaction = ad.close_beside(now, services, out);
            });
        }
        if reaction == Reaction::Resumes {
            self.resume_ad(now, out);
        }
        reaction != Reaction::NotOffered
    }

    /// The person sees the player, or does not: whatever changed, the ads that are on are told. Rule ADX-4.
    pub(super) fn tell_sight(&mut self, now: Time) {
        for which in [Which::Held, Which::Overlay] {
            self.with_ad(which, now, |ad, services| ad.see(now, services));
        }
    }

    /// The ad that has the screen was moved: back is told to its trackers. Rules TIME-6, PRD-1, ADX-20.
    pub(super) fn tell_seek_of_ad(
        &mut self,
        now: Time,
        before: Option<Position>,
        target: Position,
        out: &mut Outbox,
    ) {
        let rule = match self.settings.knobs.quartile_in_seek {
            SeekQuartiles::Crossed => rule!("TIME-6"),
            SeekQuartiles::Lost => rule!("PRD-1"),
        };
        let cause = out.line(rule, Kind::Ad, "seek", Fields::one("position", target));
        if before.is_some_and(|before| target < before) {
            self.tell_ad(now, AdNews::MovedBack, cause, out);
        }
    }

    /// Hands an act to the ad that has the screen, and pauses what plays if the ad asks for that.
    fn do_to_ad(
        &mut self,
        now: Time,
        refusal: String,
        out: &mut Outbox,
        mut act: impl FnMut(&mut AdBreak, &mut AdServices<'_>, &mut Outbox) -> Reaction,
    ) {
        let which = if self.state.is_ad() { Which::Held } else { Which::Overlay };
        match self.with_ad(which, now, |ad, services| act(ad, services, out)) {
            Some(Reaction::Pauses) if which == Which::Held => self.pause_ad(now, out),
            Some(Reaction::Pauses) => self.pause(now, out),
            Some(Reaction::Told | Reaction::Resumes) => {}
            Some(Reaction::NotOffered) | None => out.diag(rule!("ENV-3"), "not_offered", refusal),
        }
    }
}
