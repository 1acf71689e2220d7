//! What `playsim waterfall` is given, and the options that mean something for it.
//!
//! The arguments are looked at once. Each kind then has a module of its own, with its checks, its
//! output and its meaning of the exit code.

use std::path::{Path, PathBuf};

use playsim_scenario::is_scenario;

use super::{Waterfall, recordings};
use crate::cli::failure::{Failure, bail};
use crate::cli::output::as_argument;
use crate::cli::{file, input, recorded};

/// The arguments of `playsim waterfall`.
#[derive(Debug)]
pub(super) enum Given {
    /// Tags, and folders of saved responses.
    Tags,
    /// The file of a scenario.
    Scenario(PathBuf),
    /// The file of a recorded session.
    Recording(PathBuf),
    /// The files of several recordings, in the order of their names.
    Recordings(Vec<PathBuf>),
}

/// What an option can be for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum For {
    Tags,
    Scenario,
    Recording,
    Recordings,
}

const TAGS: &[For] = &[For::Tags];
const RECORDING: &[For] = &[For::Recording];
const RECORDED: &[For] = &[For::Recording, For::Recordings];
const MANY: &[For] = &[For::Recordings];
/// Everything of which one session is played.
const ONE: &[For] = &[For::Tags, For::Scenario, For::Recording];

impl For {
    const fn words(self) -> &'static str {
        match self {
            For::Tags => "tags",
            For::Scenario => "a scenario",
            For::Recording => "a recording",
            For::Recordings => "many recordings",
        }
    }
}

impl Given {
    /// Looks at the arguments.
    pub(super) fn of(args: &Waterfall) -> Result<Given, Failure> {
        let words = &args.tags;
        if recordings::are_given(words, &args.against) {
            let words: Vec<PathBuf> = words.iter().map(PathBuf::from).collect();
            return Ok(Given::Recordings(recordings::files(&words)?));
        }
        if let [word] = &words[..] {
            if recorded::is_recording(word) {
                return Ok(Given::Recording(word.into()));
            }
            if is_scenario_file(word) {
                return Ok(Given::Scenario(word.into()));
            }
        }
        match words.iter().find(|word| recorded::is_recording(word)) {
            Some(file) => bail!(
                "{file} is a recording, which must be the only argument: playsim waterfall {}",
                as_argument(file)
            ),
            None => {
                words
                    .iter()
                    .try_for_each(|word| recorded::check_form(word))?;
                Ok(Given::Tags)
            }
        }
    }

    const fn kind(&self) -> For {
        match self {
            Given::Tags => For::Tags,
            Given::Scenario(_) => For::Scenario,
            Given::Recording(_) => For::Recording,
            Given::Recordings(_) => For::Recordings,
        }
    }

    /// Checks that every option that was given means something for this.
    pub(super) fn check(&self, args: &Waterfall) -> Result<(), Failure> {
        let kind = self.kind();
        let options = args
            .options()
            .into_iter()
            .filter(|(_, kinds)| !kinds.contains(&kind));
        let Some((option, kinds)) = options
            .flat_map(|(option, kinds)| Some((option?, kinds)))
            .next()
        else {
            return Ok(());
        };
        let instead = self.instead(option, kinds);
        let (kind, kinds) = (
            kind.words(),
            alternatives(kinds.iter().map(|it| it.words())),
        );
        bail!("{option} does not work with {kind}{instead} ({option} is for {kinds})")
    }

    /// Returns what to do in place of giving an option that is for something else.
    fn instead(&self, option: &str, kinds: &[For]) -> String {
        let is_about_tags =
            ["--dir", "--media", "--kind", "--device", "--content"].contains(&option);
        match self {
            Given::Scenario(file) if is_about_tags => {
                format!(", which says that itself; change {}", input::name(file))
            }
            Given::Recording(file) if is_about_tags => format!(
                ", which has its own answers; to change them, write a scenario: playsim import {} -o trial",
                input::argument(file)
            ),
            Given::Recordings(_) if kinds.contains(&For::Recording) => {
                ", of which nothing is simulated; leave it out, or give one recording".to_owned()
            }
            Given::Tags | Given::Scenario(_) | Given::Recording(_) | Given::Recordings(_) => {
                String::new()
            }
        }
    }
}

/// Joins words as alternatives: `a, b or c`.
fn alternatives(words: impl Iterator<Item = &'static str>) -> String {
    let mut words: Vec<&str> = words.collect();
    let last = words.pop().unwrap_or_default();
    if words.is_empty() {
        last.to_owned()
    } else {
        format!("{} or {last}", words.join(", "))
    }
}

impl Waterfall {
    /// Returns every option that is not for everything: its name if it was given, and what it is
    /// for.
    fn options(&self) -> Vec<(Option<&'static str>, &'static [For])> {
        let named = |is_given: bool, option: &'static str| is_given.then_some(option);
        vec![
            (named(!self.answer.is_empty(), "--answer"), ONE),
            (named(self.dir.is_some(), "--dir"), TAGS),
            (named(!self.media.is_empty(), "--media"), TAGS),
            (named(self.kind.is_some(), "--kind"), TAGS),
            (named(self.device.is_some(), "--device"), TAGS),
            (
                named(!self.content.is_empty(), "--content"),
                &[For::Tags, For::Recording, For::Recordings],
            ),
            (named(self.timeout.is_some(), "--timeout"), ONE),
            (named(self.within.is_some(), "--within"), RECORDING),
            (named(self.pixels.is_some(), "--pixels"), ONE),
            (named(self.warnings.is_some(), "--warnings"), ONE),
            (named(self.why, "--why"), ONE),
            (named(self.trace.is_some(), "--trace"), ONE),
            (
                named(self.save.is_some(), "--save"),
                &[For::Tags, For::Recording],
            ),
            (named(!self.against.is_empty(), "--against"), MANY),
            (self.setting.option(), ONE),
            (self.acts.option(), ONE),
            (self.vary.option(), ONE),
            (self.lines.option(), ONE),
            (self.playground.option(), ONE),
            (self.recorded.option(), RECORDED),
            #[cfg(feature = "fetch")]
            (self.requests.option(), TAGS),
        ]
    }
}

/// Returns whether an argument names a scenario and not the answer of a tag.
fn is_scenario_file(word: &str) -> bool {
    let path = Path::new(word);
    if !file::has_ending(path, &["yaml", "yml", "json"]) || !path.is_file() {
        return false;
    }
    // One with mistakes is a scenario all the same: they are reported where it is read.
    file::has_ending(path, &["yaml", "yml"])
        || input::text(path).is_ok_and(|text| is_scenario(word, &text))
}
