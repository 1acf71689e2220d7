//! Identifies the breaks that can be open at the same time.

use super::Breaks;
use crate::Player;
use playsim_ads::{AdBreak, BreakKind, CueBreak, Expected};
use playsim_api::RequestId;
use playsim_base::time::Position;

/// One of the breaks that can be open at the same time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BreakSlot {
    /// The one that content is held for, which is part of the player's state.
    Held,
    /// A break that is open while content plays.
    Alongside(Alongside),
    /// One that loads ahead of its cue point, by its place in the list of these. Rule PRD-26.
    Ahead(usize),
}

/// A break that is open while content plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Alongside {
    /// A mid-roll or a commanded break, which loads. Rules CUE-3, CUE-11, PA-2.
    Pending,
    /// Over the content. Rules OVL-1 to OVL-6.
    Overlay,
    /// Next to the player, while it loads. Once its ad is shown the break is over. Rule VMAP-20.
    Display,
}

/// A break at a cue point of the item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct BreakAtCue {
    pub(super) at: Position,
    pub(super) which: CueBreak,
}

/// The moment that a break requested ahead waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Moment {
    /// A cue point; and which of the breaks there it is.
    Cue(BreakAtCue),
    /// The end of the content: it is the post-roll.
    End,
}

impl BreakSlot {
    /// All but those that load ahead of their cue points, in the order in which they are checked.
    pub(crate) const ALL: [BreakSlot; 4] = [
        BreakSlot::Held,
        BreakSlot::Alongside(Alongside::Pending),
        BreakSlot::Alongside(Alongside::Overlay),
        BreakSlot::Alongside(Alongside::Display),
    ];
}

impl Alongside {
    /// All of them, in the order in which they are checked.
    pub(crate) const ALL: [Alongside; 3] =
        [Alongside::Pending, Alongside::Overlay, Alongside::Display];

    /// The slot of a break of this kind that is open while content plays.
    pub(super) fn of(kind: BreakKind) -> Alongside {
        match kind {
            BreakKind::Pre | BreakKind::Mid | BreakKind::Post | BreakKind::Command => {
                Alongside::Pending
            }
            BreakKind::Overlay => Alongside::Overlay,
            BreakKind::Display => Alongside::Display,
        }
    }
}

impl From<Alongside> for BreakSlot {
    fn from(which: Alongside) -> BreakSlot {
        BreakSlot::Alongside(which)
    }
}

impl Player {
    /// The break that waits for the response to a request.
    pub(crate) fn break_awaiting(&self, id: RequestId) -> Option<BreakSlot> {
        let is_awaited = |ad_break: &AdBreak| ad_break.awaits(id) == Some(Expected::Awaited);
        self.breaks
            .slots()
            .find(|which| self.break_of(*which).is_some_and(is_awaited))
    }

    pub(crate) fn break_of(&self, which: impl Into<BreakSlot>) -> Option<&AdBreak> {
        match which.into() {
            BreakSlot::Held => self.state.open_break().map(|open| &open.ad_break),
            BreakSlot::Alongside(which) => self.breaks.get(which),
            BreakSlot::Ahead(index) => self.breaks.ahead.get(index).map(|ahead| &*ahead.ad_break),
        }
    }
}

impl Breaks {
    /// The places of breaks that can be open now, in the order in which they are checked.
    pub(crate) fn slots(&self) -> impl Iterator<Item = BreakSlot> + use<> {
        let ahead = (0..self.ahead.len()).map(BreakSlot::Ahead);
        BreakSlot::ALL.into_iter().chain(ahead)
    }
}
