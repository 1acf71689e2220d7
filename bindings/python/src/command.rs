//! The command line.

use std::ffi::OsString;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use playsim::cli::{self, Process};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How often signals are looked at.
const PERIOD: Duration = Duration::from_millis(50);
/// How long a command that was interrupted may take to end.
const PATIENCE: Duration = Duration::from_secs(2);

/// Runs a command as the process that it is: the first argument is the name of the program. Returns
/// the exit code.
#[pyfunction]
pub(crate) fn run(py: Python<'_>, args: Vec<OsString>) -> u8 {
    py.detach(|| cli::main(args, Process::Own))
}

/// Runs a command within a program that handles its own signals: they are looked at meanwhile. A
/// command that is still running two seconds after an interrupt is left to itself.
#[pyfunction]
pub(crate) fn run_shared(py: Python<'_>, args: Vec<OsString>) -> PyResult<u8> {
    let flag = Arc::new(AtomicBool::new(false));
    let process = Process::Shared(Arc::clone(&flag));
    let (tell, told) = channel();
    thread::Builder::new()
        .name("playsim".to_owned())
        .spawn(move || {
            // Nobody waits any more if this fails.
            let _ = tell.send(cli::main(args, process));
        })?;
    py.detach(move || {
        loop {
            match told.recv_timeout(PERIOD) {
                Ok(code) => return Ok(code),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(PyRuntimeError::new_err(
                        "the command has panicked; standard error says why",
                    ));
                }
                Err(RecvTimeoutError::Timeout) => {
                    if let Err(raised) = Python::attach(|py| py.check_signals()) {
                        flag.store(true, Ordering::Relaxed);
                        let _ = told.recv_timeout(PATIENCE);
                        return Err(raised);
                    }
                }
            }
        }
    })
}
