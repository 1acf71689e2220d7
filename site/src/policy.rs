//! The security policy of pages that other tools make: they load nothing from another host.

use std::fs;
use std::path::Path;

use crate::Failure;

/// Scripts and styles of these tools are partly inline.
pub(crate) const META: &str = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'self' 'unsafe-inline' \
                               'wasm-unsafe-eval' data: blob:\">\n";

/// Writes the policy into all pages of a folder.
pub(crate) fn apply(folder: &Path) -> Result<(), Failure> {
    for file in crate::check::files(folder)? {
        if file.extension().is_none_or(|ending| ending != "html") {
            continue;
        }
        let text = fs::read_to_string(&file).map_err(|error| Failure::io("read", &file, &error))?;
        if let Some((begin, rest)) = text.split_once("<head>") {
            fs::write(&file, format!("{begin}<head>\n{META}{rest}"))
                .map_err(|error| Failure::io("write", &file, &error))?;
        }
    }
    Ok(())
}
