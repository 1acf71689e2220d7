//! What may be asked at all, and what page code may see of the answers.
//!
//! Rules: INV-20, INV-21.

use super::lanes::placed;
use super::{Findings, event, is, knob, of_each_player, returned, text};
use crate::api::{Kind, Value};
use crate::trace::Trace;

/// `lastVASTXML` is never set with the third-party engine. Rule INV-20.
pub(super) fn none_from_the_engine(trace: &Trace, findings: &mut Findings) {
    if knob(trace, "ad.engine") != Some("sdk") {
        return;
    }
    of_each_player(trace, |lines| {
        for record in lines {
            let value = returned(record, "values.lastVASTXML");
            if value.is_some_and(|value| !matches!(value, Value::Null | Value::Undefined)) {
                findings.add(record, "values.lastVASTXML is set, and the ads are the third-party SDK's");
            }
        }
    });
}

/// For an item that is not monetized nothing is asked but what `playAd` asks. Rule INV-21.
///
/// That an item is not, a line says where its pre-roll would have been due.
pub(super) fn none_asked_for_what_earns_nothing(trace: &Trace, findings: &mut Findings) {
    of_each_player(trace, |lines| {
        let mut is_unpaid = false;
        // What opened the break of each lane.
        let mut by_command = Vec::new();
        for placed in placed(trace, lines) {
            let record = placed.record;
            is_unpaid |= is(record, Kind::Ad, "not-monetized");
            // Another item, or this one again.
            is_unpaid &= &*record.name != "loadstart";
            if is(record, Kind::Break, "begin") {
                by_command.retain(|lane| *lane != placed.lane);
                if text(record, "why").is_some_and(|why| **why == *"playAd") {
                    by_command.push(placed.lane);
                }
            }
            if event(record) == "requestAd" && is_unpaid && !by_command.contains(&placed.lane) {
                findings.add(record, "an ad is asked for, and the item is not monetized");
            }
        }
    });
}
