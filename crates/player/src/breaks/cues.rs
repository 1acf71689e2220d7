//! The mid-rolls and overlays of the item in use, and which of them are still due.
//!
//! Each of them is opened once per load of the item. Playing triggers the mid-rolls at or after
//! `floor`, which moves forward as the position passes cue points by playing or seeking, and back
//! on a seek back. An overlay comes whenever the position is inside its window.
//!
//! Rules: CUE-4 to CUE-9, OVL-1, STOP-5, PLAY-10, PRD-9.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::hash::{Hash, Hasher};

use super::slot::BreakAtCue;
use playsim_ads::OverlaySlot;
use playsim_base::time::{Position, Span, Time};
use playsim_rules::knobs::{AskAhead, BeforeStartPosition, SeekPolicy};

/// The mid-rolls and overlays of one item.
#[derive(Debug, Clone, Default, Hash)]
pub(crate) struct Cues {
    /// Where mid-rolls are due, ascending.
    mid_rolls: Vec<Position>,
    /// When overlays are due, ascending.
    overlays: Vec<OverlaySlot>,
    /// What is left of both.
    due: Due,
    /// Cues that were reported as out of reach: each is reported once.
    dropped: BTreeSet<String>,
    /// The mid-rolls and overlays to which something has happened since the item was loaded.
    states: BTreeMap<(Kind, Position), CueState>,
    /// Playing triggers only the mid-rolls at or after this position.
    floor: Position,
    /// The time from which the intervals count at which the position is compared with cue points.
    /// Rule PRD-24.
    looks_since: Time,
    /// Mid-rolls that wait for the open break to end. Rule CUE-9.
    waiting: VecDeque<BreakAtCue>,
    /// Where a seek in progress began; until content starts, its beginning. Rule CUE-7.
    seek_from: Option<Position>,
}

/// The mid-rolls and overlays to which nothing has happened: found without a look at the others.
/// They follow from the other fields, and so are no part of the state.
#[derive(Debug, Clone, Default)]
struct Due {
    /// The mid-rolls that have not occurred.
    mid_rolls: BTreeSet<Position>,
    /// Those of them whose request can still be made.
    to_request: BTreeSet<Position>,
    /// The overlays that have not occurred, with their windows.
    overlays: BTreeMap<Position, Span>,
    /// The longest window of an overlay.
    longest: Span,
}

impl Hash for Due {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Kind {
    MidRoll,
    Overlay,
}

/// The state of a mid-roll or an overlay.
#[derive(Debug, Clone, Copy, Default, Hash)]
struct CueState {
    /// Whether its break was opened.
    has_occurred: bool,
    request: AheadRequest,
}

/// The request of the ads of a mid-roll ahead of its cue point. Rule PRD-26.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
enum AheadRequest {
    /// It can still be made.
    #[default]
    Open,
    /// It was made.
    Made,
    /// A seek has passed the position at which it was to be made.
    Missed,
}

impl Cues {
    /// Sets the cue points of the item, after its length has become known or its ads have changed.
    ///
    /// `passed` is the current position of content that has started. A mid-roll that is added at or
    /// before it has been missed; one that was already due there is still due. Rule AD-15.
    pub(super) fn set(
        &mut self,
        mid_rolls: Vec<Position>,
        overlays: Vec<OverlaySlot>,
        passed: Option<Position>,
    ) {
        if let Some(passed) = passed.filter(|_| self.seek_from.is_none()) {
            let after = passed + Span::from_micros(1);
            let floor = self.next_mid_roll().map_or(after, |due| due.min(after));
            self.floor = self.floor.max(floor);
        }
        self.mid_rolls = mid_rolls;
        self.overlays = overlays;
        self.find_due();
    }

    /// Finds what is left.
    fn find_due(&mut self) {
        let left = |at: &Position| !self.has_occurred(Kind::MidRoll, *at);
        let mid_rolls: BTreeSet<Position> = self.mid_rolls.iter().copied().filter(left).collect();
        let open = |at: &Position| self.state(Kind::MidRoll, *at).request == AheadRequest::Open;
        let overlays = self.overlays.iter();
        let overlays = overlays.filter(|slot| !self.has_occurred(Kind::Overlay, slot.at));
        self.due = Due {
            to_request: mid_rolls.iter().copied().filter(open).collect(),
            mid_rolls,
            overlays: overlays.map(|slot| (slot.at, slot.window)).collect(),
            longest: self
                .overlays
                .iter()
                .map(|slot| slot.window)
                .max()
                .unwrap_or(Span::ZERO),
        };
    }

    /// Records a cue that is out of reach. Returns whether it was not recorded before. Rule CUE-2.
    pub(super) fn drop_cue(&mut self, cue: &str) -> bool {
        !self.dropped.contains(cue) && self.dropped.insert(cue.to_owned())
    }

    /// Makes everything due again. Rule STOP-5.
    pub(crate) fn arm(&mut self) {
        self.states.clear();
        self.find_due();
        self.waiting.clear();
        self.rewind();
    }

    /// Content is at its start again; breaks that were opened before are not due again. Rule
    /// PLAY-10.
    pub(crate) fn rewind(&mut self) {
        self.floor = Position::ZERO;
        self.seek_from = None;
    }

    /// Content starts: the position is compared with cue points at an interval from now on. Rule
    /// PRD-24.
    pub(crate) fn look_from(&mut self, now: Time) {
        self.looks_since = now;
    }

    /// The first time from `at` on at which the position is compared with cue points. Rule PRD-24.
    pub(crate) fn next_look(&self, at: Time, period: Span) -> Time {
        if period == Span::ZERO {
            return at;
        }
        let steps = (at - self.looks_since).covering_steps(period);
        self.looks_since + period.times(steps)
    }

    /// The position at which playing triggers the request of a mid-roll that is still ahead. Rule
    /// PRD-26.
    pub(crate) fn next_request(&self, ask: AskAhead) -> Option<Position> {
        self.to_request().next().and_then(|at| ask.place(at))
    }

    /// Takes a mid-roll whose ads are to be requested at this position, and marks it as requested.
    /// Rule PRD-26.
    pub(super) fn take_request(&mut self, position: Position, ask: AskAhead) -> Option<Position> {
        let is_due = |at: &Position| ask.place(*at).is_some_and(|place| place <= position);
        let at = self.to_request().next().filter(is_due)?;
        self.note_request(at, AheadRequest::Made);
        Some(at)
    }

    /// A seek from `from` to `target` has ended: mid-rolls that were to be requested in between are
    /// never requested. Rule PRD-26.
    pub(super) fn lose_requests(&mut self, from: Position, target: Position, ask: AskAhead) {
        let is_passed = |at: &Position| {
            ask.place(*at)
                .is_some_and(|place| from < place && place < target)
        };
        let missed: Vec<Position> = self.to_request().filter(is_passed).collect();
        for at in missed {
            self.note_request(at, AheadRequest::Missed);
        }
    }

    /// A request was aborted, and can be made again. Rule PRD-26.
    pub(super) fn forget_request(&mut self, at: Position) {
        if self.state(Kind::MidRoll, at).request == AheadRequest::Made {
            self.note_request(at, AheadRequest::Open);
        }
    }

    /// Whether a seek has passed the moment at which its ads were to be requested. Rule PRD-26.
    pub(super) fn has_lost(&self, at: Position) -> bool {
        self.state(Kind::MidRoll, at).request == AheadRequest::Missed
    }

    /// The mid-rolls that are still due and whose ads can be requested ahead, in the order of the
    /// requests.
    fn to_request(&self) -> impl Iterator<Item = Position> {
        self.due.to_request.range(self.floor..).copied()
    }

    /// The mid-rolls that are still due, ascending.
    fn ahead(&self) -> impl Iterator<Item = Position> {
        self.due.mid_rolls.range(self.floor..).copied()
    }

    /// Where the seek in progress began.
    pub(super) fn left_at(&self) -> Option<Position> {
        self.seek_from
    }

    /// The position at which playing triggers the next mid-roll.
    pub(crate) fn next_mid_roll(&self) -> Option<Position> {
        self.ahead().next()
    }

    /// The position at which playing on from `position` triggers the next overlay. Overlays whose
    /// window has passed are not counted.
    pub(crate) fn next_overlay(&self, position: Position) -> Option<Position> {
        self.overlays_from(position).next()
    }

    /// Takes the next mid-roll that a position has reached, and marks it as opened.
    pub(super) fn take_mid_roll(&mut self, position: Position) -> Option<Position> {
        let at = self.next_mid_roll().filter(|at| *at <= position)?;
        self.note_occurred(Kind::MidRoll, [at]);
        Some(at)
    }

    /// Takes the overlay whose window contains a position, if it was not opened yet, and marks it
    /// as opened.
    pub(super) fn take_overlay(&mut self, position: Position) -> Option<Position> {
        let at = self
            .overlays_from(position)
            .next()
            .filter(|at| *at <= position)?;
        self.note_occurred(Kind::Overlay, [at]);
        Some(at)
    }

    /// Returns the overlays that are left and whose windows are not over.
    fn overlays_from(&self, position: Position) -> impl Iterator<Item = Position> {
        // Windows of other lengths may overlap, but none is longer.
        let earliest = position.micros().saturating_sub(self.due.longest.micros());
        let earliest = Position::from_micros(earliest);
        let left = self.due.overlays.range(earliest..);
        let is_due = move |(at, window): &(&Position, &Span)| position < **at + **window;
        left.filter(is_due).map(|(at, _)| *at)
    }

    /// A seek begins here. Seeks that replace it still count from here.
    pub(crate) fn leave(&mut self, position: Position) {
        self.seek_from.get_or_insert(position);
    }

    /// A seek has ended at `target`. Returns the mid-rolls that it triggers, in order; none if no
    /// seek was in progress.
    ///
    /// Rules CUE-5, CUE-6.
    pub(super) fn arrive(&mut self, target: Position, policy: SeekPolicy) -> Vec<Position> {
        let Some(from) = self.seek_from.take() else {
            return Vec::new();
        };
        let is_forward = target > from;
        let crossed: Vec<Position> = if is_forward {
            self.ahead().take_while(|at| *at <= target).collect()
        } else {
            Vec::new()
        };
        let last = crossed.last().copied();
        let picked = match policy {
            SeekPolicy::Last => last.into_iter().collect(),
            SeekPolicy::All => crossed,
            SeekPolicy::None => Vec::new(),
            SeekPolicy::Window(length) => last
                .filter(|at| target - *at <= length)
                .into_iter()
                .collect(),
            SeekPolicy::Previous => {
                let before = self.mid_rolls.iter().copied().rfind(|at| *at <= target);
                before
                    .filter(|at| !self.has_occurred(Kind::MidRoll, *at))
                    .into_iter()
                    .collect()
            }
        };
        // A forward seek leaves its target behind; after a seek back, a cue right at the target is
        // still to come.
        self.floor = if is_forward {
            target + Span::from_micros(1)
        } else {
            target
        };
        self.note_occurred(Kind::MidRoll, picked.iter().copied());
        picked
    }

    /// The mid-roll that takes the place of the pre-roll if content starts at `at`. Rule PRD-9.
    pub(super) fn stands_in(&self, at: Position, before: BeforeStartPosition) -> Option<Position> {
        let latest = self.ahead().take_while(|due| *due <= at).last()?;
        match before {
            BeforeStartPosition::Each => None,
            BeforeStartPosition::Latest => Some(latest),
            BeforeStartPosition::At => (latest == at).then_some(latest),
        }
    }

    /// Content starts at `at`. Returns the mid-rolls that the start triggers, in order. Rules
    /// CUE-7, PRD-9.
    pub(super) fn start(
        &mut self,
        at: Position,
        before: BeforeStartPosition,
        policy: SeekPolicy,
    ) -> Vec<Position> {
        let is_alone = |due: Position| match before {
            BeforeStartPosition::Each => false,
            BeforeStartPosition::Latest => true,
            BeforeStartPosition::At => due == at,
        };
        if at == Position::ZERO || before == BeforeStartPosition::Each {
            return self.arrive(at, policy);
        }
        let passed: Vec<Position> = self.ahead().take_while(|due| *due <= at).collect();
        self.seek_from = None;
        self.floor = at + Span::from_micros(1);
        self.note_occurred(Kind::MidRoll, passed.iter().copied());
        passed
            .last()
            .copied()
            .filter(|due| is_alone(*due))
            .into_iter()
            .collect()
    }

    /// Puts off a mid-roll until the open break has ended. Rule CUE-9.
    pub(super) fn wait(&mut self, cue: BreakAtCue) {
        self.waiting.push_back(cue);
    }

    /// The mid-roll that has waited longest.
    pub(super) fn waiting(&self) -> Option<BreakAtCue> {
        self.waiting.front().copied()
    }

    /// Takes the mid-roll that has waited longest.
    pub(super) fn take_waiting(&mut self) -> Option<BreakAtCue> {
        self.waiting.pop_front()
    }

    fn has_occurred(&self, kind: Kind, at: Position) -> bool {
        self.state(kind, at).has_occurred
    }

    fn note_occurred(&mut self, kind: Kind, all: impl IntoIterator<Item = Position>) {
        for at in all {
            self.state_mut(kind, at).has_occurred = true;
            match kind {
                Kind::MidRoll => {
                    self.due.mid_rolls.remove(&at);
                    self.due.to_request.remove(&at);
                }
                Kind::Overlay => {
                    self.due.overlays.remove(&at);
                }
            }
        }
    }

    fn note_request(&mut self, at: Position, request: AheadRequest) {
        self.state_mut(Kind::MidRoll, at).request = request;
        let is_open = request == AheadRequest::Open && self.due.mid_rolls.contains(&at);
        if is_open {
            self.due.to_request.insert(at);
        } else {
            self.due.to_request.remove(&at);
        }
    }

    fn state(&self, kind: Kind, at: Position) -> CueState {
        self.states.get(&(kind, at)).copied().unwrap_or_default()
    }

    fn state_mut(&mut self, kind: Kind, at: Position) -> &mut CueState {
        self.states.entry((kind, at)).or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cues(seconds: &[u64]) -> Cues {
        let mut cues = Cues::default();
        cues.set(
            seconds.iter().map(|at| Position::from_secs(*at)).collect(),
            Vec::new(),
            None,
        );
        cues
    }

    fn seek(cues: &mut Cues, from: u64, to: u64, policy: SeekPolicy) -> Vec<u64> {
        cues.leave(Position::from_secs(from));
        let picked = cues.arrive(Position::from_secs(to), policy);
        picked
            .into_iter()
            .map(|at| at.micros() / 1_000_000)
            .collect()
    }

    #[test]
    fn a_seek_over_several_cues_triggers_those_that_its_policy_selects() {
        let window = |seconds| SeekPolicy::Window(Span::from_secs(seconds));
        for (policy, due) in [
            (SeekPolicy::Last, vec![10]),
            (SeekPolicy::All, vec![5, 10]),
            (SeekPolicy::None, vec![]),
            (SeekPolicy::Previous, vec![10]),
            (window(2), vec![10]),
            (window(1), vec![]),
        ] {
            assert_eq!(
                seek(&mut cues(&[5, 10, 15]), 2, 12, policy),
                due,
                "{policy}"
            );
        }
    }

    #[test]
    fn a_seek_back_triggers_nothing_and_rearms_later_cues() {
        let mut cues = cues(&[5, 10]);
        assert_eq!(seek(&mut cues, 2, 12, SeekPolicy::Last), [10]);
        assert_eq!(cues.next_mid_roll(), None);
        assert_eq!(seek(&mut cues, 12, 5, SeekPolicy::Last), [0; 0]);
        assert_eq!(cues.next_mid_roll(), Some(Position::from_secs(5)));
        assert_eq!(
            seek(&mut cues, 5, 20, SeekPolicy::Last),
            [5],
            "10 has come before"
        );
        assert_eq!(
            seek(&mut cues, 20, 7, SeekPolicy::Previous),
            [0; 0],
            "5 has come before"
        );
    }

    #[test]
    fn a_cue_added_before_the_position_waits_for_a_seek_back() {
        let at = |seconds: &[u64]| seconds.iter().map(|at| Position::from_secs(*at)).collect();
        let mut cues = cues(&[10]);
        cues.set(at(&[3, 6, 10]), Vec::new(), Some(Position::from_secs(6)));
        assert_eq!(cues.next_mid_roll(), Some(Position::from_secs(10)));
        assert_eq!(seek(&mut cues, 6, 4, SeekPolicy::Last), [0; 0]);
        assert_eq!(cues.next_mid_roll(), Some(Position::from_secs(6)));
        // A cue that is due and was not noticed yet stays due.
        cues.set(at(&[6, 10]), Vec::new(), Some(Position::from_secs(7)));
        assert_eq!(cues.next_mid_roll(), Some(Position::from_secs(6)));
    }

    #[test]
    fn a_late_start_triggers_only_the_latest_break_or_one_at_the_start_position() {
        let start = |cues: &mut Cues, at, before| {
            cues.leave(Position::ZERO);
            let due = cues.start(Position::from_secs(at), before, SeekPolicy::All);
            due.iter()
                .map(|at| at.micros() / 1_000_000)
                .collect::<Vec<u64>>()
        };
        for (at, before, due) in [
            (12, BeforeStartPosition::Each, vec![5, 10]),
            (12, BeforeStartPosition::Latest, vec![10]),
            (12, BeforeStartPosition::At, vec![]),
            (10, BeforeStartPosition::At, vec![10]),
            (4, BeforeStartPosition::Latest, vec![]),
            (0, BeforeStartPosition::At, vec![]),
        ] {
            assert_eq!(
                start(&mut cues(&[5, 10, 15]), at, before),
                due,
                "{at} {before:?}"
            );
        }
        let mut cues = cues(&[5, 10, 15]);
        start(&mut cues, 12, BeforeStartPosition::At);
        assert_eq!(seek(&mut cues, 12, 1, SeekPolicy::Last), [0; 0]);
        assert_eq!(
            cues.next_mid_roll(),
            Some(Position::from_secs(15)),
            "the earlier ones never come"
        );
    }

    #[test]
    fn a_seek_that_replaces_another_counts_from_the_start_of_the_first() {
        let mut cues = cues(&[5, 10]);
        cues.leave(Position::from_secs(2));
        assert_eq!(seek(&mut cues, 12, 7, SeekPolicy::Last), [5]);
    }
}
