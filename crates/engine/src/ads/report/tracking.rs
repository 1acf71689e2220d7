//! Beacons: the URLs that are called for an event, and their order.
//!
//! The trackers of all documents of the chain are called, usually outermost document first. If two documents have
//! the same URL, it is called twice, once for each hop.
//!
//! Rules: BRK-1, BRK-3, REQ-5, PRD-14 to PRD-17, PRD-19; VAST 4.3 sections 2.3.4, 2.3.6, 3.14.

use std::sync::Arc;

use super::context::Scope;
use super::macros::{CurrentAd, Occasion};
use crate::ads::error::{AdErrorCode, Reached};
use crate::ads::request::hop::Hop;
use playsim_api::{AdLine, BeaconLine, BreakKind, Cause, Fields, Line, Output, Text, UiLine};
use playsim_rules::knobs::{CreativeViewAt, ErrorUrls, RootErrors, TrackerCalls, TrackerOrder};
use playsim_rules::{self as rules, RuleId};
use playsim_vast::{Document, Url};

impl Scope<'_> {
    /// Calls the trackers of an event on all hops. Not for `progress`, which has offsets: see [`Scope::call`].
    pub(in crate::ads) fn track(
        &mut self,
        rule: RuleId,
        event: &'static str,
        cause: Cause,
        hops: &[Hop],
        ad: CurrentAd<'_>,
    ) {
        let (kind, occasion) = (self.kind, self.occasion().with_ad(ad));
        self.call_each(rule, event, cause, hops, |hop| of_event(hop, kind, event), &occasion);
    }

    /// Calls the impressions of all hops at one instant. Rule BRK-1.
    pub(in crate::ads) fn impressions(
        &mut self,
        rule: RuleId,
        cause: Cause,
        hops: &[Hop],
        ad: CurrentAd<'_>,
    ) {
        let occasion = self.occasion().with_ad(ad);
        self.call_each(rule, "impression", cause, hops, |hop| &hop.ad().impressions, &occasion);
    }

    /// Calls the trackers of the start of an ad. Rule PRD-15.
    pub(in crate::ads) fn track_start(
        &mut self,
        rule: RuleId,
        cause: Cause,
        hops: &[Hop],
        ad: CurrentAd<'_>,
    ) {
        self.track_view(CreativeViewAt::BeforeStart, rule, cause, hops, ad);
        self.track(rule, "start", cause, hops, ad);
        self.track_view(CreativeViewAt::AfterStart, rule, cause, hops, ad);
    }

    /// Calls the `creativeView` trackers if this is when they are due; if they never are, says so before the
    /// start. Rule PRD-15.
    pub(in crate::ads) fn track_view(
        &mut self,
        now: CreativeViewAt,
        rule: RuleId,
        cause: Cause,
        hops: &[Hop],
        ad: CurrentAd<'_>,
    ) {
        const EVENT: &str = "creativeView";
        match (self.knobs().creative_view_at, now) {
            (CreativeViewAt::BeforeStart, CreativeViewAt::BeforeStart) => {
                self.track(rule, EVENT, cause, hops, ad);
            }
            (CreativeViewAt::AfterStart, CreativeViewAt::AfterStart) => {
                self.track(rules::PRD_15, EVENT, cause, hops, ad);
            }
            (CreativeViewAt::Never, CreativeViewAt::BeforeStart) => {
                for (index, hop) in in_order(hops, EVENT, self.knobs().ad_tracker_order) {
                    for url in of_event(hop, self.kind, EVENT) {
                        let why = "this profile never calls creativeView trackers";
                        self.not_called(rules::PRD_15, (EVENT, why), cause, index, url);
                    }
                }
            }
            (
                CreativeViewAt::BeforeStart | CreativeViewAt::AfterStart | CreativeViewAt::Never,
                CreativeViewAt::BeforeStart | CreativeViewAt::AfterStart | CreativeViewAt::Never,
            ) => {}
        }
    }

    /// Calls the `Error` URLs of all hops, and those of the root of an empty response. `reached` says how far
    /// the ad had come. Rules REQ-5, REQ-6, PRD-16.
    pub(in crate::ads) fn errors(
        &mut self,
        code: AdErrorCode,
        reached: Reached,
        hops: &[Hop],
        empty: Option<&Document>,
    ) {
        let cause = self.out.cause();
        self.errors_by((rules::REQ_5, code), reached, cause, hops);
        let rules: &[RuleId] = match self.knobs().ad_root_errors {
            RootErrors::Once => &[rules::REQ_6],
            RootErrors::Twice => &[rules::REQ_6, rules::PRD_19],
        };
        for rule in rules {
            for url in empty.iter().flat_map(|document| &document.error_urls) {
                self.error((*rule, code), reached, cause, (hops.len(), None), url);
            }
        }
    }

    /// Calls the `Error` URLs of all hops; `cause` is the line that reports the failure. Rule PRD-16.
    pub(in crate::ads) fn errors_by(
        &mut self,
        (rule, code): (RuleId, AdErrorCode),
        reached: Reached,
        cause: Cause,
        hops: &[Hop],
    ) {
        for (index, hop) in in_order(hops, BeaconLine::Error.name(), self.knobs().ad_tracker_order) {
            for url in &hop.ad().errors {
                self.error((rule, code), reached, cause, (index, hop.ad().id.as_ref()), url);
            }
        }
    }

    /// Calls one `Error` URL, unless the profile does not for an ad that has come only so far. Rule PRD-16.
    fn error(
        &mut self,
        (rule, code): (RuleId, AdErrorCode),
        reached: Reached,
        cause: Cause,
        place: (usize, Option<&Arc<str>>),
        url: &Url,
    ) {
        let why = match (self.knobs().ad_error_urls, reached) {
            (ErrorUrls::All, _)
            | (_, Reached::Impression)
            | (ErrorUrls::Media, Reached::Fetch | Reached::Media)
            | (ErrorUrls::Fetched, Reached::Media) => {
                let occasion = self.occasion().with_code(code.number());
                // Where a profile calls only some trackers, its parser calls all `Error` URLs. PRD-14
                let is_called = reached == Reached::Choice || self.macros.calls(&url.text);
                let what = (rule, BeaconLine::Error.name());
                return self.call_if(is_called, what, cause, place, url, &occasion);
            }
            (ErrorUrls::Media | ErrorUrls::Fetched, Reached::Choice) => {
                "this profile reports no failure before an ad is chosen"
            }
            (ErrorUrls::Fetched, Reached::Fetch) => "this profile reports no media that cannot be fetched",
            (ErrorUrls::Shown, Reached::Choice | Reached::Fetch | Reached::Media) => {
                "this profile reports no failure before the impression"
            }
        };
        self.not_called(rules::PRD_16, (BeaconLine::Error.name(), why), cause, place.0, url);
    }

    /// Logs that a profile does not call this URL of a hop.
    fn not_called(
        &mut self,
        rule: RuleId,
        (tracker, why): (&'static str, &'static str),
        cause: Cause,
        hop: usize,
        url: &Url,
    ) {
        let data = Fields::one("tracker", tracker).with("url", Text::from(&url.text)).with("why", why);
        self.out.line_because(cause, rule, AdLine::NotCalled, data.with("hop", hop));
    }

    /// Calls the `notUsed` trackers of one hop. Rule SEL-5.
    pub(in crate::ads) fn not_used(&mut self, cause: Cause, index: usize, hop: &Hop) {
        let (event, occasion) = ("notUsed", self.occasion());
        for url in of_event(hop, self.kind, event) {
            self.call(rules::SEL_5, event, cause, (index, hop.ad().id.as_ref()), url, &occasion);
        }
    }

    /// Calls these URLs of each hop, in the order that the profile has. Rule PRD-17.
    pub(in crate::ads) fn call_each<'h, Urls: IntoIterator<Item = &'h Url>>(
        &mut self,
        rule: RuleId,
        name: &'static str,
        cause: Cause,
        hops: &'h [Hop],
        urls: impl Fn(&'h Hop) -> Urls,
        occasion: &Occasion<'_>,
    ) {
        for (index, hop) in in_order(hops, name, self.knobs().ad_tracker_order) {
            let place = (index, hop.ad().id.as_ref());
            for url in urls(hop) {
                self.call(rule, name, cause, place, url, occasion);
            }
            if self.repeats(index, hops) {
                for url in urls(hop) {
                    self.call(rules::PRD_28, name, cause, place, url, occasion);
                }
            }
        }
    }

    /// Calls one URL. An empty one and `about:blank` are not called, nor is a relative one in some profiles.
    pub(in crate::ads) fn call(
        &mut self,
        rule: RuleId,
        name: &'static str,
        cause: Cause,
        place: (usize, Option<&Arc<str>>),
        url: &Url,
        occasion: &Occasion<'_>,
    ) {
        self.call_if(self.macros.calls(&url.text), (rule, name), cause, place, url, occasion);
    }

    fn call_if(
        &mut self,
        is_called: bool,
        (rule, name): (RuleId, &'static str),
        cause: Cause,
        (hop, ad): (usize, Option<&Arc<str>>),
        url: &Url,
        occasion: &Occasion<'_>,
    ) {
        if url.text.is_empty() || &*url.text == "about:blank" {
            return;
        }
        if !is_called {
            let why = "this profile calls only absolute tracker URLs";
            return self.not_called(rules::PRD_14, (name, why), cause, hop, url);
        }
        let data = Fields::one("url", self.macros.fill(&url.text, occasion))
            .with("hop", hop)
            .with_some("ad", ad.map(Text::from));
        self.out.put_because(cause, rule, Output::Line(Line::beacon(name, data)));
    }

    /// Returns whether the trackers of this hop are called again: one profile does so with those of the ad itself. Rule
    /// PRD-28.
    pub(in crate::ads) fn repeats(&self, hop: usize, hops: &[Hop]) -> bool {
        self.knobs().ad_tracker_calls == TrackerCalls::Twice && hop + 1 == hops.len()
    }

    /// Opens a URL because of a click.
    pub(in crate::ads) fn navigate(
        &mut self,
        rule: RuleId,
        cause: Cause,
        url: &Arc<str>,
        occasion: &Occasion<'_>,
    ) {
        let data = Fields::one("url", self.macros.fill(url, occasion));
        self.out.line_because(cause, rule, UiLine::Navigate, data);
    }
}

/// The tracker URLs of an event on one hop.
fn of_event<'h>(hop: &'h Hop, kind: BreakKind, event: &'static str) -> impl Iterator<Item = &'h Url> {
    hop.trackers(kind).filter(move |tracking| *tracking.event == *event).map(|tracking| &tracking.url)
}

/// The hops with their numbers, in the order in which their trackers of this name are called. Rule PRD-17.
pub(in crate::ads) fn in_order<'h>(
    hops: &'h [Hop],
    name: &'static str,
    order: TrackerOrder,
) -> impl Iterator<Item = (usize, &'h Hop)> {
    let is_apart = name == "impression" || name == BeaconLine::Error.name();
    let begins_inside = match order {
        TrackerOrder::Outermost => false,
        TrackerOrder::Innermost => true,
        TrackerOrder::ImpressionsApart => !is_apart,
    };
    (0..hops.len()).map(move |turn| {
        let index = if begins_inside { hops.len() - 1 - turn } else { turn };
        (index, &hops[index])
    })
}
