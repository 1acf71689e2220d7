//! The trackers of a VMAP break: called at its start, at its end, and for failures.
//!
//! `source` gets its ads, `form` decides which kind of ads is shown, `answer` judges a VMAP
//! document.
//!
//! If an event has several trackers, all are called, in document order. An aborted break calls no
//! further trackers. The trackers of the ads in the break are called in `tracking`.
//!
//! Rules: VMAP-13, VMAP-14; VMAP 1.0.1 sections 2.3.3, 2.5.

use std::sync::Arc;

use super::Course;
use crate::error::AdErrorCode;
use crate::plan::vmap::{Room, VmapBreak};
use crate::report::context::Scope;
use crate::report::macros::Occasion;
use playsim_api::{Because, Cause, Fields, Line, Output, Text};
use playsim_rules as rules;
use playsim_vast::{TrackingEvent, vmap::Break};

mod answer;
mod form;
pub(super) mod source;

/// The part of a course that only VMAP breaks have.
#[derive(Debug, Clone, Hash)]
pub(crate) struct VmapCourse {
    of: Arc<VmapBreak>,
    /// Whether its source has been used.
    is_asked: bool,
    /// Which other forms it may take.
    pub(crate) room: Room,
}

impl VmapCourse {
    pub(crate) fn new(of: Arc<VmapBreak>, room: Room) -> VmapCourse {
        VmapCourse {
            of,
            is_asked: false,
            room,
        }
    }

    /// Sets which other forms the break may take from now on.
    pub(crate) fn set_room(&mut self, room: Room) {
        self.room = room;
    }

    /// The break.
    pub(crate) fn of(&self) -> &Arc<VmapBreak> {
        &self.of
    }

    /// Returns the break on the first call, when its source is to be used.
    pub(crate) fn ask(&mut self) -> Option<Arc<VmapBreak>> {
        (!std::mem::replace(&mut self.is_asked, true)).then(|| Arc::clone(&self.of))
    }
}

impl Course {
    /// Calls the trackers of a VMAP break for its start or its end, with or without ads. Rule
    /// VMAP-13.
    pub(super) fn call_break_trackers(
        &self,
        event: TrackingEvent,
        cause: Cause,
        cx: &mut Scope<'_>,
    ) {
        let Some(vmap) = &self.vmap else { return };
        let occasion = cx.occasion();
        call(
            vmap.of.row(),
            Because {
                rule: rules::VMAP_13,
                cause,
            },
            event,
            &occasion,
            cx,
        );
    }

    /// Calls the `error` trackers of a VMAP break, whether or not the page gets the error. A VAST
    /// error keeps its own code. Rule VMAP-14.
    pub(super) fn call_break_error(&self, code: AdErrorCode, cause: Cause, cx: &mut Scope<'_>) {
        let Some(vmap) = &self.vmap else { return };
        call_error_trackers(vmap.of.row(), code, cause, cx);
    }
}

/// Calls the `error` trackers of a break, opened or not; the cause is the line that reports the
/// failure. Rules VMAP-14, VMAP-16, VMAP-17.
pub(super) fn call_error_trackers(
    row: &Break,
    code: AdErrorCode,
    cause: Cause,
    cx: &mut Scope<'_>,
) {
    let occasion = cx
        .occasion()
        .with_code(code.number())
        .with_message(code.message());
    call(
        row,
        Because {
            rule: rules::VMAP_14,
            cause,
        },
        TrackingEvent::Error,
        &occasion,
        cx,
    );
}

/// Calls all trackers of an event of a break.
fn call(
    row: &Break,
    because: Because,
    event: TrackingEvent,
    occasion: &Occasion<'_>,
    cx: &mut Scope<'_>,
) {
    for tracking in row
        .tracking
        .iter()
        .filter(|tracking| tracking.event == event)
    {
        let url = &tracking.url.text;
        if url.is_empty() || **url == *"about:blank" {
            continue;
        }
        let data = Fields::one("url", cx.macros.fill(url, occasion))
            .with_some("break", row.id.as_ref().map(Text::from));
        let line = Line::beacon(event.name(), data);
        cx.out.put(because, Output::Line(line));
    }
}
