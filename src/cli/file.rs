//! How files are called on the command line and in messages.

use std::path::Path;

use playsim_base::escape;

/// Returns a file's name for messages, escaped to fit on one line.
pub(super) fn name(file: &Path) -> String {
    if is_stdin(file) {
        "stdin".to_owned()
    } else {
        escape::line(&file.to_string_lossy()).into_owned()
    }
}

/// Returns the last part of a path.
pub(super) fn last(file: &Path) -> String {
    file.file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

/// Returns the last part of a path without its ending.
#[cfg(feature = "conform")]
pub(super) fn stem(file: &Path) -> String {
    last(file.with_extension("").as_path())
}

/// Returns whether the file is `-`, standard input.
pub(super) fn is_stdin(file: &Path) -> bool {
    file.as_os_str() == "-"
}

/// Whether the name of a file has one of these endings, in upper or lower case.
pub(super) fn has_ending(file: &Path, endings: &[&str]) -> bool {
    file.extension().is_some_and(|ending| {
        endings
            .iter()
            .any(|other| ending.eq_ignore_ascii_case(other))
    })
}
