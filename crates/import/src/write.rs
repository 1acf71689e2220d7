//! Writes a recording as an HTTP archive.
//!
//! The opposite of `har`, for recordings that are made here: what [`read`](super::read) gives of
//! the archive is the same recording, with times in whole milliseconds.
//!
//! Source: HTTP Archive 1.2 (W3C draft, 2012). `_resourceType` and `_error` are fields of Chromium.

use std::sync::Arc;

use serde::Serialize;
use serde_json::value::RawValue;

use super::recording::{Body, Exchange, RecordedOutcome, RecordedPage, RequestRecording};
use playsim_base::escape;
use playsim_base::time::{Span, Time};

#[derive(Serialize)]
struct File<'a> {
    log: Log<'a>,
}

#[derive(Serialize)]
struct Log<'a> {
    version: &'static str,
    creator: Creator<'a>,
    pages: Vec<HarPage<'a>>,
    entries: Vec<HarEntry<'a>>,
    comment: String,
}

#[derive(Serialize)]
struct Creator<'a> {
    name: &'a str,
    version: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HarPage<'a> {
    started_date_time: String,
    id: &'a str,
    title: &'a str,
    page_timings: Empty,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct HarEntry<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    pageref: Option<&'a str>,
    started_date_time: String,
    time: Box<RawValue>,
    request: Request<'a>,
    response: Response<'a>,
    cache: Empty,
    timings: Timings,
    #[serde(rename = "_resourceType", skip_serializing_if = "Option::is_none")]
    purpose: Option<&'a str>,
    #[serde(rename = "_error", skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

#[derive(Serialize)]
struct Empty {}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Request<'a> {
    method: &'a str,
    url: &'a str,
    http_version: &'static str,
    cookies: [Empty; 0],
    headers: [Empty; 0],
    query_string: [Empty; 0],
    headers_size: i8,
    body_size: i8,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Response<'a> {
    status: u16,
    status_text: &'static str,
    http_version: &'static str,
    cookies: [Empty; 0],
    headers: [Empty; 0],
    content: Content<'a>,
    #[serde(rename = "redirectURL")]
    redirect_url: &'a str,
    headers_size: i8,
    body_size: i64,
    #[serde(rename = "_error", skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Content<'a> {
    size: i64,
    mime_type: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a Arc<str>>,
}

#[derive(Serialize)]
struct Timings {
    send: i8,
    wait: Box<RawValue>,
    receive: Box<RawValue>,
}

/// Returns a recording as an HTTP archive. Bodies that are missing or that broke off are not in it.
#[must_use]
pub fn write_har(recording: &RequestRecording) -> String {
    let (name, version) = recording
        .tool
        .rsplit_once(' ')
        .unwrap_or((&recording.tool, ""));
    let epoch = recording.epoch_micros.unwrap_or_default();
    let log = Log {
        version: "1.2",
        creator: Creator { name, version },
        pages: recording
            .pages
            .iter()
            .map(|page| self::page(page, epoch))
            .collect(),
        entries: recording
            .exchanges
            .iter()
            .map(|it| entry(it, epoch))
            .collect(),
        comment: recording
            .notes
            .iter()
            .map(|it| &*it.text)
            .collect::<Vec<_>>()
            .join("; "),
    };
    let text = serde_json::to_string_pretty(&File { log }).expect("all keys are strings");
    escape::json(&text).into_owned()
}

/// Returns the date of a time of the recording.
fn date(time: Time, epoch: i64) -> String {
    let micros = epoch.saturating_add(i64::try_from(time.micros()).unwrap_or(i64::MAX));
    let date = jiff::Timestamp::from_microsecond(micros).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    format!("{date:.6}")
}

fn page(it: &RecordedPage, epoch: i64) -> HarPage<'_> {
    HarPage {
        started_date_time: date(it.started.unwrap_or_default(), epoch),
        id: &it.id,
        title: &it.title,
        page_timings: Empty {},
    }
}

fn entry(it: &Exchange, epoch: i64) -> HarEntry<'_> {
    let time = it.time.unwrap_or_default();
    let first_byte = it.first_byte.unwrap_or(time).min(time);
    let (status, redirect_url, failed, broke_off) = match &it.outcome {
        RecordedOutcome::Response(status) => (*status, "", None, None),
        RecordedOutcome::Redirect(status, to) => (*status, &**to, None, None),
        RecordedOutcome::Failed(how) => (0, "", how.as_deref(), None),
        RecordedOutcome::BrokeOff(how) => (200, "", None, how.as_deref()),
        RecordedOutcome::Unknown => (0, "", None, None),
    };
    let (size, text) = match &it.body {
        // As browsers do: a body that is not whole is not in the archive, since readers would take
        // it for one that is.
        _ if broke_off.is_some() => (-1, None),
        Body::Empty => (0, None),
        Body::Text(text) => (i64::try_from(text.len()).unwrap_or(-1), Some(text)),
        Body::Missing | Body::Cut(_) => (-1, None),
    };
    HarEntry {
        pageref: it.page.as_deref(),
        started_date_time: date(it.at(), epoch),
        time: milliseconds(time),
        request: Request {
            method: &it.method,
            url: &it.url,
            http_version: "HTTP/1.1",
            cookies: [],
            headers: [],
            query_string: [],
            headers_size: -1,
            body_size: -1,
        },
        response: Response {
            status,
            status_text: "",
            http_version: "HTTP/1.1",
            cookies: [],
            headers: [],
            content: Content {
                size,
                mime_type: it.mime.as_deref().unwrap_or_default(),
                text,
            },
            redirect_url,
            headers_size: -1,
            body_size: size,
            error: broke_off,
        },
        cache: Empty {},
        timings: Timings {
            send: 0,
            wait: milliseconds(first_byte),
            receive: milliseconds(time - first_byte),
        },
        purpose: it.purpose.as_deref(),
        error: failed,
    }
}

/// Returns a time in milliseconds, exact to the microsecond.
fn milliseconds(span: Span) -> Box<RawValue> {
    let text = format!("{}.{:03}", span.micros() / 1_000, span.micros() % 1_000);
    RawValue::from_string(text).expect("digits and a point are a number")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_as_the_same_recording() {
        let exchange = |number: usize, outcome, body| Exchange {
            number,
            started: Some(Time::from_millis(number as u64 * 100)),
            url: format!("https://a.test/{number}?x=\"1\"").into(),
            method: "GET".to_owned(),
            page: Some("first".to_owned()),
            purpose: Some("xhr".to_owned()),
            outcome,
            first_byte: Some(Span::from_millis(20)),
            time: Some(Span::from_millis(30)),
            mime: Some("text/xml".to_owned()),
            body,
            ..Exchange::default()
        };
        let exchanges = vec![
            exchange(
                0,
                RecordedOutcome::Response(200),
                Body::Text("<VAST version=\"4.2\"/>".into()),
            ),
            exchange(
                1,
                RecordedOutcome::Redirect(302, "https://b.test/".into()),
                Body::Empty,
            ),
            exchange(2, RecordedOutcome::Response(204), Body::Empty),
            exchange(
                3,
                RecordedOutcome::Failed(Some("connection refused".to_owned())),
                Body::Empty,
            ),
            exchange(
                4,
                RecordedOutcome::BrokeOff(Some("closed".to_owned())),
                Body::Empty,
            ),
        ];
        let written = RequestRecording {
            name: "session.har".to_owned(),
            tool: "playsim 0.1.0".to_owned(),
            epoch_micros: Some(1_700_000_000_000_000),
            pages: vec![RecordedPage {
                id: "first".to_owned(),
                started: Some(Time::ZERO),
                title: "the first".to_owned(),
            }],
            exchanges,
            ..RequestRecording::default()
        };
        let text = write_har(&written);
        let mut load = |_: &str| unreachable!("no body is in a file of its own");
        let read =
            super::super::read("session.har", text.as_bytes(), &mut load).expect("an archive");
        assert_eq!(read, written);
    }
}
