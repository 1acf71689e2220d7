//! Work that takes long: other Python threads run meanwhile, Ctrl-C ends it, and its progress is
//! told.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;

/// How often signals and progress are looked at.
const PERIOD: Duration = Duration::from_millis(50);

/// What work is given: when to stop, and how to tell how much of how much is done.
pub(crate) struct Watch {
    pub(crate) stop: AtomicBool,
    done: AtomicU64,
    all: AtomicU64,
}

impl Watch {
    pub(crate) fn tell(&self, done: u64, all: u64) {
        self.all.store(all, Ordering::Relaxed);
        // Threads may tell their counts out of order.
        self.done.fetch_max(done, Ordering::Relaxed);
    }
}

/// Does the work on another thread. `progress` is called with what is done and with all, on this
/// one. If it or a handler of signals raises an exception, the work is told to stop, and the
/// exception is passed on.
pub(crate) fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<T> {
    let watch = Watch {
        stop: AtomicBool::new(false),
        done: AtomicU64::new(0),
        all: AtomicU64::new(0),
    };
    let look = |watch: &Watch| {
        Python::attach(|py| {
            py.check_signals()?;
            let (done, all) = (
                watch.done.load(Ordering::Relaxed),
                watch.all.load(Ordering::Relaxed),
            );
            match progress.filter(|_| all > 0) {
                Some(progress) => progress.call1(py, (done, all)).map(drop),
                None => Ok(()),
            }
        })
    };
    py.detach(|| {
        thread::scope(|scope| {
            let (ended, is_ended) = channel::<()>();
            let watch = &watch;
            let worker = scope.spawn(move || {
                // Dropped at the end, also by a panic.
                let _ended = ended;
                work(watch)
            });
            let mut raised = None;
            while is_ended.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                if raised.is_none()
                    && let Err(error) = look(watch)
                {
                    watch.stop.store(true, Ordering::Relaxed);
                    raised = Some(error);
                }
            }
            let result = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            match raised {
                Some(error) => Err(error),
                None => look(watch).map(|()| result),
            }
        })
    })
}
