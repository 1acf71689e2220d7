//! Laws for the ads of every random scenario: beacons in order and once, errors reported to each
//! hop once, limits kept.
//!
//! The documents of random scenarios list each tracker once, and an error URL in each ad. Laws
//! about linear ads are not checked where overlays play at the same time: those have trackers of
//! the same names.

use std::collections::BTreeMap;

use playsim_api::media::VpaidEvent;
use playsim_api::{AdLine, BeaconLine, EventName, Kind, NetLine, Purpose, UiLine, Value};
use playsim_base::time::Time;
use playsim_rules::knobs::values::{
    CompleteAt, ImpressionAt, Limit, LimitCounts, Overrun, RootErrors, TrackerCalls, TrackerOrder,
};
use playsim_trace::session::{AdBreakKind, TagPosition};
use playsim_trace::{Record, Trace};
use playsim_vast::TrackingEvent;

use super::played::{Played, Why};
use super::source::Source;

/// Beacons that are called at most once for each document in the chain of an ad, in order.
const WAY: [TrackingEvent; 5] = [
    TrackingEvent::Start,
    TrackingEvent::FirstQuartile,
    TrackingEvent::Midpoint,
    TrackingEvent::ThirdQuartile,
    TrackingEvent::Complete,
];

fn text<'a>(record: &'a Record, field: &str) -> &'a str {
    record
        .data
        .get(field)
        .and_then(Value::as_text)
        .map_or("", |text| text)
}

fn number(record: &Record, field: &str) -> Option<i64> {
    record.data.get(field).and_then(Value::as_integer)
}

fn micros(record: &Record) -> i128 {
    match record.data.get("duration") {
        Some(Value::Number(seconds)) => seconds.millionths().into(),
        _ => 0,
    }
}

/// Whether other breaks than those of linear ads are open: overlays, whose trackers have the same
/// names, and ads in page containers, which fail independently.
pub(super) fn has_other_ads(trace: &Trace) -> bool {
    let mut kinds = trace.records.iter().filter_map(Record::break_kind);
    kinds.any(|kind| kind.plays_on())
}

/// The ad types that each player reports, by player number.
fn of_each_player(trace: &Trace) -> BTreeMap<u16, Vec<&Record>> {
    let mut players: BTreeMap<u16, Vec<&Record>> = BTreeMap::new();
    for record in &trace.records {
        if let Some(player) = record.player {
            players.entry(player.0).or_default().push(record);
        }
    }
    players
}

/// An impression is called once for each document, before all other beacons for the ad's progress;
/// those are called once, too, and in order.
pub(super) fn beacons_in_order(played: &Played<'_>, _: &mut Source) -> Result<(), Why> {
    let Played {
        scenario, trace, ..
    } = *played;
    let knobs = &scenario.knobs;
    // Some players call all trackers twice, or impressions late, or load an ad while another one is
    // shown.
    let is_other = knobs.ad_tracker_calls != TrackerCalls::Once
        || knobs.impression_at != ImpressionAt::First
        || knobs.asks_ahead();
    if is_other || has_other_ads(trace) {
        return Ok(());
    }
    for records in of_each_player(trace).into_values() {
        // The last beacon of each hop; `None`: its impression has not been called yet.
        let mut way: BTreeMap<i64, Option<usize>> = BTreeMap::new();
        let mut is_later_part = false;
        for record in records {
            if record.is(AdLine::SelectMedia) {
                is_later_part = number(record, "part").is_some();
            } else if record.is(AdLine::Fill) && is_later_part {
                // The parts of an ad share an impression.
                way.values_mut().for_each(|reached| *reached = Some(0));
            } else if record.is(AdLine::Fill) {
                way.clear();
            }
            let (true, Some(hop)) = (record.kind == Kind::Beacon, number(record, "hop")) else {
                continue;
            };
            let wrong = |what: &str| {
                Err(format!("{} of hop {hop} at {} {what}", record.name, record.at).into())
            };
            let tracker = TrackingEvent::from_name(&record.name);
            if tracker == Some(TrackingEvent::Impression) {
                if way.insert(hop, Some(0)).is_some() {
                    return wrong("comes a second time");
                }
            } else if let Some(at) = WAY.iter().position(|event| Some(*event) == tracker) {
                // Some players do not call it at the end.
                if tracker == Some(TrackingEvent::Complete) && knobs.complete_at != CompleteAt::End
                {
                    continue;
                }
                match way.get(&hop).copied().flatten() {
                    None if !is_later_part => {
                        return wrong("comes without an impression before it");
                    }
                    Some(reached) if reached > at => return wrong("comes late, or a second time"),
                    None | Some(_) => way.insert(hop, Some(at + 1)),
                };
            }
        }
    }
    Ok(())
}

/// An error is reported once to each document in the chain of the failure, the outermost first.
pub(super) fn errors_are_reported_to_each_hop(
    played: &Played<'_>,
    _: &mut Source,
) -> Result<(), Why> {
    let Played {
        scenario, trace, ..
    } = *played;
    for records in of_each_player(trace).into_values() {
        for reported in records.chunk_by(|one, other| is_error(one) && is_error(other)) {
            let mut heard: Vec<i64> = reported
                .iter()
                .filter(|record| is_error(record))
                .filter_map(|record| number(record, "hop"))
                .collect();
            // Some players begin with the ad itself, or call trackers twice.
            if scenario.knobs.ad_tracker_order != TrackerOrder::Outermost {
                heard.sort_unstable();
            }
            if scenario.knobs.ad_tracker_calls == TrackerCalls::Twice
                || scenario.knobs.ad_root_errors == RootErrors::Twice
            {
                heard.dedup();
            }
            let due: Vec<i64> = (0..).take(heard.len()).collect();
            if heard != due {
                let at = reported[0].at;
                return Err(format!(
                    "of a failure at {at} the hops {heard:?} get the error; {due:?} should"
                )
                .into());
            }
        }
    }
    Ok(())
}

fn is_error(record: &Record) -> bool {
    record.is(BeaconLine::Error) && record.data.get("hop").is_some()
}

/// No tag is requested after its time limit, no chain is longer than allowed, no break's ads last
/// longer than allowed.
pub(super) fn budgets_kept(played: &Played<'_>, _: &mut Source) -> Result<(), Why> {
    let Played {
        scenario, trace, ..
    } = *played;
    let knobs = &scenario.knobs;
    let most_hops = match knobs.ad_max_wrappers_counts {
        LimitCounts::Wrappers => knobs.ad_max_wrappers + 1,
        LimitCounts::Documents => knobs.ad_max_wrappers.max(1),
    };
    let most_lasts = match knobs.break_max_duration {
        // With `cut` the last ad may be longer than it plays. SEL-15
        Limit::After(_) if knobs.break_overrun == Overrun::Cut => None,
        Limit::After(most) => Some(most.micros() as i128),
        Limit::Off => None,
    };
    // Mid-rolls that load ahead mix with the break on screen.
    let has_others = has_other_ads(trace) || knobs.asks_ahead();
    for records in of_each_player(trace).into_values() {
        // The time at which each tag was requested, by its position and the break's slot.
        let mut asked: BTreeMap<Option<TagPosition>, Time> = BTreeMap::new();
        // The time at which the limit of the current request began anew.
        let mut again = Time::ZERO;
        let mut lasts: i128 = 0;
        for record in records {
            let place = record.tag();
            let purpose = record.purpose().filter(|_| record.is(NetLine::Request));
            let begins = record.begins_break() && record.break_kind() != Some(AdBreakKind::Overlay);
            // An ad that failed does not count.
            if begins || record.is(AdLine::Failed) {
                lasts = 0;
            } else if purpose == Some(Purpose::AdTag) {
                asked.insert(place, record.at);
            } else if starts_again(record) {
                again = record.at;
            } else if purpose == Some(Purpose::Wrapper) {
                let since = asked.get(&place).copied().unwrap_or_default().max(again);
                if record.at - since > knobs.ad_timeout {
                    let at = record.at;
                    return Err(format!(
                        "a wrapper of a tag requested at {since} is requested at {at}"
                    )
                    .into());
                }
                if number(record, "hop").is_some_and(|hop| hop >= i64::from(most_hops)) {
                    return Err(
                        format!("the wrapper requested at {} is one too many", record.at).into(),
                    );
                }
            } else if record.is(AdLine::Fill) && !has_others {
                lasts += micros(record);
                if most_lasts.is_some_and(|most| lasts > most) {
                    return Err(format!(
                        "the ads of a break last {lasts} us together by {}",
                        record.at
                    )
                    .into());
                }
            }
        }
    }
    Ok(())
}

/// Whether the time limit starts again after a line: for the next ad of a pod, also after an end
/// card, for a late response, and after a VPAID unit whose ad is over, when the unit has left or
/// has been removed. REQ-10, VPAID-8, VPAID-16
fn starts_again(record: &Record) -> bool {
    let is_end = [EventName::AdComplete, EventName::AdSkip, EventName::AdError]
        .iter()
        .any(|event| record.is(*event));
    let has_left = || {
        text(record, "message") == VpaidEvent::AdStopped.name() || !text(record, "why").is_empty()
    };
    is_end
        || record.is(AdLine::Reject)
        || record.is(NetLine::Late)
        || record.is(UiLine::EndCard)
        || record.is(AdLine::Vpaid) && has_left()
}
