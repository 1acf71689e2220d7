//! Every broken scenario in `fixtures/errors`, and what is reported to its author.

use std::path::{Path, PathBuf};

use libtest_mimic::{Failed, Trial};
use playsim::scenario::{self, ScenarioError};
use playsim_scenario::picture;

pub(crate) fn trials() -> Vec<Trial> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/errors");
    let mut cases: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("fixtures/errors is there")
        .map(|entry| entry.expect("its entries can be read").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|ending| ending == "yaml" || ending == "json")
        })
        .collect();
    cases.sort();
    let mut trials: Vec<Trial> = cases
        .iter()
        .map(|path| {
            let (path, name) = (path.clone(), stem(path));
            Trial::test(format!("scenario_errors::{name}"), move || {
                matches_snapshot(&path)
            })
        })
        .collect();
    let no_orphans = "scenario_errors::no_snapshot_without_its_scenario";
    trials.push(Trial::test(no_orphans, move || orphans(&folder, &cases)));
    trials
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

/// The one-line form of all errors, and the excerpt.
fn matches_snapshot(path: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(path)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut load = |_: &str| Err(std::io::Error::other("there is no such file"));
    let mistakes = match scenario::read(&name, &text, &mut load) {
        Ok(_) => return Err(format!("{name} reads without error").into()),
        Err(ScenarioError::Mistakes(mistakes)) => mistakes,
        Err(other) => return Err(other.to_string().into()),
    };
    let lines: String = mistakes
        .iter()
        .map(|mistake| format!("{}:{mistake}\n", mistakes.file()))
        .collect();
    let report = format!("{lines}\n{}", picture(&mistakes, &text, false));
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(path.parent().unwrap_or(path));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    let name = stem(path);
    let run = || settings.bind(|| insta::assert_snapshot!(name, report));
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).map_err(|_| {
        Failed::from(format!(
            "the snapshot differs; the report is now:\n{report}"
        ))
    })
}

fn orphans(folder: &Path, cases: &[PathBuf]) -> Result<(), Failed> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let is_snapshot = path.extension().is_some_and(|ending| ending == "snap");
        if is_snapshot && !cases.iter().any(|case| stem(case) == stem(&path)) {
            return Err(format!("{} has no scenario", path.display()).into());
        }
    }
    Ok(())
}
