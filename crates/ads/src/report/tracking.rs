//! Beacons: the URLs that are called for an event, and their order.
//!
//! The trackers of all documents of the chain are called, usually outermost document first. If two
//! documents have the same URL, it is called twice, once for each hop.
//!
//! Rules: BRK-1, BRK-3, REQ-5, PRD-14 to PRD-17, PRD-19; VAST 4.3 sections 2.3.4, 2.3.6, 3.14.

use std::sync::Arc;

use super::context::Scope;
use super::macros::{CurrentAd, Occasion};
use crate::error::{AdErrorCode, Reached};
use crate::request::hop::{AdOfHop, Hop, HopIndex};
use playsim_api::{
    AdLine, BeaconLine, Because, BreakKind, Cause, Fields, Line, Output, Text, UiLine,
};
use playsim_rules::knobs::{
    CreativeViewAt, ErrorUrls, RepeatedTrackers, RootErrors, TrackerCalls, TrackerOrder,
};
use playsim_rules::{self as rules, RuleId};
use playsim_vast::{Document, TrackingEvent, Url};

/// The events whose trackers an ad has called: a bit for each. Rule BRK-25.
#[derive(Debug, Clone, Copy, Default, Hash)]
pub(crate) struct Told(u64);

const _: () = assert!(TrackingEvent::ALL.len() <= u64::BITS as usize);

impl Told {
    /// Adds an event. Returns whether it is new.
    fn add(&mut self, event: TrackingEvent) -> bool {
        let bit = 1 << event as u64;
        let is_new = self.0 & bit == 0;
        self.0 |= bit;
        is_new
    }
}

impl Scope<'_> {
    /// Calls the trackers of an event on all hops. Not for `progress`, which has offsets: see
    /// [`Scope::call`].
    pub(crate) fn track(&mut self, because: Because, event: TrackingEvent, ad: CurrentAd<'_>) {
        let (kind, occasion) = (self.kind, self.occasion().with_ad(ad));
        self.call_each(
            because,
            event,
            ad.hops,
            |hop| of_event(hop, kind, event),
            &occasion,
        );
    }

    /// Calls the trackers of an event of an ad, unless they are called once and were called before.
    /// Rule BRK-25.
    pub(crate) fn track_again(
        &mut self,
        because: Because,
        event: TrackingEvent,
        ad: CurrentAd<'_>,
        told: &mut Told,
    ) {
        if told.add(event) {
            return self.track(because, event, ad);
        }
        match self.knobs().ad_repeated_trackers() {
            RepeatedTrackers::Each => self.track(because, event, ad),
            RepeatedTrackers::First => {
                let why = "this profile calls the trackers of an event the first time only";
                let once = Because {
                    rule: rules::BRK_25,
                    ..because
                };
                self.none_called(once, event, why, ad.hops);
            }
        }
    }

    /// Calls the impressions of all hops at one instant. Rule BRK-1.
    pub(crate) fn impressions(&mut self, because: Because, ad: CurrentAd<'_>) {
        let occasion = self.occasion().with_ad(ad);
        self.call_each(
            because,
            TrackingEvent::Impression,
            ad.hops,
            |hop| &hop.ad().impressions,
            &occasion,
        );
    }

    /// Calls the trackers of the start of an ad. Rule PRD-15.
    pub(crate) fn track_start(&mut self, because: Because, ad: CurrentAd<'_>) {
        self.track_view(CreativeViewAt::BeforeStart, because, ad);
        self.track(because, TrackingEvent::Start, ad);
        self.track_view(CreativeViewAt::AfterStart, because, ad);
    }

    /// Calls the `creativeView` trackers if this is when they are due; if they never are, says so
    /// before the start. Rule PRD-15.
    pub(crate) fn track_view(&mut self, now: CreativeViewAt, because: Because, ad: CurrentAd<'_>) {
        const EVENT: TrackingEvent = TrackingEvent::CreativeView;
        let by_profile = Because {
            rule: rules::PRD_15,
            ..because
        };
        match (self.knobs().creative_view_at(), now) {
            (CreativeViewAt::BeforeStart, CreativeViewAt::BeforeStart) => {
                self.track(because, EVENT, ad)
            }
            (CreativeViewAt::AfterStart, CreativeViewAt::AfterStart) => {
                self.track(by_profile, EVENT, ad)
            }
            (CreativeViewAt::Never, CreativeViewAt::BeforeStart) => {
                let why = "this profile never calls creativeView trackers";
                self.none_called(by_profile, EVENT, why, ad.hops);
            }
            (
                CreativeViewAt::BeforeStart | CreativeViewAt::AfterStart | CreativeViewAt::Never,
                CreativeViewAt::BeforeStart | CreativeViewAt::AfterStart | CreativeViewAt::Never,
            ) => {}
        }
    }

    /// Calls the `Error` URLs of all hops, and those of the root of an empty response. `reached`
    /// says how far the ad got. Rules REQ-5, REQ-6, PRD-16.
    pub(crate) fn errors(
        &mut self,
        code: AdErrorCode,
        reached: Reached,
        hops: &[Hop],
        empty: Option<&Document>,
    ) {
        let cause = self.out.cause();
        self.errors_by(
            Because {
                rule: rules::REQ_5,
                cause,
            },
            code,
            reached,
            hops,
        );
        let rules: &[RuleId] = match self.knobs().ad_root_errors() {
            RootErrors::Once => &[rules::REQ_6],
            RootErrors::Twice => &[rules::REQ_6, rules::PRD_19],
        };
        let root = AdOfHop {
            hop: HopIndex(hops.len()),
            id: None,
        };
        for rule in rules {
            for url in empty.iter().flat_map(|document| &document.error_urls) {
                self.error(Because { rule: *rule, cause }, code, reached, root, url);
            }
        }
    }

    /// Calls the `Error` URLs of all hops. The cause is the line that reports the failure. Rule
    /// PRD-16.
    pub(crate) fn errors_by(
        &mut self,
        because: Because,
        code: AdErrorCode,
        reached: Reached,
        hops: &[Hop],
    ) {
        for (index, hop) in in_order(hops, TrackingEvent::Error, self.knobs().ad_tracker_order()) {
            for url in &hop.ad().errors {
                self.error(because, code, reached, hop.ad_at(index), url);
            }
        }
    }

    /// Calls the `Error` URLs of the root elements of the hops and of the document after them. Rule
    /// CHN-7.
    pub(crate) fn root_errors(
        &mut self,
        because: Because,
        code: AdErrorCode,
        hops: &[Hop],
        last: &Document,
    ) {
        let roots = hops.iter().map(Hop::root_errors).chain([&*last.error_urls]);
        for (index, urls) in roots.enumerate() {
            let root = AdOfHop {
                hop: HopIndex(index),
                id: None,
            };
            for url in urls {
                self.error(because, code, Reached::Choice, root, url);
            }
        }
    }

    /// Calls one `Error` URL, unless the profile calls none for an ad that got only so far. Rule
    /// PRD-16.
    fn error(
        &mut self,
        because: Because,
        code: AdErrorCode,
        reached: Reached,
        ad: AdOfHop<'_>,
        url: &Url,
    ) {
        let name = BeaconLine::Error.name();
        let why = match (self.knobs().ad_error_urls(), reached) {
            (ErrorUrls::All, _)
            | (_, Reached::Impression)
            | (ErrorUrls::Media, Reached::Fetch | Reached::Media)
            | (ErrorUrls::Fetched, Reached::Media) => {
                let occasion = self.occasion().with_code(code.number());
                // Where a profile calls only some trackers, its parser calls all `Error` URLs.
                // PRD-14
                return if reached == Reached::Choice {
                    self.call_always(because, name, ad, url, &occasion);
                } else {
                    self.call(because, name, ad, url, &occasion);
                };
            }
            (ErrorUrls::Media | ErrorUrls::Fetched, Reached::Choice) => {
                "this profile reports no failure before an ad is chosen"
            }
            (ErrorUrls::Fetched, Reached::Fetch) => {
                "this profile reports no media that cannot be fetched"
            }
            (ErrorUrls::Shown, Reached::Choice | Reached::Fetch | Reached::Media) => {
                "this profile reports no failure before the impression"
            }
        };
        self.not_called(
            Because {
                rule: rules::PRD_16,
                ..because
            },
            name,
            why,
            ad.hop,
            url,
        );
    }

    /// Logs that a profile does not call the trackers of an event.
    fn none_called(
        &mut self,
        because: Because,
        event: TrackingEvent,
        why: &'static str,
        hops: &[Hop],
    ) {
        for (index, hop) in in_order(hops, event, self.knobs().ad_tracker_order()) {
            for url in of_event(hop, self.kind, event) {
                self.not_called(because, event.name(), why, index, url);
            }
        }
    }

    /// Logs that a profile does not call this URL of a hop.
    fn not_called(
        &mut self,
        because: Because,
        tracker: &'static str,
        why: &'static str,
        hop: HopIndex,
        url: &Url,
    ) {
        let data = Fields::one("tracker", tracker)
            .with("url", Text::from(&url.text))
            .with("why", why);
        self.out
            .line(because, AdLine::NotCalled, data.with("hop", hop));
    }

    /// Calls the `notUsed` trackers of one hop. Rule SEL-5.
    pub(crate) fn not_used(&mut self, cause: Cause, index: HopIndex, hop: &Hop) {
        let (event, occasion) = (TrackingEvent::NotUsed, self.occasion());
        for url in of_event(hop, self.kind, event) {
            self.call(
                Because {
                    rule: rules::SEL_5,
                    cause,
                },
                event.name(),
                hop.ad_at(index),
                url,
                &occasion,
            );
        }
    }

    /// Calls these URLs of each hop, in the order of the profile. Rule PRD-17.
    pub(crate) fn call_each<'h, Urls: IntoIterator<Item = &'h Url>>(
        &mut self,
        because: Because,
        event: TrackingEvent,
        hops: &'h [Hop],
        urls: impl Fn(&'h Hop) -> Urls,
        occasion: &Occasion<'_>,
    ) {
        for (index, hop) in in_order(hops, event, self.knobs().ad_tracker_order()) {
            for url in urls(hop) {
                self.call(because, event.name(), hop.ad_at(index), url, occasion);
            }
            if self.repeats(index, hops) {
                for url in urls(hop) {
                    let again = Because {
                        rule: rules::PRD_28,
                        ..because
                    };
                    self.call(again, event.name(), hop.ad_at(index), url, occasion);
                }
            }
        }
    }

    /// Calls one URL; `name` is that of its line in the trace. An empty one and `about:blank` are
    /// not called, nor is a relative one in some profiles.
    pub(crate) fn call(
        &mut self,
        because: Because,
        name: &'static str,
        ad: AdOfHop<'_>,
        url: &Url,
        occasion: &Occasion<'_>,
    ) {
        if self.macros.calls(&url.text) || is_blank(url) {
            self.call_always(because, name, ad, url, occasion);
        } else {
            let why = "this profile calls only absolute tracker URLs";
            self.not_called(
                Because {
                    rule: rules::PRD_14,
                    ..because
                },
                name,
                why,
                ad.hop,
                url,
            );
        }
    }

    /// Calls one URL, even if it is relative.
    fn call_always(
        &mut self,
        because: Because,
        name: &'static str,
        ad: AdOfHop<'_>,
        url: &Url,
        occasion: &Occasion<'_>,
    ) {
        if is_blank(url) {
            return;
        }
        let data = Fields::one("url", self.macros.fill(&url.text, occasion))
            .with("hop", ad.hop)
            .with_some("ad", ad.id.map(Text::from));
        self.out
            .put(because, Output::Line(Line::beacon(name, data)));
    }

    /// Whether the trackers of this hop are called again: one profile does so with those of the ad
    /// itself. Rule PRD-28.
    pub(crate) fn repeats(&self, HopIndex(hop): HopIndex, hops: &[Hop]) -> bool {
        self.knobs().ad_tracker_calls() == TrackerCalls::Twice && hop + 1 == hops.len()
    }

    /// Opens a URL because of a click.
    pub(crate) fn navigate(&mut self, because: Because, url: &Arc<str>, occasion: &Occasion<'_>) {
        let data = Fields::one("url", self.macros.fill(url, occasion));
        self.out.line(because, UiLine::Navigate, data);
    }
}

fn is_blank(url: &Url) -> bool {
    url.text.is_empty() || &*url.text == "about:blank"
}

/// The tracker URLs of an event on one hop.
fn of_event(hop: &Hop, kind: BreakKind, event: TrackingEvent) -> impl Iterator<Item = &Url> {
    hop.trackers(kind)
        .filter(move |tracking| tracking.event == event)
        .map(|tracking| &tracking.url)
}

/// The hops with their numbers, in the order in which their trackers of this event are called. Rule
/// PRD-17.
pub(crate) fn in_order(
    hops: &[Hop],
    event: TrackingEvent,
    order: TrackerOrder,
) -> impl Iterator<Item = (HopIndex, &Hop)> {
    let is_apart = matches!(event, TrackingEvent::Impression | TrackingEvent::Error);
    let begins_inside = match order {
        TrackerOrder::Outermost => false,
        TrackerOrder::Innermost => true,
        TrackerOrder::ImpressionsApart => !is_apart,
    };
    (0..hops.len()).map(move |turn| {
        let index = if begins_inside {
            hops.len() - 1 - turn
        } else {
            turn
        };
        (HopIndex(index), &hops[index])
    })
}
