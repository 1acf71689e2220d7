//! The 41 documented events.
//!
//! Rules: EVT-14, EVT-16, EVT-18, EV-1 to EV-41.

use std::fmt;

use super::named::named;
use super::value::Fields;

/// An event as a listener gets it: `type` and, where documented, `data`. Rule EVT-14.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    /// Which event: the `type`.
    pub name: EventName,
    /// What `e.data` holds; empty for events documented without data.
    pub data: Fields,
}

named! {
    /// The name of a documented event. Rules EVT-16, EVT-18.
    EventName {
        Ready "ready" "The API is usable. Rule EV-1.",
        QualityChange "qualityChange" "Another rendition is used. Rule EV-2.",
        Start "start" "An item starts for the first time. Rule EV-3.",
        BeforeStart "beforeStart" "Right before the first ad or the content of an item starts. Rule EV-4.",
        Play "play" "Content is to play. Rule EV-5.",
        Pause "pause" "Content is paused. Rule EV-6.",
        Ended "ended" "Content is over. Rule EV-7.",
        Stopped "stopped" "`stop()` was called. Rule EV-8.",
        LastSecond "lastSecond" "The last second of content begins. Rule EV-9.",
        PlaybackError "playbackerror" "Content failed. Rule EV-10.",
        ClickedThrough "clickedThrough" "The person clicked on the video. Rule EV-11.",
        LiveStreamStopped "livestreamstopped" "A live stream does not run. Rule EV-12.",
        DestroyBefore "destroyBefore" "`destroy` is about to remove the player. Rule EV-13.",
        PlaylistStart "playlistStart" "A playlist starts. Rule EV-14.",
        Skipped "skipped" "Another item of the playlist is used, by a neighbour move. Rule EV-15.",
        PlaylistComplete "playlistComplete" "The last item of a playlist is over. Rule EV-16.",
        TimeUpdate "timeupdate" "The position moved. Rule EV-17.",
        Progress "progress" "Media data arrive. Rule EV-18.",
        Seeked "seeked" "A seek is done. Rule EV-19.",
        RequestAd "requestAd" "An ad tag is asked. Rule EV-20.",
        AdsManagerLoaded "AdsManagerLoadedEvent" "The third-party ad engine has loaded. Rule EV-21.",
        BidWon "bidWon" "A header bid won. Rule EV-22.",
        AdStart "adStart" "An ad begins to play. Rule EV-23.",
        VpaidStart "vpaidStart" "A VPAID ad begins to play. Rule EV-24.",
        AdImpression "adImpression" "An ad is ready, its impression is counted. Rule EV-25.",
        AdFirstQuartile "adFirstQuartile" "A quarter of an ad was shown. Rule EV-26.",
        AdMidpoint "adMidpoint" "Half of an ad was shown. Rule EV-27.",
        AdThirdQuartile "adThirdQuartile" "Three quarters of an ad were shown. Rule EV-28.",
        AdEnd "adEnd" "An ad break is over, with or without an ad. Rule EV-29.",
        AdComplete "adComplete" "An ad was shown to its end. Rule EV-30.",
        AdSkip "adSkip" "An ad was skipped. Rule EV-31.",
        AdError "adError" "An ad or an ad tag failed. Rule EV-32.",
        AdPause "adPause" "An ad is paused. Rule EV-33.",
        AdResume "adResume" "An ad goes on after a pause. Rule EV-34.",
        AdClicked "adClicked" "The person clicked on an ad. Rule EV-35.",
        LoadedMetadata "loadedmetadata" "The metadata of the content are there. Rule EV-36.",
        FullscreenChange "fullscreenchange" "Fullscreen was entered or left. Rule EV-37.",
        PlayerResize "playerresize" "The size changed. Rule EV-38.",
        VolumeChange "volumechange" "The volume changed. Rule EV-39.",
        MuteChange "mutechange" "Mute was switched. Rule EV-40.",
        StickyChange "stickyChange" "The player became sticky, or not any more. Rule EV-41.",
    }
}

impl From<EventName> for Event {
    fn from(name: EventName) -> Event {
        Event { name, data: Fields::NONE }
    }
}

impl fmt::Display for EventName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
