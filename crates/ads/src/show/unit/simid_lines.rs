//! The lines of the messages between a SIMID unit and the player.
//!
//! Rules: SIMID-6, SIMID-8, SIMID-16.

use std::sync::Arc;

use super::simid::{Session, SimidUnit};
use crate::report::context::Scope;
use playsim_api::media::{MediaFault, SimidError, SimidMessage, SimidReply, SimidSaid};
use playsim_api::{AdLine, Because, Cause, Fields, Outbox, Text};
use playsim_rules as rules;

/// Reports to the unit how its ad ends; without a session nothing is sent. Rule SIMID-16.
pub(crate) fn dismiss(
    unit: Option<&mut SimidUnit>,
    how: &'static str,
    cause: Cause,
    out: &mut Outbox,
) {
    let hears = |unit: &&mut SimidUnit| !matches!(unit.session(), Session::Awaited | Session::Over);
    if let Some(unit) = unit.filter(hears) {
        unit.is_over();
        out.line(
            Because {
                rule: rules::SIMID_16,
                cause,
            },
            AdLine::Simid,
            message(how, "player"),
        );
    }
}

pub(crate) fn message(message: &'static str, from: &'static str) -> Fields {
    Fields::with_room(6)
        .with("message", message)
        .with("from", from)
}

/// Returns the `fatalError` of the player.
pub(crate) fn fatal(error: SimidError) -> Fields {
    named(message("fatalError", "player"), error)
}

/// Returns the error that a unit gets if the media of its ad fails. Rule SIMID-6.
pub(crate) const fn media_error(fault: Option<MediaFault>) -> SimidError {
    match fault {
        Some(MediaFault::Unsupported) => SimidError::MediaUnsupported,
        Some(
            MediaFault::NotFound
            | MediaFault::Network
            | MediaFault::Decode
            | MediaFault::NotRunning
            | MediaFault::Cors
            | MediaFault::Blocked
            | MediaFault::Refused(_),
        )
        | None => SimidError::MediaUnavailable,
    }
}

pub(crate) fn named(data: Fields, error: SimidError) -> Fields {
    data.with("code", error.code()).with("why", error.meaning())
}

/// Returns the data of an answer of the unit.
pub(crate) fn answer(reply: SimidReply, to: &'static str) -> Fields {
    let (word, error) = match reply {
        SimidReply::Resolve => ("resolve", None),
        SimidReply::Reject(error) => ("reject", error),
        SimidReply::Broken => ("broken", None),
        SimidReply::Never => ("nothing", None),
    };
    let data = message(word, "creative").with("to", to);
    match error {
        Some(error) => named(data, error),
        None => data,
    }
}

/// Refuses a request of the unit. Rule SIMID-8.
pub(crate) fn refuse(because: Because, error: SimidError, to: SimidMessage, cx: &mut Scope<'_>) {
    cx.out.line(
        because,
        AdLine::Simid,
        named(message("reject", "player").with("to", to.name()), error),
    );
}

/// Returns the reason of an ad that fails with an error of SIMID.
pub(crate) fn why(error: SimidError) -> Text {
    format!("SIMID {}: {}", error.code(), error.meaning()).into()
}

/// Returns the payload of a message, for its line.
pub(crate) fn carried(said: &SimidSaid) -> Fields {
    let link = |url: Option<&Arc<str>>, player_handles: bool| {
        Fields::with_room(2)
            .with_some("url", url.map(Text::from))
            .with("player_handles", player_handles)
    };
    match said {
        SimidSaid::ClickThru {
            url,
            player_handles,
        } => link(url.as_ref(), *player_handles),
        SimidSaid::RequestNavigation { url } => link(Some(url), true),
        SimidSaid::RequestChangeAdDuration { by } => Fields::one("length", *by),
        SimidSaid::RequestPause { length } | SimidSaid::ExpandNonlinear { length } => {
            Fields::NONE.with_some("length", *length)
        }
        SimidSaid::ReportTracking { urls } => Fields::one("count", urls.len()),
        SimidSaid::FatalError { code, text } => {
            named(Fields::NONE, *code).with_some("text", text.as_ref().map(Text::from))
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
        | SimidSaid::Broken => Fields::NONE,
    }
}
