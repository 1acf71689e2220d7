//! `playsim waterfall`: plays documents and recorded responses as one waterfall, and reports on
//! each tag.
//!
//! `given` decides which kind of arguments these are, and refuses what is not for it. `tags`,
//! `recording` and `recordings` each play one kind, with a meaning of the exit code of its own;
//! this file plays scenarios, and has what they have in common. `tag`, `spec` and `acts` parse tags
//! and options, and `world` makes a scenario of tags. The library creates reports from traces.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use playsim::Trace;
use playsim::report::waterfall::{Detail, Unanswered, Waterfalls};
use playsim::scenario::{Overrides, Scenario};
use playsim::time::Span;
use playsim::trace::write_jsonl;

use super::command_line::quoted;
use super::failure::{Failure, bail};
use super::format::{Format, formats, write_page};
use super::lines::{self, Lines};
use super::output::{Out, Talk};
use super::playground::Playground;
use super::recorded::{Content, Recorded};
use super::setting::Setting;
use super::{Exit, first_given, input, run, width};

mod acts;
mod given;
pub(super) mod places;
mod recording;
mod recordings;
pub(super) mod spec;
pub(super) mod tag;
mod tags;
mod vary;
pub(super) mod world;

pub(super) use recordings::has_recordings;

use acts::Acts;
use given::Given;
use places::Places;
use tag::Kind;
use vary::WhatIf;

const FORMS: &str = "\
A recording of a session (session.har, or .chlsj and .chlsx of Charles) is played whole, and compared \
with what it recorded. Several recordings, or a folder of them, give one table of all their tags; \
--against compares it with that of others. A scenario (trial.yaml, as playsim import writes it) \
is played whole, too. Otherwise a TAG is one of
  FILE                the tag's response: a VAST document, or a recorded HTTP response (curl -si)
  404, 503, ...       an HTTP status without a document
  empty               a VAST document without an ad
  timeout             no response at all
  refused, reset, truncated, cors, blocked
                      a failed request
  https://...         a URL, whose response is given by --answer or --dir; without both options,
                      real servers are asked for it and what it names, as playsim fetch does
  FOLDER              saved responses, one file each, in the order of the numbers in their names
Append @ and a duration to delay the response, @ and a status to set its HTTP status, or both:
  slow.xml@2s         404@120ms         page.xml@503         page.xml@503@2s
An ANSWER is a TAG other than a URL. To use a file named like one of the words, write ./404.

In the URL of --answer or --media, [brackets] match any text, so that URLs with macros can be copied
from a document. A URL without a query matches any query.

MEDIA is the duration of media files (30s), or a failure: missing, 404, network, decode or
unsupported. Append @ and a duration to delay loading. Prefix URL= to set a single file. By default
every media file loads at once and is as long as its ad says, or 15s if the ad does not say.

Of a VMAP document, all breaks within the content are played; --content sets the content's length.

NAME=VALUES of --vary: a knob (playsim rules --knobs), profile, order (of the tags), tag1.after (its
latency), tag1.hop1.after (that of what its first wrapper names), tag1.answer, tag1.fill (how often
it has an ad), tag1.off (left out), wrapper.after or media.after; and a range, a list or what is
random. tag1 is the first tag as given, in whatever order they are asked.
  ad.timeout=250ms..5s/250ms             tag2.after=0s..3s             profile=default,ima
  'tag1.after=lognormal(300ms, 0.5)'     tag1.after=p50=300ms,p95=1.2s
  tag1.answer=empty,404                  tag1.fill=60%                 order=2,1,3|1,2,3
  tag1.off=no,yes                        tag2.hop1.after=0s..2s        order=all
  tag1.after=@trial/first                tag1.fill=@trial/first      (measured by playsim fetch)
Random are uniform(FROM, TO), normal(MEAN, DEVIATION), lognormal(MEDIAN, SIGMA), exponential(MEAN),
pareto(LEAST, SHAPE) and measured quantiles; --seed chooses the random numbers.

Exit codes:
  0 or 1 is the result:
     tags, a scenario    0 if an ad was shown, otherwise 1; tags also 1 if this depends on a
                         document that is not given
     --vary, --compare   0 if an ad is shown in any session, otherwise 1; also 1 if it depends on
                         what is not given, or what the recording does not have
     a recording         0 if an ad was shown in every break, the page did what is documented (times
                         within --within), and nothing that could change this is unknown;
                         otherwise 1
     many recordings     0 if one of them shows an ad and, with --against, nothing differs beyond
                         chance; otherwise 1
  2  invalid input: arguments, a file that is not an ad server's response, or one of many recordings
     that cannot be understood and is left out
  3  I/O error: a file cannot be read or written
  4  --only selected nothing";

const HELP: &str = "\
{about-with-newline}
Examples:
  playsim waterfall empty.xml@120ms 404 linear.xml@190ms --timeout 2s
  playsim waterfall wrapper.xml --answer https://ads.test/inner=inner.xml@300ms --skip 6s
  playsim waterfall session.har --format html -o page.html
  playsim waterfall today/ --against yesterday/ --format html -o days.html
  playsim waterfall a.xml@3s b.xml@300ms --vary ad.timeout=250ms..5s/250ms

{usage-heading} {usage}

{all-args}{after-help}";

const SURROUNDINGS: &str = "Surroundings";
const OUTPUT: &str = "Output";
const RECORDING: &str = "A recorded session";
const TRACE: &str = "Lines of the trace";
#[cfg(feature = "fetch")]
const SERVERS: &str = "URLs without a response, which real servers are asked for";

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
/// Those of a report; the others are of its trace.
const REPORTS: &[Format] = &[Format::Text, Format::Json, Format::Csv];

#[derive(Debug, clap::Args)]
#[command(help_template = HELP, after_help = FORMS)]
pub(super) struct Waterfall {
    /// A recorded session, a scenario, or the tags of the waterfall in order, see below; - or stdin
    /// for standard input
    #[arg(required = true, value_name = "TAG")]
    tags: Vec<String>,
    /// The response of a URL, such as one in a wrapper; may be repeated, also to give a URL several
    /// responses in turn. In a recording or a scenario it replaces the response that is there
    #[arg(long, value_name = "URL=ANSWER")]
    answer: Vec<String>,
    /// Look for responses in this folder, named by URL: for https://ads.test/a/inner?x=1, the file
    /// ads.test/a/inner or inner, with or without .xml
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
    /// The duration of media files, or how they fail, see below; may be repeated
    #[arg(long, value_name = "[URL=]MEDIA")]
    media: Vec<String>,
    /// The type of ad break [default: pre]
    #[arg(long, value_enum, value_name = "KIND", help_heading = SURROUNDINGS)]
    kind: Option<Kind>,
    /// The device that shows the page [default: desktop]
    #[arg(long, value_enum, value_name = "DEVICE", help_heading = SURROUNDINGS)]
    device: Option<Device>,
    /// The length of the content (60s); with --kind mid or overlay the break is at 10 s, or halfway
    /// in shorter content. For a recording also a part of the URL of its requests; may be repeated
    #[arg(long, value_name = "TIME|PATTERN", help_heading = SURROUNDINGS)]
    content: Vec<Content>,
    /// The time limit of a tag including its wrappers, short for --knob ad.timeout=TIME
    #[arg(long, value_name = "TIME", help_heading = SURROUNDINGS)]
    timeout: Option<Span>,
    #[command(flatten, next_help_heading = SURROUNDINGS)]
    setting: Setting,
    #[command(flatten, next_help_heading = "What a person does during each ad")]
    acts: Acts,
    #[command(flatten, next_help_heading = "What would have helped")]
    vary: WhatIf,
    #[cfg(feature = "fetch")]
    #[command(flatten, next_help_heading = SERVERS)]
    requests: super::requests::Requests,
    #[command(flatten, next_help_heading = RECORDING)]
    recorded: Recorded,
    /// For many recordings: compare them with these, a folder or files
    #[arg(long, value_name = "RECORDINGS", num_args = 1.., help_heading = RECORDING)]
    against: Vec<PathBuf>,
    /// For a recording: differences of time up to this do not count [default: 500ms]
    #[arg(long, value_name = "TIME", help_heading = RECORDING)]
    within: Option<Span>,
    /// The output format: the report as tables, as one JSON object, whose keys
    /// docs/src/report-json.md lists, or for many recordings as CSV; or its trace: as text (trace),
    /// or in the other formats of playsim run
    #[arg(long, value_parser = formats(FORMATS), default_value = "text", value_name = "FORMAT", help_heading = OUTPUT)]
    format: Format,
    /// Show only the called pixels, or also the others, each with the reason; JSON always has all
    /// [default: called]
    #[arg(long, value_enum, value_name = "WHICH", help_heading = OUTPUT)]
    pixels: Option<Pixels>,
    /// Show the first warning about each tag's documents, or all warnings; JSON always has all
    /// [default: first]
    #[arg(long, value_enum, value_name = "WHICH", help_heading = OUTPUT)]
    warnings: Option<Warnings>,
    #[command(flatten, next_help_heading = TRACE)]
    lines: Lines,
    #[command(flatten, next_help_heading = TRACE)]
    playground: Playground,
    /// Show the deciding rule on each line
    #[arg(long, help_heading = TRACE)]
    why: bool,
    /// Write to a file instead of standard output; many recordings with --format html also to a
    /// folder (FOLDER/), with a page for each recording, to which its name leads
    #[arg(short, long, value_name = "FILE", help_heading = OUTPUT)]
    output: Option<PathBuf>,
    /// Also write the whole trace to a file as JSON lines, for playsim explain and playsim diff
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    trace: Option<PathBuf>,
    /// Also write what was played as a scenario: NAME.yaml, with its documents beside it
    #[arg(long, value_name = "NAME", help_heading = OUTPUT)]
    save: Option<PathBuf>,
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Device {
    Desktop,
    Mobile,
}

impl Waterfall {
    /// Plays what is given, and prints the result.
    pub(super) fn run(&self, talk: &Talk) -> Result<Exit, Failure> {
        let given = Given::of(self)?;
        given.check(self)?;
        self.check(&given)?;
        match &given {
            Given::Tags => self.play_tags(talk),
            Given::Scenario(file) => self.play_scenario(file, talk),
            Given::Recording(file) => self.play_recording(file, talk),
            Given::Recordings(files) => self.play_recordings(files, talk),
        }
    }

    /// Plays a scenario, and prints the report of its waterfalls.
    fn play_scenario(&self, file: &Path, talk: &Talk) -> Result<Exit, Failure> {
        let name = input::name(file);
        let mut scenario = input::scenario(file, &self.overrides()?)?.scenario;
        let is_read = |output: &Path| input::part_at(file, &scenario, output).is_some();
        self.check_outputs(is_read, &format!("read for {name}"))?;
        self.setting.change(&mut scenario);
        scenario.steps.extend(self.acts.steps());
        let mut answers = Places::read(&self.answer, |word| spec::place(word, talk))?;
        answers.replace_in(&mut scenario);
        answers.add_to(&mut scenario);
        answers.check_used(&name)?;
        let trace = run::play(&name, &scenario)?;
        if self.vary.is_given() {
            let table = self.vary.play_scenario(&scenario, talk)?;
            return Ok(self.show_table(&table, &scenario, None, talk));
        }
        let report = Waterfalls::of_played(&trace, &scenario);
        let mut exit = Exit::of(report.is_filled());
        exit = exit.and(self.show(&report, &scenario, &trace, talk));
        exit = exit.and(self.keep_trace(&trace, talk));
        self.advise(&report.unanswered, talk);
        Ok(exit)
    }

    /// Checks the options that only mean something together, or not together.
    fn check(&self, given: &Given) -> Result<(), Failure> {
        let (is_report, is_page) = (REPORTS.contains(&self.format), self.format == Format::Html);
        let is_of_trace = !is_report && !is_page;
        let format = self.format.name();
        if let Given::Recordings(_) = given {
            if is_of_trace {
                bail!(
                    "--format {format} is the trace of one recording; of many the formats are text, json, csv and html"
                );
            }
            return Ok(());
        }
        self.playground.check(is_page)?;
        let of_lines = self.lines.option().or(self.why.then_some("--why"));
        if let Some(option) = of_lines.filter(|_| is_report) {
            bail!(
                "{option} is about the lines of a trace; add --format trace (or html, jsonl, ...)"
            );
        }
        if self.format == Format::Csv {
            bail!(
                "--format csv is the table of many recordings, and there is one waterfall; give a folder of recordings"
            );
        }
        if !self.vary.is_given() {
            return self.vary.check();
        }
        if is_of_trace {
            bail!(
                "--format {format} shows one run; with --vary and --compare the formats are text, json and html"
            );
        }
        let of_one_run = [
            (self.trace.is_some(), "--trace"),
            (self.save.is_some(), "--save"),
        ];
        if let Some(option) = first_given(of_one_run) {
            bail!("{option} writes one run; leave out --vary and --compare, or leave it out");
        }
        if let Some(option) = of_lines {
            bail!(
                "{option} is about the lines of one trace; leave out --vary and --compare, or leave it out"
            );
        }
        Ok(())
    }

    /// Checks that neither the report nor the trace would overwrite a file that is read.
    fn check_outputs(&self, is_read: impl Fn(&Path) -> bool, what: &str) -> Result<(), Failure> {
        for (output, option) in [(&self.output, "-o"), (&self.trace, "--trace")] {
            if let Some(output) = output.as_deref().filter(|output| is_read(output)) {
                let name = input::name(output);
                bail!("{name} is {what}, and {option} would overwrite it");
            }
        }
        Ok(())
    }

    /// Writes the trace to the file of `--trace`.
    fn keep_trace(&self, trace: &Trace, talk: &Talk) -> Exit {
        let Some(file) = &self.trace else {
            return Exit::AsExpected;
        };
        let mut out = Out::to(Some(file.clone()));
        // `out` keeps a write error for the end.
        let _ = write_jsonl(trace, &lines::all(), true, &mut out);
        out.finish(talk)
    }

    /// Prints the report or the trace.
    fn show(&self, report: &Waterfalls, scenario: &Scenario, trace: &Trace, talk: &Talk) -> Exit {
        let mut out = Out::to(self.output.clone());
        let paints = talk.paints() && self.output.is_none();
        let mut exit = Exit::AsExpected;
        if self.format == Format::Json {
            out.text(&(report.json() + "\n"));
        } else if REPORTS.contains(&self.format) {
            out.painted(&report.detailed_text(width(), paints, self.detail()));
        } else {
            let filter = self.lines.filter(self.format.view());
            let (why, playground) = (self.why, &self.playground);
            // `out` keeps a write error for the end.
            let _ = if self.format == Format::Html {
                write_page(report, scenario, trace, &filter, playground, &mut out)
            } else {
                let format = self.format;
                format.write(scenario, trace, &filter, why, playground, &mut out)
            };
            out.flush();
            exit = self.lines.judge(trace, &filter, talk);
        }
        exit.and(out.finish(talk))
    }

    fn detail(&self) -> Detail {
        Detail {
            pixels: self.pixels == Some(Pixels::All),
            warnings: self.warnings == Some(Warnings::All),
        }
    }

    fn overrides(&self) -> Result<Overrides, Failure> {
        let mut overrides = self.setting.overrides();
        if let Some(timeout) = self.timeout {
            overrides
                .set_knob("ad.timeout", &timeout.in_seconds())
                .map_err(Failure::input)?;
        }
        Ok(overrides)
    }

    /// Prints how to give responses to the URLs that have none.
    fn advise(&self, unanswered: &[Unanswered], talk: &Talk) {
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
        if let Some(dir) = &self.dir {
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
        talk.say(&text);
    }
}
