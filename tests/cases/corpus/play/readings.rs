//! Expectations for single documents.

use playsim::api::{EventName, Kind};
use playsim::time::Span;

use super::world::{File, Played, find, find_all};

pub(crate) const TESTS: &[(&str, fn())] = crate::corpus::tests![
    a_duration_of_zero_uses_the_length_of_the_media,
    a_cyclical_wrapper_ends_with_302_reported_to_every_hop,
    a_pod_plays_in_sequence_and_the_stand_alone_ad_replaces_the_overlay,
    one_ad_of_a_buffet_is_played,
    one_wrapper_makes_two_impressions_at_once_and_two_wrappers_three,
    a_wrapper_around_a_pod_reports_every_ad_of_it,
    an_empty_response_is_303_and_calls_no_url_of_its_own,
    an_empty_response_after_a_wrapper_is_reported_to_the_wrapper,
    every_url_of_an_event_is_called,
    skipping_is_possible_from_the_offset_on,
    sixteen_seconds_have_quartiles_at_4_8_12_and_16,
    a_lone_ad_with_a_sequence_is_a_pod_of_one,
    vast_1_is_102,
    a_wrong_root_and_an_ad_without_inline_or_wrapper_are_101,
    malformed_xml_is_100,
    a_unit_in_javascript_is_played,
    media_that_is_not_supported_is_403,
    a_media_file_labelled_with_a_framework_plays,
    streaming_media_plays_where_its_type_is_known,
    the_first_of_two_tag_urls_is_requested,
    a_wrapper_without_a_url_is_300_and_one_whose_url_has_no_document_301,
    booleans_are_read_in_every_spelling,
    mezzanines_and_interactive_files_are_never_played,
    of_three_bitrates_the_best_within_the_limit_is_chosen,
    an_offset_that_cannot_be_read_means_that_the_ad_cannot_be_skipped,
    ads_win_over_errors_at_the_root,
    a_document_of_unknown_or_missing_version_is_read,
    documents_with_defects_that_may_still_play_do,
    a_large_pod_plays_to_its_end,
    overlays_in_a_linear_break_are_refused_with_a_reason,
    vmap_with_one_tag_at_the_start_or_at_5_s_plays_its_ad,
    vmap_with_three_breaks_of_one_tag_each_opens_all_although_each_fails,
    vmap_with_times_ignores_its_position_and_takes_no_break_id_for_a_key,
    vmap_with_a_document_under_the_older_name_plays_it_before_the_content,
];

const QUARTILES: [&str; 4] = [
    "adFirstQuartile",
    "adMidpoint",
    "adThirdQuartile",
    "adComplete",
];

/// Asserts the outcome of every document whose path contains a string.
fn all_end(part: &str, outcome: &str) {
    for file in find_all(part) {
        assert_eq!(file.play().outcome(), outcome, "{}", file.name);
    }
}

fn a_duration_of_zero_uses_the_length_of_the_media() {
    for name in [
        "fluid-player/vast_linear.xml",
        "fluid-player/vast_linear_e2e.xml",
    ] {
        let file = find(name);
        let played = file.play_with(Span::from_secs(8), &[]);
        assert_eq!(
            played.since_start(&QUARTILES),
            [2_000, 4_000, 6_000, 8_000],
            "{name}"
        );
    }
}

fn a_cyclical_wrapper_ends_with_302_reported_to_every_hop() {
    let file = find("fluid-player/vast_wrapper_cyclical.xml");
    let played = file.play();
    assert_eq!(played.codes(), ["302"]);
    assert_eq!(
        played.called("error"),
        ["https://corpus.test/wrapper_error"; 6]
    );
    assert_eq!(
        played.lines(Kind::Beacon, "error", "hop"),
        ["0", "1", "2", "3", "4", "5"]
    );
}

fn a_pod_plays_in_sequence_and_the_stand_alone_ad_replaces_the_overlay() {
    let file = find("fluid-player/vast_ad_pod.xml");
    let played = file.play();
    assert_eq!(played.impressions(), ["4840678", "5566276", "5460430"]);
    assert_eq!(played.lines(Kind::Ad, "reject", "ad"), ["20005"]);
    assert_eq!(played.codes(), ["201"]);
    assert_eq!((played.count("adComplete"), played.count("adEnd")), (3, 1));
}

fn one_ad_of_a_buffet_is_played() {
    let file = find("fluid-player/vast_ad_buffet.xml");
    let played = file.play();
    assert_eq!(
        (played.count("adImpression"), played.count("adComplete")),
        (1, 1)
    );
    assert_eq!(played.codes(), [""; 0]);
}

fn one_wrapper_makes_two_impressions_at_once_and_two_wrappers_three() {
    for (name, impressions) in [
        ("vast_wrapper.xml", 2),
        ("vast_wrapper_followAdditionalWrappers_true.xml", 3),
    ] {
        let file = find(&format!("fluid-player/{name}"));
        let played = file.play();
        assert_eq!(played.impressions().len(), impressions, "{name}");
        let at = |name| {
            played
                .trace
                .events()
                .find(|event| event.name == name)
                .map(|event| event.at)
        };
        let beacons = played
            .trace
            .records
            .iter()
            .filter(|record| *record.name == *"impression");
        assert!(
            beacons
                .into_iter()
                .all(|record| Some(record.at) == at(EventName::AdImpression)),
            "{name}"
        );
        assert_eq!(played.count("adImpression"), 1, "{name}");
    }
}

fn a_wrapper_around_a_pod_reports_every_ad_of_it() {
    let file = find("fluid-player/vast_wrapper_to_ad_pod.xml");
    let played = file.play();
    let reported = played.called("impression");
    assert_eq!(
        reported
            .iter()
            .filter(|url| url.ends_with("/wrapper_impression"))
            .count(),
        3
    );
    assert_eq!(played.count("adComplete"), 3);
    let first = played.impressions().iter().position(|ad| ad == "4840678");
    assert_eq!(first, Some(1), "the wrapper's comes before the ad's");
}

fn an_empty_response_is_303_and_calls_no_url_of_its_own() {
    for name in ["fluid-player/vast_no_ad.xml", "videojs-ima/empty_vast.xml"] {
        let file = find(name);
        let played = file.play();
        assert_eq!(played.codes(), ["303"], "{name}");
        assert_eq!(played.called("error"), [""; 0], "{name}");
    }
}

fn an_empty_response_after_a_wrapper_is_reported_to_the_wrapper() {
    let file = find("videojs-ima/empty_wrapper.xml");
    let played = file.play();
    assert_eq!(played.codes(), ["303"]);
    assert_eq!(played.lines(Kind::Beacon, "error", "hop"), ["0"]);
}

fn every_url_of_an_event_is_called() {
    let file = find("videojs-ima/linear.xml");
    let played = file.play_with(Span::from_secs(5), &[]);
    assert_eq!(
        (
            played.called("start").len(),
            played.called("thirdQuartile").len()
        ),
        (2, 2)
    );
    assert_eq!(
        (
            played.called("midpoint").len(),
            played.called("complete").len()
        ),
        (1, 1)
    );
    assert_eq!(played.since_start(&QUARTILES), [1_250, 2_500, 3_750, 5_000]);
}

fn skipping_is_possible_from_the_offset_on() {
    let file = find("videojs-ima/skippable_linear.xml");
    let early = Span::from_micros(4_999_999);
    let played = file.play_with(Span::from_secs(10), &[early]);
    assert_eq!((played.count("adSkip"), played.count("adComplete")), (0, 1));
    let played = file.play_with(Span::from_secs(10), &[early, Span::from_secs(5)]);
    assert_eq!(played.since_start(&["adSkip", "adComplete"]), [5_000]);
    assert_eq!(
        (played.called("progress").len(), played.called("skip").len()),
        (1, 1),
        "both at 5 s"
    );
    assert_eq!(
        played.since_start(&["adMidpoint"]),
        [5_000],
        "the midpoint too, because the clock is processed first"
    );
}

fn sixteen_seconds_have_quartiles_at_4_8_12_and_16() {
    let samples = find_all("iab-vast-samples/vast4");
    let is_plain = |file: &&File| {
        [
            "Inline_Simple",
            "No_Wrapper",
            "Event_Tracking",
            "Inline_Linear",
        ]
        .iter()
        .any(|kind| file.name.contains(kind))
    };
    for file in samples.iter().filter(is_plain) {
        let played = file.play_with(Span::from_secs(16), &[]);
        assert_eq!(
            played.since_start(&QUARTILES),
            [4_000, 8_000, 12_000, 16_000],
            "{}",
            file.name
        );
    }
}

fn a_lone_ad_with_a_sequence_is_a_pod_of_one() {
    let file = find("madman-android/vast.xml");
    let played = file.play_with(Span::from_secs(16), &[]);
    assert_eq!((played.count("adComplete"), played.codes().len()), (1, 0));
    assert_eq!(
        played.since_start(&QUARTILES),
        [4_000, 8_000, 12_000, 16_000]
    );
}

fn vast_1_is_102() {
    all_end("vast1-2/vast1", "102");
    all_end("tremor/vast1", "102");
    all_end("warn_vast_1_0_document.xml", "102");
}

fn a_wrong_root_and_an_ad_without_inline_or_wrapper_are_101() {
    all_end("madman-android/corrupt_vast.xml", "101");
    all_end("vastlint/err_no_inline_or_wrapper.xml", "101");
    all_end("vastlint/err_ad_both_inline_and_wrapper.xml", "101");
}

fn malformed_xml_is_100() {
    all_end("vastlint/err_malformed_", "100");
}

fn a_unit_in_javascript_is_played() {
    all_end("fluid-player/vpaid_linear", "played");
}

fn media_that_is_not_supported_is_403() {
    all_end("tremor/vast_inline_linear.xml", "403");
    all_end("tremor/vast2RegularLinear.xml", "403");
    all_end("tremor/vast2VPAIDLinear.xml", "403");
    all_end("vastlint/err_missing_mediafiles.xml", "403");
    all_end("vastlint/warn_flash_mediafile.xml", "403");
}

fn a_media_file_labelled_with_a_framework_plays() {
    all_end("vast1-2/Inline_LinearVAST2vpaid.xml", "played");
    all_end("vast1-2/Inline_LinearRegular_VAST2.0.xml", "played");
}

fn streaming_media_plays_where_its_type_is_known() {
    all_end("fluid-player/vast_hls.xml", "played");
}

fn the_first_of_two_tag_urls_is_requested() {
    let file = find("vastlint/err_duplicate_vastadtaguri.xml");
    let played = file.play();
    let asked = played.lines(Kind::Net, "request", "url");
    assert!(
        asked.iter().any(|url| url.ends_with("/first.xml")),
        "{asked:?}"
    );
    assert!(
        !asked.iter().any(|url| url.ends_with("/second.xml")),
        "{asked:?}"
    );
}

fn a_wrapper_without_a_url_is_300_and_one_whose_url_has_no_document_301() {
    all_end("vastlint/err_wrapper_missing_vasttag.xml", "300");
    all_end("vastlint/err_wrapper_missing_adsystem.xml", "301");
    all_end("vastlint/wrapper_to_inline.xml", "301");
    all_end("tremor/vast_wrapper_nonlinear", "301");
}

fn booleans_are_read_in_every_spelling() {
    for (name, warnings) in [
        ("valid_wrapper_bools.xml", 0),
        ("warn_wrapper_bool_attr.xml", 1),
    ] {
        let file = find(&format!("vastlint/{name}"));
        let played = file.play();
        assert_eq!(played.outcome(), "301", "{name}");
        let codes = played.lines(Kind::Ad, "warning", "code");
        let about = codes.iter().filter(|code| code.contains("bool")).count();
        assert!(about >= warnings, "{name}: {codes:?}");
    }
}

fn mezzanines_and_interactive_files_are_never_played() {
    for file in find_all("SSAI_stitching") {
        let played = file.play();
        assert_eq!(played.outcome(), "played", "{}", file.name);
        let text = file.text();
        let chosen = played.lines(Kind::Ad, "select-media", "url");
        let media = text
            .split("<MediaFile ")
            .skip(1)
            .filter_map(|rest| rest.split("</MediaFile>").next());
        assert!(
            media.into_iter().any(|media| media.contains(&chosen[0])),
            "{}: {chosen:?}",
            file.name
        );
        assert!(
            played.lines(Kind::Ad, "select-media", "delivery") == ["progressive"],
            "{}",
            file.name
        );
    }
}

fn of_three_bitrates_the_best_within_the_limit_is_chosen() {
    for file in find_all("iab-vast-samples/vast4")
        .iter()
        .filter(|file| file.name.contains("Inline_Simple"))
    {
        let played = file.play();
        assert_eq!(
            played.lines(Kind::Ad, "select-media", "bitrate"),
            ["2000"],
            "{}",
            file.name
        );
    }
}

fn an_offset_that_cannot_be_read_means_that_the_ad_cannot_be_skipped() {
    let file = find("vastlint/warn_bad_skipoffset.xml");
    let played = file.play_with(Span::from_secs(15), &[Span::from_secs(14)]);
    assert_eq!((played.count("adSkip"), played.count("adComplete")), (0, 1));
}

fn ads_win_over_errors_at_the_root() {
    let file = find("vastlint/warn_root_ad_and_error.xml");
    let played = file.play();
    assert_eq!(
        (played.outcome(), played.called("error").len()),
        ("played".to_owned(), 0)
    );
}

fn a_document_of_unknown_or_missing_version_is_read() {
    for name in [
        "warn_version_mismatch.xml",
        "warn_unknown_version.xml",
        "err_no_version.xml",
    ] {
        all_end(&format!("vastlint/{name}"), "played");
    }
}

fn documents_with_defects_that_may_still_play_do() {
    for name in [
        "err_missing_adsystem",
        "err_inline_missing_impression",
        "err_bad_duration",
        "err_adservingid_",
    ] {
        all_end(&format!("vastlint/{name}"), "played");
    }
    all_end("vastlint/err_universaladid_", "played");
    all_end("vastlint/err_progress_no_offset", "played");
    all_end("vastlint/warn_progress_offset_bad_format", "played");
}

fn a_large_pod_plays_to_its_end() {
    let file = find("vastlint/warn_publica_large_pod.xml");
    let played = file.play();
    let ads = playsim::vast::read(&file.text()).ads.len();
    assert_eq!(played.count("adComplete") + played.codes().len(), ads);
}

fn overlays_in_a_linear_break_are_refused_with_a_reason() {
    all_end("fluid-player/vast_nonlinear.xml", "201");
    all_end("fluid-player/vpaid_nonlinear.xml", "201");
    all_end("videojs-ima/nonlinear.xml", "201");
    all_end("tremor/vast2Nonlinear.xml", "201");
}

/// The VMAP breaks that opened, as id and offset.
fn opened(name: &str) -> (Played, Vec<(String, String)>) {
    let played = find(name).play_in_a_minute();
    let breaks = played.vmap_breaks();
    (played, breaks)
}

fn pairs(breaks: &[(&str, &str)]) -> Vec<(String, String)> {
    breaks
        .iter()
        .map(|(id, offset)| ((*id).to_owned(), (*offset).to_owned()))
        .collect()
}

fn vmap_with_one_tag_at_the_start_or_at_5_s_plays_its_ad() {
    for (name, id, offset) in [
        ("vmap_preroll.xml", "preroll", "start"),
        ("vmap_midroll.xml", "midroll-1", "00:00:05"),
    ] {
        let (played, breaks) = opened(&format!("videojs-ima/{name}"));
        assert_eq!(breaks, pairs(&[(id, offset)]), "{name}");
        assert_eq!(
            (played.count("adComplete"), played.codes().len()),
            (1, 0),
            "{name}"
        );
    }
}

fn vmap_with_three_breaks_of_one_tag_each_opens_all_although_each_fails() {
    let (played, breaks) = opened("madman-android/ad_response.xml");
    let offsets: Vec<&str> = breaks.iter().map(|(_, offset)| &**offset).collect();
    assert_eq!(offsets, ["start", "00:00:15", "end"]);
    assert_eq!(played.codes(), ["1008", "1008", "1008"]);
}

fn vmap_with_times_ignores_its_position_and_takes_no_break_id_for_a_key() {
    let (played, breaks) = opened("madman-android/vmap.xml");
    assert_eq!(
        breaks,
        pairs(&[
            ("midrolls2", "00:00:15"),
            ("midrolls2", "70%"),
            ("post", "end")
        ])
    );
    assert_eq!(played.lines(Kind::Ad, "leave-out-break", "offset"), ["#1"]);
}

fn vmap_with_a_document_under_the_older_name_plays_it_before_the_content() {
    let (played, breaks) = opened("madman-android/vmap_with_preroll.xml");
    assert_eq!(breaks.first(), Some(&("-".to_owned(), "start".to_owned())));
    assert_eq!(played.lines(Kind::Ad, "document-inside", "wp"), ["0"]);
    assert_eq!(played.count("adComplete"), 1);
}
