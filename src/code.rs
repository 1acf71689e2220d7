//! The codes of diagnostics and of calls that fail.

use crate::named::named;
use crate::value::Text;

named! {
    /// What a diagnostic reports, and why a call fails. Page code and reports match on it; the message next to it
    /// is for people. Rule TRACE-2.
    Code {
        AdBusy "ad_busy" "Another ad is loading or on screen. Rule PA-4.",
        AdField "ad_field" "A field of an ad object has no effect. Rule AD-19.",
        AdTagUrl "ad_tag_url" "`adTagUrl` is not where tags belong. Rule AD-5.",
        AdTimeType "ad_time_type" "`adTimeType` is missing or unknown. Rule AD-3.",
        AddressNotListed "address_not_listed" "The scenario has no response for a URL. Rule REQ-17.",
        AlreadyInitialised "already_initialised" "The container has a player. Rule INIT-7.",
        BadAd "bad_ad" "An ad object cannot be used. Rule AD-2.",
        BadArgument "bad_argument" "An argument has the wrong type or value.",
        BadChapter "bad_chapter" "A chapter cannot be used. Rule CH-9.",
        BadDate "bad_date" "A date is not one. Rule EDIT-55.",
        BadFlag "bad_flag" "A flag is neither true nor false. Rule CON-19.",
        BadItem "bad_item" "An item of a playlist file cannot be used. Rule LPL-7.",
        BadQueueEntry "bad_queue_entry" "An entry of a queue array is not a call. Rule QUEUE-4.",
        BadSource "bad_source" "A rendition has no URL. Rule QUAL-1.",
        ChapterBehindEnd "chapter_behind_end" "A chapter starts at or after the end. Rule CH-10.",
        ConfigMissingHeight "config_missing:height" "The configuration has no height. Rule INIT-2.",
        ConfigMissingId "config_missing:id" "The configuration has no id. Rule INIT-2.",
        ConfigMissingVideo "config_missing:video" "The configuration has no content. Rule INIT-2.",
        ConfigMissingWidth "config_missing:width" "The configuration has no width. Rule INIT-2.",
        ConfigSize "config_size" "A size in the configuration is not one. Rule INIT-3.",
        ConfigType "config_type" "A field of the configuration has the wrong type. Rule INIT-3.",
        ConfigUnknown "config_unknown" "The configuration has an unknown field. Rule INIT-10.",
        ContentIgnored "content_ignored" "The configuration has both a video and a playlist. Rule INIT-4.",
        ContentReplaced "content_replaced" "Other content replaces what was about to play. Rule SRC-12.",
        CueDropped "cue_dropped" "A cue point is not within the content, and is dropped.",
        DateOrder "date_order" "The kill date is not after the publishing date. Rule EDIT-23.",
        DeldivTrueKeeps "deldiv_true_keeps" "`destroy(true)` keeps the container. Rule CON-8.",
        Destroyed "destroyed" "The player is destroyed. Rule DESTROY-8.",
        EventDropped "event_dropped" "An event was queued when its player was destroyed. Rule EVT-21.",
        FullscreenRefused "fullscreen_refused" "The browser refuses fullscreen. Rule FS-5.",
        GaOutsideReady "ga_outside_ready" "An analytics call outside the ready callback. Rule GA-2.",
        GestureRequired "gesture_required" "The browser does not let it play without a gesture. Rule PLAY-17.",
        IndexSizeError "IndexSizeError" "A value is outside of its range, on a bare element. Rule MEL-18.",
        ItemExcludedGeo "item_excluded:geo" "The item is not for the viewer's country. Rule EDIT-56.",
        ItemExcludedKillDate "item_excluded:kill_date" "The item is no longer available. Rule EDIT-55.",
        ItemExcludedNoRendition "item_excluded:no_rendition" "The item has no rendition. Rule PL-19.",
        ItemExcludedPlan "item_excluded:plan" "The account's plan allows no rendition of the item. Rule PL-19.",
        ItemExcludedPublish "item_excluded:publish" "The item is not published yet. Rule EDIT-55.",
        ItemExcludedRejected "item_excluded:rejected" "The item was rejected. Rule EDIT-54.",
        MediaNotListed "media_not_listed" "The scenario has no media at a URL. Rule MEL-6.",
        NoAds "no_ads" "There are no ads to play. Rule PUSH-5.",
        NoClass "no_class" "The container lacks the player's class. Rule INIT-6.",
        NoContainer "no_container" "The page has no container of this id. Rule INIT-5.",
        NoCue "no_cue" "A mid-roll or overlay has no cue points. Rule AD-9.",
        NoEventNamed "no_event_named" "The list of events is empty. Rule EVT-4.",
        NoHd "no_hd" "The item has no HD rendition. Rule QUAL-8.",
        NoMedia "no_media" "The content has failed. Rule ERR-5.",
        NoRendition "no_rendition" "The item does not have this rendition. Rule QUAL-4.",
        NoSource "no_source" "There is nothing to play. Rule INIT-15.",
        NoSuchCall "no_such_call" "A call that bare elements have, and players do not. Rule MEL-22.",
        NoSuchChapter "no_such_chapter" "There is no chapter of this number. Rule CH-7.",
        NoSuchItem "no_such_item" "There is no item of this number. Rule PL-6.",
        NoSuchPlayer "no_such_player" "There is no such player. Rule INIT-19.",
        NoUserAgent "no_user_agent" "An edit call names no user agent. Rule EDIT-36.",
        NonIntegerSeek "non_integer_seek" "A seek to a fraction of a second. Rule TIME-3.",
        NotOffered "not_offered" "What the user clicks is not on screen. Rule ENV-3.",
        NotPlaying "not_playing" "The call needs content that plays. Rule PUSH-3.",
        NotMonetized "not_monetized" "The video is not monetized. Rule PA-7.",
        NotReady "not_ready" "A call before the player is ready. Rule INIT-20.",
        NotSupportedError "NotSupportedError" "A bare element does not support the value. Rule MEL-22.",
        Outstream "outstream" "An outstream unit has no content. Rule OUT-8.",
        PlanLimit "plan_limit" "The account's plan does not allow the rendition. Rule QUAL-4.",
        PlaylistEdge "playlist_edge" "There is no next or previous item. Rule PL-5.",
        PlaylistFailed "playlist_failed" "A playlist file cannot be loaded or used. Rule LPL-5.",
        PlaylistForm "playlist_form" "A playlist of the configuration cannot be used. Rule INIT-10.",
        PodIgnored "pod_ignored" "`pods` has no effect. Rule AD-12.",
        PropertyCalled "property_called" "A property is called as a function.",
        PropertyReadOnly "property_read_only" "A property is assigned that cannot be.",
        QueueNeverDrained "queue_never_drained" "The player's script never ran. Rule LOAD-3.",
        RateRange "rate_range" "A playback rate is outside of its range. Rule MEL-22.",
        RecordNotListed "record_not_listed" "The scenario has no video of an id. Rule INIT-15.",
        RenditionFailed "rendition_failed" "The chosen rendition cannot be loaded. Rule QUAL-5.",
        SameChapterStart "same_chapter_start" "Two chapters have one start. Rule CH-10.",
        SamePlayerId "same_player_id" "Two players have one id. Rule CON-23.",
        ScriptLoadedTwice "script_loaded_twice" "The player's script was loaded before. Rule LOAD-5.",
        ScriptNotLoaded "script_not_loaded" "The player's script has not run. Rule LOAD-1.",
        SeekDuringAd "seek_during_ad" "Content cannot be sought during an ad. Rule TIME-6.",
        SentBothWays "sent_both_ways" "A field is sent by two names. Rule EDIT-8.",
        SkipNotOffered "skip_not_offered" "The ad cannot be skipped now. Rule BRK-13.",
        SrcOutsideReady "src_outside_ready" "`src()` outside the ready callback. Rule SRC-3.",
        StickyClosed "sticky_closed" "The user has closed the sticky player. Rule STICK-2.",
        TitleIgnored "title_ignored" "A title next to a playlist. Rule INIT-10.",
        TypeError "TypeError" "A bare element cannot convert the value. Rule MEL-18.",
        UnknownEvent "unknown_event" "The player has no event of this name. Rule EVT-17.",
        UnknownPixel "unknown_pixel" "A tracking pixel of an unknown event. Rule EDIT-29.",
        UnknownRendition "unknown_rendition" "A rendition of an unknown name. Rule QUAL-1.",
        UnknownSkin "unknown_skin" "The player has no skin of this id. Rule SKIN-1.",
        VideoBarredGeo "video_barred:geo" "The video is not for the viewer's country. Rule EDIT-56.",
        VideoBarredKillDate "video_barred:kill_date" "The video is no longer available. Rule EDIT-55.",
        VideoBarredPublish "video_barred:publish" "The video is not published yet. Rule EDIT-55.",
        VolumeMobile "volume_mobile" "Phones do not let pages set the volume. Rule VOL-5.",
        VolumeRange "volume_range" "A volume is outside of 0 to 1. Rule VOL-4.",
    }
}

impl From<Code> for Text {
    fn from(code: Code) -> Text {
        Text::Static(code.name())
    }
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
