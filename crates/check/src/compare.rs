//! Compares a trace with the one that is due: which lines are missing, additional, in another
//! order, at another time or with another content.
//!
//! A trace of playsim is compared line by line. A real player loads films and reports positions at
//! its own pace. So times are compared as distances from an anchor: the film that was last shown on
//! both sides. A late ad is then one difference, not one for each line that follows. A second
//! bound, on the distance from the first call of `play()`, catches small delays that add up.

mod findings;
mod importance;
mod marks;
mod screen;
mod without_scenario;

pub use findings::{Prediction, Until, judge};
pub use importance::{DifferenceKind, Importance};
pub use marks::{Detail, Known, Mark, Marks, Stream, What};
pub use screen::text;
pub use without_scenario::{Part, is_code_of_documents, judge_without_scenario};

use std::collections::BTreeMap;

use serde::Serialize;

use crate::diff::common;
use crate::recording::Tolerance;
use playsim_base::time::{Span, Time};

/// One place at which the two sides differ.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Difference {
    /// How.
    pub kind: DifferenceKind,
    /// How much a viewer or an advertiser would notice.
    pub importance: Importance,
    /// The class of the difference, without its URL, so that cases can share it.
    pub class: String,
    /// What: an event and its URL, a film that is shown.
    pub what: String,
    /// The line of the recording.
    pub recorded: Option<CasePlace>,
    /// The line of the simulation.
    pub simulated: Option<CasePlace>,
    /// The lines before it that are the same on both sides: of the recording and of the simulation.
    #[serde(skip)]
    pub after: Option<(u32, u32)>,
    /// The kind of the line.
    #[serde(skip)]
    pub of: What,
    /// For a difference in time, how many microseconds later the player is.
    pub late_us: Option<i64>,
    /// The time from which that counts, in the recording.
    #[serde(skip)]
    pub from_us: i64,
    /// Whether an additional line is like one that the recording has where it is due.
    #[serde(skip)]
    pub is_again: bool,
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
pub struct Compared {
    /// In the order of time.
    pub differences: Vec<Difference>,
    /// How many marks are the same on both sides.
    pub same: usize,
    /// The lines of the simulation after the end of the recording, in words.
    pub unseen: Vec<String>,
    /// The numbers of the lines that are the same on both sides: of the recording and of the
    /// simulation.
    pub pairs: Vec<(u32, u32)>,
}

impl Compared {
    /// Returns the distance between the two sides: a line on one side only counts more than a time.
    #[must_use]
    pub fn distance(&self) -> u64 {
        let weight = |kind| match kind {
            DifferenceKind::Extra | DifferenceKind::Missing => 3,
            DifferenceKind::Order | DifferenceKind::Value => 4,
            DifferenceKind::Time | DifferenceKind::Overall => 1,
        };
        self.differences.iter().map(|it| weight(it.kind)).sum()
    }
}

/// A stream of both sides.
struct Streamed {
    /// The marks that are the same on both sides.
    pairs: Vec<(usize, usize)>,
    /// Those without a counterpart.
    alone: Vec<Alone>,
    /// The lines of the simulation that would come after the end of the recording.
    unseen: Vec<usize>,
}

struct Sides<'a> {
    recorded: &'a Marks,
    simulated: &'a Marks,
    tolerance: Tolerance,
    /// The films that are shown on both sides, as indices of marks, ascending on both sides.
    anchors: Vec<(usize, usize)>,
    /// When playback was first requested, of the recording and of the simulation.
    starts: (Time, Time),
    /// The recorded mark for each simulated one that is the same.
    by_simulated: BTreeMap<usize, usize>,
    /// All marks that are the same on both sides, ascending on the recorded side.
    same: Vec<(usize, usize)>,
}

/// Compares two sides.
#[must_use]
pub fn compare(recorded: &Marks, simulated: &Marks, tolerance: Tolerance) -> Compared {
    let mut sides = Sides {
        recorded,
        simulated,
        tolerance,
        anchors: Vec::new(),
        starts: (recorded.start, simulated.start),
        by_simulated: BTreeMap::new(),
        same: Vec::new(),
    };
    let streams = Stream::ALL.map(|stream| sides.pairs(stream));
    sides.same = streams.iter().flat_map(|it| &it.pairs).copied().collect();
    sides.same.sort_unstable();
    sides.by_simulated = sides.same.iter().map(|(i, j)| (*j, *i)).collect();
    if !(recorded.is_begun && simulated.is_begun)
        && let Some((i, j)) = sides.same.first()
    {
        sides.starts = (recorded.all[*i].at, simulated.all[*j].at);
    }
    let mut anchors: Vec<(usize, usize)> =
        streams.iter().flat_map(|it| &it.pairs).copied().collect();
    anchors.retain(|(_, j)| simulated.all[*j].is_anchor);
    anchors.sort_unstable();
    sides.anchors = anchors;
    let mut differences: Vec<Difference> = Vec::new();
    let unseen = streams.iter().flat_map(|streamed| &streamed.unseen);
    let unseen = unseen
        .map(|index| simulated.all[*index].words.clone())
        .collect();
    let mut same = 0;
    let mut is_off = false;
    for Streamed { pairs, alone, .. } in &streams {
        for (i, j) in pairs {
            match sides.in_time(*i, *j) {
                None => same += 1,
                // An accumulated difference is reported once.
                Some(it)
                    if it.kind == DifferenceKind::Overall
                        && std::mem::replace(&mut is_off, true) =>
                {
                    same += 1
                }
                Some(it) => differences.push(it),
            }
        }
        differences.extend(alone.iter().map(|it| sides.alone(*it)));
    }
    differences.sort_by_key(|it| {
        let at = it.recorded.or(it.simulated).map_or(0, |place| place.at_us);
        (
            at,
            it.simulated.or(it.recorded).map_or(0, |place| place.seq),
        )
    });
    let moved: Vec<(Option<CasePlace>, Option<CasePlace>)> = differences
        .iter()
        .map(|it| (it.recorded, it.simulated))
        .collect();
    let seqs = |(i, j): &(usize, usize)| (recorded.all[*i].seq, simulated.all[*j].seq);
    let is_moved = |pair: &(u32, u32)| {
        moved.iter().any(|(one, other)| {
            one.map(|it| it.seq) == Some(pair.0) && other.map(|it| it.seq) == Some(pair.1)
        })
    };
    let pairs = sides.same.iter().map(seqs);
    let pairs = pairs.filter(|pair| !is_moved(pair)).collect();
    Compared {
        differences,
        same,
        unseen,
        pairs,
    }
}

/// A mark that has no counterpart at its place: on one side only, or on both in another order.
#[derive(Debug, Clone, Copy)]
struct Alone {
    recorded: Option<usize>,
    simulated: Option<usize>,
}

impl Sides<'_> {
    fn pairs(&self, stream: Stream) -> Streamed {
        let of = |marks: &Marks| -> Vec<usize> {
            marks
                .all
                .iter()
                .enumerate()
                .filter(|(_, it)| marks.stream(it) == stream)
                .map(|(index, _)| index)
                .collect()
        };
        let (recorded, simulated) = (of(self.recorded), of(self.simulated));
        // A line of the simulation after the end of the recording is unknown.
        let end = since(self.recorded.end, self.starts.0) - micros(self.tolerance.overall);
        let mut words: Vec<&str> = Vec::new();
        words.extend(
            recorded
                .iter()
                .map(|index| self.recorded.all[*index].data.as_str()),
        );
        words.extend(
            simulated
                .iter()
                .map(|index| self.simulated.all[*index].data.as_str()),
        );
        words.sort_unstable();
        words.dedup();
        let number = |mark: &Mark| {
            words
                .binary_search(&mark.data.as_str())
                .map_or(u32::MAX, |at| at as u32)
        };
        let first: Vec<u32> = recorded
            .iter()
            .map(|index| number(&self.recorded.all[*index]))
            .collect();
        let second: Vec<u32> = simulated
            .iter()
            .map(|index| number(&self.simulated.all[*index]))
            .collect();
        let mut pairs = common(&first, &second);
        let at = |marks: &Marks, start: Time, index: usize| since(marks.all[index].at, start);
        let apart = |i: usize, j: usize| {
            let recorded = at(self.recorded, self.starts.0, recorded[i]);
            (recorded - at(self.simulated, self.starts.1, simulated[j])).abs()
        };
        nearest(&mut pairs, &first, &second, apart);
        let mut only_first: Vec<usize> = (0..first.len())
            .filter(|i| !pairs.iter().any(|pair| pair.0 == *i))
            .collect();
        let (mut alone, mut beyond) = (Vec::new(), Vec::new());
        let last = pairs.last().map_or(0, |pair| pair.1);
        let first_pair = pairs.first().map(|pair| pair.1);
        let is_beyond = |j: usize| {
            let at = since(self.simulated.all[simulated[j]].at, self.starts.1);
            // A recording without the call to play may begin anywhere.
            let is_ahead = !self.recorded.is_begun && first_pair.is_some_and(|first| j < first);
            // A line before the last one that is the same would have been seen.
            is_ahead || j > last && (at > end || self.recorded.is_ordered && at == end)
        };
        for j in (0..second.len()).filter(|j| !pairs.iter().any(|pair| pair.1 == *j)) {
            let found = only_first.iter().position(|i| first[*i] == second[j]);
            if found.is_none() && is_beyond(j) {
                beyond.push(simulated[j]);
            }
            let recorded = found.map(|found| recorded[only_first.remove(found)]);
            alone.push(Alone {
                recorded,
                simulated: Some(simulated[j]),
            });
        }
        alone.extend(only_first.iter().map(|i| Alone {
            recorded: Some(recorded[*i]),
            simulated: None,
        }));
        self.join_values(&mut alone);
        // Whether what was recorded is a flash too, the recording does not say.
        alone.retain(|it| {
            let is_flash = |j: usize| self.simulated.all[j].what == What::Flash;
            let is_shown = |i: usize| self.recorded.all[i].what == What::Content;
            !(it.recorded.is_some_and(is_shown) && it.simulated.is_some_and(is_flash))
        });
        let is_optional = |j: usize| self.simulated.all[j].is_optional;
        // One that was heard may stand for one that is like it and was due.
        let is_stood_for = |j: usize| {
            let all = &self.simulated.all;
            let mut paired = pairs.iter().map(|pair| simulated[pair.1]);
            is_optional(j) || paired.any(|it| is_optional(it) && all[it].data == all[j].data)
        };
        alone.retain(|it| it.recorded.is_some() || !it.simulated.is_some_and(is_stood_for));
        let is_unseen =
            |it: &Alone| it.recorded.is_none() && it.simulated.is_some_and(|j| beyond.contains(&j));
        let unseen = alone
            .iter()
            .filter(|it| is_unseen(it))
            .filter_map(|it| it.simulated)
            .collect();
        alone.retain(|it| !is_unseen(it));
        let pairs = pairs
            .into_iter()
            .map(|(i, j)| (recorded[i], simulated[j]))
            .collect();
        Streamed {
            pairs,
            alone,
            unseen,
        }
    }

    /// Joins a line that only the player has with one that only the simulator has, if they are the
    /// same but for their content, such as a code in a URL.
    fn join_values(&self, alone: &mut Vec<Alone>) {
        let mut index = 0;
        while index < alone.len() {
            let Alone {
                recorded: Some(i),
                simulated: None,
            } = alone[index]
            else {
                index += 1;
                continue;
            };
            let key = &self.recorded.all[i].key;
            let is_other = |it: &Alone| {
                it.recorded.is_none()
                    && it
                        .simulated
                        .is_some_and(|j| self.simulated.all[j].key == *key)
            };
            match alone.iter().position(is_other) {
                Some(other) => {
                    alone[other].recorded = Some(i);
                    alone.remove(index);
                }
                None => index += 1,
            }
        }
    }

    fn alone(&self, it: Alone) -> Difference {
        let kind = match (it.recorded, it.simulated) {
            (Some(i), Some(j)) if self.recorded.all[i].data != self.simulated.all[j].data => {
                DifferenceKind::Value
            }
            // In one order, a line elsewhere is early or late, unless it is there at its time.
            (Some(i), Some(j)) if self.recorded.is_ordered => {
                let (from, to) = self.base(j);
                let late =
                    since(self.recorded.all[i].at, from) - since(self.simulated.all[j].at, to);
                if late.abs() > micros(self.tolerance.within) {
                    return self.late(i, j, late, from);
                }
                DifferenceKind::Order
            }
            (Some(_), Some(_)) => DifferenceKind::Order,
            (Some(_), None) => DifferenceKind::Extra,
            (None, _) => DifferenceKind::Missing,
        };
        self.difference(kind, it.recorded, it.simulated, None)
    }

    /// Returns the difference in time of two marks that are the same otherwise; `None` if it is
    /// small enough.
    fn in_time(&self, i: usize, j: usize) -> Option<Difference> {
        let places = (
            self.recorded.all[i].position,
            self.simulated.all[j].position,
        );
        if let (Some(one), Some(other)) = places
            && (one - other) + (other - one) > self.tolerance.within
        {
            return Some(self.difference(DifferenceKind::Value, Some(i), Some(j), None));
        }
        let (recorded, simulated) = (self.recorded.all[i].at, self.simulated.all[j].at);
        if self.recorded.is_ordered {
            let (from, to) = self.base(j);
            let late = since(recorded, from) - since(simulated, to);
            // The distances of updates are compared as their data.
            let is_late = late.abs() > micros(self.tolerance.within)
                && self.simulated.all[j].what != What::Update;
            return is_late.then(|| self.late(i, j, late, from));
        }
        let before = self
            .anchors
            .partition_point(|(_, anchor)| self.simulated.all[*anchor].at <= simulated);
        // An anchor counts from the one before it.
        let is_own = |pair: &&(usize, usize)| self.simulated.all[j].is_anchor && pair.1 == j;
        let anchor = self.anchors[..before]
            .iter()
            .rev()
            .find(|pair| !is_own(pair));
        let (from, to) = anchor.map_or((self.starts.0, self.starts.1), |(a, b)| {
            (self.recorded.all[*a].at, self.simulated.all[*b].at)
        });
        let late = since(recorded, from) - since(simulated, to);
        if late.abs() > micros(self.tolerance.within) {
            return Some(self.late(i, j, late, from));
        }
        let late = since(recorded, self.starts.0) - since(simulated, self.starts.1);
        let is_off = late.abs() > micros(self.tolerance.overall);
        is_off.then(|| self.difference(DifferenceKind::Overall, Some(i), Some(j), Some(late)))
    }

    /// A difference in time, counted from a time of the recording.
    fn late(&self, i: usize, j: usize, late: i64, from: Time) -> Difference {
        Difference {
            from_us: since(from, self.starts.0),
            ..self.difference(DifferenceKind::Time, Some(i), Some(j), Some(late))
        }
    }

    /// Returns the times from which a line of the simulation counts, on both sides: those of its
    /// nearest cause that the recording has too.
    fn base(&self, j: usize) -> (Time, Time) {
        let simulated = &self.simulated.all;
        let mut next = simulated[j].cause;
        while let Some(seq) = next {
            let at = simulated.partition_point(|mark| mark.seq < seq);
            let Some(mark) = simulated.get(at).filter(|mark| mark.seq == seq) else {
                break;
            };
            let pair = self.by_simulated.get(&at);
            if let Some(i) = pair {
                return (self.recorded.all[*i].at, mark.at);
            }
            next = mark.cause.filter(|cause| *cause < seq);
        }
        self.starts
    }

    fn difference(
        &self,
        kind: DifferenceKind,
        i: Option<usize>,
        j: Option<usize>,
        late_us: Option<i64>,
    ) -> Difference {
        let place = |marks: &Marks, start: Time, index: Option<usize>| {
            let mark = &marks.all[index?];
            Some(CasePlace {
                seq: mark.seq,
                at_us: since(mark.at, start),
            })
        };
        let mark = |marks: &Marks, index: Option<usize>| Some(marks.all[index?].clone());
        let before = match (i, j) {
            (Some(i), _) => self.same.partition_point(|pair| pair.0 < i),
            // Pairs ascend on this side within a stream only.
            (None, Some(j)) => self
                .same
                .iter()
                .rposition(|pair| pair.1 < j)
                .map_or(0, |last| last + 1),
            (None, None) => 0,
        };
        let after = before.checked_sub(1).map(|last| {
            let (i, j) = self.same[last];
            (self.recorded.all[i].seq, self.simulated.all[j].seq)
        });
        let (recorded, simulated) = (mark(self.recorded, i), mark(self.simulated, j));
        let mark = simulated
            .as_ref()
            .or(recorded.as_ref())
            .expect("a difference has a side");
        let words = match (kind, &recorded, &simulated) {
            (DifferenceKind::Value, Some(recorded), Some(simulated)) => format!(
                "{} instead of {}",
                recorded.in_words(),
                simulated.in_words()
            ),
            _ => mark.words.clone(),
        };
        let is_repeated = recorded.as_ref().is_some_and(|recorded| {
            self.recorded
                .all
                .iter()
                .filter(|other| other.words == recorded.words)
                .count()
                > 1
        });
        let is_again = simulated.is_none()
            && recorded.as_ref().is_some_and(|recorded| {
                let mut paired = self.same.iter().map(|pair| &self.recorded.all[pair.0]);
                paired.any(|due| due.data == recorded.data)
            });
        Difference {
            kind,
            importance: Importance::of(kind, &mark.what, is_repeated, late_us),
            class: class(kind, &mark.what, late_us),
            what: words,
            recorded: place(self.recorded, self.starts.0, i),
            simulated: place(self.simulated, self.starts.1, j),
            after,
            of: mark.what.clone(),
            late_us,
            from_us: 0,
            is_again,
        }
    }
}

/// Of several lines that are alike, pairs those that are nearest in time: ads that are shown twice
/// have the same lines twice.
fn nearest(
    pairs: &mut [(usize, usize)],
    first: &[u32],
    second: &[u32],
    apart: impl Fn(usize, usize) -> i64,
) {
    for index in 0..pairs.len() {
        let (i, j) = pairs[index];
        let before = index.checked_sub(1).map(|before| pairs[before]);
        let (from_i, from_j) = before.map_or((0, 0), |(i, j)| (i + 1, j + 1));
        let others = (from_i..i)
            .filter(|other| first[*other] == first[i])
            .map(|other| (other, j))
            .chain(
                (from_j..j)
                    .filter(|other| second[*other] == second[j])
                    .map(|other| (i, other)),
            );
        let best = others.min_by_key(|(i, j)| apart(*i, *j));
        if let Some(best) = best.filter(|best| apart(best.0, best.1) < apart(i, j)) {
            pairs[index] = best;
        }
    }
}

/// Returns what cases may share of a difference.
#[must_use]
pub fn class(kind: DifferenceKind, what: &What, late_us: Option<i64>) -> String {
    let what = what.class();
    match kind {
        DifferenceKind::Extra => format!("only the player: {what}"),
        DifferenceKind::Missing => format!("only the simulator: {what}"),
        DifferenceKind::Order => format!("in another order: {what}"),
        DifferenceKind::Value => format!("with another code: {what}"),
        DifferenceKind::Time if late_us.is_some_and(|late| late < 0) => format!("earlier: {what}"),
        DifferenceKind::Time => format!("later: {what}"),
        DifferenceKind::Overall => "what has added up since the start".to_owned(),
    }
}

fn since(at: Time, from: Time) -> i64 {
    let of = |time: Time| i64::try_from(time.micros()).unwrap_or(i64::MAX);
    of(at) - of(from)
}

fn micros(span: Span) -> i64 {
    i64::try_from(span.micros()).unwrap_or(i64::MAX)
}
