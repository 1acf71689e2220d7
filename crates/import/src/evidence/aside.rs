//! What was asked beside the tags: the bids of an auction, and what an ad's own program asks for.
//! And a redirect of which the tool lists only the last URL.

use std::collections::BTreeSet;

use super::find::Finder;
use super::{Ground, RequestFinding, Role, answer};
use crate::certainty::Note;
use crate::recording::Exchange;
use playsim_vast::TrackingEvent;
use playsim_vast::names::Named;

impl Finder<'_> {
    /// Returns the requests whose answers have ads in JSON of which the page played none: they are
    /// bids. The page plays an ad from there if a request is for what no document names that was
    /// asked for as such. An answer without an ad is one if it was open together with another.
    pub(super) fn bids(&self) -> BTreeSet<usize> {
        let is_offer = |document: usize| {
            let it = &self.documents[self.first(document)];
            matches!(self.findings[it.exchange].ground, Ground::InsideJson { .. })
                && !self.is_hinted(it.exchange)
        };
        let mut played: BTreeSet<usize> = BTreeSet::new();
        for (finding, it) in self.findings.iter().zip(self.exchanges) {
            let of = |name: usize| self.names.all[name].document;
            let (Role::Pixel(name) | Role::Media(name) | Role::Interactive(name)) = finding.role
            else {
                continue;
            };
            let mut names = self.names.of(&it.url);
            self.came(&mut names, it.at());
            if names.into_iter().all(|name| is_offer(of(name))) {
                played.insert(self.first(of(name)));
            }
        }
        let offers: Vec<usize> = (0..self.documents.len())
            .filter(|document| self.documents[*document].by.is_none() && is_offer(*document))
            .collect();
        let request = |document: usize| &self.exchanges[self.documents[document].exchange];
        let is_beside = |document: usize| {
            let (from, to) = (request(document).at(), request(document).over());
            let is_open = |other: &Exchange| other.at() < to && from < other.over();
            offers
                .iter()
                .any(|other| *other != document && is_open(request(*other)))
        };
        let has_ad = |document: usize| {
            let read = self.documents[document].read.as_ref();
            read.is_some_and(|read| !read.ads.is_empty())
        };
        let is_bid = |document: &&usize| {
            !played.contains(*document) && (has_ad(**document) || is_beside(**document))
        };
        offers
            .iter()
            .filter(is_bid)
            .map(|document| self.documents[*document].exchange)
            .collect()
    }

    /// Returns the document from which a chain of wrappers began.
    fn first(&self, mut document: usize) -> usize {
        while let Some(by) = self.documents[document].by {
            let above = self.names.all[by].document;
            if above >= document {
                break;
            }
            document = above;
        }
        document
    }

    /// Puts documents behind the wrappers whose next document was not asked for by its name: a
    /// tool that lists a redirect under its last URL only. A player calls the pixels of a wrapper
    /// when it knows what became of the ad behind it, so that a pixel after the next document came
    /// shows it.
    pub(super) fn put_behind_wrappers(&mut self) {
        for wrapper in 0..self.documents.len() {
            let is_open = |name: &usize| {
                let it = &self.names.all[*name];
                (it.document, &it.what) == (wrapper, &Named::Hop) && !self.used.contains_key(name)
            };
            let Some(hop) = (0..self.names.all.len()).find(is_open) else {
                continue;
            };
            let over = |document: usize| self.exchanges[self.documents[document].answer].over();
            let is_next = |document: &usize| {
                let it = &self.documents[*document];
                let asked = self.exchanges[it.exchange].at();
                it.by.is_none() && it.read.is_some() && asked + self.slack >= over(wrapper)
            };
            let Some(next) = (wrapper + 1..self.documents.len()).find(is_next) else {
                continue;
            };
            let is_after = |(finding, it): (&RequestFinding, &Exchange)| {
                let is_its = |name: usize| self.names.all[name].document == wrapper;
                matches!(finding.role, Role::Pixel(name) if is_its(name))
                    && it.at() + self.slack >= over(next)
            };
            if !self.findings.iter().zip(self.exchanges).any(is_after) {
                continue;
            }
            let exchange = self.documents[next].exchange;
            self.documents[next].by = Some(hop);
            *self.used.entry(hop).or_default() += 1;
            self.findings[exchange].ground = Ground::LastUrl { document: wrapper };
            self.findings[exchange].certainty = super::Certainty::Inferred;
            self.notes.push(Note::inferred(format!(
                "entry {} answered what the wrapper of entry {} names as {}: the recording lists a redirect under its last URL",
                self.exchanges[exchange].number,
                self.exchanges[self.documents[wrapper].exchange].number,
                self.names.all[hop].written
            )));
        }
    }

    /// Returns whether an ad's own program sent a request: the program, or what it loaded, is the
    /// sender. Where the tool names no senders, it is one for an ad document while the program was
    /// on the screen, or for what such a document names.
    pub(super) fn is_of_unit(&self, it: &Exchange, is_document: bool) -> bool {
        match &it.initiator {
            Some(sender) => self.units.contains(sender),
            None => {
                is_document && self.on_screen.is_some() || !self.of_units.of(&it.url).is_empty()
            }
        }
    }

    /// Notes that a request is of an ad's own program.
    pub(super) fn put_aside(&mut self, index: usize) {
        let it = &self.exchanges[index];
        self.units.insert(it.url.clone());
        let last = &self.exchanges[self.last(index)];
        if let Some((mut read, ..)) = answer::document(last) {
            let got = if read.ads.is_empty() {
                "an ad document without an ad"
            } else {
                "an ad document"
            };
            self.notes.push(Note::inferred(format!(
                "an ad's own program asked for {} (entry {}), and was answered with {got}",
                super::bare(&it.url),
                it.number
            )));
            let _ = read.resolve(&it.url);
            self.of_units.add(0, &read);
        }
        self.findings[index] = RequestFinding::inferred(Role::Aside, Ground::OfUnit);
    }

    /// Notes from a request for a name which ad's own program is on the screen.
    pub(super) fn screen(&mut self, index: usize, role: Role) {
        const ENDS: [TrackingEvent; 5] = [
            TrackingEvent::Complete,
            TrackingEvent::Skip,
            TrackingEvent::CloseLinear,
            TrackingEvent::Close,
            TrackingEvent::Error,
        ];
        let of = |name: usize| (self.names.all[name].document, self.names.all[name].ad);
        if let Role::Interactive(name) = role {
            self.units.insert(self.exchanges[index].url.clone());
            self.on_screen = Some(of(name));
        } else if let Role::Pixel(name) = role {
            let event = self.names.all[name].what.tracked();
            let is_end = ENDS
                .iter()
                .any(|end| event.is_some_and(|event| event == end));
            self.on_screen = self.on_screen.filter(|unit| !is_end || *unit != of(name));
        }
    }
}
