//! Whether a run goes round in a circle, and the lines that go round.
//!
//! Rule: CLK-6.

use super::Simulation;
use super::outcome::{LIVELOCK_LINES, Stop};
use playsim_api::{EventName, Kind};
use playsim_trace::{PlayerIndex, Record};
use std::collections::BTreeMap;

/// The longest circle that is found.
const CIRCLE_LINES: usize = 256;
/// Among how many of the last lines the last act of page code is looked for.
const LOOKED_THROUGH: usize = 1_024;

/// What happened, and to which player.
type What<'a> = (Kind, &'a str, Option<PlayerIndex>);

impl Simulation {
    /// How many of the last lines are kept, since a circle is looked for among them.
    pub(super) fn kept_lines(&self) -> usize {
        (self.tape.next_seq() - self.looked_at_from()) as usize
    }

    /// The first of the lines among which a circle is looked for.
    #[inline]
    fn looked_at_from(&self) -> u32 {
        let last = self.tape.next_seq().saturating_sub(LIVELOCK_LINES);
        self.budget.busy_from().map_or(last, |busy| busy.min(last))
    }

    /// Whether the same has happened so often in this second that it will go on forever: acts of
    /// page code which an earlier one of their name caused, events that come from them, or one
    /// event of one player from one cause. Rule CLK-6.
    #[inline(never)]
    pub(super) fn goes_round(&self) -> bool {
        let records: Vec<&Record> = self.kept().collect();
        let most = self.budget.most_repeats() as usize;
        caused_again(&records) > most || most_alike(&records).len() > most
    }

    /// The lines that go round, oldest first: if acts of page code cause each other, those from one
    /// act to the next of the same name, else those from one event to the next of the same name and
    /// cause. Empty if there are none. Rule CLK-6.
    #[must_use]
    pub fn circle(&self) -> Vec<&Record> {
        if !self.stopped.is_some_and(Stop::may_go_round) {
            return Vec::new();
        }
        let chain: Vec<&Record> = self.chain().take(CIRCLE_LINES).collect();
        let circle = chain.iter().enumerate().find_map(|(newest, act)| {
            let older = chain[newest + 1..]
                .iter()
                .position(|record| is_act(act) && what(act) == what(record))?;
            Some(&chain[newest + 1..=newest + 1 + older])
        });
        match circle {
            Some(lines) => lines.iter().rev().copied().collect(),
            None => self.turn_of_events(),
        }
    }

    /// The lines from one event to the next of the same name and cause.
    fn turn_of_events(&self) -> Vec<&Record> {
        let records: Vec<&Record> = self.kept().collect();
        match *most_alike(&records) {
            [.., before, last] if last - before <= CIRCLE_LINES => {
                records[before + 1..=last].to_vec()
            }
            [..] => Vec::new(),
        }
    }

    /// The lines among which a circle is looked for, oldest first.
    fn kept(&self) -> impl Iterator<Item = &Record> {
        let first = self.looked_at_from();
        let lines = self.tape.last(self.kept_lines());
        lines.filter(move |record| record.seq >= first)
    }

    /// The last act of page code, its cause, and so on, newest first.
    fn chain(&self) -> impl Iterator<Item = &Record> {
        let first = self.looked_at_from();
        let known = move |seq: u32| (seq >= first).then(|| self.tape.kept(seq)).flatten();
        let newest = self.tape.last(LOOKED_THROUGH);
        let last = newest
            .filter(|record| record.seq >= first && is_act(record))
            .last();
        std::iter::successors(last, move |record| {
            // A cause is older than its effect.
            let cause = record.cause.filter(|cause| *cause < record.seq);
            cause.and_then(known)
        })
    }
}

/// How many acts of page code come from an earlier act of the same name, or how many events come
/// from those, whichever are more.
fn caused_again(records: &[&Record]) -> usize {
    /// Of a line: the act that it comes from, or that it is, and whether one of its name caused
    /// that act.
    #[derive(Clone, Copy, Default)]
    struct Origin {
        act: Option<usize>,
        is_again: bool,
    }
    let mut origins: Vec<Origin> = Vec::with_capacity(records.len());
    // The act that caused each act.
    let mut before: BTreeMap<usize, Option<usize>> = BTreeMap::new();
    for (index, record) in records.iter().enumerate() {
        let cause = record.cause.and_then(|cause| {
            let place = records[..index].partition_point(|other| other.seq <= cause);
            place.checked_sub(1)
        });
        let of_cause = cause.map_or(Origin::default(), |cause| origins[cause]);
        let origin = if is_act(record) {
            before.insert(index, of_cause.act);
            // As long as none comes again, all acts of a chain differ: it is short.
            let earlier = std::iter::successors(of_cause.act, |act| before[act]);
            let is_again = of_cause.is_again
                || earlier
                    .into_iter()
                    .any(|act| what(records[act]) == what(record));
            Origin {
                act: Some(index),
                is_again,
            }
        } else {
            of_cause
        };
        origins.push(origin);
    }
    let again = || {
        let both = records.iter().zip(&origins);
        both.filter_map(|(record, origin)| origin.is_again.then_some(record))
    };
    let acts = again().filter(|record| is_act(record)).count();
    acts.max(again().filter(|record| record.kind == Kind::Event).count())
}

/// The places of the most frequent event of one player from one cause. Time updates do not count.
fn most_alike(records: &[&Record]) -> Vec<usize> {
    let mut places: BTreeMap<(u32, What<'_>), Vec<usize>> = BTreeMap::new();
    for (place, record) in records.iter().enumerate() {
        if let Some(cause) = record.cause
            && record.kind == Kind::Event
            && record.name != EventName::TimeUpdate.name()
        {
            places.entry((cause, what(record))).or_default().push(place);
        }
    }
    places
        .into_values()
        .max_by_key(Vec::len)
        .unwrap_or_default()
}

/// Whether page code or the user did it because of something, and not at a time.
fn is_act(record: &Record) -> bool {
    matches!(record.kind, Kind::Call | Kind::User | Kind::Page) && record.cause.is_some()
}

fn what(record: &Record) -> What<'_> {
    (record.kind, &record.name, record.player)
}
