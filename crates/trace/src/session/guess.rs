//! Infers which break a line belongs to, for a trace that does not say so.
//!
//! A break of linear ads, an overlay and a display break may be open at the same time. While only
//! one break is open, every line about ads belongs to it. While several are, a line belongs to the
//! break of its cause. Actions of the user or page code belong to the linear ad, unless the user
//! closes something.
//!
//! Rules: CUE-9, PA-4, OVL-1, EVT-23, VMAP-7, VMAP-20.

use std::collections::BTreeMap;

use super::{AdBreakKind, SessionBreak, kind};
use crate::{PlayerIndex, Record, Trace};
use playsim_api::{BreakLine, EventName, Kind, NetLine, UiLine, UserLine, Value};
use playsim_base::time::Time;

/// A player, or the page.
type Owner = Option<PlayerIndex>;

/// The player of a line, its time and its cause: lines that agree in these have the same origin.
type Moment = (Owner, Time, Option<u32>);

/// The state after the lines so far.
#[derive(Debug, Clone)]
pub(super) struct Guess<'a> {
    trace: &'a Trace,
    /// The open breaks, the newest last.
    open: Vec<usize>,
    /// The break of each line about ads, by the number of the line.
    of_line: BTreeMap<u32, usize>,
    /// The break that a line opened last; the first lines of that break have the same cause.
    opened_by: BTreeMap<u32, usize>,
    /// The break of each request, by its player and number.
    of_request: BTreeMap<(Owner, i64), usize>,
    /// The kind of the break that ends at a moment, because its `adEnd` comes right before its last
    /// line.
    ends: BTreeMap<Moment, AdBreakKind>,
    /// When an overlay was shown last, because its first events have the same origin.
    shown: Option<Moment>,
}

impl<'a> Guess<'a> {
    pub(super) fn new(trace: &'a Trace) -> Guess<'a> {
        let ends = trace.records.iter().filter(|record| record.ends_break());
        Guess {
            trace,
            open: Vec::new(),
            of_line: BTreeMap::new(),
            opened_by: BTreeMap::new(),
            of_request: BTreeMap::new(),
            ends: ends
                .map(|record| (moment(record), kind(record, "kind")))
                .collect(),
            shown: None,
        }
    }

    /// Returns the break of the next line; the last of `breaks` is the one that begins with it.
    pub(super) fn take<Own>(
        &mut self,
        record: &Record,
        line: Option<BreakLine>,
        breaks: &[SessionBreak<Own>],
    ) -> Option<usize> {
        if record.is(UiLine::Overlay) && record.data.get("visible") == Some(&Value::Bool(true)) {
            self.shown = Some(moment(record));
        }
        let of_kind = |key| {
            let owner = record.player;
            let kind = kind(record, key);
            move |index: &usize| breaks[*index].player == owner && breaks[*index].kind == kind
        };
        let index = match line {
            Some(BreakLine::Begin) => {
                let index = breaks.len() - 1;
                self.open.push(index);
                self.opened_by
                    .extend(record.cause.map(|cause| (cause, index)));
                index
            }
            // A break of a VMAP document changes its kind. Rule VMAP-7.
            Some(BreakLine::Turn) => self.open.iter().copied().rfind(of_kind("from"))?,
            Some(BreakLine::End) => {
                let place = self.open.iter().rposition(of_kind("kind"))?;
                self.open.remove(place)
            }
            None if is_of_ads(record) => self.find(record, breaks)?,
            None => return None,
        };
        self.of_line.insert(record.seq, index);
        if let Some(id) = request_id(record).filter(|_| record.is(NetLine::Request)) {
            self.of_request.insert((record.player, id), index);
        }
        Some(index)
    }

    /// Returns the break of a line about ads.
    fn find<Own>(&self, record: &Record, breaks: &[SessionBreak<Own>]) -> Option<usize> {
        // Responses to a request belong to the request's break, even after that has ended.
        if let Some(id) = request_id(record).filter(|_| !record.is(NetLine::Request)) {
            return self.of_request.get(&(record.player, id)).copied();
        }
        let is_own = |it: &&SessionBreak<Own>| it.player == record.player;
        let open = self.open.iter().rev().map(|index| &breaks[*index]);
        let mut open = open.filter(is_own);
        if record.is(EventName::AdEnd)
            && let Some(kind) = self.ends.get(&moment(record))
        {
            return Some(open.find(|it| it.kind == *kind)?.index);
        }
        let own: Vec<&SessionBreak<Own>> = open.collect();
        match &*own {
            // A tracking URL may be called after its break has ended.
            [] if record.kind == Kind::Beacon => Some(breaks.iter().rfind(is_own)?.index),
            [] => None,
            [only] => Some(only.index),
            several => Some(self.find_among(several, record)?.index),
        }
    }

    /// Returns which of several open breaks, the newest first, a line belongs to.
    fn find_among<'b, Own>(
        &self,
        open: &[&'b SessionBreak<Own>],
        record: &Record,
    ) -> Option<&'b SessionBreak<Own>> {
        let mut each = open.iter().copied();
        let overlay = || {
            open.iter()
                .copied()
                .find(|it| it.kind == AdBreakKind::Overlay)
        };
        let begins = record.is(EventName::AdImpression) || record.is(EventName::AdStart);
        if begins && self.shown == Some(moment(record)) {
            return overlay();
        }
        let mut cause = record.cause;
        while let Some(seq) = cause {
            let found = self.opened_by.get(&seq).or_else(|| self.of_line.get(&seq));
            if let Some(index) = found
                && let Some(it) = each.clone().find(|it| it.index == *index)
            {
                return Some(it);
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
        each.find(|it| !it.kind.plays_on())
            .or(open.first().copied())
    }
}

fn moment(record: &Record) -> Moment {
    (record.player, record.at, record.cause)
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
