//! `playsim waterfall`: plays documents and recorded responses as one waterfall, and reports on each tag.
//!
//! `tag` and `spec` parse the arguments, and `world` makes a scenario of them and plays it. The library
//! creates the report from the trace.

use std::path::PathBuf;

use clap::ValueEnum;

use playsim::report::waterfall::{Detail, Waterfalls};
use playsim::time::Span;
use playsim::trace::{Filter, View, write_jsonl};

use super::failure::Failure;
use super::output::{Out, Talk};
use super::setting::Setting;
use super::{Exit, input, width};

mod places;
mod spec;
mod tag;
mod world;

use places::Places;
use tag::{Kind, Tag};
use world::World;

const FORMS: &str = "\
A TAG is one of
  FILE                the tag's response: a VAST document, or a recorded HTTP response (curl -si)
  404, 503, ...       an HTTP status without a document
  empty               a VAST document without an ad
  timeout             no response at all
  refused, reset, truncated
                      a failed connection
  https://...         a URL, whose response is given by --answer or --dir
Append @ and a duration to delay the response, @ and a status to set its HTTP status, or both:
  slow.xml@2s         404@120ms         page.xml@503         page.xml@503@2s
An ANSWER is a TAG other than a URL. To use a file named like one of the words, write ./404.

In the URL of --answer or --media, [brackets] match any text, so that URLs with macros can be copied
from a document. A URL without a query matches any query.

MEDIA is the duration of media files (30s), or a failure: missing, 404, network, decode or
unsupported. Append @ and a duration to delay loading. Prefix URL= to set a single file. By default
every media file loads at once and is as long as its ad says, or 15s if the ad does not say.

Of a VMAP document, all breaks within the content are played; --content sets the content's length.

Examples:
  playsim waterfall empty.xml@120ms 404 linear.xml@190ms
  playsim waterfall wrapper.xml --answer https://ads.test/inner=inner.xml@300ms
  playsim waterfall https://ads.test/a https://ads.test/b --dir answers --timeout 2s
  playsim waterfall linear.xml --media missing --format json

Exit codes:
  0  an ad was shown
  1  no ad was shown
  2  invalid input: arguments, or a file that is not an ad server's response
  3  I/O error: a file cannot be read or written";

#[derive(Debug, clap::Args)]
#[command(after_help = FORMS)]
pub(super) struct Waterfall {
    /// The tags of the waterfall in order, see below; - or stdin for standard input
    #[arg(required = true, value_name = "TAG")]
    tags: Vec<String>,
    /// The response of a URL, such as one in a wrapper; may be repeated, also to give a URL several responses
    /// in turn
    #[arg(long, value_name = "URL=ANSWER")]
    answer: Vec<String>,
    /// Look for responses in this folder, named by URL: for https://ads.test/a/inner?x=1, the file
    /// ads.test/a/inner or inner, with or without .xml
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
    /// The duration of media files, or how they fail, see below; may be repeated
    #[arg(long, value_name = "[URL=]MEDIA")]
    media: Vec<String>,
    /// The type of ad break
    #[arg(long, value_enum, default_value_t, value_name = "KIND")]
    kind: Kind,
    /// The device that shows the page
    #[arg(long, value_enum, default_value_t, value_name = "DEVICE")]
    device: Device,
    /// The time limit of a tag including its wrappers, short for --knob ad.timeout=TIME
    #[arg(long, value_name = "TIME")]
    timeout: Option<Span>,
    #[command(flatten)]
    setting: Setting,
    /// The length of the content; with --kind mid or overlay the break is at 10 s, or halfway in shorter
    /// content
    #[arg(long, value_name = "TIME", default_value = "60s")]
    content: Span,
    /// Skip each ad this long after its start, if it can be skipped by then
    #[arg(long, value_name = "TIME")]
    skip: Option<Span>,
    /// Show only the called pixels, or also the others, each with the reason; JSON always has all
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    pixels: Pixels,
    /// Show the first warning about each tag's documents, or all warnings; JSON always has all
    #[arg(long, value_enum, default_value_t, value_name = "WHICH")]
    warnings: Warnings,
    /// The output format: tables, or one JSON object, whose keys docs/src/waterfall.md lists
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
    /// Write the whole trace to a file as JSON lines, for playsim explain and playsim diff
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
enum Format {
    #[default]
    Text,
    Json,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Pixels {
    #[default]
    Called,
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Warnings {
    #[default]
    First,
    All,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Device {
    #[default]
    Desktop,
    Mobile,
}

impl Waterfall {
    /// Plays the tags and prints the result of each.
    pub(super) fn print(self, talk: &Talk) -> Exit {
        let (mut world, tags) = match self.world(talk) {
            Ok(world) => world,
            Err(fault) => return fault.report(talk),
        };
        let played = match world.play(&tags) {
            Ok(played) => played,
            Err(fault) => return fault.report(talk),
        };
        let report = Waterfalls::of_played(&played, world.scenario());
        let mut out = Out::to(None);
        match self.format {
            Format::Text => out.painted(&report.detailed_text(width(), talk.paints(), self.detail())),
            Format::Json => out.text(&(report.json() + "\n")),
        }
        let mut exit = if report.is_filled() { Exit::AsExpected } else { Exit::Difference };
        exit = exit.and(out.finish(talk));
        if let Some(file) = &self.trace {
            let mut out = Out::to(Some(file.clone()));
            let everything = Filter { view: View::All, ..Filter::default() };
            // `out` keeps a write error for the end.
            let _ = write_jsonl(&played, &everything, true, &mut out);
            exit = exit.and(out.finish(talk));
        }
        self.advise(&report, talk);
        for unused in world.unused() {
            talk.say(&format!("note: {unused}, given with --answer or --media, was never requested"));
        }
        exit
    }

    fn detail(&self) -> Detail {
        Detail { pixels: self.pixels == Pixels::All, warnings: self.warnings == Warnings::All }
    }

    fn world(&self, talk: &Talk) -> Result<(World, Vec<Tag>), Failure> {
        let stdins = self.tags.iter().chain(&self.answer).filter(|word| spec::is_stdin(word)).count();
        if stdins > 1 {
            return Err(Failure::Input("standard input can only be used once".to_owned()));
        }
        let tags = self.tags.iter().map(|word| Tag::read(word, talk)).collect::<Result<Vec<Tag>, _>>()?;
        let answers = Places::read(&self.answer, |word| spec::place(word, talk))?;
        let media = Places::read(&self.media, spec::media)?;
        let mut overrides = self.setting.overrides();
        if let Some(timeout) = self.timeout {
            overrides
                .set_knob("ad.timeout", &timeout.in_seconds())
                .map_err(|error| Failure::Input(error.to_string()))?;
        }
        if let Some(dir) = self.dir.as_ref().filter(|dir| !dir.is_dir()) {
            return Err(Failure::Io(format!("--dir: no such folder: {}", input::name(dir))));
        }
        let mut world = World::new(answers, self.dir.clone(), media, &overrides, self.kind);
        world.set_content(self.content);
        if self.device == Device::Mobile {
            world.set_mobile();
        }
        if let Some(after) = self.skip {
            world.skip(after);
        }
        Ok((world, tags))
    }

    /// Prints how to give responses to the URLs that have none.
    fn advise(&self, report: &Waterfalls, talk: &Talk) {
        if report.unanswered.is_empty() {
            return;
        }
        let mut text = String::from("note: URLs without a response returned 404; to set a response, add");
        for it in &report.unanswered {
            text.push_str(&format!("\n  --answer {}", spec::quoted(&format!("{}=FILE", it.url))));
            if let Some(suggestion) = &it.suggestion {
                text.push_str(&format!("   (given for {suggestion})"));
            }
        }
        if let Some(dir) = &self.dir {
            text.push_str(&format!("\nor put files with these names into {}:", input::name(dir)));
            for name in report.unanswered.iter().filter_map(|it| world::name_of(&it.url)) {
                text.push_str(&format!("\n  {name}.xml"));
            }
        }
        talk.say(&text);
    }
}
