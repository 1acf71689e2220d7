//! Linear ads, one at a time: which events may occur while one is on, and how it ends.
//!
//! An overlay may be shown over content at the same time. Its events are separate and are not checked here.
//!
//! Rules: INV-8, INV-10, INV-13, INV-14.

use super::line::Line;
use super::placed::Placed;
use super::{Case, Findings, returned};
use crate::api::{BreakLine, EventName, Query, UiLine, Value};
use crate::knobs::{CatchUp, SeekQuartiles, VpaidStart};
use crate::trace::Record;

/// A line of a player, and whether a linear ad is on: from its impression to its end, both included, and while its end
/// card is shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct AdLine<'a> {
    record: Line<'a>,
    /// Whether it belongs to linear ads, but not to a break that loads meanwhile.
    is_linear: bool,
    /// Whether its break is open.
    is_open: bool,
    is_on: bool,
}

/// The lines of one player, each with whether an ad is on.
pub(super) fn with_ads<'a>(lines: &[Placed<'a>]) -> Vec<AdLine<'a>> {
    let (mut is_on, mut on_screen) = (false, None);
    let ad_line = |line: &Placed<'a>| {
        let event = line.record.event();
        let impression = event == Some(EventName::AdImpression);
        // What happens in a break that loads meanwhile does not concern the ad on screen. PRD-26
        let is_other = is_on && !impression && line.in_break.is_some() && line.in_break != on_screen;
        let is_linear = line.is_linear && !is_other;
        if is_linear && impression {
            on_screen = line.in_break;
        }
        let was_on = is_on;
        let name = event.filter(|_| is_linear);
        let ends = matches!(name, Some(EventName::AdComplete | EventName::AdSkip | EventName::AdError))
            || (is_linear && line.record.is(BreakLine::End));
        is_on = (is_on || name == Some(EventName::AdImpression)) && !ends;
        if line.record.is(UiLine::EndCard) {
            is_on = line.record.data.get("visible").and_then(Value::as_bool) == Some(true);
        }
        AdLine { record: line.record, is_linear, is_open: line.is_open, is_on: was_on }
    };
    lines.iter().map(ad_line).collect()
}

/// No content `play`, `pause`, `timeupdate`, `seeked`, `lastSecond` while an ad is on. Rule INV-8.
///
/// `getAdInProgress()` also says whether one is on; when the script reads it between inputs, it must agree.
pub(super) fn no_content_events(case: &Case<'_>, findings: &mut Findings) {
    for AdLine { record, is_on, .. } in case.ad_lines() {
        if let Some(name) = record.event().filter(|name| is_on && OF_CONTENT.contains(name)) {
            findings.add(&record, format!("{name} fires while an ad is active"));
        }
        let read = returned(&record, Query::AdInProgress).and_then(Value::as_bool);
        if let Some(says) = read.filter(|_| record.cause.is_none())
            && says != is_on
        {
            findings.add(
                &record,
                format!("getAdInProgress() returns {says}; according to the events it should be {is_on}"),
            );
        }
    }
}

/// `adError` only inside a break, `playbackerror` only outside ads. Rule INV-10.
pub(super) fn errors_in_their_place(case: &Case<'_>, findings: &mut Findings) {
    for AdLine { record, is_open, is_on, .. } in case.ad_lines() {
        match record.event() {
            Some(EventName::AdError) if !is_open => {
                findings.add(&record, "adError fires outside an ad break")
            }
            Some(EventName::PlaybackError) if is_on => {
                findings.add(&record, "playbackerror fires while an ad is active")
            }
            _ => {}
        }
    }
}

/// The quartiles in their order.
const QUARTILES: [EventName; 3] =
    [EventName::AdFirstQuartile, EventName::AdMidpoint, EventName::AdThirdQuartile];

/// The progress of an ad.
#[derive(Debug, Default)]
struct Way {
    has_started: bool,
    /// Whether a VPAID unit plays it. The unit reports the quartiles itself and may leave some out.
    is_vpaid: bool,
    /// The number of its quartiles that are over.
    quartiles: usize,
}

impl Way {
    /// Handles an event of the ad that is on. Returns what is wrong with it.
    ///
    /// `may_skip`: quartiles may be left out. `starts`: the event with which the ad begins.
    fn take(&mut self, name: EventName, may_skip: bool, starts: EventName) -> Option<&'static str> {
        self.is_vpaid |= name == EventName::VpaidStart;
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
            return (!is_next || !self.has_started).then_some("out of order");
        }
        let is_short = name == EventName::AdComplete && !may_skip && self.quartiles < QUARTILES.len();
        is_short.then_some("before all quartiles have fired")
    }
}

/// An impression is followed by exactly one of complete, skip and error; quartiles come in order, once each.
/// Rule INV-13.
pub(super) fn one_way_through(case: &Case<'_>, findings: &mut Findings) {
    let knobs = findings.knobs;
    let may_skip = knobs.quartile_catch_up != CatchUp::All || knobs.quartile_in_seek == SeekQuartiles::Lost;
    let vpaid_is_start = knobs.vpaid_start == VpaidStart::Instead;
    let mut way = Way::default();
    // When a listener destroys the player, the events still queued are dropped. EVT-20
    let mut is_end_dropped = false;
    for AdLine { record, is_linear, is_on, .. } in case.ad_lines() {
        is_end_dropped |= drops_end(&record);
        if !is_linear {
            continue;
        }
        let is_left = record.is(BreakLine::End) && is_on;
        if is_left && !was_aborted(&record) && !is_end_dropped {
            findings
                .add(&record, "the break ends, but its ad was not completed or skipped, and did not fail");
        }
        let Some(name) = record.event() else { continue };
        let is_vpaid_start = vpaid_is_start && name == EventName::VpaidStart;
        let starts = if is_vpaid_start { EventName::VpaidStart } else { EventName::AdStart };
        let wrong = if name == EventName::AdImpression {
            if !is_on {
                (way, is_end_dropped) = (Way::default(), false);
            }
            is_on.then_some("while the previous ad is active")
        } else if !is_on && OF_AN_AD.contains(&name) {
            Some("without an ad")
        } else {
            way.take(name, may_skip, starts)
        };
        if let Some(wrong) = wrong {
            findings.add(&record, format!("{name} fires {wrong}"));
        }
    }
}

/// The events of content that do not fire while an ad is active.
const OF_CONTENT: [EventName; 5] =
    [EventName::Play, EventName::Pause, EventName::TimeUpdate, EventName::Seeked, EventName::LastSecond];

/// The events that fire only while an ad is on.
const OF_AN_AD: [EventName; 8] = [
    EventName::AdStart,
    EventName::AdFirstQuartile,
    EventName::AdMidpoint,
    EventName::AdThirdQuartile,
    EventName::AdComplete,
    EventName::AdSkip,
    EventName::AdPause,
    EventName::AdResume,
];

/// Returns whether a line reports that an ad's last event was dropped.
fn drops_end(record: &Record) -> bool {
    let ends = [EventName::AdComplete, EventName::AdSkip, EventName::AdError];
    record.dropped_event().is_some_and(|name| ends.contains(&name))
}

fn was_aborted(end: &Record) -> bool {
    end.data.text("outcome").is_some_and(|outcome| **outcome == *"aborted")
}

/// An ad is resumed no more often than it was paused, and the two alternate. Rule INV-14.
pub(super) fn resumed_when_paused(case: &Case<'_>, findings: &mut Findings) {
    let mut paused = false;
    for AdLine { record, is_linear, is_on, .. } in case.ad_lines() {
        if !is_linear {
            continue;
        }
        paused &= is_on;
        match record.event() {
            Some(EventName::AdPause) if std::mem::replace(&mut paused, true) => {
                findings.add(&record, "adPause fires while the ad is already paused");
            }
            Some(EventName::AdResume) if !std::mem::take(&mut paused) => {
                findings.add(&record, "adResume fires without a preceding adPause");
            }
            _ => {}
        }
    }
}
