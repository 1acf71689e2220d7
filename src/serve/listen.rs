//! Connections: taken, served, and let go.
//!
//! HTTP/1.1 by a library; what cannot be read as HTTP is answered by it, with a status and no body. When the server
//! is to stop, no connection is taken any more, calls that run are answered, and idle connections are closed.

use std::convert::Infallible;
use std::future::Future;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

use super::limits::Limits;

/// The mark of an answer that is not given: its connection is cut instead. Rule EDIT-44.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut;

/// A connection is cut, as it was told.
#[derive(Debug, thiserror::Error)]
#[error("the connection is cut")]
struct IsCut;

/// Serves connections until `stop` is over.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    stop: impl Future<Output = ()>,
) {
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(limits.connections));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(limits.head).max_buf_size(limits.head_bytes.max(8192));
    tokio::pin!(stop);
    loop {
        let taken = tokio::select! {
            taken = take(&listener, &places) => taken,
            () = &mut stop => break,
        };
        let (stream, place) = taken;
        // Answers are small, and wait for nothing.
        let _ = stream.set_nodelay(true);
        let inner = TowerToHyperService::new(router.clone());
        let service = service_fn(move |request: Request<Incoming>| {
            let answer = inner.call(request);
            async move { answered(answer.await) }
        });
        let connection = graceful.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // What goes wrong with a connection is its client's business.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    // Calls that do not end in time are cut.
    let _ = timeout(limits.grace, graceful.shutdown()).await;
}

fn answered(answer: Result<Response<Body>, Infallible>) -> Result<Response<Body>, IsCut> {
    match answer {
        Ok(answer) if answer.extensions().get::<Cut>().is_some() => Err(IsCut),
        Ok(answer) => Ok(answer),
        Err(never) => match never {},
    }
}

/// The next connection, as soon as there is room for it.
async fn take(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> (tokio::net::TcpStream, Option<tokio::sync::OwnedSemaphorePermit>) {
    let place = Arc::clone(places).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return (stream, place),
            // Too many open files, or a client that has gone already: it will be better in a moment.
            Err(_) => sleep(std::time::Duration::from_millis(10)).await,
        }
    }
}
