//! Requests for what several ads name: pixels and films of one campaign that two tags answer with.
//!
//! Only one of the ads was on the screen, so only one has the credit. An ad cannot be shown before
//! its answer came, nor if its film failed. One that has begun continues. Otherwise it is the one
//! whose own requests are the nearest, or the one of the tag that was asked last, as a player asks
//! no further tag while an ad is shown. Tags that were requested at the same time cannot be
//! distinguished.

use std::collections::BTreeMap;

use super::{Finder, SLACK};
use crate::evidence::{Certainty, Ground, RequestFinding, Role};
use crate::recording::Exchange;
use playsim_base::place::Place;
use playsim_base::time::{Span, Time};
use playsim_vast::names::{Name, Named};
use playsim_vast::{TrackedEvent, TrackingEvent};

/// Tags that were asked within this time of each other may have been asked at once.
const AT_ONCE: Span = Span::from_millis(200);

/// An ad in the answer of a tag, with the wrappers that led to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Showing {
    /// The index of the tag's document.
    tag: usize,
    ad: Option<Place>,
}

impl Showing {
    /// Returns the ad that a name belongs to, across wrappers.
    pub(super) fn of(finder: &Finder<'_>, name: &Name) -> Showing {
        let mut showing = Showing {
            tag: name.document,
            ad: name.ad,
        };
        while let Some(by) = finder.documents[showing.tag]
            .by
            .map(|by| &finder.names.all[by])
        {
            if by.what != Named::Hop || by.document >= showing.tag {
                break;
            }
            showing = Showing {
                tag: by.document,
                ad: by.ad,
            };
        }
        showing
    }
}

/// The state of the ads while the shared requests are read in their order.
#[derive(Default)]
struct Known {
    /// When each ad's own pixels and films were requested.
    own: BTreeMap<Showing, Vec<Time>>,
    /// When a film of each ad failed.
    failed: BTreeMap<Showing, Time>,
    /// When pixels show that each ad began, and that it ended.
    begun: BTreeMap<Showing, Vec<Time>>,
    ended: BTreeMap<Showing, Vec<Time>>,
}

/// One of the ads that a request may be of.
struct Candidate {
    showing: Showing,
    /// Its name of the URL, rather one that was not used before.
    name: usize,
    is_used: bool,
    asked: Time,
    answered: Time,
}

/// Gives each request that several ads name to one of them.
pub(super) fn settle(finder: &mut Finder<'_>) {
    let unsettled = std::mem::take(&mut finder.unsettled);
    if unsettled.is_empty() {
        return;
    }
    let mut known = Known::default();
    for (finding, it) in finder.findings.iter().zip(finder.exchanges) {
        if let Role::Pixel(name) | Role::Media(name) = finding.role {
            let name = &finder.names.all[name];
            known.note(Showing::of(finder, name), name, it);
        }
    }
    for (index, found) in unsettled {
        let it = &finder.exchanges[index];
        let candidates = candidates(finder, found);
        let event = finder.names.all[candidates[0].name].what.tracked().cloned();
        let (chosen, is_tied) = known.choose(&candidates, event.as_ref(), it.at());
        let Candidate { showing, name, .. } = *chosen;
        if is_tied {
            let tags = candidates
                .iter()
                .map(|it| finder.documents[it.showing.tag].exchange);
            finder.tied.extend(tags);
        }
        let role = if event.is_some() {
            Role::Pixel(name)
        } else {
            Role::Media(name)
        };
        let document = finder.names.all[name].document;
        let certainty = if is_tied {
            Certainty::Unknown
        } else {
            Certainty::Inferred
        };
        finder.findings[index] = RequestFinding {
            role,
            certainty,
            ground: Ground::NamedBySeveral { document },
        };
        *finder.used.entry(name).or_default() += 1;
        known.shown(showing, event.as_ref(), it.at());
    }
}

/// Returns the ads that a request may be of, in the order of their documents.
fn candidates(finder: &Finder<'_>, found: Vec<usize>) -> Vec<Candidate> {
    let used = |name: usize| finder.used.get(&name).copied().unwrap_or_default();
    let mut names: BTreeMap<Showing, usize> = BTreeMap::new();
    for name in found {
        let best = names
            .entry(Showing::of(finder, &finder.names.all[name]))
            .or_insert(name);
        // Of a chain, rather the ad than a wrapper.
        if used(name) <= used(*best) {
            *best = name;
        }
    }
    let candidate = |(showing, name): (Showing, usize)| Candidate {
        showing,
        name,
        is_used: used(name) > 0,
        asked: finder.exchanges[finder.documents[showing.tag].exchange].at(),
        answered: finder.exchanges[finder.documents[finder.names.all[name].document].answer].over(),
    };
    names.into_iter().map(candidate).collect()
}

impl Known {
    fn note(&mut self, showing: Showing, name: &Name, it: &Exchange) {
        let event = name.what.tracked();
        // A page cancels the request for a film that it then requests in ranges.
        let has_failed =
            it.status().is_none_or(|status| status >= 400) && !it.outcome.is_ended_by_page();
        if name.what == Named::Media && has_failed {
            self.failed.insert(showing, it.over());
        } else if event.is_none_or(|event| *event != TrackingEvent::Error) {
            self.own.entry(showing).or_default().push(it.at());
        }
        self.shown(showing, event, it.at());
    }

    /// Notes that an ad began or ended, if a request shows that.
    fn shown(&mut self, showing: Showing, event: Option<&TrackedEvent>, at: Time) {
        let is = |events: &[TrackingEvent]| {
            event.is_some_and(|event| events.iter().any(|it| event == it))
        };
        if is(&[
            TrackingEvent::Impression,
            TrackingEvent::CreativeView,
            TrackingEvent::Start,
        ]) {
            self.begun.entry(showing).or_default().push(at);
        } else if is(&[TrackingEvent::Complete, TrackingEvent::Skip]) {
            self.ended.entry(showing).or_default().push(at);
        }
    }

    /// Returns when an ad began that is on the screen at a time.
    fn on_screen(&self, showing: Showing, at: Time) -> Option<Time> {
        let last = |of: &BTreeMap<Showing, Vec<Time>>| {
            of.get(&showing)
                .and_then(|times| times.iter().filter(|time| **time <= at).max().copied())
        };
        let begun = last(&self.begun)?;
        Some(begun).filter(|begun| last(&self.ended).is_none_or(|ended| ended < *begun))
    }

    /// Returns the ad that a request at a time was of, and whether it cannot be distinguished from
    /// another.
    fn choose<'c>(
        &self,
        all: &'c [Candidate],
        event: Option<&TrackedEvent>,
        at: Time,
    ) -> (&'c Candidate, bool) {
        if event.is_some_and(|event| *event == TrackingEvent::Error) {
            return (self.failed_at(all, at), false);
        }
        let is_once = event
            .and_then(TrackedEvent::known)
            .is_some_and(TrackingEvent::is_once);
        let goes_on = all.iter().filter(|it| !(is_once && it.is_used));
        let goes_on = goes_on.filter_map(|it| Some((self.on_screen(it.showing, at)?, it)));
        if let Some((_, current)) = goes_on.max_by_key(|(begun, _)| *begun) {
            return (current, false);
        }
        let mut left: Vec<&Candidate> = all.iter().collect();
        let own = |it: &Candidate| {
            self.own
                .get(&it.showing)
                .and_then(|times| nearest(times, at))
        };
        keep(&mut left, |it| it.answered <= at + SLACK);
        keep(&mut left, |it| {
            !self.failed.contains_key(&it.showing) || own(it).is_some()
        });
        if left.iter().any(|it| own(it).is_some()) {
            // One of which nothing else was requested counts from its answer.
            let apart =
                |it: &Candidate| own(it).unwrap_or((at - it.answered).max(it.answered - at));
            let closest = left.iter().map(|it| apart(it)).min();
            keep(&mut left, |it| Some(apart(it)) == closest);
        }
        keep(&mut left, |it| !it.is_used);
        // A tag that is asked later shows that the ones before gave nothing; of one tag, ads come
        // in their order.
        let Some(last) = left
            .iter()
            .copied()
            .max_by_key(|it| (it.asked, std::cmp::Reverse(it.showing)))
        else {
            return (&all[0], true);
        };
        let is_tied = left.iter().any(|it| {
            it.showing.tag != last.showing.tag
                && it.asked + AT_ONCE > last.asked
                && it.answered > last.asked
        });
        (last, is_tied)
    }

    /// Returns the ad whose answer, or the failure of whose film, was the last thing before an
    /// error was reported.
    fn failed_at<'c>(&self, all: &'c [Candidate], at: Time) -> &'c Candidate {
        let apart = |it: &Candidate| {
            let failed = self
                .failed
                .get(&it.showing)
                .copied()
                .filter(|failed| *failed <= at + SLACK);
            let since = failed.unwrap_or(it.answered);
            (since > at + SLACK, (at - since).max(since - at))
        };
        all.iter()
            .min_by_key(|it| (apart(it), it.is_used, std::cmp::Reverse(it.showing)))
            .unwrap_or(&all[0])
    }
}

/// Keeps those for which something holds, unless it holds for none.
fn keep(left: &mut Vec<&Candidate>, holds: impl Fn(&Candidate) -> bool) {
    if left.iter().any(|it| holds(it)) {
        left.retain(|it| holds(it));
    }
}

/// Returns how far the nearest of times, which are in order, is.
fn nearest(times: &[Time], at: Time) -> Option<Span> {
    let later = times.partition_point(|time| *time < at);
    let apart = |time: &Time| (at - *time).max(*time - at);
    times[later.saturating_sub(1)..]
        .iter()
        .take(2)
        .map(apart)
        .min()
}
