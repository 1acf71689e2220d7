//! Accepts, serves and closes connections.
//!
//! A library handles HTTP/1.1, and answers invalid HTTP with a status and no body. When the server
//! stops, it accepts no more connections, answers the requests in progress, and closes idle
//! connections.

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

/// Marks a response that is not sent: the connection is cut instead. Rule EDIT-44.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut;

/// The error that makes the library cut a connection.
#[derive(Debug, thiserror::Error)]
#[error("the connection is cut")]
struct IsCut;

/// Serves connections until `stop` resolves.
pub(super) async fn serve(
    listener: TcpListener,
    router: Router,
    limits: Limits,
    stop: impl Future<Output = ()>,
) {
    let graceful = GracefulShutdown::new();
    let places = Arc::new(Semaphore::new(limits.connections));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(limits.head_bytes.max(8192));
    tokio::pin!(stop);
    loop {
        let taken = tokio::select! {
            taken = take(&listener, &places) => taken,
            () = &mut stop => break,
        };
        let (stream, place) = taken;
        // Responses are small and should be sent without delay.
        let _ = stream.set_nodelay(true);
        let inner = TowerToHyperService::new(router.clone());
        let service = service_fn(move |request: Request<Incoming>| {
            let answer = inner.call(request);
            async move { answered(answer.await) }
        });
        let connection = graceful.watch(http.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            // A connection error concerns only its client.
            let _ = connection.await;
            drop(place);
        });
    }
    drop(listener);
    // Requests that do not end in time are cut.
    let _ = timeout(limits.grace, graceful.shutdown()).await;
}

fn answered(answer: Result<Response<Body>, Infallible>) -> Result<Response<Body>, IsCut> {
    match answer {
        Ok(answer) if answer.extensions().get::<Cut>().is_some() => Err(IsCut),
        Ok(answer) => Ok(answer),
        Err(never) => match never {},
    }
}

/// Accepts the next connection, as soon as the limit allows.
async fn take(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> (
    tokio::net::TcpStream,
    Option<tokio::sync::OwnedSemaphorePermit>,
) {
    let place = Arc::clone(places).acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return (stream, place),
            // Too many open files, or a client that has disconnected already: try again shortly.
            Err(_) => sleep(std::time::Duration::from_millis(10)).await,
        }
    }
}
