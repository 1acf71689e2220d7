//! The course of an item: started, ended, stopped, and its place in the playlist.
//!
//! Rules: INV-6, INV-7, INV-9, INV-16, INV-18.

use super::{Findings, event, has_argument, is, knob, media, of_each_player, returned, text};
use crate::api::{Kind, Value};
use crate::trace::{Record, Trace};

/// Between two `ended` there is a `play`. Rule INV-6.
pub(super) fn ended_after_play(trace: &Trace, findings: &mut Findings) {
    of_each_player(trace, |lines| {
        let mut played = false;
        for record in lines {
            match event(record) {
                "play" => played = true,
                "ended" if !std::mem::take(&mut played) => {
                    findings.add(record, "ended comes without a play before it");
                }
                _ => {}
            }
        }
    });
}

/// `start` never before the item's `play`, once per load or `stop()`; `beforeStart` once per item start.
///
/// Rule INV-7.
pub(super) fn start_after_play(trace: &Trace, findings: &mut Findings) {
    let once_for_an_item = matches!(knob(trace, "before_start.scope"), None | Some("item"));
    of_each_player(trace, |lines| {
        let (mut played, mut started, mut announced) = (false, false, false);
        for record in lines {
            if matches!(media(record), "loadstart" | "stopped") {
                (played, started) = (false, false);
            }
            announced &=
                !matches!(media(record), "loadstart" | "emptied" | "stopped") && !is_other_source(record);
            match event(record) {
                "play" => played = true,
                "start" if !played => findings.add(record, "start comes before the item's play"),
                "start" if std::mem::replace(&mut started, true) => {
                    findings.add(record, "start comes twice for one load");
                }
                "beforeStart" if std::mem::replace(&mut announced, true) && once_for_an_item => {
                    findings.add(record, "beforeStart comes twice for one item start");
                }
                _ => {}
            }
        }
    });
}

/// Whether page code sets another source, or a list of it arrives: either may have nothing to load.
fn is_other_source(record: &Record) -> bool {
    let is_list = || text(record, "purpose").is_some_and(|purpose| **purpose == *"playlist");
    let is_found = || record.data.get("status") == Some(&Value::from(200));
    (is(record, Kind::Call, "src") && has_argument(record) && record.data.get("error").is_none())
        || (is(record, Kind::Net, "response") && is_list() && is_found())
}

/// As many `stopped` as `stop()` calls that took effect. Rule INV-9.
pub(super) fn stopped_by_calls(trace: &Trace, findings: &mut Findings) {
    if trace.outcome() == "livelock" {
        // It ended before everything was told.
        return;
    }
    of_each_player(trace, |lines| {
        let (mut calls, mut events, mut last) = (0, 0, None);
        for record in lines {
            let dropped = || text(record, "text").is_some_and(|text| text.starts_with("stopped "));
            if is(record, Kind::Call, "stop") && record.data.get("error").is_none() {
                calls += 1;
            } else if is(record, Kind::Diag, "not_ready") {
                let call = record.cause.and_then(|cause| trace.record(cause));
                calls -= i32::from(call.is_some_and(|call| is(call, Kind::Call, "stop")));
            } else if event(record) == "stopped" || (is(record, Kind::Diag, "event_dropped") && dropped()) {
                events += 1;
                if events > calls {
                    findings.add(record, "stopped comes without a call of stop()");
                    events = calls;
                }
            }
            last = Some(record);
        }
        if let Some(last) = last.filter(|_| events < calls) {
            findings
                .add(last, format!("{calls} calls of stop() took effect, and only {events} stopped came"));
        }
    });
}

/// `currentIndex` is within the list, or -1 when it is empty. Rule INV-16.
pub(super) fn index_in_list(trace: &Trace, findings: &mut Findings) {
    of_each_player(trace, |lines| {
        let mut before: Option<&Record> = None;
        for record in lines {
            if let Some(index) = returned(record, "currentIndex")
                && index.as_integer().is_none_or(|index| index < -1)
            {
                findings.add(record, format!("currentIndex is {index}"));
            }
            let pair = |index: &Record, length: &Record| {
                Some((
                    returned(index, "currentIndex")?.as_integer()?,
                    returned(length, "playlistLength")?.as_integer()?,
                ))
            };
            let same_moment = |before: &&Record| before.at == record.at && before.cause == record.cause;
            let pair = before
                .filter(same_moment)
                .and_then(|before| pair(before, record).or_else(|| pair(record, before)));
            if let Some((index, length)) = pair {
                let is_right = if length == 0 { index == -1 } else { (0..length).contains(&index) };
                if !is_right {
                    findings.add(record, format!("currentIndex is {index} in a list of {length}"));
                }
            }
            before = Some(record);
        }
    });
}

/// `playlistComplete` only right after an `ended` of the last item. Rule INV-18.
pub(super) fn complete_after_ended(trace: &Trace, findings: &mut Findings) {
    // A post-roll may stand between them, and whatever comes while it does. END-2
    let may_wait = knob(trace, "ended.vs_postroll") == Some("before");
    of_each_player(trace, |lines| {
        let mut before = "";
        let mut place = (None, None);
        for record in lines {
            // What was read and holds until the next move.
            match (&*record.name, record.kind) {
                ("currentIndex", Kind::Call) => {
                    place.0 = returned(record, "currentIndex").and_then(Value::as_integer)
                }
                ("playlistLength", Kind::Call) => {
                    place.1 = returned(record, "playlistLength").and_then(Value::as_integer);
                }
                // There may be another list, and before it there was none.
                ("initial", Kind::State) => place = (None, None),
                ("loadstart" | "emptied", Kind::Media | Kind::Event) | ("skipped", Kind::Event) => {
                    place.0 = None;
                }
                ("playByIndex" | "next" | "previous", Kind::Call) | ("next" | "previous", Kind::User) => {
                    place.0 = None;
                }
                // Another list, or one from which something may have been left out.
                ("src" | "loadPlaylist", Kind::Call) | ("response", Kind::Net) => place = (None, None),
                _ => {}
            }
            if record.kind != Kind::Event {
                continue;
            }
            if event(record) == "playlistComplete" {
                if before != "ended" {
                    findings.add(record, "playlistComplete does not follow an ended");
                } else if let (Some(index), Some(length)) = place
                    && index + 1 != length
                {
                    findings.add(record, format!("playlistComplete comes after item {index} of {length}"));
                }
            }
            if !may_wait || matches!(event(record), "ended" | "play" | "start" | "playlistComplete") {
                before = event(record);
            }
        }
    });
}
