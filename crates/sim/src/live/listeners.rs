//! Listeners that are Rust closures.
//!
//! They are called where the listeners of steps are: before those that page code has bound, in the
//! order in which they were bound. Each act of a closure is kept as a step at its event, and the
//! trace shows that step's listener. A closure that only reads leaves no line.
//!
//! Rules: EVT-1, EVT-2, EVT-22, CLK-12.

use std::fmt;
use std::sync::Arc;

use super::{LiveError, returned};
use crate::stage::{OnStep, Script};
use crate::{AgendaItem, Simulation};
use playsim_api::{
    Act, ApiError, Cause, Class, Command, EventName, Fields, PageChange, PlayerIndex, Query, Value,
};
use playsim_base::time::{Span, Time};
use playsim_scenario::{ScenarioError, Step, StepAct, Target, Trigger};
use playsim_trace::Record;

/// The closures of a run, which its forks share.
#[derive(Debug, Clone, Default)]
pub(super) struct Closures {
    all: Vec<Closure>,
    /// Deliveries that have not yet come past the closures, the innermost last.
    under_way: Vec<(PlayerIndex, EventName)>,
    counts: Vec<Count>,
}

#[derive(Clone)]
struct Closure {
    container: Arc<str>,
    event: EventName,
    run: Arc<dyn Fn(&mut Heard<'_>) + Send + Sync>,
}

impl fmt::Debug for Closure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}", self.event, self.container)
    }
}

/// How often an event was delivered to a player, up to a line.
#[derive(Debug, Clone)]
struct Count {
    seat: PlayerIndex,
    event: EventName,
    count: u32,
    before: u32,
}

impl Closures {
    pub(super) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub(super) fn hears(&self, container: &str, event: EventName) -> bool {
        self.all
            .iter()
            .any(|closure| closure.event == event && *closure.container == *container)
    }

    /// Returns how often the listener of a new step at this event would have been called: in every
    /// delivery that has already passed the closures, and in the current one.
    fn calls(&mut self, seat: PlayerIndex, event: EventName, records: &[Record]) -> u32 {
        let known = self
            .counts
            .iter()
            .position(|count| (count.seat, count.event) == (seat, event));
        let place = known.unwrap_or_else(|| {
            self.counts.push(Count {
                seat,
                event,
                count: 0,
                before: 0,
            });
            self.counts.len() - 1
        });
        let Count { count, before, .. } = &mut self.counts[place];
        let first = records.partition_point(|record| record.last_seq() < *before);
        for record in &records[first..] {
            if record.player == Some(seat) && record.is(event) {
                *count += record.last_seq() + 1 - record.seq.max(*before);
            }
            *before = record.last_seq() + 1;
        }
        let under_way = self
            .under_way
            .iter()
            .filter(|delivery| **delivery == (seat, event))
            .count();
        *count + 1 - u32::try_from(under_way).unwrap_or(u32::MAX).max(1)
    }
}

/// An event that a closure hears, and the simulation in which it happens.
pub struct Heard<'a> {
    simulation: &'a mut Simulation,
    seat: PlayerIndex,
    event: EventName,
    line: u32,
}

impl fmt::Debug for Heard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.event, self.at())
    }
}

impl Heard<'_> {
    /// Returns the event.
    #[must_use]
    pub fn event(&self) -> EventName {
        self.event
    }

    /// Returns the time.
    #[must_use]
    pub fn at(&self) -> Time {
        self.simulation.now
    }

    /// Returns the data of the event.
    #[must_use]
    pub fn data(&self) -> &Fields {
        self.simulation
            .tape
            .record(self.line)
            .map_or(const { &Fields::NONE }, |record| &record.data)
    }

    /// Returns the container of the player.
    #[must_use]
    pub fn container(&self) -> &str {
        &self.simulation.seats[self.seat].container
    }

    /// Returns the simulation, to look at.
    #[must_use]
    pub fn simulation(&self) -> &Simulation {
        self.simulation
    }

    /// Reads a getter or a property of the player. The trace does not show it.
    ///
    /// # Errors
    ///
    /// If the getter fails.
    pub fn query(&self, query: Query) -> Result<Value, ApiError> {
        self.simulation.seats[self.seat].query(self.simulation.now, query)
    }

    /// Calls the player's API within the listener. The effects of the call are delivered after the
    /// waiting events, as for any listener.
    ///
    /// # Errors
    ///
    /// If the call fails, or if an argument names a listener that does not exist.
    pub fn call(&mut self, command: impl Into<Command>) -> Result<Value, LiveError> {
        let Command { call, args, .. } = command.into();
        let line = self.perform(StepAct::Do { call, args })?;
        self.simulation
            .tape
            .record(line)
            .map_or(Ok(Value::Undefined), returned)
    }

    /// Calls the API of the player in another container, within the listener.
    ///
    /// # Errors
    ///
    /// As for [`Heard::call`], or if the container has no player.
    pub fn call_in(
        &mut self,
        container: &str,
        command: impl Into<Command>,
    ) -> Result<Value, LiveError> {
        let Command { call, args, .. } = command.into();
        let act = Box::new(StepAct::Do { call, args });
        let line = self.perform(StepAct::For {
            player: Target::Container(container.into()),
            act,
        })?;
        self.simulation
            .tape
            .record(line)
            .map_or(Ok(Value::Undefined), returned)
    }

    /// Calls the player's API after some time, as a timer of page code would.
    ///
    /// # Errors
    ///
    /// If an argument names a listener that does not exist, or if the time is too long.
    pub fn call_after(&mut self, span: Span, command: impl Into<Command>) -> Result<(), LiveError> {
        let Command { call, args, .. } = command.into();
        let step = self.step(StepAct::Do { call, args }, Some(span))?;
        let number = self.simulation.keep(step);
        let item = AgendaItem::Live {
            number,
            seat: Some(self.seat),
            cause: Cause::Line(self.line),
        };
        let at = self.simulation.now + span;
        self.simulation.agenda.insert(at, Class::Action, item);
        Ok(())
    }

    /// Performs an action of the user on the player.
    ///
    /// # Errors
    ///
    /// If a scenario could not hold the act.
    pub fn act(&mut self, act: Act) -> Result<(), LiveError> {
        self.perform(StepAct::User(act)).map(drop)
    }

    /// Changes the page around the player.
    ///
    /// # Errors
    ///
    /// If a scenario could not hold the change.
    pub fn page(&mut self, change: PageChange) -> Result<(), LiveError> {
        self.perform(StepAct::Page(change)).map(drop)
    }

    /// Returns the step that does the same at the same delivery.
    fn step(&mut self, act: StepAct, after: Option<Span>) -> Result<Step, LiveError> {
        let Heard {
            simulation,
            seat,
            event,
            ..
        } = self;
        // The step will be a listener's.
        simulation.settle_sources();
        let container = Arc::clone(&simulation.seats[*seat].container);
        let live = simulation.live.get_or_insert_default();
        let nth = Some(
            live.closures
                .calls(*seat, *event, simulation.tape.records()),
        );
        let trigger = Trigger::On {
            event: *event,
            nth,
            after,
        };
        let step = Step {
            trigger,
            act,
            player: Target::Container(container),
        };
        simulation.check_step(&step)?;
        Ok(step)
    }

    /// Performs an act, and returns its line.
    fn perform(&mut self, act: StepAct) -> Result<u32, LiveError> {
        if self.simulation.stopped.is_some() {
            return Err(LiveError::Over);
        }
        let step = self.step(act, None)?;
        let simulation = &mut *self.simulation;
        let number = simulation.keep(step.clone());
        let name = format!(
            "step {}",
            simulation.stage.scenario.steps.len() + number + 1
        );
        let Step {
            act,
            player: target,
            ..
        } = step;
        let name = name.into();
        let script = Script {
            name,
            step: None,
            does: vec![act].into(),
            target,
        };
        let listener = simulation.tape.next_seq();
        simulation.run_script(self.seat, self.event.name(), &script, 1, self.line);
        let records = simulation.tape.records();
        let after = records.partition_point(|record| record.last_seq() <= listener);
        let own = records[after..]
            .iter()
            .find(|record| record.cause == Some(listener));
        own.map(|record| record.seq).ok_or(LiveError::Over)
    }
}

impl Simulation {
    /// Binds a closure to an event of the first player in a container, whether or not that was
    /// created already. It is called whenever the event is delivered, before the listeners that
    /// page code binds, and may call the player.
    ///
    /// Forks of this run share the closure, so a counter in it must be atomic or behind a lock:
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    ///
    /// use playsim::api::{Call, EventName};
    ///
    /// # let film = playsim::video::Video::new("film");
    /// # let scenario = playsim::Scenario::default().with_video(film);
    /// let mut simulation = playsim::Simulation::new(&scenario)?;
    /// simulation.on("player", EventName::Ready, |heard| {
    ///     let _ = heard.call(Call::Play);
    /// })?;
    /// let updates = Arc::new(AtomicUsize::new(0));
    /// let counted = Arc::clone(&updates);
    /// simulation.on("player", EventName::TimeUpdate, move |_| {
    ///     counted.fetch_add(1, Ordering::Relaxed);
    /// })?;
    /// let trace = simulation.run();
    /// let fired = trace.events().filter(|event| event.name == EventName::TimeUpdate);
    /// assert_eq!(updates.load(Ordering::Relaxed), fired.count());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the page has no such container.
    pub fn on(
        &mut self,
        container: &str,
        event: EventName,
        run: impl Fn(&mut Heard<'_>) + Send + Sync + 'static,
    ) -> Result<(), LiveError> {
        let is_on_page = self
            .stage
            .scenario
            .page
            .containers
            .iter()
            .any(|it| *it.id == *container);
        let is_made = |step: &Step| step.act.container().is_some_and(|it| *it == *container);
        let live = self.live.iter().flat_map(|live| &live.steps);
        if !is_on_page && !self.stage.scenario.steps.iter().chain(live).any(is_made) {
            let part = format!("container \"{container}\"");
            let message = "the page has no such container".to_owned();
            return Err(LiveError::Invalid(ScenarioError::OutOfBounds {
                part,
                message,
            }));
        }
        let closure = Closure {
            container: container.into(),
            event,
            run: Arc::new(run),
        };
        self.live_mut().closures.all.push(closure);
        Ok(())
    }

    /// Calls the listeners of one event: those of steps, the closures, then all others.
    #[inline(never)]
    pub(crate) fn run_live_listeners(&mut self, seat: PlayerIndex, event: EventName, line: u32) {
        self.live_mut().closures.under_way.push((seat, event));
        let mut delivery = self.seats[seat].listeners().begin(event);
        let container = Arc::clone(&self.seats[seat].container);
        let is_first = self.seats.first(|other| other.container == container) == Some(seat);
        let is_here = |on: &OnStep| on.event == event && on.container == container;
        let scripts = self
            .stage
            .scripts
            .iter()
            .filter(|script| script.step.as_ref().is_some_and(is_here));
        let mut of_steps = if is_first { scripts.count() } else { 0 };
        loop {
            if of_steps == 0 {
                if is_first && self.is_newest(seat) {
                    self.call_closures(seat, event, line);
                }
                self.live_mut().closures.under_way.pop();
                break;
            }
            of_steps -= 1;
            self.run_next(seat, event, line, &mut delivery);
        }
        while self.run_next(seat, event, line, &mut delivery) {}
    }

    fn call_closures(&mut self, seat: PlayerIndex, event: EventName, line: u32) {
        let container = Arc::clone(&self.seats[seat].container);
        let closures = self.live.iter().flat_map(|live| &live.closures.all);
        let bound =
            closures.filter(|closure| closure.event == event && closure.container == container);
        let bound: Vec<_> = bound.map(|closure| Arc::clone(&closure.run)).collect();
        for run in bound {
            if self.stopped.is_some() {
                return;
            }
            run(&mut Heard {
                simulation: self,
                seat,
                event,
                line,
            });
        }
    }
}
