//! Clicks of the user on content, ads and overlays, and closing them.
//!
//! An overlay lies over the content and takes clicks first. This module also passes changes of mute
//! and fullscreen to the ad that has the screen.
//!
//! Rules: CLICK-1 to CLICK-4, OVL-5, STICK-1, ENV-3, BRK-19, EV-11, EV-35.

use crate::Player;
use crate::api::calls::By;
use crate::breaks::slot::{Alongside, BreakSlot};
use crate::state::State;
use playsim_ads::AdNews;
use playsim_api::{Cause, ClickAt, Code, EventName, Fields, Outbox, UiLine};
use playsim_rules as rules;

impl Player {
    /// The user clicks on the content, ad or overlay on screen, at a place if it is known. Rules
    /// CLICK-1 to CLICK-4, MAC-7.
    pub(crate) fn click(&mut self, at: Option<ClickAt>, out: &mut Outbox) {
        if self.state.is_ad() {
            if self.click_break(BreakSlot::Held, at, out) {
                self.pause_ad(out);
            }
        } else if matches!(self.state, State::Held(_) | State::Failed) {
            out.diag(
                rules::ENV_3,
                Code::NotOffered,
                "nothing on screen can be clicked",
            );
        } else if !self.click_break(Alongside::Overlay, at, out) {
            self.click_content(out);
        }
    }

    /// The user closes a fallback image or an end card, otherwise an overlay, otherwise a sticky
    /// player.
    ///
    /// Rules ADX-11, ADX-17, OVL-5, STICK-1.
    pub(crate) fn close(&mut self, out: &mut Outbox) {
        if !self.close_attachment(out)
            && !self.close_overlay(out)
            && !self.surface.view.close_sticky(out)
        {
            out.diag(rules::ENV_3, Code::NotOffered, "nothing open can be closed");
        }
    }

    /// Navigates away and pauses, or switches between play and pause. Rules CLICK-1, CLICK-2.
    fn click_content(&mut self, out: &mut Outbox) {
        let address = self
            .items
            .playlist
            .video()
            .and_then(|video| video.clickthrough.clone());
        if let Some(url) = address.filter(|url| !url.is_empty()) {
            out.event(rules::CLICK_1, EventName::ClickedThrough);
            out.line(rules::CLICK_1, UiLine::Navigate, Fields::one("url", &url));
            self.pause(out);
            return;
        }
        out.event(rules::CLICK_2, EventName::ClickedThrough);
        if self.state.plays_content() {
            self.pause(out);
        } else {
            self.play(By::Person, out);
        }
    }

    /// Passes a click to the ad of a break. Returns `true` if the player has to react to it.
    fn click_break(
        &mut self,
        which: impl Into<BreakSlot>,
        at: Option<ClickAt>,
        out: &mut Outbox,
    ) -> bool {
        self.with_ad(which, out, |ad_break, cx| ad_break.click(at, cx))
            .unwrap_or(false)
    }

    /// Informs the linear ad on screen; does nothing if there is none. Rule BRK-19.
    pub(crate) fn notify_ad(&mut self, news: AdNews, cause: Cause, out: &mut Outbox) {
        self.with_ad(BreakSlot::Held, out, |ad_break, cx| {
            ad_break.tell(news, cause, cx)
        });
    }
}
