//! What `playsim waterfall` is given, and the options that mean something for it.
//!
//! The arguments are looked at once. Each kind then has a module of its own, with its checks, its
//! output and its meaning of the exit code.

use std::path::{Path, PathBuf};

use playsim_scenario::is_scenario;

use super::session::{Play, Show};
use super::tags::OfTags;
use super::{Waterfall, recordings};
use crate::cli::failure::{Failure, bail};
use crate::cli::format::Format;
use crate::cli::output::as_argument;
use crate::cli::recorded::{self, Recorded};
#[cfg(feature = "fetch")]
use crate::cli::requests::Requests;
use crate::cli::{file, input};

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

/// Kinds of arguments, as what an option is for.
type Kinds = &'static [&'static str];

const TAGS: Kinds = &["tags"];
const RECORDING: Kinds = &["a recording"];
const RECORDED: Kinds = &["a recording", "many recordings"];
const MANY: Kinds = &["many recordings"];
/// Everything of which one session is played.
const ONE: Kinds = &["tags", "a scenario", "a recording"];

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

    const fn kind(&self) -> &'static str {
        match self {
            Given::Tags => "tags",
            Given::Scenario(_) => "a scenario",
            Given::Recording(_) => "a recording",
            Given::Recordings(_) => "many recordings",
        }
    }

    /// Checks that every option that was given means something for this.
    pub(super) fn check(&self, args: &Waterfall) -> Result<(), Failure> {
        let kind = self.kind();
        let mut options = args.given().into_iter();
        let wrong = options.find(|(option, kinds)| option.is_some() && !kinds.contains(&kind));
        let Some((Some(option), kinds)) = wrong else {
            return Ok(());
        };
        let instead = self.instead(&option, kinds);
        let kinds = alternatives(kinds);
        bail!("{option} does not work with {kind}{instead} ({option} is for {kinds})")
    }

    /// Returns what to do in place of giving an option that is for something else.
    fn instead(&self, option: &str, kinds: Kinds) -> String {
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
            Given::Recordings(_) if kinds.contains(&"a recording") => {
                ", of which nothing is simulated; leave it out, or give one recording".to_owned()
            }
            Given::Tags | Given::Scenario(_) | Given::Recording(_) | Given::Recordings(_) => {
                String::new()
            }
        }
    }
}

/// Joins words as alternatives: `a, b or c`.
fn alternatives(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

impl Waterfall {
    /// Returns an option of each group that is not for everything, if one was given, and what it is
    /// for.
    fn given(&self) -> Vec<(Option<String>, Kinds)> {
        let (options, format) = (&self.options, self.output.format);
        let of_format = |is_so: bool| is_so.then(|| format.option());
        vec![
            (options.of::<OfTags>(), TAGS),
            #[cfg(feature = "fetch")]
            (options.of::<Requests>(), TAGS),
            (options.of::<Play>(), ONE),
            (options.of::<Show>(), ONE),
            (of_format(self.output.is_trace()), ONE),
            (options.of::<Recorded>(), RECORDED),
            (options.first(&["within"]), RECORDING),
            (options.first(&["against"]), MANY),
            (of_format(format == Format::Csv), MANY),
            (
                options.first(&["content"]),
                &["tags", "a recording", "many recordings"],
            ),
            (options.first(&["save"]), &["tags", "a recording"]),
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
