//! Small scenarios, and functions that read their traces.

use playsim::api::{EventName, Kind};
use playsim::rules::RuleId;
use playsim::scenario;
use playsim::sim::Simulation;
use playsim::trace::{Filter, Trace, View, write_text};

/// Plays a scenario written in YAML.
pub(crate) fn play(text: &str) -> Trace {
    let mut load = |file: &str| {
        Err(std::io::Error::other(format!(
            "{file}: a test has no files"
        )))
    };
    let scenario = match scenario::read("test.yaml", text, &mut load) {
        Ok(scenario) => scenario,
        Err(error) => panic!("{error}"),
    };
    Simulation::new(&scenario)
        .expect("the scenario can be played")
        .run()
}

/// The names of the events in order, without time updates.
pub(crate) fn events(trace: &Trace) -> Vec<&'static str> {
    let events = trace
        .events()
        .filter(|event| event.name != EventName::TimeUpdate);
    events.map(|event| event.name.name()).collect()
}

/// `Ok` if the condition holds; otherwise what was expected, and the whole trace.
pub(crate) fn expect(is_so: bool, due: &str, trace: &Trace) -> Result<(), String> {
    if is_so {
        return Ok(());
    }
    let mut text = String::new();
    let everything = Filter {
        view: View::All,
        ..Filter::default()
    };
    write_text(trace, &everything, true, &mut text).map_err(|error| error.to_string())?;
    Err(format!("due was: {due}\n{text}"))
}

/// Content of 3 s with two chapters in one player, played when it is ready; then these steps.
pub(crate) fn film(steps: &str) -> String {
    let play = "  - { on: ready, do: play }\n";
    format!("{WORLD}{}{play}{}", init("video: v1"), lines(steps))
}

/// The same content without autoplay, in a world with these additional fields.
pub(crate) fn still(more: &str, steps: &str) -> String {
    format!("{more}\n{WORLD}{}{}", init("video: v1"), lines(steps))
}

/// Two videos in a list, played when the player is ready; then these steps.
pub(crate) fn list(more: &str, steps: &str) -> String {
    let play = "  - { on: ready, do: play }\n";
    format!(
        "{more}\n{WORLD}{}{play}{}",
        init("playlist: [v1, v2]"),
        lines(steps)
    )
}

const WORLD: &str = r#"
videos:
  - { id: v1, name: One, tags: "a, b", renditions: { sd: film.mp4 }, chapters: [{ timestamp: "1", title: A }, { timestamp: "2", title: B }] }
  - { id: v2, name: Two, renditions: { sd: other.mp4 } }
media: { default: { duration: 3s } }
"#;

fn init(content: &str) -> String {
    format!(
        "steps:\n  - {{ at: 0s, init: {{ div: player, config: {{ id: p, width: \"1\", height: \"1\", {content} }} }} }}\n"
    )
}

fn lines(steps: &str) -> String {
    steps
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .map(|line| format!("  - {line}\n"))
        .collect()
}

/// The trace as page code sees it, in one line: each time with its events (without periodic time
/// updates), calls that return something, and diagnostics.
pub(crate) fn story(trace: &Trace) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut at = None;
    for record in &trace.records {
        let who = trace
            .container(record)
            .filter(|id| ***id != *"player")
            .map_or(String::new(), |id| format!("{id}."));
        let name = &record.name;
        let is_periodic = record.rule == "MEL-15".parse::<RuleId>().ok();
        let word = if record.kind == Kind::Event && !is_periodic {
            format!("{who}{name}")
        } else if record.kind == Kind::Diag {
            format!("~{name}")
        } else if record.kind == Kind::Call && &**name != "$player" {
            match (record.data.get("returns"), record.data.get("error")) {
                (Some(value), _) => format!("{who}{name}={value}"),
                (None, Some(error)) => {
                    format!("{who}{name}!{}", error.as_text().map_or("", |text| text))
                }
                (None, None) => continue,
            }
        } else {
            continue;
        };
        if at != Some(record.at) {
            at = Some(record.at);
            words.push(format!(
                "@{}",
                playsim::api::Value::from(
                    playsim::time::Position::ZERO + (record.at - playsim::time::Time::ZERO)
                )
            ));
        }
        words.push(word);
    }
    words.join(" ")
}

/// Plays a scenario and compares its trace, in this short form, with the expected one.
pub(crate) fn expect_trace(scenario: &str, due: &str) -> Result<(), String> {
    let trace = play(scenario);
    let found = story(&trace);
    let due = due.split_whitespace().collect::<Vec<_>>().join(" ");
    expect(found == due, &format!("{due}\nfound was: {found}"), &trace)
}

/// A table of such tests: name, rules, scenario, expected trace.
macro_rules! traces {
    ($(($name:literal, [$($rule:literal),+], $scenario:expr, $due:expr),)*) => {
        &[$(Absence { name: $name, rules: &[$($rule),+], check: || expect_trace(&$scenario, $due) },)*]
    };
}
pub(super) use traces;
