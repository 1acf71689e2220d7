//! The lines of the messages between a VPAID unit and the player.
//!
//! Rules: VPAID-1, VPAID-17.

use std::sync::Arc;

use playsim_api::media::VpaidSaid;
use playsim_api::{Fields, Text};

/// Returns the data of a message, with its payload.
pub(crate) fn line_data(message: &'static str, from: &'static str, carries: Fields) -> Fields {
    let mut data = Fields::with_room(6)
        .with("message", message)
        .with("from", from);
    for (name, value) in carries.iter() {
        data.push(name.clone(), value.clone());
    }
    data
}

/// Returns the payload of a message, for its line.
pub(crate) fn carried(said: &VpaidSaid) -> Fields {
    let text =
        |name, text: &Option<Arc<str>>| Fields::NONE.with_some(name, text.as_ref().map(Text::from));
    match said {
        VpaidSaid::AdClickThru {
            url,
            id,
            player_handles,
        } => Fields::with_room(3)
            .with_some("url", url.as_ref().map(Text::from))
            .with_some("id", id.as_ref().map(Text::from))
            .with("player_handles", *player_handles),
        VpaidSaid::AdInteraction { id } => text("id", id),
        VpaidSaid::AdError { text: words } | VpaidSaid::AdLog { text: words } => {
            text("text", words)
        }
        VpaidSaid::AdPaused { length } => Fields::NONE.with_some("for", *length),
        VpaidSaid::AdDurationChange { duration } => Fields::one("duration", *duration),
        VpaidSaid::AdRemainingTimeChange { remaining } => Fields::one("remaining", *remaining),
        VpaidSaid::AdVolumeChange { volume } => Fields::one("volume", *volume),
        VpaidSaid::AdSkippableStateChange { skippable } => Fields::one("skippable", *skippable),
        VpaidSaid::AdLinearChange { linear } => Fields::one("linear", *linear),
        VpaidSaid::AdExpandedChange { expanded } => Fields::one("expanded", *expanded),
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
        | VpaidSaid::AdPlaying => Fields::NONE,
    }
}
