//! Infers which break a line belongs to, for a trace that does not say so.
//!
//! A break of linear ads, an overlay and a display break may be open at the same time. While only
//! one break is open, every line about ads belongs to it. While several are, a line belongs to the
//! break of its cause. Actions of the user or page code belong to the linear ad, unless the user
//! closes something.
//!
//! Rules: CUE-9, PA-4, OVL-1, EVT-23, VMAP-7, VMAP-20.

use std::collections::BTreeMap;

use crate::{PlayerIndex, Record, Trace};
use playsim_api::{BreakKind, BreakLine, EventName, Kind, NetLine, Text, UiLine, UserLine, Value};
use playsim_base::time::Time;

/// A player, or the page.
type Owner = Option<PlayerIndex>;

/// The player of a line, its time and its cause: lines that agree in these have the same origin.
type Moment = (Owner, Time, Option<u32>);

/// The state after the lines so far.
#[derive(Debug)]
pub(super) struct Guess<'a> {
    trace: &'a Trace,
    /// The open breaks, the newest last.
    open: Vec<Open<'a>>,
    /// The break of each line about ads, by the number of the line.
    of_line: BTreeMap<u32, usize>,
    /// The break that a line opened last; the first lines of that break have the same cause.
    opened_by: BTreeMap<u32, usize>,
    /// The break of each request, by its player and number.
    of_request: BTreeMap<(Owner, i64), usize>,
    /// The kind of the break that ends at a moment, because its `adEnd` comes right before its last
    /// line.
    ends: BTreeMap<Moment, Option<&'a Text>>,
    /// When an overlay was shown last, because its first events have the same origin.
    shown: Option<Moment>,
    /// The newest break of each player, open or not.
    newest: BTreeMap<Owner, usize>,
}

#[derive(Debug)]
struct Open<'a> {
    index: usize,
    owner: Owner,
    kind: Option<&'a Text>,
}

impl<'a> Guess<'a> {
    pub(super) fn new(trace: &'a Trace) -> Guess<'a> {
        let ends = trace
            .records
            .iter()
            .filter(|record| record.is(BreakLine::End));
        Guess {
            trace,
            open: Vec::new(),
            of_line: BTreeMap::new(),
            opened_by: BTreeMap::new(),
            of_request: BTreeMap::new(),
            ends: ends.map(|record| (moment(record), kind(record))).collect(),
            shown: None,
            newest: BTreeMap::new(),
        }
    }

    /// Returns the break of the next line; `begins` is the one that begins with it.
    pub(super) fn take(&mut self, record: &'a Record, begins: Option<usize>) -> Option<usize> {
        if record.is(UiLine::Overlay) && record.data.get("visible") == Some(&Value::Bool(true)) {
            self.shown = Some(moment(record));
        }
        let index = match BreakLine::from_name(&record.name).filter(|_| record.kind == Kind::Break)
        {
            Some(BreakLine::Begin) => self.begin(record, begins?),
            Some(BreakLine::Turn) => self.turn(record)?,
            Some(BreakLine::End) => {
                let place = self.place_of(record.player, kind(record))?;
                self.open.remove(place).index
            }
            None if is_of_ads(record) => self.find(record)?,
            None => return None,
        };
        self.of_line.insert(record.seq, index);
        if let Some(id) = request_id(record).filter(|_| record.is(NetLine::Request)) {
            self.of_request.insert((record.player, id), index);
        }
        Some(index)
    }

    fn begin(&mut self, record: &'a Record, index: usize) -> usize {
        self.open.push(Open {
            index,
            owner: record.player,
            kind: kind(record),
        });
        self.opened_by
            .extend(record.cause.map(|cause| (cause, index)));
        self.newest.insert(record.player, index);
        index
    }

    /// Handles a break of a VMAP document that changes its kind. Rule VMAP-7.
    fn turn(&mut self, record: &'a Record) -> Option<usize> {
        let from = record.data.text("from");
        let place = self.place_of(record.player, from)?;
        self.open[place].kind = kind(record);
        Some(self.open[place].index)
    }

    /// Returns the index of the newest open break of a player that has this kind.
    fn place_of(&self, owner: Owner, kind: Option<&Text>) -> Option<usize> {
        self.open
            .iter()
            .rposition(|open| open.owner == owner && open.kind == kind)
    }

    /// Returns the break of a line about ads.
    fn find(&self, record: &Record) -> Option<usize> {
        let mut open = self.open.iter().filter(|open| open.owner == record.player);
        // Responses to a request belong to the request's break, even after that has ended.
        if let Some(id) = request_id(record).filter(|_| !record.is(NetLine::Request)) {
            return self.of_request.get(&(record.player, id)).copied();
        }
        if record.is(EventName::AdEnd)
            && let Some(kind) = self.ends.get(&moment(record))
        {
            return self
                .place_of(record.player, *kind)
                .map(|place| self.open[place].index);
        }
        match (open.next(), open.next()) {
            // A tracking URL may be called after its break has ended.
            (None, _) if record.kind == Kind::Beacon => self.newest.get(&record.player).copied(),
            (None, _) => None,
            (Some(only), None) => Some(only.index),
            (Some(_), Some(_)) => self.find_among_several(record),
        }
    }

    fn find_among_several(&self, record: &Record) -> Option<usize> {
        let is_overlay = |open: &Open<'_>| {
            open.kind
                .is_some_and(|kind| **kind == *BreakKind::Overlay.name())
        };
        let is_display = |open: &Open<'_>| {
            open.kind
                .is_some_and(|kind| **kind == *BreakKind::Display.name())
        };
        let mine = || {
            self.open
                .iter()
                .rev()
                .filter(|open| open.owner == record.player)
        };
        let overlay = || mine().find(|open| is_overlay(open)).map(|open| open.index);
        let linear = || {
            let linear = mine().find(|open| !is_overlay(open) && !is_display(open));
            linear.or_else(|| mine().next()).map(|open| open.index)
        };
        let begins = record.is(EventName::AdImpression) || record.is(EventName::AdStart);
        if begins && self.shown == Some(moment(record)) {
            return overlay();
        }
        let mut cause = record.cause;
        while let Some(seq) = cause {
            let found = self.opened_by.get(&seq).or_else(|| self.of_line.get(&seq));
            if let Some(index) = found.filter(|index| mine().any(|open| open.index == **index)) {
                return Some(*index);
            }
            let Some(before) = self.trace.record(seq) else {
                break;
            };
            if before.is(UserLine::Close) {
                return overlay();
            }
            if matches!(before.kind, Kind::Call | Kind::User) {
                break;
            }
            // Only a trace edited by hand names a cause that comes later.
            cause = before.cause.filter(|cause| *cause < seq);
        }
        linear()
    }
}

fn moment(record: &Record) -> Moment {
    (record.player, record.at, record.cause)
}

fn kind(record: &Record) -> Option<&Text> {
    record.data.text("kind")
}

fn request_id(record: &Record) -> Option<i64> {
    record
        .data
        .integer("id")
        .filter(|_| record.kind == Kind::Net)
}

/// Returns whether a line can belong to a break at all.
fn is_of_ads(record: &Record) -> bool {
    let event = record.event().or_else(|| record.dropped_event());
    matches!(record.kind, Kind::Ad | Kind::Break | Kind::Beacon)
        // A request for an ad names its tag.
        || record.kind == Kind::Net && record.data.get("wp").is_some()
        || event.is_some_and(EventName::is_of_ads)
}
