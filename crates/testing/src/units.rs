//! Random scripts of VPAID and SIMID units: their messages in any order, late, twice or not at all.

use std::sync::Arc;

use playsim_api::Decimal;
use playsim_api::media::{
    SimidAnswer, SimidError, SimidMessage, SimidReply, SimidSaid, SimidScript, SimidSide,
    SimidStep, Vpaid, VpaidCall, VpaidEvent, VpaidSaid, VpaidScript, VpaidStep, VpaidWhen,
};

use super::grid::beats;
use super::source::Source;

/// The URLs of pages of SIMID units; the last one is missing.
pub(super) const PAGES: &[&str] = &["page-0.html", "page-1.html", "page-missing.html"];

/// A script for a VPAID unit.
pub(super) fn vpaid(source: &mut Source) -> VpaidScript {
    let after = |source: &mut Source| {
        if source.chance(1, 12) {
            None
        } else {
            Some(beats(3, source))
        }
    };
    VpaidScript {
        does: Vpaid::default(),
        version: Arc::from(*source.pick(&["2.0", "2.0", "2.0", "1.1", "3.0", "?"])),
        handshake_after: after(source),
        loaded_after: after(source),
        starts_after: after(source),
        stop_after: after(source),
        answers_after: beats(2, source),
        linear: !source.chance(1, 12),
        skippable: source.chance(1, 3),
        silent: if source.chance(1, 3) {
            source.some(1, 3, |source| *source.pick(VpaidEvent::ALL))
        } else {
            Vec::new()
        },
        steps: source.some(0, 5, vpaid_step),
    }
}

fn vpaid_step(source: &mut Source) -> VpaidStep {
    let when = if source.chance(1, 4) {
        VpaidWhen::On(*source.pick(VpaidCall::ALL), beats(3, source))
    } else {
        VpaidWhen::At(beats(16, source))
    };
    let mut said = VpaidSaid::from(*source.pick(VpaidEvent::ALL));
    match &mut said {
        VpaidSaid::AdClickThru {
            url,
            id,
            player_handles,
        } => {
            *url = source.chance(1, 2).then(|| "https://shop.test/unit".into());
            *id = source.chance(1, 4).then(|| "button".into());
            *player_handles = source.chance(2, 3);
        }
        VpaidSaid::AdDurationChange { duration: length }
        | VpaidSaid::AdRemainingTimeChange { remaining: length } => *length = beats(16, source),
        VpaidSaid::AdVolumeChange { volume } => {
            *volume = *source.pick(&[
                Decimal::ZERO,
                Decimal::ONE,
                Decimal::from_millionths(250_000),
            ]);
        }
        VpaidSaid::AdSkippableStateChange { skippable: state }
        | VpaidSaid::AdLinearChange { linear: state }
        | VpaidSaid::AdExpandedChange { expanded: state } => *state = source.chance(1, 2),
        VpaidSaid::AdPaused { length } => {
            *length = source.chance(1, 2).then(|| beats(4, source));
        }
        VpaidSaid::AdError { text: words }
        | VpaidSaid::AdLog { text: words }
        | VpaidSaid::AdInteraction { id: words } => {
            *words = source.chance(1, 2).then(|| "words".into());
        }
        VpaidSaid::AdLoaded
        | VpaidSaid::AdStarted
        | VpaidSaid::AdStopped
        | VpaidSaid::AdSkipped
        | VpaidSaid::AdSizeChange
        | VpaidSaid::AdImpression
        | VpaidSaid::AdVideoStart
        | VpaidSaid::AdVideoFirstQuartile
        | VpaidSaid::AdVideoMidpoint
        | VpaidSaid::AdVideoThirdQuartile
        | VpaidSaid::AdVideoComplete
        | VpaidSaid::AdUserAcceptInvitation
        | VpaidSaid::AdUserMinimize
        | VpaidSaid::AdUserClose
        | VpaidSaid::AdPlaying => {}
    }
    VpaidStep { when, said }
}

/// A script for the page of a SIMID unit.
pub(super) fn simid(source: &mut Source) -> SimidScript {
    SimidScript {
        version: Arc::from(*source.pick(&["1.2", "1.2", "1.0", "2.0"])),
        session_after: if source.chance(1, 12) {
            None
        } else {
            Some(beats(3, source))
        },
        init: answer(source),
        start: answer(source),
        steps: source.some(0, 5, simid_step),
    }
}

fn error(source: &mut Source) -> SimidError {
    let of_unit = SimidError::ALL
        .iter()
        .copied()
        .filter(|error| error.side() == SimidSide::Creative);
    *source.pick(&of_unit.collect::<Vec<_>>())
}

fn answer(source: &mut Source) -> SimidAnswer {
    let reply = match source.below(12) {
        0 => SimidReply::Never,
        1 => SimidReply::Broken,
        2 => SimidReply::Reject(source.chance(1, 2).then(|| error(source))),
        _ => SimidReply::Resolve,
    };
    SimidAnswer {
        reply,
        after: beats(4, source),
    }
}

fn simid_step(source: &mut Source) -> SimidStep {
    let mut said = SimidSaid::from(*source.pick(SimidMessage::ALL));
    let link = |source: &mut Source| {
        Arc::from(*source.pick(&[
            "https://shop.test/",
            "no address",
            "market://details",
            "itms:/id1",
        ]))
    };
    match &mut said {
        SimidSaid::ClickThru {
            url,
            player_handles,
        } => {
            *url = source.chance(1, 2).then(|| link(source));
            *player_handles = source.chance(2, 3);
        }
        SimidSaid::RequestNavigation { url } => *url = link(source),
        SimidSaid::RequestChangeAdDuration { by } => *by = beats(8, source),
        SimidSaid::RequestPause { length } | SimidSaid::ExpandNonlinear { length } => {
            *length = source.chance(1, 2).then(|| beats(4, source));
        }
        SimidSaid::ReportTracking { urls } => {
            *urls = source.some(0, 2, |_| Arc::from("https://t.test/own"));
        }
        SimidSaid::FatalError { code, text } => {
            *code = error(source);
            *text = source.chance(1, 2).then(|| "words".into());
        }
        SimidSaid::RequestSkip
        | SimidSaid::RequestStop
        | SimidSaid::RequestPlay
        | SimidSaid::RequestFullscreen
        | SimidSaid::RequestExitFullscreen
        | SimidSaid::RequestChangeVolume
        | SimidSaid::RequestResize
        | SimidSaid::CollapseNonlinear
        | SimidSaid::GetMediaState
        | SimidSaid::Log
        | SimidSaid::Broken => {}
    }
    let times = if source.chance(1, 8) {
        *source.pick(&[2, 60])
    } else {
        1
    };
    SimidStep {
        at: beats(12, source),
        times,
        said,
    }
}
