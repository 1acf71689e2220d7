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

/// The regions of the choices that follow a run: a run in each of them.
type Following = BTreeMap<(usize, Template), Vec<Track>>;

/// One end of a part.
struct EndOfPart {
    at: Time,
    /// Whether nothing was tried there yet.
    is_fresh: bool,
    following: Following,
}

/// A part of such a region.
struct Part {
    first: EndOfPart,
    last: EndOfPart,
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
        let mut divided: BTreeMap<Time, Only> = BTreeMap::new();
        let end = |at: Time, is_fresh: bool, only: Option<&Only>| {
            let mut to = way.to_vec();
            to.push((pair.from.1, pair.template.at(at)));
            let following = self.following(&to, pair.states, only);
            EndOfPart {
                at,
                is_fresh,
                following,
            }
        };
        let mut parts = vec![Part {
            first: end(pair.first, false, None),
            last: end(pair.last, false, None),
            divided: 0,
        }];
        while let Some(mut part) = parts.pop() {
            let length = (part.last.at - part.first.at).micros();
            let is_fresh = part.first.is_fresh || part.last.is_fresh;
            if length == 0 || length == 1 && !is_fresh {
                continue;
            }
            let (only, share) = self.differing(&mut part.first.following, &mut part.last.following);
            if !self.limits.goes_on() {
                break;
            }
            if only.is_empty() {
                continue;
            }
            for end in [&part.first, &part.last] {
                if end.is_fresh {
                    divided.entry(end.at).or_default().extend(&only);
                }
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
            let middle = part.first.at + Span::from_micros(share);
            let Part {
                mut first,
                mut last,
                divided,
            } = part;
            let mut half = |mut first: EndOfPart, mut last: EndOfPart| {
                // What is the same at both ends is the same between them.
                first.following.retain(|choice, _| only.contains(choice));
                last.following.retain(|choice, _| only.contains(choice));
                parts.push(Part {
                    first,
                    last,
                    divided: divided + 1,
                });
            };
            let next = middle + Span::from_micros(1);
            let (low, high) = (first.at, last.at);
            (first.is_fresh, last.is_fresh) = (false, false);
            let new = |at: Time, known: Time| end(at, at != known, Some(&only));
            half(new(next, high), last);
            half(first, new(middle, low));
        }
        let again = divided.into_iter().filter_map(|(at, only)| {
            let attempt = self.again(way, pair.from.1, pair.template.at(at), known)?;
            Some(Between { attempt, only })
        });
        again.collect()
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

    /// Returns the regions of the choices that follow a way, at its first states.
    fn following(&self, way: &[Step], states: usize, only: Option<&Only>) -> Following {
        let mut all = Following::new();
        self.each_place(way, states, &mut |place, here| {
            let is_wanted = |it| only.is_none_or(|only| only.contains(&(place, it)));
            self.regions(here, &is_wanted, &mut |template, found| {
                all.entry((place, template)).or_default().push(found.low);
            });
        });
        all
    }

    /// Compares the regions of the choices that follow two ways, which differ in the instant of the
    /// last choice.
    fn differing(&self, ones: &mut Following, others: &mut Following) -> Differing {
        let (mut differ, mut least) = (Only::new(), None);
        for (choice, ones) in ones.iter_mut() {
            let Some(others) = others.get_mut(choice) else {
                differ.insert(*choice);
                continue;
            };
            if ones.len() != others.len() {
                differ.insert(*choice);
            }
            // They are compared in their order.
            for (one, other) in ones.iter_mut().zip(others) {
                let Meet::Parts(share) = self.meet(one, other) else {
                    continue;
                };
                differ.insert(*choice);
                let is_less = |(part, whole): (u128, u128)| {
                    least.is_none_or(|(least, of): (u128, u128)| part * of < least * whole)
                };
                least = share.filter(|it| is_less(*it)).or(least);
            }
        }
        differ.extend(others.keys().filter(|choice| !ones.contains_key(choice)));
        (differ, least)
    }
}
