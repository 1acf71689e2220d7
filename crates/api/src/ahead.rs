//! Time updates that come before the queue of an outbox.
//!
//! Rules: CLK-4, EVT-23.

use super::because::Because;
use super::output::{Item, Output, Provenance, TimeUpdates};
use super::player_index::PlayerIndex;

/// Time updates and why they were put. They are all that most inputs cause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ahead {
    /// The player that they belong to.
    pub player: PlayerIndex,
    /// Why they were put.
    pub because: Because,
    /// The updates themselves.
    pub updates: TimeUpdates,
}

/// Time updates are never named as a cause, so they need no ticket.
impl From<Ahead> for Item {
    fn from(
        Ahead {
            player,
            because,
            updates,
        }: Ahead,
    ) -> Item {
        let from = Provenance {
            player,
            because,
            in_break: None,
            ticket: u32::MAX,
        };
        Item {
            from,
            output: Output::TimeUpdates(updates),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::*;
    use crate::{EventName, Outbox, Task};
    use playsim_base::time::{Span, Time};
    use playsim_rules as rules;

    const PAUSE: EventName = EventName::Pause;
    const DATA: Output = Output::Task(Task::Data);

    fn updates(count: u32) -> TimeUpdates {
        TimeUpdates {
            first: Time::ZERO,
            step: Span::from_millis(250),
            count,
        }
    }

    fn all(out: &mut Outbox) -> Vec<Output> {
        std::iter::from_fn(|| out.pop())
            .map(|item| item.output)
            .collect()
    }

    #[test]
    fn time_updates_keep_their_place_among_waiting_items() {
        let mut out = Outbox::new();
        out.time_updates(rules::MEL_15, updates(1));
        out.time_updates(rules::MEL_15, updates(2));
        out.event(rules::PAUSE_1, PAUSE);
        out.time_updates(rules::MEL_15, updates(3));
        let [one, two, three] = [1, 2, 3].map(|count| Output::TimeUpdates(updates(count)));
        assert_eq!(
            all(&mut out),
            [one, two, Output::Event(PAUSE.into()), three]
        );
    }

    #[test]
    fn an_item_put_first_comes_before_time_updates() {
        let mut out = Outbox::new();
        let [one, two] = [1, 2].map(|count| Output::TimeUpdates(updates(count)));
        out.time_updates(rules::MEL_15, updates(1));
        out.put_first(rules::MEL_3, DATA);
        assert_eq!(all(&mut out), [DATA, one.clone()]);
        out.time_updates(rules::MEL_15, updates(1));
        let kept: VecDeque<Item> = std::iter::from_fn(|| out.pop()).collect();
        out.time_updates(rules::MEL_15, updates(2));
        out.put_back(kept);
        assert_eq!(all(&mut out), [one, two]);
    }
}
