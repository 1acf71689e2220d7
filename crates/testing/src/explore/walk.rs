//! Plays ways: from a state of a run, everything that may be done otherwise there, each to a state
//! that is known or to the end.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use playsim_api::{Kind, PlayerIndex, Purpose};
use playsim_base::time::{Span, Time};
use playsim_base::watch;
use playsim_scenario::{Scenario, ScenarioError, Step as ScenarioStep, Target, Trigger, Until};
use playsim_sim::{Pending, PendingWork, Simulation};
use playsim_trace::{Record, Trace};

use super::choices::{MICROSECOND, instants, perform, word_of_act, word_of_move, work_word};
use super::history::Relevant;
use super::limits::{Limits, NotTried, STATE_BYTES};
use super::region::{Found, Here, Last, Meet, Region, Template, Track};
use super::way::{Attempt, Decision, Done, End, Known, Met, Point, Step};
use super::{Action, Bounds, Choice, OwnLaw};
use crate::laws::{Law, OF_TRACES, OWN, PLAYABLE};
use crate::played::{Played, Why, caught};

/// Plays the ways of a scenario.
pub(super) struct Walker<'s> {
    scenario: &'s Scenario,
    start: Simulation,
    bounds: &'s Bounds,
    relevant: Relevant,
    /// The law of the caller.
    own: &'s OwnLaw<'s>,
    /// When a way that goes on and on is cut.
    horizon: Time,
    pub(super) limits: Limits<'s>,
}

/// The most instants of a way. One with more is cut, which is said.
const MOST_INSTANTS: usize = 20_000;
/// The most instants after the scenario's own end twice over.
const MOST_AFTERWARDS: usize = 1_000;
/// How much later an act is tried once nothing is due any more.
const AFTERWARDS: Span = Span::from_secs(60);
/// Later than everything that happens.
pub(super) const NEVER: Time = Time::from_secs(6 * 24 * 3600);

impl<'s> Walker<'s> {
    pub(super) fn new(
        scenario: &'s Scenario,
        bounds: &'s Bounds,
        own: &'s OwnLaw<'s>,
        limits: Limits<'s>,
    ) -> Result<Walker<'s>, ScenarioError> {
        let start = Simulation::movable(scenario)?;
        let mut walker = Walker {
            scenario,
            start,
            bounds,
            relevant: Relevant::of(&scenario.expect),
            own,
            horizon: scenario.until.end().unwrap_or(NEVER),
            limits,
        };
        if scenario.until.end().is_none() {
            walker.horizon = walker.end_of_all();
        }
        Ok(walker)
    }

    /// Returns when a way is cut that goes on and on: a minute after twice the time of the scenario
    /// as it is, which counts as none if it goes on and on itself.
    fn end_of_all(&self) -> Time {
        let (mut point, mut states) = (self.first(), BTreeSet::new());
        while point
            .run
            .state_digest()
            .is_none_or(|state| states.insert(state))
        {
            if states.len() > MOST_INSTANTS || !self.limits.goes_on() {
                return point.run.now() + AFTERWARDS;
            }
            if !self.plays_on(&mut point) {
                let taken = point.run.now() - Time::ZERO;
                return Time::ZERO + taken.times(2) + AFTERWARDS;
            }
        }
        Time::ZERO + AFTERWARDS
    }

    /// Plays the scenario as it is.
    pub(super) fn base(&self, known: &dyn Known) -> Attempt {
        let mut track = Track::default();
        let point = self.first();
        track.add(self.met(&point));
        track.point = Some(point);
        self.attempt(None, Done::default(), track, known, &mut BTreeMap::new())
    }

    /// Returns the scenario before anything has happened.
    fn first(&self) -> Point {
        Point {
            run: self.start.fork(),
            history: self.relevant.start(),
            done: Done::default(),
        }
    }

    /// Returns the first state after the last of the choices.
    fn replay(&self, way: &[Step]) -> Option<Point> {
        let mut point = self.first();
        for (place, choice) in way {
            for _ in 0..*place {
                self.play_on(&mut point);
            }
            self.apply(&mut point, *choice)?;
            point.done = point.done.and(*choice);
        }
        Some(point)
    }

    /// Tries everything that may be done otherwise at the first states of a run.
    pub(super) fn expand(&self, way: &[Step], states: usize, known: &dyn Known) -> Vec<Region> {
        let (mut all, mut own) = (Vec::new(), BTreeMap::new());
        self.each_place(way, states, &mut |place, here| {
            self.regions(here, &mut |decision, region| {
                all.push(self.region(place, decision, region, here.point, known, &mut own));
            });
        });
        all
    }

    /// Calls a function for each of the first states of a run, with what follows.
    fn each_place(&self, way: &[Step], states: usize, each: &mut dyn FnMut(usize, &Here<'_>)) {
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

    /// Finds all regions of all decisions at a state.
    fn regions(&self, here: &Here<'_>, each: &mut dyn FnMut(Template, Found)) {
        let Here { point, next } = *here;
        let now = point.run.now();
        if point.done.acts < self.bounds.acts {
            for player in point.run.live_players() {
                for action in 0..self.bounds.actions.len() {
                    let action = u16::try_from(action).unwrap_or(u16::MAX);
                    let template = Template::Act { action, player };
                    for at in self.instants_of_act(point, next, action, player) {
                        let low = self.track(point, template.at(at));
                        let found = Found {
                            from: at,
                            to: at,
                            low,
                            high: None,
                            settled: Some(0),
                        };
                        each(template, found);
                    }
                }
            }
        }
        if point.done.moves < self.bounds.moves
            && let Some(next) = next
        {
            for pending in point.run.pending() {
                let template = Template::Move {
                    number: pending.number,
                };
                let within = self.window_of(&pending);
                let mut begin = match pending.work {
                    PendingWork::Response { sent, .. } if sent == now => now,
                    PendingWork::Response { .. } | PendingWork::Step(_) => now + MICROSECOND,
                };
                if let Some(within) = within {
                    begin = begin.max(Time::ZERO + (pending.due - (Time::ZERO + within)));
                }
                let before = Time::from_micros(pending.due.micros().saturating_sub(1));
                self.cells(point, template, begin, next.min(before), each);
                if pending.due <= next {
                    self.later(point, &pending, each);
                }
            }
        }
    }

    /// Returns when an act between this state and the next is done: at once, from each instant on
    /// from which its own lines are others, and last of all.
    fn instants_of_act(
        &self,
        point: &Point,
        next: Option<Time>,
        action: u16,
        player: PlayerIndex,
    ) -> Vec<Time> {
        // In the middle of an instant it is not over.
        if next == Some(point.run.now()) {
            return Vec::new();
        }
        let mut all = instants(point.run.now(), next, |at| {
            let lines = caught(|| {
                let mut tried = Point {
                    history: self.relevant.start(),
                    ..point.clone()
                };
                tried.history.skip(point.run.records());
                Ok(self
                    .apply(&mut tried, Decision::Act { at, action, player })
                    .map(|()| tried.history.order))
            });
            lines.unwrap_or(Some(0))
        });
        let last = next.map(|next| Time::from_micros(next.micros().saturating_sub(1)));
        all.extend(last.filter(|last| all.last().is_some_and(|known| known < last)));
        all
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
        let is_whole = of_all.is_some()
            || self.goes_deeper(point.done.and(Decision::Move { number, to: last }));
        let mut from = pending.due + MICROSECOND;
        for _ in 0..MOST_INSTANTS {
            let base = if is_whole { point } else { &held };
            // One instant stands for all at which nothing is done with it.
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
            let to = if goes_on {
                next.run.now()
            } else {
                held.run.now().max(from) + AFTERWARDS
            };
            let has_room = from <= to;
            let to = if is_of_use || !has_room { to } else { from };
            self.cells(base, Template::Move { number }, from, to.min(last), each);
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
    fn meet(&self, one: &mut Track, other: &mut Track) -> Meet {
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

    /// Begins a run with a choice.
    fn track(&self, base: &Point, choice: Decision) -> Track {
        let mut track = Track::default();
        let mut compared = Vec::new();
        let begun = caught(|| {
            let begun = watch::watched(&mut compared, || {
                let mut point = base.clone();
                self.apply(&mut point, choice)?;
                Some(point)
            });
            Ok(begun)
        });
        track.compared = compared;
        match begun {
            Ok(None) => track.end = Some(Last::Nothing),
            Ok(Some(mut point)) => {
                point.done = point.done.and(choice);
                track.add(self.met(&point));
                track.point = Some(point);
            }
            Err(why) => track.end = Some(Last::Panics(why)),
        }
        track
    }

    /// Plays a run up to one of its states. Returns whether it has that state.
    fn reach(&self, track: &mut Track, at: usize) -> bool {
        while track.end.is_none() && track.mets.len() <= at {
            self.extend(track);
        }
        at < track.mets.len()
    }

    fn extend(&self, track: &mut Track) {
        let Some(point) = &mut track.point else {
            return;
        };
        if !self.limits.goes_on() {
            track.end = Some(Last::Cut);
            return;
        }
        if track.mets.len() >= MOST_INSTANTS {
            self.limits.leave_out(NotTried::Instants);
            track.end = Some(Last::Cut);
            return;
        }
        if point.run.now() > self.horizon {
            if track.at_horizon.is_none() {
                track.at_horizon = Some((point.history.order, point.history.outcome));
            }
            let repeats = point
                .run
                .state_digest()
                .is_some_and(|state| !track.states.insert(state));
            let is_long = track.states.len() > MOST_AFTERWARDS;
            if is_long {
                self.limits.leave_out(NotTried::Instants);
            }
            if repeats || is_long {
                track.end = Some(Last::Endless);
                return;
            }
        }
        let compared = &mut track.compared;
        let played = caught(|| Ok(watch::watched(compared, || self.play_on(point))));
        match played {
            Ok(true) => {
                let met = self.met(point);
                track.add(met);
            }
            Ok(false) => {
                track.add_last();
                track.end = Some(Last::Ended);
            }
            Err(why) => track.end = Some(Last::Panics(why)),
        }
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

    /// Plays a choice again at another instant.
    pub(super) fn again(
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
    /// their first states. `None` if they are the same, and otherwise from which share of the
    /// difference on they are not, as far as that can be said.
    pub(super) fn part(&self, one: &[Step], other: &[Step], states: usize) -> Option<(u128, u128)> {
        let found = |way: &[Step]| {
            let mut all = Vec::new();
            self.each_place(way, states, &mut |place, here| {
                self.regions(here, &mut |template, found| {
                    all.push((place, template, found.low))
                });
            });
            all.sort_by_key(|(place, template, _)| (*place, *template));
            all
        };
        let (mut ones, mut others) = (found(one), found(other));
        let mut parts = (ones.len() != others.len()).then_some((1, 2));
        let mut others = others.iter_mut().peekable();
        for (place, template, one) in &mut ones {
            // Those of the same choice are compared in their order.
            while others
                .peek()
                .is_some_and(|other| (other.0, &other.1) < (*place, &*template))
            {
                others.next();
            }
            let Some(other) = others.next_if(|other| (other.0, &other.1) == (*place, &*template))
            else {
                continue;
            };
            if let Meet::Parts(share) = self.meet(one, &mut other.2) {
                let share = share.unwrap_or((1, 2));
                let is_less = parts
                    .is_none_or(|(part, whole): (u128, u128)| share.0 * whole < part * share.1);
                if is_less {
                    parts = Some(share);
                }
            }
        }
        parts
    }

    /// Whether a way with these choices may have one more.
    fn goes_deeper(&self, done: Done) -> bool {
        done.acts < self.bounds.acts || done.moves < self.bounds.moves
    }

    /// Returns how far something may be moved; `None` if by any time.
    fn window_of(&self, pending: &Pending) -> Option<Span> {
        let is_response = matches!(pending.work, PendingWork::Response { .. });
        (!(is_response && self.bounds.latencies)).then_some(self.bounds.within)
    }

    /// Plays a run on to a known state, or to its end.
    fn attempt(
        &self,
        choice: Option<Decision>,
        done: Done,
        mut track: Track,
        known: &dyn Known,
        own: &mut BTreeMap<u128, u128>,
    ) -> Attempt {
        let (mut states, mut joins, mut is_over) = (Vec::new(), None, true);
        for at in 0.. {
            if !self.reach(&mut track, at) {
                break;
            }
            let Some(met) = track.mets[at] else { continue };
            if joins.is_some() {
                continue;
            }
            if !self.bounds.merges {
                states.push(met);
                continue;
            }
            match known.state(met.key).or_else(|| own.get(&met.key).copied()) {
                // The same lines lead on from here: they were judged.
                Some(order) if order == met.order => {
                    (joins, is_over) = (Some(met.key), false);
                    break;
                }
                Some(_) => joins = Some(met.key),
                None => {
                    own.insert(met.key, met.order);
                    self.limits.take(STATE_BYTES);
                    states.push(met);
                }
            }
        }
        let longest = track
            .point
            .as_ref()
            .map(|point| point.history.longest(is_over))
            .unwrap_or_default();
        let end = is_over.then(|| self.last(track, known)).flatten();
        Attempt {
            choice,
            done,
            states,
            joins,
            end,
            longest,
        }
    }

    /// Returns what the end of a run shows; `None` if nothing could be done.
    fn last(&self, track: Track, known: &dyn Known) -> Option<End> {
        let Track {
            point,
            end,
            at_horizon,
            ..
        } = track;
        match end? {
            Last::Nothing => None,
            Last::Panics(why) => Some(End {
                order: 0,
                outcome: 0,
                broken: Some(vec![(PLAYABLE, why)]),
            }),
            Last::Ended | Last::Cut => Some(self.end(point?, None, known)),
            Last::Endless => Some(self.end(point?, at_horizon, known)),
        }
    }

    /// Returns the state; `None` if it is not known, as in a run that a limit has stopped in the
    /// middle of a turn.
    fn met(&self, point: &Point) -> Option<Met> {
        let state = point.run.state_digest()?;
        let Done { acts, moves } = point.done;
        let key = point.history.key(state, (acts, moves), point.run.now());
        Some(Met {
            key,
            order: point.history.order,
        })
    }

    /// Judges the end of a way, or where one is cut that goes on and on, with its lines until then.
    fn end(&self, point: Point, cut: Option<(u128, u128)>, known: &dyn Known) -> End {
        let Point { run, history, .. } = point;
        let (order, outcome) = cut.unwrap_or((history.order, history.outcome));
        let trace = caught(|| {
            if run.next_due().is_none() {
                return Ok(run.run());
            }
            Ok(Simulation::new(&self.cut(run.to_scenario()))?.run())
        });
        let trace = match trace {
            Ok(trace) => trace,
            Err(why) => {
                return End {
                    order,
                    outcome: 0,
                    broken: Some(vec![(PLAYABLE, why)]),
                };
            }
        };
        let outcome = outcome.wrapping_add(last_states(&trace));
        let broken = (!known.is_judged(order)).then(|| self.judge(&trace));
        End {
            order,
            outcome,
            broken,
        }
    }

    /// Returns the laws that a trace breaks, that of the caller among them.
    fn judge(&self, trace: &Trace) -> Vec<(&'static Law, Why)> {
        let mut broken = judge(self.scenario, trace);
        let own = caught(|| {
            (self.own)(trace).map_err(|text| Why {
                kind: text.clone(),
                text,
            })
        })
        .err();
        broken.extend(own.map(|why| (OWN, why)));
        broken
    }

    /// Plays the next instant at which a line is written that counts, up to a response that is due
    /// at it. Returns whether there was anything to play.
    fn play_on(&self, point: &mut Point) -> bool {
        let before = point.history.order;
        loop {
            let run = &mut point.run;
            let mut has_played = run.step().is_some();
            let put_off_at = run.put_off_at();
            while has_played && run.next_due() == Some(run.now()) {
                let now = run.now();
                if run.pending().iter().any(|pending| pending.due == now) {
                    break;
                }
                has_played = run.turn_until(now);
            }
            if run.put_off_at() != put_off_at && point.done.acts < self.bounds.acts {
                self.limits.leave_out_all(NotTried::PutOff);
            }
            point.history.take(point.run.records(), &self.relevant);
            if !has_played || point.history.order != before || !self.limits.goes_on() {
                return has_played;
            }
        }
    }

    /// As [`Walker::play_on`]; a panic is the end.
    fn plays_on(&self, point: &mut Point) -> bool {
        caught(|| Ok(self.play_on(point))).unwrap_or(false)
    }

    /// Makes a choice; `None` if there is nothing to do.
    fn apply(&self, point: &mut Point, choice: Decision) -> Option<()> {
        match choice {
            Decision::Move { number, to, .. } => point.run.reschedule(number, to).then_some(()),
            Decision::Act { at, action, player } => {
                let action: &Action = self.bounds.actions.get(usize::from(action))?;
                let first = perform(self.scenario, &mut point.run, at, action, player)?;
                let records = point.run.records();
                point.history.take_act(records, first, &self.relevant);
                Some(())
            }
        }
    }

    /// Returns a way whose last choice panics, as a scenario.
    fn panicking(&self, way: &[Step]) -> Option<Whole> {
        let ((place, choice), before) = way.split_last()?;
        let mut point = caught(|| Ok(self.replay(before))).ok().flatten()?;
        for _ in 0..*place {
            self.plays_on(&mut point);
        }
        let mut scenario = point.run.to_scenario();
        if let Decision::Act { at, action, player } = *choice {
            let container = Arc::clone(point.run.container(player)?);
            let act = self.bounds.actions.get(usize::from(action))?;
            let act = act.act(self.scenario, &point.run, &container)?;
            let player = Target::Container(container);
            scenario.steps.push(ScenarioStep {
                trigger: Trigger::At(at),
                act,
                player,
            });
        }
        Some(Whole {
            scenario,
            trace: None,
        })
    }

    /// Plays a way to its end.
    pub(super) fn whole(&self, way: &[Step]) -> Option<Whole> {
        let Ok(point) = caught(|| Ok(self.replay(way))) else {
            return self.panicking(way);
        };
        let point = point?;
        let mut scenario = point.run.to_scenario();
        let mut track = Track::default();
        track.add(None);
        track.point = Some(point);
        while track.end.is_none() {
            self.extend(&mut track);
        }
        if matches!(track.end, Some(Last::Endless | Last::Cut)) {
            scenario = self.cut(scenario);
        }
        let trace = caught(|| Ok(Simulation::new(&scenario)?.run())).ok();
        Some(Whole { scenario, trace })
    }

    /// Returns a scenario that goes on and on, with an end.
    fn cut(&self, scenario: Scenario) -> Scenario {
        Scenario {
            until: Until::At(self.horizon),
            ..scenario
        }
    }

    /// Returns the choices of a way in words.
    pub(super) fn words(&self, way: &[Step]) -> Vec<Choice> {
        let word = |number: usize| {
            let (place, choice) = way.get(number)?;
            let mut point = caught(|| Ok(self.replay(&way[..number]))).ok().flatten()?;
            for _ in 0..*place {
                self.plays_on(&mut point);
            }
            self.word(&point, *choice)
        };
        (0..way.len()).map_while(word).collect()
    }

    /// Returns the instants of the scenario's own way, at which its first states were met.
    pub(super) fn instants(&self, states: usize) -> Vec<Time> {
        let mut point = self.first();
        let mut instants = vec![point.run.now()];
        for _ in 1..states {
            self.plays_on(&mut point);
            instants.push(point.run.now());
        }
        instants
    }

    /// Returns what a choice at a place of the scenario's own way is about, and when it comes.
    pub(super) fn branch(&self, place: usize, choice: Decision) -> Option<(String, Time)> {
        let mut point = self.first();
        for _ in 0..place {
            self.plays_on(&mut point);
        }
        match choice {
            Decision::Act { at, action, player } => {
                let action = self.bounds.actions.get(usize::from(action))?;
                Some((word_of_act(&point.run, at, action, player).what, at))
            }
            Decision::Move { number, to } => {
                let pending = point
                    .run
                    .pending()
                    .into_iter()
                    .find(|pending| pending.number == number)?;
                Some((work_word(&pending.work), to))
            }
        }
    }

    fn word(&self, point: &Point, choice: Decision) -> Option<Choice> {
        match choice {
            Decision::Act { at, action, player } => {
                let action = self.bounds.actions.get(usize::from(action))?;
                Some(word_of_act(&point.run, at, action, player))
            }
            Decision::Move { number, to } => {
                let pending = point
                    .run
                    .pending()
                    .into_iter()
                    .find(|pending| pending.number == number)?;
                Some(word_of_move(&pending, to))
            }
        }
    }
}

/// Returns the laws that a trace breaks, the scenario's own expectations among them.
pub(super) fn judge(scenario: &Scenario, trace: &Trace) -> Vec<(&'static Law, Why)> {
    let played = Played {
        scenario,
        trace,
        prepared: None,
    };
    OF_TRACES
        .iter()
        .filter_map(|law| Some((law, caught(|| law.find(&played, false)).err()?)))
        .collect()
}

/// A way that was played to its end, as a scenario of its own.
#[derive(Debug)]
pub(super) struct Whole {
    pub(super) scenario: Scenario,
    /// `None` if it panics.
    pub(super) trace: Option<Trace>,
}

/// Whether anything is done with it when it comes.
pub(super) fn is_of_use(work: &PendingWork) -> bool {
    match work {
        PendingWork::Response { is_of_use, .. } => *is_of_use,
        PendingWork::Step(_) => true,
    }
}

/// Returns a digest of the last state of each player.
pub(super) fn last_states(trace: &Trace) -> u128 {
    let last = trace.records.last();
    let states = last.and_then(|record| record.data.get("states"));
    let text = states.map(ToString::to_string).unwrap_or_default();
    xxhash_rust::xxh3::xxh3_128(text.as_bytes())
}
