//! `playsim rules`: lists the rules, or the knobs and profiles.

use playsim::knobs::{KNOBS, Knob};
use playsim::rules::RuleId;
use playsim_rules::knobs::print as knobs;
use playsim_rules::print::{self as rules, Selection, UnknownFilter};

use super::failure::Failure;
use super::format::{Format, formats};
use super::output::Talk;
use super::{Exit, print, width};

#[derive(Debug, clap::Args)]
pub(super) struct Rules {
    /// Rule families such as REQ, single rules such as REQ-4, or words that a rule must contain
    /// [default: all rules]
    #[arg(value_name = "RULE|WORD")]
    names: Vec<String>,
    /// Show only rules with this source: stated, html, iab, chosen or not-modelled; may be repeated
    #[arg(long, value_name = "BASIS")]
    basis: Vec<String>,
    /// Show only rules that are implemented
    #[arg(long, conflicts_with = "not_built")]
    built: bool,
    /// Show only rules that are not implemented
    #[arg(long)]
    not_built: bool,
    /// Show only rules that depend on this knob; may be repeated
    #[arg(long, value_name = "KNOB")]
    knob: Vec<String>,
    /// List knobs instead (values, default, rules that depend on them), and the profiles
    #[arg(long, conflicts_with_all = ["basis", "built", "not_built", "knob", "search"])]
    knobs: bool,
    /// Show only rules that contain this text, ignoring case
    #[arg(long, value_name = "TEXT")]
    search: Option<String>,
    /// The output format
    #[arg(long, value_parser = formats(OF_TABLES), default_value = "text", value_name = "FORMAT")]
    format: Format,
}

/// How a table of the program's own is printed.
pub(super) const OF_TABLES: &[Format] = &[Format::Text, Format::Json, Format::Md];

impl Rules {
    /// Prints the selected rules.
    pub(super) fn print(self, talk: &Talk) -> Result<Exit, Failure> {
        let selection = self.selection().map_err(Failure::input)?;
        if self.knobs {
            return self.print_knobs(&selection, talk);
        }
        let wanted = selection.rules();
        let shown_by = |id: RuleId| rules::shown_by(rules::SHOWN_BY, id);
        let exit = if wanted.is_empty() {
            talk.error("no rule matches all filters; remove one of them");
            Exit::NothingSelected
        } else {
            Exit::AsExpected
        };
        let text = if self.format == Format::Json {
            rules::json(&wanted, &shown_by)
        } else if self.format == Format::Md {
            rules::markdown(&wanted, &shown_by)
        } else if wanted.is_empty() {
            return Ok(exit);
        } else {
            rules::text(&wanted, width(), &shown_by)
        };
        Ok(print(&text, talk).and(exit))
    }

    /// Prints the knobs on which the selected rules depend, and the profiles.
    fn print_knobs(&self, selection: &Selection, talk: &Talk) -> Result<Exit, Failure> {
        let is_asked = |knob: &&Knob| knob.rules.iter().any(|rule| selection.has(*rule));
        let wanted: Vec<&Knob> = KNOBS.iter().filter(is_asked).collect();
        if wanted.is_empty() {
            let text = "these rules depend on no knob; playsim rules shows the knobs of each rule";
            return Err(Failure::NothingSelected(text.to_owned()));
        }
        let text = if self.format == Format::Json {
            knobs::json(&wanted)
        } else if self.format == Format::Md {
            knobs::markdown(&wanted)
        } else {
            knobs::text(&wanted, width())
        };
        Ok(print(&text, talk))
    }

    fn selection(&self) -> Result<Selection, UnknownFilter> {
        let mut selection = Selection::default();
        for name in &self.names {
            match selection.name(name) {
                Ok(()) => {}
                // `plya-4` and `PLYA` are meant as a rule and a family.
                Err(unknown)
                    if name.contains(|it: char| it.is_ascii_digit())
                        || !name.contains(char::is_lowercase) =>
                {
                    return Err(unknown);
                }
                Err(_) => selection.words(name)?,
            }
        }
        self.basis
            .iter()
            .try_for_each(|basis| selection.basis(basis))?;
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
