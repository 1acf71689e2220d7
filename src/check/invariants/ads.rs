//! One linear ad at a time: what may come while it is on, and how it ends.
//!
//! An overlay may lie over content at the same time; its events are its own, and nothing here is asked of
//! them.
//!
//! Rules: INV-8, INV-10, INV-13, INV-14.

use super::lanes::{Lane, Placed, placed};
use super::{Findings, event, is, knob, of_each_player, returned, text};
use crate::api::{Kind, Value};
use crate::trace::{Record, Trace};

/// Walks through the lines of each player, told whether a linear ad is on: from its impression, which counts
/// already, to its end, which still counts, and while its end card shows.
fn of_each_line<'a>(trace: &'a Trace, mut judge: impl FnMut(Placed<'a>, bool)) {
    of_each_player(trace, |lines| {
        let mut is_on = false;
        for line in placed(trace, lines) {
            judge(line, is_on);
            let name = if line.lane == Lane::Linear { event(line.record) } else { "" };
            let ends = matches!(name, "adComplete" | "adSkip" | "adError")
                || (line.lane == Lane::Linear && is(line.record, Kind::Break, "end"));
            is_on = (is_on || name == "adImpression") && !ends;
            if is(line.record, Kind::Ui, "end-card") {
                is_on = line.record.data.get("visible").and_then(Value::as_bool) == Some(true);
            }
        }
    });
}

/// No content `play`, `pause`, `timeupdate`, `seeked`, `lastSecond` while an ad is on. Rule INV-8.
///
/// Whether one is on, `getAdInProgress()` says too: read by the script between inputs, it must agree.
pub(super) fn no_content_events(trace: &Trace, findings: &mut Findings) {
    of_each_line(trace, |Placed { record, .. }, is_on| {
        let name = event(record);
        if is_on && matches!(name, "play" | "pause" | "timeupdate" | "seeked" | "lastSecond") {
            findings.add(record, format!("{name} comes while an ad is on"));
        }
        let read = returned(record, "getAdInProgress").and_then(Value::as_bool);
        if let Some(says) = read.filter(|_| record.cause.is_none())
            && says != is_on
        {
            findings.add(record, format!("getAdInProgress() is {says}; the events say {is_on}"));
        }
    });
}

/// `adError` only inside a break, `playbackerror` only outside ads. Rule INV-10.
pub(super) fn errors_in_their_place(trace: &Trace, findings: &mut Findings) {
    of_each_line(trace, |Placed { record, is_open, .. }, is_on| match event(record) {
        "adError" if !is_open => findings.add(record, "adError comes outside of any break"),
        "playbackerror" if is_on => findings.add(record, "playbackerror comes while an ad is on"),
        _ => {}
    });
}

/// The steps of an ad in their order.
const QUARTILES: [&str; 3] = ["adFirstQuartile", "adMidpoint", "adThirdQuartile"];

/// How far an ad has come.
#[derive(Debug, Default)]
struct Way {
    has_started: bool,
    /// Whether a VPAID unit plays it: it tells its own quartiles, and may leave some out.
    is_vpaid: bool,
    /// How many of its quartiles lie behind.
    quartiles: usize,
}

impl Way {
    /// Takes an event of the ad that is on. Gives what is wrong with it.
    ///
    /// `may_skip`: quartiles may be left out. `starts`: the event that tells that the ad began.
    fn take(&mut self, name: &str, may_skip: bool, starts: &str) -> Option<&'static str> {
        self.is_vpaid |= name == "vpaidStart";
        let may_skip = may_skip || self.is_vpaid;
        if name == starts {
            let is_second = std::mem::replace(&mut self.has_started, true);
            return is_second.then_some("without an impression of its own");
        }
        if let Some(at) = QUARTILES.iter().position(|quartile| *quartile == name) {
            let is_next = at == self.quartiles || (may_skip && at > self.quartiles);
            if is_next {
                self.quartiles = at + 1;
            }
            return (!is_next || !self.has_started).then_some("out of its order");
        }
        let is_short = name == "adComplete" && !may_skip && self.quartiles < QUARTILES.len();
        is_short.then_some("before all quartiles")
    }
}

/// An impression is followed by one of complete, skip and error; quartiles in order, once. Rule INV-13.
pub(super) fn one_way_through(trace: &Trace, findings: &mut Findings) {
    let may_skip = !matches!(knob(trace, "quartile.catch_up"), None | Some("all"))
        || knob(trace, "quartile.in_seek") == Some("lost");
    let vpaid_is_start = knob(trace, "vpaid.start") == Some("instead");
    let mut way = Way::default();
    // What was queued when a listener destroyed the player is told to nobody. EVT-20
    let mut is_end_dropped = false;
    of_each_line(trace, |Placed { record, lane, .. }, is_on| {
        is_end_dropped |= drops_end(record);
        if lane != Lane::Linear {
            return;
        }
        let name = event(record);
        let starts = if vpaid_is_start && name == "vpaidStart" { "vpaidStart" } else { "adStart" };
        let wrong = match name {
            "adImpression" if is_on => Some("while the ad before it is on"),
            "adImpression" => {
                (way, is_end_dropped) = (Way::default(), false);
                None
            }
            "adStart" | "adFirstQuartile" | "adMidpoint" | "adThirdQuartile" | "adComplete" | "adSkip"
            | "adPause" | "adResume"
                if !is_on =>
            {
                Some("without an ad")
            }
            name => way.take(name, may_skip, starts),
        };
        if let Some(wrong) = wrong {
            findings.add(record, format!("{name} comes {wrong}"));
        }
        let is_left = is(record, Kind::Break, "end") && is_on;
        if is_left && !was_aborted(record) && !is_end_dropped {
            findings.add(record, "the break ends, and its ad was neither completed, skipped nor failed");
        }
    });
}

/// Whether this says that an ad's last event was dropped.
fn drops_end(record: &Record) -> bool {
    let ends = ["adComplete ", "adSkip ", "adError "];
    is(record, Kind::Diag, "event_dropped")
        && text(record, "text").is_some_and(|text| ends.iter().any(|end| text.starts_with(end)))
}

fn was_aborted(end: &Record) -> bool {
    text(end, "outcome").is_some_and(|outcome| **outcome == *"aborted")
}

/// An ad is resumed no more often than it was paused, and each in turn. Rule INV-14.
pub(super) fn resumed_when_paused(trace: &Trace, findings: &mut Findings) {
    let mut paused = false;
    of_each_line(trace, |Placed { record, lane, .. }, is_on| {
        if lane != Lane::Linear {
            return;
        }
        paused &= is_on;
        match event(record) {
            "adPause" if std::mem::replace(&mut paused, true) => {
                findings.add(record, "adPause comes while the ad is paused");
            }
            "adResume" if !std::mem::take(&mut paused) => {
                findings.add(record, "adResume comes without an adPause");
            }
            _ => {}
        }
    });
}
