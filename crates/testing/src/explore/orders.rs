//! In which order two choices come: how the regions of a second choice change between the first and
//! the last instant of a region of the first one.

use std::collections::{BTreeMap, BTreeSet};

use playsim_base::time::{Span, Time};

use super::limits::NotTried;
use super::region::{Meet, Template, Track};
use super::walk::Walker;
use super::way::{Attempt, Decision, Known, Step};
use crate::played::caught;

/// Some of the choices that may follow a run: the place of its state, and what is done there.
pub(super) type Only = BTreeSet<(usize, Template)>;

/// A region of a choice that may have to be divided for the choices that follow.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    /// The run and the place at which the choice is made.
    pub(super) from: (usize, usize),
    pub(super) template: Template,
    pub(super) first: Time,
    pub(super) last: Time,
    /// How many states differ between the two.
    pub(super) states: usize,
}

/// A part of such a region.
#[derive(Debug)]
struct Part {
    first: Time,
    last: Time,
    /// The end at which nothing was tried yet.
    fresh: Option<Time>,
    /// What may differ.
    only: Option<Only>,
    divided: u32,
}

/// A run within a region, from which some choices lead on otherwise than from its ends.
#[derive(Debug)]
pub(super) struct Between {
    pub(super) attempt: Attempt,
    pub(super) only: Only,
}

/// The choices that differ between two runs, and from which share of the difference on the first
/// does, as far as that can be said.
type Differing = (Only, Option<(u128, u128)>);

impl Walker<'_> {
    /// Divides a region until the choices that follow are the same at the first and the last
    /// instant of each part. Only where they are not, they are tried again within the region: all
    /// others do the same as at its ends.
    pub(super) fn divide(&self, way: &[Step], pair: &Pair, known: &dyn Known) -> Vec<Between> {
        let (mut found, mut divided) = (Vec::new(), BTreeMap::new());
        let mut parts = vec![Part {
            first: pair.first,
            last: pair.last,
            fresh: None,
            only: None,
            divided: 0,
        }];
        let to = |at| {
            let mut to = way.to_vec();
            to.push((pair.from.1, pair.template.at(at)));
            to
        };
        while let Some(part) = parts.pop() {
            let length = (part.last - part.first).micros();
            if length == 0 || length == 1 && part.fresh.is_none() {
                continue;
            }
            let [first, last] = [part.first, part.last].map(to);
            let (only, share) = self.differing(&first, &last, pair.states, part.only.as_ref());
            if !self.limits.goes_on() {
                break;
            }
            if only.is_empty() {
                continue;
            }
            if let Some(at) = part.fresh {
                divided
                    .entry(at)
                    .or_insert_with(Only::new)
                    .extend(only.iter().copied());
            }
            if length == 1 {
                continue;
            }
            if part.divided >= self.bounds.orders {
                self.limits.leave_out(NotTried::Orders);
                continue;
            }
            // Now and then in the middle, so that it ends.
            let (share, whole) = match share {
                Some(share) if part.divided % 3 != 2 => share,
                Some(_) | None => (1, 2),
            };
            let share = u128::from(length) * share / whole.max(1);
            let share = u64::try_from(share).unwrap_or(0).min(length - 1);
            let low = part.first + Span::from_micros(share);
            let high = low + Span::from_micros(1);
            let half = |first, last, fresh: Time, known: Time| Part {
                first,
                last,
                fresh: (fresh != known).then_some(fresh),
                only: Some(only.clone()),
                divided: part.divided + 1,
            };
            parts.push(half(high, part.last, high, part.last));
            parts.push(half(part.first, low, low, part.first));
        }
        for (at, only) in divided {
            let attempt = self.again(way, pair.from.1, pair.template.at(at), known);
            found.extend(attempt.map(|attempt| Between { attempt, only }));
        }
        found
    }

    /// Plays a choice again at another instant.
    fn again(
        &self,
        way: &[Step],
        place: usize,
        choice: Decision,
        known: &dyn Known,
    ) -> Option<Attempt> {
        let mut point = caught(|| Ok(self.replay(way))).ok().flatten()?;
        for _ in 0..place {
            self.plays_on(&mut point);
        }
        let track = self.track(&point, choice);
        let done = point.done.and(choice);
        Some(self.attempt(Some(choice), done, track, known, &mut BTreeMap::new()))
    }

    /// Compares the regions of the next choices of two ways, which differ in the instant of one, at
    /// their first states.
    fn differing(
        &self,
        one: &[Step],
        other: &[Step],
        states: usize,
        only: Option<&Only>,
    ) -> Differing {
        let found = |way: &[Step]| {
            let mut all: BTreeMap<(usize, Template), Vec<Track>> = BTreeMap::new();
            self.each_place(way, states, &mut |place, here| {
                let is_wanted = |it| only.is_none_or(|only| only.contains(&(place, it)));
                self.regions(here, &is_wanted, &mut |template, found| {
                    all.entry((place, template)).or_default().push(found.low);
                });
            });
            all
        };
        let (ones, mut others) = (found(one), found(other));
        let (mut differ, mut least) = (Only::new(), None);
        for (choice, mut ones) in ones {
            let mut others = others.remove(&choice).unwrap_or_default();
            if ones.len() != others.len() {
                differ.insert(choice);
            }
            // They are compared in their order.
            for (one, other) in ones.iter_mut().zip(&mut others) {
                let Meet::Parts(share) = self.meet(one, other) else {
                    continue;
                };
                differ.insert(choice);
                let is_less = |(part, whole): (u128, u128)| {
                    least.is_none_or(|(least, of): (u128, u128)| part * of < least * whole)
                };
                least = share.filter(|it| is_less(*it)).or(least);
            }
        }
        differ.extend(others.into_keys());
        (differ, least)
    }
}
