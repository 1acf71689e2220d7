//! The loop: one input goes in at a time, everything it causes comes out and stands in the trace.
//!
//! A [`Simulation`] joins a scenario's world with its players. It owns the clock and the agenda, delivers
//! events to listeners, answers requests from the world, and writes the tape. Nothing happens between
//! inputs.
//!
//! At one instant and class the agenda's entries come first, then the players in the order in which they
//! were made. Everything that an input causes is drained first in, first out, before the next entry.
//!
//! Rules: CLK-2 to CLK-7, CLK-11, EVT-1, EVT-2.

use std::sync::Arc;

use crate::api::{Cause, Class, Decimal, EventName, Fields, Input, Kind, Outbox, Request, UnitKind, Value};
use crate::page::Situation;
use crate::player::{ListenerIndex, Player};
use crate::rule;
use crate::scenario::{Scenario, StepAct, Target, Until};
use crate::time::{Span, Time};
use crate::trace::{NewLine, PlayerIndex, Record, Sink, Tape, Trace};
use crate::world::World;

mod acts;
mod agenda;
mod alarms;
mod dispatch;
mod edits;
mod elements;
mod net;
mod outcome;
mod scripts;
mod seat;
mod stage;
mod surroundings;

use agenda::Agenda;
use alarms::{Alarm, Alarms};
use edits::Edits;
use outcome::{LIVELOCK_LINES, Stop};
use scripts::{Scripts, class};
use seat::Seat;
pub use stage::ScenarioError;
use stage::Stage;

/// More turns than these end a run with the outcome `limit`.
pub const MAX_TURNS: u64 = 50_000_000;
/// No run goes on behind this time.
pub const MAX_TIME: Time = Time::from_secs(7 * 24 * 3600);
/// Listeners within listeners, as deep as this and no deeper: each level takes some room on the stack.
const MAX_NESTING: u32 = 64;

/// A scenario that is being played.
#[derive(Debug, Clone)]
pub struct Simulation {
    stage: Arc<Stage>,
    now: Time,
    tape: Tape,
    out: Outbox,
    agenda: Agenda<Happening>,
    seats: Vec<Seat>,
    /// The page's own scripts, and what waits for them.
    scripts: Scripts,
    /// When each player wants to be woken; asked anew after each input.
    alarms: Alarms,
    /// What the page is like at the moment.
    situation: Situation,
    /// How much of a player in a container is in view, where it was said. Rule VIEW-2.
    in_view: Vec<(Arc<str>, Decimal)>,
    /// Containers that `destroy` has removed. Rule DESTROY-4.
    removed: Vec<Arc<str>>,
    /// The service that edits records, from the first call of it on.
    edits: Option<Box<Edits>>,
    /// How many answers of each address were used up.
    used: Vec<u32>,
    /// How often each script was asked to run.
    heard: Vec<u32>,
    /// What the listeners of [`Simulation::listen`] are bound to.
    listened: Vec<EventName>,
    /// Whether the ready callback, or a listener of `ready`, is running. Rules SRC-2, GA-2.
    within_ready: bool,
    turns: u64,
    tasks_at_instant: u32,
    /// How many listeners are running, one within another.
    nesting: u32,
    /// Whether it was told that `destroy(true)` keeps the container. Rule CON-8.
    told_what_true_keeps: bool,
    last_change: Time,
    stopped: Option<Stop>,
}

/// An entry of the agenda.
#[derive(Debug, Clone)]
enum Happening {
    Start,
    Step(usize),
    /// A script of the page. Rule LOAD-2.
    Script(UnitKind),
    /// A step behind a listener, some time later.
    Delayed {
        script: usize,
        cause: Cause,
    },
    Answer {
        seat: usize,
        request: Request,
        cause: Cause,
        input: Input,
    },
    /// The answer of an edit call that took its time. Rule EDIT-44.
    Edited {
        route: &'static str,
        answer: Box<crate::edit::Answer>,
        cause: Cause,
    },
    /// Another address is to answer a request. Rule CHN-4.
    Redirect {
        seat: usize,
        request: Request,
        cause: Cause,
        redirect: net::Redirect,
    },
}

/// What is due next.
#[derive(Debug, Clone, Copy)]
enum Next {
    Agenda(Time),
    Seat(Time, usize),
}

/// What one input of a run led to.
#[derive(Debug)]
pub struct Turn<'a> {
    /// When.
    pub at: Time,
    /// The lines it wrote; a run of time updates that it continued comes whole.
    pub records: &'a [Record],
    /// The container of each player.
    pub players: &'a [Arc<str>],
}

impl Simulation {
    /// Prepares a scenario: reads its documents, resolves its listeners.
    ///
    /// # Errors
    ///
    /// What in the scenario cannot be played.
    pub fn new(scenario: &Scenario) -> Result<Simulation, ScenarioError> {
        let stage = Arc::new(Stage::new(scenario)?);
        let mut agenda = Agenda::new();
        agenda.insert(Time::ZERO, Class::Net, Happening::Start);
        agenda.extend(stage.arrivals().map(|(at, unit)| (at, Class::Net, Happening::Script(unit))));
        let steps = stage.timed.iter().enumerate();
        agenda.extend(steps.map(|(number, (at, act, _))| (*at, class(act), Happening::Step(number))));
        Ok(Simulation {
            now: Time::ZERO,
            tape: Tape::new(),
            out: Outbox::new(),
            agenda,
            seats: Vec::new(),
            scripts: Scripts::new(&stage.scenario.page),
            alarms: Alarms::new(),
            situation: stage.scenario.page.situation(),
            in_view: Vec::new(),
            removed: Vec::new(),
            edits: None,
            used: vec![0; stage.world.routes()],
            heard: vec![0; stage.scripts.len()],
            listened: Vec::new(),
            within_ready: false,
            turns: 0,
            tasks_at_instant: 0,
            nesting: 0,
            told_what_true_keeps: false,
            last_change: Time::ZERO,
            stopped: None,
            stage,
        })
    }

    /// Binds a listener that only counts to an event of every player that is made from here on.
    ///
    /// Each delivery is made in earnest, and no line tells of it: the trace is the same without it.
    pub fn listen(&mut self, event: EventName) {
        self.listened.push(event);
    }

    /// How often the listeners of [`Simulation::listen`] were called, and functions without a name with them.
    #[must_use]
    pub fn calls_heard(&self) -> u32 {
        self.heard[self.stage.nameless().0]
    }

    /// Plays the next input; `None` when the run is over.
    pub fn step(&mut self) -> Option<Turn<'_>> {
        let before = self.tape.records().len();
        let seq = self.tape.next_seq();
        let end = self.end();
        while self.turn(end) {
            if self.tape.next_seq() > seq {
                let first = before.min(self.tape.records().len() - 1);
                let records = &self.tape.records()[first..];
                return Some(Turn { at: self.now, records, players: self.tape.players() });
            }
        }
        None
    }

    /// Plays everything up to and including an instant. Whether time is split or not makes no difference.
    ///
    /// Rule CLK-5.
    pub fn run_until(&mut self, at: Time) {
        let end = self.end().min(at);
        while self.turn(end) {}
        if self.stopped == Some(Stop::Until) && end < self.end() {
            self.stopped = None;
        }
    }

    /// Plays to the end. Total: every run ends, none fails.
    #[must_use]
    pub fn run(mut self) -> Trace {
        let end = self.end();
        while self.turn(end) {}
        self.finish()
    }

    /// Plays to the end and hands each record to a sink; keeps none.
    pub fn run_into(mut self, sink: &mut impl Sink) {
        let end = self.end();
        while self.turn(end) {
            // The outcome of a livelock shows them.
            self.tape.hand_over(LIVELOCK_LINES, sink);
        }
        let trace = self.finish();
        for record in &trace.records {
            sink.record(record, trace.container(record));
        }
    }

    /// A snapshot that goes on to the same trace. Rule CLK-11.
    #[must_use]
    pub fn fork(&self) -> Simulation {
        self.clone()
    }

    /// The time on the virtual clock.
    #[must_use]
    pub fn now(&self) -> Time {
        self.now
    }

    /// The players that were made so far, destroyed ones too, in the order they were made.
    pub fn players(&self) -> impl Iterator<Item = &Player> {
        self.seats.iter().filter_map(Seat::player)
    }

    /// The records so far.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        self.tape.records()
    }

    /// The last instant that the scenario plays.
    fn end(&self) -> Time {
        match self.stage.scenario.until {
            Until::Idle => MAX_TIME,
            Until::At(at) => at.min(MAX_TIME),
        }
    }

    /// Plays one input that is due at or before `end`. Tells whether there was one.
    fn turn(&mut self, end: Time) -> bool {
        if self.stopped.is_some() {
            return false;
        }
        let Some(next) = self.next() else {
            self.stopped = Some(Stop::Idle);
            return false;
        };
        let (Next::Agenda(at) | Next::Seat(at, _)) = next;
        if at > end {
            self.stopped = Some(if end == MAX_TIME { Stop::Time } else { Stop::Until });
            return false;
        }
        self.turns += 1;
        if self.turns > MAX_TURNS {
            self.stopped = Some(Stop::Turns);
            return false;
        }
        if at > self.now {
            self.now = at;
            self.tasks_at_instant = 0;
        }
        self.tape.begin_turn();
        match next {
            Next::Agenda(_) => {
                if let Some(happening) = self.agenda.take() {
                    self.happen(happening);
                }
            }
            Next::Seat(_, seat) => {
                // Only time updates that nobody hears are foretold.
                let hears = self.seats[seat].hears(EventName::TimeUpdate);
                let horizon = if hears { at } else { self.horizon(seat).min(end) };
                self.wake(seat, horizon);
            }
        }
        self.drain();
        true
    }

    /// What is due next: by time, then class; the agenda first, then players in order. Rule CLK-2.
    fn next(&self) -> Option<Next> {
        let alarm = self.alarms.first();
        match self.agenda.next() {
            Some((at, class)) if !alarm.is_before(at, class) => Some(Next::Agenda(at)),
            Some(_) | None => (alarm != Alarm::NEVER).then(|| Next::Seat(alarm.at(), alarm.player())),
        }
    }

    /// Up to which instant (included) a player's media work comes before anything else.
    fn horizon(&self, seat: usize) -> Time {
        let before = |at: Time| Time::from_micros(at.micros().saturating_sub(1));
        let agenda = self.agenda.next().map(|(at, class)| if class > Class::Media { at } else { before(at) });
        let other = self.alarms.first_besides(seat);
        let players = if other.is_before_media_of(seat) { before(other.at()) } else { other.at() };
        agenda.unwrap_or(Time::MAX).min(players)
    }

    #[inline]
    fn wake(&mut self, seat: usize, horizon: Time) {
        let who = index(seat).0;
        self.out.begin(who, Cause::Script, horizon);
        self.seats[seat].wake(self.now, &mut self.out);
        self.after_input(seat);
    }

    #[inline(never)]
    fn happen(&mut self, happening: Happening) {
        match happening {
            Happening::Start => {
                let data = self.stage.header.clone();
                self.write_page(Kind::Header, "playsim-trace", data);
            }
            Happening::Step(number) => {
                let stage = Arc::clone(&self.stage);
                let (_, act, target) = &stage.timed[number];
                self.act(act, target, Cause::Script);
            }
            Happening::Script(unit) => self.script_arrives(unit, Cause::Script),
            Happening::Delayed { script, cause } => {
                let stage = Arc::clone(&self.stage);
                let script = &stage.scripts[script];
                for act in &script.acts {
                    self.act(act, &script.target, cause);
                }
            }
            Happening::Answer { seat, request, cause, input } => self.answer(seat, &request, cause, input),
            Happening::Edited { route, answer, cause } => self.edit_answered(route, &answer, cause),
            Happening::Redirect { seat, request, cause, redirect } => {
                self.redirect(seat, request, cause, redirect);
            }
        }
    }

    /// Writes a line of the whole page.
    fn write_page(&mut self, kind: Kind, name: &'static str, data: Fields) {
        let rule = Some(rule!("TRACE-6"));
        let line = NewLine { cause: Cause::Script, rule, player: None, kind, name: name.into(), data };
        self.tape.write(self.now, line);
    }
}

fn index(seat: usize) -> PlayerIndex {
    // `Tape::add_player` has refused more players than fit.
    PlayerIndex(u16::try_from(seat).unwrap_or(u16::MAX))
}
