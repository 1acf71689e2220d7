//! The states of a player, each with what it alone needs.
//!
//! ```text
//!             ready            play, ads to ask        ad ready
//!   created ────────► initial ─────────────────► ad-loading ────► ad-playing ◄──► ad-paused
//!                        │  ▲                      ▲      │ over     │ over   pause/play
//!              play, none │  └── stop (any)         └──────┼──────────┘ more to come
//!                         ▼                               ▼
//!                      playing ◄──► buffering   (content: play, start)
//!                       │ ▲  data      │
//!                 pause ▼ │ play       ▼ pause
//!                      paused ◄────────┘        playing ── end ──► ended ── play ──► playing
//!   failed: from any of them when the content fails; destroyed: from any by `destroy`
//! ```
//!
//! Rules: section 0 and the transitions of section 14 of the rule book.

use crate::ads::AdBreak;
use crate::api::{Cause, Text};
use crate::time::Time;

/// What a player is doing.
#[derive(Debug, Clone)]
pub(super) enum State {
    /// The initialiser ran, the API is not usable yet.
    Created(ReadyWork),
    /// Usable, nothing started.
    Initial,
    /// A break is being resolved, and content is held for it.
    AdLoading(Held),
    /// A linear ad owns the screen.
    AdPlaying(Box<OpenBreak>),
    /// The same, paused.
    AdPaused(Box<OpenBreak>),
    /// The content's position advances.
    Playing(Ticking),
    /// Content wants to play and has no data.
    Buffering,
    /// Content is paused.
    Paused,
    /// Content is over.
    Ended(Advance),
    /// The item has an error.
    Failed,
    /// `destroy` has finished.
    Destroyed,
}

/// What a created player waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadyWork {
    /// A task of the same instant. Rule INIT-11.
    Now,
    /// An answer that takes time.
    At(Time, Cause),
}

/// Why content is held.
#[derive(Debug, Clone)]
pub(super) struct Held {
    /// For what.
    pub(super) by: Holder,
    /// Whether play is still wanted. Rules PAUSE-4, PLAY-13.
    pub(super) wanted: bool,
}

/// What holds content.
#[derive(Debug, Clone)]
pub(super) enum Holder {
    /// The item's record is not known yet, and so its ads are not.
    Record,
    /// A break with nothing on screen.
    Break(Box<OpenBreak>),
}

/// A break that content is held for.
#[derive(Debug, Clone)]
pub(super) struct OpenBreak {
    pub(super) ad_break: AdBreak,
    /// What follows it.
    pub(super) back: Back,
}

/// What follows a break. Section 14: the state the break must return to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Back {
    /// The first start of the content: it was a pre-roll.
    Start {
        /// `play` was told when playing was asked for, and is not told again. Knob `play.with_preroll`.
        told_play: bool,
    },
    /// Content goes on, also if it has nothing left but its end.
    Content,
    /// Content has come to its end already: what stands between that and the end of the item. Rule CUE-10.
    Rest,
    /// The state before a commanded break. Rule PA-3.
    Initial {
        /// `play()` was called meanwhile.
        then_play: bool,
    },
    /// The state before a commanded break.
    Paused,
    /// The state before a commanded break.
    Ended(Advance),
    /// The end of the item: it was a post-roll. Rules END-2, POST-2.
    End {
        /// The `ended` that was told before it, if it was. Knob `ended.vs_postroll`.
        told: Option<Cause>,
    },
}

impl Back {
    /// Whether it leads back into content that has started: what a seek crosses meanwhile counts.
    pub(super) fn is_within_content(self) -> bool {
        match self {
            Back::Content | Back::Rest | Back::Paused => true,
            Back::Start { .. } | Back::Initial { .. } | Back::Ended(_) | Back::End { .. } => false,
        }
    }
}

/// A mid-roll or a commanded break that loads while content is not held for it. Rules CUE-3, CUE-11, PA-2.
#[derive(Debug, Clone)]
pub(super) struct Pending {
    pub(super) ad_break: AdBreak,
    /// `play()` was called in the initial state: content starts after it. Rule PA-3.
    pub(super) then_play: bool,
}

/// The clock of content that plays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Ticking {
    /// When the next periodic time update is due. Rule MEL-15.
    pub(super) next_update: Time,
    /// When the position brings something else: a chapter, the last second, an obstacle.
    pub(super) next_mark: Option<Time>,
    /// What made the position advance.
    pub(super) cause: Cause,
}

impl Ticking {
    /// When something is due.
    #[inline]
    pub(super) fn due(&self) -> Time {
        self.next_mark.map_or(self.next_update, |mark| mark.min(self.next_update))
    }
}

/// What follows the end of an item. Rules PL-12, PL-15.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Advance {
    /// Nothing.
    Nowhere,
    /// The next item, then.
    Due(Time, Cause),
    /// The next item, when play is wanted again.
    Paused,
}

impl State {
    /// The word in traces.
    pub(super) fn word(&self) -> &'static str {
        match self {
            State::Created(_) => "created",
            State::Initial => "initial",
            State::AdLoading(_) => "ad-loading",
            State::AdPlaying(_) => "ad-playing",
            State::AdPaused(_) => "ad-paused",
            State::Playing(_) => "playing",
            State::Buffering => "buffering",
            State::Paused => "paused",
            State::Ended(_) => "ended",
            State::Failed => "failed",
            State::Destroyed => "destroyed",
        }
    }

    /// The break that content is held for.
    pub(super) fn open_break(&self) -> Option<&OpenBreak> {
        if let State::AdLoading(Held { by: Holder::Break(open), .. })
        | State::AdPlaying(open)
        | State::AdPaused(open) = self
        {
            Some(open)
        } else {
            None
        }
    }

    /// The break that content is held for, to feed it.
    pub(super) fn open_break_mut(&mut self) -> Option<&mut OpenBreak> {
        if let State::AdLoading(Held { by: Holder::Break(open), .. })
        | State::AdPlaying(open)
        | State::AdPaused(open) = self
        {
            Some(open)
        } else {
            None
        }
    }

    /// Whether a linear ad is on the screen. Rule GAP-1.
    pub(super) fn is_ad(&self) -> bool {
        matches!(self, State::AdPlaying(_) | State::AdPaused(_))
    }
}

/// What is still due for the item in use: each comes once, and is armed again by a new start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Due(u8);

impl Due {
    /// `start`. Rules PLAY-9, STOP-5.
    pub(super) const START: Due = Due(1);
    /// `beforeStart`. Rule PLAY-7.
    pub(super) const BEFORE_START: Due = Due(2);
    /// The pre-roll break. Rules PRE-1, PRE-3.
    pub(super) const PRE_ROLL: Due = Due(4);
    /// `lastSecond`. Rule LAST-3.
    pub(super) const LAST_SECOND: Due = Due(8);
    /// `playlistStart`. Rules PL-10, PL-11.
    pub(super) const PLAYLIST_START: Due = Due(16);
    /// The post-roll break. Rules POST-1, POST-3.
    pub(super) const POST_ROLL: Due = Due(32);
    /// All that a new item brings.
    pub(super) const ITEM: Due = Due(1 | 2 | 4 | 8 | 32);
    /// All that there is.
    pub(super) const ALL: Due = Due(63);

    pub(super) fn arm(&mut self, what: Due) {
        self.0 |= what.0;
    }

    pub(super) fn has(self, what: Due) -> bool {
        self.0 & what.0 != 0
    }

    /// Whether it was due; it is not any more.
    pub(super) fn take(&mut self, what: Due) -> bool {
        let was = self.has(what);
        self.0 &= !what.0;
        was
    }
}

/// A new state's word as the name of its line.
impl From<&State> for Text {
    fn from(state: &State) -> Text {
        Text::Static(state.word())
    }
}
