//! Which mid-rolls and overlays of the item in use are still to come.
//!
//! Each comes once for each load of the item. Playing brings the mid-rolls that lie ahead of a floor: what
//! play has passed, or a seek has passed over, lies behind it, and a seek back moves it back. An overlay comes
//! as long as its window is open.
//!
//! Rules: CUE-4 to CUE-9, OVL-1, STOP-5, PLAY-10.

use std::collections::VecDeque;

use crate::ads::{CueBreak, OverlaySlot};
use crate::knobs::SeekPolicy;
use crate::time::{Position, Span};

/// The cues of one item.
#[derive(Debug, Clone, Default)]
pub(super) struct Cues {
    /// Where mid-rolls are due, ascending.
    mid_rolls: Vec<Position>,
    /// When overlays are due, ascending.
    overlays: Vec<OverlaySlot>,
    /// Cues that were said to be out of reach: each is said once.
    dropped: Vec<String>,
    /// What has come since the item was loaded.
    played: Vec<(Kind, Position)>,
    /// Playing brings the mid-rolls that lie here or ahead.
    floor: Position,
    /// Mid-rolls whose turn is after the break that is open. Rule CUE-9.
    waiting: VecDeque<(Position, CueBreak)>,
    /// Where a seek that is not finished began; before the start, where content begins. Rule CUE-7.
    seek_from: Option<Position>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    MidRoll,
    Overlay,
}

impl Cues {
    /// What is due in the item, now that its length is known or its ads have changed.
    ///
    /// `passed`: where content stands that has started. A mid-roll that is set behind its back has been
    /// missed; one that was due there already is still due. Rule AD-15.
    pub(super) fn set(
        &mut self,
        mid_rolls: Vec<Position>,
        overlays: Vec<OverlaySlot>,
        passed: Option<Position>,
    ) {
        if let Some(passed) = passed.filter(|_| self.seek_from.is_none()) {
            let behind = passed + Span::from_micros(1);
            let floor = self.next_mid_roll().map_or(behind, |due| due.min(behind));
            self.floor = self.floor.max(floor);
        }
        self.mid_rolls = mid_rolls;
        self.overlays = overlays;
    }

    /// A cue is out of reach. Tells whether that is news. Rule CUE-2.
    pub(super) fn drop_cue(&mut self, cue: &str) -> bool {
        let is_news = !self.dropped.iter().any(|known| *known == *cue);
        if is_news {
            self.dropped.push(cue.to_owned());
        }
        is_news
    }

    /// Everything is due again. Rule STOP-5.
    pub(super) fn arm(&mut self) {
        self.played.clear();
        self.waiting.clear();
        self.rewind();
    }

    /// Content is at its start again; what has come does not come again. Rule PLAY-10.
    pub(super) fn rewind(&mut self) {
        self.floor = Position::ZERO;
        self.seek_from = None;
    }

    /// Where playing brings the next mid-roll.
    pub(super) fn next_mid_roll(&self) -> Option<Position> {
        self.mid_rolls.iter().copied().find(|at| self.is_ahead(*at))
    }

    /// Where playing on from a position brings the next overlay; one whose window is over has gone by.
    pub(super) fn next_overlay(&self, position: Position) -> Option<Position> {
        let is_due =
            |slot: &&OverlaySlot| !self.has_come(Kind::Overlay, slot.at) && position < slot.at + slot.window;
        self.overlays.iter().find(is_due).map(|slot| slot.at)
    }

    /// The mid-roll that a position has reached; it has come now.
    pub(super) fn take_mid_roll(&mut self, position: Position) -> Option<Position> {
        let at = self.next_mid_roll().filter(|at| *at <= position)?;
        self.played.push((Kind::MidRoll, at));
        Some(at)
    }

    /// The overlay whose window holds a position and which has not come; it has come now.
    pub(super) fn take_overlay(&mut self, position: Position) -> Option<Position> {
        let holds = |slot: &&OverlaySlot| slot.at <= position && position < slot.at + slot.window;
        let slot = self.overlays.iter().filter(holds).find(|slot| !self.has_come(Kind::Overlay, slot.at))?;
        let at = slot.at;
        self.played.push((Kind::Overlay, at));
        Some(at)
    }

    /// A seek begins: it leads away from here, whatever other seeks replace it.
    pub(super) fn leave(&mut self, position: Position) {
        self.seek_from.get_or_insert(position);
    }

    /// A seek has ended here, if one was under way. Gives the mid-rolls that it brings, in order.
    ///
    /// Rules CUE-5, CUE-6.
    pub(super) fn arrive(&mut self, target: Position, policy: SeekPolicy) -> Vec<Position> {
        let Some(from) = self.seek_from.take() else { return Vec::new() };
        let is_forward = target > from;
        let crossed: Vec<Position> = if is_forward {
            self.mid_rolls.iter().copied().filter(|at| *at <= target && self.is_ahead(*at)).collect()
        } else {
            Vec::new()
        };
        let last = crossed.last().copied();
        let picked = match policy {
            SeekPolicy::Last => last.into_iter().collect(),
            SeekPolicy::All => crossed,
            SeekPolicy::None => Vec::new(),
            SeekPolicy::Window(length) => last.filter(|at| target - *at <= length).into_iter().collect(),
            SeekPolicy::Previous => {
                let before = self.mid_rolls.iter().copied().rfind(|at| *at <= target);
                before.filter(|at| !self.has_come(Kind::MidRoll, *at)).into_iter().collect()
            }
        };
        // What the seek has passed lies behind; a cue right at the target of a seek back lies ahead.
        self.floor = if is_forward { target + Span::from_micros(1) } else { target };
        self.played.extend(picked.iter().map(|at| (Kind::MidRoll, *at)));
        picked
    }

    /// A mid-roll whose turn is later. Rule CUE-9.
    pub(super) fn wait(&mut self, at: Position, which: CueBreak) {
        self.waiting.push_back((at, which));
    }

    /// The mid-roll that has waited longest.
    pub(super) fn take_waiting(&mut self) -> Option<(Position, CueBreak)> {
        self.waiting.pop_front()
    }

    fn has_come(&self, kind: Kind, at: Position) -> bool {
        self.played.contains(&(kind, at))
    }

    fn is_ahead(&self, mid_roll: Position) -> bool {
        mid_roll >= self.floor && !self.has_come(Kind::MidRoll, mid_roll)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cues(seconds: &[u64]) -> Cues {
        let mut cues = Cues::default();
        cues.set(seconds.iter().map(|at| Position::from_secs(*at)).collect(), Vec::new(), None);
        cues
    }

    fn seek(cues: &mut Cues, from: u64, to: u64, policy: SeekPolicy) -> Vec<u64> {
        cues.leave(Position::from_secs(from));
        let picked = cues.arrive(Position::from_secs(to), policy);
        picked.into_iter().map(|at| at.micros() / 1_000_000).collect()
    }

    #[test]
    fn of_several_cues_a_seek_brings_what_its_policy_says() {
        let window = |seconds| SeekPolicy::Window(Span::from_secs(seconds));
        for (policy, due) in [
            (SeekPolicy::Last, vec![10]),
            (SeekPolicy::All, vec![5, 10]),
            (SeekPolicy::None, vec![]),
            (SeekPolicy::Previous, vec![10]),
            (window(2), vec![10]),
            (window(1), vec![]),
        ] {
            assert_eq!(seek(&mut cues(&[5, 10, 15]), 2, 12, policy), due, "{policy}");
        }
    }

    #[test]
    fn a_seek_back_brings_nothing_and_arms_what_lies_ahead() {
        let mut cues = cues(&[5, 10]);
        assert_eq!(seek(&mut cues, 2, 12, SeekPolicy::Last), [10]);
        assert_eq!(cues.next_mid_roll(), None);
        assert_eq!(seek(&mut cues, 12, 5, SeekPolicy::Last), [0; 0]);
        assert_eq!(cues.next_mid_roll(), Some(Position::from_secs(5)));
        assert_eq!(seek(&mut cues, 5, 20, SeekPolicy::Last), [5], "10 has come before");
        assert_eq!(seek(&mut cues, 20, 7, SeekPolicy::Previous), [0; 0], "5 has come before");
    }

    #[test]
    fn a_cue_that_is_set_behind_the_position_waits_for_a_seek_back() {
        let at = |seconds: &[u64]| seconds.iter().map(|at| Position::from_secs(*at)).collect();
        let mut cues = cues(&[10]);
        cues.set(at(&[3, 6, 10]), Vec::new(), Some(Position::from_secs(6)));
        assert_eq!(cues.next_mid_roll(), Some(Position::from_secs(10)));
        assert_eq!(seek(&mut cues, 6, 4, SeekPolicy::Last), [0; 0]);
        assert_eq!(cues.next_mid_roll(), Some(Position::from_secs(6)));
        // One that is due and was not noticed yet stays due.
        cues.set(at(&[6, 10]), Vec::new(), Some(Position::from_secs(7)));
        assert_eq!(cues.next_mid_roll(), Some(Position::from_secs(6)));
    }

    #[test]
    fn a_seek_that_replaces_another_counts_from_where_the_first_began() {
        let mut cues = cues(&[5, 10]);
        cues.leave(Position::from_secs(2));
        assert_eq!(seek(&mut cues, 12, 7, SeekPolicy::Last), [5]);
    }
}
