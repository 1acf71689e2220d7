//! A recording of a real session: what the page did, and the documented player with the same
//! answers.

use playsim::import::{
    self, Evidence, Hints, ImportFault, PageVerdict, PlaySettings, PlayedRecording, RecordingLinks,
    RecordingPage, RecordingSet, RecordingTable, RequestRecording, UrlPattern,
};
use playsim::knobs::{Profiles, UnknownProfile};
use playsim::scenario::{self, Overrides};
use playsim::sweep::{RecordedBasis, alternatives};
use serde::Deserialize;
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::io;

use crate::Answer;
use crate::answers::{failure, page, whole_page};
use crate::what_if::{WhatIf, settings};

/// How a recording is read.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Reading {
    name: String,
    /// Parts of the URLs of ad tags.
    #[serde(default)]
    tags: Vec<String>,
    /// Parts of the URLs of requests that do not matter.
    #[serde(default)]
    ignored: Vec<String>,
    /// The length of the content.
    content_length: Option<String>,
    #[serde(default)]
    keep_secrets: bool,
    /// The profile of the simulated player.
    profile: Option<GivenProfile>,
    /// Knobs of the simulated player.
    #[serde(default)]
    knobs: BTreeMap<String, String>,
    /// The files beside it that some tools put bodies in, by path.
    #[serde(default)]
    files: BTreeMap<String, String>,
}

/// A profile: names of those of playsim, with `+` between them, or one of the user's own.
#[derive(Deserialize)]
#[serde(untagged)]
enum GivenProfile {
    Names(String),
    /// A file as `playsim conform fit` writes it; one whose name ends in `.json` has no YAML.
    File {
        file: Option<String>,
        text: String,
    },
}

impl GivenProfile {
    fn read(&self) -> Result<Profiles, String> {
        match self {
            GivenProfile::Names(names) => {
                names.parse().map_err(|it: UnknownProfile| it.to_string())
            }
            GivenProfile::File { file, text } => {
                let name = file.as_deref().unwrap_or("profile");
                scenario::read_profile(name, text).map_err(|error| error.to_string())
            }
        }
    }
}

#[derive(Deserialize)]
struct Operation<'a> {
    op: &'a str,
}

/// A recording, understood and played.
#[derive(Debug)]
pub struct Recording {
    played: PlayedRecording,
    overrides: Overrides,
}

impl Recording {
    /// Reads and plays a recording: an HTTP archive or another form that the command line reads,
    /// also compressed. `text` is
    /// `{ "name", "tags"?, "ignored"?, "contentLength"?, "keepSecrets"?, "profile"?, "knobs"?,
    /// "files"? }`;
    /// the patterns are those of `--tag` and `--ignore`; a profile is a name, or `{ "file"?,
    /// "text" }` with the text of a profile file.
    ///
    /// # Errors
    ///
    /// A JSON text: it is not a recording, or has no ad tag.
    pub fn new(text: &str, bytes: &[u8]) -> Result<Recording, String> {
        Recording::with_files(text, bytes, &mut |_| Err(io::ErrorKind::NotFound.into()))
    }

    /// As [`new`](Recording::new); files beside the recording that are not given are read by
    /// `load`.
    ///
    /// # Errors
    ///
    /// A JSON text: it is not a recording, or has no ad tag.
    pub fn with_files(
        text: &str,
        bytes: &[u8],
        load: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
    ) -> Result<Recording, String> {
        let reading = Reading::parse(text)?;
        let (hints, settings) = reading.options().map_err(failure)?;
        let recording = reading.recording(bytes, load).map_err(failure)?;
        let played = import::play(recording, hints, &settings).map_err(failure)?;
        Ok(Recording {
            played,
            overrides: settings.overrides,
        })
    }

    /// Answers `{ "op" }`:
    ///
    /// - `page`, `html`: the page of the recording, without its frame or with it.
    /// - `text`, `json`: as `playsim waterfall` prints it.
    /// - `verdict`: the sentence, whether all is as documented, the player whose rules these are
    ///   and what is known of it (null: the documented one), and the notes.
    /// - `scenario`: the scenario that plays the recorded page; null if the recording has no
    ///   bodies.
    /// - `settings`: what can be varied, with its current value.
    /// - `what_if`: the recorded page with other settings.
    ///
    /// # Errors
    ///
    /// A JSON text.
    pub fn perform(&self, text: &str) -> Answer {
        let wrong = |error| failure(format!("the operation cannot be read: {error}"));
        let Operation { op } = serde_json::from_str(text).map_err(wrong)?;
        let played = &self.played;
        match op {
            "page" | "html" => {
                let simulation = played.simulation.as_ref();
                let alternatives = simulation
                    .map(|it| alternatives(&it.scenario))
                    .unwrap_or_default();
                let shown = RecordingPage::new(played)
                    .with_alternatives(alternatives)
                    .page();
                Ok(if op == "html" {
                    whole_page(&shown)
                } else {
                    page(&shown)
                })
            }
            "text" => {
                const WIDTH: usize = 120;
                Ok(Json::from(played.text(WIDTH, false, Default::default())).to_string())
            }
            "json" => Ok(played.json()),
            "verdict" => {
                let notes = played
                    .notes
                    .iter()
                    .map(|note| json!({ "text": &*note.text, "certainty": note.certainty.word() }));
                Ok(json!({
                    "name": &*played.evidence.recording.name,
                    "asDocumented": played.is_as_documented(),
                    "differences": played.differences().len(),
                    "simulated": played.simulation.is_some(),
                    "rulesOf": played.simulation.as_ref().and_then(|it| it.report.basis.as_ref()),
                    "notes": notes.collect::<Vec<Json>>(),
                })
                .to_string())
            }
            "scenario" => match &played.simulation {
                None => Ok("null".to_owned()),
                Some(it) => Ok(crate::answers::scenario(&it.scenario)),
            },
            "settings" => settings(self.scenario()?),
            "what_if" => {
                let asked: WhatIf = serde_json::from_str(text).map_err(wrong)?;
                let notes: Vec<(String, &'static str)> = played
                    .notes
                    .iter()
                    .map(|note| (note.text.clone(), note.certainty.word()))
                    .collect();
                let limit = played.limit_certainty(&self.overrides).word();
                let name = &played.evidence.recording.name;
                asked.answer(
                    self.scenario()?,
                    Some(RecordedBasis {
                        name,
                        notes: &notes,
                        limit,
                    }),
                )
            }
            other => Err(failure(format!(
                "there is no operation \"{other}\" on a recording; there are page, html, text, json, verdict, scenario, \
                 settings and what_if"
            ))),
        }
    }

    fn scenario(&self) -> Result<&playsim::Scenario, String> {
        let simulation = self.played.simulation.as_ref();
        simulation.map(|it| &it.scenario).ok_or_else(|| {
            failure("the recording has no bodies, so that nothing can be simulated; save it with content")
        })
    }
}

/// Many recordings as a table. Nothing of them is simulated or kept.
#[derive(Debug, Clone, Default)]
pub struct Recordings {
    set: RecordingSet,
    before: Option<RecordingSet>,
}

impl Recordings {
    /// Adds a recording, given as [`Recording::with_files`] takes it. One that cannot be read is
    /// left out, and the table says why. `is_before`: it belongs to the set to compare with.
    ///
    /// # Errors
    ///
    /// A JSON text, if the options are wrong.
    pub fn add(
        &mut self,
        text: &str,
        bytes: Result<&[u8], String>,
        load: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
        is_before: bool,
    ) -> Result<(), String> {
        let reading = Reading::parse(text)?;
        let (hints, _) = reading.options().map_err(failure)?;
        let set = if is_before {
            self.before.get_or_insert_default()
        } else {
            &mut self.set
        };
        let read = bytes.and_then(|bytes| {
            let recording = reading
                .recording(bytes, load)
                .map_err(|fault| fault.to_string())?;
            Evidence::of(recording, hints).map_err(|fault| fault.to_string())
        });
        match read {
            Ok(evidence) => set.add(&reading.name, &evidence, &PageVerdict::of(&evidence)),
            Err(reason) => {
                let named = format!("{}: ", reading.name);
                set.leave_out(
                    &reading.name,
                    reason.strip_prefix(&named).unwrap_or(&reason),
                );
            }
        }
        Ok(())
    }

    /// Adds what another table has, in any order with the same result: several threads can read.
    pub fn merge(&mut self, other: Recordings) {
        self.set.merge(other.set);
        if let Some(before) = other.before {
            self.before.get_or_insert_default().merge(before);
        }
    }

    /// Answers `{ "op" }`: `text`, `csv` and `json`, as `playsim waterfall` prints the table, and
    /// its page: `page` without a frame, or `html` with it.
    ///
    /// # Errors
    ///
    /// A JSON text.
    pub fn perform(&self, text: &str) -> Answer {
        const WIDTH: usize = 120;
        let wrong = |error| failure(format!("the operation cannot be read: {error}"));
        let Operation { op } = serde_json::from_str(text).map_err(wrong)?;
        let table = RecordingTable::of(self.set.clone(), self.before.clone());
        match op {
            "text" => Ok(Json::from(table.text(WIDTH, false)).to_string()),
            "csv" => Ok(Json::from(table.csv()).to_string()),
            "json" => Ok(table.json()),
            "page" => Ok(page(
                &table.page("playsim waterfall", &RecordingLinks::default()),
            )),
            "html" => Ok(whole_page(
                &table.page("playsim waterfall", &RecordingLinks::default()),
            )),
            other => Err(failure(format!(
                "there is no operation \"{other}\" on a table of recordings; there are text, csv, json, page and html"
            ))),
        }
    }
}

impl Reading {
    fn parse(text: &str) -> Result<Reading, String> {
        serde_json::from_str(text)
            .map_err(|error| failure(format!("the request cannot be read: {error}")))
    }

    /// Reads the recording itself.
    fn recording(
        &self,
        bytes: &[u8],
        load: &mut dyn FnMut(&str) -> io::Result<Vec<u8>>,
    ) -> Result<RequestRecording, ImportFault> {
        let mut load = |path: &str| match self.files.get(path) {
            Some(text) => Ok(text.clone().into_bytes()),
            None => load(path),
        };
        import::read(&self.name, bytes, &mut load)
    }

    fn options(&self) -> Result<(Hints, PlaySettings), String> {
        let pattern = |text: &String| {
            text.parse::<UrlPattern>()
                .map_err(|error| format!("the pattern \"{text}\": {error}"))
        };
        let patterns = |all: &[String]| all.iter().map(pattern).collect::<Result<Vec<_>, _>>();
        let content_length = self
            .content_length
            .as_ref()
            .map(|text| text.parse())
            .transpose();
        let hints = Hints {
            tags: patterns(&self.tags)?,
            ignored: patterns(&self.ignored)?,
            content_length: content_length.map_err(|error| format!("contentLength: {error}"))?,
            keeps_secrets: self.keep_secrets,
            ..Hints::default()
        };
        let mut settings = PlaySettings::default();
        if let Some(profile) = &self.profile {
            settings.overrides.set_profile(profile.read()?);
        }
        for (name, value) in &self.knobs {
            settings
                .overrides
                .set_knob(name, value)
                .map_err(|error| error.to_string())?;
        }
        Ok((hints, settings))
    }
}
