//! Roles by answers, and by which document names which URL.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{AdDocument, Ground, Hints, RequestFinding, Role, answer};
use crate::certainty::Note;
use crate::pattern::UrlPattern;
use crate::recording::{Exchange, RequestRecording};
use playsim_base::place::Place;
use playsim_base::time::{Span, Time};
use playsim_vast::names::{Named, Names};

mod shared;

/// Times of tools are this much apart.
pub(super) const SLACK: Span = Span::from_millis(50);

/// The state while the requests are read in their order.
pub(super) struct Finder<'r> {
    pub(super) exchanges: &'r [Exchange],
    hints: &'r Hints,
    /// For each request that was redirected, the one that followed.
    followed_by: Vec<Option<usize>>,
    pub(super) findings: Vec<RequestFinding>,
    pub(super) documents: Vec<AdDocument>,
    pub(super) names: Names,
    /// How often each name was used.
    pub(super) used: BTreeMap<usize, u32>,
    /// The requests for pixels and films that several ads name.
    pub(super) unsettled: Vec<(usize, Vec<usize>)>,
    /// The requests for tags whose ads cannot be distinguished.
    pub(super) tied: BTreeSet<usize>,
    pub(super) notes: Vec<Note>,
    /// The requests that an auction answered with ads of which the page played none.
    pub(super) bids: BTreeSet<usize>,
    /// The URLs of ads' own programs, and of what they asked for.
    pub(super) units: BTreeSet<Arc<str>>,
    /// What the ad documents name that an ad's own program asked for.
    pub(super) of_units: Names,
    /// How much earlier than it says a request may have been sent.
    pub(super) slack: Span,
    /// The ad whose own program is on the screen: its document and place.
    pub(super) on_screen: Option<(usize, Option<Place>)>,
}

impl<'r> Finder<'r> {
    pub(super) fn of(
        recording: &'r RequestRecording,
        hints: &'r Hints,
        bids: BTreeSet<usize>,
    ) -> Finder<'r> {
        let exchanges = &recording.exchanges[..];
        let nothing = RequestFinding {
            certainty: super::Certainty::Seen,
            role: Role::Other,
            ground: Ground::Nothing,
        };
        let mut finder = Finder {
            exchanges,
            hints,
            followed_by: super::followed(exchanges),
            findings: vec![nothing; exchanges.len()],
            documents: Vec::new(),
            names: Names::default(),
            used: BTreeMap::new(),
            unsettled: Vec::new(),
            tied: BTreeSet::new(),
            notes: Vec::new(),
            bids,
            units: BTreeSet::new(),
            of_units: Names::default(),
            on_screen: None,
            slack: SLACK + recording.clock.slack(),
        };
        for from in 0..exchanges.len() {
            if let Some(next) = finder.followed_by[from] {
                finder.findings[next] =
                    RequestFinding::seen(Role::Redirected(from), Ground::Redirect { from });
            }
        }
        finder
    }

    /// Takes all requests.
    pub(super) fn take_all(&mut self) {
        (0..self.exchanges.len()).for_each(|index| self.take(index));
        shared::settle(self);
        self.put_behind_wrappers();
    }

    /// Returns whether an option says that a request is an ad tag.
    pub(super) fn is_hinted(&self, index: usize) -> bool {
        let url = &self.exchanges[index].url;
        self.hints.tags.iter().any(|pattern| pattern.matches(url))
    }

    fn take(&mut self, index: usize) {
        let it = &self.exchanges[index];
        if matches!(self.findings[index].role, Role::Redirected(_)) || it.method == "OPTIONS" {
            return;
        }
        let is = |patterns: &[UrlPattern]| patterns.iter().any(|pattern| pattern.matches(&it.url));
        if is(&self.hints.ignored) {
            self.findings[index] = RequestFinding::assumed(Role::Ignored);
            return;
        }
        if is(&self.hints.content) {
            self.findings[index] = RequestFinding::assumed(Role::Content);
            return;
        }
        if self.bids.contains(&index) {
            self.findings[index] = RequestFinding::inferred(Role::Aside, Ground::Bid);
            return;
        }
        if is(&self.hints.tags) {
            let finding = match answer::document(&self.exchanges[self.last(index)]) {
                Some((.., Some(field))) => {
                    RequestFinding::seen(Role::Other, Ground::InsideJson { field })
                }
                Some((.., None)) => RequestFinding::seen(Role::Other, Ground::Body),
                None => RequestFinding::assumed(Role::Other),
            };
            self.document(index, None, finding);
            return;
        }
        let is_of_interest =
            |name: &usize| !matches!(self.names.all[*name].what, Named::Page | Named::Resource);
        let mut found: Vec<usize> = self
            .names
            .of(&it.url)
            .into_iter()
            .filter(is_of_interest)
            .collect();
        self.came(&mut found, it.at());
        if self.are_of_several_ads(&found) {
            self.unsettled.push((index, found));
            return;
        }
        if let Some(name) = self.best(found) {
            let role = match self.names.all[name].what {
                Named::Hop | Named::BreakTag(_) => {
                    let ground = Ground::Named {
                        document: self.names.all[name].document,
                    };
                    return self.document(
                        index,
                        Some(name),
                        RequestFinding::seen(Role::Other, ground),
                    );
                }
                Named::Media => Role::Media(name),
                Named::Interactive => Role::Interactive(name),
                Named::Verification => Role::Verification(name),
                Named::Pixel(_) => Role::Pixel(name),
                Named::Page | Named::Resource => Role::Other,
            };
            self.named(index, role, name);
            return;
        }
        let found = answer::document(&self.exchanges[self.last(index)]);
        if self.is_of_unit(it, found.is_some()) {
            self.put_aside(index);
            return;
        }
        match found {
            Some((.., Some(field))) => {
                self.document(
                    index,
                    None,
                    RequestFinding::seen(Role::Other, Ground::InsideJson { field }),
                );
            }
            Some((.., None)) => {
                self.document(index, None, RequestFinding::seen(Role::Other, Ground::Body))
            }
            None if answer::is_cut_document(&self.exchanges[self.last(index)]) => {
                self.document(index, None, RequestFinding::seen(Role::Other, Ground::Body));
            }
            None if is_media(it) => {
                self.findings[index] = RequestFinding::inferred(Role::Content, Ground::Nothing);
            }
            None => {}
        }
    }

    /// Notes that a request is for a URL that a document names.
    fn named(&mut self, index: usize, role: Role, name: usize) {
        let document = self.names.all[name].document;
        self.findings[index] = RequestFinding::seen(role, Ground::Named { document });
        self.screen(index, role);
        *self.used.entry(name).or_default() += 1;
    }

    /// Returns the last request of a chain of redirects.
    pub(super) fn last(&self, mut index: usize) -> usize {
        while let Some(next) = self.followed_by[index] {
            index = next;
        }
        index
    }

    /// Adds a request for an ad document, with the certainty and ground of a finding.
    pub(super) fn document(&mut self, index: usize, by: Option<usize>, finding: RequestFinding) {
        let answer = self.last(index);
        let base = &self.exchanges[answer].url;
        let found = answer::document(&self.exchanges[answer]);
        let (read, text) = match found {
            Some((mut read, text, _)) => {
                let _ = read.resolve(base);
                self.names.add(self.documents.len(), &read);
                (Some(read), Some(text))
            }
            None => (None, None),
        };
        if let Some(by) = by {
            *self.used.entry(by).or_default() += 1;
        }
        self.findings[index] = RequestFinding {
            role: Role::Document(self.documents.len()),
            ..finding
        };
        let (tag, hop, root) = (0, 0, 0);
        self.documents.push(AdDocument {
            exchange: index,
            answer,
            by,
            tag,
            hop,
            root,
            read,
            text,
        });
    }

    /// Returns the best of the names of a request: rather one that was not used before, and of the
    /// latest document.
    fn best(&self, found: Vec<usize>) -> Option<usize> {
        let used = |name: &usize| self.used.get(name).copied().unwrap_or_default();
        found.into_iter().min_by_key(|name| {
            (
                used(name),
                std::cmp::Reverse(self.names.all[*name].document),
            )
        })
    }

    /// Returns whether these are names of pixels, or of films, and not all of one ad.
    fn are_of_several_ads(&self, found: &[usize]) -> bool {
        let names = || found.iter().map(|index| &self.names.all[*index]);
        let first = names().next().map(|first| shared::Showing::of(self, first));
        (names().all(|name| matches!(name.what, Named::Pixel(_)))
            || names().all(|name| name.what == Named::Media))
            && names().any(|other| Some(shared::Showing::of(self, other)) != first)
    }

    /// Leaves out the names of documents that came later, as they cannot have led to a request.
    pub(super) fn came(&self, found: &mut Vec<usize>, at: Time) {
        let is_there = |name: &usize| {
            let document = &self.documents[self.names.all[*name].document];
            self.exchanges[document.answer].over() <= at + self.slack
        };
        if found.iter().any(is_there) {
            found.retain(is_there);
        }
    }

    /// Sorts the documents by time. Names, findings and grounds refer to them by index.
    pub(super) fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.documents.len()).collect();
        order.sort_by_key(|document| self.documents[*document].exchange);
        let mut place = vec![0; order.len()];
        for (new, old) in order.iter().enumerate() {
            place[*old] = new;
        }
        self.names
            .all
            .iter_mut()
            .for_each(|name| name.document = place[name.document]);
        self.documents.sort_by_key(|document| document.exchange);
        for (index, document) in self.documents.iter().enumerate() {
            self.findings[document.exchange].role = Role::Document(index);
        }
        for finding in &mut self.findings {
            if let Ground::Named { document }
            | Ground::NamedBySeveral { document }
            | Ground::LastUrl { document } = &mut finding.ground
            {
                *document = place[*document];
            }
        }
    }
}

/// Returns whether it is video, a stream or audio.
pub(super) fn is_media(it: &Exchange) -> bool {
    const ENDINGS: &[&str] = &[
        ".mp4", ".m4v", ".webm", ".mov", ".ogv", ".mp3", ".m4a", ".aac", ".m3u8", ".mpd", ".ts",
        ".m4s",
    ];
    const TYPES: &[&str] = &[
        "application/vnd.apple.mpegurl",
        "application/x-mpegurl",
        "application/dash+xml",
    ];
    let mime = it.mime.as_deref().unwrap_or_default();
    let path = super::bare(&it.url).to_ascii_lowercase();
    it.purpose.as_deref() == Some("media")
        || mime.starts_with("video/")
        || mime.starts_with("audio/")
        || TYPES.contains(&mime)
        || ENDINGS.iter().any(|ending| path.ends_with(ending))
}
