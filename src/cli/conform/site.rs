//! The report as a folder for any web server: the pages, the recordings and their screenshots.

use std::path::{Path, PathBuf};
use std::{fs, io};

use playsim::conform::{FolderPage, Recorded, Report};

use crate::cli::failure::Failure;
use crate::cli::output::Talk;
use crate::cli::{input, reading, writing};

/// Copies what cells link to, and adds the links.
pub(super) fn copy(
    folder: &Path,
    report: &mut Report,
    recorded: &[Recorded],
    files: &[Vec<PathBuf>],
) -> Result<(), Failure> {
    for (column, (player, files)) in recorded.iter().zip(files).enumerate() {
        let own = format!("recordings/{}-{}", column + 1, file_name(&player.player));
        create(&folder.join(&own))?;
        for (case, row) in report.cases.iter_mut().enumerate() {
            let Some(cell) = &mut row.cells[column] else {
                continue;
            };
            let of_case = player
                .recordings
                .iter()
                .zip(files)
                .filter(|((index, _), _)| *index == case);
            let Some((_, file)) = of_case.into_iter().nth(cell.evidence.run) else {
                continue;
            };
            let name = format!("{own}/{}", file_name(&row.name));
            copy_file(file, &folder.join(format!("{name}.jsonl")))?;
            let shots = shots(&file.with_extension("shots"), folder, &name)?;
            cell.evidence.add_files(format!("{name}.jsonl"), shots);
        }
    }
    Ok(())
}

/// Writes the pages.
pub(super) fn write(folder: &Path, pages: &[FolderPage], talk: &Talk) -> Result<(), Failure> {
    for FolderPage { path, page } in pages {
        let file = folder.join(path);
        create(file.parent().unwrap_or(folder))?;
        let mut text = String::new();
        page.write(&mut text)
            .map_err(|_| Failure::cannot("write", &file)(io::ErrorKind::Other.into()))?;
        writing::write(&file, text).map_err(Failure::cannot("write", &file))?;
    }
    let first = folder.join("index.html");
    talk.say(&format!(
        "wrote {}; any web server shows the folder",
        input::name(&first)
    ));
    Ok(())
}

/// Copies the screenshots of a recording. Returns when each was made, what it shows, and its file.
fn shots(from: &Path, folder: &Path, name: &str) -> Result<Vec<(u64, String, String)>, Failure> {
    let mut shots = Vec::new();
    for file in reading::entries(from).unwrap_or_default() {
        let (Some(stem), Some(ending)) = (file.file_stem(), file.extension()) else {
            continue;
        };
        let (stem, ending) = (stem.to_string_lossy(), ending.to_string_lossy());
        let Some((at, of)) = stem
            .split_once('_')
            .and_then(|(at, of)| Some((at.parse().ok()?, of)))
        else {
            continue;
        };
        let is_word = |text: &str| {
            text.chars()
                .all(|letter| letter.is_ascii_alphanumeric() || letter == '-')
        };
        if !is_word(of) || !is_word(&ending) {
            continue;
        }
        let link = format!("{name}-{at:010}-{of}.{ending}");
        copy_file(&file, &folder.join(&link))?;
        shots.push((at, of.to_owned(), link));
    }
    Ok(shots)
}

/// Returns a name as one of a file: names come from recordings.
fn file_name(name: &str) -> String {
    let letter = |it: char| {
        if it.is_ascii_alphanumeric() || "-_.".contains(it) {
            it
        } else {
            '-'
        }
    };
    let name: String = name.chars().map(letter).take(100).collect();
    name.trim_start_matches('.').to_owned()
}

fn create(folder: &Path) -> Result<(), Failure> {
    fs::create_dir_all(folder).map_err(Failure::cannot("write", folder))
}

fn copy_file(from: &Path, to: &Path) -> Result<(), Failure> {
    let bytes = reading::bytes_found(from).map_err(Failure::cannot("read", from))?;
    writing::write(to, bytes).map_err(Failure::cannot("write", to))
}
