//! Writes scenarios with the documents that they name, and overwrites nothing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use playsim::scenario::{Scenario, ScriptedAnswer};

use super::failure::{Failure, bail};
use super::output::{Talk, as_argument};
use super::{command_line, decode, input, writing};

/// Where a scenario is written: a folder, and a name in it.
#[derive(Debug)]
pub(super) struct SavedAs {
    folder: PathBuf,
    /// The name of the scenario's file without `.yaml`.
    pub(super) stem: String,
}

impl SavedAs {
    /// Parses a scenario's name on the command line: `first`, `first.yaml` or `trials/first`.
    pub(super) fn read(name: &Path) -> Result<SavedAs, Failure> {
        let stem = name.file_name().and_then(|name| name.to_str());
        let stem = stem.map(|name| name.strip_suffix(".yaml").unwrap_or(name));
        let Some(stem) = stem.filter(|stem| !stem.is_empty()) else {
            bail!(
                "\"{}\" is not a valid scenario name; use a file name such as first",
                input::name(name)
            );
        };
        let folder = name.parent().unwrap_or(Path::new("")).to_path_buf();
        Ok(SavedAs {
            folder,
            stem: stem.to_owned(),
        })
    }

    /// Returns the name of the scenario's file.
    pub(super) fn file(&self) -> String {
        format!("{}.yaml", self.stem)
    }

    /// Writes files into the folder, the scenario itself first, and returns the names of the
    /// written files. Another file that already exists with the same content is kept; if one exists
    /// with other content, nothing is written. `command` is an example of a command that writes
    /// elsewhere.
    pub(super) fn write(
        &self,
        files: &[(String, String)],
        command: &str,
    ) -> Result<Vec<String>, Failure> {
        let cannot = |path: &Path| Failure::cannot("write", path);
        let mut missing = Vec::new();
        for (index, (name, content)) in files.iter().enumerate() {
            let path = self.folder.join(name);
            match fs::symlink_metadata(&path) {
                Ok(_)
                    if index > 0
                        && input::load(&self.folder, name).is_ok_and(|there| there == *content) => {
                }
                Ok(_) if index > 0 => {
                    return Err(Failure::Io(format!(
                        "{} already exists with other content; nothing was written. Choose an empty folder, \
                         such as {command} trials/{}",
                        input::name(&path),
                        self.stem,
                    )));
                }
                Ok(_) => {
                    return Err(Failure::Io(format!(
                        "{} already exists; nothing was written",
                        input::name(&path)
                    )));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    missing.push((path, content))
                }
                Err(error) => return Err(cannot(&path)(error)),
            }
        }
        let mut written = Vec::new();
        for (path, content) in missing {
            create(&path, content).map_err(cannot(&path))?;
            written.push(input::name(&path));
        }
        Ok(written)
    }

    /// Returns the files of a scenario: it, after a comment with the command in force, and the
    /// documents of its responses. They must have the names that [`name_documents`] gave them.
    pub(super) fn files(&self, scenario: &Scenario) -> Vec<(String, String)> {
        let by = command_line::current();
        let text = format!("# Written by: {by}\n{}", scenario.to_yaml());
        let mut files = vec![(self.file(), text)];
        files.extend(documents(scenario));
        files
    }

    /// Writes a scenario and the documents of its responses, and says what to do with it.
    pub(super) fn write_scenario(
        &self,
        scenario: &Scenario,
        command: &str,
        talk: &Talk,
    ) -> Result<(), Failure> {
        let written = self.write(&self.files(scenario), command)?;
        talk.say(&format!(
            "wrote {}\nTry next:\n  playsim run {} --view ads",
            written.join(", "),
            as_argument(&written[0])
        ));
        Ok(())
    }
}

/// Returns the documents of a scenario, each with its name.
pub(super) fn documents(scenario: &Scenario) -> impl Iterator<Item = (String, String)> {
    let files = scenario.files().into_iter();
    files.map(|(name, text)| (name.to_string(), text.to_string()))
}

/// The names of documents that were never files.
const NO_FILES: [&str; 2] = ["empty", "stdin"];

fn create(path: &Path, content: &str) -> io::Result<()> {
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        fs::create_dir_all(folder)?;
    }
    if decode::whole(content.as_bytes()).as_deref() != Some(content) {
        // The document declares the encoding that it had before it was decoded. A byte-order mark
        // wins.
        return writing::write_new(path, format!("\u{feff}{content}"));
    }
    writing::write_new(path, content)
}

/// Gives each document of a scenario a name under which it can be a file next to the scenario, and
/// returns whether a name has changed. Names that already are such paths stay: traces show them.
pub(super) fn name_documents(scenario: &mut Scenario) -> bool {
    let mut taken: Vec<(Arc<str>, Arc<str>)> = Vec::new();
    let mut is_changed = false;
    let answers = scenario.network.iter_mut().flat_map(|(_, answers)| answers);
    for answer in answers {
        let ScriptedAnswer::Body { name, text, .. } = &mut answer.answer else {
            continue;
        };
        if name.is_empty() {
            continue;
        }
        let free = free_name(&file_name(name), text, &taken);
        is_changed |= *free != **name;
        *name = Arc::clone(&free);
        taken.push((free, Arc::clone(text)));
    }
    is_changed
}

/// Returns the path of a file in or below the scenario's folder for a document's name.
fn file_name(name: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "._-+@".contains(letter);
    let parts: Vec<&str> = name.split(['/', '\\']).collect();
    let is_below = parts.iter().all(|part| !matches!(*part, "" | "." | ".."));
    let last = parts.last().copied().unwrap_or_default();
    // The body of a recorded response is called `tag.http (body)`.
    let (kept, is_file) = match last.strip_suffix(" (body)") {
        Some(recording) => (recording, false),
        None => (last, !NO_FILES.contains(&name)),
    };
    let mut file: String = kept
        .chars()
        .map(|letter| if is_plain(letter) { letter } else { '-' })
        .collect();
    if file.trim_matches('.').is_empty() {
        file = "document".to_owned();
    }
    if !is_file {
        file.push_str(".xml");
    }
    let folders = &parts[..parts.len() - 1];
    if is_below && folders.iter().all(|part| part.chars().all(is_plain)) {
        return folders
            .iter()
            .map(|part| format!("{part}/"))
            .collect::<String>()
            + &file;
    }
    file
}

/// Returns the name, with a number if another document has it.
fn free_name(name: &str, text: &str, taken: &[(Arc<str>, Arc<str>)]) -> Arc<str> {
    let end = name
        .rfind('.')
        .filter(|at| !name[*at..].contains('/'))
        .unwrap_or(name.len());
    let (stem, ending) = name.split_at(end);
    let numbered = (2..).map(|number: u64| format!("{stem}-{number}{ending}"));
    let mut names = [name.to_owned()].into_iter().chain(numbered);
    let is_free = |name: &String| {
        let other = taken
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(name));
        other.is_none_or(|(known, content)| **known == **name && **content == *text)
    };
    names.find(is_free).unwrap_or_default().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_is_named_as_before_where_that_is_a_path_below_the_scenario() {
        for (name, file) in [
            ("ad.xml", "ad.xml"),
            ("one.test/tag.xml", "one.test/tag.xml"),
            ("one.test/tag", "one.test/tag"),
            ("../ad.xml", "ad.xml"),
            ("/srv/ads/ad.xml", "ad.xml"),
            ("empty", "empty.xml"),
            ("tag.http (body)", "tag.http.xml"),
            ("my ad.xml", "my-ad.xml"),
            ("a b/ad.xml", "ad.xml"),
            ("..", "document"),
        ] {
            assert_eq!(file_name(name), file, "{name}");
        }
    }

    #[test]
    fn documents_of_one_name_and_different_content_get_numbers() {
        let taken = [
            ("ad.xml".into(), "<a/>".into()),
            ("ad-2.xml".into(), "<b/>".into()),
        ];
        assert_eq!(&*free_name("ad.xml", "<a/>", &taken), "ad.xml");
        assert_eq!(&*free_name("ad.xml", "<b/>", &taken), "ad-2.xml");
        assert_eq!(&*free_name("ad.xml", "<c/>", &taken), "ad-3.xml");
        assert_eq!(&*free_name("AD.xml", "<a/>", &taken), "AD-3.xml");
    }
}
