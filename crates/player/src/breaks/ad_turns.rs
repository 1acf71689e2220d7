//! Decides which of the videos that a player starts have ads.
//!
//! A video counts when it is started for the first time since it was loaded; a replay or a start
//! after `stop()` does not count again. Commanded ads ignore the count.
//!
//! Rules: SCHED-4 to SCHED-6.

use playsim_api::AdTurns;
use playsim_api::{AdLine, Fields, Outbox};
use playsim_rules as rules;

/// Numbers the videos that have been started.
#[derive(Debug, Clone, Copy, Hash)]
pub(crate) struct Turns {
    which: AdTurns,
    /// The number of the next video, from 0.
    next: u32,
    /// The number of the video in use, once it has been started.
    current: Option<u32>,
}

impl Turns {
    /// Starts counting after the videos that were seen earlier.
    pub(crate) fn new(which: AdTurns) -> Turns {
        Turns {
            which,
            next: which.seen,
            current: None,
        }
    }

    /// Records that another video is loaded.
    pub(crate) fn leave(&mut self) {
        self.current = None;
    }

    /// Records that the video in use is started.
    pub(crate) fn begin(&mut self) {
        if self.current.is_none() {
            self.current = Some(self.next);
            self.next = self.next.saturating_add(1);
        }
    }

    /// The number of the video in use or, before it starts, the one that it will get.
    fn number(self) -> u32 {
        self.current.unwrap_or(self.next)
    }

    /// Whether the video in use has ads.
    pub(super) fn has_ads(self) -> bool {
        self.which.include(self.number())
    }

    /// Whether a video loaded next would have ads.
    pub(super) fn next_has_ads(self) -> bool {
        self.which.include(self.next)
    }

    /// Logs why the video in use has no ads, if it is not its turn.
    pub(crate) fn note(self, out: &mut Outbox) {
        if self.has_ads() {
            return;
        }
        let (turns, number) = (self.which, self.number());
        let rule = match number {
            number if number < turns.offset => rules::SCHED_5,
            _ if turns.seen > 0 => rules::SCHED_6,
            _ => rules::SCHED_4,
        };
        let data = Fields::one("video", number.saturating_add(1))
            .with("every", turns.every)
            .with("offset", turns.offset);
        out.line(rule, AdLine::NotItsTurn, data);
    }
}
