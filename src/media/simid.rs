//! SIMID units: what their code says and is told, the script of one, and the error codes of both sides.
//!
//! A SIMID unit is a page beside the film of an ad: the player plays the film, and the unit asks. A scenario
//! scripts what it asks and what it answers. Names are those of SIMID 1.2.
//!
//! Rules: SIMID-1 to SIMID-16.

use std::sync::Arc;

use crate::named::named;
use crate::time::Span;

named! {
    /// What a unit tells its player, besides its answers.
    SimidMessage {
        ClickThru "clickThru" "The person clicked.",
        RequestNavigation "requestNavigation" "It asks the player to open an address.",
        RequestSkip "requestSkip" "It asks the player to skip the ad.",
        RequestStop "requestStop" "It asks the player to end the ad.",
        RequestPause "requestPause" "It asks the player to pause the film.",
        RequestPlay "requestPlay" "It asks the player to go on with the film.",
        RequestFullscreen "requestFullscreen" "It asks for the whole screen.",
        RequestExitFullscreen "requestExitFullscreen" "It asks to leave the whole screen.",
        RequestChangeVolume "requestChangeVolume" "It asks for another volume.",
        RequestChangeAdDuration "requestChangeAdDuration" "It asks for more time.",
        RequestResize "requestResize" "It asks for another size.",
        ExpandNonlinear "expandNonlinear" "An overlay asks to cover the content.",
        CollapseNonlinear "collapseNonlinear" "An overlay that covers the content gives it back.",
        ReportTracking "reportTracking" "It asks the player to call addresses.",
        GetMediaState "getMediaState" "It asks how the film stands.",
        Log "log" "A note.",
        FatalError "fatalError" "It failed and cannot go on.",
        Broken "broken" "Something that nobody can read.",
    }
}

/// What a unit does, message by message. What is not said otherwise it does as the standard has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimidScript {
    /// The version that it speaks.
    pub version: Arc<str>,
    /// How long after its page is there it asks for a session; `None`: it never does.
    pub session_after: Option<Span>,
    /// What it answers to `init`, and after how long.
    pub init: SimidAnswer,
    /// What it answers to `startCreative`, and after how long.
    pub start: SimidAnswer,
    /// What it says besides, in the order of the text.
    pub steps: Vec<SimidStep>,
}

/// An answer of a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SimidAnswer {
    /// What it is.
    pub reply: SimidReply,
    /// How long it takes.
    pub after: Span,
}

/// What a unit answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SimidReply {
    /// Yes.
    #[default]
    Resolve,
    /// No, with an error code of its own, or without.
    Reject(Option<u16>),
    /// Something that nobody can read.
    Broken,
    /// Nothing.
    Never,
}

/// One message of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SimidStep {
    /// When the ad has played so long.
    pub at: Span,
    /// How often it comes, at one instant.
    pub times: u32,
    /// Which.
    pub message: SimidMessage,
    /// What it carries.
    pub detail: SimidDetail,
}

/// What a message carries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SimidDetail {
    /// Nothing.
    Nothing,
    /// Of `clickThru` and `requestNavigation`: where it leads.
    Link {
        /// The address; `None`: that of the VAST document.
        url: Option<Arc<str>>,
        /// Whether the player is to open it.
        player_handles: bool,
    },
    /// Of `requestChangeAdDuration`: how much more. Of `requestPause` and `expandNonlinear`: for how long, after
    /// which the unit takes it back by itself.
    Length(Span),
    /// Of `reportTracking`.
    Addresses(Vec<Arc<str>>),
    /// Of `fatalError`: its code, and its words.
    Fatal(u16, Option<Arc<str>>),
}

/// Who names an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SimidSide {
    /// The unit.
    Creative,
    /// The player.
    Player,
}

/// An error of SIMID. SIMID 1.2 section 9.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SimidError {
    /// Its number.
    pub code: u16,
    /// Who names it.
    pub side: SimidSide,
    /// What it means, in our words.
    pub means: &'static str,
}

const fn of_creative(code: u16, means: &'static str) -> SimidError {
    SimidError { code, side: SimidSide::Creative, means }
}

const fn of_player(code: u16, means: &'static str) -> SimidError {
    SimidError { code, side: SimidSide::Player, means }
}

/// All errors of SIMID, by number.
pub const SIMID_ERRORS: &[SimidError] = &[
    of_creative(1100, "the unit failed without saying why"),
    of_creative(1101, "the unit could not load what it needs"),
    of_creative(1102, "the unit cannot use the area that it got"),
    of_creative(1103, "the unit does not speak this version of SIMID"),
    of_creative(1104, "the unit cannot be played here"),
    of_creative(1105, "the unit asked to be expanded and was not"),
    of_creative(1106, "the unit asked for a pause and got none"),
    of_creative(1107, "the unit needs control over playing and has none"),
    of_creative(1108, "something inside the unit failed"),
    of_creative(1109, "the unit does not run on this device"),
    of_creative(1110, "the player does not keep to the messages"),
    of_creative(1111, "the player does not answer as it should"),
    of_player(1200, "the unit gave no reason that is known"),
    of_player(1201, "the player does not speak this version of SIMID"),
    of_player(1202, "more time was asked for than is given"),
    of_player(1203, "a function was asked for that is not given"),
    of_player(1204, "that is not allowed at this point"),
    of_player(1205, "too many messages at once"),
    of_player(1206, "the film of the ad could not be had"),
    of_player(1207, "the film of the ad waited for data too long"),
    of_player(1208, "an answer came too late"),
    of_player(1209, "the film of the ad has a type that is not supported"),
    of_player(1210, "the answer to init cannot be read"),
    of_player(1211, "a message cannot be read"),
    of_player(1212, "no answer to init"),
    of_player(1213, "no answer to startCreative by the end of the film"),
    of_player(1214, "this player leads nowhere"),
    of_player(1215, "this device leads nowhere"),
    of_player(1216, "too many addresses to open"),
    of_player(1217, "what is to be opened is no address"),
    of_player(1218, "a link to a store names nothing in it"),
    of_player(1219, "another address is open already"),
    of_player(1220, "it was not expanded, as the content did not pause"),
    of_player(1221, "the person refused that it expands"),
    of_player(1222, "too many attempts to expand"),
    of_player(1223, "no session was created"),
];

impl SimidError {
    /// The error of this number.
    #[must_use]
    pub fn read(code: u16) -> Option<&'static SimidError> {
        SIMID_ERRORS.iter().find(|error| error.code == code)
    }
}

impl Default for SimidScript {
    /// A unit that answers at once and asks for nothing.
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
