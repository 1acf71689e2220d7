//! A break as a whole: one end, and requests that add up.
//!
//! What a knob lets be told otherwise is judged by less: the header says which are set.
//!
//! Rules: INV-11, INV-12.

use super::lanes::{Lane, placed, turned_from};
use super::{Findings, event, integer, is, knob, of_each_player, text};
use crate::api::Kind;
use crate::trace::{Record, Trace};

/// The lines of one break.
#[derive(Debug)]
struct Break<'a> {
    lane: Lane,
    begin: &'a Record,
    lines: Vec<&'a Record>,
    /// Its last line; `None`: the run or the player ended before.
    end: Option<&'a Record>,
}

/// A place in the waterfalls: pod, and position in its waterfall.
type Place = (Option<i64>, Option<i64>);

impl Break<'_> {
    fn was_aborted(&self) -> bool {
        self.end.and_then(|end| text(end, "outcome")).is_some_and(|outcome| **outcome == *"aborted")
    }

    /// Whether it was ended from outside, though not aborted. Rules OVL-5, OVL-6.
    fn was_cut(&self) -> bool {
        self.end.is_some_and(|end| end.data.get("why").is_some())
    }

    /// Whether it began with an answer that nobody waited for any more. Rule REQ-10.
    fn is_of_a_late_answer(&self) -> bool {
        text(self.begin, "why").is_some_and(|why| **why == *"late answer")
    }

    fn count(&self, kind: Kind, name: &str) -> usize {
        self.lines.iter().filter(|record| is(record, kind, name)).count()
    }

    /// The places in the waterfalls that such lines name.
    fn places(&self, kind: Kind, name: &str) -> Vec<Place> {
        let named = self.lines.iter().filter(|record| is(record, kind, name));
        let mut places: Vec<_> = named.map(|record| place(record)).collect();
        places.sort_unstable();
        places.dedup();
        places
    }

    /// The requests of its tags.
    fn tags(&self) -> impl Iterator<Item = &&Record> {
        self.lines.iter().filter(|record| {
            let is_tag = || text(record, "purpose").is_some_and(|is| **is == *"ad-tag");
            is(record, Kind::Net, "request") && is_tag()
        })
    }

    /// How often it told of this. What was told to a destroyed player was dropped. Rule EVT-21.
    fn told(&self, event: &str) -> usize {
        let is_dropped = |record: &&&Record| {
            is(record, Kind::Diag, "event_dropped")
                && text(record, "text").is_some_and(|text| text.split(' ').next() == Some(event))
        };
        self.count(Kind::Event, event) + self.lines.iter().filter(is_dropped).count()
    }
}

fn place(record: &Record) -> Place {
    (integer(record, "pod"), integer(record, "wp"))
}

/// All breaks of one player, and the `adEnd` that are none of any.
fn breaks<'a>(
    trace: &'a Trace,
    lines: &mut dyn Iterator<Item = &'a Record>,
) -> (Vec<Break<'a>>, Vec<&'a Record>) {
    let (mut open, mut done): (Vec<Break<'a>>, Vec<Break<'a>>) = (Vec::new(), Vec::new());
    let mut stray = Vec::new();
    for placed in placed(trace, lines) {
        let record = placed.record;
        if is(record, Kind::Break, "begin") {
            open.push(Break { lane: placed.lane, begin: record, lines: Vec::new(), end: None });
        }
        if let Some(from) = turned_from(record)
            && let Some(turned) = open.iter_mut().rfind(|each| each.lane == from)
        {
            turned.lane = placed.lane;
        }
        if event(record) == "adEnd" && !placed.is_open {
            stray.push(record);
        }
        // What ends them all is a line of each.
        let is_last = is(record, Kind::State, "destroyed");
        for each in open.iter_mut().filter(|each| each.lane == placed.lane || is_last) {
            each.lines.push(record);
        }
        if is(record, Kind::Break, "end")
            && let Some(at) = open.iter().rposition(|each| each.lane == placed.lane)
        {
            let ended = open.remove(at);
            done.push(Break { end: Some(record), ..ended });
        }
        if is_last {
            done.append(&mut open);
        }
    }
    done.append(&mut open);
    (done, stray)
}

/// A break that requested something ends in one `adEnd`, or was aborted. Rule INV-11.
pub(super) fn one_end(trace: &Trace, findings: &mut Findings) {
    let is_one_for_a_break = matches!(knob(trace, "ad_end.scope"), None | Some("break"));
    of_each_player(trace, |lines| {
        let (breaks, stray) = breaks(trace, lines);
        for record in stray {
            findings.add(record, "adEnd comes outside of any break");
        }
        for ad_break in breaks {
            let (ends, asked) = (ad_break.told("adEnd"), ad_break.told("requestAd"));
            let Some(last) = ad_break.lines.last() else { continue };
            if ad_break.end.is_none() {
                if is(last, Kind::State, "destroyed") {
                    findings.add(last, "the player was destroyed, and its break was not aborted");
                }
                continue;
            }
            let (is_right, due) = match (ad_break.was_aborted(), is_one_for_a_break) {
                (true, true) => (ends == 0, "none"),
                (true, false) => (true, ""),
                (false, true) => (ends == 1, "one"),
                (false, false) => (ends > 0, "at least one"),
            };
            if asked > 0 && !is_right {
                findings.add(last, format!("the break has {ends} adEnd; {due} was due"));
            }
        }
    });
}

/// A `requestAd` for each tag that is tried; each fails with an `adError` or wins. Rule INV-12.
pub(super) fn requests_add_up(trace: &Trace, findings: &mut Findings) {
    let tells_each_error = matches!(knob(trace, "ad_error.scope"), None | Some("each"))
        && knob(trace, "ad.empty_is_error") != Some("off");
    of_each_player(trace, |lines| {
        for ad_break in breaks(trace, lines).0 {
            let Some(end) = ad_break.end else { continue };
            let (told, requests) = (ad_break.told("requestAd"), ad_break.tags().count());
            if told != requests {
                findings.add(end, format!("the break tried {requests} tags, and told of {told}"));
            }
            let winners = ad_break.places(Kind::Ad, "fill");
            let is_partly_playable =
                ad_break.places(Kind::Ad, "reject").iter().any(|place| winners.contains(place));
            let is_whole = tells_each_error
                && !ad_break.was_aborted()
                && !ad_break.was_cut()
                && !ad_break.is_of_a_late_answer()
                && !is_partly_playable
                && ad_break.count(Kind::Ad, "failed") == 0
                // Each ad that a break has no room for is told. SEL-4
                && ad_break.count(Kind::Ad, "cut") == 0;
            if !is_whole {
                continue;
            }
            let errors = ad_break.told("adError");
            let unasked = |named: &&Place| !ad_break.tags().any(|tag| place(tag) == **named);
            let no_addresses = ad_break.places(Kind::Ad, "no-fill").iter().filter(unasked).count();
            // A document inside a VMAP break is asked of nobody; a tag that answers VMAP has won. VMAP-1, VMAP-10
            let inside = winners.iter().filter(unasked).count();
            let schedules = ad_break.places(Kind::Ad, "schedule").len();
            if errors + winners.len() + schedules != told + no_addresses + inside {
                let winners = winners.len();
                let tags = format!("{told} requestAd and {no_addresses} tags that are no address");
                findings.add(end, format!("{errors} adError and {winners} winners for {tags}"));
            }
        }
    });
}
