//! Whether a document can be played: it is played, as the answer of the only tag of a break.

use std::sync::Arc;

use serde::Serialize;

use playsim::report::waterfall::{AdBreakReport, TagOutcome, Waterfalls};
use playsim::scenario::Overrides;
use playsim::time::Span;
use playsim::vast::{Document, Root};
use playsim_base::words::{counted, seconds};

use crate::cli::failure::Failure;
use crate::cli::output::as_argument;
use crate::cli::setting::Setting;
use crate::cli::waterfall::places::Places;
use crate::cli::waterfall::spec;
use crate::cli::waterfall::tag::{Kind, Tag};
use crate::cli::waterfall::world::World;

/// The content around the break.
const CONTENT: Span = Span::from_secs(60);

/// Whether a document can be played, by the rules.
#[derive(Debug, Serialize)]
pub(super) struct Verdict {
    plays: Plays,
    /// In a sentence.
    pub(super) text: String,
    /// The command that says more; `None` if there is nothing to add.
    next: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Plays {
    /// Before, during or after the content.
    Linear,
    /// Over the content, and not otherwise.
    Overlay,
    /// Its breaks do, as far as the content reaches.
    Schedule,
    No,
    /// That depends on a document that is not here.
    Unknown,
}

impl Verdict {
    /// Plays a document with this name and text. Its media files load and are as long as it says.
    pub(super) fn of(name: &str, text: &str, document: &Document) -> Result<Verdict, Failure> {
        let linear = played(name, text, Kind::Pre)?;
        // What plays without the others plays all the same.
        if !linear.unanswered.is_empty() && !linear.is_filled() {
            return Ok(unknown(name, &linear));
        }
        let mut mend = match document
            .embedded()
            .chain([document])
            .map(|it| it.warnings.len())
            .sum()
        {
            0 => "no defect found".to_owned(),
            count => format!("{} below", counted(count, "warning")),
        };
        if !linear.unanswered.is_empty() {
            let others = counted(linear.unanswered.len(), "document");
            mend.push_str(&format!("; {others} that it names not given here"));
        }
        let next = Some(format!("playsim waterfall {}", as_argument(name)));
        if document.root == Root::Vmap && document.fault.is_none() {
            return Ok(schedule(&linear, &mend, next));
        }
        if let Some(of) = linear.breaks.iter().find(|it| is_filled(it)) {
            let text = format!(
                "it plays as a pre-roll of {}; {}; {mend}",
                ads(of),
                pixels(of)
            );
            return Ok(Verdict {
                plays: Plays::Linear,
                text,
                next,
            });
        }
        let overlay = played(name, text, Kind::Overlay)?;
        if let Some(of) = overlay.breaks.iter().find(|it| is_filled(it)) {
            return Ok(Verdict {
                plays: Plays::Overlay,
                text: format!("it plays only as an overlay; {}; {mend}", pixels(of)),
                next: next.map(|command| command + " --kind overlay"),
            });
        }
        Ok(Verdict {
            plays: Plays::No,
            text: format!("it does not play: {}", reason(&linear)),
            next: code(&linear).map(|code| format!("playsim code {code}")),
        })
    }

    /// Returns it in a word.
    pub(super) fn word(&self) -> &'static str {
        match self.plays {
            Plays::Linear | Plays::Overlay | Plays::Schedule => "ok",
            Plays::No => "unplayable",
            Plays::Unknown => "unknown",
        }
    }

    /// Returns it for people, in one or two lines.
    pub(super) fn lines(&self, name: &str) -> String {
        let mut lines = format!("{name}: {}\n", self.text);
        if let Some(next) = &self.next {
            lines.push_str(&format!("  more: {next}\n"));
        }
        lines
    }
}

/// Plays a document as the answer of the only tag of a break.
fn played(name: &str, text: &str, kind: Kind) -> Result<Waterfalls, Failure> {
    let answer = spec::script(Span::ZERO, spec::body_of(200, name, text.into()));
    let tag = Tag {
        address: Arc::from("file:document"),
        answer: Some(answer),
        folder: None,
    };
    let mut world = World::new(
        Places::none(),
        None,
        Places::none(),
        &Setting::default(),
        &Overrides::default(),
        kind,
    );
    world.set_content(CONTENT);
    let trace = world.play(&[tag])?;
    Ok(Waterfalls::of_played(&trace, world.scenario()))
}

fn is_filled(it: &AdBreakReport) -> bool {
    it.tags.iter().any(|tag| tag.outcome == TagOutcome::Filled)
}

/// What was shown: `16.000 s`, `2 ads, 20.000 s`.
fn ads(of: &AdBreakReport) -> String {
    let lengths = of
        .played
        .iter()
        .filter_map(|ad| Some(ad.end_us? - ad.start_us?));
    let length = format!("{} s", seconds(lengths.sum()));
    match of.played.len() {
        1 => length,
        many => format!("{}, {length}", counted(many, "ad")),
    }
}

fn pixels(of: &AdBreakReport) -> String {
    format!("{} called", counted(of.beacons.len(), "pixel"))
}

fn schedule(played: &Waterfalls, mend: &str, next: Option<String>) -> Verdict {
    let all: usize = played.schedules.iter().map(|it| it.breaks.len()).sum();
    let begun = || {
        played
            .schedules
            .iter()
            .flat_map(|it| &it.breaks)
            .filter(|it| !it.begin_us.is_empty())
    };
    let filled = played.breaks.iter().filter(|it| is_filled(it)).count();
    let text = format!(
        "it schedules {}: {} in content of {} s, of which {filled} show ads; {mend}",
        counted(all, "break"),
        begun().count(),
        seconds(CONTENT.micros()),
    );
    Verdict {
        plays: Plays::Schedule,
        text,
        next,
    }
}

/// The documents that it names are not here.
fn unknown(name: &str, played: &Waterfalls) -> Verdict {
    let urls: Vec<&str> = played.unanswered.iter().map(|it| &*it.url).collect();
    let count = counted(urls.len(), "document");
    let answer = format!("{}=FILE", urls[0]);
    Verdict {
        plays: Plays::Unknown,
        text: format!(
            "whether it plays depends on {count} not given here: {}",
            urls.join(", ")
        ),
        next: Some(format!(
            "playsim waterfall {} --answer {}",
            as_argument(name),
            as_argument(&answer)
        )),
    }
}

/// Returns why nothing was shown.
fn reason(played: &Waterfalls) -> String {
    let mut tags = played.breaks.iter().flat_map(|it| &it.tags);
    let said = tags.find_map(|tag| tag.reason.clone().or_else(|| tag.message.clone()));
    said.unwrap_or_else(|| "it has nothing to show".to_owned())
}

fn code(played: &Waterfalls) -> Option<u16> {
    let mut tags = played.breaks.iter().flat_map(|it| &it.tags);
    tags.find_map(|tag| tag.code)
}
