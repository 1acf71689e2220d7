//! Reads sessions that Charles exports, as JSON (`.chlsj`) or XML (`.chlsx`).
//!
//! The formats are not documented; this follows the output of the program: for each transaction its
//! address in parts, its times, and the body as text or base64.

use std::io::Read;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use serde::de::{DeserializeSeed, MapAccess};

use super::ImportFault;
use super::certainty::Note;
use super::draft::{Coding, Draft, Header, RawBody, Sent};
use super::lenient::{self, Bytes, Each, Into, Object};
use super::recording::{RecordedOutcome, RequestRecording};
use playsim_base::time::Span;
use playsim_base::words::counted;

const TOOL: &str = "Charles";

/// Reads a session as JSON.
pub(super) fn read_json(name: &str, from: impl Read) -> Result<RequestRecording, ImportFault> {
    let mut current = None;
    let mut drafts = Vec::new();
    let mut json = serde_json::Deserializer::from_reader(from);
    let take = |it: Transaction| drafts.extend(it.draft());
    let result = Each {
        current: &mut current,
        take,
    }
    .deserialize(&mut json);
    let mut notes = Vec::new();
    if let Err(error) = result {
        if drafts.is_empty() {
            return Err(ImportFault::NotAnArchive(format!(
                "{name} is not a session of Charles: {error}"
            )));
        }
        notes.push(Note::seen(format!(
            "{error}; {} before that could be read",
            counted(drafts.len(), "request")
        )));
    } else if drafts.is_empty() {
        return Err(ImportFault::NotAnArchive(format!(
            "{name} is a list without requests; expected an HTTP archive (.har) or a session of Charles (.chlsj)"
        )));
    }
    Ok(Draft::settle(
        name,
        TOOL.to_owned(),
        Vec::new(),
        drafts,
        notes,
    ))
}

/// Reads a session as XML.
pub(super) fn read_xml(name: &str, text: &str) -> Result<RequestRecording, ImportFault> {
    let mut reader = Reader::from_str(text);
    reader.config_mut().check_end_names = false;
    let mut drafts = Vec::new();
    let mut notes = Vec::new();
    let mut current = Transaction::default();
    // The text of the element that is open, and where it belongs.
    let (mut is_response, mut text) = (false, String::new());
    loop {
        match reader.read_event() {
            Ok(Event::Start(tag)) => {
                text.clear();
                match tag.name().as_ref() {
                    "transaction" => current = Transaction::of(&tag),
                    "request" => is_response = false,
                    "response" => {
                        is_response = true;
                        current.response.status = attribute(&tag, "status");
                        current.response.mime = attribute(&tag, "mime-type");
                    }
                    "body" => {
                        current.response.is_base64 =
                            attribute(&tag, "encoding").as_deref() == Some("base64")
                    }
                    _ => {}
                }
            }
            Ok(Event::Text(part)) => text.push_str(&part),
            Ok(Event::CData(part)) => text.push_str(&part),
            Ok(Event::GeneralRef(entity)) => {
                text.push_str(
                    &quick_xml::escape::unescape(&format!("&{};", &*entity)).unwrap_or_default(),
                );
            }
            Ok(Event::End(tag)) => match tag.name().as_ref() {
                "transaction" => drafts.extend(std::mem::take(&mut current).draft()),
                "body" if is_response => current.response.body = Some(RawBody::of(text.as_bytes())),
                "name" => current.response.header.name = std::mem::take(&mut text),
                "value"
                    if is_response
                        && current
                            .response
                            .header
                            .name
                            .eq_ignore_ascii_case("location") =>
                {
                    current.response.location = Some(std::mem::take(&mut text));
                }
                _ => {}
            },
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) => {
                let at = reader.error_position();
                notes.push(Note::seen(format!(
                    "{error} (byte {at}); {} before that could be read",
                    counted(drafts.len(), "request")
                )));
                break;
            }
        }
    }
    if drafts.is_empty() {
        return Err(ImportFault::NotAnArchive(format!(
            "{name} has no \"transaction\", as a session of Charles has"
        )));
    }
    Ok(Draft::settle(
        name,
        TOOL.to_owned(),
        Vec::new(),
        drafts,
        notes,
    ))
}

fn attribute(tag: &BytesStart<'_>, name: &str) -> Option<String> {
    let found = tag
        .attributes()
        .with_checks(false)
        .filter_map(Result::ok)
        .find(|it| it.key.as_ref() == name)?;
    let value = quick_xml::escape::unescape(&found.value);
    Some(value.map_or_else(|_| found.value.to_string(), |value| value.into_owned()))
}

#[derive(Default)]
struct Transaction {
    method: String,
    scheme: String,
    host: String,
    port: Option<String>,
    path: String,
    query: Option<String>,
    error: Option<String>,
    times: Times,
    response: Response,
}

#[derive(Default)]
struct Times {
    start: Option<i64>,
    first_byte: Option<i64>,
    end: Option<i64>,
}

#[derive(Default)]
struct Response {
    status: Option<String>,
    mime: Option<String>,
    location: Option<String>,
    is_base64: bool,
    body: Option<RawBody>,
    /// The header field that is being read.
    header: Header,
}

impl Object for Transaction {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "method" => self.method = lenient::text(map)?.unwrap_or_default(),
            "scheme" => self.scheme = lenient::text(map)?.unwrap_or_default(),
            "host" => self.host = lenient::text(map)?.unwrap_or_default(),
            "port" | "actualPort" => self.port = lenient::text(map)?.or(self.port.take()),
            "path" => self.path = lenient::text(map)?.unwrap_or_default(),
            "query" => self.query = lenient::text(map)?,
            "errorMessage" => self.error = lenient::text(map)?,
            "times" => map.next_value_seed(Into(&mut self.times))?,
            "response" => map.next_value_seed(Into(&mut self.response))?,
            _ => lenient::skip(map)?,
        }
        Ok(())
    }
}

impl Object for Times {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "start" => self.start = lenient::text(map)?.as_deref().and_then(epoch),
            "responseBegin" => self.first_byte = lenient::text(map)?.as_deref().and_then(epoch),
            "end" => self.end = lenient::text(map)?.as_deref().and_then(epoch),
            _ => lenient::skip(map)?,
        }
        Ok(())
    }
}

impl Object for Response {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "status" => self.status = lenient::text(map)?,
            "mimeType" => self.mime = lenient::text(map)?,
            "header" | "body" => map.next_value_seed(Into(self))?,
            "headers" => {
                let take = |it: Header| {
                    if it.name.eq_ignore_ascii_case("location") {
                        self.location = it.value;
                    }
                };
                map.next_value_seed(Each {
                    current: &mut None,
                    take,
                })?;
            }
            "text" => {
                map.next_value_seed(Bytes(|text: &[u8]| self.body = Some(RawBody::of(text))))?
            }
            "encoded" => {
                self.is_base64 = true;
                map.next_value_seed(Bytes(|text: &[u8]| self.body = Some(RawBody::of(text))))?;
            }
            _ => lenient::skip(map)?,
        }
        Ok(())
    }
}

impl Transaction {
    fn of(tag: &BytesStart<'_>) -> Transaction {
        let text = |name| attribute(tag, name);
        let time = |name| text(name).as_deref().and_then(epoch);
        Transaction {
            method: text("method").unwrap_or_default(),
            scheme: text("protocol").unwrap_or_default(),
            host: text("host").unwrap_or_default(),
            port: text("port").or(text("actualPort")),
            path: text("path").unwrap_or_default(),
            query: text("query"),
            error: text("errorMessage"),
            times: Times {
                start: time("startTime"),
                first_byte: time("responseTime"),
                end: time("endTime"),
            },
            response: Response::default(),
        }
    }

    /// Returns the request; `None` for a tunnel or a transaction without a host.
    fn draft(self) -> Option<Draft> {
        let Transaction {
            method,
            scheme,
            host,
            port,
            path,
            query,
            error,
            times,
            response,
        } = self;
        if host.is_empty() || method == "CONNECT" {
            return None;
        }
        let usual = if scheme == "http" { "80" } else { "443" };
        let port = port
            .filter(|port| port != usual)
            .map_or_else(String::new, |port| format!(":{port}"));
        let query = query.map_or_else(String::new, |query| format!("?{query}"));
        let mut draft = Draft::new(format!("{scheme}://{host}{port}{path}{query}"), method);
        draft.sent = times.start.map(Sent::Zoned);
        let since = |end: Option<i64>| {
            let span = end?.checked_sub(times.start?)?;
            u64::try_from(span).ok().map(Span::from_micros)
        };
        let status = response.status.and_then(|status| status.parse().ok());
        let it = &mut draft.exchange;
        it.time = since(times.end);
        it.first_byte = since(times.first_byte);
        it.mime = response.mime.map(|mime| mime.to_ascii_lowercase());
        it.outcome = match (status, response.location, error) {
            (Some(status @ 300..=399), Some(to), _) => RecordedOutcome::Redirect(status, to.into()),
            (Some(0..400), _, Some(why)) if response.body.is_none() => {
                RecordedOutcome::BrokeOff(Some(why))
            }
            (Some(status), _, _) => RecordedOutcome::Response(status),
            (None, _, error) => RecordedOutcome::Failed(error),
        };
        it.film = response
            .body
            .as_ref()
            .and_then(|raw| raw.film(response.is_base64));
        it.body = RawBody::settle(response.body, response.is_base64, Coding::Plain, false);
        Some(draft)
    }
}

/// Reads a date, in microseconds since 1970.
fn epoch(text: &str) -> Option<i64> {
    Sent::read(text).map(Sent::micros)
}
