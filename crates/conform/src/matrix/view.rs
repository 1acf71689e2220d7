//! The data that all parts of the page read: players in order, situations in groups, and the ids of
//! both.

use std::collections::BTreeMap;

use super::links::Links;
use super::names::Ids;
use crate::cell::{Cell, Verdict};
use crate::report::{CaseRow, Counts, Report, TestedPlayer};

/// A report in the order of the page.
pub(super) struct View<'a> {
    pub(super) report: &'a Report,
    /// Where everything is.
    pub(super) links: Links,
    /// The players, those that agree in most situations first.
    pub(super) columns: Vec<Column<'a>>,
    /// The situations.
    pub(super) groups: Vec<Group<'a>>,
}

/// A player.
pub(super) struct Column<'a> {
    pub(super) player: &'a TestedPlayer,
    /// Its index in the report.
    index: usize,
    /// Its part of ids.
    pub(super) id: String,
    /// The name of the page of the player, which its versions and browsers share.
    pub(super) page: String,
    /// Its part of ids in pages of the player: its browser.
    pub(super) own_id: String,
}

/// Situations that belong together.
pub(super) struct Group<'a> {
    pub(super) title: String,
    /// The name of its page.
    pub(super) page: String,
    pub(super) rows: Vec<Line<'a>>,
}

/// A situation.
pub(super) struct Line<'a> {
    pub(super) row: &'a CaseRow,
    /// Its part of ids.
    pub(super) id: String,
    /// The name of the page of its group.
    pub(super) page: String,
}

/// The kind of a cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mark {
    Same,
    /// It is the same but for differences that many cases share.
    Shared,
    Knob,
    Differs,
    /// It differs, and the first difference rests on a choice of ours.
    Choice,
    NotPlayed,
    Unknown,
}

impl Mark {
    pub(super) const ALL: [Mark; 7] = [
        Mark::Same,
        Mark::Shared,
        Mark::Knob,
        Mark::Differs,
        Mark::Choice,
        Mark::NotPlayed,
        Mark::Unknown,
    ];

    pub(super) fn of(cell: &Cell) -> Mark {
        match &cell.verdict {
            Verdict::Same => Mark::Same,
            Verdict::Shared => Mark::Shared,
            Verdict::Knob { .. } => Mark::Knob,
            Verdict::Differs if is_choice(cell) => Mark::Choice,
            Verdict::Differs => Mark::Differs,
            Verdict::NotPlayed { .. } => Mark::NotPlayed,
            Verdict::Unknown { .. } => Mark::Unknown,
        }
    }

    /// Its class.
    pub(super) const fn class(self) -> &'static str {
        match self {
            Mark::Same => "same",
            Mark::Shared => "shared",
            Mark::Knob => "knob",
            Mark::Differs => "differs",
            Mark::Choice => "choice",
            Mark::NotPlayed => "unplayed",
            Mark::Unknown => "unk",
        }
    }

    /// Its symbol.
    pub(super) const fn glyph(self) -> &'static str {
        match self {
            Mark::Same => "dot",
            Mark::Shared => "ring",
            Mark::NotPlayed => "cross",
            Mark::Knob => "knob",
            Mark::Differs | Mark::Choice => "differ",
            Mark::Unknown => "unknown",
        }
    }

    /// Its name in full.
    pub(super) const fn words(self) -> &'static str {
        match self {
            Mark::Same => "same",
            Mark::Shared => "same but for what many share",
            Mark::NotPlayed => "not played",
            Mark::Knob => "same with a knob",
            Mark::Differs => "differs",
            Mark::Choice => "differs from a choice",
            Mark::Unknown => "cannot say",
        }
    }
}

/// Returns whether the first difference rests on a choice of ours.
fn is_choice(cell: &Cell) -> bool {
    let rule = cell.first.as_ref().and_then(|first| first.rule.as_ref());
    rule.is_some_and(|rule| rule.is_choice())
}

impl<'a> View<'a> {
    pub(super) fn of(report: &'a Report, links: Links) -> View<'a> {
        let (mut ids, mut pages) = (Ids::default(), Ids::default());
        let mut names: BTreeMap<&str, (String, Ids)> = BTreeMap::new();
        let column = |(index, player): (usize, &'a TestedPlayer)| {
            let known = names.entry(&player.name);
            let (page, own) = known.or_insert_with(|| (pages.of(&player.name), Ids::default()));
            let browser = player
                .browser
                .as_deref()
                .and_then(|browser| browser.split(' ').next());
            let own_id = own.of(browser.unwrap_or(&player.name));
            Column {
                player,
                index,
                id: ids.of(&player.label),
                page: page.clone(),
                own_id,
            }
        };
        let mut columns: Vec<Column<'a>> = report.players.iter().enumerate().map(column).collect();
        // The columns of one player stay together. The sort is stable: equal players stay in the
        // order given.
        let rank = |player: &TestedPlayer| {
            (
                agree(&player.counts),
                player.counts.same,
                player.counts.compared(),
            )
        };
        let best = |name: &str| {
            report
                .players
                .iter()
                .filter(|player| player.name == name)
                .map(rank)
                .max()
                .unwrap_or_default()
        };
        columns.sort_by(|one, other| {
            let (one, other) = (one.player, other.player);
            best(&other.name)
                .cmp(&best(&one.name))
                .then_with(|| one.name.cmp(&other.name))
                .then_with(|| one.label.cmp(&other.label))
        });
        View {
            report,
            links,
            columns,
            groups: groups(&report.cases),
        }
    }

    /// Keeps the columns of one player.
    pub(super) fn of_player(mut self, page: &str) -> View<'a> {
        self.columns.retain(|column| column.page == page);
        self
    }

    /// Keeps one group of situations.
    pub(super) fn of_group(mut self, page: &str) -> View<'a> {
        self.groups.retain(|group| group.page == page);
        self
    }

    /// Returns all situations.
    pub(super) fn lines(&self) -> impl Iterator<Item = &Line<'a>> {
        self.groups.iter().flat_map(|group| &group.rows)
    }

    /// Returns all cells that have a recording.
    pub(super) fn cells(&self) -> impl Iterator<Item = Place<'_, 'a>> {
        self.lines().flat_map(move |line| {
            self.columns
                .iter()
                .filter_map(move |column| self.place(line, column))
        })
    }

    /// Returns a cell, if it has a recording.
    pub(super) fn place<'v>(
        &self,
        line: &'v Line<'a>,
        column: &'v Column<'a>,
    ) -> Option<Place<'v, 'a>> {
        Some(Place {
            links: self.links,
            line,
            column,
            cell: column.cell(line.row)?,
        })
    }

    pub(super) fn count(&self, mark: Mark) -> usize {
        self.cells()
            .filter(|place| Mark::of(place.cell) == mark)
            .count()
    }
}

/// A cell with its situation and its player.
#[derive(Clone, Copy)]
pub(super) struct Place<'v, 'a> {
    pub(super) links: Links,
    pub(super) line: &'v Line<'a>,
    pub(super) column: &'v Column<'a>,
    pub(super) cell: &'a Cell,
}

impl Place<'_, '_> {
    /// The id of its details.
    pub(super) fn id(&self) -> String {
        match self.links {
            Links::Within => format!("{}--{}", self.line.id, self.column.id),
            Links::Between { .. } => self.column.own_id.clone(),
        }
    }

    /// Returns the path of the page with its details, of those in a folder.
    pub(super) fn page(&self) -> String {
        format!("players/{}/{}.html", self.column.page, self.line.id)
    }

    /// Returns the URL of its details, or of its row if it has none.
    pub(super) fn link(&self) -> String {
        if self.has_details() {
            self.links.to(&self.page(), &self.id())
        } else {
            self.line.link(self.links)
        }
    }

    /// Whether it has details to open: it is not simply the same.
    pub(super) const fn has_details(&self) -> bool {
        let cell = self.cell;
        !matches!(cell.verdict, Verdict::Same)
            || !cell.faults.is_empty()
            || cell.is_flaky()
            || cell.change.is_some()
            || cell.evidence.file.is_some()
    }
}

impl<'a> Column<'a> {
    /// Returns the URL of a part that concerns it: its row in a list, or a heading.
    pub(super) fn link(&self, links: Links, part: &str) -> String {
        links.to(
            &format!("players/{}.html", self.page),
            &format!("{part}-{}", self.id),
        )
    }

    pub(super) fn cell(&self, row: &'a CaseRow) -> Option<&'a Cell> {
        row.cells.get(self.index)?.as_ref()
    }
}

impl Line<'_> {
    /// Returns the URL of its row.
    pub(super) fn link(&self, links: Links) -> String {
        links.to(&group_page(&self.page), &self.id)
    }
}

/// Returns the path of the page of a group of situations.
pub(super) fn group_page(page: &str) -> String {
    format!("situations/{page}.html")
}

/// Returns how many cells agree, with or without a knob.
pub(super) const fn agree(counts: &Counts) -> usize {
    counts.same + counts.shared + counts.knob
}

/// Returns how many cells there are, including those that cannot be compared.
pub(super) const fn recorded(counts: &Counts) -> usize {
    counts.compared() + counts.not_played + counts.unknown
}

/// The title of the situations that share their first word with no other.
const REST: &str = "Other situations";

/// Puts situations into groups: those of one folder or, without folders, those whose names begin
/// with the same word. A group of one joins the rest, which comes last.
fn groups(rows: &[CaseRow]) -> Vec<Group<'_>> {
    let mut ids = Ids::default();
    let mut found: Vec<(&str, Vec<Line<'_>>)> = Vec::new();
    for row in rows {
        let line = Line {
            row,
            id: ids.of(&row.name),
            page: String::new(),
        };
        match found.iter_mut().find(|(key, _)| *key == key_of(&row.name)) {
            Some((_, lines)) => lines.push(line),
            None => found.push((key_of(&row.name), vec![line])),
        }
    }
    let (several, single): (Vec<_>, Vec<_>) = found
        .into_iter()
        .partition(|(key, lines)| lines.len() > 1 || key.ends_with('/'));
    let title = |lines: &[Line<'_>], key: &str| match key.strip_suffix('/') {
        Some(folder) => capital(&folder.replace('_', " ")),
        None => capital(&common_words(lines).join(" ")),
    };
    let group = |title: String, rows| Group {
        title,
        page: String::new(),
        rows,
    };
    let mut groups: Vec<Group<'_>> = several
        .into_iter()
        .map(|(key, rows)| group(title(&rows, key), rows))
        .collect();
    let rest: Vec<Line<'_>> = single.into_iter().flat_map(|(_, lines)| lines).collect();
    if !rest.is_empty() {
        let title = if groups.is_empty() {
            "Situations"
        } else {
            REST
        };
        groups.push(group(title.to_owned(), rest));
    }
    let mut pages = Ids::default();
    for group in &mut groups {
        group.page = pages.of(&group.title.to_lowercase());
        group
            .rows
            .iter_mut()
            .for_each(|line| line.page.clone_from(&group.page));
    }
    groups
}

/// The folder of a name with its slash, or its first word.
fn key_of(name: &str) -> &str {
    match name.rfind('/') {
        Some(at) => &name[..=at],
        None => name.split(is_between).next().unwrap_or(name),
    }
}

fn is_between(letter: char) -> bool {
    matches!(letter, '_' | '-' | ' ' | '.')
}

/// Returns the words that the names of all these situations begin with.
fn common_words<'a>(lines: &[Line<'a>]) -> Vec<&'a str> {
    let mut names = lines.iter().map(|line| line.row.name.split(is_between));
    let mut common: Vec<&str> = names.next().map(Iterator::collect).unwrap_or_default();
    for words in names {
        let same = common
            .iter()
            .zip(words)
            .take_while(|(one, other)| *one == other)
            .count();
        common.truncate(same);
    }
    common
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
