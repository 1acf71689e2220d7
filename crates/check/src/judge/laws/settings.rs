//! Acts of the user and page code that have an event of their own: once for each change.
//!
//! Rules: FS-4, MUTE-2, PLAY-9, TIME-2, TIME-11.

use crate::judge::{Findings, Session, Sure};
use playsim_api::{Call, EventName, Kind, PageLine, StateLine, UserLine, Value};
use playsim_base::number::Decimal;
use playsim_base::time::Span;
use playsim_rules::knobs::FullscreenEvent;
use playsim_trace::Record;

/// How long the event of an act may take in a recording.
const SOON: Span = Span::from_secs(1);

/// Each change of fullscreen fires `fullscreenchange`. Rule FS-4.
pub(super) fn fullscreen(session: &Session<'_>, findings: &mut Findings<'_>) {
    if session.knobs.fullscreen_event != FullscreenEvent::ButtonOnly {
        changes(
            session,
            EventName::FullscreenChange,
            fullscreen_of,
            findings,
        );
    }
}

/// Each change of mute fires `mutechange`. Rule MUTE-2.
pub(super) fn mute(session: &Session<'_>, findings: &mut Findings<'_>) {
    changes(session, EventName::MuteChange, muted_of, findings);
}

/// The information of a line about a setting.
enum Says {
    /// It sets this value.
    Set(bool),
    /// It is this value.
    Is(bool),
    /// It may have changed.
    Unknown,
}

fn muted_of(record: &Record) -> Option<Says> {
    let argument = || {
        record
            .data
            .get("args")
            .and_then(Value::as_list)
            .and_then(<[Value]>::first)
    };
    if record.is(UserLine::Mute) {
        Some(Says::Set(true))
    } else if record.is(UserLine::Unmute) {
        Some(Says::Set(false))
    } else if record.is(Call::Muted) {
        let set = argument()
            .and_then(Value::as_bool)
            .filter(|_| record.data.get("error").is_none());
        let read = record
            .data
            .get("returns")
            .and_then(Value::as_bool)
            .filter(|_| argument().is_none());
        set.map(Says::Set).or(read.map(Says::Is))
    } else if record.is(UserLine::Volume) || record.is(Call::Volume) && argument().is_some() {
        Some(Says::Unknown)
    } else {
        None
    }
}

fn fullscreen_of(record: &Record) -> Option<Says> {
    let returns = || record.data.get("returns").and_then(Value::as_bool);
    if record.is(Call::ToggleFullScreen) {
        returns().map(Says::Set)
    } else if record.is(Call::IsFullScreen) {
        returns().map(Says::Is)
    } else if record.is(UserLine::Fullscreen) || record.is(PageLine::Fullscreen) {
        Some(Says::Unknown)
    } else {
        None
    }
}

/// Judges each act that changes a setting by the events that follow from it.
fn changes(
    session: &Session<'_>,
    event: EventName,
    says: fn(&Record) -> Option<Says>,
    findings: &mut Findings<'_>,
) {
    let lines = session.named_lines();
    let players = (0..session.trace.players.len()).filter_map(|number| u16::try_from(number).ok());
    for player in players
        .map(|number| Some(playsim_trace::PlayerIndex(number)))
        .chain([None])
    {
        let (mut value, mut last) = (None, None);
        // The value that the last event told, if nothing has set another one since.
        let mut told = None;
        let (mut is_ready, mut is_gone) = (false, false);
        for (index, line) in lines
            .iter()
            .enumerate()
            .filter(|(_, line)| line.player == player)
        {
            is_ready |= line.event() == Some(EventName::Ready);
            is_gone |= line.event() == Some(EventName::DestroyBefore);
            if let Some(repeated) =
                new_value(line, event).filter(|value| !session.is_complete && last == Some(*value))
            {
                let seen = format!("{event} fires, and it was {repeated} before");
                findings.add(index, Sure::Likely, seen, "one event for each change");
            }
            last = new_value(line, event).or(last);
            value = new_value(line, event).or(value);
            told = new_value(line, event).or(told);
            match says(line) {
                Some(Says::Is(is)) => {
                    value = Some(is);
                    if session.is_complete && told.is_some_and(|told| told != is) && !is_gone {
                        let seen =
                            format!("{} returns {is}, and {event} told otherwise", line.name);
                        findings.add(index, Sure::Certain, seen, (!is).to_string());
                    }
                }
                Some(Says::Unknown) => {
                    twice(session, index, event, findings);
                    (value, told) = (None, None);
                }
                Some(Says::Set(set)) => {
                    told = None;
                    let is_change = value.is_some_and(|was| was != set) && is_ready && !is_gone;
                    let fired = twice(session, index, event, findings);
                    if is_change && fired == Some(0) {
                        let seen = format!(
                            "{} changes the setting, and {event} does not fire",
                            line.name
                        );
                        let sure = if session.is_complete {
                            Sure::Certain
                        } else {
                            Sure::Likely
                        };
                        findings.add(index, sure, seen, event.name());
                    }
                    value = Some(set);
                }
                None => {}
            }
        }
    }
}

/// Returns the new value that an event carries.
fn new_value(record: &Record, event: EventName) -> Option<bool> {
    record
        .data
        .get("muted")
        .and_then(Value::as_bool)
        .filter(|_| record.event() == Some(event))
}

/// Returns how many events follow from an act, and reports more than one; `None` if that is not
/// known.
fn twice(
    session: &Session<'_>,
    act: usize,
    event: EventName,
    findings: &mut Findings<'_>,
) -> Option<usize> {
    let record = &session.trace.records[act];
    let after = session
        .lines()
        .skip(act + 1)
        .filter(|(_, line)| line.player == record.player);
    let fired: Vec<usize> = if session.is_complete {
        let follows = |line: &Record| line.cause == Some(record.seq);
        let all = after.filter(|(_, line)| follows(line));
        let is_it =
            |line: &Record| line.event() == Some(event) || line.dropped_event() == Some(event);
        // The user may be refused, or the player may be gone.
        if all
            .clone()
            .any(|(_, line)| line.kind == Kind::Diag && line.dropped_event().is_none())
        {
            return None;
        }
        all.filter(|(_, line)| is_it(line))
            .map(|(index, _)| index)
            .collect()
    } else {
        let near = after.take_while(|(_, line)| line.at <= record.at + SOON && !line.kind.is_act());
        near.filter(|(_, line)| line.event() == Some(event))
            .map(|(index, _)| index)
            .collect()
    };
    if let Some(second) = fired.get(1) {
        let seen = format!(
            "{event} fires {} times for one {}",
            fired.len(),
            record.name
        );
        let sure = if session.is_complete {
            Sure::Certain
        } else {
            Sure::Likely
        };
        findings.add(*second, sure, seen, "one event for each change");
    }
    session
        .goes_on(
            record.at,
            if session.is_complete {
                Span::ZERO
            } else {
                SOON
            },
        )
        .then_some(fired.len())
}

/// Each requested seek ends in `seeked`. Rule TIME-11.
pub(super) fn seeked(session: &Session<'_>, findings: &mut Findings<'_>) {
    let mut open: Option<usize> = None;
    for (index, line) in session.named_lines().iter().enumerate() {
        if line.media_event() == Some(EventName::Seeking) && is_requested(session, line) {
            open = Some(index);
        } else if line.event() == Some(EventName::Seeked) || ends(line) {
            open = None;
        } else if let Some(seeking) =
            open.filter(|_| line.media_event() == Some(EventName::Playing))
            && session.trace.records[seeking].player == line.player
        {
            let seen = "content plays after a requested seek, and seeked has not fired";
            let sure = if session.is_complete {
                Sure::Certain
            } else {
                Sure::Likely
            };
            let at = session.trace.records[seeking].at;
            if session.is_complete || session.goes_on(at, SOON) {
                findings.add(seeking, sure, seen, "seeked");
            }
            open = None;
        }
    }
}

/// A seek of a call lands where it was asked to, within the content. Rule TIME-2.
pub(super) fn land(session: &Session<'_>, findings: &mut Findings<'_>) {
    let mut duration = None;
    for (index, line) in session.named_lines().iter().enumerate() {
        if line.media_event() == Some(EventName::DurationChange) {
            duration = line.data.get("duration").and_then(Value::as_number);
        }
        if line.media_event() != Some(EventName::Seeking) || !is_requested(session, line) {
            continue;
        }
        let cause = line.cause.and_then(|cause| session.trace.record(cause));
        let Some(cause) = cause.filter(|cause| !cause.is(Call::CurrentChapter)) else {
            continue;
        };
        let argument = cause
            .data
            .get("args")
            .and_then(Value::as_list)
            .and_then(<[Value]>::first);
        let target = argument
            .or_else(|| cause.data.get("to"))
            .and_then(Value::as_number);
        let here = line.data.get("position").and_then(Value::as_number);
        // Without an end, as in live content, the page has a window in which it can seek.
        let (Some(target), Some(here), Some(duration)) = (target, here, duration) else {
            continue;
        };
        let due = target.clamp(Decimal::ZERO, duration);
        if here != due {
            let seen = format!("a seek to {target} s lands at {here} s");
            findings.add(index, Sure::Certain, seen, format!("{due} s"));
        }
    }
}

/// Content that plays has started. Rule PLAY-9.
pub(super) fn started(session: &Session<'_>, findings: &mut Findings<'_>) {
    for lines in session.players() {
        let (mut is_started, mut is_ready, mut plays_from) = (false, false, None);
        for line in lines.records() {
            if line.kind == Kind::State {
                plays_from = line.is(StateLine::Playing).then_some(line.at);
            }
            is_ready |= line.event() == Some(EventName::Ready);
            is_started |= line.event() == Some(EventName::Start)
                || line.dropped_event() == Some(EventName::Start);
            is_started &= line.media_event() != Some(EventName::LoadStart);
            let is_update = line.event() == Some(EventName::TimeUpdate);
            let plays = plays_from.is_some_and(|from| is_update && from < line.until());
            if plays && is_ready && !std::mem::replace(&mut is_started, true) {
                findings.broken(line, "content plays, and start has not fired");
            }
        }
    }
}

/// Returns whether a seek follows from a call or an act of the user that asks for it.
fn is_requested(session: &Session<'_>, line: &Record) -> bool {
    let Some(cause) = line.cause.and_then(|cause| session.trace.record(cause)) else {
        return false;
    };
    let has_argument = || {
        let first = cause
            .data
            .get("args")
            .and_then(Value::as_list)
            .and_then(<[Value]>::first);
        first.is_some_and(|first| *first != Value::Undefined)
    };
    cause.is(UserLine::Seek)
        || (cause.is(Call::CurrentTime) || cause.is(Call::CurrentChapter)) && has_argument()
}

/// Returns whether a line ends a pending seek.
fn ends(line: &Record) -> bool {
    matches!(
        line.media_event(),
        Some(
            EventName::LoadStart
                | EventName::Emptied
                | EventName::Error
                | EventName::Stopped
                | EventName::DestroyBefore
        )
    ) || line.dropped_event() == Some(EventName::Seeked)
}
