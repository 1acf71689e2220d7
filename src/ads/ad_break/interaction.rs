//! What happens to the ad on screen by what is around it: clicks, mute, fullscreen.
//!
//! Trackers of all hops add up, the outermost document's first; where a click leads is what the hop
//! nearest to the ad says.
//!
//! Rules: CLICK-3, CLICK-4, BRK-19; VAST 4.3 sections 2.3.5.2, 3.10, 3.12, 3.14.

use super::*;
use crate::ads::macros::{AdAtHand, Occasion};
use crate::ads::tracking::Hop;
use crate::ads::unit::Moment;
use crate::api::ClickAt;
use crate::rules::RuleId;
use crate::vast::Url;

/// What an ad on screen is told of its player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdNews {
    /// Sound went off, or on again.
    Muted(bool),
    /// The player fills the screen, or does not any more.
    Fullscreen(bool),
    /// It was moved back. Rule ADX-20.
    MovedBack,
}

impl AdNews {
    /// The tracking events that it is: of several names for one, the second is that of VAST 4.
    const fn trackers(self) -> &'static [&'static str] {
        match self {
            AdNews::Muted(true) => &["mute"],
            AdNews::Muted(false) => &["unmute"],
            AdNews::Fullscreen(true) => &["fullscreen", "playerExpand", "expand"],
            AdNews::Fullscreen(false) => &["exitFullscreen", "playerCollapse", "collapse"],
            AdNews::MovedBack => &["rewind"],
        }
    }
}

impl AdNews {
    const fn rule(self) -> RuleId {
        match self {
            AdNews::Muted(_) | AdNews::Fullscreen(_) => rule!("BRK-19"),
            AdNews::MovedBack => rule!("ADX-20"),
        }
    }
}

/// Where a click leads.
#[derive(Clone, Copy)]
enum Leads<'a> {
    /// Where the document says; the person clicked there.
    ByDocument { at: Option<ClickAt> },
    /// To this address.
    To(&'a Arc<str>),
    /// Nowhere: the unit has led there itself.
    Nowhere,
}

impl AdBreak {
    /// Tells the linear ad on screen, for its trackers; `cause` is the line that told of it. Nothing happens
    /// if no such ad is on: what an overlay covers is the player's own.
    ///
    /// Rules BRK-19, ADX-20.
    pub fn tell(
        &mut self,
        now: Time,
        news: AdNews,
        cause: Cause,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) {
        let kind = self.course.kind();
        let Some(ad) = self.linear_on_screen() else { return };
        let mut teller = Teller { now, kind, macros: services.macros, out };
        ad.tell_vpaid(news, cause, &mut teller);
        let tells_itself = ad.vpaid.is_some() && matches!(news, AdNews::Muted(_));
        if tells_itself {
            return;
        }
        // Whether a unit is expanded it tells itself. VPAID-12
        let is_own = |name: &str| ad.vpaid.is_some() && matches!(name, "expand" | "collapse");
        for name in news.trackers().iter().filter(|name| !is_own(name)) {
            ad.track(news.rule(), name, cause, &mut teller);
        }
    }

    /// The person clicks on the ad or overlay on screen. `false` if the player learns nothing of it: none is
    /// on, or a VPAID unit keeps it to itself.
    ///
    /// Rules CLICK-3, CLICK-4.
    pub fn click(
        &self,
        now: Time,
        at: Option<ClickAt>,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) -> bool {
        let moment = &mut Moment { now, services, out };
        let leads = Leads::ByDocument { at };
        match &self.state {
            State::Overlay { ad, is_visible: true } => {
                self.clicked(rule!("CLICK-3"), ad.hops(), ad.at_hand(now), leads, moment);
                true
            }
            State::Ad { ad, stage: Stage::Playing | Stage::Paused } => {
                let vpaid = ad.vpaid();
                if vpaid.is_some_and(|vpaid| !vpaid.reports_click) {
                    let why = "the unit takes clicks itself, and does not report this one";
                    moment.out.line(rule!("CLICK-4"), Kind::Ad, "click", Fields::one("why", why));
                    return false;
                }
                let rule = if vpaid.is_some() { rule!("CLICK-4") } else { rule!("CLICK-3") };
                self.clicked(rule, ad.hops(), ad.at_hand(now), leads, moment);
                true
            }
            State::EndCard { .. } => self.click_card(now, services, out),
            State::Overlay { is_visible: false, .. }
            | State::Ad {
                stage: Stage::Preparing | Stage::Ready | Stage::Starting | Stage::Leaving, ..
            }
            | State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::LoadingPage { .. }
            | State::LoadingOverlay { .. }
            | State::Over { .. } => false,
        }
    }

    /// The unit on screen tells of a click. Only one that is left to the player leads anywhere, and pauses.
    ///
    /// Rule VPAID-10.
    pub(in crate::ads) fn clicked_in_unit(
        &mut self,
        rule: RuleId,
        url: Option<&Arc<str>>,
        player_handles: bool,
        moment: &mut Moment<'_, '_>,
    ) {
        let leads = match url {
            Some(url) if player_handles => Leads::To(url),
            None if player_handles => Leads::ByDocument { at: None },
            Some(_) | None => Leads::Nowhere,
        };
        match &self.state {
            State::Ad { ad, .. } => {
                self.clicked(rule, ad.hops(), ad.at_hand(moment.now), leads, moment);
                if player_handles {
                    self.pause(moment.now, moment.services, moment.out);
                }
            }
            State::Overlay { ad, .. } => {
                self.clicked(rule, ad.hops(), ad.at_hand(moment.now), leads, moment);
            }
            State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::LoadingPage { .. }
            | State::LoadingOverlay { .. }
            | State::EndCard { .. }
            | State::Over { .. } => {}
        }
    }

    /// `adClicked`, the trackers of a click, and where it leads.
    fn clicked(
        &self,
        rule: RuleId,
        hops: &[Hop],
        ad: AdAtHand<'_>,
        leads: Leads<'_>,
        moment: &mut Moment<'_, '_>,
    ) {
        let Moment { now, services, out } = moment;
        let (now, kind) = (*now, self.course.kind());
        let cause = out.event(rule, EventName::AdClicked);
        let at = match leads {
            Leads::ByDocument { at } => at,
            Leads::To(_) | Leads::Nowhere => None,
        };
        let mut occasion = Occasion::new(now, kind).with_ad(ad).with_click(at);
        let mut teller = Teller { now, kind, macros: &mut *services.macros, out };
        for (index, hop) in hops.iter().enumerate() {
            for url in hop.clicks(kind).flat_map(|clicks| &clicks.tracking) {
                teller.call(rule, "clickTracking", cause, (index, hop.ad().id.as_ref()), url, &mut occasion);
            }
        }
        let through = |hop: &Hop| {
            let mut urls = hop.clicks(kind).filter_map(|clicks| clicks.through.as_ref());
            urls.find(|url| leads_to(url)).cloned()
        };
        let address = match leads {
            Leads::ByDocument { .. } => hops.iter().rev().find_map(through).map(|through| through.text),
            Leads::To(url) => Some(Arc::clone(url)),
            Leads::Nowhere => None,
        };
        if let Some(address) = address {
            let data = Fields::one("url", services.macros.fill(&address, &occasion));
            let line = Line { kind: Kind::Ui, name: "navigate".into(), data };
            out.put_because(cause, rule, Output::Line(line));
        }
    }

    /// The overlay that shows.
    pub(in crate::ads) fn overlay_on_screen(&self) -> Option<&OverlayAd> {
        match &self.state {
            State::Overlay { ad, is_visible: true } => Some(ad),
            State::Overlay { is_visible: false, .. }
            | State::Ad { .. }
            | State::EndCard { .. }
            | State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::LoadingPage { .. }
            | State::LoadingOverlay { .. }
            | State::Over { .. } => None,
        }
    }

    /// The linear ad that plays or is paused.
    fn linear_on_screen(&mut self) -> Option<&mut LinearAd> {
        match &mut self.state {
            State::Ad { ad, stage: Stage::Playing | Stage::Paused } => Some(ad),
            State::Ad {
                stage: Stage::Preparing | Stage::Ready | Stage::Starting | Stage::Leaving, ..
            }
            | State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::LoadingPage { .. }
            | State::LoadingOverlay { .. }
            | State::EndCard { .. }
            | State::Overlay { .. }
            | State::Over { .. } => None,
        }
    }
}

/// Whether an address leads anywhere.
pub(super) fn leads_to(url: &Url) -> bool {
    !url.text.is_empty() && &*url.text != "about:blank"
}
