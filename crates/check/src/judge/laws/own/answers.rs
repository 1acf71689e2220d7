//! Which ads may be requested, and which responses page code may see.
//!
//! Rules: INV-20, INV-21.

use super::returned;
use crate::judge::{Findings, Session};
use playsim_api::{AdLine, Call, Code, EventName, Query, Value};
use playsim_rules::knobs::{AdEngine, CommandMonetize};

/// `lastVASTXML` is never set with the third-party engine. Rule INV-20.
pub(crate) fn none_from_the_engine(session: &Session<'_>, findings: &mut Findings<'_>) {
    if session.knobs.ad_engine != AdEngine::Sdk {
        return;
    }
    for lines in session.players() {
        for record in lines.records() {
            let value = returned(record, Query::LastVastXml);
            if value.is_some_and(|value| !matches!(value, Value::Null | Value::Undefined)) {
                findings.broken(
                    record,
                    "values.lastVASTXML is set although the third-party SDK plays the ads",
                );
            }
        }
    }
}

/// No ads are requested for an item that is not monetized, unless the knob lets ads on command
/// play. Rule INV-21.
///
/// A line reports that an item is not monetized, at the time when its pre-roll would have been due.
pub(crate) fn none_for_items_without_ads(session: &Session<'_>, findings: &mut Findings<'_>) {
    let commands_play = session.knobs.command_monetize == CommandMonetize::Play;
    for lines in session.players() {
        let mut is_unpaid = false;
        // The breaks opened by page code that may request ads.
        let mut by_command = Vec::new();
        for placed in lines.placed() {
            let record = &placed.record;
            is_unpaid |= record.is(AdLine::NotMonetized);
            // Another item loads or this one loads again, or it is given up for one without a
            // source.
            is_unpaid &= !matches!(
                record.media_event(),
                Some(EventName::LoadStart | EventName::Emptied | EventName::Skipped)
            ) && !record.is(Code::NoSource);
            if record.begins_break() {
                let is_command = record.data.text("why").is_some_and(|why| {
                    [Call::PlayAd.name(), Call::PushAds.name()].contains(&&**why)
                });
                // A break that was open before the item was known continues.
                if is_command && (commands_play || !is_unpaid) {
                    by_command.extend(placed.in_break);
                }
            }
            if record.is(EventName::RequestAd)
                && is_unpaid
                && placed
                    .in_break
                    .is_none_or(|index| !by_command.contains(&index))
            {
                findings.broken(
                    record,
                    "an ad is requested although the item is not monetized",
                );
            }
        }
    }
}
