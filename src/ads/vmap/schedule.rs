//! When the breaks of VMAP documents are due.
//!
//! An offset becomes a place of the item when it is asked for: the length of the content may be known later
//! than the document, and the opportunities that `#2` counts are those of the ad objects in force. Nothing
//! here opens a break.
//!
//! Rules: VMAP-4 to VMAP-8, VMAP-17, VMAP-18; VMAP 1.0.1 sections 2.3.1, 2.4.

use std::sync::Arc;

use super::{AdForm, VmapBreak};
use crate::ads::BreakKind;
use crate::time::{Position, Span};
use crate::vast::Document;
use crate::vast::vmap::TimeOffset;

/// A break comes so often in one item, at the most.
const MAX_TIMES: u64 = 1_000;

/// So many breaks of one item have a place at the most; what is due later has none.
const MAX_PLACES: usize = 10_000;

/// The breaks of VMAP documents that are in force for an item.
#[derive(Debug, Clone, Default)]
pub struct BreakSchedule {
    /// In the order of their documents.
    rows: Vec<Row>,
    /// Of the breaks before the content: how many have had their turn.
    started: usize,
    /// Of the breaks behind it.
    ended: usize,
}

/// One break of a document.
#[derive(Debug, Clone)]
struct Row {
    document: Arc<Document>,
    name: Arc<str>,
    text: Arc<str>,
    index: usize,
    when: When,
    repeat: Option<Span>,
}

/// When a break is due for the first time. Rule VMAP-4.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum When {
    Start,
    End,
    At(Span),
    /// In millionths of the content's length.
    Share(u32),
    /// The so manieth opportunity. Rule VMAP-6.
    Opportunity(u32),
}

/// Where in the item a break stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Start,
    At(Position),
    End,
    /// It is never reached.
    Never,
}

/// What the places of an item depend on.
#[derive(Debug, Clone, Copy)]
pub(in crate::ads) struct Item<'a> {
    /// The length of the content; `None`: a live stream.
    pub(in crate::ads) duration: Option<Span>,
    /// The cue points of ad objects, ascending.
    pub(in crate::ads) cues: &'a [Position],
}

/// Which break of the schedule, and which time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ads) struct RowAt {
    pub(in crate::ads) row: usize,
    pub(in crate::ads) nth: u32,
}

impl When {
    /// What an offset says; `None`: nothing that could ever be due. Rules VMAP-4, VMAP-17.
    fn of(offset: &TimeOffset) -> Option<When> {
        match offset {
            TimeOffset::Start | TimeOffset::At(Span::ZERO) | TimeOffset::Share(0) => Some(When::Start),
            TimeOffset::End | TimeOffset::Share(1_000_000) => Some(When::End),
            TimeOffset::At(span) => Some(When::At(*span)),
            TimeOffset::Share(share) => Some(When::Share(*share)),
            TimeOffset::Position(number) => Some(When::Opportunity(*number)),
            TimeOffset::Unreadable(_) => None,
        }
    }

    fn place(self, item: Item<'_>) -> Place {
        let within = |at: Position| {
            // A place at the end is none, as with the cue points of ad objects. CUE-2
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
            // The first is before the content, the last one behind it. VMAP-6
            When::Opportunity(number) => match number as usize {
                1 => Place::Start,
                number if number == item.cues.len() + 2 => Place::End,
                number => item.cues.get(number - 2).map_or(Place::Never, |at| Place::At(*at)),
            },
        }
    }
}

impl Row {
    fn place(&self, item: Item<'_>) -> Place {
        self.when.place(item)
    }

    /// Where it comes the so manieth time, from 0; `None`: not any more. Rule VMAP-5.
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

    /// All places within the content, ascending.
    fn places(&self, item: Item<'_>) -> impl Iterator<Item = Position> {
        let from = u64::from(self.at(0, item).is_none());
        (from..).map_while(move |nth| self.at(nth, item))
    }

    /// How often it has come before, if it comes at a position.
    fn nth_at(&self, position: Position, item: Item<'_>) -> Option<u32> {
        if self.at(0, item) == Some(position) {
            return Some(0);
        }
        let first = self.at(0, item).unwrap_or(Position::ZERO);
        let step = self.repeat.filter(|_| position > first)?;
        let nth = (position - first).micros() / step.micros();
        let is_it = nth > 0 && self.at(nth, item) == Some(position);
        is_it.then(|| u32::try_from(nth).unwrap_or(u32::MAX))
    }
}

impl BreakSchedule {
    /// The breaks of a document that have a place. Gives also the indices of those that have none because an
    /// offset says too little, and of those whose position does not count. Rules VMAP-6, VMAP-17.
    pub(super) fn of(
        document: &Arc<Document>,
        name: &Arc<str>,
        text: &Arc<str>,
    ) -> (BreakSchedule, Vec<usize>, Vec<usize>) {
        let when = |it: &crate::vast::vmap::Break| it.time_offset.as_ref().and_then(When::of);
        let is_position = |when: When| matches!(when, When::Opportunity(_));
        let has_others = document.breaks.iter().filter_map(when).any(|when| !is_position(when));
        let (mut rows, mut unplaced, mut ignored) = (Vec::new(), Vec::new(), Vec::new());
        for (index, row) in document.breaks.iter().enumerate() {
            match when(row) {
                None => unplaced.push(index),
                Some(_) if row.types.is_empty() => unplaced.push(index),
                Some(when) if is_position(when) && has_others => ignored.push(index),
                Some(when) => rows.push(Row {
                    document: Arc::clone(document),
                    name: Arc::clone(name),
                    text: Arc::clone(text),
                    index,
                    when,
                    repeat: row.repeat_after,
                }),
            }
        }
        (BreakSchedule { rows, started: 0, ended: 0 }, unplaced, ignored)
    }

    /// How many breaks there are.
    pub(in crate::ads) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether no break before the content had its turn.
    pub(in crate::ads) fn has_not_started(&self) -> bool {
        self.started == 0
    }

    /// Whether no break behind the content had its turn.
    pub(in crate::ads) fn has_not_ended(&self) -> bool {
        self.ended == 0
    }

    /// Adds those of another document.
    pub(in crate::ads) fn add(&mut self, more: BreakSchedule) {
        self.rows.extend(more.rows);
    }

    /// The next break before the content that content is held for. Each is given once. Rule VMAP-18.
    pub(in crate::ads) fn next_start(&mut self, item: Item<'_>) -> Option<VmapBreak> {
        let at = (self.started..self.rows.len()).find(|row| {
            self.rows[*row].place(item) == Place::Start && self.form(*row, item).is_none_or(AdForm::holds)
        })?;
        self.started = at + 1;
        Some(self.take(RowAt { row: at, nth: 0 }, BreakKind::Pre))
    }

    /// The breaks at the start that lie over or beside the content, in order. Rules VMAP-7, VMAP-20.
    pub(in crate::ads) fn beside_start(&self, item: Item<'_>) -> Vec<RowAt> {
        let is_due = |row: &usize| {
            self.rows[*row].place(item) == Place::Start
                && self.form(*row, item).is_some_and(|form| !form.holds())
        };
        (0..self.rows.len()).filter(is_due).map(|row| RowAt { row, nth: 0 }).collect()
    }

    /// The next break behind the content. Each is given once. Rule VMAP-18.
    pub(in crate::ads) fn next_end(&mut self, item: Item<'_>) -> Option<VmapBreak> {
        let at = (self.ended..self.rows.len()).find(|row| self.rows[*row].place(item) == Place::End)?;
        self.ended = at + 1;
        Some(self.take(RowAt { row: at, nth: 0 }, BreakKind::Post))
    }

    /// The break behind the content that was given last is due again. Rule POST-3.
    pub(in crate::ads) fn give_back_end(&mut self, item: Item<'_>) {
        let given = (0..self.ended).rfind(|row| self.rows[*row].place(item) == Place::End);
        self.ended = given.unwrap_or(self.ended);
    }

    /// Where within the content breaks are due, in no order.
    pub(in crate::ads) fn places(&self, item: Item<'_>) -> Vec<Position> {
        self.rows.iter().flat_map(|row| row.places(item)).take(MAX_PLACES).collect()
    }

    /// The breaks at a position: those that come for the first time in document order, then those that come
    /// again. Rules VMAP-18, VMAP-19.
    pub(in crate::ads) fn at(&self, position: Position, item: Item<'_>) -> Vec<RowAt> {
        let here = |row: usize| Some(RowAt { row, nth: self.rows[row].nth_at(position, item)? });
        let mut found: Vec<RowAt> = (0..self.rows.len()).filter_map(here).collect();
        found.sort_by_key(|at| at.nth > 0);
        found
    }

    /// A break that is due within the content, or with its start; `None` if there is no such one any more.
    pub(in crate::ads) fn cue(&self, at: RowAt) -> Option<VmapBreak> {
        (at.row < self.rows.len()).then(|| self.take(at, BreakKind::Mid))
    }

    /// The breaks whose place is never reached, each as the document writes it. Rules CUE-2, VMAP-4.
    pub(in crate::ads) fn out_of_reach(&self, item: Item<'_>) -> Vec<String> {
        let rows = self.rows.iter().filter(|row| row.place(item) == Place::Never);
        rows.filter_map(|row| row.document.breaks[row.index].time_offset.as_ref().map(ToString::to_string))
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
            // Behind the content there is nothing for an overlay to lie over. VMAP-8
            forms: types
                .filter_map(AdForm::of)
                .filter(|form| slot != BreakKind::Post || *form != AdForm::NonLinear)
                .collect(),
            slot,
        }
    }

    fn form(&self, row: usize, item: Item<'_>) -> Option<AdForm> {
        let slot = if self.rows[row].place(item) == Place::End { BreakKind::Post } else { BreakKind::Mid };
        self.take(RowAt { row, nth: 0 }, slot).form()
    }
}

impl AdForm {
    /// Whether content is held for it.
    const fn holds(self) -> bool {
        matches!(self, AdForm::Linear)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vast;

    const FILM: Item<'static> = Item { duration: Some(Span::from_secs(20)), cues: &[] };

    fn schedule(breaks: &str) -> BreakSchedule {
        let text: Arc<str> = format!("<VMAP version='1.0'>{breaks}</VMAP>").into();
        BreakSchedule::of(&vast::read(&text).into(), &"a.xml".into(), &text).0
    }

    fn due(offset: &str) -> String {
        format!("<AdBreak timeOffset='{offset}' breakType='linear'/>")
    }

    fn seconds(schedule: &BreakSchedule, item: Item<'_>) -> Vec<u64> {
        schedule.places(item).iter().map(|at| at.micros() / 1_000_000).collect()
    }

    #[test]
    fn times_and_shares_have_places_and_nothing_is_due_at_the_edges_but_start_and_end() {
        let offsets = ["00:00:05", "50%", "00:00:20", "00:00:19", "0%", "100%", "00:00:00", "101%"];
        let mut breaks = schedule(&offsets.map(due).concat());
        assert_eq!(seconds(&breaks, FILM), [5, 10, 19]);
        assert_eq!(breaks.out_of_reach(FILM), ["00:00:20", "101%"]);
        let live = Item { duration: None, cues: &[] };
        assert_eq!(seconds(&breaks, live), [5, 20, 19]);
        assert_eq!(breaks.out_of_reach(live), ["50%", "101%"]);
        let starts = std::iter::from_fn(|| breaks.next_start(FILM)).count();
        let ends = std::iter::from_fn(|| breaks.next_end(FILM)).count();
        assert_eq!((starts, ends), (2, 1));
        breaks.give_back_end(FILM);
        assert!(breaks.next_end(FILM).is_some());
        assert!(breaks.next_end(FILM).is_none());
    }

    #[test]
    fn a_share_is_exact_to_the_microsecond() {
        let breaks = schedule(&due("33%"));
        let item = Item { duration: Some(Span::from_micros(10_000_001)), cues: &[] };
        assert_eq!(breaks.places(item), [Position::from_micros(3_300_001)]);
    }

    #[test]
    fn a_break_that_repeats_comes_until_the_content_is_over() {
        let repeated = "<AdBreak timeOffset='start' breakType='linear' repeatAfter='00:00:08'/>\
            <AdBreak timeOffset='25%' breakType='linear' repeatAfter='00:00:05'/>\
            <AdBreak timeOffset='end' breakType='linear' repeatAfter='00:00:05'/>";
        let breaks = schedule(repeated);
        assert_eq!(seconds(&breaks, FILM), [8, 16, 5, 10, 15]);
        let at = |seconds| breaks.at(Position::from_secs(seconds), FILM);
        assert_eq!(at(16), [RowAt { row: 0, nth: 2 }]);
        assert_eq!(at(5), [RowAt { row: 1, nth: 0 }]);
        assert_eq!(at(7), []);
        let endless =
            schedule("<AdBreak timeOffset='00:00:01' breakType='linear' repeatAfter='00:00:00.001'/>");
        assert_eq!(endless.places(Item { duration: None, cues: &[] }).len() as u64, MAX_TIMES);
    }

    #[test]
    fn at_one_time_what_repeats_comes_behind_the_others() {
        let breaks = schedule(&format!(
            "<AdBreak timeOffset='00:00:02' breakType='linear' repeatAfter='00:00:03'/>{0}{0}",
            due("00:00:05")
        ));
        let at = breaks.at(Position::from_secs(5), FILM);
        assert_eq!(at, [RowAt { row: 1, nth: 0 }, RowAt { row: 2, nth: 0 }, RowAt { row: 0, nth: 1 }]);
    }

    #[test]
    fn positions_count_opportunities_and_only_alone() {
        let cues = [Position::from_secs(4), Position::from_secs(9)];
        let item = Item { cues: &cues, ..FILM };
        let mut breaks = schedule(&["#1", "#2", "#3", "#4", "#5"].map(due).concat());
        assert_eq!(seconds(&breaks, item), [4, 9]);
        assert!(breaks.next_start(item).is_some() && breaks.next_end(item).is_some());
        assert_eq!(breaks.out_of_reach(item), ["#5"]);
        let text: Arc<str> =
            format!("<VMAP version='1.0'>{}</VMAP>", ["#1", "00:00:03", "#2"].map(due).concat()).into();
        let (mixed, unplaced, ignored) = BreakSchedule::of(&vast::read(&text).into(), &"a.xml".into(), &text);
        assert_eq!((mixed.len(), unplaced.len(), ignored), (1, 0, vec![0, 2]));
    }

    #[test]
    fn what_no_offset_or_type_places_is_set_apart() {
        let text: Arc<str> = "<VMAP version='1.0'><AdBreak breakType='linear'/>\
            <AdBreak timeOffset='soon' breakType='linear'/><AdBreak timeOffset='start'/>\
            <AdBreak timeOffset='start' breakType='hologram'/></VMAP>"
            .into();
        let (mut breaks, unplaced, _) = BreakSchedule::of(&vast::read(&text).into(), &"a.xml".into(), &text);
        assert_eq!(unplaced, [0, 1, 2]);
        assert_eq!(breaks.next_start(FILM).map(|it| it.form()), Some(None), "1003 is told when it is due");
    }
}
