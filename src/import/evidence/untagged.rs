//! What is said of a recording in which no ad tag was recognised.

use super::bare;
use super::gaps::WORDS;
use crate::import::recording::{Body, Exchange, RequestRecording};
use crate::words::counted;

/// Says why a recording has no tags, and which of its requests may be some.
pub(super) fn without_tags(recording: &RequestRecording) -> String {
    let mut text = format!(
        "{}: none of {} is VAST or VMAP, so no ad tag was recognised",
        recording.name,
        counted(recording.exchanges.len(), "answer"),
    );
    let is_missing = |it: &&Exchange| it.body == Body::Missing;
    let missing = recording.exchanges.iter().filter(is_missing).count();
    if missing > 0 {
        text.push_str(&format!(
            "\n{} without a body: save the recording with its content (\"Save all as HAR with content\")",
            counted(missing, "answer")
        ));
    }
    let candidates = recording.exchanges.iter().filter(|it| {
        let url = it.url.to_ascii_lowercase();
        it.method == "GET" && WORDS.iter().any(|word| url.contains(word))
    });
    let candidates: Vec<&str> = candidates.map(|it| bare(&it.url)).take(5).collect();
    if candidates.is_empty() {
        text.push_str("\nto name a tag, add --tag with a part of its URL");
    } else {
        text.push_str("\nif one of these is an ad tag, add");
        for url in candidates {
            text.push_str(&format!("\n  --tag '{url}'"));
        }
    }
    text
}
