//! Running pages whose functions are Python callables.
//!
//! A function of the page runs while its world does, and acts on it: the world is taken out of its
//! place for as long as it runs, and the innermost running function is found through a scoped
//! variable of the thread.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use playsim_bindings::{Answer, Time, Within};
use pyo3::prelude::*;
use scoped_tls_hkt::{ReborrowMut, scoped_thread_local};

use crate::errors::{argument, raised};
use crate::trace::Trace;

/// A running function of a page.
struct Inner<'a>(&'a mut (dyn Act + 'a));

trait Act {
    fn perform(&mut self, text: &str) -> Answer;
    fn now(&self) -> Time;
}

impl Act for Within<'_, '_> {
    fn perform(&mut self, text: &str) -> Answer {
        Within::perform(self, text)
    }

    fn now(&self) -> Time {
        Within::now(self)
    }
}

impl<'a> ReborrowMut<'a> for Inner<'_> {
    type Result = Inner<'a>;

    fn reborrow_mut(&'a mut self) -> Inner<'a> {
        Inner(self.0)
    }
}

scoped_thread_local!(static mut INNER: for<'a> Inner<'a>);

thread_local! {
    /// The worlds that run on this thread, the innermost last.
    static RUNNING: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

static NEXT: AtomicU64 = AtomicU64::new(0);

/// A running page.
#[pyclass(frozen, module = "playsim._playsim")]
pub(crate) struct World {
    number: u64,
    /// Empty while it runs.
    place: Mutex<Option<playsim_bindings::World>>,
}

#[pymethods]
impl World {
    /// Makes a page of `{ "scenario", "name", "files" }`. `call` runs a function of the page: it
    /// gets the function's number and a text in JSON, and returns the text of an exception or None.
    #[new]
    fn new(py: Python<'_>, text: &str, call: Py<PyAny>) -> PyResult<World> {
        let outside = move |within: &mut Within<'_, '_>, function: usize, text: &str| {
            INNER.set(Inner(within), || {
                Python::attach(|py| {
                    let thrown = call
                        .call1(py, (function, text))
                        .and_then(|it| it.extract::<Option<String>>(py));
                    match thrown {
                        Ok(None) => Ok(()),
                        Ok(Some(text)) => Err(text),
                        Err(error) => Err(error.to_string()),
                    }
                })
            })
        };
        let world =
            playsim_bindings::World::new(text, outside).map_err(|error| raised(py, &error))?;
        Ok(World::of(world))
    }

    /// Performs an operation, a text in JSON, and answers in JSON.
    fn perform(&self, py: Python<'_>, text: &str) -> PyResult<String> {
        let answer = match self.inner(|inner| inner.perform(text)) {
            Some(answer) => answer,
            None => self.run(py, |world| world.perform(text))?,
        };
        answer.map_err(|error| raised(py, &error))
    }

    /// The time on the virtual clock, in microseconds.
    fn now(&self, py: Python<'_>) -> PyResult<u64> {
        match self.inner(|inner| inner.now()) {
            Some(now) => Ok(now.micros()),
            None => self.run(py, |world| world.now().micros()),
        }
    }

    /// When the next thing is due, in microseconds, if anything is.
    fn next_due(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        self.run(py, |world| world.next_due().map(Time::micros))
    }

    /// Plays one input that is due until an instant: whether one was played, whether a function was
    /// called, and whether the run is over.
    fn turn_until(&self, py: Python<'_>, at: u64) -> PyResult<(bool, bool, bool)> {
        let moved = self.run(py, |world| world.turn_until(Time::from_micros(at)))?;
        Ok((moved.has_played, moved.has_called, moved.is_over))
    }

    /// Ends the open task of the page.
    fn end_task(&self, py: Python<'_>) -> PyResult<(bool, bool, bool)> {
        let moved = self.run(py, playsim_bindings::World::end_task)?;
        Ok((moved.has_played, moved.has_called, moved.is_over))
    }

    /// Whether one of its functions runs on this thread.
    fn is_within(&self) -> bool {
        is_innermost(self.number)
    }

    /// A second page in the same state, with the same functions.
    fn fork(&self, py: Python<'_>) -> PyResult<World> {
        Ok(World::of(self.run(py, playsim_bindings::World::fork)?))
    }

    /// The trace so far.
    fn trace(&self, py: Python<'_>) -> PyResult<Trace> {
        let (trace, scenario) = self.run(py, playsim_bindings::World::played)?;
        Ok(Trace { trace, scenario })
    }
}

impl World {
    fn of(world: playsim_bindings::World) -> World {
        World {
            number: NEXT.fetch_add(1, Ordering::Relaxed),
            place: Mutex::new(Some(world)),
        }
    }

    /// Acts through the running function of this world, if one runs.
    fn inner<T>(&self, act: impl FnOnce(&mut dyn Act) -> T) -> Option<T> {
        (is_innermost(self.number) && INNER.is_set()).then(|| INNER.with(|inner| act(inner.0)))
    }

    /// Takes the world out of its place for as long as `act` runs.
    fn run<T>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut playsim_bindings::World) -> T,
    ) -> PyResult<T> {
        let taken = self
            .place
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        let Some(mut world) = taken else {
            let message = if is_innermost(self.number) {
                "a function of the page runs: time, forks and traces have to wait until it has returned"
            } else {
                "the simulation is in use: it runs on another thread, or a function of it drives another simulation"
            };
            return Err(argument(py, message));
        };
        let running = Running::of(self.number);
        let result = act(&mut world);
        drop(running);
        *self.place.lock().unwrap_or_else(PoisonError::into_inner) = Some(world);
        Ok(result)
    }
}

/// A world runs on this thread until this is dropped, also by a panic.
struct Running;

impl Running {
    fn of(number: u64) -> Running {
        RUNNING.with_borrow_mut(|running| running.push(number));
        Running
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        RUNNING.with_borrow_mut(Vec::pop);
    }
}

fn is_innermost(number: u64) -> bool {
    RUNNING.with_borrow(|running| running.last() == Some(&number))
}
