//! The signals that ask a process to end: SIGINT, which is Ctrl-C, and SIGTERM.

use std::future::Future;
use std::io;

/// Returns a future that resolves on SIGINT or SIGTERM; to be called within a runtime. The signals
/// are handled from now on.
///
/// # Errors
///
/// If the signal handlers cannot be installed.
pub fn signals() -> io::Result<impl Future<Output = ()> + use<>> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        Ok(async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        })
    }
    #[cfg(not(unix))]
    Ok(async {
        // Without signals the process runs until it is killed.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending().await
        }
    })
}
