//! Play requests: the promises that `play()` gives, and how they come out.
//!
//! A request waits until `playing` is queued, or until something rejects it; then a task settles it at its
//! place among the events. A load settles at once what such a task was to settle.
//!
//! Rules: MEL-1, MEL-6, MEL-9, MEL-10.

use crate::api::{Fields, Kind, Line, Outbox, Output, Value};
use crate::rule;
use crate::rules::RuleId;

/// How a play request comes out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Playing began, or went on.
    Resolved,
    /// A pause or another load came between. Rules MEL-1, MEL-10.
    Aborted(RuleId),
    /// The source cannot be played. Rule MEL-6.
    NotSupported,
    /// Script may not start playback. Rule PLAY-17.
    NotAllowed,
}

/// The play requests of an element, each by its number from 1.
#[derive(Debug, Clone, Default)]
pub(super) struct Requests {
    made: u32,
    /// Those that wait.
    pending: Vec<u32>,
    /// What tasks on the way will settle: one group a task, in their order.
    scheduled: Vec<Vec<(u32, Outcome)>>,
    /// What is settled and not told yet.
    settled: Vec<(u32, Outcome)>,
}

impl Requests {
    /// A new request that waits.
    pub(super) fn make(&mut self) {
        self.made += 1;
        self.pending.push(self.made);
    }

    /// A new request that is refused at once.
    pub(super) fn refuse(&mut self, outcome: Outcome) {
        self.made += 1;
        self.settled.push((self.made, outcome));
    }

    /// The promise of the newest request, as page code holds it.
    pub(super) fn promise(&self) -> Value {
        Value::from(format!("promise {}", self.made))
    }

    /// Takes those that wait for the next settling task. Tells whether there are any: else there is no task.
    pub(super) fn schedule(&mut self, outcome: Outcome) -> bool {
        let taken: Vec<_> = self.pending.drain(..).map(|request| (request, outcome)).collect();
        let has_any = !taken.is_empty();
        if has_any {
            self.scheduled.push(taken);
        }
        has_any
    }

    /// The oldest settling task has come up.
    pub(super) fn settle(&mut self) {
        if !self.scheduled.is_empty() {
            self.settled.append(&mut self.scheduled.remove(0));
        }
    }

    /// A load drops the tasks: what they were to settle is settled now. Rule MEL-1.
    pub(super) fn settle_all(&mut self) {
        self.settled.extend(self.scheduled.drain(..).flatten());
    }

    /// Rejects at once all that wait. Rule MEL-1.
    pub(super) fn abort(&mut self, rule: RuleId) {
        self.settled.extend(self.pending.drain(..).map(|request| (request, Outcome::Aborted(rule))));
    }

    /// Tells what is settled, before all that is queued.
    pub(super) fn tell(&mut self, out: &mut Outbox) {
        for (request, outcome) in self.settled.drain(..).rev() {
            let data = Fields::one("request", request);
            let (rule, name, data) = match outcome {
                Outcome::Resolved => (rule!("MEL-9"), "play-resolved", data),
                Outcome::Aborted(rule) => (rule, "play-rejected", data.with("why", "AbortError")),
                Outcome::NotSupported => {
                    (rule!("MEL-6"), "play-rejected", data.with("why", "NotSupportedError"))
                }
                Outcome::NotAllowed => {
                    (rule!("PLAY-17"), "play-rejected", data.with("why", "NotAllowedError"))
                }
            };
            out.put_first(rule, Output::Line(Line { kind: Kind::Media, name: name.into(), data }));
        }
    }
}
