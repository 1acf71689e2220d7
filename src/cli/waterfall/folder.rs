//! A folder of saved answers as the tags of a waterfall.

use std::fs;
use std::path::Path;

use playsim::vast::{self, AdKind};
use playsim_base::words::io_error;

use super::spec;
use crate::cli::failure::Failure;
use crate::cli::output::Talk;
use crate::cli::{file, input};

/// The tags and answers that the files of a folder mean.
#[derive(Debug, Default)]
pub(super) struct Folder {
    /// The files that answer tags, in order.
    pub(super) tags: Vec<String>,
    /// What URLs in wrappers answer, as `URL=FILE`.
    pub(super) answers: Vec<String>,
}

/// Returns what the files of a folder mean, in the order of the numbers that their names begin with: a file
/// answers the URL of the wrapper in the file before it, or else a tag. An empty file is a tag that never
/// answered.
pub(super) fn read(folder: &Path, talk: &Talk) -> Result<Folder, Failure> {
    let name = input::name(folder);
    let entries = fs::read_dir(folder)
        .map_err(|error| Failure::Io(format!("cannot read {name}: {}", io_error(&error))))?;
    let mut files: Vec<String> = Vec::new();
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_file() && file::has_ending(&path, &["http", "txt", "vast", "xml"]) {
            files.push(input::name(&path));
        }
    }
    if files.is_empty() {
        return Err(Failure::Input(format!(
            "{name} has no answers; expected numbered files such as 1.http, written by: curl -si URL > {name}/1.http"
        )));
    }
    files.sort_by_key(|file| {
        let stem = Path::new(file).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let digits = stem.find(|it: char| !it.is_ascii_digit()).unwrap_or(stem.len());
        (stem[..digits].parse().unwrap_or(u64::MAX), stem)
    });
    let mut found = Folder::default();
    // The URL that the file before names.
    let mut open: Option<String> = None;
    for file in files {
        let text = spec::body(&file, talk)?;
        let answer = text.as_deref().map_or(Some("timeout"), failure);
        let answer = answer.map_or_else(|| file.clone(), str::to_owned);
        match open.take() {
            Some(url) => found.answers.push(format!("{url}={answer}")),
            None => found.tags.push(answer),
        }
        open = text.as_deref().and_then(wrapped_url);
    }
    Ok(found)
}

/// Returns how a request failed of which only curl's message was saved: `curl: (28) Operation timed out`.
fn failure(text: &str) -> Option<&'static str> {
    let (number, _) = text.trim_start().strip_prefix("curl: (")?.split_once(')')?;
    Some(match number {
        "6" | "7" => "refused",
        "18" => "truncated",
        "52" | "55" | "56" => "reset",
        _ => "timeout",
    })
}

/// Returns the URL of the first wrapper in a document.
fn wrapped_url(text: &str) -> Option<String> {
    let document = vast::read(text);
    document.ads.iter().find_map(|ad| match &ad.kind {
        AdKind::Wrapper(wrapper) => wrapper.tag_uri.as_ref().map(|uri| uri.text.to_string()),
        AdKind::Inline | AdKind::Broken(_) => None,
    })
}
