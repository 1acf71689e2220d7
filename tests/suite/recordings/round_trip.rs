//! Scenarios that are written as archives and imported again: nothing may differ where an archive holds all that
//! matters, which is so without knobs, seeks and breaks that depend on the length of the content.

use std::fs;
use std::path::Path;

use playsim::import::{self, Hints, Session};
use playsim::report::waterfall::Waterfalls;
use playsim::scenario::{self, Overrides};
use playsim::sim::Simulation;
use playsim::trace::{Filter, Site, View, write_har};

use super::WITHIN;

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
    "vmap/break_type_is_decided_by_the_document",
    "vmap/documents_inside_breaks_need_no_request",
    "vmap/older_names_and_namespaces_are_read",
    "vmap/positions_are_ignored_if_there_are_times",
];

#[test]
fn an_archive_is_played_as_it_was_written() {
    for name in SCENARIOS {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("fixtures/scenarios/{name}.yaml"));
        let text = fs::read_to_string(&file).expect("it can be read");
        let mut load = |path: &str| fs::read_to_string(file.with_file_name(path));
        let written =
            scenario::read(name, &text, &mut load).unwrap_or_else(|error| panic!("{name}: {error}"));
        let trace = Simulation::new(&written).expect("it is valid").run();
        let world = playsim::internal::world(&written);
        let site = Site {
            epoch_micros: written.page.epoch_micros,
            url: "https://page.test/",
            bodies: &mut world.bodies(),
        };
        let everything = Filter { view: View::All, ..Filter::default() };
        let mut archive = String::new();
        write_har(&trace, &everything, false, site, &mut archive).expect("a string takes it");

        let mut load = |_: &str| Err(std::io::ErrorKind::NotFound.into());
        let recording = import::read(name, archive.as_bytes(), &mut load).expect("an archive");
        let session =
            Session::of(recording, Hints::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
        let (scenario, _) = session.scenario(&Overrides::default());
        let trace = Simulation::new(&scenario).expect("it is valid").run();
        let report = Waterfalls::of_played(&trace, &scenario);
        let compared = import::compare(&session, &trace, &report, WITHIN);
        assert_eq!(compared.differences(), 0, "{name}\n{}", compared.text(120, false));
    }
}
