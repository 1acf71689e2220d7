//! The lines of a player, each with its break.
//!
//! At most three breaks are open at once: one of linear ads, one of an overlay, and one of display
//! ads. A break of a VMAP document may change from one kind to another.
//!
//! Rules: CUE-9, PA-4, OVL-1, EVT-23, VMAP-7, VMAP-20.

use super::line::Line;
use playsim_trace::Trace;
use playsim_trace::session::AdBreaks;

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
    let mut breaks: AdBreaks<'_> = AdBreaks::of(trace);
    lines.map(move |record: Line<'a>| {
        let its = breaks.take(&record);
        Placed {
            record,
            in_break: its.as_ref().map(|it| it.index),
            is_linear: its.as_ref().is_none_or(|it| !it.kind.plays_on()),
            is_open: its.is_some_and(|it| it.end.is_none() || record.ends_break()),
        }
    })
}
