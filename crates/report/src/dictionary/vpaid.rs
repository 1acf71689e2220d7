//! How VPAID units fail. VPAID has no numbers: a failure is an event that comes, or one that does
//! not.
//!
//! VPAID 2.0 section 3. All of them surface as VAST 901, except an ad that never becomes visible:
//! 304.

use super::Who::{Creative, Player};
use super::{CodeFamily, Entry};

const fn entry(word: &'static str, title: &'static str) -> Entry {
    Entry::word(CodeFamily::Vpaid, word, title)
}

pub(super) const ENTRIES: &[Entry] = &[
    entry("AdError", "the unit gives up")
        .means("The event by which a unit says that it cannot go on. It is fatal: the player removes the unit, resumes the \
                content, and reports 901.")
        .because(&[
            "The unit runs an auction of its own and had no ad: most often.",
            "A script or media file of the unit failed to load.",
        ])
        .act(&[Creative])
        .helps(&["Its message is the vendor's own text: look for it in the console or in the player's log."]),
    entry("handshakeVersion", "no common version of VPAID")
        .means("The player asks the unit for its version before anything else. No answer, or a version that the player does \
                not speak (it must be 2.0 in browsers), ends it with 901.")
        .because(&["The script loaded, but has no getVPAIDAd function: the URL answers with something else."])
        .act(&[Creative])
        .helps(&["Open the unit's script URL: it must be JavaScript that defines getVPAIDAd."]),
    entry("AdLoaded", "the unit never says that it is loaded")
        .means("After initAd the unit must send AdLoaded. Without it the player waits to its limit and reports 901.")
        .because(&["The unit waits for its own ad request, or is stopped by the frame it runs in."])
        .act(&[Creative, Player])
        .helps(&["The time is lost for the waterfall: put the tag behind faster ones, or shorten vpaid.init_timeout."]),
    entry("AdStarted", "the unit never starts")
        .means("After startAd the unit must send AdStarted, and AdImpression when something is to be seen. Without the first \
                players report 901, without the second 304.")
        .because(&["Autoplay was refused to the unit's own video element.", "It had no ad after all."])
        .act(&[Creative, Player])
        .helps(&["Let the player hand its video slot to the unit, and start muted where autoplay is not allowed."]),
    entry("AdStopped", "the unit never says that it is over")
        .means("After its end, a skip or stopAd the unit must send AdStopped. Players wait a few seconds and then remove it; \
                the viewer looks at a frozen ad for that time.")
        .because(&["An exception in the unit's own clean-up, or trackers that it waits for."])
        .act(&[Creative, Player])
        .helps(&["Cap the wait (vpaid.stop_timeout here); it is no reason to lose the content."]),
];
