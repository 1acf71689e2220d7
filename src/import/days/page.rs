//! The table of recordings as a web page.

use super::table::RecordingTable;

impl RecordingTable {
    /// Returns the page. `command` is the command that gives the same bytes.
    #[must_use]
    pub fn page(&self, command: &str) -> String {
        let _ = command;
        String::new()
    }
}
