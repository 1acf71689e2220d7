//! Chapters of an item: when they begin, and which one contains a position.
//!
//! Rules: CH-1 to CH-5, CH-9, CH-10, CH-12.

use std::sync::Arc;

use playsim_api::video::{ChapterMark, read_timestamp};
use playsim_api::{Code, Fields, MediaLine, Outbox, Value};
use playsim_base::time::{Position, Span};
use playsim_rules as rules;

/// The chapters of one item.
#[derive(Debug, Clone, Default, Hash)]
pub(crate) struct Chapters {
    /// In time order, no two with the same start.
    all: Vec<Chapter>,
    /// The chapter that the position was last seen in. Rule CH-8.
    current: Option<usize>,
}

#[derive(Debug, Clone, Hash)]
struct Chapter {
    start: Position,
    title: Arc<str>,
}

impl Chapters {
    /// Reads a record's chapters; unusable chapters are left out with a diagnostic. Rules CH-9,
    /// CH-10.
    pub(super) fn read(marks: &[ChapterMark], out: &mut Outbox) -> Chapters {
        let mut chapters: Vec<Chapter> = Vec::with_capacity(marks.len());
        for mark in marks {
            let Some(start) = read_timestamp(&mark.timestamp) else {
                let text = format!(
                    "chapter \"{}\" begins at \"{}\"; write a time like \"90\", \"1:30\" or \"0:01:30.5\"",
                    mark.title, mark.timestamp
                );
                out.diag(rules::CH_9, Code::BadChapter, text);
                continue;
            };
            // Of two chapters with the same start, the later entry wins.
            if let Some(same) = chapters.iter_mut().find(|chapter| chapter.start == start) {
                let text = format!(
                    "chapters \"{}\" and \"{}\" begin at the same time",
                    same.title, mark.title
                );
                out.diag(rules::CH_10, Code::SameChapterStart, text);
                same.title = mark.title.clone();
            } else {
                chapters.push(Chapter {
                    start,
                    title: mark.title.clone(),
                });
            }
        }
        chapters.sort_by_key(|chapter| chapter.start);
        Chapters {
            all: chapters,
            current: None,
        }
    }

    /// Leaves out the chapters that begin at or after the end. Rule CH-10.
    pub(super) fn fit(&mut self, duration: Span, out: &mut Outbox) {
        let inside = self
            .all
            .partition_point(|chapter| chapter.start < duration.end());
        for chapter in self.all.drain(inside..) {
            let text = format!(
                "chapter \"{}\" begins at {} s, after the end",
                chapter.title, chapter.start
            );
            out.diag(rules::CH_10, Code::ChapterBehindEnd, text);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The number of the chapter that contains a position. Rules CH-4, CH-5.
    pub(crate) fn at(&self, position: Position) -> Option<usize> {
        self.all
            .partition_point(|chapter| chapter.start <= position)
            .checked_sub(1)
    }

    pub(super) fn start(&self, number: usize) -> Option<Position> {
        self.all.get(number).map(|chapter| chapter.start)
    }

    /// The start of the next chapter after a position.
    pub(super) fn next_start(&self, position: Position) -> Option<Position> {
        self.start(
            self.all
                .partition_point(|chapter| chapter.start <= position),
        )
    }

    /// The item begins anew, or is stopped: no chapter has been seen.
    pub(super) fn forget_position(&mut self) {
        self.current = None;
    }

    /// Logs that another chapter began, for which there is no event. Rule CH-8.
    pub(super) fn note(&mut self, position: Position, duration: Option<Span>, out: &mut Outbox) {
        let chapter = self.at(position);
        if chapter == self.current {
            return;
        }
        self.current = chapter;
        let described = chapter
            .and_then(|number| self.describe(number, duration))
            .unwrap_or_else(|| Fields::one("chapter", Value::Null));
        let data = Fields::one("position", position).and(described);
        out.line(rules::CH_8, MediaLine::Chapter, data);
    }

    /// The object that page code gets, as documented. Rules CH-1, CH-2, CH-4.
    pub(crate) fn describe(&self, number: usize, duration: Option<Span>) -> Option<Fields> {
        let chapter = self.all.get(number)?;
        let end = self.start(number + 1).or(duration.map(Span::end));
        let end = end.map_or(Value::Null, Value::from);
        let fields = Fields::one("chapter", number).with("title", &chapter.title);
        Some(fields.with("start", chapter.start).with("end", end))
    }
}
