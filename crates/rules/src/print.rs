//! Selects rules and prints them, as a text table, JSON or Markdown.
//!
//! A [`Selection`] says which rules are wanted; [`text`], [`json`] and [`markdown`] write them. The
//! scenarios and tests that show a rule are not known here: the caller passes a function that looks
//! them up.

use std::fmt::Write as _;

/// The scenarios and tests that show each rule, as `cargo test` writes them.
pub const SHOWN_BY: &str = include_str!("shown_by.txt");

use serde::Serialize;

use super::{Basis, Built, Family, RuleId, RuleRow, all, families};
use crate::knobs::{KNOBS, Knob};
use crate::table::Rows;
use playsim_base::escape;
use playsim_base::words;

/// Returns the scenarios and tests that show a rule, from lines such as
/// `PLAY-4: first.yaml, second.yaml`. Lines in another format are skipped.
#[must_use]
pub fn shown_by(table: &str, id: RuleId) -> Vec<String> {
    let id = id.to_string();
    let lines = table
        .lines()
        .filter_map(|line| line.split_once(':'))
        .filter(|(name, _)| name.trim() == id);
    let names = lines.flat_map(|(_, names)| names.split(','));
    names
        .map(|name| name.trim().to_owned())
        .filter(|name| !name.is_empty())
        .collect()
}

/// Looks up what shows a rule: the names of scenarios and tests.
pub(crate) type ShownBy<'a> = &'a dyn Fn(RuleId) -> Vec<String>;

const BASES: [Basis; 5] = [
    Basis::Stated,
    Basis::Html,
    Basis::Iab,
    Basis::Chosen,
    Basis::NotModelled,
];

/// Which rules are wanted. A filter that is not set excludes nothing, so the default is every rule.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    families: Vec<Family>,
    ids: Vec<RuleId>,
    bases: Vec<Basis>,
    knobs: Vec<&'static Knob>,
    built: Option<bool>,
    texts: Vec<String>,
    /// Words, each as the forms of which a rule has one.
    words: Vec<Vec<String>>,
}

/// Words that people use for the same thing, as the beginnings of words; the first is that of the
/// rules.
const SYNONYMS: [&[&str]; 9] = [
    &["tracker", "pixel", "beacon", "tracking"],
    &["called", "fire", "sent", "counted"],
    &["once", "twice", "double", "duplicate", "again"],
    &["time-out", "timeout", "timed out"],
    &["pre-roll", "preroll"],
    &["mid-roll", "midroll"],
    &["post-roll", "postroll"],
    &["muted", "mute", "sound", "silent"],
    &["never", "missing", "not called"],
];

fn family_of(id: RuleId) -> &'static Rows {
    &families()[id.family as usize]
}

/// Returns what is looked for in place of a word: the word, and what means the same.
fn forms_of(word: &str) -> Vec<String> {
    let word = word.to_lowercase();
    let same = SYNONYMS
        .iter()
        .find(|same| same.iter().any(|it| word.starts_with(it)));
    let others = same
        .into_iter()
        .flat_map(|same| same.iter().map(|it| (*it).to_owned()));
    std::iter::once(word.clone()).chain(others).collect()
}

/// Why a filter selects nothing that exists; the message suggests what does.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnknownFilter(String);

impl Selection {
    /// Adds a family, such as `PLAY`, or a single rule, such as `PLAY-4`. Case does not matter.
    ///
    /// # Errors
    ///
    /// When there is no such family or rule; the message suggests one.
    pub fn name(&mut self, word: &str) -> Result<(), UnknownFilter> {
        let word = word.trim().to_uppercase();
        let (name, number) = match word.split_once('-') {
            Some((name, number)) => (name, Some(number)),
            None => (word.as_str(), None),
        };
        let Some(family) = families().iter().find(|family| family.name == name) else {
            let proposal = words::nearest(name, families().iter().map(|family| family.name));
            return Err(UnknownFilter(match (proposal, number) {
                (Some(meant), Some(number)) => wrong("rule", &word, &format!("{meant}-{number}")),
                (Some(meant), None) => wrong("family of rules", &word, meant),
                (None, _) => words::unknown(
                    "family of rules",
                    name,
                    families().iter().map(|family| family.name),
                ),
            }));
        };
        let Some(number) = number else {
            self.families.push(family.id);
            return Ok(());
        };
        let last = family.rows.last().map_or(0, |row| row.id.number);
        let id = format!("{name}-{number}").parse::<RuleId>().map_err(|_| {
            let known = match last {
                1 => format!("the only {name} rule is {name}-1"),
                _ => format!("the {name} rules are {name}-1 to {name}-{last}"),
            };
            UnknownFilter(format!(
                "unknown rule \"{}\"; {known}",
                escape::shown(&word)
            ))
        })?;
        self.ids.push(id);
        Ok(())
    }

    /// Adds a basis by its word in the table; `not-modelled` is accepted too.
    ///
    /// # Errors
    ///
    /// When no basis has this name; the message suggests one.
    pub fn basis(&mut self, word: &str) -> Result<(), UnknownFilter> {
        let folded = word.trim().to_lowercase().replace(['-', '_'], " ");
        let basis = BASES
            .into_iter()
            .find(|basis| basis.word() == folded)
            .ok_or_else(|| UnknownFilter(words::unknown("basis", word, BASES.map(Basis::word))))?;
        self.bases.push(basis);
        Ok(())
    }

    /// Adds a knob: the rules that it changes.
    ///
    /// # Errors
    ///
    /// When there is no such knob; the message suggests one.
    pub fn knob(&mut self, word: &str) -> Result<(), UnknownFilter> {
        let word = word.trim();
        let Some(knob) = Knob::named(word) else {
            return Err(UnknownFilter(
                match words::nearest(word, KNOBS.iter().map(|knob| knob.name)) {
                    Some(meant) => wrong("knob", word, meant),
                    None => format!(
                        "unknown knob \"{}\"; `playsim rules --knobs` lists them all",
                        escape::shown(word)
                    ),
                },
            ));
        };
        self.knobs.push(knob);
        Ok(())
    }

    /// Keeps the rules that are built, or those still to be built; rules that are not modelled are
    /// neither.
    pub fn built(&mut self, built: bool) {
        self.built = Some(built);
    }

    /// Keeps the rules whose gist contains this string, and those of earlier calls; case does not
    /// matter.
    pub fn text(&mut self, text: &str) {
        self.texts.push(text.to_lowercase());
    }

    /// Keeps the rules that have all of these words, each in any form in which the field says it:
    /// a rule about trackers that are called is found by `pixel fired`, too. Words of the rule's
    /// family count.
    ///
    /// # Errors
    ///
    /// When no rule has them all.
    pub fn words(&mut self, words: &str) -> Result<(), UnknownFilter> {
        let wanted = words.split_whitespace().map(forms_of);
        self.words.extend(wanted);
        if all().any(|id| self.has_words(id)) {
            return Ok(());
        }
        let every: Vec<&str> = self.words.iter().map(|forms| &*forms[0]).collect();
        Err(UnknownFilter(format!(
            "no rule and no family of rules has the words \"{}\"; try fewer words",
            escape::shown(&every.join(" "))
        )))
    }

    fn has_words(&self, id: RuleId) -> bool {
        let text = format!("{} {}", family_of(id).title, id.row().gist).to_lowercase();
        let mut words = self.words.iter();
        words.all(|forms| forms.iter().any(|form| text.contains(form)))
    }

    /// Whether a rule is wanted.
    #[must_use]
    pub fn has(&self, id: RuleId) -> bool {
        let row = id.row();
        let named = self.families.is_empty() && self.ids.is_empty()
            || self.families.contains(&id.family)
            || self.ids.contains(&id);
        named
            && (self.bases.is_empty() || self.bases.contains(&row.basis))
            && (self.knobs.is_empty() || self.knobs.iter().any(|knob| knob.rules.contains(&id)))
            && self.built.is_none_or(|built| {
                if built {
                    is_built(row)
                } else {
                    is_waiting(row)
                }
            })
            && self
                .texts
                .iter()
                .all(|text| row.gist.to_lowercase().contains(text))
            && self.has_words(id)
    }

    /// Returns the wanted rules, in the order of the table.
    #[must_use]
    pub fn rules(&self) -> Vec<RuleId> {
        all().filter(|id| self.has(*id)).collect()
    }
}

/// Writes a table for a terminal of `width` columns: ID, basis, whether built, gist, and details
/// below it.
///
/// The gist column keeps at least 40 columns, whatever the width.
#[must_use]
pub fn text(rules: &[RuleId], width: usize, shown_by: ShownBy<'_>) -> String {
    const MARK: usize = 5;
    let ids = rules
        .iter()
        .map(|id| id.to_string().len())
        .max()
        .unwrap_or(0);
    let bases = rules
        .iter()
        .map(|id| id.row().basis.word().len())
        .max()
        .unwrap_or(0);
    let indent = ids + bases + MARK + 6;
    let gist_width = width.saturating_sub(indent).max(40);
    let mut out = String::new();
    for id in rules {
        let row = id.row();
        let mark = if is_built(row) { "built" } else { "-" };
        let head = format!(
            "{:ids$}  {:bases$}  {mark:MARK$}  ",
            id.to_string(),
            row.basis.word()
        );
        let parts = [row.gist.to_owned(), details(*id, &shown_by(*id))];
        words::write_rows(&mut out, &head, &parts, gist_width);
    }
    let built = rules.iter().filter(|id| is_built(id.row())).count();
    let _ = writeln!(
        out,
        "{}, {built} built",
        words::counted(rules.len(), "rule")
    );
    out
}

/// Writes a JSON array with an object per rule.
///
/// Its keys are `id`, `family`, `basis`, `source`, `gist`, `knobs` (a list of names), `built`,
/// `waits_for` (only if not built) and `shown_by`, in this order.
///
/// # Panics
///
/// Never: strings and booleans can always be written as JSON.
#[must_use]
pub fn json(rules: &[RuleId], shown_by: ShownBy<'_>) -> String {
    let entries: Vec<RuleEntry> = rules
        .iter()
        .map(|id| RuleEntry::of(*id, shown_by(*id)))
        .collect();
    let mut out = serde_json::to_string_pretty(&entries)
        .expect("strings and booleans can be written as JSON");
    out.push('\n');
    out
}

/// Writes a Markdown table per family, under a heading with the family's name and title.
#[must_use]
pub fn markdown(rules: &[RuleId], shown_by: ShownBy<'_>) -> String {
    let mut out = String::new();
    for family in families() {
        let mut rows = rules.iter().filter(|id| id.family == family.id).peekable();
        if rows.peek().is_none() {
            continue;
        }
        let gap = if out.is_empty() { "" } else { "\n" };
        let _ = writeln!(out, "{gap}## {}: {}\n", family.name, family.title);
        out.push_str(
            "| ID | Rule | Basis | Source | Knob | Built | Shown by |\n|---|---|---|---|---|---|---|\n",
        );
        for id in rows {
            let row = id.row();
            let knobs: Vec<String> = knobs_of(*id).map(|knob| format!("`{knob}`")).collect();
            let built = match row.built {
                Built::Yes => "yes".to_owned(),
                Built::No(why) => format!("no: {why}"),
            };
            let cells = [
                id.to_string(),
                row.gist.to_owned(),
                row.basis.word().to_owned(),
                row.source.to_owned(),
                knobs.join(", "),
                built,
                shown_by(*id).join(", "),
            ];
            words::write_cells(&mut out, &cells);
        }
    }
    out
}

/// A rule as a JSON object; the order of the fields is the order of the keys.
#[derive(Serialize)]
struct RuleEntry {
    id: String,
    family: &'static str,
    basis: &'static str,
    source: &'static str,
    gist: &'static str,
    knobs: Vec<&'static str>,
    built: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    waits_for: Option<&'static str>,
    shown_by: Vec<String>,
}

impl RuleEntry {
    fn of(id: RuleId, shown_by: Vec<String>) -> RuleEntry {
        let row = id.row();
        RuleEntry {
            id: id.to_string(),
            family: id.family(),
            basis: row.basis.word(),
            source: row.source,
            gist: row.gist,
            knobs: knobs_of(id).collect(),
            built: is_built(row),
            waits_for: waits_for(row),
            shown_by,
        }
    }
}

fn wrong(what: &str, word: &str, meant: &str) -> String {
    format!(
        "unknown {what} \"{}\"; did you mean \"{meant}\"?",
        escape::shown(word)
    )
}

/// The names of the knobs that change a rule.
fn knobs_of(id: RuleId) -> impl Iterator<Item = &'static str> {
    KNOBS
        .iter()
        .filter(move |knob| knob.rules.contains(&id))
        .map(|knob| knob.name)
}

fn is_waiting(row: &RuleRow) -> bool {
    !is_built(row) && row.basis != Basis::NotModelled
}

fn is_built(row: &RuleRow) -> bool {
    row.built == Built::Yes
}

fn waits_for(row: &RuleRow) -> Option<&'static str> {
    match row.built {
        Built::Yes => None,
        Built::No(why) => Some(why),
    }
}

fn details(id: RuleId, shown_by: &[String]) -> String {
    let row = id.row();
    let mut out = format!("[{}", row.source);
    let knobs: Vec<&str> = knobs_of(id).collect();
    if !knobs.is_empty() {
        let _ = write!(out, " | knob: {}", knobs.join(", "));
    }
    if let Some(why) = waits_for(row) {
        let label = if is_waiting(row) { "not built: " } else { "" };
        let _ = write!(out, " | {label}{why}");
    }
    if !shown_by.is_empty() {
        let _ = write!(out, " | shown by: {}", shown_by.join(", "));
    }
    out.push(']');
    out
}

#[cfg(test)]
mod tests;
