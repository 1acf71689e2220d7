//! From which position on a linear ad can be skipped.
//!
//! Rules: BRK-13, VPAID-8, ADX-27, PRD-36, PRD-39, PRD-42; VAST 4.3 section 3.8.

use super::LinearAd;
use super::marks::{place, whole_seconds};
use playsim_base::time::Position;
use playsim_rules::knobs::SkipOffset;
use playsim_rules::{self as rules, RuleId};
use playsim_vast::Offset;

impl LinearAd {
    /// The position from which the ad can be skipped; `None` for never. A VPAID unit may decide it.
    /// Rules BRK-13, VPAID-8, PRD-36.
    pub(crate) fn skippable_from(&self) -> Option<Position> {
        if self.unit.vpaid().is_some_and(|unit| unit.is_skippable()) {
            return Some(Position::ZERO);
        }
        if self.is_too_short() {
            return None;
        }
        Some(place(self.skip_offset()?, self.counted).max(self.min_skip))
    }

    /// Whether the ad has a skip offset, but is too short to be skipped. Rule PRD-36.
    pub(crate) fn is_too_short(&self) -> bool {
        self.info.duration < self.shortest_skip && self.skip_offset().is_some()
    }

    /// Whether the ad has a skip offset that is not read. Rule PRD-42.
    pub(crate) fn is_offset_unread(&self) -> bool {
        self.written_offset().is_some() && self.skip_offset().is_none()
    }

    fn written_offset(&self) -> Option<Offset> {
        self.prepared.hops.last()?.linears().next()?.skip_offset
    }

    /// The skip offset, as far as it is read. Rule PRD-42.
    fn skip_offset(&self) -> Option<Offset> {
        const PERCENT: u32 = 10_000;
        let written = self.written_offset()?;
        match (written, self.skip_reading) {
            (Offset::Share(_), SkipOffset::Times | SkipOffset::WholeSeconds) => None,
            (Offset::Share(share), SkipOffset::WholePercent) => {
                Some(Offset::Share(share - share % PERCENT))
            }
            (Offset::At(span), SkipOffset::WholeSeconds) => Some(Offset::At(whole_seconds(span))),
            (Offset::Share(_), SkipOffset::Exact)
            | (Offset::At(_), SkipOffset::Exact | SkipOffset::WholePercent | SkipOffset::Times) => {
                Some(written)
            }
        }
    }

    /// The rule that forbids skipping before [`LinearAd::skippable_from`]. Rules BRK-13, ADX-27,
    /// PRD-42.
    pub(crate) fn rule_of_skip(&self) -> RuleId {
        let is_raised =
            self.min_skip > Position::ZERO && self.skippable_from() == Some(self.min_skip);
        match self.skip_reading {
            _ if is_raised => rules::ADX_27,
            SkipOffset::Exact => rules::BRK_13,
            SkipOffset::WholePercent | SkipOffset::Times | SkipOffset::WholeSeconds => {
                rules::PRD_42
            }
        }
    }
}
