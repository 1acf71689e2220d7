//! Settings of the page and the user: an event reports a change, and only a change.
//!
//! Lines contain the settings: a call returns a value or has it among its arguments, and a change
//! of the page contains it. Between two lines with the same value there cannot have been exactly
//! one change. Events that contain the value never repeat it. Two knobs decide whose changes have
//! an event at all.
//!
//! Rule: INV-17.

use super::returned;
use crate::judge::line::Line;
use crate::judge::{Findings, Session};
use playsim_api::{
    Call, Decimal, EventName, MakingLine, NetLine, PageLine, Query, StateLine, UserLine, Value,
};
use playsim_rules::knobs::FullscreenEvent;
use playsim_trace::PlayerIndex;

/// Returns the setting that a line contains, given the lines before it.
type ReadSetting = for<'a> fn(&'a Line<'a>, &mut Before) -> Option<Setting<'a>>;

/// Events of a change that do not contain the new value, each with the function that finds the
/// value in lines.
const SILENT: &[(EventName, ReadSetting)] = &[
    (EventName::VolumeChange, |record, _| {
        returned(record, Query::Volume).map(Setting::Value)
    }),
    (EventName::MuteChange, |record, _| {
        returned(record, Query::Muted).map(Setting::Value)
    }),
    (EventName::FullscreenChange, fullscreen),
    (EventName::PlayerResize, size),
    (EventName::QualityChange, source_url),
];

/// Events that contain the new value, with the name of its field.
const CARRYING: &[(EventName, &str)] = &[
    (EventName::MuteChange, "muted"),
    (EventName::StickyChange, "sticky"),
];

/// Volume is between 0 and 1, and an event occurs only between different values. Rule INV-17.
pub(crate) fn changes_are_changes(session: &Session<'_>, findings: &mut Findings<'_>) {
    for number in 0..session.trace.players.len() {
        let is_own = |PlayerIndex(player): PlayerIndex| usize::from(player) == number;
        // A line of the whole page applies to each player.
        let lines = session
            .named_lines()
            .iter()
            .filter(|record| record.player.is_none_or(is_own));
        // Settings that `destroy` resets have no event. DESTROY-10, EVT-21
        let mut own = Vec::with_capacity(session.named_lines().len());
        own.extend(lines.take_while(|record| !is_gone(record)));
        let lines: &[&Line<'_>] = &own;
        for record in lines {
            if let Some(volume) =
                returned(record, Query::Volume).filter(|volume| !is_volume(volume))
            {
                findings.broken(
                    record,
                    format!("the volume is {volume}, which is not from 0 to 1"),
                );
            }
        }
        for (name, read) in SILENT {
            // With this knob, only the button has an event, so the value may change without one.
            if *name != EventName::FullscreenChange || !only_the_button(session) {
                changes_between(*name, *read, lines, findings);
            }
        }
        for (name, field) in CARRYING {
            take_turns(*name, field, lines, findings);
        }
        fires_where_the_knobs_allow(session, lines, findings);
    }
}

/// The setting that a line contains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Setting<'a> {
    /// This value.
    Value(&'a Value),
    /// This width and height in pixels.
    Pixels(i64, i64),
    /// The size that results from a window of this width and height.
    InWindow(i64, i64),
    /// Possibly another value, which is unknown.
    Unknown,
}

/// The state that follows from earlier lines.
#[derive(Default)]
struct Before {
    /// Whether the player is ready; before that, its getters do not return its own values.
    is_ready: bool,
    /// The size in pixels, unless it follows the window's size.
    pixels: Option<(i64, i64)>,
}

fn fullscreen<'a>(record: &'a Line<'a>, before: &mut Before) -> Option<Setting<'a>> {
    before.is_ready |= record.is(StateLine::Initial);
    if makes_player(record) {
        return Some(Setting::Value(&Value::Bool(false)));
    }
    // A line without a player means that the player concerned does not exist.
    let is_asked = record.player.is_some() && record.is(PageLine::Fullscreen);
    let asked = record.data.get("fullscreen").filter(|_| is_asked);
    let read = returned(record, Query::IsFullScreen).filter(|_| before.is_ready);
    returned(record, Call::ToggleFullScreen)
        .or(read)
        .or(asked)
        .map(Setting::Value)
}

fn size<'a>(record: &'a Line<'a>, before: &mut Before) -> Option<Setting<'a>> {
    before.is_ready |= record.is(StateLine::Initial);
    let args = || {
        record
            .data
            .get("args")
            .and_then(Value::as_list)
            .unwrap_or_default()
    };
    if record.is(PageLine::Window) {
        let window = record
            .data
            .integer("width")
            .zip(record.data.integer("height"));
        let pixels = before
            .pixels
            .map(|(width, height)| Setting::Pixels(width, height));
        return pixels.or(window.map(|(width, height)| Setting::InWindow(width, height)));
    }
    if makes_player(record) {
        let config = args().get(1).and_then(Value::as_map);
        let side = |name: &str| {
            config?
                .get(name)?
                .as_text()?
                .parse::<u32>()
                .ok()
                .map(i64::from)
        };
        before.pixels = side("width").zip(side("height"));
    } else if before.is_ready && record.is(Call::Resize) && record.data.get("error").is_none() {
        let side = |index: usize| args().get(index).and_then(Value::as_integer);
        before.pixels = side(0).zip(side(1));
    } else {
        return None;
    }
    Some(before.pixels.map_or(Setting::Unknown, |(width, height)| {
        Setting::Pixels(width, height)
    }))
}

fn source_url<'a>(record: &'a Line<'a>, _: &mut Before) -> Option<Setting<'a>> {
    // Another item may have another URL without any line saying so, or none.
    let may_be_another = matches!(
        record.media_event(),
        Some(EventName::LoadStart | EventName::Emptied)
    )
    .then_some(Setting::Unknown);
    may_be_another.or(returned(record, Query::CurrentSrc).map(Setting::Value))
}

/// Reports an event that is the only one between two lines with the same value.
fn changes_between(
    name: EventName,
    read: ReadSetting,
    lines: &[&Line<'_>],
    findings: &mut Findings<'_>,
) {
    let events: Vec<(&Line<'_>, u32)> = lines
        .iter()
        .filter(|record| record.event() == Some(name))
        .filter_map(|record| Some((*record, record.cause?)))
        .filter(|(_, cause)| name != EventName::VolumeChange || sets_volume(lines, *cause))
        .collect();
    if events.is_empty() {
        return;
    }
    let (mut before, mut last) = (Before::default(), None);
    for record in lines {
        let Some(setting) = read(record, &mut before) else {
            continue;
        };
        if let Some((since, was)) = last
            && was == setting
            && setting != Setting::Unknown
        {
            // A change of rendition may come long after its cause.
            let is_late =
                |event: &Line<'_>| name == EventName::QualityChange && event.seq > record.seq;
            let is_between = |cause: u32| since < cause && cause <= record.seq;
            let between = events
                .iter()
                .filter(|(event, cause)| is_between(*cause) && !is_late(event));
            let between: Vec<_> = between.collect();
            // An event after the first line with an earlier cause may also have made the change.
            let is_sure = !events
                .iter()
                .any(|(event, cause)| event.seq > since && *cause < since);
            if let [(event, cause)] = between[..]
                && is_sure
                && !brings(lines, *cause, setting)
            {
                findings.broken(event, format!("{name} fired, but nothing changed"));
            }
        }
        last = Some((record.seq, setting));
    }
}

/// Returns whether a line is the response of the URL already in use: two renditions may share a
/// URL.
fn brings(lines: &[&Line<'_>], cause: u32, setting: Setting<'_>) -> bool {
    let line = line(lines, cause).filter(|line| line.is(NetLine::Response));
    line.and_then(|line| line.data.get("url"))
        .is_some_and(|url| setting == Setting::Value(url))
}

fn line<'a>(lines: &[&'a Line<'a>], seq: u32) -> Option<&'a Line<'a>> {
    lines
        .binary_search_by_key(&seq, |record| record.seq)
        .ok()
        .map(|index| lines[index])
}

/// Returns whether a line sets the volume itself; with a knob set, muting has the same event.
fn sets_volume(lines: &[&Line<'_>], cause: u32) -> bool {
    line(lines, cause).is_some_and(|line| line.is(Call::Volume) || line.is(UserLine::Volume))
}

/// Reports events that repeat a value.
fn take_turns(name: EventName, field: &str, lines: &[&Line<'_>], findings: &mut Findings<'_>) {
    if !lines.iter().any(|record| record.event() == Some(name)) {
        return;
    }
    let mut last: Option<&Value> = None;
    for record in lines {
        // A new player is not sticky, but may be muted by its settings.
        if name == EventName::StickyChange && makes_player(record) {
            last = Some(&Value::Bool(false));
        }
        let value = if record.is(name) {
            record.data.get(field)
        } else {
            None
        };
        if value.is_some() && value == last {
            findings.broken(
                record,
                format!("{name} repeats {field}, which did not change"),
            );
        }
        last = value.or(last);
    }
}

/// Reports events that the knobs rule out.
fn fires_where_the_knobs_allow(
    session: &Session<'_>,
    lines: &[&Line<'_>],
    findings: &mut Findings<'_>,
) {
    let mute_changes_volume = session.knobs.mute_volumechange.is_on();
    let only_the_button = only_the_button(session);
    // A bare media element has one event for both volume and mute, and no knob.
    if !lines.iter().any(|record| makes_player(record)) {
        return;
    }
    for record in lines {
        let may_be_wrong = match record.event() {
            Some(EventName::VolumeChange) => !mute_changes_volume,
            Some(EventName::FullscreenChange) => only_the_button,
            Some(_) | None => false,
        };
        let Some(cause) = record
            .cause
            .filter(|_| may_be_wrong)
            .and_then(|cause| session.trace.record(cause))
        else {
            continue;
        };
        let is_mute =
            cause.is(Call::Muted) || cause.is(UserLine::Mute) || cause.is(UserLine::Unmute);
        if record.is(EventName::VolumeChange) && is_mute {
            findings.broken(record, "volumechange fired for a change of mute");
        }
        if record.is(EventName::FullscreenChange) && !cause.is(UserLine::Fullscreen) {
            findings.broken(
                record,
                "fullscreenchange fired, but the user did not press the button",
            );
        }
    }
}

/// Returns whether a knob limits the event to the user's button.
fn only_the_button(session: &Session<'_>) -> bool {
    session.knobs.fullscreen_event == FullscreenEvent::ButtonOnly
}

/// Returns whether it is the line that created a player, and not one about the page.
fn makes_player(record: &Line<'_>) -> bool {
    record.player.is_some() && record.is(MakingLine::Player)
}

/// Returns whether it is the line after which a player reports nothing about itself.
fn is_gone(record: &Line<'_>) -> bool {
    record.is(EventName::DestroyBefore) || record.is(StateLine::Destroyed)
}

fn is_volume(value: &Value) -> bool {
    matches!(value, Value::Number(number) if (Decimal::ZERO..=Decimal::ONE).contains(number))
}
