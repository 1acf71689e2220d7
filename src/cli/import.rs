//! `playsim import`: makes a scenario from a recorded session.

use std::path::PathBuf;

use playsim::import::{self, BreakVerdict, Evidence, Note, PageVerdict, RecordedOutcome, Role};
use playsim::scenario::Overrides;
use playsim::vast::Root;
use playsim_base::escape;
use playsim_base::words::{counted, seconds};

use super::failure::{Failure, bail};
use super::output::Talk;
use super::recorded::{self, Content, Recorded, say_notes, stem};
use super::save::SavedAs;
use super::setting::Setting;
use super::{Exit, exits, input, joined};

#[derive(Debug, clap::Args)]
#[command(after_help = exits(&[(Exit::AsExpected, "the scenario was written")]))]
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
    /// Writes the scenario, or without `--output` only prints a summary.
    pub(super) fn write(self, talk: &Talk) -> Result<Exit, Failure> {
        if self.file.is_dir() {
            bail!(
                "{0} is a folder of saved answers, without their times; play it, and write it as a scenario, with\n  \
                 playsim waterfall {0} --save trial",
                input::argument(&self.file)
            );
        }
        let (recording, hints) = (
            recorded::read(&self.file)?,
            self.recorded.hints(&self.content),
        );
        let evidence = Evidence::of(recording, hints).map_err(Failure::input)?;
        let verdict = PageVerdict::of(&evidence);
        let overrides: Overrides = self.setting.overrides();
        let (mut scenario, concluded) = import::scenario(&evidence, &verdict, &overrides);
        let notes: Vec<Note> = [
            &evidence.notes[..],
            &concluded,
            import::removed(&evidence).as_slice(),
        ]
        .concat();
        self.setting.change(&mut scenario);
        let name = input::argument(&self.file);
        super::print(&summary(&evidence, &verdict), talk);
        say_notes(&notes, talk);
        let Some(folder) = &self.output else {
            talk.say(&format!(
                "Try next:\n  playsim waterfall {name}\n  playsim import {name} -o trial"
            ));
            return Ok(Exit::AsExpected);
        };
        let place = SavedAs::read(&folder.join(stem(&self.file)))?;
        place.write_scenario(&scenario, "playsim import ... -o", talk)?;
        Ok(Exit::AsExpected)
    }
}

/// Summarizes a recording: the number of requests by role, and the tags of each break.
fn summary(evidence: &Evidence, verdict: &PageVerdict) -> String {
    let recording = &evidence.recording;
    let roles = || evidence.findings.iter().map(|finding| &finding.role);
    let count = |is: fn(&Role) -> bool| roles().filter(|role| is(role)).count();
    let tags = verdict.tags().count();
    let by = if recording.tool.is_empty() {
        String::new()
    } else {
        format!(" recorded by {}", recording.tool)
    };
    let parts = [
        (tags, "ad tag"),
        (evidence.documents.len() - tags, "other ad document"),
        (count(|it| matches!(it, Role::Media(_))), "ad media file"),
        (count(|it| matches!(it, Role::Pixel(_))), "pixel"),
        (
            count(|it| matches!(it, Role::Verification(_) | Role::Interactive(_))),
            "ad script",
        ),
        (count(|it| matches!(it, Role::Redirected(_))), "redirect"),
    ];
    let parts = parts
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, noun)| counted(number, noun));
    let rest = count(|role| {
        matches!(
            role,
            Role::Content | Role::Aside | Role::Ignored | Role::Other
        )
    });
    let mut text = format!(
        "{}: {}{by}\n  {}; {rest} for the page and the content\n",
        recording.name,
        counted(recording.exchanges.len(), "request"),
        joined(parts, ", ")
    );
    for (number, it) in verdict.breaks.iter().enumerate() {
        let begin = seconds(it.begin.micros());
        text.push_str(&format!(
            "break {}, {}, begins at {begin} s\n",
            number + 1,
            kind(it)
        ));
        for tag in &it.tags {
            let pod = if tag.pod > 1 {
                format!("pod {} ", tag.pod)
            } else {
                String::new()
            };
            text.push_str(&format!(
                "  {pod}tag {}  {}\n",
                tag.number,
                tag_in_words(evidence, tag.document)
            ));
        }
    }
    escape::lines(&text).into_owned()
}

fn kind(it: &BreakVerdict) -> String {
    let kinds = it.kinds.iter().map(|kind| kind.word());
    let after = it.cue.map_or_else(String::new, |cue| {
        format!(" after {} s of content", seconds(cue.micros()))
    });
    format!("{}{after}", joined(kinds, " or "))
}

/// Returns a tag with its answer: `https://ads.test/a  200 after 0.120 s, VAST`.
fn tag_in_words(evidence: &Evidence, document: usize) -> String {
    let (request, answer) = (evidence.exchange(document), evidence.answer(document));
    let after = answer.over() - request.at();
    let how = match &answer.outcome {
        RecordedOutcome::Response(status) => {
            format!("{status} after {} s", seconds(after.micros()))
        }
        RecordedOutcome::Redirect(status, _) => format!("{status} without what it leads to"),
        RecordedOutcome::BrokeOff(_) => format!("broke off after {} s", seconds(after.micros())),
        RecordedOutcome::Failed(Some(how)) => format!("failed: {how}"),
        RecordedOutcome::Failed(None) | RecordedOutcome::Unknown => "no answer".to_owned(),
    };
    let what = evidence.documents[document]
        .read
        .as_ref()
        .map_or("", |read| {
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
