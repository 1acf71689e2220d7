//! SIMID units: the messages of their code, the script of a unit, and the error codes of both
//! sides.
//!
//! A SIMID unit is a page next to the video of an ad: the player plays the video, and the unit
//! sends requests. A scenario scripts the unit's requests and responses. Names are those of SIMID
//! 1.2.
//!
//! Rules: SIMID-1 to SIMID-16.

use std::sync::Arc;

use super::said::messages;
use playsim_base::time::Span;

messages! {
    /// The messages of a unit to its player, apart from its responses, by name.
    SimidMessage,
    /// A message of a unit to its player, with its parameters.
    SimidSaid {
        ClickThru "clickThru" "The user clicked." SIMID_11 {
            /// The URL to open; `None`: that of the VAST document.
            url: Option<Arc<str>> = None,
            /// Whether the player has to open it.
            player_handles: bool = true,
        },
        RequestNavigation "requestNavigation" "It asks the player to open a URL." SIMID_11 {
            /// The URL.
            url: Arc<str> = Arc::default(),
        },
        RequestSkip "requestSkip" "It asks the player to skip the ad." SIMID_9,
        RequestStop "requestStop" "It asks the player to end the ad." SIMID_9,
        RequestPause "requestPause" "It asks the player to pause the video." SIMID_10 {
            /// How long before it asks to resume on its own; `None`: it does not.
            length: Option<Span> = None,
        },
        RequestPlay "requestPlay" "It asks the player to resume the video." SIMID_10,
        RequestFullscreen "requestFullscreen" "It asks to enter fullscreen." SIMID_13,
        RequestExitFullscreen "requestExitFullscreen" "It asks to leave fullscreen." SIMID_13,
        RequestChangeVolume "requestChangeVolume" "It asks for another volume." SIMID_13,
        RequestChangeAdDuration "requestChangeAdDuration" "It asks for more time." SIMID_12 {
            /// How much more.
            by: Span = Span::ZERO,
        },
        RequestResize "requestResize" "It asks for another size." SIMID_13,
        ExpandNonlinear "expandNonlinear" "An overlay asks to cover the content." SIMID_15 {
            /// How long before it collapses on its own; `None`: it does not.
            length: Option<Span> = None,
        },
        CollapseNonlinear "collapseNonlinear" "An overlay that covers the content uncovers it." SIMID_15,
        ReportTracking "reportTracking" "It asks the player to request tracking URLs." SIMID_14 {
            /// The URLs.
            urls: Vec<Arc<str>> = Vec::new(),
        },
        GetMediaState "getMediaState" "It asks for the state of the video." SIMID_14,
        Log "log" "A log message." SIMID_14,
        FatalError "fatalError" "It failed and cannot go on." SIMID_5 {
            /// The error.
            code: SimidError = SimidError::UnitUnspecified,
            /// Its text.
            text: Option<Arc<str>> = None,
        },
        Broken "broken" "An unreadable message." SIMID_7,
    }
}

/// The behaviour of a unit, message by message. Where the script says nothing, the unit follows the
/// standard.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SimidScript {
    /// The version that it supports.
    pub version: Arc<str>,
    /// How long after its page has loaded it requests a session; `None`: it never does.
    pub session_after: Option<Span>,
    /// Its response to `init`, and the delay.
    pub init: SimidAnswer,
    /// Its response to `startCreative`, and the delay.
    pub start: SimidAnswer,
    /// Its other messages, in the order of the scenario.
    pub steps: Vec<SimidStep>,
}

/// A response of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct SimidAnswer {
    /// Its content.
    pub reply: SimidReply,
    /// Its delay.
    pub after: Span,
}

/// The content of a unit's response.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum SimidReply {
    /// It accepts.
    #[default]
    Resolve,
    /// It rejects, with or without an error of its own.
    Reject(Option<SimidError>),
    /// An unreadable message.
    Broken,
    /// No response.
    Never,
}

/// One message of a script.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SimidStep {
    /// How long the ad has played when it is sent.
    pub at: Span,
    /// How many times it is sent, at one instant.
    pub times: u32,
    /// The message.
    pub said: SimidSaid,
}

/// The side that reports an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SimidSide {
    /// The unit.
    Creative,
    /// The player.
    Player,
}

macro_rules! simid_errors {
    ($($variant:ident $code:literal $side:ident $meaning:literal,)*) => {
        /// An error of SIMID. SIMID 1.2 section 9.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u16)]
        pub enum SimidError {
            $(#[doc = concat!(stringify!($code), ": ", $meaning, ".")] $variant = $code,)*
        }

        impl SimidError {
            /// All errors, by code.
            pub const ALL: &[SimidError] = &[$(SimidError::$variant,)*];

            /// Returns the error with this code.
            #[must_use]
            pub const fn read(code: u16) -> Option<SimidError> {
                match code {
                    $($code => Some(SimidError::$variant),)*
                    _ => None,
                }
            }

            /// Returns its code.
            #[must_use]
            pub const fn code(self) -> u16 {
                self as u16
            }

            /// Returns the side that reports it.
            #[must_use]
            pub const fn side(self) -> SimidSide {
                match self {
                    $(SimidError::$variant => SimidSide::$side,)*
                }
            }

            /// Returns its meaning.
            #[must_use]
            pub const fn meaning(self) -> &'static str {
                match self {
                    $(SimidError::$variant => $meaning,)*
                }
            }
        }
    };
}

simid_errors! {
    UnitUnspecified 1100 Creative "the unit failed without giving a reason",
    UnitResources 1101 Creative "the unit could not load its resources",
    UnitArea 1102 Creative "the unit cannot use the size that it was given",
    UnitVersion 1103 Creative "the unit does not support this version of SIMID",
    UnitUnplayable 1104 Creative "the unit cannot be played in this environment",
    UnitNotExpanded 1105 Creative "the unit asked to be expanded and was refused",
    UnitNotPaused 1106 Creative "the unit asked for a pause and was refused",
    UnitNoControl 1107 Creative "the unit needs control over playback and does not have it",
    UnitInternal 1108 Creative "an internal error of the unit",
    UnitDevice 1109 Creative "the unit does not run on this device",
    UnitProtocol 1110 Creative "the player does not follow the message protocol",
    UnitPlayer 1111 Creative "the player sends invalid responses",
    ReasonUnknown 1200 Player "the unit gave an unknown reason",
    VersionUnsupported 1201 Player "the player does not support this version of SIMID",
    TimeExceeded 1202 Player "the requested time exceeds the limit",
    FunctionUnsupported 1203 Player "the requested function is not supported",
    NotAllowed 1204 Player "the request is not allowed at this point",
    TooManyMessages 1205 Player "too many messages at once",
    MediaUnavailable 1206 Player "the video of the ad could not be loaded",
    MediaStalled 1207 Player "the video of the ad buffered for too long",
    AnswerLate 1208 Player "a response came too late",
    MediaUnsupported 1209 Player "the video of the ad has an unsupported type",
    InitUnreadable 1210 Player "the response to init is invalid",
    MessageUnreadable 1211 Player "a message is invalid",
    InitUnanswered 1212 Player "no response to init",
    StartUnanswered 1213 Player "no response to startCreative by the end of the video",
    NavigationUnsupported 1214 Player "this player does not open links",
    NavigationImpossible 1215 Player "this device does not open links",
    NavigationLimit 1216 Player "too many URLs to open",
    UrlInvalid 1217 Player "the URL to open is invalid",
    StoreLinkIncomplete 1218 Player "a link to a store does not name a product",
    NavigationOpen 1219 Player "another URL is already open",
    PauseImpossible 1220 Player "the unit was not expanded because the content did not pause",
    ExpandRefused 1221 Player "the user refused to let the unit expand",
    ExpandLimit 1222 Player "too many attempts to expand",
    SessionMissing 1223 Player "no session was created",
}

impl Default for SimidScript {
    /// A unit that responds immediately and requests nothing.
    fn default() -> SimidScript {
        SimidScript {
            version: "1.2".into(),
            session_after: Some(Span::ZERO),
            init: SimidAnswer::default(),
            start: SimidAnswer::default(),
            steps: Vec::new(),
        }
    }
}
