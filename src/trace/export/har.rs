//! The request list as HTTP Archive 1.2: what browsers' network panels and proxies read.
//!
//! Requests and beacons are entries. What the form has no field for stands below `_playsim`, as browsers name
//! fields of their own. Nothing is made up: headers, and the answers of beacons, are not simulated.
//!
//! Rule TRACE-8.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use serde_json::value::RawValue;

use super::exchange::{Exchange, exchanges};
use super::left_out::LeftOut;
use super::{container, field, header, integer, json_of, outcome, raw, scenario};
use crate::api::{Decimal, Kind};
use crate::rules::RuleId;
use crate::time::{Span, Time};
use crate::trace::{Filter, Record, Trace};

mod form;

use form::{
    Creator, Document, Entry, Frame, Log, NOT_KNOWN, NotTimed, Notes, Page, Parameter, Request, Response,
    Timings, UNKNOWN,
};

/// Writes the requests and beacons that the filter shows as one document. A request is shown with all that
/// became of it if one of its lines is.
///
/// Time 0 of the run is this calendar instant, in microseconds since 1970: `page.epoch_micros` of the scenario.
///
/// # Errors
///
/// Those of the sink.
pub fn write_har(
    trace: &Trace,
    filter: &Filter,
    why: bool,
    epoch_micros: i64,
    sink: &mut impl Write,
) -> fmt::Result {
    let decisions = trace.records.iter().filter(|record| record.kind == Kind::Ad);
    let codes = decisions.filter_map(|line| Some((line.cause?, integer(line, "code")?))).collect();
    let writer = Writer { trace, why, epoch_micros, codes };
    let mut held = BTreeSet::new();
    // By the number of the line with which each begins: the order of the trace.
    let mut entries = Vec::new();
    for exchange in exchanges(trace).iter().filter(|exchange| exchange.is_shown(filter)) {
        held.extend(exchange.lines().map(|line| line.seq));
        entries.push((exchange.request.seq, writer.exchange(exchange)));
    }
    let is_beacon = |record: &&Record| record.kind == Kind::Beacon && filter.shows(record);
    for beacon in trace.records.iter().filter(is_beacon) {
        held.insert(beacon.seq);
        entries.push((beacon.seq, writer.beacon(beacon)));
    }
    entries.sort_by_key(|(seq, _)| *seq);
    let left_out = LeftOut::of(trace, filter, &held);
    let log = Log {
        version: "1.2",
        creator: Creator { name: "playsim", version: env!("CARGO_PKG_VERSION") },
        pages: vec![Page {
            started_date_time: writer.date(Time::ZERO),
            id: PAGE,
            title: scenario(trace),
            page_timings: NotTimed {},
        }],
        entries: entries.into_iter().map(|(_, entry)| entry).collect(),
        comment: left_out.sentences().join("; "),
        frame: Frame {
            header: header(trace).and_then(|header| json_of(&header.data)),
            outcome: outcome(trace).map(|outcome| outcome.name.to_string()),
            outcome_data: outcome(trace).and_then(|outcome| json_of(&outcome.data)),
            left_out,
        },
    };
    let text = serde_json::to_string_pretty(&Document { log }).expect("all keys are texts");
    writeln!(sink, "{text}")
}

/// All requests of a run belong to one page.
const PAGE: &str = "page";

struct Writer<'a> {
    trace: &'a Trace,
    why: bool,
    epoch_micros: i64,
    /// The codes of decisions, by the line that led to each.
    codes: BTreeMap<u32, i64>,
}

impl Writer<'_> {
    fn exchange(&self, exchange: &Exchange<'_>) -> Entry {
        let request = exchange.request;
        let waited = exchange.waited(self.trace);
        let status = exchange.answer.and_then(|answer| integer(answer, "status"));
        let bytes = exchange.answer.and_then(|answer| integer(answer, "bytes"));
        let kind = match &*field(request, "purpose") {
            "media" => "media",
            _ => "xhr",
        };
        let seqs = |line: Option<&Record>| line.map(|line| line.seq);
        let notes = Notes {
            outcome: exchange.word().to_owned(),
            id: integer(request, "id"),
            purpose: Some(field(request, "purpose")),
            answer: seqs(exchange.answer),
            redirects: exchange.redirects.iter().map(|line| line.seq).collect(),
            late: seqs(exchange.late),
            late_t: exchange.late.map(|late| late.at.micros()),
            code: exchange.answer.and_then(|answer| self.codes.get(&answer.seq)).copied(),
            answer_rule: exchange.answer.and_then(|answer| self.rule(answer)),
            ..self.notes(request)
        };
        let mut response = Response::new(status.unwrap_or(0), bytes.unwrap_or(NOT_KNOWN));
        response.error = error(exchange);
        self.entry(request, waited, kind, response, notes)
    }

    fn beacon(&self, beacon: &Record) -> Entry {
        let mut response = Response::new(0, NOT_KNOWN);
        response.comment = Some("answers of beacons are not simulated");
        let notes = Notes {
            outcome: "sent".to_owned(),
            beacon: Some(beacon.name.to_string()),
            ad: beacon.data.get("ad").map(|_| field(beacon, "ad")),
            ..self.notes(beacon)
        };
        self.entry(beacon, Span::ZERO, "ping", response, notes)
    }

    fn entry(
        &self,
        line: &Record,
        time: Span,
        kind: &'static str,
        response: Response,
        notes: Notes,
    ) -> Entry {
        let url = field(line, "url");
        Entry {
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
            timings: Timings { send: 0, wait: millis(time), receive: 0 },
            resource_type: kind,
            notes,
        }
    }

    /// What every entry says of its first line.
    fn notes(&self, line: &Record) -> Notes {
        Notes {
            t: line.at.micros(),
            seq: line.seq,
            player: self.trace.container(line).map(|_| container(self.trace, line).to_owned()),
            hop: integer(line, "hop"),
            wp: integer(line, "wp"),
            pod: integer(line, "pod"),
            cause: line.cause,
            rule: self.rule(line),
            ..Notes::default()
        }
    }

    fn rule(&self, line: &Record) -> Option<String> {
        line.rule.filter(|_| self.why).map(|rule: RuleId| rule.to_string())
    }

    /// A moment of the run in the calendar; what lies beyond the calendar is its last moment.
    fn date(&self, at: Time) -> String {
        let micros = self.epoch_micros.saturating_add_unsigned(at.micros());
        let instant = jiff::Timestamp::from_microsecond(micros).unwrap_or(jiff::Timestamp::MAX);
        format!("{instant:.6}")
    }
}

/// Why there is no answer, as browsers write it where they have a word for it.
fn error(exchange: &Exchange<'_>) -> Option<String> {
    let how = match exchange.answer {
        None => return Some("no answer before the end of the run".to_owned()),
        Some(answer) => match &*answer.name {
            "timeout" => "timeout".to_owned(),
            "failed" => field(answer, "how"),
            _ => return None,
        },
    };
    Some(match &*how {
        "timeout" => "net::ERR_TIMED_OUT".to_owned(),
        "refused" => "net::ERR_CONNECTION_REFUSED".to_owned(),
        "reset" => "net::ERR_CONNECTION_RESET".to_owned(),
        "truncated" => "net::ERR_CONTENT_LENGTH_MISMATCH".to_owned(),
        _ => how,
    })
}

/// The parameters of an address, as they stand there.
fn query(url: &str) -> Vec<Parameter> {
    let address = url.split('#').next().unwrap_or_default();
    let Some((_, query)) = address.split_once('?') else { return Vec::new() };
    let parameter = |part: &str| {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        Parameter { name: name.to_owned(), value: value.to_owned() }
    };
    query.split('&').filter(|part| !part.is_empty()).map(parameter).collect()
}

/// A length in milliseconds, exactly.
fn millis(span: Span) -> Box<RawValue> {
    let micros = i64::try_from(span.micros()).unwrap_or(i64::MAX);
    raw(&Decimal::from_millionths(micros.saturating_mul(1_000)))
}
