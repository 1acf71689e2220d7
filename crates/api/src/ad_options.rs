//! The options of a player that decide which ads it asks for: the loop of its first pre-roll slot,
//! which videos have ads at all, and header bids.
//!
//! Rules: SCHED-1 to SCHED-6, REQ-13.

use std::sync::Arc;

use super::BreakKind;
use playsim_base::time::Span;

/// The loop of the first pre-roll slot. Rules SCHED-1 to SCHED-3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct AdLoop {
    /// The number of passes in an item, including the pre-roll; at least 1.
    pub times: u32,
    /// The interval between cue points, in content time; never zero.
    pub every: Span,
    /// The loop ends after this many ads have started; `None` for no limit.
    pub impressions: Option<u32>,
}

/// Which videos have ads. Rules SCHED-4 to SCHED-6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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
        AdTurns {
            every: 1,
            offset: 0,
            seen: 0,
        }
    }
}

impl AdTurns {
    /// Whether the video with this number, counted from 0, has ads.
    #[must_use]
    pub fn include(self, video: u32) -> bool {
        video
            .checked_sub(self.offset)
            .is_some_and(|since| since % self.every.max(1) == 0)
    }
}

/// A winning header bid: its URL becomes an ad tag. Rule REQ-13.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Bid {
    /// The kind of break.
    pub kind: BreakKind,
    /// Which break of that kind, counted from 1.
    pub nth: u32,
    /// The URL.
    pub url: Arc<str>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_nth_video_has_ads_after_the_offset() {
        let turns = |every, offset| {
            let turns = AdTurns {
                every,
                offset,
                seen: 0,
            };
            (0..8)
                .filter(|video| turns.include(*video))
                .collect::<Vec<u32>>()
        };
        assert_eq!(turns(1, 0), [0, 1, 2, 3, 4, 5, 6, 7]);
        assert_eq!(turns(3, 0), [0, 3, 6]);
        assert_eq!(turns(3, 2), [2, 5]);
        assert_eq!(turns(1, 6), [6, 7]);
        assert_eq!(turns(2, 9), [0; 0]);
        assert!(
            AdTurns {
                every: u32::MAX,
                offset: u32::MAX,
                seen: 0
            }
            .include(u32::MAX)
        );
    }
}
