//! The requests of a SIMID unit: whether each is granted, and its effect.
//!
//! Rules: SIMID-8 to SIMID-15.

use std::sync::Arc;

use crate::ad_break::AdBreak;
use crate::ad_break::state::{Stage, State};
use crate::report::context::Scope;
use crate::request::hop::HopIndex;
use crate::show::overlay::OverlayAd;
use crate::show::unit::simid::SimidUnit;
use crate::show::unit::simid_lines::{message, refuse};
use crate::url::is_url;
use playsim_api::media::{SimidError, SimidMessage, SimidSaid};
use playsim_api::{AdLine, Because, Cause, Fields, Text, UiLine};
use playsim_base::time::{Span, Time};
use playsim_rules as rules;
use playsim_rules::knobs::{KnobReader, SimidExpand, SimidNavigation};
use playsim_vast::{TrackingEvent, Url};

/// The ad on screen together with a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum On {
    Ad { is_paused: bool, may_skip: bool },
    Overlay { is_expanded: bool },
}

impl On {
    /// Whether the linear ad is paused, and whether it may be skipped now.
    fn ad(self) -> Result<(bool, bool), SimidError> {
        match self {
            On::Ad {
                is_paused,
                may_skip,
            } => Ok((is_paused, may_skip)),
            On::Overlay { .. } => Err(SimidError::NotAllowed),
        }
    }
}

/// The grant to a unit.
#[derive(Debug, Clone, Copy)]
enum Grant<'a> {
    /// Nothing to do.
    Nothing,
    Skip,
    Stop,
    /// A pause, of this length if it is limited.
    Pause(Option<Span>),
    Play,
    MoreTime(Span),
    /// A click on a URL, or on that of the document, and whether the player opens it.
    Click(Option<&'a Arc<str>>, bool),
    Navigation(&'a Arc<str>),
    /// Calls of these URLs.
    Tracking(&'a [Arc<str>]),
    /// To cover the content, for this long if it is limited.
    Expand(Option<Span>),
    Collapse,
}

impl AdBreak {
    /// Answers a request of a unit, and carries it out if it is granted.
    pub(crate) fn simid_asks(&mut self, said: &SimidSaid, cause: Cause, cx: &mut Scope<'_>) {
        let Some(on) = self.simid_on(cx.now()) else {
            return;
        };
        let Some((unit, ..)) = self.simid() else {
            return;
        };
        let named = said.kind();
        if named == SimidMessage::ExpandNonlinear {
            unit.counts.expands += 1;
        }
        let rule = named.rule();
        match permit(unit, on, said, cx.knobs()) {
            Err(error) => {
                let rule = if error == SimidError::NotAllowed {
                    rules::SIMID_8
                } else {
                    rule
                };
                refuse(Because { rule, cause }, error, named, cx);
            }
            Ok(grant) => {
                let data = message("resolve", "player").with("to", named.name());
                let cause = cx.out.line(Because { rule, cause }, AdLine::Simid, data);
                cx.out.set_cause(cause);
                self.simid_gets(grant, cause, cx);
            }
        }
    }

    fn simid_on(&self, now: Time) -> Option<On> {
        if let Some((ad, stage)) = self
            .state()
            .linear()
            .filter(|(_, stage)| stage.is_on_screen())
        {
            let may_skip = ad
                .skippable_from()
                .is_some_and(|from| from <= ad.position(now));
            return Some(On::Ad {
                is_paused: stage == Stage::Paused,
                may_skip,
            });
        }
        let is_expanded = |ad: &OverlayAd| ad.simid.as_ref().is_some_and(|unit| unit.is_expanded());
        self.state().overlay().map(|ad| On::Overlay {
            is_expanded: is_expanded(ad),
        })
    }

    /// Carries out a grant.
    fn simid_gets(&mut self, grant: Grant<'_>, cause: Cause, cx: &mut Scope<'_>) {
        match grant {
            Grant::Nothing => {}
            Grant::Skip => self.skipped(rules::SIMID_9, &[TrackingEvent::Skip], cx),
            Grant::Stop => self.skipped(rules::SIMID_9, &[TrackingEvent::CloseLinear], cx),
            Grant::Pause(length) => {
                self.pause_ad(cx);
                self.takes_back(SimidSaid::RequestPlay, length, cause, cx.now());
            }
            Grant::Play => {
                if let Some((unit, ..)) = self.simid() {
                    unit.counts.is_away = false;
                }
                self.resume_ad(cx);
            }
            Grant::MoreTime(length) => {
                if let Some((unit, ..)) = self.simid() {
                    unit.counts.extra += length;
                }
            }
            Grant::Click(url, player_handles) => {
                self.count_navigation(player_handles);
                self.clicked_in_unit(rules::SIMID_11, url, player_handles, cx);
            }
            Grant::Navigation(url) => {
                self.count_navigation(true);
                cx.out.line(
                    rules::SIMID_11,
                    UiLine::Navigate,
                    Fields::one("url", Text::from(url)),
                );
                self.pause_ad(cx);
            }
            Grant::Tracking(urls) => self.reports(urls, cause, cx),
            Grant::Expand(length) => {
                self.expands(
                    true,
                    &[TrackingEvent::AdExpand, TrackingEvent::Expand],
                    cause,
                    cx,
                );
                self.takes_back(SimidSaid::CollapseNonlinear, length, cause, cx.now());
            }
            Grant::Collapse => self.expands(
                false,
                &[TrackingEvent::AdCollapse, TrackingEvent::Collapse],
                cause,
                cx,
            ),
        }
    }

    /// Schedules the counter-request of a unit that asked for something for a limited time.
    fn takes_back(&mut self, said: SimidSaid, length: Option<Span>, cause: Cause, now: Time) {
        if let (Some((unit, ..)), Some(length)) = (self.simid(), length) {
            unit.send_after(now, length, said, cause);
        }
    }

    fn count_navigation(&mut self, is_away: bool) {
        if let Some((unit, ..)) = self.simid().filter(|_| is_away) {
            unit.counts.navigations += 1;
            unit.counts.is_away = true;
        }
    }

    /// Requests the URLs that the unit reports. Rule SIMID-14.
    fn reports(&mut self, urls: &[Arc<str>], cause: Cause, cx: &mut Scope<'_>) {
        let now = cx.now();
        let at_hand = match self.state() {
            State::Ad { ad, .. } => ad.at_hand(now),
            State::Overlay { ad, .. } => ad.at_hand(now),
            State::Loading { .. } | State::EndCard { .. } | State::Over { .. } => return,
        };
        let occasion = cx.occasion().with_ad(at_hand);
        let Some(last) = at_hand.hops.len().checked_sub(1) else {
            return;
        };
        let ad = at_hand.hop(HopIndex(last));
        for url in urls {
            let url = Url {
                text: Arc::clone(url),
                ..Url::default()
            };
            cx.call(
                Because {
                    rule: rules::SIMID_14,
                    cause,
                },
                "reportTracking",
                ad,
                &url,
                &occasion,
            );
        }
    }

    /// Expands the overlay over the content, or collapses it. Rule SIMID-15.
    fn expands(
        &mut self,
        is_expanded: bool,
        trackers: &[TrackingEvent],
        cause: Cause,
        cx: &mut Scope<'_>,
    ) {
        let State::Overlay { ad, .. } = self.parts().1 else {
            return;
        };
        let Some(unit) = &mut ad.simid else { return };
        unit.counts.is_expanded = is_expanded;
        for tracker in trackers {
            ad.track(
                Because {
                    rule: rules::SIMID_15,
                    cause,
                },
                *tracker,
                cx,
            );
        }
        let data = Fields::one("visible", true).with("expanded", is_expanded);
        cx.out.line(
            Because {
                rule: rules::SIMID_15,
                cause,
            },
            UiLine::Overlay,
            data,
        );
    }
}

/// Decides about the grant for a message of a unit.
///
/// # Errors
///
/// The error with which it is refused.
fn permit<'a>(
    unit: &SimidUnit,
    on: On,
    said: &'a SimidSaid,
    knobs: &KnobReader,
) -> Result<Grant<'a>, SimidError> {
    let allow = |may: bool, grant| {
        if may {
            Ok(grant)
        } else {
            Err(SimidError::NotAllowed)
        }
    };
    match said {
        SimidSaid::RequestSkip => allow(on.ad()?.1, Grant::Skip),
        SimidSaid::RequestStop => on.ad().map(|_| Grant::Stop),
        SimidSaid::RequestPause { length } => allow(!on.ad()?.0, Grant::Pause(*length)),
        SimidSaid::RequestPlay => allow(on.ad()?.0, Grant::Play),
        SimidSaid::RequestChangeAdDuration { by } => {
            on.ad()?;
            let is_granted = unit.counts.extra + *by <= knobs.simid_extra_time();
            if is_granted {
                Ok(Grant::MoreTime(*by))
            } else {
                Err(SimidError::TimeExceeded)
            }
        }
        SimidSaid::ClickThru {
            url,
            player_handles,
        } => {
            if *player_handles {
                may_navigate(unit, on, url.as_ref(), knobs)?;
            }
            Ok(Grant::Click(url.as_ref(), *player_handles))
        }
        SimidSaid::RequestNavigation { url } => {
            may_navigate(unit, on, Some(url), knobs)?;
            Ok(Grant::Navigation(url))
        }
        SimidSaid::ExpandNonlinear { length } => match (on, knobs.simid_expand()) {
            (On::Ad { .. } | On::Overlay { is_expanded: true }, _) => Err(SimidError::NotAllowed),
            _ if unit.counts.expands > knobs.simid_max_expands() => Err(SimidError::ExpandLimit),
            (_, SimidExpand::Granted) => Ok(Grant::Expand(*length)),
            (_, SimidExpand::Refused) => Err(SimidError::ExpandRefused),
            (_, SimidExpand::WithoutPause) => Err(SimidError::PauseImpossible),
        },
        SimidSaid::CollapseNonlinear => allow(
            matches!(on, On::Overlay { is_expanded: true }),
            Grant::Collapse,
        ),
        SimidSaid::RequestFullscreen
        | SimidSaid::RequestExitFullscreen
        | SimidSaid::RequestChangeVolume
        | SimidSaid::RequestResize => Err(SimidError::FunctionUnsupported),
        SimidSaid::ReportTracking { urls } => Ok(Grant::Tracking(urls)),
        SimidSaid::GetMediaState
        | SimidSaid::Log
        | SimidSaid::FatalError { .. }
        | SimidSaid::Broken => Ok(Grant::Nothing),
    }
}

/// Decides whether a URL is opened for a unit; `None`: that of the document. Rule SIMID-11.
fn may_navigate(
    unit: &SimidUnit,
    on: On,
    url: Option<&Arc<str>>,
    knobs: &KnobReader,
) -> Result<(), SimidError> {
    let is_paused = matches!(
        on,
        On::Ad {
            is_paused: true,
            ..
        }
    );
    match knobs.simid_navigation() {
        SimidNavigation::Unsupported => return Err(SimidError::NavigationUnsupported),
        SimidNavigation::Impossible => return Err(SimidError::NavigationImpossible),
        SimidNavigation::Allowed => {}
    }
    if unit.counts.is_away && is_paused {
        return Err(SimidError::NavigationOpen);
    }
    if unit.counts.navigations >= knobs.simid_max_navigations() {
        return Err(SimidError::NavigationLimit);
    }
    match url {
        Some(url) if !is_url(url) || url.chars().any(char::is_whitespace) => {
            Err(SimidError::UrlInvalid)
        }
        Some(url) if !names_its_entry(url) => Err(SimidError::StoreLinkIncomplete),
        Some(_) | None => Ok(()),
    }
}

/// The URLs of app stores, each with the part that precedes the id of an entry.
const STORES: &[(&str, &str)] = &[
    ("market:", "id="),
    ("https://play.google.com/store", "id="),
    ("itms:", "/id"),
    ("itms-apps:", "/id"),
    ("https://apps.apple.com/", "/id"),
    ("https://itunes.apple.com/", "/id"),
];

/// Whether a URL is not that of a store, or names an entry in one.
fn names_its_entry(url: &str) -> bool {
    let url = url.to_ascii_lowercase();
    let named = |(_, part): &(&str, &str)| {
        let value = url.split_once(part).map(|(_, value)| value);
        value.is_some_and(|value| value.starts_with(|first: char| first.is_ascii_alphanumeric()))
    };
    STORES
        .iter()
        .find(|(store, _)| url.starts_with(store))
        .is_none_or(named)
}
