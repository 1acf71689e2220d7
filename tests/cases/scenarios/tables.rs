//! The book's tables of calls and events: where each is shown.
//!
//! A row names the scenario with the shortest trace that has it. With `UPDATE_DOCS=1` the tables
//! are written anew.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use playsim::api::{Call, EventName, Kind, Query};

use super::cases::Case;

const BEGIN: &str = "<!-- calls and events: written by a test -->\n";
const END: &str = "<!-- end of calls and events -->\n";

pub(crate) fn check(cases: &[Case]) -> Result<(), String> {
    let shown = shown(cases)?;
    let mut missing = Vec::new();
    let tables = tables(&shown, &mut missing);
    if !missing.is_empty() {
        return Err(format!("no scenario shows: {}", missing.join(", ")));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/src/calls-and-events.md");
    let chapter = std::fs::read_to_string(&path).map_err(|error| error.to_string())?;
    let (head, rest) = chapter
        .split_once(BEGIN)
        .ok_or("the chapter has no place for the tables")?;
    let (kept, tail) = rest
        .split_once(END)
        .ok_or("the chapter does not say where the tables end")?;
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let text = format!("{head}{BEGIN}{tables}{END}{tail}");
        return std::fs::write(&path, text).map_err(|error| error.to_string());
    }
    if kept == tables {
        Ok(())
    } else {
        Err(
            "the tables of calls and events are out of date; run this test with UPDATE_DOCS=1"
                .to_owned(),
        )
    }
}

/// The number of lines for each kind and name, and the name of the scenario with the shortest trace
/// that has one.
type Shown = BTreeMap<(&'static str, String), (usize, String)>;

fn shown(cases: &[Case]) -> Result<Shown, String> {
    let mut shown = Shown::new();
    for case in cases {
        let trace = &case.played()?.trace;
        let lines = trace.records.len();
        for record in trace
            .records
            .iter()
            .filter(|record| matches!(record.kind, Kind::Call | Kind::Event))
        {
            // A trace in which a call only fails shows little of it.
            if record.data.get("error").is_some() {
                continue;
            }
            let best = shown
                .entry((record.kind.name(), record.name.to_string()))
                .or_insert_with(|| (lines, case.name.clone()));
            if lines < best.0 {
                *best = (lines, case.name.clone());
            }
        }
    }
    Ok(shown)
}

fn tables(shown: &Shown, missing: &mut Vec<String>) -> String {
    let mut text = String::new();
    let calls = Call::ALL.iter().map(|call| (call.name(), call.gist()));
    let queries = Query::ALL
        .iter()
        .filter(|query| Call::from_name(query.name()).is_none());
    let calls = [("$player", "Makes a player. Rules INIT-1 to INIT-20.")]
        .into_iter()
        .chain(calls)
        .chain(queries.map(|query| (query.name(), query.gist())));
    let events = EventName::DOCUMENTED
        .iter()
        .map(|event| (event.name(), event.gist()));
    for (kind, title, rows) in [
        (Kind::Call, "call or property", calls.collect::<Vec<_>>()),
        (Kind::Event, "event", events.collect()),
    ] {
        let _ = write!(
            text,
            "\n| {title} | what it is | shown in |\n|---|---|---|\n"
        );
        for (name, gist) in rows {
            match shown.get(&(kind.name(), name.to_owned())) {
                Some((_, case)) => {
                    let file = case.rsplit('/').next().unwrap_or(case);
                    let gist = gist.split(" Rule").next().unwrap_or(gist);
                    let _ = writeln!(
                        text,
                        "| `{name}` | {gist} | [{file}](../../fixtures/scenarios/{case}.yaml) |"
                    );
                }
                None => missing.push(format!("{} {name}", kind.name())),
            }
        }
    }
    text.push('\n');
    text
}
