//! Rules REQ: ad requests.

use super::{Row, chosen, iab, stated};

pub(super) const ROWS: &[Row] = &[
    stated(1, "doc:events", "Each ad request for a tag is announced by `requestAd`.")
        .knob("request_ad.scope"),
    chosen(
        2,
        "OBS-5, assumed",
        "A waterfall is worked off one tag at a time; a tag is asked when the one before it has failed.",
    ),
    iab(
        3,
        "iab, doc:events (adError 'for any reason')",
        "A tag has failed on: network failure, a status that is not 2xx, XML that cannot be read, no ad, \
         time-out, too many redirects, no playable media, or a failure before or during playback.",
    ),
    stated(
        4,
        "doc:events; once per tag assumed, CON-39",
        "A failed tag emits `adError` with `data.code` and `data.message`; the next tag's `requestAd` \
         follows.",
    )
    .knob("ad_error.scope"),
    iab(
        5,
        "iab (OBS-8: same names)",
        "`adError` uses VAST numbers with short messages of ours: 100 to 102 document, 200 to 203 kind \
         and size, 300 to 303 wrapper, time-out, redirects, no ad, 400 to 403 and 405 linear media, 500 \
         to 503 non-linear, 600 to 604 companion, 900 unknown, 901 VPAID.",
    )
    .knob("ad_error.codes"),
    chosen(
        6,
        "OBS-8; the standard has 303 behind a wrapper only",
        "A VAST answer without ads is failure 303, at the first hop as behind a wrapper.",
    )
    .knob("ad.empty_is_error"),
    chosen(
        7,
        "assumed; comparable players allow 5 s",
        "One tag has 5 s for its whole redirect chain, then it fails with 301; an answer on the very \
         limit counts.",
    )
    .knob("ad.timeout, ad.break_timeout"),
    iab(8, "iab", "Five redirects are followed, a sixth is 302. Circular chains run into the same count.")
        .knob("ad.max_wrappers"),
    iab(9, "iab", "A linear ad whose media is not ready within `ad.media_timeout` (8 s) fails with 402.")
        .knob("ad.media_timeout"),
    chosen(10, "assumed", "What arrives after its time-out is thrown away and noted as a `net` line `late`.")
        .knob("ad.late"),
    stated(
        11,
        "doc:events+",
        "`lastVASTXML` takes the newest document, after redirects, on its arrival, so listeners of \
         `adError`, `adImpression` and `adStart` find it.",
    ),
    stated(
        12,
        "doc:events, doc:events+",
        "With the third-party SDK engine each tag is one SDK request, `AdsManagerLoadedEvent` stands \
         between its answer and `adImpression`, and `lastVASTXML` stays undefined.",
    )
    .knob("ad.engine"),
    stated(
        13,
        "doc:events; place assumed",
        "A winning header bid for the break becomes a tag that is tried ahead of the waterfall, with \
         `bidWon` before its `requestAd`. Without a bid there is no event and no change.",
    )
    .knob("bid.position"),
    stated(
        14,
        "doc:video, doc:source",
        "An item with `monetize` false or 0 opens no break: no request and no `adEnd`.",
    ),
    chosen(
        15,
        "assumed",
        "A break whose waterfall is empty, be it through a video-level override, does not exist and has \
         no `adEnd`.",
    )
    .knob("ad.empty_break_end"),
    chosen(16, "assumed", "An entry of a tag list that is no address fails as 900 without a `requestAd`."),
    chosen(
        17,
        "assumed",
        "Redirects appear in the trace as hops of their one request, with address, latency, size and \
         status.",
    ),
];
