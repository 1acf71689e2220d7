//! What is around the picture: size, fullscreen, skin, visibility, sticky state, clicks, analytics.
//!
//! Rules: FS-1 to FS-7, VIEW-1 to VIEW-3, SKIN-1, SIZE-1 to SIZE-3, STICK-1 to STICK-3, CLICK-1 to CLICK-4,
//! GA-1 to GA-4, ENV-1 to ENV-4.

use super::calls::By;
use super::*;

impl Player {
    /// Rule FS-3.
    pub(super) fn is_fullscreen(&self) -> bool {
        false
    }

    /// Rule VIEW-1.
    pub(super) fn is_in_view(&self) -> bool {
        self.situation.in_view >= Decimal::from_integer(50)
    }

    /// The surroundings change. Rule ENV-1.
    pub(super) fn page_changes(&mut self, now: Time, change: PageChange, out: &mut Outbox) {
        match change {
            PageChange::Rate(rate) => self.set_rate(now, rate, out),
            PageChange::InView(_)
            | PageChange::Window(..)
            | PageChange::Sticky(_)
            | PageChange::Fullscreen(_)
            | PageChange::Hidden(_) => {}
        }
    }

    /// `toggleFullScreen()`, or the person's button.
    pub(super) fn toggle_fullscreen(&mut self, _now: Time, _by: By, _out: &mut Outbox) -> Value {
        false.into()
    }

    /// `changeSkin(id)`.
    pub(super) fn change_skin(&mut self, _id: Option<&Value>, _out: &mut Outbox) -> Result<Value, ApiError> {
        Err(not_built("changeSkin"))
    }

    /// `resize(width, height)`.
    pub(super) fn resize(&mut self, _args: &[Value], _out: &mut Outbox) -> Result<Value, ApiError> {
        Err(not_built("resize"))
    }

    /// `GoogleAnalytics.fireCustom(category, action)`.
    pub(super) fn fire_custom(
        &mut self,
        _args: &[Value],
        _within_ready: bool,
        _out: &mut Outbox,
    ) -> Result<Value, ApiError> {
        Err(not_built("GoogleAnalytics.fireCustom"))
    }

    /// The person clicks on what is on screen.
    pub(super) fn click(&mut self, _now: Time, _out: &mut Outbox) {}

    /// The person closes an overlay, or else a sticky player.
    pub(super) fn close(&mut self, now: Time, out: &mut Outbox) {
        self.close_overlay(now, out);
    }
}
