//! `playsim diff`: where two traces differ, and what led to the difference on both sides.
//!
//! Rule TRACE-7.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use playsim::diff::{self, Comparison, Side};
use playsim::import::{Evidence, Hints, PageVerdict, differences};
use playsim::knobs::Profiles;
use playsim::recording::Tolerance;
use playsim::time::Span;
use playsim::trace::{Filter, View};
use playsim_base::words;

use super::failure::{Failure, bail};
use super::lines::{Lines, words_of};
use super::options::Options;
use super::output::{Out, Talk, as_argument};
use super::setting::Setting;
use super::source::{self, Source};
use super::{Exit, exits, file, input, recorded, setting};

#[derive(Debug, clap::Args)]
#[command(after_help = exits(&[(Exit::AsExpected, "no difference"), (Exit::Difference, "a difference"), (Exit::NothingSelected, "no line was selected")]))]
pub(super) struct Diff {
    #[command(flatten)]
    options: Options,
    /// A trace (JSON lines or text), a scenario to play, or a recording such as session.har; - for
    /// standard input
    #[arg(value_name = "A")]
    first: PathBuf,
    /// The trace, scenario or recording to compare with
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
    /// [default: 0; for a recording 531.2ms, counted from what came on screen last]
    #[arg(long, value_name = "SPAN")]
    within: Option<Span>,
    /// For a recording: how far times may differ since the start [default: 2s]
    #[arg(long, value_name = "SPAN")]
    overall: Option<Span>,
    #[command(flatten)]
    lines: Lines,
    #[command(flatten)]
    setting: Setting,
}

impl Diff {
    /// Compares the two and prints what differs.
    pub(super) fn print(self, talk: &Talk) -> Result<Exit, Failure> {
        if self
            .second
            .as_ref()
            .is_some_and(|second| file::is_stdin(&self.first) && file::is_stdin(second))
        {
            bail!("only one of the two files can be standard input");
        }
        match self.recordings()? {
            Some((one, other)) => compare_recordings(one, other, self.within, talk),
            None => self.compare(talk),
        }
    }

    /// Returns the two files if they are recordings of what a page did.
    fn recordings(&self) -> Result<Option<(&Path, &Path)>, Failure> {
        let Some(second) = self.second.as_deref() else {
            return Ok(None);
        };
        let is_recording = |file: &Path| recorded::is_recording(&file.to_string_lossy());
        let [one, other] = [self.first.as_path(), second].map(input::name);
        let (page, other) = match (is_recording(&self.first), is_recording(second)) {
            (false, false) => return Ok(None),
            (true, true) => {
                let option = self.options.of::<Setting>();
                let option = option.or_else(|| self.options.of::<Lines>());
                return match option.or_else(|| self.options.first(&["overall"])) {
                    None => Ok(Some((&self.first, second))),
                    Some(option) => bail!(
                        "{one} and {other} are recordings of pages; of the options only --within works with them, not {option}"
                    ),
                };
            }
            (true, false) => (one, other),
            (false, true) => (other, one),
        };
        bail!(
            "{page} is a recording of a page, and {other} is not; to compare the page with the rules: \
             playsim waterfall {}",
            as_argument(&page)
        )
    }

    fn compare(&self, talk: &Talk) -> Result<Exit, Failure> {
        let read = |(file, _, profile): &(&Path, String, Option<Setting>)| {
            source::read_either(file, profile.as_ref().unwrap_or(&self.setting))
        };
        let [one, other] = self.files();
        let sources = (read(&one), read(&other));
        let ((first, is_played), (second, other_is_played)) = match sources {
            (Ok(first), Ok(second)) => (first, second),
            (Err(failure), Ok(_)) | (Ok(_), Err(failure)) => return Err(failure),
            (Err(first), Err(second)) => return Ok(first.report(talk).and(second.report(talk))),
        };
        for (one, is_played) in [(&one, is_played), (&other, other_is_played)] {
            if one.2.is_some() && !is_played {
                bail!("{} is a trace; --profile only works with a scenario", one.1);
            }
        }
        if let Some(option) = self
            .options
            .of::<Setting>()
            .filter(|_| !is_played && !other_is_played)
        {
            bail!(
                "{} and {} are traces; {option} only works with a scenario",
                one.1,
                other.1
            );
        }
        // A trace in text form holds only the lines of the review view.
        let is_text = [&first, &second]
            .iter()
            .any(|source| matches!(source, Source::Text(_)));
        let filter = self
            .lines
            .filter(if is_text { View::Review } else { View::All });
        let mut known = Vec::new();
        let first = side(&one.1, first, &filter, &mut known)?;
        let second = side(&other.1, second, &filter, &mut known)?;
        let (first, second) = diff::meet(first, second);
        if first.is_empty() && second.is_empty() && self.lines.are_chosen() {
            return Err(Failure::NothingSelected(self.lines.nothing_matches(&known)));
        }
        for (side, name) in [(&first, &one.1), (&second, &other.1)] {
            if side.is_recording() {
                let what = side.what();
                talk.say(&format!(
                    "{name} is {what}; what could not be heard is not compared"
                ));
            }
        }
        let is_recording = first.is_recording() || second.is_recording();
        Ok(self.report(
            &diff::compare(&first, &second, self.tolerance(is_recording)),
            talk,
        ))
    }

    fn tolerance(&self, is_recording: bool) -> Tolerance {
        let usual = if is_recording {
            Tolerance::default()
        } else {
            Tolerance::EXACT
        };
        Tolerance {
            within: self.within.unwrap_or(usual.within),
            overall: self.overall.unwrap_or(usual.overall),
        }
    }

    /// Returns the two files, with their names in the output and the settings to play scenarios
    /// with.
    fn files(&self) -> [(&Path, String, Option<Setting>); 2] {
        if let [one, other] = &self.profiles[..] {
            return [one, other].map(|profile| {
                let name = format!("{} ({profile})", input::name(&self.first));
                (
                    self.first.as_path(),
                    name,
                    Some(Setting::of_profile(profile.clone())),
                )
            });
        }
        let second = self.second.as_deref().unwrap_or(&self.first);
        [self.first.as_path(), second].map(|file| (file, input::name(file), None))
    }

    fn report(&self, comparison: &Comparison<'_>, talk: &Talk) -> Exit {
        if comparison.is_equal() {
            talk.say(&format!(
                "no difference in {}",
                words::counted(comparison.compared(), "line")
            ));
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
) -> Result<Side, Failure> {
    match source {
        Source::Trace(trace) => {
            known.extend(words_of(&trace));
            Ok(Side::of_trace(name, trace, filter))
        }
        Source::Text(text) => Side::of_text(name, &text, filter).map_err(Failure::input),
    }
}

/// Times that differ by at most this are the same.
const WITHIN: Span = Span::from_millis(500);

/// Compares what two pages did, and prints what differs.
fn compare_recordings(
    first: &Path,
    second: &Path,
    within: Option<Span>,
    talk: &Talk,
) -> Result<Exit, Failure> {
    let read = |file: &Path| -> Result<PageVerdict, Failure> {
        let evidence = Evidence::of(recorded::read(file)?, Hints::default());
        Ok(PageVerdict::of(&evidence.map_err(Failure::input)?))
    };
    let (one, other) = (read(first)?, read(second)?);
    let found = differences(&one, &other, within.unwrap_or(WITHIN));
    if found.is_empty() {
        talk.say("no difference in what the two pages did");
        return Ok(Exit::AsExpected);
    }
    let [first, second] = [first, second].map(input::name);
    let mut text = format!("- {first}\n+ {second}\n");
    for it in &found {
        let side = |side: &Option<String>| side.clone().unwrap_or_else(|| "not there".to_owned());
        let unknown = if it.is_unknown {
            " (one recording cannot tell)"
        } else {
            ""
        };
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "\n{}{unknown}\n- {}\n+ {}",
            it.what,
            side(&it.first),
            side(&it.second)
        );
    }
    let mut out = Out::to(None);
    out.painted(&talk.painted(&text));
    Ok(Exit::Difference.and(out.finish(talk)))
}
