//! A running page whose code is outside.

use std::fmt::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::Answer;
use crate::answers::of_scenario;
#[cfg(feature = "explore")]
use crate::explored::Explored;
use crate::operation::{self, Page, write_data};
use crate::read::{Given, PageCode};
use crate::values::write_text;
use playsim::api::{Text, Value};
use playsim::scenario::{Answers, StepAct, Target};
use playsim::sim::{LiveError, PageCall, PageScope};
use playsim::time::Time;
use playsim::{Scenario, Simulation, Trace};

/// What runs a function of the page: its number, and `{ "type", "player", "at", "data" }`. An error
/// is the text of the exception that it threw.
type Outside = dyn Fn(&mut Within<'_, '_>, usize, &str) -> Result<(), String> + Send + Sync;

/// What a world and its functions share.
struct Shared {
    outside: Box<Outside>,
    functions: AtomicUsize,
    has_called: AtomicBool,
    /// Whether functions of the page are left out: something is only tried.
    is_mute: AtomicBool,
}

impl Shared {
    fn new(
        outside: impl Fn(&mut Within<'_, '_>, usize, &str) -> Result<(), String> + Send + Sync + 'static,
    ) -> Arc<Shared> {
        Arc::new(Shared {
            outside: Box::new(outside),
            functions: AtomicUsize::new(0),
            has_called: AtomicBool::new(false),
            is_mute: AtomicBool::new(false),
        })
    }
}

/// A running page.
pub struct World {
    pub(crate) simulation: Simulation,
    shared: Arc<Shared>,
    #[cfg(feature = "explore")]
    pub(crate) explored: Option<Box<Explored>>,
}

/// A page while one of its functions runs.
pub struct Within<'a, 'b> {
    scope: &'a mut PageScope<'b>,
    shared: Arc<Shared>,
}

/// The result of moving time on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moved {
    /// Whether an input was played.
    pub has_played: bool,
    /// Whether a function of the page was called.
    pub has_called: bool,
    /// Whether the run is over: it has reached its end or a limit.
    pub is_over: bool,
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a page at {}", self.simulation.now())
    }
}

impl fmt::Debug for Within<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a function of the page at {}", self.scope.now())
    }
}

impl World {
    /// Makes a page from `{ "scenario", "name"?, "files"? }`. `outside` runs a function of the
    /// page: it gets the function's number and `{ "type", "player", "at", "data" }`, and returns
    /// the text of an exception.
    ///
    /// # Errors
    ///
    /// A JSON text, with `mistakes` if the scenario cannot be read.
    pub fn new(
        text: &str,
        outside: impl Fn(&mut Within<'_, '_>, usize, &str) -> Result<(), String> + Send + Sync + 'static,
    ) -> Result<World, String> {
        let given = Given::parse(text)?;
        #[cfg(feature = "explore")]
        if let Some(asked) = &given.explore {
            let (simulation, explored) = Explored::new(&given, asked)?;
            return Ok(World {
                simulation,
                shared: Shared::new(outside),
                explored: Some(explored),
            });
        }
        let scenario = given.scenario(PageCode::Outside)?;
        let simulation = Simulation::new(&scenario).map_err(|error| of_scenario(&error))?;
        Ok(World {
            simulation,
            shared: Shared::new(outside),
            #[cfg(feature = "explore")]
            explored: None,
        })
    }

    /// Makes a page with the scenario of one that is explored, at the start and without any
    /// function. `None` if this one is not explored.
    #[cfg(feature = "explore")]
    pub fn again(
        &self,
        outside: impl Fn(&mut Within<'_, '_>, usize, &str) -> Result<(), String> + Send + Sync + 'static,
    ) -> Option<World> {
        let (simulation, explored) = self.explored.as_ref()?.again();
        Some(World {
            simulation,
            shared: Shared::new(outside),
            explored: Some(explored),
        })
    }

    /// Tries something without calling any function of the page.
    #[cfg(feature = "explore")]
    pub(crate) fn mute<T>(&self, run: impl FnOnce() -> T) -> T {
        self.shared.is_mute.store(true, Ordering::Relaxed);
        let result = run();
        self.shared.is_mute.store(false, Ordering::Relaxed);
        result
    }

    /// Whether a function of the page was called since it was last moved on.
    #[cfg(feature = "explore")]
    pub(crate) fn has_called(&self) -> bool {
        self.shared.has_called.load(Ordering::Relaxed)
    }

    /// Performs an operation, `{ "op", ... }`. Acts of page code join the open task of the page;
    /// those of the user and of the page around the players end it.
    ///
    /// # Errors
    ///
    /// A JSON text.
    pub fn perform(&mut self, text: &str) -> Answer {
        let operation = operation::read(text)?;
        if matches!(operation.op, "trace" | "outcome") {
            self.end_task();
        }
        #[cfg(feature = "explore")]
        if let Some(answer) = self.explore(operation.op, text) {
            return answer;
        }
        operation.perform(self, text)
    }

    /// Ends the open task, and returns a second page that is in the same state and goes its own way
    /// from here. Both have the same functions, with the same numbers.
    #[must_use]
    pub fn fork(&mut self) -> World {
        self.end_task();
        World {
            simulation: self.simulation.fork(),
            shared: Arc::clone(&self.shared),
            #[cfg(feature = "explore")]
            explored: self.explored.clone(),
        }
    }

    /// Ends the open task, and returns the trace of the run if it ended now, with the scenario that
    /// plays to it.
    pub fn played(&mut self) -> (Trace, Scenario) {
        self.end_task();
        let run = self.simulation.ending_now();
        let scenario = run.to_scenario();
        (run.run(), scenario)
    }

    /// Returns the time on the virtual clock.
    #[must_use]
    pub fn now(&self) -> Time {
        self.simulation.now()
    }

    /// Returns when the next thing is due, if anything is.
    #[must_use]
    pub fn next_due(&self) -> Option<Time> {
        #[cfg(feature = "explore")]
        if self.explored.is_some() {
            return playsim::testing::explore::replay::next_due(&self.simulation);
        }
        self.simulation.next_due()
    }

    /// Ends the open task, then plays one input that is due up to an instant. If none is, the clock
    /// is at that instant afterwards.
    pub fn turn_until(&mut self, at: Time) -> Moved {
        let has_played = self.simulation.turn_until(at);
        self.moved(has_played)
    }

    /// Ends the open task of the page: what it caused is delivered.
    pub fn end_task(&mut self) -> Moved {
        let is_open = self.simulation.has_open_task();
        self.simulation.end_task();
        self.moved(is_open)
    }

    fn moved(&self, has_played: bool) -> Moved {
        let has_called = self.shared.has_called.swap(false, Ordering::Relaxed);
        Moved {
            has_played,
            has_called,
            is_over: self.simulation.outcome().is_some(),
        }
    }
}

impl Within<'_, '_> {
    /// Performs an operation, as [`World::perform`] does: its acts are those of the function.
    ///
    /// # Errors
    ///
    /// A JSON text.
    pub fn perform(&mut self, text: &str) -> Answer {
        operation::read(text)?.perform(self, text)
    }

    /// Returns the time on the virtual clock.
    #[must_use]
    pub fn now(&self) -> Time {
        self.scope.now()
    }

    /// Returns when the next thing is due, if anything is.
    #[must_use]
    pub fn next_due(&self) -> Option<Time> {
        self.scope.simulation().next_due()
    }
}

impl Page for World {
    fn simulation(&self) -> &Simulation {
        &self.simulation
    }

    fn act(&mut self, act: StepAct, player: Target) -> Result<Value, LiveError> {
        self.simulation
            .in_task(|scope| scope.perform(act, player))?
    }

    fn act_from_outside(&mut self, act: StepAct, player: Target) -> Result<(), LiveError> {
        self.simulation.perform(act, player).map(drop)
    }

    fn answer(&mut self, url: &str, answers: Answers) -> Result<(), LiveError> {
        self.simulation.answer(url, answers)
    }

    fn define(&mut self, name: &str) -> Result<(usize, String), LiveError> {
        let (function, name, run) = new_function(&self.shared, &self.simulation, name);
        self.simulation.define(&name, run)?;
        Ok((function, name))
    }
}

impl Page for Within<'_, '_> {
    fn simulation(&self) -> &Simulation {
        self.scope.simulation()
    }

    fn act(&mut self, act: StepAct, player: Target) -> Result<Value, LiveError> {
        self.scope.perform(act, player)
    }

    fn act_from_outside(&mut self, act: StepAct, player: Target) -> Result<(), LiveError> {
        self.scope.perform(act, player).map(drop)
    }

    fn answer(&mut self, url: &str, answers: Answers) -> Result<(), LiveError> {
        self.scope.answer(url, answers)
    }

    fn define(&mut self, name: &str) -> Result<(usize, String), LiveError> {
        let (function, name, run) = new_function(&self.shared, self.scope.simulation(), name);
        self.scope.define(&name, run)?;
        Ok((function, name))
    }
}

/// Returns the number of a new function, a name that no other has, and what runs it.
fn new_function(
    shared: &Arc<Shared>,
    simulation: &Simulation,
    name: &str,
) -> (
    usize,
    String,
    impl Fn(&mut PageScope<'_>, &PageCall<'_>) -> Result<(), Text> + Send + Sync + use<>,
) {
    let function = shared.functions.fetch_add(1, Ordering::Relaxed);
    let is_taken = |name: &str| simulation.function_names().any(|known| known == name);
    let base = if name.is_empty() { "function" } else { name };
    let numbered = (2..).map(|number| format!("{base}_{number}"));
    let free = std::iter::once(base.to_owned())
        .chain(numbered)
        .find(|name| !is_taken(name));
    let shared = Arc::clone(shared);
    let run = move |scope: &mut PageScope<'_>, call: &PageCall<'_>| {
        if shared.is_mute.load(Ordering::Relaxed) {
            return Ok(());
        }
        shared.has_called.store(true, Ordering::Relaxed);
        let text = described(scope, call);
        let mut within = Within {
            scope,
            shared: Arc::clone(&shared),
        };
        (shared.outside)(&mut within, function, &text).map_err(Text::from)
    };
    (function, free.unwrap_or_default(), run)
}

/// A call of a function as JSON.
fn described(scope: &PageScope<'_>, call: &PageCall<'_>) -> String {
    let mut text = String::from("{\"type\":");
    write_text(call.heard, &mut text);
    text.push_str(",\"player\":");
    write_text(call.container, &mut text);
    let _ = write!(text, ",\"index\":{}", call.player.0);
    let _ = write!(text, ",\"at\":{},\"data\":", scope.now().micros());
    match call.data {
        Some(data) => write_data(data, &mut text),
        None => text.push_str("null"),
    }
    text.push('}');
    text
}
