//! Writes a recording as an HTTP archive.
//!
//! The opposite of `har`, for recordings that are made here: what [`read`](super::read) gives of
//! the archive is the same recording, with times in whole milliseconds.
//!
//! Source: HTTP Archive 1.2 (W3C draft, 2012). `_resourceType` and `_error` are fields of Chromium.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::recording::{Body, Exchange, RecordedOutcome, RequestRecording};
use playsim_base::escape;
use playsim_base::time::{Span, Time};

/// Returns a recording as an HTTP archive. Bodies that are missing or that broke off are not in it.
#[must_use]
pub fn write_har(recording: &RequestRecording) -> String {
    let tool = &recording.tool;
    let (name, version) = tool.rsplit_once(' ').unwrap_or((tool, ""));
    let epoch = recording.epoch_micros.unwrap_or_default();
    let pages = recording.pages.iter().map(|it| {
        json!({
            "startedDateTime": date(it.started.unwrap_or_default(), epoch),
            "id": it.id,
            "title": it.title,
            "pageTimings": {},
        })
    });
    let entries = recording.exchanges.iter().map(|it| entry(it, epoch));
    let notes: Vec<&str> = recording.notes.iter().map(|it| &*it.text).collect();
    let log = json!({
        "version": "1.2",
        "creator": { "name": name, "version": version },
        "pages": pages.collect::<Vec<_>>(),
        "entries": entries.collect::<Vec<_>>(),
        "comment": notes.join("; "),
    });
    escape::json(&format!("{:#}", json!({ "log": log }))).into_owned()
}

/// Returns the date of a time of the recording.
fn date(time: Time, epoch: i64) -> String {
    let micros = epoch.saturating_add(i64::try_from(time.micros()).unwrap_or(i64::MAX));
    let date = jiff::Timestamp::from_microsecond(micros).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    format!("{date:.6}")
}

fn entry(it: &Exchange, epoch: i64) -> Value {
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
        Body::Text(text) => (i64::try_from(text.len()).unwrap_or(-1), Some(&**text)),
        Body::Missing | Body::Cut(_) => (-1, None),
    };
    let request = json!({
        "method": it.method, "url": &*it.url, "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
        "queryString": [], "headersSize": -1, "bodySize": -1,
    });
    let content = json!({ "size": size, "mimeType": it.mime.as_deref().unwrap_or_default() });
    let response = json!({
        "status": status, "statusText": "", "httpVersion": "HTTP/1.1", "cookies": [], "headers": [],
        "content": with(content, &[("text", text)]), "redirectURL": redirect_url, "headersSize": -1,
        "bodySize": size,
    });
    let entry = json!({
        "startedDateTime": date(it.at(), epoch),
        "time": milliseconds(time),
        "request": request,
        "response": with(response, &[("_error", broke_off)]),
        "cache": {},
        "timings": {
            "send": 0, "wait": milliseconds(first_byte), "receive": milliseconds(time - first_byte),
        },
    });
    let rest = [
        ("pageref", it.page.as_deref()),
        ("_resourceType", it.purpose.as_deref()),
        ("_error", failed),
    ];
    with(entry, &rest)
}

/// Adds the fields that there are.
fn with(mut object: Value, fields: &[(&str, Option<&str>)]) -> Value {
    let fields = fields
        .iter()
        .filter_map(|(key, value)| Some((*key, (*value)?)));
    if let Some(object) = object.as_object_mut() {
        object.extend(fields.map(|(key, value)| (key.to_owned(), value.into())));
    }
    object
}

/// Returns a time in milliseconds, exact to the microsecond.
fn milliseconds(span: Span) -> Box<RawValue> {
    let text = format!("{}.{:03}", span.micros() / 1_000, span.micros() % 1_000);
    RawValue::from_string(text).expect("digits and a point are a number")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recording::RecordedPage;

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
