//! Finds where a way may part: the regions of instants of each choice at each of its states.

use std::collections::BTreeMap;

use playsim_api::{Kind, Purpose};
use playsim_base::time::{Span, Time};
use playsim_sim::{Pending, PendingWork};
use playsim_trace::Record;

use super::choices::MICROSECOND;
use super::limits::NotTried;
use super::orders::Only;
use super::region::{Found, Here, Last, Meet, Region, Template, Track};
use super::walk::{AFTERWARDS, MOST_AFTERWARDS, MOST_INSTANTS, NEVER, Walker};
use super::way::{Decision, Done, Known, Point, Step};
use crate::played::caught;

impl Walker<'_> {
    /// Tries what may be done otherwise at the first states of a run: everything, or only some.
    pub(super) fn expand(
        &self,
        way: &[Step],
        states: usize,
        only: Option<&Only>,
        known: &dyn Known,
    ) -> Vec<Region> {
        let (mut all, mut own) = (Vec::new(), BTreeMap::new());
        self.each_place(way, states, &mut |place, here| {
            let is_wanted = |it| only.is_none_or(|only| only.contains(&(place, it)));
            self.regions(here, &is_wanted, &mut |decision, region| {
                all.push(self.region(place, decision, region, here.point, known, &mut own));
            });
        });
        all
    }

    /// Calls a function for each of the first states of a run, with what follows.
    pub(super) fn each_place(
        &self,
        way: &[Step],
        states: usize,
        each: &mut dyn FnMut(usize, &Here<'_>),
    ) {
        let Some(mut point) = caught(|| Ok(self.replay(way))).ok().flatten() else {
            return;
        };
        for place in 0..states {
            if !self.limits.goes_on() {
                return;
            }
            let mut next = point.clone();
            let goes_on = self.plays_on(&mut next);
            let here = Here {
                point: &point,
                next: goes_on.then(|| next.run.now()),
            };
            each(place, &here);
            if !goes_on {
                return;
            }
            point = next;
        }
    }

    /// Finds all regions of the decisions at a state that are wanted.
    pub(super) fn regions(
        &self,
        here: &Here<'_>,
        is_wanted: &dyn Fn(Template) -> bool,
        each: &mut dyn FnMut(Template, Found),
    ) {
        let Here { point, next } = *here;
        let now = point.run.now();
        // In the middle of an instant it is not over, so nothing is done in it.
        if point.done.acts < self.bounds.acts && next != Some(now) {
            let last = match (next, self.scenario.until.end()) {
                (Some(next), _) => Time::from_micros(next.micros().saturating_sub(1)),
                (None, Some(end)) => end,
                (None, None) => now + AFTERWARDS,
            };
            for player in point.run.live_players() {
                for action in 0..self.bounds.actions.len() {
                    let action = u16::try_from(action).unwrap_or(u16::MAX);
                    let template = Template::Act { action, player };
                    if is_wanted(template) {
                        self.cells(point, template, now, last, each);
                    }
                }
            }
        }
        // What is due after the end may come before it.
        if point.done.moves < self.bounds.moves
            && let Some(until) = next.or(self.scenario.until.end())
        {
            for pending in point.run.pending() {
                let template = Template::Move {
                    number: pending.number,
                };
                if !is_wanted(template) {
                    continue;
                }
                let within = self.window_of(&pending);
                let mut begin = match pending.work {
                    PendingWork::Response { .. } if point.is_fresh(&pending) => now,
                    PendingWork::Response { .. } | PendingWork::Step(_) => now + MICROSECOND,
                };
                if let Some(within) = within {
                    begin = begin.max(Time::ZERO + (pending.due - (Time::ZERO + within)));
                }
                let before = Time::from_micros(pending.due.micros().saturating_sub(1));
                self.cells(point, template, begin, until.min(before), each);
                if next.is_some_and(|next| pending.due <= next) {
                    self.later(point, &pending, each);
                }
            }
        }
    }

    /// Holds something back that is due next, and lets it come in each later gap.
    fn later(&self, point: &Point, pending: &Pending, each: &mut dyn FnMut(Template, Found)) {
        let number = pending.number;
        let mut held = point.clone();
        if !held.run.reschedule(number, NEVER) {
            return;
        }
        // Where all later requests wait as long, a run in which it never comes is another one.
        let of_all = match pending.work {
            PendingWork::Response {
                is_for_all: true,
                purpose,
                ..
            } => Some(purpose),
            PendingWork::Response { .. } | PendingWork::Step(_) => None,
        };
        let last = self
            .window_of(pending)
            .map_or(NEVER, |within| pending.due + within);
        // The states of a run are counted from its choice on, and the choices that follow are tried
        // at each of them, those before it comes among them.
        let leads_on = self.goes_deeper(point.done.and(Decision::Move { number, to: last }));
        let is_whole = of_all.is_some() || leads_on;
        let mut from = pending.due + MICROSECOND;
        for _ in 0..MOST_INSTANTS {
            let base = if is_whole { point } else { &held };
            // One instant stands for all at which nothing is done with it. A choice before it may
            // make somebody wait: then the last of them is tried, too, and those between if the
            // orders of two choices are.
            let is_of_use = held
                .run
                .pending()
                .iter()
                .any(|other| other.number == number && is_of_use(&other.work))
                || of_all.is_some_and(|purpose| self.requests(&held, purpose));
            let mut next = held.clone();
            let goes_on = next.run.next_due().is_some_and(|due| due < NEVER)
                && self.plays_on(&mut next)
                && next.run.now() < NEVER;
            let far = held.run.now().max(from) + AFTERWARDS;
            let to = if goes_on { next.run.now() } else { far };
            let has_room = from <= to;
            let to = match (is_of_use || !has_room, leads_on) {
                (true, _) => to,
                (false, true) => far,
                (false, false) => from,
            };
            let template = Template::Move { number };
            if has_room && !is_of_use && leads_on && self.bounds.orders == 0 {
                self.limits.leave_out(NotTried::Orders);
                self.cells(base, template, from, from, each);
                self.cells(base, template, far, far.min(last), each);
            } else {
                self.cells(base, template, from, to.min(last), each);
            }
            from = from.max(to + MICROSECOND);
            if !goes_on || from > last || has_room && !is_of_use || !self.limits.goes_on() {
                return;
            }
            held = next;
        }
        self.limits.leave_out(NotTried::Instants);
    }

    /// Whether a run will request anything more for this purpose, as far as it can be said.
    fn requests(&self, held: &Point, purpose: Purpose) -> bool {
        let mut point = held.clone();
        let before = point.run.records().len();
        for _ in 0..MOST_AFTERWARDS {
            let is_over = point.run.next_due().is_none_or(|due| due >= NEVER);
            if is_over || !self.plays_on(&mut point) {
                return false;
            }
            let new = point.run.records().get(before..).unwrap_or_default();
            let is_such = |record: &Record| {
                record
                    .data
                    .get("purpose")
                    .is_some_and(|it| it.as_text().is_some_and(|text| **text == *purpose.name()))
            };
            if new
                .iter()
                .any(|record| record.kind == Kind::Net && is_such(record))
            {
                return true;
            }
        }
        true
    }

    /// Finds the regions of a decision between two instants. In each, all comparisons that the rest
    /// of the run makes have the same answers, at its first instant and at its last.
    fn cells(
        &self,
        base: &Point,
        template: Template,
        first: Time,
        last: Time,
        each: &mut dyn FnMut(Template, Found),
    ) {
        let mut from = first;
        while from <= last && self.limits.goes_on() {
            let mut low = self.track(base, template.at(from));
            let (mut to, mut high, mut settled) = (last, None, Some(0));
            while to > from {
                let mut tried = self.track(base, template.at(to));
                match self.meet(&mut low, &mut tried) {
                    Meet::Same(at) => {
                        (high, settled) = (Some(tried), at);
                        break;
                    }
                    Meet::Parts(share) => {
                        let (share, whole) = share.unwrap_or((1, 2));
                        let length = (to - from).micros();
                        let part = u128::from(length) * share / whole.max(1);
                        let part = u64::try_from(part).unwrap_or(0).min(length - 1);
                        to = from + Span::from_micros(part);
                    }
                }
                if !self.limits.goes_on() {
                    return;
                }
            }
            let found = Found {
                from,
                to,
                low,
                high,
                settled,
            };
            each(template, found);
            from = to + MICROSECOND;
        }
    }

    /// Plays two runs on side by side until they are in the same state or end.
    pub(super) fn meet(&self, one: &mut Track, other: &mut Track) -> Meet {
        for at in 0.. {
            let goes = [self.reach(one, at), self.reach(other, at)];
            let (a, b) = (one.compared(at), other.compared(at));
            for (a, b) in a.iter().zip(b) {
                if (a.low, a.high) != (b.low, b.high) {
                    // From how much of the way on the answer changes, as a line would go.
                    let (low, high) = (i128::from(a.value), i128::from(b.value));
                    let edge = i128::from(if high > low { a.high } else { a.low });
                    let share = (edge - low).unsigned_abs();
                    let whole = (high - low).unsigned_abs();
                    let is_known = whole > 0 && share < whole;
                    return Meet::Parts(is_known.then_some((share, whole)));
                }
            }
            // Where a run that goes on and on is cut depends on when it began.
            let is_cut = |track: &Track| matches!(track.end, Some(Last::Endless | Last::Cut));
            if is_cut(one) || is_cut(other) {
                return Meet::Same(None);
            }
            if a.len() != b.len() || goes[0] != goes[1] {
                return Meet::Parts(None);
            }
            if !goes[0] {
                return Meet::Same(None);
            }
            let is_same = one
                .mets
                .get(at)
                .zip(other.mets.get(at))
                .is_some_and(|(a, b)| {
                    a.zip(*b)
                        .is_some_and(|(a, b)| (a.key, a.order) == (b.key, b.order))
                });
            if is_same {
                return Meet::Same(Some(at));
            }
            if !self.limits.goes_on() {
                return Meet::Same(Some(at));
            }
        }
        Meet::Same(None)
    }

    /// Makes what came of a region ready for the graph.
    fn region(
        &self,
        place: usize,
        template: Template,
        found: Found,
        base: &Point,
        known: &dyn Known,
        own: &mut BTreeMap<u128, u128>,
    ) -> Region {
        let Found {
            from,
            to,
            low,
            high,
            settled,
        } = found;
        let choice = template.at(from);
        let done = base.done.and(choice);
        let mut first = self.attempt(Some(choice), done, low, known, own);
        let mut last = None;
        if let Some(high) = high.filter(|_| settled != Some(0)) {
            if self.goes_deeper(done) {
                let choice = template.at(to);
                last = Some(self.attempt(Some(choice), done, high, known, own));
            } else if let Some(point) = &high.point {
                let is_end = matches!(high.end, Some(Last::Ended));
                first.longest.add(point.history.longest(is_end));
            }
        }
        Region {
            place,
            template,
            from,
            to,
            first,
            last,
            settled,
        }
    }

    /// Whether a way with these choices may have one more.
    pub(super) fn goes_deeper(&self, done: Done) -> bool {
        done.acts < self.bounds.acts || done.moves < self.bounds.moves
    }

    /// Returns how far something may be moved; `None` if by any time.
    fn window_of(&self, pending: &Pending) -> Option<Span> {
        let is_response = matches!(pending.work, PendingWork::Response { .. });
        (!(is_response && self.bounds.latencies)).then_some(self.bounds.within)
    }
}

/// Whether anything is done with it when it comes.
pub(super) fn is_of_use(work: &PendingWork) -> bool {
    match work {
        PendingWork::Response { is_of_use, .. } => *is_of_use,
        PendingWork::Step(_) => true,
    }
}
