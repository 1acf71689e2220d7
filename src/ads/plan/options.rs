//! Options of a player that set how often its ads come: the loop of its first pre-roll slot, and which videos
//! have ads at all.
//!
//! Rules: SCHED; advertising.md section 7.

use crate::time::Span;

/// The loop of the first pre-roll slot. Rules SCHED-1 to SCHED-3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdLoop {
    /// The number of passes in an item, including the pre-roll; at least 1.
    pub times: u32,
    /// The interval between cue points, in content time; never zero.
    pub every: Span,
    /// The loop ends after this many ads have started; `None` for no limit.
    pub impressions: Option<u32>,
}

/// Which videos have ads. Rules SCHED-4 to SCHED-6.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdTurns {
    /// Every nth video has ads; 1 for all of them.
    pub every: u32,
    /// The number of videos before the first one with ads.
    pub offset: u32,
    /// The number of videos seen before the page was loaded.
    pub seen: u32,
}

impl Default for AdTurns {
    fn default() -> AdTurns {
        AdTurns { every: 1, offset: 0, seen: 0 }
    }
}

impl AdTurns {
    /// Whether the video with this number, counted from 0, has ads.
    #[must_use]
    pub fn include(self, video: u32) -> bool {
        video.checked_sub(self.offset).is_some_and(|since| since % self.every.max(1) == 0)
    }
}

/// The state of a loop in an item.
#[derive(Debug, Clone, Copy)]
pub(in crate::ads) struct Looping {
    pub(in crate::ads) option: AdLoop,
    pub(in crate::ads) opened: u32,
    pub(in crate::ads) impressions: u32,
    /// Whether its end has been logged.
    pub(in crate::ads) is_end_logged: bool,
}

impl Looping {
    /// A loop that has not begun.
    pub(in crate::ads) fn new(option: AdLoop) -> Looping {
        Looping { option, opened: 0, impressions: 0, is_end_logged: false }
    }

    pub(in crate::ads) fn is_over(&self) -> bool {
        self.opened >= self.option.times
            || self.option.impressions.is_some_and(|most| self.impressions >= most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_nth_video_has_ads_after_the_offset() {
        let turns = |every, offset| {
            let turns = AdTurns { every, offset, seen: 0 };
            (0..8).filter(|video| turns.include(*video)).collect::<Vec<u32>>()
        };
        assert_eq!(turns(1, 0), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(turns(3, 0), [0, 3, 6]);
        assert_eq!(turns(3, 2), [2, 5]);
        assert_eq!(turns(1, 6), [6, 7]);
        assert_eq!(turns(2, 9), [0; 0]);
        assert!(AdTurns { every: u32::MAX, offset: u32::MAX, seen: 0 }.include(u32::MAX));
    }
}
