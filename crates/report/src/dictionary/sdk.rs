//! The codes of the third-party SDK (IMA) above those of VAST.
//!
//! The developer pages of the SDK for HTML5. Below 1000 it uses the codes of VAST, under names of
//! its own.

use super::Who::{AdServer, Page, Player};
use super::{CodeFamily, Entry};

const fn entry(number: u16, name: &'static str, title: &'static str) -> Entry {
    Entry::numbered(CodeFamily::Sdk, number, title).called(name)
}

pub(super) const ENTRIES: &[Entry] = &[
    entry(1005, "FAILED_TO_REQUEST_ADS", "the ads request could not start")
        .means("The SDK could not even ask: it failed before or while it built the request.")
        .because(&[
            "An ad blocker or a privacy setting stops the SDK's own scripts or frames.",
            "The page destroyed the ad container, or asked before it was in the document.",
        ])
        .act(&[Page])
        .helps(&["Try without extensions in a private window; if it works there, it is blocked."]),
    entry(1007, "VAST_ASSET_NOT_FOUND", "no usable asset in the response")
        .means("The response has ads, but nothing in them that the SDK could show.")
        .because(&["Only VPAID or an unsupported type, or only companions, is offered."])
        .act(&[AdServer])
        .helps(&["As for 403: offer a progressive MP4."]),
    entry(1009, "VAST_EMPTY_RESPONSE", "the first response is empty")
        .means("The tag itself answered with no ad. It is what VAST leaves without a code and most players call 303; behind \
                a wrapper the SDK uses 303 too.")
        .because(&[
            "Nobody bid, or no line item matched.",
            "The tag is tested from a country, device or consent state that is not targeted.",
        ])
        .act(&[AdServer, Page])
        .helps(&["Treat it as no fill, not as an error; look for unfilled macros in the request, as for 303."]),
    entry(1010, "UNKNOWN_AD_RESPONSE", "the response is of an unknown kind")
        .means("What came back is neither VAST nor VMAP nor ad rules.")
        .because(&["A web page, JSON, or a bare media URL; a redirect to a login."])
        .act(&[AdServer])
        .helps(&["Save the response and look at it with playsim vast, which names what it is."]),
    entry(1011, "UNSUPPORTED_LOCALE", "the locale is not supported")
        .means("The page set a language for the SDK's own texts that it does not have. Ads are not affected.")
        .because(&["setLocale with a wrong or unusual language code."])
        .act(&[Page])
        .helps(&["Use a two-letter code from the SDK's list, or leave it out."]),
    entry(1012, "ADS_REQUEST_NETWORK_ERROR", "the ads request failed in the network")
        .means("The request for the tag itself failed: no connection, a failed status, or the browser refused it.")
        .because(&[
            "CORS: the ad server does not allow the page's origin, or not with credentials.",
            "The request is blocked: an ad blocker, http on an https page, or the page's CSP.",
            "The server is down or answers 4xx or 5xx.",
        ])
        .act(&[AdServer, Page])
        .helps(&["The browser's network panel shows which; playsim calls the same a 301 in other profiles."]),
    entry(1013, "INVALID_AD_TAG", "the ad tag is malformed")
        .means("The tag URL could not be used as a URL.")
        .because(&["It is empty, not encoded (spaces, a bare description_url), or its macros were not replaced."])
        .act(&[Page])
        .helps(&["Encode each parameter's value (encodeURIComponent), the whole tag never."]),
    entry(1014, "PROTECTED_AUDIENCE_API_ERROR", "the auction in the browser failed")
        .means("An auction of the Protected Audience API ended with an error; the inner error has the reason.")
        .because(&["The API is off or changed in this browser."])
        .act(&[AdServer])
        .helps(&["Treat it as no fill; the contextual auction goes on without it."]),
    entry(1020, "STREAM_INITIALIZATION_FAILED", "the stitched stream could not be initialised")
        .means("Server-side insertion: the request for the stream failed, so there is neither content nor ad.")
        .because(&["A wrong asset key, content id or API key, or the stream is not live."])
        .act(&[Page, AdServer])
        .helps(&["Request the stream with the same ids outside of the player; keep a plain stream as a fallback."]),
    entry(1021, "ASSET_FALLBACK_FAILED", "the fallback asset failed")
        .means("After another failure the SDK tried a fallback, which failed as well.")
        .because(&["The fallback's media are gone or of an unsupported type."])
        .act(&[AdServer])
        .helps(&["Look for the first error in the log: that is the one to mend."]),
    entry(1022, "UNSUPPORTED_URL", "a URL is not supported here")
        .means("A URL is invalid, or of a kind that this browser does not load.")
        .because(&["A scheme other than http or https, or a malformed URL in the document."])
        .act(&[AdServer, Page])
        .helps(&["Look for the URL in the request or the document and write it in full."]),
    entry(1101, "INVALID_ARGUMENTS", "the page called the SDK with wrong arguments")
        .means("An integration mistake: an API call got something else than it takes.")
        .because(&["A missing container or video element, or a number given as text."])
        .act(&[Page])
        .helps(&["The message names the call."]),
    entry(1205, "AUTOPLAY_DISALLOWED", "the browser did not allow autoplay")
        .means("The ad was to start without a click and with sound, and the browser refused.")
        .because(&["The page declares that it may autoplay (setAdWillAutoPlay) without testing it, or unmutes too early."])
        .act(&[Page, Player])
        .helps(&["Start muted, or wait for the first click; call the SDK's initialize() inside the click."]),
    entry(1300, "CONSENT_MANAGEMENT_PROVIDER_NOT_READY", "consent is not known yet")
        .means("The page has a consent tool that has not answered, and the SDK does not ask before it has. Deprecated.")
        .because(&["Ads are requested before the consent dialog is answered or its script has loaded."])
        .act(&[Page])
        .helps(&["Request ads after the consent tool reports that it is ready."]),
];
