//! Compares the macros of the standard with its table: none is missing, and each is filled in a trace.
//!
//! The table is in the folder that PLAYSIM_CORPUS names; without it the test says so and passes.
//!
//! Rules: MAC-1, MAC-4, MAC-5.

use std::path::PathBuf;

use playsim_vast::standard_macros::{given_by_pages, is_standard as is_standard_macro};
use serde_json::Value;

/// The committed trace that requests every macro, in ad tags, wrappers and trackers.
const TRACE: &str =
    include_str!("../../fixtures/scenarios/macros/every_macro_with_page_values_is_filled.snap");

fn table() -> Option<Vec<String>> {
    let folder = std::env::var_os("PLAYSIM_CORPUS").map(PathBuf::from)?;
    let text = std::fs::read_to_string(folder.join("tables/macros.json")).expect("the table can be read");
    let table: Value = serde_json::from_str(&text).expect("the table is JSON");
    let rows = table["macros"].as_array().expect("the table has rows");
    Some(rows.iter().map(|row| row["name"].as_str().expect("a row has a name").to_owned()).collect())
}

#[test]
fn every_macro_of_the_table_is_filled_in_a_trace() {
    let Some(names) = table() else {
        eprintln!("PLAYSIM_CORPUS is not set: the table of macros is not compared");
        return;
    };
    assert_eq!(names.len(), 59);
    for name in &names {
        assert!(is_standard_macro(name), "{name} is not known");
        let asked: Vec<&str> = TRACE.matches(&*format!("{name}=")).collect();
        assert!(asked.len() >= 4, "{name} is used in tag, wrapper and trackers");
        assert!(!TRACE.contains(&format!("[{name}]")), "{name} is left as written");
    }
}

#[test]
fn what_a_page_may_set_is_in_the_standard() {
    assert!(given_by_pages().all(is_standard_macro));
    assert!(!given_by_pages().any(|name| ["TIMESTAMP", "ERRORCODE", "ADPLAYHEAD"].contains(&name)));
}
