//! Play requests: the promises that `play()` returns, and how they are settled.
//!
//! A request waits until `playing` is queued or something rejects it. In a bare element a task then
//! settles it at its place among the events; a new load drops these tasks and settles their
//! requests immediately. A player, whose events are not tasks, settles its requests directly. The
//! outcome is a line of kind `media`: `play-resolved`, or `play-rejected` with the error's name.
//!
//! Rules: MEL-1, MEL-6, MEL-9, MEL-10, PLAY-3.

use playsim_api::{Fields, Line, MediaLine, Outbox, Output, Value};
use playsim_rules::{self as rules, RuleId};

/// The outcome of a play request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Playback began, or continued.
    Resolved,
    /// A pause or another load prevented it. Rules MEL-1, MEL-10.
    Aborted(RuleId),
    /// The source cannot be played. Rule MEL-6.
    NotSupported,
    /// Script was not allowed to start playback. Rule PLAY-17.
    NotAllowed,
}

/// The play requests of an element, numbered from 1.
#[derive(Debug, Clone, Default, Hash)]
pub(super) struct Requests {
    made: u32,
    /// Whether the newest of them belongs to a call that has not returned yet: nothing rejects it
    /// before the call returns.
    is_asking: bool,
    /// The requests that wait.
    pending: Vec<u32>,
    /// The requests that queued tasks will settle: one group per task, in their order.
    scheduled: Vec<Vec<(u32, Outcome)>>,
    /// The requests that are settled but not reported yet.
    settled: Vec<(u32, Outcome)>,
}

impl Requests {
    /// Adds a request that waits.
    pub(super) fn make(&mut self) {
        self.made += 1;
        self.pending.push(self.made);
    }

    /// Adds a request that is rejected immediately.
    pub(super) fn refuse(&mut self, outcome: Outcome) {
        self.made += 1;
        self.settled.push((self.made, outcome));
    }

    /// The promise of the newest request, as a value for page code.
    pub(super) fn promise(&self) -> Value {
        Value::from(format!("promise {}", self.made))
    }

    /// Adds a request that waits; its call has begun.
    pub(super) fn ask(&mut self) {
        self.make();
        self.is_asking = true;
    }

    /// The call of the newest request returns. Its outcome may be known already, unless it was
    /// settled before.
    pub(super) fn answer(&mut self, outcome: Option<Outcome>, out: &mut Outbox) -> Value {
        self.is_asking = false;
        if let Some(outcome) = outcome
            && let Some(request) = self.pending.pop_if(|request| *request == self.made)
        {
            let (rule, line) = outcome.line(request);
            out.put(rule, Output::Line(line));
        }
        self.promise()
    }

    /// Settles the waiting requests, with their lines at the end of the outbox.
    pub(super) fn settle_now(&mut self, outcome: Outcome, out: &mut Outbox) {
        let kept = usize::from(self.is_asking && outcome != Outcome::Resolved);
        let count = self.pending.len().saturating_sub(kept);
        for request in self.pending.drain(..count) {
            let (rule, line) = outcome.line(request);
            out.put(rule, Output::Line(line));
        }
    }

    /// Assigns the waiting requests to the next settling task. Returns `false` if there are none,
    /// so that no task is needed.
    pub(super) fn schedule(&mut self, outcome: Outcome) -> bool {
        let taken: Vec<_> = self
            .pending
            .drain(..)
            .map(|request| (request, outcome))
            .collect();
        let has_any = !taken.is_empty();
        if has_any {
            self.scheduled.push(taken);
        }
        has_any
    }

    /// The oldest settling task is run.
    pub(super) fn settle(&mut self) {
        if !self.scheduled.is_empty() {
            self.settled.append(&mut self.scheduled.remove(0));
        }
    }

    /// A load drops the tasks, so their requests are settled now. Rule MEL-1.
    pub(super) fn settle_all(&mut self) {
        self.settled.extend(self.scheduled.drain(..).flatten());
    }

    /// Rejects all waiting requests immediately. Rule MEL-1.
    pub(super) fn abort(&mut self, rule: RuleId) {
        self.settled.extend(
            self.pending
                .drain(..)
                .map(|request| (request, Outcome::Aborted(rule))),
        );
    }

    /// Reports the settled requests, before anything that is queued.
    pub(super) fn report(&mut self, out: &mut Outbox) {
        for (request, outcome) in self.settled.drain(..).rev() {
            let (rule, line) = outcome.line(request);
            out.put_first(rule, Output::Line(line));
        }
    }
}

impl Outcome {
    /// The line that reports it, and the rule that decided.
    fn line(self, request: u32) -> (RuleId, Line) {
        let data = Fields::one("request", request);
        let (rule, name, why) = match self {
            Outcome::Resolved => (rules::MEL_9, MediaLine::PlayResolved, None),
            Outcome::Aborted(rule) => (rule, MediaLine::PlayRejected, Some("AbortError")),
            Outcome::NotSupported => (
                rules::MEL_6,
                MediaLine::PlayRejected,
                Some("NotSupportedError"),
            ),
            Outcome::NotAllowed => (
                rules::PLAY_17,
                MediaLine::PlayRejected,
                Some("NotAllowedError"),
            ),
        };
        (rule, Line::new(name, data.with_some("why", why)))
    }
}
