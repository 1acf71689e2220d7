//! The agenda: inputs from the scripted world, ordered by (time, class, insertion).
//!
//! Players are not in it; they say themselves when they are due. Rules: CLK-2.

use std::hash::{Hash, Hasher};

use playsim_api::Class;
use playsim_base::time::Time;

/// Entries in order.
#[derive(Debug, Clone)]
pub(super) struct Agenda<E> {
    /// In reverse order, so that taking the next entry moves no others.
    entries: Vec<(Key, E)>,
    /// The number of the next entry that is planned, as steps are.
    planned: u32,
    /// The number of the next other entry.
    inserted: u32,
}

/// The entries in order: their numbers decide nothing else.
impl<E: Hash> Hash for Agenda<E> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.entries.len().hash(hasher);
        for (Key { at, class, number }, entry) in &self.entries {
            (at, class, *number < UNPLANNED, entry).hash(hasher);
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    at: Time,
    class: Class,
    number: u32,
}

/// The number of the first entry that is not planned. There are fewer steps than this.
const UNPLANNED: u32 = 1 << 31;

impl<E> Agenda<E> {
    pub(super) fn new() -> Agenda<E> {
        Agenda {
            entries: Vec::new(),
            planned: 0,
            inserted: UNPLANNED,
        }
    }

    pub(super) fn insert(&mut self, at: Time, class: Class, entry: E) {
        self.insert_as(
            Key {
                at,
                class,
                number: self.inserted,
            },
            entry,
        );
        self.inserted += 1;
    }

    /// Inserts an entry that comes before those of the same time and class that were not planned.
    pub(super) fn plan(&mut self, at: Time, class: Class, entry: E) {
        self.insert_as(
            Key {
                at,
                class,
                number: self.planned,
            },
            entry,
        );
        self.planned += 1;
    }

    fn insert_as(&mut self, key: Key, entry: E) {
        let place = self.entries.partition_point(|(other, _)| *other > key);
        self.entries.insert(place, (key, entry));
    }

    /// Plans many entries at once, in this order.
    pub(super) fn extend(&mut self, entries: impl Iterator<Item = (Time, Class, E)>) {
        for (at, class, entry) in entries {
            self.entries.push((
                Key {
                    at,
                    class,
                    number: self.planned,
                },
                entry,
            ));
            self.planned += 1;
        }
        self.entries.sort_by(|(a, _), (b, _)| b.cmp(a));
    }

    /// Returns the number of the next entry that is not planned.
    pub(super) fn newest(&self) -> u32 {
        self.inserted
    }

    /// Returns the time and class of the next entry.
    pub(super) fn next(&self) -> Option<(Time, Class)> {
        self.entries.last().map(|(key, _)| (key.at, key.class))
    }

    /// Returns all entries with their numbers and times, the next first.
    pub(super) fn entries(&self) -> impl Iterator<Item = (u32, Time, &E)> {
        self.entries
            .iter()
            .rev()
            .map(|(key, entry)| (key.number, key.at, entry))
    }

    /// Returns the entry with this number.
    pub(super) fn entry(&self, number: u32) -> Option<&E> {
        self.entries
            .iter()
            .find(|(key, _)| key.number == number)
            .map(|(_, entry)| entry)
    }

    /// Gives the entry with this number another time.
    pub(super) fn reschedule(&mut self, number: u32, at: Time) {
        if let Some(place) = self
            .entries
            .iter()
            .position(|(key, _)| key.number == number)
        {
            let (key, entry) = self.entries.remove(place);
            self.insert_as(Key { at, ..key }, entry);
        }
    }

    pub(super) fn take(&mut self) -> Option<E> {
        self.entries.pop().map(|(_, entry)| entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_by_time_then_class_then_insertion() {
        let mut agenda = Agenda::new();
        let second = Time::from_secs(1);
        agenda.insert(second, Class::Action, "fifth");
        agenda.insert(second, Class::Net, "first");
        agenda.insert(second, Class::Net, "second");
        agenda.extend(
            [
                (Time::ZERO, Class::Action, "zeroth"),
                (second, Class::Action, "third"),
            ]
            .into_iter(),
        );
        agenda.plan(second, Class::Action, "fourth");
        let order: Vec<_> = std::iter::from_fn(|| agenda.take()).collect();
        assert_eq!(
            order,
            ["zeroth", "first", "second", "third", "fourth", "fifth"]
        );
    }
}
