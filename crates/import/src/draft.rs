//! The parts that all formats of recordings share: dates, bodies, and the order of the requests.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::sync::Arc;

use data_encoding::{BASE64, BASE64_NOPAD};
use flate2::read::MultiGzDecoder;
use serde::de::{DeserializeSeed, MapAccess};
use serde_json::Deserializer;

use super::certainty::Note;
use super::film::length as media_length;
use super::lenient::{self, Bytes, Object};
use super::recording::{
    Body, Exchange, RecordedClock, RecordedOutcome, RecordedPage, RequestRecording,
};
use playsim_base::number::Decimal;
use playsim_base::time::{Span, Time};
use playsim_base::words::counted;
use playsim_vast as vast;

/// The most bytes of a body that is neither XML nor has an ad document in it: enough to identify
/// it.
const GLANCE: usize = 1 << 10;

/// An exchange with its time on the calendar.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// When it was sent.
    pub(super) sent: Option<Sent>,
    /// Whether a service worker answered the page, whose own request is another entry.
    pub(super) is_by_worker: bool,
    /// The name of the file next to the recording that has the body.
    pub(super) file: Option<String>,
    /// The names of header fields with secrets.
    pub(super) dropped: Vec<String>,
    pub(super) exchange: Exchange,
}

/// Reads a file next to a recording, by its name.
pub(super) type Load<'a> = dyn FnMut(&str) -> io::Result<Vec<u8>> + 'a;

/// The bodies that were loaded, by the names of their files: requests may have the same.
pub(super) type Loaded = BTreeMap<String, (Body, Option<Span>)>;

impl Draft {
    pub(super) fn new(url: String, method: String) -> Draft {
        let method = if method.is_empty() {
            "GET".to_owned()
        } else {
            method.to_ascii_uppercase()
        };
        Draft {
            sent: None,
            is_by_worker: false,
            file: None,
            dropped: Vec::new(),
            exchange: Exchange {
                url: url.into(),
                method,
                ..Exchange::default()
            },
        }
    }

    /// Loads its body from a file, if it is in one. One that cannot be read stays missing.
    pub(super) fn load(&mut self, load: &mut Load<'_>, loaded: &mut Loaded) {
        if self.exchange.body == Body::Missing
            && let Some(file) = self.file.take()
        {
            let read = |file: &String| match load(file) {
                Ok(bytes) => {
                    let raw = RawBody::of(&bytes);
                    let film = raw.film(false);
                    (RawBody::settle(Some(raw), false, Coding::Plain, true), film)
                }
                Err(_) => (Body::Missing, None),
            };
            let (body, film) = loaded.entry(file).or_insert_with_key(read);
            self.exchange.film = *film;
            self.exchange.body = body.clone();
        }
    }

    /// Makes a recording of them: counts time from the earliest, and sorts by time.
    pub(super) fn settle(
        name: &str,
        tool: String,
        pages: Vec<(Option<Sent>, RecordedPage)>,
        mut drafts: Vec<Draft>,
        notes: Vec<Note>,
    ) -> RequestRecording {
        drafts.retain(|draft| !draft.exchange.url.is_empty());
        for (number, draft) in drafts.iter_mut().enumerate() {
            draft.exchange.number = number;
        }
        let apart = apart(&mut drafts);
        let mut recording = Draft::timed(name, tool.clone(), pages, drafts, notes);
        let are_several = !apart.is_empty();
        let loads = split_loads(&mut recording.exchanges, &mut recording.pages, are_several);
        if are_several {
            let mut other = Draft::timed(name, tool, Vec::new(), apart, Vec::new());
            let id = format!("load {}", loads + 1);
            let own = other.exchanges.iter_mut();
            own.for_each(|it| it.page = Some(id.clone()));
            let title = other.exchanges[0].url.to_string();
            other.pages.push(RecordedPage {
                id,
                started: None,
                title,
            });
            recording.apart.push(other);
        }
        recording
    }

    /// Makes a recording of those that one clock timed.
    fn timed(
        name: &str,
        tool: String,
        pages: Vec<(Option<Sent>, RecordedPage)>,
        drafts: Vec<Draft>,
        mut notes: Vec<Note>,
    ) -> RequestRecording {
        let sent = || drafts.iter().filter_map(|draft| draft.sent);
        // Clocks with and without a zone cannot be compared.
        let is_local = sent().all(|it| matches!(it, Sent::Local(_)));
        let micros = |it: Option<Sent>| match it? {
            Sent::Zoned(micros) => Some(micros).filter(|_| !is_local),
            Sent::Local(micros) => Some(micros).filter(|_| is_local),
        };
        let dated = sent().filter_map(|it| micros(Some(it))).count();
        let is_whole = sent().all(|it| it.micros() % 1_000_000 == 0);
        let clock = match dated {
            0 => RecordedClock::Unreadable,
            // A few requests may have been sent at the full second by chance.
            5.. if is_whole => RecordedClock::Seconds,
            _ => RecordedClock::Exact,
        };
        let all = pages
            .iter()
            .map(|(at, _)| *at)
            .chain(drafts.iter().map(|draft| draft.sent));
        let earliest = all.filter_map(micros).min();
        let since = |epoch: i64| {
            let since = epoch.saturating_sub(earliest.unwrap_or_default());
            Time::from_micros(u64::try_from(since).unwrap_or(0))
        };
        if is_local && dated > 0 {
            notes.push(Note::seen(
                "the times have no zone: their differences hold, and the calendar time is not known",
            ));
        }
        if clock == RecordedClock::Seconds {
            notes.push(Note::seen(
                "the times of the requests are whole seconds: what is less than a second apart is not said",
            ));
        }
        let undated = drafts.len() - dated;
        if undated > 0 && dated > 0 {
            notes.push(Note::inferred(format!(
                "{undated} of {} have no readable time: each was sent with or after the one before it in the file, and \
                 counts as sent with it",
                counted(drafts.len(), "request")
            )));
        }
        let dropped = drafts
            .iter()
            .flat_map(|draft| draft.dropped.iter().cloned())
            .collect();
        let mut last = Time::ZERO;
        let mut by_worker: BTreeSet<usize> = BTreeSet::new();
        let mut exchanges: Vec<Exchange> = Vec::with_capacity(drafts.len());
        for draft in drafts {
            last = micros(draft.sent).map_or(last, since);
            by_worker.extend(draft.is_by_worker.then_some(draft.exchange.number));
            exchanges.push(Exchange {
                started: Some(last),
                ..draft.exchange
            });
        }
        // Below a millisecond, tools measure their own overhead rather than the network.
        for it in &mut exchanges {
            it.started = it.started.map(|at| Time::from_micros(whole(at.micros())));
            it.time = it.time.map(|span| Span::from_micros(whole(span.micros())));
            it.first_byte = it
                .first_byte
                .map(|span| Span::from_micros(whole(span.micros())));
        }
        exchanges.sort_by_key(|it| it.started);
        notes.extend(keep_once(&mut exchanges, &by_worker));
        let pages = pages
            .into_iter()
            .map(|(at, page)| RecordedPage {
                started: micros(at).map(since),
                ..page
            })
            .collect();
        RequestRecording {
            name: name.to_owned(),
            tool,
            apart: Vec::new(),
            epoch_micros: earliest.filter(|_| !is_local),
            clock,
            pages,
            films: Vec::new(),
            exchanges,
            notes,
            dropped,
            is_cut: false,
        }
    }
}

/// Rounds microseconds to whole milliseconds.
const fn whole(micros: u64) -> u64 {
    micros.saturating_add(500) / 1_000 * 1_000
}

/// A header field, in the form that HTTP archives and Charles share.
#[derive(Default)]
pub(super) struct Header {
    pub(super) name: String,
    pub(super) value: Option<String>,
}

impl Object for Header {
    fn field<'de, A: MapAccess<'de>>(&mut self, key: &str, map: &mut A) -> Result<(), A::Error> {
        match key {
            "name" => self.name = lenient::text(map)?.unwrap_or_default(),
            "value" => self.value = lenient::text(map)?,
            _ => lenient::skip(map)?,
        }
        Ok(())
    }
}

/// A date, in microseconds since 1970: with its time zone, or as a clock without one shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sent {
    Zoned(i64),
    Local(i64),
}

impl Sent {
    /// Reads a date as ISO 8601, RFC 9110 or milliseconds since 1970 have it.
    pub(super) fn read(text: &str) -> Option<Sent> {
        let text = text.trim();
        if let Ok(zoned) = text.parse::<jiff::Timestamp>() {
            return Some(Sent::Zoned(zoned.as_microsecond()));
        }
        if let Ok(zoned) = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(text) {
            return Some(Sent::Zoned(zoned.as_microsecond()));
        }
        if let Some(millis) = Decimal::parse_rounded(text) {
            return Some(Sent::Zoned(millis.millionths() / 1_000));
        }
        let local: jiff::civil::DateTime = text.parse().ok()?;
        let local = local.to_zoned(jiff::tz::TimeZone::UTC).ok()?;
        Some(Sent::Local(local.timestamp().as_microsecond()))
    }

    pub(super) const fn micros(self) -> i64 {
        match self {
            Sent::Zoned(micros) | Sent::Local(micros) => micros,
        }
    }
}

/// Returns whether a request is for a page. Without a purpose the type of its answer says so.
fn is_page(it: &Exchange) -> bool {
    let is_html = it.mime.as_deref().is_some_and(|it| it.contains("html"));
    let is_document = it.purpose.as_deref().map_or(is_html, |it| it == "document");
    is_document && it.method == "GET" && it.status().is_some()
}

/// Takes out the captures whose times cannot be compared with those before them: one that begins
/// with the document of the page, and of which every time has a zone where those before have none,
/// or the other way round.
fn apart(drafts: &mut Vec<Draft>) -> Vec<Draft> {
    let is_local = |draft: &Draft| draft.sent.map(|sent| matches!(sent, Sent::Local(_)));
    let first = drafts.iter().find_map(is_local);
    let home = drafts.iter().map(|draft| &draft.exchange);
    let home = home
        .filter(|it| is_page(it))
        .map(|it| it.url.clone())
        .next();
    let mut captures: Vec<Vec<Draft>> = vec![Vec::new()];
    for draft in std::mem::take(drafts) {
        if home.as_ref() == Some(&draft.exchange.url) && draft.exchange.method == "GET" {
            captures.push(Vec::new());
        }
        if let Some(capture) = captures.last_mut() {
            capture.push(draft);
        }
    }
    let mut apart = Vec::new();
    for (index, capture) in captures.into_iter().enumerate() {
        let mut dated = capture.iter().filter_map(is_local).peekable();
        let is_other = index > 1 && dated.peek().is_some() && dated.all(|it| Some(it) != first);
        if is_other { &mut apart } else { &mut *drafts }.extend(capture);
    }
    apart
}

/// Gives each load of a page an id of its own: the document with which the page began is asked for
/// again, after it had come, and something else that it led to is, too. A document within a page,
/// such as one for banners, may be asked for again and again. Returns the number of loads.
/// `are_several`: whether the file has other loads, too.
fn split_loads(
    exchanges: &mut [Exchange],
    pages: &mut Vec<RecordedPage>,
    are_several: bool,
) -> usize {
    /// What a page asks for so long after its document is what this leads to.
    const LOADING: Span = Span::from_secs(10);
    let mut ids: Vec<Option<String>> = Vec::new();
    for it in &*exchanges {
        if !ids.contains(&it.page) {
            ids.push(it.page.clone());
        }
    }
    let has_ids = ids.iter().any(Option::is_some);
    let mut count = 0;
    for id in ids {
        let own = || exchanges.iter().filter(|it| it.page == id);
        let is_redirect = |it: &Exchange| matches!(it.outcome, RecordedOutcome::Redirect(..));
        let page = pages.iter().find(|page| Some(&page.id) == id.as_ref());
        // Most tools give a page its URL as a title.
        let title = page.map(|page| page.title.clone());
        let is_titled = |it: &Exchange| {
            let url = title.as_deref().filter(|title| title.starts_with("http"));
            url.is_none_or(|url| *url == *it.url)
        };
        let home = own().find(|it| !is_redirect(it));
        let home = home.filter(|it| is_page(it) && is_titled(it));
        let led_to = |from: Time| {
            let later = &exchanges[exchanges.partition_point(|it| it.at() < from)..];
            let led = later.iter().take_while(|it| it.at() <= from + LOADING);
            let own = led.filter(|it| it.page == id).map(|it| &it.url);
            own.filter(|url| home.is_some_and(|home| home.url != **url))
                .collect::<BTreeSet<_>>()
        };
        let mut begins: Vec<usize> = Vec::new();
        if let Some(home) = home {
            let first = led_to(home.at());
            let mut over = home.over();
            for (index, it) in exchanges.iter().enumerate() {
                let is_document = it.purpose.as_deref().is_none_or(|it| it == "document");
                let is_home = it.page == id && it.url == home.url && it.method == "GET";
                if is_home && is_document && it.at() > over {
                    over = it.over();
                    begins.extend((!led_to(it.at()).is_disjoint(&first)).then_some(index));
                }
            }
        }
        let home = home.map(|it| it.url.to_string()).unwrap_or_default();
        count += begins.len() + 1;
        if begins.is_empty() && (has_ids || !are_several) || id.is_none() && has_ids {
            continue;
        }
        let title = title.unwrap_or(home);
        let named = |load: usize| match &id {
            Some(id) if load == 1 => id.clone(),
            Some(id) => format!("{id}, load {load}"),
            None => format!("load {load}"),
        };
        for (index, it) in exchanges.iter_mut().enumerate() {
            if it.page == id {
                it.page = Some(named(1 + begins.partition_point(|begin| *begin <= index)));
            }
        }
        for load in 1..=begins.len() + 1 {
            if id.is_none() || load > 1 {
                let begin = load.checked_sub(2).map(|load| exchanges[begins[load]].at());
                pages.push(RecordedPage {
                    id: named(load),
                    started: begin,
                    title: title.clone(),
                });
            }
        }
    }
    count
}

/// Leaves one of two entries that tell of one request: that of a page and that of its service
/// worker, or of two tools that recorded the same. An entry is told twice if the other one, for the
/// same URL with the same outcome, was open when it was sent. A page may really ask twice, so that
/// more is needed: the tool's word, a script that sends nothing but such copies, or that most of
/// the URLs of the recording are told twice.
fn keep_once(exchanges: &mut Vec<Exchange>, by_worker: &BTreeSet<usize>) -> Option<Note> {
    let mut known: BTreeMap<(Arc<str>, &str), usize> = BTreeMap::new();
    let mut twins: BTreeMap<usize, usize> = BTreeMap::new();
    for (index, it) in exchanges.iter().enumerate() {
        let key = (Arc::clone(&it.url), &*it.method);
        let first = *known.entry(key.clone()).or_insert(index);
        let other = &exchanges[first];
        // What a worker sends belongs to no page.
        let is_one_page = it.page == other.page || it.page.is_none() || other.page.is_none();
        // Of one failure the page and its worker are told different things.
        let have_failed = matches!(
            (&it.outcome, &other.outcome),
            (RecordedOutcome::Failed(_), RecordedOutcome::Failed(_))
        );
        let is_alike = have_failed || it.outcome == other.outcome;
        let is_open = it.at() <= other.over() && is_alike;
        if first != index && is_open && is_one_page {
            twins.insert(index, first);
        } else {
            known.insert(key, index);
        }
    }
    let told: BTreeSet<usize> = twins.values().copied().collect();
    let is_mostly = told.len() > 2 && told.len() * 2 > known.len();
    let worker = worker(exchanges, &twins);
    let is_of_worker = |(index, first): (&usize, &usize)| {
        worker.is_some() && exchanges[*index].initiator == worker
            || [index, first]
                .iter()
                .any(|it| by_worker.contains(&exchanges[**it].number))
    };
    let is_by_worker = !twins.is_empty() && twins.iter().any(is_of_worker);
    let kept = twins.iter().filter(|it| is_mostly || is_of_worker(*it));
    let twins: BTreeMap<usize, usize> = kept.map(|(index, first)| (*index, *first)).collect();
    let who = match &worker {
        Some(script) => {
            let script = script.split_once("://").map_or(&**script, |(_, rest)| rest);
            format!(", by the page and its service worker ({script})")
        }
        None if is_by_worker => ", by a page and its service worker".to_owned(),
        None => String::new(),
    };
    for (index, first) in &twins {
        if matches!(exchanges[*first].body, Body::Empty | Body::Missing) {
            exchanges[*first].body = exchanges[*index].body.clone();
        }
    }
    let mut index = 0..;
    exchanges.retain(|_| {
        index
            .next()
            .is_some_and(|index| !twins.contains_key(&index))
    });
    let count = counted(twins.len(), "request");
    (!twins.is_empty())
        .then(|| Note::inferred(format!("{count} told twice{who}: each counts once")))
}

/// Returns the script that sent nothing but what another sender had already asked for: a service
/// worker, which sends on what the page asks.
fn worker(exchanges: &[Exchange], twins: &BTreeMap<usize, usize>) -> Option<Arc<str>> {
    const LEAST: usize = 3;
    let (last, first) = twins.last_key_value()?;
    let script = exchanges[*last].initiator.as_ref()?;
    let mut sent = 0;
    let is_copy = |(index, it): (usize, &Exchange)| {
        if it.initiator.as_ref() != Some(script) {
            return true;
        }
        sent += 1;
        let first = twins.get(&index).map(|first| &exchanges[*first]);
        first.is_some_and(|first| first.initiator.as_ref() != Some(script))
    };
    let is_only_copies = exchanges.iter().enumerate().all(is_copy);
    let is_other = exchanges[*first].initiator.as_ref() != Some(script);
    (is_only_copies && is_other && sent >= LEAST).then(|| Arc::clone(script))
}

/// Converts milliseconds; negative ones mean unknown and are `None`.
pub(super) fn milliseconds(number: Decimal) -> Option<Span> {
    let micros = number.millionths().checked_div(1_000)?;
    u64::try_from(micros)
        .ok()
        .filter(|_| number >= Decimal::ZERO)
        .map(Span::from_micros)
}

/// How a body was sent: the field `Content-Encoding`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Coding {
    /// As it is.
    #[default]
    Plain,
    /// Compressed with Brotli.
    Brotli,
    /// Otherwise.
    Other,
}

/// A body as a recording has it: all of one that may be XML, the beginning of any other.
#[derive(Debug)]
pub(super) struct RawBody(Vec<u8>);

impl RawBody {
    pub(super) fn of(bytes: &[u8]) -> RawBody {
        let is_kept =
            bytes.len() <= GLANCE || is_wanted(bytes) || is_packed(bytes) || is_encoded(bytes);
        RawBody(
            bytes[..if is_kept {
                bytes.len().min(vast::MAX_BYTES * 2)
            } else {
                GLANCE
            }]
                .to_vec(),
        )
    }

    /// Reads a body as an archive has it: a string in JSON. Also returns its length, if all of it
    /// was read; `None` if it is not a string.
    pub(super) fn written(json: &str, coding: Coding) -> Option<(RawBody, Option<usize>)> {
        let text = json.strip_prefix('"')?.strip_suffix('"')?;
        let head = unescaped(head_of(text));
        let is_kept = text.len() <= HEAD
            || begins_markup(&head)
            || head.starts_with(b"#EXTM3U")
            || is_json(&head) && names_ads(text.as_bytes())
            || is_packed(&head)
            || is_encoded(&head)
            || coding == Coding::Brotli && all_base64(&head);
        if is_kept {
            let mut bytes = unescaped(text);
            let length = bytes.len();
            if coding == Coding::Brotli && all_base64(&bytes) {
                bytes.truncate(vast::MAX_BYTES * 2);
                return Some((RawBody(bytes), Some(length)));
            }
            return Some((RawBody::of(&bytes), Some(length)));
        }
        Some((RawBody::of(&head), None))
    }

    /// Returns how long it plays, if it is a media file whose header is at its beginning.
    pub(super) fn film(&self, is_base64: bool) -> Option<Span> {
        if is_base64 {
            media_length(&decoded(&self.0))
        } else {
            media_length(&self.0)
        }
    }

    /// Returns the body. `coding`: how it was sent, in which a tool may have kept it.
    /// `is_expected`: whether there must have been one.
    pub(super) fn settle(
        raw: Option<RawBody>,
        is_base64: bool,
        coding: Coding,
        is_expected: bool,
    ) -> Body {
        match raw {
            Some(RawBody(bytes)) if !bytes.is_empty() => {
                // Some tools mark a body so that they have kept as text.
                let is_base64 = is_base64 && all_base64(bytes.trim_ascii());
                let bytes = if is_base64 { decoded(&bytes) } else { bytes };
                let mut bytes = if is_packed(&bytes) {
                    unpacked(&bytes)
                } else if is_base64 && coding == Coding::Brotli && !is_wanted(&bytes) {
                    unbrotli(&bytes).unwrap_or(bytes)
                } else {
                    bytes
                };
                if !is_wanted(&bytes) {
                    bytes.truncate(GLANCE);
                }
                Body::Text(Arc::from(String::from_utf8_lossy(&bytes)))
            }
            Some(_) | None if is_expected => Body::Missing,
            Some(_) | None => Body::Empty,
        }
    }
}

/// Returns whether it begins as XML, HTML or a playlist, or is JSON or a call that names ads.
fn is_wanted(bytes: &[u8]) -> bool {
    begins_markup(bytes) || bytes.starts_with(b"#EXTM3U") || is_json(bytes) && names_ads(bytes)
}

/// Returns whether JSON has an ad document in it, or a list of pixels.
fn names_ads(bytes: &[u8]) -> bool {
    has_document(bytes) || memchr::memmem::find(bytes, b"trackingEvents").is_some()
}

/// Returns whether a body is not the text that was compressed: the tool did not decode it.
pub(super) fn is_binary(text: &str) -> bool {
    let is_odd = |it: char| it == '\u{fffd}' || it.is_control() && !it.is_ascii_whitespace();
    text.chars().take(64).any(is_odd)
}

/// Returns whether a body begins as XML or HTML, and its last element is not closed.
pub(super) fn is_open(text: &str) -> bool {
    let end = text.trim_end();
    let last = end.rfind('<').map_or("", |at| &end[at..]);
    begins_markup(text.as_bytes())
        && !(end.ends_with('>') && (last.starts_with("</") || last.ends_with("/>")))
}

fn begins_markup(bytes: &[u8]) -> bool {
    bytes
        .strip_prefix("\u{feff}".as_bytes())
        .unwrap_or(bytes)
        .trim_ascii_start()
        .starts_with(b"<")
}

/// Returns whether the name of an ad document's element is in a body, also in base64: there it
/// depends on the place of its first letter.
pub(super) fn has_document(bytes: &[u8]) -> bool {
    const NAMES: &[&[u8]] = &[b"VAST", b"vmap:VMAP", b"VkFTV", b"ZBU1", b"WQVNU"];
    NAMES
        .iter()
        .any(|name| memchr::memmem::find(bytes, name).is_some())
}

/// The most bytes of a string in JSON that are read to identify it.
const HEAD: usize = 2 * GLANCE;

/// Returns the beginning of a string as JSON has it, without an escape that would be cut.
fn head_of(text: &str) -> &str {
    /// The longest escape: `\u` and four digits.
    const ESCAPE: usize = 6;
    let mut end = text.len().min(HEAD);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let from = end.saturating_sub(ESCAPE);
    let bytes = text.as_bytes();
    if let Some(at) = memchr::memchr(b'\\', &bytes[from..end]).filter(|_| end < text.len()) {
        end = from + at;
        while end > 0 && bytes[end - 1] == b'\\' {
            end -= 1;
        }
    }
    &text[..end]
}

/// Returns a string as JSON has it without its escapes. Half of a surrogate pair, which browsers
/// write where a body was cut, stays as it is.
fn unescaped(text: &str) -> Vec<u8> {
    if memchr::memchr(b'\\', text.as_bytes()).is_none() {
        return text.as_bytes().to_vec();
    }
    let mut bytes = Vec::new();
    let quoted = format!("\"{text}\"");
    // Invalid JSON would end this early; the walk over the file has ruled it out.
    let _ = Bytes(|text: &[u8]| bytes = text.to_vec())
        .deserialize(&mut Deserializer::from_str(&quoted));
    bytes
}

/// Returns whether it begins as JSON, or as a call of a function with JSON.
fn is_json(bytes: &[u8]) -> bool {
    let bytes = bytes
        .strip_prefix("\u{feff}".as_bytes())
        .unwrap_or(bytes)
        .trim_ascii_start();
    let begins = |bytes: &[u8]| {
        bytes
            .trim_ascii_start()
            .first()
            .is_some_and(|it| b"{[".contains(it))
    };
    let name = bytes
        .iter()
        .take_while(|it| it.is_ascii_alphanumeric() || b"/*_$. ".contains(it))
        .count();
    begins(bytes) || bytes.get(name) == Some(&b'(') && begins(&bytes[name + 1..])
}

/// Returns whether it is base64 of what may be wanted.
fn is_encoded(bytes: &[u8]) -> bool {
    const GROUPS: usize = 64;
    let head = &bytes[..bytes.len().min(GROUPS) / 4 * 4];
    let begins = |head: &[u8]| {
        head.trim_ascii_start()
            .first()
            .is_some_and(|it| b"<{[".contains(it))
    };
    BASE64.decode(head).is_ok_and(|head| {
        is_packed(&head) || begins(head.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&head))
    })
}

const GZIP: &[u8] = &[0x1f, 0x8b];

/// Returns whether it is not text yet: some tools keep a body as it was sent, in gzip or in UTF-16.
fn is_packed(bytes: &[u8]) -> bool {
    bytes.starts_with(GZIP) || bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff])
}

/// Returns whether all of it is base64, as tools write it: perhaps in lines, or for URLs.
fn all_base64(bytes: &[u8]) -> bool {
    let is_digit = |it: &u8| it.is_ascii_alphanumeric() || b"+/=-_\r\n".contains(it);
    bytes.iter().all(is_digit)
}

/// Returns a body that was compressed with Brotli; `None` if it was not. RFC 7932.
fn unbrotli(bytes: &[u8]) -> Option<Vec<u8>> {
    /// The size of the buffer.
    const BUFFER: usize = 4_096;
    let mut plain = Vec::new();
    let most = vast::MAX_BYTES as u64 * 2;
    let mut reader = brotli_decompressor::Decompressor::new(bytes, BUFFER).take(most);
    reader.read_to_end(&mut plain).is_ok().then_some(plain)
}

/// Returns the text of a body in gzip or UTF-16, in UTF-8, as far as it is valid.
fn unpacked(bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    let bytes = if bytes.starts_with(GZIP) {
        // Invalid data ends the body early.
        let most = vast::MAX_BYTES as u64 * 2;
        let _ = MultiGzDecoder::new(bytes)
            .take(most)
            .read_to_end(&mut plain);
        &plain
    } else {
        bytes
    };
    // A byte-order mark says the encoding.
    encoding_rs::UTF_8.decode(bytes).0.into_owned().into_bytes()
}

/// Decodes base64 as far as it is valid, with or without line breaks and padding.
pub(super) fn decoded(bytes: &[u8]) -> Vec<u8> {
    let is_digit = |byte: &u8| !byte.is_ascii_whitespace() && *byte != b'=';
    let digits: Vec<u8> = bytes.iter().copied().filter(is_digit).collect();
    let whole = &digits[..digits.len() - usize::from(digits.len() % 4 == 1)];
    let mut out = vec![0; BASE64_NOPAD.decode_len(whole.len()).unwrap_or(0)];
    let length = BASE64_NOPAD
        .decode_mut(whole, &mut out)
        .unwrap_or_else(|partial| partial.written);
    out.truncate(length);
    out
}
