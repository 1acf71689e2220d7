//! What a VMAP break tells its trackers: that it begins, that it is over, that something failed.
//!
//! Several trackers of one event are all called, in document order. A break that is aborted tells nothing
//! more. What ads of the break tell is `tracking`.
//!
//! Rules: VMAP-13, VMAP-14; VMAP 1.0.1 sections 2.3.3, 2.5.

use std::sync::Arc;

use super::{Room, VmapBreak};
use crate::ads::AdServices;
use crate::ads::course::Course;
use crate::ads::error::AdErrorCode;
use crate::ads::macros::Occasion;
use crate::api::{Cause, Fields, Kind, Line, Outbox, Output, Text};
use crate::rule;
use crate::rules::RuleId;
use crate::time::Time;
use crate::vast::vmap::Break;

/// What is particular to the course of a VMAP break.
#[derive(Debug, Clone)]
pub(in crate::ads) struct VmapCourse {
    of: Arc<VmapBreak>,
    /// Whether its source has been asked.
    is_asked: bool,
    /// What it may turn into.
    pub(super) room: Room,
}

impl VmapCourse {
    pub(in crate::ads) fn new(of: Arc<VmapBreak>, room: Room) -> VmapCourse {
        VmapCourse { of, is_asked: false, room }
    }

    /// There is room for other things now.
    pub(in crate::ads) fn set_room(&mut self, room: Room) {
        self.room = room;
    }

    /// The break.
    pub(in crate::ads) fn of(&self) -> &Arc<VmapBreak> {
        &self.of
    }

    /// The break, the first time that its source is asked.
    pub(super) fn ask(&mut self) -> Option<Arc<VmapBreak>> {
        (!std::mem::replace(&mut self.is_asked, true)).then(|| Arc::clone(&self.of))
    }
}

impl Course {
    /// A VMAP break begins: whether or not it has ads. Rule VMAP-13.
    pub(in crate::ads) fn tell_break_start(
        &self,
        now: Time,
        cause: Cause,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) {
        let Some(vmap) = &self.vmap else { return };
        let mut occasion = Occasion::new(now, self.kind);
        call(vmap.of.row(), rule!("VMAP-13"), "breakStart", cause, &mut occasion, services, out);
    }

    /// A VMAP break is over. Rule VMAP-13.
    pub(in crate::ads) fn tell_break_end(
        &self,
        now: Time,
        cause: Cause,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) {
        let Some(vmap) = &self.vmap else { return };
        let mut occasion = Occasion::new(now, self.kind);
        call(vmap.of.row(), rule!("VMAP-13"), "breakEnd", cause, &mut occasion, services, out);
    }

    /// Something of a VMAP break failed: the break's own trackers hear of it, whatever page code does.
    ///
    /// A VAST error repeats its own code. Rule VMAP-14.
    pub(in crate::ads) fn tell_break_error(
        &self,
        now: Time,
        code: AdErrorCode,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) {
        let Some(vmap) = &self.vmap else { return };
        tell_error(vmap.of.row(), now, self.kind, code, services, out);
    }
}

/// Calls the error trackers of a break, opened or not. Rules VMAP-14, VMAP-16, VMAP-17.
pub(super) fn tell_error(
    row: &Break,
    now: Time,
    kind: crate::ads::BreakKind,
    code: AdErrorCode,
    services: &mut AdServices<'_>,
    out: &mut Outbox,
) {
    let mut occasion = Occasion::new(now, kind).with_code(code.number()).with_message(code.message());
    let cause = out.cause();
    call(row, rule!("VMAP-14"), "error", cause, &mut occasion, services, out);
}

/// Calls all trackers of an event of a break.
fn call(
    row: &Break,
    rule: RuleId,
    event: &'static str,
    cause: Cause,
    occasion: &mut Occasion<'_>,
    services: &mut AdServices<'_>,
    out: &mut Outbox,
) {
    for tracking in row.tracking.iter().filter(|tracking| *tracking.event == *event) {
        let url = &tracking.url.text;
        if url.is_empty() || **url == *"about:blank" {
            continue;
        }
        let data = Fields::one("url", services.macros.fill(url, occasion))
            .with_some("break", row.id.as_ref().map(Text::from));
        let line = Line { kind: Kind::Beacon, name: event.into(), data };
        out.put_because(cause, rule, Output::Line(line));
    }
}
