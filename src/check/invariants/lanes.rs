//! Which of the breaks that are open a line of ads belongs to.
//!
//! At most three breaks are open at once: one of linear ads, an overlay's, and one of display ads. When several
//! are, a line belongs to the break of what led to it; what the person or page code does to an ad is done to the linear one, unless
//! it is closed. A break of a VMAP document may turn from one into another.
//!
//! Rules: CUE-9, PA-4, OVL-1, EVT-23, VMAP-7, VMAP-20.

use std::collections::BTreeMap;

use super::{is, text};
use crate::api::{Kind, Text, Value};
use crate::time::Time;
use crate::trace::{Record, Trace};

/// What a break shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lane {
    /// Linear ads.
    Linear,
    /// An overlay.
    Overlay,
    /// What lies beside the player.
    Display,
}

/// A line with the lane that it belongs to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed<'a> {
    pub(super) record: &'a Record,
    /// `Linear` for lines that are not of ads.
    pub(super) lane: Lane,
    /// Whether a break is open there.
    pub(super) is_open: bool,
}

/// What the lines so far say.
#[derive(Debug, Default)]
struct Lanes {
    /// Lines of ads, by number.
    known: BTreeMap<u32, Lane>,
    /// The break that opened last because of a line: its first lines have the same cause.
    opened: BTreeMap<u32, Lane>,
    /// Those that are open, each once.
    open: Vec<Lane>,
    /// When an overlay was shown last, and because of what: its first events have the same cause.
    shown: Option<(Time, Option<u32>)>,
}

/// The lines of one player, each with its lane.
pub(super) fn placed<'a>(trace: &'a Trace, lines: &mut dyn Iterator<Item = &'a Record>) -> Vec<Placed<'a>> {
    let lines: Vec<&Record> = lines.collect();
    let mut lanes = Lanes::default();
    let mut placed = Vec::with_capacity(lines.len());
    for (at, record) in lines.iter().enumerate() {
        if is(record, Kind::Ui, "overlay") && record.data.get("visible") == Some(&Value::Bool(true)) {
            lanes.shown = Some((record.at, record.cause));
        }
        let lane = lanes.lane(trace, record, &lines[at + 1..]);
        if let Some(from) = turned_from(record) {
            lanes.set(from, false);
            lanes.set(lane, true);
            lanes.opened.values_mut().chain(lanes.known.values_mut()).filter(|it| **it == from).for_each(
                |it| {
                    *it = lane;
                },
            );
        }
        if is(record, Kind::Break, "begin") {
            lanes.set(lane, true);
            lanes.opened.extend(record.cause.map(|cause| (cause, lane)));
        }
        placed.push(Placed { record, lane, is_open: lanes.is_open(lane) });
        if is_of_ads(record) {
            lanes.known.insert(record.seq, lane);
        }
        if is(record, Kind::Break, "end") {
            lanes.set(lane, false);
        }
    }
    placed
}

impl Lanes {
    fn is_open(&self, lane: Lane) -> bool {
        self.open.contains(&lane)
    }

    fn set(&mut self, lane: Lane, is_open: bool) {
        self.open.retain(|open| *open != lane);
        if is_open {
            self.open.push(lane);
        }
    }

    fn lane(&self, trace: &Trace, record: &Record, behind: &[&Record]) -> Lane {
        if record.kind == Kind::Break {
            return lane_of_break(record);
        }
        // The `adEnd` of a break that is over stands before its last line, and for the same reason.
        if is(record, Kind::Event, "adEnd")
            && let Some(end) = behind.iter().find(|record| is(record, Kind::Break, "end"))
            && (end.at, end.cause) == (record.at, record.cause)
        {
            return lane_of_break(end);
        }
        match self.open.as_slice() {
            [] => Lane::Linear,
            [only] => *only,
            [..] if self.is_first_of_overlay(record) => Lane::Overlay,
            [..] => self.lane_by_cause(trace, record),
        }
    }

    /// Whether it tells that the overlay that was just shown begins.
    fn is_first_of_overlay(&self, record: &Record) -> bool {
        let begins = is(record, Kind::Event, "adImpression") || is(record, Kind::Event, "adStart");
        begins && self.shown == Some((record.at, record.cause))
    }

    /// The lane of what led to a line.
    fn lane_by_cause(&self, trace: &Trace, record: &Record) -> Lane {
        let mut cause = record.cause;
        while let Some(seq) = cause {
            if let Some(lane) = self.opened.get(&seq).or_else(|| self.known.get(&seq)) {
                return *lane;
            }
            let Some(before) = trace.record(seq) else { break };
            if is(before, Kind::User, "close") {
                return Lane::Overlay;
            }
            if matches!(before.kind, Kind::Call | Kind::User) {
                return Lane::Linear;
            }
            cause = before.cause.filter(|cause| *cause < seq);
        }
        Lane::Linear
    }
}

fn lane_of_break(record: &Record) -> Lane {
    lane_of_kind(text(record, "kind"))
}

fn lane_of_kind(kind: Option<&Text>) -> Lane {
    match kind.map(|kind| &**kind) {
        Some("overlay") => Lane::Overlay,
        Some("display") => Lane::Display,
        Some(_) | None => Lane::Linear,
    }
}

/// The lane that a break has left for another, if the line says that. Rule VMAP-7.
pub(super) fn turned_from(record: &Record) -> Option<Lane> {
    is(record, Kind::Break, "turn").then(|| lane_of_kind(text(record, "from")))
}

fn is_of_ads(record: &Record) -> bool {
    let is_event =
        || record.name.starts_with("ad") || record.name.ends_with("Ad") || &*record.name == "bidWon";
    match record.kind {
        Kind::Ad | Kind::Break | Kind::Beacon => true,
        // What is asked for an ad names its tag.
        Kind::Net => record.data.get("wp").is_some(),
        Kind::Event => is_event(),
        Kind::Header
        | Kind::Call
        | Kind::User
        | Kind::Page
        | Kind::Listener
        | Kind::State
        | Kind::Media
        | Kind::Ui
        | Kind::Diag
        | Kind::Analytics
        | Kind::Measurement
        | Kind::Edit
        | Kind::Outcome => false,
    }
}
