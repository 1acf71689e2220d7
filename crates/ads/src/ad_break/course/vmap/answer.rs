//! Handles a VMAP response to an ad tag: its breaks are added to the item, or the response is
//! rejected.
//!
//! VMAP is allowed only for the pre-rolls of an item: elsewhere there is no upcoming item that its
//! breaks could belong to.
//!
//! Rules: VMAP-1 to VMAP-3, VMAP-6, VMAP-16, VMAP-17, PRD-4, PRD-9; VMAP 1.0.1 sections 2.2, 2.5,
//! 2.6.

use std::sync::Arc;

use super::call_error_trackers;
use crate::ad_break::course::{Course, Onward, fire_ad_error, warn};
use crate::ad_break::outcome::BreakOutcome;
use crate::ad_break::state::State;
use crate::error::{AdErrorCode, Failure};
use crate::plan::Takes;
use crate::plan::vmap::describe;
use crate::plan::vmap::schedule::{BreakSchedule, Reading};
use crate::report::context::Scope;
use playsim_api::{AdLine, Fetched, Outbox, Response, Text};
use playsim_rules as rules;
use playsim_vast::{Fault, Root, vmap};

/// The major version that is supported. Rule VMAP-16.
const VERSION: &str = "1";

impl Course {
    /// Returns the response if it is VMAP and VMAP is allowed. Rule VMAP-1.
    pub(crate) fn schedule_in<'a>(&self, fetched: &'a Fetched) -> Option<&'a Response> {
        let Fetched::Response(answer) = fetched else {
            return None;
        };
        let document = &answer.document;
        let is_it = || {
            document.root == Root::Vmap || document.fault.as_ref().is_some_and(Fault::is_of_vmap)
        };
        let may_be = self.among.takes != Takes::Ads
            && self.chain.depth() == 0
            && (200..300).contains(&answer.status);
        (may_be && is_it()).then_some(answer)
    }

    /// The response to the current tag is VMAP. Rules VMAP-1, VMAP-2.
    pub(crate) fn scheduled(&mut self, answer: &Response, cx: &mut Scope<'_>) -> State {
        self.set_last_document(Some(Arc::clone(&answer.text)));
        for warning in &answer.document.warnings {
            let at = warning.at.in_file(&answer.name);
            warn(
                rules::VMAP_3,
                warning.code.word(),
                Text::from(&warning.text),
                Some(at.into()),
                cx,
            );
        }
        match self.read_schedule(answer, cx) {
            Ok(schedule) => {
                self.has_scheduled_pre_roll |= schedule.has_pre_roll();
                self.schedule = Some(schedule);
                if self.outcome == BreakOutcome::NoFill {
                    self.outcome = BreakOutcome::Scheduled;
                }
                self.leave_tag(Onward::Pod, cx);
            }
            Err(failure) => self.tag_failed(&failure, cx),
        }
        self.ask_tag(cx)
    }

    fn read_schedule(
        &self,
        answer: &Response,
        cx: &mut Scope<'_>,
    ) -> Result<BreakSchedule, Failure> {
        let document = &answer.document;
        let rule = rules::VMAP_16;
        if let Some(fault) = &document.fault {
            let at = fault.at.in_file(&answer.name).into();
            return Err(
                Failure::at(AdErrorCode::of(fault.code), Text::from(&fault.text), at).by(rule),
            );
        }
        let major = document
            .version
            .as_deref()
            .map(|version| version.split('.').next().unwrap_or_default());
        if major.is_some_and(|major| major.trim() != VERSION) {
            let version = document.version.as_deref().unwrap_or_default();
            let why = format!("VMAP version \"{version}\" is not supported; must be 1.0");
            // Only the breaks have `error` trackers, not the document itself. VMAP-16
            for row in &document.breaks {
                call_error_trackers(row, AdErrorCode::BreakVersion, cx.out.cause(), cx);
            }
            let place = Text::from(&answer.name);
            return Err(Failure::at(AdErrorCode::BreakVersion, why, place).by(rule));
        }
        let percent = cx.knobs().cue_percent();
        let Reading {
            schedule,
            unplaced,
            ignored,
            refused,
        } = BreakSchedule::of(document, &answer.name, &answer.text, percent);
        let place = self.waterfalls.place();
        let leave_out = |row: &vmap::Break, rule, why, out: &mut Outbox| {
            let at = row.at.in_file(&answer.name);
            out.line(
                rule,
                AdLine::LeaveOutBreak,
                describe(row).with("why", why).with("at", at),
            )
        };
        for row in unplaced.iter().map(|index| &document.breaks[*index]) {
            let why = "its timeOffset or breakType is missing or invalid";
            let line = leave_out(row, rules::VMAP_17, why, &mut cx.out);
            call_error_trackers(row, AdErrorCode::BreakSchema, line, cx);
        }
        for row in refused.iter().map(|index| &document.breaks[*index]) {
            let line = leave_out(
                row,
                rules::PRD_4,
                "offsets in percent are rejected",
                &mut cx.out,
            );
            fire_ad_error(AdErrorCode::Undefined, rules::PRD_4, cx);
            call_error_trackers(row, AdErrorCode::Undefined, line, cx);
        }
        for row in ignored.iter().map(|index| &document.breaks[*index]) {
            leave_out(
                row,
                rules::VMAP_6,
                "positions are ignored if the document has other offsets",
                &mut cx.out,
            );
        }
        if schedule.len() == 0 && !unplaced.is_empty() {
            let why = "no break of the document has a valid timeOffset and breakType";
            return Err(
                Failure::at(AdErrorCode::BreakSchema, why, Text::from(&answer.name)).by(rule),
            );
        }
        let due = schedule.len();
        let data = place
            .fields()
            .with("breaks", due)
            .with("at", Text::from(&answer.name));
        let rule = if document.breaks.is_empty() {
            rules::VMAP_2
        } else {
            rules::VMAP_1
        };
        cx.out.line(rule, AdLine::Schedule, data);
        Ok(schedule)
    }
}
