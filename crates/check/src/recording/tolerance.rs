//! How far the times of a real player may differ from those on the virtual clock.

use playsim_base::time::Span;

/// Lines that are at most this far apart may have happened in the other order: a recorder hears
/// requests, events, media and the screen from different places, and the effects of one task of the
/// page it may write down in any order. Measured, such lines are up to 3 ms apart.
pub const TOGETHER: Span = Span::from_millis(5);

/// How far times may differ. A different order is never tolerated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tolerance {
    /// From the anchor: what came on screen last.
    pub within: Span,
    /// From the first call of `play()`: a bound on what adds up.
    pub overall: Span,
}

impl Tolerance {
    /// No difference at all.
    pub const EXACT: Tolerance = Tolerance {
        within: Span::ZERO,
        overall: Span::ZERO,
    };
}

/// Chromium reports positions every 265.6 ms. What depends on one is late by up to that, or by
/// twice that if a report is skipped: quartiles of an ad of four seconds came 50, 115 and 178 ms
/// late (medians of five players), and rarely up to 451 ms. Each ad adds about 60 ms overall, and
/// loading a page's first film up to a second.
impl Default for Tolerance {
    fn default() -> Tolerance {
        Tolerance {
            within: Span::from_micros(531_200),
            overall: Span::from_secs(2),
        }
    }
}

/// This distance from the anchor, and the usual one overall.
impl From<Span> for Tolerance {
    fn from(within: Span) -> Tolerance {
        Tolerance {
            within,
            ..Tolerance::default()
        }
    }
}
