//! How media data arrive and are consumed: they arrive by a bandwidth script and are consumed at a
//! bitrate.
//!
//! A [`Supply`] knows both; an [`Arrival`] is one request for the data from a position on. Together
//! they determine when the data for a position have arrived, how far they reach, when a playhead
//! runs out of data, and when everything has arrived. Only whole numbers are used: data are counted
//! in millionths of a bit, so that bits per second times microseconds are exact.
//!
//! Rules: MEL-4, MEL-5, MEL-17, MEL-25.

use super::{Delivery, Playhead, Rate};
use playsim_base::time::{Position, Span, Time};

/// The highest possible bit rate: a terabit per second. Higher values are clamped.
pub const MOST_BITS_PER_SECOND: u64 = 1_000_000_000_000;

/// How the data of one media URL arrive and are consumed. Rule MEL-25.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Supply {
    /// The number of bits per second of media.
    bitrate: u64,
    /// The bits per second that arrive from each time on, ascending; nothing arrives before the
    /// first.
    bandwidth: Vec<(Time, u64)>,
    length: Span,
}

/// One request for data: when they begin to arrive, and from which position on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Arrival {
    /// When the first of them may arrive.
    pub began: Time,
    /// The position at which they begin.
    pub from: Position,
}

/// A stretch of the virtual clock with constant bandwidth; it has no end if `end` is `None`.
struct Stretch {
    start: Time,
    end: Option<Time>,
    bits_per_second: u64,
}

impl Supply {
    /// Media of this length. Of two entries for the same instant the later one counts.
    #[must_use]
    pub fn new(delivery: &Delivery, length: Span) -> Supply {
        let mut sorted = delivery.bandwidth.clone();
        sorted.sort_by_key(|(at, _)| *at);
        let mut bandwidth: Vec<(Time, u64)> = Vec::with_capacity(sorted.len());
        for (at, bits_per_second) in sorted {
            if bandwidth.last().is_some_and(|(last, _)| *last == at) {
                bandwidth.pop();
            }
            bandwidth.push((at, bits_per_second.min(MOST_BITS_PER_SECOND)));
        }
        Supply {
            bitrate: delivery.bitrate.min(MOST_BITS_PER_SECOND),
            bandwidth,
            length,
        }
    }

    /// When the data up to `position` have arrived; `None` if they never do. Data at or before the
    /// requested position count as buffered.
    #[must_use]
    pub fn ready_at(&self, arrival: Arrival, position: Position) -> Option<Time> {
        let mut missing = self.need(arrival.from, position.min(self.length.end()));
        if missing == 0 {
            return Some(arrival.began);
        }
        for Stretch {
            start,
            end,
            bits_per_second,
        } in self.stretches(arrival.began)
        {
            let comes = end.map_or(u128::MAX, |end| product(end - start, bits_per_second));
            if bits_per_second > 0 && comes >= missing {
                let micros = missing.div_ceil(u128::from(bits_per_second));
                return Some(start + Span::from_micros(narrow(micros)));
            }
            missing -= comes.min(missing);
            if missing == 0 {
                return end;
            }
        }
        None
    }

    /// The position up to which data have arrived at `now`.
    #[must_use]
    pub fn reach(&self, arrival: Arrival, now: Time) -> Position {
        let end = self.length.end();
        if self.bitrate == 0 {
            return end;
        }
        let media = self.delivered(arrival.began, now) / u128::from(self.bitrate);
        (arrival.from + Span::from_micros(narrow(media))).min(end)
    }

    /// When everything from the requested position to the end has arrived; `None` if that never
    /// happens.
    #[must_use]
    pub fn complete_at(&self, arrival: Arrival) -> Option<Time> {
        self.ready_at(arrival, self.length.end())
    }

    /// The last instant at which a playhead that advances from `now` on still has data; `None` if
    /// it never runs out of them before the end. If the playhead is before the requested position,
    /// the data in between count as buffered.
    #[must_use]
    pub fn dry_at(&self, arrival: Arrival, head: &Playhead, now: Time) -> Option<Time> {
        let rate = u128::from(head.rate().millionths());
        let uses = rate.saturating_mul(u128::from(self.bitrate));
        let complete = self.complete_at(arrival);
        // The data that have arrived minus those consumed, in units a million times smaller than
        // `need` has.
        let used = self.need(arrival.from, head.position(now));
        let at_hand = self.need(head.position(now), arrival.from);
        let ahead = self
            .delivered(arrival.began, now)
            .saturating_add(at_hand)
            .saturating_sub(used);
        let mut ahead = ahead.saturating_mul(1_000_000);
        for Stretch {
            start,
            end,
            bits_per_second,
        } in self.stretches(now)
        {
            let comes = u128::from(bits_per_second) * 1_000_000;
            let lasts = end.map(|end| u128::from((end - start).micros()));
            if comes >= uses {
                let gained = lasts.unwrap_or(0).saturating_mul(comes - uses);
                ahead = ahead.saturating_add(gained);
                continue;
            }
            let loss = uses - comes;
            let left = ahead / loss;
            if lasts.is_none_or(|lasts| left < lasts) {
                let dry = start + Span::from_micros(narrow(left));
                return complete
                    .is_none_or(|complete| complete > dry)
                    .then_some(dry);
            }
            ahead -= loss.saturating_mul(lasts.unwrap_or(0)).min(ahead);
        }
        None
    }

    /// Whether playing from `position` at a rate would never run out of data before the end if they
    /// continued to arrive at the bandwidth of `now`. Rule MEL-3.
    #[must_use]
    pub fn keeps_up(&self, arrival: Arrival, now: Time, position: Position, rate: Rate) -> bool {
        let total = self.need(arrival.from, self.length.end());
        let missing = total.saturating_sub(self.delivered(arrival.began, now));
        let to_play = product(self.length.end() - position, self.bits_per_second(now));
        missing.saturating_mul(u128::from(rate.millionths())) <= to_play.saturating_mul(1_000_000)
    }

    /// Whether data arrive between two instants.
    #[must_use]
    pub fn moves(&self, from: Time, to: Time) -> bool {
        self.delivered(from, to) > 0
    }

    /// The first instant, not before `since`, at which data arrive; `None` if no more arrive.
    #[must_use]
    pub fn next_data(&self, since: Time) -> Option<Time> {
        let mut stretches = self.stretches(since);
        stretches
            .find(|stretch| stretch.bits_per_second > 0)
            .map(|stretch| stretch.start)
    }

    /// The first instant at which no data have arrived for this long, counted from `since` on;
    /// `None` if there is none. Rule MEL-5.
    #[must_use]
    pub fn silent_at(&self, since: Time, length: Span) -> Option<Time> {
        let mut silent_since = None;
        for Stretch {
            start,
            end,
            bits_per_second,
        } in self.stretches(since)
        {
            if bits_per_second > 0 {
                silent_since = None;
                continue;
            }
            let at = *silent_since.get_or_insert(start) + length;
            if end.is_none_or(|end| at <= end) {
                return Some(at);
            }
        }
        None
    }

    /// The data between two positions; 0 if the second is before the first.
    fn need(&self, from: Position, to: Position) -> u128 {
        product(to - from, self.bitrate)
    }

    /// The data that arrive between two instants.
    fn delivered(&self, from: Time, to: Time) -> u128 {
        self.stretches(from)
            .take_while(|stretch| stretch.start < to)
            .map(|stretch| {
                let end = stretch.end.map_or(to, |end| end.min(to));
                product(end - stretch.start, stretch.bits_per_second)
            })
            .fold(0, u128::saturating_add)
    }

    fn bits_per_second(&self, now: Time) -> u64 {
        let step = self.bandwidth.iter().rev().find(|(at, _)| *at <= now);
        step.map_or(0, |(_, bits_per_second)| *bits_per_second)
    }

    /// The stretches from an instant on, in order; the last has no end.
    fn stretches(&self, from: Time) -> impl Iterator<Item = Stretch> + '_ {
        let later = self.bandwidth.iter().filter(move |(at, _)| *at > from);
        let starts =
            std::iter::once((from, self.bits_per_second(from))).chain(later.clone().copied());
        let ends = later.map(|(at, _)| Some(*at)).chain([None]);
        starts
            .zip(ends)
            .map(|((start, bits_per_second), end)| Stretch {
                start,
                end,
                bits_per_second,
            })
    }
}

/// The data at a bit rate in a length of time, in millionths of a bit.
fn product(span: Span, bits_per_second: u64) -> u128 {
    u128::from(span.micros()) * u128::from(bits_per_second)
}

fn narrow(micros: u128) -> u64 {
    u64::try_from(micros).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten seconds of media at 1000 bits per second.
    fn supply(bandwidth: &[(u64, u64)]) -> Supply {
        let steps: Vec<_> = bandwidth
            .iter()
            .map(|(at, bps)| (Time::from_millis(*at), *bps))
            .collect();
        made(1_000, &steps, Span::from_secs(10))
    }

    fn made(bitrate: u64, bandwidth: &[(Time, u64)], length: Span) -> Supply {
        Supply::new(
            &Delivery {
                bitrate,
                bandwidth: bandwidth.to_vec(),
            },
            length,
        )
    }

    const START: Arrival = Arrival {
        began: Time::ZERO,
        from: Position::ZERO,
    };

    fn advancing(position: Position, now: Time) -> Playhead {
        let mut head = Playhead::standing(position);
        head.advance(now);
        head
    }

    #[test]
    fn data_arrives_by_bandwidth_and_is_consumed_by_bitrate() {
        let supply = supply(&[(0, 2_000), (2_000, 500)]);
        assert_eq!(
            supply.reach(START, Time::from_secs(1)),
            Position::from_secs(2)
        );
        assert_eq!(
            supply.reach(START, Time::from_secs(4)),
            Position::from_secs(5)
        );
        assert_eq!(
            supply.ready_at(START, Position::from_secs(4)),
            Some(Time::from_secs(2))
        );
        assert_eq!(
            supply.ready_at(START, Position::from_millis(4_500)),
            Some(Time::from_secs(3))
        );
        assert_eq!(supply.complete_at(START), Some(Time::from_secs(14)));
        assert_eq!(
            supply.reach(START, Time::from_secs(99)),
            Position::from_secs(10)
        );
    }

    #[test]
    fn a_computed_instant_is_never_too_early() {
        let supply = made(3, &[(Time::ZERO, 7)], Span::from_secs(10));
        let position = Position::from_micros(1_000_001);
        let at = supply.ready_at(START, position).expect("it comes");
        assert!(supply.reach(START, at) >= position);
        assert!(supply.reach(START, Time::from_micros(at.micros() - 1)) < position);
    }

    #[test]
    fn a_later_request_counts_from_its_own_start() {
        let supply = supply(&[(0, 1_000)]);
        let arrival = Arrival {
            began: Time::from_secs(5),
            from: Position::from_secs(8),
        };
        assert_eq!(
            supply.ready_at(arrival, Position::from_secs(8)),
            Some(Time::from_secs(5))
        );
        assert_eq!(
            supply.reach(arrival, Time::from_secs(6)),
            Position::from_secs(9)
        );
        assert_eq!(supply.complete_at(arrival), Some(Time::from_secs(7)));
    }

    #[test]
    fn nothing_arrives_before_the_first_entry_or_while_the_bandwidth_is_zero() {
        let supply = supply(&[(1_000, 1_000), (2_000, 0)]);
        assert_eq!(supply.reach(START, Time::from_secs(1)), Position::ZERO);
        assert_eq!(
            supply.reach(START, Time::from_secs(50)),
            Position::from_secs(1)
        );
        assert_eq!(
            supply.ready_at(START, Position::from_secs(1)),
            Some(Time::from_secs(2))
        );
        assert_eq!(
            supply.ready_at(START, Position::from_micros(1_000_001)),
            None
        );
        assert_eq!(supply.complete_at(START), None);
    }

    #[test]
    fn a_playhead_runs_out_of_data_when_it_catches_up_with_the_data() {
        let slow = supply(&[(0, 500)]);
        // After two seconds one second of media has arrived; played from then on it lasts two.
        let now = Time::from_secs(2);
        let head = advancing(Position::ZERO, now);
        assert_eq!(slow.dry_at(START, &head, now), Some(Time::from_secs(4)));
        assert_eq!(
            slow.reach(START, Time::from_secs(4)),
            head.position(Time::from_secs(4))
        );
        assert_eq!(supply(&[(0, 1_000)]).dry_at(START, &head, now), None);
        // A second of media is consumed in half a second.
        let mut fast = head;
        fast.set_rate(now, Rate::from_millionths(2_000_000));
        assert_eq!(
            slow.dry_at(START, &fast, now),
            Some(Time::from_micros(2_666_666))
        );
        // Four seconds are buffered at the time of the new request: after eight seconds all data
        // are consumed.
        let late = Arrival {
            began: now,
            from: Position::from_secs(4),
        };
        assert_eq!(slow.dry_at(late, &head, now), Some(Time::from_secs(10)));
    }

    #[test]
    fn complete_data_never_runs_out() {
        let supply = supply(&[(0, 1_000), (5_000, 0), (8_000, 100_000)]);
        let now = Time::from_secs(1);
        let head = advancing(Position::ZERO, now);
        assert_eq!(supply.dry_at(START, &head, now), Some(Time::from_secs(6)));
        let now = Time::from_secs(9);
        assert_eq!(
            supply.dry_at(START, &advancing(Position::from_secs(5), now), now),
            None
        );
    }

    #[test]
    fn keeping_up_is_judged_by_the_current_bandwidth() {
        let supply = supply(&[(0, 800), (5_000, 4_000)]);
        let normal = Rate::NORMAL;
        assert!(!supply.keeps_up(START, Time::from_secs(1), Position::ZERO, normal));
        assert!(supply.keeps_up(START, Time::from_secs(3), Position::ZERO, normal));
        let double = Rate::from_millionths(2_000_000);
        assert!(!supply.keeps_up(START, Time::from_secs(3), Position::ZERO, double));
        assert!(supply.keeps_up(START, Time::from_secs(5), Position::ZERO, double));
    }

    #[test]
    fn silence_is_counted_from_the_last_data() {
        let supply = supply(&[
            (0, 1_000),
            (2_000, 0),
            (4_000, 0),
            (6_000, 1_000),
            (7_000, 0),
        ]);
        let three = Span::from_secs(3);
        assert_eq!(
            supply.silent_at(Time::ZERO, three),
            Some(Time::from_secs(5))
        );
        assert_eq!(
            supply.silent_at(Time::from_secs(3), three),
            Some(Time::from_secs(6))
        );
        assert_eq!(
            supply.silent_at(Time::from_millis(3_001), three),
            Some(Time::from_secs(10))
        );
        assert_eq!(
            supply.next_data(Time::from_secs(5)),
            Some(Time::from_secs(6))
        );
        assert_eq!(supply.next_data(Time::from_secs(7)), None);
        assert!(!supply.moves(Time::from_secs(2), Time::from_secs(6)));
        assert!(supply.moves(Time::from_secs(2), Time::from_micros(6_000_001)));
    }

    #[test]
    fn no_value_overflows() {
        let most = made(
            u64::MAX,
            &[(Time::ZERO, u64::MAX), (Time::MAX, 1)],
            Span::MAX,
        );
        let head = advancing(Position::MAX, Time::MAX);
        assert_eq!(most.reach(START, Time::MAX), Position::MAX);
        assert_eq!(most.dry_at(START, &head, Time::MAX), None);
        assert!(most.keeps_up(
            START,
            Time::MAX,
            Position::ZERO,
            Rate::from_millionths(u64::MAX)
        ));
        let nothing = made(0, &[], Span::MAX);
        assert_eq!(nothing.complete_at(START), Some(Time::ZERO));
        assert_eq!(nothing.dry_at(START, &head, Time::ZERO), None);
        let starved = made(1, &[], Span::MAX);
        assert_eq!(starved.complete_at(START), None);
        assert_eq!(starved.dry_at(START, &head, Time::ZERO), Some(Time::ZERO));
    }
}
