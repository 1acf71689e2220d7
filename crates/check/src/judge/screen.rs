//! Which film was on screen, from when to when.
//!
//! A recording says so in its `ui shown` and `ui gone` lines. Without them it follows from media
//! events: a film is on screen from its `playing` on, until another one plays or it ends.

use std::sync::Arc;

use super::lines::{position, text};
use super::showing::Moment;
use super::spots::{Role, Spots};
use playsim_api::{EventName, Kind, UiLine};
use playsim_base::time::{Span, Time};
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

/// Where the content is.
#[derive(Debug, Default)]
struct Content {
    last: Option<(Time, Span)>,
    is_playing: bool,
    /// Whether its element has just been given a source: until it plays or a seek is done, its
    /// position says nothing.
    is_loading: bool,
}

impl Content {
    fn take(&mut self, line: &Record, position: Span) {
        let event = line.media_event();
        match event {
            Some(EventName::Playing) => self.is_playing = true,
            Some(
                EventName::Pause
                | EventName::Ended
                | EventName::Waiting
                | EventName::Error
                | EventName::Emptied
                | EventName::LoadStart,
            ) => {
                // Time that was played until then counts; the position of an element without a
                // source is 0.
                self.last = self.at(line.at).map(|position| (line.at, position));
                self.is_playing = false;
            }
            _ => {}
        }
        self.is_loading |= matches!(
            event,
            Some(EventName::Emptied | EventName::LoadStart | EventName::Abort)
        );
        self.is_loading &= !matches!(event, Some(EventName::Playing | EventName::Seeked));
        if !self.is_loading {
            self.last = Some((line.at, position));
        }
    }

    fn at(&self, now: Time) -> Option<Span> {
        let (at, position) = self.last?;
        Some(if self.is_playing {
            position + (now - at)
        } else {
            position
        })
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
    let mut content = Content::default();
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
    let (at, _) = content.last?;
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
