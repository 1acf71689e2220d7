//! The schema: equal to the committed one, wide enough for all valid scenarios, narrow enough to
//! reject misspelt names.

use std::path::{Path, PathBuf};

use playsim::scenario;

use super::root;
use crate::json_schema::Schema;

#[test]
fn the_schema_is_the_committed_one() {
    let path = root().join("schema/scenario.schema.json");
    let schema = format!("{:#}\n", scenario::schema());
    if std::env::var_os("UPDATE_SCHEMA").is_some() {
        std::fs::write(&path, &schema).expect("the schema can be written");
    }
    let committed = std::fs::read_to_string(&path).expect("the schema is there");
    assert!(
        schema == committed,
        "the schema changed; run this test with UPDATE_SCHEMA=1 and commit it"
    );
}

/// Editors find the schema of a file by its name in a catalog of schemas.
#[test]
fn the_entry_for_catalogs_leads_to_the_schema() {
    let entry = std::fs::read_to_string(root().join("schema/schemastore.json"))
        .expect("the entry is there");
    let entry: serde_json::Value = serde_json::from_str(&entry).expect("it is JSON");
    assert_eq!(entry["url"], scenario::schema()["$id"]);
    let names = entry["fileMatch"].as_array().expect("a list");
    assert!(
        names.contains(&"*.playsim.yaml".into()),
        "the plugin of pytest takes them for tests: {names:?}"
    );
}

#[test]
#[cfg_attr(
    not(playsim_schemas),
    ignore = "needs --cfg playsim_schemas, as in .ci/nightly"
)]
fn every_scenario_that_reads_fits_the_schema() {
    let schema = Schema::of(&scenario::schema());
    let mut files = vec![
        root().join("crates/scenario/src/starter/demo.yaml"),
        root().join("crates/scenario/src/starter/starter.yaml"),
    ];
    files_below(&root().join("fixtures/scenarios"), &mut files);
    files_below(&root().join("fixtures/reading"), &mut files);
    files.retain(|path| {
        path.extension()
            .is_some_and(|ending| ending == "yaml" || ending == "json")
    });
    for path in files {
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let wrongs = schema.faults(&as_json(&text));
        assert!(
            wrongs.is_empty(),
            "{}: {}",
            path.display(),
            wrongs.join("\n")
        );
    }
}

#[test]
#[cfg_attr(
    not(playsim_schemas),
    ignore = "needs --cfg playsim_schemas, as in .ci/nightly"
)]
fn the_schema_refuses_misspelt_names() {
    let schema = Schema::of(&scenario::schema());
    for case in [
        "field_misspelt",
        "call_misspelt",
        "event_misspelt",
        "knob_misspelt",
        "time_without_unit",
        "rule_misspelt",
        "step_with_two_actions",
        "step_with_two_triggers",
        "network_two_bodies",
        "listener_is_not_a_list",
        "special_value_misspelt",
        "media_resumes_without_stop",
        "media_bitrate_without_bandwidth",
        "media_simid_script_misspelt",
        "media_vpaid_misspelt",
        "media_vpaid_script_misspelt",
        "page_country_too_long",
        "page_change_misspelt",
        "page_change_two_at_once",
        "page_window_of_one_number",
        "player_plan_empty",
        "player_volume_out_of_range",
        "bid_break_misspelt",
        "queue_array_misspelt",
        "queue_is_empty",
        "video_publish_year_first",
        "edit_misspelt",
        "video_fields_of_the_edit_call_wrong",
        "rendition_misspelt",
        "user_action_misspelt",
        "step_nth_with_at",
    ] {
        let path = root()
            .join("fixtures/errors")
            .join(case)
            .with_extension("yaml");
        let text = std::fs::read_to_string(&path).expect("it can be read");
        assert!(!schema.faults(&as_json(&text)).is_empty(), "{case}");
    }
}

pub(crate) fn as_json(text: &str) -> serde_json::Value {
    let options = serde_saphyr::options! { strict_booleans: true };
    serde_saphyr::from_str_with_options(text, options).expect("it is YAML")
}

pub(crate) fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return;
    };
    for path in entries.map(|entry| entry.expect("it can be read").path()) {
        if path.is_dir() {
            files_below(&path, files);
        } else {
            files.push(path);
        }
    }
}
