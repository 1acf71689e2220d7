//! Collects from the lines about ads: decisions, events, and the tracking URLs that were called.

use super::Collector;
use crate::waterfall::data::{micros, number, text};
use crate::waterfall::{
    AdBreakOutcome, AdEnd, AdFault, AdFaultKind, Beacon, DocumentWarning, Ignored, Played,
    Rejected, RequestFault, TagOutcome, schedules,
};
use playsim_api::media::MediaFault;
use playsim_api::{AdLine, BeaconLine, EventName, Value};
use playsim_trace::Record;
use playsim_vast::TrackedEvent;

/// The code of a verification script that was not run. Rule ADX-3.
const VERIFICATION_NOT_RUN: u16 = 410;

/// Reads a line about ads of the break with this index.
type Reader = fn(&mut Collector, usize, &Record);

/// The lines about ads in a break that the report is made of.
const READERS: &[(AdLine, Reader)] = &[
    (AdLine::SelectMedia, |it, index, record| {
        it.chosen[index] = text(&record.data, "url")
    }),
    (AdLine::SelectOverlay, |it, index, _| {
        it.chosen[index] = None
    }),
    (AdLine::Schedule, Collector::schedule),
    (AdLine::RejectInteractive, |it, index, record| {
        it.fault(index, AdFaultKind::Interactive, record)
    }),
    (AdLine::CompanionUnshown, |it, index, record| {
        it.fault(index, AdFaultKind::Companion, record)
    }),
    (AdLine::CategoryTold, |it, index, record| {
        it.fault(index, AdFaultKind::Category, record)
    }),
    (AdLine::Cut, |it, index, record| {
        it.fault(index, AdFaultKind::Cut, record)
    }),
    (AdLine::Failed, |it, index, record| {
        it.fault(index, AdFaultKind::Failed, record)
    }),
    (AdLine::Verification, Collector::verification),
    (AdLine::NoFill, Collector::no_fill),
    (AdLine::Fill, Collector::fill),
    (AdLine::Reject, Collector::reject),
    (AdLine::Ignore, Collector::ignore),
    (AdLine::Warning, Collector::warning),
];

impl Collector {
    pub(super) fn ad(&mut self, record: &Record, in_break: Option<usize>) {
        let data = &record.data;
        if record.is(AdLine::LeaveOutBreak) || record.is(AdLine::DropBreak) {
            let outcome = if record.is(AdLine::DropBreak) {
                AdBreakOutcome::Dropped
            } else {
                AdBreakOutcome::LeftOut
            };
            self.faults.note(record, None);
            schedules::leave_out(&mut self.report, outcome, data);
            return;
        }
        let reader = READERS.iter().find(|(name, _)| record.is(*name));
        if let (Some((_, read)), Some(index)) = (reader, in_break) {
            read(self, index, record);
        }
    }

    fn verification(&mut self, index: usize, record: &Record) {
        if record.data.get("runs") != Some(&Value::Bool(true)) {
            self.fault(index, AdFaultKind::Verification, record);
        }
    }

    /// Handles a response that is a VMAP document.
    fn schedule(&mut self, index: usize, record: &Record) {
        let data = &record.data;
        let Some(found) = self.tag(index, record) else {
            return;
        };
        let it = &mut self.report.breaks[index];
        it.tags[found].outcome = TagOutcome::Scheduled;
        it.tags[found].decided_us = Some(record.at.micros());
        let (player, document) = (it.player.clone(), text(data, "at").unwrap_or_default());
        schedules::begin(&mut self.report, player, document);
    }

    /// Handles an ad that cannot be used.
    fn reject(&mut self, index: usize, record: &Record) {
        let data = &record.data;
        let Some(found) = self.tag(index, record) else {
            return;
        };
        self.faults.note(record, None);
        // It was ready, but could no longer be started. Rules SEL-12, VPAID-4.
        let ad = text(data, "ad");
        let last = self.report.breaks[index].played.last_mut();
        if let Some(ready) = last.filter(|last| last.start_us.is_none() && last.ad == ad) {
            ready.end = Some(AdEnd::NotStarted);
        }
        self.report.breaks[index].tags[found]
            .rejected
            .push(Rejected {
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
        let Some(found) = self.tag(index, record) else {
            return;
        };
        let ignored = Ignored {
            ad: text(data, "ad"),
            reason: text(data, "why"),
            at: text(data, "at"),
        };
        self.report.breaks[index].tags[found].ignored.push(ignored);
    }

    /// Handles a deviation in a document that was tolerated.
    fn warning(&mut self, index: usize, record: &Record) {
        let data = &record.data;
        let Some(found) = self.in_turn[index] else {
            return;
        };
        self.report.breaks[index].tags[found]
            .warnings
            .push(DocumentWarning {
                code: text(data, "code").unwrap_or_default(),
                text: text(data, "text").unwrap_or_default(),
                at: text(data, "at"),
            });
    }

    /// Handles something of an ad that could not be run or shown.
    fn fault(&mut self, index: usize, what: AdFaultKind, record: &Record) {
        let data = &record.data;
        let Some(found) = self.tag(index, record).or(self.in_turn[index]) else {
            return;
        };
        let it = &mut self.report.breaks[index];
        let on_screen = || {
            it.played
                .last()
                .filter(|ad| ad.end.is_none() && what == AdFaultKind::Failed)
        };
        let code = number(data, "code")
            .or((what == AdFaultKind::Verification).then_some(VERIFICATION_NOT_RUN));
        let named = text(data, "url").or_else(|| text(data, "vendor"));
        let reason = text(data, "why")
            .map(|why| named.map_or(why.clone(), |named| format!("{named}: {why}")));
        let fault = AdFault {
            at_us: record.at.micros(),
            ad: text(data, "ad").or_else(|| on_screen()?.ad.clone()),
            code,
            reason,
            at: text(data, "at").or_else(|| on_screen()?.at.clone()),
            what,
        };
        self.faults.note(record, Some(&fault));
        it.tags[found].faults.push(fault);
        self.faults.place = Some((record.seq, index, found, it.tags[found].faults.len() - 1));
    }

    fn no_fill(&mut self, index: usize, record: &Record) {
        self.faults.note(record, None);
        self.faults.explain_waiting(record, &mut self.report);
        let Some(found) = self.tag(index, record) else {
            return;
        };
        let tag = &mut self.report.breaks[index].tags[found];
        tag.outcome = TagOutcome::NoFill;
        tag.decided_us = Some(record.at.micros());
        tag.code = number(&record.data, "code");
        if let Some(code) = tag.code.filter(|_| tag.message.is_none()) {
            self.untold.entry((index, code)).or_default().insert(found);
        }
        tag.reason = text(&record.data, "why");
        tag.at = text(&record.data, "at");
    }

    fn fill(&mut self, index: usize, record: &Record) {
        let data = &record.data;
        let Some(found) = self.tag(index, record) else {
            return;
        };
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
        let shown = it
            .played
            .last_mut()
            .filter(|ad| ad.start_us.is_some() && ad.end.is_none());
        let ended = |ad: Option<&mut Played>, how: AdEnd| {
            if let Some(ad) = ad {
                ad.end_us = at;
                ad.end = Some(how);
            }
        };
        match record.event() {
            Some(EventName::AdStart) => {
                if let Some(ad) = it.played.last_mut().filter(|ad| ad.start_us.is_none()) {
                    ad.start_us = at;
                }
            }
            Some(EventName::AdComplete) => ended(shown, AdEnd::Complete),
            Some(EventName::AdSkip) => ended(shown, AdEnd::Skip),
            Some(EventName::AdError) if shown.is_some() => ended(shown, AdEnd::Error),
            Some(EventName::AdError) => {
                let code = number::<u16>(&record.data, "code");
                let untold = code.and_then(|code| self.untold.get_mut(&(index, code)));
                let message = text(&record.data, "message");
                if let Some(untold) = untold.filter(|_| message.is_some()) {
                    // A tag may have got another code since.
                    while let Some(last) = untold.pop_last() {
                        let tag = &mut it.tags[last];
                        // What a code means is not the page's reason for it.
                        let is_of_page = tag.reason.as_deref() == Some(MediaFault::REFUSAL);
                        if tag.message.is_none() && tag.code == code {
                            tag.message = message.filter(|_| !is_of_page);
                            break;
                        }
                    }
                }
            }
            Some(_) | None => {}
        }
    }

    pub(super) fn beacon(&mut self, record: &Record, index: usize) {
        let it = &self.report.breaks[index];
        let tag = self.in_turn[index].map(|found| &it.tags[found]);
        let mut beacon = Beacon {
            fault: text(&record.data, "how").map(RequestFault::from),
            at_us: record.at.micros(),
            event: TrackedEvent::of(&record.name),
            pod: tag.map(|tag| tag.pod),
            wp: tag.map(|tag| tag.wp),
            hop: number(&record.data, "hop"),
            ad: text(&record.data, "ad"),
            url: text(&record.data, "url").unwrap_or_default(),
            code: None,
            reason: None,
            at: None,
        };
        if record.is(BeaconLine::Error) {
            let place = (index, it.beacons.len());
            self.faults.explain(record, &mut beacon, place);
        }
        self.report.breaks[index].beacons.push(beacon);
    }
}
