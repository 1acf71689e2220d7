//! The parts that all formats of recordings share: dates, bodies, and the order of the requests.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::sync::Arc;

use data_encoding::{BASE64, BASE64_NOPAD};
use flate2::read::MultiGzDecoder;
use serde::de::{DeserializeSeed, MapAccess};
use serde_json::Deserializer;

use super::certainty::Note;
use super::film::length as media_length;
use super::lenient::{self, Bytes, Object};
use super::recording::{Body, Exchange, RecordedPage, RequestRecording};
use playsim_base::number::Decimal;
use playsim_base::time::{Span, Time};
use playsim_vast as vast;

/// The most bytes of a body that is neither XML nor has an ad document in it: enough to identify
/// it.
const GLANCE: usize = 1 << 10;

/// An exchange with its time on the calendar.
#[derive(Debug, Default)]
pub(super) struct Draft {
    /// When it was sent, in microseconds since 1970.
    pub(super) epoch: Option<i64>,
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
            epoch: None,
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
                    (RawBody::settle(Some(raw), false, true), film)
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
        pages: Vec<(Option<i64>, RecordedPage)>,
        mut drafts: Vec<Draft>,
        mut notes: Vec<Note>,
    ) -> RequestRecording {
        drafts.retain(|draft| !draft.exchange.url.is_empty());
        let all = pages
            .iter()
            .map(|(epoch, _)| *epoch)
            .chain(drafts.iter().map(|draft| draft.epoch));
        let epoch_micros = all.flatten().min();
        let earliest = epoch_micros.unwrap_or_default();
        let since = |epoch: i64| {
            Time::from_micros(u64::try_from(epoch.saturating_sub(earliest)).unwrap_or(0))
        };
        let undated = drafts.iter().filter(|draft| draft.epoch.is_none()).count();
        if undated > 0 {
            notes.push(Note::inferred(format!(
                "{undated} of {} have no readable time: each was sent with or after the one before it in the file, and \
                 counts as sent with it",
                playsim_base::words::counted(drafts.len(), "request")
            )));
        }
        let dropped = drafts
            .iter()
            .flat_map(|draft| draft.dropped.iter().cloned())
            .collect();
        let mut last = Time::ZERO;
        let mut exchanges: Vec<Exchange> = Vec::with_capacity(drafts.len());
        for (number, draft) in drafts.into_iter().enumerate() {
            last = draft.epoch.map_or(last, since);
            exchanges.push(Exchange {
                number,
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
        let pages = pages
            .into_iter()
            .map(|(epoch, page)| RecordedPage {
                started: epoch.map(since),
                ..page
            })
            .collect();
        RequestRecording {
            name: name.to_owned(),
            tool,
            epoch_micros,
            pages,
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

/// Reads a date with its time zone, in microseconds since 1970.
pub(super) fn epoch(text: &str) -> Option<i64> {
    let instant: jiff::Timestamp = text.trim().parse().ok()?;
    Some(instant.as_microsecond())
}

/// Converts milliseconds; negative ones mean unknown and are `None`.
pub(super) fn milliseconds(number: Decimal) -> Option<Span> {
    let micros = number.millionths().checked_div(1_000)?;
    u64::try_from(micros)
        .ok()
        .filter(|_| number >= Decimal::ZERO)
        .map(Span::from_micros)
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
    pub(super) fn written(json: &str) -> Option<(RawBody, Option<usize>)> {
        let text = json.strip_prefix('"')?.strip_suffix('"')?;
        let head = unescaped(head_of(text));
        let is_kept = text.len() <= HEAD
            || begins_markup(&head)
            || is_json(&head) && has_document(text.as_bytes())
            || is_packed(&head)
            || is_encoded(&head);
        if is_kept {
            let bytes = unescaped(text);
            let length = bytes.len();
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

    /// Returns the body. `is_expected`: whether there must have been one.
    pub(super) fn settle(raw: Option<RawBody>, is_base64: bool, is_expected: bool) -> Body {
        match raw {
            Some(RawBody(bytes)) if !bytes.is_empty() => {
                let bytes = if is_base64 { decoded(&bytes) } else { bytes };
                let mut bytes = if is_packed(&bytes) {
                    unpacked(&bytes)
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

/// Returns whether it begins as XML or HTML, or is JSON or a call with an ad document.
fn is_wanted(bytes: &[u8]) -> bool {
    begins_markup(bytes) || is_json(bytes) && has_document(bytes)
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
