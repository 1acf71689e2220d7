//! Rules CHN: the chain of documents behind an ad tag.

use super::{Row, chosen, iab};

pub(super) const ROWS: &[Row] = &[
    chosen(
        1,
        "the standard leaves time-outs open; comparable products limit each document",
        "With `ad.hop_timeout` each document of a tag has a limit of its own besides the tag's. What passes it \
         fails as in REQ-7 and its wrapper with it; other ads of the tag still have the tag's time.",
    )
    .knob("ad.hop_timeout"),
    chosen(
        2,
        "comparable products wait so long for ads to be ready",
        "With `ad.break_timeout` a break has this time until its first ad is ready. Then what is under way \
         fails, a document with 301 and media with 402, and no other tag is asked. Of limits that fall on one \
         instant the break's counts before the tag's, and that before the document's.",
    )
    .knob("ad.break_timeout"),
    iab(
        3,
        "VAST 4.3 sections 2.3.5.1, 3.19.1; products count differently",
        "Wrappers that are followed count for `ad.max_wrappers`. Where documents count, the tag's own is the \
         first of them, so that one wrapper less is followed.",
    )
    .knob("ad.max_wrappers_counts"),
    chosen(
        4,
        "HTTP",
        "A redirect of HTTP is no wrapper: the answer of its target is the answer of the request, and no limit \
         but the request's time counts. It is a `net` line `redirect`. After twenty of them the request fails.",
    ),
    iab(
        5,
        "VAST 4.3 section 2.3.6; products have other codes",
        "A wrapper whose address cannot be had, or answers with a status that is no success, fails with 301.",
    )
    .knob("ad.wrapper_fetch_code"),
    iab(
        6,
        "VAST 4.3 section 3.19; products have codes for it",
        "Behind `followAdditionalWrappers` false a wrapper does not count, as if it were not in its document.",
    )
    .knob("ad.wrapper_chained"),
    iab(
        7,
        "VAST 4.3 section 3.19; products have codes for it",
        "Behind `allowMultipleAds` false only the first ad without a sequence counts.",
    )
    .knob("ad.wrapper_pod"),
    iab(
        8,
        "VAST 4.3 section 2.3.6; a product was seen to crash",
        "An `Ad` without a child, or with both, fails with 101 and leaves the other ads of its document alone. \
         What a reader that crashes at it leaves behind is modelled as a lost document: 900, and no address \
         called.",
    )
    .knob("ad.broken"),
    chosen(
        9,
        "VAST 4.3 section 2.3.6; products have other codes, or none",
        "A tag's own document that cannot be used fails the tag with the mistake's own code, 100 to 102. A \
         reader that throws names none; that is modelled as 900.",
    )
    .knob("ad.first_broken"),
    chosen(
        10,
        "a limit, so that documents that lead back to themselves end",
        "For one tag `ad.max_documents` documents are asked for at most; a wrapper behind the last fails with 302.",
    )
    .knob("ad.max_documents"),
];
