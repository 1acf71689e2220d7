//! The codes of VAST about the ad itself: linear media, overlays, companions, units: 400 to 902.
//!
//! VAST 4.3 section 2.3.6.

use super::Who::{AdServer, Creative, Page, Player};
use super::{CodeFamily, Entry};

const fn entry(number: u16, title: &'static str) -> Entry {
    Entry::numbered(CodeFamily::Vast, number, title)
}

pub(super) const ENTRIES: &[Entry] = &[
    entry(400, "the linear ad cannot be shown")
        .called("VIDEO_PLAY_ERROR")
        .means("A general failure of the video ad for which no closer code exists; also when playing broke off midway.")
        .because(&[
            "The connection to the media file broke while it played.",
            "The document has no linear creative although it claims an ad for a break.",
            "The player's own fault in starting the ad; browsers report a refused autoplay like this too.",
        ])
        .act(&[Creative, Player])
        .helps(&["Play the media URL on its own in the same browser; if it plays, the player's log has the reason."]),
    entry(401, "the media file was not found")
        .means("The chosen media file's URL answered with 404 or the like, or could not be connected to.")
        .because(&[
            "The file was removed or renamed when the campaign was changed, or the CDN's signed URL has expired.",
            "The media URL is relative, or http on an https page, or has a macro that nobody fills.",
            "The CDN refuses the page's origin or country.",
            "The file is blocked by an ad blocker, or loaded with CORS (crossorigin, HLS, DASH) without headers for the page.",
        ])
        .act(&[Creative, AdServer])
        .helps(&[
            "curl -sI the media URL with the page's Origin and Referer headers.",
            "Upload the file again, or correct the MediaFile; several files do not help when the player tries only one.",
        ]),
    entry(402, "the media file took too long")
        .called("VAST_MEDIA_LOAD_TIMEOUT")
        .means("The file was there, but did not become playable within the player's limit (eight seconds are common). \
                The viewer looked at a blank player for that long.")
        .because(&[
            "The only rendition is a mezzanine-like file of 20 Mbit/s or more.",
            "MP4 with its index (moov) at the end: nothing plays until all of it has loaded.",
            "A slow or distant CDN, or a viewer on a slow connection.",
        ])
        .act(&[Creative])
        .helps(&[
            "Offer several bitrates, the lowest below 1 Mbit/s.",
            "Encode with the index at the front (faststart).",
        ]),
    entry(403, "none of the media files can be played here")
        .called("VAST_LINEAR_ASSET_MISMATCH")
        .means("The ad offers media files, but none of a type, codec or framework that this player supports.")
        .because(&[
            "Only VPAID (JavaScript or even Flash) is offered, and the player does not allow it.",
            "Only HLS, WebM or MOV is offered to a player that takes MP4.",
            "The type attribute is wrong or missing: video/x-mp4 is nobody's type.",
        ])
        .act(&[Creative, AdServer])
        .helps(&[
            "Always add an MP4 (H.264, AAC), progressive, with type=\"video/mp4\".",
            "playsim waterfall gives the reason for each file it refuses.",
        ]),
    entry(405, "the media file cannot be displayed")
        .called("VAST_PROBLEM_DISPLAYING_MEDIA_FILE")
        .means("The type looked right and the file arrived, but it could not be decoded or shown.")
        .because(&[
            "The content is not what the type says: HEVC or ProRes in a file that is announced as plain MP4.",
            "The URL answers 200 with a web page or an empty body.",
            "The file is damaged, or the device has no decoder for its profile.",
        ])
        .act(&[Creative])
        .helps(&["Check the file with ffprobe; encode it as H.264 high profile 4.1 or lower with AAC."]),
    entry(406, "the mezzanine file is missing")
        .since("4.x")
        .means("Server-side insertion needs the high-quality source file (Mezzanine) to transcode, and the ad has none.")
        .because(&["The ad was made for browsers, and runs in inventory that is stitched into the stream."])
        .act(&[AdServer, Creative])
        .helps(&["Have the ad server write Mezzanine for stitched inventory; all of VAST 4 has the element."]),
    entry(407, "the mezzanine file is still being prepared")
        .since("4.x")
        .means("The stitcher sees this ad for the first time and has to fetch and transcode it before it can be inserted. \
                The first requests of a campaign are lost; it solves itself.")
        .because(&["A new creative, or one whose URL changes with every response, so that it is always new."])
        .act(&[AdServer])
        .helps(&[
            "Give the creative a stable UniversalAdId, by which the stitcher recognises it.",
            "Warm up new creatives before the campaign begins.",
        ]),
    entry(408, "the page refuses conditional ads")
        .since("4.0")
        .means("The document says that the unit decides itself whether it shows an ad (conditionalAd), which the page does \
                not accept. Deprecated since VAST 4.1.")
        .because(&["A VPAID unit that is really an auction in the player is declared as such."])
        .act(&[AdServer])
        .helps(&["Run the auction on the server, and answer with a wrapper or with an ad."]),
    entry(409, "the interactive file was not run")
        .since("4.x")
        .means("The InteractiveCreativeFile (SIMID) could not be loaded or is of no framework that the player runs. The \
                plain video plays, so the impression is not lost.")
        .because(&[
            "The player does not support SIMID, or not this apiFramework.",
            "The unit's page cannot be framed (X-Frame-Options, CSP) or took too long.",
        ])
        .act(&[Creative, Player])
        .helps(&["Keep a plain MediaFile next to it, always; and let the unit's page be framed by the player's origin."]),
    entry(410, "a verification was not run")
        .since("4.1")
        .means("A measurement script (AdVerifications, mostly Open Measurement) did not run. The ad plays, but counts as \
                not measured. It goes with verificationNotExecuted, whose [REASON] says why: 1 refused, 2 not supported, 3 \
                could not be loaded.")
        .because(&[
            "The player has no Open Measurement, or does not trust the vendor.",
            "The script's URL failed, or is blocked by an ad blocker or the page's CSP.",
        ])
        .act(&[Player, Page])
        .helps(&["Read [REASON] in the verificationNotExecuted pixel; add the vendor to the player's list, or the host to the CSP."]),
    entry(411, "the mezzanine file is below the required quality")
        .since("4.x")
        .means("There is a Mezzanine, but its resolution or bitrate is lower than the stitcher asks for.")
        .because(&["A web rendition was used as the source file."])
        .act(&[Creative])
        .helps(&["Deliver the master: at least the resolution of the stream, with a high bitrate."]),
    entry(500, "the overlay cannot be shown")
        .called("OVERLAY_AD_PLAYING_FAILED")
        .means("A general failure of a non-linear ad for which no closer code exists.")
        .because(&["The overlay has no resource at all, or its script failed."])
        .act(&[Creative])
        .helps(&["Look at the NonLinear element: it needs one StaticResource, IFrameResource or HTMLResource."]),
    entry(501, "the overlay is too large")
        .called("NONLINEAR_DIMENSIONS_ERROR")
        .means("The overlay's width or height is larger than the player.")
        .because(&["One creative of fixed size for desktop and phone, or a player smaller than usual on this page."])
        .act(&[Creative, Page])
        .helps(&["Offer several NonLinear sizes in one creative: the player takes the first that fits."]),
    entry(502, "the overlay could not be fetched")
        .called("OVERLAY_AD_LOADING_FAILED")
        .means("The image or page of a non-linear ad failed to load. One loader (video-ad-sdk) also gives 502 for a wrapper \
                whose request failed: then read it as 301.")
        .because(&["The file is gone, or is http on an https page, or the host is blocked."])
        .act(&[Creative])
        .helps(&["Request the resource from the page's origin; for a linear slot look at the wrappers instead."]),
    entry(503, "the overlay's type is not supported")
        .called("VAST_NONLINEAR_ASSET_MISMATCH")
        .means("None of the resources of a non-linear ad is of a type that the player shows.")
        .because(&["Flash, or a VPAID overlay where VPAID is off; an HTML page where only images are allowed."])
        .act(&[Creative, Player])
        .helps(&["Add an image (PNG, JPEG or WebP) with its creativeType."]),
    entry(600, "the companion cannot be shown")
        .means("A general failure of a companion banner. The video itself plays.")
        .because(&["The page has no slot for companions, or filling it failed."])
        .act(&[Page, Creative])
        .helps(&["Check that the page's slots exist when the ad starts; do not treat it as a failure of the ad."]),
    entry(601, "the companion does not fit")
        .means("The page has slots for companions, but none of the size that the companion needs. The video plays.")
        .because(&["300x250 is booked and the page has 300x600, or the slot is hidden on phones."])
        .act(&[Page, Creative])
        .helps(&["Offer the companion in the sizes of the page's slots."]),
    entry(602, "a required companion cannot be shown")
        .called("COMPANION_REQUIRED_ERROR")
        .means("CompanionAds says required=\"all\" or \"any\", and this could not be met: the whole ad is dropped, video too.")
        .because(&["A campaign with a guaranteed companion runs on pages without the slot: apps, embeds, phones."])
        .act(&[AdServer, Page])
        .helps(&["Target the campaign to inventory with the slot, or set required to none."]),
    entry(603, "the companion could not be fetched")
        .called("COMPANION_AD_LOADING_FAILED")
        .means("The companion's image or page failed to load. The video plays.")
        .because(&["The file is gone, blocked, or http on an https page."])
        .act(&[Creative])
        .helps(&["Request the companion's resource from the page's origin."]),
    entry(604, "the companion's type is not supported")
        .means("None of the companion's resources is of a type that the slot shows. The video plays.")
        .because(&["Flash, or an HTML snippet where the page only takes images."])
        .act(&[Creative])
        .helps(&["Add a StaticResource with an image."]),
    entry(900, "undefined error")
        .called("UNKNOWN_ERROR")
        .means("The player knows that something failed and not what, or does not say. VAST allows it for everything; it is \
                the code to distrust: the same 900 stands for a timeout, a broken document and a blocked autoplay.")
        .because(&[
            "A player that gives 900 for every failure of the first document (rmp-vast does).",
            "A crash in the player or in a plug-in; an ad whose Expires has passed.",
            "A break whose offset the player does not support (IMA: percentages in VMAP).",
        ])
        .act(&[Player])
        .helps(&["Play the same responses with playsim waterfall: it names the step that fails. Compare profiles with playsim code 900."]),
    entry(901, "the VPAID unit failed")
        .called("VPAID_ERROR")
        .means("The unit raised AdError, did not complete the handshake, or did not answer in time. All failures of VPAID \
                share this code.")
        .because(&[
            "The unit is an auction that had no ad: by far the most frequent.",
            "It needs something that the player's frame denies: cookies, the page's own document, Flash.",
            "It was slow: no AdLoaded or AdStarted within the limit.",
        ])
        .act(&[Creative, Player])
        .helps(&[
            "Read the message of AdError in the browser's console; it is the vendor's own text.",
            "Ask the vendor for plain video with Open Measurement, or SIMID.",
        ]),
    entry(902, "the interactive file failed")
        .since("4.2")
        .means("A SIMID unit or its player reported a fatal error; the SIMID code next to it (1100 to 1223) has the reason. \
                New in VAST 4.2.")
        .because(&[
            "The unit failed inside (1100 to 1111), or the player refused or missed a message (1200 to 1223).",
            "The unit demands a variable duration, and the player grants no extra time.",
        ])
        .act(&[Creative, Player])
        .helps(&["Look up the SIMID code: playsim code simid."]),
];
