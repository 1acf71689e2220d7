//! `playsim import`: makes a scenario of a recorded session.

use std::path::PathBuf;

use playsim::import::{Outcome, Role, Session};
use playsim::internal::escape;
use playsim::internal::words::{counted, seconds};
use playsim::scenario::Overrides;
use playsim::vast::Root;

use super::failure::Failure;
use super::output::{Talk, as_argument};
use super::recorded::{Content, Recorded, say_notes, stem};
use super::save::SavedAs;
use super::setting::Setting;
use super::{EXIT_CODES, Exit, input};

#[derive(Debug, clap::Args)]
#[command(after_help = EXIT_CODES)]
pub(super) struct Import {
    /// An HTTP archive (.har), or a session of Charles (.chlsj, .chlsx)
    #[arg(value_name = "RECORDING")]
    file: PathBuf,
    /// Write the scenario and its documents into this folder
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    #[command(flatten)]
    recorded: Recorded,
    /// The length of the content, or a part of the URL of its requests; may be repeated
    #[arg(long, value_name = "TIME|PATTERN")]
    content: Vec<Content>,
    #[command(flatten)]
    setting: Setting,
}

impl Import {
    /// Writes the scenario, or only says what was found.
    pub(super) fn write(self, talk: &Talk) -> Result<Exit, Failure> {
        if self.file.is_dir() {
            return Err(Failure::Input(format!(
                "{0} is a folder of saved answers, without their times; play it, and write it as a scenario, with\n  \
                 playsim waterfall {0} --save trial",
                as_argument(&input::name(&self.file))
            )));
        }
        let session = self.recorded.session(&self.file, &self.content)?;
        let overrides: Overrides = self.setting.overrides();
        let (mut scenario, concluded) = session.scenario(&overrides);
        self.setting.change(&mut scenario);
        let name = as_argument(&input::name(&self.file));
        super::print(&summary(&session), talk);
        say_notes(&session, &concluded, talk);
        let Some(folder) = &self.output else {
            talk.say(&format!("Try next:\n  playsim waterfall {name}\n  playsim import {name} -o trial"));
            return Ok(Exit::AsExpected);
        };
        let place = SavedAs::read(&folder.join(stem(&self.file)))?;
        let comment = format!("Written by: playsim import {name}");
        let written = place.write_scenario(&scenario, &comment, "playsim import ... -o")?;
        let first = as_argument(&written[0]);
        talk.say(&format!("wrote {}\nTry next:\n  playsim run {first} --view ads", written.join(", ")));
        Ok(Exit::AsExpected)
    }
}

/// Returns what was found in a recording: how many requests of each role, and the tags of each break.
fn summary(session: &Session) -> String {
    let recording = &session.recording;
    let count = |is: fn(&Role) -> bool| session.roles.iter().filter(|role| is(role)).count();
    let tags = session.breaks.iter().flat_map(|it| &it.pods).map(Vec::len).sum::<usize>();
    let by =
        if recording.tool.is_empty() { String::new() } else { format!(" recorded by {}", recording.tool) };
    let parts = [
        (tags, "ad tag"),
        (session.documents.len() - tags, "other ad document"),
        (count(|it| matches!(it, Role::Media(_))), "ad media file"),
        (count(|it| matches!(it, Role::Pixel(_))), "pixel"),
        (count(|it| matches!(it, Role::Verification(_) | Role::Interactive(_))), "ad script"),
        (count(|it| matches!(it, Role::Redirected(_))), "redirect"),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, noun)| counted(number, noun))
        .collect();
    let rest = session
        .roles
        .iter()
        .filter(|role| matches!(role, Role::Content | Role::Ignored | Role::Other))
        .count();
    let mut text = format!(
        "{}: {}{by}\n  {}; {rest} for the page and the content\n",
        recording.name,
        counted(recording.exchanges.len(), "request"),
        parts.join(", ")
    );
    for (number, it) in session.breaks.iter().enumerate() {
        let kind = match it.cue {
            None => "pre-roll".to_owned(),
            Some(cue) => format!("mid-roll after {} s of content", seconds(cue.micros())),
        };
        let begin = seconds(it.begin(session).micros());
        text.push_str(&format!("break {number}, {kind}, begins at {begin} s\n"));
        for (pod, tags) in it.pods.iter().enumerate() {
            for (wp, tag) in tags.iter().enumerate() {
                let pod = if it.pods.len() > 1 { format!("pod {pod} ") } else { String::new() };
                text.push_str(&format!("  {pod}wp {wp}  {}\n", tag_in_words(session, tag.document)));
            }
        }
    }
    escape::lines(&text).into_owned()
}

/// Returns a tag with its answer: `https://ads.test/a  200 after 0.120 s, VAST`.
fn tag_in_words(session: &Session, document: usize) -> String {
    let (request, answer) = (session.exchange(document), session.answer(document));
    let after = answer.over() - request.at();
    let how = match &answer.outcome {
        Outcome::Response(status) => format!("{status} after {} s", seconds(after.micros())),
        Outcome::Redirect(status, _) => format!("{status} without what it leads to"),
        Outcome::BrokeOff(_) => format!("broke off after {} s", seconds(after.micros())),
        Outcome::Failed(Some(how)) => format!("failed: {how}"),
        Outcome::Failed(None) | Outcome::Unknown => "no answer".to_owned(),
    };
    let what = session.documents[document].read.as_ref().map_or("", |read| {
        if read.root == Root::Vmap {
            ", VMAP"
        } else if read.ads.is_empty() {
            ", VAST without an ad"
        } else {
            ", VAST"
        }
    });
    format!("{}  {how}{what}", request.url)
}
