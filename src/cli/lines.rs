//! Selects the lines of a trace: `--view`, `--only`, `--not`.

use clap::ValueEnum;

use playsim::trace::{Filter, Pattern, Trace, View};
use playsim_base::words;

use super::output::Talk;
use super::{Exit, joined};

#[derive(Debug, clap::Args)]
pub(super) struct Lines {
    /// Show what page code could observe, what concerns ads, or everything
    #[arg(long, value_enum)]
    view: Option<Shown>,
    /// Show only lines whose name or kind matches, such as 'ad*,beacon'; may be repeated
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    only: Vec<String>,
    /// Hide lines whose name or kind matches, such as timeupdate; may be repeated
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    not: Vec<String>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Shown {
    Page,
    Ads,
    All,
}

impl Lines {
    /// Returns the filter, with `usual` as the default view.
    pub(super) fn filter(&self, usual: View) -> Filter {
        let patterns = |texts: &[String]| texts.iter().map(|text| Pattern::new(text)).collect();
        let view = match self.view {
            Some(Shown::Page) => View::Page,
            Some(Shown::Ads) => View::Ads,
            Some(Shown::All) => View::All,
            None => usual,
        };
        Filter {
            view,
            only: patterns(&self.only),
            not: patterns(&self.not),
        }
    }

    /// Returns whether `--only` was given.
    pub(super) fn are_chosen(&self) -> bool {
        !self.only.is_empty()
    }

    /// Says so if none of the lines that were asked for is shown.
    pub(super) fn judge(&self, trace: &Trace, filter: &Filter, talk: &Talk) -> Exit {
        if !self.are_chosen() || shows_any(trace, filter) {
            return Exit::AsExpected;
        }
        talk.error(&self.nothing_matches(&words_of(trace)));
        Exit::NothingSelected
    }

    /// Returns the error for patterns that no line matches; `known` are the names and kinds in the
    /// traces.
    pub(super) fn nothing_matches(&self, known: &[String]) -> String {
        let only = &self.only;
        let meant = only
            .iter()
            .find_map(|word| words::nearest(word, known.iter().map(String::as_str)));
        let patterns = joined(only.iter().map(|word| format!("--only '{word}'")), " ");
        match meant {
            Some(meant) if !only.iter().any(|word| word == meant) => {
                format!("no line matches {patterns}; did you mean '{meant}'?")
            }
            Some(_) | None => format!("no line in this view matches {patterns}"),
        }
    }
}

/// The filter that every line passes.
pub(super) fn all() -> Filter {
    Filter {
        view: View::All,
        ..Filter::default()
    }
}

/// Returns whether more than header and outcome is printed.
pub(super) fn shows_any(trace: &Trace, filter: &Filter) -> bool {
    let inner = trace.records.len().saturating_sub(1);
    trace
        .records
        .iter()
        .take(inner)
        .skip(1)
        .any(|record| filter.shows(record))
}

/// Returns the names and kinds of the lines of a trace.
pub(super) fn words_of(trace: &Trace) -> Vec<String> {
    let mut words: Vec<String> = trace
        .records
        .iter()
        .flat_map(|record| [record.name.to_string(), record.kind.name().to_owned()])
        .collect();
    words.sort();
    words.dedup();
    words
}
