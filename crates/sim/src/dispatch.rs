//! Delivers the output of players: writes lines, calls listeners, and runs tasks.
//!
//! There is one queue, first in, first out, without nesting: a listener's call takes effect at
//! once, and its effects are added to the end of the queue. With `dispatch.mode` sync, waiting
//! events are delivered before and after each call, within the listener that makes it. Rules:
//! CLK-4, CLK-6, EVT-1, EVT-2, EVT-5, EVT-11 to EVT-13, EVT-20 to EVT-22, INIT-12.

use super::outcome::Stop;
use super::stage::{OnStep, Script};
use super::{AgendaItem, Simulation};
use playsim_api::{
    Ahead, Because, BreakNumber, Cause, Class, Code, Event, EventName, Fields, Input, Item, Line,
    MediaTask, MediaWork, Output, PlayerIndex, Provenance, Task, Text, TimeUpdates,
};
use playsim_api::{Kind, LineName};
use playsim_base::time::Time;
use playsim_player::{Dispatch, ListenerIndex};
use playsim_rules as rules;
use playsim_rules::knobs::DispatchMode;
use playsim_scenario::{CallScript, StepAct};
use playsim_trace::NewLine;
use std::collections::VecDeque;
use std::sync::Arc;

/// The name under which the trace shows calls of the ready callback. Rule INIT-13.
pub(super) const ON_READY: &str = "onReady";

/// The field of a listener's line for the exception that it threw. Rule EVT-13.
pub(super) const THREW: &str = "threw";

impl Simulation {
    /// Updates the player's alarm, and writes the diagnostics of its input.
    #[inline(always)]
    pub(super) fn after_input(&mut self, seat: PlayerIndex) {
        self.alarms.set(seat, self.seats[seat].next_wake());
        if self.out.has_diagnostics() {
            self.write_diagnostics();
        }
    }

    pub(super) fn write_diagnostics(&mut self) {
        let items: Vec<Item> = self.out.take_diagnostics().collect();
        for Item { from, output } in items {
            if let Output::Line(line) = output {
                self.write_line(from, line);
            }
        }
    }

    /// Delivers everything that the current input caused.
    #[inline(always)]
    pub(super) fn drain(&mut self) {
        while self.deliver_next() {}
    }

    /// Delivers the oldest thing that the current input caused, and returns whether there was one.
    #[inline(always)]
    pub(super) fn deliver_next(&mut self) -> bool {
        if self.stopped.is_some() || self.out.is_empty() {
            return false;
        }
        if let Some(Ahead {
            player,
            because,
            updates,
        }) = self.out.pop_ahead()
        {
            self.deliver_updates(player, because, updates);
        } else if let Some(item) = self.out.pop() {
            self.deliver_counted(item);
        }
        true
    }

    #[inline]
    fn deliver_counted(&mut self, item: Item) {
        let counted = if is_time_update(&item.output) {
            Ok(())
        } else {
            self.count_task()
        };
        if self.goes_on(counted) {
            self.deliver(item);
        }
    }

    #[inline]
    fn count_task(&mut self) -> Result<(), Stop> {
        if self.budget.count_task(self.tape.next_seq())? && self.goes_round() {
            return Err(Stop::Circle);
        }
        Ok(())
    }

    /// With `dispatch.mode` sync, delivers all waiting events at once. This is done before and
    /// after a call, so that earlier events come first, then the call's own, and only then the
    /// listener that made the call continues; the order of events is the same in both modes. Tasks
    /// are still run later, and no event is delivered after `destroyBefore`. Rules CLK-4, EVT-1,
    /// DESTROY-10, EV-13.
    pub(super) fn deliver_waiting(&mut self) {
        if self.stage.knobs.dispatch_mode() == DispatchMode::Queued {
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
        let Item {
            from: Provenance { player, .. },
            output,
        } = item;
        matches!(
            output,
            Output::Task(_) | Output::Media(_) | Output::Entry(_)
        ) || (self.seats.contains(*player)
            && self.seats[*player].is_leaving()
            && !self.seats[*player].is_destroyed())
    }

    #[inline(never)]
    pub(super) fn deliver(&mut self, item: Item) {
        let Item { from, output } = item;
        let Provenance {
            player, because, ..
        } = from;
        match output {
            Output::TimeUpdates(updates) => self.deliver_updates(player, because, updates),
            Output::Event(event) => self.deliver_event(from, event),
            Output::Callback => self.run_callback(player, because.cause),
            Output::Task(task) => self.run_task(player, because.cause, task),
            Output::Media(task) => self.deliver_media(from, task),
            Output::Entry(unit) => self.take_entry(unit),
            Output::Fetch(request) if self.is_given_up(player, request.id) => {}
            Output::Fetch(request) => self.fetch(from, request),
            Output::Line(line) => self.write_line(from, line),
        }
    }

    fn write_line(&mut self, from: Provenance, mut line: Line) {
        let Provenance {
            player,
            because: Because { rule, cause },
            in_break,
            ticket,
        } = from;
        self.mark_if_blocked(&mut line);
        // A line about a player that was not created belongs to the page.
        let player = self.seats.contains(player).then_some(player);
        let name = if line.kind() == Kind::Ui {
            LineName::from_name(Kind::Ui, line.name())
        } else {
            None
        };
        let new = NewLine {
            cause,
            rule: Some(rule),
            player,
            in_break,
            line,
        };
        let written = self.tape.write(self.now, new);
        self.tape.resolve_ticket(ticket, written);
        self.last_change = self.now;
        if let Some(LineName::Ui(line)) = name {
            self.consumes_activation(line, written);
        }
    }

    #[inline(always)]
    pub(super) fn deliver_updates(
        &mut self,
        seat: PlayerIndex,
        because: Because,
        updates: TimeUpdates,
    ) {
        if self.seats[seat].is_destroyed() {
            let _ = self.drop_event(seat, because.cause, None, EventName::TimeUpdate);
            return;
        }
        // Several updates may have been produced in advance: nothing else happens before the last
        // one.
        let TimeUpdates { first, step, count } = updates;
        if !self.seats[seat].listeners().hears(EventName::TimeUpdate) && !self.is_watched(seat) {
            self.tape.write_updates(updates, because, seat);
            self.updated(first + step.times(u64::from(count - 1)));
            return;
        }
        for number in 0..count {
            let update = TimeUpdates {
                first: first + step.times(u64::from(number)),
                step,
                count: 1,
            };
            let line = self.tape.write_updates(update, because, seat);
            self.updated(update.first);
            self.run_listeners(seat, EventName::TimeUpdate, line);
            if self.stopped.is_some() {
                return;
            }
        }
    }

    /// A time update was written.
    #[inline(always)]
    fn updated(&mut self, at: Time) {
        self.move_to(at);
        self.last_change = at;
    }

    pub(super) fn deliver_event(&mut self, from: Provenance, event: Event) {
        let Provenance {
            player: seat,
            because: Because { rule, cause },
            in_break,
            ticket,
        } = from;
        let Event { name, data } = event;
        let player = Some(seat);
        if self.seats[seat].is_destroyed() {
            let dropped = self.drop_event(seat, cause, in_break, name);
            self.tape.resolve_ticket(ticket, dropped);
            return;
        }
        let line = NewLine {
            cause,
            rule: Some(rule),
            player,
            in_break,
            line: Line::new(name, data),
        };
        let written = self.tape.write(self.now, line);
        self.tape.resolve_ticket(ticket, written);
        self.last_change = self.now;
        if self.seats[seat].listeners().hears(name) || self.live.is_some() {
            self.run_listeners(seat, name, written);
        }
    }

    /// Writes that an event was dropped, as nothing is dispatched after `destroy`, and returns the
    /// line. Rule EVT-21.
    fn drop_event(
        &mut self,
        seat: PlayerIndex,
        cause: Cause,
        in_break: Option<BreakNumber>,
        name: EventName,
    ) -> u32 {
        let (rule, player) = (Some(rules::EVT_21), Some(seat));
        self.tape.write(
            self.now,
            NewLine {
                cause,
                rule,
                player,
                in_break,
                line: dropped(name),
            },
        )
    }

    /// Calls the listeners of one event in the order in which they were bound. Rules EVT-2, EVT-22.
    #[inline(always)]
    fn run_listeners(&mut self, seat: PlayerIndex, event: EventName, line: u32) {
        if self.live.is_some() {
            return self.run_live_listeners(seat, event, line);
        }
        let mut delivery = self.seats[seat].listeners().begin(event);
        while self.run_next(seat, event, line, &mut delivery) {}
    }

    /// Calls the next listener of a delivery; returns `false` if there is none.
    #[inline(always)]
    pub(super) fn run_next(
        &mut self,
        seat: PlayerIndex,
        event: EventName,
        line: u32,
        delivery: &mut Dispatch,
    ) -> bool {
        if self.stopped.is_some() || delivery.is_over() {
            return false;
        }
        let Some(listener) = self.seats[seat].next_listener(delivery) else {
            return false;
        };
        if self.calls(listener) {
            self.run_acts(seat, event.name(), listener, line);
        }
        true
    }

    /// Counts a call of a listener; if there are too many, the run ends after this one. A step that
    /// waits for another delivery is not called, and counters are not limited. Returns whether the
    /// trace shows the call. Rule CLK-12.
    #[inline(always)]
    fn calls(&mut self, listener: ListenerIndex) -> bool {
        let ListenerIndex(number) = listener;
        let Some(heard) = self.heard.get_mut(number) else {
            return false;
        };
        *heard = heard.saturating_add(1);
        let waits = |step: &OnStep| step.nth.is_some_and(|nth| nth != *heard);
        let script = self.stage.scripts.get(number);
        if listener == self.stage.counter()
            || script
                .and_then(|script| script.step.as_ref())
                .is_some_and(waits)
        {
            return false;
        }
        let is_unnamed = script.is_some_and(Script::is_unnamed);
        let counted = self.budget.count_delivery();
        self.goes_on(counted);
        !is_unnamed
    }

    /// Writes the line of a listener's call, and performs the listener's actions.
    #[inline(never)]
    fn run_acts(
        &mut self,
        seat: PlayerIndex,
        heard: &'static str,
        listener: ListenerIndex,
        line: u32,
    ) {
        let ListenerIndex(number) = listener;
        let stage = Arc::clone(&self.stage);
        let Some(script) = stage.scripts.get(number) else {
            self.settle_sources();
            return self.run_function(seat, heard, number - stage.scripts.len(), line);
        };
        if let Some(after) = script.step.as_ref().and_then(|step| step.after) {
            self.settle_sources();
            let happening = AgendaItem::Delayed {
                script: number,
                seat,
                cause: Cause::Line(line),
            };
            self.agenda
                .insert(self.now + after, Class::Action, happening);
            return;
        }
        self.run_script(seat, heard, script, self.heard[number], line);
    }

    /// Counts the actions that a listener is about to perform, at once or after a delay, since it
    /// may bind further listeners; one too many ends the run. Rule CLK-12.
    pub(super) fn counts_acts(&mut self, acts: &[StepAct]) -> bool {
        let counted = self.budget.count_acts(acting(acts));
        self.goes_on(counted)
    }

    /// Writes the line of a listener's call, its `nth`, and performs its actions.
    pub(super) fn run_script(
        &mut self,
        seat: PlayerIndex,
        heard: &'static str,
        script: &Script,
        nth: u32,
        line: u32,
    ) {
        let CallScript { acts, throws } = script.does.call(nth);
        // The acts of a page-code function are known only once it runs; so are those of a recorded
        // one.
        let is_recorded = !script.does.calls.is_empty();
        let acting = acting(acts);
        if !is_recorded {
            let counted = self.budget.count_acts(acting);
            if !self.goes_on(counted) {
                return;
            }
        }
        if is_recorded || acting > 0 {
            self.settle_sources();
            let counted = self.budget.may_nest();
            if !self.goes_on(counted) {
                return;
            }
        }
        let line = self.write_listener(seat, heard, script.name.clone(), throws.as_ref(), line);
        let outer = self.begin_listener(heard);
        self.sources.only_reads = !is_recorded && acting == 0;
        for act in acts {
            if is_recorded && !self.counts_acts(std::slice::from_ref(act)) {
                break;
            }
            self.act_within(act, script.target(), Some(seat), Cause::Line(line));
        }
        self.sources.only_reads = false;
        self.end_listener(outer);
    }

    /// Writes the line of a listener's call.
    pub(super) fn write_listener(
        &mut self,
        seat: PlayerIndex,
        heard: &'static str,
        name: Text,
        throws: Option<&Arc<str>>,
        line: u32,
    ) -> u32 {
        let data = Fields::one("binding", name).with_some(THREW, throws);
        let rule = match (throws, heard) {
            (Some(_), _) => rules::EVT_13,
            (None, ON_READY) => rules::INIT_13,
            (None, _) => rules::EVT_2,
        };
        let (cause, line) = (Cause::Line(line), Line::listener(heard, data));
        self.tape.write(
            self.now,
            NewLine {
                cause,
                rule: Some(rule),
                player: Some(seat),
                in_break: None,
                line,
            },
        )
    }

    /// A listener begins to act. Returns whether the one around it was called when a player became
    /// ready.
    pub(super) fn begin_listener(&mut self, heard: &'static str) -> bool {
        self.budget.nest();
        std::mem::replace(
            &mut self.within_ready,
            heard == ON_READY || heard == EventName::Ready.name(),
        )
    }

    /// A listener has acted.
    pub(super) fn end_listener(&mut self, outer: bool) {
        self.budget.unnest();
        self.within_ready = outer;
        self.checkpoint();
    }

    /// Calls the function that was passed to the initialiser. Rules INIT-12, INIT-13.
    fn run_callback(&mut self, seat: PlayerIndex, cause: Cause) {
        if let Some(listener) = self.seats[seat].on_ready
            && self.calls(listener)
        {
            let line = self.tape.resolved(cause).unwrap_or(0);
            self.run_acts(seat, ON_READY, listener, line);
        }
    }

    fn run_task(&mut self, seat: PlayerIndex, cause: Cause, task: Task) {
        if self.seats[seat].is_destroyed() {
            return;
        }
        let cause = self.tape.resolved(cause).map_or(Cause::Script, Cause::Line);
        self.out.begin(seat, cause, self.now);
        // A task is not a call and cannot fail.
        let _ = self.seats[seat].handle(Input::Task(task), &mut self.out);
        self.after_input(seat);
    }
}

/// The line of an event that is not delivered, because its player was destroyed. Rule EVT-21.
pub(super) fn dropped(name: EventName) -> Line {
    let text = format!("{name} was queued when the player was destroyed");
    Line::new(Code::EventDropped, Fields::one("text", text))
}

/// How many of these actions count. Readings change nothing. Rules CLK-12, INV-23.
fn acting(acts: &[StepAct]) -> u32 {
    let mut count = 0_u32;
    for act in acts {
        count = count.saturating_add(match act {
            StepAct::Read(_) | StepAct::Let { .. } => 0,
            StepAct::Task(acts) => acting(acts),
            StepAct::When { act, .. } => acting(std::slice::from_ref(act)),
            StepAct::For { act, .. } => u32::from(!matches!(**act, StepAct::Read(_))),
            StepAct::Init { .. }
            | StepAct::Queue { .. }
            | StepAct::Element { .. }
            | StepAct::Do { .. }
            | StepAct::Use { .. }
            | StepAct::User(_)
            | StepAct::Page(_)
            | StepAct::Script(_)
            | StepAct::Container(_)
            | StepAct::Edit(_) => 1,
        });
    }
    count
}

/// Whether it is a time update of a player or of a bare element.
fn is_time_update(output: &Output) -> bool {
    matches!(
        output,
        Output::TimeUpdates(_)
            | Output::Media(MediaTask {
                work: MediaWork::TimeUpdates(_),
                ..
            })
    )
}
