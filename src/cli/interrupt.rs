//! The signals that end a command, Ctrl-C and SIGTERM: with what was done so far, or at once.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::Exit;
use super::process::{Process, process};

/// What handles the signals of this process.
#[derive(Debug)]
enum Handling {
    /// Nothing yet: they end it.
    Nothing,
    /// The thread here. The first signal raises the flag, if there is one; the next one ends the
    /// process.
    Thread(Option<Arc<AtomicBool>>),
    /// A server, which answers the requests in progress and ends on its own.
    #[cfg(any(feature = "serve", feature = "origin"))]
    Server,
}

static HANDLING: Mutex<Handling> = Mutex::new(Handling::Nothing);

static BEFORE_THE_END: OnceLock<fn()> = OnceLock::new();

/// Whether work has to end.
#[derive(Debug, Clone)]
pub(super) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Handles the signals from now on: the first asks the work to end, the second ends the process
    /// at once. In the process of another program, that program does.
    pub(super) fn listen() -> io::Result<Interrupt> {
        let flag = match process() {
            Process::Shared(flag) => return Ok(Interrupt(flag)),
            Process::Own => Arc::new(AtomicBool::new(false)),
        };
        install(Some(Arc::clone(&flag)))?;
        Ok(Interrupt(flag))
    }

    /// Whether a signal has arrived.
    pub(super) fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// From now on `act` is done before a signal ends the process.
pub(super) fn before_the_end(act: fn()) {
    if matches!(process(), Process::Own) {
        // Another one is the same.
        let _ = BEFORE_THE_END.set(act);
        // Without a handler what is left has names that say what it is.
        let _ = install(None);
    }
}

/// From now on a server handles the signals.
#[cfg(any(feature = "serve", feature = "origin"))]
pub(super) fn leave_to_server() {
    *handling() = Handling::Server;
}

fn handling() -> std::sync::MutexGuard<'static, Handling> {
    HANDLING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Handles signals in a thread of their own, unless they are handled.
fn install(flag: Option<Arc<AtomicBool>>) -> io::Result<()> {
    let mut handling = handling();
    match &mut *handling {
        Handling::Nothing => {}
        Handling::Thread(known) => {
            *known = flag.or(known.take());
            return Ok(());
        }
        #[cfg(any(feature = "serve", feature = "origin"))]
        Handling::Server => return Ok(()),
    }
    handle()?;
    *handling = Handling::Thread(flag);
    Ok(())
}

#[cfg(unix)]
fn handle() -> io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};

    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    std::thread::Builder::new()
        .name("signals".to_owned())
        .spawn(move || signals.forever().for_each(|_| take()))?;
    Ok(())
}

#[cfg(not(unix))]
fn handle() -> io::Result<()> {
    ctrlc::set_handler(take).map_err(io::Error::other)
}

/// Does what is due on a signal.
fn take() {
    match &*handling() {
        Handling::Thread(Some(flag)) if !flag.swap(true, Ordering::Relaxed) => {}
        Handling::Nothing | Handling::Thread(_) => {
            if let Some(act) = BEFORE_THE_END.get() {
                act();
            }
            std::process::exit(Exit::Interrupted as i32);
        }
        #[cfg(any(feature = "serve", feature = "origin"))]
        Handling::Server => {}
    }
}
