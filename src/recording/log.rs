//! The compact form of a recording: one JSON object, whose `log` is a list of lists.
//!
//! Each entry of the log is `[milliseconds, kind, name]` or `[milliseconds, kind, name, data]`; milliseconds may be
//! negative, before the first call. It is the form that a script in a page can write most easily:
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

use serde_json::{Map, Value, json};

use crate::number::Decimal;
use crate::place::Place;
use crate::trace::TraceError;

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
    let object: Map<String, Value> = serde_json::from_str(begin).ok()?;
    let log = object.get("log")?;
    let wrong = |message: String| TraceError { file: name.into(), place: Place::of_byte(text, 0), message };
    let Some(log) = log.as_array() else {
        return Some(Err(wrong(
            "\"log\" must be a list, like [[12.5, \"ask\", \"https://ads.test/tag\", \"fetch\"]]".into(),
        )));
    };
    let start = log.iter().filter_map(micros).min().unwrap_or(0).min(0);
    let mut lines = vec![head(&object)];
    for (index, item) in log.iter().enumerate() {
        match entry(item, start) {
            Some(line) => lines.push(line),
            None => {
                let due = "it must be [milliseconds, kind, name] or [milliseconds, kind, name, data]";
                return Some(Err(wrong(format!("entry {index} of \"log\" is {item}; {due}"))));
            }
        }
    }
    let lines: Vec<String> = lines.iter().map(Value::to_string).collect();
    Some(Ok(lines.join("\n")))
}

fn head(object: &Map<String, Value>) -> Value {
    let mut data = Map::new();
    data.insert("version".into(), super::VERSION.into());
    for (key, other) in
        [("player", ""), ("versions", ""), ("browser", ""), ("case", "situation"), ("scenario", "")]
    {
        if let Some(value) = object.get(key).or_else(|| object.get(other)) {
            data.insert(key.into(), value.clone());
        }
    }
    let mut hears: Vec<Value> =
        ["call", "user", "net:request", "ui", "native", "diag", "page"].map(Value::from).to_vec();
    hears.extend(MEDIA_EVENTS.map(|event| Value::from(format!("media:{event}"))));
    data.insert("hears".into(), object.get("hears").cloned().unwrap_or(hears.into()));
    json!({ "t": 0, "kind": "header", "name": "recording", "data": data })
}

/// Returns an entry as a line; `None` if it is not in the form.
fn entry(entry: &Value, start: i64) -> Option<Value> {
    let at = micros(entry)?.saturating_sub(start);
    let (kind, name) = (entry.get(1)?.as_str()?, entry.get(2)?.as_str()?);
    let data = entry.get(3).unwrap_or(&Value::Null);
    let (kind, name, data) = match kind {
        "ask" => ("net", "request", json!({ "url": name, "via": data })),
        "stage" => ("ui", if data == "on" { "shown" } else { "gone" }, json!({ "src": name })),
        "media" => {
            let parts = data.as_array().map_or(&[][..], Vec::as_slice);
            let keys = ["src", "position", "code"].into_iter().map(String::from);
            ("media", name, Value::Object(keys.zip(parts.iter().cloned()).collect()))
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
