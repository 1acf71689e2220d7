//! `playsim rules` and `playsim vast`: their output for people and for programs.

use super::*;

#[test]
fn rules_are_printed_in_three_forms() {
    let folder = folder("rules");
    let all = run(&folder, &["rules", "--format", "json"]);
    assert_eq!(all.code, 0);
    let all: Vec<Json> = serde_json::from_str(&all.stdout).expect("it is a JSON array");
    assert_eq!(all.len(), playsim::rules::all().count());
    for key in [
        "id", "family", "basis", "source", "gist", "knobs", "built", "shown_by",
    ] {
        assert!(all.iter().all(|rule| rule.get(key).is_some()), "{key}");
    }
    let text = run(&folder, &["rules", "REQ-4", "req-7"]);
    assert_eq!(text.code, 0);
    assert!(text.stdout.starts_with("REQ-4  "));
    assert!(text.stdout.lines().any(|line| line.starts_with("REQ-7  ")));
    let markdown = run(&folder, &["rules", "REQ", "--format", "md"]);
    assert!(markdown.stdout.starts_with("## REQ: "));
    assert!(markdown.stdout.contains("| REQ-4 | "));
}

#[test]
fn rules_are_selected_by_basis_state_knob_and_text() {
    let folder = folder("rules_chosen");
    let chosen = |args: &[&str]| -> Vec<Json> {
        let ran = run(&folder, &[&["rules", "--format", "json"], args].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        serde_json::from_str(&ran.stdout).expect("it is a JSON array")
    };
    assert!(
        chosen(&["--basis", "iab"])
            .iter()
            .all(|rule| rule["basis"] == "iab")
    );
    let waiting = run(&folder, &["rules", "--not-built"]);
    assert_eq!(
        (waiting.code, waiting.stdout.as_str()),
        (4, ""),
        "every rule is built"
    );
    assert!(
        chosen(&["--built"])
            .iter()
            .all(|rule| rule["built"] == true)
    );
    let knob = chosen(&["--knob", "ad.timeout"]);
    let is_named = |rule: &serde_json::Value| {
        rule["knobs"]
            .as_array()
            .is_some_and(|knobs| knobs.iter().any(|knob| knob == "ad.timeout"))
    };
    assert!(!knob.is_empty() && knob.iter().all(is_named));
    assert!(
        chosen(&["--search", "ADERROR"])
            .iter()
            .any(|rule| rule["id"] == "REQ-4")
    );
    let nothing = run(&folder, &["rules", "--search", "no rule says this"]);
    assert_eq!((nothing.code, nothing.stdout.as_str()), (4, ""));
    let wrong = run(&folder, &["rules", "REKW"]);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong.stderr.contains("did you mean \"REQ\"?"),
        "{}",
        wrong.stderr
    );
    assert_eq!(run(&folder, &["rules", "--built", "--not-built"]).code, 2);
}

#[test]
fn knobs_are_listed_with_values_default_rules_and_profiles() {
    let folder = folder("knobs");
    let json = run(&folder, &["rules", "--knobs", "--format", "json"]);
    assert_eq!((json.code, json.stderr.as_str()), (0, ""));
    let listed: Json = serde_json::from_str(&json.stdout).expect("it is a JSON object");
    let knobs = listed["knobs"].as_array().expect("it is a list");
    assert_eq!(knobs.len(), playsim::knobs::KNOBS.len());
    for knob in knobs {
        for key in ["group", "name", "about", "takes", "default", "rules"] {
            assert!(knob.get(key).is_some(), "{key} of {knob}");
        }
    }
    assert_eq!(listed["profiles"][2]["differs"]["bus.expose_html"], "on");
    let text = run(&folder, &["rules", "--knobs", "LAST", "CUE-5", "ad"]);
    assert_eq!(text.code, 0);
    snapshot("rules_knobs", &text.stdout);
    let markdown = run(&folder, &["rules", "--knobs", "--format", "md"]);
    assert!(
        markdown
            .stdout
            .starts_with("## Events and configuration\n\n| Knob |"),
        "{}",
        markdown.stdout
    );
    assert_eq!(run(&folder, &["rules", "--knobs", "NM"]).code, 4);
    assert_eq!(run(&folder, &["rules", "--knobs", "--built"]).code, 2);
}

#[test]
fn a_document_is_printed_with_the_documented_keys() {
    let folder = folder_with_first("vast");
    let text = run(&folder, &["vast", "ad.xml"]);
    assert_eq!((text.code, text.stderr.as_str()), (0, ""));
    assert!(text.stdout.contains("\nad.xml: VAST "));
    let json = run(&folder, &["vast", "ad.xml", "--format", "json"]);
    let document: Json = serde_json::from_str(&json.stdout).expect("it is a JSON object");
    let has = |object: &Json, keys: &[&str]| {
        for key in keys {
            assert!(object.get(key).is_some(), "{key} is not in {object:#}");
        }
    };
    has(
        &document,
        &[
            "verdict",
            "root",
            "version",
            "error_urls",
            "ads",
            "breaks",
            "warnings",
            "errors",
        ],
    );
    let ad = &document["ads"][0];
    has(
        ad,
        &[
            "id",
            "sequence",
            "kind",
            "ad_system",
            "title",
            "impressions",
            "errors",
            "tag_uri",
        ],
    );
    has(
        ad,
        &[
            "follow_additional_wrappers",
            "allow_multiple_ads",
            "fallback_on_no_ad",
            "creatives",
        ],
    );
    let creative = &ad["creatives"][0];
    has(
        creative,
        &[
            "kind",
            "id",
            "sequence",
            "duration_us",
            "skip_offset",
            "media_files",
            "tracking",
        ],
    );
    has(creative, &["clicks", "icons"]);
    let file = &creative["media_files"][0];
    has(
        file,
        &[
            "url",
            "type",
            "delivery",
            "width",
            "height",
            "bitrate",
            "api_framework",
        ],
    );
    has(&creative["tracking"][0], &["event", "url", "offset"]);
}

#[test]
fn a_document_with_a_fault_is_a_finding() {
    let folder = folder("vast_fault");
    let ran = run_with_stdin(&folder, &["vast", "-"], "<VAST version='4.2'><Ad>");
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains("stdin:1:"), "{}", ran.stdout);
    let json = run_with_stdin(&folder, &["vast", "--format", "json", "-"], "no XML");
    assert_eq!(json.code, 1);
    let document: Json = serde_json::from_str(&json.stdout).expect("it is a JSON object");
    assert_eq!(document["errors"].as_array().map(Vec::len), Some(1));
    assert!(
        ["code", "text", "line", "column"]
            .iter()
            .all(|key| document["errors"][0].get(key).is_some())
    );
    // A break without ads is not a finding; one whose document cannot be used is.
    for (source, code) in [("", 0), ("<AdSource><VASTAdData/></AdSource>", 1)] {
        let vmap = format!(
            "<VMAP version='1.0'><AdBreak timeOffset='end' breakType='linear'>{source}</AdBreak></VMAP>"
        );
        let ran = run_with_stdin(&folder, &["vast", "-"], &vmap);
        assert_eq!(ran.code, code, "{}", ran.stdout);
    }
    assert_eq!(run(&folder, &["vast", "nothing.xml"]).code, 3);
}
