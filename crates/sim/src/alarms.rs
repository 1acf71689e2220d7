//! When each player wants to be woken, and which one comes first.
//!
//! This is a tournament tree: each inner node holds the earlier of the two below it, so that
//! setting an alarm takes time proportional to the depth of the tree, and the earliest of all is at
//! its root. With one player that is a single field.
//!
//! Rules: CLK-2.

use std::cmp::Ordering;

use playsim_api::{Class, PlayerIndex, Wake};
use playsim_base::time::Time;
use playsim_base::watch;

/// One alarm for each player.
#[derive(Debug, Clone)]
pub(super) struct Alarms {
    /// Node `n` is the parent of nodes `2n` and `2n + 1`; the root is node 1, and the second half
    /// are the players.
    nodes: Vec<Alarm>,
    players: usize,
}

/// A wake with its player, or [`Alarm::NEVER`]: ordered by time, then class, then player.
///
/// It is one number, from high to low 64 bits of time, 32 of class and 32 of player, so that the
/// earlier alarm is the smaller number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Alarm(u128);

impl Ord for Alarm {
    #[inline(always)]
    fn cmp(&self, other: &Alarm) -> Ordering {
        // At the same instant, the rest decides.
        let (one, two) = ((self.0 >> 64) as u64, (other.0 >> 64) as u64);
        if self.0 as u64 <= other.0 as u64 {
            watch::is_less(two, one);
        } else {
            watch::is_less(one, two);
        }
        self.0.cmp(&other.0)
    }
}

impl PartialOrd for Alarm {
    #[inline(always)]
    fn partial_cmp(&self, other: &Alarm) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Alarm {
    /// Sorts after all others.
    pub(super) const NEVER: Alarm = Alarm(u128::MAX);

    fn new(Wake { at, class }: Wake, player: PlayerIndex) -> Alarm {
        Alarm(u128::from(at.micros()) << 64 | (class as u128) << 32 | u128::from(player.0))
    }

    #[inline]
    pub(super) fn at(self) -> Time {
        Time::from_micros((self.0 >> 64) as u64)
    }

    /// Returns whether it comes before an entry of the agenda, which is first at the same time and
    /// class.
    #[inline]
    pub(super) fn is_before(self, at: Time, class: Class) -> bool {
        self < Alarm::new(Wake { at, class }, PlayerIndex(0))
    }

    /// Returns whether it comes before media work of a player at the same time.
    #[inline]
    pub(super) fn is_before_media_of(self, player: PlayerIndex) -> bool {
        self < Alarm::new(
            Wake {
                at: self.at(),
                class: Class::Media,
            },
            player,
        )
    }

    #[inline]
    pub(super) fn player(self) -> PlayerIndex {
        PlayerIndex(self.0 as u16)
    }
}

impl Alarms {
    pub(super) fn new() -> Alarms {
        Alarms {
            nodes: vec![Alarm::NEVER; 2],
            players: 0,
        }
    }

    /// Adds a player without an alarm.
    pub(super) fn add_player(&mut self) {
        if self.players == self.leaves() {
            let old = self.nodes.split_off(self.leaves());
            self.nodes = vec![Alarm::NEVER; 4 * old.len()];
            let leaves = self.leaves();
            self.nodes[leaves..leaves + old.len()].copy_from_slice(&old);
            for node in (1..leaves).rev() {
                self.nodes[node] = self.nodes[2 * node].min(self.nodes[2 * node + 1]);
            }
        }
        self.players += 1;
    }

    /// Sets or removes a player's alarm.
    #[inline]
    pub(super) fn set(&mut self, player: PlayerIndex, wake: Option<Wake>) {
        let alarm = wake.map_or(Alarm::NEVER, |wake| Alarm::new(wake, player));
        let mut node = self.leaves() + usize::from(player.0);
        self.nodes[node] = alarm;
        while node > 1 {
            let winner = self.nodes[node].min(self.nodes[node ^ 1]);
            node /= 2;
            self.nodes[node] = winner;
        }
    }

    /// Returns the earliest alarm.
    #[inline]
    pub(super) fn first(&self) -> Alarm {
        self.nodes[1]
    }

    /// Returns the earliest alarm of all other players.
    #[inline]
    pub(super) fn first_except(&self, player: PlayerIndex) -> Alarm {
        let mut first = Alarm::NEVER;
        let mut node = self.leaves() + usize::from(player.0);
        while node > 1 {
            first = first.min(self.nodes[node ^ 1]);
            node /= 2;
        }
        first
    }

    fn leaves(&self) -> usize {
        self.nodes.len() / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alarms_are_ordered_by_time_then_class_then_player() {
        let mut alarms = Alarms::new();
        assert_eq!(alarms.first(), Alarm::NEVER);
        let wake = |seconds, class| {
            Some(Wake {
                at: Time::from_secs(seconds),
                class,
            })
        };
        for _ in 0..5 {
            alarms.add_player();
        }
        alarms.set(PlayerIndex(4), wake(2, Class::Media));
        alarms.set(PlayerIndex(3), wake(2, Class::Timer));
        alarms.set(PlayerIndex(1), wake(2, Class::Media));
        alarms.set(PlayerIndex(0), wake(3, Class::Net));
        let mut order = Vec::new();
        while alarms.first() != Alarm::NEVER {
            let player = alarms.first().player();
            let next = alarms.first_except(player);
            order.push(player);
            alarms.set(player, None);
            assert_eq!(alarms.first(), next);
        }
        assert_eq!(order, [1, 4, 3, 0].map(PlayerIndex));
    }

    #[test]
    fn alarms_are_kept_when_a_player_is_added() {
        let mut alarms = Alarms::new();
        for player in (0..9).map(PlayerIndex) {
            alarms.add_player();
            alarms.set(
                player,
                Some(Wake {
                    at: Time::from_secs(9 - u64::from(player.0)),
                    class: Class::Media,
                }),
            );
            assert_eq!(alarms.first().player(), player);
        }
    }
}
