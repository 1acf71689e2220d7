//! Beacons: the URLs that are called for an event, and their order.
//!
//! The trackers of all documents of the chain are called, outermost document first. If two documents have the
//! same URL, it is called twice, once for each hop.
//!
//! Rules: BRK-1, BRK-3, REQ-5, PRD-14; VAST 4.3 sections 2.3.4, 2.3.6, 3.14.

use std::sync::Arc;

use super::context::Scope;
use super::macros::{CurrentAd, Occasion};
use crate::ads::error::AdErrorCode;
use crate::ads::request::hop::Hop;
use crate::api::{AdLine, BeaconLine, Cause, Fields, Line, Output, Text};
use crate::rules::{self, RuleId};
use crate::vast::{Document, Url};

impl Scope<'_> {
    /// Calls the trackers of an event on all hops. Not for `progress`, which has offsets: see
    /// [`Scope::call`].
    pub(in crate::ads) fn track(
        &mut self,
        rule: RuleId,
        event: &'static str,
        cause: Cause,
        hops: &[Hop],
        ad: CurrentAd<'_>,
    ) {
        let mut occasion = self.occasion().with_ad(ad);
        for (index, hop) in hops.iter().enumerate() {
            for tracking in hop.trackers(self.kind).filter(|tracking| *tracking.event == *event) {
                self.call(rule, event, cause, (index, hop.ad().id.as_ref()), &tracking.url, &mut occasion);
            }
        }
    }

    /// Calls the impressions of all hops at one instant. Rule BRK-1.
    pub(in crate::ads) fn impressions(&mut self, cause: Cause, hops: &[Hop], ad: CurrentAd<'_>) {
        let mut occasion = self.occasion().with_ad(ad);
        for (index, hop) in hops.iter().enumerate() {
            for url in &hop.ad().impressions {
                self.call(
                    rules::BRK_1,
                    "impression",
                    cause,
                    (index, hop.ad().id.as_ref()),
                    url,
                    &mut occasion,
                );
            }
        }
    }

    /// Calls the `Error` URLs of all hops, and those of the root of an empty response. Rules REQ-5, REQ-6.
    pub(in crate::ads) fn errors(&mut self, code: AdErrorCode, hops: &[Hop], empty: Option<&Document>) {
        let cause = self.out.cause();
        self.errors_with(rules::REQ_5, code, cause, hops, empty);
    }

    /// Calls the `Error` URLs of all hops; `cause` is the line that reports the failure.
    pub(in crate::ads) fn errors_by(&mut self, rule: RuleId, code: AdErrorCode, cause: Cause, hops: &[Hop]) {
        self.errors_with(rule, code, cause, hops, None);
    }

    fn errors_with(
        &mut self,
        rule: RuleId,
        code: AdErrorCode,
        cause: Cause,
        hops: &[Hop],
        empty: Option<&Document>,
    ) {
        let mut occasion = self.occasion().with_code(code.number());
        for (index, hop) in hops.iter().enumerate() {
            for url in &hop.ad().errors {
                self.call(
                    rule,
                    BeaconLine::Error.name(),
                    cause,
                    (index, hop.ad().id.as_ref()),
                    url,
                    &mut occasion,
                );
            }
        }
        for url in empty.iter().flat_map(|document| &document.error_urls) {
            self.call(rules::REQ_6, BeaconLine::Error.name(), cause, (hops.len(), None), url, &mut occasion);
        }
    }

    /// Calls the `notUsed` trackers of one hop. Rule SEL-5.
    pub(in crate::ads) fn not_used(&mut self, cause: Cause, index: usize, hop: &Hop) {
        let mut occasion = self.occasion();
        for tracking in hop.trackers(self.kind).filter(|tracking| &*tracking.event == "notUsed") {
            let ad = hop.ad().id.as_ref();
            self.call(rules::SEL_5, "notUsed", cause, (index, ad), &tracking.url, &mut occasion);
        }
    }

    /// Calls one URL. An empty one and `about:blank` are not called, nor is a relative one in some profiles.
    pub(in crate::ads) fn call(
        &mut self,
        rule: RuleId,
        name: &'static str,
        cause: Cause,
        (hop, ad): (usize, Option<&Arc<str>>),
        url: &Url,
        occasion: &mut Occasion<'_>,
    ) {
        if url.text.is_empty() || &*url.text == "about:blank" {
            return;
        }
        if !self.macros.calls(&url.text) {
            let why = "this profile calls only absolute tracker URLs";
            let data = Fields::one("tracker", name).with("url", Text::from(&url.text)).with("why", why);
            let line = Line::new(AdLine::NotCalled, data.with("hop", hop));
            self.out.put_because(cause, rules::PRD_14, Output::Line(line));
            return;
        }
        let data = Fields::one("url", self.macros.fill(&url.text, occasion))
            .with("hop", hop)
            .with_some("ad", ad.map(Text::from));
        let line = Line::beacon(name, data);
        self.out.put_because(cause, rule, Output::Line(line));
    }
}
