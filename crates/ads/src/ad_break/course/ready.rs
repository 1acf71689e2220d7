//! An ad whose media is loaded: checks it and makes it wait to be started.
//!
//! Rules: REQ-3, BRK-1, BRK-7, BRK-9, BRK-22, OVL-1.

use std::sync::Arc;

use super::resolve::expired;
use super::{Course, warn};
use crate::ad_break::outcome::Abandoned;
use crate::ad_break::state::{Loading, Missing, Stage, State};
use crate::error::{AdErrorCode, Failure, MediaCodes};
use crate::report::context::Scope;
use crate::request::hop::Hop;
use crate::request::limits::Deadline;
use crate::request::select;
use crate::show::attachments::{log_captions, log_details};
use crate::show::linear::{LinearAd, Prepared};
use crate::show::overlay::{Laid, OverlayAd};
use crate::show::unit::page::unit;
use crate::show::unit::simid_lines::{fatal, media_error};
use playsim_api::media::{MediaFault, MediaInfo};
use playsim_api::{AdLine, Because, BreakKind, Fields, Value};
use playsim_base::time::{Position, Span};
use playsim_rules as rules;
use playsim_rules::knobs::AdDuration;
use playsim_vast::TrackingEvent;

impl Course {
    /// The media of the current ad was loaded or failed to load. Rule REQ-3.
    pub(crate) fn loaded(
        &mut self,
        mut ad: Prepared,
        limit: Deadline,
        result: Result<Arc<MediaInfo>, MediaFault>,
        cx: &mut Scope<'_>,
    ) -> State {
        let result = result.map(|info| info.for_ad(ad.hops.last().and_then(Hop::declared_length)));
        match result {
            Ok(info) if info.missing_at_start() > Span::ZERO => {
                let line = cx.out.line(
                    rules::REQ_9,
                    AdLine::Waiting,
                    Fields::one("position", Position::ZERO),
                );
                let missing = Missing {
                    until: cx.now() + info.missing_at_start(),
                    line,
                };
                State::Loading {
                    limit,
                    what: Loading::Data(ad, info, missing),
                }
            }
            Ok(info) => self.has_data(ad, info, limit, cx),
            Err(fault) => {
                self.give_up_page(&ad, Abandoned::Dropped);
                if let Some(page) = ad.page.take() {
                    cx.out.line(
                        Because {
                            rule: rules::SIMID_6,
                            cause: page.pending.cause,
                        },
                        AdLine::Simid,
                        fatal(media_error(Some(fault))),
                    );
                }
                let why = format!("cannot load the media file {}: {}", ad.media, fault.name());
                let codes = MediaCodes::of(cx.knobs());
                self.media_failed(&ad, &Failure::of_loading(fault, why, codes), cx)
            }
        }
    }

    /// The media of the current ad can begin to play. Rules REQ-9, SIMID-2, OVL-1.
    pub(crate) fn has_data(
        &mut self,
        ad: Prepared,
        info: Arc<MediaInfo>,
        limit: Deadline,
        cx: &mut Scope<'_>,
    ) -> State {
        if self.kind == BreakKind::Overlay && !ad.is_vpaid {
            let laid = Laid {
                hops: ad.hops,
                attachments: ad.attachments,
                film: Some(info.duration),
            };
            self.overlay_ready(laid, cx)
        } else if ad.awaited_page().is_some() {
            State::Loading {
                limit,
                what: Loading::Page(ad, info),
            }
        } else {
            self.ready(ad, info, cx)
        }
    }

    /// The current ad has its media. Rules BRK-9, BRK-11, BRK-22.
    pub(crate) fn ready(
        &mut self,
        mut ad: Prepared,
        info: Arc<MediaInfo>,
        cx: &mut Scope<'_>,
    ) -> State {
        if let Err(failure) = self.check_media(&ad, info.duration, cx) {
            self.give_up_page(&ad, Abandoned::Dropped);
            if failure.code == AdErrorCode::BreakShortened {
                return self.shorten(&failure, cx);
            }
            return self.media_failed(&ad, &failure, cx);
        }
        let expires = ad.hops.last().and_then(|hop| self.expires(hop, cx.knobs()));
        if let (Some(until), Some(hop)) =
            (expires.filter(|until| *until < cx.now()), ad.hops.last())
        {
            let failure = expired(hop, cx.now(), until);
            self.give_up_page(&ad, Abandoned::Dropped);
            return self.media_failed(&ad, &failure, cx);
        }
        let unit = self.unit_of(&mut ad, cx);
        let cut_at = self
            .cut_at(cx.knobs())
            .filter(|_| self.kind != BreakKind::Overlay);
        let mut ad = LinearAd::new(ad, info, cx.knobs(), cx.out.cause())
            .waiting_until(expires)
            .cut_at(cut_at);
        if let Some(failure) = ad
            .fits_slot(self.kind)
            .err()
            .filter(|_| !ad.unit.is_vpaid())
        {
            return self.media_failed(ad.prepared(), &failure, cx);
        }
        if ad.unit.is_vpaid() {
            return self.prepare_vpaid(ad, cx);
        }
        if let Some(unit) = unit {
            return self.prepare_simid(ad, unit, cx);
        }
        self.filled(&mut ad, cx);
        State::Ad {
            ad: Box::new(ad),
            stage: Stage::Ready,
        }
    }

    /// The current ad has everything it needs, so the tag fills. Rules BRK-9, BRK-22.
    pub(crate) fn filled(&mut self, ad: &mut LinearAd, cx: &mut Scope<'_>) {
        self.report_held(cx);
        self.log_fill(ad.hops(), Some(ad.duration()), cx);
        if let Some(hop) = ad.hops().last() {
            log_captions(hop, cx.around.sides, cx);
        }
        ad.log_choice(cx);
        if let Some(hop) = ad.hops().last() {
            let said = hop.linears().next().and_then(|linear| linear.duration);
            if let Some(said) = said.filter(|said| *said != ad.duration()) {
                let (said, found) = (Value::from(said), Value::from(ad.duration()));
                // Quartiles and offsets may follow the document all the same. PRD-39
                let used = match cx.knobs().ad_duration() {
                    AdDuration::Media => "the media's duration is used",
                    AdDuration::Document | AdDuration::Seconds => {
                        "its quartiles follow the document"
                    }
                };
                let text =
                    format!("the document says {said} s but the media lasts {found} s; {used}");
                warn(
                    rules::BRK_22,
                    "duration-differs",
                    text.into(),
                    Some(hop.at()),
                    cx,
                );
            }
        }
        let cause = cx.out.cause();
        ad.track(
            Because {
                rule: rules::ADX_7,
                cause,
            },
            TrackingEvent::Loaded,
            cx,
        );
    }

    /// Checks the duration of the media: if the document gives none, the page must accept it; and
    /// it must fit into the break. Rules SEL-4, SEL-10.
    fn check_media(&self, ad: &Prepared, found: Span, cx: &Scope<'_>) -> Result<(), Failure> {
        let Some(hop) = ad.hops.last().filter(|_| self.kind != BreakKind::Overlay) else {
            return Ok(());
        };
        if hop.linears().all(|linear| linear.duration.is_none()) {
            let fails = |(code, why)| Failure::at(code, why, hop.at());
            select::length(found, cx.around.terms).map_err(fails)?;
        }
        self.fits(found, hop, cx.knobs())
    }

    /// An overlay is loaded, with its media file if it has one. Rules OVL-1, ADX-24.
    pub(super) fn overlay_ready(&mut self, laid: Laid, cx: &mut Scope<'_>) -> State {
        if let Some(pending) = self.ask_overlay_page(&laid.hops, cx) {
            let limit = self.media_limit(cx.now(), cx.knobs());
            return State::Loading {
                limit,
                what: Loading::Overlay(pending, laid),
            };
        }
        self.refuse_page_of_overlay(&laid.hops, cx);
        let ad = OverlayAd::new(laid, self.shows_for, cx.knobs(), cx.out.cause());
        self.overlay_filled(&ad, cx);
        State::Overlay {
            ad: Box::new(ad),
            is_visible: false,
        }
    }

    /// The page of an overlay's unit was loaded or failed to load. Rule SIMID-15.
    pub(crate) fn overlay_loaded(
        &mut self,
        laid: Laid,
        result: Result<Arc<MediaInfo>, MediaFault>,
        cx: &mut Scope<'_>,
    ) -> State {
        match result {
            Ok(info) => {
                let mut ad = OverlayAd::new(laid, self.shows_for, cx.knobs(), cx.out.cause());
                let mut unit = unit(&info, cx.knobs());
                unit.begin(cx.now(), cx.out.cause());
                ad.simid = Some(Box::new(unit));
                State::Overlay {
                    ad: Box::new(ad),
                    is_visible: false,
                }
            }
            Err(fault) => {
                let why = format!("cannot load the page of the overlay: {}", fault.name());
                let failure = Failure::new(AdErrorCode::NonLinearFetch, why)
                    .by(rules::SIMID_15)
                    .of_media();
                self.ad_failed(&failure, cx)
            }
        }
    }

    /// The current overlay has everything it needs, so the tag fills. Rules BRK-9, OVL-1.
    pub(crate) fn overlay_filled(&mut self, ad: &OverlayAd, cx: &mut Scope<'_>) {
        self.report_held(cx);
        // A display ad stays next to the player, so it has no length. VMAP-20
        let length = (self.kind != BreakKind::Display).then(|| ad.length());
        self.log_fill(ad.hops(), length, cx);
        ad.log_choice(cx);
    }

    /// The current tag fills: reports the pod ads that have failed so far. Rule BRK-9.
    fn report_held(&mut self, cx: &mut Scope<'_>) {
        let because = cx.out.cause();
        for (held, line) in self.chain.mark_ready() {
            cx.out.set_cause(line);
            self.pod_ad_failed(held.page_code(), cx);
        }
        cx.out.set_cause(because);
    }

    /// Logs that the current tag has filled. Rule BRK-7.
    fn log_fill(&self, hops: &[Hop], length: Option<Span>, cx: &mut Scope<'_>) {
        let Some(hop) = hops.last() else { return };
        let data = self
            .waterfalls
            .place()
            .of_ad(hop)
            .with("hops", hops.len())
            .with_some("duration", length)
            .with("at", hop.at());
        cx.out.line(rules::BRK_7, AdLine::Fill, data);
        log_details(hops, cx);
    }
}
