//! Messages about a recording in which nothing shows a video ad.

use super::candidate::{is_asked_like_data, is_script};
use super::stitched::{reported, stitched};
use super::{bare, find};
use crate::recording::{Exchange, RecordedOutcome, RequestRecording};
use playsim_base::words::counted;

/// Words by which people know requests for ads. They only order the requests that may be named with
/// `--tag`, and decide nothing.
const WORDS: &[&str] = &[
    "vast", "vmap", "adtag", "ad_tag", "gampad", "adserver", "preroll", "midroll", "postroll",
];
/// The most requests that are listed.
const MOST: usize = 5;

/// Says that nothing in a recording shows a video ad, and which requests may be tags: those whose
/// answers it does not have.
pub(super) fn without_tags(recording: &RequestRecording) -> String {
    let all = || recording.exchanges.iter();
    let stitched = stitched(&recording.exchanges);
    // Where a server put the ads into the stream, no request of the page is for a tag.
    let may_be_one = |it: &&Exchange| may_be_tag(it) && stitched.is_none();
    let mut listed: Vec<&Exchange> = all().filter(may_be_one).collect();
    let mut known = std::collections::BTreeSet::new();
    listed.retain(|it| known.insert(bare(&it.url)));
    // What was not read may have been an ad document.
    let unread = listed.iter().filter(|it| it.is_unread()).count();
    let doubt = if unread > 0 {
        ", nor that there was none"
    } else {
        ""
    };
    // A page may have a document in its own source, and ask for none.
    let inside = all().find(|it| it.text().is_some_and(|text| quotes_document(text)));
    let what = if stitched.is_some() || inside.is_some() {
        "no ad tag is known in this recording"
    } else {
        "nothing in this recording shows a video ad"
    };
    let mut text = format!(
        "{}: {what}{doubt}: none of {} is VAST or VMAP",
        recording.name,
        counted(recording.exchanges.len(), "answer"),
    );
    let missing = all().filter(|it| it.is_unread()).count();
    if missing > 0 {
        text.push_str(&format!(
            ", {missing} of them without a body: save the recording with its content (\"Save all as HAR with content\")"
        ));
    }
    let is_blocked = |it: &&Exchange| {
        let words = it.outcome.words().unwrap_or_default().to_ascii_lowercase();
        words.contains("blocked")
    };
    if let Some(first) = all().find(is_blocked) {
        let urls: Vec<&str> = all().filter(is_blocked).map(|it| bare(&it.url)).collect();
        text.push_str(&format!(
            "\n{} stopped in the browser ({}), so that what they would have led to is not known: {}",
            counted(urls.len(), "request"),
            first.outcome.words().unwrap_or_default(),
            urls.iter().take(2 * MOST).copied().collect::<Vec<_>>().join(", ")
        ));
    }
    let is_stitched = all().any(|it| {
        it.text()
            .is_some_and(|text| text.contains("#EXT-X-CUE-OUT"))
    });
    if let Some(inside) = inside {
        text.push_str(&format!(
            "\n{} has an ad document inside its text: a page that has the document itself asks no tag, and which of \
             its requests are of that ad is not known",
            bare(&inside.url)
        ));
    }
    if let Some(stitched) = &stitched {
        text.push_str(&format!("\n{stitched}"));
    } else if is_stitched {
        text.push_str(
            "\nads seem to be stitched into the stream by a server: such a page asks no tags itself",
        );
    }
    let first = listed.iter().find(|it| it.is_unread());
    let reported = first.and_then(|it| reported(&recording.exchanges, it.at()));
    if let Some(reported) = reported {
        text.push_str(&format!("\n{reported}"));
    }
    let is_sounding = |it: &&Exchange| {
        let url = it.url.to_ascii_lowercase();
        WORDS.iter().any(|word| url.contains(word))
    };
    listed.sort_by_key(|it| !is_sounding(it));
    listed.truncate(MOST);
    if listed.is_empty() {
        text.push_str("\nto name a tag, add --tag with a part of its URL");
    } else {
        text.push_str("\nif one of these is an ad tag, add");
        for it in listed {
            text.push_str(&format!("\n  --tag '{}'  ({})", bare(&it.url), how(it)));
        }
    }
    text
}

/// Returns whether a page has an ad document inside, as it is or in a string of a script.
fn quotes_document(text: &str) -> bool {
    const ESCAPES: [&str; 5] = ["<", "\\x3c", "\\x3C", "\\u003c", "\\u003C"];
    let has = |name: &str| {
        ESCAPES
            .iter()
            .any(|it| text.contains(&format!("{it}{name}")))
    };
    text.trim_start().starts_with('<') && has("VAST") && (has("InLine") || has("Wrapper"))
}

/// Returns whether a request may be a tag for all that is known: its answer is not there to read.
fn may_be_tag(it: &Exchange) -> bool {
    let is_unread = it.is_unread()
        || it
            .status()
            .is_some_and(|status| status == 204 || status >= 400)
        || it.status().is_none() && !matches!(it.outcome, RecordedOutcome::Redirect(..));
    let is_page = it.mime.as_deref().is_some_and(|mime| mime.contains("html"));
    it.method == "GET"
        && is_unread
        && !is_page
        && is_asked_like_data(it)
        && !is_script(it)
        && !find::is_media(it)
}

/// Returns the answer that may be that of a tag, in words.
fn how(it: &Exchange) -> String {
    match &it.outcome {
        RecordedOutcome::Response(status) if it.is_unread() => {
            format!("status {status}, its body is not in the recording")
        }
        RecordedOutcome::Response(status) | RecordedOutcome::Redirect(status, _) => {
            format!("status {status}")
        }
        RecordedOutcome::BrokeOff(words) | RecordedOutcome::Failed(words) => {
            words.clone().unwrap_or_else(|| "no answer".to_owned())
        }
        RecordedOutcome::Unknown => "no answer".to_owned(),
    }
}
