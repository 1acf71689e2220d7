//! Scenarios that are written as archives and imported again: nothing may differ where an archive
//! holds all that matters, which is so without knobs, seeks and breaks that depend on the length of
//! the content.

use std::fs;
use std::path::Path;

use playsim::api::NetworkFault;
use playsim::import::{self, Hints, PlayedRecording};
use playsim::report::waterfall::Detail;
use playsim::scenario::{self, Scenario, ScriptedAnswer};
use playsim::sim::Simulation;
use playsim::trace::{Filter, Site, View, write_har};

use super::settings;

const SCENARIOS: &[&str] = &[
    "chain/ad_without_a_child_is_replaced_by_the_next",
    "chain/document_truncated_after_a_wrapper_is_100",
    "chain/first_document_broken_is_100",
    "chain/hop_timeout_of_a_tag_is_301",
    "chain/hops_that_share_an_error_url_each_call_it",
    "chain/listed_url_with_macros_responds_to_a_filled_one",
    "chain/redirect_by_http_does_not_count_as_a_wrapper",
    "chain/wrapper_after_no_follow_is_303",
    "chain/wrapper_with_status_404_is_301",
    "requests/cors_and_an_ad_blocker_fail_without_a_connection_error",
    "vmap/break_type_is_decided_by_the_document",
    "vmap/documents_inside_breaks_need_no_request",
    "vmap/older_names_and_namespaces_are_read",
    "vmap/positions_are_ignored_if_there_are_times",
];

/// Returns what is found in the archive of a scenario.
fn session(name: &str, written: &Scenario) -> PlayedRecording {
    let trace = Simulation::new(written).expect("it is valid").run();
    let world = playsim_scenario::world::world(written);
    let site = Site {
        epoch_micros: written.page.epoch_micros,
        url: "https://page.test/",
        bodies: &mut world.bodies(),
    };
    let everything = Filter {
        view: View::All,
        ..Filter::default()
    };
    let mut archive = String::new();
    write_har(&trace, &everything, false, site, &mut archive).expect("a string takes it");

    let mut load = |_: &str| Err(std::io::ErrorKind::NotFound.into());
    let recording = import::read(name, archive.as_bytes(), &mut load).expect("an archive");
    import::play(recording, Hints::default(), &settings())
        .unwrap_or_else(|error| panic!("{name}: {error}"))
}

#[test]
fn a_failure_is_imported_as_the_one_that_was_exported() {
    const AD: &str = "<VAST version='4.2'><Ad id='a'><InLine><Impression>https://t.test/i</Impression><Creatives>\
        <Creative><Linear><Duration>00:00:02</Duration><MediaFiles><MediaFile type='video/mp4' width='1' height='1' \
        delivery='progressive'>https://m.test/a.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine>\
        </Ad></VAST>";
    for fault in NetworkFault::ALL {
        let tags = ["https://ads.test/tag/one", "https://ads.test/tag/two"];
        let name = fault.name();
        let written = format!(
            "{{\"videos\":[{{\"id\":\"v\",\"renditions\":{{\"sd\":\"film.mp4\"}}}}],\
             \"media\":{{\"default\":{{\"duration\":\"2s\"}}}},\"network\":{{\
             \"{}\":{{\"after\":\"20ms\",\"fails\":\"{name}\"}},\"{}\":{{\"text\":{AD:?}}},\
             \"https://t.test/i\":{{\"fails\":\"{name}\"}}}},\
             \"player\":{{\"ads\":[{{\"adType\":0,\"adTimeType\":\"s\",\"mobile\":{tags:?}}}]}}}}",
            tags[0], tags[1]
        );
        let mut load = |_: &str| Err(std::io::ErrorKind::NotFound.into());
        let written = scenario::read("case.json", &written, &mut load).expect("it is valid");
        let again = session(name, &written)
            .simulation
            .expect("it has bodies")
            .scenario;
        let answer = |url: &str| {
            let found = again.network.iter().find(|(known, _)| **known == *url);
            found.map(|(_, answers)| answers[0].answer.clone())
        };
        assert_eq!(
            answer(tags[0]),
            Some(ScriptedAnswer::Fails(*fault)),
            "{name}"
        );
        // The other failures of a pixel are the server's, and nobody waits for it. Rule REQ-19
        let is_blocked = *fault == NetworkFault::Blocked;
        let pixel = is_blocked.then_some(ScriptedAnswer::Fails(NetworkFault::Blocked));
        assert_eq!(answer("https://t.test/i"), pixel, "{name}");
    }
}

#[test]
fn an_archive_is_played_as_it_was_written() {
    for name in SCENARIOS {
        let file =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("fixtures/scenarios/{name}.yaml"));
        let text = fs::read_to_string(&file).expect("it can be read");
        let mut load = |path: &str| fs::read_to_string(file.with_file_name(path));
        let written = scenario::read(name, &text, &mut load)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        let played = session(name, &written);
        let text = played.text(120, false, Detail::default());
        let compared = &played
            .simulation
            .as_ref()
            .expect("it has bodies")
            .comparison;
        assert_eq!(compared.differences(), 0, "{name}\n{text}");
        // What an ad blocker stopped is not counted, though the page did all that is documented.
        let is_blocked = |it: &import::PageDifference| it.what.contains("did not reach");
        assert!(
            played.differences().iter().all(is_blocked),
            "{name}\n{text}"
        );
    }
}
