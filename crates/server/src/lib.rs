//! The video edit API over HTTP: a stand-in server with a catalog in memory or in a file.
//!
//! Requests are decided in [`edit`](playsim_scenario::edit), which is free of I/O. This module
//! parses bytes into forms, serialises responses, and writes every edit to disk before responding.
//! It is the only part of the library that uses sockets, files and clocks.
//!
//! ```text
//!  connection ──► body ──► form ──► edit::Service ──► writer ──► answer
//!  (listen)     (limits)            (one at a time)   (to the disk, all that wait together)
//! ```
//!
//! - Requests are handled one at a time, in the order in which their bodies were complete
//!   (EDIT-47), and written in that order.
//! - The server's clock moves only when it is set, unless it follows the real time. Requested
//!   latency is real time.
//! - In addition to the service's own routes there are control routes below `/_control`
//!   (`control`).
//! - Limits ([`Limits`]) bound time, memory and connections.

pub mod origin;
pub mod signals;

use std::future::Future;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

use axum::Router;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;

use playsim_api::catalog::Catalog;
use playsim_rules::knobs::Knobs;

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
pub mod records;
pub mod store;
mod writer;

pub use clock::Pace;
pub use limits::Limits;
pub use openapi::openapi;
pub use store::StoreError;

use app::App;

/// The configuration of a server.
#[derive(Debug, Clone)]
pub struct ServerConfig {
    /// The address to listen on; port 0 for any free port.
    pub listen: SocketAddr,
    /// The catalog file; without one, records are kept in memory.
    pub catalog: Option<PathBuf>,
    /// Records to add, except those whose id already exists.
    pub seeds: Catalog,
    /// The knobs in force.
    pub knobs: Knobs,
    /// The existing channels; `None` for any. Rule EDIT-19.
    pub channels: Option<Vec<u32>>,
    /// The token that requests must send if the knob requires one; `None` for any token. Rule
    /// EDIT-37.
    pub token: Option<String>,
    /// Whether the clock is stopped or follows the real time.
    pub pace: Pace,
    /// The limits for clients.
    pub limits: Limits,
}

impl Default for ServerConfig {
    fn default() -> ServerConfig {
        ServerConfig {
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
#[non_exhaustive]
pub enum ServeError {
    /// Listening on the address fails.
    #[error("cannot listen on {0}: {1}")]
    Listen(SocketAddr, std::io::Error),
    /// The catalog cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The catalog file contains an invalid record.
    #[error("the catalog {} contains an invalid record: {why}", .path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// The error in it.
        why: String,
    },
    /// The catalog can no longer be written.
    #[error(
        "the catalog cannot be written: {0}; the server has stopped, and all edits it confirmed are in the file"
    )]
    Write(String),
    /// The runtime cannot be started.
    #[error("the server cannot run: {0}")]
    Run(std::io::Error),
}

/// A server that is listening, and serves requests once it is run.
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
    /// Opens the catalog and starts to listen.
    ///
    /// # Errors
    ///
    /// If the catalog cannot be opened, or the address is in use.
    pub fn open(config: ServerConfig) -> Result<Server, ServeError> {
        let runtime = Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(ServeError::Run)?;
        let listen = config.listen;
        // The port is opened first, so that no file is created for a server that does not start.
        let listener = runtime.block_on(TcpListener::bind(listen));
        let listener = listener.map_err(|error| ServeError::Listen(listen, error))?;
        let address = listener
            .local_addr()
            .map_err(|error| ServeError::Listen(listen, error))?;
        let (fail, failed) = oneshot::channel();
        let limits = config.limits;
        let app = Arc::new(App::open(config, |why| {
            // If the server has ended already, there is nothing to stop.
            let _ = fail.send(why);
        })?);
        Ok(Server {
            runtime,
            listener,
            address,
            app,
            failed,
            limits,
        })
    }

    /// Returns the address that the server listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the number of records.
    #[must_use]
    pub fn records(&self) -> usize {
        self.app.records()
    }

    /// Returns a future that resolves on SIGINT or SIGTERM. The signals are handled from now on.
    ///
    /// # Errors
    ///
    /// If the signal handlers cannot be installed.
    pub fn signals(&self) -> Result<impl Future<Output = ()> + use<>, ServeError> {
        let _here = self.runtime.enter();
        crate::signals::signals().map_err(ServeError::Run)
    }

    /// Serves until `stop` resolves. Requests in progress are then answered, and pending edits are
    /// written.
    ///
    /// # Errors
    ///
    /// If the catalog can no longer be written.
    pub fn run(self, stop: impl Future<Output = ()>) -> Result<(), ServeError> {
        let Server {
            runtime,
            listener,
            app,
            mut failed,
            limits,
            ..
        } = self;
        let router = router(Arc::clone(&app));
        let failure = runtime.block_on(async {
            let mut failure = None;
            let stop = async {
                tokio::pin!(stop);
                tokio::select! {
                    // The sender is dropped if there is no catalog file; then writing cannot fail.
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

/// Routes all paths: the control routes first, everything else to the service.
fn router(app: Arc<App>) -> Router {
    let service = Arc::clone(&app);
    control::router(app).fallback(move |request| call::call(Arc::clone(&service), request))
}
