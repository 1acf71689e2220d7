//! Plays real documents from a folder outside of the repository, named by `PLAYSIM_CORPUS`.
//!
//! Each is the only tag of a pre-roll, under every profile. Nothing may panic, every run ends on
//! its own, and two runs have the same digest. One line is printed per document. `readings` and
//! `sources` hold the expectations for single documents.

pub(crate) mod readings;
pub(crate) mod sources;
mod world;

use std::collections::BTreeMap;

use playsim::api::Kind;
use playsim::knobs::Profile;
use playsim::vast::{self, AdKind, CreativeKind, Root};

pub(crate) const TESTS: &[(&str, fn())] = crate::corpus::tests![
    every_document_is_played_to_an_end,
    every_document_is_played_to_an_end_under_every_profile,
];

/// The number of documents for each outcome, in the known corpus.
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
    ("902", 1),
    ("played", 161),
    ("scheduled", 1),
];

fn every_document_is_played_to_an_end() {
    let files = world::corpus();
    let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
    for file in &files {
        let played = file.play();
        let (outcome, ads) = (played.outcome(), played.count("adComplete"));
        println!("{}: {ads} ads, {outcome} {}", file.name, played.why());
        // One for each break that the response has scheduled, and one for the tag's own break
        // unless a pre-roll among them replaces it. VMAP-22
        let breaks = played.vmap_breaks();
        let closes =
            |offset: &str| ["start", "00:00:00", "00:00:00.000", "0%", "#1"].contains(&offset);
        let own = usize::from(!breaks.iter().any(|(_, offset)| closes(offset)));
        assert_eq!(
            played.count("adEnd"),
            own + breaks.len(),
            "{}: {breaks:?}",
            file.name
        );
        assert_eq!(played.count("ended"), 1, "{}", file.name);
        let needs_no_reason = ["played", "scheduled"].contains(&&*outcome);
        assert!(
            needs_no_reason || !played.why().is_empty(),
            "{} does not say why",
            file.name
        );
        overlays_in_a_linear_break_are_refused_with_a_reason(
            &file.name,
            &file.text(),
            &outcome,
            &played.why(),
        );
        *outcomes.entry(outcome).or_default() += 1;
    }
    println!("{} documents: {outcomes:?}", files.len());
    let known: BTreeMap<String, usize> = KNOWN
        .iter()
        .map(|(outcome, count)| ((*outcome).to_owned(), *count))
        .collect();
    if known.values().sum::<usize>() == files.len() {
        assert_eq!(outcomes, known);
    } else {
        println!("this is another corpus than the known one: its outcomes are not compared");
    }
}

/// The number of documents whose code differs under a profile from that of the default: from, to,
/// how many. `None`: not determined yet.
fn known(profile: Profile) -> Option<&'static [(&'static str, &'static str, usize)]> {
    match profile.name() {
        // These differ in what they do around ads, not in which ads they play.
        "default" | "literal" | "element" | "browser" | "observed" | "contrib-ads" => Some(&[]),
        // A first response without an ad has no code, and documents of unknown versions are not
        // parsed.
        "standard" => Some(&[("303", "", 2), ("played", "102", 1)]),
        // All errors in a first document have the same code, and missing media counts as no ad.
        "vast-client-js" => {
            // An ad without creatives does not count as an ad.
            let moves: &[_] = &[
                ("100", "900", 3),
                ("101", "900", 3),
                ("102", "900", 7),
                ("400", "303", 1),
                ("403", "303", 8),
            ];
            Some(moves)
        }
        // It does not read the body of a failed response.
        "video-ad-sdk" => Some(&[("301", "502", 11), ("403", "401", 8)]),
        // It has its own codes for a first response without an ad, for one that is not VAST, and
        // for a VMAP tag that fails. Breaks in percent are left out with 900 (PRD-4).
        "ima" | "media3" => Some(&[
            ("303", "1009", 2),
            ("101", "1010", 1),
            ("1008", "900 1012", 1),
            ("1008 1008", "1012 1012", 2),
            ("1008 1008", "900", 1),
        ]),
        // As vast-client-js below, with its own code for wrappers; media of unknown type have a
        // separate code. What cannot be read is 303, but an `Ad` without a child is thrown.
        "rmp-vast" => Some(&[
            ("100", "303", 3),
            ("101", "900", 2),
            ("101", "303", 1),
            ("102", "303", 7),
            ("301", "303", 11),
            ("302", "303", 1),
            ("400", "303", 1),
            ("403", "303", 2),
        ]),
        _ => None,
    }
}

/// The outcomes of the corpus, by code.
fn counts(moves: &[(&str, &str, usize)]) -> BTreeMap<String, usize> {
    let mut counts: BTreeMap<String, usize> = KNOWN
        .iter()
        .map(|(outcome, count)| ((*outcome).to_owned(), *count))
        .collect();
    for (from, to, count) in moves {
        *counts.get_mut(*from).expect("the default has it") -= count;
        *counts.entry((*to).to_owned()).or_default() += count;
    }
    counts.retain(|_, count| *count > 0);
    counts
}

fn every_document_is_played_to_an_end_under_every_profile() {
    let files = world::corpus();
    // A browser's activation policy needs a gesture, which these pages do not have.
    let browsers = [Profile::Chromium, Profile::Firefox, Profile::WebKit];
    for profile in Profile::ALL
        .iter()
        .filter(|profile| !browsers.contains(profile))
    {
        let mut outcomes: BTreeMap<String, usize> = BTreeMap::new();
        for file in &files {
            // `outcome` asserts that two runs have the same digest, and that the run ends on its
            // own.
            let played = file.play_under(*profile);
            let name = format!("{} under {}", file.name, profile.name());
            assert_eq!(played.count("ended"), 1, "{name}");
            let breaks = |what| played.lines(Kind::Break, what, "kind").len();
            assert!(breaks("begin") >= 1, "{name}");
            assert_eq!(breaks("begin"), breaks("end"), "{name}");
            assert!(played.count("adEnd") >= 1, "{name}");
            let needs_no_reason = ["played", "scheduled"].contains(&&*played.outcome());
            assert!(
                needs_no_reason || !played.why().is_empty(),
                "{name} does not say why"
            );
            *outcomes.entry(played.outcome()).or_default() += 1;
        }
        println!("{}: {outcomes:?}", profile.name());
        let Some(known) = known(*profile) else {
            println!(
                "it is not stated what the corpus comes to under {}",
                profile.name()
            );
            continue;
        };
        if counts(known).values().sum::<usize>() == files.len() {
            assert_eq!(outcomes, counts(known), "{}", profile.name());
        }
    }
}

/// An overlay in the place of a linear ad is not played, and the trace says why.
fn overlays_in_a_linear_break_are_refused_with_a_reason(
    name: &str,
    text: &str,
    outcome: &str,
    why: &str,
) {
    let document = vast::read(text);
    let only_overlays = |ad: &vast::Ad| {
        let is_overlay =
            |creative: &vast::Creative| matches!(creative.kind, CreativeKind::NonLinear(_));
        let is_linear =
            |creative: &vast::Creative| matches!(creative.kind, CreativeKind::Linear(_));
        let has_overlay =
            ad.creatives.iter().any(is_overlay) && !ad.creatives.iter().any(is_linear);
        matches!(ad.kind, AdKind::Inline) && has_overlay
    };
    let is_one_overlay = document.ads.len() == 1 && document.ads.iter().all(only_overlays);
    if document.root == Root::Vast && document.fault.is_none() && is_one_overlay {
        assert!(
            outcome == "201" && why.contains("overlays"),
            "{name}: {outcome} {why}"
        );
    }
}
