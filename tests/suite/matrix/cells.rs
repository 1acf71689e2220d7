//! The meaning of a cell's characters, checked against the trace of the call.
//!
//! `+` takes effect, `.` nothing happens, `d` only a diagnostic, `E` an error, `v` returns a value,
//! `s` is kept and used later. After `v` and a space comes the value, where it matters.

use playsim::api::{Kind, Value};

use super::calls::{Call, Form, Row};
use super::facts::Facts;
use super::paths::{CALL_AT, Path, State};

/// Compares one call in one state with its cell.
pub(crate) fn check(row: &Row, call: &Call, state: State, cell: &str) -> Result<(), String> {
    let path = path(row, call, state);
    let step = format!("  - {{ at: {CALL_AT}s, {} }}\n", call.act);
    let without = Facts::play(&path.clone().with(call.after).scenario());
    let with = Facts::play(&path.clone().with(&step).with(call.after).scenario());
    let due = match (cell.as_bytes(), call.form) {
        ([first, _], Form::Getter) => *first as char,
        ([_, second], Form::Setter) => *second as char,
        ([first, ..], _) => *first as char,
        ([], _) => return Err("the cell is empty".to_owned()),
    };
    let meant = cell.split_once(' ').map(|(_, meant)| meant);
    let found = match due {
        'E' => error(&with, &without),
        'v' => value(&with, &without, meant),
        '.' => nothing(&with, &without).and_then(|()| silent(&with)),
        'd' => nothing(&with, &without).and_then(|()| diagnosed(&with)),
        '+' => effect(call, state, &with, &without),
        's' => stored(call, state, &with, &path),
        other => Err(format!("\"{other}\" is not a character of the matrix")),
    };
    found.map_err(|why| format!("{why}\n{}", with.text()))
}

/// The script that leads to the state, adapted to the call.
fn path(row: &Row, call: &Call, state: State) -> Path {
    let path = state.path(call.before);
    match (row.name, state) {
        // The effect of `play` on a loading break is visible only after a `pause`.
        ("play", State::L) => path.with("  - { at: 8s, do: pause }\n"),
        // A rendition is only stored while nothing is loaded.
        ("setHD, setVideoSource", State::I) => path.film("duration: 1000s, metadata_after: 30s"),
        _ => path,
    }
}

fn error(with: &Facts, without: &Facts) -> Result<(), String> {
    match with.error(CALL_AT) {
        Some(_) => nothing(with, without),
        None => Err("it is not an error".to_owned()),
    }
}

fn value(with: &Facts, without: &Facts, meant: Option<&str>) -> Result<(), String> {
    if let Some(error) = with.error(CALL_AT) {
        return Err(format!("it is the error {error}"));
    }
    let Some(value) = with.returned(CALL_AT) else {
        return Err("it returns no value".to_owned());
    };
    if let Some(meant) = meant
        && value.to_string() != meant
    {
        return Err(format!("it returns {value}"));
    }
    silent(with).and_then(|()| nothing(with, without))
}

/// Checks that the rest of the trace is the same as without the call.
fn nothing(with: &Facts, without: &Facts) -> Result<(), String> {
    let (with, without) = (with.course(), without.course());
    match with.iter().zip(&without).find(|(a, b)| a != b) {
        Some((a, b)) => Err(format!("it does something: \"{a}\" instead of \"{b}\"")),
        None if with.len() == without.len() => Ok(()),
        None => Err(format!(
            "it does something: {} lines instead of {}",
            with.len(),
            without.len()
        )),
    }
}

fn silent(with: &Facts) -> Result<(), String> {
    match (with.error(CALL_AT), with.diags_at(CALL_AT).as_slice()) {
        (None, []) => Ok(()),
        (Some(error), _) => Err(format!("it is the error {error}")),
        (None, diags) => Err(format!("it is not silent: {diags:?}")),
    }
}

fn diagnosed(with: &Facts) -> Result<(), String> {
    match (with.error(CALL_AT), with.diags_at(CALL_AT).as_slice()) {
        (None, [_, ..]) => Ok(()),
        (Some(error), _) => Err(format!("it is the error {error}")),
        (None, []) => Err("no diagnostic".to_owned()),
    }
}

fn effect(call: &Call, state: State, with: &Facts, without: &Facts) -> Result<(), String> {
    if let Some(error) = with.error(CALL_AT) {
        return Err(format!("it is the error {error}"));
    }
    if (call.effect)(without, state) {
        return Err(
            "the effect also occurs without the call, so the test proves nothing".to_owned(),
        );
    }
    if (call.effect)(with, state) {
        Ok(())
    } else {
        Err("it has no effect".to_owned())
    }
}

/// Checks that nothing happens at once, and the effect occurs later.
fn stored(call: &Call, state: State, with: &Facts, path: &Path) -> Result<(), String> {
    if let Some(error) = with.error(CALL_AT) {
        return Err(format!("it is the error {error}"));
    }
    if (call.effect)(with, state) && state != State::U {
        return Err("it takes effect at once".to_owned());
    }
    if state == State::U {
        // The queue is drained once the script has loaded.
        return if (call.effect)(with, state) {
            Ok(())
        } else {
            Err("it is never used".to_owned())
        };
    }
    // A rendition is used at the next load, a seek when the break is over.
    let step = format!("  - {{ at: {CALL_AT}s, {} }}\n", call.act);
    let later = "  - { at: 40s, do: play }\n  - { at: 50s, do: isHD }\n";
    let longer = path
        .clone()
        .with(&step)
        .with(later)
        .scenario()
        .replace("until: 60s", "until: 200s");
    let used = Facts::play(&longer);
    let is_seek = call.name.starts_with("current");
    let is_used = if is_seek {
        (call.effect)(&used, state)
    } else {
        used.returned(50) == Some(&Value::Bool(true))
    };
    if is_used {
        Ok(())
    } else {
        Err(format!("it is never used\n{}", used.text()))
    }
}

/// Arguments of every kind, as a scenario writes them.
const ARGUMENTS: &[&str] = &[
    "[]",
    "[{ $: undefined }]",
    "[null]",
    "[true]",
    "[-1]",
    "[0]",
    "[2.5]",
    "[9000000000000]",
    "[{ $: NaN }]",
    "[{ $: Infinity }]",
    "[{ $: -Infinity }]",
    "[\"\"]",
    "[text]",
    "[\"https://ads.test/long\"]",
    "[[]]",
    "[[1, [text]]]",
    "[{}]",
    "[{ adType: 0, mobile: [1] }]",
    "[{ src: 1 }]",
    "[{ $: function }]",
    "[text, { $: function }, 3, 4, 5]",
    "[[ready, 1], { $: function }]",
];

/// Makes a call with arguments of every kind: the run must end, and a line must record each call.
pub(crate) fn check_arguments(state: State, call: &str) -> Result<(), String> {
    let steps: String = (0..)
        .zip(ARGUMENTS)
        .map(|(nth, arguments)| {
            format!(
                "  - {{ at: {}ms, do: {{ {call}: {arguments} }} }}\n",
                CALL_AT * 1_000 + nth
            )
        })
        .collect();
    let facts = Facts::play(&state.path(&steps).scenario());
    let made = facts.count_from(CALL_AT, Kind::Call, call);
    if made < ARGUMENTS.len() {
        return Err(format!(
            "{call} in {state:?}: {made} of {} calls have a line",
            ARGUMENTS.len()
        ));
    }
    match facts.error_named("not_built") {
        true => Err(format!("{call} in {state:?} cannot be played")),
        false => Ok(()),
    }
}
