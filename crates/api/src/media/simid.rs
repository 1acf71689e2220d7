//! SIMID units: the messages of their code, the script of a unit, and the error codes of both
//! sides.
//!
//! A SIMID unit is a page next to the video of an ad: the player plays the video, and the unit
//! sends requests. A scenario scripts the unit's requests and responses. Names are those of SIMID
//! 1.2.
//!
//! Rules: SIMID-1 to SIMID-16.

use std::sync::Arc;

use playsim_base::named::named;
use playsim_base::time::Span;

named! {
    /// The messages of a unit to its player, apart from its responses.
    SimidMessage {
        ClickThru "clickThru" "The user clicked.",
        RequestNavigation "requestNavigation" "It asks the player to open a URL.",
        RequestSkip "requestSkip" "It asks the player to skip the ad.",
        RequestStop "requestStop" "It asks the player to end the ad.",
        RequestPause "requestPause" "It asks the player to pause the video.",
        RequestPlay "requestPlay" "It asks the player to resume the video.",
        RequestFullscreen "requestFullscreen" "It asks to enter fullscreen.",
        RequestExitFullscreen "requestExitFullscreen" "It asks to leave fullscreen.",
        RequestChangeVolume "requestChangeVolume" "It asks for another volume.",
        RequestChangeAdDuration "requestChangeAdDuration" "It asks for more time.",
        RequestResize "requestResize" "It asks for another size.",
        ExpandNonlinear "expandNonlinear" "An overlay asks to cover the content.",
        CollapseNonlinear "collapseNonlinear" "An overlay that covers the content uncovers it.",
        ReportTracking "reportTracking" "It asks the player to request tracking URLs.",
        GetMediaState "getMediaState" "It asks for the state of the video.",
        Log "log" "A log message.",
        FatalError "fatalError" "It failed and cannot go on.",
        Broken "broken" "An unreadable message.",
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
    pub message: SimidMessage,
    /// Its parameters.
    pub detail: SimidDetail,
}

/// The parameters of a message.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum SimidDetail {
    /// None.
    Nothing,
    /// Of `clickThru` and `requestNavigation`: the target.
    Link {
        /// The URL; `None`: that of the VAST document.
        url: Option<Arc<str>>,
        /// Whether the player has to open it.
        player_handles: bool,
    },
    /// Of `requestChangeAdDuration`: how much more time. Of `requestPause` and `expandNonlinear`:
    /// for how long, after which the unit undoes it on its own.
    Length(Span),
    /// Of `reportTracking`: the URLs.
    Addresses(Vec<Arc<str>>),
    /// Of `fatalError`: its error and message.
    Fatal(SimidError, Option<Arc<str>>),
}

/// The kind of detail that a message carries: which variant of [`SimidDetail`] it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SimidCarries {
    /// Nothing.
    Nothing,
    /// A URL, or nothing, and who opens it.
    Link,
    /// A URL.
    Url,
    /// A length of time.
    Length,
    /// How long the unit waits before it reverses its request, or nothing.
    Pause,
    /// URLs.
    Addresses,
    /// An error.
    Fatal,
}

impl SimidMessage {
    /// Returns the kind of detail that the message carries.
    #[must_use]
    pub fn carries(self) -> SimidCarries {
        const CARRYING: &[(SimidMessage, SimidCarries)] = &[
            (SimidMessage::ClickThru, SimidCarries::Link),
            (SimidMessage::RequestNavigation, SimidCarries::Url),
            (SimidMessage::RequestChangeAdDuration, SimidCarries::Length),
            (SimidMessage::RequestPause, SimidCarries::Pause),
            (SimidMessage::ExpandNonlinear, SimidCarries::Pause),
            (SimidMessage::ReportTracking, SimidCarries::Addresses),
            (SimidMessage::FatalError, SimidCarries::Fatal),
        ];
        let row = CARRYING.iter().find(|(message, _)| *message == self);
        row.map_or(SimidCarries::Nothing, |(_, carries)| *carries)
    }
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
