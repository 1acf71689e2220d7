//! `playsim test`: golden traces written, compared and refused, and what is reported about them.

use super::*;

/// A folder with two cases that have golden traces.
fn blessed(name: &str) -> PathBuf {
    let folder = folder(name);
    for case in ["ads/first", "ads/second"] {
        assert_eq!(run(&folder, &["new", case]).code, 0);
    }
    let ran = run(&folder, &["test", "--bless"]);
    assert_eq!(
        ran.stdout, "written   ads/first\nwritten   ads/second\n",
        "{}",
        ran.stderr
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (0, "2 cases: 2 written\n"));
    folder
}

fn in_ci(folder: &Path, args: &[&str]) -> Ran {
    command(folder, args)
        .env("CI", "true")
        .output()
        .expect("the binary runs")
        .into()
}

/// Replaces text in a file.
fn change(file: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(file).expect("it can be read");
    assert!(text.contains(from), "{from} is not in {}", file.display());
    fs::write(file, text.replacen(from, to, 1)).expect("it can be written");
}

#[test]
fn a_golden_trace_is_what_run_prints_and_is_written_only_when_blessed() {
    let folder = folder_with_first("golden_new");
    let golden = folder.join("first.trace");
    let ran = run(&folder, &["test"]);
    assert_eq!(
        ran.stdout,
        "new       first  no golden trace yet; --bless writes it\n"
    );
    assert_eq!(ran.code, 0);
    assert_eq!(
        ran.stderr,
        "1 case: 1 new\nTo accept these traces: playsim test --bless\n"
    );
    assert!(!golden.exists());
    assert_eq!(
        run(&folder, &["test", "--bless"]).stdout,
        "written   first\n"
    );
    let written = fs::read_to_string(&golden).expect("it was written");
    assert_eq!(written, run(&folder, &["run", "first.yaml"]).stdout);
    let again = run(&folder, &["test", "first.yaml"]);
    assert_eq!(
        (again.code, again.stdout.as_str()),
        (0, "ok        first\n")
    );
    assert_eq!(again.stderr, "1 case: 1 ok\n");
    assert_eq!(
        run(&folder, &["test", "--bless"]).stdout,
        "ok        first\n"
    );
    // A checkout with different line endings compares as equal.
    fs::write(&golden, written.replace('\n', "\r\n")).expect("it can be written");
    assert_eq!(run(&folder, &["test"]).code, 0);
}

#[test]
fn a_difference_is_shown_with_both_causes_and_can_be_blessed() {
    let folder = blessed("golden_differs");
    change(
        &folder.join("ads/second.yaml"),
        "after: 190ms",
        "after: 240ms",
    );
    change(
        &folder.join("ads/second.yaml"),
        "after: 120ms, text: \"<VAST version='4.2'/>\"",
        "status: 404",
    );
    let ran = run(&folder, &["test"]);
    assert_eq!(ran.code, 1);
    snapshot("test", &ran.stdout);
    assert_eq!(
        ran.stderr,
        "2 cases: 1 ok, 1 differs\nTo accept these traces: playsim test --bless\n"
    );
    let blessed = run(&folder, &["test", "--bless", "--name", "second"]);
    assert_eq!(
        (blessed.code, blessed.stdout.as_str()),
        (0, "updated   ads/second\n")
    );
    assert_eq!(run(&folder, &["test"]).code, 0);
}

#[test]
fn other_settings_and_other_seeds_are_differences_from_a_golden_trace() {
    let folder = blessed("golden_turns");
    let golden = folder.join("ads/first.trace");
    change(&golden, "seed 0", "seed 7");
    let ran = run(&folder, &["test", "ads/first.yaml"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout
            .contains("- playsim trace 1  profile default  seed 7\n"),
        "{}",
        ran.stdout
    );
    change(&golden, "seed 7", "seed 0");
    change(&golden, "requestAd\n", "requestAd \n");
    let ran = run(&folder, &["test", "ads/first.yaml"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout
            .contains("ads/first.trace:8:1: same content, but a different layout"),
        "{}",
        ran.stdout
    );
    fs::write(&golden, "something else\n").expect("it can be written");
    let ran = run(&folder, &["test", "ads/first.yaml"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout
            .contains("ads/first.trace:1:1: this is not a trace"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_failing_case_is_not_blessed() {
    let folder = blessed("golden_failed");
    change(
        &folder.join("ads/first.yaml"),
        "data: { wp: 1 }",
        "data: { wp: 0 }",
    );
    let ran = run(&folder, &["test"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout
            .starts_with("failed    ads/first\nads/first.yaml:34:5: expectation 2 failed\n")
    );
    change(
        &folder.join("ads/first.yaml"),
        "after: 190ms",
        "after: 240ms",
    );
    let golden = folder.join("ads/first.trace");
    let before = fs::read_to_string(&golden).expect("it is there");
    let ran = run(&folder, &["test", "--bless"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout
            .starts_with("failed    ads/first  ads/first.trace is unchanged: "),
        "{}",
        ran.stdout
    );
    assert_eq!(fs::read_to_string(&golden).expect("it is there"), before);
}

#[test]
fn in_ci_a_missing_and_an_orphaned_golden_trace_fail() {
    let folder = blessed("golden_ci");
    assert_eq!(in_ci(&folder, &["test"]).code, 0);
    fs::rename(
        folder.join("ads/second.yaml"),
        folder.join("ads/third.json.yaml"),
    )
    .expect("it is there");
    let missing =
        "ads/third.json  no golden trace; playsim test --bless ads/third.json.yaml writes it\n";
    let orphan = "ads/second.trace  it has no scenario; --bless removes it\n";
    let ran = in_ci(&folder, &["test"]);
    assert_eq!(ran.code, 1);
    assert_eq!(
        ran.stdout,
        format!("ok        ads/first\nmissing   {missing}orphaned  {orphan}")
    );
    let ran = run(&folder, &["test"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.stdout
            .contains("new       ads/third.json  no golden trace yet"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.ends_with(&format!("orphaned  {orphan}")),
        "{}",
        ran.stdout
    );
    // An orphan belongs to no case that could be selected.
    assert_eq!(in_ci(&folder, &["test", "--name", "first"]).code, 0);
    assert_eq!(in_ci(&folder, &["test", "ads/first.yaml"]).code, 0);
    let ran = run(&folder, &["test", "--bless"]);
    assert!(
        ran.stdout
            .ends_with("removed   ads/second.trace  it has no scenario\n"),
        "{}",
        ran.stdout
    );
    assert!(!folder.join("ads/second.trace").exists());
    assert_eq!(in_ci(&folder, &["test"]).code, 0);
    // Files that merely have the same extension are ignored.
    fs::write(folder.join("ads/kernel.trace"), "0xffff\n").expect("it can be written");
    assert_eq!(
        in_ci(&folder, &["test", "--bless"]).stdout,
        "ok        ads/first\nok        ads/third.json\n"
    );
    assert!(folder.join("ads/kernel.trace").exists());
}

#[test]
fn cases_are_chosen_by_path_and_name() {
    let folder = blessed("golden_names");
    let chosen = |args: &[&str]| run(&folder, &[&["test"], args].concat()).stdout;
    assert_eq!(chosen(&["-k", "first"]), "ok        ads/first\n");
    assert_eq!(
        chosen(&["--name", "ads/*"]),
        "ok        ads/first\nok        ads/second\n"
    );
    assert_eq!(chosen(&["-k", "f*,nothing"]), "ok        ads/first\n");
    assert_eq!(
        chosen(&["ads", "ads/second.yaml", "./ads"]),
        "ok        ads/first\nok        ads/second\n"
    );
    let nothing = run(&folder, &["test", "-k", "fist"]);
    assert_eq!((nothing.code, nothing.stdout.as_str()), (4, ""));
    assert_eq!(
        nothing.stderr,
        "error: no case matches --name 'fist'; did you mean 'first'?\n"
    );
    fs::create_dir(folder.join("empty")).expect("it can be made");
    let empty = run(&folder, &["test", "empty"]);
    assert_eq!(empty.code, 4);
    assert!(
        empty.stderr.contains("playsim new first"),
        "{}",
        empty.stderr
    );
}

#[test]
fn files_of_other_tools_are_skipped_and_wrong_scenarios_are_not() {
    let folder = blessed("golden_strangers");
    let write =
        |name: &str, text: &str| fs::write(folder.join(name), text).expect("it can be written");
    fs::create_dir_all(folder.join(".hidden")).expect("it can be made");
    write(".hidden/case.yaml", "videos: nonsense");
    write("compose.yaml", "services: {}\n");
    write("package.json", "{ \"name\": \"x\" }");
    let ran = run(&folder, &["test"]);
    assert_eq!(ran.code, 0);
    assert_eq!(
        ran.stderr,
        "skipped, not scenarios: compose.yaml, package.json\n2 cases: 2 ok\n"
    );
    let given = run(&folder, &["test", "compose.yaml"]);
    assert_eq!(given.code, 2);
    assert_eq!(
        given.stderr,
        "error: compose.yaml is not a scenario: it has neither \"videos\" nor \"steps\"\n"
    );
    write("typo.yaml", "vidoes: []\n");
    write("broken.yaml", "videos: [");
    let ran = run(&folder, &["test"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stdout.ends_with("wrong     broken\nwrong     typo\n"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stderr.contains("did you mean \"videos\"?"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.ends_with("4 cases: 2 ok, 2 wrong\n"),
        "{}",
        ran.stderr
    );
    assert_eq!(run(&folder, &["test", "nothing.yaml"]).code, 3);
    assert_eq!(run(&folder, &["test", "ads/first.trace"]).code, 2);
    assert_eq!(run(&folder, &["test", "-"]).code, 2);
}

#[test]
fn two_scenarios_never_share_a_golden_trace() {
    let folder = folder_with_first("golden_shared");
    fs::copy(folder.join("first.yaml"), folder.join("first.yml")).expect("it is there");
    let ran = run(&folder, &["test", "--bless"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert_eq!(
        ran.stderr,
        "error: first.yaml and first.yml have the same golden trace, first.trace; rename one\n"
    );
    assert!(!folder.join("first.trace").exists());
}

#[test]
fn reports_name_the_failures_for_other_programs() {
    let folder = blessed("golden_reports");
    change(&folder.join("ads/first.trace"), "adMidpoint", "adMiddle");
    change(
        &folder.join("ads/second.yaml"),
        "data: { wp: 1 }",
        "data: { wp: 0 }",
    );
    assert_eq!(run(&folder, &["new", "new #1"]).code, 0);
    let ran = run(&folder, &["test", "--report", "tap"]);
    assert_eq!(ran.code, 1);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(
        lines[..6],
        [
            "TAP version 14",
            "1..3",
            "not ok 1 - ads/first",
            "  ---",
            "  verdict: differs",
            "  details: |"
        ]
    );
    assert!(
        lines.contains(&"not ok 2 - ads/second") && lines.contains(&"ok 3 - new \\#1"),
        "{}",
        ran.stdout
    );
    let ran = run(&folder, &["test", "--report", "github"]);
    let commands: Vec<&str> = ran
        .stdout
        .lines()
        .filter(|line| line.starts_with("::"))
        .collect();
    assert_eq!(commands.len(), 3, "{}", ran.stdout);
    assert!(
        commands[0].starts_with("::error file=ads/first.yaml,title=playsim%3A ads/first differs::")
    );
    assert!(commands[0].contains("%0A-"), "{}", commands[0]);
    assert!(
        commands[1].starts_with("::error file=ads/second.yaml,line=34,col=5,title="),
        "{}",
        commands[1]
    );
    assert!(
        commands[2].starts_with("::warning file=new #1.yaml,"),
        "{}",
        commands[2]
    );
    let ran = run(&folder, &["test", "--report", "junit=out.xml"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stdout.starts_with("differs   ads/first\n"),
        "the list is printed in addition to the file"
    );
    let xml = fs::read_to_string(folder.join("out.xml")).expect("it was written");
    let document = roxmltree::Document::parse(&xml).expect("it is XML");
    let cases: Vec<_> = document
        .descendants()
        .filter(|node| node.has_tag_name("testcase"))
        .collect();
    let attribute =
        |index: usize, name: &str| cases[index].attribute(name).unwrap_or_default().to_owned();
    assert_eq!(
        (attribute(0, "classname"), attribute(0, "name")),
        ("ads".to_owned(), "first".to_owned())
    );
    let failures = document
        .descendants()
        .filter(|node| node.has_tag_name("failure"));
    assert_eq!(
        failures
            .map(|node| node.attribute("type"))
            .collect::<Vec<_>>(),
        [Some("differs"), Some("failed")]
    );
    assert_eq!(
        run(&folder, &["test", "--report", "junit=no/such/folder.xml"]).code,
        3
    );
    assert_eq!(
        run(&folder, &["test", "--report", "sarif=out.sarif"]).code,
        1
    );
    let sarif = fs::read_to_string(folder.join("out.sarif")).expect("it was written");
    let sarif: serde_json::Value = serde_json::from_str(&sarif).expect("it is JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let place = |result: &serde_json::Value| {
        let uri = &result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
        uri.as_str().expect("a file").to_owned()
    };
    let places: Vec<String> = results.iter().map(place).collect();
    assert!(places.contains(&"ads/first.yaml".to_owned()), "{places:?}");
    assert!(places.contains(&"ads/second.yaml".to_owned()), "{places:?}");
    assert_eq!(
        run(&folder, &["test", "--report", "sarif=no/such/folder.sarif"]).code,
        3
    );
    let ran = run(&folder, &["test", "--report", "html=out.html"]);
    assert_eq!(ran.code, 1);
    snapshot(
        "test_report_html",
        &fs::read_to_string(folder.join("out.html")).expect("it was written"),
    );
    assert_eq!(
        run(&folder, &["test", "--report", "html=no/such/folder.html"]).code,
        3
    );
    for (word, reported) in [
        ("html", "html needs a file, such as html=report.html"),
        ("junit", "junit needs a file, such as junit=report.xml"),
        (
            "tap=file",
            "tap is written to standard output and takes no file",
        ),
        ("tpa", "unknown report \"tpa\"; did you mean \"tap\"?"),
    ] {
        let ran = run(&folder, &["test", "--report", word]);
        assert_eq!(ran.code, 2);
        assert!(ran.stderr.contains(reported), "{}", ran.stderr);
    }
}

#[test]
fn the_projects_own_scenarios_are_cases_too() {
    let folder = folder("golden_fixtures");
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/scenarios/canonical");
    for entry in fs::read_dir(&fixtures).expect("it is there") {
        let path = entry.expect("it can be read").path();
        let name = path
            .file_name()
            .expect("it has a name")
            .to_string_lossy()
            .into_owned();
        match name
            .strip_suffix(".snap")
            .filter(|name| !name.ends_with(".jsonl"))
        {
            // A snapshot is the golden trace below its own header.
            Some(stem) => {
                let text = fs::read_to_string(&path).expect("it is UTF-8");
                let trace = text
                    .splitn(3, "---\n")
                    .nth(2)
                    .expect("it has a head")
                    .trim_end();
                fs::write(folder.join(format!("{stem}.trace")), format!("{trace}\n"))
                    .expect("it can be written");
            }
            None => {
                fs::copy(&path, folder.join(&name)).expect("it can be copied");
            }
        }
    }
    let ran = in_ci(&folder, &["test"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.lines().count() > 3, "{}", ran.stdout);
    assert!(
        ran.stdout.lines().all(|line| line.starts_with("ok ")),
        "{}",
        ran.stdout
    );
}
