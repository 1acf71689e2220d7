//! Accepts connections, reads their requests, and closes or resets them where an answer says so.

use std::error::Error;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::{BodyExt, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{HOST, HeaderMap, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::body::{Broken, Sending, is_over};
use super::journal::{OriginEntry, OriginOutcome, Writer};
use super::{Decided, Log, OriginSite, duration, span};
use crate::origin::{Asked, AssetKind, Reply};
use playsim_base::time::Span;

/// The largest body of a request: a recording with its documents.
const MOST_BODY: usize = 64 << 20;
/// How long a client may take for the head of a request, and between two of them.
const PATIENCE: Duration = Duration::from_secs(300);

/// Serves connections for ever.
pub(super) async fn accept(listener: TcpListener, site: Arc<dyn OriginSite>, log: Log) {
    let started = Instant::now();
    let mut connections = JoinSet::new();
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                let (site, log) = (Arc::clone(&site), Arc::clone(&log));
                connections.spawn(serve(stream, site, log, started));
            }
            // Too many open files, or a client that has gone already.
            Err(_) => sleep(Duration::from_millis(10)).await,
        }
        while connections.try_join_next().is_some() {}
    }
}

async fn serve(stream: TcpStream, site: Arc<dyn OriginSite>, log: Log, started: Instant) {
    // Data is to arrive as soon as it is sent.
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| {
        let (site, log) = (Arc::clone(&site), Arc::clone(&log));
        answer(request, site, log, started)
    });
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(PATIENCE);
    let mut connection = http.serve_connection(TokioIo::new(stream), service);
    let Err(error) = Pin::new(&mut connection).await else {
        return;
    };
    let broken = error
        .source()
        .and_then(|source| source.downcast_ref::<Broken>());
    if broken == Some(&Broken::Reset) {
        // Without time to linger, closing resets.
        let _ = connection.into_parts().io.into_inner().set_zero_linger();
    }
}

async fn answer(
    request: Request<Incoming>,
    site: Arc<dyn OriginSite>,
    log: Log,
    started: Instant,
) -> Result<Response<Sending>, Broken> {
    let (head, body) = request.into_parts();
    let at = span(started.elapsed());
    let header = |name: &str| {
        head.headers
            .get(name)
            .map(|value| String::from_utf8_lossy(value.as_bytes()))
    };
    // As a proxy the server gets the whole URL, otherwise the host is a header.
    let host = head.uri.authority().map(|it| it.as_str().to_owned());
    let host = host
        .or_else(|| header(HOST.as_str()).map(|host| host.into_owned()))
        .unwrap_or_default();
    let host = host
        .strip_suffix(":80")
        .unwrap_or(&host)
        .to_ascii_lowercase();
    let path = head.uri.path_and_query().map_or("/", |path| path.as_str());
    let url = format!("http://{host}{path}");
    let body = Limited::new(body, MOST_BODY)
        .collect()
        .await
        .map_or_else(|_| Bytes::new(), |it| it.to_bytes());
    let (range, origin, agent) = (header("range"), header("origin"), header("user-agent"));
    let wanted = header("access-control-request-headers");
    let asked = Asked {
        method: head.method.as_str(),
        url: &url,
        range: range.as_deref(),
        origin: origin.as_deref(),
        wanted_headers: wanted.as_deref(),
        ..Asked::default()
    };
    let Decided { answer, over } = site.decide(&asked, agent.as_deref(), body);
    let event = if let AssetKind::Tracker(event) = &answer.what {
        Some(event.clone())
    } else {
        None
    };
    let entry = OriginEntry {
        at,
        method: head.method.to_string(),
        url: format!("{host}{path}"),
        range: range.map(|range| range.into_owned()),
        what: answer.what,
        event,
        status: None,
        head: None,
        end: Span::ZERO,
        bytes: 0,
        ended: OriginOutcome::Gone,
    };
    let mut writer = Writer::new(entry, started, log);
    tokio::select! {
        () = wait(answer.after, &answer.reply) => {}
        () = is_over(over.clone()) => return Err(Broken::Reset),
    }
    match answer.reply {
        Reply::Never => Err(Broken::Closed),
        Reply::Closed => {
            writer.ended(OriginOutcome::Closed);
            Err(Broken::Closed)
        }
        Reply::Reset => {
            writer.ended(OriginOutcome::Reset);
            Err(Broken::Reset)
        }
        Reply::Response(response) => {
            // Statuses below 200 announce a response and are none; the library does not send them.
            let status = hyper::StatusCode::from_u16(response.status)
                .ok()
                .filter(|it| !it.is_informational());
            let status = status.unwrap_or(hyper::StatusCode::INTERNAL_SERVER_ERROR);
            writer.answered(status.as_u16());
            let mut sent = Response::new(Sending::new(response.body, over, writer));
            *sent.status_mut() = status;
            set(sent.headers_mut(), response.headers);
            Ok(sent)
        }
    }
}

/// Waits before an answer; for ever if there is none.
async fn wait(after: Span, reply: &Reply) {
    if *reply == Reply::Never {
        std::future::pending::<()>().await;
    }
    if after > Span::ZERO {
        sleep(duration(after)).await;
    }
}

fn set(headers: &mut HeaderMap, values: Vec<(&'static str, String)>) {
    for (name, value) in values {
        // Invalid header values are omitted.
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(HeaderName::from_static(name), value);
        }
    }
}
