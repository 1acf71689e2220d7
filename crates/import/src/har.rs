//! Reads HTTP archives (HAR 1.1 and 1.2), as browsers, proxies and test tools write them.
//!
//! Only bodies that may be ad documents are kept, so that memory does not grow with the media and
//! scripts in it. The others are passed over as they are written, which is as fast as a walk over
//! the JSON. What is missing, unknown or of another type is tolerated, because tools differ in all
//! of it. A file that breaks off gives what was complete.
//!
//! Source: HTTP Archive 1.2 (W3C draft, 2012).

use std::sync::Arc;

use serde::de::{DeserializeSeed, MapAccess};
use serde_json::Deserializer;
use serde_json::de::Read;
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::ImportFault;
use super::certainty::Note;
use super::draft::{
    Coding, Draft, Header, Load, Loaded, RawBody, Sent, is_binary, is_open, milliseconds,
};
use super::lenient::{self, Each, Into, Object};
use super::recording::{Body, RecordedOutcome, RecordedPage, RequestRecording};
use playsim_base::escape;
use playsim_base::number::Decimal;
use playsim_base::time::Span;
use playsim_base::words::counted;

/// Reads an archive. `name` is used in messages; `load` gives the files next to it that hold
/// bodies.
pub(super) fn read<'de>(
    name: &str,
    mut json: Deserializer<impl Read<'de>>,
    load: &mut Load<'_>,
) -> Result<RequestRecording, ImportFault> {
    let mut file = File::default();
    let result = Into(&mut file).deserialize(&mut json);
    // The entry at which a file breaks off: its request is known, most often, and its body is not.
    let last = file
        .log
        .current
        .take()
        .filter(|it| !it.request.url.is_empty() && it.started.is_some());
    file.log.entries.extend(last.map(HarEntry::draft));
    let mut loaded = Loaded::new();
    for draft in &mut file.log.entries {
        draft.load(load, &mut loaded);
    }
    let found = file.log.entries.len();
    let mut notes = Vec::new();
    let is_cut = result.is_err();
    if let Err(error) = result {
        let what = match error.classify() {
            Category::Eof => "the file ends early",
            Category::Io => "the file cannot be read to its end",
            Category::Syntax | Category::Data => "the file is not valid JSON",
        };
        let at = format!("line {}, column {}", error.line(), error.column());
        if found == 0 {
            return Err(ImportFault::NotAnArchive(format!(
                "{name}: {what} ({at}): {error}"
            )));
        }
        notes.push(Note::seen(format!(
            "{what} ({at}); {} before that could be read",
            counted(found, "request")
        )));
    } else if !file.log.has_entries {
        return Err(ImportFault::NotAnArchive(format!(
            "{name} is JSON, but not an HTTP archive: it has no list \"log.entries\""
        )));
    }
    let pages = file.log.pages.into_iter().map(|page| {
        let shown = RecordedPage {
            id: page.id,
            started: None,
            title: page.title,
        };
        (page.started.as_deref().and_then(Sent::read), shown)
    });
    let tool = [file.log.browser, file.log.creator]
        .into_iter()
        .find(|it| !it.is_empty())
        .unwrap_or_default();
    Ok(RequestRecording {
        is_cut,
        ..Draft::settle(name, tool, pages.collect(), file.log.entries, notes)
    })
}

#[derive(Default)]
struct File {
    log: Log,
}

impl Object for File {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "log" => map.next_value_seed(Into(&mut self.log)),
            // Some tools leave out the outer object.
            _ => self.log.field(key, map),
        }
    }
}

#[derive(Default)]
struct Log {
    creator: String,
    browser: String,
    pages: Vec<HarPage>,
    has_entries: bool,
    entries: Vec<Draft>,
    current: Option<HarEntry>,
}

impl Object for Log {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "creator" => Tool::read(map).map(|tool| self.creator = tool),
            "browser" => Tool::read(map).map(|tool| self.browser = tool),
            "pages" => {
                let take = |page| self.pages.push(page);
                map.next_value_seed(Each {
                    current: &mut None,
                    take,
                })
            }
            "entries" => {
                self.has_entries = true;
                let take = |entry: HarEntry| self.entries.push(entry.draft());
                map.next_value_seed(Each {
                    current: &mut self.current,
                    take,
                })
            }
            _ => lenient::skip(map),
        }
    }
}

#[derive(Default)]
struct Tool {
    name: String,
    version: String,
}

impl Tool {
    /// Reads a tool: its name and version.
    fn read<'de, A: MapAccess<'de>>(map: &mut A) -> Result<String, A::Error> {
        let mut tool = Tool::default();
        map.next_value_seed(Into(&mut tool))?;
        Ok(format!("{} {}", tool.name, tool.version).trim().to_owned())
    }
}

impl Object for Tool {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "name" => self.name = lenient::text(map)?.unwrap_or_default(),
            "version" => self.version = lenient::text(map)?.unwrap_or_default(),
            _ => lenient::skip(map)?,
        }
        Ok(())
    }
}

#[derive(Default)]
struct HarPage {
    id: String,
    title: String,
    started: Option<String>,
}

impl Object for HarPage {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "id" => self.id = lenient::text(map)?.unwrap_or_default(),
            "title" => self.title = lenient::text(map)?.unwrap_or_default(),
            "startedDateTime" => self.started = lenient::text(map)?,
            _ => lenient::skip(map)?,
        }
        Ok(())
    }
}

#[derive(Default)]
struct HarEntry {
    started: Option<String>,
    time: Option<Decimal>,
    page: Option<String>,
    /// `_resourceType`.
    purpose: Option<String>,
    initiator: Initiator,
    request: Request,
    response: Response,
    timings: Timings,
    error: Option<String>,
    is_stored: bool,
    /// Whether a service worker answered the page, whose own request is another entry.
    is_by_worker: bool,
}

impl Object for HarEntry {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "startedDateTime" => self.started = lenient::text(map)?,
            "time" => self.time = lenient::number(map)?,
            "pageref" => self.page = lenient::text(map)?,
            "_resourceType" => self.purpose = lenient::text(map)?,
            "_initiator" => map.next_value_seed(Into(&mut self.initiator))?,
            "request" => map.next_value_seed(Into(&mut self.request))?,
            "response" => map.next_value_seed(Into(&mut self.response))?,
            "timings" => map.next_value_seed(Into(&mut self.timings))?,
            "_error" | "_failureText" | "_errorText" => self.error = lenient::text(map)?,
            "_fromCache" => self.is_stored = lenient::text(map)?.is_some_and(|it| it != "false"),
            "_fetchType" => {
                self.is_stored = lenient::text(map)?.is_some_and(|it| it.ends_with("Cache"));
            }
            "_fetchedViaServiceWorker" => {
                self.is_by_worker = lenient::text(map)?.is_some_and(|it| it == "true");
            }
            _ => lenient::skip(map)?,
        }
        Ok(())
    }
}

#[derive(Default)]
struct Request {
    method: String,
    url: String,
    /// The field `Origin`.
    origin: Option<String>,
    dropped: Vec<String>,
}

/// Header fields with secrets. Their values are never read.
const SECRET: &[&str] = &[
    "authorization",
    "cookie",
    "proxy-authorization",
    "set-cookie",
    "x-api-key",
    "x-auth-token",
];

/// Notes the name of a header field with a secret.
fn drop_secret(header: &Header, dropped: &mut Vec<String>) {
    let name = header.name.to_ascii_lowercase();
    if SECRET.contains(&&*name) && !dropped.contains(&name) {
        dropped.push(name);
    }
}

impl Object for Request {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "method" => self.method = lenient::text(map)?.unwrap_or_default(),
            "url" => self.url = lenient::text(map)?.unwrap_or_default(),
            "headers" => {
                let take = |header: Header| {
                    drop_secret(&header, &mut self.dropped);
                    if header.name.eq_ignore_ascii_case("origin") {
                        self.origin = header.value;
                    }
                };
                map.next_value_seed(Each {
                    current: &mut None,
                    take,
                })?;
            }
            _ => lenient::skip(map)?,
        }
        Ok(())
    }
}

#[derive(Default)]
struct Response {
    dropped: Vec<String>,
    status: Option<Decimal>,
    redirect: Option<String>,
    location: Option<String>,
    /// The field `Access-Control-Allow-Origin`.
    allowed: Option<String>,
    has_headers: bool,
    content: Content,
    error: Option<String>,
    /// Where Chrome writes it.
    is_by_worker: bool,
}

impl Object for Response {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "status" => self.status = lenient::number(map)?,
            "redirectURL" => self.redirect = lenient::text(map)?,
            "content" => map.next_value_seed(Into(&mut self.content))?,
            "headers" => {
                let take = |header: Header| {
                    drop_secret(&header, &mut self.dropped);
                    self.has_headers = true;
                    if header
                        .name
                        .eq_ignore_ascii_case("access-control-allow-origin")
                    {
                        self.allowed = header.value;
                    } else if header.name.eq_ignore_ascii_case("location") {
                        self.location = header.value;
                    } else if header.name.eq_ignore_ascii_case("content-type") {
                        self.content.declared = header.value;
                    } else if header.name.eq_ignore_ascii_case("content-length") {
                        self.content.length =
                            header.value.and_then(|length| length.trim().parse().ok());
                    } else if header.name.eq_ignore_ascii_case("content-encoding") {
                        let value = header.value.unwrap_or_default();
                        self.content.coding = match value.trim().to_ascii_lowercase().as_str() {
                            "br" => Coding::Brotli,
                            _ => Coding::Other,
                        };
                    }
                };
                map.next_value_seed(Each {
                    current: &mut None,
                    take,
                })?;
            }
            "_error" | "_failureText" => self.error = lenient::text(map)?,
            "_fetchedViaServiceWorker" => {
                self.is_by_worker = lenient::text(map)?.is_some_and(|it| it == "true");
            }
            _ => lenient::skip(map)?,
        }
        Ok(())
    }
}

#[derive(Default)]
struct Content {
    size: Option<Decimal>,
    /// `mimeType`.
    mime: Option<String>,
    /// The field `Content-Type`.
    declared: Option<String>,
    /// The field `Content-Length`.
    length: Option<usize>,
    coding: Coding,
    is_base64: bool,
    text: Option<RawBody>,
    /// How many bytes the text has, if all of it was read.
    text_length: Option<usize>,
    /// The name of a file next to the archive that has the body.
    file: Option<String>,
}

impl Object for Content {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "size" => self.size = lenient::number(map)?,
            "mimeType" => self.mime = lenient::text(map)?,
            "encoding" => {
                self.is_base64 =
                    lenient::text(map)?.is_some_and(|it| it.eq_ignore_ascii_case("base64"));
            }
            "_file" => self.file = lenient::text(map)?,
            "text" => {
                let raw = map.next_value::<Box<RawValue>>()?;
                (self.text, self.text_length) = match RawBody::written(raw.get(), self.coding) {
                    Some((text, length)) => (Some(text), length),
                    None => (None, None),
                };
            }
            _ => lenient::skip(map)?,
        }
        Ok(())
    }
}

impl Content {
    /// Returns whether the text is shorter than the response said: it broke off, and not every tool
    /// says so.
    fn is_cut(&self) -> bool {
        let is_comparable =
            self.coding == Coding::Plain && (!self.is_base64 || self.text_length == Some(0));
        is_comparable
            && !self.is_shortened()
            && self
                .length
                .zip(self.text_length)
                .is_some_and(|(length, text)| length > text)
    }

    /// Returns whether the tool kept less text than it says to have received.
    fn is_shortened(&self) -> bool {
        let text = self.text_length.and_then(|text| i64::try_from(text).ok());
        let is_all = |text: &i64| {
            self.size
                .is_none_or(|size| size <= Decimal::from_integer(*text))
        };
        !self.is_base64 && text.is_some_and(|text| text > 0 && !is_all(&text))
    }
}

/// Who sent a request: an object, or in some tools only a URL.
#[derive(Default)]
struct Initiator {
    url: Option<String>,
    frame: Frame,
}

impl Object for Initiator {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "url" => self.url = lenient::text(map)?,
            "stack" => map.next_value_seed(Into(&mut self.frame))?,
            _ => lenient::skip(map)?,
        }
        Ok(())
    }
}

/// The uppermost frame of a call stack that names a script.
#[derive(Default)]
struct Frame {
    url: Option<String>,
    line: Option<Decimal>,
    column: Option<Decimal>,
}

impl Object for Frame {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "url" => self.url = lenient::text(map)?,
            "lineNumber" => self.line = lenient::number(map)?,
            "columnNumber" => self.column = lenient::number(map)?,
            "callFrames" => {
                let mut first: Option<Frame> = None;
                let take = |frame: Frame| {
                    if first.is_none() && frame.url.is_some() {
                        first = Some(frame);
                    }
                };
                map.next_value_seed(Each {
                    current: &mut None,
                    take,
                })?;
                if let (None, Some(first)) = (&self.url, first) {
                    *self = first;
                }
            }
            // The frames before an asynchronous call.
            "parent" if self.url.is_none() => map.next_value_seed(Into(self))?,
            _ => lenient::skip(map)?,
        }
        Ok(())
    }
}

impl Frame {
    /// Returns line and column, if it has both.
    fn site(&self) -> Option<String> {
        let (line, column) = (self.line?.as_integer()?, self.column?.as_integer()?);
        Some(format!(
            "{}:{line}:{column}",
            self.url.as_deref().unwrap_or_default()
        ))
    }
}

/// The phases of a request in milliseconds; −1 or nothing where one does not apply.
#[derive(Default)]
struct Timings {
    before: Span,
    receive: Span,
    is_known: bool,
}

impl Object for Timings {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            // `ssl` is part of `connect`.
            "blocked" | "dns" | "connect" | "send" => {
                self.before += lenient::number(map)?
                    .and_then(milliseconds)
                    .unwrap_or_default();
            }
            "wait" => {
                let wait = lenient::number(map)?.and_then(milliseconds);
                self.before += wait.unwrap_or_default();
                self.is_known |= wait.is_some();
            }
            "receive" => {
                self.receive = lenient::number(map)?
                    .and_then(milliseconds)
                    .unwrap_or_default()
            }
            _ => lenient::skip(map)?,
        }
        Ok(())
    }
}

/// Returns whether a tool's words for a failure mean that the answer broke off.
fn is_cut(error: Option<&str>) -> bool {
    const REFUSED: &[&str] = &["err_failed", "blocked", "cors", "cert", "ssl"];
    let error = error.unwrap_or_default().to_ascii_lowercase();
    !REFUSED.iter().any(|word| error.contains(word))
}

/// Returns why a page may not read an answer, if its header fields say so: some tools, such as
/// Firefox, keep an answer that the browser kept from the page. Only a request with GET for another
/// origin has the field `Origin` because it needs the permission. Fetch standard, section 4.10.
fn unreadable(request: &Request, response: &Response) -> Option<String> {
    let origin = request
        .origin
        .as_deref()
        .map(str::trim)
        .filter(|origin| !origin.is_empty())?;
    let is_asked = request.method.eq_ignore_ascii_case("GET") && response.has_headers;
    let is_own = request
        .url
        .strip_prefix(origin)
        .is_some_and(|rest| rest.starts_with(['/', '?', '#']));
    let allowed = response.allowed.as_deref().map(str::trim);
    if !is_asked || is_own || allowed.is_some_and(|allowed| allowed == "*" || allowed == origin) {
        return None;
    }
    let allowed = allowed.map_or("no origin", |allowed| allowed);
    Some(escape::line(&format!("CORS: it allows {allowed}, the page is {origin}")).into_owned())
}

impl HarEntry {
    fn draft(self) -> Draft {
        let HarEntry {
            started,
            time,
            page,
            purpose,
            initiator,
            request,
            response,
            timings,
            error,
            is_stored,
            is_by_worker,
        } = self;
        let unreadable = unreadable(&request, &response);
        let content = response.content;
        let is_shortened = content.is_shortened();
        let dropped = [request.dropped, response.dropped].concat();
        let status = response
            .status
            .and_then(Decimal::as_integer)
            .and_then(|status| u16::try_from(status).ok());
        let redirect = response.redirect.or(response.location);
        let error = error.or(response.error);
        let outcome = match status {
            Some(status @ (301 | 302 | 303 | 307 | 308)) if redirect.is_some() => {
                RecordedOutcome::Redirect(status, redirect.unwrap_or_default().into())
            }
            Some(200..400) if error.is_none() && unreadable.is_some() => {
                RecordedOutcome::Failed(unreadable)
            }
            // An answer that broke off has a status and no body. Browsers also report an error for
            // the body of a failed answer that the page did not read.
            Some(200) if content.is_cut() => RecordedOutcome::BrokeOff(error),
            Some(status @ 100..=599)
                if error.is_none() || content.text.is_some() || status >= 400 =>
            {
                RecordedOutcome::Response(status)
            }
            Some(100..=599) if is_cut(error.as_deref()) => RecordedOutcome::BrokeOff(error),
            // The browser refused the answer: its status says nothing to the page.
            _ => RecordedOutcome::Failed(error),
        };
        let parts = timings.before + timings.receive;
        // Without its size, or with −1, nothing says that a body was empty.
        let is_bodiless =
            matches!(status, Some(204 | 205)) || request.method.eq_ignore_ascii_case("HEAD");
        // The body of a 304 is in the browser's store, and the page gets it.
        let is_expected = content.file.is_some()
            || status == Some(304)
            || content.size.map_or(!is_bodiless, |size| {
                size > Decimal::ZERO || size < Decimal::ZERO && !is_bodiless
            });
        let mut draft = Draft::new(request.url, request.method);
        draft.sent = started.as_deref().and_then(Sent::read);
        draft.is_by_worker = is_by_worker || response.is_by_worker;
        let is_answered = matches!(
            outcome,
            RecordedOutcome::Response(_) | RecordedOutcome::Redirect(..)
        );
        draft.file = content.file;
        draft.dropped = dropped;
        let mime = content
            .mime
            .filter(|mime| mime != "x-unknown")
            .or(content.declared);
        let mime = mime.map(|it| {
            it.split(';')
                .next()
                .unwrap_or_default()
                .trim()
                .to_ascii_lowercase()
        });
        let exchange = &mut draft.exchange;
        exchange.page = page;
        exchange.is_stored = is_stored;
        exchange.purpose = purpose.map(|it| it.to_ascii_lowercase());
        exchange.site = initiator.frame.site().map(std::convert::Into::into);
        exchange.initiator = initiator
            .url
            .or(initiator.frame.url)
            .map(std::convert::Into::into);
        exchange.outcome = outcome;
        exchange.first_byte = Some(timings.before).filter(|_| timings.is_known);
        exchange.time = time
            .and_then(milliseconds)
            .or(Some(parts).filter(|_| timings.is_known));
        exchange.mime = mime;
        exchange.film = content
            .text
            .as_ref()
            .and_then(|raw| raw.film(content.is_base64));
        exchange.body = RawBody::settle(
            content.text,
            content.is_base64,
            content.coding,
            is_answered && is_expected,
        );
        if let Body::Text(text) = &exchange.body {
            if content.coding != Coding::Plain && is_binary(text) {
                exchange.body = Body::Missing;
            } else if is_shortened && is_open(text) {
                exchange.body = Body::Cut(Arc::clone(text));
            }
        }
        draft
    }
}
