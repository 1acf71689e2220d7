//! Breaks, the tags that were asked in them, and the ads that filled them.
//!
//! A line does not name its break. A tag belongs to the break that opened before it, or to that of the tag
//! that led to it; an ad belongs to its tag. Both follow causes, because an overlay and a break of linear ads
//! may be open beside each other with the same places in their waterfalls.

use std::collections::BTreeMap;

use super::{field, integer};
use crate::api::{Kind, Value};
use crate::trace::{Filter, Record, Trace};

/// The breaks of a trace with what is in them; each list in the order of its first lines.
#[derive(Debug, Default)]
pub(super) struct Ads<'a> {
    pub(super) breaks: Vec<Break<'a>>,
    pub(super) tags: Vec<Tag<'a>>,
    pub(super) spots: Vec<Spot<'a>>,
}

/// A break.
#[derive(Debug)]
pub(super) struct Break<'a> {
    pub(super) begin: &'a Record,
    /// What a break of a VMAP document has turned into last, if it has.
    turn: Option<&'a Record>,
    /// `None`: the run ended before.
    pub(super) end: Option<&'a Record>,
}

/// An ad tag that had its turn.
#[derive(Debug)]
pub(super) struct Tag<'a> {
    /// Its break, by its place in the list.
    pub(super) in_break: Option<usize>,
    /// What was asked; `None`: it never came to that.
    pub(super) request: Option<&'a Record>,
    /// What was decided about its answer, about each ad of it: `fill`, `no-fill`, `reject`.
    pub(super) decisions: Vec<&'a Record>,
}

/// An ad that filled its slot.
#[derive(Debug)]
pub(super) struct Spot<'a> {
    pub(super) in_break: Option<usize>,
    /// The decision for it.
    pub(super) fill: &'a Record,
    /// The event that it began. It may have been held, and dropped before.
    pub(super) start: Option<&'a Record>,
    /// The line with which it ended; `None`: the run ended before.
    pub(super) end: Option<&'a Record>,
}

/// Reads the breaks out of a trace.
pub(super) fn ads(trace: &Trace) -> Ads<'_> {
    let mut ads = Ads::default();
    // The tag of each request's line.
    let mut asked = BTreeMap::new();
    for record in &trace.records {
        match (record.kind, &*record.name) {
            (Kind::Break, "begin") => ads.breaks.push(Break { begin: record, turn: None, end: None }),
            (Kind::Break, "turn") => ads.turn_break(record),
            (Kind::Break, _) => ads.end_break(record),
            (Kind::Net, "request") if field(record, "purpose") == "ad-tag" => {
                let before = parent(trace, record, &asked).and_then(|tag: usize| ads.tags[tag].in_break);
                let is_first = integer(record, "wp") == Some(0) && integer(record, "pod") == Some(0);
                let open = before.filter(|index| !is_first && ads.breaks[*index].end.is_none());
                let in_break = open.or_else(|| ads.open_break(record));
                asked.insert(record.seq, ads.tags.len());
                ads.tags.push(Tag { in_break, request: Some(record), decisions: Vec::new() });
            }
            (Kind::Ad, "fill" | "no-fill" | "reject") => {
                let tag = ads.decide(trace, record, &asked);
                if &*record.name == "fill" {
                    let in_break = ads.tags[tag].in_break;
                    ads.end_spots(record, |spot| spot.in_break == in_break);
                    ads.spots.push(Spot { in_break, fill: record, start: None, end: None });
                }
            }
            (Kind::Event, "adStart" | "vpaidStart") => {
                let mut spots = ads.spots.iter_mut().rev();
                let is_next = |spot: &&mut Spot<'_>| {
                    spot.fill.player == record.player && spot.start.is_none() && spot.end.is_none()
                };
                if let Some(spot) = spots.find(is_next) {
                    spot.start = Some(record);
                }
            }
            (Kind::Event, "adComplete" | "adSkip") | (Kind::Ad, "failed") => {
                ads.end_spots(record, |spot| spot.start.is_some());
            }
            _ => {}
        }
    }
    ads
}

/// The tag whose request led to this line, as the last one of those that did.
fn parent(trace: &Trace, record: &Record, asked: &BTreeMap<u32, usize>) -> Option<usize> {
    let mut cause = record.cause;
    while let Some(record) = cause.and_then(|seq| trace.record(seq)) {
        if let Some(tag) = asked.get(&record.seq) {
            return Some(*tag);
        }
        // Only a trace that was changed by hand names a cause that comes later.
        cause = record.cause.filter(|seq| *seq < record.seq);
    }
    None
}

impl Break<'_> {
    /// What kind of break it is by now.
    fn kind_now(&self) -> Option<&Value> {
        self.turn.unwrap_or(self.begin).data.get("kind")
    }
}

impl<'a> Ads<'a> {
    /// The latest break of a line's player that is open.
    fn open_break(&self, line: &Record) -> Option<usize> {
        let is_open = |one: &Break<'_>| one.begin.player == line.player && one.end.is_none();
        self.breaks.iter().rposition(is_open)
    }

    /// A break of a VMAP document turns into another kind. Rule VMAP-7.
    fn turn_break(&mut self, turn: &'a Record) {
        let is_it = |one: &&mut Break<'_>| {
            let is_open = one.begin.player == turn.player && one.end.is_none();
            is_open && one.kind_now() == turn.data.get("from")
        };
        if let Some(turned) = self.breaks.iter_mut().rev().find(is_it) {
            turned.turn = Some(turn);
        }
    }

    /// A break ends, and with it what still plays in it.
    fn end_break(&mut self, end: &'a Record) {
        let is_same = |one: &Break<'_>| {
            let is_open = one.begin.player == end.player && one.end.is_none();
            is_open && one.kind_now() == end.data.get("kind")
        };
        if let Some(index) = self.breaks.iter().rposition(is_same) {
            self.breaks[index].end = Some(end);
            self.end_spots(end, |spot| spot.in_break == Some(index));
        }
    }

    /// Ends the ads of a line's player that are meant and still play.
    fn end_spots(&mut self, end: &'a Record, is_meant: impl Fn(&Spot<'_>) -> bool) {
        let is_open = |spot: &Spot<'_>| spot.fill.player == end.player && spot.end.is_none();
        for spot in self.spots.iter_mut().filter(|spot| is_open(spot) && is_meant(spot)) {
            spot.end = Some(end);
        }
    }

    /// Notes a decision with its tag; gives the tag. One that could not be asked has no request.
    fn decide(&mut self, trace: &Trace, line: &'a Record, asked: &BTreeMap<u32, usize>) -> usize {
        let is_its_own = |tag: &usize| {
            let request = self.tags[*tag].request;
            let place = |line: &Record| [integer(line, "wp"), integer(line, "pod")];
            request.is_some_and(|request| request.player == line.player && place(request) == place(line))
        };
        let tag = parent(trace, line, asked).filter(is_its_own);
        let tag = tag.unwrap_or_else(|| {
            let in_break = self.open_break(line);
            self.tags.push(Tag { in_break, request: None, decisions: Vec::new() });
            self.tags.len() - 1
        });
        self.tags[tag].decisions.push(line);
        tag
    }

    /// Whether a break is wanted: if one of its two lines is.
    pub(super) fn shows_break(&self, index: usize, filter: &Filter) -> bool {
        let one = &self.breaks[index];
        filter.shows(one.begin) || one.end.is_some_and(|end| filter.shows(end))
    }
}

impl Break<'_> {
    /// `pre`, `mid`, `post`, `overlay` or `command`.
    pub(super) fn kind(&self) -> String {
        field(self.begin, "kind")
    }

    /// How it ended; `open` if the run ended before.
    pub(super) fn outcome(&self) -> String {
        self.end.map_or_else(|| "open".to_owned(), |end| field(end, "outcome"))
    }
}

impl Spot<'_> {
    /// The ad's id in its document; without one, that it has none.
    pub(super) fn name(&self) -> String {
        let id = self.fill.data.get("ad").and_then(Value::as_text);
        id.map_or_else(|| "(no id)".to_owned(), ToString::to_string)
    }

    /// How it ended.
    pub(super) fn outcome(&self) -> &'static str {
        match (self.start, self.end.map(|end| (end.kind, &*end.name))) {
            (None, _) => "not started",
            (_, None) => "open",
            (_, Some((_, "adComplete"))) => "complete",
            (_, Some((_, "adSkip"))) => "skipped",
            (_, Some((Kind::Ad, "failed"))) => "failed",
            (_, Some(_)) => "ended early",
        }
    }
}
