//! Forwards clicks, mute and fullscreen to the ad on screen.
//!
//! The click trackers of all hops are called, outermost document first. The click-through URL is
//! taken from the hop nearest to the ad.
//!
//! Rules: CLICK-3, CLICK-4, BRK-19; VAST 4.3 sections 2.3.5.2, 3.10, 3.12, 3.14.

use std::sync::Arc;

use super::AdBreak;
use super::state::{Stage, State};
use crate::report::context::{Context, Scope};
use crate::report::macros::CurrentAd;
use crate::request::hop::Hop;
use crate::show::linear::LinearAd;
use crate::show::news::AdNews;
use playsim_api::{AdLine, Because, BreakKind, Cause, ClickAt, EventName, Fields};
use playsim_rules::knobs::VpaidClick;
use playsim_rules::{self as rules, RuleId};
use playsim_vast::{TrackingEvent, Url};

/// The target of a click.
#[derive(Clone, Copy)]
enum Leads<'a> {
    /// The click-through URL of the document; the user clicked at this position.
    ByDocument { at: Option<ClickAt> },
    /// This URL.
    To(&'a Arc<str>),
    /// No target: the unit has navigated on its own.
    Nowhere,
}

impl AdBreak {
    /// Reports a change of the player to the linear ad on screen, which calls its trackers; `cause`
    /// is the line that recorded the change. No effect without such an ad: while an overlay is
    /// visible, the player shows content.
    ///
    /// Rules BRK-19, ADX-20.
    pub fn tell(&mut self, news: AdNews, cause: Cause, cx: &mut Context<'_>) {
        let cx = &mut self.enter(cx);
        let Some(ad) = self.linear_on_screen() else {
            return;
        };
        ad.notify_vpaid(news, cause, cx);
        let reports_itself = ad.unit.is_vpaid() && matches!(news, AdNews::Muted(_));
        if reports_itself {
            return;
        }
        // A VPAID unit reports its expansion on its own. VPAID-12
        let is_vpaid = ad.unit.is_vpaid();
        let is_own = |event: TrackingEvent| {
            is_vpaid && matches!(event, TrackingEvent::Expand | TrackingEvent::Collapse)
        };
        for event in news
            .trackers()
            .iter()
            .copied()
            .filter(|event| !is_own(*event))
        {
            ad.track(
                Because {
                    rule: news.rule(),
                    cause,
                },
                event,
                cx,
            );
        }
    }

    /// The user clicks on the ad or overlay on screen. `false` if the player does nothing about it,
    /// because nothing is on screen or a VPAID unit handles the click itself.
    ///
    /// Rules CLICK-3, CLICK-4.
    pub fn click(&mut self, at: Option<ClickAt>, cx: &mut Context<'_>) -> bool {
        let cx = &mut self.enter(cx);
        let leads = Leads::ByDocument { at };
        match &mut self.state {
            State::Overlay {
                ad,
                is_visible: true,
            } => {
                let rule = rules::CLICK_3;
                let cause = cx.out.event(rule, EventName::AdClicked);
                clicked(Because { rule, cause }, ad.at_hand(cx.now()), leads, cx);
                true
            }
            State::Ad {
                ad,
                stage: Stage::Playing | Stage::Paused,
            } => {
                let vpaid = ad.vpaid_media();
                if vpaid.is_some_and(|vpaid| !vpaid.reports_click) {
                    let why = "the unit handles clicks itself and does not report this one";
                    cx.out
                        .line(rules::CLICK_4, AdLine::Click, Fields::one("why", why));
                    // The unit decides where the click goes and which trackers are called.
                    if cx.knobs().vpaid_click() == VpaidClick::Person {
                        cx.out.event(rules::CLICK_4, EventName::AdClicked);
                        ad.unit
                            .vpaid_mut()
                            .into_iter()
                            .for_each(|unit| unit.is_click_reported = true);
                    }
                    return false;
                }
                let rule = if vpaid.is_some() {
                    rules::CLICK_4
                } else {
                    rules::CLICK_3
                };
                let cause = cx.out.event(rule, EventName::AdClicked);
                clicked(Because { rule, cause }, ad.at_hand(cx.now()), leads, cx);
                let pauses = cx.knobs().click_pauses().is_on();
                if !pauses {
                    let why = "this profile lets an ad that was clicked play on";
                    cx.out
                        .line(rules::PRD_44, AdLine::Click, Fields::one("why", why));
                }
                pauses
            }
            State::EndCard { .. } => self.click_card(cx),
            State::Overlay {
                is_visible: false, ..
            }
            | State::Ad {
                stage: Stage::Preparing | Stage::Ready | Stage::Starting | Stage::Leaving,
                ..
            }
            | State::Loading { .. }
            | State::Over { .. } => false,
        }
    }

    /// The unit on screen reports a click. Only a click that it leaves to the player navigates and
    /// pauses the ad. Rule VPAID-10.
    pub(super) fn clicked_in_unit(
        &mut self,
        rule: RuleId,
        url: Option<&Arc<str>>,
        player_handles: bool,
        cx: &mut Scope<'_>,
    ) {
        let leads = match url {
            Some(url) if player_handles => Leads::To(url),
            None if player_handles => Leads::ByDocument { at: None },
            Some(_) | None => Leads::Nowhere,
        };
        let unit = self
            .state
            .linear_mut()
            .and_then(|(ad, _)| ad.unit.vpaid_mut());
        let is_reported = unit.is_some_and(|unit| std::mem::take(&mut unit.is_click_reported));
        let cause = if is_reported {
            cx.out.cause()
        } else {
            cx.out.event(rule, EventName::AdClicked)
        };
        match &self.state {
            State::Ad { ad, .. } => {
                clicked(Because { rule, cause }, ad.at_hand(cx.now()), leads, cx);
                // A unit over the content does not pause for a click, as an overlay does not.
                // VPAID-19
                if player_handles && cx.kind != BreakKind::Overlay {
                    self.pause_ad(cx);
                }
            }
            State::Overlay { ad, .. } => {
                clicked(Because { rule, cause }, ad.at_hand(cx.now()), leads, cx);
            }
            State::Loading { .. } | State::EndCard { .. } | State::Over { .. } => {}
        }
    }

    /// Returns the linear ad that is playing or paused.
    fn linear_on_screen(&mut self) -> Option<&mut LinearAd> {
        self.state
            .linear_mut()
            .filter(|(_, stage)| stage.is_on_screen())
            .map(|(ad, _)| ad)
    }
}

/// Calls the click trackers for a reported click and navigates to its target.
fn clicked(because: Because, ad: CurrentAd<'_>, leads: Leads<'_>, cx: &mut Scope<'_>) {
    let at = match leads {
        Leads::ByDocument { at } => at,
        Leads::To(_) | Leads::Nowhere => None,
    };
    let kind = cx.kind;
    let occasion = cx.occasion().with_ad(ad).with_click(at);
    let tracking = |hop| Hop::clicks(hop, kind).flat_map(|clicks| &clicks.tracking);
    cx.call_each(
        because,
        TrackingEvent::ClickTracking,
        ad.hops,
        tracking,
        &occasion,
    );
    let through = |hop: &Hop| {
        let mut urls = hop
            .clicks(kind)
            .filter_map(|clicks| clicks.through.as_ref());
        urls.find(|url| leads_to(url)).cloned()
    };
    let address = match leads {
        Leads::ByDocument { .. } => ad
            .hops
            .iter()
            .rev()
            .find_map(through)
            .map(|through| through.text),
        Leads::To(url) => Some(Arc::clone(url)),
        Leads::Nowhere => None,
    };
    if let Some(address) = address {
        cx.navigate(because, &address, &occasion);
    }
}

/// Whether a URL can be navigated to.
pub(super) fn leads_to(url: &Url) -> bool {
    !url.text.is_empty() && &*url.text != "about:blank"
}
