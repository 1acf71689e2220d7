//! Which lines of a trace a command is about: `--view`, `--only`, `--not`.

use clap::ValueEnum;

use playsim::trace::{Filter, Pattern, Trace, View};
use playsim::words;

#[derive(Debug, clap::Args)]
pub(super) struct Lines {
    /// Which lines: what page code could observe, what concerns ads, or all
    #[arg(long, value_enum)]
    view: Option<Shown>,
    /// Only lines with such a name or kind, like 'ad*,beacon'; may be repeated
    #[arg(long, value_name = "PATTERN", value_delimiter = ',')]
    only: Vec<String>,
    /// No lines with such a name or kind, like timeupdate; may be repeated
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
    /// The filter; this view if none was asked for.
    pub(super) fn filter(&self, usual: View) -> Filter {
        let patterns = |texts: &[String]| texts.iter().map(|text| Pattern::new(text)).collect();
        let view = match self.view {
            Some(Shown::Page) => View::Page,
            Some(Shown::Ads) => View::Ads,
            Some(Shown::All) => View::All,
            None => usual,
        };
        Filter { view, only: patterns(&self.only), not: patterns(&self.not) }
    }

    /// Whether only some names are wanted.
    pub(super) fn are_chosen(&self) -> bool {
        !self.only.is_empty()
    }

    /// What to say when no line has such a name, of those that there are.
    pub(super) fn nothing_matches(&self, known: &[String]) -> String {
        let only = &self.only;
        let meant = only.iter().find_map(|word| words::nearest(word, known.iter().map(String::as_str)));
        let patterns = only.iter().map(|word| format!("--only '{word}'")).collect::<Vec<_>>().join(" ");
        match meant {
            Some(meant) if !only.iter().any(|word| word == meant) => {
                format!("no line is shown by {patterns}; did you mean '{meant}'?")
            }
            Some(_) | None => format!("no line is shown by {patterns} in this view"),
        }
    }
}

/// Names and kinds that stand in a trace.
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
