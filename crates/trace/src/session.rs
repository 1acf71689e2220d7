//! The ad breaks of a session, and what single lines say about them.
//!
//! Which breaks a trace has, which of them a line belongs to, and which tag it is about, is found
//! here and nowhere else. In a trace of playsim, every line of a break contains the break's
//! number, which is unique for its player. In a trace without numbers, such as one recorded from
//! another player, the break is inferred.
//!
//! Data are read one by one, and not as a [`RecordView`](crate::record::RecordView): lines of other
//! versions and recorders may lack what a row requires, and a sweep must not pay for fields that
//! nobody reads.
//!
//! Rules: BRK-23, VMAP-7, TRACE-1.

use super::{PlayerIndex, Record, Trace};
use playsim_api::{BreakLine, BreakNumber, Kind, Value};
use playsim_base::time::Time;

mod ads;
mod guess;
mod kinds;

pub(crate) use ads::{Ads, Spot, Tag, ads};
pub use kinds::{AdBreakKind, AdBreakOutcome, AdEnd, RequestPurpose};

use guess::Guess;

/// The ad breaks of a session that have begun so far. Its input is the lines of a trace, or of one
/// of its players, in order; each break holds data of its reader. The default is for lines that
/// contain the numbers of their breaks.
///
/// ```
/// use playsim::trace::session::AdBreaks;
/// # fn ends(trace: &playsim::Trace) {
/// let mut breaks: AdBreaks<'_, usize> = AdBreaks::of(trace);
/// for record in &trace.records {
///     if let Some(its) = breaks.take(record) {
///         its.own += 1;
///     }
/// }
/// for it in &breaks.all {
///     println!("{} {}: {} lines", it.begin, it.kind, it.own);
/// }
/// # }
/// ```
#[derive(Debug, Clone, Default)]
pub struct AdBreaks<'a, Own = ()> {
    /// The breaks, in the order in which they began.
    pub all: Vec<SessionBreak<Own>>,
    guess: Option<Guess<'a>>,
}

/// An ad break that has begun.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SessionBreak<Own> {
    /// Its place among the breaks that have begun.
    pub index: usize,
    /// Its player.
    pub player: Option<PlayerIndex>,
    /// Its number, which is unique for its player. Traces from other sources do not contain it.
    pub number: Option<BreakNumber>,
    /// Its kind. A break of a VMAP document may change it.
    pub kind: AdBreakKind,
    /// The cue point of a mid-roll or overlay, in microseconds from the start of the content.
    pub cue_us: Option<u64>,
    /// When it began.
    pub begin: Time,
    /// When and how it ended; `None` before that.
    pub end: Option<(Time, AdBreakOutcome)>,
    /// What its reader knows about it.
    pub own: Own,
}

/// The position of a tag in the waterfalls of its break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[expect(clippy::exhaustive_structs, reason = "a pair")]
pub struct TagPosition {
    /// The slot of the break.
    pub pod: u32,
    /// The position in the waterfall of that slot.
    pub wp: u32,
}

impl<'a, Own: Default> AdBreaks<'a, Own> {
    /// Expects the lines of this trace.
    pub fn of(trace: &'a Trace) -> AdBreaks<'a, Own> {
        let has_numbers = trace.records.iter().any(|record| record.in_break.is_some());
        AdBreaks {
            all: Vec::new(),
            guess: (!has_numbers).then(|| Guess::new(trace)),
        }
    }

    /// Takes the next line, and returns its break. The lines with which a break begins and ends
    /// belong to that break. A container may hold several players in turn; the breaks of a later
    /// one then replace those of an earlier one.
    pub fn take(&mut self, record: &Record) -> Option<&mut SessionBreak<Own>> {
        let line = record.break_line();
        if line == Some(BreakLine::Begin) {
            let cue = record.data.get("cue").and_then(Value::as_number);
            self.all.push(SessionBreak {
                index: self.all.len(),
                player: record.player,
                number: record.in_break,
                kind: kind(record, "kind"),
                cue_us: cue.and_then(|cue| u64::try_from(cue.millionths()).ok()),
                begin: record.at,
                end: None,
                own: Own::default(),
            });
        }
        let index = match &mut self.guess {
            Some(guess) => guess.take(record, line, &self.all)?,
            None if line == Some(BreakLine::Begin) => self.all.len() - 1,
            None => {
                let number = Some(record.in_break?);
                let is_its =
                    |it: &SessionBreak<Own>| (it.player, it.number) == (record.player, number);
                self.all.iter().rposition(is_its)?
            }
        };
        let of = &mut self.all[index];
        match line {
            Some(BreakLine::Turn) => of.kind = kind(record, "kind"),
            Some(BreakLine::End) => of.end = Some((record.at, outcome(record))),
            Some(BreakLine::Begin) | None => {}
        }
        Some(of)
    }
}

impl Record {
    fn break_line(&self) -> Option<BreakLine> {
        if self.kind == Kind::Break {
            BreakLine::from_name(&self.name)
        } else {
            None
        }
    }

    /// Returns whether an ad break begins with it.
    #[must_use]
    pub fn begins_break(&self) -> bool {
        self.is(BreakLine::Begin)
    }

    /// Returns whether an ad break ends with it.
    #[must_use]
    pub fn ends_break(&self) -> bool {
        self.is(BreakLine::End)
    }

    /// Returns how the ad break ends whose last line it is.
    #[must_use]
    pub fn break_outcome(&self) -> Option<AdBreakOutcome> {
        self.ends_break().then(|| outcome(self))
    }

    /// Returns the kind of the ad break that begins, changes its kind or ends with it.
    #[must_use]
    pub fn break_kind(&self) -> Option<AdBreakKind> {
        (self.kind == Kind::Break).then(|| kind(self, "kind"))
    }

    /// Returns the ad tags of each slot of the break that begins with it.
    pub fn waterfalls(&self) -> impl Iterator<Item = &[Value]> {
        let slots = self.data.get("waterfalls").filter(|_| self.begins_break());
        let slots = slots.and_then(Value::as_list).unwrap_or_default();
        slots.iter().map(|tags| tags.as_list().unwrap_or_default())
    }

    /// Returns the position of the ad tag that it is about.
    #[must_use]
    pub fn tag(&self) -> Option<TagPosition> {
        let number = |key| u32::try_from(self.data.integer(key)?).ok();
        Some(TagPosition {
            wp: number("wp")?,
            pod: number("pod").unwrap_or_default(),
        })
    }
}

fn kind(record: &Record, key: &str) -> AdBreakKind {
    record.data.text(key).map_or("", |kind| kind).into()
}

fn outcome(record: &Record) -> AdBreakOutcome {
    record.data.text("outcome").map_or("", |it| it).into()
}

#[cfg(test)]
mod tests;
