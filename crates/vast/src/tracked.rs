//! The events that tracking URLs report.
//!
//! Sources: VAST 2.0.1 to 4.3 (sections 3.4 to 3.17 and the notes on changes); VMAP 1.0.1 section
//! 2.3.3; older names from the schemas of 2.0 and 3.0.

use std::fmt;
use std::sync::Arc;

use serde::{Serialize, Serializer};

use playsim_base::named::named;

named! {
    /// An event that the standards know. Those of `Tracking` elements of ads come first.
    TrackingEvent {
        Loaded "loaded" "The creative is loaded.",
        Start "start" "The ad starts.",
        FirstQuartile "firstQuartile" "A quarter of the ad was played.",
        Midpoint "midpoint" "Half of the ad was played.",
        ThirdQuartile "thirdQuartile" "Three quarters of the ad were played.",
        Complete "complete" "The ad was played to its end.",
        Progress "progress" "The ad was played up to an offset.",
        Skip "skip" "The viewer skips the ad.",
        CloseLinear "closeLinear" "The viewer closes a linear ad.",
        OtherAdInteraction "otherAdInteraction" "The viewer does something else with the ad.",
        InteractiveStart "interactiveStart" "An interactive creative starts.",
        Mute "mute" "The viewer mutes the ad.",
        Unmute "unmute" "The viewer turns the sound on.",
        Pause "pause" "The viewer pauses the ad.",
        Resume "resume" "The viewer goes on with the ad.",
        Rewind "rewind" "The viewer goes back within the ad.",
        PlayerExpand "playerExpand" "The player gets larger.",
        PlayerCollapse "playerCollapse" "The player gets smaller again.",
        Fullscreen "fullscreen" "The player fills the screen.",
        ExitFullscreen "exitFullscreen" "The player no longer fills the screen.",
        Expand "expand" "The creative gets larger.",
        Collapse "collapse" "The creative gets smaller again.",
        NotUsed "notUsed" "The ad will not be shown.",
        CreativeView "creativeView" "The creative is seen.",
        AcceptInvitation "acceptInvitation" "The viewer asks for more.",
        AcceptInvitationLinear "acceptInvitationLinear" "The viewer of a linear ad asks for more.",
        TimeSpentViewing "timeSpentViewing" "The viewer sees the ad for some time.",
        AdExpand "adExpand" "The ad gets larger.",
        AdCollapse "adCollapse" "The ad gets smaller again.",
        Minimize "minimize" "The ad becomes minimal.",
        Close "close" "The viewer closes an ad that is not linear.",
        OverlayViewDuration "overlayViewDuration" "The overlay is seen for some time.",
        VerificationNotExecuted "verificationNotExecuted" "A verification script is not run.",
        Impression "impression" "The first picture of the ad is on the screen.",
        Error "error" "An ad, or a break, fails.",
        Viewable "viewable" "The ad could be seen.",
        NotViewable "notViewable" "The ad could not be seen.",
        ViewUndetermined "viewUndetermined" "Whether the ad could be seen is not known.",
        ClickTracking "clickTracking" "The viewer clicks on the ad.",
        CompanionClickTracking "companionClickTracking" "The viewer clicks on a companion.",
        IconClickTracking "iconClickTracking" "The viewer clicks on an icon.",
        CustomClick "customClick" "The viewer clicks on a part of the ad.",
        IconView "iconView" "An icon is seen.",
        BreakStart "breakStart" "A break of a schedule begins.",
        BreakEnd "breakEnd" "A break of a schedule ends.",
    }
}

/// The number of events of `Tracking` elements of ads.
const OF_ADS: usize = TrackingEvent::VerificationNotExecuted as usize + 1;

/// The names of the events of `Tracking` elements of ads, of all versions of VAST.
pub const TRACKING_EVENTS: &[&str] = &{
    let mut names = [""; OF_ADS];
    let mut index = 0;
    while index < OF_ADS {
        names[index] = TrackingEvent::ALL[index].name();
        index += 1;
    }
    names
};

impl TrackingEvent {
    /// Returns whether the page decides when it is reported, and not the player alone: by what of
    /// the player is in view, by what it runs, by what the user clicks beside the ad. The same is
    /// true for `creativeView` of companions, whose places are the page's.
    #[must_use]
    pub const fn rests_on_page(self) -> bool {
        matches!(
            self,
            TrackingEvent::Viewable
                | TrackingEvent::NotViewable
                | TrackingEvent::ViewUndetermined
                | TrackingEvent::VerificationNotExecuted
                | TrackingEvent::IconView
                | TrackingEvent::IconClickTracking
                | TrackingEvent::CompanionClickTracking
        )
    }

    /// Returns whether it is reported once each time an ad is shown. Rule TRK-1.
    #[must_use]
    pub const fn is_once(self) -> bool {
        matches!(
            self,
            TrackingEvent::Impression
                | TrackingEvent::CreativeView
                | TrackingEvent::Start
                | TrackingEvent::FirstQuartile
                | TrackingEvent::Midpoint
                | TrackingEvent::ThirdQuartile
                | TrackingEvent::Complete
                | TrackingEvent::Skip
                | TrackingEvent::Progress
        )
    }
}

/// The event of a tracking URL, as a document names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TrackedEvent {
    /// One that the standards know.
    Known(TrackingEvent),
    /// Any other, as it is written.
    Custom(Arc<str>),
}

impl TrackedEvent {
    /// Returns the event of this name.
    #[must_use]
    pub fn of(name: &str) -> TrackedEvent {
        TrackingEvent::from_name(name)
            .map_or_else(|| TrackedEvent::Custom(name.into()), TrackedEvent::Known)
    }

    /// Returns its name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            TrackedEvent::Known(event) => event.name(),
            TrackedEvent::Custom(name) => name,
        }
    }

    /// Returns the event, if the standards know it.
    #[must_use]
    pub const fn known(&self) -> Option<TrackingEvent> {
        match self {
            TrackedEvent::Known(event) => Some(*event),
            TrackedEvent::Custom(_) => None,
        }
    }
}

impl PartialEq<TrackingEvent> for TrackedEvent {
    fn eq(&self, other: &TrackingEvent) -> bool {
        self.known() == Some(*other)
    }
}

impl From<TrackingEvent> for TrackedEvent {
    fn from(event: TrackingEvent) -> TrackedEvent {
        TrackedEvent::Known(event)
    }
}

impl fmt::Display for TrackedEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl Serialize for TrackedEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.name().serialize(serializer)
    }
}
