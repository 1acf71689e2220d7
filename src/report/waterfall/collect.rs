//! From the lines of a trace to its waterfalls.

use std::collections::BTreeMap;

use super::{
    AdBreakReport, Beacon, Ignored, Played, Rejected, Request, Tag, TagOutcome, Unanswered, Warning,
    Waterfalls,
};
use crate::api::{Fields, Kind, Value};
use crate::trace::{PlayerIndex, Record, Trace};

/// Whose lines they are: a player's, or the page's.
type Lane = Option<PlayerIndex>;

/// Where a request stands: break, tag, request.
type RequestPlace = (usize, usize, usize);

/// What is at hand while a trace is walked through.
#[derive(Default)]
struct Collector {
    report: Waterfalls,
    /// The open breaks, the newest last.
    open: Vec<(Lane, usize)>,
    /// The tag whose turn it is, of each break.
    in_turn: Vec<Option<usize>>,
    /// What was chosen last in each break, until it fills.
    chosen: Vec<Option<String>>,
    /// Requests by player and number.
    by_id: BTreeMap<(Lane, i64), RequestPlace>,
    /// Requests by the number of their line.
    by_line: BTreeMap<u32, RequestPlace>,
}

pub(super) fn collect(trace: &Trace) -> Waterfalls {
    let mut collector = Collector::default();
    collector.report.outcome = trace.outcome().to_owned();
    collector.report.digest = trace.digest.to_string();
    for record in &trace.records {
        let container = trace.container(record).map(|id| id.to_string());
        collector.take(record, container);
    }
    for it in &mut collector.report.breaks {
        if it.outcome.is_empty() {
            "open".clone_into(&mut it.outcome);
        }
    }
    collector.report
}

impl Collector {
    fn take(&mut self, record: &Record, container: Option<String>) {
        match record.kind {
            Kind::Header => self.header(&record.data),
            Kind::Break => match &*record.name {
                "begin" => self.begin(record, container),
                "turn" => self.turn(record),
                "end" => self.end(record),
                _ => {}
            },
            Kind::Net => self.net(record),
            Kind::Ad => self.ad(record),
            Kind::Event => self.event(record),
            Kind::Beacon => self.beacon(record),
            Kind::Diag => self.diag(record),
            Kind::Call
            | Kind::User
            | Kind::Page
            | Kind::Listener
            | Kind::State
            | Kind::Media
            | Kind::Ui
            | Kind::Analytics
            | Kind::Measurement
            | Kind::Edit
            | Kind::Outcome => {}
        }
    }

    fn header(&mut self, data: &Fields) {
        self.report.profile = text(data, "profile").unwrap_or_default();
        self.report.seed = number(data, "seed").unwrap_or_default();
        if let Some(Value::Map(knobs)) = data.get("knobs") {
            self.report.knobs = knobs.iter().map(|(name, value)| (name.to_string(), plain(value))).collect();
        }
    }

    fn begin(&mut self, record: &Record, player: Option<String>) {
        let data = &record.data;
        let mut tags = Vec::new();
        let pods = data.get("waterfalls").and_then(Value::as_list).unwrap_or_default();
        for (pod, waterfall) in (0..).zip(pods) {
            for (wp, tag) in (0..).zip(waterfall.as_list().unwrap_or_default()) {
                tags.push(Tag { pod, wp, address: plain(tag), ..Tag::default() });
            }
        }
        self.open.push((record.player, self.report.breaks.len()));
        self.in_turn.push(None);
        self.chosen.push(None);
        self.report.breaks.push(AdBreakReport {
            player,
            kind: text(data, "kind").unwrap_or_default(),
            why: text(data, "why").unwrap_or_default(),
            cue_us: micros(data, "cue"),
            begin_us: record.at.micros(),
            tags,
            ..AdBreakReport::default()
        });
    }

    /// A break of a VMAP document turns into another kind. Rule VMAP-7.
    fn turn(&mut self, record: &Record) {
        let (from, to) = (text(&record.data, "from"), text(&record.data, "kind"));
        let breaks = &mut self.report.breaks;
        let is_it = |(lane, index): &&(Lane, usize)| {
            *lane == record.player && Some(&breaks[*index].kind) == from.as_ref()
        };
        if let Some((_, index)) = self.open.iter().rev().find(is_it) {
            breaks[*index].kind = to.unwrap_or_default();
        }
    }

    fn end(&mut self, record: &Record) {
        let kind = text(&record.data, "kind");
        let is_it = |(lane, index): &(Lane, usize)| {
            *lane == record.player && Some(&self.report.breaks[*index].kind) == kind.as_ref()
        };
        let Some(at) = self.open.iter().rposition(is_it) else { return };
        let (_, index) = self.open.remove(at);
        let it = &mut self.report.breaks[index];
        it.end_us = Some(record.at.micros());
        it.outcome = text(&record.data, "outcome").unwrap_or_default();
        if let Some(ad) = it.played.last_mut().filter(|ad| ad.start_us.is_some() && ad.end.is_none()) {
            ad.end_us = it.end_us;
            ad.end = Some("cut".to_owned());
        }
    }

    /// The break that a line of a player counts to.
    fn current(&self, lane: Lane) -> Option<usize> {
        let open = self.open.iter().rev().find(|(other, _)| *other == lane);
        open.map(|(_, index)| *index)
    }

    /// The tag at a place of a break; one that no waterfall announced is added.
    fn tag(&mut self, index: usize, data: &Fields) -> Option<usize> {
        let (wp, pod) = (number(data, "wp")?, number(data, "pod").unwrap_or_default());
        let tags = &mut self.report.breaks[index].tags;
        let found = tags.iter().position(|tag| (tag.pod, tag.wp) == (pod, wp)).unwrap_or_else(|| {
            tags.push(Tag { pod, wp, address: text(data, "url").unwrap_or_default(), ..Tag::default() });
            tags.len() - 1
        });
        self.in_turn[index] = Some(found);
        if tags[found].outcome == TagOutcome::NotAsked {
            tags[found].outcome = TagOutcome::Undecided;
        }
        Some(found)
    }

    fn net(&mut self, record: &Record) {
        let data = &record.data;
        let Some(id) = data.get("id").and_then(Value::as_integer) else { return };
        if &*record.name == "request" {
            self.request(record, id);
            return;
        }
        let Some(&place) = self.by_id.get(&(record.player, id)) else { return };
        let at = record.at.micros();
        let tag = &mut self.report.breaks[place.0].tags[place.1];
        let request = &mut tag.requests[place.2];
        match &*record.name {
            "timeout" => {
                request.timed_out_us = Some(at);
                return;
            }
            "late" | "dropped" => request.late_us = Some(at),
            _ => {
                request.answered_us = Some(at);
                if request.purpose != "media" {
                    tag.answered_us = Some(at);
                }
            }
        }
        request.status = number(data, "status");
        request.fault = text(data, "how");
        request.file = text(data, "file");
    }

    fn request(&mut self, record: &Record, id: i64) {
        let data = &record.data;
        let Some(index) = self.current(record.player) else { return };
        // Content's media belong to no tag.
        let Some(found) = self.tag(index, data) else { return };
        let tag = &mut self.report.breaks[index].tags[found];
        let at = record.at.micros();
        let hop = number(data, "hop");
        tag.asked_us.get_or_insert(at);
        if let Some(hop) = hop {
            tag.hops = tag.hops.max(hop + 1);
        }
        let place = (index, found, tag.requests.len());
        tag.requests.push(Request {
            purpose: text(data, "purpose").unwrap_or_default(),
            hop,
            url: text(data, "url").unwrap_or_default(),
            asked_us: at,
            listed: true,
            ..Request::default()
        });
        self.by_id.insert((record.player, id), place);
        self.by_line.insert(record.seq, place);
    }

    fn ad(&mut self, record: &Record) {
        let Some(index) = self.current(record.player) else { return };
        let data = &record.data;
        match &*record.name {
            "select-media" => self.chosen[index] = text(data, "url"),
            "select-overlay" => self.chosen[index] = None,
            "no-fill" => self.no_fill(index, record),
            "fill" => self.fill(index, record),
            "reject" => {
                let Some(found) = self.tag(index, data) else { return };
                // It was ready, and could not be started any more. Rules SEL-12, VPAID-4.
                let ad = text(data, "ad");
                let last = self.report.breaks[index].played.last_mut();
                if let Some(ready) = last.filter(|last| last.start_us.is_none() && last.ad == ad) {
                    ready.end = Some("not started".to_owned());
                }
                self.report.breaks[index].tags[found].rejected.push(Rejected {
                    at_us: record.at.micros(),
                    ad: text(data, "ad"),
                    code: number(data, "code"),
                    reason: text(data, "why"),
                    at: text(data, "at"),
                });
            }
            "ignore" => {
                let Some(found) = self.tag(index, data) else { return };
                let ignored =
                    Ignored { ad: text(data, "ad"), reason: text(data, "why"), at: text(data, "at") };
                self.report.breaks[index].tags[found].ignored.push(ignored);
            }
            "warning" => {
                let Some(found) = self.in_turn[index] else { return };
                self.report.breaks[index].tags[found].warnings.push(Warning {
                    code: text(data, "code").unwrap_or_default(),
                    text: text(data, "text").unwrap_or_default(),
                    at: text(data, "at"),
                });
            }
            _ => {}
        }
    }

    fn no_fill(&mut self, index: usize, record: &Record) {
        let Some(found) = self.tag(index, &record.data) else { return };
        let tag = &mut self.report.breaks[index].tags[found];
        tag.outcome = TagOutcome::NoFill;
        tag.decided_us = Some(record.at.micros());
        tag.code = number(&record.data, "code");
        tag.reason = text(&record.data, "why");
        tag.at = text(&record.data, "at");
    }

    fn fill(&mut self, index: usize, record: &Record) {
        let data = &record.data;
        let Some(found) = self.tag(index, data) else { return };
        let media = self.chosen[index].take();
        let it = &mut self.report.breaks[index];
        let tag = &mut it.tags[found];
        tag.outcome = TagOutcome::Filled;
        tag.decided_us.get_or_insert(record.at.micros());
        it.played.push(Played {
            pod: tag.pod,
            wp: tag.wp,
            ad: text(data, "ad"),
            hops: number(data, "hops"),
            media,
            duration_us: micros(data, "duration"),
            at: text(data, "at"),
            ..Played::default()
        });
    }

    fn event(&mut self, record: &Record) {
        let Some(index) = self.current(record.player) else { return };
        let it = &mut self.report.breaks[index];
        let at = Some(record.at.micros());
        let shown = it.played.last_mut().filter(|ad| ad.start_us.is_some() && ad.end.is_none());
        let ended = |ad: Option<&mut Played>, how: &str| {
            if let Some(ad) = ad {
                ad.end_us = at;
                ad.end = Some(how.to_owned());
            }
        };
        match &*record.name {
            "adStart" => {
                if let Some(ad) = it.played.last_mut().filter(|ad| ad.start_us.is_none()) {
                    ad.start_us = at;
                }
            }
            "adComplete" => ended(shown, "complete"),
            "adSkip" => ended(shown, "skip"),
            "adError" if shown.is_some() => ended(shown, "error"),
            "adError" => {
                let code = number::<u16>(&record.data, "code");
                let failed = |tag: &&mut Tag| tag.code.is_some() && tag.message.is_none() && tag.code == code;
                if let Some(tag) = it.tags.iter_mut().rfind(failed) {
                    tag.message = text(&record.data, "message");
                }
            }
            _ => {}
        }
    }

    fn beacon(&mut self, record: &Record) {
        let of_player = |it: &(usize, &AdBreakReport)| Some(it.0) == self.current(record.player);
        let all = self.report.breaks.iter().enumerate();
        let Some((index, it)) = all.clone().find(of_player).or_else(|| all.clone().next_back()) else {
            return;
        };
        let tag = self.in_turn[index].map(|found| &it.tags[found]);
        let beacon = Beacon {
            at_us: record.at.micros(),
            event: record.name.to_string(),
            pod: tag.map(|tag| tag.pod),
            wp: tag.map(|tag| tag.wp),
            hop: number(&record.data, "hop"),
            ad: text(&record.data, "ad"),
            url: text(&record.data, "url").unwrap_or_default(),
        };
        self.report.breaks[index].beacons.push(beacon);
    }

    fn diag(&mut self, record: &Record) {
        if &*record.name != "address_not_listed" {
            return;
        }
        let Some(&(index, found, nth)) = record.cause.and_then(|cause| self.by_line.get(&cause)) else {
            return;
        };
        let request = &mut self.report.breaks[index].tags[found].requests[nth];
        request.listed = false;
        let suggestion = text(&record.data, "suggestion");
        let unanswered = Unanswered { url: request.url.clone(), suggestion };
        if !self.report.unanswered.contains(&unanswered) {
            self.report.unanswered.push(unanswered);
        }
    }
}

/// A text as it is, anything else as JSON.
fn plain(value: &Value) -> String {
    value.as_text().map_or_else(|| value.to_string(), ToString::to_string)
}

fn text(data: &Fields, key: &str) -> Option<String> {
    data.get(key).map(plain)
}

fn number<T: TryFrom<i64>>(data: &Fields, key: &str) -> Option<T> {
    T::try_from(data.get(key)?.as_integer()?).ok()
}

/// Seconds as microseconds.
fn micros(data: &Fields, key: &str) -> Option<u64> {
    let Value::Number(seconds) = data.get(key)? else { return None };
    u64::try_from(seconds.millionths()).ok()
}
