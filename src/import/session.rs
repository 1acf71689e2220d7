//! What each request of a recording was for.
//!
//! What was answered comes first: an answer that is VAST or VMAP is an ad document, and every URL that it names is a
//! hop, a media file or a pixel. A document that no other one names answers an ad tag. Requests that failed are recognised
//! as tags by their neighbours. What is only probable is reported, with the option that overrules it.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::Fault;
use super::pattern::Pattern;
use super::recording::{Body, Exchange, Outcome, Recording};
use super::secrets;
use crate::knobs::RelativeUrls;
use crate::place::Place;
use crate::time::{Span, Time};
use crate::vast::names::{Name, Named, Names, browser_form};
use crate::vast::{self, Document, Root};
use crate::words::counted;

mod breaks;
mod failed;
mod scenario;

pub use breaks::{RecordedAd, RecordedBreak, RecordedTag};

/// What the user knows better.
#[derive(Debug, Clone, Default)]
pub struct Hints {
    /// Requests that are ad tags.
    pub tags: Vec<Pattern>,
    /// Requests that do not matter.
    pub ignored: Vec<Pattern>,
    /// Requests for the content.
    pub content: Vec<Pattern>,
    /// The length of the content.
    pub content_length: Option<Span>,
    /// Whether secrets stay in URLs and documents.
    pub keeps_secrets: bool,
}

/// A recording whose requests are understood.
#[derive(Debug)]
pub struct Session {
    /// The recording, without what was removed from it.
    pub recording: Recording,
    /// The role of each request.
    pub roles: Vec<Role>,
    /// The requests for ad documents, in the order in which they were sent.
    pub documents: Vec<AdDocument>,
    /// The ad breaks, in order.
    pub breaks: Vec<RecordedBreak>,
    /// What was assumed or is unknown, and how to overrule it: one sentence each.
    pub notes: Vec<String>,
    /// The names of what was removed as a secret.
    pub removed: Vec<String>,
    pub(super) names: Names,
    pub(super) hints: Hints,
}

/// What a request was for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// An ad document, by its index: a tag, or a hop of a wrapper chain.
    Document(usize),
    /// What a redirect led to; the index of the request before it.
    Redirected(usize),
    /// A media file of an ad; the index of its name.
    Media(usize),
    /// A creative that is a program.
    Interactive(usize),
    /// A verification script.
    Verification(usize),
    /// A pixel.
    Pixel(usize),
    /// The content.
    Content,
    /// Left out, because the user says so.
    Ignored,
    /// None of these.
    Other,
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
    /// The document, with its URLs resolved, if it came.
    pub read: Option<Document>,
}

impl Session {
    /// Finds out what each request was for.
    ///
    /// # Errors
    ///
    /// If none of them is an ad tag.
    pub fn of(mut recording: Recording, hints: Hints) -> Result<Session, Fault> {
        let removed = if hints.keeps_secrets {
            Vec::new()
        } else {
            secrets::remove(&mut recording).into_iter().collect()
        };
        let other_pages = keep_one_page(&mut recording);
        let mut finder = Finder::of(&recording, &hints);
        (0..recording.exchanges.len()).for_each(|index| finder.take(index));
        finder.settle();
        failed::add_tags(&mut finder);
        let Finder { roles, documents, names, notes, .. } = finder;
        let mut session =
            Session { roles, documents, names, notes, breaks: Vec::new(), removed, recording, hints };
        if !session.documents.iter().any(|it| it.by.is_none()) {
            return Err(Fault::NoTag(failed::without_tags(&session.recording)));
        }
        session.notes.splice(0..0, session.recording.notes.iter().cloned().chain(other_pages));
        breaks::find(&mut session);
        Ok(session)
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

    /// Returns the document on whose wrapper chain a document is: its ad tag or the tag of a VMAP break.
    #[must_use]
    pub fn tag_of(&self, mut document: usize) -> usize {
        while let Some(by) = self.documents[document].by {
            let name = &self.names.all[by];
            if name.what != Named::Hop {
                break;
            }
            document = name.document;
        }
        document
    }

    /// Returns how many wrappers led to a document.
    #[must_use]
    pub fn hop(&self, mut document: usize) -> u32 {
        let mut hop = 0;
        while let Some(by) =
            self.documents[document].by.map(|by| &self.names.all[by]).filter(|it| it.what == Named::Hop)
        {
            document = by.document;
            hop += 1;
        }
        hop
    }

    /// Returns the requests for pixels in their order, each with the name by which it was requested and its event.
    pub(super) fn pixels(&self) -> impl Iterator<Item = (&Exchange, &Name, &str)> {
        self.roles.iter().zip(&self.recording.exchanges).filter_map(|(role, it)| {
            let Role::Pixel(index) = *role else { return None };
            let name = &self.names.all[index];
            Some((it, name, name.what.event()?))
        })
    }

    /// Returns the end of the recording.
    #[must_use]
    pub fn end(&self) -> Time {
        self.recording.exchanges.iter().map(Exchange::over).max().unwrap_or_default()
    }
}

/// Leaves only the first page with ad documents, if several have some. Returns what was left out.
fn keep_one_page(recording: &mut Recording) -> Option<String> {
    let mut pages: Vec<String> = Vec::new();
    for it in &recording.exchanges {
        if let Some(page) = it.page.as_ref().filter(|page| !pages.contains(page))
            && document(it).is_some()
        {
            pages.push(page.clone());
        }
    }
    let (first, others) = pages.split_first().filter(|(_, others)| !others.is_empty())?;
    let before = recording.exchanges.len();
    recording.exchanges.retain(|it| it.page.as_ref().is_none_or(|page| !others.contains(page)));
    let left_out = before - recording.exchanges.len();
    Some(format!(
        "{} with ad documents: only the first, {first}, is played; {} of the others left out",
        counted(others.len() + 1, "page"),
        counted(left_out, "request"),
    ))
}

/// The state while the requests are read in their order.
struct Finder<'r> {
    exchanges: &'r [Exchange],
    hints: &'r Hints,
    /// For each request that was redirected, the one that followed.
    followed_by: Vec<Option<usize>>,
    roles: Vec<Role>,
    documents: Vec<AdDocument>,
    names: Names,
    /// How often each name was used.
    used: BTreeMap<usize, u32>,
    /// The requests for pixels that several ads name.
    unsettled: Vec<(usize, Vec<usize>)>,
    notes: Vec<String>,
}

impl<'r> Finder<'r> {
    fn of(recording: &'r Recording, hints: &'r Hints) -> Finder<'r> {
        let exchanges = &recording.exchanges[..];
        let mut finder = Finder {
            exchanges,
            hints,
            followed_by: followed(exchanges),
            roles: vec![Role::Other; exchanges.len()],
            documents: Vec::new(),
            names: Names::default(),
            used: BTreeMap::new(),
            unsettled: Vec::new(),
            notes: Vec::new(),
        };
        let redirects = finder.followed_by.clone();
        for (index, next) in redirects.into_iter().enumerate() {
            if let Some(next) = next {
                finder.roles[next] = Role::Redirected(index);
            }
        }
        finder
    }

    fn take(&mut self, index: usize) {
        let exchanges = self.exchanges;
        let it = &exchanges[index];
        if matches!(self.roles[index], Role::Redirected(_)) || it.method == "OPTIONS" {
            return;
        }
        let is = |patterns: &[Pattern]| patterns.iter().any(|pattern| pattern.matches(&it.url));
        if is(&self.hints.ignored) {
            self.roles[index] = Role::Ignored;
            return;
        }
        if is(&self.hints.content) {
            self.roles[index] = Role::Content;
            return;
        }
        if is(&self.hints.tags) {
            self.document(index, None);
            return;
        }
        let is_of_interest =
            |name: &usize| !matches!(self.names.all[*name].what, Named::Page | Named::Resource);
        let found: Vec<usize> = self.names.of(&it.url).into_iter().filter(is_of_interest).collect();
        if self.are_of_several_ads(&found) {
            self.unsettled.push((index, found));
            return;
        }
        if let Some(name) = self.best(found) {
            self.roles[index] = match self.names.all[name].what {
                Named::Hop | Named::BreakTag(_) => return self.document(index, Some(name)),
                Named::Media => Role::Media(name),
                Named::Interactive => Role::Interactive(name),
                Named::Verification => Role::Verification(name),
                Named::Pixel(_) => Role::Pixel(name),
                Named::Page | Named::Resource => Role::Other,
            };
            *self.used.entry(name).or_default() += 1;
            return;
        }
        if document(&exchanges[self.last(index)]).is_some() {
            self.document(index, None);
        } else if is_media(it) {
            self.roles[index] = Role::Content;
        }
    }

    /// Returns the last request of a chain of redirects.
    fn last(&self, mut index: usize) -> usize {
        while let Some(next) = self.followed_by[index] {
            index = next;
        }
        index
    }

    /// Adds a request for an ad document.
    fn document(&mut self, index: usize, by: Option<usize>) {
        let answer = self.last(index);
        let base = &self.exchanges[answer].url;
        let read = document(&self.exchanges[answer]).map(|mut read| {
            let _ = read.resolve(base, RelativeUrls::Resolve);
            read
        });
        if let Some(read) = &read {
            self.names.add(self.documents.len(), read);
        }
        if let Some(by) = by {
            *self.used.entry(by).or_default() += 1;
        }
        self.roles[index] = Role::Document(self.documents.len());
        self.documents.push(AdDocument { exchange: index, answer, by, read });
    }

    /// Returns the best of the names of a request: rather one that was not used before, and of the latest document.
    fn best(&self, found: Vec<usize>) -> Option<usize> {
        let used = |name: &usize| self.used.get(name).copied().unwrap_or_default();
        found.into_iter().min_by_key(|name| (used(name), std::cmp::Reverse(self.names.all[*name].document)))
    }

    /// Returns whether these are names of pixels, and not all of one ad.
    fn are_of_several_ads(&self, found: &[usize]) -> bool {
        let names = || found.iter().map(|index| &self.names.all[*index]);
        let ad = |name: &Name| (name.document, name.ad);
        names().all(|name| matches!(name.what, Named::Pixel(_)))
            && names().next().is_some_and(|first| names().any(|other| ad(other) != ad(first)))
    }

    /// Gives the pixels that several ads name to the ad whose other pixels are the nearest in time.
    fn settle(&mut self) {
        let mut seen: BTreeMap<(usize, Option<Place>), Vec<Time>> = BTreeMap::new();
        for (role, it) in self.roles.iter().zip(self.exchanges) {
            if let Role::Pixel(name) | Role::Media(name) = *role {
                let name = &self.names.all[name];
                seen.entry((name.document, name.ad)).or_default().push(it.at());
            }
        }
        for (index, found) in std::mem::take(&mut self.unsettled) {
            let at = self.exchanges[index].at();
            let distance = |name: &usize| {
                let name = &self.names.all[*name];
                let apart = |time: Time| (at - time).max(time - at);
                let times = seen.get(&(name.document, name.ad)).into_iter().flatten();
                // An ad of which nothing else is known counts from the answer that has it.
                let answered = self.exchanges[self.documents[name.document].answer].over();
                times.map(|time| apart(*time)).min().unwrap_or(apart(answered))
            };
            let nearest = found.iter().map(distance).min().unwrap_or(Span::MAX);
            let near = found.into_iter().filter(|name| distance(name) == nearest).collect();
            if let Some(name) = self.best(near) {
                self.roles[index] = Role::Pixel(name);
                *self.used.entry(name).or_default() += 1;
            }
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
        if let Outcome::Redirect(_, to) = &it.outcome {
            let to = vast::resolve(&it.url, to).unwrap_or_else(|| to.to_string());
            waiting.entry(browser_form(&to)).or_default().push(index);
        }
    }
    followed
}

/// Returns the document that is the body of an answer, if it is VAST or VMAP.
fn document(it: &Exchange) -> Option<Document> {
    let text: &Arc<str> = match &it.body {
        Body::Text(text) => text,
        Body::Empty | Body::Missing => return None,
    };
    let read = vast::read(text);
    match read.root {
        Root::Vast | Root::Vmap | Root::Vast1 => Some(read),
        Root::None | Root::Other(_) => None,
    }
}

/// Returns whether it is video, a stream or audio.
fn is_media(it: &Exchange) -> bool {
    const ENDINGS: &[&str] =
        &[".mp4", ".m4v", ".webm", ".mov", ".ogv", ".mp3", ".m4a", ".aac", ".m3u8", ".mpd", ".ts", ".m4s"];
    const TYPES: &[&str] =
        &["application/vnd.apple.mpegurl", "application/x-mpegurl", "application/dash+xml"];
    let mime = it.mime.as_deref().unwrap_or_default();
    let path = it.url.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
    it.purpose.as_deref() == Some("media")
        || mime.starts_with("video/")
        || mime.starts_with("audio/")
        || TYPES.contains(&mime)
        || ENDINGS.iter().any(|ending| path.ends_with(ending))
}
