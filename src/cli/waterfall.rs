//! `playsim waterfall`: documents and answers played as one waterfall, with one line a tag.
//!
//! What the arguments mean is `tag`, the scenario that is made of them `world`. What is printed is taken
//! from the trace by the library.

use std::path::PathBuf;

use clap::ValueEnum;

use playsim::report::waterfall::Waterfalls;
use playsim::time::Span;
use playsim::trace::{Filter, View, write_jsonl};

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
  FILE                what the tag answers: a VAST document, or a recorded HTTP answer (curl -si)
  404, 503, ...       a status without a document
  empty               a VAST document without an ad
  timeout             no answer ever; refused, reset and truncated are failures of the connection
  https://ADDRESS     an address; what it answers say --answer and --dir
With @ behind it an answer takes its time, has a status, or both:
  slow.xml@2s         404@120ms         page.xml@503         page.xml@503@2s
An ANSWER is like a TAG, without addresses. A file whose name is like one of the words is ./404.

In an ADDRESS, what stands in [brackets] stands for anything, so that it can be copied from a
document; one without a query is asked with every query.

MEDIA says what media files are: a length (30s), missing, 404, network, decode or unsupported;
@ says how long they take to load, and ADDRESS= which of them is meant. Without it each is found
at once, and as long as its ad says, or 15s.

Examples:
  playsim waterfall empty.xml@120ms 404 linear.xml@190ms
  playsim waterfall wrapper.xml --answer https://ads.test/inner=inner.xml@300ms
  playsim waterfall https://ads.test/a https://ads.test/b --dir answers --timeout 2s
  playsim waterfall linear.xml --media missing --format json

Exit codes:
  0  an ad was shown
  1  none was
  2  the input is wrong: usage, or a file that is no answer of an ad server
  3  the world is wrong: a file cannot be read or written";

#[derive(Debug, clap::Args)]
#[command(after_help = FORMS)]
pub(super) struct Waterfall {
    /// The tags in their order; see below. - or stdin is standard input
    #[arg(required = true, value_name = "TAG")]
    tags: Vec<String>,
    /// What an address answers, mostly that of a wrapper; may be repeated, the answers are used up in order
    #[arg(long, value_name = "ADDRESS=ANSWER")]
    answer: Vec<String>,
    /// A folder whose files are answers, named by address: https://ads.test/a/inner?x=1 is looked for as
    /// ads.test/a/inner, then as inner, both with and without .xml
    #[arg(long, value_name = "FOLDER")]
    dir: Option<PathBuf>,
    /// What media files are; see below. May be repeated
    #[arg(long, value_name = "[ADDRESS=]MEDIA")]
    media: Vec<String>,
    /// The break that the waterfall is for; mid-rolls and overlays come at 10 s
    #[arg(long, value_enum, default_value_t, value_name = "KIND")]
    kind: Kind,
    /// The device that the page is on
    #[arg(long, value_enum, default_value_t, value_name = "DEVICE")]
    device: Device,
    /// How long a tag may take, with all its wrappers: the same as --knob ad.timeout=
    #[arg(long, value_name = "TIME", value_parser = input::span)]
    timeout: Option<Span>,
    #[command(flatten)]
    setting: Setting,
    /// Tables for people, or JSON: one object, whose keys the README lists
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    format: Format,
    /// Write the whole trace, as JSON lines, to a file: playsim explain and playsim diff read it
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
enum Device {
    #[default]
    Desktop,
    Mobile,
}

impl Waterfall {
    /// Plays the tags and prints what came of each.
    pub(super) fn print(self, talk: &Talk) -> Exit {
        let (mut world, tags) = match self.world(talk) {
            Ok(world) => world,
            Err(fault) => return fault.tell(talk),
        };
        let played = match world.play(&tags) {
            Ok(played) => played,
            Err(fault) => return fault.tell(talk),
        };
        let report = Waterfalls::of(&played);
        let mut out = Out::to(None);
        out.text(&match self.format {
            Format::Text => report.text(width(), talk.paints()),
            Format::Json => report.json() + "\n",
        });
        let mut exit = if report.is_filled() { Exit::AsExpected } else { Exit::Difference };
        exit = exit.and(out.finish(talk));
        if let Some(file) = &self.trace {
            let mut out = Out::to(Some(file.clone()));
            let everything = Filter { view: View::All, ..Filter::default() };
            // What goes wrong in writing is kept by `out`.
            let _ = write_jsonl(&played, &everything, true, &mut out);
            exit = exit.and(out.finish(talk));
        }
        self.advise(&report, talk);
        for unused in world.unused() {
            talk.say(&format!("note: nothing asked for {unused}, which --answer or --media speaks of"));
        }
        exit
    }

    fn world(&self, talk: &Talk) -> Result<(World, Vec<Tag>), input::Fault> {
        let stdins = self.tags.iter().chain(&self.answer).filter(|word| spec::is_stdin(word)).count();
        if stdins > 1 {
            return Err(input::Fault::Input("standard input can be one answer, not several".to_owned()));
        }
        let tags = self.tags.iter().map(|word| Tag::read(word, talk)).collect::<Result<Vec<Tag>, _>>()?;
        let answers = Places::read(&self.answer, |word| spec::place(word, talk))?;
        let media = Places::read(&self.media, spec::media)?;
        let mut overrides = self.setting.overrides();
        if let Some(timeout) = self.timeout {
            overrides.set_knob("ad.timeout", &timeout.in_seconds()).map_err(input::Fault::Input)?;
        }
        if let Some(dir) = self.dir.as_ref().filter(|dir| !dir.is_dir()) {
            return Err(input::Fault::World(format!("--dir: there is no folder {}", dir.display())));
        }
        let is_mobile = self.device == Device::Mobile;
        Ok((World::new(answers, self.dir.clone(), media, &overrides, self.kind, is_mobile), tags))
    }
    /// Says how addresses without an answer get one.
    fn advise(&self, report: &Waterfalls, talk: &Talk) {
        if report.unanswered.is_empty() {
            return;
        }
        let mut text = String::from("note: what has no answer here is a 404; to give it one, add");
        for it in &report.unanswered {
            text.push_str(&format!("\n  --answer {}", spec::quoted(&format!("{}=FILE", it.url))));
            if let Some(suggestion) = &it.suggestion {
                text.push_str(&format!("   (there is one for {suggestion})"));
            }
        }
        if let Some(dir) = &self.dir {
            text.push_str(&format!("\nor put files of these names into {}:", dir.display()));
            for name in report.unanswered.iter().filter_map(|it| world::name_of(&it.url)) {
                text.push_str(&format!("\n  {name}.xml"));
            }
        }
        talk.say(&text);
    }
}
