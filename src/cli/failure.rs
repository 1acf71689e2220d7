//! Why a command ends early, and why an argument is invalid.

use std::fmt;
use std::io;
use std::path::Path;

use playsim::place::Place;
use playsim::scenario::{Mistakes, ScenarioError};
use playsim_base::words::io_error;
use playsim_scenario::picture;

use super::output::Talk;
use super::{Exit, file};

/// Why a command cannot do what it was asked to; each reason has its exit code.
#[derive(Debug)]
pub(super) enum Failure {
    /// A file cannot be read or written.
    Io(String),
    /// An argument or a file is invalid.
    Input(String),
    /// The text of a scenario has mistakes; with the text.
    Mistakes(Mistakes, String),
    /// Nothing was selected.
    NothingSelected(String),
}

/// Ends a function with the failure of an argument or a file that is invalid, in these words.
macro_rules! bail {
    ($($text:tt)*) => {
        return Err(Failure::Input(format!($($text)*)))
    };
}

pub(super) use bail;

impl Failure {
    /// Says why an argument or a file is invalid.
    pub(super) fn input(why: impl ToString) -> Failure {
        Failure::Input(why.to_string())
    }

    /// Says why something with this name is invalid.
    pub(super) fn about<E: fmt::Display>(name: &str) -> impl Fn(E) -> Failure + use<'_, E> {
        move |why| Failure::Input(format!("{name}: {why}"))
    }

    /// Why a scenario cannot be read; `text` is its source.
    pub(super) fn of_scenario(error: ScenarioError, text: &str) -> Failure {
        if let ScenarioError::Mistakes(mistakes) = error {
            Failure::Mistakes(mistakes, text.to_owned())
        } else {
            Failure::Input(error.to_string())
        }
    }

    /// Makes a failure of an error of the file system: what cannot be done with which file.
    pub(super) fn cannot(what: &'static str, path: &Path) -> impl Fn(io::Error) -> Failure + use<> {
        let name = file::name(path);
        move |error| Failure::Io(format!("cannot {what} {name}: {}", io_error(&error)))
    }

    /// Why signals cannot be handled.
    pub(super) fn of_signals(error: io::Error) -> Failure {
        Failure::Io(format!("cannot listen for signals: {}", io_error(&error)))
    }

    pub(super) fn exit(&self) -> Exit {
        match self {
            Failure::Io(_) => Exit::WrongWorld,
            Failure::Input(_) | Failure::Mistakes(..) => Exit::WrongInput,
            Failure::NothingSelected(_) => Exit::NothingSelected,
        }
    }

    /// Prints the error; for a scenario, with the source lines it refers to.
    pub(super) fn report(&self, talk: &Talk) -> Exit {
        if let Failure::Mistakes(mistakes, text) = self {
            talk.show(&picture(mistakes, text, talk.color));
        } else {
            talk.error(&self.words().0);
        }
        self.exit()
    }

    /// Returns the error message, and its place in the file if known.
    pub(super) fn words(&self) -> (String, Option<Place>) {
        match self {
            Failure::Io(text) | Failure::Input(text) | Failure::NothingSelected(text) => {
                (text.clone(), None)
            }
            Failure::Mistakes(mistakes, text) => {
                (picture(mistakes, text, false), Some(mistakes.first().place))
            }
        }
    }
}

/// Why the value of an argument is invalid: what it must be, or what was probably meant.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Invalid(pub(super) String);

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Invalid {}

impl From<&str> for Invalid {
    fn from(text: &str) -> Invalid {
        Invalid(text.to_owned())
    }
}
