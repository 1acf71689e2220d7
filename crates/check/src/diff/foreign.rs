//! Prepares two sides, one of which was recorded from a real player, so that they can be compared
//! line by line.
//!
//! The simulated side gets the lines that only recorders write, and both lose the lines that say
//! nothing about the player: which pieces of a film a browser asks for, and the events of its media
//! elements, which a recorder hears of ads as well. The requests of the recording that are trackers
//! on the other side become trackers. Lines of the simulation after the end of the recording are
//! left out.

use std::collections::{BTreeMap, BTreeSet};

use super::Side;
use crate::recording::{RequestVia, heard};
use playsim_api::{HeaderLine, Kind, LineName, NetLine, Purpose, Text, UiLine, Value};
use playsim_base::time::{Span, Time};
use playsim_trace::{Record, Trace};
use playsim_vast::names::{steady, with_less};

/// Prepares two sides. Two traces of simulations stay as they are.
#[must_use]
pub fn meet(first: Side, second: Side) -> (Side, Side) {
    match (has_head(&first), has_head(&second)) {
        (true, false) => prepared(&first, &second),
        (false, true) => {
            let (recorded, simulated) = prepared(&second, &first);
            (simulated, recorded)
        }
        (true, true) | (false, false) => (first, second),
    }
}

/// Returns whether a side was written by a recorder; a list of events without a head is compared as
/// it is.
fn has_head(side: &Side) -> bool {
    side.trace
        .records
        .first()
        .is_some_and(|first| first.is(HeaderLine::Recording))
}

fn prepared(recorded: &Side, simulated: &Side) -> (Side, Side) {
    let mut theirs = recorded.trace.clone();
    let ours = heard(&simulated.trace);
    label(&mut theirs, &ours);
    let films: BTreeSet<String> = ours
        .records
        .iter()
        .filter(|record| record.purpose() == Some(Purpose::Media))
        .filter_map(|record| record.data.text("url").map(ToString::to_string))
        .collect();
    let is_film = |record: &Record| {
        RequestVia::of(record) == Some(RequestVia::Media)
            || record
                .data
                .text("url")
                .is_some_and(|url| films.contains(&**url))
    };
    let makes = |record: &Record| matches!(record.line_name(), Some(LineName::Making(_)));
    let is_made = theirs.records.iter().any(makes);
    let end = theirs.records.last().map_or(Time::ZERO, Record::until);
    let is_compared = |record: &Record| match record.kind {
        Kind::Media => false,
        Kind::Net => record.is(NetLine::Request) && !is_film(record),
        Kind::Ui => !record.is(UiLine::Gone),
        Kind::Header
        | Kind::Call
        | Kind::User
        | Kind::Page
        | Kind::Event
        | Kind::Native
        | Kind::Listener
        | Kind::State
        | Kind::Ad
        | Kind::Break
        | Kind::Beacon
        | Kind::Diag
        | Kind::Analytics
        | Kind::Measurement
        | Kind::Edit
        | Kind::Outcome => is_made || !makes(record),
    };
    let is_ours =
        |record: &Record| is_compared(record) && (record.at <= end || record.kind.is_frame());
    let (mut theirs, mut ours) = (recorded.with_trace(theirs), simulated.with_trace(ours));
    theirs.keep_lines(is_compared);
    ours.keep_lines(is_ours);
    (picture_first(theirs), picture_first(ours))
}

/// How far apart a tracker and the picture that it belongs to may be: a browser reports either of
/// them first.
const TOGETHER: Span = Span::from_millis(250);

/// Moves a line for a film that comes on screen before the trackers that are called with it: their
/// order says nothing about the player. Only the order of comparison changes; the trace keeps its
/// own.
fn picture_first(mut side: Side) -> Side {
    for index in 0..side.lines.len() {
        let shown = side.record(side.lines[index]);
        if !shown.is(UiLine::Shown) {
            continue;
        }
        // The other kinds have lines that a recorder does not write.
        let parts = [Kind::Call, Kind::User, Kind::Page, Kind::Net, Kind::Ui];
        let is_with =
            |record: &&Record| !parts.contains(&record.kind) && record.at + TOGETHER >= shown.at;
        let before = side.lines[..index]
            .iter()
            .rev()
            .map(|line| side.record(*line))
            .take_while(is_with);
        let trackers = before
            .enumerate()
            .filter(|(_, record)| record.kind == Kind::Beacon);
        let with = trackers.last().map_or(0, |(place, _)| place + 1);
        side.lines[index - with..=index].rotate_right(1);
    }
    side
}

/// Turns requests into the trackers that they are on the other side.
fn label(theirs: &mut Trace, ours: &Trace) {
    let beacons = ours
        .records
        .iter()
        .filter(|record| record.kind == Kind::Beacon);
    let names: BTreeMap<String, Text> = beacons
        .filter_map(|record| Some((steady(record.data.text("url")?), record.name.clone())))
        .collect();
    for record in theirs
        .records
        .iter_mut()
        .filter(|record| record.is(NetLine::Request))
    {
        let Some(url) = record.data.text("url") else {
            continue;
        };
        // A player may add a query parameter: it is the same tracker, and the difference names what
        // is added.
        let name = names.get(&steady(url)).cloned();
        let name = name
            .or_else(|| with_less(url).find_map(|(short, _)| names.get(&steady(&short)).cloned()));
        if let Some(name) = name {
            record.kind = Kind::Beacon;
            record.name = name;
        }
    }
}

/// The fields that both sides have, of each kind and name of line. A field that one side cannot
/// have is not a difference.
#[derive(Debug, Default)]
pub struct Shared(BTreeMap<(Kind, String), BTreeSet<String>>);

impl Shared {
    /// Returns the fields that both traces have.
    #[must_use]
    pub fn of(first: &Trace, second: &Trace) -> Shared {
        let [mut one, other] = [first, second].map(|trace| {
            let mut fields: BTreeMap<(Kind, String), BTreeSet<String>> = BTreeMap::new();
            for record in &trace.records {
                let keys = record.data.iter().map(|(key, _)| key.to_string());
                fields
                    .entry((record.kind, record.name.to_string()))
                    .or_default()
                    .extend(keys);
            }
            fields
        });
        for (line, fields) in &mut one {
            fields.retain(|field| other.get(line).is_some_and(|others| others.contains(field)));
        }
        Shared(one)
    }

    /// Returns the fields of a line that are compared.
    #[must_use]
    pub fn fields<'a>(&self, record: &'a Record) -> Vec<(&'a str, Value)> {
        let shared = self.0.get(&(record.kind, record.name.to_string()));
        let fields = record
            .data
            .iter()
            .filter(|(key, _)| shared.is_some_and(|shared| shared.contains(&***key)));
        let value = |value: &Value| match value {
            Value::Text(text) => Value::from(steady(text)),
            Value::Undefined
            | Value::Null
            | Value::NaN
            | Value::Bool(_)
            | Value::Number(_)
            | Value::List(_)
            | Value::Map(_)
            | Value::Infinity
            | Value::NegativeInfinity
            | Value::Function(_) => value.clone(),
        };
        fields.map(|(key, it)| (&**key, value(it))).collect()
    }
}
