//! The edit call over HTTP: a stand-in server with a catalog in memory or in a file.
//!
//! What a call does is decided in [`edit`](crate::edit), which knows no socket; here bytes become forms, answers become
//! bytes, and what was answered is on the disk. This module alone of the library touches sockets, files and
//! clocks.
//!
//! ```text
//!  connection ──► body ──► form ──► edit::Service ──► writer ──► answer
//!  (listen)     (limits)            (one at a time)   (to the disk, all that wait together)
//! ```
//!
//! - Calls are handled one at a time, in the order in which their bodies were complete (EDIT-47), and written
//!   in that order.
//! - The server's clock stands still unless it is moved; latency that is asked for is real time.
//! - Beside the service's own routes stand those below `/_control` ([`control`]).
//! - Limits ([`Limits`]) bound time, memory and connections, whoever calls.

use std::future::Future;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;

use crate::catalog::Catalog;
use crate::knobs::Knobs;

mod answer;
mod app;
mod body;
mod call;
mod clock;
mod control;
pub mod form;
mod limits;
mod listen;
mod look;
mod openapi;
mod records;
mod store;
mod writer;

pub use clock::Pace;
pub use limits::Limits;
pub use openapi::openapi;
pub use records::{Wrong, read as read_records, stored, write as write_records};
pub use store::{Change, Store, StoreError, is_catalog, read as read_store};

use app::App;

/// What a server is started with.
#[derive(Debug, Clone)]
pub struct Config {
    /// Where it listens; port 0 takes a free one.
    pub listen: SocketAddr,
    /// The catalog's file; without one records live as long as the server.
    pub catalog: Option<PathBuf>,
    /// Records that are added if nothing is there under their ids.
    pub seeds: Catalog,
    /// The knobs in force.
    pub knobs: Knobs,
    /// The channels that there are; `None`: any. Rule EDIT-19.
    pub channels: Option<Vec<u32>>,
    /// The token that calls must show where the knob asks for one; `None`: any. Rule EDIT-37.
    pub token: Option<String>,
    /// Whether its clock moves by itself.
    pub pace: Pace,
    /// What it allows its clients.
    pub limits: Limits,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            listen: SocketAddr::from(([127, 0, 0, 1], 0)),
            catalog: None,
            seeds: Catalog::new(),
            knobs: Knobs::default(),
            channels: None,
            token: None,
            pace: Pace::Still,
            limits: Limits::default(),
        }
    }
}

/// Why a server does not start, or ends early.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// It cannot listen where it should.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, std::io::Error),
    /// Its catalog cannot be had.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A record of the catalog's file is none.
    #[error("the catalog {} holds a record that cannot be read: {why}", .path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// The catalog can no longer be written.
    #[error(
        "the catalog cannot be written: {0}; the server has stopped, and what it answered is in the file"
    )]
    Write(String),
    /// There are no threads to be had.
    #[error("the server cannot run: {0}")]
    Run(std::io::Error),
}

/// A server that listens, and serves once it is run.
#[derive(Debug)]
pub struct Server {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
    app: Arc<App>,
    failed: oneshot::Receiver<String>,
    limits: Limits,
}

impl Server {
    /// Opens the catalog and begins to listen.
    ///
    /// # Errors
    ///
    /// If the catalog cannot be had, or the address is taken.
    pub fn open(config: Config) -> Result<Server, ServeError> {
        let runtime = Builder::new_multi_thread().enable_all().build().map_err(ServeError::Run)?;
        let listen = config.listen;
        // The port first: a file is not made for a server that does not start.
        let listener = runtime.block_on(TcpListener::bind(listen));
        let listener = listener.map_err(|error| ServeError::Listen(listen, error))?;
        let address = listener.local_addr().map_err(|error| ServeError::Listen(listen, error))?;
        let (fail, failed) = oneshot::channel();
        let limits = config.limits;
        let app = Arc::new(App::open(config, |why| {
            // Nobody is there to stop if the server has ended.
            let _ = fail.send(why);
        })?);
        Ok(Server { runtime, listener, address, app, failed, limits })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// How many records it has.
    #[must_use]
    pub fn records(&self) -> usize {
        self.app.records()
    }

    /// What is over as soon as the process is asked to end, by SIGINT or SIGTERM; they are heard from now on.
    ///
    /// # Errors
    ///
    /// If signals cannot be heard.
    pub fn signals(&self) -> Result<impl Future<Output = ()> + use<>, ServeError> {
        let _here = self.runtime.enter();
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            let mut interrupt = signal(SignalKind::interrupt()).map_err(ServeError::Run)?;
            let mut terminate = signal(SignalKind::terminate()).map_err(ServeError::Run)?;
            Ok(async move {
                tokio::select! {
                    _ = interrupt.recv() => {}
                    _ = terminate.recv() => {}
                }
            })
        }
        #[cfg(not(unix))]
        Ok(async {
            // Without signals the server runs until it is ended from outside.
            if tokio::signal::ctrl_c().await.is_err() {
                std::future::pending().await
            }
        })
    }

    /// Serves until `stop` is over. Calls that run then are answered, and what waits is written.
    ///
    /// # Errors
    ///
    /// If the catalog can no longer be written.
    pub fn run(self, stop: impl Future<Output = ()>) -> Result<(), ServeError> {
        let Server { runtime, listener, app, mut failed, limits, .. } = self;
        let router = app::router(Arc::clone(&app));
        let failure = runtime.block_on(async {
            let mut failure = None;
            let stop = async {
                tokio::pin!(stop);
                tokio::select! {
                    // Without a file, or once it is closed, nobody is there to fail.
                    Ok(why) = &mut failed => failure = Some(why),
                    () = &mut stop => {}
                }
            };
            listen::serve(listener, router, limits, stop).await;
            failure
        });
        runtime.shutdown_background();
        drop(app);
        failure.map_or(Ok(()), |why| Err(ServeError::Write(why)))
    }
}
