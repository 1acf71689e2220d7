//! What happens to the ad on screen by what is around it: clicks, mute, fullscreen.
//!
//! Trackers of all hops add up, the outermost document's first; where a click leads is what the hop
//! nearest to the ad says.
//!
//! Rules: CLICK-3, CLICK-4, BRK-19; VAST 4.3 sections 2.3.5.2, 3.10, 3.12, 3.14.

use super::*;
use crate::ads::macros::{AdAtHand, Occasion};
use crate::ads::tracking::Hop;
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

impl AdBreak {
    /// Tells the linear ad on screen, for its trackers; `cause` is the line that told of it. Nothing happens
    /// if no such ad is on: what an overlay covers is the player's own.
    ///
    /// Rules BRK-19, ADX-20.
    pub fn tell(
        &self,
        now: Time,
        news: AdNews,
        cause: Cause,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) {
        let Some(ad) = self.linear_on_screen() else { return };
        let mut teller = Teller { now, kind: self.course.kind(), macros: services.macros, out };
        for name in news.trackers() {
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
        match &self.state {
            State::Overlay { ad, is_visible: true } => {
                self.clicked(rule!("CLICK-3"), now, ad.hops(), ad.at_hand(now), at, services, out);
                true
            }
            State::Ad { ad, stage: Stage::Playing | Stage::Paused } => {
                let vpaid = ad.vpaid();
                if vpaid.is_some_and(|vpaid| !vpaid.reports_click) {
                    let why = "the unit takes clicks itself, and does not report this one";
                    out.line(rule!("CLICK-4"), Kind::Ad, "click", Fields::one("why", why));
                    return false;
                }
                let rule = if vpaid.is_some() { rule!("CLICK-4") } else { rule!("CLICK-3") };
                self.clicked(rule, now, ad.hops(), ad.at_hand(now), at, services, out);
                true
            }
            State::EndCard { .. } => self.click_card(now, services, out),
            State::Overlay { is_visible: false, .. }
            | State::Ad { stage: Stage::Ready, .. }
            | State::Fetching { .. }
            | State::LoadingMedia { .. }
            | State::Over { .. } => false,
        }
    }

    /// `adClicked`, the trackers of a click, and where it leads.
    fn clicked(
        &self,
        rule: RuleId,
        now: Time,
        hops: &[Hop],
        ad: AdAtHand<'_>,
        at: Option<ClickAt>,
        services: &mut AdServices<'_>,
        out: &mut Outbox,
    ) {
        let kind = self.course.kind();
        let cause = out.event(rule, EventName::AdClicked);
        let mut occasion = Occasion::new(now, kind).with_ad(ad).with_click(at);
        let mut teller = Teller { now, kind, macros: services.macros, out };
        for (index, hop) in hops.iter().enumerate() {
            for url in hop.clicks(kind).flat_map(|clicks| &clicks.tracking) {
                teller.call(rule, "clickTracking", cause, (index, hop.ad().id.as_ref()), url, &mut occasion);
            }
        }
        let leads = |hop: &Hop| {
            let mut urls = hop.clicks(kind).filter_map(|clicks| clicks.through.as_ref());
            urls.find(|url| leads_to(url)).cloned()
        };
        if let Some(through) = hops.iter().rev().find_map(leads) {
            let data = Fields::one("url", services.macros.fill(&through.text, &mut occasion));
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
            | State::Over { .. } => None,
        }
    }

    /// The linear ad that plays or is paused.
    fn linear_on_screen(&self) -> Option<&LinearAd> {
        match &self.state {
            State::Ad { ad, stage: Stage::Playing | Stage::Paused } => Some(ad),
            State::Ad { stage: Stage::Ready, .. }
            | State::Fetching { .. }
            | State::LoadingMedia { .. }
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
