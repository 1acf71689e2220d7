//! The codes of SIMID: 1100 to 1111 are sent by the unit, 1200 to 1223 by the player.
//!
//! SIMID 1.2 section 9. Fatal codes reach the ad server as VAST 902. The titles are the same as in
//! traces.

use super::Who::{AdServer, Creative, Page, Player};
use super::{CodeFamily, Entry};
use playsim_api::media::SimidError;

const fn entry(error: SimidError) -> Entry {
    Entry::numbered(CodeFamily::Simid, error.code(), error.meaning())
}

pub(super) const ENTRIES: &[Entry] = &[
    entry(SimidError::UnitUnspecified)
        .means("The unit ended itself with the general code; it could have been more exact.")
        .because(&["An exception in the unit that its code catches and reports as such."])
        .act(&[Creative])
        .helps(&["Its fatalError message may have the reason: look at the unit's lines of the trace or at the console."]),
    entry(SimidError::UnitResources)
        .means("Images, fonts, scripts or data that the unit needs for itself did not load.")
        .because(&["A file is gone or blocked, or a relative URL is resolved against the wrong place inside the frame."])
        .act(&[Creative])
        .helps(&["Serve the unit's resources from absolute https URLs with CORS."]),
    entry(SimidError::UnitArea)
        .means("The player gave dimensions in init in which the unit cannot be laid out.")
        .because(&["A phone in portrait, a small embed, or controls that leave no room."])
        .act(&[Creative, Page])
        .helps(&["Make the unit responsive, or do not book it on small players."]),
    entry(SimidError::UnitVersion)
        .means("The player speaks a version of SIMID that the unit does not.")
        .because(&["An old unit in a player that only offers 1.1 or 1.2."])
        .act(&[Creative])
        .helps(&["Rebuild the unit with the current SIMID library."]),
    entry(SimidError::UnitUnplayable)
        .means("The unit looked at its surroundings and cannot work there for a technical reason.")
        .because(&["No touch or pointer, no WebGL, a sandboxed frame without scripts or storage."])
        .act(&[Creative, Player])
        .helps(&["Relax the sandbox of the frame (allow-scripts, allow-same-origin) as far as policy allows."]),
    entry(SimidError::UnitNotExpanded)
        .means("An overlay asked to cover the content, was refused, and makes no sense without it.")
        .because(&["The player or the user does not allow expansion."])
        .act(&[Creative])
        .helps(&["Design the collapsed state so that it works alone."]),
    entry(SimidError::UnitNotPaused)
        .means("The unit asked for a pause (requestPause), was refused, and cannot go on.")
        .because(&["Live content, or a policy that ads never pause."])
        .act(&[Creative, Player])
        .helps(&["The environment data of init say what is allowed; the unit must read them first."]),
    entry(SimidError::UnitNoControl)
        .means("The unit needs to control playback, and variableDurationAllowed or the like says no.")
        .because(&["A game or survey longer than the video in a player of fixed ad time."])
        .act(&[Creative, AdServer])
        .helps(&["Book it only where extra time is granted, or give it a version that ends with the video."]),
    entry(SimidError::UnitInternal)
        .means("The unit's own code failed.")
        .because(&["A programming error, often only with certain data or devices."])
        .act(&[Creative])
        .helps(&["Reproduce with the unit's data for this impression: the AdParameters of the document."]),
    entry(SimidError::UnitDevice)
        .means("The unit does not run on this kind of device.")
        .because(&["A desktop unit on a phone or a television."])
        .act(&[AdServer])
        .helps(&["Target by device."]),
    entry(SimidError::UnitProtocol)
        .means("The unit found that the player breaks the rules of the messages: wrong types, order or session.")
        .because(&["A partial implementation in the player, or two libraries of different versions."])
        .act(&[Player])
        .helps(&["Log both directions of postMessage and compare them with SIMID section 4."]),
    entry(SimidError::UnitPlayer)
        .means("The player's answers do not have the form that the unit expects.")
        .because(&["resolve without its value, or reject without an errorCode."])
        .act(&[Player])
        .helps(&["As for 1110."]),
    entry(SimidError::ReasonUnknown)
        .means("The player ended or refused something without a closer code.")
        .because(&["The player's own failure, or a request that it has no opinion on."])
        .act(&[Player])
        .helps(&["The player's log has more than the code."]),
    entry(SimidError::VersionUnsupported)
        .means("The unit asked for a session with a version that the player does not speak.")
        .because(&["A unit for a newer SIMID than the player's."])
        .act(&[Player, Creative])
        .helps(&["Update the player, or offer a unit for 1.0 or 1.1 as well."]),
    entry(SimidError::TimeExceeded)
        .means("requestChangeAdDuration asked for more time than the player grants.")
        .because(&["The page grants no extra time at all (simid.extra_time is 0 s here)."])
        .act(&[Page, Creative])
        .helps(&["Grant time for units that are booked as variable, or ask for less."]),
    entry(SimidError::FunctionUnsupported)
        .means("The unit asked for something that this player does not do: fullscreen, volume, resize and the like.")
        .because(&["The player leaves the function out, or the page's policy does."])
        .act(&[Creative])
        .helps(&["Read the environment data of init before asking, and go on when it is refused."]),
    entry(SimidError::NotAllowed)
        .means("The request came at a time or in a state in which it makes no sense. It is refused; the ad goes on.")
        .because(&["A request before startCreative is resolved, or a collapse of what is not expanded."])
        .act(&[Creative])
        .helps(&["Begin to ask after startCreative is answered."]),
    entry(SimidError::TooManyMessages)
        .means("The unit floods the player with messages, and is stopped.")
        .because(&["A log or state request in every animation frame."])
        .act(&[Creative])
        .helps(&["Subscribe to the media events that the player sends instead of asking."]),
    entry(SimidError::MediaUnavailable)
        .means("The ad's video could not be loaded, and the unit was informed.")
        .because(&["As for VAST 401."])
        .act(&[Creative])
        .helps(&["See playsim code 401."]),
    entry(SimidError::MediaStalled)
        .means("The ad's video waited for data for too long.")
        .because(&["A bitrate above what the viewer's connection gives."])
        .act(&[Creative])
        .helps(&["Offer lower bitrates; see playsim code 402."]),
    entry(SimidError::AnswerLate)
        .means("The unit took longer to answer than the player waits.")
        .because(&["Work in the unit's message handler that blocks, or a request of its own that it waits for."])
        .act(&[Creative])
        .helps(&["Answer first, then do the work."]),
    entry(SimidError::MediaUnsupported)
        .means("The ad's video is of a type that the player does not support, and the unit was informed.")
        .because(&["As for VAST 403."])
        .act(&[Creative])
        .helps(&["See playsim code 403."]),
    entry(SimidError::InitUnreadable)
        .means("The unit's answer to init cannot be read.")
        .because(&["A library of another version, or a message of another script in the frame."])
        .act(&[Creative])
        .helps(&["Answer init with resolve or reject as in SIMID section 4, with the session's id."]),
    entry(SimidError::MessageUnreadable)
        .means("A message of the unit cannot be read. This is fatal.")
        .because(&["Text that is not JSON, or an object without sessionId, messageId, timestamp and type."])
        .act(&[Creative])
        .helps(&["Send messages only through the SIMID library."]),
    entry(SimidError::InitUnanswered)
        .means("The unit did not answer init in time, so that it never starts.")
        .because(&["It loads its own resources first and answers afterwards."])
        .act(&[Creative])
        .helps(&["Answer init at once, and load before startCreative."]),
    entry(SimidError::StartUnanswered)
        .means("The unit never answered startCreative; the video played to its end without it.")
        .because(&["An exception while it starts, or it waits for an interaction."])
        .act(&[Creative])
        .helps(&["Answer startCreative as soon as anything is drawn."]),
    entry(SimidError::NavigationUnsupported)
        .means("The unit asked the player to open a URL, and this player never does.")
        .because(&["A television or an embedded player."])
        .act(&[Creative])
        .helps(&["navigationSupport in init says so; show a QR code or a short URL instead."]),
    entry(SimidError::NavigationImpossible)
        .means("The device cannot open URLs.")
        .because(&["No browser on it."])
        .act(&[Creative])
        .helps(&["As for 1214."]),
    entry(SimidError::NavigationLimit)
        .means("The unit asked to open more URLs than the player allows.")
        .because(&["A click handler that fires twice, or navigation without a click."])
        .act(&[Creative])
        .helps(&["One navigation for one click of the user."]),
    entry(SimidError::UrlInvalid)
        .means("The unit asked to open an invalid URL.")
        .because(&["An unfilled macro, or a relative URL."])
        .act(&[Creative])
        .helps(&["Give absolute https URLs."]),
    entry(SimidError::StoreLinkIncomplete)
        .means("A link to an app store does not say which app.")
        .because(&["The app's id is missing for this platform."])
        .act(&[Creative])
        .helps(&["Give the id of each store."]),
    entry(SimidError::NavigationOpen)
        .means("Another page that the ad opened is still open.")
        .because(&["A second click before the first page was closed."])
        .act(&[Creative])
        .helps(&["Nothing to mend, unless one click causes both."]),
    entry(SimidError::PauseImpossible)
        .means("An overlay could not expand because the content did not pause.")
        .because(&["Live content, or a page that forbids it."])
        .act(&[Page])
        .helps(&["Do not book expanding overlays on live content."]),
    entry(SimidError::ExpandRefused)
        .means("The user was asked, and said no.")
        .because(&["The user declined."])
        .act(&[Creative])
        .helps(&["Go on collapsed."]),
    entry(SimidError::ExpandLimit)
        .means("The unit tried to expand too often.")
        .because(&["It asks again after each refusal."])
        .act(&[Creative])
        .helps(&["Ask once for each action of the user."]),
    entry(SimidError::SessionMissing)
        .means("The unit's page loaded, but never created a session: to the player there is no unit.")
        .because(&[
            "The page is not a SIMID unit, or its script failed.",
            "It posts createSession to the wrong window or before the player listens.",
        ])
        .act(&[Creative])
        .helps(&["Post createSession to window.parent, and repeat it until it is resolved."]),
];
