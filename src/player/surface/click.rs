//! Clicks of the user on what is on screen, and closing it.
//!
//! An overlay lies over the content and takes clicks first. This module also passes changes of mute and
//! fullscreen to the ad that has the screen.
//!
//! Rules: CLICK-1 to CLICK-4, OVL-5, STICK-1, ENV-3, BRK-19, EV-11, EV-35.

use crate::ads::{AdBreak, AdNews, Context};
use crate::api::{Cause, ClickAt, Code, EventName, Fields, Outbox, UiLine};
use crate::player::Player;
use crate::player::api::calls::By;
use crate::player::breaks::macro_facts::lend;
use crate::player::breaks::slot::BreakSlot;
use crate::player::state::State;
use crate::rules;
use crate::time::Time;

impl Player {
    /// The user clicks what is on screen, at a place if it is known. Rules CLICK-1 to CLICK-4, MAC-7.
    pub(in crate::player) fn click(&mut self, at: Option<ClickAt>, now: Time, out: &mut Outbox) {
        match self.state {
            State::AdPlaying(_) | State::AdPaused(_) => {
                if self.click_break(BreakSlot::Held, at, now, out) {
                    self.pause_ad(now, out);
                }
            }
            State::Initial | State::Playing(_) | State::Buffering(_) | State::Paused | State::Ended(_) => {
                if !self.click_break(BreakSlot::Overlay, at, now, out) {
                    self.click_content(now, out);
                }
            }
            State::AdLoading(_) | State::Failed | State::Created(_) | State::Destroyed => {
                out.diag(rules::ENV_3, Code::NotOffered, "nothing on screen can be clicked");
            }
        }
    }

    /// The user closes a fallback image or an end card, otherwise an overlay, otherwise a sticky player.
    ///
    /// Rules ADX-11, ADX-17, OVL-5, STICK-1.
    pub(in crate::player) fn close(&mut self, now: Time, out: &mut Outbox) {
        if !self.close_attachment(now, out) && !self.close_overlay(now, out) && !self.close_sticky(out) {
            out.diag(rules::ENV_3, Code::NotOffered, "nothing open can be closed");
        }
    }

    /// Navigates away and pauses, or switches between play and pause. Rules CLICK-1, CLICK-2.
    fn click_content(&mut self, now: Time, out: &mut Outbox) {
        let address = self.playlist.video().and_then(|video| video.clickthrough.clone());
        if let Some(url) = address.filter(|url| !url.is_empty()) {
            out.event(rules::CLICK_1, EventName::ClickedThrough);
            out.line(rules::CLICK_1, UiLine::Navigate, Fields::one("url", &url));
            self.pause(now, out);
            return;
        }
        out.event(rules::CLICK_2, EventName::ClickedThrough);
        if matches!(self.state, State::Playing(_) | State::Buffering(_)) {
            self.pause(now, out);
        } else {
            self.play(now, By::Person, out);
        }
    }

    /// Passes a click to the ad of a break. Returns `true` if the player has to react to it.
    fn click_break(&mut self, which: BreakSlot, at: Option<ClickAt>, now: Time, out: &mut Outbox) -> bool {
        self.with_ad(which, now, out, |ad_break, cx| ad_break.click(at, cx)).unwrap_or(false)
    }

    /// Informs the linear ad on screen; does nothing if there is none. Rule BRK-19.
    pub(in crate::player) fn notify_ad(&mut self, now: Time, news: AdNews, cause: Cause, out: &mut Outbox) {
        self.with_ad(BreakSlot::Held, now, out, |ad_break, cx| ad_break.tell(news, cause, cx));
    }

    pub(in crate::player) fn with_ad<T>(
        &mut self,
        which: BreakSlot,
        now: Time,
        out: &mut Outbox,
        tell: impl FnOnce(&mut AdBreak, &mut Context<'_>) -> T,
    ) -> Option<T> {
        self.note_facts(which, now);
        let size = self.pixels();
        let ad_break = match which {
            BreakSlot::Held => self.state.open_break_mut().map(|open| &mut open.ad_break),
            BreakSlot::Pending => self.pending.as_deref_mut().map(|pending| &mut pending.ad_break),
            BreakSlot::Overlay => self.overlay.as_deref_mut(),
            BreakSlot::Display => self.display.open.as_deref_mut(),
        }?;
        Some(tell(ad_break, &mut lend(now, &self.settings, size, &mut self.macros, out)))
    }
}
