//! When the breaks of VMAP documents are due.
//!
//! An offset is turned into a position only when it is needed: the duration of the content may
//! become known later than the document, and the opportunities that `#2` counts depend on the ad
//! objects in force. No breaks are opened here.
//!
//! Rules: VMAP-4 to VMAP-8, VMAP-17, VMAP-18, PRD-4; VMAP 1.0.1 sections 2.3.1, 2.4.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{AdForm, VmapBreak};
use playsim_api::BreakKind;
use playsim_base::time::{Position, Span};
use playsim_rules::knobs::CuePercent;
use playsim_vast::Document;
use playsim_vast::vmap::TimeOffset;

/// The maximum number of times that one break is due in an item.
const MAX_TIMES: u64 = 1_000;

/// The maximum number of break positions in an item. Those of the last rows are dropped first.
const MAX_PLACES: usize = 10_000;

/// The breaks of VMAP documents for an item.
#[derive(Debug, Clone, Default, Hash)]
pub struct BreakSchedule {
    /// In the order of their documents.
    rows: Vec<Row>,
    /// How many rows were passed while taking breaks before the content.
    started: usize,
    /// How many rows were passed while taking breaks after the content.
    ended: usize,
}

/// One break of a document.
#[derive(Debug, Clone, Hash)]
struct Row {
    document: Arc<Document>,
    name: Arc<str>,
    text: Arc<str>,
    index: usize,
    when: When,
    repeat: Option<Span>,
}

/// A document's breaks as they were read.
#[derive(Debug)]
pub(crate) struct Reading {
    /// The breaks that take effect.
    pub(crate) schedule: BreakSchedule,
    /// The indexes of those without a valid offset or type. Rule VMAP-17.
    pub(crate) unplaced: Vec<usize>,
    /// Of those whose position is ignored. Rule VMAP-6.
    pub(crate) ignored: Vec<usize>,
    /// Of those in percent, where that is refused. Rule PRD-4.
    pub(crate) refused: Vec<usize>,
}

/// When a break is first due. Rule VMAP-4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum When {
    Start,
    End,
    At(Span),
    /// In millionths of the content's duration.
    Share(u32),
    /// The nth opportunity, counted from 1. Rule VMAP-6.
    Opportunity(u32),
}

/// The place of a break in the item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Start,
    At(Position),
    End,
    /// Never reached.
    Never,
}

/// The properties of an item that decide the places of breaks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Item<'a> {
    /// The duration of the content; `None` for a live stream.
    pub(crate) duration: Option<Span>,
    /// The cue points of ad objects, ascending.
    pub(crate) cues: &'a [Position],
}

/// A break of the schedule, and how often it has occurred before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RowAt {
    pub(crate) row: usize,
    pub(crate) nth: u32,
}

/// The rows of a schedule by their positions.
#[derive(Debug, Default)]
pub(crate) struct PlacedRows {
    once: BTreeMap<Position, Vec<usize>>,
    /// Those that are repeated, and so have many positions.
    repeated: Vec<usize>,
}

impl When {
    /// Reads an offset; `None` if it is invalid. Rules VMAP-4, VMAP-17.
    fn of(offset: &TimeOffset) -> Option<When> {
        match offset {
            TimeOffset::Start | TimeOffset::Share(0) => Some(When::Start),
            TimeOffset::At(span) if *span == Span::ZERO => Some(When::Start),
            TimeOffset::End | TimeOffset::Share(1_000_000) => Some(When::End),
            TimeOffset::At(span) => Some(When::At(*span)),
            TimeOffset::Share(share) => Some(When::Share(*share)),
            TimeOffset::Position(number) => Some(When::Opportunity(*number)),
            TimeOffset::Unreadable(_) => None,
        }
    }

    fn place(self, item: Item<'_>) -> Place {
        let within = |at: Position| {
            // The end is not within the content, as with the cue points of ad objects. CUE-2
            if item.duration.is_none_or(|duration| at < duration.end()) {
                Place::At(at)
            } else {
                Place::Never
            }
        };
        match self {
            When::Start => Place::Start,
            When::End => Place::End,
            When::At(span) => within(span.end()),
            When::Share(share) => match item.duration {
                Some(duration) => within(duration.share(u64::from(share), 1_000_000).end()),
                None => Place::Never,
            },
            // The first opportunity is before the content, the last one after it. VMAP-6
            When::Opportunity(number) => match number as usize {
                1 => Place::Start,
                number if number == item.cues.len() + 2 => Place::End,
                number => item
                    .cues
                    .get(number - 2)
                    .map_or(Place::Never, |at| Place::At(*at)),
            },
        }
    }
}

impl Row {
    fn place(&self, item: Item<'_>) -> Place {
        self.when.place(item)
    }

    /// The position of the nth occurrence, counted from 0; `None` if there is none. Rule VMAP-5.
    fn at(&self, nth: u64, item: Item<'_>) -> Option<Position> {
        let first = match (self.place(item), self.when) {
            (Place::At(at), _) => at,
            (Place::Start, When::Start) if nth > 0 => Position::ZERO,
            (Place::Start | Place::End | Place::Never, _) => return None,
        };
        if nth == 0 {
            return Some(first);
        }
        let step = self.repeat.filter(|_| nth < MAX_TIMES)?;
        let at = first + step.times(nth);
        let is_within = at > first && item.duration.is_none_or(|duration| at < duration.end());
        is_within.then_some(at)
    }

    /// All positions within the content, ascending.
    fn places(&self, item: Item<'_>) -> impl Iterator<Item = Position> {
        let from = u64::from(self.at(0, item).is_none());
        (from..).map_while(move |nth| self.at(nth, item))
    }

    /// How often the break has occurred before, if it is due at this position.
    fn nth_at(&self, position: Position, item: Item<'_>) -> Option<u32> {
        if self.at(0, item) == Some(position) {
            return Some(0);
        }
        let first = self.at(0, item).unwrap_or(Position::ZERO);
        let step = self.repeat.filter(|_| position > first)?;
        let nth = (position - first).steps(step);
        let is_it = nth > 0 && self.at(nth, item) == Some(position);
        is_it.then(|| u32::try_from(nth).unwrap_or(u32::MAX))
    }
}

impl BreakSchedule {
    /// Reads the breaks of a document. Rules VMAP-6, VMAP-17, PRD-4.
    pub(crate) fn of(
        document: &Arc<Document>,
        name: &Arc<str>,
        text: &Arc<str>,
        percent: CuePercent,
    ) -> Reading {
        let when = |it: &playsim_vast::vmap::Break| it.time_offset.as_ref().and_then(When::of);
        let is_position = |when: When| matches!(when, When::Opportunity(_));
        let has_others = document
            .breaks
            .iter()
            .filter_map(when)
            .any(|when| !is_position(when));
        let (mut unplaced, mut ignored, mut refused) = (Vec::new(), Vec::new(), Vec::new());
        let mut rows = Vec::new();
        for (index, row) in document.breaks.iter().enumerate() {
            let Some(when) = when(row).filter(|_| !row.types.is_empty()) else {
                unplaced.push(index);
                continue;
            };
            let is_percent = matches!(row.time_offset, Some(TimeOffset::Share(_)));
            let when = match percent {
                CuePercent::On => when,
                CuePercent::Off if is_percent => {
                    refused.push(index);
                    continue;
                }
                CuePercent::AtStart if is_percent => When::Start,
                CuePercent::Off | CuePercent::AtStart => when,
            };
            if is_position(when) && has_others {
                ignored.push(index);
                continue;
            }
            rows.push(Row {
                document: Arc::clone(document),
                name: Arc::clone(name),
                text: Arc::clone(text),
                index,
                when,
                repeat: row.repeat_after,
            });
        }
        Reading {
            schedule: BreakSchedule {
                rows,
                started: 0,
                ended: 0,
            },
            unplaced,
            ignored,
            refused,
        }
    }

    /// The number of breaks.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether a break stops the content before its start, in any item. Rule VMAP-22.
    pub(crate) fn has_pre_roll(&self) -> bool {
        let item = Item {
            duration: None,
            cues: &[],
        };
        (0..self.rows.len()).any(|row| self.is_pre_roll(row, item))
    }

    fn is_pre_roll(&self, row: usize, item: Item<'_>) -> bool {
        self.rows[row].place(item) == Place::Start && self.form(row, item).is_none_or(AdForm::holds)
    }

    /// Whether no break before the content was taken yet.
    pub(crate) fn has_not_started(&self) -> bool {
        self.started == 0
    }

    /// Whether no break after the content was taken yet.
    pub(crate) fn has_not_ended(&self) -> bool {
        self.ended == 0
    }

    /// Adds the breaks of another document.
    pub(crate) fn add(&mut self, more: BreakSchedule) {
        self.rows.extend(more.rows);
    }

    /// Takes the next break that stops the content before its start. Each is returned once. Rule
    /// VMAP-18.
    pub(crate) fn next_start(&mut self, item: Item<'_>) -> Option<VmapBreak> {
        let at = (self.started..self.rows.len()).find(|row| self.is_pre_roll(*row, item))?;
        self.started = at + 1;
        Some(self.take(RowAt { row: at, nth: 0 }, BreakKind::Pre))
    }

    /// The breaks at the start that are shown over or next to the content, in order. Rules VMAP-7,
    /// VMAP-20.
    pub(crate) fn display_at_start(&self, item: Item<'_>) -> Vec<RowAt> {
        let is_due = |row: &usize| {
            self.rows[*row].place(item) == Place::Start
                && self.form(*row, item).is_some_and(|form| !form.holds())
        };
        (0..self.rows.len())
            .filter(is_due)
            .map(|row| RowAt { row, nth: 0 })
            .collect()
    }

    /// Takes the next break after the content. Each is returned once. Rule VMAP-18.
    pub(crate) fn next_end(&mut self, item: Item<'_>) -> Option<VmapBreak> {
        let at =
            (self.ended..self.rows.len()).find(|row| self.rows[*row].place(item) == Place::End)?;
        self.ended = at + 1;
        Some(self.take(RowAt { row: at, nth: 0 }, BreakKind::Post))
    }

    /// Whether a break that stops the content before its start is still to be taken.
    pub(crate) fn has_start(&self, item: Item<'_>) -> bool {
        (self.started..self.rows.len()).any(|row| self.is_pre_roll(row, item))
    }

    /// Whether a break after the content is still to be taken.
    pub(crate) fn has_end(&self, item: Item<'_>) -> bool {
        (self.ended..self.rows.len()).any(|row| self.rows[row].place(item) == Place::End)
    }

    /// The rows of the breaks at a position that come for the first time and are linear, in
    /// document order. Rule VMAP-23.
    pub(crate) fn linear_at(
        &self,
        position: Position,
        placed: &PlacedRows,
        item: Item<'_>,
    ) -> Vec<usize> {
        let is_linear =
            |at: &RowAt| at.nth == 0 && self.form(at.row, item).is_none_or(AdForm::holds);
        let all = self.at(position, placed, item).into_iter();
        all.filter(is_linear).map(|at| at.row).collect()
    }

    /// Makes the break after the content that was taken last due again. Rule POST-3.
    pub(crate) fn give_back_end(&mut self, item: Item<'_>) {
        let given = (0..self.ended).rfind(|row| self.rows[*row].place(item) == Place::End);
        self.ended = given.unwrap_or(self.ended);
    }

    /// The positions within the content at which breaks are due, unsorted.
    pub(crate) fn places(&self, item: Item<'_>) -> Vec<Position> {
        self.rows
            .iter()
            .flat_map(|row| row.places(item))
            .take(MAX_PLACES)
            .collect()
    }

    /// The breaks at a position: first occurrences in document order, then repetitions. Rules
    /// VMAP-18, VMAP-19.
    pub(crate) fn at(&self, position: Position, placed: &PlacedRows, item: Item<'_>) -> Vec<RowAt> {
        let here = |row: usize| {
            Some(RowAt {
                row,
                nth: self.rows[row].nth_at(position, item)?,
            })
        };
        let once = placed.once.get(&position).into_iter().flatten();
        let rows = once.chain(&placed.repeated).copied();
        let mut found: Vec<RowAt> = rows.filter_map(here).collect();
        found.sort_by_key(|at| (at.nth > 0, at.row));
        found
    }

    /// Returns where the rows are, of which [`BreakSchedule::at`] looks at few.
    pub(crate) fn placed(&self, duration: Option<Span>, cues: &[Position]) -> PlacedRows {
        let item = Item { duration, cues };
        let mut placed = PlacedRows::default();
        for (index, row) in self.rows.iter().enumerate() {
            match (row.repeat, row.at(0, item)) {
                (Some(_), _) => placed.repeated.push(index),
                (None, Some(at)) => placed.once.entry(at).or_default().push(index),
                (None, None) => {}
            }
        }
        placed
    }

    /// A break that is due within the content or as it starts; `None` if it no longer exists.
    pub(crate) fn cue(&self, at: RowAt) -> Option<VmapBreak> {
        (at.row < self.rows.len()).then(|| self.take(at, BreakKind::Mid))
    }

    /// The offsets of the breaks that are never reached, as the documents write them; `has_places`
    /// is whether breaks within this content are. Rules CUE-2, VMAP-4, PRD-37.
    pub(crate) fn out_of_reach(&self, item: Item<'_>, has_places: bool) -> Vec<String> {
        let is_never = |row: &&Row| match row.place(item) {
            Place::Never => true,
            Place::At(_) => !has_places,
            Place::Start | Place::End => false,
        };
        let rows = self.rows.iter().filter(is_never);
        rows.filter_map(|row| {
            row.document.breaks[row.index]
                .time_offset
                .as_ref()
                .map(ToString::to_string)
        })
        .collect()
    }

    fn take(&self, at: RowAt, slot: BreakKind) -> VmapBreak {
        let row = &self.rows[at.row];
        let types = row.document.breaks[row.index].types.iter();
        VmapBreak {
            document: Arc::clone(&row.document),
            name: Arc::clone(&row.name),
            text: Arc::clone(&row.text),
            index: row.index,
            nth: at.nth,
            // After the content there is nothing to show an overlay over. VMAP-8
            forms: types
                .filter_map(AdForm::of)
                .filter(|form| slot != BreakKind::Post || *form != AdForm::NonLinear)
                .collect(),
            slot,
        }
    }

    fn form(&self, row: usize, item: Item<'_>) -> Option<AdForm> {
        let slot = if self.rows[row].place(item) == Place::End {
            BreakKind::Post
        } else {
            BreakKind::Mid
        };
        self.take(RowAt { row, nth: 0 }, slot).form()
    }
}

impl AdForm {
    /// Whether content stops for ads of this form.
    const fn holds(self) -> bool {
        matches!(self, AdForm::Linear)
    }
}

#[cfg(test)]
mod tests;
