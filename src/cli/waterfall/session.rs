//! What `playsim waterfall` does with one session, whatever it was made of: how it is played, and
//! how it is shown.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use playsim::Trace;
use playsim::report::waterfall::{Detail, Unanswered, Waterfalls};
use playsim::scenario::{AnswerScript, Overrides, Scenario};
use playsim::sweep::{Price, RecordedBasis, SweepError, Table, WhatIfPage};
use playsim::time::Span;
use playsim::trace::write_jsonl;
use playsim_base::escape;

use super::acts::Acts;
use super::places::Places;
use super::{SURROUNDINGS, TRACE, WHAT_IF, spec, world};
use crate::cli::command_line::{self, quoted};
use crate::cli::failure::{Failure, Invalid, bail};
use crate::cli::format::{Format, formats, write_page};
use crate::cli::lines::{self, Lines};
use crate::cli::options::Options;
use crate::cli::output::{Out, Talk};
use crate::cli::playground::Playground;
use crate::cli::setting::Setting;
use crate::cli::vary::{Threads, Vary};
use crate::cli::{Exit, input, width};

const FORMATS: &[Format] = &[
    Format::Text,
    Format::Json,
    Format::Csv,
    Format::Html,
    Format::Har,
    Format::Pixels,
    Format::Summary,
    Format::ChromeTrace,
    Format::Jsonl,
    Format::Trace,
];
/// Those of a report; the others, but for a page, are of its trace.
const REPORTS: &[Format] = &[Format::Text, Format::Json, Format::Csv];

/// How a session is played.
#[derive(Debug, clap::Args)]
pub(super) struct Play {
    /// The response of a URL, such as one in a wrapper; may be repeated, also to give a URL several
    /// responses in turn. In a recording or a scenario it replaces the response that is there
    #[arg(long, value_name = "URL=ANSWER", help_heading = None)]
    pub(super) answer: Vec<String>,
    /// The time limit of a tag including its wrappers, short for --knob ad.timeout=TIME
    #[arg(long, value_name = "TIME", help_heading = SURROUNDINGS)]
    timeout: Option<Span>,
    #[command(flatten, next_help_heading = SURROUNDINGS)]
    pub(super) setting: Setting,
    #[command(flatten, next_help_heading = "What a person does during each ad")]
    pub(super) acts: Acts,
    #[command(flatten, next_help_heading = WHAT_IF)]
    pub(super) vary: WhatIf,
}

/// With which other settings a session is played.
#[derive(Debug, clap::Args)]
pub(super) struct WhatIf {
    #[command(flatten)]
    pub(super) vary: Vary,
    /// What 1,000 impressions of a tag earn, such as tag1=2.50; may be repeated. Other ads earn
    /// what Pricing with the model CPM in their documents says
    #[arg(long, value_name = "TAG=CPM", value_delimiter = ',', value_parser = price)]
    pub(super) price: Vec<Price>,
}

fn price(word: &str) -> Result<Price, Invalid> {
    word.parse()
        .map_err(|error: SweepError| Invalid(error.to_string()))
}

/// How a session is shown.
#[derive(Debug, clap::Args)]
pub(super) struct Show {
    /// Show only the called pixels, or also the others, each with the reason; JSON always has all
    /// [default: called]
    #[arg(long, value_enum, value_name = "WHICH")]
    pixels: Option<Pixels>,
    /// Show the first warning about each tag's documents, or all warnings; JSON always has all
    /// [default: first]
    #[arg(long, value_enum, value_name = "WHICH")]
    warnings: Option<Warnings>,
    /// Also write the whole trace to a file as JSON lines, for playsim explain and playsim diff
    #[arg(long, value_name = "FILE")]
    pub(super) trace: Option<PathBuf>,
    #[command(flatten, next_help_heading = TRACE)]
    pub(super) lines: Lines,
    #[command(flatten)]
    pub(super) playground: Playground,
    /// Show the deciding rule on each line
    #[arg(long)]
    why: bool,
}

/// In which form the result is written, and where.
#[derive(Debug, clap::Args)]
pub(super) struct Output {
    /// The output format: the report as tables, as one JSON object, whose keys
    /// docs/src/report-json.md lists, or for many recordings as CSV; or its trace: as text (trace),
    /// or in the other formats of playsim run
    #[arg(long, value_parser = formats(FORMATS), default_value = "text", value_name = "FORMAT")]
    pub(super) format: Format,
    /// Write to a file instead of standard output; many recordings with --format html also to a
    /// folder (FOLDER/), with a page for each recording, to which its name leads
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Pixels {
    Called,
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Warnings {
    First,
    All,
}

impl Output {
    /// Prints a result as JSON, as text, which may be coloured, or in another form.
    pub(super) fn print(
        &self,
        talk: &Talk,
        json: impl FnOnce() -> String,
        text: impl FnOnce(bool) -> String,
        other: impl FnOnce(&mut Out) -> Exit,
    ) -> Exit {
        let mut out = Out::to(self.output.clone());
        let mut exit = Exit::AsExpected;
        if self.format == Format::Json {
            out.text(&(json() + "\n"));
        } else if self.format == Format::Text {
            out.painted(&text(talk.paints() && self.output.is_none()));
        } else {
            exit = other(&mut out);
        }
        exit.and(out.finish(talk))
    }

    /// Whether the format is that of a trace, of which there is one for each session.
    pub(super) fn is_trace(&self) -> bool {
        !REPORTS.contains(&self.format) && self.format != Format::Html
    }
}

impl Play {
    pub(super) fn overrides(&self) -> Result<Overrides, Failure> {
        let mut overrides = self.setting.overrides();
        if let Some(timeout) = self.timeout {
            overrides
                .set_knob("ad.timeout", &timeout.in_seconds())
                .map_err(Failure::input)?;
        }
        Ok(overrides)
    }

    pub(super) fn answers(&self, talk: &Talk) -> Result<Places<AnswerScript>, Failure> {
        Places::read(&self.answer, |word| spec::place(word, talk))
    }

    /// Changes a scenario that was read.
    pub(super) fn change(&self, scenario: &mut Scenario) {
        self.setting.change(scenario);
        scenario.steps.extend(self.acts.steps());
    }
}

/// One session, which is played and shown.
#[derive(Clone, Copy)]
pub(super) struct Session<'a> {
    pub(super) options: &'a Options,
    pub(super) play: &'a Play,
    pub(super) show: &'a Show,
    pub(super) output: &'a Output,
    /// The scenario to write.
    pub(super) save: Option<&'a Path>,
    pub(super) threads: Threads,
    pub(super) talk: &'a Talk,
}

impl Session<'_> {
    /// Checks the options that only mean something together, or not together.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let (options, format) = (self.options, self.output.format);
        self.show.playground.check(format == Format::Html)?;
        if self.output.output.is_some() && self.output.output == self.show.trace {
            bail!("-o and --trace must be different files");
        }
        let of_lines = options.of::<Lines>().or_else(|| options.first(&["why"]));
        if let Some(option) = of_lines.filter(|_| REPORTS.contains(&format)) {
            bail!(
                "{option} is about the lines of a trace; add --format trace (or html, jsonl, ...)"
            );
        }
        if !self.play.vary.vary.is_given() {
            return match options.first(&["runs", "threads", "price"]) {
                Some(option) => bail!(
                    "{option} is about many runs; add what differs between them, such as \
                     --vary 'tag1.after=lognormal(300ms, 0.5)'"
                ),
                None => Ok(()),
            };
        }
        let trace = self.output.is_trace().then(|| format.option());
        let of_one = trace.or_else(|| options.of::<Show>());
        match of_one.or_else(|| options.first(&["save"])) {
            Some(option) => bail!(
                "{option} is about one run, and --vary and --compare play many; leave out either"
            ),
            None => Ok(()),
        }
    }

    /// Checks that neither the report nor the trace would overwrite a file that is read.
    pub(super) fn check_outputs(
        &self,
        is_read: impl Fn(&Path) -> bool,
        what: &str,
    ) -> Result<(), Failure> {
        for (output, option) in [(&self.output.output, "-o"), (&self.show.trace, "--trace")] {
            if let Some(output) = output.as_deref().filter(|output| is_read(output)) {
                let name = input::name(output);
                bail!("{name} is {what}, and {option} would overwrite it");
            }
        }
        Ok(())
    }

    /// Writes the trace to the file of `--trace`.
    pub(super) fn keep_trace(&self, trace: &Trace) -> Exit {
        let Some(file) = &self.show.trace else {
            return Exit::AsExpected;
        };
        let mut out = Out::to(Some(file.clone()));
        // `out` keeps a write error for the end.
        let _ = write_jsonl(trace, &lines::all(), true, &mut out);
        out.finish(self.talk)
    }

    /// Prints the report or the trace.
    pub(super) fn show(&self, report: &Waterfalls, scenario: &Scenario, trace: &Trace) -> Exit {
        let (format, show) = (self.output.format, self.show);
        let text = |paints| report.detailed_text(width(), paints, self.detail());
        self.output.print(
            self.talk,
            || report.json(),
            text,
            |out| {
                let filter = show.lines.filter(format.view());
                // `out` keeps a write error for the end.
                let _ = if format == Format::Html {
                    write_page(report, scenario, trace, &filter, &show.playground, out)
                } else {
                    format.write(scenario, trace, &filter, show.why, &show.playground, out)
                };
                out.flush();
                show.lines.judge(trace, &filter, self.talk)
            },
        )
    }

    pub(super) fn detail(&self) -> Detail {
        Detail {
            pixels: self.show.pixels == Some(Pixels::All),
            warnings: self.show.warnings == Some(Warnings::All),
        }
    }

    /// Prints a table of many runs. A scenario that was made of a recording rests on it.
    pub(super) fn show_table(
        &self,
        table: &Table,
        scenario: &Scenario,
        recording: Option<RecordedBasis<'_>>,
    ) -> Exit {
        let exit = Exit::of(table.is_filled());
        let text = |_| escape::lines(&table.text(width())).into_owned();
        exit.and(self.output.print(
            self.talk,
            || table.json(),
            text,
            |out| {
                let command = command_line::current();
                let page = WhatIfPage::new(table)
                    .with_scenario(scenario)
                    .with_command(&command);
                let page = recording.map_or(page, |it| page.with_recording(it));
                // `out` keeps a write error for the end.
                let _ = page.write(out);
                Exit::AsExpected
            },
        ))
    }

    /// Prints how to give responses to the URLs that have none. They are also looked for in `dir`.
    pub(super) fn advise(&self, unanswered: &[Unanswered], dir: Option<&Path>) {
        if unanswered.is_empty() {
            return;
        }
        let mut text =
            String::from("note: what these URLs answer is not given; to set a response, add");
        for it in unanswered {
            text.push_str(&format!(
                "\n  --answer {}",
                quoted(&format!("{}=FILE", it.url))
            ));
            if let Some(suggestion) = &it.suggestion {
                text.push_str(&format!("   (given for {suggestion})"));
            }
        }
        if let Some(dir) = dir {
            text.push_str(&format!(
                "\nor put files with these names into {}:",
                input::name(dir)
            ));
            for name in unanswered.iter().filter_map(|it| world::name_of(&it.url)) {
                text.push_str(&format!("\n  {name}.xml"));
            }
        }
        if let Some(it) = unanswered.iter().find(|it| it.url.starts_with("http")) {
            text.push_str(&format!(
                "\nto record the response of a URL:\n  curl -si {} > tag.http",
                spec::quoted(&it.url)
            ));
        }
        self.talk.say(&text);
    }
}
