//! Recordings of real browsers, made of pages whose answers are known: what an import finds is held
//! against the server's log and against what the page's player did.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use playsim::import::{
    self, Evidence, Hints, PageVerdict, PlaySettings, PlayedRecording, Role, TagFailure, TagResult,
};
use playsim::report::waterfall::Detail;
use playsim::scenario::Overrides;
use playsim::time::Span;

mod broken;
mod by_hand;
mod days;
mod forms;
mod packed;
mod premises;
mod round_trip;
mod unread;

/// What became of each tag, as the recording shows it. What the page's player made of it is in
/// `case.json`.
const TAGS: &[(&str, &[&str])] = &[
    ("acts_", &["filled"]),
    ("analytics_", &["no ad", "filled"]),
    ("at_once_", &["no ad", "filled", "not shown"]),
    (
        "browsers_words_",
        &["network", "network", "network", "network", "filled"],
    ),
    // Firefox keeps the answer that it kept from the page; its header fields say so.
    ("busy_", &["no ad", "no ad", "no ad", "status"]),
    ("cors_", &["network", "filled"]),
    // The tool leaves out a 404 that the page did not read.
    (
        "failures_devtools",
        &["network", "network", "network", "broken", "filled"],
    ),
    // The tool keeps half of the body of the answer that is cut.
    (
        "failures_firefox",
        &["status", "network", "broken", "network", "broken", "filled"],
    ),
    (
        "failures_",
        &[
            "status", "network", "network", "network", "broken", "filled",
        ],
    ),
    ("fired_early_", &["filled"]),
    (
        "gap_fillers_",
        &[
            "no ad", "status", "not VAST", "not VAST", "not VAST", "not VAST", "no ad", "status",
            "filled",
        ],
    ),
    ("inside_json_", &["not VAST", "filled"]),
    ("late_aborted_", &["given up", "given up"]),
    // The recording does not have the limit, and shows that the ad came.
    ("late_shown_", &["filled"]),
    ("late_", &["not shown", "filled"]),
    ("media_404_", &["no film", "filled"]),
    ("nothing_fills_", &["no ad", "status", "no ad"]),
    ("only_late_", &["not shown"]),
    ("only_shown_late_", &["shown late"]),
    ("pixels_", &["no ad", "filled"]),
    ("pod_", &["filled"]),
    ("post_roll_", &["filled", "no ad", "filled"]),
    ("redirects_", &["no ad", "no ad", "filled"]),
    ("secrets_", &["no ad", "filled"]),
    ("shared_pixels_", &["not shown", "filled"]),
    ("shorter_file_", &["filled"]),
    ("still_open_", &["given up", "filled"]),
    // The tool leaves out requests that failed.
    ("three_tags_chrome_har", &["no ad", "filled"]),
    // The file ends before the last tag.
    ("three_tags_cut_short", &["no ad", "given up"]),
    // There are no bodies: what was answered cannot be read.
    (
        "three_tags_playwright_omit",
        &["unknown", "given up", "unknown"],
    ),
    ("three_tags_", &["no ad", "given up", "filled"]),
    ("vmap_", &["schedule", "filled", "filled", "no ad"]),
    // Which of the documents were wrappers cannot be read without them.
    (
        "wrapper_chain_playwright_omit",
        &[
            "unknown", "unknown", "status", "unknown", "unknown", "unknown",
        ],
    ),
    ("wrapper_chain_", &["status", "filled"]),
];

/// The recordings in which the page's player left what is documented, with the number of
/// differences and what they are.
const DIFFERENCES: &[(&str, usize, &str)] = &[
    ("at_once_playwright", 1, "the page asks all tags at once"),
    ("browsers_words_playwright", 1, "the impression is blocked"),
    ("busy_playwright", 1, "the page is busy"),
    (
        "fired_early_playwright",
        1,
        "the player fires its pixels early",
    ),
    (
        "only_shown_late_playwright",
        1,
        "the page shows an ad after it has gone on",
    ),
    (
        "pixels_playwright",
        4,
        "the impression is refused, macros stay unfilled, the error code is wrong",
    ),
    (
        "pod_playwright",
        1,
        "the page asks for the documents of all ads of a pod at once",
    ),
    (
        "shorter_file_playwright",
        1,
        "the file is shorter than the document says",
    ),
    (
        "three_tags_fluid",
        4,
        "fluid-player calls no error pixel for an empty answer, fills no macros, is early",
    ),
    ("vmap_playwright", 1, "the page asks for all breaks at once"),
    (
        "wrapper_chain_fluid",
        4,
        "fluid-player calls no error pixels of the wrappers, fills no macros, is early",
    ),
];

/// The recordings of which nothing can be said with certainty, with the reason.
const UNKNOWN: &[(&str, &str)] = &[
    // The tool leaves out the request that the page gave up.
    ("three_tags_chrome_har", "a request may be missing"),
    ("three_tags_cut_short", "breaks off"),
    ("three_tags_playwright_omit", "no bodies"),
    ("wrapper_chain_playwright_omit", "no bodies"),
];

/// Recordings of which no answer is an ad document, with the tags that a person names.
const NAMED: &[(&str, &[&str])] = &[
    ("late_aborted_devtools/session.har", &["ads.test/"]),
    ("three_tags_playwright_omit/session.har", &["ads.test/"]),
    (
        "wrapper_chain_playwright_omit/session.har",
        &["ads.test/", "dsp.test/"],
    ),
    ("by_hand/no_bodies.har", &["/ptv", "/mid="]),
    ("by_hand/no_sizes.har", &["/ptv", "/vd/v2", "/mid="]),
    ("by_hand/only_blocked.har", &["/gampad/ads"]),
];

const WITHIN: Span = Span::from_millis(500);

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/recordings")
}

/// The recordings, by the names of their folders.
fn recordings() -> Vec<(String, PathBuf)> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder()) else {
        eprintln!("no recordings: the package leaves them out");
        return found;
    };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let files = ["session.har", "session.chlsj", "session.chlsx"];
        let file = files
            .iter()
            .map(|file| entry.path().join(file))
            .find(|file| file.exists());
        found.extend(file.map(|file| (name, file)));
    }
    found.sort();
    found
}

fn read(file: &Path) -> import::RequestRecording {
    let mut load = |name: &str| fs::read(file.with_file_name(name));
    import::read(
        "session",
        File::open(file).expect("it can be opened"),
        &mut load,
    )
    .expect("a recording")
}

fn settings() -> PlaySettings {
    PlaySettings {
        within: WITHIN,
        ..PlaySettings::default()
    }
}

fn play(file: &Path) -> Result<PlayedRecording, import::ImportFault> {
    import::play(read(file), hints(file), &settings())
}

/// Returns the tags that a person names, where no answer shows any.
fn hints(file: &Path) -> Hints {
    let named = NAMED.iter().find(|(name, _)| file.ends_with(name));
    let tags = named.map_or(&[][..], |(_, tags)| tags);
    Hints {
        tags: tags
            .iter()
            .map(|tag| tag.parse().expect("a pattern"))
            .collect(),
        ..Hints::default()
    }
}

#[test]
fn without_an_ad_document_nothing_is_a_tag() {
    for (name, tags) in NAMED {
        let file = folder().join(name);
        if !file.exists() {
            continue;
        }
        let fault = import::play(read(&file), Hints::default(), &settings())
            .expect_err("no answer is an ad document")
            .to_string();
        assert!(
            fault.contains("nothing in this recording shows a video ad"),
            "{fault}"
        );
        let is_listed = |tag: &str| {
            let mut lines = fault.lines().filter(|line| line.starts_with("  --tag "));
            lines.any(|line| line.contains(tag.trim_end_matches('=')))
        };
        assert!(tags.iter().all(|tag| is_listed(tag)), "{name}\n{fault}");
    }
}

/// Returns what became of each tag, in one word.
fn outcomes(played: &PlayedRecording) -> Vec<String> {
    let word = |outcome: &TagResult| match outcome {
        TagResult::Filled { .. } => "filled",
        TagResult::ShownLate { .. } => "shown late",
        TagResult::AnsweredNotShown { .. } => "not shown",
        TagResult::Scheduled { .. } => "schedule",
        TagResult::NoAd { .. } => "no ad",
        TagResult::Failed {
            cause: TagFailure::Status { .. },
        } => "status",
        TagResult::Failed {
            cause: TagFailure::Network { .. },
        } => "network",
        TagResult::Failed {
            cause: TagFailure::Document { .. },
        } => "broken",
        TagResult::Failed {
            cause: TagFailure::NotVast { .. },
        } => "not VAST",
        TagResult::Failed {
            cause: TagFailure::Media { .. },
        } => "no film",
        TagResult::Failed {
            cause: TagFailure::Reported { .. },
        } => "reported",
        TagResult::GivenUp { .. } => "given up",
        TagResult::Unknown { .. } => "unknown",
    };
    played
        .verdict
        .tags()
        .map(|tag| word(&tag.outcome).to_owned())
        .collect()
}

#[test]
fn each_tag_has_the_outcome_that_it_had_on_the_page() {
    for (name, file) in recordings() {
        let played = play(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        let due = TAGS.iter().find(|(known, _)| name.starts_with(known));
        let (_, due) = due.unwrap_or_else(|| panic!("{name} has no outcomes"));
        assert_eq!(outcomes(&played), *due, "{name}\n{}", played.verdict);
    }
}

#[test]
fn only_players_that_behave_otherwise_differ() {
    for (name, file) in recordings() {
        let played = play(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        let known = DIFFERENCES.iter().find(|(known, ..)| *known == name);
        let due = known.map_or(0, |(_, due, _)| *due);
        let why = known.map_or("", |(_, _, why)| why);
        let text = played.text(120, false, Detail::default());
        assert_eq!(played.differences().len(), due, "{name} {why}\n{text}");
        let unknown = UNKNOWN.iter().find(|(known, _)| *known == name);
        assert_eq!(
            played.verdict.headline.is_unknown,
            unknown.is_some(),
            "{name}\n{text}"
        );
        assert!(unknown.is_none_or(|(_, what)| {
            played
                .verdict
                .headline
                .sentences
                .iter()
                .any(|it| it.text.contains(what))
        }));
    }
}

/// A timeout is never shorter than what an answered tag took, and never longer than the page's
/// limit of 2 s allows.
#[test]
fn the_time_out_is_a_range_around_that_of_the_page() {
    for (name, file) in recordings() {
        let played = play(&file).unwrap_or_else(|error| panic!("{name}: {error}"));
        let Some(limit) = played.verdict.limit else {
            continue;
        };
        let Some(upper) = limit.upper else { continue };
        let (least, most) = (Span::from_millis(1_900), Span::from_millis(2_100));
        assert!(
            limit.lower >= least && upper <= most && limit.lower <= upper,
            "{name}: {limit:?}"
        );
    }
}

#[test]
fn each_pixel_that_the_server_logged_is_found() {
    for (name, file) in recordings() {
        let Ok(played) = play(&file) else { continue };
        // Without a document, nothing shows that a request is a pixel of an ad.
        if played.evidence.is_bodiless() {
            continue;
        }
        let log = fs::read_to_string(file.with_file_name("server.jsonl"))
            .expect("each recording has a log");
        let mut logged: BTreeMap<String, usize> = BTreeMap::new();
        for line in log.lines() {
            let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let url = line["url"].as_str().unwrap_or_default();
            if url.starts_with("http://t.test/") && line["method"] != "OPTIONS" {
                *logged.entry(path(url)).or_default() += 1;
            }
        }
        let mut found: BTreeMap<String, usize> = BTreeMap::new();
        for (finding, it) in played.evidence.each() {
            // What an ad blocker stops does not reach the server.
            let is_blocked = it
                .outcome
                .words()
                .is_some_and(|words| words.contains("BLOCKED_BY_CLIENT"));
            if matches!(finding.role, Role::Pixel(_)) && !is_blocked {
                *found.entry(path(&it.url)).or_default() += 1;
            }
        }
        if name == "three_tags_cut_short" {
            // It ends before its pixels.
            assert!(found.len() < logged.len(), "{name}");
            continue;
        }
        assert_eq!(found, logged, "{name}");
    }
}

/// Returns the path of a URL: `http://t.test/start`.
fn path(url: &str) -> String {
    url.split('?').next().unwrap_or_default().to_owned()
}

#[test]
fn the_user_overrules_what_was_assumed() {
    let pattern = |text: &str| vec![text.parse().expect("any text is a pattern")];
    let Some((_, file)) = recordings()
        .into_iter()
        .find(|(name, _)| name == "three_tags_playwright")
    else {
        return;
    };
    let tags = |hints: Hints| {
        let evidence = Evidence::of(read(&file), hints).expect("tags");
        PageVerdict::of(&evidence).tags().count()
    };
    assert_eq!(tags(Hints::default()), 3);
    assert_eq!(
        tags(Hints {
            ignored: pattern("ads.test/two"),
            ..Hints::default()
        }),
        2
    );
    assert_eq!(
        tags(Hints {
            tags: pattern("player.js"),
            ..Hints::default()
        }),
        4
    );
    let content = Hints {
        content: pattern("m.test/spot*"),
        ..Hints::default()
    };
    let evidence = Evidence::of(read(&file), content).expect("tags");
    let contents = evidence
        .each()
        .filter(|(finding, _)| finding.role == Role::Content);
    assert!(
        contents
            .into_iter()
            .any(|(_, it)| it.url.ends_with("spot.webm"))
    );
}

#[test]
fn secrets_are_neither_in_the_scenario_nor_in_its_files() {
    for (name, _) in recordings()
        .into_iter()
        .filter(|(name, _)| name.starts_with("secrets_"))
    {
        let session = Evidence::of(
            read(&folder().join(&name).join("session.har")),
            Hints::default(),
        )
        .expect("tags");
        let (scenario, _) =
            import::scenario(&session, &PageVerdict::of(&session), &Overrides::default());
        let files: Vec<String> = scenario
            .files()
            .into_iter()
            .map(|(_, text)| text.to_string())
            .collect();
        let written = scenario.to_json() + &files.join("\n");
        let kept = Hints {
            keeps_secrets: true,
            ..Hints::default()
        };
        let kept =
            Evidence::of(read(&folder().join(&name).join("session.har")), kept).expect("tags");
        assert!(
            !session.removed.is_empty() && kept.removed.len() < session.removed.len(),
            "{name}"
        );
        let mut values = 0;
        for it in &kept.recording.exchanges {
            for part in it
                .url
                .split(['?', '&'])
                .filter_map(|part| part.split_once('='))
            {
                if session.removed.iter().any(|removed| removed == part.0) {
                    assert!(!written.contains(part.1), "{name}: {}={}", part.0, part.1);
                    values += 1;
                }
            }
        }
        assert!(values > 0, "{name}");
    }
}
