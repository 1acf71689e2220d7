//! The operations on a running page: what is asked of it, and its answers.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};

use crate::Answer;
use crate::answers::{failure, of_act, of_call, of_scenario, page};
use crate::read::Files;
use crate::values::{write, write_fields, write_text};
use playsim::api::{
    ApiError, Call, Code, Decimal, EventName, Kind, MediaLine, Outcome, PlayerIndex, Query,
    UnitKind, Value,
};
use playsim::check::{self, CheckOptions};
use playsim::report::page::ReportPage;
use playsim::report::waterfall::Waterfalls;
use playsim::scenario::{Answers, StepAct, Target, part};
use playsim::sim::LiveError;
use playsim::time::Time;
use playsim::trace::record::RecordView;
use playsim::trace::{Filter, Record, View, write_jsonl, write_text as write_trace_text};
use playsim::{Scenario, Simulation, Trace};

/// An operation: its name, and what it is given.
#[derive(Deserialize)]
pub(crate) struct Operation<'a> {
    pub(crate) op: &'a str,
    #[serde(borrow)]
    player: Option<Cow<'a, str>>,
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    args: Vec<&'a RawValue>,
    unit: Option<&'a str>,
    #[serde(borrow, rename = "onReady")]
    on_ready: Option<Cow<'a, str>>,
    #[serde(borrow)]
    entry: Option<&'a RawValue>,
    /// Whether the page has an element for the player that is made.
    #[serde(default, rename = "isThere")]
    is_there: bool,
    #[serde(borrow)]
    div: Option<Cow<'a, str>>,
    #[serde(borrow)]
    attributes: Option<&'a RawValue>,
    #[serde(borrow)]
    act: Option<&'a RawValue>,
    #[serde(borrow)]
    change: Option<&'a RawValue>,
    #[serde(borrow)]
    url: Option<Cow<'a, str>>,
    #[serde(borrow)]
    answer: Option<&'a RawValue>,
    #[serde(default)]
    files: Files,
    #[serde(default)]
    from: u32,
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'a, str>>,
}

/// The parts of a trace that are wanted.
#[derive(Deserialize, Default)]
pub(crate) struct Wanted {
    #[serde(default)]
    want: Vec<String>,
    view: Option<String>,
}

/// The page that an operation is performed on: a world, or the scope of a function that runs.
pub(crate) trait Page {
    /// The simulation, to look at.
    fn simulation(&self) -> &Simulation;
    /// Performs an act of page code.
    fn act(&mut self, act: StepAct, player: Target) -> Result<Value, LiveError>;
    /// Performs an act of the user or of the world around the page.
    fn act_from_outside(&mut self, act: StepAct, player: Target) -> Result<(), LiveError>;
    /// Changes what a URL answers.
    fn answer(&mut self, url: &str, answers: Answers) -> Result<(), LiveError>;
    /// Defines a function; returns its number and its name, which is made unique.
    fn define(&mut self, name: &str) -> Result<(usize, String), LiveError>;
}

/// Reads an operation.
pub(crate) fn read(text: &str) -> Result<Operation<'_>, String> {
    serde_json::from_str(text)
        .map_err(|error| failure(format!("the operation cannot be read: {error}")))
}

impl Operation<'_> {
    /// Performs the operation.
    pub(crate) fn perform(&self, page: &mut impl Page, text: &str) -> Answer {
        match self.op {
            "call" => self.call(page),
            "query" => self.query(page),
            "find" => {
                let found = page.simulation().find_player(self.player.as_deref());
                let player = found.map_err(|error| of_call(&error))?;
                Ok(player_in_object(page.simulation(), Some(player)))
            }
            "init" => self.init(page),
            "queue" => {
                let entry = self.value(page, self.entry)?;
                let div = entry.as_map().and_then(|entry| entry.get("div"));
                self.put_container(page, div)?;
                let act = StepAct::Queue {
                    unit: self.unit()?,
                    entry,
                    on_ready: self.on_ready(),
                };
                value_of(page.act(act, Target::First))
            }
            "element" => self.element(page),
            "user" => self.act_from_outside(page, "user", self.act),
            "page" => self.act_from_outside(page, "page", self.change),
            "answer" => {
                let given = self.answer.ok_or_else(|| missing("answer"))?;
                let url = self.url.as_deref().ok_or_else(|| missing("url"))?;
                let is_media = page.simulation().is_media(url);
                let mut load = |path: &str| self.files.load(path);
                let answers = part::read_answers(given.get(), is_media, &mut load);
                let answers = answers.map_err(|error| of_scenario(&error))?;
                page.answer(url, answers)
                    .map(|()| "{}".to_owned())
                    .map_err(|error| of_act(&error))
            }
            "define" => {
                let name = self.name.as_deref().unwrap_or_default();
                let (function, name) = page.define(name).map_err(|error| of_act(&error))?;
                Ok(json!({ "fn": function, "name": name }).to_string())
            }
            "trace" => {
                let wanted: Wanted = serde_json::from_str(text).map_err(failure)?;
                let run = page.simulation().ending_now();
                let scenario = run.to_scenario();
                shown(&run.run(), &scenario, &wanted)
            }
            "events" => self.events(page.simulation()),
            "diagnostics" => Ok(self.diagnostics(page.simulation())),
            "containers" => {
                let ids: Vec<&str> = page.simulation().containers().collect();
                Ok(json!({ "value": ids }).to_string())
            }
            "outcome" => Ok(outcome(page.simulation())),
            // The calendar instant of time 0, in microseconds.
            "epoch" => {
                let micros = page.simulation().to_scenario().page.epoch_micros;
                Ok(json!({ "value": micros }).to_string())
            }
            other => Err(failure(format!("there is no operation \"{other}\""))),
        }
    }

    fn call(&self, page: &mut impl Page) -> Answer {
        let name = self.name.as_deref().unwrap_or_default();
        let call = Call::from_name(name)
            .ok_or_else(|| failure(format!("the player has no method \"{name}\"")))?;
        let args = self
            .args
            .iter()
            .map(|arg| self.value(page, Some(arg)))
            .collect::<Result<_, _>>()?;
        let value = page
            .act(StepAct::Do { call, args }, self.target())
            .map_err(|error| of_act(&error))?;
        // What `play()` of a bare element returns.
        let promise = value
            .as_text()
            .and_then(|text| text.strip_prefix("promise ")?.parse::<u32>().ok());
        Ok(match promise.filter(|_| call == Call::Play) {
            Some(request) => format!("{{\"value\":{{\"$\":[\"promise\",{request}]}}}}"),
            None => in_object(&value),
        })
    }

    fn query(&self, page: &impl Page) -> Answer {
        let name = self.name.as_deref().unwrap_or_default();
        let query = Query::from_name(name)
            .ok_or_else(|| failure(format!("the player has no property \"{name}\"")))?;
        let value: Result<Value, ApiError> = page
            .simulation()
            .query_as_page(self.player.as_deref(), query);
        value
            .map(|value| in_object(&value))
            .map_err(|error| of_call(&error))
    }

    fn init(&self, page: &mut impl Page) -> Answer {
        let mut args = self.args.iter().map(|arg| self.value(page, Some(arg)));
        let mut next = || args.next().unwrap_or(Ok(Value::Undefined));
        let (div, config) = (next()?, next()?);
        self.put_container(page, Some(&div))?;
        let act = StepAct::Init {
            unit: self.unit()?,
            div,
            config,
            on_ready: self.on_ready(),
        };
        self.make(page, act)
    }

    /// The page of the host has put an element in place for a player. Rule INIT-21.
    fn put_container(&self, page: &mut impl Page, div: Option<&Value>) -> Result<(), String> {
        let Some(id) = div.and_then(Value::as_text).filter(|_| self.is_there) else {
            return Ok(());
        };
        if page.simulation().containers().any(|known| *known == **id) {
            return Ok(());
        }
        let put = StepAct::Container(Arc::from(&**id));
        let answer = page.act(put, Target::First);
        answer.map(drop).map_err(|error| of_act(&error))
    }

    /// Creates a player or an element; the answer has its container and its index, or null and why
    /// there is none.
    fn make(&self, page: &mut impl Page, act: StepAct) -> Answer {
        let next = page.simulation().player_count();
        let records = page.simulation().records().len();
        page.act(act, Target::First)
            .map_err(|error| of_act(&error))?;
        let player = PlayerIndex(u16::try_from(next).unwrap_or(u16::MAX));
        let simulation = page.simulation();
        if simulation.container(player).is_some() {
            return Ok(player_in_object(simulation, Some(player)));
        }
        // The last diagnostic says why.
        let new = simulation.records().get(records..).unwrap_or_default();
        let refused = new.iter().rev().find(|record| record.kind == Kind::Diag);
        let refused = refused.map(|record| {
            let mut message = record
                .data
                .text("text")
                .map(|text| text.to_string())
                .unwrap_or_default();
            if record.is(Code::NoContainer) {
                let ids: Vec<String> = simulation
                    .containers()
                    .map(|id| format!("\"{id}\""))
                    .collect();
                let ids = if ids.is_empty() {
                    "none".to_owned()
                } else {
                    ids.join(", ")
                };
                let _ = write!(message, "; it has {ids}");
            }
            let rule = record.rule.map(|rule| rule.to_string());
            json!({ "message": message, "code": record.name.to_string(), "rule": rule })
        });
        Ok(json!({ "value": null, "refused": refused }).to_string())
    }

    /// The diagnostics since a line.
    fn diagnostics(&self, simulation: &Simulation) -> String {
        let records = simulation.records();
        let first = records.partition_point(|record| record.last_seq() < self.from);
        let all = records[first..].iter().filter_map(|record| {
            let RecordView::Diag(it) = record.view() else {
                return None;
            };
            let player = record.player;
            Some(json!({
                "code": it.name,
                "text": it.text,
                "rule": record.rule.map(|rule| rule.to_string()),
                "suggestion": it.suggestion,
                "player": player.and_then(|player| simulation.container(player)),
                "at": record.at.micros(),
            }))
        });
        let all: Vec<Json> = all.collect();
        let next = records.last().map_or(0, |record| record.last_seq() + 1);
        json!({ "diagnostics": all, "next": next }).to_string()
    }

    fn element(&self, page: &mut impl Page) -> Answer {
        let div = self.div.as_deref().ok_or_else(|| missing("div"))?;
        let attributes = self.attributes.map_or("{}", RawValue::get);
        let mut init = String::from("{\"init\":{\"div\":");
        write_text(div, &mut init);
        let _ = write!(init, ",\"element\":{attributes}}}}}");
        let act = part::read_act(&init, &[]).map_err(|error| of_scenario(&error))?;
        self.make(page, act)
    }

    fn act_from_outside(
        &self,
        page: &mut impl Page,
        key: &str,
        given: Option<&RawValue>,
    ) -> Answer {
        let given = given.ok_or_else(|| missing(if key == "user" { "act" } else { "change" }))?;
        let text = format!("{{\"{key}\":{}}}", given.get());
        let act = part::read_act(&text, &[]).map_err(|error| of_scenario(&error))?;
        page.act_from_outside(act, self.target())
            .map(|()| "{}".to_owned())
            .map_err(|error| of_act(&error))
    }

    fn target(&self) -> Target {
        self.player
            .as_deref()
            .map_or(Target::NoArgument, |id| Target::Container(id.into()))
    }

    fn unit(&self) -> Result<UnitKind, String> {
        let word = self.unit.unwrap_or(UnitKind::Player.name());
        UnitKind::ALL
            .iter()
            .copied()
            .find(|unit| unit.name() == word)
            .ok_or_else(|| {
                failure(format!(
                    "\"unit\" is \"{word}\"; it must be player or outstream"
                ))
            })
    }

    fn on_ready(&self) -> Option<Arc<str>> {
        self.on_ready.as_deref().map(Into::into)
    }

    /// Reads a value of page code; none is undefined.
    fn value(&self, page: &impl Page, given: Option<&RawValue>) -> Result<Value, String> {
        let Some(given) = given else {
            return Ok(Value::Undefined);
        };
        let names: Vec<Arc<str>> = if given.get().contains("\"$\"") {
            page.simulation().function_names().map(Into::into).collect()
        } else {
            Vec::new()
        };
        part::read_value(given.get(), &names).map_err(|error| of_scenario(&error))
    }

    /// The events since a line, all or those of one name, and the promises of `play()` that were
    /// settled.
    fn events(&self, simulation: &Simulation) -> Answer {
        let records = simulation.records();
        let (mut out, mut settled) = (String::from("{\"events\":["), String::new());
        let first = records.partition_point(|record| record.last_seq() < self.from);
        for record in &records[first..] {
            if let Some(event) = record.event()
                && self.kind.as_deref().is_none_or(|kind| kind == event.name())
            {
                let container = record
                    .player
                    .and_then(|player| simulation.container(player));
                for (seq, at) in record.each().filter(|(seq, _)| *seq >= self.from) {
                    write_event(event, at, record, container, &mut out);
                    out.pop();
                    let _ = write!(out, ",\"line\":{seq}}}");
                }
            } else if record.is(MediaLine::PlayResolved) || record.is(MediaLine::PlayRejected) {
                settled.push_str(if settled.is_empty() {
                    "{\"player\":"
                } else {
                    ",{\"player\":"
                });
                write_player(simulation, record.player, &mut settled);
                settled.push_str(",\"data\":");
                write_fields(&record.data, &mut settled);
                let _ = write!(
                    settled,
                    ",\"resolved\":{}}}",
                    record.is(MediaLine::PlayResolved)
                );
            }
        }
        let next = records.last().map_or(0, |record| record.last_seq() + 1);
        let _ = write!(out, "],\"settled\":[{settled}],\"next\":{next}}}");
        Ok(out)
    }
}

/// Appends an event to a list.
fn write_event(
    event: EventName,
    at: Time,
    record: &Record,
    container: Option<&Arc<str>>,
    out: &mut String,
) {
    out.push_str(if out.ends_with('[') {
        "{\"type\":"
    } else {
        ",{\"type\":"
    });
    write_text(event.name(), out);
    out.push_str(",\"player\":");
    match container {
        Some(id) => write_text(id, out),
        None => out.push_str("null"),
    }
    if let Some(PlayerIndex(index)) = record.player {
        let _ = write!(out, ",\"index\":{index}");
    }
    let _ = write!(out, ",\"at\":{},\"data\":", Decimal::seconds(at.micros()));
    write_data(&record.data, out);
    out.push('}');
}

/// Appends the container of a player, and its index.
fn write_player(simulation: &Simulation, player: Option<PlayerIndex>, out: &mut String) {
    match player.and_then(|player| Some((player, simulation.container(player)?))) {
        Some((PlayerIndex(index), id)) => {
            write_text(id, out);
            let _ = write!(out, ",\"index\":{index}");
        }
        None => out.push_str("null"),
    }
}

fn player_in_object(simulation: &Simulation, player: Option<PlayerIndex>) -> String {
    let mut out = String::from("{\"value\":");
    write_player(simulation, player, &mut out);
    out.push('}');
    out
}

/// Appends the data of an event: null if it has none.
pub(crate) fn write_data(data: &playsim::api::Fields, out: &mut String) {
    if data.is_empty() {
        out.push_str("null")
    } else {
        write_fields(data, out)
    }
}

fn missing(field: &str) -> String {
    failure(format!("the operation has no \"{field}\""))
}

fn in_object(value: &Value) -> String {
    let mut out = String::from("{\"value\":");
    write(value, &mut out);
    out.push('}');
    out
}

fn value_of(result: Result<Value, LiveError>) -> Answer {
    result
        .map(|value| in_object(&value))
        .map_err(|error| of_act(&error))
}

/// How the run has ended; null while more can happen.
fn outcome(simulation: &Simulation) -> String {
    let Some((outcome, limit)) = simulation.outcome() else {
        return json!({ "outcome": null }).to_string();
    };
    let of_limit = limit.map(|limit| format!(" ({limit})")).unwrap_or_default();
    let text = match outcome {
        Outcome::Idle => "nothing can happen any more".to_owned(),
        Outcome::Until => "the run has reached its end, as the scenario says".to_owned(),
        Outcome::Limit => {
            format!(
                "the run ended at a limit{of_limit}; its last lines are: {}",
                last(simulation)
            )
        }
        Outcome::Livelock => format!(
            "the page and the player trigger each other without end{of_limit}; {}",
            round(simulation)
        ),
    };
    json!({ "outcome": outcome.name(), "limit": limit, "text": text }).to_string()
}

/// The lines that go round, or the last ones.
fn round(simulation: &Simulation) -> String {
    let circle = simulation.circle();
    if circle.is_empty() {
        format!("the last lines are: {}", last(simulation))
    } else {
        format!("these lines go round: {}", words(circle.into_iter()))
    }
}

fn last(simulation: &Simulation) -> String {
    const LINES: usize = 8;
    let records = simulation.records();
    words(records[records.len().saturating_sub(LINES)..].iter())
}

fn words<'a>(lines: impl Iterator<Item = &'a Record>) -> String {
    let words: Vec<String> = lines
        .map(|it| format!("{} {}", it.kind.name(), it.name))
        .collect();
    words.join(", ")
}

/// Answers with the wanted parts of a trace, `{ "want", "view"? }`, as
/// [`World::perform`](crate::World::perform) does for `trace`.
///
/// # Errors
///
/// A JSON text, if a trace has no such part.
pub fn show(trace: &Trace, scenario: &Scenario, wanted: &str) -> Answer {
    let wanted: Wanted = serde_json::from_str(wanted).map_err(failure)?;
    shown(trace, scenario, &wanted)
}

/// The wanted parts of a trace.
pub(crate) fn shown(trace: &Trace, scenario: &Scenario, wanted: &Wanted) -> Answer {
    let view = match wanted.view.as_deref() {
        None | Some("review") => View::Review,
        Some("all") => View::All,
        Some("page") => View::Page,
        Some(other) => {
            return Err(failure(format!(
                "there is no view \"{other}\"; there are review, page and all"
            )));
        }
    };
    let filter = Filter {
        view,
        ..Filter::default()
    };
    let all = Filter {
        view: View::All,
        ..Filter::default()
    };
    let outcome = trace.outcome().map(|outcome| outcome.name());
    let mut out = json!({ "digest": trace.digest.to_string(), "outcome": outcome }).to_string();
    out.pop();
    for part in &wanted.want {
        let _ = write!(out, ",\"{part}\":");
        let mut text = String::new();
        let written = match part.as_str() {
            "events" => {
                write_events(trace, &mut out);
                continue;
            }
            "records" => write_jsonl(trace, &all, true, &mut text)
                .map(|()| format!("[{}]", text.trim_end().replace('\n', ","))),
            "report" => Ok(Waterfalls::of_played(trace, scenario).json()),
            "check" => Ok(findings(trace, scenario).to_string()),
            "text" => write_trace_text(trace, &filter, false, &mut text).map(|()| quoted(&text)),
            "jsonl" => write_jsonl(trace, &all, true, &mut text).map(|()| quoted(&text)),
            "html" => {
                let report = Waterfalls::of_played(trace, scenario);
                let page = ReportPage::new(trace)
                    .with_waterfalls(&report)
                    .with_documents(scenario);
                page.write(&mut text).map(|()| quoted(&text))
            }
            "page" => {
                let report = Waterfalls::of_played(trace, scenario);
                let shown = ReportPage::new(trace)
                    .with_waterfalls(&report)
                    .with_documents(scenario);
                Ok(page(&shown.page()))
            }
            "summary" => Ok(summary(trace).to_string()),
            "yaml" => Ok(quoted(&scenario.to_yaml())),
            "files" => {
                let files = scenario.files();
                let files = files
                    .iter()
                    .map(|(path, text)| (path.to_string(), Json::from(&**text)));
                Ok(Json::Object(files.collect()).to_string())
            }
            other => {
                return Err(failure(format!(
                    "a trace has no \"{other}\"; it has events, records, report, check, text, jsonl, html, page, summary, yaml and files"
                )));
            }
        };
        out.push_str(&written.map_err(failure)?);
    }
    out.push('}');
    Ok(out)
}

/// The number of lines, the end in microseconds, and the instants of events other than time
/// updates.
fn summary(trace: &Trace) -> Json {
    const MOST: usize = 2_000;
    let events = trace.records.iter().filter(|record| record.run.is_none());
    let events =
        events.filter_map(|record| Some(json!([record.at.micros(), record.event()?.name()])));
    let end = trace.records.last().and_then(|record| record.each().last());
    json!({
        "lines": trace.records.last().map_or(0, Record::last_seq),
        "end": end.map(|(_, at)| at.micros()),
        "events": events.take(MOST).collect::<Vec<Json>>(),
    })
}

fn quoted(text: &str) -> String {
    Json::from(text).to_string()
}

fn write_events(trace: &Trace, out: &mut String) {
    out.push('[');
    for event in trace.events() {
        write_event(
            event.name,
            event.at,
            event.record,
            trace.container(event.record),
            out,
        );
    }
    out.push(']');
}

fn findings(trace: &Trace, scenario: &Scenario) -> Json {
    let options = CheckOptions::default().with_scenario(scenario);
    let Ok(recording) = playsim::recording::Recording::of(trace.clone()) else {
        return Json::Array(Vec::new());
    };
    judged(&recording, &options)
}

/// The findings on a recording: `[{ "rule", "line", "at", "text", "due", "certainty", "level" }]`.
pub(crate) fn judged(recording: &playsim::recording::Recording, options: &CheckOptions) -> Json {
    let each = |it: check::Finding| {
        json!({
            "rule": it.rule.to_string(),
            "line": it.seq,
            "at": Value::from(Decimal::seconds(it.at.micros())),
            "text": it.seen,
            "due": if it.due.is_empty() { it.rule.row().gist.to_owned() } else { it.due },
            "certainty": it.sure.word(),
            "level": it.level.word(),
        })
    };
    check::judge(recording, options)
        .into_iter()
        .map(each)
        .collect()
}
