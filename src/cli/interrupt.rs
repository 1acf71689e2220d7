//! Work that a signal ends early, with what was done so far: Ctrl-C, or SIGTERM.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use playsim_base::words::io_error;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag::{register, register_conditional_shutdown};

use super::Exit;
use super::failure::Failure;
use super::process::{Process, process};

/// Whether work has to end.
#[derive(Debug, Clone)]
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Handles the signals from now on: the first asks the work to end, the second ends the process
    /// at once. In the process of another program, that program does.
    pub(super) fn listen() -> Result<Interrupt, Failure> {
        match process() {
            Process::Shared(flag) => Ok(Interrupt(flag)),
            Process::Own => Interrupt::install().map_err(|error| {
                Failure::Io(format!("cannot listen for signals: {}", io_error(&error)))
            }),
        }
    }

    fn install() -> io::Result<Interrupt> {
        let flag = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order, so that the first signal finds the flag down.
            register_conditional_shutdown(signal, Exit::Interrupted as i32, Arc::clone(&flag))?;
            register(signal, Arc::clone(&flag))?;
        }
        Ok(Interrupt(flag))
    }

    /// Whether a signal has arrived.
    pub(super) fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
