//! An ad tag has answered VMAP: its breaks come into force, or the answer cannot be used.
//!
//! Only the pre-rolls of an item may be answered so: elsewhere there is no item ahead that breaks could
//! belong to.
//!
//! Rules: VMAP-1 to VMAP-3, VMAP-6, VMAP-16, VMAP-17; VMAP 1.0.1 sections 2.2, 2.5, 2.6.

use std::sync::Arc;

use super::telling::tell_error;
use super::{BreakSchedule, describe};
use crate::ads::ad_break::State;
use crate::ads::course::{Course, Onward, warn};
use crate::ads::error::{AdErrorCode, Failure};
use crate::ads::{AdServices, BreakOutcome};
use crate::api::{Answer, Fetched, Kind, Outbox, Text};
use crate::rule;
use crate::time::Time;
use crate::vast::{Root, vmap};

/// The first number of the versions that are read. Rule VMAP-16.
const VERSION: &str = "1";

impl Course {
    /// The answer, if it is VMAP and may be. Rule VMAP-1.
    pub(in crate::ads) fn schedule_in<'a>(&self, fetched: &'a Fetched) -> Option<&'a Answer> {
        let Fetched::Answer(answer) = fetched else { return None };
        let is_it = || {
            answer.document.root == Root::Vmap
                || (answer.document.root == Root::None && vmap::is_broken(&answer.text))
        };
        let may_be = self.may_schedule && self.chain.depth() == 0 && (200..300).contains(&answer.status);
        (may_be && is_it()).then_some(answer)
    }

    /// The tag in turn has answered VMAP. Rules VMAP-1, VMAP-2.
    pub(in crate::ads) fn scheduled(
        &mut self,
        now: Time,
        answer: &Answer,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> State {
        self.set_last_document(Some(Arc::clone(&answer.text)));
        for warning in &answer.document.warnings {
            let at = format!("{}:{}", answer.name, warning.at);
            warn(rule!("VMAP-3"), warning.code, Text::from(&warning.text), Some(at.into()), out);
        }
        match self.read_schedule(now, answer, services, out) {
            Ok(schedule) => {
                self.schedule = Some(schedule);
                if self.outcome == BreakOutcome::NoFill {
                    self.outcome = BreakOutcome::Scheduled;
                }
                self.leave_tag(Onward::Pod, out);
            }
            Err(failure) => self.tag_failed(&failure, now, services, out),
        }
        self.ask_tag(now, services, out)
    }

    fn read_schedule(
        &self,
        now: Time,
        answer: &Answer,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> Result<BreakSchedule, Failure> {
        let document = &answer.document;
        let rule = rule!("VMAP-16");
        if let Some(fault) = &document.fault {
            let code = if fault.code == 100 { AdErrorCode::BreakXml } else { AdErrorCode::BreakSchema };
            let at = format!("{}:{}", answer.name, fault.at).into();
            return Err(Failure::at(code, Text::from(&fault.text), at).by(rule));
        }
        let major = document.version.as_deref().map(|version| version.split('.').next().unwrap_or_default());
        if major.is_some_and(|major| major.trim() != VERSION) {
            let version = document.version.as_deref().unwrap_or_default();
            let why = format!("the version of VMAP is \"{version}\"; 1.0 is read");
            // The document has no address for errors of its own: those of its breaks have. VMAP-16
            for row in &document.breaks {
                tell_error(row, now, self.kind, AdErrorCode::BreakVersion, services, out);
            }
            let place = Text::from(&answer.name);
            return Err(Failure::at(AdErrorCode::BreakVersion, why, place).by(rule));
        }
        let (schedule, unplaced, ignored) = BreakSchedule::of(document, &answer.name, &answer.text);
        let place = self.waterfalls.place();
        for (indices, rule, why) in [
            (&unplaced, rule!("VMAP-17"), "its timeOffset or breakType says nothing that can be used"),
            (&ignored, rule!("VMAP-6"), "positions do not count beside other offsets"),
        ] {
            for row in indices.iter().map(|index| &document.breaks[*index]) {
                let at = format!("{}:{}", answer.name, row.at);
                let data = describe(row).with("why", why).with("at", at);
                out.line(rule, Kind::Ad, "leave-out-break", data);
            }
        }
        for index in &unplaced {
            tell_error(&document.breaks[*index], now, self.kind, AdErrorCode::BreakSchema, services, out);
        }
        if schedule.len() == 0 && !unplaced.is_empty() {
            let why = "no break of the document says when it is due and what it wants";
            return Err(Failure::at(AdErrorCode::BreakSchema, why, Text::from(&answer.name)).by(rule));
        }
        let due = document.breaks.len() - unplaced.len() - ignored.len();
        let data = place.fields().with("breaks", due).with("at", Text::from(&answer.name));
        let rule = if document.breaks.is_empty() { rule!("VMAP-2") } else { rule!("VMAP-1") };
        out.line(rule, Kind::Ad, "schedule", data);
        Ok(schedule)
    }
}
