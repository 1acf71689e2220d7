//! Rules SEL: choosing among ads, creatives and media files.

use super::{Row, chosen, iab};

pub(super) const ROWS: &[Row] = &[
    iab(
        1,
        "VAST 4.3 section 3.7",
        "Linear creatives of one ad that have a `sequence` are shown one after another, ascending; those \
         without one are choices, of which the first that can be played is shown. The impression is the ad's \
         and counts with the first part; a later part that cannot be played is told and left out.",
    ),
    iab(
        2,
        "VAST 4.3 sections 2.3.6, 3.3.1",
        "Ads without a sequence are the reserve of their document: the next unused one takes the place of an \
         ad that cannot be played, each of them once.",
    )
    .knob("ad.pod_reserve"),
    iab(
        3,
        "VAST 4.3 section 3.19",
        "For a wrapper that leads to no ad `fallbackOnNoAd` decides: true takes an ad of the reserve, false \
         none. Where it says nothing an ad of the reserve is taken.",
    )
    .knob("ad.fallback_on_no_ad"),
    iab(
        4,
        "VAST 4.3 sections 2.3.6, 3.3.1; which ad is cut is chosen",
        "With `break.max_duration` the first ad that does not fit into what is left of its break ends the \
         break. It and the ads of its pod behind it are told 206 in their order; one that would not fit into \
         an empty break is told 202, and the next takes its turn.",
    )
    .knob("break.max_duration"),
    iab(
        5,
        "VAST 4.3 section 3.14; who is told is chosen",
        "An ad that counted and never had its turn is told by its own `notUsed` trackers when its tag is left. \
         Wrappers above it are not told, nor is an ad that failed: its error was its last word.",
    )
    .knob("ad.not_used"),
    iab(
        6,
        "VAST 4.3 sections 3.4.5, 3.19.2",
        "Where the page requires a category an ad without one fails with 204. An ad of a category that the \
         page or a wrapper before it blocks fails with 205; a category of one authority is not blocked by the \
         same text of another.",
    ),
    chosen(
        7,
        "VAST 4.3 section 3.9.1 asks for a choice and leaves it open",
        "Of media files that can be played a progressive one is taken before a streaming one, then the best \
         bitrate that the page allows, then one without a bitrate, then the lowest above; at a tie the file \
         whose area is next to the player's, then the first.",
    )
    .knob("ad.media_choice"),
    iab(
        8,
        "VAST 4.3 section 2.3.6; a product has another code",
        "An ad of which no media file can be played fails with 403, and the trace says of each file why.",
    )
    .knob("ad.no_media_code"),
    iab(
        9,
        "VAST 4.3 sections 2.3, 3.3.2",
        "An ad of a type that the page does not ask for fails with 200: audio in a video slot, or one that can \
         be skipped where none such is asked for. It is not played without its skip.",
    ),
    iab(
        10,
        "VAST 4.3 section 2.3.6",
        "A linear ad shorter or longer than the page asks for fails with 202, by its document or, where that is \
         silent, by its media. One whose files are all outside the sizes asked for fails with 203.",
    ),
    iab(
        11,
        "VAST 4.3 section 3.3.2 (deprecated in 4.1)",
        "A conditional ad is played unless the page refuses those; then it fails with 408.",
    ),
    iab(
        12,
        "VAST 4.3 section 3.4.10; what follows is chosen",
        "An ad whose answer is older than its `Expires` when its turn comes, or while it waits to be started, \
         is not played: 900, and the next takes its turn.",
    )
    .knob("ad.expires"),
    iab(
        13,
        "VAST 4.3 sections 2.3.6, 3.9.2",
        "Where the page's ads are stitched into the content an ad needs a mezzanine file: 406 without one, 411 \
         if it is below what is asked for, 407 if it has to be fetched and transcoded first. It is never \
         played itself.",
    ),
    chosen(
        14,
        "VAST 4.3 section 3.9.1",
        "What can be played is the types that the page lists; a codec counts where both the page and the file \
         name one. Without a list: MP4, WebM, Ogg, HLS and DASH.",
    ),
];
