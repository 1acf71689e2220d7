//! Ads on command, `playAd` and `pushAds`; and the gesture that a start by script may need.
//!
//! Rules: PA-1 to PA-10, PUSH-1 to PUSH-5, PLAY-16 to PLAY-20, PL-18.

use super::*;
use crate::ads::{BreakKind, Phase};
use crate::knobs::GestureViolation;

impl Player {
    /// `playAd(ad)`. Rules PA-1 to PA-9.
    pub(super) fn play_ad(
        &mut self,
        now: Time,
        ad: Option<&Value>,
        out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        let length = self.element.length().flatten();
        let plan = self.schedule.commanded(ad, length, out)?;
        let is_overlay = plan.kind == BreakKind::Overlay;
        match self.state {
            State::AdLoading(_) | State::AdPlaying(_) | State::AdPaused(_) => {
                self.ad_busy("playAd", out);
            }
            State::Failed => {
                out.diag(rule!("PA-9"), "no_media", "the item has failed; no ad is played over it")
            }
            State::Initial | State::Playing(_) | State::Buffering | State::Paused | State::Ended(_) => {
                if self.loads_beside() || (is_overlay && self.overlay.is_some()) {
                    self.ad_busy("playAd", out);
                } else if !self.has_played && !self.may_start(By::Script, true, out) {
                    out.decide(rule!("PA-8"));
                } else if std::mem::take(&mut self.refuses_ads) {
                    self.refuse_break(now, plan, out);
                } else if is_overlay {
                    self.open_overlay(now, plan, out);
                } else {
                    self.open_pending(now, plan, out);
                }
            }
            State::Created(_) | State::Destroyed => {}
        }
        out.decide(rule!("PA-1"));
        Ok(Value::Undefined)
    }

    /// Whether a mid-roll or a commanded break loads while content goes on. Rules PA-4, PUSH-4.
    fn loads_beside(&self) -> bool {
        let loads = |overlay: &AdBreak| overlay.is_commanded() && matches!(overlay.phase(), Phase::Loading);
        self.pending.is_some() || self.overlay.as_deref().is_some_and(loads)
    }

    /// `pushAds()`. Rules PUSH-1 to PUSH-5.
    pub(super) fn push_ads(&mut self, now: Time, out: &mut Outbox) {
        out.decide(rule!("PUSH-1"));
        if !matches!(self.state, State::Playing(_) | State::Buffering) {
            out.diag(rule!("PUSH-3"), "not_playing", "pushAds() works while content plays, and is ignored");
        } else if self.loads_beside() {
            self.ad_busy("pushAds", out);
        } else if let Some(plan) = self.schedule.pushed().filter(|_| self.may_show_ads()) {
            self.open_pending(now, plan, out);
        } else {
            out.diag(rule!("PUSH-5"), "no_ads", "there are no pre-rolls to push");
        }
    }

    fn ad_busy(&self, call: &str, out: &mut Outbox) {
        let rule = if call == "playAd" { rule!("PA-4") } else { rule!("PUSH-4") };
        out.diag(rule, "ad_busy", format!("{call}() is ignored: an ad is on, or loads"));
    }

    /// Whether playback may start now; if not, says so. With a knob it may, in another way.
    ///
    /// `with_ads`: whether ads would be shown. Rules PLAY-16 to PLAY-20, PA-8.
    pub(super) fn may_start(&mut self, by: By, with_ads: bool, out: &mut Outbox) -> bool {
        self.refuses_ads = false;
        if !self.lacks_gesture(by, with_ads) {
            return true;
        }
        match self.settings.knobs.gesture_violation {
            GestureViolation::Refuse => {
                let text = "nobody has touched the page yet, and the browser lets no script start playback";
                out.diag(rule!("PLAY-17"), "gesture_required", text);
                false
            }
            GestureViolation::PlayMuted => {
                self.mute_for_start(out);
                true
            }
            GestureViolation::AdFailsContentPlays => {
                self.refuses_ads = true;
                true
            }
        }
    }

    fn lacks_gesture(&self, by: By, with_ads: bool) -> bool {
        let is_exempt = match by {
            By::Person => true,
            // PLAY-20
            By::Autoplay => self.is_muted(),
            By::Script => false,
        };
        self.settings.page.requires_gesture() && self.situation.gesture.is_none() && with_ads && !is_exempt
    }

    /// Whether the item in use would show ads. Rule PLAY-18.
    pub(super) fn would_show_ads(&self) -> bool {
        // What is not known yet is taken as the record's default: it is monetized.
        let is_monetized = self.playlist.video().is_none_or(|video| video.monetize);
        is_monetized && self.has_ad_turn() && self.schedule.has_ads()
    }

    /// Whether to go to another item needs a gesture that is missing: the whole call is refused then. To go on
    /// from item to item while content plays starts nothing. Rule PL-18.
    pub(super) fn may_go_to(&mut self, index: usize, by: By, out: &mut Outbox) -> bool {
        let starts = match self.state {
            State::Initial | State::Paused | State::Ended(_) | State::Failed => true,
            State::Playing(_)
            | State::Buffering
            | State::AdLoading(_)
            | State::AdPlaying(_)
            | State::AdPaused(_)
            | State::Created(_)
            | State::Destroyed => false,
        };
        let with_ads = match self.playlist.video_of(index) {
            _ if !self.next_has_ad_turn() => false,
            Some(video) => video.monetize && self.schedule.has_ads_beside(&video.ads),
            None => self.schedule.has_ads_beside(&[]),
        };
        !starts || self.may_start(by, with_ads, out)
    }
}
