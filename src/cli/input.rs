//! What is read: scenarios, documents, standard input.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use playsim::place::Place;
use playsim::scenario::{self, Overrides, Scenario, ScenarioError, Until};
use playsim::time::{Span, Time};

use super::output::{Talk, why};
use super::{Exit, decode};

/// No file is read further than this; readers have smaller limits of their own.
const MAX_BYTES: u64 = 64 << 20;

/// What a file is called in messages.
pub(super) fn name(file: &Path) -> String {
    if is_stdin(file) { "stdin".to_owned() } else { file.display().to_string() }
}

/// What a file is called above its trace: never an absolute path, so that traces compare everywhere.
pub(super) fn heading(file: &Path) -> String {
    let here = std::env::current_dir().ok();
    let below = here.and_then(|here| file.strip_prefix(here).ok().map(Path::to_path_buf));
    match below.as_deref().or(file.file_name().map(Path::new)) {
        Some(short) if file.is_absolute() => short.display().to_string(),
        Some(_) | None => name(file),
    }
}

/// `-` is standard input.
pub(super) fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// Why something that was given cannot be used.
pub(super) enum Fault {
    /// It cannot be read.
    World(String),
    /// It is not what it should be.
    Input(String),
    /// It is no scenario that can be played; with its text.
    Scenario(Box<ScenarioError>, String),
}

impl Fault {
    pub(super) fn exit(&self) -> Exit {
        match self {
            Fault::World(_) => Exit::WrongWorld,
            Fault::Input(_) | Fault::Scenario(..) => Exit::WrongInput,
        }
    }

    /// Says what is wrong, with the lines on which it stands.
    pub(super) fn tell(&self, talk: &Talk) -> Exit {
        match self {
            Fault::World(text) | Fault::Input(text) => talk.error(text),
            Fault::Scenario(error, text) => talk.say(&scenario::picture(error, text, talk.color)),
        }
        self.exit()
    }

    /// The same in words alone, and where, as far as that is known.
    pub(super) fn words(&self) -> (String, Option<Place>) {
        match self {
            Fault::World(text) | Fault::Input(text) => (text.clone(), None),
            Fault::Scenario(error, text) => (scenario::picture(error, text, false), Some(error.place)),
        }
    }
}

/// The content of a file or of standard input.
pub(super) fn bytes(file: &Path) -> Result<Vec<u8>, Fault> {
    let result =
        if is_stdin(file) { limited(io::stdin().lock()) } else { File::open(file).and_then(limited) };
    result.map_err(|error| Fault::World(format!("{} cannot be read: {}", name(file), why(&error))))
}

/// The text of a file or of standard input.
pub(super) fn text(file: &Path) -> Result<String, Fault> {
    String::from_utf8(bytes(file)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Fault::Input(format!("{} is no UTF-8 text; byte {at} is wrong", name(file)))
    })
}

/// A scenario, and where its expectations stand.
pub(super) struct Given {
    pub(super) scenario: Scenario,
    pub(super) expect_at: Vec<Place>,
}

/// The scenario of a file, played with a setting.
pub(super) fn scenario(file: &Path, overrides: &Overrides) -> Result<Given, Fault> {
    scenario_of(file, &text(file)?, overrides)
}

/// The scenario of a file whose text was read.
pub(super) fn scenario_of(file: &Path, text: &str, overrides: &Overrides) -> Result<Given, Fault> {
    let folder = if is_stdin(file) { None } else { file.parent() };
    read(&name(file), text, overrides, &mut |path| load(folder.unwrap_or(Path::new("")), path))
}

/// A scenario from its text.
pub(super) fn read(
    name: &str,
    text: &str,
    overrides: &Overrides,
    load: &mut dyn FnMut(&str) -> Result<String, String>,
) -> Result<Given, Fault> {
    let scenario = scenario::read_over(name, text, overrides, load)
        .map_err(|error| Fault::Scenario(Box::new(error), text.to_owned()))?;
    let is_judged = !scenario.expect.is_empty();
    let expect_at = if is_judged { scenario::expectation_places(name, text) } else { Vec::new() };
    Ok(Given { scenario, expect_at })
}

/// A file that a scenario names. The reader has made sure that the path does not leave the folder.
fn load(folder: &Path, path: &str) -> Result<String, String> {
    let bytes = File::open(folder.join(path)).and_then(limited).map_err(|error| why(&error))?;
    decode::whole(&bytes).ok_or_else(|| "it is no UTF-8 text".to_owned())
}

fn limited(from: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other(format!("it is longer than {} MB", MAX_BYTES >> 20)));
    }
    Ok(bytes)
}

/// The end of a run as an argument: read as a scenario reads it.
pub(super) fn until(word: &str) -> Result<Until, String> {
    let text = serde_json::json!({ "until": word, "steps": [{ "at": "0s", "do": "play" }] }).to_string();
    let scenario = scenario::read("until.json", &text, &mut |_| Err(String::new()));
    scenario.map(|scenario| scenario.until).map_err(|error| match error.message.split_once("; ") {
        Some((_, due)) => due.to_owned(),
        None => error.message,
    })
}

/// A length of time as an argument: read as a scenario reads it.
pub(super) fn span(word: &str) -> Result<Span, String> {
    match until(word) {
        Ok(Until::At(at)) => Ok(at - Time::ZERO),
        Ok(Until::Idle) | Err(_) => Err("it takes a length of time, like 250ms or 1.5s".to_owned()),
    }
}

/// A seed as an argument.
pub(super) fn seed(word: &str) -> Result<u64, String> {
    word.parse().map_err(|_| format!("it takes a whole number from 0 to {}", u64::MAX))
}

/// Whether two paths name the same file that is there.
pub(super) fn is_same(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| -> Option<PathBuf> { path.canonicalize().ok() };
    real(a).is_some_and(|a| real(b).is_some_and(|b| a == b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_run_is_read_as_in_a_scenario() {
        assert_eq!(until("idle"), Ok(Until::Idle));
        assert_eq!(until("1.5s"), Ok(Until::At(Time::from_millis(1500))));
        assert!(until("soon").is_err_and(|message| message.starts_with("it takes")));
        assert_eq!(span("250ms"), Ok(Span::from_millis(250)));
        assert!(span("idle").is_err());
    }
}
