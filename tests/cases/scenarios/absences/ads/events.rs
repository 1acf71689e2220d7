//! The events of ads in the traces of all scenarios.

use playsim::api::{EventName, Kind, Value};
use playsim::trace::{PlayerIndex, Record, Trace};

use super::super::every_player::begins_overlay;
use super::super::support::expect;
use crate::scenarios::cases::{self, Played};

const QUARTILES: [&str; 3] = ["adFirstQuartile", "adMidpoint", "adThirdQuartile"];

/// Knobs that change which events a break has.
const OTHER_BREAKS: &[&str] = &[
    "ad.duration",
    "ad.late",
    "ad_end.scope",
    "ad_error.scope",
    "before_start.scope",
    "gesture.violation",
    "midroll.ask",
    "postroll.ask",
    "quartile.catch_up",
    "quartile.in_seek",
    "vpaid.start",
];

/// Checks the trace of every scenario; each of the events must occur in at least one.
///
/// Scenarios with a knob that changes breaks, and players with overlays, are left out: the
/// invariants check them too.
fn judge_all(seen: &[&str], judge: fn(&Trace, u16) -> Result<(), String>) -> Result<(), String> {
    let mut missing: Vec<&str> = seen.to_vec();
    for case in cases::all() {
        let Played { scenario, trace } = case.played()?;
        if scenario
            .knobs
            .differing()
            .any(|(knob, _)| OTHER_BREAKS.contains(&knob))
        {
            continue;
        }
        missing.retain(|event| !trace.events().any(|fired| fired.name.name() == *event));
        let players = (0..).zip(&trace.players).map(|(player, _)| player);
        for player in players.filter(|player| !lines(trace, *player).any(begins_overlay)) {
            judge(trace, player)
                .or_else(|why| expect(false, &format!("{}: {why}", case.name), trace))?;
        }
    }
    if missing.is_empty() {
        Ok(())
    } else {
        Err(format!("no scenario has {}", missing.join(", ")))
    }
}

/// The lines of one player.
fn lines(trace: &Trace, player: u16) -> impl Iterator<Item = &Record> {
    trace.records.iter().filter(move |record| {
        record
            .player
            .is_some_and(|PlayerIndex(index)| index == player)
    })
}

/// The documented events of one player.
fn events(trace: &Trace, player: u16) -> Vec<&Record> {
    let is_documented =
        |record: &&Record| EventName::from_name(&record.name).is_some_and(EventName::is_documented);
    lines(trace, player)
        .filter(|record| record.kind == Kind::Event)
        .filter(is_documented)
        .collect()
}

fn is_break(record: &Record, name: &str) -> bool {
    record.kind == Kind::Break && *record.name == *name
}

fn has_no_data(record: &Record) -> Result<(), String> {
    if record.data.is_empty() {
        Ok(())
    } else {
        Err(format!("{} at {} has data", record.name, record.at))
    }
}

fn due(is_so: bool, what: &str, record: &Record) -> Result<(), String> {
    if is_so {
        Ok(())
    } else {
        Err(format!("{what}: {} at {}", record.name, record.at))
    }
}

/// The progress of one ad.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ad {
    None,
    Impression,
    Started { quartiles: usize },
}

pub(super) fn an_ad_break_of_any_scenario_keeps_the_order_of_its_events() -> Result<(), String> {
    let seen = [
        "requestAd",
        "adImpression",
        "adStart",
        "adError",
        "adComplete",
        "adSkip",
        "adEnd",
    ];
    judge_all(&[&seen[..], &QUARTILES].concat(), |trace, player| {
        let (mut open, mut ad, mut asked) = (false, Ad::None, false);
        // A unit with a script reports its quartiles itself, and may leave some out.
        let is_scripted = trace
            .records
            .iter()
            .any(|line| line.kind == Kind::Ad && *line.name == *"vpaid");
        for record in lines(trace, player) {
            if is_break(record, "begin") {
                (open, ad, asked) = (true, Ad::None, false);
            } else if is_break(record, "end") {
                (open, ad) = (false, Ad::None);
            }
            if record.kind != Kind::Event {
                continue;
            }
            ad = match &*record.name {
                "requestAd" => {
                    due(
                        open && ad == Ad::None,
                        "requested in a break, between ads",
                        record,
                    )?;
                    has_no_data(record)?;
                    asked = true;
                    ad
                }
                "adImpression" => {
                    due(
                        open && asked && ad == Ad::None,
                        "an impression after a request",
                        record,
                    )?;
                    has_no_data(record)?;
                    Ad::Impression
                }
                "adStart" => {
                    due(
                        ad == Ad::Impression,
                        "a start right after its impression",
                        record,
                    )?;
                    has_no_data(record)?;
                    Ad::Started { quartiles: 0 }
                }
                name if QUARTILES.contains(&name) => {
                    let Ad::Started { quartiles } = ad else {
                        return due(false, "a quartile of a started ad", record);
                    };
                    let number = QUARTILES
                        .iter()
                        .position(|quartile| *quartile == name)
                        .unwrap_or_default();
                    let is_next = number == quartiles || (is_scripted && number > quartiles);
                    due(is_next, "quartiles in order, once each", record)?;
                    has_no_data(record)?;
                    Ad::Started {
                        quartiles: number + 1,
                    }
                }
                "adComplete" => {
                    let is_started = is_scripted && matches!(ad, Ad::Started { .. });
                    let has_all = ad == Ad::Started { quartiles: 3 } || is_started;
                    due(has_all, "complete after all quartiles", record)?;
                    Ad::None
                }
                "adSkip" => {
                    due(
                        matches!(ad, Ad::Started { .. }),
                        "skipped after its start",
                        record,
                    )?;
                    Ad::None
                }
                "adError" => {
                    let has = |key| record.data.get(key).is_some();
                    let reported = has("code") && has("message") && record.data.iter().len() == 2;
                    due(
                        open && reported && ad != Ad::Impression,
                        "an error with code and message",
                        record,
                    )?;
                    Ad::None
                }
                "adEnd" => {
                    due(
                        open && ad == Ad::None,
                        "the last event of the break",
                        record,
                    )?;
                    has_no_data(record)?;
                    open = false;
                    ad
                }
                _ => ad,
            };
        }
        Ok(())
    })
}

pub(super) fn the_event_that_closes_an_ad_has_its_position() -> Result<(), String> {
    judge_all(&["adComplete", "adSkip"], |trace, player| {
        for record in events(trace, player) {
            if !matches!(&*record.name, "adComplete" | "adSkip") {
                continue;
            }
            let keys: Vec<&str> = record.data.iter().map(|(key, _)| &**key).collect();
            let integers = record
                .data
                .iter()
                .all(|(_, value)| value.as_integer().is_some_and(|number| number >= 0));
            due(
                keys == ["wp", "pod", "pods"] && integers,
                "three whole numbers",
                record,
            )?;
        }
        Ok(())
    })
}

pub(super) fn before_start_comes_directly_before_an_impression_or_start() -> Result<(), String> {
    judge_all(&["beforeStart"], |trace, player| {
        let events = events(trace, player);
        for pair in events
            .windows(2)
            .filter(|pair| *pair[0].name == *"beforeStart")
        {
            has_no_data(pair[0])?;
            due(
                matches!(&*pair[1].name, "adImpression" | "start" | "destroyBefore"),
                "directly before",
                pair[1],
            )?;
        }
        Ok(())
    })
}

pub(super) fn ad_pause_and_ad_resume_alternate() -> Result<(), String> {
    judge_all(&["adPause", "adResume"], |trace, player| {
        let mut paused = false;
        for record in events(trace, player) {
            match &*record.name {
                "adPause" => {
                    due(!paused, "paused while it played", record)?;
                    has_no_data(record)?;
                    paused = true;
                }
                "adResume" => {
                    due(paused, "resumed after a pause", record)?;
                    has_no_data(record)?;
                    paused = false;
                }
                "adImpression" | "adSkip" | "stopped" => paused = false,
                _ => {}
            }
        }
        Ok(())
    })
}

pub(super) fn content_has_no_events_while_an_ad_plays() -> Result<(), String> {
    judge_all(&["adStart", "adComplete"], |trace, player| {
        let mut on = false;
        for record in lines(trace, player) {
            match (record.kind, &*record.name) {
                (Kind::Event, "adStart") => on = true,
                (Kind::Event, "adComplete" | "adSkip" | "adError" | "adEnd")
                | (Kind::Break, "end") => on = false,
                (
                    Kind::Event,
                    "timeupdate" | "play" | "pause" | "progress" | "lastSecond" | "seeked",
                ) => {
                    due(!on, "content has no events", record)?;
                }
                _ => {}
            }
        }
        Ok(())
    })
}

pub(super) fn ad_errors_fall_within_breaks_only() -> Result<(), String> {
    judge_all(&["adError"], |trace, player| {
        let (mut open, mut on) = (false, false);
        for record in lines(trace, player) {
            match (record.kind, &*record.name) {
                (Kind::Break, name) => (open, on) = (name == "begin", false),
                (Kind::Event, "adStart") => on = true,
                (Kind::Event, "adComplete" | "adSkip") => on = false,
                (Kind::Event, "adError") => {
                    due(open, "an ad's error within its break", record)?;
                    on = false;
                }
                (Kind::Event, "playbackerror") => {
                    due(!on, "a content's error outside of ads", record)?
                }
                _ => {}
            }
        }
        Ok(())
    })
}

pub(super) fn a_break_that_requested_anything_ends_once() -> Result<(), String> {
    judge_all(&["requestAd", "adEnd"], |trace, player| {
        let mut ends = 0;
        for record in lines(trace, player) {
            match (record.kind, &*record.name) {
                (Kind::Break, "begin") => ends = 0,
                (Kind::Break, _) => {
                    let aborted = record.data.get("outcome") == Some(&Value::from("aborted"));
                    due(
                        ends == u32::from(!aborted),
                        "one adEnd unless aborted",
                        record,
                    )?;
                }
                (Kind::Event, "adEnd") => ends += 1,
                _ => {}
            }
        }
        Ok(())
    })
}
