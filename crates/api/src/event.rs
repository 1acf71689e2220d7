//! The documented events, and those of the underlying media element, which page code receives only
//! if they are exposed.
//!
//! Rules: EVT-14, EVT-16, EVT-18, and the family EV.

use playsim_base::named::named;
use playsim_base::value::Fields;

/// An event as a listener receives it: `type` and, where documented, `data`. Rule EVT-14.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Event {
    /// Which event: the `type`.
    pub name: EventName,
    /// The contents of `e.data`; empty for events documented without data.
    pub data: Fields,
}

named! {
    /// The name of an event: those of [`EventName::DOCUMENTED`], and others of the media element.
    /// Rules EVT-16, EVT-18.
    EventName {
        Ready "ready" "The API is usable. Rule EV-1.",
        QualityChange "qualityChange" "Another rendition is in use. Rule EV-2.",
        Start "start" "An item starts for the first time. Rule EV-3.",
        BeforeStart "beforeStart" "Right before the first ad or the content of an item starts. Rule EV-4.",
        Play "play" "Content is about to play. Rule EV-5.",
        Pause "pause" "Content is paused. Rule EV-6.",
        Ended "ended" "Content has ended. Rule EV-7.",
        Stopped "stopped" "`stop()` was called. Rule EV-8.",
        LastSecond "lastSecond" "The last second of content begins. Rule EV-9.",
        PlaybackError "playbackerror" "Content failed. Rule EV-10.",
        ClickedThrough "clickedThrough" "The user clicked the video. Rule EV-11.",
        LiveStreamStopped "livestreamstopped" "A live stream is not running. Rule EV-12.",
        DestroyBefore "destroyBefore" "`destroy` is about to remove the player. Rule EV-13.",
        PlaylistStart "playlistStart" "A playlist starts. Rule EV-14.",
        Skipped "skipped" "The next or previous item of the playlist is now in use. Rule EV-15.",
        PlaylistComplete "playlistComplete" "The last item of a playlist is over. Rule EV-16.",
        TimeUpdate "timeupdate" "The position moved. Rule EV-17.",
        Progress "progress" "Media data arrive. Rule EV-18.",
        Seeked "seeked" "A seek is done. Rule EV-19.",
        RequestAd "requestAd" "An ad tag is requested. Rule EV-20.",
        AdsManagerLoaded "AdsManagerLoadedEvent" "The third-party ad engine has loaded. Rule EV-21.",
        BidWon "bidWon" "A header bid won. Rule EV-22.",
        AdStart "adStart" "An ad begins to play. Rule EV-23.",
        VpaidStart "vpaidStart" "A VPAID ad begins to play. Rule EV-24.",
        AdImpression "adImpression" "An ad is ready, its impression is counted. Rule EV-25.",
        AdFirstQuartile "adFirstQuartile" "A quarter of an ad has been shown. Rule EV-26.",
        AdMidpoint "adMidpoint" "Half of an ad has been shown. Rule EV-27.",
        AdThirdQuartile "adThirdQuartile" "Three quarters of an ad have been shown. Rule EV-28.",
        AdEnd "adEnd" "An ad break is over, with or without an ad. Rule EV-29.",
        AdComplete "adComplete" "An ad has been shown to its end. Rule EV-30.",
        AdSkip "adSkip" "An ad was skipped. Rule EV-31.",
        AdError "adError" "An ad or an ad tag failed. Rule EV-32.",
        AdPause "adPause" "An ad is paused. Rule EV-33.",
        AdResume "adResume" "An ad resumes after a pause. Rule EV-34.",
        AdClicked "adClicked" "The user clicked an ad. Rule EV-35.",
        LoadedMetadata "loadedmetadata" "The metadata of the content have arrived. Rule EV-36.",
        FullscreenChange "fullscreenchange" "Fullscreen was entered or left. Rule EV-37.",
        PlayerResize "playerresize" "The size changed. Rule EV-38.",
        VolumeChange "volumechange" "The volume changed. Rule EV-39.",
        MuteChange "mutechange" "Mute was switched. Rule EV-40.",
        StickyChange "stickyChange" "The player became sticky, or ceased to be. Rule EV-41.",
        LoadStart "loadstart" "Of the media element: it begins to load. Rule MEL-2.",
        Suspend "suspend" "Of the media element: it stops loading on purpose. Rule MEL-4.",
        Abort "abort" "Of the media element: loading was given up. Rule MEL-1.",
        Error "error" "Of the media element: loading or decoding failed. Rules MEL-6, MEL-7.",
        Emptied "emptied" "Of the media element: the loaded media are gone. Rule MEL-1.",
        Stalled "stalled" "Of the media element: no data arrive. Rule MEL-5.",
        DurationChange "durationchange" "Of the media element: the duration changed. Rule MEL-20.",
        Resize "resize" "Of the media element: the size of the picture changed. Rule MEL-2.",
        LoadedData "loadeddata" "Of the media element: the first picture is there. Rule MEL-3.",
        CanPlay "canplay" "Of the media element: there are enough data to go on. Rule MEL-3.",
        CanPlayThrough "canplaythrough" "Of the media element: there are enough data to play to the end. Rule MEL-3.",
        Playing "playing" "Of the media element: the position advances. Rule MEL-9.",
        Waiting "waiting" "Of the media element: it wants to play and has no data. Rule MEL-17.",
        Seeking "seeking" "Of the media element: a seek began. Rule MEL-13.",
        RateChange "ratechange" "Of the media element: the rate changed. Rule MEL-22.",
    }
}

/// Where an event comes from.
#[derive(Clone, Copy)]
enum Source {
    /// The player and its content.
    Player,
    /// An ad break.
    Ads,
    /// The media element: the reference does not list it.
    Element,
}

// A row in the wrong place does not compile.
const _: () = {
    let mut place = 0;
    while place < EventName::ALL.len() {
        let is_first = place < EventName::LoadStart as usize;
        assert!(
            EventName::ALL[place].is_documented() == is_first,
            "documented events come before `LoadStart`"
        );
        place += 1;
    }
};

impl EventName {
    /// The documented events; those from `loadstart` on are the media element's own. Rule EVT-18.
    pub const DOCUMENTED: &[EventName] = EventName::ALL.split_at(EventName::LoadStart as usize).0;

    /// Whether it comes from an ad break.
    #[must_use]
    pub const fn is_of_ads(self) -> bool {
        matches!(self.source(), Source::Ads)
    }

    /// Whether it is listed in the reference's table. Rule EVT-18.
    #[must_use]
    pub const fn is_documented(self) -> bool {
        !matches!(self.source(), Source::Element)
    }

    const fn source(self) -> Source {
        match self {
            EventName::Ready
            | EventName::QualityChange
            | EventName::Start
            | EventName::BeforeStart
            | EventName::Play
            | EventName::Pause
            | EventName::Ended
            | EventName::Stopped
            | EventName::LastSecond
            | EventName::PlaybackError
            | EventName::ClickedThrough
            | EventName::LiveStreamStopped
            | EventName::DestroyBefore
            | EventName::PlaylistStart
            | EventName::Skipped
            | EventName::PlaylistComplete
            | EventName::TimeUpdate
            | EventName::Progress
            | EventName::Seeked
            | EventName::LoadedMetadata
            | EventName::FullscreenChange
            | EventName::PlayerResize
            | EventName::VolumeChange
            | EventName::MuteChange
            | EventName::StickyChange => Source::Player,
            EventName::RequestAd
            | EventName::AdsManagerLoaded
            | EventName::BidWon
            | EventName::AdStart
            | EventName::VpaidStart
            | EventName::AdImpression
            | EventName::AdFirstQuartile
            | EventName::AdMidpoint
            | EventName::AdThirdQuartile
            | EventName::AdEnd
            | EventName::AdComplete
            | EventName::AdSkip
            | EventName::AdError
            | EventName::AdPause
            | EventName::AdResume
            | EventName::AdClicked => Source::Ads,
            EventName::LoadStart
            | EventName::Suspend
            | EventName::Abort
            | EventName::Error
            | EventName::Emptied
            | EventName::Stalled
            | EventName::DurationChange
            | EventName::Resize
            | EventName::LoadedData
            | EventName::CanPlay
            | EventName::CanPlayThrough
            | EventName::Playing
            | EventName::Waiting
            | EventName::Seeking
            | EventName::RateChange => Source::Element,
        }
    }
}

impl From<EventName> for Event {
    fn from(name: EventName) -> Event {
        Event {
            name,
            data: Fields::NONE,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_events_in_the_rules_is_that_of_the_table() {
        let number = format!("sees {} event names", EventName::DOCUMENTED.len());
        let rule = playsim_rules::EVT_18.row().gist;
        assert!(
            rule.contains(&number),
            "EVT-18 does not say \"{number}\": {rule}"
        );
    }
}
