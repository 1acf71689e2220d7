//! The buffer for the outputs of a player.
//!
//! All outputs of a player go into one [`Outbox`], oldest first. The driver of the player drains it
//! first in, first out: an event is delivered to its listeners, a task comes back as an input, a
//! request is sent. The effects of a listener are queued after that. Nothing here calls the player.
//!
//! Rules: CLK-4, EVT-1, EVT-2, EVT-23.

use std::collections::VecDeque;

use super::ahead::Ahead;
use super::because::{Because, Cause, Reason};
use super::break_number::BreakNumber;
use super::event::Event;
use super::line::{Line, LineName};
use super::output::{Item, Output, Provenance, TimeUpdates};
use super::player_index::PlayerIndex;
use super::request::RequestId;
use playsim_base::code::Code;
use playsim_base::time::Time;
use playsim_base::value::{Fields, Text};
use playsim_rules::RuleId;

/// The number of items for which there is capacity from the start.
const ROOM: usize = 16;

/// The buffer that is lent to a player for one input.
#[derive(Debug)]
pub struct Outbox {
    /// Time updates that were put into the empty outbox, and so come before the queue. They are
    /// kept apart for speed: they are small compared with an item, and moving an item in and out
    /// for each time update would cost more than everything else.
    ahead: Option<Ahead>,
    queue: VecDeque<Item>,
    aside: Vec<Item>,
    next_ticket: u32,
    next_request: u32,
    player: PlayerIndex,
    cause: Cause,
    in_break: Option<BreakNumber>,
    now: Time,
    horizon: Time,
    decision: Option<RuleId>,
}

/// A copy has spare capacity like a new outbox.
impl Clone for Outbox {
    fn clone(&self) -> Outbox {
        let mut queue = VecDeque::with_capacity(self.queue.len() + ROOM);
        queue.extend(self.queue.iter().cloned());
        Outbox {
            queue,
            aside: self.aside.clone(),
            ..*self
        }
    }
}

impl Default for Outbox {
    fn default() -> Outbox {
        Outbox::new()
    }
}

impl Outbox {
    /// An empty outbox.
    #[must_use]
    pub fn new() -> Outbox {
        Outbox {
            ahead: None,
            queue: VecDeque::with_capacity(ROOM),
            aside: Vec::new(),
            next_ticket: 0,
            next_request: 0,
            player: PlayerIndex(0),
            cause: Cause::Script,
            in_break: None,
            now: Time::ZERO,
            horizon: Time::ZERO,
            decision: None,
        }
    }

    /// Sets the player of the next input, its cause and its time. The horizon is that time.
    #[inline]
    pub fn begin(&mut self, player: PlayerIndex, cause: Cause, now: Time) {
        self.player = player;
        self.cause = cause;
        self.now = now;
        self.horizon = now;
        self.decision = None;
    }

    /// Sets the horizon: up to that instant (included) nothing else will happen in the simulation,
    /// so time updates can be put in one run up to there.
    #[inline]
    pub fn set_horizon(&mut self, horizon: Time) {
        self.horizon = horizon;
    }

    /// The time of the current input.
    #[must_use]
    #[inline]
    pub fn now(&self) -> Time {
        self.now
    }

    /// Sets the player of everything that is put from here on, and nothing else.
    pub fn address(&mut self, player: PlayerIndex) {
        self.player = player;
    }

    /// Names the rule that decides the current input. Only the first call counts, as it is the most
    /// specific.
    pub fn decide(&mut self, rule: RuleId) {
        self.decision.get_or_insert(rule);
    }

    /// The rule that decided about the last input.
    #[must_use]
    pub fn decision(&self) -> Option<RuleId> {
        self.decision
    }

    /// The instant up to which nothing else happens in the simulation.
    #[must_use]
    pub fn horizon(&self) -> Time {
        self.horizon
    }

    /// The current cause: that of everything that does not name its own.
    #[must_use]
    pub fn cause(&self) -> Cause {
        self.cause
    }

    /// Sets the cause of everything that is put from here on, since work that the clock triggers
    /// has its own.
    pub fn set_cause(&mut self, cause: Cause) {
        self.cause = cause;
    }

    /// Sets the break of everything that is put from here on; returns the former one.
    pub(super) fn swap_break(&mut self, in_break: Option<BreakNumber>) -> Option<BreakNumber> {
        std::mem::replace(&mut self.in_break, in_break)
    }

    /// A new request number.
    pub fn next_request(&mut self) -> RequestId {
        let id = RequestId(self.next_request);
        self.next_request += 1;
        id
    }

    /// Puts an output at the end. Returns the cause that refers to it.
    pub fn put(&mut self, reason: impl Reason, output: Output) -> Cause {
        let item = self.item(reason, output);
        let ticket = item.from.ticket;
        self.queue.push_back(item);
        Cause::Ticket(ticket)
    }

    /// Puts an output before all waiting ones, if it must come immediately.
    pub fn put_first(&mut self, rule: RuleId, output: Output) {
        self.line_up();
        let item = self.item(rule, output);
        self.queue.push_front(item);
    }

    /// Puts what `act` puts before all waiting outputs, in its order.
    pub fn ahead_of_waiting(&mut self, act: impl FnOnce(&mut Outbox)) {
        self.line_up();
        let mut waiting = std::mem::take(&mut self.queue);
        act(self);
        self.line_up();
        self.queue.append(&mut waiting);
    }

    /// Puts time updates at the end.
    #[inline]
    pub fn time_updates(&mut self, rule: RuleId, updates: TimeUpdates) {
        let updates = Ahead {
            player: self.player,
            because: Because {
                rule,
                cause: self.cause,
            },
            updates,
        };
        if self.ahead.is_none() && self.queue.is_empty() {
            self.ahead = Some(updates);
        } else {
            self.queue.push_back(updates.into());
        }
    }

    /// Puts an event at the end; a name alone is an event without data.
    pub fn event(&mut self, reason: impl Reason, event: impl Into<Event>) -> Cause {
        self.put(reason, Output::Event(event.into()))
    }

    /// Puts a trace line at the end.
    pub fn line(&mut self, reason: impl Reason, name: impl Into<LineName>, data: Fields) -> Cause {
        self.put(reason, Output::Line(Line::new(name, data)))
    }

    /// Adds a diagnostic. It is written immediately after the line of the input that it is about,
    /// and changes nothing.
    pub fn diag(&mut self, rule: RuleId, code: Code, text: impl Into<Text>) {
        self.diag_with(rule, code, text, None);
    }

    /// Adds a diagnostic with a suggestion.
    pub fn diag_with(
        &mut self,
        rule: RuleId,
        code: Code,
        text: impl Into<Text>,
        suggestion: Option<Text>,
    ) {
        let data = Fields::one("text", text.into()).with_some("suggestion", suggestion);
        let mut item = self.item(rule, Output::Line(Line::new(code, data)));
        item.from.because.cause = self.written(item.from.because.cause);
        self.aside.push(item);
    }

    /// Returns the nearest cause that is not waiting itself: a diagnostic is written before what
    /// waits.
    fn written(&self, mut cause: Cause) -> Cause {
        let waiting = |ticket: u32| self.queue.iter().find(|item| item.from.ticket == ticket);
        while let Cause::Ticket(ticket) = cause
            && let Some(item) = waiting(ticket)
        {
            cause = item.from.because.cause;
        }
        cause
    }

    /// The time updates that come before everything else, if there are any.
    #[inline]
    pub fn pop_ahead(&mut self) -> Option<Ahead> {
        // Field by field: copying the whole would read it in wider pieces than it was written in,
        // for which the processor has to wait.
        let Ahead {
            player,
            because: Because { rule, cause },
            updates,
        } = self.ahead.as_ref()?;
        let TimeUpdates { first, step, count } = *updates;
        let ahead = Ahead {
            player: *player,
            because: Because {
                rule: *rule,
                cause: *cause,
            },
            updates: TimeUpdates { first, step, count },
        };
        self.ahead = None;
        Some(ahead)
    }

    /// Whether nothing is waiting.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.ahead.is_none() && self.queue.is_empty()
    }

    /// Takes the oldest waiting item.
    pub fn pop(&mut self) -> Option<Item> {
        match self.pop_ahead() {
            Some(updates) => Some(updates.into()),
            None => self.queue.pop_front(),
        }
    }

    /// Puts items back that were taken out, before all waiting ones.
    pub fn put_back(&mut self, mut items: VecDeque<Item>) {
        self.line_up();
        items.append(&mut self.queue);
        self.queue = items;
    }

    /// Whether the last input caused diagnostics.
    #[must_use]
    pub fn has_diagnostics(&self) -> bool {
        !self.aside.is_empty()
    }

    /// The rule of the newest diagnostic that the last input caused.
    #[must_use]
    pub fn last_diagnostic(&self) -> Option<RuleId> {
        self.aside.last().map(|item| item.from.because.rule)
    }

    /// Takes the diagnostics of the last input.
    pub fn take_diagnostics(&mut self) -> impl Iterator<Item = Item> + '_ {
        self.aside.drain(..)
    }

    /// Moves the time updates that come before the queue into it, so that an item can be put before
    /// them.
    fn line_up(&mut self) {
        if let Some(updates) = self.ahead.take() {
            self.queue.push_front(updates.into());
        }
    }

    fn item(&mut self, reason: impl Reason, output: Output) -> Item {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        let because = reason.because(self.cause);
        Item {
            from: Provenance {
                player: self.player,
                because,
                in_break: self.in_break,
                ticket,
            },
            output,
        }
    }
}
