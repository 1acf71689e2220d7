//! The content of a trace, gathered from its lines when a law needs it.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::laws::{AdSpan, Breaks, ad_spans};
use super::line::Line;
use super::placed::{Placed, placed};
use super::screen::{self, Shown};
use super::showing::Showing;
use super::spots::{Role, Spots};
use super::{CheckOptions, by_documents, by_lines};
use crate::recording::{Hears, TOGETHER, knobs_of};
use playsim_api::{HeaderLine, Kind, MakingLine, UiLine, Value};
use playsim_base::time::{Span, Time};
use playsim_rules::knobs::Knobs;
use playsim_trace::{PlayerIndex, Record, Trace};
use playsim_vast::TrackingEvent;

/// The content of a trace.
#[derive(Debug)]
pub(super) struct Session<'a> {
    pub(super) trace: &'a Trace,
    /// The lines that could be heard; of a trace without a head only the names that it contains.
    hears: Option<&'a Hears>,
    options: &'a CheckOptions,
    has_head: bool,
    /// Whether playsim wrote it.
    pub(super) is_own: bool,
    /// Whether playsim wrote it and no line was left out.
    pub(super) is_complete: bool,
    pub(super) within: Span,
    /// The knobs of the run.
    pub(super) knobs: Knobs,
    /// The time of the last line.
    pub(super) end: Time,
    /// The kinds and names that occur.
    names: OnceCell<BTreeSet<(Kind, &'a str)>>,
    has_breaks: OnceCell<bool>,
    lines: OnceCell<Vec<Line<'a>>>,
    players: OnceCell<Vec<Lines<'a>>>,
    spots: OnceCell<Spots>,
    showings: OnceCell<Vec<Showing>>,
    screen: OnceCell<Vec<Shown>>,
}

/// The lines of one player.
#[derive(Debug)]
pub(super) struct Lines<'a> {
    pub(super) placed: Vec<Placed<'a>>,
    pub(super) with_ads: Vec<AdSpan<'a>>,
    pub(super) breaks: Breaks<'a>,
}

impl<'a> Session<'a> {
    /// A session of a trace from any source.
    pub(super) fn new(
        trace: &'a Trace,
        hears: &'a Hears,
        options: &'a CheckOptions,
    ) -> Session<'a> {
        let first = trace.records.first();
        let is_own = first.is_some_and(|first| first.is(HeaderLine::Trace));
        let has_all = trace.records.iter().try_fold(0_u32, |due, record| {
            (record.seq == due).then(|| record.last_seq().saturating_add(1))
        });
        let ends = trace
            .records
            .last()
            .is_some_and(|last| last.kind == Kind::Outcome);
        let mut session = Session::of_trace(trace, options);
        session.hears = Some(hears);
        session.has_head = first.is_some_and(|first| first.kind == Kind::Header);
        session.is_own = is_own;
        session.is_complete = is_own && ends && has_all.is_some();
        session
    }

    /// A session of a trace that playsim has just written.
    pub(super) fn of_trace(trace: &'a Trace, options: &'a CheckOptions) -> Session<'a> {
        Session {
            trace,
            hears: None,
            options,
            has_head: true,
            is_own: true,
            is_complete: true,
            within: options.within,
            knobs: knobs_of(trace),
            end: trace.records.last().map_or(Time::ZERO, Record::until),
            names: OnceCell::new(),
            has_breaks: OnceCell::new(),
            lines: OnceCell::new(),
            players: OnceCell::new(),
            spots: OnceCell::new(),
            showings: OnceCell::new(),
            screen: OnceCell::new(),
        }
    }

    /// Returns whether a line of this kind and name would be in the trace. Without a head, and in
    /// an excerpt, only names that occur are known to be heard.
    pub(super) fn hears(&self, kind: Kind, name: &str) -> bool {
        if self.is_complete {
            return true;
        }
        if self.has_head && !self.is_own {
            return self.hears.is_none_or(|hears| hears.hears(kind, name));
        }
        let records = || {
            self.trace
                .records
                .iter()
                .map(|record| (record.kind, &*record.name))
        };
        self.names
            .get_or_init(|| records().collect())
            .contains(&(kind, name))
    }

    /// Returns whether a call of a tracker of this event would be in the trace.
    pub(super) fn hears_tracker(&self, event: TrackingEvent) -> bool {
        self.hears(Kind::Beacon, event.name())
    }

    /// Returns the longest time for which the order of two lines says nothing.
    pub(super) fn together(&self) -> Span {
        if self.is_own { Span::ZERO } else { TOGETHER }
    }

    /// The ads that the documents contain.
    pub(super) fn spots(&self) -> &Spots {
        self.spots
            .get_or_init(|| Spots::of(self.trace, self.options))
    }

    /// The ads that were shown, or whose trackers were called, in the order in which they begin.
    pub(super) fn showings(&self) -> &[Showing] {
        self.showings.get_or_init(|| {
            let has_beacons = self
                .trace
                .records
                .iter()
                .any(|record| record.kind == Kind::Beacon);
            let is_by_lines = self.is_own || has_beacons && self.spots().is_empty();
            if is_by_lines {
                by_lines::showings(self)
            } else {
                by_documents::showings(self)
            }
        })
    }

    /// The linear ads that the player itself plays, and no unit.
    pub(super) fn videos(&self) -> impl Iterator<Item = &Showing> {
        self.showings()
            .iter()
            .filter(|showing| !showing.is_scripted && !showing.is_overlay)
    }

    /// The films on screen, in order.
    pub(super) fn screen(&self) -> &[Shown] {
        self.screen
            .get_or_init(|| screen::of(self.trace, self.spots()))
    }

    /// All lines with their names.
    pub(super) fn named_lines(&self) -> &[Line<'a>] {
        self.lines
            .get_or_init(|| self.trace.records.iter().map(Line::of).collect())
    }

    /// The lines of each player, but not of bare media elements.
    pub(super) fn players(&self) -> &[Lines<'a>] {
        let by_events = !self.is_complete && !self.has_breaks();
        self.players
            .get_or_init(|| players(self.trace, self.named_lines(), by_events))
    }

    /// The lines of all players, one player after another, each with whether an ad is on.
    pub(super) fn ad_lines(&self) -> impl Iterator<Item = AdSpan<'a>> {
        self.players()
            .iter()
            .flat_map(|lines| lines.with_ads.iter().copied())
    }

    /// Returns whether it says where breaks begin and end.
    pub(super) fn has_breaks(&self) -> bool {
        *self.has_breaks.get_or_init(|| {
            self.trace
                .records
                .iter()
                .any(|record| record.kind == Kind::Break)
        })
    }

    /// Returns whether the header names knobs that differ from their defaults.
    pub(super) fn has_knobs(&self) -> bool {
        let header = self.trace.records.first();
        let listed = header
            .and_then(|header| header.data.get("knobs"))
            .and_then(Value::as_map);
        listed.is_some_and(|listed| !listed.is_empty())
    }

    /// Returns whether the scenario is known that was played.
    pub(super) fn knows_scenario(&self) -> bool {
        !self.options.urls.is_empty()
    }

    /// Returns whether it is known for each URL whether the scenario has media there.
    pub(super) fn knows_media(&self) -> bool {
        self.knows_scenario() && self.options.names_all_media
    }

    /// Returns the position of the content at a record, if it is known.
    pub(super) fn content_at(&self, record: usize) -> Option<Span> {
        screen::content_at(self.trace, self.spots(), self.screen(), record)
    }

    /// Returns whether films on screen are known, from lines of their own or from media events.
    pub(super) fn sees(&self) -> bool {
        !self.screen().is_empty()
    }

    /// Returns whether it would be known if the film of an ad were on screen: the recorder reports
    /// films, or saw one.
    pub(super) fn sees_ads(&self) -> bool {
        let says = |line: &Record| line.is(UiLine::Shown) || line.is(UiLine::Gone);
        self.trace.records.iter().any(says)
            || self.screen().iter().any(|film| film.role == Role::Ad)
    }

    /// Returns the records with their indexes.
    pub(super) fn lines(
        &self,
    ) -> impl DoubleEndedIterator<Item = (usize, &'a Record)> + Clone + use<'a> {
        self.trace.records.iter().enumerate()
    }

    /// Returns whether the trace continues for at least this long after a time, so that what is
    /// missing is missing.
    pub(super) fn goes_on(&self, after: Time, span: Span) -> bool {
        self.end >= after + span
    }
}

fn players<'a>(trace: &'a Trace, all: &[Line<'a>], by_events: bool) -> Vec<Lines<'a>> {
    // A recording that names no player is one of a single player.
    let is_of_one = trace.players.is_empty();
    let room = all.len() / trace.players.len().max(1);
    let with_room = || Vec::with_capacity(room);
    let mut of_players: Vec<Vec<Line<'a>>> = Vec::new();
    of_players.resize_with(trace.players.len().max(1), with_room);
    for line in all {
        let number = if is_of_one {
            Some(0)
        } else {
            line.player.map(|PlayerIndex(own)| own.into())
        };
        if let Some(own) = number.and_then(|number: usize| of_players.get_mut(number)) {
            own.push(*line);
        }
    }
    let is_player = |lines: &&Vec<Line<'_>>| {
        lines
            .first()
            .is_some_and(|first| is_of_one || !first.is(MakingLine::Element))
    };
    of_players
        .iter()
        .filter(is_player)
        .map(|lines| Lines::new(trace, lines, by_events))
        .collect()
}

impl<'a> Lines<'a> {
    fn new(trace: &'a Trace, lines: &[Line<'a>], by_events: bool) -> Lines<'a> {
        let placed: Vec<Placed<'a>> = placed(trace, &mut lines.iter().copied()).collect();
        Lines {
            with_ads: ad_spans(&placed, by_events),
            breaks: Breaks::of(&placed),
            placed,
        }
    }

    pub(super) fn records(&self) -> impl Iterator<Item = &Line<'a>> {
        self.placed.iter().map(|placed| &placed.record)
    }

    pub(super) fn placed(&self) -> &[Placed<'a>] {
        &self.placed
    }
}
