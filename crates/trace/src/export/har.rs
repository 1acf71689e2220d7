//! The requests as an HTTP Archive 1.2, which browsers' network panels, proxies and Playwright can
//! read.
//!
//! Each request, each of its redirects and each beacon is an entry. URLs are absolute and bodies
//! are those of the scenario, so that a page served from the archive gets the same as the player.
//! Data without a field in the form are below `_playsim`, following the convention of browsers for
//! their own fields. Each unsimulated part has a comment saying so: the bytes of media, the records
//! of videos, and the responses to beacons, which are 204.
//!
//! Rule TRACE-8.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};
use std::sync::Arc;

use serde_json::value::RawValue;

use super::exchange::{Exchange, exchanges};
use super::left_out::LeftOutLines;
use super::{container, field, header, integer, json_of, outcome, raw, scenario};
use crate::{Filter, Record, Trace};
use playsim_api::{BreakNumber, Decimal, Kind, NetLine, NetworkFault, Purpose};
use playsim_base::escape;
use playsim_base::time::{Span, Time};
use playsim_rules::RuleId;

mod address;
mod content;
mod form;

use form::{
    Body, Creator, Document, Frame, HarEntry, HarPage, Log, NOT_KNOWN, NotTimed, Notes, Parameter,
    Request, Response, Timings, UNKNOWN,
};

/// Parts of an archive that a trace does not contain.
pub struct Site<'a> {
    /// The date at time 0, in microseconds since 1970.
    pub epoch_micros: i64,
    /// The absolute URL of the page, against which relative ones are resolved.
    pub url: &'a str,
    /// Returns the body of the next response of a URL. Called once for each request for a document.
    pub bodies: &'a mut dyn FnMut(&str) -> Option<Arc<str>>,
}

/// Writes the requests and beacons that the filter shows as one document. If one line of a request
/// is shown, the whole request is.
///
/// # Errors
///
/// If the sink fails.
pub fn write_har(
    trace: &Trace,
    filter: &Filter,
    why: bool,
    site: Site<'_>,
    sink: &mut impl Write,
) -> fmt::Result {
    let decisions = trace
        .records
        .iter()
        .filter(|record| record.kind == Kind::Ad);
    let codes = decisions
        .filter_map(|line| Some((line.cause?, integer(line, "code")?)))
        .collect();
    let bodies = content::bodies(trace, site.bodies);
    let writer = Writer {
        trace,
        why,
        epoch_micros: site.epoch_micros,
        page: site.url,
        codes,
        bodies,
    };
    let mut held = BTreeSet::new();
    // By the number of the line with which each begins, which is the order of the trace.
    let mut entries = Vec::new();
    for exchange in exchanges(trace)
        .iter()
        .filter(|exchange| exchange.is_shown(filter))
    {
        held.extend(exchange.lines().map(|line| line.seq));
        entries.extend(writer.exchange(exchange));
    }
    let is_beacon = |record: &&Record| record.kind == Kind::Beacon && filter.shows(record);
    for beacon in trace.records.iter().filter(is_beacon) {
        held.insert(beacon.seq);
        entries.push(writer.beacon(beacon));
    }
    entries.sort_by_key(|entry| entry.notes.seq);
    let left_out = LeftOutLines::of(trace, filter, &held);
    let log = Log {
        version: "1.2",
        creator: Creator {
            name: "playsim",
            version: env!("CARGO_PKG_VERSION"),
        },
        pages: vec![HarPage {
            started_date_time: writer.date(Time::ZERO),
            id: PAGE,
            title: scenario(trace),
            page_timings: NotTimed {},
            url: site.url.to_owned(),
        }],
        entries,
        comment: left_out.sentences().join("; "),
        frame: Frame {
            header: header(trace).and_then(|header| json_of(&header.data)),
            outcome: outcome(trace).map(|outcome| outcome.name.to_string()),
            outcome_data: outcome(trace).and_then(|outcome| json_of(&outcome.data)),
            left_out,
        },
    };
    let text = serde_json::to_string_pretty(&Document { log }).expect("all keys are strings");
    writeln!(sink, "{}", escape::json(&text))
}

/// The id of the page that all requests of a run belong to.
const PAGE: &str = "page";

struct Writer<'a> {
    trace: &'a Trace,
    why: bool,
    epoch_micros: i64,
    page: &'a str,
    /// The codes of decisions, by the line that caused each.
    codes: BTreeMap<u32, i64>,
    /// The bodies of documents, by the line that requested each.
    bodies: BTreeMap<u32, Arc<str>>,
}

impl Writer<'_> {
    /// Returns the entry of a request, and one more for each redirect.
    fn exchange(&self, exchange: &Exchange<'_>) -> Vec<HarEntry> {
        let asked = std::iter::once(exchange.request).chain(exchange.redirects.iter().copied());
        let redirects = exchange.redirects.iter().copied().map(Some).chain([None]);
        asked
            .zip(redirects)
            .map(|(line, redirect)| self.hop(exchange, line, redirect))
            .collect()
    }

    /// Returns the request to one URL, from the line that sent it to its redirect or to the end.
    fn hop(&self, exchange: &Exchange<'_>, line: &Record, redirect: Option<&Record>) -> HarEntry {
        let url = field(
            line,
            if line.seq == exchange.request.seq {
                "url"
            } else {
                "to"
            },
        );
        let until = redirect.or(exchange.answer).or(self.trace.records.last());
        let time = until.map_or(line.at, |until| until.at) - line.at;
        let purpose = field(exchange.request, "purpose");
        let kind = if exchange.request.purpose() == Some(Purpose::Media) {
            "media"
        } else {
            "xhr"
        };
        let mut notes = Notes {
            outcome: "redirect".to_owned(),
            id: integer(line, "id"),
            purpose: Some(purpose),
            redirect: redirect.map(|line| line.seq),
            ..self.notes(line)
        };
        let response = match redirect {
            Some(redirect) => {
                let to = address::absolute(self.page, &field(redirect, "to"));
                Response::redirect(integer(redirect, "status").unwrap_or(0), to)
            }
            None => {
                let seqs = |line: Option<&Record>| line.map(|line| line.seq);
                notes.outcome = exchange.word().to_owned();
                notes.answer = seqs(exchange.answer);
                notes.late = seqs(exchange.late);
                notes.late_t = exchange.late.map(|late| late.at.micros());
                notes.code = exchange
                    .answer
                    .and_then(|answer| self.codes.get(&answer.seq))
                    .copied();
                notes.answer_rule = exchange.answer.and_then(|answer| self.rule(answer));
                self.response(exchange, line, &url)
            }
        };
        self.entry(line, url, time, kind, response, notes)
    }

    /// Returns the response that ended the wait, or the reason why there is none.
    fn response(&self, exchange: &Exchange<'_>, line: &Record, url: &str) -> Response {
        let Some(answer) = exchange.answer else {
            return Response::failed("no response before the end of the run".to_owned());
        };
        let Some(status) = integer(answer, "status") else {
            return Response::failed(error(answer));
        };
        let bytes = integer(answer, "bytes");
        let document = self
            .bodies
            .get(&line.seq)
            .filter(|text| i64::try_from(text.len()).ok() == bytes);
        let body = match exchange.request.purpose() {
            Some(Purpose::Media) => content::media(url, status),
            Some(Purpose::Record) => content::record(status),
            Some(Purpose::AdTag | Purpose::Wrapper | Purpose::Playlist) | None => {
                content::document(url, document.map_or("", |text| text))
            }
        };
        Response::new(status, body)
    }

    fn beacon(&self, beacon: &Record) -> HarEntry {
        let body = Body {
            comment: Some("responses to beacons are not simulated"),
            ..Body::default()
        };
        let is_blocked = beacon.data.get("how").is_some();
        let response = match is_blocked {
            true => Response::failed(error(beacon)),
            false => Response {
                body_size: 0,
                ..Response::new(204, body)
            },
        };
        let notes = Notes {
            outcome: if is_blocked {
                NetLine::Failed.name()
            } else {
                "sent"
            }
            .to_owned(),
            beacon: Some(beacon.name.to_string()),
            ad: beacon.data.get("ad").map(|_| field(beacon, "ad")),
            ..self.notes(beacon)
        };
        self.entry(
            beacon,
            field(beacon, "url"),
            Span::ZERO,
            "ping",
            response,
            notes,
        )
    }

    fn entry(
        &self,
        line: &Record,
        written: String,
        time: Span,
        kind: &'static str,
        response: Response,
        notes: Notes,
    ) -> HarEntry {
        let url = address::absolute(self.page, &written);
        let notes = Notes {
            url: Some(written).filter(|written| *written != url),
            ..notes
        };
        HarEntry {
            pageref: PAGE,
            started_date_time: self.date(line.at),
            time: millis(time),
            request: Request {
                method: "GET",
                query_string: query(&url),
                url,
                http_version: UNKNOWN,
                cookies: [],
                headers: [],
                headers_size: NOT_KNOWN,
                body_size: 0,
            },
            response,
            cache: NotTimed {},
            timings: Timings {
                send: 0,
                wait: millis(time),
                receive: 0,
            },
            resource_type: kind,
            notes,
        }
    }

    /// Returns what every entry contains from its first line.
    fn notes(&self, line: &Record) -> Notes {
        Notes {
            t: line.at.micros(),
            seq: line.seq,
            player: self
                .trace
                .container(line)
                .map(|_| container(self.trace, line).to_owned()),
            hop: integer(line, "hop"),
            wp: integer(line, "wp"),
            pod: integer(line, "pod"),
            cause: line.cause,
            in_break: line.in_break.map(BreakNumber::get),
            rule: self.rule(line),
            ..Notes::default()
        }
    }

    fn rule(&self, line: &Record) -> Option<String> {
        line.rule
            .filter(|_| self.why)
            .map(|rule: RuleId| rule.to_string())
    }

    /// Returns the date of a time of the run, at most the last date that the calendar supports.
    fn date(&self, at: Time) -> String {
        let micros = self.epoch_micros.saturating_add_unsigned(at.micros());
        let instant = jiff::Timestamp::from_microsecond(micros).unwrap_or(jiff::Timestamp::MAX);
        format!("{instant:.6}")
    }
}

/// Returns why no response came, in browsers' words where they have any.
fn error(answer: &Record) -> String {
    if answer.is(NetLine::Timeout) {
        return "net::ERR_TIMED_OUT".to_owned();
    }
    let is_failure = answer.is(NetLine::Failed) || answer.kind == Kind::Beacon;
    let how = if is_failure {
        field(answer, "how")
    } else {
        answer.name.to_string()
    };
    // Media fail by names of their own. Those that are failures of the network, too, are the same.
    NetworkFault::from_name(&how).map_or(how, |fault| browser_word(fault).to_owned())
}

/// Returns what Chromium calls a failure.
const fn browser_word(fault: NetworkFault) -> &'static str {
    match fault {
        NetworkFault::Refused => "net::ERR_CONNECTION_REFUSED",
        NetworkFault::Reset => "net::ERR_CONNECTION_RESET",
        NetworkFault::Truncated => "net::ERR_CONTENT_LENGTH_MISMATCH",
        NetworkFault::Redirects => "net::ERR_TOO_MANY_REDIRECTS",
        // It has no word of its own: the console says why.
        NetworkFault::Cors => "net::ERR_FAILED",
        NetworkFault::Blocked => "net::ERR_BLOCKED_BY_CLIENT",
    }
}

/// Returns the parameters of a URL, as written.
fn query(url: &str) -> Vec<Parameter> {
    let address = url.split('#').next().unwrap_or_default();
    let Some((_, query)) = address.split_once('?') else {
        return Vec::new();
    };
    let parameter = |part: &str| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        Parameter {
            name: name.to_owned(),
            value: value.to_owned(),
        }
    };
    query
        .split('&')
        .filter(|part| !part.is_empty())
        .map(parameter)
        .collect()
}

/// Returns a duration in milliseconds, exactly.
fn millis(span: Span) -> Box<RawValue> {
    let micros = i64::try_from(span.micros()).unwrap_or(i64::MAX);
    raw(&Decimal::from_millionths(micros.saturating_mul(1_000)))
}
