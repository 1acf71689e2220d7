//! The rows of what events carry.

use super::{Datum, Named, RecordField, RecordShape, key, shapes};
use crate::Record;
use playsim_api::{EventName, Kind, LineName};

shapes! {
    /// The data of an event. Made by [`Event::payload`](super::EventRecord::payload).
    Payload;

    /// A tag or an ad has failed.
    AdError(AdErrorData): Event, Some(LineName::Event(EventName::AdError)) => {
        code: u32, "The VAST error code.";
        message: &'a str, "Its meaning.";
    }
    /// An ad is over, shown to its end or skipped.
    AdOver(AdOverData): Event, Some(LineName::Event(EventName::AdComplete | EventName::AdSkip)) => name: EventName => {
        wp: u32, "The position of the tag in its waterfall.";
        pod: u32, "The position of the slot in its break.";
        pods: u32, "The number of slots of the break.";
    }
    /// Mute was switched.
    MuteChange(MuteChangeData): Event, Some(LineName::Event(EventName::MuteChange)) => {
        muted: bool, "Whether the player is muted now.";
    }
    /// The player became sticky, or ceased to be.
    StickyChange(StickyChangeData): Event, Some(LineName::Event(EventName::StickyChange)) => {
        sticky: bool, "Whether it is sticky now.";
        interaction: bool, "Whether the user has done it.";
    }
    /// Nothing: the event is documented without data.
    Nothing(NothingData): Event, _ => {}
}
