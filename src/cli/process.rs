//! The process that a command runs in: its arguments, and who handles its signals.

use std::ffi::OsString;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, PoisonError, RwLock};

/// Whose process a command runs in.
#[derive(Debug, Clone, Default)]
pub enum Process {
    /// Its own: commands that take long handle Ctrl-C and SIGTERM, and a second signal ends the
    /// process.
    #[default]
    Own,
    /// That of a program which handles its signals itself. It raises the flag to have the command
    /// end early, with what was done so far; only `playsim fuzz` looks at it. `serve` and `world`
    /// still handle signals.
    Shared(Arc<AtomicBool>),
}

/// The command that was begun last.
static CURRENT: RwLock<(Vec<OsString>, Process)> = RwLock::new((Vec::new(), Process::Own));

/// Keeps what a command was called with.
pub(super) fn begin(args: &[OsString], process: Process) {
    let mut current = CURRENT.write().unwrap_or_else(PoisonError::into_inner);
    *current = (args.to_vec(), process);
}

/// Returns the arguments of the command, without the name of the program.
pub(super) fn args() -> Vec<OsString> {
    let current = CURRENT.read().unwrap_or_else(PoisonError::into_inner);
    current.0.iter().skip(1).cloned().collect()
}

/// Returns whose process the command runs in.
pub(super) fn process() -> Process {
    CURRENT
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .1
        .clone()
}
