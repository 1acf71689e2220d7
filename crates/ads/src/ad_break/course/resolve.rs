//! Decides the next step of a break: the next hop, ad, tag or pod, or the end. Ads that are loaded
//! are handled in `ready`.
//!
//! A tag's time limit applies to fetching documents: when it has passed, wrappers of the tag fail,
//! but ads already received can still be used. Each stretch of fetching has the full limit: a pod
//! ad fetched after another one was shown starts a new one. Responses are judged in `answer`,
//! unusable ads are handled in `refuse`.
//!
//! Rules: REQ-1, REQ-2, REQ-7, REQ-8, REQ-12, REQ-13, REQ-16, BRK-8 to BRK-12, CHN-1 to CHN-3,
//! CHN-6, CHN-7, CHN-10.

use std::sync::Arc;

use super::{Course, Onward, warn};
use crate::ad_break::state::{Loading, State};
use crate::error::{AdErrorCode, Failure, Reached};
use crate::report::context::Scope;
use crate::report::macros::CurrentAd;
use crate::request::chain::{Chain, Turn, Yield};
use crate::request::hop::Hop;
use crate::request::limits::Deadline;
use crate::request::{category, creative, nonlinear, select};
use crate::show::attachments::Attachments;
use crate::show::linear::Prepared;
use crate::show::overlay::Laid;
use crate::show::unit::page::check_time;
use crate::show::verification;
use crate::url::is_url;
use playsim_api::{AdLine, Because, BreakKind, Decimal, EventName, Fields, Purpose, Text};
use playsim_base::time::{Position, Time};
use playsim_rules as rules;
use playsim_rules::knobs::{
    AdEngine, CategoryFault, KnobReader, LimitCounts, PodPlays, WrapperLimitCode,
};
use playsim_vast::{Ad, AdKind, Wrapper};

/// How long documents of a tag may still be fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Budget {
    Until(Time),
    Spent,
}

impl Course {
    /// Requests the current tag, or ends the break if there is none. Rules REQ-1, REQ-2, REQ-16,
    /// PRD-41.
    pub(crate) fn ask_tag(&mut self, cx: &mut Scope<'_>) -> State {
        self.call_not_used(cx);
        self.chain = Chain::default();
        self.has_manager = false;
        if let Some(state) = self.ask_source(cx) {
            return state;
        }
        while let Some(tag) = self.waterfalls.tag() {
            if std::mem::take(&mut self.has_bid) {
                cx.out.line(
                    rules::REQ_13,
                    AdLine::Bid,
                    Fields::one("url", Text::from(tag)),
                );
                cx.out.event(rules::REQ_13, EventName::BidWon);
            }
            if cx.macros.is_too_soon(cx.now()) {
                let why = "an ad started less than `ad.min_interval` ago";
                let failure = Failure::new(AdErrorCode::Undefined, why).by(rules::PRD_41);
                self.tag_failed(&failure, cx);
                continue;
            }
            if is_url(tag) {
                let url = cx.macros.fill_tag(tag, cx.occasion());
                cx.out.event(rules::REQ_1, EventName::RequestAd);
                self.attempts = 1;
                let pending = self.request(Purpose::AdTag, Some(0), url, cx);
                let limit =
                    self.document_limit(cx.now(), cx.now() + cx.knobs().ad_timeout(), cx.knobs());
                return State::Loading {
                    limit,
                    what: Loading::Document(pending),
                };
            }
            let why = format!("the tag \"{tag}\" is not a URL");
            let failure = Failure::new(AdErrorCode::Undefined, why).by(rules::REQ_16);
            self.tag_failed(&failure, cx);
        }
        self.end(cx)
    }

    /// The current ad played to its end or was skipped. Rules BRK-9, BRK-14.
    pub(crate) fn ad_played(&mut self, cx: &mut Scope<'_>) -> State {
        self.chain.mark_played();
        match cx.knobs().ad_pod_plays() {
            PodPlays::First | PodPlays::FirstOfDocument => self.drop_rest_of_pod(cx),
            PodPlays::All | PodPlays::Every | PodPlays::Listed => {}
        }
        self.go_on(Budget::Until(cx.now() + cx.knobs().ad_timeout()), cx)
    }

    /// Leaves out the pod ads that are still to come. Rule PRD-27.
    fn drop_rest_of_pod(&mut self, cx: &mut Scope<'_>) {
        for hops in self.chain.take_due() {
            let Some(hop) = hops.last() else { continue };
            let why = "this profile plays only the first ad of a pod";
            let data = self
                .waterfalls
                .place()
                .of_ad(hop)
                .with("why", why)
                .with("at", hop.at());
            cx.out.line(rules::PRD_27, AdLine::Ignore, data);
        }
    }

    /// Takes turns until there is something to wait for.
    pub(crate) fn go_on(&mut self, budget: Budget, cx: &mut Scope<'_>) -> State {
        loop {
            match self.chain.next_turn() {
                Turn::Ad => match self.take_turn(budget, cx) {
                    Ok(state) => return state,
                    Err(failure) if failure.code == AdErrorCode::BreakShortened => {
                        return self.shorten(&failure, cx);
                    }
                    Err(failure) => self.reject(&failure, None, cx),
                },
                // Every ad after the wrapper has reported its own failure, wrappers included.
                Turn::WrapperFailed { failure, form } => {
                    self.replace(&failure, form, cx.out.cause(), cx);
                }
                Turn::Exhausted => break,
            }
        }
        match self.chain.yielded() {
            Yield::Nothing => {
                let failure = self.chain.take_failure();
                let nothing = || Failure::new(AdErrorCode::NoAd, "the tag has no ad");
                self.tag_failed(&failure.unwrap_or_else(nothing), cx);
            }
            // An ad that started did not reach its end. BRK-12
            Yield::Ready | Yield::Started => self.leave_tag(Onward::Tag, cx),
            Yield::Played => self.leave_tag(Onward::Pod, cx),
        }
        self.ask_tag(cx)
    }

    /// Uses the current ad: follows a wrapper, or requests the media of an in-line ad.
    fn take_turn(&mut self, budget: Budget, cx: &mut Scope<'_>) -> Result<State, Failure> {
        let hops: Vec<Hop> = self.chain.hops().collect();
        let hop = hops.last().expect("the current ad belongs to a document");
        let ad = hop.ad();
        if let Some((code, why, rule)) = self.chain.refusal() {
            return Err(Failure::at(code, why, hop.place(ad.at)).by(rule));
        }
        match &ad.kind {
            AdKind::Broken(children) => {
                let why = format!("the ad has {}", children.in_words());
                Err(Failure::at(AdErrorCode::Schema, why, hop.place(ad.at)).by(rules::CHN_8))
            }
            _ if select::is_unknown(ad, cx.knobs()) => {
                Err(
                    Failure::at(AdErrorCode::Schema, select::MISNAMED, hop.place(ad.at))
                        .by(rules::PRD_40),
                )
            }
            AdKind::Wrapper(wrapper) => self.follow(budget, hop, ad, wrapper, cx),
            AdKind::Inline => {
                if let Some(until) = self
                    .expires(hop, cx.knobs())
                    .filter(|until| *until < cx.now())
                {
                    return Err(expired(hop, cx.now(), until));
                }
                select::judge(&hops, self.kind, cx.around)?;
                self.report_category(&hops, cx);
                self.prepare(hops, cx)
            }
        }
    }

    /// Reports that the ad at the end of these hops has an unwanted category but is played anyway.
    /// Rule PRD-7.
    pub(super) fn report_category(&self, hops: &[Hop], cx: &mut Scope<'_>) {
        let (CategoryFault::Reported, Some(hop)) = (cx.knobs().ad_category_fault(), hops.last())
        else {
            return;
        };
        let Err((code, why)) = category::judge(hops, cx.around.terms) else {
            return;
        };
        let place = self.waterfalls.place();
        let data = place
            .of_ad(hop)
            .with("code", code.number())
            .with("why", why)
            .with("at", hop.at());
        let cause = cx.out.line(rules::PRD_7, AdLine::CategoryTold, data);
        cx.errors_by(
            Because {
                rule: rules::PRD_7,
                cause,
            },
            code,
            Reached::Choice,
            hops,
        );
    }

    /// Until when the ad of a hop may be used; `None` for no limit. Rule SEL-12.
    pub(crate) fn expires(&self, hop: &Hop, knobs: &KnobReader) -> Option<Time> {
        let kept = hop.ad().expires.filter(|_| knobs.ad_expires().is_on())?;
        self.chain.arrived().map(|arrived| arrived + kept)
    }

    /// Requests the document that a wrapper points to. Rules REQ-7, REQ-8, CHN-1 to CHN-3.
    fn follow(
        &mut self,
        budget: Budget,
        hop: &Hop,
        ad: &Ad,
        wrapper: &Wrapper,
        cx: &mut Scope<'_>,
    ) -> Result<State, Failure> {
        let fails = |code, why: Text| Failure::at(code, why, hop.place(ad.at));
        let knobs = cx.knobs();
        let Budget::Until(tag_limit) = budget else {
            return Err(fails(
                AdErrorCode::Timeout,
                "no time is left to fetch the wrapper's document".into(),
            ));
        };
        let limit = knobs.ad_max_wrappers();
        let too_many = |why: String| {
            let failure = fails(AdErrorCode::WrapperLimit, why.into());
            match knobs.ad_wrapper_limit_code() {
                WrapperLimitCode::Limit => failure,
                WrapperLimitCode::Event303 => failure.with_page_code(AdErrorCode::NoAd),
            }
        };
        match knobs.ad_max_wrappers_counts() {
            LimitCounts::Wrappers if self.chain.depth() > limit => {
                return Err(too_many(format!("more than {limit} wrappers")));
            }
            LimitCounts::Documents if self.chain.depth() >= limit => {
                let why = format!("more than {limit} documents, including the tag's own");
                return Err(too_many(why).by(rules::CHN_3));
            }
            LimitCounts::Wrappers | LimitCounts::Documents => {}
        }
        let Some(uri) = wrapper.tag_uri.as_ref().filter(|uri| !uri.text.is_empty()) else {
            return Err(fails(AdErrorCode::Wrapper, "the wrapper has no URL".into()));
        };
        if !self.chain.follow(knobs.ad_max_documents()) {
            let why = format!(
                "more than {} documents for one tag",
                knobs.ad_max_documents()
            );
            return Err(fails(AdErrorCode::WrapperLimit, why.into()).by(rules::CHN_10));
        }
        let way: Vec<Hop> = self.chain.hops().collect();
        let url = cx
            .macros
            .fill(&uri.text, &cx.occasion().after_wrappers(&way));
        self.attempts = 1;
        let pending = self.request(Purpose::Wrapper, Some(self.chain.depth()), url, cx);
        let limit = self.document_limit(cx.now(), tag_limit, knobs);
        Ok(State::Loading {
            limit,
            what: Loading::Document(pending),
        })
    }

    /// Requests the media of an in-line ad, or makes its overlay ready. Rules REQ-3, REQ-12, OVL-1.
    fn prepare(&mut self, mut hops: Vec<Hop>, cx: &mut Scope<'_>) -> Result<State, Failure> {
        let hop = hops.pop().expect("an ad belongs to a document");
        let (choice, overlay) = match self.kind {
            BreakKind::Overlay => nonlinear::choose(&hop, cx.around)?,
            BreakKind::Display => (creative::choose_display(&hop)?, 0),
            BreakKind::Pre | BreakKind::Mid | BreakKind::Post | BreakKind::Command => {
                let choice = creative::choose(&hop, cx.around)?;
                self.check_length(&hop, &choice, cx)?;
                check_time(&hop, cx.knobs())?;
                (choice, 0)
            }
        };
        if cx.knobs().ad_engine() == AdEngine::Sdk
            && !std::mem::replace(&mut self.has_manager, true)
        {
            cx.out.event(rules::REQ_12, EventName::AdsManagerLoaded);
        }
        let (rule, name) = match choice.url {
            Some(_) if choice.data.get("refused").is_some() => (rules::SEL_14, AdLine::SelectMedia),
            Some(_) if self.kind == BreakKind::Overlay && choice.is_vpaid => {
                (rules::VPAID_19, AdLine::SelectMedia)
            }
            Some(_) if self.kind == BreakKind::Overlay => (rules::ADX_24, AdLine::SelectMedia),
            Some(_) => (rules::SEL_7, AdLine::SelectMedia),
            None if self.kind == BreakKind::Display => (rules::VMAP_20, AdLine::SelectDisplay),
            None => (rules::OVL_1, AdLine::SelectOverlay),
        };
        cx.out.line(rule, name, choice.said());
        if let Some((code, text)) = choice.tolerated {
            warn(rules::REQ_17, code, text, choice.at.clone(), cx);
        }
        hops.push(hop.showing(choice.creative).choosing(overlay));
        let hops: Arc<[Hop]> = hops.into();
        let attachments = Attachments::of(&hops, self.kind, cx)?;
        let at_hand = CurrentAd {
            playhead: Position::ZERO,
            asset: choice.url.as_deref(),
            hops: &hops,
        };
        verification::run(cx.around.sides, at_hand, cx);
        let Some(media) = choice.url else {
            return Ok(self.overlay_ready(
                Laid {
                    hops,
                    attachments,
                    film: None,
                },
                cx,
            ));
        };
        let (is_vpaid, rest, at) = (choice.is_vpaid, choice.rest, choice.at);
        let ad = Prepared {
            hops,
            media,
            at,
            is_vpaid,
            page: None,
            attachments,
            rest,
            part: 0,
        };
        Ok(self.ask_media(ad, cx))
    }

    /// Requests the media of a chosen ad. Rules REQ-9, CHN-2.
    pub(super) fn ask_media(&mut self, mut ad: Prepared, cx: &mut Scope<'_>) -> State {
        let pending = self.request(Purpose::Media, None, ad.media.clone(), cx);
        let limit = self.media_limit(cx.now(), cx.knobs());
        // No page runs next to media over the content. ADX-24
        if self.kind != BreakKind::Overlay {
            ad.page = self.ask_page(&ad.hops, cx);
        }
        State::Loading {
            limit,
            what: Loading::Media(pending, ad),
        }
    }

    /// The time limit of a document request. Rules REQ-7, CHN-1, CHN-2.
    pub(super) fn document_limit(&self, now: Time, tag: Time, knobs: &KnobReader) -> Deadline {
        Deadline::of_document(tag, knobs.ad_hop_timeout().from(now), self.break_until)
    }

    /// The time limit of a media request. Rules REQ-9, CHN-2.
    pub(super) fn media_limit(&self, now: Time, knobs: &KnobReader) -> Deadline {
        Deadline::of_media(now + knobs.ad_media_timeout(), self.break_until)
    }
}

/// The failure of an ad whose response is too old. Rule SEL-12.
pub(crate) fn expired(hop: &Hop, now: Time, until: Time) -> Failure {
    let late = Decimal::seconds((now - until).micros());
    let why = format!("the response expired {late} s ago");
    Failure::at(AdErrorCode::Undefined, why, hop.at()).by(rules::SEL_12)
}
