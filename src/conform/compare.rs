//! Compares the marks of a recording with those of a simulation: the order first, then the times.
//!
//! A real player loads films and reports positions at its own pace. So times are compared as distances from an anchor:
//! the film that was last shown on both sides. A late ad is then one difference, not one for each line that follows. A
//! second bound, on the distance from the first call of `play()`, catches small delays that add up.

use serde::Serialize;

use super::marks::{Mark, Marks, Stream};
use crate::diff::common;
use crate::recording::Tolerance;
use crate::time::{Span, Time};

/// One place at which the two sides differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Difference {
    /// How.
    pub kind: DifferenceKind,
    /// What: an event and its URL, a film that is shown.
    pub what: String,
    /// The line of the recording.
    pub recorded: Option<CasePlace>,
    /// The line of the simulation.
    pub simulated: Option<CasePlace>,
    /// For a difference in time, how many microseconds later the player is.
    pub late_us: Option<i64>,
}

/// How the two sides differ at one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DifferenceKind {
    /// The player does it, the simulation does not.
    Extra,
    /// The simulation does it, the player does not.
    Missing,
    /// Both do it, but not in the same order with what is around it.
    Order,
    /// Both do it, but at other times after the anchor.
    Time,
    /// Both do it, but what has added up since the start is too much.
    Overall,
}

/// A line of one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CasePlace {
    /// Its number.
    pub seq: u32,
    /// Microseconds since playback was first requested; negative before.
    pub at_us: i64,
}

/// The result of a comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Compared {
    /// In the order of time.
    pub(super) differences: Vec<Difference>,
    /// How many marks are the same on both sides.
    pub(super) same: usize,
}

impl Compared {
    /// Returns how far apart the two sides are: what is on one side only counts more than a time.
    pub(super) fn distance(&self) -> u64 {
        let weight = |kind| match kind {
            DifferenceKind::Extra | DifferenceKind::Missing => 3,
            DifferenceKind::Order => 4,
            DifferenceKind::Time | DifferenceKind::Overall => 1,
        };
        self.differences.iter().map(|it| weight(it.kind)).sum()
    }
}

struct Sides<'a> {
    recorded: &'a Marks,
    simulated: &'a Marks,
    tolerance: Tolerance,
    /// The films that are shown on both sides, as indices of marks, ascending on both sides.
    anchors: Vec<(usize, usize)>,
}

/// Compares two sides.
pub(super) fn compare(recorded: &Marks, simulated: &Marks, tolerance: Tolerance) -> Compared {
    let mut sides = Sides { recorded, simulated, tolerance, anchors: Vec::new() };
    let streams = Stream::ALL.map(|stream| sides.pairs(stream));
    let mut anchors: Vec<(usize, usize)> = streams.iter().flat_map(|(pairs, _)| pairs).copied().collect();
    anchors.retain(|(_, j)| simulated.all[*j].is_anchor);
    anchors.sort_unstable();
    sides.anchors = anchors;
    let mut differences: Vec<Difference> = Vec::new();
    let mut same = 0;
    let mut is_off = false;
    for (pairs, alone) in &streams {
        for (i, j) in pairs {
            match sides.in_time(*i, *j) {
                None => same += 1,
                // What has added up is reported once.
                Some(it) if it.kind == DifferenceKind::Overall && std::mem::replace(&mut is_off, true) => {
                    same += 1
                }
                Some(it) => differences.push(it),
            }
        }
        differences.extend(alone.iter().map(|it| sides.alone(*it)));
    }
    differences.sort_by_key(|it| {
        let at = it.recorded.or(it.simulated).map_or(0, |place| place.at_us);
        (at, it.simulated.or(it.recorded).map_or(0, |place| place.seq))
    });
    Compared { differences, same }
}

/// A mark that has no counterpart at its place: on one side only, or on both in another order.
#[derive(Debug, Clone, Copy)]
struct Alone {
    recorded: Option<usize>,
    simulated: Option<usize>,
}

impl Sides<'_> {
    /// Returns the pairs of a stream, and the marks without a counterpart.
    fn pairs(&self, stream: Stream) -> (Vec<(usize, usize)>, Vec<Alone>) {
        let of = |marks: &Marks| -> Vec<usize> {
            marks
                .all
                .iter()
                .enumerate()
                .filter(|(_, it)| it.stream == stream)
                .map(|(index, _)| index)
                .collect()
        };
        let (recorded, simulated) = (of(self.recorded), of(self.simulated));
        // What the simulation does after the end of the recording is unknown.
        let end = since(self.recorded.end, self.recorded.start) - micros(self.tolerance.overall);
        let mut words: Vec<&str> = Vec::new();
        words.extend(recorded.iter().map(|index| self.recorded.all[*index].words.as_str()));
        words.extend(simulated.iter().map(|index| self.simulated.all[*index].words.as_str()));
        words.sort_unstable();
        words.dedup();
        let number = |mark: &Mark| words.binary_search(&mark.words.as_str()).map_or(u32::MAX, |at| at as u32);
        let first: Vec<u32> = recorded.iter().map(|index| number(&self.recorded.all[*index])).collect();
        let second: Vec<u32> = simulated.iter().map(|index| number(&self.simulated.all[*index])).collect();
        let pairs = common(&first, &second);
        let mut only_first: Vec<usize> =
            (0..first.len()).filter(|i| !pairs.iter().any(|pair| pair.0 == *i)).collect();
        let mut alone = Vec::new();
        let is_beyond = |j: usize| since(self.simulated.all[simulated[j]].at, self.simulated.start) > end;
        for j in (0..second.len()).filter(|j| !pairs.iter().any(|pair| pair.1 == *j)) {
            let found = only_first.iter().position(|i| first[*i] == second[j]);
            if found.is_none() && is_beyond(j) {
                continue;
            }
            let recorded = found.map(|found| recorded[only_first.remove(found)]);
            alone.push(Alone { recorded, simulated: Some(simulated[j]) });
        }
        alone.extend(only_first.iter().map(|i| Alone { recorded: Some(recorded[*i]), simulated: None }));
        (pairs.into_iter().map(|(i, j)| (recorded[i], simulated[j])).collect(), alone)
    }

    fn alone(&self, it: Alone) -> Difference {
        let kind = match (it.recorded, it.simulated) {
            (Some(_), Some(_)) => DifferenceKind::Order,
            (Some(_), None) => DifferenceKind::Extra,
            (None, _) => DifferenceKind::Missing,
        };
        self.difference(kind, it.recorded, it.simulated, None)
    }

    /// Returns the difference in time of two marks that are the same otherwise; `None` if it is small enough.
    fn in_time(&self, i: usize, j: usize) -> Option<Difference> {
        let (recorded, simulated) = (self.recorded.all[i].at, self.simulated.all[j].at);
        let before = self.anchors.partition_point(|(_, anchor)| self.simulated.all[*anchor].at <= simulated);
        // An anchor counts from the one before it.
        let is_own = |pair: &&(usize, usize)| self.simulated.all[j].is_anchor && pair.1 == j;
        let anchor = self.anchors[..before].iter().rev().find(|pair| !is_own(pair));
        let (from, to) = anchor.map_or((self.recorded.start, self.simulated.start), |(a, b)| {
            (self.recorded.all[*a].at, self.simulated.all[*b].at)
        });
        let late = since(recorded, from) - since(simulated, to);
        if late.abs() > micros(self.tolerance.within) {
            return Some(self.difference(DifferenceKind::Time, Some(i), Some(j), Some(late)));
        }
        let late = since(recorded, self.recorded.start) - since(simulated, self.simulated.start);
        let is_off = late.abs() > micros(self.tolerance.overall);
        is_off.then(|| self.difference(DifferenceKind::Overall, Some(i), Some(j), Some(late)))
    }

    fn difference(
        &self,
        kind: DifferenceKind,
        i: Option<usize>,
        j: Option<usize>,
        late_us: Option<i64>,
    ) -> Difference {
        let place = |marks: &Marks, index: Option<usize>| {
            let mark = &marks.all[index?];
            Some(CasePlace { seq: mark.seq, at_us: since(mark.at, marks.start) })
        };
        let words = |marks: &Marks, index: Option<usize>| Some(marks.all[index?].words.clone());
        Difference {
            kind,
            what: words(self.simulated, j).or_else(|| words(self.recorded, i)).unwrap_or_default(),
            recorded: place(self.recorded, i),
            simulated: place(self.simulated, j),
            late_us,
        }
    }
}

fn since(at: Time, from: Time) -> i64 {
    let of = |time: Time| i64::try_from(time.micros()).unwrap_or(i64::MAX);
    of(at) - of(from)
}

fn micros(span: Span) -> i64 {
    i64::try_from(span.micros()).unwrap_or(i64::MAX)
}
