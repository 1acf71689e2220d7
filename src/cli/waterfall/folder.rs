//! A folder of saved answers as the tags of a waterfall.

use std::path::Path;

use playsim::scenario::{ScriptedAnswer, in_order};

use super::spec;
use crate::cli::failure::{Failure, bail};
use crate::cli::output::Talk;
use crate::cli::{file, input, reading};

/// The tags and answers that the files of a folder mean.
#[derive(Debug, Default)]
pub(super) struct Folder {
    /// The files that answer tags, in order.
    pub(super) tags: Vec<String>,
    /// What URLs in wrappers answer, as `URL=FILE`.
    pub(super) answers: Vec<String>,
}

/// Returns what the files of a folder mean, in the order of the numbers that their names begin
/// with: a file answers the URL of the wrapper in the file before it, or else a tag. An empty file
/// is a tag that never answered.
pub(super) fn read(folder: &Path, talk: &Talk) -> Result<Folder, Failure> {
    let name = input::name(folder);
    let is_answer = |path: &Path| file::has_ending(path, &["http", "txt", "vast", "xml"]);
    let files = reading::files_in(folder, is_answer)?;
    if files.is_empty() {
        bail!(
            "{name} has no answers; expected numbered files such as 1.http, written by: curl -si URL > {name}/1.http"
        );
    }
    let mut contents = Vec::new();
    for file in files.iter().map(|file| input::name(file)) {
        let text = spec::body(&file, talk)?.unwrap_or_default();
        contents.push((file, text));
    }
    let mut found = Folder::default();
    for saved in in_order(contents) {
        let answer = match saved.failure() {
            Some(ScriptedAnswer::Fails(fault)) => fault.name().to_owned(),
            Some(_) => "timeout".to_owned(),
            None => saved.file,
        };
        match saved.wrapped {
            Some(url) => found.answers.push(format!("{url}={answer}")),
            None => found.tags.push(answer),
        }
    }
    Ok(found)
}
