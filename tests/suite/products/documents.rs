//! How products read documents, and which URLs they fill macros in: further policies.

use super::Known::{Is, Not};
use super::{Cell, Seen};
use playsim::knobs::Profile::{
    FluidPlayer, Ima, RmpVast, Shaka, Standard, VastClientJs, VideoAdSdk,
};

/// Macros, documents that are not sound, durations.
pub(super) const POLICIES: &[Cell] = &[
    (
        "macros_in_every_url",
        Standard,
        Is("all are filled in", |seen| {
            fills(seen, [true; 3]) && seen.heard(FILLED_ERROR) == 1
        }),
    ),
    (
        "macros_in_every_url",
        VastClientJs,
        Is("those of trackers", |seen| {
            fills(seen, [false, false, true])
        }),
    ),
    (
        "macros_in_every_url",
        VideoAdSdk,
        Is("those of trackers", |seen| {
            fills(seen, [false, false, true])
        }),
    ),
    (
        "macros_in_every_url",
        RmpVast,
        Is("all but that of the wrapper", |seen| {
            fills(seen, [true, false, true])
        }),
    ),
    (
        "macros_in_every_url",
        FluidPlayer,
        Is("the code of the error URL alone", |seen| {
            let error = "https://t.test/error?page=[PAGEURL]&code=";
            fills(seen, [false; 3])
                && seen.urls.iter().any(|url| {
                    url.strip_prefix(error)
                        .is_some_and(|code| code.parse::<u16>().is_ok())
                })
        }),
    ),
    (
        "macros_in_every_url",
        Ima,
        Not("closed source; the reference names `[PAGEURL]` alone"),
    ),
    (
        "macros_in_a_tag",
        Shaka,
        Is("none", |seen| {
            seen.tags == ["https://ads.test/b?page=[PAGEURL]"]
                && seen.heard("https://t.test/impression?page=[PAGEURL]") == 1
                && seen.heard("https://t.test/error?page=[PAGEURL]&code=[ERRORCODE]") == 1
        }),
    ),
    (
        "document_not_well_formed",
        Standard,
        Not("it says what a sound document is, not what to do with another"),
    ),
    (
        "document_not_well_formed",
        VideoAdSdk,
        Is("100", |seen| seen.fails_without_pixels(100)),
    ),
    (
        "document_not_well_formed",
        FluidPlayer,
        Is("there is no document", |seen| {
            seen.shown == 0 && seen.urls.is_empty()
        }),
    ),
    (
        "document_not_well_formed",
        VastClientJs,
        Not("it depends on the browser: Chromium keeps what comes before the fault"),
    ),
    (
        "inline_in_another_letter_case",
        VastClientJs,
        Is("a crash, as for an ad without a child", |seen| {
            seen.fails_without_pixels(900)
        }),
    ),
    (
        "inline_in_another_letter_case",
        RmpVast,
        Is("as vast-client-js", |seen| seen.fails_without_pixels(900)),
    ),
    (
        "inline_in_another_letter_case",
        VideoAdSdk,
        Is("read in any letter case", |seen| seen.shown == 1),
    ),
    (
        "inline_in_another_letter_case",
        FluidPlayer,
        Is("no ad", |seen| seen.shown == 0 && seen.urls.is_empty()),
    ),
    (
        "inline_in_another_letter_case",
        Shaka,
        Is("no ad", |seen| seen.shown == 0 && seen.urls.is_empty()),
    ),
    (
        "document_longer_than_its_film",
        VideoAdSdk,
        Is("the film counts", |seen| {
            seen.at("midpoint").is_some_and(|at| at < 2_500)
        }),
    ),
    (
        "document_longer_than_its_film",
        VastClientJs,
        Is("the document counts", |seen| {
            seen.at("firstQuartile") == Some(2_100) && seen.at("thirdQuartile").is_none()
        }),
    ),
    (
        "document_longer_than_its_film",
        FluidPlayer,
        Is("the document counts, also for complete", |seen| {
            seen.at("firstQuartile")
                .is_some_and(|at| (2_000..2_500).contains(&at))
                && seen.at("complete").is_none()
        }),
    ),
    (
        "document_longer_than_its_film",
        Shaka,
        Is("the film counts", |seen| {
            seen.at("midpoint").is_some_and(|at| at < 2_700)
        }),
    ),
];

/// The error URL of `macros.xml` with all macros filled in.
const FILLED_ERROR: &str = "https://t.test/error?page=https%3A%2F%2Fpage.test%2F&code=405";

/// Whether the macros of the tag, of the wrapper and of the impressions are filled in.
fn fills(seen: &Seen, due: [bool; 3]) -> bool {
    let is_filled = |url: &String| url.ends_with("page=https%3A%2F%2Fpage.test%2F");
    let impressions: Vec<&String> = seen
        .urls
        .iter()
        .filter(|url| url.contains("/impression?"))
        .collect();
    let found = [
        seen.tags.first().is_some_and(is_filled),
        seen.wrapped.first().is_some_and(is_filled),
        impressions.iter().all(|url| is_filled(url)),
    ];
    found == due && !seen.wrapped.is_empty() && impressions.len() >= 2
}
