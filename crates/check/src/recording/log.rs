//! The compact form of a recording: one JSON object, whose `log` is a list of lists.
//!
//! Each entry of the log is `[milliseconds, kind, name]` or `[milliseconds, kind, name, data]`;
//! milliseconds may be negative, before the first call. It is the form that a script in a page can
//! write most easily:
//!
//! | kind | name | data |
//! |---|---|---|
//! | `ask` | the URL of a request | how it is sent: `img`, `media`, `fetch`, ... |
//! | `stage` | the film | `on` or `off` |
//! | `media` | an event of the media element | the film, the position in seconds, an error code |
//! | `open` | the URL of a window | |
//! | `call`, `user` | what is called or done | an argument |
//! | `native` | an event of the player | anything |
//! | `note`, `uncaught` | a sentence | |
//! | `page` | `visible`, `hidden` | |

use std::fmt::Write as _;

use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use playsim_base::escape;
use playsim_base::json::{self, Stopped};
use playsim_base::number::Decimal;
use playsim_base::place::Place;
use playsim_trace::TraceError;

/// The longest entry of a log, in bytes: entries are read one at a time, and each takes many times
/// its size.
const LONGEST: usize = 1 << 20;

/// The media events that such a log has.
const MEDIA_EVENTS: [&str; 10] = [
    "ended",
    "error",
    "loadedmetadata",
    "pause",
    "play",
    "playing",
    "seeked",
    "seeking",
    "volumechange",
    "waiting",
];

/// Returns the recording as JSON lines; `None` if the text is not in this form.
pub(super) fn lines(name: &str, text: &str) -> Option<Result<String, TraceError>> {
    let begin = text.trim_start_matches('\u{feff}').trim_start();
    if !begin.starts_with('{') {
        return None;
    }
    let mut log = None;
    let mut object = Vec::new();
    let walked = json::each_part(begin, |name, value| {
        match name {
            Some(name) if name == "log" => log = Some(value),
            Some(name) => object.push((name, value)),
            None => {}
        }
        Ok::<(), ()>(())
    });
    let log = log.filter(|_| walked.is_ok())?;
    Some(written(&object, log.get()).map_err(|message| TraceError {
        file: name.into(),
        place: Place::of_byte(text, 0),
        message,
    }))
}

/// Writes the lines of a log, one entry after the other: its text is all that is in memory.
fn written(object: &[(String, &RawValue)], log: &str) -> Result<String, String> {
    if !log.starts_with('[') {
        return Err(
            "\"log\" must be a list, like [[12.5, \"ask\", \"https://ads.test/tag\", \"fetch\"]]"
                .into(),
        );
    }
    let each = |take: &mut dyn FnMut(&RawValue) -> Result<(), String>| {
        json::each_part(log, |_, raw| take(raw)).map_err(|stopped| match stopped {
            Stopped::Syntax(error) => error.to_string(),
            Stopped::Refused(message) => message,
        })
    };
    let mut start = 0;
    let mut entries = 0;
    each(&mut |raw| {
        if raw.get().len() > LONGEST {
            return Err(format!(
                "entry {entries} of \"log\" has more than {LONGEST} bytes"
            ));
        }
        start = start.min(parsed(raw).as_ref().and_then(micros).unwrap_or(0));
        entries += 1;
        Ok(())
    })?;
    let mut lines = head(object)?.to_string();
    let mut index = 0;
    each(&mut |raw| {
        let Some(line) = parsed(raw).and_then(|item| entry(&item, start)) else {
            let due = "it must be [milliseconds, kind, name] or [milliseconds, kind, name, data]";
            return Err(format!(
                "entry {index} of \"log\" is {}; {due}",
                escape::shown(raw.get())
            ));
        };
        let _ = write!(lines, "\n{line}");
        index += 1;
        Ok(())
    })?;
    Ok(lines)
}

fn parsed(raw: &RawValue) -> Option<Value> {
    serde_json::from_str(raw.get()).ok()
}

fn head(object: &[(String, &RawValue)]) -> Result<Value, String> {
    let get = |key: &str| {
        object
            .iter()
            .rfind(|(name, _)| name == key)
            .map(|(_, value)| *value)
    };
    let read = |raw: &RawValue| match raw.get().len() {
        ..=LONGEST => {
            parsed(raw).ok_or_else(|| format!("{} is not JSON", escape::shown(raw.get())))
        }
        _ => Err(format!("the head has more than {LONGEST} bytes")),
    };
    let mut data = Map::new();
    data.insert("version".into(), super::VERSION.into());
    for (key, other) in [
        ("player", ""),
        ("versions", ""),
        ("browser", ""),
        ("case", "situation"),
        ("scenario", ""),
    ] {
        if let Some(value) = get(key).or_else(|| get(other)) {
            data.insert(key.into(), read(value)?);
        }
    }
    let mut hears: Vec<Value> = [
        "call",
        "user",
        "net:request",
        "ui",
        "native",
        "diag",
        "page",
    ]
    .map(Value::from)
    .to_vec();
    hears.extend(MEDIA_EVENTS.map(|event| Value::from(format!("media:{event}"))));
    data.insert(
        "hears".into(),
        get("hears").map(read).transpose()?.unwrap_or(hears.into()),
    );
    Ok(json!({ "t": 0, "kind": "header", "name": "recording", "data": data }))
}

/// Returns an entry as a line; `None` if it is not in the form.
fn entry(entry: &Value, start: i64) -> Option<Value> {
    let at = micros(entry)?.saturating_sub(start);
    let (kind, name) = (entry.get(1)?.as_str()?, entry.get(2)?.as_str()?);
    let data = entry.get(3).unwrap_or(&Value::Null);
    let (kind, name, data) = match kind {
        "ask" => ("net", "request", json!({ "url": name, "via": data })),
        "stage" => (
            "ui",
            if data == "on" { "shown" } else { "gone" },
            json!({ "src": name }),
        ),
        "media" => {
            let parts = data.as_array().map_or(&[][..], Vec::as_slice);
            let keys = ["src", "position", "code"].into_iter().map(String::from);
            (
                "media",
                name,
                Value::Object(keys.zip(parts.iter().cloned()).collect()),
            )
        }
        "open" => ("ui", "navigate", json!({ "url": name })),
        "note" | "uncaught" => ("diag", kind, json!({ "text": name })),
        "call" | "user" if data.is_null() => (kind, name, json!({ "args": [] })),
        "call" | "user" => (kind, name, json!({ "args": [data] })),
        _ if data.is_null() => (kind, name, json!({})),
        _ => (kind, name, json!({ "data": data })),
    };
    Some(json!({ "t": at, "kind": kind, "name": name, "data": data }))
}

/// Returns the time of an entry in microseconds; `None` if it has none.
fn micros(entry: &Value) -> Option<i64> {
    let millis = entry.get(0)?.as_number()?.to_string();
    Some(Decimal::parse_rounded(&millis)?.millionths() / 1_000)
}
