//! Work that a signal ends early, with what was done so far: Ctrl-C, or SIGTERM.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use playsim_base::words::io_error;
use playsim_server::signals::signals;

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
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let here = runtime.enter();
        let first = signals()?;
        drop(here);
        let flag = Arc::new(AtomicBool::new(false));
        let raised = Arc::clone(&flag);
        thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || {
                runtime.block_on(async {
                    first.await;
                    let second = signals();
                    raised.store(true, Ordering::Relaxed);
                    if let Ok(second) = second {
                        second.await;
                        std::process::exit(Exit::Interrupted as i32);
                    }
                });
            })?;
        Ok(Interrupt(flag))
    }

    /// Whether a signal has arrived.
    pub(super) fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
