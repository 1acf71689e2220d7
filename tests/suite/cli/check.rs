//! `playsim check`: findings in all formats, exit codes, what is refused.

use super::*;

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures/check")
        .join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A folder with a sound trace and a broken one.
fn two(name: &str) -> PathBuf {
    let folder = folder(name);
    fs::write(folder.join("sound.jsonl"), fixture("trk_6_sound.jsonl")).expect("it can be written");
    fs::write(folder.join("broken.jsonl"), fixture("trk_6_broken.jsonl"))
        .expect("it can be written");
    folder
}

fn json(text: &str) -> Json {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

#[test]
fn findings_have_a_place_a_rule_and_what_was_due() {
    let folder = two("check");
    let ran = run(&folder, &["check", "sound.jsonl", "broken.jsonl"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(
        ran.stdout
            .starts_with("ok        sound.jsonl: 13 lines as its own documents predict; 36 rules judged, 25 not\nfaulty    broken.jsonl: 9 lines as its own documents predict; 36 rules judged, 25 not\n  line 25 "),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stderr.starts_with("2 traces: 2 faults"),
        "{}",
        ran.stderr
    );
    let sound = run(&folder, &["check", "sound.jsonl"]);
    assert_eq!(sound.code, 0, "{}", sound.stderr);
    let other = run(&folder, &["check", "broken.jsonl", "--rule", "SCR,TRK-1"]);
    assert_eq!(
        (other.code, other.stdout.as_str()),
        (
            0,
            "ok        broken.jsonl: 9 lines as its own documents predict; 36 rules judged, 25 not\n"
        )
    );
    let without = run(&folder, &["check", "broken.jsonl", "--not-rule", "TRK"]);
    assert_eq!(without.code, 0, "{}", without.stdout);
    let within = run(
        &folder,
        &["check", "broken.jsonl", "--within", "2s", "--rule", "TRK-6"],
    );
    assert_eq!(within.code, 0, "{}", within.stdout);
    let stdin = run_with_stdin(&folder, &["check", "-"], &fixture("trk_6_broken.jsonl"));
    assert_eq!(stdin.code, 1, "{}", stdin.stdout);
}

#[test]
fn findings_are_json() {
    let folder = two("check_json");
    let report = json(&run(&folder, &["check", "broken.jsonl", "--format", "json"]).stdout);
    assert_eq!(report["within"], 450_000);
    let finding = &report["traces"][0]["findings"][0];
    assert_eq!(
        (&finding["rule"], &finding["line"]),
        (&"TRK-6".into(), &25.into()),
        "{finding}"
    );
    assert_eq!(
        (&finding["level"], &finding["sure"]),
        (&"fault".into(), &"certain".into()),
        "{finding}"
    );
}

#[test]
fn annotations_and_junit_name_the_file_and_the_rule() {
    let folder = two("check_github");
    let github = run(&folder, &["check", "broken.jsonl", "--format", "github"]);
    let first =
        "::error file=broken.jsonl,line=25,title=playsim%3A TRK-6::at 3.309999 s the complete";
    assert!(github.stdout.starts_with(first), "{}", github.stdout);
    let junit = run(
        &folder,
        &["check", "sound.jsonl", "broken.jsonl", "--format", "junit"],
    );
    let document = roxmltree::Document::parse(&junit.stdout).expect("it is XML");
    let cases: Vec<_> = document
        .descendants()
        .filter(|node| node.has_tag_name("testcase"))
        .collect();
    let failures = cases.iter().map(|case| {
        case.children()
            .filter(|node| node.has_tag_name("failure"))
            .count()
    });
    assert_eq!(failures.collect::<Vec<_>>(), [0, 1], "{}", junit.stdout);
}

/// A trace of which a rule that was asked for is not judged is no success for another program.
#[test]
fn what_was_not_judged_is_skipped_and_a_doubt() {
    let folder = folder("check_doubts");
    let mut head = fixture("trk_6_sound.jsonl");
    head.truncate(head.find('\n').expect("it has lines") + 1);
    fs::write(folder.join("cut.jsonl"), head).expect("it can be written");
    let shown = |format: &str| {
        let ran = run(
            &folder,
            &["check", "cut.jsonl", "--rule", "TRK-6", "--format", format],
        );
        assert_eq!(ran.code, 2, "{}", ran.stdout);
        ran.stdout
    };
    let junit = shown("junit");
    assert!(
        junit.contains("skipped=\"1\"") && junit.contains("TRK-6 was not judged"),
        "{junit}"
    );
    let github = shown("github");
    assert!(
        github.starts_with("::warning file=cut.jsonl,title=playsim%3A cut.jsonl unknown::"),
        "{github}"
    );
    assert!(shown("tap").contains("# unknown: "));
    assert!(shown("html").contains("<td class=\"\">unknown</td>"));
}

/// What GitHub requires of an upload: the version, the driver's name and rules, and for each result
/// a message, a rule and a location with a line.
#[test]
fn sarif_has_what_code_scanning_requires() {
    let folder = two("check_sarif");
    let report = json(
        &run(
            &folder,
            &["check", "sound.jsonl", "broken.jsonl", "--format", "sarif"],
        )
        .stdout,
    );
    assert_eq!(report["version"], "2.1.0");
    assert!(
        report["$schema"]
            .as_str()
            .is_some_and(|schema| schema.contains("sarif-2.1.0"))
    );
    let run = &report["runs"][0];
    let driver = &run["tool"]["driver"];
    assert_eq!(driver["name"], "playsim");
    let rules = driver["rules"].as_array().expect("a list of rules");
    for rule in rules {
        for key in ["shortDescription", "fullDescription", "help"] {
            assert!(
                rule[key]["text"]
                    .as_str()
                    .is_some_and(|text| !text.is_empty()),
                "{rule}"
            );
        }
    }
    let results = run["results"].as_array().expect("a list of results");
    assert_eq!(results.len(), 2);
    for result in results {
        let index = result["ruleIndex"]
            .as_u64()
            .and_then(|index| usize::try_from(index).ok())
            .expect("an index");
        assert_eq!(rules[index]["id"], result["ruleId"]);
        assert!(["error", "warning", "note"].contains(&result["level"].as_str().expect("a level")));
        assert!(
            result["message"]["text"]
                .as_str()
                .is_some_and(|text| !text.is_empty())
        );
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "broken.jsonl");
        assert!(
            place["region"]["startLine"]
                .as_u64()
                .is_some_and(|line| line > 0)
        );
        assert!(result["partialFingerprints"].is_object());
    }
}

#[test]
fn an_http_archive_is_judged_by_its_requests() {
    let folder = folder("check_har");
    let entry = |second: u32, url: &str, body: &str| {
        format!(
            r#"{{"startedDateTime":"2026-01-01T00:00:{second:02}.000Z","time":10,"request":{{"method":"GET","url":"{url}"}},
            "response":{{"status":200,"content":{{"mimeType":"text/xml","text":"{body}"}}}}}}"#
        )
    };
    let document = "<VAST version='4.2'><Ad id='1'><InLine><Impression>http://t.test/1/impression</Impression><Creatives><Creative>\
         <Linear><TrackingEvents><Tracking event='start'>http://t.test/1/start</Tracking></TrackingEvents></Linear></Creative>\
         </Creatives></InLine></Ad></VAST>";
    let entries = [
        entry(0, "http://ads.test/one", document),
        entry(1, "http://t.test/1/impression", ""),
        entry(1, "http://t.test/1/start", ""),
        entry(2, "http://t.test/1/start", ""),
    ];
    let text = format!(
        r#"{{"log":{{"version":"1.2","entries":[{}]}}}}"#,
        entries.join(",")
    );
    fs::write(folder.join("session.har"), text).expect("it can be written");
    let ran = run(
        &folder,
        &["check", "session.har", "--from", "har", "--format", "json"],
    );
    let report = json(&ran.stdout);
    let found = report["traces"][0]["findings"].as_array().expect("a list");
    assert_eq!(
        found
            .iter()
            .map(|it| it["rule"].as_str().expect("a rule"))
            .collect::<Vec<_>>(),
        ["TRK-1"],
        "{report}"
    );
    assert_eq!(ran.code, 1);
    let without = run(&folder, &["check", "session.har"]);
    assert_eq!(without.code, 2);
    assert!(without.stderr.contains("--from har"), "{}", without.stderr);
}

#[test]
fn what_cannot_be_judged_is_refused() {
    let folder = two("check_refused");
    for (args, code, says) in [
        (&["check", "none.jsonl"][..], 3, "cannot read none.jsonl"),
        (&["check", "broken.jsonl", "--rule", "TRX"], 2, "TRK"),
        (&["check", "broken.jsonl", "--within", "soon"], 2, "soon"),
        (&["check", "-", "-"], 2, "standard input"),
        (&["check"], 2, "TRACE"),
    ] {
        let ran = run(&folder, args);
        assert_eq!(ran.code, code, "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(says), "{args:?}: {}", ran.stderr);
    }
    fs::write(folder.join("a.yaml"), "videos: []\n").expect("it can be written");
    let ran = run(&folder, &["check", "a.yaml"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("check reads JSON lines"),
        "{}",
        ran.stderr
    );
}
