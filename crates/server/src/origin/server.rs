//! The server: reads requests from a socket, and carries out the decisions about them.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hyper::body::Bytes;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tokio::time::Instant;

use super::{Answer, Asked, Origin};
use crate::ServeError;
use playsim_base::time::{Span, Time};

mod body;
mod connection;
mod journal;

pub use journal::{OriginEntry, OriginOutcome};

/// The origin, which decides about each request.
pub trait OriginSite: Send + Sync + 'static {
    /// Decides about a request with this body.
    fn decide(&self, asked: &Asked<'_>, agent: Option<&str>, body: Bytes) -> Decided;
}

/// A decision, and until when it holds.
#[derive(Debug)]
pub struct Decided {
    /// An action of the server.
    pub answer: Answer,
    /// Becomes true when all unsent data are to be dropped; `None`: never.
    pub over: Option<watch::Receiver<bool>>,
}

impl From<Answer> for Decided {
    fn from(answer: Answer) -> Decided {
        Decided { answer, over: None }
    }
}

/// An [`Origin`] that counts how often each URL was asked for.
#[derive(Debug)]
pub struct Counting {
    origin: Origin,
    used: Mutex<Vec<u32>>,
    started: Instant,
}

impl Counting {
    /// Begins to count.
    #[must_use]
    pub fn new(origin: Origin) -> Counting {
        let used = Mutex::new(vec![0; origin.counters()]);
        Counting {
            origin,
            used,
            started: Instant::now(),
        }
    }

    /// Returns the origin.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// Decides about a request. Its time is set to that since the counting began.
    pub fn answer(&self, asked: &Asked<'_>) -> Answer {
        let asked = Asked {
            at: Time::ZERO + span(self.started.elapsed()),
            ..*asked
        };
        let before = self.origin.counter(&asked).map_or(0, |counter| {
            // A count is consistent even if another thread has panicked.
            let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
            let used = &mut used[counter.number()];
            if counter.uses_up() {
                std::mem::replace(used, used.saturating_add(1))
            } else {
                used.saturating_sub(1)
            }
        });
        self.origin.answer(&asked, before)
    }
}

impl OriginSite for Counting {
    fn decide(&self, asked: &Asked<'_>, _: Option<&str>, _: Bytes) -> Decided {
        self.answer(asked).into()
    }
}

/// Takes each entry of the log when its request is over.
pub type Log = Arc<dyn Fn(&OriginEntry) + Send + Sync>;

/// A server that is listening, and answers once it is run.
pub struct OriginServer {
    runtime: Runtime,
    listener: TcpListener,
    address: SocketAddr,
}

impl std::fmt::Debug for OriginServer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server")
            .field("address", &self.address)
            .finish_non_exhaustive()
    }
}

impl OriginServer {
    /// Starts to listen; port 0 is any free port.
    ///
    /// # Errors
    ///
    /// If the address is in use, or does not belong to this machine.
    pub fn open(listen: SocketAddr) -> Result<OriginServer, ServeError> {
        let runtime = Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(ServeError::Run)?;
        let listener = runtime.block_on(TcpListener::bind(listen));
        let listener = listener.map_err(|error| ServeError::Listen(listen, error))?;
        let address = listener
            .local_addr()
            .map_err(|error| ServeError::Listen(listen, error))?;
        Ok(OriginServer {
            runtime,
            listener,
            address,
        })
    }

    /// Returns the address that the server listens on.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
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

    /// Serves until `stop` resolves. Requests that are open then are dropped.
    pub fn run(self, site: Arc<dyn OriginSite>, log: Log, stop: impl Future<Output = ()>) {
        let OriginServer {
            runtime, listener, ..
        } = self;
        runtime.block_on(async {
            tokio::select! {
                () = connection::accept(listener, site, log) => {}
                () = stop => {}
            }
        });
        // The entries of open requests are written when their tasks are dropped.
        runtime.shutdown_timeout(Duration::from_secs(1));
    }
}

/// A real length of time.
fn span(duration: Duration) -> Span {
    Span::from_micros(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX))
}

/// A length of time on the real clock.
fn duration(span: Span) -> Duration {
    Duration::from_micros(span.micros())
}
