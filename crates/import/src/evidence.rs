//! The first step: the evidence of each request of a recording, and its role.
//!
//! Answers come first: an answer that is VAST or VMAP, whatever its status or damage, is an ad
//! document, and every URL that it names is a hop, a media file or a pixel. A document that no
//! other one names answers an ad tag. Around tags that are known so, a request without a usable
//! answer is one by its place (`gaps`): it was sent as they were, and they follow each other. That
//! is marked as inferred, with its ground. Without a document that was read, or an option that
//! names a tag, nothing is a tag.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;

use super::ImportFault;
pub(super) use super::certainty::Certainty;
use super::certainty::Note;
use super::pattern::UrlPattern;
use super::recording::{Body, Exchange, RecordedClock, RecordedOutcome, RequestRecording};
use super::secrets;
use playsim_base::time::{Span, Time};
use playsim_base::words::{counted, seconds};
use playsim_scenario::world::is_data_url;
use playsim_vast::names::{Name, Named, Names, browser_form};
use playsim_vast::{self as vast, Document, Root, TrackedEvent};

mod answer;
mod aside;
mod candidate;
mod data_urls;
mod find;
mod gaps;
mod heard;
pub(super) mod json;
mod pace;
mod stitched;
mod stream;
mod text;
mod untagged;

pub use answer::{Damage, RecordedAnswer};
pub(super) use heard::HeardFilms;
pub use stream::Jump;
pub use text::EvidenceRow;

/// Hints of the user.
#[derive(Debug, Clone, Default)]
pub struct Hints {
    /// Requests that are ad tags.
    pub tags: Vec<UrlPattern>,
    /// Requests that do not matter.
    pub ignored: Vec<UrlPattern>,
    /// Requests for the content.
    pub content: Vec<UrlPattern>,
    /// The length of the content.
    pub content_length: Option<Span>,
    /// The page to look at, if several have ads: its id, or a part of its title.
    pub page: Option<String>,
    /// Whether secrets stay in URLs and documents.
    pub keeps_secrets: bool,
}

/// The reason for the role of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "kind")]
pub enum Ground {
    /// The body of the answer is an ad document, or begins like one.
    Body,
    /// An ad document is a string in the JSON that was answered, in this field.
    InsideJson {
        /// The name of the field.
        field: String,
    },
    /// A document names the URL; with the index of the document.
    Named {
        /// The index of the document.
        document: usize,
    },
    /// Several documents name the URL; with the index of the one whose ad was on the screen.
    NamedBySeveral {
        /// The index of the document.
        document: usize,
    },
    /// It answered what a wrapper names: the tool lists a redirect under its last URL only; with
    /// the index of the wrapper's document.
    LastUrl {
        /// The index of the document.
        document: usize,
    },
    /// Its answer has ads in JSON, of which the page played none: it is a bid of an auction.
    Bid,
    /// An ad's own program sent it.
    OfUnit,
    /// A redirect led to it; with the index of the request that was redirected.
    Redirect {
        /// The index of the request.
        from: usize,
    },
    /// The user said so.
    Hint,
    /// It has the URL of a tag but for the query.
    SameUrl {
        /// The index of the request for that tag.
        tag: usize,
    },
    /// It began when one tag was over, and the next one was asked when it was over.
    FillsGap {
        /// The index of the request before it.
        after: usize,
        /// The index of the request that followed.
        before: usize,
    },
    /// A tag was asked as soon as it was over.
    Precedes {
        /// The index of the request for that tag.
        tag: usize,
    },
    /// It was asked as soon as a tag was over that gave no ad.
    Follows {
        /// The index of the request for that tag.
        tag: usize,
    },
    /// Nothing shows that it has to do with ads.
    Nothing,
}

impl Ground {
    /// Returns whether an ad document came as a bid: in the field of OpenRTB for it, or in that of
    /// Prebid.
    pub(crate) fn is_bid(&self) -> bool {
        matches!(self, Ground::InsideJson { field } if field == "adm" || field == "vastXml")
    }
}

/// The findings about one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestFinding {
    /// Its role.
    pub role: Role,
    /// How sure that is.
    pub certainty: Certainty,
    /// Why.
    pub ground: Ground,
}

/// The role of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// An ad document, by its index: a tag, or a hop of a wrapper chain.
    Document(usize),
    /// The target of a redirect; the index of the request before it.
    Redirected(usize),
    /// A media file of an ad; the index of its name.
    Media(usize),
    /// A creative that is a program.
    Interactive(usize),
    /// A verification script.
    Verification(usize),
    /// A pixel that a document names.
    Pixel(usize),
    /// The content.
    Content,
    /// A bid of an auction, or a request of an ad's own program.
    Aside,
    /// Left out, because the user says so.
    Ignored,
    /// None of these.
    Other,
}

impl Role {
    /// Returns the index of the name of an ad's file, a film or a program.
    pub(super) const fn file(self) -> Option<usize> {
        match self {
            Role::Media(name) | Role::Interactive(name) => Some(name),
            Role::Document(_)
            | Role::Redirected(_)
            | Role::Verification(_)
            | Role::Pixel(_)
            | Role::Content
            | Role::Aside
            | Role::Ignored
            | Role::Other => None,
        }
    }
}

/// A request for an ad document.
#[derive(Debug)]
pub struct AdDocument {
    /// The index of the request.
    pub exchange: usize,
    /// The index of the request that was answered: another one after redirects.
    pub answer: usize,
    /// The name in another document by which it was requested; `None` for an ad tag.
    pub(super) by: Option<usize>,
    /// The index of the ad tag, or of the tag of a VMAP break, on whose chain it is.
    pub tag: usize,
    /// How many wrappers led to it.
    pub hop: u32,
    /// The index of the ad tag from which all began, also across a schedule.
    pub root: usize,
    /// The document, with its URLs resolved, if it came.
    pub read: Option<Document>,
    /// Its source: the body, or the string in it.
    pub text: Option<Arc<str>>,
}

/// Which bodies of answers a recording has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bodies {
    /// At least one that is an ad document, or no tag lacks its own.
    Kept,
    /// None of an ad document: it was saved without content, and options name the tags.
    Missing,
}

/// The evidence of a recording: each request with its role, how sure that is, and why.
#[derive(Debug)]
pub struct Evidence {
    /// The recording, without the parts that were removed from it.
    pub recording: RequestRecording,
    /// The findings about each request.
    pub findings: Vec<RequestFinding>,
    /// The requests for ad documents, in the order in which they were sent.
    pub documents: Vec<AdDocument>,
    /// Whether the recording has the bodies of answers.
    pub bodies: Bodies,
    /// Waits between two tags that no request explains: from, to.
    pub gaps: Vec<(Time, Time)>,
    /// Requests that may be tags, by their indexes: only a pause that is longer than the page's
    /// usual one speaks against it.
    pub suspects: Vec<usize>,
    /// What the file has besides the page that is looked at, in words.
    pub pages: Vec<String>,
    /// For each request for the content, the film that it is for, counted from 0.
    pub(super) films: Vec<Option<usize>>,
    /// Ads that a server put into the stream, in words.
    pub(super) stitched: Option<String>,
    /// Where the content was, if the recorder heard films.
    pub(super) heard: Option<HeardFilms>,
    /// Where the page jumped in the content.
    pub jumps: Vec<Jump>,
    /// How long the page usually takes from an answer, or the end of a tag, to its next request.
    pub pace: Span,
    /// How it was read, and how to overrule that.
    pub notes: Vec<Note>,
    /// The names of parameters that were removed as secrets, or never read.
    pub removed: Vec<String>,
    /// The tags, by the indexes of their documents, whose ads cannot be distinguished.
    pub(super) tied: BTreeSet<usize>,
    pub(super) names: Names,
    pub(super) hints: Hints,
}

impl Evidence {
    /// Finds the role of each request.
    ///
    /// # Errors
    ///
    /// If none of them is an ad tag.
    pub fn of(mut recording: RequestRecording, hints: Hints) -> Result<Evidence, ImportFault> {
        let mut removed: BTreeSet<String> = if hints.keeps_secrets {
            BTreeSet::new()
        } else {
            let apart = recording.apart.iter_mut();
            let mut removed: BTreeSet<String> = apart.flat_map(secrets::remove).collect();
            removed.extend(secrets::remove(&mut recording));
            removed
        };
        removed.extend(
            recording
                .dropped
                .iter()
                .map(|name| format!("header {name}")),
        );
        if recording.clock == RecordedClock::Unreadable && !recording.exchanges.is_empty() {
            return Err(ImportFault::NoTimes(format!(
                "{}: no request has a time that can be read, so that nothing is known of their order: save it again, with \
                 times such as 2026-01-01T10:00:00Z",
                recording.name
            )));
        }
        let pages = keep_one_page(&mut recording, &hints)?;
        let mut notes: Vec<Note> = recording.notes.clone();
        notes.extend(hinted(&recording, &hints));
        take_from_store(&mut recording);
        data_urls::add(&mut recording);
        let mut finder = find::Finder::of(&recording, &hints, BTreeSet::new());
        finder.take_all();
        let bids = finder.bids();
        if !bids.is_empty() {
            finder = find::Finder::of(&recording, &hints, bids);
            finder.take_all();
        }
        let gaps::Unexplained {
            waits: gaps,
            suspects,
            usual: pace,
        } = gaps::fill(&mut finder);
        let find::Finder {
            findings,
            documents,
            names,
            notes: found,
            tied,
            ..
        } = finder;
        notes.extend(found);
        if documents.is_empty() {
            return Err(ImportFault::NoTag(untagged::without_tags(&recording)));
        }
        let lacks_body = |it: &AdDocument| recording.exchanges[it.answer].is_unread();
        let is_any_read = documents.iter().any(|it| it.read.is_some());
        let bodies = if !is_any_read && documents.iter().any(lacks_body) {
            Bodies::Missing
        } else {
            Bodies::Kept
        };
        let removed = removed.into_iter().collect();
        let is_tied = |document: &usize| tied.contains(&documents[*document].exchange);
        let tied = (0..documents.len()).filter(is_tied).collect();
        let films = stream::films(&findings, &recording.exchanges);
        let jumps = stream::jumps(&films, &recording.exchanges);
        let stitched = stitched::stitched(&recording.exchanges);
        let heard = HeardFilms::of(&recording, &names);
        let mut evidence = Evidence {
            pages,
            films,
            heard,
            jumps,
            stitched,
            recording,
            findings,
            documents,
            bodies,
            gaps,
            suspects,
            pace,
            notes,
            removed,
            tied,
            names,
            hints,
        };
        evidence.link();
        let taken = text::taken(&evidence);
        evidence.notes.extend(taken);
        Ok(evidence)
    }

    /// Notes for each document its tag, its root and how many wrappers are above it. A document is
    /// named by an earlier one.
    fn link(&mut self) {
        for index in 0..self.documents.len() {
            let above = self.documents[index].by.map(|by| &self.names.all[by]);
            let (tag, hop, root) = match above {
                Some(name) if name.document < index => {
                    let above = &self.documents[name.document];
                    if name.what == Named::Hop {
                        (above.tag, above.hop + 1, above.root)
                    } else {
                        (index, 0, above.root)
                    }
                }
                Some(_) | None => (index, 0, index),
            };
            let it = &mut self.documents[index];
            (it.tag, it.hop, it.root) = (tag, hop, root);
        }
    }

    /// Returns the request for a document.
    #[must_use]
    pub fn exchange(&self, document: usize) -> &Exchange {
        &self.recording.exchanges[self.documents[document].exchange]
    }

    /// Returns the request whose answer is the document: the last one of a chain of redirects.
    #[must_use]
    pub fn answer(&self, document: usize) -> &Exchange {
        &self.recording.exchanges[self.documents[document].answer]
    }

    /// Returns the findings about the request for a document.
    #[must_use]
    pub fn finding(&self, document: usize) -> &RequestFinding {
        &self.findings[self.documents[document].exchange]
    }

    /// Returns the requests of a document, each redirected to the next.
    #[must_use]
    pub fn legs(&self, document: usize) -> Vec<usize> {
        let AdDocument {
            exchange, answer, ..
        } = self.documents[document];
        let mut legs = vec![answer];
        while let Some(last) = legs.last().copied().filter(|last| *last != exchange) {
            let Role::Redirected(before) = self.findings[last].role else {
                break;
            };
            legs.push(before);
        }
        legs.reverse();
        legs
    }

    /// Returns the kind of a document's answer.
    #[must_use]
    pub fn answered(&self, document: usize) -> RecordedAnswer {
        let AdDocument { read, text, .. } = &self.documents[document];
        answer::of(self.answer(document), read.as_ref(), text.as_deref())
    }

    /// Returns the document on whose wrapper chain a document is: its ad tag or the tag of a VMAP
    /// break.
    #[must_use]
    pub fn tag_of(&self, document: usize) -> usize {
        self.documents[document].tag
    }

    /// Returns how many wrappers led to a document.
    #[must_use]
    pub fn hop(&self, document: usize) -> u32 {
        self.documents[document].hop
    }

    /// Returns each request with its findings.
    pub fn each(&self) -> impl Iterator<Item = (&RequestFinding, &Exchange)> {
        self.findings.iter().zip(&self.recording.exchanges)
    }

    /// Returns the requests for the content in their order, each with the film that it is for.
    pub(super) fn contents(&self) -> impl DoubleEndedIterator<Item = (&Exchange, usize)> {
        let films = self.recording.exchanges.iter().zip(&self.films);
        films.filter_map(|(it, film)| Some((it, (*film)?)))
    }

    /// Returns the requests for pixels in their order, each with its index, the name by which it
    /// was requested and its event.
    pub(super) fn pixels(&self) -> impl Iterator<Item = (usize, &Name, &TrackedEvent)> {
        self.findings
            .iter()
            .enumerate()
            .filter_map(|(index, finding)| {
                let Role::Pixel(name) = finding.role else {
                    return None;
                };
                let name = &self.names.all[name];
                Some((index, name, name.what.tracked()?))
            })
    }

    /// Returns the URL under which the scenario lists a document: as another document names it,
    /// with macros, or as it was recorded.
    #[must_use]
    pub fn key(&self, document: usize) -> Arc<str> {
        match self.documents[document].by {
            Some(name) => self.names.all[name].written.clone(),
            None => self.exchange(document).url.clone(),
        }
    }

    /// Returns the name of the file with a document.
    #[must_use]
    pub fn file_name(&self, document: usize) -> Arc<str> {
        let url = &self.answer(document).url;
        let bare = url.split(['?', '#']).next().unwrap_or_default();
        let bare = bare.split_once("://").map_or(bare, |(_, rest)| rest);
        let host = bare.split('/').next().unwrap_or_default();
        let last = bare
            .rsplit('/')
            .find(|part| !part.is_empty())
            .filter(|last| *last != host);
        let stem = last.map_or(host.to_owned(), |last| format!("{host}-{last}"));
        let stem = stem.strip_suffix(".xml").unwrap_or(&stem);
        let is_usual = |letter: char| letter.is_ascii_alphanumeric() || "-.".contains(letter);
        let stem: String = stem
            .chars()
            .take(60)
            .map(|it| if is_usual(it) { it } else { '-' })
            .collect();
        format!("{:02}-{}.xml", document + 1, stem.trim_matches(['.', '-'])).into()
    }

    /// Returns the end of the recording.
    #[must_use]
    pub fn end(&self) -> Time {
        self.recording
            .exchanges
            .iter()
            .map(Exchange::over)
            .max()
            .unwrap_or_default()
    }
}

/// Returns the user's hints about the requests, and names those that match none of them.
fn hinted(recording: &RequestRecording, hints: &Hints) -> Vec<Note> {
    let lists = [
        ("--tag", &hints.tags, "are ad tags"),
        ("--ignore", &hints.ignored, "do not matter"),
        ("--content", &hints.content, "are for the content"),
    ];
    let each = lists
        .into_iter()
        .flat_map(|(option, list, what)| list.iter().map(move |pattern| (option, pattern, what)));
    let count = |pattern: &UrlPattern| {
        recording
            .exchanges
            .iter()
            .filter(|it| pattern.matches(&it.url))
            .count()
    };
    let notes = each.map(|(option, pattern, what)| match count(pattern) {
        0 => Note::seen(format!("{option} {pattern} matches none of the requests")),
        count => {
            let requests = counted(count, "request");
            Note::assumed(format!(
                "requests that match {pattern} {what}, as {option} says: {requests}"
            ))
        }
    });
    let length = hints.content_length.map(|length| {
        Note::assumed(format!(
            "the content lasts {} s, as --content says",
            seconds(length.micros())
        ))
    });
    notes.chain(length).collect()
}

/// Leaves one page of those in the file: that of the option, or the first with ads. Returns what
/// the file has besides, in sentences.
fn keep_one_page(
    recording: &mut RequestRecording,
    hints: &Hints,
) -> Result<Vec<String>, ImportFault> {
    struct Page {
        capture: usize,
        id: String,
        name: String,
        has_ads: bool,
    }
    let mut pages: Vec<Page> = Vec::new();
    let captures: Vec<&RequestRecording> =
        [&*recording].into_iter().chain(&recording.apart).collect();
    for (capture, of) in captures.into_iter().enumerate() {
        for it in &of.exchanges {
            let Some(id) = &it.page else { continue };
            let known = pages
                .iter_mut()
                .find(|it| (it.capture, &it.id) == (capture, id));
            if known.as_ref().is_some_and(|page| page.has_ads) {
                continue;
            }
            let is_named = || hints.tags.iter().any(|tag| tag.matches(&it.url));
            let has_ads = answer::document(it).is_some() || is_named();
            match known {
                Some(page) => page.has_ads |= has_ads,
                None => {
                    let page = of.pages.iter().find(|page| page.id == *id);
                    let title = page.map_or("", |page| &page.title);
                    let name = format!("{id} ({title})");
                    let id = id.clone();
                    pages.push(Page {
                        capture,
                        id,
                        name,
                        has_ads,
                    });
                }
            }
        }
    }
    let names = |has_ads: bool, but: usize| {
        let all = pages.iter().enumerate();
        let all = all.filter(|(index, page)| page.has_ads == has_ads && *index != but);
        all.map(|(_, page)| &*page.name).collect::<Vec<_>>()
    };
    let this = match &hints.page {
        Some(given) => {
            let is_it = |page: &Page| page.id == *given || page.name.contains(&**given);
            let Some(this) = pages.iter().position(is_it) else {
                let all: Vec<&str> = pages.iter().map(|page| &*page.name).collect();
                return Err(ImportFault::NoTag(format!(
                    "{}: --page {given} is none of the pages: {}",
                    recording.name,
                    all.join(", ")
                )));
            };
            this
        }
        None => match pages.iter().position(|page| page.has_ads) {
            Some(this) => this,
            None => return Ok(Vec::new()),
        },
    };
    let (others, without) = (names(true, this), names(false, this));
    let mut told = Vec::new();
    let name = &pages[this].name;
    if !others.is_empty() {
        told.push(format!(
            "{} have ads, and this is {name}; --page shows another: {}",
            counted(others.len() + 1, "page"),
            others.join(", ")
        ));
    }
    if !without.is_empty() {
        told.push(format!(
            "of {} in the file this is {name}; nothing shows a video ad on {}",
            counted(pages.len(), "page"),
            without.join(", ")
        ));
    }
    let Page { capture, id, .. } = pages.swap_remove(this);
    if let Some(capture) = capture.checked_sub(1) {
        *recording = recording.apart.swap_remove(capture);
    }
    let is_own = |it: &Exchange| it.page.as_ref().is_none_or(|page| *page == id);
    let last = recording.exchanges.iter().filter(|it| is_own(it));
    let last = last.map(Exchange::at).max().unwrap_or_default();
    let mut firsts: BTreeMap<&Option<String>, Time> = BTreeMap::new();
    for it in &recording.exchanges {
        firsts.entry(&it.page).or_insert(it.at());
    }
    let next = firsts.into_values().filter(|at| *at > last).min();
    recording.exchanges.retain(is_own);
    // What was open when another page took the place of this one says nothing of a player's limit.
    let is_left = |it: &&mut Exchange| {
        it.outcome.is_ended_by_page() && next.is_some_and(|next| it.over() >= next)
    };
    for it in recording.exchanges.iter_mut().filter(is_left) {
        it.outcome = RecordedOutcome::Unknown;
        recording.notes.push(Note::inferred(format!(
            "entry {} was open when the page was left: what it would have been answered is not known",
            it.number
        )));
    }
    Ok(told)
}

/// Gives each answer that came from the browser's store its body, if the recording has the one of
/// the same URL that was stored.
fn take_from_store(recording: &mut RequestRecording) {
    if recording
        .exchanges
        .iter()
        .all(|it| it.status() != Some(304))
    {
        return;
    }
    let mut known: BTreeMap<Arc<str>, Body> = BTreeMap::new();
    for it in &mut recording.exchanges {
        if it.status() == Some(304) && it.body == Body::Missing {
            it.body = known.get(&it.url).cloned().unwrap_or(Body::Missing);
        } else if it.status() == Some(200) && answer::document(it).is_some() {
            known.insert(it.url.clone(), it.body.clone());
        }
    }
}

/// Returns for each redirect the request that followed it.
fn followed(exchanges: &[Exchange]) -> Vec<Option<usize>> {
    let mut waiting: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let mut followed = vec![None; exchanges.len()];
    for (index, it) in exchanges.iter().enumerate() {
        let before = waiting.get_mut(&browser_form(&it.url)).and_then(Vec::pop);
        if let Some(before) = before {
            followed[before] = Some(index);
        }
        if let RecordedOutcome::Redirect(_, to) = &it.outcome {
            let to = vast::resolve(&it.url, to).unwrap_or_else(|| to.to_string());
            waiting.entry(browser_form(&to)).or_default().push(index);
        }
    }
    followed
}

impl RequestFinding {
    pub(super) fn seen(role: Role, ground: Ground) -> RequestFinding {
        RequestFinding {
            role,
            certainty: Certainty::Seen,
            ground,
        }
    }

    /// The finding that an option of the user gives.
    pub(super) fn assumed(role: Role) -> RequestFinding {
        RequestFinding {
            role,
            certainty: Certainty::Assumed,
            ground: Ground::Hint,
        }
    }

    pub(super) fn inferred(role: Role, ground: Ground) -> RequestFinding {
        RequestFinding {
            role,
            certainty: Certainty::Inferred,
            ground,
        }
    }
}

/// Returns a URL without its query.
pub(super) fn bare(url: &str) -> &str {
    let ends: &[char] = if is_data_url(url) {
        &[',']
    } else {
        &['?', '#']
    };
    url.split(ends).next().unwrap_or_default()
}

/// Returns whether a document is a schedule with breaks.
pub(super) fn is_schedule(read: &Document) -> bool {
    read.root == Root::Vmap && read.fault.is_none() && !read.breaks.is_empty()
}
