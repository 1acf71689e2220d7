//! What a live stream has besides media of a fixed length: an edge, a window, and an end of its own.
//!
//! Positions count from the instant at which it was joined: that of its metadata. The edge moves on with
//! the clock from there, whoever plays or does not; behind it as much is kept as the window says.
//!
//! Rules: LIVE-1, LIVE-3, TIME-4, BRK-17.

use crate::media::Live;
use crate::time::{Position, Span, Time};

/// A live stream that was joined.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stream {
    joined: Time,
    window: Span,
    /// When it stops running, if it does. Rule LIVE-1.
    pub(super) stops_at: Option<Time>,
}

impl Stream {
    pub(super) fn joined(now: Time, live: Live) -> Stream {
        Stream { joined: now, window: live.window, stops_at: live.stops_after(now) }
    }

    /// The newest position there is.
    pub(super) fn edge(self, now: Time) -> Position {
        Position::ZERO + (now - self.joined)
    }

    /// When the edge is at a position.
    pub(super) fn edge_reaches(self, position: Position) -> Time {
        self.joined + (position - Position::ZERO)
    }

    /// The nearest position that is kept.
    pub(super) fn nearest(self, now: Time, target: Position) -> Position {
        let edge = self.edge(now);
        let oldest = Position::ZERO + (edge - (Position::ZERO + self.window));
        target.clamp(oldest, edge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_window_moves_with_the_clock() {
        let live = Live { window: Span::from_secs(30), ..Live::default() };
        let stream = Stream::joined(Time::from_secs(10), live);
        let nearest = |now, target| {
            stream.nearest(Time::from_secs(now), Position::from_secs(target)).micros() / 1_000_000
        };
        assert_eq!((nearest(10, 0), nearest(10, 5)), (0, 0));
        assert_eq!((nearest(30, 5), nearest(30, 99)), (5, 20));
        assert_eq!((nearest(60, 5), nearest(60, 40), nearest(60, 99)), (20, 40, 50));
    }
}
