//! Which of the videos that a player starts have ads.
//!
//! A video counts when it is started for the first time since it was loaded: neither a replay nor a start
//! after `stop()` is another one. Ads on command do not ask.
//!
//! Rules: SCHED-4 to SCHED-6.

use super::*;

/// The videos that were started, by number.
#[derive(Debug, Clone, Copy)]
pub(super) struct Turns {
    /// The number of the next one, from 0.
    next: u32,
    /// The number of the one in use, once it was started.
    current: Option<u32>,
}

impl Turns {
    /// So many were seen before.
    pub(super) fn new(seen: u32) -> Turns {
        Turns { next: seen, current: None }
    }

    /// Another video is loaded.
    pub(super) fn leave(&mut self) {
        self.current = None;
    }

    /// The video in use is started.
    pub(super) fn begin(&mut self) {
        if self.current.is_none() {
            self.current = Some(self.next);
            self.next = self.next.saturating_add(1);
        }
    }
}

impl Player {
    /// Whether the video in use has ads: its own number counts, or the one that it would have.
    pub(super) fn has_ad_turn(&self) -> bool {
        self.settings.ad_turns.include(self.turns.current.unwrap_or(self.turns.next))
    }

    /// Whether a video that is loaded now would have ads.
    pub(super) fn next_has_ad_turn(&self) -> bool {
        self.settings.ad_turns.include(self.turns.next)
    }

    /// Says why a video has no ads, if it is not its turn.
    pub(super) fn note_ad_turn(&self, out: &mut Outbox) {
        if self.has_ad_turn() {
            return;
        }
        let (turns, number) = (self.settings.ad_turns, self.turns.current.unwrap_or(self.turns.next));
        let rule = match number {
            number if number < turns.offset => rule!("SCHED-5"),
            _ if turns.seen > 0 => rule!("SCHED-6"),
            _ => rule!("SCHED-4"),
        };
        let data = Fields::one("video", number + 1).with("every", turns.every).with("offset", turns.offset);
        out.line(rule, Kind::Ad, "not-its-turn", data);
    }
}
