//! Linear ads, one at a time: which events may occur while one is on, and how it ends.
//!
//! An overlay may be shown over content at the same time. Its events are separate and are not
//! checked here.
//!
//! Rules: INV-8, INV-10, INV-13, INV-14.

use super::returned;
use crate::judge::line::Line;
use crate::judge::placed::Placed;
use crate::judge::{Findings, Session};
use playsim_api::{Call, EventName, Kind, Query, UiLine, Value};
use playsim_rules::knobs::{AdDuration, AdEndScope, CatchUp, SeekQuartiles, VpaidStart};
use playsim_trace::Record;
use playsim_trace::session::AdBreakOutcome;

/// A line of a player, and whether a linear ad is on: from its impression to its end, both
/// included, and while its end card is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AdSpan<'a> {
    record: Line<'a>,
    /// Whether it belongs to linear ads, but not to a break that loads meanwhile.
    is_linear: bool,
    /// Whether its break is open.
    is_open: bool,
    is_on: bool,
}

/// The lines of one player, each with whether an ad is on.
///
/// Without lines about breaks (`by_events`), `adEnd` ends an ad, and after what aborts a break
/// nothing is known until the next impression. Nor is anything known of a player whose ads may be
/// overlays: those have no quartiles.
pub(crate) fn ad_spans<'a>(lines: &[Placed<'a>], by_events: bool) -> Vec<AdSpan<'a>> {
    if by_events && has_overlay(lines) {
        return Vec::new();
    }
    let (mut is_on, mut on_screen, mut is_known) = (false, None, true);
    let ad_line = |line: &Placed<'a>| {
        let event = line.record.event();
        let impression = event == Some(EventName::AdImpression);
        // Lines of another break that is loading do not concern the ad on screen. PRD-26
        let is_other =
            is_on && !impression && line.in_break.is_some() && line.in_break != on_screen;
        is_known = (is_known || impression)
            && !(by_events && (is_on || !line.record.is(EventName::Ready)) && aborts(&line.record));
        is_on &= is_known;
        let is_linear = line.is_linear && !is_other && is_known;
        if is_linear && impression {
            on_screen = line.in_break;
        }
        let was_on = is_on;
        let name = event.filter(|_| is_linear);
        let ends = matches!(
            name,
            Some(EventName::AdComplete | EventName::AdSkip | EventName::AdError)
        ) || (by_events && name == Some(EventName::AdEnd))
            || (is_linear && line.record.ends_break());
        is_on = (is_on || name == Some(EventName::AdImpression)) && !ends;
        if line.record.is(UiLine::EndCard) {
            is_on = line.record.data.get("visible").and_then(Value::as_bool) == Some(true);
        }
        AdSpan {
            record: line.record,
            is_linear,
            is_open: line.is_open,
            is_on: was_on,
        }
    };
    lines.iter().map(ad_line).collect()
}

/// Returns whether an ad is completed without a quartile, or never ends: it may be an overlay, or a
/// unit that says less.
fn has_overlay(lines: &[Placed<'_>]) -> bool {
    let mut quartiles = None;
    let (mut updates, mut is_unit) = (0, false);
    if lines.iter().any(|line| line.record.is(UiLine::Overlay)) {
        return true;
    }
    for line in lines {
        // Content that continues under an ad without quartiles, or under a unit: not a linear ad.
        updates += u32::from(quartiles.is_some() && line.record.is(EventName::TimeUpdate));
        is_unit |= line.record.is(EventName::VpaidStart);
        if updates > 1
            && (is_unit || quartiles == Some(0))
            && line.record.event().is_some_and(ends_an_ad)
        {
            return true;
        }
        if line.record.is(EventName::AdImpression) {
            (updates, is_unit) = (0, false);
        }
        match line.record.event() {
            Some(EventName::AdImpression) if quartiles.replace(0) == Some(0) => return true,
            Some(name) if QUARTILES.contains(&name) => quartiles = quartiles.map(|count| count + 1),
            Some(EventName::AdComplete) if quartiles.take() == Some(0) => return true,
            Some(EventName::AdSkip | EventName::AdError) => quartiles = None,
            Some(_) | None => {}
        }
    }
    quartiles == Some(0)
}

fn ends_an_ad(event: EventName) -> bool {
    matches!(
        event,
        EventName::AdImpression | EventName::AdSkip | EventName::AdError | EventName::AdEnd
    )
}

/// Returns whether a line may abort a break.
fn aborts(record: &Line<'_>) -> bool {
    matches!(
        record.event(),
        Some(EventName::Skipped | EventName::Stopped | EventName::DestroyBefore | EventName::Ready)
    ) || matches!(record.kind, Kind::Call | Kind::User) && OTHER_ITEM.contains(&&*record.name)
}

/// The calls and acts that bring another item or another ad.
pub(crate) const OTHER_ITEM: [&str; 9] = [
    "src",
    "loadPlaylist",
    "next",
    "previous",
    "playByIndex",
    "playAd",
    "pushAds",
    "stop",
    "destroy",
];

/// No content `play`, `pause`, `timeupdate`, `seeked`, `lastSecond` while an ad is on. Rule INV-8.
///
/// `getAdInProgress()` also says whether one is on; when the script reads it between inputs, it
/// must agree.
pub(crate) fn no_content_events(session: &Session<'_>, findings: &mut Findings<'_>) {
    for AdSpan { record, is_on, .. } in session.ad_lines() {
        if let Some(name) = record
            .event()
            .filter(|name| is_on && OF_CONTENT.contains(name))
        {
            findings.broken(&record, format!("{name} fires while an ad is active"));
        }
        let read = returned(&record, Query::AdInProgress).and_then(Value::as_bool);
        if let Some(says) = read.filter(|_| record.cause.is_none() && session.is_complete)
            && says != is_on
        {
            findings.broken(
                &record,
                format!(
                    "getAdInProgress() returns {says}; according to the events it should be {is_on}"
                ),
            );
        }
    }
}

/// `adError` only inside a break, `playbackerror` only outside ads. Rule INV-10.
pub(crate) fn errors_in_their_place(session: &Session<'_>, findings: &mut Findings<'_>) {
    for AdSpan {
        record,
        is_open,
        is_on,
        ..
    } in session.ad_lines()
    {
        match record.event() {
            Some(EventName::AdError) if !is_open => {
                findings.broken(&record, "adError fires outside an ad break")
            }
            Some(EventName::PlaybackError) if is_on => {
                findings.broken(&record, "playbackerror fires while an ad is active")
            }
            _ => {}
        }
    }
}

/// The quartiles in their order.
const QUARTILES: [EventName; 3] = [
    EventName::AdFirstQuartile,
    EventName::AdMidpoint,
    EventName::AdThirdQuartile,
];

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
    /// Handles an event of the ad on screen. Returns the error, if there is one.
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
        let is_short =
            name == EventName::AdComplete && !may_skip && self.quartiles < QUARTILES.len();
        is_short.then_some("before all quartiles have fired")
    }
}

/// An impression is followed by exactly one of complete, skip and error; quartiles come in order,
/// once each. Rule INV-13.
pub(crate) fn one_way_through(session: &Session<'_>, findings: &mut Findings<'_>) {
    let knobs = &session.knobs;
    let may_skip = knobs.quartile_catch_up != CatchUp::All
        || knobs.quartile_in_seek == SeekQuartiles::Lost
        || knobs.ad_duration != AdDuration::Media;
    let vpaid_is_start = knobs.vpaid_start == VpaidStart::Instead;
    // Without lines about breaks, `adEnd` is what ends the ad, which is judged below.
    let ends_its_break = session.has_breaks() && knobs.ad_end_scope == AdEndScope::Break;
    // A call may leave an ad, and another one begins.
    let hears_leaving = session.has_breaks() || session.hears(Kind::Call, Call::Stop.name());
    let mut way = Way::default();
    // When a listener destroys the player, the events still queued are dropped. EVT-20
    let mut is_end_dropped = false;
    for AdSpan {
        record,
        is_linear,
        is_on,
        ..
    } in session.ad_lines()
    {
        is_end_dropped |= drops_end(&record);
        if !is_linear {
            continue;
        }
        let is_end = record.ends_break() || !session.has_breaks() && record.is(EventName::AdEnd);
        let is_left = is_end && is_on;
        if is_left && !was_aborted(&record) && !is_end_dropped {
            findings.broken(
                &record,
                "the break ends, but its ad was not completed or skipped, and did not fail",
            );
        }
        let Some(name) = record.event() else { continue };
        let is_vpaid_start = vpaid_is_start && name == EventName::VpaidStart;
        let starts = if is_vpaid_start {
            EventName::VpaidStart
        } else {
            EventName::AdStart
        };
        let wrong = if name == EventName::AdImpression {
            let is_other = !is_on || !hears_leaving;
            if is_other {
                (way, is_end_dropped) = (Way::default(), false);
            }
            (!is_other).then_some("while the previous ad is active")
        } else if !is_on && OF_AN_AD.contains(&name) {
            Some("without an ad")
        } else if name == EventName::AdEnd && is_on && ends_its_break {
            Some("while the ad is active")
        } else {
            way.take(name, may_skip, starts)
        };
        if let Some(wrong) = wrong {
            findings.broken(&record, format!("{name} fires {wrong}"));
        }
    }
}

/// The events of content that do not fire while an ad is active.
const OF_CONTENT: [EventName; 5] = [
    EventName::Play,
    EventName::Pause,
    EventName::TimeUpdate,
    EventName::Seeked,
    EventName::LastSecond,
];

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
    record
        .dropped_event()
        .is_some_and(|name| ends.contains(&name))
}

pub(super) fn was_aborted(end: &Record) -> bool {
    end.break_outcome() == Some(AdBreakOutcome::Aborted)
}

/// An ad is resumed no more often than it was paused, and the two alternate. Rule INV-14.
pub(crate) fn resumed_when_paused(session: &Session<'_>, findings: &mut Findings<'_>) {
    let mut paused = false;
    for AdSpan {
        record,
        is_linear,
        is_on,
        ..
    } in session.ad_lines()
    {
        if !is_linear {
            continue;
        }
        paused &= is_on;
        match record.event() {
            Some(EventName::AdPause) if std::mem::replace(&mut paused, true) => {
                findings.broken(&record, "adPause fires while the ad is already paused");
            }
            Some(EventName::AdResume) if !std::mem::take(&mut paused) => {
                findings.broken(&record, "adResume fires without a preceding adPause");
            }
            _ => {}
        }
    }
}
