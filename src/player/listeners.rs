//! Which listeners are bound to which events, in what order they run.
//!
//! A listener is known by its number in the scenario's list, so that a delivery compares no names. Delivery
//! itself is the simulation's: it asks for one binding after the other, so that what a listener
//! binds or removes while an event is being delivered counts as the rules say.
//!
//! Rules: EVT-3 to EVT-12, EVT-16, EVT-17, EVT-19.

use crate::api::{ApiError, Call, EventName, Outbox, Text, Value};
use crate::knobs::Knobs;
use crate::rule;
use crate::words;

/// A function that page code can bind: its place in [`Settings::listeners`](super::Settings::listeners).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ListenerIndex(pub usize);

/// All bindings of one player, oldest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Listeners {
    bindings: Vec<Binding>,
    next_serial: u32,
    /// One bit for each event that has a binding, so that asking costs nothing.
    heard: u64,
}

#[derive(Debug, Clone, Copy)]
struct Binding {
    serial: u32,
    event: EventName,
    listener: ListenerIndex,
    once: bool,
}

/// How far the delivery of one event has come.
#[derive(Debug, Clone, Copy)]
pub struct Delivery {
    event: EventName,
    /// Bindings below this number have had their turn.
    next: u32,
    /// Behind the last binding of the event; those from here on were made later. Rule EVT-11.
    end: u32,
}

impl Listeners {
    pub(crate) fn hears(&self, event: EventName) -> bool {
        self.heard & bit(event) != 0
    }

    pub(crate) fn begin(&self, event: EventName) -> Delivery {
        let last = self.bindings.iter().rev().find(|binding| binding.event == event);
        Delivery { event, next: 0, end: last.map_or(0, |binding| binding.serial + 1) }
    }

    /// The next listener to run. A binding made for one dispatch is gone before its listener runs, so
    /// that it cannot be called twice. Rules EVT-2, EVT-5, EVT-11, EVT-12.
    #[inline(always)]
    pub(crate) fn next(&mut self, delivery: &mut Delivery) -> Option<ListenerIndex> {
        if delivery.next >= delivery.end {
            return None;
        }
        let due = |binding: &Binding| {
            binding.event == delivery.event && (delivery.next..delivery.end).contains(&binding.serial)
        };
        let index = self.bindings.iter().position(due)?;
        let Binding { serial, listener, once, .. } = self.bindings[index];
        delivery.next = serial + 1;
        if once {
            self.remove_at(index);
        }
        Some(listener)
    }

    pub(crate) fn bind(&mut self, event: EventName, listener: ListenerIndex, once: bool) {
        self.bindings.push(Binding { serial: self.next_serial, event, listener, once });
        self.next_serial += 1;
        self.heard |= bit(event);
    }

    /// `on`, `once`, `off` and their older spellings. A function that is not in the list does nothing.
    pub(super) fn call(
        &mut self,
        call: Call,
        args: &[Value],
        functions: &[Text],
        knobs: &Knobs,
        out: &mut Outbox,
    ) -> Result<(), ApiError> {
        let names = event_names(call, args, knobs, out)?;
        let Some(Value::Function(function)) = args.get(1) else {
            let rule = if is_off(call) { rule!("EVT-8") } else { rule!("EVT-3") };
            let text = format!("{}() needs a function as its second argument", call.name());
            return Err(ApiError { code: "bad_argument", text: text.into(), rule });
        };
        let place = functions.iter().position(|known| known == function);
        let listener = ListenerIndex(place.unwrap_or(functions.len()));
        for event in names {
            if is_off(call) {
                self.remove(event, listener);
            } else if !knobs.bus_dedupe.is_on() || !self.has(event, listener) {
                self.bind(event, listener, matches!(call, Call::Once | Call::AddOnce));
            }
        }
        Ok(())
    }

    /// Removes every binding of a listener to an event. Rule EVT-7.
    fn remove(&mut self, event: EventName, listener: ListenerIndex) {
        self.bindings.retain(|binding| binding.event != event || binding.listener != listener);
        self.recount();
    }

    fn remove_at(&mut self, index: usize) {
        self.bindings.remove(index);
        self.recount();
    }

    fn has(&self, event: EventName, listener: ListenerIndex) -> bool {
        self.bindings.iter().any(|binding| binding.event == event && binding.listener == listener)
    }

    fn recount(&mut self) {
        self.heard = self.bindings.iter().fold(0, |heard, binding| heard | bit(binding.event));
    }
}

const fn bit(event: EventName) -> u64 {
    1 << event as u8
}

const fn is_off(call: Call) -> bool {
    matches!(call, Call::Off | Call::Remove)
}

/// The events that the first argument names: one or, everywhere, a list. Rules EVT-3, EVT-4, EVT-6.
fn event_names(
    call: Call,
    args: &[Value],
    knobs: &Knobs,
    out: &mut Outbox,
) -> Result<Vec<EventName>, ApiError> {
    let bad = || ApiError {
        code: "bad_argument",
        text: format!("{}() needs the name of an event as its first argument", call.name()).into(),
        rule: rule!("EVT-3"),
    };
    let names = match args.first() {
        Some(Value::List(_)) if call != Call::On && !knobs.bus_array_everywhere.is_on() => {
            let text = format!("{}() takes one event; only on() takes a list", call.name());
            return Err(ApiError { code: "bad_argument", text: text.into(), rule: rule!("EVT-6") });
        }
        Some(Value::List(names)) => names.as_slice(),
        Some(name) => std::slice::from_ref(name),
        None => return Err(bad()),
    };
    if names.is_empty() {
        out.diag(rule!("EVT-4"), "no_event_named", format!("{}() was given an empty list", call.name()));
    }
    let mut events = Vec::with_capacity(names.len());
    for name in names {
        let name = name.as_text().filter(|name| !name.is_empty()).ok_or_else(bad)?;
        // Those of the media element are heard only on demand. EVT-18
        let is_heard = |event: &EventName| event.is_documented() || knobs.bus_expose_html.is_on();
        match EventName::read(name).filter(is_heard) {
            Some(event) => events.push(event),
            None => unknown(name, out),
        }
    }
    Ok(events)
}

/// A name outside the table is accepted and never fires. Rules EVT-16, EVT-17, CON-1.
fn unknown(name: &Text, out: &mut Outbox) {
    // The reference itself has this one, where it means the other. CON-1
    let rule = if **name == *"adStarted" { rule!("CON-1") } else { rule!("EVT-17") };
    let nearest = words::nearest(name, EventName::DOCUMENTED.iter().map(|event| event.name()));
    let text = format!("no event is named \"{name}\"; a listener of it never runs");
    out.diag_with(rule, "unknown_event", text, nearest.map(|near| Text::from(near.to_owned())));
}
