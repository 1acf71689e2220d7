//! The scenarios to which rules, codes and the book refer, with the documents that they name.

use std::fs;

use crate::frame::Site;
use crate::{Failure, check, root};

/// The folder of the scenarios, in the project as on the site.
const FOLDER: &str = "fixtures/scenarios/";

/// Returns the short name of a scenario.
pub(crate) fn name(path: &str) -> Option<&str> {
    path.strip_prefix(FOLDER)
}

/// Copies the scenarios, without their snapshots, and the schemas.
pub(crate) fn write(site: &Site) -> Result<(), Failure> {
    let files = [FOLDER, "schema/"].map(|folder| check::files(&root().join(folder)));
    let [scenarios, schemas] = files;
    for file in scenarios?.into_iter().chain(schemas?) {
        if file.extension().is_some_and(|ending| ending == "snap") {
            continue;
        }
        let path = file
            .strip_prefix(root())
            .expect("it is below the project")
            .to_string_lossy();
        let content = fs::read(&file).map_err(|error| Failure::io("read", &file, &error))?;
        site.write_file(&path.replace('\\', "/"), content)?;
    }
    Ok(())
}
