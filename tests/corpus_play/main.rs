//! Real documents from a folder outside of the repository, named by `PLAYSIM_CORPUS`, are played.
//!
//! Each is the one tag of a pre-roll, under every profile. Nothing may panic, every run ends by itself, and
//! two runs have one digest. One line is printed per document. `readings` and `sources` hold what single
//! documents must come to.

mod readings;
mod sources;
mod world;

use std::collections::BTreeMap;

use playsim::api::Kind;
use playsim::knobs::Profile;
use playsim::vast::{self, AdKind, CreativeKind, Root};

/// How many documents end how, in the corpus that is known.
const KNOWN: &[(&str, usize)] = &[
    ("100", 3),
    ("101", 3),
    ("1008", 1),
    ("1008 1008", 3),
    ("102", 7),
    ("200", 1),
    ("201", 24),
    ("300", 1),
    ("301", 11),
    ("302", 1),
    ("303", 3),
    ("400", 5),
    ("403", 8),
    ("played", 162),
    ("scheduled", 1),
];

#[test]
fn every_document_is_played_to_an_end() {
    let Some(files) = world::corpus() else { return };
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    for file in &files {
        let played = file.play();
        let (outcome, ads) = (played.outcome(), played.count("adComplete"));
        println!("{}: {ads} ads, {outcome} {}", file.name, played.why());
        // One for the pre-roll, and one for each break that its answer has brought.
        assert_eq!(played.count("adEnd"), 1 + played.vmap_breaks().len(), "{}", file.name);
        assert_eq!(played.count("ended"), 1, "{}", file.name);
        let needs_no_reason = ["played", "scheduled"].contains(&&*outcome);
        assert!(needs_no_reason || !played.why().is_empty(), "{} does not say why", file.name);
        what_comes_later_is_refused_with_a_word(&file.name, &file.text(), &outcome, &played.why());
        *outcomes.entry(outcome).or_default() += 1;
    }
    println!("{} documents: {outcomes:?}", files.len());
    let known: BTreeMap<String, usize> =
        KNOWN.iter().map(|(outcome, count)| ((*outcome).to_owned(), *count)).collect();
    if known.values().sum::<usize>() == files.len() {
        assert_eq!(outcomes, known);
    } else {
        println!("this is another corpus than the known one: its outcomes are not compared");
    }
}

/// How many documents come to another code under a profile than under the default: from, to, how many.
/// `None`: nobody has read it yet.
fn known(profile: Profile) -> Option<&'static [(&'static str, &'static str, usize)]> {
    match profile.name() {
        // These differ in what they do around ads, not in which ads they play.
        "default" | "literal" | "element" | "browser" | "observed" | "contrib-ads" => Some(&[]),
        // A first answer without an ad has no code, and versions that nobody knows are not read on.
        "standard" => Some(&[("303", "", 2), ("played", "102", 1)]),
        // What is wrong with a first document is not told apart, and missing media is as no ad.
        "vast-client-js" => {
            Some(&[("100", "900", 3), ("101", "900", 3), ("102", "900", 7), ("403", "303", 8)])
        }
        // A wrapper that cannot be fetched has a code of overlays.
        "video-ad-sdk" => Some(&[("301", "502", 11)]),
        // Codes of its own: a first answer without an ad, one that is no VAST, a tag of VMAP that fails.
        "ima" | "media3" => Some(&[
            ("303", "1009", 2),
            ("101", "1010", 1),
            ("1008", "1012", 1),
            ("1008 1008", "1012 1012", 3),
        ]),
        // As vast-client-js below, with its own name for wrappers; media of no known type are told apart.
        "rmp-vast" => Some(&[
            ("100", "900", 3),
            ("101", "900", 3),
            ("102", "900", 7),
            ("301", "303", 11),
            ("403", "303", 2),
        ]),
        _ => None,
    }
}

/// What the corpus comes to, by code.
fn counts(moves: &[(&str, &str, usize)]) -> BTreeMap<String, usize> {
    let mut counts: BTreeMap<String, usize> =
        KNOWN.iter().map(|(outcome, count)| ((*outcome).to_owned(), *count)).collect();
    for (from, to, count) in moves {
        *counts.get_mut(*from).expect("the default has it") -= count;
        *counts.entry((*to).to_owned()).or_default() += count;
    }
    counts.retain(|_, count| *count > 0);
    counts
}

#[test]
fn every_document_is_played_to_an_end_under_every_profile() {
    let Some(files) = world::corpus() else { return };
    for profile in Profile::ALL {
        let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
        for file in &files {
            // That two runs have one digest, and that the run ends by itself, is asserted there.
            let played = file.play_under(*profile);
            let name = format!("{} under {}", file.name, profile.name());
            assert_eq!(played.count("ended"), 1, "{name}");
            let breaks = |what| played.lines(Kind::Break, what, "kind").len();
            assert!(breaks("begin") >= 1, "{name}");
            assert_eq!(breaks("begin"), breaks("end"), "{name}");
            assert!(played.count("adEnd") >= 1, "{name}");
            let needs_no_reason = ["played", "scheduled"].contains(&&*played.outcome());
            assert!(needs_no_reason || !played.why().is_empty(), "{name} does not say why");
            *outcomes.entry(played.outcome()).or_default() += 1;
        }
        println!("{}: {outcomes:?}", profile.name());
        let Some(known) = known(*profile) else {
            println!("it is not stated what the corpus comes to under {}", profile.name());
            continue;
        };
        if counts(known).values().sum::<usize>() == files.len() {
            assert_eq!(outcomes, counts(known), "{}", profile.name());
        }
    }
}

/// An overlay in the place of a linear ad is not played; nobody is left to guess.
fn what_comes_later_is_refused_with_a_word(name: &str, text: &str, outcome: &str, why: &str) {
    let document = vast::read(text);
    let only_overlays = |ad: &vast::Ad| {
        let is_overlay = |creative: &vast::Creative| matches!(creative.kind, CreativeKind::NonLinear(_));
        let is_linear = |creative: &vast::Creative| matches!(creative.kind, CreativeKind::Linear(_));
        let has_overlay = ad.creatives.iter().any(is_overlay) && !ad.creatives.iter().any(is_linear);
        matches!(ad.kind, AdKind::Inline) && has_overlay
    };
    let is_one_overlay = document.ads.len() == 1 && document.ads.iter().all(only_overlays);
    if document.root == Root::Vast && document.fault.is_none() && is_one_overlay {
        assert!(outcome == "201" && why.contains("overlays"), "{name}: {outcome} {why}");
    }
}
