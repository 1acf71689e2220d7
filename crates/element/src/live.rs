//! The properties of a live stream: its timeline, its edge and its window.
//!
//! As HTML has it, the timeline begins at the earliest position that was available when the
//! metadata arrived. The window is the media that can be sought to; the live edge, where a load
//! joins, is its end. Both move on with the clock while the stream runs, whether anything plays or
//! not.
//!
//! Rules: LIVE-1, LIVE-3, LIVE-5, TIME-4, BRK-17, MEL-22.

use super::data::STALLED_AFTER;
use playsim_api::media::{Live, Playhead};
use playsim_base::time::{Position, Span, Time};

/// A live stream that has been joined.
#[derive(Debug, Clone, Copy, Hash)]
pub(super) struct Stream {
    live: Live,
    /// When its metadata arrived.
    joined: Time,
    /// Whether it has ended for good. Rule LIVE-5.
    is_over: bool,
}

impl Stream {
    pub(super) fn joined(now: Time, live: Live) -> Stream {
        // An interruption that is over has no effect on a stream joined after it.
        let is_over = live.back_at.is_some_and(|back| back <= now);
        let live = if is_over {
            Live {
                stops_at: None,
                back_at: None,
                ..live
            }
        } else {
            live
        };
        Stream {
            live,
            joined: now,
            is_over: false,
        }
    }

    /// Another rendition of the stream, on the same timeline. Rule QUAL-5.
    pub(super) fn switched(self, now: Time, live: Live) -> Stream {
        Stream {
            joined: self.joined,
            is_over: self.is_over,
            ..Stream::joined(now, live)
        }
    }

    /// The position at which it was joined: the edge of that time.
    pub(super) fn joined_at(self) -> Position {
        Position::ZERO + self.live.window
    }

    /// The time at which it stops running, if it does. Rule LIVE-1.
    pub(super) fn stops_at(self) -> Option<Time> {
        self.live.stops_after(self.joined)
    }

    /// When it ends for good, if it will. Rule LIVE-5.
    pub(super) fn ends_at(self) -> Option<Time> {
        self.live.ends_at.filter(|_| !self.is_over)
    }

    /// It has ended for good.
    pub(super) fn finish(&mut self) {
        self.is_over = true;
    }

    /// Its length, once it has ended for good. Rule LIVE-5.
    pub(super) fn length(self) -> Option<Span> {
        let end = self.live.ends_at.filter(|_| self.is_over)?;
        Some(self.edge(end) - Position::ZERO)
    }

    /// When it runs again, if it does not run at `now`.
    pub(super) fn back_at(self, now: Time) -> Option<Time> {
        self.live.back_at.filter(|_| !self.live.runs(now))
    }

    /// When loading counts as stalled because the stream has stopped and is not back soon. Rule
    /// MEL-5.
    pub(super) fn stalled_at(self) -> Option<Time> {
        let stalled = self.stops_at()? + STALLED_AFTER;
        self.live
            .back_at
            .is_none_or(|back| back > stalled)
            .then_some(stalled)
    }

    /// The newest available position. It stays where it is while the stream is not running, and
    /// once it has ended.
    pub(super) fn edge(self, now: Time) -> Position {
        let now = now.min(self.live.ends_at.unwrap_or(Time::MAX));
        let stopped = match self.live.stops_at {
            Some(stop) => now.min(self.live.back_at.unwrap_or(Time::MAX)) - stop.max(self.joined),
            None => Span::ZERO,
        };
        Position::ZERO + self.live.window + ((now - self.joined) - stopped)
    }

    /// The time at which the edge reaches a position; `None` if it never does.
    pub(super) fn edge_reaches(self, position: Position) -> Option<Time> {
        let at = self.joined + (position - self.joined_at());
        let reached = match self.live.stops_at.map(|stop| stop.max(self.joined)) {
            Some(stop) if at > stop => self.live.back_at.map(|back| at + (back - stop)),
            Some(_) | None => Some(at),
        };
        reached.filter(|at| self.live.ends_at.is_none_or(|end| *at <= end))
    }

    /// The nearest position inside the window.
    pub(super) fn nearest(self, now: Time, target: Position) -> Position {
        let edge = self.edge(now);
        let earliest = Position::ZERO + (edge - (Position::ZERO + self.live.window));
        target.clamp(earliest, edge)
    }

    /// Whether there is nothing after a position until the stream runs again.
    pub(super) fn is_dry(self, now: Time, position: Position) -> bool {
        !self.live.runs(now) && position >= self.edge(now)
    }

    /// When an advancing playhead reaches the edge of a stream that does not run.
    pub(super) fn dry_at(self, now: Time, head: &Playhead) -> Option<Time> {
        let Live {
            stops_at, back_at, ..
        } = self.live;
        let stop = stops_at.filter(|stop| back_at.is_none_or(|back| now.max(*stop) < back))?;
        let dry = head
            .reaches(self.edge(stop).max(head.position(now)))?
            .max(stop);
        back_at.is_none_or(|back| dry < back).then_some(dry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(live: Live) -> Stream {
        Stream::joined(
            Time::from_secs(10),
            Live {
                window: Span::from_secs(30),
                ..live
            },
        )
    }

    #[test]
    fn the_window_moves_with_the_clock() {
        let stream = stream(Live::default());
        let nearest = |now, target| {
            stream
                .nearest(Time::from_secs(now), Position::from_secs(target))
                .micros()
                / 1_000_000
        };
        assert_eq!(
            (nearest(10, 0), nearest(10, 5), nearest(10, 99)),
            (0, 5, 30)
        );
        assert_eq!((nearest(30, 5), nearest(30, 99)), (20, 50));
        assert_eq!(
            (nearest(60, 5), nearest(60, 70), nearest(60, 99)),
            (50, 70, 80)
        );
        assert_eq!(
            stream.edge_reaches(Position::from_secs(50)),
            Some(Time::from_secs(30))
        );
    }

    #[test]
    fn an_interruption_before_the_stream_was_joined_has_no_effect() {
        let live = |stop, back| Live {
            stops_at: Some(Time::from_secs(stop)),
            back_at: Some(Time::from_secs(back)),
            ..Live::default()
        };
        let joined_after = stream(live(0, 5));
        assert_eq!(joined_after.back_at(Time::ZERO), None);
        assert!(!joined_after.is_dry(Time::ZERO, Position::from_secs(99)));
        assert_eq!(
            joined_after.edge(Time::from_secs(12)),
            Position::from_secs(32)
        );
        assert_eq!(
            stream(live(15, 20)).back_at(Time::from_secs(16)),
            Some(Time::from_secs(20))
        );
    }

    #[test]
    fn the_edge_stays_while_the_stream_does_not_run() {
        let at = |seconds| Some(Time::from_secs(seconds));
        let stream = stream(Live {
            stops_at: at(15),
            back_at: at(20),
            ..Live::default()
        });
        let edge = |now| stream.edge(Time::from_secs(now)).micros() / 1_000_000;
        assert_eq!(
            [edge(10), edge(15), edge(18), edge(20), edge(21)],
            [30, 35, 35, 35, 36]
        );
        assert_eq!(stream.edge_reaches(Position::from_secs(35)), at(15));
        assert_eq!(stream.edge_reaches(Position::from_secs(36)), at(21));
        assert!(stream.is_dry(Time::from_secs(16), Position::from_secs(35)));
        assert!(!stream.is_dry(Time::from_secs(16), Position::from_secs(34)));
        assert_eq!(stream.stalled_at(), at(18));
    }
}
