//! The rule table for people and programs: which rows, and in which form.
//!
//! A [`Selection`] says which rules are wanted; [`text`], [`json`] and [`markdown`] write them. What shows a
//! rule (a scenario, a test) is not known here: whoever prints looks it up.

use std::fmt::Write as _;

use serde::Serialize;

use super::{Basis, Built, Family, Row, RuleId, all, families};
use crate::words;

/// What shows a rule: a lookup that gives a text for each scenario or test that does.
pub type ShownBy<'a> = &'a dyn Fn(RuleId) -> Vec<String>;

const BASES: [Basis; 5] = [Basis::Stated, Basis::Html, Basis::Iab, Basis::Chosen, Basis::NotModelled];

/// Which rules are wanted. Whatever is left out does not narrow the choice, so the default is every rule.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    families: Vec<Family>,
    ids: Vec<RuleId>,
    bases: Vec<Basis>,
    knobs: Vec<String>,
    built: Option<bool>,
    text: Option<String>,
}

impl Selection {
    /// Adds a family, such as `PLAY`, or a single rule, such as `PLAY-4`. Capitals do not matter.
    ///
    /// # Errors
    ///
    /// When there is no such family or rule; the text proposes one.
    pub fn name(&mut self, word: &str) -> Result<(), String> {
        let word = word.trim().to_uppercase();
        let (name, number) = match word.split_once('-') {
            Some((name, number)) => (name, Some(number)),
            None => (word.as_str(), None),
        };
        let Some(family) = families().iter().find(|family| family.name == name) else {
            let proposal = words::nearest(name, families().iter().map(|family| family.name));
            return Err(match (proposal, number) {
                (Some(meant), Some(number)) => wrong("rule", &word, &format!("{meant}-{number}")),
                (Some(meant), None) => wrong("family of rules", &word, meant),
                (None, _) => {
                    words::unknown("family of rules", name, families().iter().map(|family| family.name))
                }
            });
        };
        let Some(number) = number else {
            self.families.push(family.id);
            return Ok(());
        };
        let last = family.rows.last().map_or(0, |row| row.number);
        let id = RuleId::read(&format!("{name}-{number}")).ok_or_else(|| {
            format!("no rule is named \"{word}\"; the rules {name} are {name}-1 to {name}-{last}")
        })?;
        self.ids.push(id);
        Ok(())
    }

    /// Adds a basis by its word in the table; `not-modelled` is read as well.
    ///
    /// # Errors
    ///
    /// When no basis has this name; the text proposes one.
    pub fn basis(&mut self, word: &str) -> Result<(), String> {
        let folded = word.trim().to_lowercase().replace(['-', '_'], " ");
        let basis = BASES
            .into_iter()
            .find(|basis| basis.word() == folded)
            .ok_or_else(|| words::unknown("basis", word, BASES.map(Basis::word)))?;
        self.bases.push(basis);
        Ok(())
    }

    /// Adds a knob: rules that offer another reading under it.
    ///
    /// # Errors
    ///
    /// When no rule has this knob; the text proposes one.
    pub fn knob(&mut self, word: &str) -> Result<(), String> {
        let word = word.trim();
        if !all().any(|id| knobs(id.row()).any(|knob| knob == word)) {
            let proposal = words::nearest(word, all().flat_map(|id| knobs(id.row())));
            return Err(match proposal {
                Some(meant) => wrong("knob", word, meant),
                None => format!(
                    "no rule has a knob named \"{word}\"; `playsim rules` shows the knobs of each rule"
                ),
            });
        }
        self.knobs.push(word.to_owned());
        Ok(())
    }

    /// Keeps the rules that are built, or those that wait to be; what is left out on purpose is neither.
    pub fn built(&mut self, built: bool) {
        self.built = Some(built);
    }

    /// Keeps the rules whose gist has this text; capitals do not matter.
    pub fn text(&mut self, text: &str) {
        self.text = Some(text.to_lowercase());
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
            && (self.knobs.is_empty() || knobs(row).any(|knob| self.knobs.iter().any(|word| word == knob)))
            && self.built.is_none_or(|built| if built { is_built(row) } else { is_waiting(row) })
            && self.text.as_ref().is_none_or(|text| row.gist.to_lowercase().contains(text))
    }

    /// The wanted rules in the table's order.
    #[must_use]
    pub fn rules(&self) -> Vec<RuleId> {
        all().filter(|id| self.has(*id)).collect()
    }
}

/// A table for a terminal of `width` columns: ID, basis, whether built, the gist and below it its details.
///
/// The gist column keeps at least 40 columns, whatever the width.
#[must_use]
pub fn text(rules: &[RuleId], width: usize, shown_by: ShownBy<'_>) -> String {
    const MARK: usize = 5;
    let ids = rules.iter().map(|id| id.to_string().len()).max().unwrap_or(0);
    let bases = rules.iter().map(|id| id.row().basis.word().len()).max().unwrap_or(0);
    let indent = ids + bases + MARK + 6;
    let gist_width = width.saturating_sub(indent).max(40);
    let mut out = String::new();
    for id in rules {
        let row = id.row();
        let mark = if is_built(row) { "built" } else { "-" };
        let head = format!("{:ids$}  {:bases$}  {mark:MARK$}  ", id.to_string(), row.basis.word());
        let mut lines = wrap(row.gist, gist_width);
        lines.extend(wrap(&details(row, &shown_by(*id)), gist_width));
        for (index, line) in lines.iter().enumerate() {
            let start = if index == 0 { head.as_str() } else { "" };
            let _ = writeln!(out, "{start:indent$}{line}");
        }
    }
    let built = rules.iter().filter(|id| is_built(id.row())).count();
    let plural = if rules.len() == 1 { "" } else { "s" };
    let _ = writeln!(out, "{} rule{plural}, {built} built", rules.len());
    out
}

/// A JSON array with an object per rule.
///
/// Its keys are `id`, `family`, `basis`, `source`, `gist`, `knob` (null if there is none), `built`,
/// `waits_for` (only if not built) and `shown_by`, in this order.
///
/// # Panics
///
/// Never: texts and booleans can always be written as JSON.
#[must_use]
pub fn json(rules: &[RuleId], shown_by: ShownBy<'_>) -> String {
    let entries: Vec<Entry> = rules.iter().map(|id| Entry::of(*id, shown_by(*id))).collect();
    let mut out = serde_json::to_string_pretty(&entries).expect("texts and booleans can be written as JSON");
    out.push('\n');
    out
}

/// A Markdown table per family, under a heading with the family's name and title.
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
            let knobs: Vec<String> = knobs(row).map(|knob| format!("`{knob}`")).collect();
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
            for cell in cells {
                let _ = write!(out, "| {} ", cell.replace('|', "\\|"));
            }
            out.push_str("|\n");
        }
    }
    out
}

/// A rule as a JSON object; the order of the fields is the order of the keys.
#[derive(Serialize)]
struct Entry {
    id: String,
    family: &'static str,
    basis: &'static str,
    source: &'static str,
    gist: &'static str,
    knob: Option<&'static str>,
    built: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    waits_for: Option<&'static str>,
    shown_by: Vec<String>,
}

impl Entry {
    fn of(id: RuleId, shown_by: Vec<String>) -> Entry {
        let row = id.row();
        Entry {
            id: id.to_string(),
            family: id.family(),
            basis: row.basis.word(),
            source: row.source,
            gist: row.gist,
            knob: (!row.knob.is_empty()).then_some(row.knob),
            built: is_built(row),
            waits_for: waits_for(row),
            shown_by,
        }
    }
}

fn wrong(what: &str, word: &str, meant: &str) -> String {
    format!("no {what} is named \"{word}\"; did you mean \"{meant}\"?")
}

/// The knobs that ask for another reading of a rule, be they built or not.
pub fn knobs_of(id: RuleId) -> impl Iterator<Item = &'static str> {
    knobs(id.row())
}

/// The knobs of a row, which stand in it with commas between.
fn knobs(row: &Row) -> impl Iterator<Item = &'static str> + use<> {
    row.knob.split(", ").filter(|knob| !knob.is_empty())
}

fn is_waiting(row: &Row) -> bool {
    !is_built(row) && row.basis != Basis::NotModelled
}

fn is_built(row: &Row) -> bool {
    row.built == Built::Yes
}

fn waits_for(row: &Row) -> Option<&'static str> {
    match row.built {
        Built::Yes => None,
        Built::No(why) => Some(why),
    }
}

fn details(row: &Row, shown_by: &[String]) -> String {
    let mut out = format!("[{}", row.source);
    if !row.knob.is_empty() {
        let _ = write!(out, " | knob: {}", row.knob);
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

/// Lines of at most `width` characters, broken at blanks; a longer word has a line to itself.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= width => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) | None => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests;
