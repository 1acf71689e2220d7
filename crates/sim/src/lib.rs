//! The main loop: takes one input at a time, and records everything that it causes in the trace.
//!
//! A [`Simulation`] connects a scenario's world with its players. It owns the clock and the agenda,
//! delivers events to listeners, answers requests from the world, and writes the tape. Nothing
//! happens between inputs.
//!
//! A running simulation can be driven: [`Simulation::call`] and its neighbours act as page code,
//! the user or the page, and [`Simulation::on`] binds closures. A [`Recorder`] keeps the trace of a
//! player in another world.
//!
//! At the same instant and in the same class, the agenda's entries come first, then the players in
//! the order in which they were created. Everything that an input causes is delivered, first in,
//! first out, before the next entry.
//!
//! Rules: CLK-2 to CLK-7, CLK-11, EVT-1, EVT-2.

use playsim_api::{Cause, Class, EventName, Fields, HeaderLine, Line, Outbox, Request, UnitKind};
use playsim_base::time::Time;
use playsim_player::{ListenerIndex, Player};
use playsim_rules as rules;
use playsim_rules::knobs::KnobReader;
use playsim_scenario::{Scenario, ScenarioError, Step, Until};
use playsim_trace::{NewLine, PlayerIndex, Record, Sink, Tape, Trace};
use std::sync::Arc;

mod activation;
mod acts;
mod agenda;
mod alarms;
mod budget;
mod circle;
mod digest;
mod dispatch;
mod edits;
mod elements;
#[cfg(test)]
mod fields;
mod live;
mod moves;
mod net;
mod network;
mod observed;
mod outcome;
mod parts;
mod recorder;
mod scripts;
mod seat;
mod snapshot;
mod stage;
mod surroundings;

use agenda::Agenda;
use alarms::{Alarm, Alarms};
use budget::Budget;
use digest::LineNumber;
use edits::Edits;
use live::Live;
use moves::{Latency, Moves};
use network::Network;
use outcome::Stop;
use scripts::{Scripts, class};
use seat::{Seat, Seats};
use stage::Stage;
use surroundings::PageState;

pub use live::{Heard, LiveError, PageCall, PageScope};
pub use moves::{Pending, PendingWork};
pub use observed::play_observed;
pub use recorder::Recorder;
pub use snapshot::{BreakSnapshot, OpenRequest, PlayerSnapshot, Snapshot};
pub use stage::player_settings;

pub use playsim_scenario::world::{Intercept, Intercepted, PreparedAnswer};

/// A run with more turns ends with the outcome `limit`. Rule CLK-7.
pub const MAX_TURNS: u64 = 50_000_000;
/// A run with more calls of listeners ends with the outcome `limit`. Rule CLK-12.
pub const MAX_DELIVERIES: u64 = 50_000_000;
/// A run in which this many players are created ends with the outcome `limit`. Rule CLK-12.
pub const MAX_PLAYERS: usize = 10_000;
/// Every run ends at this time at the latest.
pub const MAX_TIME: Time = Time::from_secs(7 * 24 * 3600);
/// The maximum depth of nested listeners, which bounds the use of the stack.
const MAX_NESTING: u32 = 64;

/// A scenario that is being played.
#[derive(Debug, Clone)]
pub struct Simulation {
    stage: Arc<Stage>,
    now: Time,
    tape: Tape,
    out: Outbox,
    agenda: Agenda<AgendaItem>,
    seats: Seats,
    /// The page's own scripts, with their queue arrays.
    scripts: Scripts,
    /// When each player wants to be woken; updated after each input.
    alarms: Alarms,
    page: PageState,
    network: Network,
    /// The service that edits records, created by its first call.
    edits: Option<Box<Edits>>,
    /// What may be moved, and was; `None` if nothing may be.
    moves: Option<Box<Moves>>,
    /// The acts of a driver of the simulation, if there were any.
    live: Option<Box<Live>>,
    /// When something was last done that a listener had put off.
    put_off_at: Option<Time>,
    /// How often each script was triggered.
    heard: Vec<u32>,
    /// The events of [`Simulation::listen`].
    listened: Vec<EventName>,
    /// Whether the ready callback or a listener of `ready` is running. Rules SRC-2, GA-2.
    within_ready: bool,
    sources: elements::Sources,
    /// Whether a task of the page is running, which ends before anything that it causes is
    /// delivered. Rule CLK-13.
    is_in_task: bool,
    budget: Budget,
    last_change: Time,
    /// The line after which the run ends, if its end is in the middle of an instant.
    last_line: u32,
    stopped: Option<Stop>,
}

/// An entry of the agenda.
#[derive(Debug, Clone, Hash)]
enum AgendaItem {
    Start,
    /// Steps at a time, as an index into those of the stage.
    Steps(usize),
    /// A script of the page. Rule LOAD-2.
    Script(UnitKind),
    /// The transient activation of the page by the user in this line expires. Rule PLAY-23.
    ActivationEnds(LineNumber),
    /// A step that runs some time after its listener was called.
    Delayed {
        script: usize,
        /// The player that the listener is bound to.
        seat: PlayerIndex,
        cause: Cause,
    },
    /// A task of page code outside begins.
    PageTask,
    /// Something that is done to the running simulation, at once or put off by a closure.
    Live {
        number: usize,
        /// The player of the closure that has put it off.
        seat: Option<PlayerIndex>,
        cause: Cause,
    },
    Answer {
        seat: PlayerIndex,
        request: Request,
        cause: Cause,
        reply: net::Reply,
        latency: Latency,
    },
    /// The delayed answer of an edit call. Rule EDIT-44.
    Edited {
        route: &'static str,
        answer: Box<playsim_scenario::edit::EditResponse>,
        cause: Cause,
    },
    /// A redirect of a request to another URL. Rule CHN-4.
    Redirect {
        seat: PlayerIndex,
        request: Request,
        cause: Cause,
        redirect: net::Redirect,
        latency: Latency,
    },
}

/// The next thing that is due.
#[derive(Debug, Clone, Copy)]
enum Next {
    Agenda(Time),
    Seat(Time, PlayerIndex),
}

/// The result of one input of a run.
#[derive(Debug)]
pub struct Turn<'a> {
    /// The time of the input.
    pub at: Time,
    /// The lines it wrote. A run of time updates that it continued is included as a whole.
    pub records: &'a [Record],
    /// The container of each player.
    pub players: &'a [Arc<str>],
}

impl Simulation {
    /// Prepares a scenario: resolves its listeners and the responses of its URLs. A document is
    /// read when it is first requested, once for all forks.
    ///
    /// # Errors
    ///
    /// If the scenario cannot be played.
    pub fn new(scenario: &Scenario) -> Result<Simulation, ScenarioError> {
        scenario.check()?;
        Ok(Simulation::begin(Stage::new(scenario, None)?))
    }

    /// Prepares another scenario and shares everything that both have in common: the whole world if
    /// only steps, knobs or the page differ; otherwise each document with the same text.
    ///
    /// The trace is that of [`Simulation::new`], whatever this simulation has played so far; only
    /// preparing is cheaper.
    ///
    /// # Errors
    ///
    /// If the scenario cannot be played.
    pub fn with_scenario(&self, scenario: &Scenario) -> Result<Simulation, ScenarioError> {
        scenario.check()?;
        Ok(Simulation::begin(Stage::new(scenario, Some(&self.stage))?))
    }

    /// Whether two URLs get the same responses, because the scenario lists both or a form that
    /// means both.
    pub fn is_same_route(&self, one: &str, other: &str) -> bool {
        let route = self.stage.world.route(one);
        route.is_some() && route == self.stage.world.route(other)
    }

    /// Changes responses from now on, in this run and its forks. The header line still describes
    /// the scenario.
    pub fn intercept(&mut self, intercept: Arc<dyn Intercept>) {
        self.network.set_intercept(intercept);
    }

    /// Returns a run that has not begun.
    fn begin(stage: Stage) -> Simulation {
        let stage = Arc::new(stage);
        let mut agenda = Agenda::new();
        agenda.plan(Time::ZERO, Class::Net, AgendaItem::Start);
        agenda.extend(
            stage
                .arrivals()
                .map(|(at, unit)| (at, Class::Net, AgendaItem::Script(unit))),
        );
        let first = |lines: &[usize]| {
            lines
                .first()
                .map(|number| &stage.scenario.steps[*number].act)
        };
        // In the order of their lines, which decides at one instant, also where steps are moved.
        let mut in_order: Vec<_> = stage.timed.iter().enumerate().collect();
        in_order.sort_by_key(|(_, (_, lines))| lines.first().copied());
        let scripts = in_order.into_iter().filter_map(|(number, (at, lines))| {
            Some((*at, class(first(lines)?), AgendaItem::Steps(number)))
        });
        agenda.extend(scripts);
        Simulation {
            now: Time::ZERO,
            tape: Tape::new(),
            out: Outbox::new(),
            agenda,
            seats: Seats::default(),
            scripts: Scripts::new(&stage.scenario.page),
            alarms: Alarms::new(),
            page: PageState::new(stage.scenario.page.situation()),
            network: Network::new(&stage.world),
            edits: None,
            moves: None,
            live: None,
            put_off_at: None,
            heard: vec![0; stage.scripts.len()],
            listened: Vec::new(),
            within_ready: false,
            sources: elements::Sources::default(),
            is_in_task: false,
            budget: Budget::new(stage.knobs.limit_tasks_per_second()),
            last_change: Time::ZERO,
            last_line: if let Until::Line { line, .. } = stage.scenario.until {
                line
            } else {
                u32::MAX
            },
            stopped: None,
            stage,
        }
    }

    /// Binds a listener that only counts to an event of every player that is created from now on.
    ///
    /// The listener is really called, but no line records it, no limit counts it, and page code
    /// cannot remove it: the trace is the same without it.
    pub fn listen(&mut self, event: EventName) {
        self.listened.push(event);
    }

    /// Returns how often the listeners of [`Simulation::listen`] and functions without a name were
    /// called.
    #[must_use]
    pub fn calls_heard(&self) -> u32 {
        let of = |ListenerIndex(number)| self.heard[number];
        of(self.stage.counter()).saturating_add(of(self.stage.nameless()))
    }

    /// Returns the knobs of the run, which note what is read of them: by this run, and by all that
    /// were made of it by [`Simulation::fork`]. A clone can be asked when the run is over.
    #[must_use]
    pub fn knobs(&self) -> &KnobReader {
        &self.stage.knobs
    }

    /// Plays the next input that writes a line; `None` when the run is over.
    pub fn step(&mut self) -> Option<Turn<'_>> {
        let before = self.tape.records().len();
        let seq = self.tape.next_seq();
        let end = self.end();
        while self.turn(end) {
            if self.tape.next_seq() > seq {
                let first = before.min(self.tape.records().len() - 1);
                let records = &self.tape.records()[first..];
                return Some(Turn {
                    at: self.now,
                    records,
                    players: self.tape.players(),
                });
            }
        }
        None
    }

    /// Plays everything up to and including an instant. Splitting a run in this way does not change
    /// its trace. The clock remains at the last thing that happened; [`Simulation::advance`] moves
    /// it.
    ///
    /// Rule CLK-5.
    pub fn run_until(&mut self, at: Time) {
        let end = self.end().min(at);
        while self.turn(end) {}
        if self.stopped == Some(Stop::Until) && end < self.end() {
            self.stopped = None;
        }
    }

    /// Plays to the end. Every run ends, and none fails.
    #[must_use]
    pub fn run(mut self) -> Trace {
        let end = self.end();
        while self.turn(end) {}
        self.finish()
    }

    /// Plays to the end and passes each record to a sink, without keeping it.
    pub fn run_into(mut self, sink: &mut impl Sink) {
        let end = self.end();
        if !sink.wants_digest() {
            self.tape.leave_out_digest();
        }
        // The header of a run that is driven is known when it is over.
        let is_kept = self.live.is_some() || self.moves.is_some();
        // A turn that was played in part is played to its end.
        self.end_task();
        self.drain();
        while self.turn(end) {
            if !is_kept {
                // The last lines are kept because the outcome of a livelock lists them.
                self.tape.hand_over(self.kept_lines(), sink);
            }
        }
        let trace = self.finish();
        for record in &trace.records {
            sink.record(record, trace.container(record));
        }
    }

    /// Returns a snapshot, from which the run continues to the same trace. Rule CLK-11.
    #[must_use]
    pub fn fork(&self) -> Simulation {
        self.clone()
    }

    /// Returns the time on the virtual clock.
    #[must_use]
    pub fn now(&self) -> Time {
        self.now
    }

    /// Returns the players created so far, including destroyed ones, in the order of their
    /// creation.
    pub fn players(&self) -> impl Iterator<Item = &Player> {
        self.seats.iter().filter_map(Seat::player)
    }

    /// Returns the records so far.
    #[must_use]
    pub fn records(&self) -> &[Record] {
        self.tape.records()
    }

    /// Returns the last instant of the run.
    fn end(&self) -> Time {
        self.stage
            .scenario
            .until
            .end()
            .map_or(MAX_TIME, |at| at.min(MAX_TIME))
    }

    /// Plays one input that is due at or before `end`, with all that it causes, and returns whether
    /// there was one.
    fn turn(&mut self, end: Time) -> bool {
        if self.is_in_task {
            self.end_task();
        }
        let has_begun = self.begin_turn(end);
        if has_begun {
            self.drain();
        }
        has_begun
    }

    /// Takes one input that is due at or before `end`, and returns whether there was one.
    #[inline(always)]
    fn begin_turn(&mut self, end: Time) -> bool {
        if self.stopped.is_some() {
            return false;
        }
        if self.tape.next_seq() > self.last_line {
            self.stopped = Some(Stop::Until);
            return false;
        }
        let Some(next) = self.next() else {
            self.stopped = Some(Stop::Idle);
            return false;
        };
        let (Next::Agenda(at) | Next::Seat(at, _)) = next;
        if at > end {
            self.stopped = Some(if end == MAX_TIME {
                Stop::Time
            } else {
                Stop::Until
            });
            return false;
        }
        let counted = self.budget.count_turn();
        if !self.goes_on(counted) {
            return false;
        }
        self.move_to(at);
        self.tape.begin_turn();
        match next {
            Next::Agenda(_) => {
                if let Some(happening) = self.agenda.take() {
                    self.happen(happening);
                }
            }
            Next::Seat(_, seat) => {
                let horizon = if self.acts_on_updates(seat) {
                    at
                } else {
                    self.horizon(seat).min(end)
                };
                self.wake(seat, horizon);
            }
        }
        true
    }

    /// Moves the clock forward.
    #[inline]
    fn move_to(&mut self, at: Time) {
        // The time never goes back, whatever is due next was chosen before: nothing to watch.
        self.now = Time::from_micros(self.now.micros().max(at.micros()));
        self.budget.move_to(self.now);
    }

    /// Ends the run if a limit is exceeded. Returns whether the run continues.
    #[inline]
    fn goes_on(&mut self, counted: Result<(), Stop>) -> bool {
        if let Err(stop) = counted {
            self.stopped = Some(stop);
        }
        counted.is_ok()
    }

    /// Returns the next thing that is due: by time, then class; the agenda first, then the players
    /// in order. Rule CLK-2.
    fn next(&self) -> Option<Next> {
        let alarm = self.alarms.first();
        match self.agenda.next() {
            Some((at, class)) if !alarm.is_before(at, class) => Some(Next::Agenda(at)),
            Some(_) | None => {
                (alarm != Alarm::NEVER).then(|| Next::Seat(alarm.at(), alarm.player()))
            }
        }
    }

    /// Returns whether anything may happen between two time updates of a player: whether a listener
    /// of them does more than count its calls. Otherwise they are produced in advance.
    fn acts_on_updates(&self, seat: PlayerIndex) -> bool {
        let mut listeners = self.seats[seat].listeners().of(EventName::TimeUpdate);
        let is_silent = |number: usize| {
            self.stage
                .scripts
                .get(number)
                .is_some_and(stage::Script::is_unnamed)
        };
        listeners.any(|ListenerIndex(number)| !is_silent(number)) || self.is_watched(seat)
    }

    /// Returns the last instant at which a player's media work comes before anything else.
    fn horizon(&self, seat: PlayerIndex) -> Time {
        let before = |at: Time| Time::from_micros(at.micros().saturating_sub(1));
        let agenda = self
            .agenda
            .next()
            .map(|(at, class)| if class > Class::Media { at } else { before(at) });
        let other = self.alarms.first_except(seat);
        let players = if other.is_before_media_of(seat) {
            before(other.at())
        } else {
            other.at()
        };
        agenda.unwrap_or(Time::MAX).min(players)
    }

    #[inline]
    fn wake(&mut self, seat: PlayerIndex, horizon: Time) {
        self.out.begin(seat, Cause::Script, self.now);
        self.out.set_horizon(horizon);
        self.seats[seat].wake(&mut self.out);
        self.after_input(seat);
    }

    #[inline(never)]
    fn happen(&mut self, happening: AgendaItem) {
        match happening {
            AgendaItem::Start => {
                let data = self.stage.header.clone();
                self.write_header(data);
            }
            AgendaItem::Steps(number) => {
                let stage = Arc::clone(&self.stage);
                let (_, lines) = &stage.timed[number];
                for Step { act, player, .. } in
                    lines.iter().map(|line| &stage.scenario.steps[*line])
                {
                    self.do_act(act, player, Cause::Script);
                }
            }
            AgendaItem::ActivationEnds(line) => self.activation_expires(line),
            AgendaItem::Script(unit) => self.script_arrives(unit, Cause::Script),
            AgendaItem::PageTask => self.task_begins(),
            AgendaItem::Live {
                number,
                seat,
                cause,
            } => self.live_step(number, seat, cause),
            AgendaItem::Delayed {
                script,
                seat,
                cause,
            } => {
                self.put_off_at = Some(self.now);
                let stage = Arc::clone(&self.stage);
                let script = &stage.scripts[script];
                let acts = &script.does.then.acts;
                if self.counts_acts(acts) {
                    for act in acts {
                        self.act_later(act, script.target(), seat, cause);
                    }
                }
            }
            AgendaItem::Answer {
                seat,
                request,
                cause,
                reply,
                latency: _,
            } => self.hand_over(seat, &request, cause, reply),
            AgendaItem::Edited {
                route,
                answer,
                cause,
            } => self.edit_answered(route, &answer, cause),
            AgendaItem::Redirect {
                seat,
                request,
                cause,
                redirect,
                latency: _,
            } => {
                self.redirect(seat, request, cause, redirect);
            }
        }
    }

    /// Writes the first line.
    fn write_header(&mut self, data: Fields) {
        let (cause, rule) = (Cause::Script, Some(rules::TRACE_6));
        let line = Line::new(HeaderLine::Trace, data);
        self.tape.write(
            self.now,
            NewLine {
                cause,
                rule,
                player: None,
                in_break: None,
                line,
            },
        );
    }
}
