//! Rules VMAP: breaks that a document schedules.

use super::{Row, chosen, iab};

pub(super) const ROWS: &[Row] = &[
    chosen(
        1,
        "advertising.md section 10, point 9; VMAP 1.0.1 section 2.2",
        "A tag of an item's pre-roll may answer VMAP: its pod counts as served, and the document's breaks come \
         into force for the item beside the ad objects. Elsewhere VMAP is code 200.",
    ),
    iab(
        2,
        "VMAP 1.0.1 section 2.6",
        "A VMAP document without a break means that there are no ads, and is no error: no other tag is tried.",
    ),
    chosen(
        3,
        "VMAP 1.0.1 section 2.3",
        "Each VMAP break is an ad break of its own, whose first line says how the document describes it; what \
         becomes of it touches no other break. What was tolerated in the document is told.",
    ),
    iab(
        4,
        "VMAP 1.0.1 section 2.3.1; edges chosen",
        "A break is due at a time, at a whole share of the content's length, before or behind the content. \
         Time zero and 0 % are before, 100 % is behind; a place at or beyond the end is never reached.",
    ),
    iab(
        5,
        "VMAP 1.0.1 section 2.3.1; limit chosen",
        "`repeatAfter` brings a break and its source again each time this long after its offset, until the \
         content is over, a thousand times at the most.",
    ),
    iab(
        6,
        "VMAP 1.0.1 section 2.3.1; what counts is chosen",
        "`#1` is the opportunity before the content, then come the cue points of ad objects, the last is behind \
         the content. Positions do not count once the document has another kind of offset.",
    ),
    iab(
        7,
        "VMAP 1.0.1 section 2.4",
        "Of the types that a break wants the first is shown that the document has: the same document serves for \
         all. A break may turn into one of another kind by it, until one of its ads was ready, if that kind has \
         room.",
    ),
    chosen(
        8,
        "VMAP 1.0.1 sections 2.4, 2.5",
        "A break that wants nothing that is known, or behind the content an overlay alone, fails with 1003.",
    ),
    iab(
        9,
        "VMAP 1.0.1 section 2.3.3",
        "A break without an ad source is legal: its trackers are called, nobody is asked, and no `adEnd` comes.",
    ),
    chosen(
        10,
        "VMAP 1.0.1 section 2.3.2",
        "A document inside a break is taken at once, without a request and so without `requestAd`; it may \
         stand there as elements or as text.",
    ),
    iab(
        11,
        "VMAP 1.0.1 sections 2.3.2, 4; defaults chosen",
        "`allowMultipleAds` says whether the break's document may hold a VAST pod, `followRedirects` whether it \
         may hold wrappers. Both are allowed unless the source says no.",
    ),
    iab(
        12,
        "VMAP 1.0.1 section 2.3.2",
        "A template type other than vast, vast2, vast3 and vast4 is refused with 1005, before any request; so \
         are custom ad data, unless their type is one of these: then they are read as VAST.",
    ),
    iab(
        13,
        "VMAP 1.0.1 section 2.3.3; moment chosen",
        "A break's `breakStart` trackers are called when it opens and its `breakEnd` trackers behind its \
         `adEnd`, with or without ads; of a break that is aborted nothing more.",
    ),
    iab(
        14,
        "VMAP 1.0.1 section 2.5",
        "Each failure in a break calls its `error` trackers, with `[ERROR_CODE]`, `[ERRORCODE]` and \
         `[ERROR_MESSAGE]` filled; a VAST error repeats its own code.",
    ),
    iab(
        15,
        "VMAP 1.0.1 section 2.5",
        "A break's source that gives no VAST document fails with 1007 if it does not answer in time, 1008 if \
         it cannot be had, 1006 if nothing can be read out of it, 1004 if it is something else.",
    ),
    iab(
        16,
        "VMAP 1.0.1 section 2.5; who is told chosen",
        "A VMAP answer that is no XML fails its tag with 1002, one of another version than 1 with 1001, one \
         without a usable break or with too many with 1000; as far as breaks were read their trackers hear it.",
    ),
    chosen(
        17,
        "VMAP 1.0.1 sections 2.3.1, 2.5",
        "A break without a readable `timeOffset` or without a `breakType` is left out, and its `error` trackers \
         are called with 1000; the others stay in force.",
    ),
    chosen(
        18,
        "VMAP 1.0.1 section 2.3.1",
        "Two breaks at one time are legal: they come one after the other in document order, behind the break \
         of the ad objects there. All have `pod` 0 and one pod.",
    ),
    iab(
        19,
        "VMAP 1.0.1 section 2.3.1; advertising.md section 3.6",
        "Of breaks that overlap the first wins: an overlay is dropped when it is due while another overlay or \
         a linear break is there, and so is the repetition of a break.",
    ),
    iab(
        20,
        "VMAP 1.0.1 section 2.4; advertising.md section 3.6",
        "A display break lies beside the player and holds nothing up: `adImpression`, then its end. It needs \
         room to be seen, which fullscreen takes away: the latest one comes when fullscreen is left.",
    ),
    chosen(
        21,
        "advertising.md section 5",
        "The breaks of a VMAP document end with the item; after `stop()` the pre-roll is asked for them anew.",
    ),
];
