//! The states of a player, each with the data that only it needs.
//!
//! ```text
//!             ready            play, has ads          ad ready
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
//! Rules: PLAY, BRK, END, DESTROY.

use playsim_ads::{AdBreak, Phase};
use playsim_api::{Cause, Outbox, Output, StateLine, Task};
use playsim_base::time::{Position, Span, Time};
use playsim_rules::{self as rules, RuleId};

/// The state of a player.
#[derive(Debug, Clone, Hash)]
pub(super) enum State {
    /// The initialiser has run, but the API is not usable yet.
    Created(ReadyWork),
    /// Usable, nothing started.
    Initial,
    /// Content is held for a break: it loads, or a linear ad owns the screen. In a trace this state
    /// has three names, by the phase of the break.
    Held(Held),
    /// The content's position advances.
    Playing,
    /// Content wants to play but has no data.
    Buffering,
    /// Content is paused.
    Paused,
    /// Content has ended.
    Ended(Advance),
    /// The item has failed.
    Failed,
    /// `destroy` has finished.
    Destroyed,
}

/// The ready work that a created player waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum ReadyWork {
    /// A task of the same instant. Rule INIT-11.
    Now,
    /// A response that takes time.
    At(Time, Cause),
}

/// Why content is held.
#[derive(Debug, Clone, Hash)]
pub(super) struct Held {
    /// The reason for which content is held.
    pub(super) by: Holder,
    /// Whether play is still wanted; once an ad is on screen, it is. Rules PAUSE-4, PLAY-13.
    pub(super) wanted: bool,
}

impl Held {
    /// The phase of the break. While the record is not known, its breaks are still loading, and so
    /// is one that does not come.
    pub(super) fn phase(&self) -> Phase {
        match &self.by {
            Holder::Record | Holder::Absent(_) => Phase::Loading,
            Holder::Break(open) => open.ad_break.phase(),
        }
    }
}

/// The reason for which content is held.
#[derive(Debug, Clone, Hash)]
pub(super) enum Holder {
    /// The item's record is not known yet, and therefore its ads are not either.
    Record,
    /// A break.
    Break(Box<OpenBreak>),
    /// A break that does not come. Rule PRD-32.
    Absent(Absent),
}

/// A break that the item does not have, but that content is held for until a time limit has passed.
/// Rule PRD-32.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Absent {
    pub(super) until: Time,
    /// The line that says so.
    pub(super) cause: Cause,
    /// The continuation after it.
    pub(super) back: AfterBreak,
}

/// A break that content is held for.
#[derive(Debug, Clone, Hash)]
pub(super) struct OpenBreak {
    pub(super) ad_break: AdBreak,
    /// The continuation after the break.
    pub(super) back: AfterBreak,
}

/// The state to return to after a break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum AfterBreak {
    /// The first start of the content: it was a pre-roll.
    Start {
        /// Whether `play` has already fired, when playing was requested. Knob `play.with_preroll`.
        play_fired: bool,
    },
    /// Content continues, even if only its end is left.
    Content,
    /// Content has already reached its end: the rest of the item follows. Rule CUE-10.
    Rest,
    /// Back to the initial state after a commanded break. Rule PA-3.
    Initial {
        /// Whether `play()` was called meanwhile.
        then_play: bool,
    },
    /// Back to the paused state after a commanded break.
    Paused,
    /// Back to the ended state after a commanded break.
    Ended(Advance),
    /// The end of the item: it was a post-roll. Rules END-2, POST-2.
    End {
        /// The `ended` event that fired before it, if any. Knob `ended.vs_postroll`.
        ended: Option<Cause>,
    },
}

impl AfterBreak {
    /// Whether content plays after it, if play is wanted.
    pub(super) fn plays_content(self) -> bool {
        match self {
            AfterBreak::Start { .. }
            | AfterBreak::Content
            | AfterBreak::Rest
            | AfterBreak::Initial { then_play: true } => true,
            AfterBreak::Initial { then_play: false }
            | AfterBreak::Paused
            | AfterBreak::Ended(_)
            | AfterBreak::End { .. } => false,
        }
    }

    /// Whether it returns to content that has started, so that cue points passed by a seek
    /// meanwhile count.
    pub(super) fn is_within_content(self) -> bool {
        match self {
            AfterBreak::Content | AfterBreak::Rest | AfterBreak::Paused => true,
            AfterBreak::Start { .. }
            | AfterBreak::Initial { .. }
            | AfterBreak::Ended(_)
            | AfterBreak::End { .. } => false,
        }
    }
}

/// The continuation after the end of an item. Rules PL-12, PL-15.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Advance {
    /// Nothing.
    Nowhere,
    /// The next item, at this time.
    Due(Time, Cause),
    /// The next item, when play is wanted again.
    Paused,
    /// The breaks after the content, now that `ended` has fired before them. Rule END-2.
    Breaks {
        /// The `ended` event.
        ended: Cause,
        /// Whether play is wanted.
        wanted: bool,
    },
}

impl State {
    /// The name.
    pub(super) fn name(&self) -> StateLine {
        match self {
            State::Created(_) => StateLine::Created,
            State::Initial => StateLine::Initial,
            State::Held(held) => match held.phase() {
                Phase::Loading | Phase::Ready | Phase::Over(_) => StateLine::AdLoading,
                Phase::Playing => StateLine::AdPlaying,
                Phase::Paused => StateLine::AdPaused,
            },
            State::Playing => StateLine::Playing,
            State::Buffering => StateLine::Buffering,
            State::Paused => StateLine::Paused,
            State::Ended(_) => StateLine::Ended,
            State::Failed => StateLine::Failed,
            State::Destroyed => StateLine::Destroyed,
        }
    }

    /// The break that content is held for.
    pub(super) fn open_break(&self) -> Option<&OpenBreak> {
        if let State::Held(Held {
            by: Holder::Break(open),
            ..
        }) = self
        {
            Some(open)
        } else {
            None
        }
    }

    /// The break that content is held for, mutable.
    pub(super) fn open_break_mut(&mut self) -> Option<&mut OpenBreak> {
        if let State::Held(Held {
            by: Holder::Break(open),
            ..
        }) = self
        {
            Some(open)
        } else {
            None
        }
    }

    /// The continuation after the break that content is held for, or after the wait for an absent
    /// one.
    pub(super) fn back(&self) -> Option<AfterBreak> {
        let State::Held(held) = self else { return None };
        match &held.by {
            Holder::Record => None,
            Holder::Break(open) => Some(open.back),
            Holder::Absent(absent) => Some(absent.back),
        }
    }

    /// The wait for a break that does not come. Rule PRD-32.
    pub(super) fn absent(&self) -> Option<Absent> {
        if let State::Held(Held {
            by: Holder::Absent(absent),
            ..
        }) = self
        {
            Some(*absent)
        } else {
            None
        }
    }

    /// Whether a response or a stream fails without effect for now: failures of the content are
    /// held back until the player is ready, and while a linear ad is on screen. Rules INIT-15,
    /// LIVE-1.
    pub(super) fn holds_failures_back(&self) -> bool {
        matches!(self, State::Created(_)) || self.is_ad()
    }

    /// Whether the item continues without another request, now or after the break that holds it.
    pub(super) fn is_wanted(&self) -> bool {
        if let State::Held(held) = self {
            held.wanted
        } else {
            self.plays_content()
        }
    }

    /// Whether content plays, or would if it had data.
    pub(super) fn plays_content(&self) -> bool {
        matches!(self, State::Playing | State::Buffering)
    }

    /// Whether content has started, is not over, and is not held: a linear ad can interrupt it.
    pub(super) fn is_in_content(&self) -> bool {
        matches!(self, State::Playing | State::Buffering | State::Paused)
    }

    /// The rule that decides the target of a seek.
    pub(super) fn rule_of_seek(&self) -> RuleId {
        match self {
            state if state.is_ad() => rules::TIME_6,
            State::Initial | State::Held(_) => rules::TIME_7,
            State::Ended(Advance::Due(..) | Advance::Paused) => rules::PL_15,
            State::Ended(Advance::Nowhere | Advance::Breaks { .. }) => rules::TIME_8,
            State::Failed => rules::ERR_5,
            State::Playing | State::Buffering | State::Paused => rules::TIME_2,
            State::Created(_) | State::Destroyed => rules::TIME_2,
        }
    }

    /// The rule that decides a move to another item.
    pub(super) fn rule_of_navigation(&self, usual: RuleId) -> RuleId {
        match self {
            State::Held(Held {
                by: Holder::Break(_),
                ..
            }) => rules::PL_17,
            State::Ended(Advance::Due(..) | Advance::Paused) => rules::PL_15,
            State::Ended(Advance::Nowhere | Advance::Breaks { .. }) => rules::PL_18,
            State::Initial | State::Paused | State::Failed => rules::PL_18,
            State::Held(Held {
                by: Holder::Record | Holder::Absent(_),
                ..
            }) => usual,
            State::Playing | State::Buffering => usual,
            State::Created(_) | State::Destroyed => usual,
        }
    }

    /// Whether a linear ad is on screen. Rule GAP-1.
    pub(super) fn is_ad(&self) -> bool {
        self.open_break()
            .is_some_and(|open| matches!(open.ad_break.phase(), Phase::Playing | Phase::Paused))
    }

    /// Has the breaks after the content opened in a task, if they are still to come. Rule END-2.
    pub(crate) fn ask_for_end_breaks(&self, out: &mut Outbox) {
        if let State::Ended(Advance::Breaks { ended, .. }) = *self {
            out.set_cause(ended);
            out.put(rules::END_2, Output::Task(Task::OpenEndBreaks));
        }
    }

    /// The length of the linear ad on screen and its position; `None` without one. Rules GAP-3,
    /// GAP-4.
    pub(super) fn ad_playhead(&self, now: Time) -> Option<(Span, Position)> {
        self.open_break()?.ad_break.playhead(now)
    }
}

/// The events and breaks still due for the item in use: each is due once, and again after a new
/// start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
    /// Everything that is due for a new item.
    pub(super) const ITEM: Due = Due(1 | 2 | 4 | 8 | 32);
    /// Everything.
    pub(super) const ALL: Due = Due(63);

    pub(super) fn arm(&mut self, what: Due) {
        self.0 |= what.0;
    }

    pub(super) fn has(self, what: Due) -> bool {
        self.0 & what.0 != 0
    }

    /// Returns whether it was due, and clears it.
    pub(super) fn take(&mut self, what: Due) -> bool {
        let was = self.has(what);
        self.0 &= !what.0;
        was
    }
}
