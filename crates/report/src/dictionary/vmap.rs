//! The codes of VMAP about schedules of ad breaks.
//!
//! VMAP 1.0.1 section 2.5. The `error` trackers of a break get them by the macro `[ERROR_CODE]`.

use super::Who::{AdServer, Player};
use super::{CodeFamily, Entry};

const fn entry(number: u16, title: &'static str) -> Entry {
    Entry::numbered(CodeFamily::Vmap, number, title)
}

pub(super) const ENTRIES: &[Entry] = &[
    entry(900, "undefined error")
        .means("Something failed in a break or its schedule for which no closer code exists.")
        .because(&["An offset of a kind that the player does not support: percentages, with the profiles ima and media3."])
        .act(&[Player])
        .helps(&["Play the document with playsim waterfall: it has a line for each break, with what became of it."]),
    entry(1000, "the VMAP document breaks its schema")
        .means("It is meant as VMAP, but cannot be used: another root than VMAP, no usable break or too many; then the \
                whole schedule is lost. Or one of its breaks cannot be used; then only that break is lost.")
        .because(&[
            "The document begins with an AdBreak, or with another element of the VMAP namespace.",
            "A break has no breakType, or no timeOffset that can be read.",
        ])
        .act(&[AdServer])
        .helps(&["playsim vast FILE names each defect with its place."]),
    entry(1001, "the VMAP version is not supported")
        .means("The version attribute is not 1.0.")
        .because(&["A typing error, or the VAST version in the VMAP element."])
        .act(&[AdServer])
        .helps(&["There is only version=\"1.0\"."]),
    entry(1002, "the VMAP document cannot be parsed")
        .means("It is meant as VMAP, but is not XML that the player can take: not well-formed, or larger or deeper than it \
                accepts. The whole schedule is lost.")
        .because(&["A response that was cut off, or VAST documents inside VASTAdData with stray CDATA ends."])
        .act(&[AdServer])
        .helps(&["playsim vast FILE names the place; refer to VAST by AdTagURI instead of embedding it."]),
    entry(1003, "the type of the break is not supported")
        .means("The break accepts no type that can be shown at its place.")
        .because(&["breakType=\"display\" in a player without a place for it, or an overlay after the end."])
        .act(&[AdServer, Player])
        .helps(&["List what may be shown, such as breakType=\"linear,nonlinear\"."]),
    entry(1004, "the ad document of the break cannot be used")
        .means("A general failure of the source of a break. If its VAST gives a code of its own, VMAP repeats that one.")
        .because(&["AdSource is empty, or its content is no VAST."])
        .act(&[AdServer])
        .helps(&["Request the AdTagURI of the break on its own with playsim waterfall."]),
    entry(1005, "the template type of the ad document is not supported")
        .means("templateType of AdTagURI or CustomAdData names something other than VAST.")
        .because(&["A vendor's own format, or templateType=\"vast3.0\", which is none of the words."])
        .act(&[AdServer, Player])
        .helps(&["Write vast, vast2, vast3 or vast4, or leave it out."]),
    entry(1006, "no ad document can be extracted from the break's source")
        .means("The source of the break is there, but nothing can be read from it.")
        .because(&["VASTAdData without a VAST element, or escaped VAST as text."])
        .act(&[AdServer])
        .helps(&["Put the VAST element into VASTAdData as XML, not as an escaped string."]),
    entry(1007, "the ad document of the break came too late")
        .means("The break's AdTagURI did not answer in time.")
        .because(&["As for 301: a long chain behind the tag, or a slow server at a moment when all players ask at once."])
        .act(&[AdServer])
        .helps(&["Spread mid-rolls of live events, and see playsim code 301."]),
    entry(1008, "the ad document of the break cannot be fetched")
        .means("The break's AdTagURI failed with a status or a broken connection.")
        .because(&["As for 301: a wrong URL, CORS, mixed content, an ad blocker."])
        .act(&[AdServer])
        .helps(&["Request the AdTagURI from the page's origin, and see playsim code 301."]),
];
