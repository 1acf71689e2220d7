//! What the page and the person set: an event tells a change, and only a change.
//!
//! Lines tell what is set: a call gives it back or has it among its arguments, a change of the page carries
//! it. Between two lines that tell the same value there cannot have been just one change. Events that carry
//! their value take turns. Two knobs say whose changes an event tells of at all.
//!
//! Rule: INV-17.

use super::{Findings, PlayerIndex, event, integer, is, knob, returned};
use crate::api::{Decimal, Kind, Value};
use crate::trace::{Record, Trace};

/// What a line tells of what is set; what the lines before have told is at hand.
type Tell = for<'a> fn(&'a Record, &mut Before) -> Option<Told<'a>>;

/// Events that tell of a change without its value, and what lines tell of that.
const SILENT: &[(&str, Tell)] = &[
    ("volumechange", |record, _| returned(record, "volume").map(Told::Value)),
    ("mutechange", |record, _| returned(record, "muted").map(Told::Value)),
    ("fullscreenchange", fullscreen),
    ("playerresize", size),
    ("qualityChange", address),
];

/// Events that carry the value that they tell of, and its field.
const CARRYING: &[(&str, &str)] = &[("mutechange", "muted"), ("stickyChange", "sticky")];

/// Volume within 0 and 1; a change is told only between different values. Rule INV-17.
pub(super) fn changes_are_changes(trace: &Trace, findings: &mut Findings) {
    for number in 0..trace.players.len() {
        let is_own = |PlayerIndex(player): PlayerIndex| usize::from(player) == number;
        // What is said of the whole page is said of each player.
        let lines: Vec<&Record> =
            trace.records.iter().filter(|record| record.player.is_none_or(is_own)).collect();
        for record in &lines {
            if let Some(volume) = returned(record, "volume").filter(|volume| !is_volume(volume)) {
                findings.add(record, format!("the volume is {volume}"));
            }
        }
        for (name, tell) in SILENT {
            // Of fullscreen by other means nobody is told then.
            if *name != "fullscreenchange" || !only_the_button(trace) {
                changes_between(name, *tell, &lines, findings);
            }
        }
        for (name, field) in CARRYING {
            take_turns(name, field, &lines, findings);
        }
        told_by_the_right_one(trace, &lines, findings);
    }
}

/// What a line tells of what is set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told<'a> {
    /// That it is this.
    Value(&'a Value),
    /// That it is so many pixels, wide and high.
    Pixels(i64, i64),
    /// That it is what a window of this width and height makes of it.
    InWindow(i64, i64),
    /// That it may be another one, unknown which.
    Unknown,
}

/// What the lines before have told, as far as it counts for the next.
#[derive(Default)]
struct Before {
    /// Whether the player is ready: before that it has no answers of its own.
    is_ready: bool,
    /// The size in pixels, unless it follows the window's.
    pixels: Option<(i64, i64)>,
}

fn fullscreen<'a>(record: &'a Record, before: &mut Before) -> Option<Told<'a>> {
    before.is_ready |= is(record, Kind::State, "initial");
    if makes_player(record) {
        return Some(Told::Value(&Value::Bool(false)));
    }
    // Said of a player that is not there, it is said of none.
    let is_asked = record.player.is_some() && is(record, Kind::Page, "fullscreen");
    let asked = record.data.get("fullscreen").filter(|_| is_asked);
    let read = returned(record, "isFullScreen").filter(|_| before.is_ready);
    returned(record, "toggleFullScreen").or(read).or(asked).map(Told::Value)
}

fn size<'a>(record: &'a Record, before: &mut Before) -> Option<Told<'a>> {
    before.is_ready |= is(record, Kind::State, "initial");
    let args = || record.data.get("args").and_then(Value::as_list).unwrap_or_default();
    if is(record, Kind::Page, "window") {
        let window = integer(record, "width").zip(integer(record, "height"));
        let pixels = before.pixels.map(|(width, height)| Told::Pixels(width, height));
        return pixels.or(window.map(|(width, height)| Told::InWindow(width, height)));
    }
    if makes_player(record) {
        let config = args().get(1).and_then(Value::as_map);
        let side = |name: &str| config?.get(name)?.as_text()?.parse::<u32>().ok().map(i64::from);
        before.pixels = side("width").zip(side("height"));
    } else if before.is_ready && is(record, Kind::Call, "resize") && record.data.get("error").is_none() {
        let side = |index: usize| args().get(index).and_then(Value::as_integer);
        before.pixels = side(0).zip(side(1));
    } else {
        return None;
    }
    Some(before.pixels.map_or(Told::Unknown, |(width, height)| Told::Pixels(width, height)))
}

fn address<'a>(record: &'a Record, _: &mut Before) -> Option<Told<'a>> {
    // Another item may have another address without a word, or none.
    let may_be_another = matches!(super::media(record), "loadstart" | "emptied").then_some(Told::Unknown);
    may_be_another.or(returned(record, "currentSrc").map(Told::Value))
}

/// Finds the one event between two lines that tell the same.
fn changes_between(name: &str, tell: Tell, lines: &[&Record], findings: &mut Findings) {
    let events: Vec<(&Record, u32)> = lines
        .iter()
        .filter(|record| event(record) == name)
        .filter_map(|record| Some((*record, record.cause?)))
        .filter(|(_, cause)| name != "volumechange" || sets_volume(lines, *cause))
        .collect();
    if events.is_empty() {
        return;
    }
    let (mut before, mut last) = (Before::default(), None);
    for record in lines {
        let Some(told) = tell(record, &mut before) else { continue };
        if let Some((since, was)) = last
            && was == told
            && told != Told::Unknown
        {
            // Another rendition may come long after what asked for it.
            let is_late = |event: &Record| name == "qualityChange" && event.seq > record.seq;
            let is_between = |cause: u32| since < cause && cause <= record.seq;
            let between = events.iter().filter(|(event, cause)| is_between(*cause) && !is_late(event));
            let between: Vec<_> = between.collect();
            // What names an earlier cause and comes behind the first line may have been changed there too.
            let is_sure = !events.iter().any(|(event, cause)| event.seq > since && *cause < since);
            if let [(event, cause)] = between[..]
                && is_sure
                && !brings(lines, *cause, told)
            {
                findings.add(event, format!("{name} came, and nothing is other than before"));
            }
        }
        last = Some((record.seq, told));
    }
}

/// Whether a line is the answer of an address that stood before: two renditions may have one.
fn brings(lines: &[&Record], cause: u32, told: Told<'_>) -> bool {
    let line = line(lines, cause).filter(|line| is(line, Kind::Net, "response"));
    line.and_then(|line| line.data.get("url")).is_some_and(|url| told == Told::Value(url))
}

fn line<'a>(lines: &[&'a Record], seq: u32) -> Option<&'a Record> {
    lines.binary_search_by_key(&seq, |record| record.seq).ok().map(|index| lines[index])
}

/// Whether a line sets the volume, and not mute, of which a knob has the same event tell.
fn sets_volume(lines: &[&Record], cause: u32) -> bool {
    line(lines, cause).is_some_and(|line| is(line, Kind::Call, "volume") || is(line, Kind::User, "volume"))
}

/// Finds events that tell a value again.
fn take_turns(name: &str, field: &str, lines: &[&Record], findings: &mut Findings) {
    let mut told: Option<&Value> = None;
    for record in lines {
        // A player that was just made is not sticky; whether it is mute its settings say.
        if field == "sticky" && makes_player(record) {
            told = Some(&Value::Bool(false));
        }
        let value = record.data.get(field).filter(|_| event(record) == name);
        if value.is_some() && value == told {
            findings.add(record, format!("{name} tells {field} again, which did not change"));
        }
        told = value.or(told);
    }
}

/// Finds events that the knobs do not let come.
fn told_by_the_right_one(trace: &Trace, lines: &[&Record], findings: &mut Findings) {
    let mute_changes_volume = knob(trace, "mute.volumechange") == Some("on");
    let only_the_button = only_the_button(trace);
    // A bare media element has one event for both, and no knob.
    if !lines.iter().any(|record| makes_player(record)) {
        return;
    }
    for record in lines {
        let cause = record.cause.and_then(|cause| trace.record(cause));
        let Some(cause) = cause.filter(|_| record.kind == Kind::Event) else { continue };
        let is_mute = is(cause, Kind::Call, "muted")
            || is(cause, Kind::User, "mute")
            || is(cause, Kind::User, "unmute");
        if event(record) == "volumechange" && is_mute && !mute_changes_volume {
            findings.add(record, "volumechange came with mute");
        }
        let is_button = is(cause, Kind::User, "fullscreen");
        if event(record) == "fullscreenchange" && only_the_button && !is_button {
            findings.add(record, "fullscreenchange came, and the person pressed no button");
        }
    }
}

/// Whether a knob lets only the person's button have an event.
fn only_the_button(trace: &Trace) -> bool {
    knob(trace, "fullscreen.event") == Some("button_only")
}

/// Whether it is the line that made the player, and no other of the page.
fn makes_player(record: &Record) -> bool {
    record.player.is_some() && is(record, Kind::Call, "$player")
}

fn is_volume(value: &Value) -> bool {
    matches!(value, Value::Number(number) if (Decimal::ZERO..=Decimal::ONE).contains(number))
}
