//! Requests of real clients, byte for byte: each recording is replayed over a socket.
//!
//! `fixtures/edit/<case>.http` is a request as it was recorded from curl, a browser, Python's
//! requests or Node; the snapshot next to it has the response and the resulting record. They were
//! sent to another port, so their `Host` differs.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use super::server::Running;
use super::wire::Answer;

fn recordings() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/edit");
    let entries = std::fs::read_dir(&folder).expect("the fixtures are there");
    let mut files: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    for snapshot in files
        .iter()
        .filter(|file| file.extension().is_some_and(|ending| ending == "snap"))
    {
        assert!(
            snapshot.with_extension("http").exists(),
            "{}: its recording is missing",
            snapshot.display()
        );
    }
    files.retain(|file| file.extension().is_some_and(|ending| ending == "http"));
    files.sort();
    assert!(files.len() >= 14, "the recordings are missing");
    files
}

/// A response for people: without the date, and with JSON laid out.
fn shown(answer: &Answer) -> String {
    let mut text = format!("{}\n", answer.status);
    for (name, value) in answer
        .headers
        .iter()
        .filter(|(name, _)| name != "date" && name != "content-length")
    {
        let _ = writeln!(text, "{name}: {value}");
    }
    if !answer.body.is_empty() {
        let _ = writeln!(text, "\n{:#}", answer.json());
    }
    text
}

// shows: EDIT-1, EDIT-2, EDIT-4, EDIT-6
#[test]
fn requests_of_real_clients_are_understood() {
    for file in recordings() {
        let server = Running::new(&[]);
        let bytes = std::fs::read(&file).expect("a recording can be read");
        let answer = server.wire().ask(&bytes);
        let journal = server.journal();
        let entry = journal
            .as_array()
            .and_then(|entries| entries.last())
            .expect("every call is in the journal");
        let kept = serde_json::json!({
            "route": entry["route"], "fields": entry["fields"], "unknown": entry["unknown"], "diags": entry["diags"],
        });
        let name = file
            .file_stem()
            .expect("a file has a name")
            .to_string_lossy()
            .into_owned();
        let text = format!("{}\njournal {kept:#}\n", shown(&answer));
        let mut settings = insta::Settings::new();
        settings.set_snapshot_path(file.parent().expect("it is in a folder"));
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(name, text));
    }
}
