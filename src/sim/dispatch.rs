//! Delivery: what players caused becomes lines, events reach their listeners, tasks come back.
//!
//! One queue, first in, first out, never nested: a listener's call takes effect at once, what it causes
//! queues behind. With `dispatch.mode` sync what waits is told around each call, within the listener that makes
//! it. Rules: CLK-4, CLK-6, EVT-1, EVT-2, EVT-5, EVT-11 to EVT-13, EVT-20 to EVT-22, INIT-12.

use std::collections::VecDeque;

use super::*;
use crate::api::{Ahead, Event, Item, Line, Output, Task, TimeUpdates};
use crate::knobs::DispatchMode;
use crate::player::ListenerIndex;
use crate::rules::RuleId;

impl Simulation {
    /// Asks the player when it wants to be woken, and writes the diagnostics of its input.
    #[inline(always)]
    pub(super) fn after_input(&mut self, seat: usize) {
        self.alarms.set(seat, self.seats[seat].next_wake());
        if self.out.has_diagnostics() {
            self.write_diagnostics();
        }
    }

    pub(super) fn write_diagnostics(&mut self) {
        let items: Vec<Item> = self.out.take_diagnostics().collect();
        for Item { who, cause, rule, ticket, output } in items {
            if let Output::Line(line) = output {
                self.write_line(usize::from(who), cause, rule, ticket, line);
            }
        }
    }

    /// Drains the outbox: everything that the input at hand caused.
    #[inline(always)]
    pub(super) fn drain(&mut self) {
        while self.stopped.is_none() {
            if let Some(Ahead { who, cause, rule, updates }) = self.out.pop_ahead() {
                if self.counts_one_more() {
                    self.deliver_updates(usize::from(who), cause, rule, updates);
                }
            } else if let Some(item) = self.out.pop() {
                self.deliver_counted(item);
            } else {
                return;
            }
        }
    }

    fn deliver_counted(&mut self, item: Item) {
        if self.counts_one_more() {
            self.deliver(item);
        }
    }

    /// Counts one more thing of this instant; if there were too many, the run is over. Rule CLK-6.
    #[inline]
    fn counts_one_more(&mut self) -> bool {
        self.tasks_at_instant += 1;
        let is_livelock = self.tasks_at_instant > self.stage.scenario.knobs.limit_tasks_per_instant;
        if is_livelock {
            self.stopped = Some(Stop::Livelock);
        }
        !is_livelock
    }

    /// With `dispatch.mode` sync, tells what has happened: everything that waits is delivered here and now.
    /// Around a call this brings what was before it, and then its own events, before the listener that makes
    /// it goes on; so events keep their order in either mode. A task stays one of its own, and behind
    /// `destroyBefore` there is no other event. Rules CLK-4, EVT-1, DESTROY-10, EV-13.
    pub(super) fn tell(&mut self) {
        if self.stage.scenario.knobs.dispatch_mode == DispatchMode::Queued {
            return;
        }
        let mut kept = VecDeque::new();
        while self.stopped.is_none()
            && let Some(item) = self.out.pop()
        {
            if self.is_for_later(&item) {
                kept.push_back(item);
            } else {
                self.deliver_counted(item);
            }
        }
        self.out.put_back(kept);
    }

    fn is_for_later(&self, item: &Item) -> bool {
        match item.output {
            Output::Task(_) | Output::Media(_) | Output::Entry(_) => true,
            Output::Event(_)
            | Output::TimeUpdates(_)
            | Output::Callback
            | Output::Fetch(_)
            | Output::Line(_) => {
                let seat = self.seats.get(usize::from(item.who));
                seat.is_some_and(|seat| seat.is_leaving() && !seat.is_destroyed())
            }
        }
    }

    #[inline(never)]
    pub(super) fn deliver(&mut self, item: Item) {
        let Item { who, cause, rule, ticket, output } = item;
        let seat = usize::from(who);
        match output {
            Output::TimeUpdates(updates) => self.deliver_updates(seat, cause, rule, updates),
            Output::Event(event) => self.deliver_event(seat, cause, rule, ticket, event),
            Output::Callback => self.run_callback(seat, cause),
            Output::Task(task) => self.run_task(seat, cause, task),
            Output::Media(task) => self.deliver_media(seat, cause, rule, ticket, task),
            Output::Entry(unit) => self.take_entry(unit),
            Output::Fetch(request) => self.fetch(seat, cause, rule, ticket, request),
            Output::Line(line) => self.write_line(seat, cause, rule, ticket, line),
        }
    }

    fn write_line(&mut self, seat: usize, cause: Cause, rule: RuleId, ticket: u32, line: Line) {
        let Line { kind, name, data } = line;
        // What is said of a player that was not made is said of the page.
        let player = (seat < self.seats.len()).then(|| index(seat));
        let new = NewLine { cause, rule: Some(rule), player, kind, name, data };
        let written = self.tape.write(self.now, new);
        self.tape.redeem(ticket, written);
        self.last_change = self.now;
    }

    #[inline(always)]
    pub(super) fn deliver_updates(&mut self, seat: usize, cause: Cause, rule: RuleId, updates: TimeUpdates) {
        if self.seats[seat].is_destroyed() {
            let _ = self.drop_event(seat, cause, EventName::TimeUpdate);
            return;
        }
        let last = updates.first + updates.step.times(u64::from(updates.count - 1));
        let line = self.tape.write_updates(updates, cause, rule, index(seat));
        if last > self.now {
            // A run of several was foretold: nothing else happens before its last, which is now.
            self.now = last;
            self.tasks_at_instant = 1;
        }
        self.last_change = last;
        if self.seats[seat].hears(EventName::TimeUpdate) {
            self.run_listeners(seat, EventName::TimeUpdate, line);
        }
    }

    pub(super) fn deliver_event(
        &mut self,
        seat: usize,
        cause: Cause,
        rule: RuleId,
        ticket: u32,
        event: Event,
    ) {
        let Event { name, data } = event;
        let player = Some(index(seat));
        if self.seats[seat].is_destroyed() {
            let dropped = self.drop_event(seat, cause, name);
            self.tape.redeem(ticket, dropped);
            return;
        }
        let line =
            NewLine { cause, rule: Some(rule), player, kind: Kind::Event, name: name.name().into(), data };
        let written = self.tape.write(self.now, line);
        self.tape.redeem(ticket, written);
        self.last_change = self.now;
        if self.seats[seat].hears(name) {
            self.run_listeners(seat, name, written);
        }
    }

    /// After `destroy` nothing is dispatched. Gives the line that says so. Rule EVT-21.
    fn drop_event(&mut self, seat: usize, cause: Cause, name: EventName) -> u32 {
        let data = Fields::one("text", format!("{name} was queued when the player was destroyed"));
        let (rule, player) = (Some(rule!("EVT-21")), Some(index(seat)));
        let kind = Kind::Diag;
        self.tape.write(self.now, NewLine { cause, rule, player, kind, name: "event_dropped".into(), data })
    }

    /// Runs the listeners of one event in the order in which they were bound. Rules EVT-2, EVT-22.
    #[inline(always)]
    fn run_listeners(&mut self, seat: usize, event: EventName, line: u32) {
        let mut delivery = self.seats[seat].begin_delivery(event);
        while self.stopped.is_none()
            && let Some(listener) = self.seats[seat].next_listener(&mut delivery)
        {
            if self.calls(listener) {
                self.run_acts(seat, event.name(), listener, line);
            }
        }
    }

    /// Counts a call of a listener. Tells whether it does more than hear.
    #[inline(always)]
    fn calls(&mut self, listener: ListenerIndex) -> bool {
        let ListenerIndex(number) = listener;
        self.heard[number] += 1;
        !self.stage.scripts[number].only_hears()
    }

    /// Does what a listener does. A line tells of it only when it makes a call or throws.
    ///
    /// Stays out of the loop over listeners: most of them, of most events, only hear.
    #[inline(never)]
    fn run_acts(&mut self, seat: usize, heard: &'static str, listener: ListenerIndex, line: u32) {
        let ListenerIndex(number) = listener;
        let stage = Arc::clone(&self.stage);
        let script = &stage.scripts[number];
        if let Some(step) = &script.step {
            if step.nth.is_some_and(|nth| nth != self.heard[number]) {
                return;
            }
            if let Some(after) = step.after {
                let happening = Happening::Delayed { script: number, cause: Cause::Line(line) };
                self.agenda.insert(self.now + after, Class::Action, happening);
                return;
            }
        }
        // A listener that acts may bind more of its like: it counts as a task. One that only reads changes
        // nothing, not even that. CLK-6, INV-23
        if script.acts.iter().any(|act| !matches!(act, StepAct::Read(_))) {
            self.tasks_at_instant += 1;
            if self.nesting == MAX_NESTING {
                self.stopped = Some(Stop::Nesting);
                return;
            }
        }
        if self.tasks_at_instant > self.stage.scenario.knobs.limit_tasks_per_instant {
            self.stopped = Some(Stop::Livelock);
            return;
        }
        let data = Fields::one("binding", script.name.clone()).with_some("threw", script.throws.as_ref());
        let rule = match (&script.throws, heard) {
            (Some(_), _) => rule!("EVT-13"),
            (None, "onReady") => rule!("INIT-13"),
            (None, _) => rule!("EVT-2"),
        };
        let line = self.tape.write(
            self.now,
            NewLine {
                cause: Cause::Line(line),
                rule: Some(rule),
                player: Some(index(seat)),
                kind: Kind::Listener,
                name: heard.into(),
                data,
            },
        );
        let outer = std::mem::replace(&mut self.within_ready, matches!(heard, "onReady" | "ready"));
        self.nesting += 1;
        for act in &script.acts {
            self.act_within(act, &script.target, Some(seat), Cause::Line(line));
        }
        self.nesting -= 1;
        self.within_ready = outer;
        self.checkpoint();
    }

    /// The function that was given to the initialiser. Rules INIT-12, INIT-13.
    fn run_callback(&mut self, seat: usize, cause: Cause) {
        if let Some(listener) = self.seats[seat].on_ready
            && self.calls(listener)
        {
            let line = self.tape.resolved(cause).unwrap_or(0);
            self.run_acts(seat, "onReady", listener, line);
        }
    }

    fn run_task(&mut self, seat: usize, cause: Cause, task: Task) {
        if self.seats[seat].is_destroyed() {
            return;
        }
        let cause = self.tape.resolved(cause).map_or(Cause::Script, Cause::Line);
        self.out.begin(index(seat).0, cause, self.now);
        // A task is no call and cannot fail.
        let _ = self.seats[seat].handle(self.now, Input::Task(task), &mut self.out);
        self.after_input(seat);
    }
}
