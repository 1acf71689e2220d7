//! A closer look at a run: its state at an instant, and why a line is there.

use playsim::api::Value;
use playsim::diff::{Side, compare};
use playsim::player::ResponseStatus;
use playsim::sim::{OpenRequest, PlayerSnapshot};
use playsim::time::{Span, Time};
use playsim::trace::{Filter, find, write_causes};
use playsim::{Scenario, Simulation};
use serde_json::{Value as Json, json};

use crate::Answer;
use crate::answers::{failure, of_scenario};
use crate::values::write;

/// The columns of an explanation.
const WIDTH: usize = 100;
/// The most lines of a comparison.
const MOST_LINES: usize = 400;

/// The state of a run at an instant: `{ "at", "next", "last", "players", "requests" }`, times in
/// microseconds. `last` is the number of the last line until then.
pub(crate) fn state(scenario: &Scenario, at: Time) -> Answer {
    let mut simulation = Simulation::new(scenario).map_err(|error| of_scenario(&error))?;
    // The clock is at the instant even if nothing is due then.
    let _ = simulation.advance(at - Time::ZERO);
    let now = simulation.snapshot();
    let last = simulation.records().last().map(|record| record.last_seq());
    Ok(json!({
        "at": now.at.micros(),
        "next": now.next_due.map(Time::micros),
        "last": last,
        "players": now.players.iter().map(player).collect::<Vec<Json>>(),
        "requests": now.requests.iter().map(|it| request(it, &now.players)).collect::<Vec<Json>>(),
    })
    .to_string())
}

fn player(it: &PlayerSnapshot) -> Json {
    let value = |value: &Value| {
        let mut text = String::new();
        write(value, &mut text);
        serde_json::from_str(&text).unwrap_or(Json::Null)
    };
    json!({
        "container": &*it.container,
        "element": it.is_element,
        "state": it.state,
        "break": it.ad_break.as_ref().map(|it| json!({
            "kind": &*it.kind, "number": it.number.get(), "since": it.since.micros(), "asked": it.asked,
            "filled": it.is_filled,
        })),
        "values": it.values.iter().map(|(query, of)| json!([query.name(), value(of)])).collect::<Vec<Json>>(),
        "listeners": it.listeners.iter().map(|(event, names)| {
            json!([event.name(), names.iter().map(|name| &**name).collect::<Vec<&str>>()])
        }).collect::<Vec<Json>>(),
    })
}

fn request(it: &OpenRequest, players: &[PlayerSnapshot]) -> Json {
    let status = match it.status {
        ResponseStatus::Awaited => "awaited",
        ResponseStatus::Late => "given up",
        ResponseStatus::Dropped => "called off",
    };
    let player = players
        .get(usize::from(it.player.0))
        .map(|player| &*player.container);
    json!({
        "line": it.seq, "player": player, "url": &*it.url, "purpose": &*it.purpose, "since": it.since.micros(),
        "status": status,
    })
}

/// Why a line is there: the line and its causes, each with its rule, as text.
pub(crate) fn explain(scenario: &Scenario, line: &str) -> Answer {
    let trace = Simulation::new(scenario)
        .map_err(|error| of_scenario(&error))?
        .run();
    let (seq, _) = find(&trace, line).map_err(failure)?;
    let causes = trace
        .causes(seq)
        .ok_or_else(|| failure("there is no such line"))?;
    let mut text = String::new();
    write_causes(&trace, &causes, WIDTH, &mut text).map_err(failure)?;
    Ok(json!({ "line": seq, "text": text }).to_string())
}

/// Two runs compared: `{ "equal", "text" }`, as `playsim diff` prints it.
pub(crate) fn diff(first: (&str, &Scenario), second: (&str, &Scenario)) -> Answer {
    let side = |(name, scenario): (&str, &Scenario)| {
        let trace = Simulation::new(scenario)
            .map_err(|error| of_scenario(&error))?
            .run();
        Ok::<Side, String>(Side::of_trace(name, trace, &Filter::default()))
    };
    let (first, second) = (side(first)?, side(second)?);
    let comparison = compare(&first, &second, Span::ZERO);
    let mut text = String::new();
    comparison.write(MOST_LINES, &mut text).map_err(failure)?;
    Ok(json!({ "equal": comparison.is_equal(), "text": text }).to_string())
}
