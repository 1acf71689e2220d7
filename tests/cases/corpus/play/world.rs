//! Plays a document as the only tag of a pre-roll, with its neighbours on the simulated network.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use playsim::api::{Act, Call, EventName, Fields, Kind, Outcome, Value};
use playsim::knobs::Profile;
use playsim::scenario::{AnswerScript, MediaScript, ScriptedAnswer, VideoScript};
use playsim::scenario::{PlayerScript, Scenario, Step, StepAct, Target, Trigger, UnitKind};
use playsim::time::{Span, Time};
use playsim::vast::vmap::AdSourceKind;
use playsim::vast::{self, AdKind, Document};
use playsim::video::{Rendition, Video, VideoRecord};
use playsim::{Simulation, Trace};

const TAG: &str = "https://corpus.test/tag";
const FILM: &str = "https://corpus.test/film.mp4";

/// A document of the corpus.
#[derive(Clone)]
pub(crate) struct File {
    /// Its path, relative to the corpus.
    pub(crate) name: String,
    path: PathBuf,
}

/// A document that was played.
pub(crate) struct Played {
    pub(crate) trace: Trace,
}

/// Returns all documents, by name.
pub(crate) fn corpus() -> Vec<File> {
    let folder = crate::corpus::folder();
    let mut paths = Vec::new();
    collect(&folder, &mut paths);
    paths.sort();
    let name = |path: &PathBuf| {
        path.strip_prefix(&folder)
            .unwrap_or(path)
            .display()
            .to_string()
    };
    paths
        .iter()
        .map(|path| File {
            name: name(path),
            path: path.clone(),
        })
        .collect()
}

/// Returns the document of this name.
pub(crate) fn find(name: &str) -> File {
    let found = corpus().into_iter().find(|file| file.name.ends_with(name));
    found.unwrap_or_else(|| panic!("the corpus has no {name}"))
}

/// Returns all documents whose path contains a string.
pub(crate) fn find_all(part: &str) -> Vec<File> {
    let found: Vec<File> = corpus()
        .into_iter()
        .filter(|file| file.name.contains(part))
        .collect();
    assert!(!found.is_empty(), "the corpus has no {part}");
    found
}

fn collect(folder: &Path, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("the folder can be listed") {
        let path = entry.expect("the folder can be listed").path();
        if path.is_dir() {
            collect(&path, into);
        } else if path.extension().is_some_and(|ending| ending == "xml") {
            into.push(path);
        }
    }
}

impl File {
    /// Its source text. Invalid UTF-8 is replaced, as a browser does.
    pub(crate) fn text(&self) -> Arc<str> {
        let bytes = std::fs::read(&self.path).expect("a listed file can be read");
        String::from_utf8_lossy(&bytes).into()
    }

    /// Plays it against media of 15 s.
    pub(crate) fn play(&self) -> Played {
        self.play_with(Span::from_secs(15), &[])
    }

    /// Plays it against media of a given length; the user skips at the given time after the ad's
    /// start.
    pub(crate) fn play_with(&self, media: Span, skips: &[Span]) -> Played {
        self.play_scenario(&self.scenario(media, skips))
    }

    /// Plays it under a profile.
    pub(crate) fn play_under(&self, profile: Profile) -> Played {
        let mut scenario = self.scenario(Span::from_secs(15), &[]);
        (scenario.profile, scenario.knobs) = (profile.into(), profile.knobs());
        self.play_scenario(&scenario)
    }

    /// Plays it as an overlay.
    pub(crate) fn play_over_content(&self) -> Played {
        self.play_text_over_content(self.text())
    }

    /// Plays another document in its place as an overlay.
    pub(crate) fn play_text_over_content(&self, text: Arc<str>) -> Played {
        let mut scenario = self.scenario(Span::from_secs(15), &[]);
        let answer = ScriptedAnswer::Body {
            status: 200,
            name: "overlay.xml".into(),
            text,
        };
        scenario.network[0].1 = vec![AnswerScript {
            content_type: None,
            after: Span::from_millis(10),
            answer,
        }];
        let tags = Value::List(vec![Value::from(TAG)]);
        let ad = Fields::one("adType", 3)
            .with("adTimeType", "s")
            .with("mobile", tags);
        scenario.player.ads = vec![Value::Map(ad.with("overlayStartAt", 1))];
        scenario.media[0].1.duration = Span::from_secs(60);
        self.play_scenario(&scenario)
    }

    /// Plays it with content of one minute, which VMAP documents expect.
    pub(crate) fn play_in_a_minute(&self) -> Played {
        let mut scenario = self.scenario(Span::from_secs(4), &[]);
        scenario.media[0].1.duration = Span::from_secs(60);
        self.play_scenario(&scenario)
    }

    /// Plays it with wrapper URLs that have no response, even if the corpus has a neighbour of that
    /// name.
    pub(crate) fn play_alone(&self) -> Played {
        let mut scenario = self.scenario(Span::from_secs(15), &[]);
        scenario.network.truncate(1);
        self.play_scenario(&scenario)
    }

    /// Plays it with a given document as the response to its wrapper URLs.
    pub(crate) fn play_leading_to(&self, text: &str) -> Played {
        let mut scenario = self.scenario(Span::from_secs(16), &[]);
        scenario.network.truncate(1);
        for ad in &vast::read(&self.text()).ads {
            let AdKind::Wrapper(wrapper) = &ad.kind else {
                continue;
            };
            let Some(uri) = &wrapper.tag_uri else {
                continue;
            };
            let answer = ScriptedAnswer::Body {
                status: 200,
                name: "inner.xml".into(),
                text: text.into(),
            };
            scenario.network.push((
                uri.text.clone(),
                vec![AnswerScript {
                    content_type: None,
                    after: Span::ZERO,
                    answer,
                }],
            ));
        }
        self.play_scenario(&scenario)
    }

    /// Plays this document as the response to a wrapper of ours without any attributes.
    pub(crate) fn play_after_a_wrapper(&self) -> Played {
        let mut scenario = self.scenario(Span::from_secs(16), &[]);
        let (_, own) = scenario.network[0].clone();
        let wrapper = "<VAST version='4.2'><Ad id='outer'><Wrapper><AdSystem>t</AdSystem>\
            <Impression>/outer</Impression><Error>/outer_error</Error>\
            <VASTAdTagURI>https://corpus.test/inner</VASTAdTagURI></Wrapper></Ad></VAST>";
        let answer = ScriptedAnswer::Body {
            status: 200,
            name: "outer.xml".into(),
            text: wrapper.into(),
        };
        scenario.network[0].1 = vec![AnswerScript {
            content_type: None,
            after: Span::ZERO,
            answer,
        }];
        scenario
            .network
            .push(("https://corpus.test/inner".into(), own));
        self.play_scenario(&scenario)
    }

    fn play_scenario(&self, scenario: &Scenario) -> Played {
        let simulation = Simulation::new(scenario).expect("the scenario can be played");
        let trace = simulation.fork().run();
        assert_eq!(
            trace.digest,
            simulation.run().digest,
            "{}: two runs differ",
            self.name
        );
        assert_eq!(
            trace.outcome(),
            Some(Outcome::Idle),
            "{}: the run does not end on its own",
            self.name
        );
        Played { trace }
    }

    fn scenario(&self, media: Span, skips: &[Span]) -> Scenario {
        let length = |duration| MediaScript {
            duration,
            ..MediaScript::default()
        };
        let video = Video {
            record: VideoRecord {
                id: "film".into(),
                ..VideoRecord::default()
            },
            renditions: vec![(Rendition::Sd, FILM.into())],
            ..Video::default()
        };
        let tags = Value::List(vec![Value::from(TAG)]);
        let ad = Fields::one("adType", 0)
            .with("adTimeType", "s")
            .with("mobile", tags);
        let config = Fields::one("id", "p")
            .with("width", "640")
            .with("height", "360")
            .with("video", "film");
        let step = |trigger, act| Step {
            trigger,
            act,
            player: Target::First,
        };
        let init = StepAct::Init {
            unit: UnitKind::Player,
            div: "player".into(),
            config: Value::Map(config),
            on_ready: None,
        };
        let on = |event, after| Trigger::On {
            event,
            nth: Some(1),
            after,
        };
        let play = StepAct::Do {
            call: Call::Play,
            args: Vec::new(),
        };
        let mut steps = vec![
            step(Trigger::At(Time::ZERO), init),
            step(on(EventName::Ready, None), play),
        ];
        for after in skips {
            steps.push(step(
                on(EventName::AdStart, Some(*after)),
                StepAct::User(Act::Skip),
            ));
        }
        Scenario {
            name: self.name.as_str().into(),
            videos: vec![VideoScript {
                video: video.into(),
                record_after: Span::ZERO,
            }],
            media: vec![(FILM.into(), length(Span::from_secs(1)))],
            media_default: Some(length(media)),
            network: self.network(),
            player: PlayerScript {
                ads: vec![Value::Map(ad)],
                ..PlayerScript::default()
            },
            steps,
            ..Scenario::default()
        }
    }

    /// The responses of the tag, and of wrapper URLs whose base name is that of a neighbour.
    fn network(&self) -> Vec<(Arc<str>, Vec<AnswerScript>)> {
        let answer = |file: &File| {
            let name = file
                .path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .as_ref()
                .into();
            let answer = ScriptedAnswer::Body {
                status: 200,
                name,
                text: file.text(),
            };
            vec![AnswerScript {
                content_type: None,
                after: Span::from_millis(10),
                answer,
            }]
        };
        let mut network = vec![(Arc::from(TAG), answer(self))];
        let mut unread = vec![self.clone()];
        while let Some(file) = unread.pop() {
            for uri in leads(&vast::read(&file.text())) {
                let path = uri.text.split(['?', '#']).next().unwrap_or_default();
                let neighbour = file
                    .path
                    .with_file_name(path.rsplit('/').next().unwrap_or_default());
                let is_known = network.iter().any(|(address, _)| *address == uri.text);
                if !is_known && neighbour.extension().is_some() && neighbour.is_file() {
                    let neighbour = File {
                        name: neighbour.display().to_string(),
                        path: neighbour,
                    };
                    network.push((uri.text.clone(), answer(&neighbour)));
                    unread.push(neighbour);
                }
            }
        }
        network
    }
}

/// The URLs that a document refers to: those of wrappers and of VMAP breaks.
fn leads(document: &Document) -> Vec<vast::Url> {
    let wrapper = |ad: &vast::Ad| match &ad.kind {
        AdKind::Wrapper(wrapper) => wrapper.tag_uri.clone(),
        AdKind::Inline | AdKind::Broken(_) => None,
    };
    let source = |it: &vast::vmap::Break| match &it.source.as_ref()?.kind {
        AdSourceKind::Tag { uri, .. } => uri.clone(),
        AdSourceKind::Vast(_) | AdSourceKind::Custom { .. } | AdSourceKind::Empty => None,
    };
    let inside = document.embedded().flat_map(|inner| &inner.ads);
    let wrappers = document.ads.iter().chain(inside).filter_map(wrapper);
    wrappers
        .chain(document.breaks.iter().filter_map(source))
        .collect()
}

impl Played {
    /// Returns `played`, or the codes of the errors, or `scheduled` if the response only scheduled
    /// ads.
    pub(crate) fn outcome(&self) -> String {
        let is_schedule = || !self.lines(Kind::Ad, "schedule", "at").is_empty();
        match self.codes() {
            _ if self.count("adStart") + self.count("vpaidStart") > 0 => "played".to_owned(),
            codes if codes.is_empty() && is_schedule() => "scheduled".to_owned(),
            codes => codes.join(" "),
        }
    }

    /// The number of times an event was recorded.
    pub(crate) fn count(&self, event: &str) -> usize {
        let event: EventName = event.parse().expect("an event");
        self.trace
            .events()
            .filter(|fired| fired.name == event)
            .count()
    }

    /// The times of an event, in milliseconds since the first ad's start.
    pub(crate) fn since_start(&self, events: &[&str]) -> Vec<u64> {
        let start = self
            .trace
            .events()
            .find(|event| event.name == EventName::AdStart)
            .map(|event| event.at);
        let times = self
            .trace
            .events()
            .filter(|event| events.contains(&event.name.name()));
        times
            .map(|event| (event.at - start.unwrap_or(Time::ZERO)).micros() / 1_000)
            .collect()
    }

    /// The codes of all errors.
    pub(crate) fn codes(&self) -> Vec<String> {
        let errors = self
            .trace
            .events()
            .filter(|event| event.name == EventName::AdError);
        errors
            .filter_map(|event| Some(event.data.get("code")?.to_string()))
            .collect()
    }

    /// The values that the lines of a kind and name have under a key; `-` if missing.
    pub(crate) fn lines(&self, kind: Kind, name: &str, key: &str) -> Vec<String> {
        let lines = self
            .trace
            .records
            .iter()
            .filter(|record| record.kind == kind && *record.name == *name);
        lines
            .map(|record| match record.data.get(key) {
                None => "-".to_owned(),
                Some(value) => value
                    .as_text()
                    .map_or_else(|| value.to_string(), ToString::to_string),
            })
            .collect()
    }

    /// The ads whose impressions were called, wrappers included.
    pub(crate) fn impressions(&self) -> Vec<String> {
        self.lines(Kind::Beacon, "impression", "ad")
    }

    /// The URLs that were called for an event.
    pub(crate) fn called(&self, event: &str) -> Vec<String> {
        self.lines(Kind::Beacon, event, "url")
    }

    /// The VMAP breaks that opened: name and offset.
    pub(crate) fn vmap_breaks(&self) -> Vec<(String, String)> {
        let begins = self
            .trace
            .records
            .iter()
            .filter(|it| it.kind == Kind::Break && &*it.name == "begin");
        let said = |of: &Fields, key| {
            of.get(key).map_or_else(
                || "-".to_owned(),
                |it| it.as_text().map_or_else(String::new, ToString::to_string),
            )
        };
        let of = begins.filter_map(|it| it.data.get("vmap")?.as_map());
        of.map(|of| (said(of, "id"), said(of, "offset"))).collect()
    }

    /// The reasons why tags or ads failed.
    pub(crate) fn why(&self) -> String {
        ["no-fill", "leave-out-break"]
            .iter()
            .flat_map(|line| self.lines(Kind::Ad, line, "why"))
            .collect::<Vec<_>>()
            .join("; ")
    }
}
