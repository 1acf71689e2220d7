//! The scenario that the arguments of `playsim waterfall` stand for, and its run.
//!
//! Which addresses are asked for, wrappers and media, shows only when it is played: each is given its answer
//! then, and the scenario is played anew until nothing new is asked for. Nothing here judges an ad.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use playsim::Trace;
use playsim::api::{Call, EventName, Fields, Kind as Line, Value};
use playsim::page::Device;
use playsim::scenario::{
    AnswerScript, MediaScript, Overrides, Scenario, ScriptedAnswer, Step, StepAct, Target, Trigger, UnitKind,
    VideoScript,
};
use playsim::time::{Span, Time};
use playsim::vast::{self, CreativeKind};
use playsim::video::{Record, Rendition, Video};

use super::places::Places;
use super::tag::{Kind, Tag};
use crate::cli::input::{self, Fault};
use crate::cli::run;

const FILM: &str = "content:film";
/// How long the content is, and where in it mid-rolls and overlays come, in seconds.
const FILM_SECONDS: u64 = 60;
const CUE_SECONDS: u32 = 10;
/// How long a media file is whose ad does not say it.
const MEDIA: Span = Span::from_secs(15);
/// How often the scenario is played anew, at the most. Every hop of every wrapper may take one round.
const ROUNDS: usize = 256;

/// What is said of the world, and the scenario as far as it is known.
pub(super) struct World {
    answers: Places<AnswerScript>,
    dir: Option<PathBuf>,
    media: Places<MediaScript>,
    scenario: Scenario,
    kind: Kind,
}

impl World {
    pub(super) fn new(
        answers: Places<AnswerScript>,
        dir: Option<PathBuf>,
        media: Places<MediaScript>,
        overrides: &Overrides,
        kind: Kind,
        is_mobile: bool,
    ) -> World {
        let mut scenario = scenario();
        overrides.apply(&mut scenario);
        scenario.page.device = if is_mobile { Device::Mobile } else { Device::Desktop };
        // The waterfall is looked at, not what a gesture is needed for.
        scenario.page.gesture_required = Some(false);
        let length = MediaScript { duration: MEDIA, ..MediaScript::default() };
        scenario.media_default = Some(media.of_all().unwrap_or(length));
        World { answers, dir, media, scenario, kind }
    }

    /// Plays the tags until no address is asked for whose answer is known and was not given.
    pub(super) fn play(&mut self, tags: &[Tag]) -> Result<Trace, Fault> {
        let addresses = tags.iter().map(|tag| Value::from(&tag.address)).collect();
        let ad = Fields::one("adType", self.kind.ad_type()).with("adTimeType", "s");
        let ad = match self.kind {
            Kind::Pre | Kind::Post => ad,
            Kind::Mid => ad.with("cuepoints", Value::List(vec![CUE_SECONDS.into()])),
            Kind::Overlay => ad.with("overlayStartAt", CUE_SECONDS),
        };
        self.scenario.player.ads = vec![Value::Map(ad.with("mobile", Value::List(addresses)))];
        for tag in tags {
            // The same address several times answers in turn, as the waterfall asks it in turn.
            if let Some(answer) = &tag.answer {
                let network = &mut self.scenario.network;
                match network.iter_mut().find(|(address, _)| *address == tag.address) {
                    Some((_, answers)) => answers.push(answer.clone()),
                    None => network.push((Arc::clone(&tag.address), vec![answer.clone()])),
                }
            }
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

    /// Addresses that the arguments speak of and that were never asked for.
    pub(super) fn unused(&self) -> impl Iterator<Item = &str> {
        self.answers.unused().chain(self.media.unused())
    }

    /// Gives answers to what was asked for and has none yet; tells whether there was any.
    fn learn(&mut self, trace: &Trace) -> Result<bool, Fault> {
        let mut is_new = false;
        for record in &trace.records {
            if record.kind != Line::Net || &*record.name != "request" || record.data.get("wp").is_none() {
                continue;
            }
            let text = |key| record.data.get(key).and_then(Value::as_text);
            let (Some(url), Some(purpose)) = (text("url"), text("purpose")) else { continue };
            is_new |= if &**purpose == "media" { self.learn_media(url) } else { self.learn_document(url)? };
        }
        Ok(is_new)
    }

    fn learn_document(&mut self, url: &str) -> Result<bool, Fault> {
        if self.scenario.network.iter().any(|(address, _)| **address == *url) {
            return Ok(false);
        }
        let mut answers = self.answers.of(url);
        if answers.is_empty()
            && let Some(file) = self.dir.as_ref().and_then(|dir| file_of(dir, url))
        {
            let bytes = input::bytes(&file)?;
            let text = String::from_utf8_lossy(&bytes).as_ref().into();
            let name = input::heading(&file);
            let name = name.strip_prefix("./").unwrap_or(&name).into();
            let answer = ScriptedAnswer::Body { status: 200, name, text };
            answers.push(AnswerScript { after: Span::ZERO, answer });
        }
        if answers.is_empty() {
            return Ok(false);
        }
        self.scenario.network.push((url.into(), answers));
        Ok(true)
    }

    fn learn_media(&mut self, url: &str) -> bool {
        if self.scenario.media.iter().any(|(address, _)| **address == *url) {
            return false;
        }
        let said = self.media.of(url).pop();
        let Some(script) = said.or_else(|| self.media.of_all().is_none().then(|| self.stated(url)).flatten())
        else {
            return false;
        };
        self.scenario.media.push((url.into(), script));
        true
    }

    /// A media file as long as the first ad that has it says.
    fn stated(&self, url: &str) -> Option<MediaScript> {
        let answers = self.scenario.network.iter().flat_map(|(_, answers)| answers);
        let lengths = answers.filter_map(|answer| match &answer.answer {
            ScriptedAnswer::Body { text, .. } => length(text, url),
            ScriptedAnswer::Redirect { .. } | ScriptedAnswer::Fails(_) | ScriptedAnswer::Silence => None,
        });
        lengths.map(|duration| MediaScript { duration, ..MediaScript::default() }).next()
    }
}

/// How long a document says that a media file is; nothing is no length.
fn length(text: &str, url: &str) -> Option<Span> {
    let document = vast::read(text);
    let creatives =
        document.embedded().chain([&document]).flat_map(|it| &it.ads).flat_map(|ad| &ad.creatives);
    let mut linears = creatives.filter_map(|creative| match &creative.kind {
        CreativeKind::Linear(linear) => Some(linear),
        CreativeKind::NonLinear(_) | CreativeKind::Companions(_) | CreativeKind::Empty => None,
    });
    let linear = linears.find(|linear| linear.media_files.iter().any(|file| *file.url == *url))?;
    linear.duration.filter(|duration| *duration > Span::ZERO)
}

/// The file of a folder that is named by an address: by host and path, or by the last part of the path.
fn file_of(dir: &Path, url: &str) -> Option<PathBuf> {
    let last = last_of(url);
    let names = [name_of(url), last].into_iter().flatten();
    let files = names.flat_map(|name| [dir.join(name), dir.join(format!("{name}.xml"))]);
    files.into_iter().find(|file| file.is_file())
}

/// Host and path of an address, as a path that leaves no folder.
pub(super) fn name_of(url: &str) -> Option<&str> {
    let bare = url.split(['?', '#']).next().unwrap_or_default();
    let bare = bare.split_once("://").map_or(bare, |(_, rest)| rest).trim_matches('/');
    Some(bare).filter(|name| is_below(name))
}

fn last_of(url: &str) -> Option<&str> {
    let bare = url.split(['?', '#']).next().unwrap_or_default();
    bare.trim_matches('/').rsplit('/').next().filter(|name| is_below(name))
}

/// Whether a path leaves no folder, whatever the system.
fn is_below(name: &str) -> bool {
    name.split(['/', '\\']).all(|part| !matches!(part, "" | "." | "..")) && !name.contains(':')
}

/// One player with a film.
fn scenario() -> Scenario {
    let video = Video {
        record: Record { id: "film".into(), ..Record::default() },
        renditions: vec![(Rendition::Sd, FILM.into())],
        ..Video::default()
    };
    let config = Fields::one("id", "player").with("width", "640").with("height", "360").with("video", "film");
    let step = |trigger, act| Step { trigger, act, player: Target::First };
    let init = StepAct::Init {
        unit: UnitKind::Player,
        div: "player".into(),
        config: Value::Map(config),
        on_ready: None,
    };
    let ready = Trigger::On { event: EventName::Ready, nth: Some(1), after: None };
    let film = MediaScript { duration: Span::from_secs(FILM_SECONDS), ..MediaScript::default() };
    Scenario {
        name: "waterfall".into(),
        videos: vec![VideoScript { video: video.into(), record_after: Span::ZERO }],
        media: vec![(FILM.into(), film)],
        steps: vec![
            step(Trigger::At(Time::ZERO), init),
            step(ready, StepAct::Do { call: Call::Play, args: Vec::new() }),
        ],
        ..Scenario::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_never_left() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        assert_eq!(file_of(&dir, "https://a.test/x/main.rs?y=1"), Some(dir.join("main.rs")));
        assert_eq!(file_of(&dir, "https://vast/read.rs"), Some(dir.join("vast/read.rs")));
        for url in
            ["https://a.test/../Cargo.toml", "https://../Cargo.toml", "//../../x", "https://", "", "/.."]
        {
            assert_eq!(file_of(&dir, url), None, "{url}");
        }
    }
}
