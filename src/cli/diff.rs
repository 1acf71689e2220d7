//! `playsim diff`: where two traces differ, and what led to the difference on both sides.
//!
//! Rule TRACE-7.

use std::path::{Path, PathBuf};

use playsim::diff::{self, Comparison, Side};
use playsim::internal::words;
use playsim::knobs::Profiles;
use playsim::time::Span;
use playsim::trace::{Filter, View};

use super::lines::{Lines, words_of};
use super::output::{Out, Talk};
use super::setting::Setting;
use super::source::{self, Source};
use super::{EXIT_CODES, Exit, file, input, setting};

#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(super) struct Diff {
    /// A trace (JSON lines or text), or a scenario to play; - for standard input
    #[arg(value_name = "A")]
    first: PathBuf,
    /// The trace or scenario to compare with
    #[arg(value_name = "B", required_unless_present = "profiles")]
    second: Option<PathBuf>,
    /// Play scenario A with each of these two profiles, and compare the traces
    #[arg(
        long,
        num_args = 2,
        value_names = ["ONE", "OTHER"],
        value_parser = setting::profile,
        conflicts_with = "second",
    )]
    profiles: Vec<Profiles>,
    /// Treat lines as equal if their times differ by at most this, such as 250ms
    #[arg(long, value_name = "SPAN")]
    within: Option<Span>,
    #[command(flatten)]
    lines: Lines,
}

impl Diff {
    /// Compares the two and prints what differs.
    pub(super) fn print(self, talk: &Talk) -> Exit {
        if self.second.as_ref().is_some_and(|second| file::is_stdin(&self.first) && file::is_stdin(second)) {
            talk.error("only one of the two files can be standard input");
            return Exit::WrongInput;
        }
        match self.compare(talk) {
            Ok(exit) | Err(exit) => exit,
        }
    }

    fn compare(&self, talk: &Talk) -> Result<Exit, Exit> {
        let read = |(file, _, setting): &(&Path, String, Setting)| {
            source::read(file, setting).map_err(|fault| fault.report(talk))
        };
        let [one, other] = self.files();
        let sources = (read(&one), read(&other));
        let (first, second) = match sources {
            (Ok(first), Ok(second)) => (first, second),
            (Err(exit), Ok(_)) | (Ok(_), Err(exit)) => return Err(exit),
            (Err(first), Err(second)) => return Err(first.and(second)),
        };
        // A trace in text form holds only the lines of the review view.
        let is_text = [&first, &second].iter().any(|source| matches!(source, Source::Text(_)));
        let filter = self.lines.filter(if is_text { View::Review } else { View::All });
        let mut known = Vec::new();
        let first = side(&one.1, first, &filter, &mut known, talk)?;
        let second = side(&other.1, second, &filter, &mut known, talk)?;
        if first.is_empty() && second.is_empty() && self.lines.are_chosen() {
            talk.error(&self.lines.nothing_matches(&known));
            return Err(Exit::NothingSelected);
        }
        for (side, name) in [(&first, &one.1), (&second, &other.1)] {
            if side.is_recording() {
                talk.say(&format!(
                    "{name} is a recording without a header; only the kinds of lines that it has are compared"
                ));
            }
        }
        Ok(self.report(&diff::compare(&first, &second, self.within.unwrap_or(Span::ZERO)), talk))
    }

    /// Returns the two files, with their names in the output and the settings to play scenarios with.
    fn files(&self) -> [(&Path, String, Setting); 2] {
        if let [one, other] = &self.profiles[..] {
            return [one, other].map(|profile| {
                let name = format!("{} ({profile})", input::name(&self.first));
                (self.first.as_path(), name, Setting::of_profile(profile.clone()))
            });
        }
        let second = self.second.as_deref().unwrap_or(&self.first);
        [self.first.as_path(), second].map(|file| (file, input::name(file), Setting::default()))
    }

    fn report(&self, comparison: &Comparison<'_>, talk: &Talk) -> Exit {
        if comparison.is_equal() {
            talk.say(&format!("no difference in {}", words::counted(comparison.compared(), "line")));
            if let Some((first, second)) = comparison.other_heads() {
                talk.say(&format!("the headers differ:\n- {first}\n+ {second}"));
            }
            return Exit::AsExpected;
        }
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = comparison.write(usize::MAX, &mut text);
        let mut out = Out::to(None);
        out.painted(&talk.painted(&text));
        let exit = out.finish(talk);
        if comparison.differs_in_updates_only() {
            talk.say("only time updates differ; use --not timeupdate to leave them out");
        }
        Exit::Difference.and(exit)
    }
}

/// Returns one side of the comparison, and adds the names and kinds of its lines to `known`.
fn side(
    name: &str,
    source: Source,
    filter: &Filter,
    known: &mut Vec<String>,
    talk: &Talk,
) -> Result<Side, Exit> {
    match source {
        Source::Trace(trace) => {
            known.extend(words_of(&trace));
            Ok(Side::of_trace(name, trace, filter))
        }
        Source::Text(text) => Side::of_text(name, &text, filter).map_err(|error| {
            talk.error(&error.to_string());
            Exit::WrongInput
        }),
    }
}
