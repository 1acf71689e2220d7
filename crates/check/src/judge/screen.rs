//! Which film was on screen, from when to when.
//!
//! A recording says so in its `ui shown` and `ui gone` lines. Without them it follows from media
//! events: a film is on screen from its `playing` on, until another one plays or it ends.

use std::sync::Arc;

use super::lines::{position, text};
use super::showing::Moment;
use super::spots::{Role, Spots};
use crate::recording::ContentClock;
use playsim_api::{EventName, Kind, UiLine};
use playsim_base::time::Span;
use playsim_trace::{PlayerIndex, Record, Trace};

/// A film that was on screen.
#[derive(Debug, Clone)]
pub(super) struct Shown {
    pub(super) src: Arc<str>,
    pub(super) role: Role,
    player: Option<PlayerIndex>,
    pub(super) from: Moment,
    /// `None` if it is still there at the end of the trace.
    pub(super) to: Option<Moment>,
}

/// Returns the films of a trace, in order.
pub(super) fn of(trace: &Trace, spots: &Spots) -> Vec<Shown> {
    let says = trace
        .records
        .iter()
        .any(|record| record.is(UiLine::Shown) || record.is(UiLine::Gone));
    let mut films: Vec<Shown> = Vec::new();
    for (index, record) in trace.records.iter().enumerate() {
        let Some(src) = text(record, "src").filter(|src| !src.is_empty()) else {
            continue;
        };
        let moment = Moment {
            record: index,
            at: record.at,
        };
        let change = if says {
            is_shown(record)
        } else {
            inferred(record)
        };
        let player = record.player;
        let on = films
            .iter_mut()
            .rfind(|film| film.player == player)
            .filter(|film| film.to.is_none());
        match (change, on) {
            (Some(true), Some(on)) if on.src == src => {}
            (Some(true), on) => {
                if let Some(on) = on {
                    on.to = Some(moment);
                }
                films.push(Shown {
                    role: spots.role(&src),
                    src,
                    player,
                    from: moment,
                    to: None,
                });
            }
            (Some(false), Some(on)) if on.src == src => on.to = Some(moment),
            (Some(false), _) | (None, _) => {}
        }
    }
    films
}

/// Returns whether a line says that a film is shown (true) or gone (false).
fn is_shown(record: &Record) -> Option<bool> {
    if record.is(UiLine::Shown) {
        Some(true)
    } else if record.is(UiLine::Gone) {
        Some(false)
    } else {
        None
    }
}

fn inferred(record: &Record) -> Option<bool> {
    match record.media_event().filter(|_| record.kind == Kind::Media) {
        Some(EventName::Playing) => Some(true),
        Some(EventName::Ended | EventName::Error | EventName::Emptied) => Some(false),
        Some(_) | None => None,
    }
}

/// Returns the position of the content at a record: the last one that a media event has, and the
/// time for which it has played since. `None` if no event before the record is about content.
pub(super) fn content_at(
    trace: &Trace,
    spots: &Spots,
    films: &[Shown],
    record: usize,
) -> Option<Span> {
    let now = trace.records.get(record)?.at;
    let mut content = ContentClock::default();
    for line in trace.records[..record]
        .iter()
        .filter(|line| line.kind == Kind::Media)
    {
        let is_content = line
            .data
            .text("src")
            .is_some_and(|src| spots.role(src) == Role::Content);
        if let Some(position) = position(line).filter(|_| is_content) {
            content.take(line, position);
        }
    }
    let at = content.told()?;
    // A film that has left the screen has stopped, whatever its element says.
    let gone = films
        .iter()
        .filter(|film| film.role == Role::Content && film.from.record < record);
    let gone = gone
        .filter_map(|film| film.to)
        .find(|to| to.record <= record && to.at >= at)
        .map(|to| to.at);
    content.at(gone.unwrap_or(now).min(now))
}
