//! Expected readings of real VMAP documents from a folder outside of the repository, named by
//! `PLAYSIM_CORPUS`.

use playsim::vast::vmap::{AdSourceKind, Break, BreakType, TimeOffset};
use playsim::vast::{self, Document, Root, WarningCode};

pub(crate) const TESTS: &[(&str, fn())] = crate::corpus::tests![
    breaks_at_start_15_s_and_end_have_one_ad_tag_each,
    mid_rolls_that_share_an_id_are_three_breaks,
    the_pre_roll_with_its_inline_document_under_the_older_name_is_read,
    canned_responses_have_one_break_that_points_to_the_linear_ad,
];

const STANDARD: &str = "http://www.iab.net/videosuite/vmap";

/// A document of the corpus, without a fault.
fn find(name: &str) -> (String, Document) {
    let bytes = std::fs::read(crate::corpus::folder().join(name))
        .unwrap_or_else(|error| panic!("{name}: {error}"));
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let document = vast::read(&text);
    assert_eq!(
        (&document.root, &document.fault),
        (&Root::Vmap, &None),
        "{name}"
    );
    (text, document)
}

fn offsets(document: &Document) -> Vec<String> {
    let offset = |it: &Break| {
        it.time_offset
            .as_ref()
            .map_or_else(String::new, TimeOffset::to_string)
    };
    document.breaks.iter().map(offset).collect()
}

fn ids(document: &Document) -> Vec<&str> {
    document
        .breaks
        .iter()
        .map(|it| it.id.as_deref().unwrap_or("-"))
        .collect()
}

/// The type and URL of each break's ad tag; "vast" for an inline document.
fn tags(document: &Document) -> Vec<(&str, &str)> {
    document.breaks.iter().map(tag).collect()
}

fn tag(it: &Break) -> (&str, &str) {
    match &it.source.as_ref().expect("every break has a source").kind {
        AdSourceKind::Tag { uri, template_type } => {
            let uri = uri.as_ref().expect("every tag has a URL");
            (&uri.text, template_type.as_deref().unwrap_or("-"))
        }
        AdSourceKind::Vast(_) => ("vast", "-"),
        AdSourceKind::Custom { .. } | AdSourceKind::Empty => ("-", "-"),
    }
}

fn count(document: &Document, code: WarningCode) -> usize {
    document
        .warnings
        .iter()
        .filter(|warning| warning.code == code)
        .count()
}

fn breaks_at_start_15_s_and_end_have_one_ad_tag_each() {
    for name in [
        "madman-android/ad_response.xml",
        "madman-android/vmap_with_ad_uri.xml",
    ] {
        let (text, document) = find(name);
        assert!(text.contains(STANDARD));
        assert_eq!(offsets(&document), ["start", "00:00:15", "end"], "{name}");
        assert_eq!(
            ids(&document),
            ["preroll", "midroll-1", "postroll"],
            "{name}"
        );
        let places = ["vpos=preroll", "vpos=midroll", "vpos=postroll"];
        for ((uri, template_type), place) in tags(&document).into_iter().zip(places) {
            assert!(
                uri.starts_with("https://pubads.g.doubleclick.net/gampad/ads?slotname="),
                "{name}: {uri}"
            );
            assert!(
                uri.ends_with("&kfa=0&tfcd=0") && uri.contains(place),
                "{name}: {uri}"
            );
            assert_eq!(template_type, "vast3");
        }
        for source in document.breaks.iter().filter_map(|it| it.source.as_ref()) {
            assert_eq!(
                (source.allow_multiple_ads, source.follow_redirects),
                (Some(false), Some(true))
            );
        }
        assert!(
            document
                .breaks
                .iter()
                .all(|it| it.types == [BreakType::Linear])
        );
        // Only the first of the two has line feeds around its URLs.
        let blanks = if name.ends_with("ad_response.xml") {
            3
        } else {
            0
        };
        assert_eq!(
            (
                count(&document, WarningCode::AddressBlanks),
                document.warnings.len()
            ),
            (blanks, blanks),
            "{name}"
        );
    }
}

const MID_ROLLS: [(&str, &str); 3] = [
    (
        "//playertest.longtailvideo.com/adtags/vast3_pod.xml",
        "vast3",
    ),
    (
        "//playertest.longtailvideo.com/adtags/vast_inline_nonlinear.xml",
        "vast2",
    ),
    ("//playertest.longtailvideo.com/adtags/midroll.xml", "vast2"),
];
const POST_ROLL: (&str, &str) = (
    "//playertest.longtailvideo.com/adtags/postroll.xml",
    "vast2",
);

fn mid_rolls_that_share_an_id_are_three_breaks() {
    for (name, has_post_roll) in [
        ("madman-android/vmap.xml", true),
        ("madman-android/vmap_without_post_roll.xml", false),
    ] {
        let (_, document) = find(name);
        let breaks = if has_post_roll { 4 } else { 3 };
        assert_eq!(
            offsets(&document),
            ["00:00:15", "70%", "#1", "end"][..breaks],
            "{name}"
        );
        assert_eq!(
            ids(&document),
            ["midrolls2", "midrolls2", "midrolls2", "post"][..breaks],
            "{name}"
        );
        let mut due = MID_ROLLS.to_vec();
        due.extend(has_post_roll.then_some(POST_ROLL));
        assert_eq!(tags(&document), due, "{name}");
        assert_eq!(document.breaks[1].types, [BreakType::NonLinear]);
        for it in &document.breaks {
            let events: Vec<&str> = it
                .tracking
                .iter()
                .map(|tracker| tracker.event.name())
                .collect();
            assert_eq!(events, ["breakStart", "breakEnd", "error"], "{name}");
        }
        assert_eq!(
            &*document.breaks[0].tracking[2].url.text,
            "//test.videostrip.com/vmap/breakerror3.xml"
        );
        // Its namespace is not the standard's, and no "AdTagURI" has the prefix.
        assert_eq!(
            (
                count(&document, WarningCode::NamespaceUnknown),
                count(&document, WarningCode::PrefixMissing)
            ),
            (1, breaks)
        );
        assert_eq!(document.warnings.len(), 1 + breaks, "{name}");
    }
}

fn the_pre_roll_with_its_inline_document_under_the_older_name_is_read() {
    let (_, document) = find("madman-android/vmap_with_preroll.xml");
    assert_eq!(offsets(&document)[..4], ["start", "00:00:15", "70%", "#1"]);
    assert_eq!(ids(&document)[..2], ["-", "midrolls2"]);
    assert_eq!(tags(&document)[0], ("vast", "-"));
    assert_eq!(tags(&document)[1..4], MID_ROLLS);
    assert_eq!(count(&document, WarningCode::LegacyTagName), 1);
    let inside: Vec<&Document> = document.embedded().collect();
    assert_eq!(inside.len(), 1);
    assert_eq!(
        (&inside[0].root, inside[0].version.as_deref()),
        (&Root::Vast, Some("2.0"))
    );
    assert_eq!((inside[0].ads.len(), &inside[0].fault), (1, &None));
    assert_eq!(inside[0].ads[0].ad_system.as_deref(), Some("GDFP"));
    assert_eq!(
        &*inside[0].ads[0].impressions[0].text,
        "//example.com/ad/view"
    );
    let codes: Vec<WarningCode> = inside[0]
        .warnings
        .iter()
        .map(|warning| warning.code)
        .collect();
    assert_eq!(codes, [WarningCode::TimeFraction]);
}

fn canned_responses_have_one_break_that_points_to_the_linear_ad() {
    for (name, offset, id) in [
        ("videojs-ima/vmap_preroll.xml", "start", "preroll"),
        ("videojs-ima/vmap_midroll.xml", "00:00:05", "midroll-1"),
    ] {
        let (_, document) = find(name);
        assert_eq!(
            (offsets(&document), ids(&document)),
            (vec![String::from(offset)], vec![id]),
            "{name}"
        );
        let linear = "http://localhost:8000/test/webdriver/content/canned_ads/linear.xml";
        assert_eq!(tags(&document), [(linear, "vast3")], "{name}");
        assert_eq!(document.warnings, [], "{name}");
    }
}
