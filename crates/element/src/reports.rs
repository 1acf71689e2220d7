//! How an element reports: in tasks of its own, or for the player above it.
//!
//! Rules: EVT-14, EVT-18, MEL-4, MEL-15, MEL-16, MEL-23.

use super::MediaElement;
use playsim_api::{
    Cause, EventName, Fields, LineName, MediaStep, MediaTask, MediaWork, Outbox, Output,
    TimeUpdates,
};
use playsim_base::time::Time;
use playsim_rules::RuleId;

/// The form in which an element reports its events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Voice {
    /// As tasks of a bare element, each tagged with its load. Rule MEL-23.
    Tasks,
    /// As those of a player: lines that page code does not see, apart from the documented events.
    /// Rule EVT-14.
    Lines,
    /// As those of a player with knob `bus.expose_html`: as events. Rule EVT-18.
    Events,
}

impl Voice {
    /// Whether the element stands alone, and does all that HTML leaves to it.
    pub(super) fn is_bare(self) -> bool {
        self == Voice::Tasks
    }
}

impl MediaElement {
    /// Queues a task of this load. Rule MEL-23.
    pub(super) fn queue(&self, rule: RuleId, work: MediaWork, out: &mut Outbox) -> Cause {
        out.put(
            rule,
            Output::Media(MediaTask {
                load: self.load,
                work,
            }),
        )
    }

    pub(super) fn queue_step(&self, rule: RuleId, step: MediaStep, out: &mut Outbox) {
        self.queue(rule, MediaWork::Step(step), out);
    }

    /// Reports an event. Returns the cause that refers to it.
    pub(super) fn report(&self, rule: RuleId, name: EventName, out: &mut Outbox) -> Cause {
        self.report_with(rule, name, |fields| fields, out)
    }

    /// Reports an event; a line has the position and more data.
    pub(super) fn report_with(
        &self,
        rule: RuleId,
        name: EventName,
        data: impl FnOnce(Fields) -> Fields,
        out: &mut Outbox,
    ) -> Cause {
        let now = out.now();
        let is_documented = matches!(name, EventName::LoadedMetadata | EventName::Progress);
        match self.voice {
            Voice::Tasks if name == EventName::TimeUpdate => {
                self.queue(rule, MediaWork::TimeUpdates(self.one_update(now)), out)
            }
            Voice::Tasks => self.queue(rule, MediaWork::Event(name), out),
            Voice::Lines if !is_documented => {
                let data = data(Fields::one("position", self.position(now)));
                out.line(rule, LineName::MediaEvent(name), data)
            }
            Voice::Lines | Voice::Events => out.event(rule, name),
        }
    }

    /// Reports an event that page code sees.
    pub(super) fn announce(&self, rule: RuleId, name: EventName, out: &mut Outbox) {
        match self.voice {
            Voice::Tasks => self.queue(rule, MediaWork::Event(name), out),
            Voice::Lines | Voice::Events => out.event(rule, name),
        };
    }

    /// Reports a time update that is not a periodic one, and that page code sees. Rule MEL-16.
    pub fn update_time(&self, rule: RuleId, out: &mut Outbox) {
        self.report_updates(rule, self.one_update(out.now()), out);
    }

    #[inline]
    pub(super) fn report_updates(&self, rule: RuleId, updates: TimeUpdates, out: &mut Outbox) {
        match self.voice {
            Voice::Tasks => {
                self.queue(rule, MediaWork::TimeUpdates(updates), out);
            }
            Voice::Lines | Voice::Events => out.time_updates(rule, updates),
        }
    }

    fn one_update(&self, now: Time) -> TimeUpdates {
        TimeUpdates {
            first: now,
            step: self.schedule.period(),
            count: 1,
        }
    }
}
