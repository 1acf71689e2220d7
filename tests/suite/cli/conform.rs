//! Recordings of players on the command line: `conform report`, `conform fit`,
//! `explain --scenario`, `test`. The player is made of the simulator, with knobs that only it has
//! and with the delays of a browser.

use super::*;
use crate::conform::report::{BROWSER, case, knobs, recording_of};

const CASES: [&str; 4] = ["no_ads", "post_roll", "pre_roll", "seek_over_two_cues"];
/// What the player does otherwise.
const OWN: [(&str, &str); 2] = [("postroll.ask", "-2s"), ("midroll.seek_policy", "all")];

fn suite() -> String {
    format!("{}/conform/suite", env!("CARGO_MANIFEST_DIR"))
}

/// A folder with recordings of one player, one for each case.
fn recordings(name: &str) -> PathBuf {
    recordings_of(name, &CASES, &OWN)
}

fn recordings_of(name: &str, cases: &[&str], own: &[(&str, &str)]) -> PathBuf {
    let folder = folder(name);
    fs::create_dir(folder.join("some")).expect("a folder can be made");
    for name in cases {
        let trace = case(name).play(&knobs(own)).expect("it plays");
        let file = folder.join(format!("some/{name}.jsonl"));
        fs::write(file, recording_of(&trace, BROWSER)).expect("it can be written");
    }
    folder
}

#[test]
fn a_report_has_a_cell_for_each_case_in_all_formats() {
    let folder = recordings("conform_report");
    let suite = suite();
    let report = |more: &[&str]| {
        run(
            &folder,
            &[&["conform", "report", "some", "--suite", &suite], more].concat(),
        )
    };
    let ran = report(&[]);
    // Each differs in one knob, which gives the behaviour its name; that is no success without a
    // baseline that has it.
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    snapshot("conform_report", &ran.stdout);
    let own = report(&[
        "--knob",
        "postroll.ask=-2s",
        "--knob",
        "midroll.seek_policy=all",
    ]);
    assert!(
        own.stdout
            .starts_with("some: 4 of 4 cases same as profile default"),
        "{}",
        own.stdout
    );
    let json: Json =
        serde_json::from_str(&report(&["--format", "json"]).stdout).expect("it is JSON");
    let verdict = |case: usize| &json["cases"][case]["cells"][0]["verdict"];
    assert_eq!([0, 1, 2, 3].map(verdict), ["same", "knob", "same", "knob"]);
    let junit = report(&["--format", "junit"]).stdout;
    assert!(
        junit.contains("tests=\"4\"") && junit.contains("name=\"post_roll\""),
        "{junit}"
    );
    let page = report(&["--format", "html", "--fit", "-o", "report.html"]);
    assert_eq!(
        (page.code, page.stdout.as_str()),
        (1, ""),
        "{}",
        page.stderr
    );
    let page = fs::read_to_string(folder.join("report.html")).expect("it is written");
    for due in [
        "<!doctype html>",
        "seek_over_two_cues",
        "midroll.seek_policy=all",
    ] {
        assert!(page.contains(due), "{due} is not in the page");
    }
}

#[test]
fn a_baseline_is_a_folder_or_a_file() {
    let folder = recordings("conform_baseline");
    let suite = suite();
    let report = |more: &[&str]| {
        run(
            &folder,
            &[&["conform", "report", "some", "--suite", &suite], more].concat(),
        )
    };
    let written = report(&["--write-baseline", "expected.json"]);
    assert_eq!(written.code, 1, "{}", written.stderr);
    for baseline in ["some", "expected.json"] {
        let held = report(&["--baseline", baseline]);
        assert_eq!(
            (held.code, held.stderr.as_str()),
            (0, ""),
            "{}",
            held.stdout
        );
        assert!(
            held.stdout.contains("baseline: 0 new, 0 changed, 0 fixed"),
            "{}",
            held.stdout
        );
    }
    // A tracker less, and a case less.
    let file = folder.join("some/pre_roll.jsonl");
    let kept = fs::read_to_string(&file).expect("it is there");
    let kept: String = kept
        .lines()
        .filter(|line| !line.contains("/midpoint"))
        .flat_map(|it| [it, "\n"])
        .collect();
    fs::write(&file, kept).expect("it can be written");
    fs::remove_file(folder.join("some/no_ads.jsonl")).expect("it is there");
    let worse = report(&["--baseline", "expected.json"]);
    assert_eq!(worse.code, 1, "{}", worse.stdout);
    assert!(
        worse.stdout.contains("DIFFERS, 1 fault, NEW"),
        "{}",
        worse.stdout
    );
    assert!(
        worse
            .stderr
            .contains("1 cell of the baseline have no recording now"),
        "{}",
        worse.stderr
    );
    let junit = report(&["--baseline", "expected.json", "--format", "junit"]).stdout;
    assert!(
        junit.contains("failures=\"1\"") && junit.contains("new against the baseline"),
        "{junit}"
    );
    fs::write(folder.join("wrong.json"), "{}").expect("it can be written");
    let wrong = report(&["--baseline", "wrong.json"]);
    assert_eq!(wrong.code, 2, "{}", wrong.stdout);
    assert!(
        wrong
            .stderr
            .contains("wrong.json: it is not a file of --write-baseline"),
        "{}",
        wrong.stderr
    );
}

#[test]
fn a_site_is_a_folder_with_pages_and_the_recordings() {
    let folder = recordings("conform_site");
    let shots = folder.join("some/pre_roll.shots");
    fs::create_dir(&shots).expect("a folder can be made");
    fs::write(shots.join("0000100000_ad.jpg"), b"a picture").expect("it can be written");
    fs::write(shots.join("notes.txt"), b"no picture").expect("it can be written");
    let ran = run(
        &folder,
        &[
            "conform",
            "report",
            "some",
            "--suite",
            &suite(),
            "--format",
            "site",
            "-o",
            "site",
        ],
    );
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let read =
        |path: &str| fs::read_to_string(folder.join("site").join(path)).expect("it is written");
    assert!(read("index.html").contains("href=\"situations/situations.html\""));
    assert!(
        read("situations/situations.html").contains("href=\"../players/some/pre_roll.html#some")
    );
    let page = read("players/some/pre_roll.html");
    for due in [
        "recordings/1-some/pre_roll.jsonl",
        "recordings/1-some/pre_roll-0000100000-ad.jpg",
    ] {
        assert!(
            page.contains(&format!("href=\"../../{due}\"")),
            "{due} is not in the page"
        );
        assert!(
            folder.join("site").join(due).exists(),
            "{due} is not in the folder"
        );
    }
    assert!(
        page.contains("img-src 'self'") && !page.contains("notes.txt"),
        "{page}"
    );
    let lost = run(
        &folder,
        &[
            "conform",
            "report",
            "some",
            "--suite",
            &suite(),
            "--format",
            "site",
        ],
    );
    assert!(
        lost.stderr.contains("name it with -o FOLDER"),
        "{}",
        lost.stderr
    );
}

#[test]
fn an_adapter_begins_as_a_template() {
    let folder = folder("conform_template");
    let made = run(
        &folder,
        &["conform", "init-adapter", "my-player", "-o", "conform"],
    );
    assert_eq!(made.code, 0, "{}", made.stderr);
    let adapter = fs::read_to_string(folder.join("conform/my-player.js")).expect("it is written");
    assert!(
        adapter.contains("name: 'my-player'") && !adapter.contains("PLAYER"),
        "{adapter}"
    );
    let types =
        fs::read_to_string(folder.join("conform/playsim-conform.d.ts")).expect("it is written");
    assert!(types.contains("interface Adapter") && adapter.contains("playsim-conform.d.ts"));
    let again = run(
        &folder,
        &["conform", "init-adapter", "my-player", "-o", "conform"],
    );
    assert_eq!(again.code, 2, "{}", again.stdout);
    assert!(
        again.stderr.contains("already exists; nothing was written"),
        "{}",
        again.stderr
    );
    let wrong = run(&folder, &["conform", "init-adapter", "../x"]);
    assert!(
        wrong.code == 2 && wrong.stderr.contains("like fluid-player"),
        "{}",
        wrong.stderr
    );
}

#[test]
fn a_fit_is_a_profile_that_explains_the_player() {
    let folder = recordings("conform_fit");
    for name in [
        "post_roll_without_an_ad",
        "pre_mid_and_post_roll",
        "seek_over_two_cues_and_back",
        "seek_over_a_cue_before_the_start",
    ] {
        let trace = case(name).play(&knobs(&OWN)).expect("it plays");
        let file = folder.join(format!("some/{name}.jsonl"));
        fs::write(file, recording_of(&trace, BROWSER)).expect("it can be written");
    }
    let suite = suite();
    let fit = run(
        &folder,
        &[
            "conform",
            "fit",
            "some",
            "--suite",
            &suite,
            "--profile",
            "default",
            "-o",
            "some.yaml",
        ],
    );
    assert_eq!(fit.code, 0, "{}", fit.stderr);
    let (decided, undecided) = fit.stdout.split_once("Not decided").expect("both are said");
    assert!(decided.contains("postroll.ask=-2s"), "{}", fit.stdout);
    assert!(
        undecided.contains("midroll.seek_policy=all")
            && undecided.contains("for it: seek_over_two_cues"),
        "{}",
        fit.stdout
    );
    let args = [
        "conform",
        "report",
        "some",
        "--suite",
        &suite,
        "--profile",
        "some.yaml",
    ];
    let report = run(&folder, &args);
    assert!(
        report
            .stdout
            .starts_with("some: 6 of 8 cases same as profile"),
        "{}",
        report.stdout
    );
    // The file is a profile everywhere.
    let scenario = format!("{suite}/post_roll.yaml");
    let played = run(
        &folder,
        &[
            "run",
            &scenario,
            "--profile",
            "some.yaml",
            "--only",
            "requestAd,lastSecond",
        ],
    );
    let place = |name: &str| {
        played
            .stdout
            .find(name)
            .unwrap_or_else(|| panic!("{}", played.stdout))
    };
    assert!(
        place("requestAd") < place("lastSecond"),
        "{}",
        played.stdout
    );
}

/// Three explanations differ from the fit in the same situation.
#[test]
fn situations_that_would_tell_more_are_counted_or_written() {
    let own = [("complete.at", "-1s"), ("quartile.at", "whole_second")];
    let cases = [
        "pre_roll",
        "pause_in_the_content",
        "post_roll",
        "replay_after_a_pre_roll",
    ];
    let folder = recordings_of("conform_suggest", &cases, &own);
    let suite = suite();
    let fit = |more: &[&str]| {
        let args = ["conform", "fit", "some", "--suite", &suite, "--no-held-out"];
        run(
            &folder,
            &[&args[..], &["--profile", "default"], more].concat(),
        )
    };
    let counted = fit(&[]);
    let hint = "1 situation would tell more: --suggest FOLDER writes the scenarios";
    assert!(counted.stdout.contains(hint), "{}", counted.stdout);
    assert_eq!(counted.stderr, "");
    let written = fit(&["--suggest", "more"]);
    assert_eq!(written.code, 0, "{}", written.stderr);
    assert!(
        !written.stdout.contains("would tell more"),
        "{}",
        written.stdout
    );
    assert_eq!(
        written.stderr,
        "wrote 1 scenario that would tell more: more\n"
    );
    let file = "more/pause_in_the_content_ads_of_7000_ms.yaml";
    let text = fs::read_to_string(folder.join(file)).expect("it is written");
    let told = text
        .lines()
        .filter(|line| line.contains("Tells the fit from"));
    assert_eq!(told.count(), 3, "{text}");
    let played = run(&folder, &["run", file]);
    assert!(played.stdout.contains("adStart"), "{}", played.stderr);
}

#[test]
fn what_cannot_be_reported_is_said() {
    let folder = recordings("conform_wrong");
    let suite = suite();
    let lost = run(&folder, &["conform", "report", "some"]);
    assert_eq!(lost.code, 2, "{}", lost.stdout);
    assert!(
        lost.stderr
            .contains("give the folder of the cases with --suite"),
        "{}",
        lost.stderr
    );
    fs::create_dir(folder.join("empty")).expect("a folder can be made");
    let empty = run(&folder, &["conform", "report", "empty", "--suite", &suite]);
    assert!(
        empty
            .stderr
            .contains("empty has no recordings (.jsonl, .json)"),
        "{}",
        empty.stderr
    );
    let fit = run(
        &folder,
        &["conform", "report", "some", "--suite", &suite, "--fit"],
    );
    assert!(
        fit.stderr.contains("give --format html as well"),
        "{}",
        fit.stderr
    );
    fs::write(folder.join("some/no_ads.jsonl"), "{\"t\": 0}\n").expect("it can be written");
    let broken = run(&folder, &["conform", "report", "some", "--suite", &suite]);
    assert_eq!(broken.code, 2, "{}", broken.stdout);
    assert!(
        broken.stderr.contains("no_ads.jsonl:1"),
        "{}",
        broken.stderr
    );
}

#[test]
fn a_line_of_a_recording_is_explained_by_its_simulated_counterpart() {
    let folder = recordings("conform_explain");
    let scenario = format!("{}/pre_roll.yaml", suite());
    let explain = |event: &str| {
        run(
            &folder,
            &[
                "explain",
                "some/pre_roll.jsonl",
                "--scenario",
                &scenario,
                "--event",
                event,
            ],
        )
    };
    // The third request of the recording is a tracker in the simulation.
    let text = fs::read_to_string(folder.join("some/pre_roll.jsonl")).expect("it is there");
    let line = text
        .lines()
        .position(|line| line.contains("midpoint"))
        .expect("it is called");
    let ran = explain(&line.to_string());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stderr.contains(" corresponds to seq "),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stdout.contains("midpoint") && ran.stdout.contains("BRK-"),
        "{}",
        ran.stdout
    );
    let missing = explain("adSkip");
    assert_eq!(missing.code, 4, "{}", missing.stdout);
    // With the settings of the player what it does otherwise has a counterpart, too.
    let scenario = format!("{}/seek_over_two_cues.yaml", suite());
    let file = "some/seek_over_two_cues.jsonl";
    let text = fs::read_to_string(folder.join(file)).expect("it is there");
    let first = text
        .lines()
        .position(|line| line.contains("impression?ad=1"))
        .expect("it is called");
    let args = [
        "explain",
        file,
        "--scenario",
        &scenario,
        "--event",
        &first.to_string(),
    ];
    let without = run(&folder, &args);
    assert!(
        without.stderr.contains("has no counterpart"),
        "{}",
        without.stderr
    );
    let with = run(
        &folder,
        &[&args[..], &["--knob", "midroll.seek_policy=all"]].concat(),
    );
    assert_eq!(with.code, 0, "{}", with.stderr);
}

#[test]
fn a_recording_is_a_golden_trace() {
    let folder = recordings("conform_golden");
    for name in ["ad_1.xml", "pre_roll.yaml"] {
        fs::copy(format!("{}/{name}", suite()), folder.join(name)).expect("it can be copied");
    }
    let golden = folder.join("pre_roll.jsonl");
    fs::rename(folder.join("some/pre_roll.jsonl"), &golden).expect("it can be moved");
    let same = run(&folder, &["test", "pre_roll.yaml"]);
    assert_eq!(
        (same.code, same.stdout.as_str()),
        (0, "ok        pre_roll\n"),
        "{}",
        same.stderr
    );
    // Events under the player's own names are no difference.
    let native = "{\"t\":99000000,\"kind\":\"native\",\"name\":\"loaded\"}\n";
    let recorded = fs::read_to_string(&golden).expect("it is there");
    fs::write(&golden, format!("{}\n{native}", recorded.trim_end())).expect("it can be written");
    let same = run(&folder, &["test", "pre_roll.yaml"]);
    assert_eq!(
        (same.code, same.stdout.as_str()),
        (0, "ok        pre_roll\n"),
        "{}",
        same.stderr
    );
    // A recording is what a player did: it is never written.
    let recorded = fs::read_to_string(&golden).expect("it is there");
    let kept = recorded.lines().filter(|line| !line.contains("complete"));
    let without: String = kept.flat_map(|line| [line, "\n"]).collect();
    fs::write(&golden, &without).expect("it can be written");
    for args in [
        &["test", "pre_roll.yaml"][..],
        &["test", "pre_roll.yaml", "--bless"],
    ] {
        let ran = run(&folder, args);
        assert_eq!(ran.code, 1, "{}", ran.stdout);
        assert!(
            ran.stdout.contains("http://t.test/complete?ad=1"),
            "{}",
            ran.stdout
        );
        assert_eq!(fs::read_to_string(&golden).expect("it is there"), without);
    }
}
