//! Ad tags that were answered without an ad document, or not at all.
//!
//! Nothing in such an answer says that a tag was asked, so the neighbours must: tags of a waterfall are sent by the
//! same script, one as soon as the other is over.

use std::collections::BTreeSet;

use super::{Finder, Role};
use crate::import::recording::{Body, Exchange, Outcome, Recording};
use crate::time::Span;
use crate::vast::names::host;
use crate::words::counted;

/// The longest pause between two tags of a waterfall.
const PAUSE: Span = Span::from_millis(1_000);
/// The longest time that a tag without an answer was open.
const LONGEST_WAIT: Span = Span::from_secs(30);

/// The most tags that are added, and the most requests that are looked at for them: a page has far fewer.
const MOST_TAGS: usize = 64;
const MOST_CANDIDATES: usize = 2_000;

/// Words in the URL of a request that ask for an ad.
const WORDS: &[&str] = &[
    "vast", "vmap", "adtag", "ad_tag", "gampad", "adserver", "preroll", "midroll", "postroll", "/ads",
    "/ad/", "/tag",
];

/// Adds the requests that were tags, in the order of the recording.
pub(super) fn add_tags(finder: &mut Finder<'_>) {
    let answered: Vec<usize> = finder.documents.iter().map(|it| it.exchange).collect();
    if answered.is_empty() {
        return add_by_form(finder);
    }
    let mut known: BTreeSet<usize> = answered.into_iter().take(MOST_CANDIDATES).collect();
    let mut candidates = candidates(finder);
    let mut found: Vec<usize> = Vec::new();
    // From the tags that are known outwards: each one found may be the neighbour of another.
    while let Some(at) = candidates.iter().position(|index| is_tag(finder, *index, &known)) {
        let index = candidates.remove(at);
        known.insert(index);
        found.push(index);
        if found.len() == MOST_TAGS {
            finder
                .notes
                .push(format!("more than {MOST_TAGS} requests may be ad tags; --tag and --ignore choose"));
            break;
        }
    }
    add(finder, &found);
}

/// Adds tags to a recording without any ad document: what was asked for by script and sounds like an ad tag, or was
/// answered with XML whose text is missing.
fn add_by_form(finder: &mut Finder<'_>) {
    let is_one = |index: &usize| {
        let it = &finder.exchanges[*index];
        let by_script = matches!(it.purpose.as_deref(), Some("xhr" | "fetch"));
        let is_xml =
            finder.exchanges[finder.last(*index)].mime.as_deref().is_some_and(|mime| mime.contains("xml"));
        finder.roles[*index] == Role::Other
            && it.method == "GET"
            && is_xml
            && (by_script || it.purpose.is_none())
    };
    let found: Vec<usize> = (0..finder.exchanges.len()).filter(is_one).collect();
    let found: BTreeSet<usize> = found.into_iter().take(MOST_TAGS).collect();
    let others = candidates(finder).into_iter().filter(|index| !found.contains(index));
    let failed: Vec<usize> = others.filter(|index| is_tag(finder, *index, &found)).take(MOST_TAGS).collect();
    let mut all: Vec<usize> = found.into_iter().chain(failed).collect();
    all.sort_unstable();
    add(finder, &all);
}

/// Adds requests as tags, and says so.
fn add(finder: &mut Finder<'_>, found: &[usize]) {
    for index in found {
        finder.document(*index, None);
        let it = &finder.exchanges[*index];
        finder.notes.push(format!(
            "{} {} and is treated as an ad tag; if it is not one, add --ignore '{}'",
            it.url,
            in_words(it),
            bare(&it.url)
        ));
    }
    if !found.is_empty() {
        sort(finder);
    }
}

/// Returns the requests that may be ad tags that gave no document: by script, for data, and without any.
fn candidates(finder: &Finder<'_>) -> Vec<usize> {
    let others = (0..finder.exchanges.len()).filter(|index| finder.roles[*index] == Role::Other);
    others.filter(|index| may_be_tag(finder, *index)).take(MOST_CANDIDATES).collect()
}

fn may_be_tag(finder: &Finder<'_>, index: usize) -> bool {
    let it = &finder.exchanges[index];
    let last = &finder.exchanges[finder.last(index)];
    let is_empty_answer = match &last.outcome {
        Outcome::Failed(_) | Outcome::BrokeOff(_) | Outcome::Unknown => true,
        Outcome::Response(status) => *status >= 400 || *status == 204 || !has_other_body(last),
        Outcome::Redirect(..) => true,
    };
    let wants_data = !matches!(
        it.purpose.as_deref(),
        Some(
            "image"
                | "media"
                | "script"
                | "stylesheet"
                | "font"
                | "document"
                | "ping"
                | "beacon"
                | "websocket"
                | "manifest"
        )
    );
    it.method == "GET" && wants_data && is_empty_answer
}

/// Returns whether such a request is an ad tag, by its neighbours.
fn is_tag(finder: &Finder<'_>, index: usize, known: &BTreeSet<usize>) -> bool {
    let it = &finder.exchanges[index];
    let last = &finder.exchanges[finder.last(index)];
    let tags = || known.iter().map(|known| &finder.exchanges[*known]);
    if tags().any(|tag| bare(&tag.url) == bare(&it.url)) {
        return true;
    }
    // One follows on the other: this one on a known tag, or a known tag on this one.
    let is_open = it.time.unwrap_or_default() == Span::ZERO;
    let follows = |before: &Exchange, after: &Exchange, wait: Span| {
        after.at() >= before.at() && after.at() - before.over() <= wait
    };
    let is_near = tags()
        .any(|tag| follows(tag, it, PAUSE) || follows(it, tag, if is_open { LONGEST_WAIT } else { PAUSE }));
    let has_same_sender = it.initiator.is_some() && tags().any(|tag| tag.initiator == it.initiator);
    let url = it.url.to_ascii_lowercase();
    let sounds_like_one = WORDS.iter().any(|word| url.contains(word));
    let has_same_host = !host(&it.url).is_empty() && tags().any(|tag| host(&tag.url) == host(&it.url));
    let has_failed = last.status().is_none_or(|status| status >= 400 || is_xml(last));
    is_near && (sounds_like_one || ((has_same_sender || has_same_host) && has_failed))
}

fn is_xml(it: &Exchange) -> bool {
    it.mime.as_deref().is_some_and(|mime| mime.contains("xml") && !mime.contains("html"))
}

/// Returns whether an answer has a body that is something else than an ad document.
fn has_other_body(it: &Exchange) -> bool {
    match &it.body {
        // XML that is not an ad document was meant to be one.
        Body::Text(text) => !text.trim().is_empty() && !is_xml(it),
        Body::Missing => it.mime.as_deref().is_some_and(|mime| !mime.contains("xml")),
        Body::Empty => false,
    }
}

/// Sorts the documents by time. Names and roles refer to them by index.
fn sort(finder: &mut Finder<'_>) {
    let mut order: Vec<usize> = (0..finder.documents.len()).collect();
    order.sort_by_key(|document| finder.documents[*document].exchange);
    let mut place = vec![0; order.len()];
    for (new, old) in order.iter().enumerate() {
        place[*old] = new;
    }
    finder.names.all.iter_mut().for_each(|name| name.document = place[name.document]);
    finder.documents.sort_by_key(|document| document.exchange);
    for (index, document) in finder.documents.iter().enumerate() {
        finder.roles[document.exchange] = Role::Document(index);
    }
}

/// Returns a URL without its query.
fn bare(url: &str) -> &str {
    url.split(['?', '#']).next().unwrap_or_default()
}

fn in_words(it: &Exchange) -> String {
    match &it.outcome {
        Outcome::Response(status) if it.body == Body::Missing => {
            format!("was answered with {status}, without its body in the recording,")
        }
        Outcome::Response(status) => format!("was answered with {status} and no ad document"),
        Outcome::Redirect(..) => "was redirected to where no ad document was".to_owned(),
        Outcome::BrokeOff(_) => "was answered with a body that broke off".to_owned(),
        Outcome::Failed(Some(how)) => format!("failed ({how})"),
        Outcome::Failed(None) | Outcome::Unknown => "was not answered".to_owned(),
    }
}

/// Says why a recording has no tags, and which of its requests may be some.
pub(super) fn without_tags(recording: &Recording) -> String {
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
