//! VPAID units: what their code says and is told, and the script of one.
//!
//! A unit is code that plays an ad by itself. A scenario scripts what it says and when; whether the player
//! believes it is the player's. Names are those of VPAID 2.0.
//!
//! Rules: VPAID-1 to VPAID-18, BRK-2, MUTE-6, CLICK-4.

use std::sync::Arc;

use crate::named::named;
use crate::number::Decimal;
use crate::time::Span;

/// What a VPAID unit does by itself, apart from its script.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Vpaid {
    /// It plays sound until the player's mute reaches it. Rule MUTE-6.
    pub own_sound: bool,
    /// It tells the player of clicks. Rule CLICK-4.
    pub reports_click: bool,
}

named! {
    /// What a unit tells its player.
    VpaidEvent {
        AdLoaded "AdLoaded" "It is ready to be started.",
        AdStarted "AdStarted" "It has begun.",
        AdStopped "AdStopped" "It is over and gone.",
        AdSkipped "AdSkipped" "It was skipped.",
        AdSkippableStateChange "AdSkippableStateChange" "It can be skipped from here on, or not any more.",
        AdSizeChange "AdSizeChange" "It has another size.",
        AdLinearChange "AdLinearChange" "It stands in place of the content from here on, or beside it.",
        AdDurationChange "AdDurationChange" "It has another length.",
        AdExpandedChange "AdExpandedChange" "It was expanded or collapsed.",
        AdRemainingTimeChange "AdRemainingTimeChange" "So much of it is left.",
        AdVolumeChange "AdVolumeChange" "It is louder or quieter.",
        AdImpression "AdImpression" "It is seen: the impression counts.",
        AdVideoStart "AdVideoStart" "Its film has begun.",
        AdVideoFirstQuartile "AdVideoFirstQuartile" "A quarter of its film was shown.",
        AdVideoMidpoint "AdVideoMidpoint" "Half of its film was shown.",
        AdVideoThirdQuartile "AdVideoThirdQuartile" "Three quarters of its film were shown.",
        AdVideoComplete "AdVideoComplete" "Its film was shown to the end.",
        AdClickThru "AdClickThru" "The person clicked.",
        AdInteraction "AdInteraction" "The person did something else with it.",
        AdUserAcceptInvitation "AdUserAcceptInvitation" "The person opened more of it.",
        AdUserMinimize "AdUserMinimize" "The person made it small.",
        AdUserClose "AdUserClose" "The person closed it.",
        AdPaused "AdPaused" "It stands.",
        AdPlaying "AdPlaying" "It goes on.",
        AdLog "AdLog" "A note.",
        AdError "AdError" "It failed and cannot go on.",
    }
}

named! {
    /// What a player asks of a unit.
    VpaidCall {
        HandshakeVersion "handshakeVersion" "Which version it speaks.",
        InitAd "initAd" "Get ready.",
        StartAd "startAd" "Begin.",
        StopAd "stopAd" "Leave.",
        SkipAd "skipAd" "Let itself be skipped.",
        PauseAd "pauseAd" "Stand.",
        ResumeAd "resumeAd" "Go on.",
        ResizeAd "resizeAd" "Take this size.",
        SetVolume "adVolume" "Be this loud.",
    }
}

/// What a unit does, message by message. What is not said otherwise it does as the standard has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VpaidScript {
    /// What it answers to the handshake.
    pub version: Arc<str>,
    /// How long it takes to answer the handshake; `None`: it never does.
    pub handshake_after: Option<Span>,
    /// How long after `initAd` comes `AdLoaded`; `None`: never.
    pub loaded_after: Option<Span>,
    /// How long after `startAd` comes `AdStarted`; `None`: never.
    pub starts_after: Option<Span>,
    /// How long after its end, or after it is asked to leave, comes `AdStopped`; `None`: never.
    pub stop_after: Option<Span>,
    /// How long it takes to answer other calls.
    pub answers_after: Span,
    /// Whether it stands in place of the content: `adLinear`.
    pub linear: bool,
    /// Whether it lets itself be skipped at first: `adSkippableState`.
    pub skippable: bool,
    /// What it would say by itself and does not.
    pub silent: Vec<VpaidEvent>,
    /// What it says besides.
    pub steps: Vec<VpaidStep>,
}

/// One message of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VpaidStep {
    /// When it comes.
    pub when: VpaidWhen,
    /// What it is.
    pub said: VpaidSaid,
}

/// When a message of a script comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VpaidWhen {
    /// When the unit has played so long, counted from `AdStarted`.
    At(Span),
    /// So long after the player's first call of this name.
    On(VpaidCall, Span),
}

/// A message with what it carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VpaidSaid {
    /// Which.
    pub event: VpaidEvent,
    /// What it carries.
    pub detail: VpaidDetail,
}

/// What a message carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VpaidDetail {
    /// Nothing.
    Nothing,
    /// Of `AdClickThru`: where it leads, what was clicked, and whether the player is to open it.
    Click {
        /// The address; `None`: that of the VAST document.
        url: Option<Arc<str>>,
        /// What was clicked.
        id: Option<Arc<str>>,
        /// Whether the player is to open it.
        player_handles: bool,
    },
    /// Of `AdDurationChange` the whole length, of `AdRemainingTimeChange` what is left of it.
    Length(Span),
    /// Of `AdPaused`: how long it stands before it goes on by itself.
    Pause(Span),
    /// Of `AdVolumeChange`, from 0 to 1.
    Volume(Decimal),
    /// Of `AdSkippableStateChange`, `AdLinearChange` and `AdExpandedChange`: whether it is so now.
    State(bool),
    /// Of `AdError`, `AdLog` and `AdInteraction`: its words.
    Words(Arc<str>),
}

impl Default for VpaidScript {
    /// A unit that does everything at once and nothing wrong.
    fn default() -> VpaidScript {
        VpaidScript {
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

impl VpaidEvent {
    /// The name of what it carries, in scenarios and traces. `AdClickThru` carries more than one thing.
    #[must_use]
    pub const fn field(self) -> &'static str {
        match self {
            VpaidEvent::AdDurationChange => "duration",
            VpaidEvent::AdRemainingTimeChange => "remaining",
            VpaidEvent::AdVolumeChange => "volume",
            VpaidEvent::AdSkippableStateChange => "skippable",
            VpaidEvent::AdLinearChange => "linear",
            VpaidEvent::AdExpandedChange => "expanded",
            VpaidEvent::AdPaused => "for",
            VpaidEvent::AdError | VpaidEvent::AdLog => "text",
            VpaidEvent::AdInteraction => "id",
            VpaidEvent::AdLoaded
            | VpaidEvent::AdStarted
            | VpaidEvent::AdStopped
            | VpaidEvent::AdSkipped
            | VpaidEvent::AdSizeChange
            | VpaidEvent::AdImpression
            | VpaidEvent::AdVideoStart
            | VpaidEvent::AdVideoFirstQuartile
            | VpaidEvent::AdVideoMidpoint
            | VpaidEvent::AdVideoThirdQuartile
            | VpaidEvent::AdVideoComplete
            | VpaidEvent::AdClickThru
            | VpaidEvent::AdUserAcceptInvitation
            | VpaidEvent::AdUserMinimize
            | VpaidEvent::AdUserClose
            | VpaidEvent::AdPlaying => "",
        }
    }
}

impl From<VpaidEvent> for VpaidSaid {
    fn from(event: VpaidEvent) -> VpaidSaid {
        VpaidSaid { event, detail: VpaidDetail::Nothing }
    }
}

impl VpaidDetail {
    /// The length, where it carries one.
    #[must_use]
    pub fn length(&self) -> Option<Span> {
        match self {
            VpaidDetail::Length(length) | VpaidDetail::Pause(length) => Some(*length),
            VpaidDetail::Nothing
            | VpaidDetail::Click { .. }
            | VpaidDetail::Volume(_)
            | VpaidDetail::State(_)
            | VpaidDetail::Words(_) => None,
        }
    }

    /// Whether it is so now, where it says that; of a volume, whether it is none at all.
    #[must_use]
    pub fn state(&self) -> Option<bool> {
        match self {
            VpaidDetail::State(state) => Some(*state),
            VpaidDetail::Volume(volume) => Some(*volume == Decimal::ZERO),
            VpaidDetail::Nothing
            | VpaidDetail::Click { .. }
            | VpaidDetail::Length(_)
            | VpaidDetail::Pause(_)
            | VpaidDetail::Words(_) => None,
        }
    }
}
