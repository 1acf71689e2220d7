//! Documented events of any player.
//!
//! Rules: EV-1, EV-7, BRK-6, BRK-10.

use std::collections::{BTreeMap, BTreeSet};

use super::own;
use crate::judge::lines::Act;
use crate::judge::{Findings, Session, Sure};
use playsim_api::{EventName, Kind};
use playsim_base::time::Span;
use playsim_trace::{PlayerIndex, Record};

/// How long a break may take after its last sign: a request and the media of an ad.
const TAKES: Span = Span::from_secs(12);

/// The events that may come before `ready`.
const BEFORE_READY: [EventName; 6] = [
    EventName::LoadedMetadata,
    EventName::Progress,
    EventName::FullscreenChange,
    EventName::PlayerResize,
    EventName::StickyChange,
    EventName::DestroyBefore,
];

fn hears(session: &Session<'_>, event: EventName) -> bool {
    session.hears(Kind::Event, event.name())
}

/// `ready` comes before what plays. Rule EV-1.
pub(super) fn ready_comes_first(session: &Session<'_>, findings: &mut Findings<'_>) {
    let mut early: BTreeMap<Option<PlayerIndex>, (usize, EventName)> = BTreeMap::new();
    let mut ready: BTreeSet<Option<PlayerIndex>> = BTreeSet::new();
    for (index, record) in session.lines() {
        let Some(event) = record.event().filter(|event| event.is_documented()) else {
            continue;
        };
        if ready.contains(&record.player) {
            continue;
        }
        if event == EventName::Ready {
            ready.insert(record.player);
            if let Some((first, before)) = early.get(&record.player) {
                let seen = format!("{before} fires before ready");
                findings.add(*first, Sure::Certain, seen, "ready first");
            }
        } else if !BEFORE_READY.contains(&event) {
            early.entry(record.player).or_insert((index, event));
        }
    }
}

/// `ended` is the end of something that has started. Rule EV-7.
pub(super) fn ended_after_start(session: &Session<'_>, findings: &mut Findings<'_>) {
    let mut started: Vec<Option<PlayerIndex>> = Vec::new();
    // A bare media element has no such events.
    let players: BTreeSet<Option<PlayerIndex>> = session
        .lines()
        .filter(|(_, line)| matches!(line.event(), Some(EventName::Ready | EventName::Start)))
        .map(|(_, line)| line.player)
        .collect();
    let mut ended: Vec<Option<PlayerIndex>> = Vec::new();
    for (index, record) in session
        .lines()
        .filter(|(_, line)| players.contains(&line.player))
    {
        // Another item is another start.
        let loads = record.is(EventName::LoadedMetadata)
            || record.media_event() == Some(EventName::LoadStart);
        if loads && ended.contains(&record.player) {
            started.retain(|player| *player != record.player);
            ended.retain(|player| *player != record.player);
        }
        match record.event() {
            Some(EventName::Start) => started.push(record.player),
            Some(EventName::Ended) if !started.contains(&record.player) && index > 1 => {
                findings.add(
                    index,
                    Sure::Certain,
                    "ended fires before start",
                    "start first",
                );
            }
            Some(EventName::Ended) => ended.push(record.player),
            _ => {}
        }
    }
}

/// The state since the last `adEnd` of a player.
#[derive(Default)]
struct Open {
    /// The record of the last sign of a break.
    last: Option<usize>,
    /// Whether a break has ended, and no line about ads has followed.
    has_ended: bool,
}

/// Each break has one `adEnd`, whether or not an ad was shown. Rule BRK-10.
///
/// Where a trace says which breaks there are, an invariant judges them.
pub(super) fn one_end_for_each_break(session: &Session<'_>, findings: &mut Findings<'_>) {
    if session.has_breaks() {
        return;
    }
    let mut open: BTreeMap<Option<PlayerIndex>, Open> = BTreeMap::new();
    for (index, record) in session.lines() {
        let Some(event) = record.event() else {
            continue;
        };
        let open = open.entry(record.player).or_default();
        if event == EventName::AdEnd {
            if std::mem::replace(&mut open.has_ended, true) && open.last.is_none() {
                let seen = "adEnd fires again, and no ad was requested or shown in between";
                findings.add(index, Sure::Likely, seen, "one adEnd for each break");
            }
            open.last = None;
        } else if event.is_of_ads() {
            open.last = Some(index);
        } else if [EventName::Play, EventName::Start, EventName::Ended].contains(&event)
            && hears(session, EventName::AdComplete)
        {
            // Content continues after an ad that is over.
            let is_over =
                |at: &usize| session.trace.records[*at].event() == Some(EventName::AdComplete);
            if let Some(at) = open.last.filter(is_over) {
                let seen = format!("{event} fires after adComplete, and there was no adEnd");
                findings.add(at, Sure::Likely, seen, "adEnd when the break is over");
                open.last = None;
            }
        }
    }
    // Of an ad that has not ended, silence says nothing: it may be paused, long, or left.
    for open in open.into_values() {
        let Some(last) = open.last else { continue };
        let record = &session.trace.records[last];
        let is_over = matches!(
            record.event(),
            Some(EventName::AdComplete | EventName::AdSkip | EventName::AdError)
        );
        let is_left = session.lines().skip(last).any(|(_, line)| leaves(line));
        if is_over && !is_left && session.goes_on(record.at, TAKES) {
            let name = &record.name;
            let seen = format!("nothing of the break comes after {name}, no adEnd either");
            findings.add(last, Sure::Likely, seen, "adEnd when the break is over");
        }
    }
}

/// Returns whether a line brings a break to its end without `adEnd`. Rules STOP-3, INV-11.
fn leaves(record: &Record) -> bool {
    let acts = [Act::Stop, Act::Destroy, Act::Src];
    let events = [EventName::Stopped, EventName::DestroyBefore];
    Act::of(record).is_some_and(|act| acts.contains(&act))
        || record.event().is_some_and(|event| events.contains(&event))
}

/// `adComplete` and `adSkip` say which ad it was. Rule BRK-6.
pub(super) fn position_of_the_ad(session: &Session<'_>, findings: &mut Findings<'_>) {
    if session.is_complete {
        own::breaks::ads_name_their_tag(session, findings);
    }
    for (index, record) in session.lines() {
        if !matches!(
            record.event(),
            Some(EventName::AdComplete | EventName::AdSkip)
        ) {
            continue;
        }
        // An adapter for another player may have nothing to say; one that says something says all.
        let lacks: Vec<&str> = ["wp", "pod", "pods"]
            .into_iter()
            .filter(|key| record.data.integer(key).is_none())
            .collect();
        if lacks.len() == 3 && record.data.is_empty() || lacks.is_empty() {
            continue;
        }
        let seen = format!(
            "{} has no {} as a whole number",
            record.name,
            lacks.join(", ")
        );
        findings.add(index, Sure::Certain, seen, "wp, pod and pods");
    }
}
