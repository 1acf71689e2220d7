//! Rules CON: contradictions of the reference.

use super::{Row, stated};

pub(super) const ROWS: &[Row] = &[
    stated(
        1,
        "doc:events+ against doc:events",
        "The last-VAST rule speaks of adStarted, the event table has `adStart` only. Taken as `adStart`; \
         binding adStarted gives a diag that proposes it.",
    )
    .knob("compat.adStarted"),
    stated(
        2,
        "doc:ad, table against sample",
        "The ad object's table demands `mobile`, its sample has `adTagUrl`. The latter serves as an \
         alias, with a diag (AD-5).",
    ),
    stated(
        3,
        "doc:video, table against sample",
        "Table and sample spell `clickthroughURL` and `clickthroughUrl`, and two pixel keys look alike. \
         The spellings are one field, the pixel keys two others (EDIT-17, EDIT-29).",
    ),
    stated(
        4,
        "doc:calls",
        "`isReady`, `playlistLength`, `currentIndex` and `isFullScreen` stand among the calls although \
         they are properties. They are properties; written as calls they work with a diag (READY-2, PL-3, \
         FS-3).",
    ),
    stated(
        5,
        "doc:calls",
        "`onReady` is `required` in the three-argument row while a two-argument form exists. It is \
         required in that form only (INIT-1, QUEUE-5).",
    ),
    stated(
        6,
        "doc:calls",
        "`volume(volume)` has a setter form only, yet gives the current volume; its sisters have getters. \
         The getter is allowed (VOL-2).",
    ),
    stated(
        7,
        "doc:calls",
        "`currentTime` gives a float but takes an integer. Fractions are allowed, with a diag (TIME-3).",
    ),
    stated(
        8,
        "doc:calls, name against text",
        "`delDiv` true keeps the container, against its name, and leaving it out removes it. The text is \
         followed, false is as left out, and one diag `deldiv_true_keeps` tells script writers \
         (DESTROY-4).",
    ),
    stated(
        9,
        "doc:calls, doc:events",
        "`toggleFullScreen` is said to enter fullscreen only, and its event to come from the button. It \
         toggles, and every change emits (FS-2, FS-4).",
    ),
    stated(
        10,
        "doc:events against doc:calls",
        "`seeked` speaks of the person on the timeline, yet calls and chapter jumps seek as well. Every \
         requested seek counts (TIME-11).",
    ),
    stated(
        11,
        "doc:calls, doc:limits",
        "`src` takes a `playlist source object` but sets one source, and is tied to the ready callback \
         without a penalty. It makes one item and gives a diag elsewhere (SRC-3, SRC-4).",
    ),
    stated(
        12,
        "doc:rendition against doc:calls",
        "There are five renditions, listed with fhd before hd, but `setHD` and `isHD` know two kinds. \
         QUAL-2, QUAL-8 and QUAL-10 settle order and meaning.",
    ),
    stated(
        13,
        "doc:calls against doc:limits",
        "`pushAds` speaks of ads defined for the player, though video-level ads override those. The ads \
         in force are used (PUSH-2).",
    ),
    stated(
        14,
        "doc:adpos against doc:limits",
        "`pods` counts the player level although a break may be video-level. Taken literally (AD-18).",
    ),
    stated(
        15,
        "doc:ad",
        "`adTimeType` is the unit of a time that no field holds. Extension fields hold it (AD-8).",
    ),
    stated(
        16,
        "doc:ad",
        "`adTimeType` is required, but two of the four types have no use for it. Its absence is tolerated \
         (AD-3).",
    ),
    stated(
        17,
        "doc:ad, name against text",
        "The list `mobile` serves desktops too when `desktop` is missing. The text is followed, not the \
         name (AD-6).",
    ),
    stated(
        18,
        "doc:events",
        "`adEnd` means that the ad call is done, shown or not; `adComplete` and `adSkip` mean the ad. A \
         break has one `adEnd`, an ad one of the others (BRK-5, BRK-10).",
    ),
    stated(
        19,
        "doc:video against doc:source",
        "Flags differ in type: `monetize` integer or boolean, `geo_on` integer or true, `rejected` with 1 \
         only. Both forms are read everywhere and the record keeps integers (SRC-7, EDIT-24 to EDIT-26).",
    ),
    stated(
        20,
        "doc:states against doc:events",
        "`beforeStart` is bound to the start of playing in one section and to an ad's start in another. \
         It comes once per item start (PLAY-7).",
    ),
    stated(
        21,
        "doc:events",
        "Event names mix lower case, camel case and a capital at the front. They match exactly, with a \
         proposal for near misses (EVT-16, EVT-17).",
    ),
    stated(
        22,
        "doc:events+",
        "The last VAST document is reached over `values` of `$player()` without id. It is a property of \
         each handle (VX-1).",
    ),
    stated(
        23,
        "doc:callrules against doc:embed",
        "`$player(div)` takes the container's id while `config.id` claims to identify the player. Lookup \
         goes by container; players that share `config.id` give diag `same_player_id`.",
    ),
    stated(
        24,
        "doc:calls, doc:versioning",
        "Old and new binding names are equivalent, but arrays are mentioned for `on` only. All of them \
         take arrays (EVT-6).",
    ),
    stated(
        25,
        "doc:edit",
        "The edit call has the paths `video/edit/<id>.json` and `videos/edit.json`, in versions 3 and 2. \
         Three routes behave alike (EDIT-2).",
    ),
    stated(
        26,
        "doc:edit, doc:video",
        "The id may stand in path and form, as a text where other ids are integers, all sent as text. \
         EDIT-9 and EDIT-11 say what counts.",
    ),
    stated(
        27,
        "doc:edit",
        "Field names are bare in the tables and prefixed in the samples. Both are read (EDIT-6).",
    ),
    stated(
        28,
        "doc:states against doc:calls",
        "Only an API call is said to stop the player, and `destroy` stops playback too. `destroy` emits \
         no `stopped` (DESTROY-2, STOP-6).",
    ),
    stated(
        29,
        "doc:events",
        "The `first time` of `start` could be per page, item or load. Each load has one, and `stop()` \
         makes it due again (PLAY-9, STOP-5).",
    ),
    stated(
        30,
        "doc:video, table against sample",
        "`kill_date` is a d-m-Y date, and the sample sends one of zeros. All zeros mean no end (EDIT-22).",
    ),
    stated(
        31,
        "doc:embed",
        "The config requires `width`, `height` and `video`, yet an outstream sample has no video and \
         playlists are not mentioned. INIT-4 and INIT-10 tell the kinds apart.",
    ),
    stated(
        32,
        "doc:events against html",
        "`progress` is described as buffering, whereas in HTML it means that data arrives. The HTML \
         meaning holds.",
    )
    .knob("progress.meaning"),
    stated(
        33,
        "doc:calls",
        "`currentChapter(chapter)` is said to give the current chapter while it seeks to another. It \
         gives the target's (CH-6).",
    ),
    stated(
        34,
        "doc:states against doc:limits",
        "States give `play()` no condition, Limits ask for a gesture. Limits win (PLAY-16).",
    ),
    stated(
        35,
        "doc:targeting against doc:edit",
        "One section says that `CustomParam[value][]` is required with a key, another that no field is. \
         It is required where there is a key (EDIT-30).",
    ),
    stated(
        36,
        "doc:events, html",
        "`loadedmetadata` promises the entire metadata, but after an item change old media may still \
         report. Tasks of an older load are dropped (MEL-23, EV-36).",
    ),
    stated(
        37,
        "doc:events",
        "`skipped` (playlist) and `adSkip` (ad) are near in name, and `skipped` also tells of an advance \
         nobody asked for. They are kept apart (PL-8, BRK-14).",
    ),
    stated(
        38,
        "doc:comscore",
        "comScore fields are all texts, though two are flags sent as 0. They are stored as texts \
         (EDIT-28).",
    ),
    stated(
        39,
        "doc:events",
        "`adError` for any reason may mean each failed tag or the break. It is each tag (REQ-4).",
    ),
    stated(
        40,
        "doc:calls against doc:limits",
        "On mobile `volume` is without effect, yet gives the current volume. It gives it unchanged \
         (VOL-5).",
    ),
];
