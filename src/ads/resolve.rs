//! What comes next in a break: the next hop, ad, tag or pod, or the end. An ad that has all it needs is `ready`.
//!
//! A tag's time limit stops fetching, not showing: when it has passed, wrappers of the tag fail, ads that
//! are there already can still be used. The limit is that of one stretch of fetching; an ad of a pod that
//! is fetched after another was shown has its own.
//!
//! Rules: REQ-1 to REQ-11, REQ-16, REQ-17, BRK-8 to BRK-12, BRK-23, VX-2, VX-3.

use std::sync::Arc;

use super::ad_break::State;
use super::beside::Beside;
use super::chain::{Chain, Turn, Yield};
use super::course::{Course, Onward, tell_error, warn};
use super::creative::{self, Choice};
use super::error::{AdErrorCode, Failure};
use super::linear::Prepared;
use super::macros::{AdAtHand, Occasion};
use super::nonlinear;
use super::pod::Form;
use super::tracking::{Hop, Teller};
use super::verification;
use super::waterfall::is_address;
use super::{AdServices, BreakKind};
use crate::api::{Answer, EventName, Fetched, Fields, Kind, Outbox, Purpose, Text};
use crate::knobs::{AdEngine, AfterStartError};
use crate::rule;
use crate::time::{Position, Time};
use crate::vast::{AdKind, Document, Root};

/// How long documents may still be fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Budget {
    Until(Time),
    Spent,
}

impl Course {
    /// Asks for the tag in turn, or ends the break if there is none. Rules REQ-1, REQ-2, REQ-16.
    pub(super) fn ask_tag(&mut self, now: Time, services: &mut AdServices<'_>, out: &mut Outbox) -> State {
        self.chain = Chain::default();
        self.has_manager = false;
        while let Some(tag) = self.waterfalls.tag() {
            if std::mem::take(&mut self.has_bid) {
                out.line(rule!("REQ-13"), Kind::Ad, "bid", Fields::one("url", Text::from(tag)));
                out.event(rule!("REQ-13"), EventName::BidWon);
            }
            if is_address(tag) {
                let url = services.macros.fill_tag(tag, &mut Occasion::new(now, self.kind));
                out.event(rule!("REQ-1"), EventName::RequestAd);
                let pending = self.request(Purpose::AdTag, Some(0), url, out);
                return State::Fetching { pending, limit: now + services.knobs.ad_timeout };
            }
            let why = format!("the tag \"{tag}\" is no address");
            self.tag_failed(&Failure::new(AdErrorCode::Undefined, why).by(rule!("REQ-16")), out);
        }
        self.end(out)
    }

    /// A document was answered, or could not be had. Rules REQ-3, REQ-11.
    pub(super) fn answered(
        &mut self,
        now: Time,
        limit: Time,
        fetched: &Fetched,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> State {
        let budget = Budget::Until(limit);
        let failure = match fetched {
            Fetched::Failed(fault) => {
                self.set_last_document(self.chain.text().cloned());
                Failure::new(AdErrorCode::Timeout, format!("the connection failed: {}", fault.word()))
            }
            Fetched::Answer(answer) => {
                let body = Some(&answer.text).filter(|text| !text.is_empty());
                self.set_last_document(body.or(self.chain.text()).cloned());
                match self.read(answer, out) {
                    Ok(()) => return self.go_on(now, budget, services, out),
                    Err(failure) => failure,
                }
            }
        };
        let empty = match fetched {
            // Only an empty answer's own addresses are told: it is no general hook. VAST 4.3 section 3.2.1
            Fetched::Answer(answer) if failure.code == AdErrorCode::NoAd => Some(&*answer.document),
            Fetched::Answer(_) | Fetched::Failed(_) => None,
        };
        self.reject(now, &failure, empty, services, out);
        self.go_on(now, budget, services, out)
    }

    /// The tag in turn has no time left to fetch documents. Rules REQ-7, VX-3.
    pub(super) fn tag_timed_out(
        &mut self,
        now: Time,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> State {
        self.set_last_document(self.chain.text().cloned());
        let failure = Failure::new(AdErrorCode::Timeout, "no answer in time");
        self.reject(now, &failure, None, services, out);
        self.go_on(now, Budget::Spent, services, out)
    }

    /// The ad in turn failed before it started. Rule REQ-3.
    pub(super) fn ad_failed(
        &mut self,
        now: Time,
        failure: &Failure,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> State {
        self.reject(now, failure, None, services, out);
        self.go_on(now, Budget::Until(now + services.knobs.ad_timeout), services, out)
    }

    /// The ad in turn failed after it started. Rules BRK-5, BRK-12.
    pub(super) fn ad_broke(
        &mut self,
        now: Time,
        code: AdErrorCode,
        hops: &[Hop],
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> State {
        // It ends the ad, so it is told whatever is told of tags. BRK-5
        tell_error(code, rule!("BRK-12"), out);
        Teller { now, kind: self.kind, macros: services.macros, out }.errors(code.number(), hops, None);
        let onward = match services.knobs.ad_after_start_error {
            AfterStartError::NextTag => {
                let limit = now + services.knobs.ad_timeout;
                return self.go_on(now, Budget::Until(limit), services, out);
            }
            AfterStartError::NextPod => Onward::Pod,
            AfterStartError::EndBreak => Onward::End,
        };
        self.leave_tag(onward, out);
        self.ask_tag(now, services, out)
    }

    /// The ad in turn was shown to its end, or skipped. Rules BRK-9, BRK-14.
    pub(super) fn ad_played(&mut self, now: Time, services: &mut AdServices<'_>, out: &mut Outbox) -> State {
        self.chain.mark_played();
        self.go_on(now, Budget::Until(now + services.knobs.ad_timeout), services, out)
    }

    /// Takes turn after turn until something must be waited for.
    fn go_on(&mut self, now: Time, budget: Budget, services: &mut AdServices<'_>, out: &mut Outbox) -> State {
        loop {
            match self.chain.next_turn() {
                Turn::Ad => match self.take_turn(now, budget, services, out) {
                    Ok(state) => return state,
                    Err(failure) => self.reject(now, &failure, None, services, out),
                },
                // Every ad behind the wrapper has told its own failure, wrappers included.
                Turn::LedNowhere { failure, form } => self.replace(&failure, form, out),
                Turn::Exhausted => break,
            }
        }
        match self.chain.yielded() {
            Yield::Nothing => {
                let chain = std::mem::take(&mut self.chain);
                let failure = chain.into_failure();
                let nothing = || Failure::new(AdErrorCode::NoAd, "the tag has no ad");
                self.tag_failed(&failure.unwrap_or_else(nothing), out);
            }
            // What started did not get to its end. BRK-12
            Yield::Ready => self.leave_tag(Onward::Tag, out),
            Yield::Played => self.leave_tag(Onward::Pod, out),
        }
        self.ask_tag(now, services, out)
    }

    /// Uses the ad in turn: follows a wrapper, or asks for an ad's media.
    fn take_turn(
        &mut self,
        now: Time,
        budget: Budget,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> Result<State, Failure> {
        let mut hops: Vec<Hop> = self.chain.hops().collect();
        let hop = hops.pop().expect("a turn is that of an ad of some document");
        let ad = hop.ad();
        match &ad.kind {
            AdKind::Broken => Err(Failure::at(
                AdErrorCode::Schema,
                "the ad holds neither InLine nor Wrapper, or both",
                hop.place(ad.at),
            )),
            AdKind::Wrapper(wrapper) => {
                let limit = match budget {
                    Budget::Until(limit) => limit,
                    Budget::Spent => {
                        return Err(Failure::at(
                            AdErrorCode::Timeout,
                            "no time is left for a wrapper",
                            hop.place(ad.at),
                        ));
                    }
                };
                if self.chain.depth() > services.knobs.ad_max_wrappers {
                    let why = format!("more than {} wrappers", services.knobs.ad_max_wrappers);
                    return Err(Failure::at(AdErrorCode::WrapperLimit, why, hop.place(ad.at)));
                }
                let Some(uri) = wrapper.tag_uri.as_ref().filter(|uri| !uri.text.is_empty()) else {
                    return Err(Failure::at(
                        AdErrorCode::Wrapper,
                        "the wrapper has no address",
                        hop.place(ad.at),
                    ));
                };
                let way: Vec<Hop> = self.chain.hops().collect();
                let url = services.macros.fill(&uri.text, &Occasion::new(now, self.kind).behind(&way));
                let pending = self.request(Purpose::Wrapper, Some(self.chain.depth()), url, out);
                Ok(State::Fetching { pending, limit })
            }
            AdKind::Inline => {
                let (choice, overlay) = self.choose(&hop, services)?;
                if services.knobs.ad_engine == AdEngine::Sdk
                    && !std::mem::replace(&mut self.has_manager, true)
                {
                    out.event(rule!("REQ-12"), EventName::AdsManagerLoaded);
                }
                let (rule, name) = match choice.url {
                    Some(_) => (rule!("REQ-3"), "select-media"),
                    None => (rule!("OVL-1"), "select-overlay"),
                };
                out.line(rule, Kind::Ad, name, choice.data);
                if let Some((code, text)) = choice.tolerated {
                    warn(rule!("REQ-17"), code, text, Some(hop.place(ad.at)), out);
                }
                hops.push(hop.showing(choice.creative).choosing(overlay));
                let hops: Arc<[Hop]> = hops.into();
                let beside = Beside::of(&hops, self.kind, services)?;
                let at_hand =
                    AdAtHand { playhead: Position::ZERO, asset: choice.url.as_deref(), hops: &hops };
                let mut teller = Teller { now, kind: self.kind, macros: services.macros, out };
                verification::run(services.sides, at_hand, &mut teller);
                let Some(media) = choice.url else {
                    return Ok(self.overlay_ready(now, hops, beside, None, services, out));
                };
                let pending = self.request(Purpose::Media, None, Arc::clone(&media), out);
                let ad = Prepared { hops, media, is_vpaid: choice.is_vpaid, beside };
                Ok(State::LoadingMedia { pending, limit: now + services.knobs.ad_media_timeout, ad })
            }
        }
    }

    /// What is shown of an ad, and which of a creative's overlays. Rules REQ-3, ADX-21.
    fn choose(&self, hop: &Hop, services: &AdServices<'_>) -> Result<(Choice, usize), Failure> {
        if self.kind == BreakKind::Overlay {
            nonlinear::choose(hop, services.sides, services.macros.area())
        } else {
            creative::choose(hop).map(|choice| (choice, 0))
        }
    }

    /// Judges an answer and puts its document on the chain. Rules REQ-3, REQ-6.
    fn read(&mut self, answer: &Answer, out: &mut Outbox) -> Result<(), Failure> {
        if !(200..300).contains(&answer.status) {
            return Err(Failure::new(AdErrorCode::Timeout, format!("the status is {}", answer.status)));
        }
        let document = &answer.document;
        for warning in &document.warnings {
            let at = format!("{}:{}", answer.name, warning.at);
            warn(rule!("REQ-17"), warning.code, Text::from(&warning.text), Some(at.into()), out);
        }
        if let Some(fault) = &document.fault {
            let at = format!("{}:{}", answer.name, fault.at).into();
            return Err(Failure::at(AdErrorCode::of(fault.code), Text::from(&fault.text), at));
        }
        match &document.root {
            Root::Vast => {}
            Root::Vmap => {
                return Err(Failure::new(
                    AdErrorCode::Unexpected,
                    "the answer is VMAP; its breaks are not played",
                ));
            }
            Root::Vast1 => return Err(Failure::new(AdErrorCode::Version, "the answer is VAST 1")),
            Root::None => return Err(Failure::new(AdErrorCode::Xml, "the answer is not XML")),
            Root::Other(name) => {
                return Err(Failure::new(AdErrorCode::Schema, format!("the root element is \"{name}\"")));
            }
        }
        let (pushed, ignored) = self.chain.push(answer, self.chain.admission());
        for ignored in &ignored {
            let ad = &document.ads[ignored.ad];
            let data = self
                .waterfalls
                .place()
                .fields()
                .with_some("ad", ad.id.as_ref().map(Text::from))
                .with("why", ignored.why)
                .with("at", format!("{}:{}", answer.name, ad.at));
            out.line(rule!("REQ-17"), Kind::Ad, "ignore", data);
        }
        let why = if document.ads.is_empty() { "the answer has no ad" } else { "no ad of the answer counts" };
        if pushed { Ok(()) } else { Err(Failure::at(AdErrorCode::NoAd, why, Text::from(&answer.name))) }
    }

    /// The ad in turn, or the whole tag if it has no document yet, cannot be used: says so, tells the
    /// error addresses on the way to it, and lets another ad step in. Rules REQ-3, REQ-5.
    fn reject(
        &mut self,
        now: Time,
        failure: &Failure,
        empty: Option<&Document>,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) {
        let hops: Vec<Hop> = self.chain.hops().collect();
        if let Some(hop) = hops.last() {
            let id = hop.ad().id.as_ref().map(Text::from);
            let data = self.failure_data(self.waterfalls.place().fields().with_some("ad", id), failure);
            out.line(failure.rule, Kind::Ad, "reject", data);
        }
        let mut teller = Teller { now, kind: self.kind, macros: services.macros, out };
        teller.errors(failure.code.number(), &hops, empty);
        self.replace(failure, Form::StandAlone, out);
    }

    /// Lets an ad of the reserve step in for the ad in turn, and tells of a pod ad. `behind`: what the
    /// answer was that led nowhere; ads of a pod have been told of already. Rule BRK-9.
    fn replace(&mut self, failure: &Failure, behind: Form, out: &mut Outbox) {
        match (self.chain.form(), behind, self.chain.yielded()) {
            (Form::StandAlone, _, _) | (Form::VastPod, Form::VastPod, _) => {}
            // Whether the tag fills is open: if not, it fails as a whole, with one adError.
            (Form::VastPod, Form::StandAlone, Yield::Nothing) => self.chain.hold(failure.clone()),
            (Form::VastPod, Form::StandAlone, Yield::Ready | Yield::Played) => {
                self.pod_ad_failed(failure.code, out);
            }
        }
        let place = self.waterfalls.place();
        if let Some(ad) = self.chain.reject(failure) {
            let data = place.fields().with_some("ad", ad.id.as_ref().map(Text::from));
            out.line(rule!("BRK-9"), Kind::Ad, "replace", data);
        }
    }
}
