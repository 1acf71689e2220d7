//! Turns the arguments of `playsim waterfall` into a scenario, and plays it.
//!
//! Which wrapper and media URLs are requested only shows when the scenario is played. Each new one
//! is then given its response, and the scenario is played again until no new URL is requested.
//! Responses come from the arguments, from files, or from real servers. Nothing here judges an ad.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use playsim::Trace;
use playsim::api::{Code, Fields, Purpose, Value};
#[cfg(feature = "fetch")]
use playsim::import::RecordedOutcome;
#[cfg(feature = "fetch")]
use playsim::media::MediaFault;
use playsim::page::Device;
use playsim::scenario::{
    AnswerScript, MediaScript, Overrides, Scenario, ScriptedAnswer, Step, waterfall_stage,
};
use playsim::time::Span;
use playsim::trace::record::RecordView;
use playsim::vast::{self, AdKind, Document, Resolved};

use super::places::Places;
use super::spec;
use super::tag::{Kind, Tag};
use crate::cli::failure::Failure;
use crate::cli::setting::Setting;
use crate::cli::{decode, input, joined, reading, run, save};

const FILM: &str = "content:film";
/// The position of mid-rolls and overlays, if the content is longer.
const CUE: Span = Span::from_secs(10);
/// The duration of a media file whose ad does not give one.
const MEDIA: Span = Span::from_secs(15);
/// How often the scenario is played at most. Every wrapper hop may need one more round.
const ROUNDS: usize = 256;

/// The arguments about responses and media, and the scenario built from them so far.
pub(in crate::cli) struct World {
    answers: Places<AnswerScript>,
    dir: Option<PathBuf>,
    /// Where files named by relative URLs are looked for, and the folders that they have to be in
    /// or below.
    folders: Vec<(PathBuf, PathBuf)>,
    media: Places<MediaScript>,
    scenario: Scenario,
    kind: Kind,
    /// The position of mid-rolls and overlays in the content.
    cue: Span,
    /// The files that were read since a URL was requested.
    files: Vec<PathBuf>,
    /// The URLs of the tags as written.
    addresses: Vec<Arc<str>>,
    /// Whether the seed was given.
    #[cfg(feature = "fetch")]
    has_seed: bool,
    /// What asks real servers for URLs without a response.
    #[cfg(feature = "fetch")]
    client: Option<playsim::fetch::Client>,
}

impl World {
    pub(in crate::cli) fn new(
        answers: Places<AnswerScript>,
        dir: Option<PathBuf>,
        media: Places<MediaScript>,
        setting: &Setting,
        overrides: &Overrides,
        kind: Kind,
    ) -> World {
        let mut scenario = waterfall_stage();
        overrides.apply(&mut scenario);
        setting.change(&mut scenario);
        // Without --media, a media file is as long as its ad says.
        let unsaid = MediaScript {
            duration: MEDIA,
            is_as_said: true,
            ..MediaScript::default()
        };
        scenario.media_default = Some(media.of_all().unwrap_or(unsaid));
        let cue = Span::ZERO;
        World {
            answers,
            dir,
            folders: Vec::new(),
            media,
            scenario,
            kind,
            cue,
            files: Vec::new(),
            addresses: Vec::new(),
            #[cfg(feature = "fetch")]
            has_seed: setting.has_seed(),
            #[cfg(feature = "fetch")]
            client: None,
        }
    }

    /// Asks real servers for URLs that have no response. What they name is never looked for among
    /// files.
    #[cfg(feature = "fetch")]
    pub(in crate::cli) fn ask_servers(&mut self, client: playsim::fetch::Client) {
        // Time and random numbers in URLs are real ones: a server may keep answers that it was
        // asked for before.
        let micros = client.epoch_micros();
        self.scenario.page.epoch_micros = micros;
        if !self.has_seed {
            self.scenario.seed = micros.unsigned_abs() / 1_000;
        }
        self.client = Some(client);
    }

    /// Asks no server from now on, and returns what did.
    #[cfg(feature = "fetch")]
    pub(in crate::cli) fn without_servers(&mut self) -> Option<playsim::fetch::Client> {
        self.client.take()
    }

    /// Takes the responses of another world, in turn where both have some for the tag at `address`.
    #[cfg(feature = "fetch")]
    pub(in crate::cli) fn add_responses(&mut self, other: &World, address: &str) {
        for (url, answers) in &other.scenario.network {
            match self
                .scenario
                .network
                .iter_mut()
                .find(|(known, _)| known == url)
            {
                Some((_, known)) if **url == *address => known.extend(answers.iter().cloned()),
                Some(_) => {}
                None => self
                    .scenario
                    .network
                    .push((Arc::clone(url), answers.clone())),
            }
        }
        for (url, script) in &other.scenario.media {
            if self.scenario.media.iter().all(|(known, _)| known != url) {
                self.scenario.media.push((Arc::clone(url), script.clone()));
            }
        }
    }

    /// Returns the URLs of tags and wrappers as they are written, before macros are replaced.
    pub(in crate::cli) fn written_urls(&self) -> Vec<Arc<str>> {
        let wrappers = self
            .documents()
            .flat_map(|(document, _)| document.ads)
            .filter_map(|ad| match ad.kind {
                AdKind::Wrapper(wrapper) => wrapper.tag_uri.map(|uri| uri.text),
                AdKind::Inline | AdKind::Broken(_) => None,
            });
        self.addresses.iter().cloned().chain(wrappers).collect()
    }

    /// Asks the server of each tag that has no response yet, and those of its wrappers and media,
    /// even if it would not be its turn. The player's own time limits do not hold meanwhile.
    #[cfg(feature = "fetch")]
    pub(in crate::cli) fn ask_all(&mut self, tags: &[Tag]) -> Result<(), Failure> {
        for tag in tags.iter().filter(|tag| tag.answer.is_none()) {
            self.ask(tag)?;
        }
        Ok(())
    }

    /// Asks the server of one tag, and those of its wrappers and media; returns the trace of a
    /// player without time limits that has only this tag.
    #[cfg(feature = "fetch")]
    pub(in crate::cli) fn ask(&mut self, tag: &Tag) -> Result<Trace, Failure> {
        /// Longer than any request may take.
        const NO_LIMIT: &str = "86400s";
        let own = self.scenario.knobs.clone();
        for knob in ["ad.timeout", "ad.media_timeout"] {
            self.scenario
                .knobs
                .set(knob, NO_LIMIT)
                .map_err(Failure::input)?;
        }
        let trace = self.play(std::slice::from_ref(tag));
        self.scenario.knobs = own;
        trace
    }

    /// Sets the length of the content.
    pub(in crate::cli) fn set_content(&mut self, length: Span) {
        let film = MediaScript {
            duration: length,
            ..MediaScript::default()
        };
        self.scenario.media.push((FILM.into(), film));
        self.cue = if length > CUE {
            CUE
        } else {
            length.share(1, 2)
        };
    }

    /// Puts the page on a mobile device.
    pub(in crate::cli) fn set_mobile(&mut self) {
        self.scenario.page.device = Device::Mobile;
    }

    /// Adds steps to the scenario.
    pub(super) fn add_steps(&mut self, steps: Vec<Step>) {
        self.scenario.steps.extend(steps);
    }

    /// Returns the scenario.
    pub(in crate::cli) fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// Gives each document a name under which it can be saved, and plays the scenario again if one
    /// has changed.
    pub(in crate::cli) fn name_documents(&mut self, trace: Trace) -> Result<Trace, Failure> {
        let is_changed = save::name_documents(&mut self.scenario);
        if is_changed {
            run::play("waterfall", &self.scenario)
        } else {
            Ok(trace)
        }
    }

    /// Returns the files that were read since a URL was requested, and not for an argument.
    pub(super) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Plays the tags, again and again, until every requested URL whose response is known has it.
    pub(in crate::cli) fn play(&mut self, tags: &[Tag]) -> Result<Trace, Failure> {
        let addresses = tags.iter().map(|tag| Value::from(&tag.address)).collect();
        let ad = Fields::one("adType", self.kind.ad_type()).with("adTimeType", "s");
        let ad = match self.kind {
            Kind::Pre | Kind::Post => ad,
            Kind::Mid => ad.with("cuepoints", Value::List(vec![self.cue.into()])),
            Kind::Overlay => ad.with("overlayStartAt", self.cue),
        };
        self.scenario.player.ads = vec![Value::Map(ad.with("mobile", Value::List(addresses)))];
        for tag in tags {
            // A URL that occurs several times gets its responses in turn.
            if let Some(answer) = &tag.answer {
                let network = &mut self.scenario.network;
                match network
                    .iter_mut()
                    .find(|(address, _)| *address == tag.address)
                {
                    Some((_, answers)) => answers.push(answer.clone()),
                    None => network.push((Arc::clone(&tag.address), vec![answer.clone()])),
                }
            }
        }
        self.addresses = tags.iter().map(|tag| Arc::clone(&tag.address)).collect();
        if !self.asks_servers() {
            self.folders = tags.iter().filter_map(|tag| tag.folder.clone()).collect();
            self.folders.dedup();
        }
        let mut trace = run::play("waterfall", &self.scenario)?;
        for _ in 1..ROUNDS {
            if !self.learn(&trace)? {
                break;
            }
            trace = run::play("waterfall", &self.scenario)?;
        }
        Ok(trace)
    }

    /// Returns the URLs in the arguments that were never requested.
    pub(super) fn unused(&self) -> impl Iterator<Item = &str> {
        self.answers.unused().chain(self.media.unused())
    }

    /// Makes query parameters that documents fill with macros not count when a URL is looked up: in
    /// another run they may have other values.
    pub(in crate::cli) fn ignore_macros(&mut self) {
        let written = self.written_urls();
        for name in written.iter().flat_map(|url| parameters_with_macros(url)) {
            if !self.ignores(name) {
                self.scenario.ignore_query.push(name.into());
            }
        }
    }

    fn ignores(&self, parameter: &str) -> bool {
        let mut ignored = self.scenario.ignore_query.iter();
        ignored.any(|known| **known == *parameter)
    }

    /// Returns a URL without the query parameters that do not count.
    pub(super) fn without_macros(&self, url: &str) -> String {
        let (path, query) = url.split_once('?').unwrap_or((url, ""));
        let counts =
            |parameter: &&str| !self.ignores(parameter.split('=').next().unwrap_or_default());
        format!("{path}?{}", joined(query.split('&').filter(counts), "&"))
    }

    /// Adds responses for requested URLs that have none yet, and returns whether there were any.
    pub(super) fn learn(&mut self, trace: &Trace) -> Result<bool, Failure> {
        let unlisted = trace
            .records
            .iter()
            .filter(|record| record.is(Code::AddressNotListed));
        let unlisted: BTreeSet<u32> = unlisted.filter_map(|record| record.cause).collect();
        let mut known = Known::of(self);
        let mut is_new = false;
        for record in &trace.records {
            let RecordView::Request(asked) = record.view() else {
                continue;
            };
            if asked.wp.is_none() {
                continue;
            }
            // A player that gets this answer may not request what follows.
            if is_new && self.asks_servers() {
                break;
            }
            if record.purpose() == Some(Purpose::Media) {
                is_new |= self.learn_media(asked.url, &mut known);
            } else if unlisted.contains(&record.seq) {
                is_new |= self.learn_document(asked.url, &mut known)?;
            }
        }
        Ok(is_new)
    }

    /// Leaves open what a URL answers: a session that asks for it is not known from then on.
    pub(super) fn leave_open(&mut self, url: &str) {
        let open = spec::script(Span::from_micros(1), ScriptedAnswer::Silence);
        self.scenario.network.push((url.into(), vec![open]));
    }

    fn learn_document(&mut self, url: &str, known: &mut Known) -> Result<bool, Failure> {
        if !known.network.insert(url.into()) {
            return Ok(false);
        }
        let mut answers = self.answers.of(url);
        if answers.is_empty()
            && let Some(written) = known.written(url, self)
        {
            answers = self.answers.of(&written);
        }
        if answers.is_empty()
            && let Some((file, folder)) = self.file_of(url)
        {
            let bytes = reading::bytes_within(&folder, &file);
            let bytes = bytes.map_err(Failure::cannot("read", &file))?;
            let text = decode::lossy(&bytes).0.into();
            let name = input::heading(&file);
            let name = name.strip_prefix("./").unwrap_or(&name);
            answers.push(spec::script(Span::ZERO, spec::body_of(200, name, text)));
            self.files.push(file);
        }
        if answers.is_empty() {
            return Ok(self.fetch_document(url, known));
        }
        self.scenario.network.push((url.into(), answers));
        Ok(true)
    }

    /// Whether real servers are asked.
    fn asks_servers(&self) -> bool {
        #[cfg(feature = "fetch")]
        return self.client.is_some();
        #[cfg(not(feature = "fetch"))]
        return false;
    }

    /// Asks a real server for a document, if any are asked.
    #[cfg(feature = "fetch")]
    fn fetch_document(&mut self, url: &str, known: &mut Known) -> bool {
        let Some(client) = &mut self.client else {
            return false;
        };
        let mut requested: Arc<str> = url.into();
        for (number, leg) in client.document(url).iter().enumerate() {
            let network = &mut self.scenario.network;
            let is_new = known.network.insert(Arc::clone(&requested));
            if number == 0 || is_new {
                network.push((
                    Arc::clone(&requested),
                    vec![leg.answer(&document_name(&requested))],
                ));
            }
            if let RecordedOutcome::Redirect(_, to) = &leg.exchange.outcome {
                requested = Arc::clone(to);
            }
        }
        true
    }

    #[cfg(not(feature = "fetch"))]
    fn fetch_document(&mut self, _url: &str, _known: &mut Known) -> bool {
        false
    }

    /// Asks a real server for the beginning of a media file, if any are asked.
    #[cfg(feature = "fetch")]
    fn fetch_media(&mut self, url: &str) -> Option<MediaScript> {
        let legs = self.client.as_mut()?.media(url);
        let metadata_after = taken(legs);
        let last = legs.last()?;
        let fails = match last.exchange.status() {
            Some(200..300) => None,
            Some(_) => Some((None, MediaFault::NotFound)),
            None => Some((None, MediaFault::Network)),
        };
        let length = last.film.as_ref().and_then(|film| film.length);
        let duration = length.unwrap_or(MEDIA);
        Some(MediaScript {
            duration,
            is_as_said: length.is_none(),
            metadata_after,
            fails,
            ..MediaScript::default()
        })
    }

    #[cfg(not(feature = "fetch"))]
    fn fetch_media(&mut self, _url: &str) -> Option<MediaScript> {
        None
    }

    fn learn_media(&mut self, url: &str, known: &mut Known) -> bool {
        if known.media.contains(url) {
            return false;
        }
        let mut said = self.media.of(url).pop();
        if said.is_none()
            && let Some(written) = known.written(url, self)
        {
            said = self.media.of(&written).pop();
        }
        if said.is_none() && self.media.of_all().is_none() {
            said = self.fetch_media(url);
        }
        let Some(script) = said else {
            return false;
        };
        known.media.insert(url.into());
        self.scenario.media.push((url.into(), script));
        true
    }

    /// Returns the file with the response of a URL, next to the document that names it, or in the
    /// folder of `--dir`; and the folder that it has to be in or below.
    fn file_of(&self, url: &str) -> Option<(PathBuf, PathBuf)> {
        let beside = |(folder, own): &(PathBuf, PathBuf)| {
            input::file_at(folder, url).map(|file| (file, own.clone()))
        };
        let found = self.folders.iter().find_map(beside);
        found.or_else(|| {
            let dir = self.dir.as_ref()?;
            Some((file_of(dir, url)?, dir.clone()))
        })
    }

    /// Returns the documents known so far, with their relative URLs and what those resolve to. Rule
    /// CHN-11.
    fn documents(&self) -> impl Iterator<Item = (Document, Vec<Resolved>)> {
        let which = self.scenario.knobs.ad_relative_urls;
        let answers = self
            .scenario
            .network
            .iter()
            .flat_map(|(address, all)| all.iter().map(move |it| (address, it)));
        answers.filter_map(move |(address, answer)| match &answer.answer {
            ScriptedAnswer::Body { text, .. } => {
                let mut document = vast::read(text);
                let (resolved, _) = playsim_scenario::world::resolve(&mut document, address, which);
                Some((document, resolved))
            }
            ScriptedAnswer::Redirect { .. }
            | ScriptedAnswer::Fails(_)
            | ScriptedAnswer::Silence => None,
        })
    }
}

/// How long some legs took in all.
#[cfg(feature = "fetch")]
pub(in crate::cli) fn taken(legs: &[playsim::fetch::Leg]) -> Span {
    let taken = legs.iter().map(|leg| leg.exchange.time.unwrap_or_default());
    taken.fold(Span::ZERO, |sum, taken| sum + taken)
}

/// What is known when a trace is read, so that no URL of it is looked for among all others.
#[derive(Default)]
struct Known {
    network: BTreeSet<Arc<str>>,
    media: BTreeSet<Arc<str>>,
    /// The relative URLs of the documents, by what they resolved to; made when it is needed.
    written: Option<BTreeMap<Arc<str>, Arc<str>>>,
}

impl Known {
    fn of(world: &World) -> Known {
        let scenario = &world.scenario;
        Known {
            network: scenario
                .network
                .iter()
                .map(|(url, _)| Arc::clone(url))
                .collect(),
            media: scenario
                .media
                .iter()
                .map(|(url, _)| Arc::clone(url))
                .collect(),
            written: None,
        }
    }

    /// Returns the relative URL that resolved to this URL, as a document writes it. The trace comes
    /// from the documents before it.
    fn written(&mut self, url: &str, world: &World) -> Option<Arc<str>> {
        let written = self.written.get_or_insert_with(|| {
            let mut written = BTreeMap::new();
            for resolved in world.documents().flat_map(|(_, resolved)| resolved) {
                written.entry(resolved.address).or_insert(resolved.written);
            }
            written
        });
        written.get(url).cloned()
    }
}

/// Returns the names of the query parameters whose values contain a macro.
fn parameters_with_macros(url: &str) -> impl Iterator<Item = &str> {
    let query = url
        .split('#')
        .next()
        .and_then(|url| url.split_once('?'))
        .map_or("", |(_, query)| query);
    let parameters = query
        .split('&')
        .filter_map(|parameter| parameter.split_once('='));
    let has_macro = |value: &str| ["[", "%%", "${"].iter().any(|mark| value.contains(mark));
    parameters
        .filter(move |(_, value)| has_macro(value))
        .map(|(name, _)| name)
}

/// Returns the file in a folder for a URL, named by host and path or by the last segment of the
/// path.
fn file_of(dir: &Path, url: &str) -> Option<PathBuf> {
    let last = last_of(url);
    let names = [name_of(url), last].into_iter().flatten();
    let files = names.flat_map(|name| [dir.join(name), dir.join(format!("{name}.xml"))]);
    files.into_iter().find(|file| file.is_file())
}

/// Returns host and path of a URL as a file path that cannot leave its folder.
pub(super) fn name_of(url: &str) -> Option<&str> {
    let bare = without_scheme(bare(url)).trim_matches('/');
    Some(bare).filter(|name| is_below(name))
}

/// Returns the name of a document that a URL responded: its host and path as the name of a file.
#[cfg(feature = "fetch")]
fn document_name(url: &str) -> String {
    const LONGEST: usize = 60;
    let letter = |it: char| {
        if it.is_ascii_alphanumeric() || it == '.' {
            it
        } else {
            '-'
        }
    };
    let name: String = without_scheme(bare(url))
        .chars()
        .take(LONGEST)
        .map(letter)
        .collect();
    let name = name.trim_matches(['.', '-']);
    format!("{}.xml", name.strip_suffix(".xml").unwrap_or(name))
}

/// Returns a URL without its query.
fn bare(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default()
}

fn without_scheme(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest)
}

fn last_of(url: &str) -> Option<&str> {
    bare(url)
        .trim_matches('/')
        .rsplit('/')
        .next()
        .filter(|name| is_below(name))
}

/// Returns whether a path stays below its folder on every operating system.
fn is_below(name: &str) -> bool {
    name.split(['/', '\\'])
        .all(|part| !matches!(part, "" | "." | ".."))
        && !name.contains(':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_outside_the_folder_are_not_found() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        assert_eq!(
            file_of(&dir, "https://a.test/x/main.rs?y=1"),
            Some(dir.join("main.rs"))
        );
        assert_eq!(
            file_of(&dir, "https://cli/run.rs"),
            Some(dir.join("cli/run.rs"))
        );
        for url in [
            "https://a.test/../Cargo.toml",
            "https://../Cargo.toml",
            "//../../x",
            "https://",
            "",
            "/..",
        ] {
            assert_eq!(file_of(&dir, url), None, "{url}");
        }
    }
}
