//! Identifies the breaks that can be open at the same time.

use super::*;
use crate::ads::BreakKind;

/// One of the breaks that can be open at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    /// The one that content is held for.
    Held,
    /// The one that loads while content goes on.
    Pending,
    Overlay,
    /// Next to the player. Rule VMAP-20.
    Display,
}

impl Which {
    /// All of them, in the order in which they are checked.
    pub(super) const ALL: [Which; 4] = [Which::Held, Which::Pending, Which::Overlay, Which::Display];

    /// The place of a break of this kind.
    pub(super) fn of(kind: BreakKind) -> Which {
        match kind {
            BreakKind::Pre | BreakKind::Mid | BreakKind::Post | BreakKind::Command => Which::Held,
            BreakKind::Overlay => Which::Overlay,
            BreakKind::Display => Which::Display,
        }
    }
}

impl Player {
    /// The break that waits for the response to a request.
    pub(super) fn who_awaits(&self, id: RequestId) -> Option<Which> {
        let is_awaited = |ad_break: &AdBreak| ad_break.awaits(id) == Some(crate::ads::Expected::Awaited);
        Which::ALL.into_iter().find(|which| self.break_of(*which).is_some_and(is_awaited))
    }

    pub(super) fn break_of(&self, which: Which) -> Option<&AdBreak> {
        match which {
            Which::Held => self.state.open_break().map(|open| &open.ad_break),
            Which::Pending => self.pending.as_deref().map(|pending| &pending.ad_break),
            Which::Overlay => self.overlay.as_deref(),
            Which::Display => self.beside.open.as_deref(),
        }
    }

    pub(super) fn break_of_mut(&mut self, which: Which) -> Option<&mut AdBreak> {
        match which {
            Which::Held => self.state.open_break_mut().map(|open| &mut open.ad_break),
            Which::Pending => self.pending.as_deref_mut().map(|pending| &mut pending.ad_break),
            Which::Overlay => self.overlay.as_deref_mut(),
            Which::Display => self.beside.open.as_deref_mut(),
        }
    }
}
