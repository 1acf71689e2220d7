//! The codes of VAST about responses, wrappers and expectations of the page: 100 to 304.
//!
//! VAST 4.3 section 2.3.6.

use super::Who::{AdServer, Creative, Page, Player};
use super::{CodeFamily, Entry};

const fn entry(number: u16, title: &'static str) -> Entry {
    Entry::numbered(CodeFamily::Vast, number, title)
}

pub(super) const ENTRIES: &[Entry] = &[
    entry(100, "the response is not well-formed XML")
        .called("VAST_MALFORMED_RESPONSE")
        .means("The body that came back could not be parsed as XML at all. The error pixels of the broken \
                document cannot be read, so only those of the wrappers above it are called.")
        .because(&[
            "The tag answers with a web page: a login, a consent wall, a proxy's error page or a 404 page with status 200.",
            "A tracking URL in the document has a bare & outside of CDATA.",
            "The document was cut off in transit, or is gzip or JSON with the wrong content type.",
        ])
        .act(&[AdServer])
        .helps(&[
            "Save the response (curl -si URL > tag.http) and look at it with playsim vast tag.http: it says what it is and where it breaks.",
            "Put URLs into CDATA, or write & as &amp;.",
        ]),
    entry(101, "the document breaks the VAST schema")
        .called("VAST_SCHEMA_VALIDATION_ERROR")
        .means("It is XML, but not a VAST document that can be used: something required is missing or in the wrong place.")
        .because(&[
            "An Ad has neither InLine nor Wrapper, or both.",
            "The root element is not VAST: a VMAP or a vendor's own format was returned.",
            "Strict players also refuse a missing AdSystem, AdTitle, Impression or Duration, which lenient ones tolerate.",
        ])
        .act(&[AdServer])
        .helps(&[
            "playsim vast FILE lists each violation with line and column; with --strict it then exits with 1.",
            "Test with the strictest player that gets the tag; a lenient one hides the mistake.",
        ]),
    entry(102, "the VAST version is not supported")
        .called("VAST_UNSUPPORTED_VERSION")
        .means("The version attribute names a version that the player does not read, or the document is VAST 1.")
        .because(&[
            "The tag was requested as VAST 4.x for a player that only knows 2.0 and 3.0.",
            "The version attribute is missing or mistyped, and the player is strict.",
            "An old tag answers with VAST 1 (VideoAdServingTemplate).",
        ])
        .act(&[AdServer, Player])
        .helps(&[
            "Request the version that the player supports; most ad servers take it as a parameter of the tag.",
            "Tell the ad server which versions the player supports by the [VASTVERSIONS] macro.",
        ]),
    entry(200, "the ad is not of a type that was asked for")
        .called("VAST_TRAFFICKING_ERROR")
        .means("A trafficking error: the ad itself may be fine, but the slot did not ask for this kind, or cannot play it.")
        .because(&[
            "An audio ad in a video slot, or a skippable ad in a slot that only takes non-skippable ones.",
            "A wrapper where the wrapper above it has followAdditionalWrappers=\"false\" (some players give 200 for that).",
            "A VPAID-only ad where VPAID is switched off (some players give 200 instead of 403).",
        ])
        .act(&[AdServer, Page])
        .helps(&[
            "Compare what the slot declares (ad type, skippable, VPAID) with what the line item delivers.",
            "Leave out creatives of the wrong kind by a key-value or a creative type filter instead of in the player.",
        ]),
    entry(201, "the ad has the other linearity")
        .called("VAST_UNEXPECTED_LINEARITY")
        .means("The slot is linear (a break) and the ad is an overlay, or the other way round.")
        .because(&[
            "A non-linear creative was booked on a pre-roll or mid-roll position.",
            "An overlay tag is filled from a campaign that only has linear video.",
            "A companion-only or non-linear-only document came back for a linear request.",
        ])
        .act(&[AdServer])
        .helps(&["Separate linear and overlay inventory by tag, size or request parameter, and target each on its own."]),
    entry(202, "the ad has another duration than asked for")
        .called("VAST_UNEXPECTED_DURATION_ERROR")
        .means("The ad is too long or too short for the slot. Some players also give it when the media is not as long as its document says.")
        .because(&[
            "A 60 s spot in a slot that takes at most 30 s.",
            "The break's maximum is shorter than even the first ad.",
            "The Duration in the document is a default that was never filled in (00:00:00).",
        ])
        .act(&[AdServer, Page])
        .helps(&[
            "Send the limits with the request (minimum and maximum duration), so that nothing else comes back.",
            "Correct the Duration element; it must be that of the file.",
        ]),
    entry(203, "the ad has another size than asked for")
        .means("No media file of the ad has a size that the slot accepts.")
        .because(&[
            "The page asks for a range of sizes, and all renditions are outside of it.",
            "A vertical or square creative in a wide slot, or the other way round.",
            "One player uses 203 where a pod comes back behind a wrapper that allows one ad.",
        ])
        .act(&[AdServer, Creative])
        .helps(&["Add renditions in the sizes that are asked for, or widen the page's range."]),
    entry(204, "the ad has no category, and the page requires one")
        .since("4.0")
        .means("The publisher only plays ads that declare what they advertise, and this one does not.")
        .because(&["The Category element is missing: it is optional, and many ad servers do not fill it."])
        .act(&[AdServer, Page])
        .helps(&[
            "Have the ad server write Category with its authority attribute (such as the IAB content taxonomy).",
            "Lift the requirement for demand that cannot declare categories.",
        ]),
    entry(205, "the ad's category is blocked")
        .since("4.1")
        .means("The ad declares a category that the page, or a wrapper on the way (BlockedAdCategories), does not allow.")
        .because(&[
            "Competitive separation: the publisher blocks an advertiser's category around certain content.",
            "The blocking list and the ad use the same taxonomy, and the block worked as meant.",
        ])
        .act(&[AdServer, Page])
        .helps(&[
            "If the block is meant, filter earlier: send the blocked categories with the request ([BLOCKEDADCATEGORIES]), so that the slot is not lost.",
            "If it is not, look which hop carries BlockedAdCategories: playsim vast shows it.",
        ]),
    entry(206, "the break was shortened, and this ad was cut")
        .since("4.2")
        .means("The ads were fine, but the time of the break was used up: this one and those after it were not played.")
        .because(&[
            "The ad server filled a pod longer than the break's maximum duration.",
            "Earlier ads of the pod were longer than planned, or the page ended the break.",
        ])
        .act(&[AdServer, Page])
        .helps(&["Send the maximum duration of the break with the request, and check the pod's sum against it."]),
    entry(300, "the wrapper cannot be followed")
        .called("VAST_WRAPPER_ERROR")
        .means("A general failure at a wrapper for which no closer code exists.")
        .because(&[
            "VASTAdTagURI is missing or empty, or is not a URL.",
            "A macro in VASTAdTagURI was not filled, so that the address is none.",
        ])
        .act(&[AdServer])
        .helps(&["Open the wrapper's document and follow VASTAdTagURI by hand; the party that wrote the wrapper has to correct it."]),
    entry(301, "an ad server cannot be reached, or did not answer in time")
        .called("VAST_LOAD_TIMEOUT")
        .means("The request for a tag or for a wrapper's VASTAdTagURI failed: no answer within the limit, a status other \
                than success, or a broken connection. It says nothing about the ad behind it. In error reports it is the \
                code of latency.")
        .because(&[
            "The chain is long: each hop costs a round trip and an auction, and the limit is for all of them together.",
            "The server answers 403, 404 or 5xx; an expired or mistyped tag does too.",
            "The request is blocked in the browser (net::ERR_BLOCKED_BY_CLIENT): an ad blocker, or http on an https page.",
            "The response has no CORS headers for the page, which therefore cannot read it (net::ERR_FAILED).",
        ])
        .act(&[AdServer, Page])
        .helps(&[
            "Look at the hop that took the time, not at the last one: playsim waterfall shows each with its times.",
            "Order slow demand behind fast, or raise the limit if the tag fills often when given time (playsim waterfall ... --timeout).",
            "For CORS, the server must answer with Access-Control-Allow-Origin (and -Credentials if cookies are sent).",
        ]),
    entry(302, "too many wrappers")
        .called("VAST_TOO_MANY_REDIRECTS")
        .means("The chain is longer than the player follows. VAST recommends five wrappers; several players stop after three or four.")
        .because(&[
            "Resold inventory: each reseller adds a wrapper.",
            "A loop: a wrapper leads back to one that was already asked, often two exchanges that call each other.",
        ])
        .act(&[AdServer])
        .helps(&[
            "Find the loop or the reseller: the list of hops in playsim waterfall names each document.",
            "Shorten the chain: buy closer to the source, or merge measurement wrappers.",
        ]),
    entry(303, "no ad in the response")
        .called("VAST_NO_ADS_AFTER_WRAPPER")
        .means("The ad server answered, but had nothing to play. VAST means it for an empty document behind a wrapper; for an \
                empty first response it has no code, and most players use 303 there too (the SDK uses 1009). It is the \
                usual outcome of an auction that nobody won, not a defect.")
        .because(&[
            "No campaign matched: targeting, geography, frequency cap, budget, floor price, or consent missing from the request.",
            "Macros in the tag arrived unfilled (page URL, consent string, size), so that the server could not match.",
            "There were ads, but all were filtered: a pod behind a wrapper with allowMultipleAds=\"false\" counts as none.",
        ])
        .act(&[AdServer, Page])
        .helps(&[
            "Compare the request as it was sent with the tag as booked; unfilled [MACROS] or {{macros}} are the usual slip.",
            "Look at 'ignored' in playsim waterfall: it tells an empty document from ads that were filtered.",
            "A rate of 303 is normal for open demand: order the tags so that it costs little time.",
        ]),
    entry(304, "the ad unit did not come on screen in time")
        .since("4.x")
        .means("An interactive or VPAID unit was loaded and started, but no ad became visible within the player's limit.")
        .because(&[
            "The unit runs an auction of its own and did not win it.",
            "The unit waits for something that the page does not allow: a frame, a third-party cookie, autoplay with sound.",
            "It sent AdStarted, but never AdImpression.",
        ])
        .act(&[Creative, Player])
        .helps(&[
            "Ask for the plain media file or a SIMID unit instead of VPAID.",
            "Let the unit send AdError as soon as it knows that it has no ad: the next tag is then tried at once.",
        ]),
];
