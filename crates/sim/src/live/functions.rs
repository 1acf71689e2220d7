//! Functions of the page that run outside: closures that page code binds like any listener.
//!
//! A function is called in its place within the dispatch, and acts through a [`PageScope`]. What
//! each call did is kept, so that the saved scenario has a listener with the same calls.
//!
//! Rules: EVT-2, EVT-13, EVT-22, CLK-12, CLK-13, INIT-13.

use std::fmt;
use std::sync::Arc;

use super::{LiveError, returned};
use crate::Simulation;
use crate::dispatch::THREW;
use crate::stage::{check_listeners_of, named};
use playsim_api::{
    ApiError, Cause, Command, Fields, Kind, ListenerIndex, PlayerIndex, Query, Text, Value,
};
use playsim_base::time::Time;
use playsim_rules as rules;
use playsim_scenario::{
    Answers, CallScript, ListenerScript, ScenarioError, Step, StepAct, Target, Trigger,
};

/// Runs a function of the page. The error is the text of an exception.
type Run = dyn Fn(&mut PageScope<'_>, &PageCall<'_>) -> Result<(), Text> + Send + Sync;

/// A function that was defined, with what its calls did.
#[derive(Clone)]
pub(super) struct PageFunction {
    name: Arc<str>,
    run: Arc<Run>,
    calls: Vec<CallScript>,
}

impl fmt::Debug for PageFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, called {} times", self.name, self.calls.len())
    }
}

impl PageFunction {
    /// Returns the listener that does the same. One that did the same in each call has no list of
    /// calls, if `may_be_plain`.
    pub(super) fn to_listener(&self, may_be_plain: bool) -> (Arc<str>, ListenerScript) {
        let first = self.calls.first().cloned().unwrap_or_default();
        let is_plain = may_be_plain && self.calls.iter().all(|call| *call == first);
        let script = if is_plain {
            first.into()
        } else {
            ListenerScript {
                calls: self.calls.clone(),
                then: CallScript::default(),
            }
        };
        (Arc::clone(&self.name), script)
    }
}

/// One call of a function of the page.
#[derive(Debug, Clone, Copy)]
pub struct PageCall<'a> {
    /// The name of the event, or `onReady` for the callback of the initialiser.
    pub heard: &'static str,
    /// The player, which is `this`.
    pub player: PlayerIndex,
    /// Its container.
    pub container: &'a str,
    /// The data of the event; `None` for the callback of the initialiser.
    pub data: Option<&'a Fields>,
}

/// Page code that is running: in a function, or in a task of the page. Everything it does takes
/// effect at once, and what that causes is delivered as for any page code.
#[derive(Debug)]
pub struct PageScope<'a> {
    pub(super) simulation: &'a mut Simulation,
    pub(super) part: PagePart,
}

/// The open task of the page.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenTask {
    /// The index of its step.
    pub(super) step: usize,
    /// Whether an act has decided which player the step is for.
    pub(super) has_player: bool,
}

/// Which page code is running.
#[derive(Debug, Clone, Copy)]
pub(super) enum PagePart {
    /// The open task.
    Task(OpenTask),
    /// A call of a function.
    Call {
        function: usize,
        call: usize,
        seat: PlayerIndex,
        /// The listener's line.
        line: u32,
    },
}

impl PageScope<'_> {
    /// Returns the simulation, to look at.
    #[must_use]
    pub fn simulation(&self) -> &Simulation {
        self.simulation
    }

    /// Returns the time on the virtual clock.
    #[must_use]
    pub fn now(&self) -> Time {
        self.simulation.now
    }

    /// Reads a getter or a property of the player in a container; no container stands for
    /// `$player()`. The trace does not show it.
    ///
    /// # Errors
    ///
    /// If there is no such player, or if the getter fails.
    pub fn query(&self, container: Option<&str>, query: Query) -> Result<Value, ApiError> {
        self.simulation.query_as_page(container, query)
    }

    /// Calls the API of the player in a container, and returns the result.
    ///
    /// # Errors
    ///
    /// If the call fails, if an argument names a function that does not exist, or if the run is
    /// over.
    pub fn call(
        &mut self,
        container: &str,
        command: impl Into<Command>,
    ) -> Result<Value, LiveError> {
        let Command { call, args, .. } = command.into();
        self.perform(
            StepAct::Do { call, args },
            Target::Container(container.into()),
        )
    }

    /// Performs any act that page code, the user or the page may perform, and returns the result.
    ///
    /// # Errors
    ///
    /// If the act fails, if no scenario could hold it, or if the run is over.
    pub fn perform(&mut self, act: StepAct, player: Target) -> Result<Value, LiveError> {
        let sim = &mut *self.simulation;
        if sim.stopped.is_some() {
            return Err(LiveError::Over);
        }
        let step = Step {
            trigger: Trigger::At(sim.now),
            act: StepAct::Task(vec![act]),
            player,
        };
        sim.check_step(&step)?;
        sim.settle_first(&step.act);
        let Step {
            act: StepAct::Task(mut acts),
            player,
            ..
        } = step
        else {
            return Err(LiveError::Over);
        };
        let Some(act) = acts.pop() else {
            return Err(LiveError::Over);
        };
        let (seat, cause) = match self.part {
            PagePart::Task(_) => (None, Cause::Script),
            PagePart::Call { seat, line, .. } => (Some(seat), Cause::Line(line)),
        };
        let (act, target) = match &mut self.part {
            PagePart::Task(task) => sim.keep_in_task(task, act, player),
            PagePart::Call {
                function,
                call,
                seat,
                ..
            } => {
                let is_own = sim.find(&player, Some(*seat)) == Ok(*seat);
                let act = if is_own { act } else { for_player(act, player) };
                sim.live_mut().functions[*function].calls[*call]
                    .acts
                    .push(act.clone());
                if !sim.counts_acts(std::slice::from_ref(&act)) {
                    return Err(LiveError::Over);
                }
                (act, Target::First)
            }
        };
        let first = sim.tape.next_seq();
        sim.act_within(&act, &target, seat, cause);
        // Events that waited may come before the call's own line.
        let records = sim.tape.records();
        let from = records.partition_point(|record| record.last_seq() < first);
        let cause = sim.tape.resolved(cause);
        let is_own = |record: &&playsim_trace::Record| {
            record.cause == cause && record.kind != Kind::Listener
        };
        records[from..]
            .iter()
            .find(is_own)
            .map_or(Err(LiveError::Over), returned)
    }

    /// Changes what a URL answers to requests that are sent from now on, as [`Simulation::answer`]
    /// does.
    ///
    /// # Errors
    ///
    /// As those of [`Simulation::answer`].
    pub fn answer(&mut self, url: &str, answer: impl Into<Answers>) -> Result<(), LiveError> {
        self.simulation.answer(url, answer)
    }

    /// Defines a function, as [`Simulation::define`] does.
    ///
    /// # Errors
    ///
    /// As those of [`Simulation::define`].
    pub fn define(
        &mut self,
        name: &str,
        run: impl Fn(&mut PageScope<'_>, &PageCall<'_>) -> Result<(), Text> + Send + Sync + 'static,
    ) -> Result<(), LiveError> {
        self.simulation.define(name, run)
    }
}

/// Returns the act for a player that is not the default one. Some acts are for no player.
pub(super) fn for_player(act: StepAct, player: Target) -> StepAct {
    if act.is_for_a_player() {
        StepAct::For {
            player,
            act: Box::new(act),
        }
    } else {
        act
    }
}

impl Simulation {
    /// Defines a function of the page. Page code can bind it by its name, as a
    /// [`Value::Function`](playsim_api::Value::Function) among the arguments of a call: it is a
    /// listener like any other. It may do everything that page code can do; what it throws is in
    /// its line, and does not stop other listeners. Forks of this run share the closure.
    ///
    /// ```
    /// use playsim::api::{Call, Command, Value};
    /// # use playsim::scenario::MediaScript;
    /// # use playsim::time::Span;
    /// # use playsim::video::{Rendition, Video};
    ///
    /// # let scenario = playsim::Scenario::default()
    /// #     .with_video(Video::new("film").with_rendition(Rendition::Sd, "film.mp4"))
    /// #     .with_media("film.mp4", MediaScript::of_length(Span::from_secs(10)));
    /// let mut simulation = playsim::Simulation::new(&scenario)?;
    /// simulation.define("onLastSecond", |page, call| {
    ///     let paused = page.call(call.container, Call::Pause);
    ///     paused.map(drop).map_err(|error| error.to_string().into())
    /// })?;
    /// simulation.task(|page| {
    ///     let args = [Value::from("lastSecond"), Value::Function("onLastSecond".into())];
    ///     page.call("player", Command::new(Call::On, args))
    /// })??;
    /// let trace = simulation.run();
    /// let mut names = trace.records.iter().filter_map(|record| record.data.text("binding"));
    /// assert!(names.any(|name| *name == "onLastSecond"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the name is empty, or if there is a listener of this name.
    ///
    /// Rules: EVT-2, EVT-13, CLK-13.
    pub fn define(
        &mut self,
        name: &str,
        run: impl Fn(&mut PageScope<'_>, &PageCall<'_>) -> Result<(), Text> + Send + Sync + 'static,
    ) -> Result<(), LiveError> {
        if name.is_empty() || self.listener(name).is_some() {
            let message = if name.is_empty() {
                "it has no name"
            } else {
                "there is a listener of this name"
            };
            let part = format!("function \"{name}\"");
            return Err(LiveError::Invalid(ScenarioError::OutOfBounds {
                part,
                message: message.to_owned(),
            }));
        }
        self.heard.push(0);
        let function = PageFunction {
            name: name.into(),
            run: Arc::new(run),
            calls: Vec::new(),
        };
        self.live_mut().functions.push(function);
        Ok(())
    }

    /// Returns the names of the functions that page code can bind: the listeners of the scenario,
    /// and those that were defined.
    pub fn function_names(&self) -> impl Iterator<Item = &str> {
        named(&self.stage.scripts).chain(self.functions().iter().map(|function| &*function.name))
    }

    /// Returns the name of a listener or function; that of a function without a name is empty.
    pub(crate) fn name_of(&self, ListenerIndex(number): ListenerIndex) -> Option<Text> {
        match self.stage.scripts.get(number) {
            Some(script) => Some(script.name.clone()),
            None => {
                let function = self.functions().get(number - self.stage.scripts.len())?;
                Some(Arc::clone(&function.name).into())
            }
        }
    }

    /// Returns the listener or function with this name.
    pub(crate) fn listener(&self, name: &str) -> Option<ListenerIndex> {
        let defined = || {
            let place = self
                .functions()
                .iter()
                .position(|function| *function.name == *name)?;
            Some(ListenerIndex(self.stage.scripts.len() + place))
        };
        self.stage.listener(name).or_else(defined)
    }

    pub(super) fn functions(&self) -> &[PageFunction] {
        self.live.as_ref().map_or(&[], |live| &live.functions)
    }

    /// Checks that the functions that an act binds exist.
    pub(super) fn check_functions(&self, act: &StepAct) -> Result<(), ScenarioError> {
        check_listeners_of(act, || self.function_names())
    }

    /// Returns the player or element that page code gets for a container; no container stands for
    /// `$player()`. The trace does not show it.
    ///
    /// # Errors
    ///
    /// If there is none, or if the script has not loaded. Rules: INIT-18, INIT-19, LOAD-1.
    pub fn find_player(&self, container: Option<&str>) -> Result<PlayerIndex, ApiError> {
        let target = container.map_or(Target::NoArgument, |id| Target::Container(id.into()));
        self.find(&target, None)
    }

    /// Returns how many players and elements were created.
    #[must_use]
    pub fn player_count(&self) -> usize {
        self.tape.players().len()
    }

    /// Reads a getter as page code does: no container stands for `$player()`. The trace does not
    /// show it.
    ///
    /// # Errors
    ///
    /// As those of [`Simulation::find_player`], or if the getter fails.
    pub fn query_as_page(&self, container: Option<&str>, query: Query) -> Result<Value, ApiError> {
        let seat = self.find_player(container)?;
        self.seats[seat].query(self.now, query)
    }

    /// Writes the line of a function's call, and calls it. Rules EVT-2, EVT-13, INIT-13.
    pub(crate) fn run_function(
        &mut self,
        seat: PlayerIndex,
        heard: &'static str,
        function: usize,
        event: u32,
    ) {
        let counted = self.budget.may_nest();
        if !self.goes_on(counted) {
            return;
        }
        let known = &mut self.live_mut().functions[function];
        let (name, run, call) = (
            Text::from(&known.name),
            Arc::clone(&known.run),
            known.calls.len(),
        );
        known.calls.push(CallScript::default());
        let line = self.write_listener(seat, heard, name, None, event);
        let outer = self.begin_listener(heard);
        let container = Arc::clone(&self.seats[seat].container);
        let of_event = self
            .tape
            .record(event)
            .filter(|record| record.kind == Kind::Event);
        let data = of_event.map(|record| record.data.clone());
        let about = PageCall {
            heard,
            player: seat,
            container: &container,
            data: data.as_ref(),
        };
        let part = PagePart::Call {
            function,
            call,
            seat,
            line,
        };
        let result = run(
            &mut PageScope {
                simulation: self,
                part,
            },
            &about,
        );
        if let Err(text) = result {
            self.live_mut().functions[function].calls[call].throws = Some((&*text).into());
            self.tape.amend(line, rules::EVT_13, THREW, text);
        }
        self.end_listener(outer);
    }
}
