//! The tags of `playsim waterfall`, and the type of their break.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::ValueEnum;

use playsim::scenario::AnswerScript;
#[cfg(feature = "fetch")]
use playsim_scenario::world::is_data_url;

use super::spec;
use crate::cli::failure::Failure;
use crate::cli::input;
use crate::cli::output::Talk;

/// One ad tag.
#[derive(Debug)]
pub(in crate::cli) struct Tag {
    /// The URL. A tag given as an answer gets a URL that names the answer.
    pub(in crate::cli) address: Arc<str>,
    /// The response; `None` for a URL, whose response is looked up.
    pub(in crate::cli) answer: Option<AnswerScript>,
    /// For a file, the folder to which its URL is relative, and its own, out of which nothing is
    /// read.
    pub(in crate::cli) folder: Option<(PathBuf, PathBuf)>,
}

/// The type of the waterfall's break.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
pub(in crate::cli) enum Kind {
    #[default]
    Pre,
    Mid,
    Post,
    Overlay,
}

impl Tag {
    /// Whether only a server knows its response, which nothing here says.
    #[cfg(feature = "fetch")]
    pub(in crate::cli) fn needs_server(&self) -> bool {
        self.answer.is_none() && !is_data_url(&self.address)
    }

    /// Parses an argument.
    pub(in crate::cli) fn read(word: &str, talk: &Talk) -> Result<Tag, Failure> {
        if spec::is_url(word) {
            return Ok(Tag {
                address: word.into(),
                answer: None,
                folder: None,
            });
        }
        let answer = Some(spec::answer(word, talk)?);
        let (base, _) = spec::suffixes(word);
        let (address, folder) = if spec::is_stdin_base(base) {
            // Standard input has no folder: relative URLs in it are resolved against the working
            // directory.
            let here = PathBuf::new();
            ("file:stdin".to_owned(), Some((here.clone(), here)))
        } else if spec::is_word(base) {
            (format!("answer:{base}"), None)
        } else {
            let file = Path::new(base);
            let own = file.parent().unwrap_or(Path::new("")).to_owned();
            (input::address(file), Some((input::folder(file), own)))
        };
        Ok(Tag {
            address: address.into(),
            answer,
            folder,
        })
    }
}

impl Kind {
    /// Returns the `adType` of its ad objects.
    pub(super) const fn ad_type(self) -> u32 {
        match self {
            Kind::Pre => 0,
            Kind::Mid => 1,
            Kind::Post => 2,
            Kind::Overlay => 3,
        }
    }
}
