//! The lines of the messages between a VPAID unit and the player.
//!
//! Rules: VPAID-1, VPAID-17.

use playsim_api::media::{VpaidDetail, VpaidEvent, VpaidSaid};
use playsim_api::{Fields, Text};
use playsim_rules::{self as rules, RuleId};

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
pub(crate) fn carried(VpaidSaid { event, detail }: &VpaidSaid) -> Fields {
    let name = event.field();
    match detail {
        VpaidDetail::Nothing => Fields::default(),
        VpaidDetail::Click {
            url,
            id,
            player_handles,
        } => Fields::with_room(3)
            .with_some("url", url.as_ref().map(Text::from))
            .with_some("id", id.as_ref().map(Text::from))
            .with("player_handles", *player_handles),
        VpaidDetail::Length(length) | VpaidDetail::Pause(length) => Fields::one(name, *length),
        VpaidDetail::Volume(volume) => Fields::one(name, *volume),
        VpaidDetail::State(state) => Fields::one(name, *state),
        VpaidDetail::Words(words) => Fields::one(name, words),
    }
}

/// Returns the rule that applies to a message that is in order.
pub(crate) const fn rule_of(event: VpaidEvent) -> RuleId {
    match event {
        VpaidEvent::AdLoaded
        | VpaidEvent::AdStopped
        | VpaidEvent::AdLog
        | VpaidEvent::AdSizeChange => rules::VPAID_1,
        VpaidEvent::AdStarted
        | VpaidEvent::AdImpression
        | VpaidEvent::AdVideoStart
        | VpaidEvent::AdVideoFirstQuartile
        | VpaidEvent::AdVideoMidpoint
        | VpaidEvent::AdVideoThirdQuartile
        | VpaidEvent::AdVideoComplete => rules::VPAID_5,
        VpaidEvent::AdSkipped => rules::VPAID_7,
        VpaidEvent::AdSkippableStateChange => rules::VPAID_8,
        VpaidEvent::AdLinearChange => rules::VPAID_15,
        VpaidEvent::AdDurationChange | VpaidEvent::AdRemainingTimeChange => rules::VPAID_9,
        VpaidEvent::AdExpandedChange
        | VpaidEvent::AdVolumeChange
        | VpaidEvent::AdInteraction
        | VpaidEvent::AdUserAcceptInvitation
        | VpaidEvent::AdUserMinimize => rules::VPAID_12,
        VpaidEvent::AdClickThru => rules::VPAID_10,
        VpaidEvent::AdUserClose => rules::VPAID_14,
        VpaidEvent::AdPaused | VpaidEvent::AdPlaying => rules::VPAID_13,
        VpaidEvent::AdError => rules::VPAID_11,
    }
}
