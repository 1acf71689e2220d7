//! VPAID units: the messages of their code, and the script of a unit.
//!
//! A unit is code that plays an ad on its own. A scenario scripts its messages and their times; the
//! player decides whether it accepts them. Names are those of VPAID 2.0.
//!
//! Rules: VPAID-1 to VPAID-18, BRK-2, MUTE-6, CLICK-4.

use std::sync::Arc;

use super::said::messages;
use playsim_base::named::named;
use playsim_base::number::Decimal;
use playsim_base::time::Span;

/// The behaviour of a VPAID unit, apart from its messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Vpaid {
    /// It plays sound until the player's mute reaches it. Rule MUTE-6.
    pub own_sound: bool,
    /// It reports clicks to the player. Rule CLICK-4.
    pub reports_click: bool,
}

messages! {
    /// The messages of a unit to its player, by name.
    VpaidEvent,
    /// A message of a unit to its player, with its parameters.
    VpaidSaid {
        AdLoaded "AdLoaded" "It is ready to start." VPAID_1,
        AdStarted "AdStarted" "It has begun." VPAID_5,
        AdStopped "AdStopped" "It has ended and disappeared." VPAID_1,
        AdSkipped "AdSkipped" "It was skipped." VPAID_7,
        AdSkippableStateChange "AdSkippableStateChange" "It becomes skippable, or ceases to be." VPAID_8 {
            /// Whether it can be skipped.
            skippable: bool = false,
        },
        AdSizeChange "AdSizeChange" "It has another size." VPAID_1,
        AdLinearChange "AdLinearChange" "It becomes linear, replacing the content, or nonlinear." VPAID_15 {
            /// Whether it replaces the content.
            linear: bool = false,
        },
        AdDurationChange "AdDurationChange" "It has another length." VPAID_9 {
            /// Its duration.
            duration: Span = Span::ZERO,
        },
        AdExpandedChange "AdExpandedChange" "It was expanded or collapsed." VPAID_12 {
            /// Whether it is expanded.
            expanded: bool = false,
        },
        AdRemainingTimeChange "AdRemainingTimeChange" "Its remaining time has changed." VPAID_9 {
            /// How much of it is left.
            remaining: Span = Span::ZERO,
        },
        AdVolumeChange "AdVolumeChange" "It has another volume." VPAID_12 {
            /// From 0 to 1.
            volume: Decimal = Decimal::ZERO,
        },
        AdImpression "AdImpression" "It is on screen: the impression counts." VPAID_5,
        AdVideoStart "AdVideoStart" "Its video has begun." VPAID_5,
        AdVideoFirstQuartile "AdVideoFirstQuartile" "A quarter of its video has been shown." VPAID_5,
        AdVideoMidpoint "AdVideoMidpoint" "Half of its video has been shown." VPAID_5,
        AdVideoThirdQuartile "AdVideoThirdQuartile" "Three quarters of its video have been shown." VPAID_5,
        AdVideoComplete "AdVideoComplete" "Its video has been shown to the end." VPAID_5,
        AdClickThru "AdClickThru" "The user clicked." VPAID_10 {
            /// The URL to open; `None`: that of the VAST document.
            url: Option<Arc<str>> = None,
            /// The id of the clicked element.
            id: Option<Arc<str>> = None,
            /// Whether the player has to open it.
            player_handles: bool = true,
        },
        AdInteraction "AdInteraction" "The user interacted with it in another way." VPAID_12 {
            /// The id of the element.
            id: Option<Arc<str>> = None,
        },
        AdUserAcceptInvitation "AdUserAcceptInvitation" "The user opened more of it." VPAID_12,
        AdUserMinimize "AdUserMinimize" "The user minimized it." VPAID_12,
        AdUserClose "AdUserClose" "The user closed it." VPAID_14,
        AdPaused "AdPaused" "It has paused." VPAID_13 {
            /// How long it pauses before it resumes on its own; `None`: it does not.
            length: Option<Span> = None,
        },
        AdPlaying "AdPlaying" "It has resumed." VPAID_13,
        AdLog "AdLog" "A log message." VPAID_1 {
            /// Its text.
            text: Option<Arc<str>> = None,
        },
        AdError "AdError" "It failed and cannot go on." VPAID_11 {
            /// Its text.
            text: Option<Arc<str>> = None,
        },
    }
}

named! {
    /// The calls of a player to a unit.
    VpaidCall {
        HandshakeVersion "handshakeVersion" "Agree on a version.",
        InitAd "initAd" "Get ready.",
        StartAd "startAd" "Start.",
        StopAd "stopAd" "Stop.",
        SkipAd "skipAd" "Skip the ad.",
        PauseAd "pauseAd" "Pause.",
        ResumeAd "resumeAd" "Resume.",
        ResizeAd "resizeAd" "Take this size.",
        SetVolume "adVolume" "Be this loud.",
    }
}

/// The behaviour of a unit, message by message. Where the script says nothing, the unit follows the
/// standard.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VpaidScript {
    /// What it does apart from its messages.
    pub does: Vpaid,
    /// The version that it returns from the handshake.
    pub version: Arc<str>,
    /// How long the handshake takes; `None`: it never returns.
    pub handshake_after: Option<Span>,
    /// The time from `initAd` to `AdLoaded`; `None`: it is never sent.
    pub loaded_after: Option<Span>,
    /// The time from `startAd` to `AdStarted`; `None`: it is never sent.
    pub starts_after: Option<Span>,
    /// The time from its end, or from `stopAd`, to `AdStopped`; `None`: it is never sent.
    pub stop_after: Option<Span>,
    /// How long other calls take.
    pub answers_after: Span,
    /// Whether it replaces the content: `adLinear`.
    pub linear: bool,
    /// Whether it is skippable at first: `adSkippableState`.
    pub skippable: bool,
    /// The messages that it would normally send but does not.
    pub silent: Vec<VpaidEvent>,
    /// Its other messages.
    pub steps: Vec<VpaidStep>,
}

/// One message of a script.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VpaidStep {
    /// When it is sent.
    pub when: VpaidWhen,
    /// The message itself.
    pub said: VpaidSaid,
}

/// When a message of a script is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum VpaidWhen {
    /// When the unit has played this long, counted from `AdStarted`.
    At(Span),
    /// This long after the player's first call of this name.
    On(VpaidCall, Span),
}

impl Default for VpaidScript {
    /// A unit that responds immediately and correctly.
    fn default() -> VpaidScript {
        VpaidScript {
            does: Vpaid::default(),
            version: "2.0".into(),
            handshake_after: Some(Span::ZERO),
            loaded_after: Some(Span::ZERO),
            starts_after: Some(Span::ZERO),
            stop_after: Some(Span::ZERO),
            answers_after: Span::ZERO,
            linear: true,
            skippable: false,
            silent: Vec::new(),
            steps: Vec::new(),
        }
    }
}
