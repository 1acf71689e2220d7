//! Collects the waterfalls from the lines of a trace.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::data::{micros, number, plain, text};
use super::{
    AdBreakOutcome, AdBreakReport, AdEnd, RequestFault, Tag, TagOutcome, TagRequest, Unanswered,
    Waterfalls, schedules, unfilled,
};
use playsim_api::{Code, EventName, Fields, Kind, LineName, NetLine, Value};
use playsim_rules::knobs::Knobs;
use playsim_trace::session::{AdBreaks, SessionBreak, TagPosition};
use playsim_trace::{PlayerIndex, Record, Trace};

mod ads;
mod faults;

use faults::Faults;

/// The player of a line; `None` for the page.
type Lane = Option<PlayerIndex>;

/// The place of a request: break, tag, request.
type RequestPlace = (usize, usize, usize);

/// The state while a trace is read.
#[derive(Default)]
struct Collector {
    report: Waterfalls,
    /// For each break, its tags by pod and place in the waterfall.
    tags: Vec<BTreeMap<TagPosition, usize>>,
    /// The tags without a message of an `adError`, by break and code.
    untold: BTreeMap<(usize, u16), BTreeSet<usize>>,
    /// The URLs that were reported as not listed.
    unanswered: BTreeSet<(String, Option<String>)>,
    /// For each break, the tag that is being tried.
    in_turn: Vec<Option<usize>>,
    /// For each break, the latest choice, until it fills.
    chosen: Vec<Option<String>>,
    /// Requests by player and number.
    by_id: BTreeMap<(Lane, i64), RequestPlace>,
    /// Requests by the number of their line.
    by_line: BTreeMap<u32, RequestPlace>,
    faults: Faults,
}

pub(super) fn collect(trace: &Trace) -> Waterfalls {
    let mut collector = Collector::default();
    collector.report.outcome = trace.outcome();
    collector.report.digest = trace.digest.to_string();
    let mut breaks: AdBreaks<'_> = AdBreaks::of(trace);
    for record in &trace.records {
        let its = breaks.take(record);
        let in_break = its.as_ref().map(|it| it.index);
        if let Some(its) = its.filter(|_| record.kind == Kind::Break) {
            collector.ad_break(record, its, trace.container(record));
        }
        collector.take(record, in_break);
    }
    for it in &mut collector.report.breaks {
        if it.outcome == AdBreakOutcome::default() {
            it.outcome = AdBreakOutcome::Open;
        }
        it.unfilled = unfilled::of(it);
    }
    schedules::settle(&mut collector.report);
    collector.report
}

/// Reads a line of one kind, with its break.
type Reader = fn(&mut Collector, &Record, Option<usize>);

/// The kinds of lines that the report is made of.
const READERS: &[(Kind, Reader)] = &[
    (Kind::Header, |it, record, _| it.header(&record.data)),
    (Kind::Media, |it, record, _| it.media(record)),
    (Kind::Diag, |it, record, _| it.diag(record)),
    (Kind::Net, Collector::net),
    (Kind::Ad, Collector::ad),
    (Kind::Event, |it, record, in_break| {
        in_break
            .into_iter()
            .for_each(|index| it.event(record, index))
    }),
    (Kind::Beacon, |it, record, in_break| {
        in_break
            .into_iter()
            .for_each(|index| it.beacon(record, index))
    }),
];

impl Collector {
    /// Handles a line and the break that it belongs to.
    fn take(&mut self, record: &Record, in_break: Option<usize>) {
        let reader = READERS.iter().find(|(kind, _)| *kind == record.kind);
        if let Some((_, read)) = reader {
            read(self, record, in_break);
        }
    }

    fn header(&mut self, data: &Fields) {
        self.report.profile = text(data, "profile").unwrap_or_default();
        self.report.seed = number(data, "seed").unwrap_or_default();
        if let Some(Value::Map(knobs)) = data.get("knobs") {
            self.report.knobs = knobs
                .iter()
                .map(|(name, value)| (name.to_string(), plain(value)))
                .collect();
        }
        let mut knobs = Knobs::default();
        for (name, value) in &self.report.knobs {
            // A trace of another version may name knobs that do not exist.
            let _ = knobs.set(name, value);
        }
        self.report.timeout_us = knobs.ad_timeout.micros();
        self.report.media_timeout_us = knobs.ad_media_timeout.micros();
    }

    /// Sets the duration of the content. Ads have no such lines.
    fn media(&mut self, record: &Record) {
        if record.is(LineName::MediaEvent(EventName::DurationChange))
            && self.report.content_us.is_none()
        {
            self.report.content_us = micros(&record.data, "duration");
        }
    }

    fn begin(&mut self, record: &Record, its: &SessionBreak<()>, player: Option<&Arc<str>>) {
        let data = &record.data;
        let mut tags = Vec::new();
        for (pod, waterfall) in (0..).zip(record.waterfalls()) {
            for (wp, tag) in (0..).zip(waterfall) {
                tags.push(Tag {
                    pod,
                    wp,
                    address: plain(tag),
                    ..Tag::default()
                });
            }
        }
        let mut places = BTreeMap::new();
        for (index, &Tag { pod, wp, .. }) in tags.iter().enumerate() {
            places.entry(TagPosition { pod, wp }).or_insert(index);
        }
        self.tags.push(places);
        let vmap = |key| match data.get("vmap") {
            Some(Value::Map(vmap)) => text(vmap, key),
            _ => None,
        };
        self.in_turn.push(None);
        self.chosen.push(None);
        self.report.breaks.push(AdBreakReport {
            player: player.map(ToString::to_string),
            why: text(data, "why").unwrap_or_default(),
            cue_us: its.cue_us,
            begin_us: its.begin.micros(),
            id: vmap("id"),
            offset: vmap("offset"),
            at: vmap("at"),
            tags,
            ..AdBreakReport::default()
        });
    }

    /// Handles a break that begins, changes its kind or ends. Rule VMAP-7.
    fn ad_break(&mut self, record: &Record, its: &SessionBreak<()>, player: Option<&Arc<str>>) {
        if record.begins_break() {
            self.begin(record, its, player);
        }
        let it = &mut self.report.breaks[its.index];
        it.kind = its.kind.clone();
        if let Some((end, outcome)) = &its.end {
            it.end_us = Some(end.micros());
            it.outcome = outcome.clone();
            if let Some(ad) = it
                .played
                .last_mut()
                .filter(|ad| ad.start_us.is_some() && ad.end.is_none())
            {
                ad.end_us = it.end_us;
                ad.end = Some(AdEnd::Cut);
            }
        }
    }

    /// Returns the tag at a place of a break; one that no waterfall announced is added.
    fn tag(&mut self, index: usize, record: &Record) -> Option<usize> {
        let place @ TagPosition { pod, wp } = record.tag()?;
        let tags = &mut self.report.breaks[index].tags;
        let found = *self.tags[index].entry(place).or_insert_with(|| {
            tags.push(Tag {
                pod,
                wp,
                address: text(&record.data, "url").unwrap_or_default(),
                ..Tag::default()
            });
            tags.len() - 1
        });
        self.in_turn[index] = Some(found);
        if tags[found].outcome == TagOutcome::NotAsked {
            tags[found].outcome = TagOutcome::Undecided;
        }
        Some(found)
    }

    fn net(&mut self, record: &Record, in_break: Option<usize>) {
        let data = &record.data;
        let (Some(id), Some(name)) = (data.integer("id"), NetLine::from_name(&record.name)) else {
            return;
        };
        if name == NetLine::Request {
            self.request(record, id, in_break);
            return;
        }
        let Some(&place) = self.by_id.get(&(record.player, id)) else {
            return;
        };
        let at = record.at.micros();
        let tag = &mut self.report.breaks[place.0].tags[place.1];
        let request = &mut tag.requests[place.2];
        match name {
            NetLine::Timeout => {
                request.timed_out_us = Some(at);
                return;
            }
            NetLine::Late | NetLine::Dropped => request.late_us = Some(at),
            NetLine::Response | NetLine::Redirect | NetLine::Failed | NetLine::Request => {
                request.answered_us = Some(at);
                if request.hop == Some(0) {
                    tag.answered_us = Some(at);
                }
            }
        }
        request.status = number(data, "status");
        request.fault = text(data, "how").map(RequestFault::from);
        request.file = text(data, "file");
    }

    /// Handles a request of a break. The content's media belong to no break.
    fn request(&mut self, record: &Record, id: i64, in_break: Option<usize>) {
        let data = &record.data;
        let Some(index) = in_break else { return };
        let Some(found) = self.tag(index, record) else {
            return;
        };
        let tag = &mut self.report.breaks[index].tags[found];
        let at = record.at.micros();
        let hop = number(data, "hop");
        if hop == Some(0) {
            tag.asked_us.get_or_insert(at);
        }
        if let Some(hop) = hop {
            tag.hops = tag.hops.max(hop + 1);
        }
        let place = (index, found, tag.requests.len());
        tag.requests.push(TagRequest {
            purpose: text(data, "purpose").unwrap_or_default().into(),
            hop,
            url: text(data, "url").unwrap_or_default(),
            asked_us: at,
            listed: true,
            ..TagRequest::default()
        });
        self.by_id.insert((record.player, id), place);
        self.by_line.insert(record.seq, place);
    }

    fn diag(&mut self, record: &Record) {
        if !record.is(Code::AddressNotListed) {
            return;
        }
        let Some(&(index, found, nth)) = record.cause.and_then(|cause| self.by_line.get(&cause))
        else {
            return;
        };
        let request = &mut self.report.breaks[index].tags[found].requests[nth];
        request.listed = false;
        let suggestion = text(&record.data, "suggestion");
        let url = request.url.clone();
        if self.unanswered.insert((url.clone(), suggestion.clone())) {
            self.report.unanswered.push(Unanswered { url, suggestion });
        }
    }
}
