//! Ads that cannot be used: where they are reported, and which ad replaces them.
//!
//! Rules: REQ-3, REQ-5, BRK-5, BRK-9, BRK-12, SEL-2, SEL-3.

use super::resolve::Budget;
use super::{Course, Onward, fire_ad_error};
use crate::ads::ad_break::state::State;
use crate::ads::error::{AdErrorCode, Audience, Failure};
use crate::ads::report::services::AdServices;
use crate::ads::report::tracking::BeaconSender;
use crate::ads::request::chain::{Replacement, Yield};
use crate::ads::request::hop::Hop;
use crate::ads::request::pod::Form;
use crate::ads::show::linear::Prepared;
use crate::api::{AdLine, Cause, Outbox, Text};
use crate::knobs::AfterStartError;
use crate::rules;
use crate::time::Time;
use crate::vast::{AdKind, Document};

impl Course {
    /// The current ad failed before it started. Rule REQ-3.
    pub(in crate::ads) fn ad_failed(
        &mut self,
        now: Time,
        failure: &Failure,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> State {
        self.reject(now, failure, None, services, out);
        self.go_on(now, Budget::Until(now + services.knobs.ad_timeout), services, out)
    }

    /// The current ad was ready but can no longer be started: it counts as never having been ready. Rules
    /// SEL-12, VPAID-4.
    pub(in crate::ads) fn start_failed(
        &mut self,
        now: Time,
        ad: &Prepared,
        failure: &Failure,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> State {
        if ad.part == 0 {
            self.chain.take_back_ready();
        }
        self.media_failed(now, ad, failure, services, out)
    }

    /// The current ad failed after it started. Rules BRK-5, BRK-12.
    pub(in crate::ads) fn ad_broke(
        &mut self,
        now: Time,
        code: AdErrorCode,
        hops: &[Hop],
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> State {
        // This ends the ad, so `adError` fires whatever the scope of tag errors. BRK-5
        fire_ad_error(code, rules::BRK_12, out);
        BeaconSender { now, kind: self.kind, macros: services.macros, out }.errors(code, hops, None);
        self.call_break_error(now, code, out.cause(), services, out);
        let onward = match services.knobs.ad_after_start_error {
            AfterStartError::NextTag => {
                let limit = now + services.knobs.ad_timeout;
                return self.go_on(now, Budget::Until(limit), services, out);
            }
            // The tag goes on until its pod is done.
            AfterStartError::NextPod if self.chain.has_pod_due() => {
                let limit = now + services.knobs.ad_timeout;
                return self.go_on(now, Budget::Until(limit), services, out);
            }
            AfterStartError::NextPod => Onward::Pod,
            AfterStartError::EndBreak => Onward::End,
        };
        self.leave_tag(onward, out);
        self.ask_tag(now, services, out)
    }

    /// The current ad, or the whole tag if it has no document yet, cannot be used: logs that, calls the
    /// `Error` URLs on the way to it, and lets another ad replace it. Rules REQ-3, REQ-5.
    pub(in crate::ads) fn reject(
        &mut self,
        now: Time,
        failure: &Failure,
        empty: Option<&Document>,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) {
        let failure = failure.clone().or_at(self.place_in_turn());
        let line = self.report(now, &failure, empty, services, out);
        self.replace(&failure, (Form::StandAlone, line), now, services, out);
    }

    /// The place of the current ad; for a wrapper, that of the URL in it.
    fn place_in_turn(&self) -> Option<Text> {
        let hop = self.chain.hops().last()?;
        let ad = hop.ad();
        let leads = match &ad.kind {
            AdKind::Wrapper(wrapper) => wrapper.tag_uri.as_ref().map(|uri| uri.at),
            AdKind::Inline | AdKind::Broken(_) => None,
        };
        Some(hop.place(leads.unwrap_or(ad.at)))
    }

    /// Logs that the current ad cannot be used, and calls the `Error` URLs of all hops. Returns the line, or
    /// the current cause if there is no line. Rule REQ-5.
    pub(in crate::ads) fn report(
        &self,
        now: Time,
        failure: &Failure,
        empty: Option<&Document>,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> Cause {
        let because = out.cause();
        let mut line = because;
        let hops: Vec<Hop> = self.chain.hops().collect();
        if let Some(hop) = hops.last() {
            let id = hop.ad().id.as_ref().map(Text::from);
            let data = self.failure_data(self.waterfalls.place().fields().with_some("ad", id), failure);
            let data = data.with_some("refused", failure.refused.clone());
            line = out.line(failure.rule, AdLine::Reject, data);
        }
        out.set_cause(line);
        match failure.audience {
            Audience::All | Audience::Addresses => {
                let mut beacons = BeaconSender { now, kind: self.kind, macros: services.macros, out };
                beacons.errors(failure.code, &hops, empty);
            }
            Audience::Page => {}
        }
        out.set_cause(because);
        line
    }

    /// Replaces the current ad by one of the reserve, and reports the failure of a pod ad. `after` is the
    /// form of the response after a wrapper: its pod ads were already reported. `line` is the line that
    /// reports the failure. Rules BRK-9, SEL-2, SEL-3.
    pub(in crate::ads) fn replace(
        &mut self,
        failure: &Failure,
        (after, line): (Form, Cause),
        now: Time,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) {
        match (self.chain.form(), after, self.chain.yielded()) {
            (Form::StandAlone, _, _)
            | (Form::VastPod | Form::RefusedPod, Form::VastPod | Form::RefusedPod, _) => {}
            // It is still undecided whether the tag fills; if not, it fails as a whole, with one `adError`.
            (Form::VastPod | Form::RefusedPod, Form::StandAlone, Yield::Nothing) => {
                self.chain.hold(failure.clone(), line);
            }
            (
                Form::VastPod | Form::RefusedPod,
                Form::StandAlone,
                Yield::Ready | Yield::Started | Yield::Played,
            ) => {
                self.pod_ad_failed(failure.page_code(), now, services, out);
            }
        }
        let place = self.waterfalls.place();
        let hop = self.chain.hops().last();
        let instead_of = hop.as_ref().and_then(|hop| hop.ad().id.as_ref()).map(Text::from);
        let (rule, name, ad, why) = match self.chain.reject(failure, services.knobs) {
            Replacement::Nobody => return,
            Replacement::Reserve(ad) => (rules::SEL_2, AdLine::Replace, ad, None),
            Replacement::Fallback(ad) => (rules::SEL_3, AdLine::Fallback, ad, None),
            Replacement::Forbidden { ad, why, rule } => (rule, AdLine::NoReplace, ad, Some(why)),
        };
        let data = place.fields().with_some("ad", ad.id.as_ref().map(Text::from));
        let data = data
            .with_some("instead_of", instead_of)
            .with_some("why", why)
            .with_some("at", hop.map(|hop| hop.place(ad.at)));
        out.line(rule, name, data);
    }
}
