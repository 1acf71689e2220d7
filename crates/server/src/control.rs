//! The control routes, with which tests control the server, separate from the service's own paths.
//!
//! They read and replace records, read the journal, reset the server, plan faults, move the clock,
//! and return the OpenAPI description.
//!
//! A page that a browser shows has no business here: a request with an `Origin` other than the
//! server's own is refused. So is one whose `Host` is a name with a dot, which a foreign page may
//! have had resolved to this machine. Addresses, `localhost` and the bare names of machines and
//! containers are none that a site on the network has.
//!
//! Rules: EDIT-44 to EDIT-46.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use axum::routing::{MethodFilter, on};
use hyper::Request;
use hyper::header::{EXPECT, HOST, ORIGIN};
use serde_json::json;

use super::answer::{self, Mistake, no_body, not_allowed, problem};
use super::app::App;
use super::body::{HeldBody, NoBody};
use super::records;
use super::writer::Written;

mod clock;
mod faults;
mod object;
pub(super) mod routes;

use object::Wrong;
use routes::{Act, ROUTES};

/// The prefix of all control paths.
const PREFIX: &str = "/_control";

/// Returns a router for the control routes; other paths go to the fallback.
pub(super) fn router(app: Arc<App>) -> Router {
    let mut router = Router::new();
    let mut paths: Vec<&str> = ROUTES.iter().map(|route| route.path).collect();
    paths.dedup();
    for path in paths {
        let methods: Vec<&str> = ROUTES
            .iter()
            .filter(|route| route.path == path)
            .map(|route| route.method)
            .collect();
        let allow = methods.join(", ");
        let mut method_router = axum::routing::MethodRouter::new();
        for route in ROUTES.iter().filter(|route| route.path == path) {
            let app = Arc::clone(&app);
            let act = route.act;
            let handler = move |request| act.answer(app, request);
            method_router = method_router.merge(on(filter(route.method), handler));
        }
        router = router.route(
            path,
            method_router.fallback(async move || not_allowed(&allow)),
        );
    }
    let nothing = async || {
        let known: Vec<&str> = ROUTES.iter().map(|route| route.path).collect();
        problem(
            404,
            &format!(
                "unknown control route; the control routes are: {}",
                known.join(", ")
            ),
            &[],
        )
    };
    router
        .route(PREFIX, axum::routing::any(nothing))
        .route("/_control/{*path}", axum::routing::any(nothing))
        .layer(from_fn(guard))
}

/// Refuses requests of foreign pages.
async fn guard(request: Request<Body>, next: Next) -> Response {
    match foreign(&request) {
        Some(why) => problem(403, &why, &[]),
        None => next.run(request).await,
    }
}

/// Returns why a request is one of a foreign page.
fn foreign(request: &Request<Body>) -> Option<String> {
    let header = |name| {
        let value = request.headers().get(name)?;
        Some(String::from_utf8_lossy(value.as_bytes()).into_owned())
    };
    // A target that is a whole URL has a host of its own, which wins.
    let host = request.uri().authority().map(ToString::to_string);
    let host = host.or_else(|| header(HOST)).unwrap_or_default();
    if !is_near(&host) {
        return Some(format!(
            "the control routes are not for the host {host}; use the address that the server listens on"
        ));
    }
    let origin = header(ORIGIN)?;
    (origin != format!("http://{host}")).then(|| {
        format!("the control routes are not for pages of {origin}; let the test itself ask them")
    })
}

/// Returns whether a host is an address, `localhost`, or a name without a dot.
fn is_near(host: &str) -> bool {
    let is_port = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let name = host
        .rsplit_once(':')
        .filter(|(_, port)| is_port(port))
        .map_or(host, |(name, _)| name);
    if let Some(address) = name.strip_prefix('[') {
        return address
            .strip_suffix(']')
            .is_some_and(|it| it.parse::<std::net::Ipv6Addr>().is_ok());
    }
    name.parse::<std::net::Ipv4Addr>().is_ok()
        || name.to_ascii_lowercase().ends_with(".localhost")
        || !name.contains(['.', ':'])
}

fn filter(method: &str) -> MethodFilter {
    match method {
        "GET" => MethodFilter::GET,
        "PUT" => MethodFilter::PUT,
        _ => MethodFilter::POST,
    }
}

impl Act {
    async fn answer(self, app: Arc<App>, request: Request<Body>) -> Response {
        match self {
            Act::GiveRecords => {
                let catalog = app.state().service.catalog().clone();
                answer::json(records::write(&catalog))
            }
            Act::GiveJournal => {
                let journal = app.state().service.journal().clone();
                // Strings and numbers always serialize.
                answer::json(serde_json::to_string_pretty(&journal).unwrap_or_default() + "\n")
            }
            Act::GiveOpenapi => answer::json(app.openapi().to_owned()),
            Act::Reset => {
                let written = app.reset();
                kept(written, app.records()).await
            }
            Act::PutRecords => match read(&app, request, records::read).await {
                Ok(catalog) => {
                    let count = catalog.len();
                    kept(app.replace(catalog), count).await
                }
                Err(no_use) => no_use.answer(),
            },
            Act::PlanFaults => match read(&app, request, faults::read).await {
                Ok(plans) => {
                    let count = plans.len();
                    app.plan(plans);
                    answer::json(json!({ "faults": count }).to_string())
                }
                Err(no_use) => no_use.answer(),
            },
            Act::SetClock => match text(&app, request).await {
                Ok(text) => clock::change(&app, &text),
                Err(no_use) => no_use.answer(),
            },
        }
    }
}

/// Responds with the number of records, as soon as they are on disk.
async fn kept(written: Option<Written>, count: usize) -> Response {
    if let Some(written) = written
        && let Err(why) = written.wait().await
    {
        return problem(
            500,
            &format!("the records were not saved: the catalog cannot be written: {why}"),
            &[],
        );
    }
    answer::json(json!({ "records": count }).to_string())
}

/// Why a body cannot be used.
enum NoUse {
    NoBody(NoBody),
    NoText,
    Wrong(Vec<Wrong>),
}

impl NoUse {
    fn answer(&self) -> Response {
        match self {
            NoUse::NoBody(why) => no_body(*why),
            NoUse::NoText => problem(400, "the body is not valid UTF-8", &[]),
            NoUse::Wrong(wrong) => refused(wrong),
        }
    }
}

/// Reads a request's body as text.
async fn text(app: &App, request: Request<Body>) -> Result<String, NoUse> {
    let waits = request.headers().contains_key(EXPECT);
    let held = app
        .space()
        .read(request.into_body(), app.control_bytes(), waits)
        .await
        .map_err(NoUse::NoBody)?;
    let HeldBody { bytes, .. } = &held;
    String::from_utf8(bytes.to_vec()).map_err(|_| NoUse::NoText)
}

/// Reads a request's body and parses it with `reader`.
async fn read<T>(
    app: &App,
    request: Request<Body>,
    reader: impl FnOnce(&str) -> Result<T, Vec<Wrong>>,
) -> Result<T, NoUse> {
    let text = text(app, request).await?;
    reader(&text).map_err(NoUse::Wrong)
}

/// Returns a response that lists all errors in a body.
fn refused(wrong: &[Wrong]) -> Response {
    let mistake = |wrong: &Wrong| Mistake {
        field: wrong.place.to_string(),
        code: "invalid_body",
        message: wrong.message.clone(),
    };
    let mistakes: Vec<Mistake> = wrong.iter().map(mistake).collect();
    let first = mistakes.first().map_or_else(String::new, |first| {
        format!("{}: {}", first.field, first.message)
    });
    problem(400, &format!("invalid body: {first}"), &mistakes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_no_foreign_site_can_have_are_near() {
        for host in [
            "127.0.0.1:8080",
            "192.168.1.2",
            "[::1]:8080",
            "[::1]",
            "localhost:80",
            "api.localhost",
            "container:8080",
            "",
        ] {
            assert!(is_near(host), "{host}");
        }
        for host in [
            "site.test",
            "site.test:8080",
            "127.0.0.1.site.test",
            "127.1",
            "localhost.",
            "[::1",
            "[site.test]",
        ] {
            assert!(!is_near(host), "{host}");
        }
    }
}
