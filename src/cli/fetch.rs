//! `playsim fetch`: asks real ad servers as a player would, and keeps what they answer.
//!
//! Which URLs are requested is decided by the simulated player, which follows wrappers and replaces
//! macros; the library makes the requests. Beacons are never requested: the simulation only records
//! them.

#![expect(
    clippy::disallowed_types,
    reason = "requests are repeated in real time"
)]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use playsim::fetch::{Client, FetchFault, Leg};
use playsim::import::{RecordedOutcome, write_har};
use playsim::report::waterfall::{Tag as TagReport, TagOutcome, Waterfalls};
use playsim::time::{Span, Time};
use playsim::trace::Trace;
use playsim::vast::{self, AdKind, Root};
use playsim_base::words::{counted, seconds};

use super::failure::{Failure, bail};
use super::output::{Talk, as_argument};
use super::progress::Progress;
use super::requests::Requests;
use super::save::SavedAs;
use super::setting::Setting;
use super::waterfall::places::Places;
use super::waterfall::tag::{Kind, Tag};
use super::waterfall::world::{World, taken};
use super::{Exit, command_line, joined};

mod filled;
pub(super) mod measured;

use measured::{Ask, Measured};

const AFTER_HELP: &str = "\
Each URL is requested once, in order, one request at a time; --times repeats that. Redirects and wrappers are \
followed, macros replaced as the player of --profile does, and the beginning of each media file is read. \
No pixel is called. Cookies of the tags' origins are kept until the command ends; they and --header go nowhere else.

-o trial/first writes trial/first.har, the scenario trial/first.yaml with its documents, and trial/first.json with \
the latencies, which are used with
  playsim waterfall trial/first.har --vary tag1.after=@trial/first

Exit codes:
  0  each tag was answered with a VAST or VMAP document
  1  a tag was not
  2  invalid input
  3  I/O error: a file cannot be read or written";

/// The time from one round to the next, if none is given.
const BETWEEN: Span = Span::from_secs(1);

#[derive(Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Fetch {
    /// The ad tags, in the order of the waterfall
    #[arg(required = true, value_name = "URL")]
    urls: Vec<String>,
    #[command(flatten)]
    requests: Requests,
    /// Ask each tag this often
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    times: u32,
    /// The time from one round of requests to the next [default: 1s]
    #[arg(long, value_name = "TIME")]
    every: Option<Span>,
    /// Write the recording, the scenario and the latencies under this name; a folder may come
    /// before it
    #[arg(short, long, value_name = "NAME")]
    output: Option<PathBuf>,
    #[command(flatten)]
    setting: Setting,
}

impl Fetch {
    pub(super) fn run(&self, talk: &Talk) -> Result<Exit, Failure> {
        self.check_urls()?;
        if self.every.is_some() && self.times == 1 {
            bail!("--every is about several rounds; add --times");
        }
        let place = self.output.as_deref().map(SavedAs::read).transpose()?;
        let tags: Vec<Tag> = self.urls.iter().map(|word| self.tag(word)).collect();
        let mut client = self.requests.client(tags.iter().map(|tag| &*tag.address))?;
        let mut measured = Measured::new(
            tags.iter().map(|tag| &*tag.address),
            self.requests.time_limit(),
        );
        let mut world = self.world();
        let mut shown = format!(
            "asked {}; no pixel was called\n",
            counted(tags.len(), "tag")
        );
        let mut is_answered = true;
        let progress = Progress::of("asking");
        for round in 0..self.times {
            let began = Instant::now();
            client.begin_page(&format!("round {}", round + 1));
            for (number, tag) in tags.iter().enumerate() {
                let asked = self.ask(tag, client)?;
                measured.tags[number].asks.push(asked.measured());
                if round == 0 {
                    is_answered &= asked.is_answered();
                    shown.push_str(&asked.in_words(number + 1, tag));
                    world.add_responses(&asked.world, &tag.address);
                }
                client = asked.client;
            }
            progress.tell(u64::from(round) + 1, u64::from(self.times));
            if round + 1 < self.times {
                let pause = Duration::from_micros(self.every.unwrap_or(BETWEEN).micros());
                std::thread::sleep(pause.saturating_sub(began.elapsed()));
            }
        }
        drop(progress);
        if self.times > 1 {
            shown.push_str(&measured.text());
        }
        let exit = super::print(&shown, talk);
        let exit = exit.and(Exit::of(is_answered));
        match place {
            None => {
                let urls = joined(self.urls.iter().map(|url| command_line::quoted(url)), " ");
                talk.say(&format!(
                    "Try next:\n  playsim waterfall {urls}\n  playsim fetch {urls} -o trial/fetched"
                ));
            }
            Some(place) => {
                let written = self.write(&place, world, &tags, (&client, &measured))?;
                let stem = as_argument(written[0].strip_suffix(".yaml").unwrap_or(&written[0]));
                // One request says nothing about how latencies vary.
                let measured = (self.times > 1).then(|| format!(" --vary tag1.after=@{stem}"));
                let vary = measured.unwrap_or_default();
                talk.say(&format!(
                    "wrote {}\nTry next:\n  playsim run {stem}.yaml --view ads\n  \
                     playsim waterfall {stem}.yaml{vary}",
                    written.join(", ")
                ));
            }
        }
        Ok(exit)
    }

    /// Checks that every argument is a URL of which a server can be asked.
    fn check_urls(&self) -> Result<(), Failure> {
        if let Some(word) = self.urls.iter().find(|word| !is_asked(word)) {
            let hint = match word.split_once(':') {
                Some((scheme, _)) if scheme.chars().all(|it| it.is_ascii_alphabetic()) => {
                    "nothing else is asked".to_owned()
                }
                _ if !word.is_empty() && !word.contains("//") => {
                    format!("write it with its scheme, such as https://{word}")
                }
                _ => "write it as https://ads.example/tag".to_owned(),
            };
            bail!(
                "\"{word}\" is not an http or https URL with a host; {hint}\n  \
                 playsim waterfall plays files and recordings"
            );
        }
        Ok(())
    }

    /// Asks the server of a tag, and those of its wrappers and media.
    fn ask(&self, tag: &Tag, client: Client) -> Result<Asked, Failure> {
        let before = client.legs().len();
        let mut world = self.world();
        world.ask_servers(client);
        let trace = world.ask(tag)?;
        let client = world
            .without_servers()
            .expect("the world has the client that it was given");
        Ok(Asked {
            world,
            trace,
            client,
            before,
        })
    }

    /// Writes the scenario with its documents, the recording and the latencies; returns the names
    /// of the files, the scenario first.
    fn write(
        &self,
        place: &SavedAs,
        mut world: World,
        tags: &[Tag],
        (client, measured): (&Client, &Measured),
    ) -> Result<Vec<String>, Failure> {
        // The player draws other random numbers when all tags are in one waterfall.
        world.play(tags)?;
        world.ignore_macros();
        let trace = world.play(tags)?;
        world.name_documents(trace)?;
        let stem = &place.stem;
        let har = format!("{stem}.har");
        let recording = write_har(&client.recording(&har)) + "\n";
        let mut files = place.files(world.scenario());
        let measured = (format!("{stem}.json"), measured.json() + "\n");
        files.splice(1..1, [(har, recording), measured]);
        place.write(&files, "playsim fetch ... -o")
    }

    fn tag(&self, word: &str) -> Tag {
        Tag {
            address: self.requests.filled(word).into(),
            answer: None,
            folder: None,
        }
    }

    fn world(&self) -> World {
        World::new(
            Places::none(),
            None,
            Places::none(),
            &self.setting,
            &self.setting.overrides(),
            Kind::Pre,
        )
    }
}

/// Returns whether a word is a URL of which a server can be asked.
fn is_asked(word: &str) -> bool {
    let after = ["http://", "https://"].iter().find_map(|scheme| {
        let begins = word
            .get(..scheme.len())
            .is_some_and(|begin| begin.eq_ignore_ascii_case(scheme));
        begins.then(|| &word[scheme.len()..])
    });
    after.is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['/', '?', '#']))
}

/// The result of requesting one tag.
struct Asked {
    world: World,
    trace: Trace,
    client: Client,
    /// How many requests were made before.
    before: usize,
}

impl Asked {
    fn legs(&self) -> &[Leg] {
        &self.client.legs()[self.before..]
    }

    /// Returns the request for the tag's own document, with its redirects.
    fn own(&self) -> &[Leg] {
        let legs = self.legs();
        let is_redirect = |leg: &Leg| matches!(leg.exchange.outcome, RecordedOutcome::Redirect(..));
        let redirects = legs.iter().take_while(|leg| is_redirect(leg)).count();
        &legs[..legs.len().min(redirects + 1)]
    }

    /// Whether the tag was answered with an ad document that can be read.
    fn is_answered(&self) -> bool {
        self.own().last().is_some_and(|leg| {
            let is_good =
                leg.fault.is_none() && leg.exchange.status().is_some_and(|status| status < 300);
            let read = leg.exchange.text().map(|text| vast::read(text));
            is_good && read.is_some_and(|read| read.fault.is_none())
        })
    }

    /// Returns what became of the tag.
    fn tag(&self) -> Option<TagReport> {
        let report = Waterfalls::of_played(&self.trace, self.world.scenario());
        Some(report.breaks.first()?.tags.first()?.clone())
    }

    fn measured(&self) -> Ask {
        let tag = self.tag();
        let own = self.own();
        let is_given_up = own
            .last()
            .is_some_and(|leg| matches!(leg.fault, Some(FetchFault::TimedOut(_))));
        let after = taken(own);
        match tag.map(|tag| tag.outcome) {
            _ if is_given_up => Ask::GivenUp,
            Some(TagOutcome::Filled | TagOutcome::Scheduled) => Ask::Filled(after),
            _ if self.is_answered() => Ask::NoAd(after),
            _ => Ask::Failed(after),
        }
    }

    /// Returns the requests for a tag and what they gave, for a terminal.
    fn in_words(&self, number: usize, tag: &Tag) -> String {
        let mut text = format!(
            "\ntag{number}  {}\n      sent      took  status  answer\n",
            tag.address
        );
        let first = self
            .legs()
            .first()
            .map_or(Time::ZERO, |leg| leg.exchange.at());
        for leg in self.legs() {
            let sent = seconds((leg.exchange.at() - first).micros());
            let took = seconds(leg.exchange.time.unwrap_or_default().micros());
            let status = match leg.exchange.outcome {
                RecordedOutcome::Response(status) | RecordedOutcome::Redirect(status, _) => {
                    status.to_string()
                }
                RecordedOutcome::Failed(_)
                | RecordedOutcome::BrokeOff(_)
                | RecordedOutcome::Unknown => "-".to_owned(),
            };
            let url = &leg.exchange.url;
            text.push_str(&format!(
                "{sent:>10}{took:>10}  {status:>6}  {}\n{:30}{url}\n",
                answer(leg),
                ""
            ));
        }
        let macros = filled::of(
            &self.world.written_urls(),
            self.legs().iter().map(|leg| &*leg.exchange.url),
        );
        for (name, value) in macros {
            text.push_str(&format!("      macro {name} = {value}\n"));
        }
        if let Some(outcome) = self.outcome() {
            text.push_str(&format!("      {outcome}\n"));
        }
        text
    }

    /// Says what the player made of the answers; nothing if the answer itself says it.
    fn outcome(&self) -> Option<String> {
        let tag = self.tag()?;
        match tag.outcome {
            TagOutcome::Filled => Some("the player shows an ad".to_owned()),
            TagOutcome::NoFill if self.is_answered() => {
                let code = tag
                    .code
                    .map(|code| format!(", code {code}"))
                    .unwrap_or_default();
                let reason = tag
                    .reason
                    .map(|reason| format!(": {reason}"))
                    .unwrap_or_default();
                Some(format!("the player shows no ad{code}{reason}"))
            }
            TagOutcome::NoFill
            | TagOutcome::Scheduled
            | TagOutcome::NotAsked
            | TagOutcome::Unknown
            | TagOutcome::Undecided => None,
        }
    }
}

/// Returns what a leg gave, in a few words.
fn answer(leg: &Leg) -> String {
    if let Some(fault) = &leg.fault {
        return fault.to_string();
    }
    if let RecordedOutcome::Redirect(_, to) = &leg.exchange.outcome {
        return format!("redirected to {to}");
    }
    let status = leg.exchange.status().unwrap_or_default();
    if let Some(film) = &leg.film {
        let mime = if film.mime.is_empty() {
            "no type"
        } else {
            &film.mime
        };
        if status >= 300 {
            return format!("no media file ({mime})");
        }
        let size = film.bytes.map(|bytes| format!(", {bytes} bytes"));
        let length = film
            .length
            .map(|length| format!(", plays {} s", seconds(length.micros())));
        return format!(
            "media file: {mime}{}{}",
            size.unwrap_or_default(),
            length.unwrap_or_default()
        );
    }
    let Some(text) = leg.exchange.text() else {
        let is_redirect = matches!(status, 301 | 302 | 303 | 307 | 308);
        return if is_redirect {
            "redirect without a URL"
        } else {
            "empty"
        }
        .to_owned();
    };
    let read = vast::read(text);
    let wrappers = read
        .ads
        .iter()
        .filter(|ad| matches!(ad.kind, AdKind::Wrapper(_)))
        .count();
    if read.fault.is_some() {
        let mime = leg.exchange.mime.as_deref().unwrap_or("no type");
        let bytes = counted(text.len(), "byte");
        return format!("not an ad document that can be read ({mime}, {bytes})");
    }
    if read.root == Root::Vmap {
        return format!("VMAP, {}", counted(read.breaks.len(), "break"));
    }
    match (read.ads.len(), wrappers) {
        (0, _) => "VAST without an ad".to_owned(),
        (ads, 0) => format!("VAST, {}", counted(ads, "ad")),
        (_, wrappers) => format!("VAST, {}", counted(wrappers, "wrapper")),
    }
}
