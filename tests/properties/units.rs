//! Random scripts of VPAID and SIMID units: their messages in any order, late, twice or not at all.

use std::sync::Arc;

use playsim::api::Decimal;
use playsim::media::{
    SimidAnswer, SimidCarries, SimidDetail, SimidError, SimidMessage, SimidReply, SimidScript, SimidSide,
    SimidStep, VpaidCall, VpaidCarries, VpaidDetail, VpaidEvent, VpaidSaid, VpaidScript, VpaidStep,
    VpaidWhen,
};

use super::dice::Dice;
use super::world::beats;

/// The URLs of pages of SIMID units; the last one is missing.
pub(crate) const PAGES: &[&str] = &["page-0.html", "page-1.html", "page-missing.html"];

/// A script for a VPAID unit.
pub(crate) fn vpaid(dice: &mut Dice) -> VpaidScript {
    let after = |dice: &mut Dice| if dice.chance(1, 12) { None } else { Some(beats(3, dice)) };
    VpaidScript {
        version: Arc::from(*dice.pick(&["2.0", "2.0", "2.0", "1.1", "3.0", "?"])),
        handshake_after: after(dice),
        loaded_after: after(dice),
        starts_after: after(dice),
        stop_after: after(dice),
        answers_after: beats(2, dice),
        linear: !dice.chance(1, 12),
        skippable: dice.chance(1, 3),
        silent: if dice.chance(1, 3) {
            dice.some(1, 3, |dice| *dice.pick(VpaidEvent::ALL))
        } else {
            Vec::new()
        },
        steps: dice.some(0, 5, vpaid_step),
    }
}

fn vpaid_step(dice: &mut Dice) -> VpaidStep {
    let when = if dice.chance(1, 4) {
        VpaidWhen::On(*dice.pick(VpaidCall::ALL), beats(3, dice))
    } else {
        VpaidWhen::At(beats(16, dice))
    };
    let event = *dice.pick(VpaidEvent::ALL);
    let detail = match event.carries() {
        VpaidCarries::Click => VpaidDetail::Click {
            url: dice.chance(1, 2).then(|| "https://shop.test/unit".into()),
            id: dice.chance(1, 4).then(|| "button".into()),
            player_handles: dice.chance(2, 3),
        },
        VpaidCarries::Length => VpaidDetail::Length(beats(16, dice)),
        VpaidCarries::Volume => {
            VpaidDetail::Volume(*dice.pick(&[Decimal::ZERO, Decimal::ONE, Decimal::from_millionths(250_000)]))
        }
        VpaidCarries::State => VpaidDetail::State(dice.chance(1, 2)),
        VpaidCarries::Pause if dice.chance(1, 2) => VpaidDetail::Pause(beats(4, dice)),
        VpaidCarries::Words if dice.chance(1, 2) => VpaidDetail::Words("words".into()),
        VpaidCarries::Pause | VpaidCarries::Words | VpaidCarries::Nothing => VpaidDetail::Nothing,
    };
    VpaidStep { when, said: VpaidSaid { event, detail } }
}

/// A script for the page of a SIMID unit.
pub(crate) fn simid(dice: &mut Dice) -> SimidScript {
    SimidScript {
        version: Arc::from(*dice.pick(&["1.2", "1.2", "1.0", "2.0"])),
        session_after: if dice.chance(1, 12) { None } else { Some(beats(3, dice)) },
        init: answer(dice),
        start: answer(dice),
        steps: dice.some(0, 5, simid_step),
    }
}

fn error(dice: &mut Dice) -> SimidError {
    let of_unit = SimidError::ALL.iter().copied().filter(|error| error.side() == SimidSide::Creative);
    *dice.pick(&of_unit.collect::<Vec<_>>())
}

fn answer(dice: &mut Dice) -> SimidAnswer {
    let reply = match dice.below(12) {
        0 => SimidReply::Never,
        1 => SimidReply::Broken,
        2 => SimidReply::Reject(dice.chance(1, 2).then(|| error(dice))),
        _ => SimidReply::Resolve,
    };
    SimidAnswer { reply, after: beats(4, dice) }
}

fn simid_step(dice: &mut Dice) -> SimidStep {
    let message = *dice.pick(SimidMessage::ALL);
    let url = |dice: &mut Dice| {
        Some(Arc::from(*dice.pick(&["https://shop.test/", "no address", "market://details", "itms:/id1"])))
    };
    let detail = match message.carries() {
        SimidCarries::Link => {
            let url = if dice.chance(1, 2) { url(dice) } else { None };
            SimidDetail::Link { url, player_handles: dice.chance(2, 3) }
        }
        SimidCarries::Url => SimidDetail::Link { url: url(dice), player_handles: true },
        SimidCarries::Length => SimidDetail::Length(beats(8, dice)),
        SimidCarries::Pause if dice.chance(1, 2) => SimidDetail::Length(beats(4, dice)),
        SimidCarries::Addresses => {
            SimidDetail::Addresses(dice.some(0, 2, |_| Arc::from("https://t.test/own")))
        }
        SimidCarries::Fatal => SimidDetail::Fatal(error(dice), dice.chance(1, 2).then(|| "words".into())),
        SimidCarries::Pause | SimidCarries::Nothing => SimidDetail::Nothing,
    };
    let times = if dice.chance(1, 8) { *dice.pick(&[2, 60]) } else { 1 };
    SimidStep { at: beats(12, dice), times, message, detail }
}
