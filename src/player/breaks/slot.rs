//! Identifies the breaks that can be open at the same time.

use crate::ads::{AdBreak, BreakKind};
use crate::api::RequestId;
use crate::player::Player;

/// One of the breaks that can be open at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::player) enum BreakSlot {
    /// The one that content is held for.
    Held,
    /// The one that loads while content goes on.
    Pending,
    Overlay,
    /// Next to the player. Rule VMAP-20.
    Display,
}

impl BreakSlot {
    /// All of them, in the order in which they are checked.
    pub(in crate::player) const ALL: [BreakSlot; 4] =
        [BreakSlot::Held, BreakSlot::Pending, BreakSlot::Overlay, BreakSlot::Display];

    /// The place of a break of this kind.
    pub(super) fn of(kind: BreakKind) -> BreakSlot {
        match kind {
            BreakKind::Pre | BreakKind::Mid | BreakKind::Post | BreakKind::Command => BreakSlot::Held,
            BreakKind::Overlay => BreakSlot::Overlay,
            BreakKind::Display => BreakSlot::Display,
        }
    }
}

impl Player {
    /// The break that waits for the response to a request.
    pub(in crate::player) fn break_awaiting(&self, id: RequestId) -> Option<BreakSlot> {
        let is_awaited = |ad_break: &AdBreak| ad_break.awaits(id) == Some(crate::ads::Expected::Awaited);
        BreakSlot::ALL.into_iter().find(|which| self.break_of(*which).is_some_and(is_awaited))
    }

    pub(in crate::player) fn break_of(&self, which: BreakSlot) -> Option<&AdBreak> {
        match which {
            BreakSlot::Held => self.state.open_break().map(|open| &open.ad_break),
            BreakSlot::Pending => self.pending.as_deref().map(|pending| &pending.ad_break),
            BreakSlot::Overlay => self.overlay.as_deref(),
            BreakSlot::Display => self.display.open.as_deref(),
        }
    }

    pub(super) fn break_of_mut(&mut self, which: BreakSlot) -> Option<&mut AdBreak> {
        match which {
            BreakSlot::Held => self.state.open_break_mut().map(|open| &mut open.ad_break),
            BreakSlot::Pending => self.pending.as_deref_mut().map(|pending| &mut pending.ad_break),
            BreakSlot::Overlay => self.overlay.as_deref_mut(),
            BreakSlot::Display => self.display.open.as_deref_mut(),
        }
    }
}
