//! Ads on command: `playAd` and `pushAds`.
//!
//! Rules: PA-1 to PA-10, PUSH-1 to PUSH-5.

use super::*;

impl Player {
    /// `playAd(ad)`.
    pub(super) fn play_ad(
        &mut self,
        _now: Time,
        _ad: Option<&Value>,
        _out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        Err(not_built("playAd"))
    }

    /// `pushAds()`.
    pub(super) fn push_ads(&mut self, _now: Time, _out: &mut Outbox) {}
}
