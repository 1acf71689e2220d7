//! Which break each line of a trace belongs to.
//!
//! In a trace of playsim, every line of a break contains the break's number, which is unique for
//! its player. In a trace without numbers, such as one recorded from another player, the break is
//! inferred.
//!
//! Rules: BRK-23, TRACE-1.

use std::collections::BTreeMap;

use super::{PlayerIndex, Record, Trace};
use playsim_api::{BreakLine, BreakNumber};

mod guess;

use guess::Guess;

/// Finds the break of each line. Its input is the lines of a trace, or of one of its players, in
/// order.
#[derive(Debug)]
pub struct BreakFinder<'a> {
    /// The breaks that have begun, by player and number. A container may hold several players in
    /// turn; the breaks of a later one then replace those of an earlier one.
    numbered: BTreeMap<(Option<PlayerIndex>, BreakNumber), usize>,
    /// The number of breaks that have begun.
    begun: usize,
    guess: Option<Guess<'a>>,
}

impl<'a> BreakFinder<'a> {
    /// Returns a finder for the lines of this trace.
    pub fn new(trace: &'a Trace) -> BreakFinder<'a> {
        let has_numbers = trace.records.iter().any(|record| record.in_break.is_some());
        let guess = (!has_numbers).then(|| Guess::new(trace));
        BreakFinder {
            numbered: BTreeMap::new(),
            begun: 0,
            guess,
        }
    }

    /// Returns the break of the next line, as an index into the breaks that have begun. The line
    /// with which a break begins belongs to that break.
    pub fn take(&mut self, record: &'a Record) -> Option<usize> {
        let begins = record.is(BreakLine::Begin).then(|| {
            self.begun += 1;
            self.begun - 1
        });
        if let Some(guess) = &mut self.guess {
            return guess.take(record, begins);
        }
        let key = record.in_break.map(|number| (record.player, number));
        if let (Some(key), Some(index)) = (key, begins) {
            self.numbered.insert(key, index);
        }
        begins.or_else(|| self.numbered.get(&key?).copied())
    }
}

#[cfg(test)]
mod tests;
