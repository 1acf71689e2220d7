//! Laws for the events of every player of every scenario fixture.

use playsim::api::{EventName, Kind, Value};
use playsim::rules::RuleId;
use playsim::trace::{PlayerIndex, Record, Trace};

use super::Absence;
use super::every_trace::law;

/// Each law with its name and its rules, and the knobs that change it.
macro_rules! laws {
    ($($check:ident $name:literal [$($rule:literal),+] $(unless [$($knob:literal),+])?,)*) => {
        pub(crate) const ALL: &[Absence] = &[$(Absence {
            name: $name,
            rules: &[$($rule),+],
            check: || each($check, &[$($($knob),+)?]),
        },)*];
    };
}

laws! {
    one_life "one ready, one destroyBefore, nothing after" ["INV-5", "EV-1", "EV-13"],
    one_end "between two ended there is a play, before each a lastSecond" ["INV-6", "EV-7", "EV-9"],
    one_start "start follows play, once for each load or stop" ["INV-7", "PLAY-7", "EV-3", "EV-4"]
        unless ["before_start.scope", "start.scope"],
    quiet_ads "content has no events while an ad plays" ["INV-8", "EV-5"],
    stops "as many stopped as effective stop()" ["INV-9", "STOP-6", "EV-8"],
    errors "adError within breaks, playbackerror outside ads" ["INV-10", "ERR-4", "EV-10"],
    breaks "each break has one adEnd or was aborted" ["INV-11"] unless ["ad_end.scope", "ad.late", "ad.min_interval", "gesture.violation"],
    tags "the number of errors and winners equals that of requests" ["INV-12"] unless ["ad_error.scope", "ad.attempts", "ad.late", "ad.min_interval", "ad.empty_is_error", "gesture.violation", "midroll.ask", "postroll.ask"],
    ads "an impression is followed by one end, quartiles in order" ["INV-13"] unless ["quartile.catch_up", "quartile.in_seek"],
    pauses "no more adResume than adPause" ["INV-14"],
    neighbours "events directly before and after another" ["INV-18", "EV-6", "EV-14", "EV-16", "EV-19"],
    passes "playlistStart before each playlistComplete, once" ["EV-14", "EV-16", "PL-11"],
    loads "loadedmetadata once for each load, before start" ["EV-36"],
}

/// The lines of one player, in order.
type Lines<'a> = [&'a Record];

fn each(check: fn(&Lines<'_>) -> Result<(), String>, unless: &[&str]) -> Result<(), String> {
    law(|scenario, trace: &Trace| {
        if scenario
            .knobs
            .differing()
            .any(|(knob, _)| unless.contains(&knob))
        {
            return Ok(());
        }
        for index in 0..trace.players.len() {
            let player = u16::try_from(index).ok().map(PlayerIndex);
            let lines: Vec<&Record> = trace
                .records
                .iter()
                .filter(|record| record.player == player)
                .collect();
            // A bare media element has laws of its own. A player that shows an overlay may have two
            // breaks open at a time and content events during an ad; the invariants of traces check
            // it.
            let is_bare = lines
                .first()
                .is_none_or(|first| is_line(first, Kind::Call, "element"));
            if !is_bare && !lines.iter().any(|record| begins_overlay(record)) {
                check(&lines)?;
            }
        }
        Ok(())
    })
}

/// Whether the break of an overlay opens here, or a response brings its own breaks, which may lie
/// over content and overlap, and some of which request nothing.
pub(crate) fn begins_overlay(record: &Record) -> bool {
    let is_overlay = record.data.get("kind") == Some(&Value::from("overlay"));
    (is_line(record, Kind::Break, "begin") && is_overlay) || is_line(record, Kind::Ad, "schedule")
}

fn ensure(is_so: bool, problem: &str, at: &Record) -> Result<(), String> {
    if is_so {
        Ok(())
    } else {
        Err(format!("{problem}, at {} ({})", at.at, at.name))
    }
}

fn is_event(record: &Record, name: &str) -> bool {
    record.kind == Kind::Event && *record.name == *name
}

fn is_line(record: &Record, kind: Kind, name: &str) -> bool {
    record.kind == kind && *record.name == *name
}

/// The documented events; those of the media element may come anywhere between. Rule EVT-18.
fn events<'a>(lines: &'a Lines<'a>) -> impl Iterator<Item = &'a Record> {
    let is_documented =
        |record: &Record| EventName::from_name(&record.name).is_some_and(EventName::is_documented);
    lines
        .iter()
        .copied()
        .filter(move |record| record.kind == Kind::Event && is_documented(record))
}

/// Whether a load begins, reported to page code or not.
fn begins_load(record: &Record) -> bool {
    is_line(record, Kind::Media, "loadstart") || is_event(record, "loadstart")
}

fn one_life(lines: &Lines<'_>) -> Result<(), String> {
    let (mut is_ready, mut is_over) = (false, false);
    for event in events(lines) {
        ensure(!is_over, "an event after destroyBefore", event)?;
        let may_be_early = [
            "loadedmetadata",
            "progress",
            "fullscreenchange",
            "playerresize",
            "stickyChange",
            "destroyBefore",
        ]
        .contains(&&*event.name);
        let is_this = is_event(event, "ready");
        ensure(
            is_ready != is_this || may_be_early,
            "not the one ready before all others",
            event,
        )?;
        is_ready |= is_this;
        is_over |= is_event(event, "destroyBefore");
    }
    Ok(())
}

fn one_end(lines: &Lines<'_>) -> Result<(), String> {
    let (mut was_played, mut was_last) = (false, false);
    for event in events(lines) {
        was_played |= is_event(event, "play");
        was_last |= is_event(event, "lastSecond");
        if is_event(event, "ended") {
            ensure(
                was_played && was_last,
                "ended without play or lastSecond",
                event,
            )?;
            (was_played, was_last) = (false, false);
        }
    }
    Ok(())
}

fn one_start(lines: &Lines<'_>) -> Result<(), String> {
    let (mut is_due, mut before_is_due, mut was_played) = (true, true, false);
    for record in lines {
        if begins_load(record) || is_event(record, "stopped") {
            (is_due, before_is_due, was_played) = (true, true, false);
        }
        was_played |= is_event(record, "play");
        if is_event(record, "beforeStart") {
            ensure(before_is_due, "a second beforeStart", record)?;
            before_is_due = false;
        }
        if is_event(record, "start") {
            ensure(
                is_due && was_played && !before_is_due,
                "start is not due",
                record,
            )?;
            is_due = false;
        }
        let is_periodic =
            is_event(record, "timeupdate") && record.rule == "MEL-15".parse::<RuleId>().ok();
        ensure(
            !is_periodic || !is_due,
            "a periodic time update before start",
            record,
        )?;
    }
    let mut all = events(lines).peekable();
    while let Some(event) = all.next() {
        if is_event(event, "beforeStart")
            && let Some(next) = all.peek()
        {
            let is_right = ["adImpression", "start", "adError"].contains(&&*next.name);
            ensure(
                is_right && next.at == event.at,
                "between beforeStart and the ad or start",
                next,
            )?;
        }
    }
    Ok(())
}

/// Whether a record ends the current ad.
fn ends_ad(record: &Record) -> bool {
    ["adComplete", "adSkip", "adError"]
        .iter()
        .any(|name| is_event(record, name))
        || is_line(record, Kind::Break, "end")
}

fn quiet_ads(lines: &Lines<'_>) -> Result<(), String> {
    let mut is_on = false;
    for record in lines {
        is_on = (is_on || is_event(record, "adStart")) && !ends_ad(record);
        let is_content = ["play", "pause", "timeupdate", "seeked", "lastSecond"]
            .iter()
            .any(|name| is_event(record, name));
        ensure(
            !(is_on && is_content),
            "a content event during an ad",
            record,
        )?;
    }
    Ok(())
}

fn stops(lines: &Lines<'_>) -> Result<(), String> {
    let effective = |record: &&&Record| {
        let rules = [
            "STOP-1".parse::<RuleId>().ok(),
            "STOP-3".parse::<RuleId>().ok(),
        ];
        is_line(record, Kind::Call, "stop") && rules.contains(&record.rule)
    };
    let calls = lines.iter().filter(effective).count();
    let dropped = lines.iter().filter(|record| {
        is_line(record, Kind::Diag, "event_dropped")
            && record.data.to_string().contains("stopped was")
    });
    let stopped = events(lines)
        .filter(|event| is_event(event, "stopped"))
        .count()
        + dropped.count();
    if calls == stopped {
        Ok(())
    } else {
        Err(format!("{calls} calls of stop(), {stopped} stopped"))
    }
}

fn errors(lines: &Lines<'_>) -> Result<(), String> {
    let (mut in_break, mut in_ad, mut has_failed) = (false, false, false);
    for record in lines {
        in_break = (in_break || is_line(record, Kind::Break, "begin"))
            && !is_line(record, Kind::Break, "end");
        ensure(
            in_break || !is_event(record, "adError"),
            "adError outside of a break",
            record,
        )?;
        in_ad = (in_ad || is_event(record, "adStart")) && !ends_ad(record);
        ensure(
            !in_ad || !is_event(record, "playbackerror"),
            "playbackerror in an ad",
            record,
        )?;
        has_failed = (has_failed || is_event(record, "playbackerror")) && !is_event(record, "play");
        ensure(
            !has_failed || !is_event(record, "ended"),
            "ended after an error",
            record,
        )?;
    }
    Ok(())
}

/// The breaks of a player, each with its lines, and whether it was aborted.
fn of_breaks<'a>(lines: &'a Lines<'a>) -> impl Iterator<Item = (&'a [&'a Record], bool)> {
    let begins = lines
        .iter()
        .enumerate()
        .filter(|(_, record)| is_line(record, Kind::Break, "begin"));
    begins.filter_map(|(begin, _)| {
        let length = lines[begin..]
            .iter()
            .position(|record| is_line(record, Kind::Break, "end"))?;
        let end = lines[begin + length];
        let is_aborted = end
            .data
            .get("outcome")
            .is_some_and(|outcome| outcome.to_string().contains("aborted"));
        Some((&lines[begin..=begin + length], is_aborted))
    })
}

fn count(lines: &[&Record], name: &str) -> usize {
    lines.iter().filter(|record| is_event(record, name)).count()
}

fn breaks(lines: &Lines<'_>) -> Result<(), String> {
    for (lines, is_aborted) in of_breaks(lines) {
        // A tag that is not a URL is tried without a request. REQ-16
        let has_odd_tag = lines
            .iter()
            .any(|record| record.rule == "REQ-16".parse::<RuleId>().ok());
        let due = usize::from(!is_aborted && (count(lines, "requestAd") > 0 || has_odd_tag));
        ensure(count(lines, "adEnd") == due, "not the one adEnd", lines[0])?;
    }
    Ok(())
}

fn tags(lines: &Lines<'_>) -> Result<(), String> {
    for (lines, is_aborted) in of_breaks(lines) {
        let started = lines
            .iter()
            .position(|record| is_event(record, "adStart"))
            .unwrap_or(lines.len());
        let has_failed_after_start = count(&lines[started..], "adError") > 0;
        let has_odd_tags = lines
            .iter()
            .any(|record| record.rule == "REQ-16".parse::<RuleId>().ok());
        let places = |name: &str| -> Vec<String> {
            let named = lines
                .iter()
                .filter(|record| is_line(record, Kind::Ad, name));
            named
                .map(|record| format!("{:?} {:?}", record.data.get("wp"), record.data.get("pod")))
                .collect()
        };
        // An ad that was ready and could no longer be started has won nothing. SEL-12
        let lost = places("no-fill");
        let mut winners = places("fill");
        winners.retain(|place| !lost.contains(place));
        winners.dedup();
        // A unit may fail between its fill and its start.
        let has_failed_ad = lines
            .iter()
            .any(|record| is_line(record, Kind::Ad, "failed"));
        // A tag whose ads are passed over neither fails nor fills. PRD-9
        let is_passed = lines
            .iter()
            .any(|record| is_line(record, Kind::Ad, "pass-pre-roll"));
        if !is_aborted && !has_failed_after_start && !has_odd_tags && !has_failed_ad && !is_passed {
            // Ads of a tag that fills are reported separately. BRK-9, SEL-12
            let is_of_a_tag = |record: &&&Record| record.rule == "REQ-4".parse::<RuleId>().ok();
            let errors = lines
                .iter()
                .filter(|record| is_event(record, "adError"))
                .filter(is_of_a_tag);
            let sum = errors.count() + winners.len();
            ensure(
                sum == count(lines, "requestAd"),
                "errors and winners do not add up to the requests",
                lines[0],
            )?;
        }
    }
    Ok(())
}

fn ads(lines: &Lines<'_>) -> Result<(), String> {
    const QUARTILES: [&str; 3] = ["adFirstQuartile", "adMidpoint", "adThirdQuartile"];
    for (lines, is_aborted) in of_breaks(lines) {
        let (mut is_open, mut quartile) = (false, 0);
        // A unit with a script reports its quartiles itself, and may leave some out.
        let is_scripted = lines
            .iter()
            .any(|record| is_line(record, Kind::Ad, "vpaid"));
        for record in lines {
            if is_event(record, "adImpression") {
                ensure(!is_open, "an impression before the last ad is over", record)?;
                (is_open, quartile) = (true, 0);
            } else if let Some(number) = QUARTILES.iter().position(|name| is_event(record, name)) {
                let is_next = number == quartile || (is_scripted && number > quartile);
                ensure(is_open && is_next, "a quartile out of order", record)?;
                quartile = number + 1;
            } else if ["adComplete", "adSkip"]
                .iter()
                .any(|name| is_event(record, name))
            {
                ensure(is_open, "an ad ends twice", record)?;
                is_open = false;
            } else if is_event(record, "adError") {
                is_open = false;
            }
        }
        ensure(is_aborted || !is_open, "an ad never ends", lines[0])?;
    }
    Ok(())
}

fn pauses(lines: &Lines<'_>) -> Result<(), String> {
    let mut is_paused = false;
    for event in events(lines) {
        if is_event(event, "adResume") || is_event(event, "adPause") {
            ensure(
                is_paused == is_event(event, "adResume"),
                "adPause and adResume do not alternate",
                event,
            )?;
            is_paused = !is_paused;
        }
        if is_event(event, "adStart") {
            is_paused = false;
        }
    }
    Ok(())
}

fn neighbours(lines: &Lines<'_>) -> Result<(), String> {
    let all: Vec<&Record> = events(lines).collect();
    for pair in all.windows(2) {
        let (before, event) = (pair[0], pair[1]);
        let follows = |name, due| !is_event(event, name) || is_event(before, due);
        ensure(
            follows("pause", "timeupdate"),
            "no time update before pause",
            event,
        )?;
        ensure(
            follows("seeked", "timeupdate"),
            "no time update before seeked",
            event,
        )?;
        ensure(
            follows("playlistComplete", "ended"),
            "no ended before playlistComplete",
            event,
        )?;
        let is_start = [
            "beforeStart",
            "play",
            "requestAd",
            "playbackerror",
            "loadedmetadata",
        ]
        .contains(&&*event.name);
        ensure(
            !is_event(before, "playlistStart") || is_start,
            "no item's start after playlistStart",
            event,
        )?;
    }
    Ok(())
}

fn passes(lines: &Lines<'_>) -> Result<(), String> {
    let mut is_open = false;
    for line in lines {
        if is_event(line, "playlistStart") {
            ensure(!is_open, "a second playlistStart in one pass", line)?;
            is_open = true;
        }
        if is_event(line, "playlistComplete") {
            ensure(
                is_open,
                "playlistComplete without a playlistStart of its own",
                line,
            )?;
        }
        let is_file = line.data.get("purpose") == Some(&"playlist".into());
        let is_new_load =
            is_line(line, Kind::Call, "src") || (is_line(line, Kind::Net, "response") && is_file);
        if is_event(line, "playlistComplete") || is_event(line, "stopped") || is_new_load {
            is_open = false;
        }
    }
    Ok(())
}

fn loads(lines: &Lines<'_>) -> Result<(), String> {
    let (mut is_loading, mut is_loaded) = (false, false);
    for record in lines {
        if begins_load(record) {
            (is_loading, is_loaded) = (true, false);
        }
        let is_repeated = record.rule == "QUAL-7".parse::<RuleId>().ok();
        if is_event(record, "loadedmetadata") && !is_repeated {
            ensure(is_loading, "loadedmetadata without a load", record)?;
            (is_loading, is_loaded) = (false, true);
        }
        ensure(
            is_loaded || !is_event(record, "start"),
            "start without metadata",
            record,
        )?;
    }
    Ok(())
}
