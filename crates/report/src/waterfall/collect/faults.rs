//! Why an error pixel was called: finds the line that reports the problem.
//!
//! That line is among the causes of the pixel, or comes right before it; if a whole tag gave no
//! usable ad, it follows.

use std::collections::BTreeMap;

use super::Lane;
use crate::waterfall::data::{number, text};
use crate::waterfall::{AdFault, Beacon, Waterfalls};
use playsim_base::time::Time;
use playsim_trace::Record;

/// The problems known so far.
#[derive(Debug, Default)]
pub(super) struct Faults {
    /// By the number of the line that reports it.
    by_line: BTreeMap<u32, Known>,
    /// The latest one.
    latest: Option<(Lane, Time, u32)>,
    /// The place of the latest one that belongs to a tag: its line, break, tag and index.
    pub(super) place: Option<(u32, usize, usize, usize)>,
    /// Error pixels without an explanation so far: when they were called, and their place.
    waiting: Vec<(Lane, Time, (usize, usize))>,
}

#[derive(Debug, Clone, Default)]
struct Known {
    code: Option<u16>,
    reason: Option<String>,
    at: Option<String>,
}

impl Known {
    fn put_on(&self, beacon: &mut Beacon) {
        beacon.code = self.code;
        beacon.reason.clone_from(&self.reason);
        beacon.at.clone_from(&self.at);
    }
}

impl Faults {
    /// Notes a line that reports a problem; `fault` is the entry already made of it.
    pub(super) fn note(&mut self, record: &Record, fault: Option<&AdFault>) {
        let data = &record.data;
        let known = match fault {
            Some(fault) => Known {
                code: fault.code,
                reason: fault.reason.clone(),
                at: fault.at.clone(),
            },
            None => Known {
                code: number(data, "code"),
                reason: text(data, "why"),
                at: text(data, "at"),
            },
        };
        self.by_line.insert(record.seq, known);
        self.latest = Some((record.player, record.at, record.seq));
    }

    /// Handles an error event for page code: it supplies the code of the latest problem, if that
    /// has none yet.
    pub(super) fn error_event(&mut self, record: &Record, report: &mut Waterfalls) {
        let code = number(&record.data, "code");
        let Some((lane, at, line)) = self.latest else {
            return;
        };
        let Some(known) = self.by_line.get_mut(&line) else {
            return;
        };
        if (lane, at) != (record.player, record.at) || known.code.is_some() {
            return;
        }
        known.code = code;
        if let Some((of, index, tag, nth)) = self.place
            && of == line
        {
            report.breaks[index].tags[tag].faults[nth].code = code;
        }
    }

    /// Adds to an error pixel why it is called; `place` is its break and its index there.
    pub(super) fn explain(&mut self, record: &Record, beacon: &mut Beacon, place: (usize, usize)) {
        let led_by = record.cause.and_then(|cause| self.by_line.get(&cause));
        let is_now = |lane: Lane, at: Time| (lane, at) == (record.player, record.at);
        let just_before = || {
            let (_, _, line) = self.latest.filter(|(lane, at, _)| is_now(*lane, *at))?;
            self.by_line.get(&line)
        };
        match led_by.or_else(just_before) {
            Some(known) => known.put_on(beacon),
            None => self.waiting.push((record.player, record.at, place)),
        }
    }

    /// Handles the failure of a tag, which explains the unexplained error pixels of the same
    /// instant.
    pub(super) fn explain_waiting(&mut self, record: &Record, report: &mut Waterfalls) {
        let Some(known) = self.by_line.get(&record.seq) else {
            return;
        };
        for (lane, at, (index, nth)) in self.waiting.drain(..) {
            if (lane, at) == (record.player, record.at) {
                known.put_on(&mut report.breaks[index].beacons[nth]);
            }
        }
    }
}
