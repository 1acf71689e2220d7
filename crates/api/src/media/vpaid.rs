//! VPAID units: the messages of their code, and the script of a unit.
//!
//! A unit is code that plays an ad on its own. A scenario scripts its messages and their times; the
//! player decides whether it accepts them. Names are those of VPAID 2.0.
//!
//! Rules: VPAID-1 to VPAID-18, BRK-2, MUTE-6, CLICK-4.

use std::sync::Arc;

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

named! {
    /// The messages of a unit to its player.
    VpaidEvent {
        AdLoaded "AdLoaded" "It is ready to start.",
        AdStarted "AdStarted" "It has begun.",
        AdStopped "AdStopped" "It has ended and disappeared.",
        AdSkipped "AdSkipped" "It was skipped.",
        AdSkippableStateChange "AdSkippableStateChange" "It becomes skippable, or ceases to be.",
        AdSizeChange "AdSizeChange" "It has another size.",
        AdLinearChange "AdLinearChange" "It becomes linear, replacing the content, or nonlinear.",
        AdDurationChange "AdDurationChange" "It has another length.",
        AdExpandedChange "AdExpandedChange" "It was expanded or collapsed.",
        AdRemainingTimeChange "AdRemainingTimeChange" "Its remaining time has changed.",
        AdVolumeChange "AdVolumeChange" "It has another volume.",
        AdImpression "AdImpression" "It is on screen: the impression counts.",
        AdVideoStart "AdVideoStart" "Its video has begun.",
        AdVideoFirstQuartile "AdVideoFirstQuartile" "A quarter of its video has been shown.",
        AdVideoMidpoint "AdVideoMidpoint" "Half of its video has been shown.",
        AdVideoThirdQuartile "AdVideoThirdQuartile" "Three quarters of its video have been shown.",
        AdVideoComplete "AdVideoComplete" "Its video has been shown to the end.",
        AdClickThru "AdClickThru" "The user clicked.",
        AdInteraction "AdInteraction" "The user interacted with it in another way.",
        AdUserAcceptInvitation "AdUserAcceptInvitation" "The user opened more of it.",
        AdUserMinimize "AdUserMinimize" "The user minimized it.",
        AdUserClose "AdUserClose" "The user closed it.",
        AdPaused "AdPaused" "It has paused.",
        AdPlaying "AdPlaying" "It has resumed.",
        AdLog "AdLog" "A log message.",
        AdError "AdError" "It failed and cannot go on.",
    }

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

/// A message with its parameters.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct VpaidSaid {
    /// The event.
    pub event: VpaidEvent,
    /// Its parameters.
    pub detail: VpaidDetail,
}

/// The parameters of a message.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum VpaidDetail {
    /// None.
    Nothing,
    /// Of `AdClickThru`: the target, the id of the clicked element, and whether the player has to
    /// open it.
    Click {
        /// The URL; `None`: that of the VAST document.
        url: Option<Arc<str>>,
        /// The id of the clicked element.
        id: Option<Arc<str>>,
        /// Whether the player has to open it.
        player_handles: bool,
    },
    /// Of `AdDurationChange` the whole length, of `AdRemainingTimeChange` the remaining time.
    Length(Span),
    /// Of `AdPaused`: how long it pauses before it resumes on its own.
    Pause(Span),
    /// Of `AdVolumeChange`, from 0 to 1.
    Volume(Decimal),
    /// Of `AdSkippableStateChange`, `AdLinearChange` and `AdExpandedChange`: the new state.
    State(bool),
    /// Of `AdError`, `AdLog` and `AdInteraction`: its message.
    Words(Arc<str>),
}

impl Default for VpaidScript {
    /// A unit that responds immediately and correctly.
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

/// The kind of detail that a message carries: which variant of [`VpaidDetail`] it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VpaidCarries {
    /// Nothing.
    Nothing,
    /// A click.
    Click,
    /// A length of time.
    Length,
    /// How long a pause lasts, or nothing.
    Pause,
    /// A volume.
    Volume,
    /// A state.
    State,
    /// A string, or nothing.
    Words,
}

/// The messages that carry something, and the field that it has in scripts and traces; a click has
/// several.
const CARRYING: &[(VpaidEvent, VpaidCarries, &str)] = &[
    (VpaidEvent::AdClickThru, VpaidCarries::Click, ""),
    (
        VpaidEvent::AdDurationChange,
        VpaidCarries::Length,
        "duration",
    ),
    (
        VpaidEvent::AdRemainingTimeChange,
        VpaidCarries::Length,
        "remaining",
    ),
    (VpaidEvent::AdVolumeChange, VpaidCarries::Volume, "volume"),
    (
        VpaidEvent::AdSkippableStateChange,
        VpaidCarries::State,
        "skippable",
    ),
    (VpaidEvent::AdLinearChange, VpaidCarries::State, "linear"),
    (
        VpaidEvent::AdExpandedChange,
        VpaidCarries::State,
        "expanded",
    ),
    (VpaidEvent::AdPaused, VpaidCarries::Pause, "for"),
    (VpaidEvent::AdError, VpaidCarries::Words, "text"),
    (VpaidEvent::AdLog, VpaidCarries::Words, "text"),
    (VpaidEvent::AdInteraction, VpaidCarries::Words, "id"),
];

impl VpaidEvent {
    fn carrying(self) -> Option<&'static (VpaidEvent, VpaidCarries, &'static str)> {
        CARRYING.iter().find(|(event, ..)| *event == self)
    }

    /// Returns the kind of detail that the message carries.
    #[must_use]
    pub fn carries(self) -> VpaidCarries {
        self.carrying()
            .map_or(VpaidCarries::Nothing, |(_, carries, _)| *carries)
    }

    /// Returns the name of the field that has its detail, in scripts and traces; empty if there is
    /// none.
    #[must_use]
    pub fn field(self) -> &'static str {
        self.carrying().map_or("", |(.., field)| *field)
    }
}

impl From<VpaidEvent> for VpaidSaid {
    fn from(event: VpaidEvent) -> VpaidSaid {
        VpaidSaid {
            event,
            detail: VpaidDetail::Nothing,
        }
    }
}

impl VpaidDetail {
    /// The length, if it has one.
    #[must_use]
    pub fn length(&self) -> Option<Span> {
        if let VpaidDetail::Length(length) | VpaidDetail::Pause(length) = self {
            Some(*length)
        } else {
            None
        }
    }

    /// The new state, if it has one; of a volume, whether it is 0.
    #[must_use]
    pub fn state(&self) -> Option<bool> {
        if let VpaidDetail::Volume(volume) = self {
            return Some(*volume == Decimal::ZERO);
        }
        if let VpaidDetail::State(state) = self {
            Some(*state)
        } else {
            None
        }
    }
}
