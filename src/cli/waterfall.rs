//! `playsim waterfall`: plays documents and recorded responses as one waterfall, and reports on
//! each tag.
//!
//! `given` decides which kind of arguments these are, and refuses what is not for it. `tags`,
//! `scenario`, `recording` and `recordings` each play one kind, with what is given for it and a
//! meaning of the exit code of its own; `session` has what those of one session have in common.
//! `tag`, `spec` and `acts` parse tags and options, and `world` makes a scenario of tags. The
//! library creates reports from traces.

use std::path::PathBuf;

use playsim::time::Span;

use super::Exit;
use super::failure::Failure;
use super::options::Options;
use super::output::Talk;
use super::recorded::{Content, Recorded};
use super::vary::Threads;

mod acts;
mod given;
pub(super) mod places;
mod recording;
mod recordings;
mod scenario;
mod session;
pub(super) mod spec;
pub(super) mod tag;
mod tags;
mod vary;
pub(super) mod world;

pub(super) use recordings::has_recordings;

use given::Given;
use recordings::Recordings;
use session::{Output, Play, Session, Show};
use tags::{OfTags, Tags};

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

const WHAT_IF: &str = "What would have helped";
const TAGS: &str = "Tags";
const SURROUNDINGS: &str = "Surroundings";
const OUTPUT: &str = "Output";
const RECORDING: &str = "A recorded session";
const TRACE: &str = "Lines of the trace";
#[cfg(feature = "fetch")]
const SERVERS: &str = "URLs without a response, which real servers are asked for";

#[derive(Debug, clap::Args)]
#[command(help_template = HELP, after_help = FORMS)]
pub(super) struct Waterfall {
    #[command(flatten)]
    options: Options,
    /// A recorded session, a scenario, or the tags of the waterfall in order, see below; - or stdin
    /// for standard input
    #[arg(required = true, value_name = "TAG")]
    tags: Vec<String>,
    #[command(flatten, next_help_heading = TAGS)]
    of_tags: OfTags,
    #[command(flatten)]
    play: Play,
    #[command(flatten, next_help_heading = WHAT_IF)]
    threads: Threads,
    /// The length of the content (60s); with --kind mid or overlay the break is at 10 s, or halfway
    /// in shorter content. For a recording also a part of the URL of its requests; may be repeated
    #[arg(long, value_name = "TIME|PATTERN", help_heading = SURROUNDINGS)]
    content: Vec<Content>,
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
    #[command(flatten, next_help_heading = OUTPUT)]
    output: Output,
    #[command(flatten, next_help_heading = OUTPUT)]
    show: Show,
    /// Also write what was played as a scenario: NAME.yaml, with its documents beside it
    #[arg(long, value_name = "NAME", help_heading = OUTPUT)]
    save: Option<PathBuf>,
}

impl Waterfall {
    /// Plays what is given, and prints the result.
    pub(super) fn run(&self, talk: &Talk) -> Result<Exit, Failure> {
        let given = Given::of(self)?;
        given.check(self)?;
        let session = Session {
            options: &self.options,
            play: &self.play,
            show: &self.show,
            output: &self.output,
            save: self.save.as_deref(),
            threads: self.threads,
            talk,
        };
        if !matches!(given, Given::Recordings(_)) {
            session.check()?;
        }
        let hints = self.recorded.hints(&self.content);
        match &given {
            Given::Tags => Tags {
                session,
                words: &self.tags,
                of: &self.of_tags,
                hints,
                #[cfg(feature = "fetch")]
                requests: &self.requests,
            }
            .play(),
            Given::Scenario(file) => session.play_scenario(file),
            Given::Recording(file) => session.play_recording(file, hints, self.within),
            Given::Recordings(files) => Recordings {
                hints,
                output: &self.output,
                threads: self.threads,
            }
            .print(files, &recordings::files(&self.against)?, talk),
        }
    }
}
