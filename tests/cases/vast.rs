//! Every document in `fixtures/vast` against the reading next to it: one test per file.
//!
//! A document without a reading fails, and so does a reading without a document. Accept a new
//! reading with `INSTA_UPDATE=always`, after comparing it with the document.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use libtest_mimic::{Failed, Trial};
use playsim::vast;

pub(crate) fn trials() -> Vec<Trial> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/vast");
    let documents = names(&folder, "xml");
    let mut trials = vec![];
    for name in &documents {
        let (folder, name) = (folder.clone(), name.clone());
        trials.push(Trial::test(format!("vast::{name}"), move || {
            compare(&folder, &name)
        }));
    }
    for orphan in names(&folder, "snap").difference(&documents) {
        let reason = format!("{orphan}.snap has no {orphan}.xml next to it; remove it");
        trials.push(Trial::test(format!("vast::{orphan}.snap"), move || {
            Err(Failed::from(reason))
        }));
    }
    trials
}

/// The names of the folder's files with this extension, without the extension.
fn names(folder: &Path, extension: &str) -> BTreeSet<String> {
    let entries =
        std::fs::read_dir(folder).expect("the folder of fixtures is next to that of the tests");
    let paths = entries.map(|entry| entry.expect("the folder can be listed").path());
    let chosen = paths.filter(|path| path.extension().is_some_and(|found| found == extension));
    let stem = |path: PathBuf| {
        path.file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
    };
    chosen.filter_map(stem).collect()
}

fn compare(folder: &Path, name: &str) -> Result<(), Failed> {
    let file = format!("{name}.xml");
    let text = std::fs::read_to_string(folder.join(&file))?;
    let document = vast::read(&text);
    let json = vast::print::json(&file, &document);
    serde_json::from_str::<serde_json::Value>(&json)?;
    let reading = vast::print::text(&file, &document);
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(folder);
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_input_file(folder.join(&file));
    // The difference is insta's own output; the panic is caught and reported as this test's
    // failure.
    settings.bind(|| insta::assert_snapshot!(name, reading));
    Ok(())
}
