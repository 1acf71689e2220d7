//! Random times: multiples of 250 ms, so that responses, ends, timeouts and calls often coincide.

use super::source::Source;
use playsim_base::time::{Span, Time};

/// A duration of a few steps of the grid; often none.
pub(super) fn beats(most: u64, source: &mut Source) -> Span {
    if source.chance(1, 3) {
        Span::ZERO
    } else {
        Span::from_millis(250 * source.below(most + 1))
    }
}

/// A multiple of 250 ms; sometimes of a finer grid, to fall between the others.
pub(super) fn moment(most: u64, source: &mut Source) -> Time {
    let finer = if source.chance(1, 8) {
        source.below(250)
    } else {
        0
    };
    Time::from_millis(250 * source.below(most + 1) + finer)
}
