//! The tags of `playsim waterfall`, and the break that they are for.

use std::sync::Arc;

use clap::ValueEnum;

use playsim::scenario::AnswerScript;

use super::spec;
use crate::cli::input::{self, Fault};
use crate::cli::output::Talk;

/// One ad tag.
#[derive(Debug)]
pub(super) struct Tag {
    /// Its address. One that was given as an answer has an address that says which.
    pub(super) address: Arc<str>,
    /// What it answers; `None`: what is said of its address.
    pub(super) answer: Option<AnswerScript>,
}

/// Which break a waterfall is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(super) enum Kind {
    #[default]
    Pre,
    Mid,
    Post,
    Overlay,
}

impl Tag {
    /// What a word stands for.
    pub(super) fn read(word: &str, talk: &Talk) -> Result<Tag, Fault> {
        if spec::is_address(word) {
            return Ok(Tag { address: word.into(), answer: None });
        }
        let answer = spec::answer(word, talk)?;
        let (base, _) = spec::suffixes(word);
        let scheme = if spec::is_word(base) { "answer" } else { "file" };
        let name = if spec::is_stdin_base(base) { "stdin".to_owned() } else { input::heading(base.as_ref()) };
        // Brackets in an address would be taken for macros, a percent sign for the begin of one.
        let base = name.replace('%', "%25").replace('[', "%5B").replace(']', "%5D");
        Ok(Tag { address: format!("{scheme}:{base}").into(), answer: Some(answer) })
    }
}

impl Kind {
    /// The number of its ad objects.
    pub(super) const fn ad_type(self) -> u32 {
        match self {
            Kind::Pre => 0,
            Kind::Mid => 1,
            Kind::Post => 2,
            Kind::Overlay => 3,
        }
    }
}
