//! The lines of a player, each with its break.
//!
//! At most three breaks are open at once: one of linear ads, one of an overlay, and one of display
//! ads. A break of a VMAP document may change from one kind to another.
//!
//! Rules: CUE-9, PA-4, OVL-1, EVT-23, VMAP-7, VMAP-20.

use super::line::Line;
use playsim_api::{BreakKind, BreakLine};
use playsim_trace::{BreakFinder, Record, Trace};

/// A line with its break.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed<'a> {
    pub(super) record: Line<'a>,
    /// The break, as an index into those of the player.
    pub(super) in_break: Option<usize>,
    /// Whether that break shows linear ads. A line without a break counts as one of linear ads.
    pub(super) is_linear: bool,
    /// Whether that break is open.
    pub(super) is_open: bool,
}

/// The lines of one player, each with its break.
pub(super) fn placed<'a>(
    trace: &'a Trace,
    lines: &mut dyn Iterator<Item = Line<'a>>,
) -> impl Iterator<Item = Placed<'a>> {
    let mut finder = BreakFinder::new(trace);
    // For each break, whether it shows linear ads, and whether it is open.
    let mut breaks: Vec<(bool, bool)> = Vec::new();
    lines.map(move |record: Line<'a>| {
        let in_break = finder.take(record.record);
        if record.is(BreakLine::Begin) {
            breaks.push((is_linear(&record), true));
        }
        let state = in_break.and_then(|index| breaks.get_mut(index));
        let Some(state) = state else {
            return Placed {
                record,
                in_break: None,
                is_linear: true,
                is_open: false,
            };
        };
        if record.is(BreakLine::Turn) {
            state.0 = is_linear(&record);
        }
        let placed = Placed {
            record,
            in_break,
            is_linear: state.0,
            is_open: state.1,
        };
        state.1 &= !record.is(BreakLine::End);
        placed
    })
}

/// Returns whether the break of this line is one of linear ads, according to its kind.
fn is_linear(record: &Record) -> bool {
    let over_content = [BreakKind::Overlay.name(), BreakKind::Display.name()];
    record
        .data
        .text("kind")
        .is_none_or(|kind| !over_content.contains(&&**kind))
}
