//! What a player causes, and the buffer it is lent to put it in.
//!
//! Everything a player causes goes into one [`Outbox`], oldest first. Whoever drives the player drains
//! it first in, first out: an event is delivered to its listeners, a task comes back as an input, a
//! request goes out into the world. What a listener causes queues behind. Nothing here reaches back.
//!
//! Rules: CLK-4, EVT-1, EVT-2, EVT-23.

use std::collections::VecDeque;

use super::ahead::Ahead;
use super::command::UnitKind;
use super::event::{Event, EventName};
use super::request::{Request, RequestId};
use super::value::{Fields, Text};
use crate::named::named;
use crate::rules::RuleId;
use crate::time::{Span, Time};

/// What led to a line: a line that is written already, or an item that still waits in the outbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// Nothing: an input from the script.
    Script,
    /// The line with this running number.
    Line(u32),
    /// The line that this item becomes.
    Ticket(u32),
}

/// Work that a player puts off to a later moment of the same instant. Rule CLK-4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Task {
    /// The ready work is done. Rules INIT-11, INIT-12.
    Ready,
    /// Start the linear ad that is ready. Rule BRK-1.
    StartAd,
    /// Show the overlay that is ready. Rule OVL-2.
    StartOverlay,
    /// The metadata were told of: look what the data that are there are good for. Rule MEL-3.
    Data,
    /// A seek has its data; the number tells it from one that a later seek replaced. Rules MEL-13, TIME-10.
    Seeked(u32),
    /// `play()` by itself, once `ready` was delivered. Rule INIT-17.
    Autoplay,
    /// An outstream unit opens its break, once `ready` was delivered. Rule OUT-3.
    OpenUnitBreak,
    /// An outstream unit destroys itself, once `adEnd` was delivered. Rule OUT-6.
    LeaveByItself,
    /// A failure of the content from before `ready` shows, now that `ready` was delivered. Rule INIT-15.
    HeldFailure,
    /// Go on from the item of this index, which failed, to the next one. Rule PL-16.
    PassOver(usize),
    /// Go on with `destroy` after `destroyBefore` was delivered. Rules EVT-20, DESTROY-1.
    TearDown,
}

/// Time updates that follow one another without anything between. One of them is a run of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeUpdates {
    /// When the first came.
    pub first: Time,
    /// From one to the next.
    pub step: Span,
    /// How many.
    pub count: u32,
}

/// A task of a bare media element, with the load that it belongs to: if another has begun when it comes up,
/// it is dropped. Rule MEL-23.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MediaTask {
    /// The load's number.
    pub load: u32,
    /// What is to be done.
    pub work: MediaWork,
}

/// What a task of a media element does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaWork {
    /// Fires an event.
    Event(EventName),
    /// Fires time updates.
    TimeUpdates(TimeUpdates),
    /// Comes back to the element.
    Step(MediaStep),
}

/// Work that a media element puts off to a later moment of the same instant. Rule CLK-4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaStep {
    /// Look what the data that are there are good for. Rule MEL-3.
    Data,
    /// Tell what became of play requests. Rules MEL-9, MEL-10.
    Settle,
}

/// A trace line that is no event: a decision, a diagnostic, a beacon, a change of state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The line's kind.
    pub kind: Kind,
    /// Its name within the kind.
    pub name: Text,
    /// What it carries.
    pub data: Fields,
}

/// What a player causes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Output {
    /// An event for the listeners.
    Event(Event),
    /// Time updates.
    TimeUpdates(TimeUpdates),
    /// The `onReady` callback runs now. Rule INIT-12.
    Callback,
    /// Come back with this later in the same instant.
    Task(Task),
    /// A task of a bare media element.
    Media(MediaTask),
    /// Initialise the oldest entry of this queue array: the page's own task, which no player puts. Rule QUEUE-3.
    Entry(UnitKind),
    /// Fetch a document, a record or media.
    Fetch(Request),
    /// A line for the trace.
    Line(Line),
}

/// One output with its reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Whose it is: the player that was named when the input began.
    pub who: u16,
    /// What led to it.
    pub cause: Cause,
    /// The rule that decided.
    pub rule: RuleId,
    /// Its number, by which later items can name it as their cause; `u32::MAX` if none can.
    pub ticket: u32,
    /// The output itself.
    pub output: Output,
}

named! {
    /// The kinds of trace lines. Rule TRACE-2.
    Kind {
        Header "header" "The first line.",
        Call "call" "A call by page code.",
        User "user" "What the person does.",
        Page "page" "A change of the surroundings.",
        Event "event" "A documented event.",
        Listener "listener" "A listener that makes a call or throws.",
        State "state" "A change of the player's state.",
        Media "media" "An event of the media element that page code does not see.",
        Ui "ui" "What the person would see.",
        Ad "ad" "A decision about ads.",
        Break "break" "The begin or end of an ad break.",
        Net "net" "A request or what came of it.",
        Beacon "beacon" "A tracking address that is called.",
        Diag "diag" "A diagnostic.",
        Analytics "analytics" "A custom analytics event.",
        Measurement "measurement" "Audience measurement.",
        Edit "edit" "An edit of a video's record.",
        Outcome "outcome" "The last line.",
    }
}

/// So many items find room before anything grows.
const ROOM: usize = 16;

/// The buffer that is lent to a player for one input.
#[derive(Debug)]
pub struct Outbox {
    /// Time updates that were put when nothing waited, and so come before the queue. They are small; an item
    /// is not, and moving one in and out for each time update costs more than all the rest of it.
    ahead: Option<Ahead>,
    queue: VecDeque<Item>,
    aside: Vec<Item>,
    next_ticket: u32,
    next_request: u32,
    who: u16,
    cause: Cause,
    horizon: Time,
    decision: Option<RuleId>,
}

/// A copy has the room that a new one has.
impl Clone for Outbox {
    fn clone(&self) -> Outbox {
        let mut queue = VecDeque::with_capacity(self.queue.len() + ROOM);
        queue.extend(self.queue.iter().cloned());
        Outbox { queue, aside: self.aside.clone(), ..*self }
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
            who: 0,
            cause: Cause::Script,
            horizon: Time::ZERO,
            decision: None,
        }
    }

    /// Says which player gets the next input, what caused it, and up to which instant (included) nothing
    /// else will happen in this world: so far time updates may be foretold in one run.
    pub fn begin(&mut self, who: u16, cause: Cause, horizon: Time) {
        self.who = who;
        self.cause = cause;
        self.horizon = horizon;
        self.decision = None;
    }

    /// Says whose all is that is put from here on, and leaves the rest of the input as it is.
    pub fn address(&mut self, who: u16) {
        self.who = who;
    }

    /// Names the rule that decides about the input at hand. Whoever is first knows best what it is about.
    pub fn decide(&mut self, rule: RuleId) {
        self.decision.get_or_insert(rule);
    }

    /// The rule that decided about the last input.
    #[must_use]
    pub fn decision(&self) -> Option<RuleId> {
        self.decision
    }

    /// The last instant before which nothing else in the world happens.
    #[must_use]
    pub fn horizon(&self) -> Time {
        self.horizon
    }

    /// What caused the input at hand: the cause of everything that does not name its own.
    #[must_use]
    pub fn cause(&self) -> Cause {
        self.cause
    }

    /// Names what caused all that is put from here on: what the clock brings has its own cause.
    pub fn blame(&mut self, cause: Cause) {
        self.cause = cause;
    }

    /// A new request number.
    pub fn next_request(&mut self) -> RequestId {
        let id = RequestId(self.next_request);
        self.next_request += 1;
        id
    }

    /// Puts an output at the end, caused by the input at hand. Gives what names it as a cause.
    pub fn put(&mut self, rule: RuleId, output: Output) -> Cause {
        self.put_because(self.cause, rule, output)
    }

    /// Puts an output at the end, with its own cause: what the clock brings names the line that made
    /// it due.
    pub fn put_because(&mut self, cause: Cause, rule: RuleId, output: Output) -> Cause {
        let item = self.item(cause, rule, output);
        let ticket = item.ticket;
        self.queue.push_back(item);
        Cause::Ticket(ticket)
    }

    /// Puts an output before all that wait: what must come at once.
    pub fn put_first(&mut self, rule: RuleId, output: Output) {
        self.line_up();
        let item = self.item(self.cause, rule, output);
        self.queue.push_front(item);
    }

    /// Puts time updates at the end.
    #[inline]
    pub fn time_updates(&mut self, rule: RuleId, updates: TimeUpdates) {
        let updates = Ahead { who: self.who, cause: self.cause, rule, updates };
        if self.ahead.is_none() && self.queue.is_empty() {
            self.ahead = Some(updates);
        } else {
            self.queue.push_back(updates.into());
        }
    }

    /// Puts an event without data at the end.
    pub fn event(&mut self, rule: RuleId, name: EventName) -> Cause {
        self.put(rule, Output::Event(name.into()))
    }

    /// Puts an event with data at the end.
    pub fn event_with(&mut self, rule: RuleId, name: EventName, data: Fields) -> Cause {
        self.put(rule, Output::Event(Event { name, data }))
    }

    /// Puts a trace line at the end.
    pub fn line(&mut self, rule: RuleId, kind: Kind, name: impl Into<Text>, data: Fields) -> Cause {
        self.put(rule, Output::Line(Line { kind, name: name.into(), data }))
    }

    /// Notes a diagnostic. It is written at once, right below the input that it is about, and changes
    /// nothing.
    pub fn diag(&mut self, rule: RuleId, code: impl Into<Text>, text: impl Into<Text>) {
        self.diag_with(rule, code, text, None);
    }

    /// Notes a diagnostic with a proposal.
    pub fn diag_with(
        &mut self,
        rule: RuleId,
        code: impl Into<Text>,
        text: impl Into<Text>,
        suggestion: Option<Text>,
    ) {
        let data = Fields::one("text", text.into()).with_some("suggestion", suggestion);
        let line = Line { kind: Kind::Diag, name: code.into(), data };
        let item = self.item(self.cause, rule, Output::Line(line));
        self.aside.push(item);
    }

    /// The time updates that come before all else that waits, if some do.
    #[inline]
    pub fn pop_ahead(&mut self) -> Option<Ahead> {
        // Field by field: as a whole they would be read in wider pieces than they were written in, and the
        // processor waits for that.
        let Ahead { who, cause, rule, updates: TimeUpdates { first, step, count } } = *self.ahead.as_ref()?;
        self.ahead = None;
        Some(Ahead { who, cause, rule, updates: TimeUpdates { first, step, count } })
    }

    /// The oldest item that waits.
    pub fn pop(&mut self) -> Option<Item> {
        match self.pop_ahead() {
            Some(updates) => Some(updates.into()),
            None => self.queue.pop_front(),
        }
    }

    /// Puts items that were taken out before all that wait.
    pub fn put_back(&mut self, mut items: VecDeque<Item>) {
        self.line_up();
        items.append(&mut self.queue);
        self.queue = items;
    }

    /// Whether the last input left diagnostics.
    #[must_use]
    pub fn has_diagnostics(&self) -> bool {
        !self.aside.is_empty()
    }

    /// The rule of the newest diagnostic that the last input left.
    #[must_use]
    pub fn last_diagnostic(&self) -> Option<RuleId> {
        self.aside.last().map(|item| item.rule)
    }

    /// The diagnostics of the last input.
    pub fn take_diagnostics(&mut self) -> impl Iterator<Item = Item> + '_ {
        self.aside.drain(..)
    }

    /// Something is to come before all that waits: what is ahead of the queue goes into it.
    fn line_up(&mut self) {
        if let Some(updates) = self.ahead.take() {
            self.queue.push_front(updates.into());
        }
    }

    fn item(&mut self, cause: Cause, rule: RuleId, output: Output) -> Item {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        Item { who: self.who, cause, rule, ticket, output }
    }
}
