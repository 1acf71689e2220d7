//! What the user hears, sees and clicks: sound, size and fullscreen, the view; and analytics.

use crate::api::{Decimal, EventName, Outbox};
use crate::page::{Page, Situation};
use crate::rules::RuleId;
use crate::time::Time;

mod analytics;
mod click;
pub(super) mod sound;
pub(super) mod view;

use sound::Sound;
use view::View;

/// What a player looks and sounds like, and the page around it.
#[derive(Debug, Clone)]
pub(super) struct Surface {
    /// The parts of the surrounding page that change.
    situation: Situation,
    pub(super) sound: Sound,
    pub(super) view: View,
}

/// The lowest percentage that counts as in view: the constant `view.threshold`. Rules OUT-10, VIEW-1.
const IN_VIEW_PERCENT: Decimal = Decimal::from_integer(50);

/// Whether a player counts as in view with this percentage of it in view. Rules OUT-10, VIEW-1.
pub(super) fn is_in_view(percent: Decimal) -> bool {
    percent >= IN_VIEW_PERCENT
}

impl Surface {
    pub(super) fn new(situation: Situation, sound: Sound, view: View) -> Surface {
        Surface { situation, sound, view }
    }

    /// Whether the player is in view. Rule VIEW-1.
    pub(super) fn is_in_view(&self) -> bool {
        is_in_view(self.situation.in_view)
    }

    /// Whether the page is hidden. Rule ENV-4.
    pub(super) fn is_hidden(&self) -> bool {
        self.situation.is_hidden
    }

    /// The user made a gesture. Rules PLAY-16, PLAY-19.
    pub(super) fn note_gesture(&mut self, now: Time) {
        self.situation.gesture = Some(now);
    }

    /// Whether the page requires a gesture that the user has not made. Rule PLAY-16.
    pub(super) fn lacks_gesture(&self, page: &Page) -> bool {
        page.requires_gesture() && self.situation.gesture.is_none()
    }

    /// Why the browser refuses fullscreen. Rule FS-5.
    fn fullscreen_refusal(&self, page: &Page) -> Option<&'static str> {
        if !page.allows_fullscreen {
            Some("the page is not allowed to use fullscreen")
        } else if self.lacks_gesture(page) {
            Some("fullscreen requires a user gesture first")
        } else {
            None
        }
    }

    /// The current width and height. Rules SIZE-1, SIZE-3.
    pub(super) fn pixels(&self) -> (u64, u64) {
        self.view.pixels(self.situation.window)
    }

    /// Changes what the size depends on, and fires `playerresize` if the size changes. Rules SIZE-1, SIZE-3.
    fn resize(&mut self, change: impl FnOnce(&mut Surface), rule: RuleId, out: &mut Outbox) {
        let before = self.pixels();
        change(self);
        if self.pixels() != before {
            out.event(rule, EventName::PlayerResize);
        }
    }
}
