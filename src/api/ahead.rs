//! What comes before the queue of an outbox.
//!
//! Rules: CLK-4, EVT-23.

use super::outbox::{Cause, Item, Output, TimeUpdates};
use crate::rules::RuleId;

/// Time updates with their reason: what most inputs cause, and all that they cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ahead {
    /// Whose they are.
    pub who: u16,
    /// What led to them.
    pub cause: Cause,
    /// The rule that decided.
    pub rule: RuleId,
    /// How many there are, and when.
    pub updates: TimeUpdates,
}

/// Nothing names time updates as its cause, so they need no ticket.
impl From<Ahead> for Item {
    fn from(Ahead { who, cause, rule, updates }: Ahead) -> Item {
        Item { who, cause, rule, ticket: u32::MAX, output: Output::TimeUpdates(updates) }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;
    use crate::api::{EventName, Outbox, Task};
    use crate::rule;
    use crate::time::{Span, Time};

    const PAUSE: EventName = EventName::Pause;
    const DATA: Output = Output::Task(Task::Data);

    fn updates(count: u32) -> TimeUpdates {
        TimeUpdates { first: Time::ZERO, step: Span::from_millis(250), count }
    }

    fn all(out: &mut Outbox) -> Vec<Output> {
        std::iter::from_fn(|| out.pop()).map(|item| item.output).collect()
    }

    #[test]
    fn time_updates_keep_their_place_among_all_that_waits() {
        let mut out = Outbox::new();
        out.time_updates(rule!("MEL-15"), updates(1));
        out.time_updates(rule!("MEL-15"), updates(2));
        out.event(rule!("PAUSE-1"), PAUSE);
        out.time_updates(rule!("MEL-15"), updates(3));
        let [one, two, three] = [1, 2, 3].map(|count| Output::TimeUpdates(updates(count)));
        assert_eq!(all(&mut out), [one, two, Output::Event(PAUSE.into()), three]);
    }

    #[test]
    fn what_comes_at_once_comes_before_them() {
        let mut out = Outbox::new();
        let [one, two] = [1, 2].map(|count| Output::TimeUpdates(updates(count)));
        out.time_updates(rule!("MEL-15"), updates(1));
        out.put_first(rule!("MEL-3"), DATA);
        assert_eq!(all(&mut out), [DATA, one.clone()]);
        out.time_updates(rule!("MEL-15"), updates(1));
        let kept: VecDeque<Item> = std::iter::from_fn(|| out.pop()).collect();
        out.time_updates(rule!("MEL-15"), updates(2));
        out.put_back(kept);
        assert_eq!(all(&mut out), [one, two]);
    }
}
