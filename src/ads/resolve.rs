//! What comes next in a break: the next hop, ad, tag or pod, or the end. An ad that has all it needs is `ready`.
//!
//! A tag's time limit stops fetching, not showing: when it has passed, wrappers of the tag fail, ads that
//! are there already can still be used. The limit is that of one stretch of fetching; an ad of a pod that
//! is fetched after another was shown has its own. What an answer holds is judged in `answer`, what becomes
//! of an ad that cannot be used in `refuse`.
//!
//! Rules: REQ-1, REQ-2, REQ-7, REQ-8, REQ-12, REQ-13, REQ-16, BRK-8 to BRK-12, CHN-1 to CHN-3, CHN-6, CHN-7,
//! CHN-10.

use std::sync::Arc;

use super::ad_break::State;
use super::beside::Beside;
use super::chain::{Chain, Turn, Yield};
use super::course::{Course, Onward, warn};
use super::creative;
use super::error::{AdErrorCode, Failure};
use super::limits::Deadline;
use super::linear::Prepared;
use super::macros::{AdAtHand, Occasion};
use super::nonlinear;
use super::overlay::Laid;
use super::select;
use super::tracking::{Hop, Teller};
use super::unit::Moment;
use super::verification;
use super::waterfall::is_address;
use super::{AdServices, BreakKind};
use crate::api::{Decimal, EventName, Fields, Kind, Outbox, Purpose, Text};
use crate::knobs::{AdEngine, Knobs, LimitCounts};
use crate::rule;
use crate::time::{Position, Time};
use crate::vast::{Ad, AdKind, Wrapper};

/// How long documents of a tag may still be fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Budget {
    Until(Time),
    Spent,
}

impl Course {
    /// Asks for the tag in turn, or ends the break if there is none. Rules REQ-1, REQ-2, REQ-16.
    pub(super) fn ask_tag(&mut self, now: Time, services: &mut AdServices<'_>, out: &mut Outbox) -> State {
        self.tell_unused(now, services, out);
        self.chain = Chain::default();
        self.has_manager = false;
        if let Some(state) = self.ask_source(now, services, out) {
            return state;
        }
        while let Some(tag) = self.waterfalls.tag() {
            if std::mem::take(&mut self.has_bid) {
                out.line(rule!("REQ-13"), Kind::Ad, "bid", Fields::one("url", Text::from(tag)));
                out.event(rule!("REQ-13"), EventName::BidWon);
            }
            if is_address(tag) {
                let url = services.macros.fill_tag(tag, &mut Occasion::new(now, self.kind));
                out.event(rule!("REQ-1"), EventName::RequestAd);
                let pending = self.request(Purpose::AdTag, Some(0), url, out);
                let limit = self.document_limit(now, now + services.knobs.ad_timeout, services.knobs);
                return State::Fetching { pending, limit };
            }
            let why = format!("the tag \"{tag}\" is no address");
            let failure = Failure::new(AdErrorCode::Undefined, why).by(rule!("REQ-16"));
            self.tag_failed(&failure, now, services, out);
        }
        self.end(now, services, out)
    }

    /// The ad in turn was shown to its end, or skipped. Rules BRK-9, BRK-14.
    pub(super) fn ad_played(&mut self, now: Time, services: &mut AdServices<'_>, out: &mut Outbox) -> State {
        self.chain.mark_played();
        self.go_on(now, Budget::Until(now + services.knobs.ad_timeout), services, out)
    }

    /// Takes turn after turn until something must be waited for.
    pub(super) fn go_on(
        &mut self,
        now: Time,
        budget: Budget,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> State {
        loop {
            match self.chain.next_turn() {
                Turn::Ad => match self.take_turn(now, budget, services, out) {
                    Ok(state) => return state,
                    Err(failure) if failure.code == AdErrorCode::BreakShortened => {
                        return self.shorten(now, &failure, services, out);
                    }
                    Err(failure) => self.reject(now, &failure, None, services, out),
                },
                // Every ad behind the wrapper has told its own failure, wrappers included.
                Turn::LedNowhere { failure, form } => {
                    self.replace(&failure, (form, out.cause()), now, services, out);
                }
                Turn::Exhausted => break,
            }
        }
        match self.chain.yielded() {
            Yield::Nothing => {
                let failure = self.chain.take_failure();
                let nothing = || Failure::new(AdErrorCode::NoAd, "the tag has no ad");
                self.tag_failed(&failure.unwrap_or_else(nothing), now, services, out);
            }
            // What started did not get to its end. BRK-12
            Yield::Ready | Yield::Started => self.leave_tag(Onward::Tag, out),
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
        let hops: Vec<Hop> = self.chain.hops().collect();
        let hop = hops.last().expect("a turn is that of an ad of some document");
        let ad = hop.ad();
        if let Some((code, why, rule)) = self.chain.refusal() {
            return Err(Failure::at(code, why, hop.place(ad.at)).by(rule));
        }
        match &ad.kind {
            AdKind::Broken(children) => {
                let why = format!("the ad holds {}", children.in_words());
                Err(Failure::at(AdErrorCode::Schema, why, hop.place(ad.at)).by(rule!("CHN-8")))
            }
            AdKind::Wrapper(wrapper) => self.follow(now, budget, hop, (ad, wrapper), services, out),
            AdKind::Inline => {
                if let Some(until) = self.expires(hop, services.knobs).filter(|until| *until < now) {
                    return Err(expired(hop, now, until));
                }
                select::judge(&hops, self.kind, services)?;
                self.tell_category(now, &hops, services, out);
                self.prepare(now, hops, services, out)
            }
        }
    }

    /// Until when the ad of a hop may be used; `None`: whenever. Rule SEL-12.
    pub(super) fn expires(&self, hop: &Hop, knobs: &Knobs) -> Option<Time> {
        let kept = hop.ad().expires.filter(|_| knobs.ad_expires.is_on())?;
        self.chain.arrived().map(|arrived| arrived + kept)
    }

    /// Asks for the document that a wrapper points to. Rules REQ-7, REQ-8, CHN-1 to CHN-3.
    fn follow(
        &mut self,
        now: Time,
        budget: Budget,
        hop: &Hop,
        (ad, wrapper): (&Ad, &Wrapper),
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> Result<State, Failure> {
        let fails = |code, why: Text| Failure::at(code, why, hop.place(ad.at));
        let knobs = services.knobs;
        let Budget::Until(tag_limit) = budget else {
            return Err(fails(AdErrorCode::Timeout, "no time is left for a wrapper".into()));
        };
        let limit = knobs.ad_max_wrappers;
        match knobs.ad_max_wrappers_counts {
            LimitCounts::Wrappers if self.chain.depth() > limit => {
                return Err(fails(AdErrorCode::WrapperLimit, format!("more than {limit} wrappers").into()));
            }
            LimitCounts::Documents if self.chain.depth() >= limit => {
                let why = format!("more than {limit} documents, the tag's own among them");
                return Err(fails(AdErrorCode::WrapperLimit, why.into()).by(rule!("CHN-3")));
            }
            LimitCounts::Wrappers | LimitCounts::Documents => {}
        }
        let Some(uri) = wrapper.tag_uri.as_ref().filter(|uri| !uri.text.is_empty()) else {
            return Err(fails(AdErrorCode::Wrapper, "the wrapper has no address".into()));
        };
        if !self.chain.follow(knobs.ad_max_documents) {
            let why = format!("more than {} documents for one tag", knobs.ad_max_documents);
            return Err(fails(AdErrorCode::WrapperLimit, why.into()).by(rule!("CHN-10")));
        }
        let way: Vec<Hop> = self.chain.hops().collect();
        let url = services.macros.fill(&uri.text, &Occasion::new(now, self.kind).behind(&way));
        let pending = self.request(Purpose::Wrapper, Some(self.chain.depth()), url, out);
        Ok(State::Fetching { pending, limit: self.document_limit(now, tag_limit, knobs) })
    }

    /// Asks for the media of an in-line ad, or has its overlay ready. Rules REQ-3, REQ-12, OVL-1.
    fn prepare(
        &mut self,
        now: Time,
        mut hops: Vec<Hop>,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> Result<State, Failure> {
        let hop = hops.pop().expect("an ad is that of some document");
        let (choice, overlay) = match self.kind {
            BreakKind::Overlay => nonlinear::choose(&hop, services)?,
            BreakKind::Display => (creative::choose_display(&hop)?, 0),
            BreakKind::Pre | BreakKind::Mid | BreakKind::Post | BreakKind::Command => {
                let choice = creative::choose(&hop, services)?;
                self.check_length(&hop, &choice, services)?;
                (choice, 0)
            }
        };
        if services.knobs.ad_engine == AdEngine::Sdk && !std::mem::replace(&mut self.has_manager, true) {
            out.event(rule!("REQ-12"), EventName::AdsManagerLoaded);
        }
        let (rule, name) = match choice.url {
            Some(_) if choice.data.get("refused").is_some() => (rule!("SEL-14"), "select-media"),
            Some(_) if self.kind == BreakKind::Overlay => (rule!("ADX-24"), "select-media"),
            Some(_) => (rule!("SEL-7"), "select-media"),
            None if self.kind == BreakKind::Display => (rule!("VMAP-20"), "select-display"),
            None => (rule!("OVL-1"), "select-overlay"),
        };
        out.line(rule, Kind::Ad, name, choice.said());
        if let Some((code, text)) = choice.tolerated {
            warn(rule!("REQ-17"), code, text, choice.at.clone(), out);
        }
        hops.push(hop.showing(choice.creative).choosing(overlay));
        let hops: Arc<[Hop]> = hops.into();
        let beside = Beside::of(&hops, self.kind, services)?;
        let at_hand = AdAtHand { playhead: Position::ZERO, asset: choice.url.as_deref(), hops: &hops };
        let mut teller = Teller { now, kind: self.kind, macros: services.macros, out };
        verification::run(services.sides, at_hand, &mut teller);
        let Some(media) = choice.url else {
            return Ok(self.overlay_ready(now, Laid { hops, beside, film: None }, services, out));
        };
        let (is_vpaid, rest, at) = (choice.is_vpaid, choice.rest, choice.at);
        let ad = Prepared { hops, media, at, is_vpaid, page: None, beside, rest, part: 0 };
        Ok(self.ask_media(now, ad, services, out))
    }

    /// Asks for the media of an ad that is chosen. Rules REQ-9, CHN-2.
    pub(super) fn ask_media(
        &mut self,
        now: Time,
        mut ad: Prepared,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> State {
        let pending = self.request(Purpose::Media, None, ad.media.clone(), out);
        let limit = self.media_limit(now, services.knobs);
        ad.page = self.ask_page(&ad.hops, &mut Moment { now, services, out });
        State::LoadingMedia { pending, limit, ad }
    }

    /// Until when a document may come, and whose limit that is. Rules REQ-7, CHN-1, CHN-2.
    fn document_limit(&self, now: Time, tag: Time, knobs: &Knobs) -> Deadline {
        Deadline::of_document(tag, knobs.ad_hop_timeout.from(now), self.break_until)
    }

    /// Until when media may come, and whose limit that is. Rules REQ-9, CHN-2.
    pub(super) fn media_limit(&self, now: Time, knobs: &Knobs) -> Deadline {
        Deadline::of_media(now + knobs.ad_media_timeout, self.break_until)
    }
}

/// An ad whose answer is too old. Rule SEL-12.
pub(super) fn expired(hop: &Hop, now: Time, until: Time) -> Failure {
    let late = Decimal::seconds((now - until).micros());
    let why = format!("the answer has expired {late} s ago");
    Failure::at(AdErrorCode::Undefined, why, hop.place(hop.ad().at)).by(rule!("SEL-12"))
}
