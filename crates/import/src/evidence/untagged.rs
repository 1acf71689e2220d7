//! Messages about a recording in which no ad tag was recognised.

use super::bare;
use super::gaps::WORDS;
use crate::recording::{Body, Exchange, RecordedOutcome, RequestRecording};
use playsim_base::words::counted;

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
    let is_stitched = recording.exchanges.iter().any(|it| {
        it.text()
            .is_some_and(|text| text.contains("trackingEvents") || text.contains("#EXT-X-CUE-OUT"))
    });
    if is_stitched {
        text.push_str(
            "\nads seem to be stitched into the stream by a server: such a page asks no tags itself",
        );
    }
    let is_sounding = |it: &&Exchange| {
        let url = it.url.to_ascii_lowercase();
        it.method == "GET" && WORDS.iter().any(|word| url.contains(word))
    };
    // A failed request has no answer that shows its role.
    let has_failed = |it: &&Exchange| {
        it.method == "GET"
            && matches!(it.purpose.as_deref(), Some("xhr" | "fetch") | None)
            && (it.status().is_some_and(|status| status >= 400)
                || matches!(it.outcome, RecordedOutcome::Failed(_)))
    };
    let all = || recording.exchanges.iter();
    let candidates = all().filter(is_sounding).chain(all().filter(has_failed));
    let mut candidates: Vec<&str> = candidates.map(|it| bare(&it.url)).collect();
    let mut known = std::collections::BTreeSet::new();
    candidates.retain(|url| known.insert(*url));
    candidates.truncate(5);
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
