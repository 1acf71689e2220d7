//! Rules about contradictions in the reference, and what is not modelled.

use super::rules;

rules! { CON
    CON_1 chosen "doc:events+ against doc:events",
        "The last-VAST rule speaks of adStarted, but the event table has only `adStart`. Read as `adStart`; \
         binding adStarted gives a diagnostic that suggests it.";
    CON_2 chosen "doc:ad, table against sample",
        "The ad object's table requires `mobile`, but its sample has `adTagUrl`. The latter is an alias, \
         with a diagnostic (AD-5).";
    CON_3 chosen "doc:video, table against sample",
        "Table and sample spell the field `clickthroughURL` and `clickthroughUrl`, and two pixel keys look \
         alike. The spellings are one field; the pixel keys are two others (EDIT-17, EDIT-29).";
    CON_4 stated "doc:calls; the call form assumed",
        "`isReady`, `playlistLength`, `currentIndex` and `isFullScreen` are listed among the calls although \
         they are properties. They are properties; called as functions they work with a diagnostic (READY-2, \
         PL-3, FS-3).";
    CON_5 stated "doc:calls",
        "`onReady` is `required` in the three-argument row, but a two-argument form exists. It is required \
         in that form only (INIT-1, QUEUE-5).";
    CON_6 chosen "doc:calls",
        "`volume(volume)` has only a setter form but returns the current volume; similar calls have getters. \
         A getter is allowed (VOL-2).";
    CON_7 chosen "doc:calls",
        "`currentTime` returns a float but takes an integer. Fractions are accepted, with a diagnostic \
         (TIME-3).";
    CON_8 stated "doc:calls, name against text; false and the diagnostic assumed",
        "`delDiv` true keeps the container, contrary to its name, and omitting it removes it. The text is \
         followed, false is treated as omitted, and diagnostic `deldiv_true_keeps` informs script authors \
         once (DESTROY-4).";
    CON_9 chosen "doc:calls, doc:events",
        "`toggleFullScreen` is described only as entering fullscreen, and its event only as caused by the \
         button. Here the call toggles, and every change fires the event (FS-2, FS-4).";
    CON_10 chosen "doc:events against doc:calls",
        "`seeked` is described only for a user on the timeline, but calls and chapter jumps seek as well. \
         Here every requested seek fires it (TIME-11).";
    CON_11 chosen "doc:calls, doc:limits",
        "`src` takes a `playlist source object` but sets one source, and is restricted to the ready callback \
         without a stated consequence. It creates one item and gives a diagnostic elsewhere (SRC-3, \
         SRC-4).";
    CON_12 chosen "doc:rendition against doc:calls",
        "There are five renditions, listed with fhd before hd, but `setHD` and `isHD` know only two kinds. \
         QUAL-2, QUAL-8 and QUAL-10 settle order and meaning.";
    CON_13 chosen "doc:calls against doc:limits",
        "`pushAds` speaks of ads defined for the player, but video-level ads override those. The effective \
         ads are used (PUSH-2).";
    CON_14 stated "doc:adpos against doc:limits; 0 where there are none assumed",
        "`pods` counts the player level although a break may be video-level. Taken literally (AD-18).";
    CON_15 chosen "doc:ad",
        "`adTimeType` is the unit of a time that no documented field holds. Extension fields hold it \
         (AD-8).";
    CON_16 chosen "doc:ad",
        "`adTimeType` is required, but two of the four types have no use for it. Its absence is tolerated \
         (AD-3).";
    CON_17 stated "doc:ad, name against text",
        "The list `mobile` applies to desktops too when `desktop` is missing. The text is followed, not the \
         name (AD-6).";
    CON_18 chosen "doc:events",
        "`adEnd` means that the ad call is done, shown or not; `adComplete` and `adSkip` refer to the ad. A \
         break has one `adEnd`, an ad one of the others (BRK-5, BRK-10).";
    CON_19 chosen "doc:video against doc:source",
        "Flags differ in type: `monetize` integer or boolean, `geo_on` integer or true, `rejected` with 1 \
         only. Both forms are read everywhere, and the record keeps integers (SRC-7, EDIT-24 to EDIT-26).";
    CON_20 chosen "doc:states against doc:events",
        "`beforeStart` is tied to the start of the video in one section and to an ad's start in another. It \
         fires once per item start, before whichever is first (PLAY-4, PLAY-5, PLAY-7).";
    CON_21 chosen "doc:events",
        "Event names mix lower case, camel case and an initial capital. They match exactly, with a \
         suggestion for near misses (EVT-16, EVT-17).";
    CON_22 chosen "doc:events+",
        "The last VAST document is accessed through `values` of `$player()` without an id. It is a property \
         of each handle (VX-1).";
    CON_23 chosen "doc:callrules against doc:embed",
        "`$player(div)` takes the container's id, while `config.id` claims to identify the player. Lookup \
         uses the container; players that share `config.id` give diagnostic `same_player_id`.";
    CON_24 chosen "doc:calls, doc:versioning",
        "Old and new binding names are equivalent, but arrays are mentioned for `on` only. All of them \
         accept arrays (EVT-6).";
    CON_25 chosen "doc:edit",
        "The edit call has the paths `video/edit/<id>.json` and `videos/edit.json`, in versions 3 and 2. \
         Three routes behave alike (EDIT-2).";
    CON_26 chosen "doc:edit, doc:video",
        "The id may be in the path and in the form, as a string where other ids are integers, and all of \
         them are sent as strings. EDIT-9 and EDIT-11 say what counts.";
    CON_27 chosen "doc:edit",
        "Field names are bare in the tables and prefixed in the samples. Both are accepted (EDIT-6).";
    CON_28 chosen "doc:states against doc:calls",
        "Only an API call is said to stop the player, but `destroy` stops playback too. `destroy` fires no \
         `stopped` (DESTROY-2, STOP-6).";
    CON_29 chosen "doc:events",
        "The `first time` of `start` could be per page, item or load. Each load has one, and `stop()` makes \
         it due again (PLAY-9, STOP-5).";
    CON_30 chosen "doc:video, table against sample",
        "`kill_date` is a d-m-Y date, and the sample sends all zeros. All zeros mean no end (EDIT-22).";
    CON_31 chosen "doc:embed",
        "The config requires `width`, `height` and `video`, but an outstream sample has no video, and \
         playlists are not mentioned. INIT-4 and INIT-10 distinguish the kinds.";
    CON_32 chosen "doc:events against html",
        "`progress` is described as buffering, whereas in HTML it means that data arrives. Here it fires for \
         both (MEL-4, MEL-26).";
    CON_33 chosen "doc:calls",
        "`currentChapter(chapter)` is said to return the current chapter while it seeks to another. It \
         returns the target's (CH-6).";
    CON_34 stated "doc:states against doc:limits",
        "States give `play()` no condition, Limits require a gesture. Limits win (PLAY-16).";
    CON_35 stated "doc:targeting, doc:edit",
        "The fields of a call are optional, with one exception: `CustomParam[value][]` is required when a \
         key is sent (EDIT-30).";
    CON_36 chosen "doc:events, html",
        "`loadedmetadata` promises the entire metadata, but after an item change the old media may still \
         report. Tasks of an older load are dropped (MEL-23, EV-36).";
    CON_37 stated "doc:events",
        "`skipped` (playlist) and `adSkip` (ad) have similar names, and `skipped` also reports automatic \
         advance. They are kept apart (PL-8, BRK-14).";
    CON_38 stated "doc:comscore",
        "comScore fields are all strings, though two are flags sent as 0. They are stored as strings \
         (EDIT-28).";
    CON_39 chosen "doc:events",
        "`adError` for any reason may mean each failed tag or the break. It means each tag (REQ-4).";
    CON_40 stated "doc:calls against doc:limits",
        "On mobile, `volume` has no effect but returns the current volume. It returns it unchanged (VOL-5).";
}

rules! { NM
    NM_1 not_modelled "doc:loading",
        "Where in the page the script tag is and whether it has `async` is not modelled; a scenario says \
         when the script loads.",
        waits "left out on purpose: only the time of arrival matters";
    NM_2 not_modelled "doc:source",
        "What an item's `description` is used for is not modelled; it is read and has no effect.",
        waits "left out on purpose: no call or event gives it back";
    NM_3 not_modelled "doc:chapters",
        "Displaying a chapter's title is not modelled; `currentChapter()` returns it.",
        waits "left out on purpose: a headless player shows nothing";
    NM_4 not_modelled "doc:limits",
        "Which two desktop browsers, in which versions, require a gesture is not modelled; `gesture_policy` \
         says whether one is required.",
        waits "left out on purpose: the scenario decides";
    NM_5 not_modelled "doc:video, doc:comscore",
        "The meaning of age gates and comScore fields is not modelled; their values are stored and traced.",
        waits "left out on purpose: the reference shows no effect on the player";
}
