//! Drives a running simulation: the acts of page code, the user and the page are decided while it
//! plays.
//!
//! An act is an input like a step of the scenario. It is put on the agenda at the current instant,
//! so that work of this instant that comes before steps is done first, and the trace shows the act
//! like a step. All acts are kept as steps: [`Simulation::to_scenario`] is a scenario that plays to
//! the same trace.
//!
//! Rules: CLK-2, CLK-5, EVT-2, INV-1, INV-2.

use std::sync::Arc;

use super::scripts::class;
use super::seat::Unit;
use super::stage::header;
use super::{AgendaItem, Simulation};
use playsim_api::{
    Act, ApiError, Cause, Class, Code, Command, EventName, LineName, PageChange, PlayerIndex,
    Query, Text, Value,
};
use playsim_base::time::{Span, Time};
use playsim_rules as rules;
use playsim_scenario::{EditScript, Scenario, ScenarioError, Step, StepAct, Target, Trigger};
use playsim_trace::{Record, Run};

mod answers;
mod functions;
mod listeners;
mod tasks;

pub use functions::{PageCall, PageScope};
pub use listeners::Heard;

use functions::{OpenTask, PageFunction};
use listeners::Closures;

/// The acts of a driver of a running simulation.
#[derive(Debug, Clone, Default)]
pub(super) struct Live {
    /// The acts in order: the steps of the saved scenario after those of the played one.
    steps: Vec<Step>,
    closures: Closures,
    /// The functions that were defined.
    functions: Vec<PageFunction>,
    /// The open task of the page.
    task: Option<OpenTask>,
    /// Whether a response was changed.
    has_answered: bool,
    /// The first line that [`Simulation::advance_to`] has not looked at.
    unseen: u32,
    /// Whether each time update is a separate input.
    each_update: bool,
    /// How many turns there were when the last act was done.
    turns_after_act: u64,
    /// The first line of the last act.
    line: Option<u32>,
}

/// Why a running simulation cannot do something.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LiveError {
    /// The run has reached its end or a limit.
    #[error("the run is over: it has reached its end or a limit")]
    Over,
    /// The call failed, or there is no such player. The trace shows it.
    #[error(transparent)]
    Call(#[from] ApiError),
    /// No scenario could hold the act. The trace does not show it.
    #[error(transparent)]
    Invalid(#[from] ScenarioError),
    /// The response of this URL cannot be changed any more.
    #[error("the response of \"{url}\" cannot be changed: {why}")]
    Answer {
        /// The URL.
        url: Arc<str>,
        /// The reason.
        why: &'static str,
    },
}

impl Live {
    fn is_untouched(&self) -> bool {
        self.steps.is_empty() && self.functions.is_empty() && !self.has_answered
    }

    /// Returns whether the player in a container has its time updates one at a time.
    pub(super) fn hears_updates(&self, container: &str) -> bool {
        self.each_update || self.closures.hears(container, EventName::TimeUpdate)
    }
}

impl Simulation {
    /// Calls the API of the player in a container, as page code does, and returns the result.
    ///
    /// ```
    /// # use playsim::api::{Call, Command};
    /// # use playsim::time::Span;
    /// # let film = playsim::video::Video::new("film");
    /// # let scenario = playsim::Scenario::default().with_video(film);
    /// let mut simulation = playsim::Simulation::new(&scenario)?;
    /// simulation.advance(Span::from_secs(1));
    /// simulation.call("player", Call::Pause)?;
    /// simulation.call("player", Command::new(Call::CurrentTime, [5]))?;
    /// assert!(simulation.call("nowhere", Call::Play).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the call fails, if the container has no player, or if an argument names a listener that
    /// does not exist.
    pub fn call(
        &mut self,
        container: &str,
        command: impl Into<Command>,
    ) -> Result<Value, LiveError> {
        let Command { call, args, .. } = command.into();
        let record = self.perform(
            StepAct::Do { call, args },
            Target::Container(container.into()),
        )?;
        returned(record)
    }

    /// Performs an action of the user on the player in a container.
    ///
    /// # Errors
    ///
    /// If the container has no player.
    pub fn act(&mut self, container: &str, act: Act) -> Result<(), LiveError> {
        self.perform_on(container, StepAct::User(act))
    }

    /// Changes the page around the player in a container.
    ///
    /// # Errors
    ///
    /// If the container has no player, or if a scenario could not hold the change. A change of the
    /// whole page, such as of its window, happens even if there is no player.
    pub fn page(&mut self, container: &str, change: PageChange) -> Result<(), LiveError> {
        self.perform_on(container, StepAct::Page(change))
    }

    /// Makes an edit call. The record that is returned has the answer, if that comes at once.
    ///
    /// # Errors
    ///
    /// If a scenario could not hold the call. A call that the service refuses is none: it has a
    /// status.
    pub fn edit(&mut self, script: EditScript) -> Result<&Record, LiveError> {
        self.perform(StepAct::Edit(script), Target::First)
    }

    /// Performs any act that a step may perform, and returns its record.
    ///
    /// At one instant the act comes after work of the players and the network, as steps do. It
    /// comes a microsecond later if something else of this instant has been done that a step would
    /// have come before, such as what a listener has put off: no scenario could say otherwise.
    ///
    /// # Errors
    ///
    /// If no scenario could hold the act, or if the run is over.
    pub fn perform(&mut self, act: StepAct, player: Target) -> Result<&Record, LiveError> {
        self.perform_at(act, player, Time::ZERO)
    }

    /// As [`Simulation::perform`], at an instant that is not yet over, if it is later. What is due
    /// until then is done first.
    ///
    /// # Errors
    ///
    /// If no scenario could hold the act, or if the run is over.
    pub fn perform_at(
        &mut self,
        act: StepAct,
        player: Target,
        at: Time,
    ) -> Result<&Record, LiveError> {
        self.end_task();
        let at = self.next_instant(&act).max(at);
        if at > self.end() || !self.may_continue() {
            return Err(LiveError::Over);
        }
        let step = Step {
            trigger: Trigger::At(at),
            act,
            player,
        };
        self.check_step(&step)?;
        self.settle_first(&step.act);
        let class = class(&step.act);
        let number = self.keep(step);
        self.agenda.plan(
            at,
            class,
            AgendaItem::Live {
                number,
                seat: None,
                cause: Cause::Script,
            },
        );
        self.stopped = None;
        let live = self.live_mut();
        live.line = None;
        while self.live_mut().line.is_none() && self.turn(at) {}
        let turns = self.budget.turns();
        let live = self.live_mut();
        live.turns_after_act = turns;
        let line = live.line.ok_or(LiveError::Over)?;
        live.unseen = line + 1;
        self.tape.record(line).ok_or(LiveError::Over)
    }

    /// Reads a getter or a property of the player in a container. The trace does not show it.
    ///
    /// # Errors
    ///
    /// If the container has no player.
    pub fn query(&self, container: &str, query: Query) -> Result<Value, ApiError> {
        let seat = self.find(&Target::Container(container.into()), None)?;
        self.seats[seat].query(self.now, query)
    }

    /// Plays for a time, everything of its last instant included, and returns the time on the
    /// clock. The clock stops at the end of the run.
    pub fn advance(&mut self, span: Span) -> Time {
        let to = (self.now + span).min(self.end());
        self.run_until(to);
        if self.may_continue() && to > self.now {
            self.move_to(to);
        }
        let seq = self.tape.next_seq();
        self.live_mut().unseen = seq;
        self.now
    }

    /// Plays until a line of this name is written: an event, or a line of any other table.
    /// Everything that the same input causes is done too.
    ///
    /// It looks at the lines after the one that it returned last, after the last act, or after the
    /// last [`Simulation::advance`], whichever is latest. A time update is returned alone. Returns
    /// `None` if the run ends first.
    pub fn advance_to(&mut self, name: impl Into<LineName>) -> Option<Record> {
        let name = name.into();
        self.live_mut().each_update = name == LineName::Event(EventName::TimeUpdate);
        let end = self.end();
        let found = loop {
            if let Some(found) = self.unseen(name) {
                break Some(found);
            }
            if !self.turn(end) {
                break None;
            }
        };
        self.live_mut().each_update = false;
        found
    }

    /// Returns a scenario that plays to the trace of this simulation, as far as it was driven: acts
    /// are steps at their times, acts of listeners are steps at their events, and changed responses
    /// are in its network.
    ///
    /// It replays the changes by [`Simulation::intercept`] only if the replay intercepts too. Each
    /// act of a closure is a separate listener, which waits through every delivery of its event:
    /// with thousands of acts on one event, the replay is slow.
    #[must_use]
    pub fn to_scenario(&self) -> Scenario {
        let steps = self.live.as_ref().map_or(&[][..], |live| &live.steps);
        if steps.is_empty() && self.functions().is_empty() {
            let mut given = self.stage.given();
            self.write_moves(&mut given);
            return given;
        }
        let mut scenario = self.stage.scenario.clone();
        self.write_moves(&mut scenario);
        if let Some(name) = self.stage.autostart()
            && !scenario.listeners.iter().any(|(known, _)| **known == *name)
        {
            let play = StepAct::Do {
                call: playsim_api::Call::Play,
                args: Vec::new(),
            };
            scenario.listeners.push((name.into(), vec![play].into()));
        }
        scenario.steps.extend_from_slice(steps);
        // A plain listener counts its acts before it performs them, and would end at a limit
        // elsewhere.
        let may_be_plain = self.may_continue();
        let functions = self
            .functions()
            .iter()
            .map(|function| function.to_listener(may_be_plain));
        scenario.listeners.extend(functions);
        scenario
    }

    /// Returns whether no closure and no function of page code outside is bound.
    pub(super) fn has_no_page_code(&self) -> bool {
        self.live.as_ref().is_none_or(|live| {
            live.closures.is_empty() && live.functions.is_empty() && live.task.is_none()
        })
    }

    /// The header describes the scenario that plays to the same trace.
    pub(super) fn describe_live(&mut self) {
        if self.moves.is_none() && self.live.as_ref().is_some_and(|live| !live.is_untouched()) {
            let data = header(&self.to_scenario());
            self.tape.set_header(data);
        }
    }

    /// Performs the act of the agenda.
    pub(super) fn live_step(&mut self, number: usize, seat: Option<PlayerIndex>, cause: Cause) {
        let seq = self.tape.next_seq();
        if cause != Cause::Script {
            self.put_off_at = Some(self.now);
        }
        let live = self.live_mut();
        live.line = Some(seq);
        let Some(Step { act, player, .. }) = live.steps.get(number).cloned() else {
            return;
        };
        match seat {
            Some(seat) => self.act_later(&act, &Target::First, seat, cause),
            None => self.do_act(&act, &player, cause),
        }
    }

    /// Returns whether each time update of a player must be a separate input.
    #[inline]
    pub(super) fn is_watched(&self, seat: PlayerIndex) -> bool {
        self.live
            .as_ref()
            .is_some_and(|live| live.hears_updates(&self.seats[seat].container))
    }

    /// Returns the names of the steps for the acts of closures in a container.
    pub(super) fn live_listeners(&self, container: &str) -> impl Iterator<Item = Text> {
        let known = self.stage.scenario.steps.len();
        let live = self.live.iter().flat_map(|live| &live.steps).enumerate();
        let of_container = live.filter(move |(_, step)| {
            matches!(step.trigger, Trigger::On { .. })
                && matches!(&step.player, Target::Container(id) if **id == *container)
        });
        of_container.map(move |(number, _)| format!("step {}", known + number + 1).into())
    }

    fn live_mut(&mut self) -> &mut Live {
        self.live.get_or_insert_default()
    }

    /// Keeps a step for the saved scenario, and returns its index.
    fn keep(&mut self, step: Step) -> usize {
        let live = self.live_mut();
        live.steps.push(step);
        live.steps.len() - 1
    }

    fn perform_on(&mut self, container: &str, act: StepAct) -> Result<(), LiveError> {
        let target = Target::Container(container.into());
        let record = self.perform(act, target.clone())?;
        if record.player.is_some() {
            return Ok(());
        }
        // A change of the whole page belongs to no player.
        self.find(&target, None).map(drop).map_err(LiveError::Call)
    }

    /// Returns when an act can be done, so that a step at that time comes after everything that was
    /// done so far.
    fn next_instant(&self, act: &StepAct) -> Time {
        let has_begun = self.budget.turns() > 0;
        // A script arrives like a response: before other work of its instant.
        let is_early = class(act) == Class::Net;
        // An element does some of its work after the steps of an instant.
        let is_alone = self
            .live
            .as_ref()
            .is_some_and(|live| live.turns_after_act == self.budget.turns());
        let has_elements = self
            .seats
            .iter()
            .any(|seat| matches!(seat.unit, Unit::Element(..)));
        let is_late = self.put_off_at == Some(self.now) || has_elements && !is_alone;
        // As a step, it would be the next line of a script that has already run. INIT-11
        let of_now = |step: &&Step| step.trigger == Trigger::At(self.now);
        let live = self.live.iter().flat_map(|live| &live.steps);
        let is_next_line = act.binds_to_ready()
            && self
                .stage
                .scenario
                .steps
                .iter()
                .chain(live)
                .filter(of_now)
                .any(|step| matches!(step.act, StepAct::Init { .. }));
        if is_next_line || has_begun && (is_early || is_late) {
            self.now + Span::from_micros(1)
        } else {
            self.now
        }
    }

    /// Checks a step against the bounds of scenarios, and that the listeners it names exist.
    fn check_step(&self, step: &Step) -> Result<(), LiveError> {
        step.check()?;
        self.check_functions(&step.act)?;
        let creates = |step: &Step| step.act.container().is_some();
        let made = self.live.iter().flat_map(|live| &live.steps);
        // Steps for the first player find it by the first step that creates one.
        if let Some(container) = step.act.container()
            && container != self.stage.first
            && !self.stage.scenario.steps.iter().chain(made).any(creates)
            && !self.stage.has_no_acts()
        {
            let part = format!("container \"{container}\"");
            let message = format!(
                "the first player must be created in container \"{}\"",
                self.stage.first
            );
            return Err(LiveError::Invalid(ScenarioError::OutOfBounds {
                part,
                message,
            }));
        }
        Ok(())
    }

    /// Where all page code is outside, the first container in which it creates a player is that of
    /// the first player.
    fn settle_first(&mut self, act: &StepAct) {
        let Some(container) = act
            .container()
            .filter(|container| *container != self.stage.first)
        else {
            return;
        };
        let is_first = self
            .live
            .as_ref()
            .is_none_or(|live| live.steps.iter().all(|step| step.act.container().is_none()));
        if is_first && self.stage.has_no_acts() {
            Arc::make_mut(&mut self.stage).first = container;
        }
    }

    /// Returns the first line of this name that was not looked at, and notes that it was.
    fn unseen(&mut self, name: LineName) -> Option<Record> {
        let (records, seq) = (self.tape.records(), self.tape.next_seq());
        let unseen = self.live.as_ref().map_or(0, |live| live.unseen);
        let first = records.partition_point(|record| record.last_seq() < unseen);
        let found = records[first..]
            .iter()
            .find(|record| record.is(name))
            .map(|record| {
                let place = unseen.saturating_sub(record.seq);
                let run = record.run.map(|run| Run { count: 1, ..run });
                let at = record.run.map_or(record.at, |run| {
                    record.at + run.step.times(u64::from(place))
                });
                Record {
                    at,
                    seq: record.seq + place,
                    run,
                    ..record.clone()
                }
            });
        self.live_mut().unseen = found.as_ref().map_or(seq, |record| record.seq + 1);
        found
    }
}

/// Returns the result of a call from its line.
fn returned(record: &Record) -> Result<Value, LiveError> {
    let data = &record.data;
    let Some(code) = data.text("error") else {
        return Ok(data.get("returns").cloned().unwrap_or(Value::Undefined));
    };
    let code = Code::from_name(code).unwrap_or(Code::BadArgument);
    let text = data.text("text").cloned().unwrap_or(Text::Static(""));
    Err(LiveError::Call(ApiError {
        code,
        text,
        rule: record.rule.unwrap_or(rules::INIT_19),
    }))
}
