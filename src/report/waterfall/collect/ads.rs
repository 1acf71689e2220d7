//! Collects from the lines about ads: decisions, events, and the tracking URLs that were called.

use super::Collector;
use crate::api::{AdLine, BeaconLine, EventName, Value};
use crate::report::waterfall::data::{micros, number, text};
use crate::report::waterfall::{
    AdFault, Beacon, DocumentWarning, Ignored, Played, Rejected, Tag, TagOutcome, schedules,
};
use crate::trace::Record;

/// The code of a verification script that was not run. Rule ADX-3.
const VERIFICATION_NOT_RUN: u16 = 410;

impl Collector {
    pub(super) fn ad(&mut self, record: &Record, in_break: Option<usize>) {
        let data = &record.data;
        let Some(name) = AdLine::read(&record.name) else { return };
        // These lines are about a break that does not open, which they name.
        if let AdLine::LeaveOutBreak | AdLine::DropBreak = name {
            let outcome = if name == AdLine::DropBreak { "dropped" } else { "left-out" };
            self.faults.note(record, None);
            schedules::leave_out(&mut self.report, outcome, data);
            return;
        }
        let Some(index) = in_break else { return };
        match name {
            AdLine::SelectMedia => self.chosen[index] = text(data, "url"),
            AdLine::SelectOverlay => self.chosen[index] = None,
            AdLine::Schedule => self.schedule(index, record),
            AdLine::RejectInteractive => self.fault(index, "interactive", record),
            AdLine::CompanionUnshown => self.fault(index, "companion", record),
            AdLine::CategoryTold => self.fault(index, "category", record),
            AdLine::Cut | AdLine::Failed => self.fault(index, name.name(), record),
            // A verification script that runs is not a fault.
            AdLine::Verification if data.get("runs") == Some(&Value::Bool(true)) => {}
            AdLine::Verification => self.fault(index, name.name(), record),
            AdLine::NoFill => self.no_fill(index, record),
            AdLine::Fill => self.fill(index, record),
            AdLine::Reject => self.reject(index, record),
            AdLine::Ignore => self.ignore(index, record),
            AdLine::Warning => self.warning(index, record),
            AdLine::LeaveOutBreak
            | AdLine::DropBreak
            | AdLine::About
            | AdLine::Bid
            | AdLine::Click
            | AdLine::DocumentInside
            | AdLine::Fallback
            | AdLine::Hold
            | AdLine::LoopOver
            | AdLine::NoReplace
            | AdLine::NotCalled
            | AdLine::NotItsTurn
            | AdLine::NotMonetized
            | AdLine::NotUsed
            | AdLine::PassPreRoll
            | AdLine::Playing
            | AdLine::Replace
            | AdLine::ScheduleOver
            | AdLine::Seek
            | AdLine::SelectCaptions
            | AdLine::SelectCompanions
            | AdLine::SelectDisplay
            | AdLine::SelectIcons
            | AdLine::SelectInteractive
            | AdLine::Simid
            | AdLine::Viewability
            | AdLine::Vpaid
            | AdLine::WaitBreak
            | AdLine::Waiting
            | AdLine::Waterfall => {}
        }
    }

    /// Handles a response that is a VMAP document.
    fn schedule(&mut self, index: usize, record: &Record) {
        let data = &record.data;
        let Some(found) = self.tag(index, data) else { return };
        let it = &mut self.report.breaks[index];
        it.tags[found].outcome = TagOutcome::Scheduled;
        it.tags[found].decided_us = Some(record.at.micros());
        let (player, document) = (it.player.clone(), text(data, "at").unwrap_or_default());
        schedules::begin(&mut self.report, player, document);
    }

    /// Handles an ad that cannot be used.
    fn reject(&mut self, index: usize, record: &Record) {
        let data = &record.data;
        let Some(found) = self.tag(index, data) else { return };
        self.faults.note(record, None);
        // It was ready, but could no longer be started. Rules SEL-12, VPAID-4.
        let ad = text(data, "ad");
        let last = self.report.breaks[index].played.last_mut();
        if let Some(ready) = last.filter(|last| last.start_us.is_none() && last.ad == ad) {
            ready.end = Some("not started".to_owned());
        }
        self.report.breaks[index].tags[found].rejected.push(Rejected {
            at_us: record.at.micros(),
            ad: text(data, "ad"),
            code: number(data, "code"),
            reason: text(data, "why"),
            at: text(data, "at"),
        });
    }

    /// Handles an ad that is not considered.
    fn ignore(&mut self, index: usize, record: &Record) {
        let data = &record.data;
        let Some(found) = self.tag(index, data) else { return };
        let ignored = Ignored { ad: text(data, "ad"), reason: text(data, "why"), at: text(data, "at") };
        self.report.breaks[index].tags[found].ignored.push(ignored);
    }

    /// Handles a deviation in a document that was tolerated.
    fn warning(&mut self, index: usize, record: &Record) {
        let data = &record.data;
        let Some(found) = self.in_turn[index] else { return };
        self.report.breaks[index].tags[found].warnings.push(DocumentWarning {
            code: text(data, "code").unwrap_or_default(),
            text: text(data, "text").unwrap_or_default(),
            at: text(data, "at"),
        });
    }

    /// Handles something of an ad that could not be run or shown.
    fn fault(&mut self, index: usize, what: &'static str, record: &Record) {
        let data = &record.data;
        let Some(found) = self.tag(index, data).or(self.in_turn[index]) else { return };
        let it = &mut self.report.breaks[index];
        let on_screen = || it.played.last().filter(|ad| ad.end.is_none() && what == "failed");
        let code = number(data, "code").or((what == "verification").then_some(VERIFICATION_NOT_RUN));
        let named = text(data, "url").or_else(|| text(data, "vendor"));
        let reason =
            text(data, "why").map(|why| named.map_or(why.clone(), |named| format!("{named}: {why}")));
        let fault = AdFault {
            at_us: record.at.micros(),
            what: what.to_owned(),
            ad: text(data, "ad").or_else(|| on_screen()?.ad.clone()),
            code,
            reason,
            at: text(data, "at").or_else(|| on_screen()?.at.clone()),
        };
        self.faults.note(record, Some(&fault));
        it.tags[found].faults.push(fault);
        self.faults.place = Some((record.seq, index, found, it.tags[found].faults.len() - 1));
    }

    fn no_fill(&mut self, index: usize, record: &Record) {
        self.faults.note(record, None);
        self.faults.explain_waiting(record, &mut self.report);
        let Some(found) = self.tag(index, &record.data) else { return };
        let tag = &mut self.report.breaks[index].tags[found];
        tag.outcome = TagOutcome::NoFill;
        tag.decided_us = Some(record.at.micros());
        tag.code = number(&record.data, "code");
        tag.reason = text(&record.data, "why");
        tag.at = text(&record.data, "at");
    }

    fn fill(&mut self, index: usize, record: &Record) {
        let data = &record.data;
        let Some(found) = self.tag(index, data) else { return };
        let media = self.chosen[index].take();
        let it = &mut self.report.breaks[index];
        let tag = &mut it.tags[found];
        tag.outcome = TagOutcome::Filled;
        tag.decided_us.get_or_insert(record.at.micros());
        it.played.push(Played {
            pod: tag.pod,
            wp: tag.wp,
            ad: text(data, "ad"),
            hops: number(data, "hops"),
            media,
            duration_us: micros(data, "duration"),
            at: text(data, "at"),
            ..Played::default()
        });
    }

    pub(super) fn event(&mut self, record: &Record, index: usize) {
        if record.is(EventName::AdError) {
            self.faults.error_event(record, &mut self.report);
        }
        let it = &mut self.report.breaks[index];
        let at = Some(record.at.micros());
        let shown = it.played.last_mut().filter(|ad| ad.start_us.is_some() && ad.end.is_none());
        let ended = |ad: Option<&mut Played>, how: &str| {
            if let Some(ad) = ad {
                ad.end_us = at;
                ad.end = Some(how.to_owned());
            }
        };
        match record.event() {
            Some(EventName::AdStart) => {
                if let Some(ad) = it.played.last_mut().filter(|ad| ad.start_us.is_none()) {
                    ad.start_us = at;
                }
            }
            Some(EventName::AdComplete) => ended(shown, "complete"),
            Some(EventName::AdSkip) => ended(shown, "skip"),
            Some(EventName::AdError) if shown.is_some() => ended(shown, "error"),
            Some(EventName::AdError) => {
                let code = number::<u16>(&record.data, "code");
                let failed = |tag: &&mut Tag| tag.code.is_some() && tag.message.is_none() && tag.code == code;
                if let Some(tag) = it.tags.iter_mut().rfind(failed) {
                    tag.message = text(&record.data, "message");
                }
            }
            Some(_) | None => {}
        }
    }

    pub(super) fn beacon(&mut self, record: &Record, index: usize) {
        let it = &self.report.breaks[index];
        let tag = self.in_turn[index].map(|found| &it.tags[found]);
        let mut beacon = Beacon {
            at_us: record.at.micros(),
            event: record.name.to_string(),
            pod: tag.map(|tag| tag.pod),
            wp: tag.map(|tag| tag.wp),
            hop: number(&record.data, "hop"),
            ad: text(&record.data, "ad"),
            url: text(&record.data, "url").unwrap_or_default(),
            ..Beacon::default()
        };
        if record.is(BeaconLine::Error) {
            let place = (index, it.beacons.len());
            self.faults.explain(record, &mut beacon, place);
        }
        self.report.breaks[index].beacons.push(beacon);
    }
}
