//! Random scripts of VPAID and SIMID units: their messages in any order, late, twice or not at all.

use std::sync::Arc;

use playsim_api::Decimal;
use playsim_api::media::{
    SimidAnswer, SimidCarries, SimidDetail, SimidError, SimidMessage, SimidReply, SimidScript,
    SimidSide, SimidStep, VpaidCall, VpaidCarries, VpaidDetail, VpaidEvent, VpaidSaid, VpaidScript,
    VpaidStep, VpaidWhen,
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
    let event = *source.pick(VpaidEvent::ALL);
    let detail = match event.carries() {
        VpaidCarries::Click => VpaidDetail::Click {
            url: source.chance(1, 2).then(|| "https://shop.test/unit".into()),
            id: source.chance(1, 4).then(|| "button".into()),
            player_handles: source.chance(2, 3),
        },
        VpaidCarries::Length => VpaidDetail::Length(beats(16, source)),
        VpaidCarries::Volume => VpaidDetail::Volume(*source.pick(&[
            Decimal::ZERO,
            Decimal::ONE,
            Decimal::from_millionths(250_000),
        ])),
        VpaidCarries::State => VpaidDetail::State(source.chance(1, 2)),
        VpaidCarries::Pause if source.chance(1, 2) => VpaidDetail::Pause(beats(4, source)),
        VpaidCarries::Words if source.chance(1, 2) => VpaidDetail::Words("words".into()),
        VpaidCarries::Pause | VpaidCarries::Words | VpaidCarries::Nothing => VpaidDetail::Nothing,
    };
    VpaidStep {
        when,
        said: VpaidSaid { event, detail },
    }
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
    let message = *source.pick(SimidMessage::ALL);
    let url = |source: &mut Source| {
        Some(Arc::from(*source.pick(&[
            "https://shop.test/",
            "no address",
            "market://details",
            "itms:/id1",
        ])))
    };
    let detail = match message.carries() {
        SimidCarries::Link => {
            let url = if source.chance(1, 2) {
                url(source)
            } else {
                None
            };
            SimidDetail::Link {
                url,
                player_handles: source.chance(2, 3),
            }
        }
        SimidCarries::Url => SimidDetail::Link {
            url: url(source),
            player_handles: true,
        },
        SimidCarries::Length => SimidDetail::Length(beats(8, source)),
        SimidCarries::Pause if source.chance(1, 2) => SimidDetail::Length(beats(4, source)),
        SimidCarries::Addresses => {
            SimidDetail::Addresses(source.some(0, 2, |_| Arc::from("https://t.test/own")))
        }
        SimidCarries::Fatal => {
            SimidDetail::Fatal(error(source), source.chance(1, 2).then(|| "words".into()))
        }
        SimidCarries::Pause | SimidCarries::Nothing => SimidDetail::Nothing,
    };
    let times = if source.chance(1, 8) {
        *source.pick(&[2, 60])
    } else {
        1
    };
    SimidStep {
        at: beats(12, source),
        times,
        message,
        detail,
    }
}
