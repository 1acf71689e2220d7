//! A timeline in the Trace Event Format, which Perfetto and the tracing pages of browsers open.
//!
//! There is a thread for each player and one for the page, with the lines as instants. Breaks with
//! their ads, and requests, take time and may overlap, so they are asynchronous pairs. Every line
//! has a place in the form.
//!
//! Rule TRACE-8.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use serde::Serialize;
use serde_json::value::RawValue;

use super::exchange::exchanges;
use super::left_out::LeftOutLines;
use super::{field, header, json_of, line, outcome, scenario};
use crate::session::{Spot, ads};
use crate::{Filter, Record, Trace};
use playsim_api::BreakNumber;
use playsim_base::time::Time;

/// Writes the lines that the filter shows as one document with one event per line. A pair is shown
/// from its beginning to its end if either of the two lines is shown.
///
/// # Errors
///
/// If the sink fails.
pub fn write_chrome_trace(
    trace: &Trace,
    filter: &Filter,
    why: bool,
    sink: &mut impl Write,
) -> fmt::Result {
    let mut timeline = Timeline {
        trace,
        why,
        pairs: Pairs::of(trace, filter),
        held: BTreeSet::new(),
    };
    let mut events = timeline.threads();
    let is_line = |record: &&Record| !record.kind.is_frame();
    for record in trace.records.iter().filter(is_line) {
        timeline.record(record, filter.shows(record), &mut events);
    }
    timeline.end_all(&mut events);
    let other = OtherData {
        scenario: scenario(trace),
        header: header(trace).and_then(|header| json_of(&header.data)),
        outcome: outcome(trace).map(|outcome| outcome.name.to_string()),
        outcome_data: outcome(trace).and_then(|outcome| json_of(&outcome.data)),
        left_out: LeftOutLines::of(trace, filter, &timeline.held),
    };
    writeln!(
        sink,
        "{{\"displayTimeUnit\":\"ms\",\n\"otherData\":{},\n\"traceEvents\":[",
        line(&other)
    )?;
    for (index, event) in events.iter().enumerate() {
        let comma = if index + 1 < events.len() { "," } else { "" };
        writeln!(sink, "{}{comma}", line(event))?;
    }
    writeln!(sink, "]}}")
}

/// The number of the only process.
const PROCESS: u32 = 1;
/// The thread of the page; the threads of the players follow it.
const PAGE_THREAD: u32 = 1;

/// The pairs, by the lines with which they begin and end.
#[derive(Default)]
struct Pairs<'a> {
    begins: BTreeMap<u32, Pair>,
    ends: BTreeMap<u32, Pair>,
    /// Ads may share their last line, and keep that line as an event of its own.
    spot_ends: BTreeMap<u32, Vec<(Pair, &'static str)>>,
    /// The pairs that were still open when the run ended, the innermost first.
    open: Vec<(Pair, &'a Record)>,
}

/// A pair of events; both have the same name.
#[derive(Debug, Clone)]
struct Pair {
    name: String,
    category: &'static str,
    /// Pairs of the same category and number are nested.
    id: u32,
}

impl<'a> Pairs<'a> {
    fn of(trace: &'a Trace, filter: &Filter) -> Pairs<'a> {
        let mut pairs = Pairs::default();
        let ads = ads(trace);
        for spot in ads.spots.iter().filter(|spot| filter.shows(spot.fill)) {
            let id = spot
                .in_break
                .map_or(spot.fill.seq, |index| ads.breaks[index].first().seq);
            pairs.spot(
                spot,
                Pair {
                    name: format!("ad {}", spot.name()),
                    category: "ads",
                    id,
                },
            );
        }
        for one in ads.breaks.iter().filter(|one| one.is_shown(filter)) {
            let pair = Pair {
                name: format!("{} break", one.first_kind()),
                category: "ads",
                id: one.first().seq,
            };
            pairs.add(one.first(), one.last(), pair);
        }
        for exchange in exchanges(trace)
            .iter()
            .filter(|exchange| exchange.is_shown(filter))
        {
            let request = exchange.request;
            let name = format!("{} {}", field(request, "purpose"), field(request, "url"));
            pairs.add(
                request,
                exchange.answer,
                Pair {
                    name,
                    category: "net",
                    id: request.seq,
                },
            );
        }
        pairs
    }

    fn add(&mut self, begin: &'a Record, end: Option<&'a Record>, pair: Pair) {
        match end {
            Some(end) => _ = self.ends.insert(end.seq, pair.clone()),
            None => self.open.push((pair.clone(), begin)),
        }
        self.begins.insert(begin.seq, pair);
    }

    fn spot(&mut self, spot: &Spot<'a>, pair: Pair) {
        match spot.end {
            Some(end) => {
                self.spot_ends
                    .entry(end.seq)
                    .or_default()
                    .push((pair.clone(), spot.outcome()));
            }
            None => self.open.push((pair.clone(), spot.fill)),
        }
        self.begins.insert(spot.fill.seq, pair);
    }
}

struct Timeline<'a> {
    trace: &'a Trace,
    why: bool,
    pairs: Pairs<'a>,
    /// The numbers of the lines that are included.
    held: BTreeSet<u32>,
}

impl<'a> Timeline<'a> {
    /// Returns the names of the process and its threads. A container may hold several players in
    /// turn.
    fn threads(&self) -> Vec<Event<'a>> {
        let scenario = scenario(self.trace);
        let process = if scenario.is_empty() {
            "playsim".to_owned()
        } else {
            format!("playsim: {scenario}")
        };
        let named = |name, tid, text: String| {
            let args = Args {
                name: Some(text),
                ..Args::default()
            };
            Event {
                args,
                ..Event::new("M", name, "__metadata", Time::ZERO, tid)
            }
        };
        let mut events = vec![
            named("process_name", PAGE_THREAD, process),
            named("thread_name", PAGE_THREAD, "page".to_owned()),
        ];
        for (index, container) in (0_u32..).zip(&self.trace.players) {
            let before = self.trace.players.iter().take(index as usize);
            let text = match before.filter(|other| *other == container).count() {
                0 => container.to_string(),
                older => format!("{container} ({})", older + 1),
            };
            events.push(named("thread_name", PAGE_THREAD + 1 + index, text));
        }
        events
    }

    fn record(&mut self, record: &'a Record, is_shown: bool, events: &mut Vec<Event<'a>>) {
        for (pair, outcome) in self.pairs.spot_ends.remove(&record.seq).unwrap_or_default() {
            let args = Args {
                outcome: Some(outcome),
                ..Args::default()
            };
            events.push(pair.event("e", record, args));
        }
        let pair = match self.pairs.begins.remove(&record.seq) {
            Some(pair) => Some(("b", pair)),
            None => self.pairs.ends.remove(&record.seq).map(|pair| ("e", pair)),
        };
        let event = match pair {
            Some((phase, pair)) => pair.event(phase, record, self.args(record)),
            None if is_shown => self.moment(record),
            None => return,
        };
        self.held.insert(record.seq);
        events.push(event);
    }

    /// Returns the event for a line, which takes no time, or for a run of time updates, which takes
    /// some.
    fn moment(&self, record: &'a Record) -> Event<'a> {
        let event = |phase| {
            Event::new(
                phase,
                &record.name,
                record.kind.name(),
                record.at,
                thread(record),
            )
        };
        let mut args = self.args(record);
        match record.run.filter(|run| run.count > 1) {
            Some(run) => {
                args.count = Some(run.count);
                let length = record.until() - record.at;
                Event {
                    dur: Some(length.micros()),
                    args,
                    ..event("X")
                }
            }
            None => Event {
                s: Some("t"),
                args,
                ..event("i")
            },
        }
    }

    fn args(&self, record: &Record) -> Args {
        Args {
            seq: Some(record.seq),
            cause: record.cause,
            in_break: record.in_break.map(BreakNumber::get),
            rule: record
                .rule
                .filter(|_| self.why)
                .map(|rule| rule.to_string()),
            data: json_of(&record.data),
            ..Args::default()
        }
    }

    /// Ends everything that was still open at the end of the run.
    fn end_all(&mut self, events: &mut Vec<Event<'a>>) {
        let Some(last) = self.trace.records.last() else {
            return;
        };
        for (pair, begin) in std::mem::take(&mut self.pairs.open) {
            let args = Args {
                outcome: Some("open"),
                ..Args::default()
            };
            let end = pair.event("e", begin, args);
            events.push(Event {
                ts: last.until().micros(),
                ..end
            });
        }
    }
}

impl Pair {
    fn event<'a>(self, phase: &'static str, at: &'a Record, args: Args) -> Event<'a> {
        let id = Some(self.id.to_string());
        let event = Event::new(phase, "", self.category, at.at, thread(at));
        Event {
            name: self.name.into(),
            id,
            args,
            ..event
        }
    }
}

fn thread(record: &Record) -> u32 {
    record
        .player
        .map_or(PAGE_THREAD, |player| PAGE_THREAD + 1 + u32::from(player.0))
}

/// An event; the fields are in the order of the document.
#[derive(Serialize)]
struct Event<'a> {
    ph: &'static str,
    name: std::borrow::Cow<'a, str>,
    cat: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    ts: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    dur: Option<u64>,
    pid: u32,
    tid: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    s: Option<&'static str>,
    args: Args,
}

impl<'a> Event<'a> {
    fn new(ph: &'static str, name: &'a str, cat: &'static str, at: Time, tid: u32) -> Event<'a> {
        let (ts, name) = (at.micros(), name.into());
        Event {
            ph,
            name,
            cat,
            id: None,
            ts,
            dur: None,
            pid: PROCESS,
            tid,
            s: None,
            args: Args::default(),
        }
    }
}

#[derive(Serialize, Default)]
struct Args {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cause: Option<u32>,
    #[serde(rename = "break", skip_serializing_if = "Option::is_none")]
    in_break: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rule: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Box<RawValue>>,
}

#[derive(Serialize)]
struct OtherData {
    scenario: String,
    header: Option<Box<RawValue>>,
    outcome: Option<String>,
    outcome_data: Option<Box<RawValue>>,
    left_out: LeftOutLines,
}
