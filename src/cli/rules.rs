//! `playsim rules`: the rule table, whole or in part; the knobs and profiles.

use clap::ValueEnum;

use playsim::knobs::{self, KNOBS, Knob};
use playsim::rules::{self, RuleId, Selection};

use super::output::Talk;
use super::{Exit, print, width};

/// What shows each rule: lines like `PLAY-4: first.yaml, second.yaml`.
const SHOWN_BY: &str = include_str!("../rules/shown_by.txt");

#[derive(Debug, clap::Args)]
pub(super) struct Rules {
    /// Families like REQ, or single rules like REQ-4; without: every rule
    #[arg(value_name = "RULE")]
    names: Vec<String>,
    /// Only rules that rest on this: stated, html, iab, chosen or not-modelled; may be repeated
    #[arg(long, value_name = "BASIS")]
    basis: Vec<String>,
    /// Only rules that are built
    #[arg(long, conflicts_with = "not_built")]
    built: bool,
    /// Only rules that are not built yet
    #[arg(long)]
    not_built: bool,
    /// Only rules that another reading is offered of, under this knob; may be repeated
    #[arg(long, value_name = "KNOB")]
    knob: Vec<String>,
    /// List the knobs instead: values, default, the rules that ask them; and the profiles
    #[arg(long, conflicts_with_all = ["basis", "built", "not_built", "knob", "search"])]
    knobs: bool,
    /// Only rules that say this; capitals do not matter
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,
    /// A table for people, JSON, or Markdown
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Format {
    #[default]
    Text,
    Json,
    Md,
}

impl Rules {
    /// Prints the rules that are wanted.
    pub(super) fn print(self, talk: &Talk) -> Exit {
        let selection = match self.selection() {
            Ok(selection) => selection,
            Err(text) => {
                talk.error(&text);
                return Exit::WrongInput;
            }
        };
        if self.knobs {
            return self.print_knobs(&selection, talk);
        }
        let wanted = selection.rules();
        let shown_by = |id: RuleId| shown_by(SHOWN_BY, id);
        let exit = if wanted.is_empty() {
            talk.error("no rule is as asked for; leave a filter out");
            Exit::NothingSelected
        } else {
            Exit::AsExpected
        };
        let text = match self.format {
            Format::Text if wanted.is_empty() => return exit,
            Format::Text => rules::text(&wanted, width(), &shown_by),
            Format::Json => rules::json(&wanted, &shown_by),
            Format::Md => rules::markdown(&wanted, &shown_by),
        };
        print(&text, talk).and(exit)
    }

    /// Prints the knobs that the wanted rules ask, and the profiles.
    fn print_knobs(&self, selection: &Selection, talk: &Talk) -> Exit {
        let is_asked = |knob: &&Knob| knob.rules.iter().any(|rule| selection.has(*rule));
        let wanted: Vec<&Knob> = KNOBS.iter().filter(is_asked).collect();
        if wanted.is_empty() {
            talk.error("no knob is asked by these rules; playsim rules shows the knobs of each rule");
            return Exit::NothingSelected;
        }
        let text = match self.format {
            Format::Text => knobs::text(&wanted, width()),
            Format::Json => knobs::json(&wanted),
            Format::Md => knobs::markdown(&wanted),
        };
        print(&text, talk)
    }

    fn selection(&self) -> Result<Selection, String> {
        let mut selection = Selection::default();
        self.names.iter().try_for_each(|name| selection.name(name))?;
        self.basis.iter().try_for_each(|basis| selection.basis(basis))?;
        self.knob.iter().try_for_each(|knob| selection.knob(knob))?;
        if self.built || self.not_built {
            selection.built(self.built);
        }
        if let Some(text) = &self.search {
            selection.text(text);
        }
        Ok(selection)
    }
}

/// What shows a rule. Lines of another form are passed over.
fn shown_by(table: &str, id: RuleId) -> Vec<String> {
    let id = id.to_string();
    let lines = table.lines().filter_map(|line| line.split_once(':')).filter(|(name, _)| name.trim() == id);
    let names = lines.flat_map(|(_, names)| names.split(','));
    names.map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shows_a_rule_is_read_from_lines_of_names() {
        let table = "# a remark\n\nPLAY-4: a.yaml, b.yaml\nPLAY-40: c.yaml\nPLAY-4:d.yaml,\nPLAY-4\n";
        let id = RuleId::read("PLAY-4").expect("there is such a rule");
        assert_eq!(shown_by(table, id), ["a.yaml", "b.yaml", "d.yaml"]);
        assert!(shown_by("", id).is_empty());
    }
}
