//! The requests of a SIMID unit: whether each is granted, and its effect.
//!
//! Rules: SIMID-8 to SIMID-15.

use std::sync::Arc;

use crate::ads::ad_break::AdBreak;
use crate::ads::ad_break::state::{Stage, State};
use crate::ads::report::context::Scope;
use crate::ads::show::unit::simid::SimidUnit;
use crate::ads::show::unit::simid_lines::{log, message, refuse};
use crate::ads::url::is_url;
use crate::api::{Cause, Fields, UiLine};
use crate::knobs::{Knobs, SimidExpand, SimidNavigation};
use crate::media::{SimidDetail, SimidError, SimidMessage};
use crate::rules::{self, RuleId};
use crate::time::{Span, Time};
use crate::vast::Url;

/// What is on screen together with a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum On {
    Ad { is_paused: bool, may_skip: bool },
    Overlay { is_expanded: bool },
}

/// Returns the rule that applies to a message.
pub(in crate::ads) const fn rule_of(named: SimidMessage) -> RuleId {
    match named {
        SimidMessage::ClickThru | SimidMessage::RequestNavigation => rules::SIMID_11,
        SimidMessage::RequestSkip | SimidMessage::RequestStop => rules::SIMID_9,
        SimidMessage::RequestPause | SimidMessage::RequestPlay => rules::SIMID_10,
        SimidMessage::RequestFullscreen
        | SimidMessage::RequestExitFullscreen
        | SimidMessage::RequestChangeVolume
        | SimidMessage::RequestResize => rules::SIMID_13,
        SimidMessage::RequestChangeAdDuration => rules::SIMID_12,
        SimidMessage::ExpandNonlinear | SimidMessage::CollapseNonlinear => rules::SIMID_15,
        SimidMessage::ReportTracking | SimidMessage::GetMediaState | SimidMessage::Log => rules::SIMID_14,
        SimidMessage::FatalError => rules::SIMID_5,
        SimidMessage::Broken => rules::SIMID_7,
    }
}

impl AdBreak {
    /// Answers a request of a unit, and carries it out if it is granted.
    pub(in crate::ads) fn simid_asks(
        &mut self,
        named: SimidMessage,
        detail: &SimidDetail,
        cause: Cause,
        cx: &mut Scope<'_>,
    ) {
        let Some(on) = self.simid_on(cx.now) else { return };
        let Some((unit, ..)) = self.simid() else { return };
        if named == SimidMessage::ExpandNonlinear {
            unit.counts.expands += 1;
        }
        let rule = rule_of(named);
        match permit(unit, on, named, detail, cx.knobs()) {
            Err(error) => {
                let rule = if error == SimidError::NotAllowed { rules::SIMID_8 } else { rule };
                refuse(rule, error, named, cause, cx);
            }
            Ok(()) => {
                let data = message("resolve", "player").with("to", named.name());
                let cause = log(rule, cause, data, &mut cx.out);
                cx.out.set_cause(cause);
                self.simid_gets(named, detail, cause, cx);
            }
        }
    }

    fn simid_on(&self, now: Time) -> Option<On> {
        match self.state() {
            State::Ad { ad, stage: stage @ (Stage::Playing | Stage::Paused) } => {
                let may_skip = ad.skippable_from().is_some_and(|from| from <= ad.position(now));
                Some(On::Ad { is_paused: *stage == Stage::Paused, may_skip })
            }
            State::Overlay { ad, is_visible: true } => {
                let is_expanded = ad.simid.as_ref().is_some_and(|unit| unit.is_expanded());
                Some(On::Overlay { is_expanded })
            }
            State::Ad { .. }
            | State::Overlay { .. }
            | State::Loading { .. }
            | State::EndCard { .. }
            | State::Over { .. } => None,
        }
    }

    /// Carries out a request that was granted.
    fn simid_gets(&mut self, named: SimidMessage, detail: &SimidDetail, cause: Cause, cx: &mut Scope<'_>) {
        match named {
            SimidMessage::RequestSkip => self.skipped(rules::SIMID_9, &["skip"], cx),
            SimidMessage::RequestStop => self.skipped(rules::SIMID_9, &["closeLinear"], cx),
            SimidMessage::RequestPause => {
                self.pause_ad(cx);
                self.takes_back(SimidMessage::RequestPlay, detail, cause, cx.now);
            }
            SimidMessage::RequestPlay => {
                if let Some((unit, ..)) = self.simid() {
                    unit.counts.is_away = false;
                }
                self.resume_ad(cx);
            }
            SimidMessage::RequestChangeAdDuration => {
                if let (Some((unit, ..)), SimidDetail::Length(length)) = (self.simid(), detail) {
                    unit.counts.extra += *length;
                }
            }
            SimidMessage::ClickThru => {
                let (url, player_handles) = link(detail);
                self.count_navigation(player_handles);
                self.clicked_in_unit(rules::SIMID_11, url, player_handles, cx);
            }
            SimidMessage::RequestNavigation => {
                self.count_navigation(true);
                let data = Fields::with_room(1).with_some("url", link(detail).0.map(crate::api::Text::from));
                cx.out.line(rules::SIMID_11, UiLine::Navigate, data);
                self.pause_ad(cx);
            }
            SimidMessage::ReportTracking => self.reports(detail, cause, cx),
            SimidMessage::ExpandNonlinear => {
                self.expands(true, &["adExpand", "expand"], cause, cx);
                self.takes_back(SimidMessage::CollapseNonlinear, detail, cause, cx.now);
            }
            SimidMessage::CollapseNonlinear => {
                self.expands(false, &["adCollapse", "collapse"], cause, cx);
            }
            SimidMessage::RequestFullscreen
            | SimidMessage::RequestExitFullscreen
            | SimidMessage::RequestChangeVolume
            | SimidMessage::RequestResize
            | SimidMessage::GetMediaState
            | SimidMessage::Log
            | SimidMessage::FatalError
            | SimidMessage::Broken => {}
        }
    }

    /// Schedules the counter-request of a unit that asked for something for a limited time.
    fn takes_back(&mut self, named: SimidMessage, detail: &SimidDetail, cause: Cause, now: Time) {
        if let (Some((unit, ..)), SimidDetail::Length(length)) = (self.simid(), detail) {
            unit.send_after(now, *length, named, cause);
        }
    }

    fn count_navigation(&mut self, is_away: bool) {
        if let Some((unit, ..)) = self.simid().filter(|_| is_away) {
            unit.counts.navigations += 1;
            unit.counts.is_away = true;
        }
    }

    /// Requests the URLs that the unit reports. Rule SIMID-14.
    fn reports(&mut self, detail: &SimidDetail, cause: Cause, cx: &mut Scope<'_>) {
        let SimidDetail::Addresses(urls) = detail else { return };
        let now = cx.now;
        let (hop, at_hand) = match self.state() {
            State::Ad { ad, .. } => (ad.hops(), ad.at_hand(now)),
            State::Overlay { ad, .. } => (ad.hops(), ad.at_hand(now)),
            State::Loading { .. } | State::EndCard { .. } | State::Over { .. } => return,
        };
        let occasion = cx.occasion().with_ad(at_hand);
        let id = hop.last().and_then(|hop| hop.ad().id.as_ref());
        let index = hop.len().saturating_sub(1);
        for url in urls {
            let url = Url { text: Arc::clone(url), ..Url::default() };
            cx.call(rules::SIMID_14, "reportTracking", cause, (index, id), &url, &occasion);
        }
    }

    /// Expands the overlay over the content, or collapses it. Rule SIMID-15.
    fn expands(&mut self, is_expanded: bool, trackers: &[&'static str], cause: Cause, cx: &mut Scope<'_>) {
        let State::Overlay { ad, .. } = self.parts().1 else { return };
        let Some(unit) = &mut ad.simid else { return };
        unit.counts.is_expanded = is_expanded;
        for tracker in trackers {
            ad.track(rules::SIMID_15, tracker, cause, cx);
        }
        let data = Fields::one("visible", true).with("expanded", is_expanded);
        cx.out.line_because(cause, rules::SIMID_15, UiLine::Overlay, data);
    }
}

/// Decides whether a request of a unit is granted.
///
/// # Errors
///
/// The error with which it is refused.
fn permit(
    unit: &SimidUnit,
    on: On,
    named: SimidMessage,
    detail: &SimidDetail,
    knobs: &Knobs,
) -> Result<(), SimidError> {
    let allow = |may: bool| if may { Ok(()) } else { Err(SimidError::NotAllowed) };
    match (named, on) {
        (SimidMessage::RequestSkip, On::Ad { may_skip, .. }) => allow(may_skip),
        (SimidMessage::RequestStop, On::Ad { .. }) => Ok(()),
        (SimidMessage::RequestPause, On::Ad { is_paused, .. }) => allow(!is_paused),
        (SimidMessage::RequestPlay, On::Ad { is_paused, .. }) => allow(is_paused),
        (SimidMessage::RequestChangeAdDuration, On::Ad { .. }) => {
            let asked = match detail {
                SimidDetail::Length(length) => *length,
                SimidDetail::Nothing
                | SimidDetail::Link { .. }
                | SimidDetail::Addresses(_)
                | SimidDetail::Fatal(..) => Span::ZERO,
            };
            if unit.counts.extra + asked <= knobs.simid_extra_time {
                Ok(())
            } else {
                Err(SimidError::TimeExceeded)
            }
        }
        (SimidMessage::ClickThru, _) => match link(detail) {
            (_, false) => Ok(()),
            (url, true) => may_navigate(unit, on, url, knobs),
        },
        (SimidMessage::RequestNavigation, _) => {
            let url = link(detail).0.ok_or(SimidError::UrlInvalid)?;
            may_navigate(unit, on, Some(url), knobs)
        }
        (SimidMessage::ExpandNonlinear, On::Overlay { is_expanded: false }) => match knobs.simid_expand {
            _ if unit.counts.expands > knobs.simid_max_expands => Err(SimidError::ExpandLimit),
            SimidExpand::Granted => Ok(()),
            SimidExpand::Refused => Err(SimidError::ExpandRefused),
            SimidExpand::WithoutPause => Err(SimidError::PauseImpossible),
        },
        (SimidMessage::CollapseNonlinear, On::Overlay { is_expanded }) => allow(is_expanded),
        (
            SimidMessage::RequestFullscreen
            | SimidMessage::RequestExitFullscreen
            | SimidMessage::RequestChangeVolume
            | SimidMessage::RequestResize,
            _,
        ) => Err(SimidError::FunctionUnsupported),
        (
            SimidMessage::ReportTracking
            | SimidMessage::GetMediaState
            | SimidMessage::Log
            | SimidMessage::FatalError
            | SimidMessage::Broken,
            _,
        ) => Ok(()),
        (
            SimidMessage::RequestSkip
            | SimidMessage::RequestStop
            | SimidMessage::RequestPause
            | SimidMessage::RequestPlay
            | SimidMessage::RequestChangeAdDuration,
            On::Overlay { .. },
        )
        | (SimidMessage::ExpandNonlinear, On::Ad { .. } | On::Overlay { is_expanded: true })
        | (SimidMessage::CollapseNonlinear, On::Ad { .. }) => Err(SimidError::NotAllowed),
    }
}

/// Decides whether a URL is opened for a unit; `None`: that of the document. Rule SIMID-11.
fn may_navigate(unit: &SimidUnit, on: On, url: Option<&Arc<str>>, knobs: &Knobs) -> Result<(), SimidError> {
    let is_paused = matches!(on, On::Ad { is_paused: true, .. });
    match knobs.simid_navigation {
        SimidNavigation::Unsupported => return Err(SimidError::NavigationUnsupported),
        SimidNavigation::Impossible => return Err(SimidError::NavigationImpossible),
        SimidNavigation::Allowed => {}
    }
    if unit.counts.is_away && is_paused {
        return Err(SimidError::NavigationOpen);
    }
    if unit.counts.navigations >= knobs.simid_max_navigations {
        return Err(SimidError::NavigationLimit);
    }
    match url {
        Some(url) if !is_url(url) || url.chars().any(char::is_whitespace) => Err(SimidError::UrlInvalid),
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
    STORES.iter().find(|(store, _)| url.starts_with(store)).is_none_or(named)
}

fn link(detail: &SimidDetail) -> (Option<&Arc<str>>, bool) {
    match detail {
        SimidDetail::Link { url, player_handles } => (url.as_ref(), *player_handles),
        SimidDetail::Nothing
        | SimidDetail::Length(_)
        | SimidDetail::Addresses(_)
        | SimidDetail::Fatal(..) => (None, true),
    }
}
