//! The listeners of each event, and the order in which they run.
//!
//! A listener is identified by the number that the driver of the player gives it, so that a
//! delivery compares no names. The driver performs the delivery: it asks for one binding after the
//! other, so that listeners which are bound or removed during a delivery are treated as the rules
//! say.
//!
//! Rules: EVT-3 to EVT-12, EVT-16, EVT-17, EVT-19.

use playsim_api::{ApiError, Call, Code, Command, EventName, ListenerIndex, Outbox, Text, Value};
use playsim_base::words;
use playsim_rules as rules;
use playsim_rules::knobs::KnobReader;

/// A function without a number, which does nothing.
const NOBODY: ListenerIndex = ListenerIndex(usize::MAX);

/// All bindings of one player.
#[derive(Debug, Clone, Default, Hash)]
pub struct Listeners {
    /// The bindings of each event, by its number, so that a delivery looks only at those of its own
    /// event.
    of_events: Vec<Bindings>,
    next_serial: u64,
    /// One bit for each event that has a binding, so that the check costs next to nothing.
    heard: u64,
    /// How many bindings deliveries have looked at.
    #[cfg(test)]
    looks: u64,
}

/// The bindings of one event, oldest first.
///
/// A removed binding keeps its place until more than half of them are removed, so that removing
/// costs as little as binding.
#[derive(Debug, Clone, Default, Hash)]
struct Bindings {
    all: Vec<Binding>,
    /// How many of them are removed.
    gone: usize,
}

#[derive(Debug, Clone, Copy, Hash)]
struct Binding {
    serial: u64,
    listener: ListenerIndex,
    is_once: bool,
    is_gone: bool,
}

/// How far the delivery of one event has got.
#[derive(Debug, Clone, Copy)]
pub struct Dispatch {
    event: EventName,
    /// Bindings with a serial below this one have had their turn.
    next: u64,
    /// The serial after the event's last binding; later bindings were made during the delivery.
    /// Rule EVT-11.
    end: u64,
    /// The index of the next binding, unless earlier ones have been cleared away.
    at: usize,
}

impl Dispatch {
    /// Whether every binding has had its turn.
    #[inline]
    pub fn is_over(&self) -> bool {
        self.next >= self.end
    }
}

impl Bindings {
    /// The index of the first binding with at least this serial.
    #[inline(always)]
    fn place(&self, serial: u64, guess: usize) -> usize {
        let is_before = |index: usize| {
            self.all
                .get(index)
                .is_some_and(|binding| binding.serial < serial)
        };
        let is_right = (guess == 0 || is_before(guess - 1)) && !is_before(guess);
        if is_right {
            guess
        } else {
            self.all.partition_point(|binding| binding.serial < serial)
        }
    }

    /// The bindings that are not removed.
    fn bound(&self) -> impl Iterator<Item = &Binding> {
        self.all.iter().filter(|binding| !binding.is_gone)
    }

    fn is_empty(&self) -> bool {
        self.gone == self.all.len()
    }

    fn remove_at(&mut self, index: usize) {
        self.all[index].is_gone = true;
        self.gone += 1;
    }

    /// Drops the removed bindings once they are more than half of all.
    fn clear(&mut self) {
        if 2 * self.gone > self.all.len() {
            self.all.retain(|binding| !binding.is_gone);
            self.gone = 0;
        }
    }
}

/// How functions are bound.
struct Terms<F> {
    /// Whether page code can hear an event.
    is_heard: F,
    /// Whether a function that is bound already is not bound again.
    dedupes: bool,
    /// Whether calls other than `on` take a list of events.
    takes_lists: bool,
}

impl Listeners {
    /// Whether a listener is bound to the event.
    #[inline]
    pub fn hears(&self, event: EventName) -> bool {
        self.heard & bit(event) != 0
    }

    /// The listeners that are bound to an event now.
    #[inline]
    pub fn of(&self, event: EventName) -> impl Iterator<Item = ListenerIndex> {
        let bindings = self.of_events.get(event as usize);
        bindings
            .into_iter()
            .flat_map(Bindings::bound)
            .map(|binding| binding.listener)
    }

    /// Begins a dispatch: listeners that are bound from now on do not take part. Rule EVT-11.
    #[inline]
    pub fn begin(&self, event: EventName) -> Dispatch {
        let last = self
            .of_events
            .get(event as usize)
            .and_then(|bindings| bindings.all.last());
        Dispatch {
            event,
            next: 0,
            end: last.map_or(0, |binding| binding.serial + 1),
            at: 0,
        }
    }

    /// The next listener to run. A binding made for one dispatch is removed before its listener
    /// runs, so that it cannot run twice. Rules EVT-2, EVT-5, EVT-11, EVT-12.
    #[inline(always)]
    pub fn next(&mut self, delivery: &mut Dispatch) -> Option<ListenerIndex> {
        if delivery.is_over() {
            return None;
        }
        let bindings = self.of_events.get_mut(delivery.event as usize)?;
        let mut at = bindings.place(delivery.next, delivery.at);
        loop {
            let Binding {
                serial,
                listener,
                is_once,
                is_gone,
            } = *bindings.all.get(at)?;
            #[cfg(test)]
            {
                self.looks += 1;
            }
            if serial >= delivery.end {
                return None;
            }
            at += 1;
            if is_gone {
                continue;
            }
            (delivery.next, delivery.at) = (serial + 1, at);
            if is_once {
                bindings.remove_at(at - 1);
                self.tidy(delivery.event);
            }
            return Some(listener);
        }
    }

    /// Binds a listener to an event.
    pub fn bind(&mut self, event: EventName, listener: ListenerIndex, is_once: bool) {
        let number = event as usize;
        if self.of_events.len() <= number {
            self.of_events.resize_with(number + 1, Bindings::default);
        }
        let binding = Binding {
            serial: self.next_serial,
            listener,
            is_once,
            is_gone: false,
        };
        self.of_events[number].all.push(binding);
        self.next_serial += 1;
        self.heard |= bit(event);
    }

    /// `on`, `once`, `off` and their older spellings on a bare media element. Returns `None` for
    /// other calls. Rule MEL-27.
    pub fn call_on_element(
        &mut self,
        command: &Command,
        out: &mut Outbox,
    ) -> Option<Result<Value, ApiError>> {
        let binds = matches!(
            command.call,
            Call::On | Call::Once | Call::Add | Call::AddOnce
        );
        if !binds && !is_off(command.call) {
            return None;
        }
        out.decide(rules::MEL_27);
        let terms = Terms {
            is_heard: |_: &EventName| true,
            dedupes: true,
            takes_lists: false,
        };
        Some(
            self.bind_all(command, &terms, out)
                .map(|()| Value::Undefined),
        )
    }

    /// `on`, `once`, `off` and their older spellings.
    pub(super) fn call(
        &mut self,
        command: &Command,
        knobs: &KnobReader,
        out: &mut Outbox,
    ) -> Result<(), ApiError> {
        // Events of the media element can be listened to only if they are exposed. EVT-18
        let is_heard = |event: &EventName| event.is_documented() || knobs.bus_expose_html().is_on();
        let (dedupes, takes_lists) = (
            knobs.bus_dedupe().is_on(),
            knobs.bus_array_everywhere().is_on(),
        );
        self.bind_all(
            command,
            &Terms {
                is_heard,
                dedupes,
                takes_lists,
            },
            out,
        )
    }

    fn bind_all(
        &mut self,
        command: &Command,
        terms: &Terms<impl Fn(&EventName) -> bool>,
        out: &mut Outbox,
    ) -> Result<(), ApiError> {
        let Command {
            call,
            ref args,
            listener,
            ..
        } = *command;
        let names = event_names(call, args, terms, out)?;
        let Some(Value::Function(_)) = args.get(1) else {
            let rule = if is_off(call) {
                rules::EVT_8
            } else {
                rules::EVT_3
            };
            let text = format!("{}() takes a function as its second argument", call.name());
            return Err(ApiError {
                code: Code::BadArgument,
                text: text.into(),
                rule,
            });
        };
        let listener = listener.unwrap_or(NOBODY);
        for event in names {
            if is_off(call) {
                self.remove(event, listener);
            } else if !terms.dedupes || !self.has(event, listener) {
                self.bind(event, listener, matches!(call, Call::Once | Call::AddOnce));
            }
        }
        Ok(())
    }

    /// Removes every binding of a listener to an event. Rule EVT-7.
    fn remove(&mut self, event: EventName, listener: ListenerIndex) {
        let Some(bindings) = self.of_events.get_mut(event as usize) else {
            return;
        };
        for index in 0..bindings.all.len() {
            let Binding {
                listener: bound,
                is_gone,
                ..
            } = bindings.all[index];
            if bound == listener && !is_gone {
                bindings.remove_at(index);
            }
        }
        self.tidy(event);
    }

    fn has(&self, event: EventName, listener: ListenerIndex) -> bool {
        let bindings = self.of_events.get(event as usize);
        bindings
            .is_some_and(|bindings| bindings.bound().any(|binding| binding.listener == listener))
    }

    /// Tidies up after bindings of an event were removed.
    fn tidy(&mut self, event: EventName) {
        let Some(bindings) = self.of_events.get_mut(event as usize) else {
            return;
        };
        bindings.clear();
        if bindings.is_empty() {
            self.heard &= !bit(event);
        }
    }
}

const fn bit(event: EventName) -> u64 {
    1 << event as u8
}

const fn is_off(call: Call) -> bool {
    matches!(call, Call::Off | Call::Remove)
}

/// The events that the first argument names: one, or a list where the call accepts it. Rules EVT-3,
/// EVT-4, EVT-6.
fn event_names(
    call: Call,
    args: &[Value],
    terms: &Terms<impl Fn(&EventName) -> bool>,
    out: &mut Outbox,
) -> Result<Vec<EventName>, ApiError> {
    let bad = || ApiError {
        code: Code::BadArgument,
        text: format!(
            "{}() takes the name of an event as its first argument",
            call.name()
        )
        .into(),
        rule: rules::EVT_3,
    };
    let names = match args.first() {
        // The older name of `on` is equivalent to it. EVT-9
        Some(Value::List(_)) if !matches!(call, Call::On | Call::Add) && !terms.takes_lists => {
            let text = format!(
                "{}() takes one event; only on() and add() take a list",
                call.name()
            );
            return Err(ApiError {
                code: Code::BadArgument,
                text: text.into(),
                rule: rules::EVT_6,
            });
        }
        Some(Value::List(names)) => names.as_slice(),
        Some(name) => std::slice::from_ref(name),
        None => return Err(bad()),
    };
    if names.is_empty() {
        out.diag(
            rules::EVT_4,
            Code::NoEventNamed,
            format!("{}() was given an empty list", call.name()),
        );
    }
    let mut events = Vec::with_capacity(names.len());
    for name in names {
        let name = name
            .as_text()
            .filter(|name| !name.is_empty())
            .ok_or_else(bad)?;
        match EventName::from_name(name).filter(&terms.is_heard) {
            Some(event) => events.push(event),
            None => unknown(name, out),
        }
    }
    Ok(events)
}

/// Reports a name that is not an event's; the call is accepted, but the listener never runs. Rules
/// EVT-16, EVT-17, CON-1.
fn unknown(name: &Text, out: &mut Outbox) {
    // The reference itself uses this name in one place instead of the right one. CON-1
    let rule = if **name == *"adStarted" {
        rules::CON_1
    } else {
        rules::EVT_17
    };
    let nearest = words::nearest(name, EventName::DOCUMENTED.iter().map(|event| event.name()));
    let text = format!("unknown event \"{name}\"; its listener never runs");
    out.diag_with(
        rule,
        Code::UnknownEvent,
        text,
        nearest.map(|near| Text::from(near.to_owned())),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEARD: EventName = EventName::TimeUpdate;

    /// Delivers an event; returns the listeners that ran.
    fn delivered(
        listeners: &mut Listeners,
        mut then: impl FnMut(&mut Listeners, usize),
    ) -> Vec<usize> {
        let (mut delivery, mut heard) = (listeners.begin(HEARD), Vec::new());
        while let Some(ListenerIndex(number)) = listeners.next(&mut delivery) {
            heard.push(number);
            then(listeners, number);
        }
        heard
    }

    #[test]
    fn a_delivery_looks_at_each_binding_of_its_event_once() {
        let mut listeners = Listeners::default();
        for number in 0..1_000 {
            listeners.bind(HEARD, ListenerIndex(number), false);
            listeners.bind(EventName::Progress, ListenerIndex(number), false);
        }
        // Each of them binds another listener, which this delivery does not reach.
        let heard = delivered(&mut listeners, |listeners, number| {
            listeners.bind(HEARD, ListenerIndex(number), false);
        });
        assert_eq!(heard, (0..1_000).collect::<Vec<_>>());
        assert_eq!(listeners.looks, 1_000);
        assert_eq!(delivered(&mut listeners, |_, _| {}).len(), 2_000);
        assert_eq!(listeners.looks, 3_000);
    }

    #[test]
    fn bindings_for_one_dispatch_cost_no_more_than_others() {
        let mut listeners = Listeners::default();
        for number in 0..1_000 {
            listeners.bind(HEARD, ListenerIndex(number), true);
        }
        let heard = delivered(&mut listeners, |listeners, number| {
            listeners.bind(HEARD, ListenerIndex(number), true);
        });
        assert_eq!(heard.len(), 1_000);
        assert_eq!(delivered(&mut listeners, |_, _| {}), heard);
        assert!(!listeners.hears(HEARD));
        assert!(
            listeners.looks <= 5_000,
            "{} looks for 2000 deliveries",
            listeners.looks
        );
    }

    #[test]
    fn a_listener_removed_during_a_delivery_is_skipped_and_none_runs_twice() {
        let mut listeners = Listeners::default();
        for number in 0..10 {
            listeners.bind(HEARD, ListenerIndex(number), number % 3 == 0);
        }
        // Enough bindings are removed for the list to be compacted in the middle of the delivery.
        let heard = delivered(&mut listeners, |listeners, number| {
            if number == 4 {
                for gone in [0, 1, 2, 4, 5, 8] {
                    listeners.remove(HEARD, ListenerIndex(gone));
                }
            }
        });
        assert_eq!(heard, [0, 1, 2, 3, 4, 6, 7, 9]);
        assert_eq!(delivered(&mut listeners, |_, _| {}), [7]);
        listeners.remove(HEARD, ListenerIndex(7));
        assert!(!listeners.hears(HEARD) && listeners.of_events[HEARD as usize].all.is_empty());
    }
}
