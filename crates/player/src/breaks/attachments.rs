//! User actions on the attachments of an ad (icons, companions, end cards), and whether the user
//! sees the ad.
//!
//! The ad that has the screen takes precedence over an overlay.
//!
//! Rules: ADX-4, ADX-10, ADX-11, ADX-16, ADX-17, ADX-19, ADX-22, ENV-3.

use super::slot::{Alongside, BreakSlot};
use crate::Player;
use playsim_ads::{AdBreak, AdNews, Context, Reaction};
use playsim_api::{AdLine, Code, Fields, Interaction, Outbox, Text};
use playsim_base::time::Position;
use playsim_rules as rules;
use playsim_rules::knobs::SeekQuartiles;

impl Player {
    /// The user clicks the icon of a program. Rules ADX-10, ADX-11.
    pub(crate) fn click_icon(&mut self, program: &Text, out: &mut Outbox) {
        let text = format!("no icon of \"{program}\" is on screen");
        self.do_to_ad(text, out, |ad, cx| ad.click_icon(program, cx));
    }

    /// The user clicks the companion in a slot of the page. Rule ADX-16.
    pub(crate) fn click_companion(&mut self, slot: &Text, out: &mut Outbox) {
        let text = format!("no companion shows in \"{slot}\"");
        self.do_to_ad(text, out, |ad, cx| ad.click_companion(slot, cx));
    }

    /// The user does something with the ad. Rules ADX-19, ADX-22.
    pub(crate) fn interact(&mut self, what: Interaction, out: &mut Outbox) {
        let text = format!("no ad on screen offers {}", what.name());
        self.do_to_ad(text, out, |ad, cx| ad.interact(what, cx));
        self.clock_overlay(out.now());
    }

    /// The user closes a fallback image or an end card. `false` if there is none. Rules ADX-11,
    /// ADX-17.
    pub(crate) fn close_attachment(&mut self, out: &mut Outbox) -> bool {
        let mut reaction = Reaction::NotOffered;
        if self.state.is_ad() {
            self.feed(BreakSlot::Held, out, |ad, cx| {
                reaction = ad.close_attachment(cx);
            });
        }
        if reaction == Reaction::Resumes {
            self.resume_ad(out);
        }
        reaction != Reaction::NotOffered
    }

    /// Informs the ads on screen that the player became visible, or ceased to be. Rule ADX-4.
    pub(crate) fn report_visibility(&mut self, out: &mut Outbox) {
        let is_seen = self.surface.is_in_view() && !self.surface.is_hidden();
        for which in [BreakSlot::Held, Alongside::Overlay.into()] {
            self.with_ad(which, out, |ad_break, cx| {
                ad_break.see(cx.out.now(), is_seen)
            });
        }
    }

    /// The position of the ad on screen was changed; a move back is reported to its trackers. Rules
    /// TIME-6, PRD-1, ADX-20.
    pub(crate) fn report_ad_seek(
        &mut self,
        before: Option<Position>,
        target: Position,
        out: &mut Outbox,
    ) {
        let rule = match self.settings.knobs.quartile_in_seek() {
            SeekQuartiles::Crossed => rules::TIME_6,
            SeekQuartiles::Lost => rules::PRD_1,
        };
        let out = &mut *out.within(self.break_of(BreakSlot::Held).and_then(AdBreak::number));
        let cause = out.line(rule, AdLine::Seek, Fields::one("position", target));
        if before.is_some_and(|before| target < before) {
            self.notify_ad(AdNews::MovedBack, cause, out);
        }
    }

    /// Passes an action to the ad on screen, and pauses playback if the ad requires it.
    fn do_to_ad(
        &mut self,
        refusal: String,
        out: &mut Outbox,
        act: impl FnOnce(&mut AdBreak, &mut Context<'_>) -> Reaction,
    ) {
        let which = if self.state.is_ad() {
            BreakSlot::Held
        } else {
            Alongside::Overlay.into()
        };
        match self.with_ad(which, out, act) {
            Some(Reaction::Pauses) if which == BreakSlot::Held => self.pause_ad(out),
            Some(Reaction::Pauses) => self.pause(out),
            Some(Reaction::Told | Reaction::Resumes) => {}
            Some(Reaction::NotOffered) | None => out.diag(rules::ENV_3, Code::NotOffered, refusal),
        }
    }
}
