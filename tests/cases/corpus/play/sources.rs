//! What the SOURCE.md of each folder of the corpus says that its documents show, unless `readings`
//! covers it already; what it says about VMAP is in `vmap`.

use playsim::api::{EventName, Kind};
use playsim::time::Span;
use playsim::vast::{self, CreativeKind};

use super::world::{File, find, find_all};

pub(crate) const TESTS: &[(&str, fn())] = crate::corpus::tests![
    fluid_linear_has_five_progress_events_and_an_invalid_offset,
    fluid_title_and_text_extensions_are_ignored,
    fluid_overlays_are_shown_over_content,
    fluid_wrapper_trackers_fire_for_every_ad_of_the_pod,
    fluid_vpaid_units_play_and_over_content_too,
    iab_vast_2_linear_and_its_verification_in_an_extension_play,
    iab_wrappers_to_a_missing_host_are_301_unless_they_are_mapped,
    iab_companions_alone_do_not_save_an_ad_that_needs_flash,
    iab_overlays_without_an_impression_are_a_defect_that_plays_where_flash_does,
    iab_progress_at_10_s_is_called_at_10_s_of_16,
    iab_features_of_version_4_do_not_prevent_an_ad_from_playing,
    iab_conditional_ads_play_or_are_refused_with_408,
    iab_an_audio_ad_has_no_trackers_of_viewability,
    iab_wrappers_are_one_hop,
    iab_a_lone_ad_with_a_sequence_is_not_a_pod_after_a_wrapper_that_allows_one_ad,
    madman_a_root_of_another_name_is_101,
    vastlint_ads_with_both_kinds_or_none_are_refused_one_by_one,
    vastlint_media_without_a_type_or_a_length_neither_crash_nor_hang,
    vastlint_defects_of_facts_about_an_ad_still_play,
    vastlint_missing_elements_are_reported_in_the_trace,
    vastlint_progress_with_an_invalid_offset_never_fires,
    vastlint_sequenced_ads_are_a_pod_and_the_others_its_reserve,
    vastlint_root_errors_are_not_called_while_there_is_an_ad,
    vastlint_connected_tv_and_simid_documents_end_with_a_reason,
    ima_responses_without_an_ad_are_303_reported_to_the_wrapper_alone,
];

/// An in-line ad of 16 s without companions.
const INNER: &str = "<VAST version='4.2'><Ad id='inner'><InLine><AdSystem>t</AdSystem><AdTitle>t</AdTitle>\
    <Impression>/inner</Impression><Creatives><Creative><Linear><Duration>00:00:16</Duration><MediaFiles>\
    <MediaFile delivery='progressive' type='video/mp4' width='1' height='1'>/inner.mp4</MediaFile>\
    </MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>";

/// Asserts that every document whose path contains a string plays to its end, once.
fn all_play(part: &str) {
    for file in find_all(part) {
        let played = file.play();
        assert_eq!(
            (played.outcome(), played.count("adComplete")),
            ("played".to_owned(), 1),
            "{}",
            file.name
        );
    }
}

/// The times at which a beacon was called, in milliseconds since the ad's start.
fn fired_at(file: &File, media: Span, event: &str) -> Vec<u64> {
    let played = file.play_with(media, &[]);
    let start = played
        .trace
        .events()
        .find(|event| event.name == EventName::AdStart)
        .map(|event| event.at);
    let start = start.unwrap_or_else(|| panic!("{}: no ad started", file.name));
    let beacons = played.trace.records.iter();
    let beacons = beacons.filter(|record| record.kind == Kind::Beacon && *record.name == *event);
    beacons
        .map(|record| (record.at - start).micros() / 1_000)
        .collect()
}

fn fluid_linear_has_five_progress_events_and_an_invalid_offset() {
    for name in [
        "fluid-player/vast_linear.xml",
        "fluid-player/vast_linear_e2e.xml",
    ] {
        let file = find(name);
        let document = vast::read(&file.text());
        let offsets = |event: &str| {
            let creatives = document.ads.iter().flat_map(|ad| &ad.creatives);
            let tracking = creatives.flat_map(|creative| match &creative.kind {
                CreativeKind::Linear(linear) => linear.tracking.as_slice(),
                CreativeKind::NonLinear(_) | CreativeKind::Companions(_) | CreativeKind::Empty => {
                    &[]
                }
            });
            tracking
                .filter(|it| it.event.name() == event)
                .map(|it| it.offset.is_some())
                .collect::<Vec<_>>()
        };
        assert_eq!(offsets("progress").len(), 5, "{name}");
        // Although its offset is invalid, it is called at the ad's start.
        let reported = fired_at(&file, Span::from_secs(60), "creativeView");
        assert!(reported.iter().all(|at| *at == 0), "{name}: {reported:?}");
        assert_eq!(reported.len(), offsets("creativeView").len(), "{name}");
    }
}

fn fluid_title_and_text_extensions_are_ignored() {
    all_play("fluid-player/vast_cta");
}

fn fluid_overlays_are_shown_over_content() {
    for name in [
        "fluid-player/vast_nonlinear.xml",
        "videojs-ima/nonlinear.xml",
    ] {
        let file = find(name);
        let played = file.play_over_content();
        assert_eq!(
            (played.outcome(), played.codes().len()),
            ("played".to_owned(), 0),
            "{name}"
        );
        assert_eq!(
            played.lines(Kind::Ad, "select-overlay", "choices"),
            ["1"],
            "{name}"
        );
    }
}

fn fluid_wrapper_trackers_fire_for_every_ad_of_the_pod() {
    let file = find("fluid-player/vast_wrapper_to_ad_pod.xml");
    let played = file.play();
    let ads = played.count("adComplete");
    for event in ["start", "complete"] {
        let hops = played.lines(Kind::Beacon, event, "hop");
        let of_wrapper = hops.iter().filter(|hop| *hop == "0").count();
        assert!(
            of_wrapper == 0 || of_wrapper % ads == 0,
            "{event}: {hops:?}"
        );
    }
    let impressions = played.lines(Kind::Beacon, "impression", "hop");
    assert_eq!(impressions.iter().filter(|hop| *hop == "0").count(), ads);
}

fn fluid_vpaid_units_play_and_over_content_too() {
    all_play("fluid-player/vpaid_linear");
}

fn iab_vast_2_linear_and_its_verification_in_an_extension_play() {
    all_play("vast1-2/Inline_Linear");
    let file = find("vast1-2/Inline_NonLinear_Verification_VAST2.0.xml");
    // Its name mentions an overlay; it contains a linear ad.
    assert_eq!(file.play().outcome(), "played");
    assert!(
        file.text().contains("AdVerifications"),
        "the document has it in an extension"
    );
}

fn iab_wrappers_to_a_missing_host_are_301_unless_they_are_mapped() {
    for file in find_all("tremor/vast_wrapper_linear_") {
        assert_eq!(file.play_alone().outcome(), "301", "{}", file.name);
        let mapped = file.play_leading_to(INNER);
        assert_eq!(
            (mapped.outcome(), mapped.count("adComplete")),
            ("played".to_owned(), 1),
            "{}",
            file.name
        );
        assert!(
            mapped
                .called("impression")
                .iter()
                .any(|url| url.ends_with("/inner")),
            "{}",
            file.name
        );
    }
}

fn iab_companions_alone_do_not_save_an_ad_that_needs_flash() {
    for file in find_all("tremor/vast_inline_linear.xml") {
        assert!(file.text().contains("<Companion "), "{}", file.name);
        assert_eq!(file.play().outcome(), "403", "{}", file.name);
    }
}

fn iab_overlays_without_an_impression_are_a_defect_that_plays_where_flash_does() {
    let file = find("tremor/vast2Nonlinear.xml");
    assert_eq!(
        file.play_over_content().outcome(),
        "503",
        "pages no longer show Flash"
    );
    let as_image = file
        .text()
        .replace("application/x-shockwave-flash", "image/png");
    let played = file.play_text_over_content(as_image.replace("apiFramework=\"VPAID\"", "").into());
    assert_eq!(played.outcome(), "played");
    assert_eq!(played.called("impression"), [""; 0]);
}

fn iab_progress_at_10_s_is_called_at_10_s_of_16() {
    let is_linear = |file: &&File| {
        [
            "Inline_Linear_Tag",
            "Inline_Simple",
            "No_Wrapper_Tag",
            "Event_Tracking",
        ]
        .iter()
        .any(|kind| file.name.contains(kind))
    };
    for file in find_all("iab-vast-samples/vast").iter().filter(is_linear) {
        if file.text().contains("event=\"progress\"") {
            assert_eq!(
                fired_at(file, Span::from_secs(16), "progress"),
                [10_000],
                "{}",
                file.name
            );
        }
    }
}

fn iab_features_of_version_4_do_not_prevent_an_ad_from_playing() {
    for part in [
        "/Category-test.xml",
        "/Universal_Ad_ID",
        "/Closed_Caption_Test.xml",
        "/IconClickFallbacks.xml",
        "/Ad_Verification-test.xml",
        "/Ready_to_serve_Media_Files_check-test.xml",
        "/SSAI_stitching_mezzanine_file_support-test.xml",
        "/Video_Clicks_and_click_tracking",
    ] {
        all_play(part);
    }
}

fn iab_conditional_ads_play_or_are_refused_with_408() {
    for file in find_all("/Conditional_Ad-test.xml") {
        let (played, is_conditional) =
            (file.play(), file.text().contains("conditionalAd=\"true\""));
        let is_refused = is_conditional && played.outcome() == "408";
        assert!(
            played.outcome() == "played" || is_refused,
            "{}: {}",
            file.name,
            played.outcome()
        );
    }
}

fn iab_an_audio_ad_has_no_trackers_of_viewability() {
    let file = find("vast4.1/Audio_DAAST_Sample.xml");
    let played = file.play();
    for event in ["viewable", "notViewable", "viewUndetermined"] {
        assert_eq!(played.called(event), [""; 0], "{event}");
    }
}

fn iab_wrappers_are_one_hop() {
    for file in find_all("iab-vast-samples/vast4")
        .iter()
        .filter(|file| file.name.contains("/Wrapper_Tag"))
    {
        let played = file.play_leading_to(INNER);
        assert_eq!(played.outcome(), "played", "{}", file.name);
        assert_eq!(
            played.lines(Kind::Ad, "fill", "hops"),
            ["2"],
            "{}",
            file.name
        );
    }
}

fn iab_a_lone_ad_with_a_sequence_is_not_a_pod_after_a_wrapper_that_allows_one_ad() {
    for file in find_all("iab-vast-samples/vast4")
        .iter()
        .filter(|file| file.name.contains("/Inline_Simple"))
    {
        let has_sequence = vast::read(&file.text())
            .ads
            .iter()
            .any(|ad| ad.sequence.is_some());
        let played = file.play_after_a_wrapper();
        let (outcome, ignored) = if has_sequence {
            ("303", 1)
        } else {
            ("played", 0)
        };
        assert_eq!(played.outcome(), outcome, "{}", file.name);
        assert_eq!(
            played.lines(Kind::Ad, "ignore", "why").len(),
            ignored,
            "{}",
            file.name
        );
    }
}

fn madman_a_root_of_another_name_is_101() {
    let file = find("madman-android/corrupt_vast.xml");
    let played = file.play();
    assert_eq!(
        (played.codes(), played.count("adStart")),
        (vec!["101".to_owned()], 0)
    );
    assert!(played.why().contains("VAST-1"), "{}", played.why());
}

fn vastlint_ads_with_both_kinds_or_none_are_refused_one_by_one() {
    for name in [
        "err_no_inline_or_wrapper.xml",
        "err_ad_both_inline_and_wrapper.xml",
    ] {
        let file = find(&format!("vastlint/{name}"));
        let played = file.play();
        assert_eq!(
            (played.outcome(), played.lines(Kind::Ad, "reject", "code")),
            ("101".to_owned(), vec!["101".to_owned()]),
            "{name}"
        );
    }
}

fn vastlint_media_without_a_type_or_a_length_neither_crash_nor_hang() {
    for (name, outcomes) in [
        ("err_mediafile_missing_type.xml", ["played", "403"]),
        ("err_mediafile_missing_attrs.xml", ["played", "403"]),
        ("err_bad_duration.xml", ["played", "played"]),
        ("err_missing_mediafiles.xml", ["403", "403"]),
    ] {
        let file = find(&format!("vastlint/{name}"));
        let played = file.play_with(Span::from_secs(15), &[]);
        assert!(
            outcomes.contains(&&*played.outcome()),
            "{name}: {}",
            played.outcome()
        );
    }
}

fn vastlint_defects_of_facts_about_an_ad_still_play() {
    for part in [
        "vastlint/err_adservingid_",
        "vastlint/err_universaladid_",
        "vastlint/err_pricing_",
        "vastlint/err_category_",
        "vastlint/err_verification_",
        "vastlint/err_inline_missing_impression",
    ] {
        all_play(part);
    }
}

fn vastlint_missing_elements_are_reported_in_the_trace() {
    for name in [
        "err_inline_missing_impression.xml",
        "err_progress_no_offset.xml",
        "warn_bad_skipoffset.xml",
    ] {
        let file = find(&format!("vastlint/{name}"));
        assert!(
            !file.play().lines(Kind::Ad, "warning", "code").is_empty(),
            "{name}"
        );
    }
}

fn vastlint_progress_with_an_invalid_offset_never_fires() {
    for name in [
        "err_progress_no_offset.xml",
        "warn_progress_offset_bad_format.xml",
    ] {
        let file = find(&format!("vastlint/{name}"));
        let played = file.play_with(Span::from_secs(30), &[]);
        assert_eq!(
            (played.outcome(), played.called("progress").len()),
            ("played".to_owned(), 0),
            "{name}"
        );
    }
}

fn vastlint_sequenced_ads_are_a_pod_and_the_others_its_reserve() {
    let file = find("vastlint/warn_ad_sequence_mixed.xml");
    let ads = vast::read(&file.text()).ads;
    let sequenced = ads.iter().filter(|ad| ad.sequence.is_some()).count();
    assert!(sequenced > 0 && sequenced < ads.len());
    let played = file.play();
    let (complete, failed) = (played.count("adComplete"), played.codes().len());
    assert!(
        complete + failed >= sequenced && complete <= ads.len(),
        "{complete} {failed} of {sequenced}"
    );
}

fn vastlint_root_errors_are_not_called_while_there_is_an_ad() {
    let file = find("vastlint/warn_root_ad_and_error.xml");
    assert!(!vast::read(&file.text()).error_urls.is_empty());
    let played = file.play();
    assert_eq!(
        (played.outcome(), played.called("error").len()),
        ("played".to_owned(), 0)
    );
}

fn vastlint_connected_tv_and_simid_documents_end_with_a_reason() {
    for part in ["_ctv_", "_simid_"] {
        for file in find_all(part) {
            let played = file.play();
            let outcome = played.outcome();
            // 902: it requires a variable duration, and the page provides no time.
            let is_known = ["played", "201", "400", "403", "902"].contains(&&*outcome);
            assert!(is_known, "{}: {outcome} {}", file.name, played.why());
        }
    }
}

fn ima_responses_without_an_ad_are_303_reported_to_the_wrapper_alone() {
    let file = find("videojs-ima/empty_wrapper.xml");
    let document = vast::read(&file.text());
    let played = file.play();
    assert_eq!(played.codes(), ["303"]);
    assert_eq!(played.called("error").len(), document.ads[0].errors.len());
}
