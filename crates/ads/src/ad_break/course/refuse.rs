//! Ads that cannot be used: where they are reported, and which ad replaces them.
//!
//! Rules: REQ-3, REQ-5, BRK-5, BRK-9, BRK-12, SEL-2, SEL-3.

use super::resolve::Budget;
use super::{Course, Onward, fire_ad_error};
use crate::ad_break::state::State;
use crate::error::{AdErrorCode, Audience, Failure, Reached};
use crate::report::context::Scope;
use crate::request::chain::{Replacement, Yield};
use crate::request::hop::Hop;
use crate::request::pod::Form;
use crate::show::linear::Prepared;
use playsim_api::{AdLine, Cause, Event, EventName, Fields, Text};
use playsim_rules as rules;
use playsim_rules::knobs::AfterStartError;
use playsim_vast::{AdKind, Document};

impl Course {
    /// The current ad failed before it started. Rule REQ-3.
    pub(crate) fn ad_failed(&mut self, failure: &Failure, cx: &mut Scope<'_>) -> State {
        self.reject(failure, None, cx);
        self.go_on(Budget::Until(cx.now() + cx.knobs().ad_timeout()), cx)
    }

    /// The current ad was ready but can no longer be started: it counts as never having been ready.
    /// Rules SEL-12, VPAID-4.
    pub(crate) fn start_failed(
        &mut self,
        ad: &Prepared,
        failure: &Failure,
        cx: &mut Scope<'_>,
    ) -> State {
        if ad.part == 0 {
            self.chain.take_back_ready();
        }
        self.media_failed(ad, failure, cx)
    }

    /// The browser does not let the ad start that is ready, nor any other: the break ends. Rule
    /// PLAY-24.
    pub(crate) fn start_refused(
        &mut self,
        ad: &Prepared,
        why: &'static str,
        cx: &mut Scope<'_>,
    ) -> State {
        if ad.part == 0 {
            self.chain.take_back_ready();
        }
        let failure = Failure::of_refused_start(why, cx.knobs().ad_engine()).or_at(ad.at.clone());
        let line = self.report(&failure, None, cx);
        let message = failure.code.message();
        let message = match failure.inner {
            Some(inner) => {
                format!("{message}; inner error {inner}: the browser did not allow autoplay").into()
            }
            None => Text::Static(message),
        };
        let data = Fields::one("code", failure.code.number()).with("message", message);
        if self.has_parts_to_come() {
            self.pending_error = Some(failure.page_code());
        } else if self.offset_pod().is_none_or(|pod| !pod.is_filled) {
            cx.out.event(
                rules::PLAY_24,
                Event {
                    name: EventName::AdError,
                    data,
                },
            );
        }
        self.call_break_error(failure.code, line, cx);
        self.cut("the browser does not let it start", cx)
    }

    /// The current ad failed after it started. Rules BRK-5, BRK-12.
    pub(crate) fn ad_broke(
        &mut self,
        code: AdErrorCode,
        hops: &[Hop],
        cx: &mut Scope<'_>,
    ) -> State {
        // This ends the ad, so `adError` fires whatever the scope of tag errors. BRK-5
        fire_ad_error(code, rules::BRK_12, cx);
        cx.errors(code, Reached::Impression, hops, None);
        self.call_break_error(code, cx.out.cause(), cx);
        let onward = match cx.knobs().ad_after_start_error() {
            AfterStartError::NextTag => {
                let limit = cx.now() + cx.knobs().ad_timeout();
                return self.go_on(Budget::Until(limit), cx);
            }
            // The tag continues until its pod is done.
            AfterStartError::NextPod if self.chain.has_pod_due() => {
                let limit = cx.now() + cx.knobs().ad_timeout();
                return self.go_on(Budget::Until(limit), cx);
            }
            AfterStartError::NextPod => Onward::Pod,
            AfterStartError::EndBreak => Onward::End,
        };
        self.leave_tag(onward, cx);
        self.ask_tag(cx)
    }

    /// The current ad, or the whole tag if it has no document yet, cannot be used: logs that, calls
    /// the `Error` URLs on the way to it, and lets another ad replace it. Rules REQ-3, REQ-5.
    pub(crate) fn reject(
        &mut self,
        failure: &Failure,
        empty: Option<&Document>,
        cx: &mut Scope<'_>,
    ) {
        let failure = failure.clone().or_at(self.place_in_turn());
        let line = self.report(&failure, empty, cx);
        self.replace(&failure, Form::StandAlone, line, cx);
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

    /// Logs that the current ad cannot be used, and calls the `Error` URLs of all hops. Returns the
    /// line, or the current cause if there is no line. Rule REQ-5.
    pub(crate) fn report(
        &self,
        failure: &Failure,
        empty: Option<&Document>,
        cx: &mut Scope<'_>,
    ) -> Cause {
        let because = cx.out.cause();
        let mut line = because;
        let hops: Vec<Hop> = self.chain.hops().collect();
        if let Some(hop) = hops.last() {
            let data = self.failure_data(self.waterfalls.place().of_ad(hop), failure);
            let data = data.with_some("refused", failure.refused.clone());
            line = cx.out.line(failure.rule, AdLine::Reject, data);
        }
        cx.out.set_cause(line);
        match failure.audience {
            Audience::All | Audience::Addresses => {
                cx.errors(failure.code, failure.reached, &hops, empty);
            }
            Audience::Page => {}
        }
        cx.out.set_cause(because);
        line
    }

    /// Replaces the current ad by one of the reserve, and reports the failure of a pod ad. `after`
    /// is the form of the response after a wrapper: its pod ads were already reported. `line` is
    /// the line that reports the failure. Rules BRK-9, SEL-2, SEL-3.
    pub(crate) fn replace(
        &mut self,
        failure: &Failure,
        after: Form,
        line: Cause,
        cx: &mut Scope<'_>,
    ) {
        match (self.chain.form(), after, self.chain.yielded()) {
            (Form::StandAlone, _, _)
            | (Form::VastPod | Form::RefusedPod, Form::VastPod | Form::RefusedPod, _) => {}
            // It is still undecided whether the tag fills; if not, it fails as a whole, with one
            // `adError`.
            (Form::VastPod | Form::RefusedPod, Form::StandAlone, Yield::Nothing) => {
                self.chain.hold(failure.clone(), line);
            }
            (
                Form::VastPod | Form::RefusedPod,
                Form::StandAlone,
                Yield::Ready | Yield::Started | Yield::Played,
            ) => {
                self.pod_ad_failed(failure.page_code(), cx);
            }
        }
        let place = self.waterfalls.place();
        let hop = self.chain.hops().last();
        let instead_of = hop.as_ref().and_then(Hop::id);
        let (rule, name, ad, why) = match self.chain.reject(failure, cx.knobs()) {
            Replacement::Nobody => return,
            Replacement::Reserve(ad) => (rules::SEL_2, AdLine::Replace, ad, None),
            Replacement::Fallback(ad) => (rules::SEL_3, AdLine::Fallback, ad, None),
            Replacement::Forbidden { ad, why, rule } => (rule, AdLine::NoReplace, ad, Some(why)),
        };
        let data = place
            .fields()
            .with_some("ad", ad.id.as_ref().map(Text::from));
        let data = data
            .with_some("instead_of", instead_of)
            .with_some("why", why)
            .with_some("at", hop.map(|hop| hop.place(ad.at)));
        cx.out.line(rule, name, data);
    }
}
