//! Rules about exporting traces, asserted over all scenario fixtures.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use playsim::Scenario;
use playsim::api::{Kind, Value};
use playsim::report::page::ReportPage;
use playsim::trace::{
    Filter, Pattern, Record, Site, Trace, View, write_chrome_trace, write_har, write_pixels,
    write_summary,
};
use playsim_scenario::world::world;
use serde_json::Value as Json;

use super::Absence;
use super::every_trace::law;
use crate::json_schema::Schema;

pub(crate) const ALL: &[Absence] = &[
    Absence {
        name: "on a timeline everything that begins ends inside its parent",
        rules: &["TRACE-8"],
        check: pairs,
    },
    Absence {
        name: "a request list is an HTTP archive with each request and beacon",
        rules: &["TRACE-8"],
        check: archive,
    },
    Absence {
        name: "each line is in an export, or is counted as left out",
        rules: &["TRACE-8"],
        check: nothing_lost,
    },
];

type Result<T = ()> = std::result::Result<T, String>;

fn ensure(is_so: bool, problem: impl FnOnce() -> String) -> Result {
    if is_so { Ok(()) } else { Err(problem()) }
}

fn filters() -> [Filter; 4] {
    let only = |name: &str| Filter {
        only: vec![Pattern::new(name)],
        ..all()
    };
    [all(), Filter::default(), only("response"), only("adS*")]
}

fn all() -> Filter {
    Filter {
        view: View::All,
        ..Filter::default()
    }
}

fn text(write: impl Fn(&mut String) -> std::fmt::Result) -> Result<String> {
    let mut text = String::new();
    write(&mut text).map_err(|error| error.to_string())?;
    Ok(text)
}

fn json(text: &str) -> Result<Json> {
    serde_json::from_str(text).map_err(|error| format!("no JSON: {error}"))
}

fn timeline(trace: &Trace, filter: &Filter) -> Result<Json> {
    json(&text(|sink| write_chrome_trace(trace, filter, true, sink))?)
}

fn list<'a>(json: &'a Json, pointer: &str) -> Result<&'a Vec<Json>> {
    json.pointer(pointer)
        .and_then(Json::as_array)
        .ok_or_else(|| format!("{pointer} is not a list"))
}

/// The archive of a scenario's run.
fn archived(scenario: &Scenario, trace: &Trace, filter: &Filter) -> Result<String> {
    let world = world(scenario);
    let (epoch_micros, url) = (scenario.page.epoch_micros, scenario.page.address());
    text(|sink| {
        write_har(
            trace,
            filter,
            true,
            Site {
                epoch_micros,
                url,
                bodies: &mut world.bodies(),
            },
            sink,
        )
    })
}

/// The errors that the schemas of HTTP Archive 1.2 find in an archive.
fn har_faults(archive: &Json) -> Vec<String> {
    static SCHEMA: LazyLock<Schema> = LazyLock::new(|| {
        let schema = include_str!("../../../har/har-1.2.schema.json");
        Schema::of_archives(&serde_json::from_str(schema).expect("it is JSON"))
    });
    SCHEMA.faults(archive)
}

fn pairs() -> Result {
    law(|_, trace| {
        filters()
            .iter()
            .try_for_each(|filter| pairs_of(trace, filter))
    })
}

fn pairs_of(trace: &Trace, filter: &Filter) -> Result {
    let timeline = timeline(trace, filter)?;
    let mut open: BTreeMap<String, Vec<&Json>> = BTreeMap::new();
    let mut threads = Vec::new();
    let mut last = 0;
    for event in list(&timeline, "/traceEvents")? {
        let at = event["ts"]
            .as_u64()
            .ok_or_else(|| format!("not a whole time: {event}"))?;
        ensure(
            at >= last && event["pid"] == 1 && event["name"].is_string(),
            || format!("wrong: {event}"),
        )?;
        last = at;
        let thread = event["tid"].as_u64().ok_or("no thread")?;
        let stack = || format!("{}/{}", event["cat"], event["id"]);
        match event["ph"].as_str() {
            Some("M") => {
                if event["name"] == "thread_name" {
                    threads.push(thread);
                }
            }
            Some("b") => open.entry(stack()).or_default().push(event),
            Some("e") => {
                let begin = open.entry(stack()).or_default().pop();
                let is_its = begin.is_some_and(|begin| begin["name"] == event["name"]);
                ensure(is_its, || {
                    format!("does not end the innermost phase: {event}")
                })?;
            }
            Some("i" | "X") => {}
            other => return Err(format!("unknown phase: {other:?}")),
        }
        ensure(threads.contains(&thread) || event["ph"] == "M", || {
            format!("unknown thread: {event}")
        })?;
    }
    ensure(threads.len() == trace.players.len() + 1, || {
        "a player has no thread".to_owned()
    })?;
    ensure(open.values().all(Vec::is_empty), || {
        format!("never ends: {open:?}")
    })
}

fn archive() -> Result {
    law(|scenario, trace| {
        let archive = json(&archived(scenario, trace, &all())?)?;
        let faults = har_faults(&archive);
        ensure(faults.is_empty(), || {
            format!("not valid by the schema: {}", faults.join("; "))
        })?;
        let is = |name: &str, kind: Kind| {
            let records = trace.records.iter().filter(|record| record.kind == kind);
            records
                .filter(|record| name.is_empty() || &*record.name == name)
                .count()
        };
        let entries = list(&archive, "/log/entries")?;
        let expected = is("request", Kind::Net) + is("redirect", Kind::Net) + is("", Kind::Beacon);
        ensure(entries.len() == expected, || {
            format!("{} entries, expected {expected}", entries.len())
        })?;
        ensure(archive["log"]["version"] == "1.2", || {
            "another version".to_owned()
        })?;
        entries.iter().try_for_each(entry)
    })
}

/// Checks an entry against the requirements of HTTP Archive 1.2.
fn entry(entry: &Json) -> Result {
    let texts = [
        "/startedDateTime",
        "/request/method",
        "/request/url",
        "/request/httpVersion",
        "/response/statusText",
        "/response/httpVersion",
        "/response/content/mimeType",
        "/response/redirectURL",
    ];
    let numbers = [
        "/time",
        "/request/headersSize",
        "/request/bodySize",
        "/response/status",
        "/response/content/size",
        "/response/headersSize",
        "/response/bodySize",
        "/timings/send",
        "/timings/wait",
        "/timings/receive",
    ];
    let lists = [
        "/request/cookies",
        "/request/headers",
        "/request/queryString",
        "/response/cookies",
        "/response/headers",
    ];
    let has = |pointer: &&str, is: fn(&Json) -> bool| entry.pointer(pointer).is_some_and(is);
    for (pointers, is) in [
        (&texts[..], Json::is_string as fn(&Json) -> bool),
        (&numbers[..], Json::is_number),
        (&lists[..], Json::is_array),
        (&["/cache"][..], Json::is_object),
    ] {
        let missing = pointers.iter().find(|pointer| !has(pointer, is));
        ensure(missing.is_none(), || format!("no {missing:?} in {entry}"))?;
    }
    let number = |pointer: &str| {
        entry
            .pointer(pointer)
            .and_then(Json::as_f64)
            .unwrap_or(-1.0)
    };
    let sum = number("/timings/send") + number("/timings/wait") + number("/timings/receive");
    ensure(
        number("/time") >= 0.0 && number("/time").to_bits() == sum.to_bits(),
        || format!("the time is not the sum of its parts: {entry}"),
    )?;
    let response = &entry["response"];
    let url = entry["request"]["url"].as_str().unwrap_or_default();
    ensure(url.contains(':') && !url.contains('#'), || {
        format!("not an absolute URL: {url}")
    })?;
    let is_redirect = entry["_playsim"]["outcome"] == "redirect";
    ensure(is_redirect != (response["redirectURL"] == ""), || {
        format!("no redirect URL: {entry}")
    })?;
    if let Some(text) = response["content"]["text"].as_str() {
        let is_as_long =
            response["content"]["size"] == text.len() && response["bodySize"] == text.len();
        ensure(is_as_long, || {
            format!("the body differs from its stated size: {entry}")
        })?;
    }
    let is_bare = response["comment"].is_string() || response["status"] == 0 || is_redirect;
    let purpose = entry["_playsim"]["purpose"].as_str().unwrap_or("");
    let is_document = ["ad-tag", "wrapper", "playlist"].contains(&purpose);
    ensure(
        is_bare || !is_document || response["content"]["text"].is_string(),
        || format!("no body: {entry}"),
    )?;
    let is_failure = ["timeout", "failed", "unanswered"]
        .contains(&entry["_playsim"]["outcome"].as_str().unwrap_or(""));
    ensure(
        is_failure == entry["response"]["_error"].is_string(),
        || format!("no failure: {entry}"),
    )
}

fn nothing_lost() -> Result {
    law(|scenario, trace| {
        for filter in &filters() {
            let timeline = timeline(trace, filter)?;
            let held = list(&timeline, "/traceEvents")?
                .iter()
                .filter(|event| event["args"]["seq"].is_u64());
            let held: u64 = held
                .map(|event| event["args"]["count"].as_u64().unwrap_or(1))
                .sum();
            is_all(
                trace,
                "timeline",
                held,
                counted(&timeline["otherData"]["left_out"]),
            )?;

            let archive = json(&archived(scenario, trace, filter)?)?;
            let lines = |entry: &Json| {
                let notes = &entry["_playsim"];
                ["seq", "answer", "late"]
                    .iter()
                    .filter(|key| notes[**key].is_u64())
                    .count() as u64
            };
            let held = list(&archive, "/log/entries")?.iter().map(lines).sum();
            is_all(
                trace,
                "archive",
                held,
                counted(&archive["log"]["_playsim"]["left_out"]),
            )?;

            let page = text(|sink| ReportPage::new(trace).with_filter(filter).write(sink))?;
            let rows = page
                .split("<tr id=\"s")
                .skip(1)
                .filter_map(|row| row.split('"').next());
            let held = rows
                .filter_map(|seq| trace.record(seq.parse().ok()?))
                .map(lines_of)
                .sum();
            // Its markup has no line breaks.
            is_all(trace, "page", held, reported(&page.replace('<', "\n")))?;

            let pixels = text(|sink| write_pixels(trace, filter, true, sink))?;
            let rows = pixels
                .lines()
                .skip_while(|line| !line.trim_start().starts_with("time  "));
            let held = rows.skip(1).take_while(|line| !line.is_empty()).count() as u64;
            is_all(trace, "tracker list", held, reported(&pixels))?;
        }
        let summary = text(|sink| write_summary(trace, &all(), false, sink))?;
        let held = trace
            .records
            .iter()
            .filter(|record| is_summed_up(record))
            .map(lines_of)
            .sum();
        is_all(trace, "summary", held, reported(&summary))
    })
}

fn is_summed_up(record: &Record) -> bool {
    let is_decision = ["fill", "no-fill", "reject", "schedule"].contains(&&*record.name);
    let is_request = record.data.get("id").and_then(Value::as_integer).is_some();
    matches!(
        record.kind,
        Kind::Break | Kind::Event | Kind::Beacon | Kind::Diag
    ) || (record.kind == Kind::Ad && is_decision)
        || (record.kind == Kind::Net && is_request)
}

fn lines_of(record: &Record) -> u64 {
    u64::from(record.lines())
}

/// Checks that all lines but header and outcome are counted.
fn is_all(trace: &Trace, form: &str, held: u64, left_out: u64) -> Result {
    let lines = trace.records.iter().map(lines_of).sum::<u64>() - 2;
    ensure(held + left_out == lines, || {
        format!("{form}: {held} and {left_out} are not {lines} lines")
    })
}

fn counted(left_out: &Json) -> u64 {
    let counts = ["no_room", "hidden"]
        .iter()
        .filter_map(|key| left_out[*key].as_object());
    counts
        .flat_map(|counts| counts.values())
        .filter_map(Json::as_u64)
        .sum()
}

/// The same from a sentence: `filtered out by view or name: 7 media lines, 1 state line`.
fn reported(text: &str) -> u64 {
    let is_counted = |line: &&str| {
        line.contains("not part of this format") || line.contains("filtered out by view")
    };
    let sentences = text
        .lines()
        .filter(is_counted)
        .filter_map(|line| line.rsplit_once(": "));
    sentences
        .flat_map(|(_, counts)| counts.split(", "))
        .filter_map(|count| count.split(' ').next()?.parse::<u64>().ok())
        .sum()
}
