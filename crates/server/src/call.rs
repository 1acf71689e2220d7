//! Handles a request to the service.
//!
//! All requests go through [`Service::handle`](playsim_scenario::edit::Service::handle), which
//! knows the paths. Only incomplete requests (a body that is too slow, or cut) are answered here.
//!
//! Rules: EDIT-4, EDIT-5, EDIT-42, EDIT-44, EDIT-47.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::response::Response;
use hyper::Request as HttpRequest;
use hyper::header::{CONNECTION, EXPECT, HeaderMap, HeaderName};
use hyper::http::HeaderValue;
use tokio::time::sleep;

use super::answer::{no_body, problem};
use super::app::App;
use super::body::{HeldBody, NoBody};
use super::form;
use super::listen::Cut;
use playsim_base::time::Span;
use playsim_scenario::edit::{BodyError, BodyKind, EditRequest, EditResponse, Form, Headers};

/// Answers a request.
pub(super) async fn call(app: Arc<App>, request: HttpRequest<Body>) -> Response {
    let (head, body) = request.into_parts();
    let headers = headers(&head.headers);
    let is_post = head.method == hyper::Method::POST;
    let body = if is_post {
        read(&app, body, &headers, &head.headers).await
    } else {
        Ok(Ok(Form::new()))
    };
    let body = match body {
        Ok(body) => body,
        Err(why) => return no_body(why),
    };
    let is_too_large = matches!(body, Err(BodyError::TooLarge));
    let request = EditRequest {
        method: head.method.as_str(),
        path: head.uri.path(),
        headers: &headers,
        body,
    };
    let (answer, written) = app.handle(request);
    if let Some(written) = written
        && let Err(why) = written.wait().await
    {
        return problem(
            500,
            &format!("the edit was not saved: the catalog cannot be written: {why}"),
            &[],
        );
    }
    if answer.after > Span::ZERO {
        // The requested latency is real time. Rule EDIT-44.
        sleep(Duration::from_micros(answer.after.micros())).await;
    }
    let mut response = response(answer);
    if is_too_large {
        // The rest of the body is not read.
        response
            .headers_mut()
            .insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response
}

/// Reads the form in a body. The outer error is an incomplete body, which is not handled as a
/// request; the inner one is an invalid form.
async fn read(
    app: &App,
    body: Body,
    headers: &Headers,
    sent: &HeaderMap,
) -> Result<Result<Form, BodyError>, NoBody> {
    let waits = sent.contains_key(EXPECT);
    let held = match app.space().read(body, app.max_body(), waits).await {
        Ok(held) => held,
        Err(NoBody::TooLarge(_)) => return Ok(Err(BodyError::TooLarge)),
        Err(why @ (NoBody::TooSlow | NoBody::Cut | NoBody::NoSpace)) => return Err(why),
    };
    let HeldBody { bytes, .. } = &held;
    Ok(match headers.body_kind() {
        BodyKind::Multipart(boundary) => form::multipart(boundary.as_deref(), bytes.clone()),
        BodyKind::Urlencoded => Form::urlencoded(bytes),
        BodyKind::Other(_) => Ok(Form::new()),
    })
}

/// Returns the header fields for the service, with invalid UTF-8 replaced.
fn headers(sent: &HeaderMap) -> Headers {
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    sent.iter()
        .map(|(name, value)| (name.as_str(), text(value)))
        .collect()
}

fn response(answer: EditResponse) -> Response {
    let mut response = Response::new(Body::from(answer.body));
    *response.status_mut() = hyper::StatusCode::from_u16(answer.status).unwrap_or_default();
    for (name, value) in answer.headers {
        let name = HeaderName::from_bytes(name.as_bytes());
        if let (Ok(name), Ok(value)) = (name, HeaderValue::from_str(&value)) {
            response.headers_mut().insert(name, value);
        }
    }
    if answer.is_cut {
        response.extensions_mut().insert(Cut);
    }
    response
}
