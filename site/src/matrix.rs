//! The conformance matrix of the recordings that the project keeps.

use std::fs;
use std::path::{Path, PathBuf};

use playsim::conform::{
    Behaviour, Case, FolderPage, Gathered, MatrixPage, Recorded, RecordingFile, Report, Tolerance,
};
use playsim::knobs::{Profile, Profiles};
use playsim::recording::Recording;
use playsim::scenario::{self, Overrides};

use crate::frame::{Area, Site};
use crate::rules;
use crate::{Failure, root};

pub(crate) fn write(site: &mut Site) -> Result<(), Failure> {
    let conform = root().join("conform");
    let gathered = gathered(&conform)?;
    let mut recorded = Vec::new();
    for player in gathered.players {
        let behaviour = behaviour(&conform, &player.name)?;
        recorded.push(Recorded {
            player: player.name,
            behaviour,
            recordings: player.recordings,
        });
    }
    let report = Report::of(&gathered.cases, &recorded, Tolerance::default())
        .map_err(|error| Failure::new(format!("the matrix: {error}")))?;
    for FolderPage { path, page } in MatrixPage::new(&report).pages(Some(rules::path_of)) {
        let about = format!(
            "{} Real video players and the documented behaviour, situation by situation.",
            page.title
        );
        site.write_own(&format!("matrix/{path}"), Area::Matrix, &about, page)?;
    }
    Ok(())
}

fn gathered(conform: &Path) -> Result<Gathered, Failure> {
    let mut files = Vec::new();
    collect(&conform.join("results"), &mut files)?;
    let suite = conform.join("suite");
    Gathered::of(files, |name, _| {
        let path = suite.join(format!("{name}.yaml"));
        let text = read(&path)?;
        let mut load = |file: &str| fs::read_to_string(suite.join(file));
        let scenario = scenario::read_over(name, &text, &Overrides::default(), &mut load);
        let case = scenario
            .map_err(|error| error.to_string())
            .and_then(|scenario| Case::of(name, scenario).map_err(|error| error.to_string()));
        case.map_err(|error| Failure::new(format!("{}: {error}", path.display())))
    })
}

/// Reads the recordings in a folder and those below it.
fn collect(folder: &Path, files: &mut Vec<RecordingFile>) -> Result<(), Failure> {
    let failed = |error| Failure::io("read", folder, &error);
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path: PathBuf = entry.map_err(failed)?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "jsonl") {
            let recording = Recording::read(&path.display().to_string(), &read(&path)?)
                .map_err(|error| Failure::new(error.to_string()))?;
            files.push(RecordingFile { path, recording });
        }
    }
    Ok(())
}

/// Returns what a player is compared with: the profile that lies beside the suite, or the one of
/// its name.
fn behaviour(conform: &Path, player: &str) -> Result<Behaviour, Failure> {
    let path = conform.join(format!("{player}.yaml"));
    let profile = if path.is_file() {
        scenario::read_profile(&path.display().to_string(), &read(&path)?)
            .map_err(|error| Failure::new(format!("{}: {error}", path.display())))?
    } else {
        Profile::from_name(player)
            .map(Profiles::from)
            .unwrap_or_default()
    };
    Ok(Behaviour {
        name: profile.to_string(),
        knobs: profile.knobs(),
    })
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| Failure::io("read", path, &error))
}
