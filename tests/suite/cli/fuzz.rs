//! `playsim fuzz`: what fails is found, reduced, written and found again, whatever the number of
//! threads.

use playsim::Scenario;

use super::*;

/// A film with a pre-roll that may be skipped after a second, and what its page expects.
const CASE: &str = "\
name: nobody skips
videos: [{ id: film, renditions: { sd: film.mp4 } }]
media: { film.mp4: { duration: 6s }, spot.mp4: { duration: 4s } }
network:
  https://ads.test/a: { after: 200ms, file: ad.xml }
player: { ads: [{ adType: 0, adTimeType: s, mobile: [https://ads.test/a] }] }
expect:
  - { never: adSkip }
";

const AD: &str = "\
<VAST version='4.2'><Ad id='a'><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>
<Impression>https://t.test/i</Impression><Creatives><Creative><Linear skipoffset='00:00:01'>
<Duration>00:00:04</Duration><MediaFiles><MediaFile delivery='progressive' type='video/mp4' width='1' height='1'>spot.mp4</MediaFile>
</MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>
";

fn folder_with_case(name: &str) -> PathBuf {
    let folder = folder(name);
    fs::write(folder.join("case.yaml"), CASE).expect("it can be written");
    fs::write(folder.join("ad.xml"), AD).expect("it can be written");
    folder
}

fn scenario(text: &str) -> Scenario {
    let none = &mut |path: &str| panic!("it needs no file {path}");
    playsim::scenario::read("case.yaml", text, none).expect("it can be read")
}

#[test]
fn a_session_that_fails_is_reduced_written_and_found_again() {
    let folder = folder_with_case("fuzz_fails");
    let ran = run(&folder, &["fuzz", "case.yaml", "--vary", "steps"]);
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout
            .contains("the scenario's own expectations are met"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("expected no adSkip event; it fired"),
        "{}",
        ran.stdout
    );
    let command = ran
        .stdout
        .lines()
        .find_map(|line| line.trim().strip_prefix("command"));
    let command: Vec<&str> = command
        .expect("it prints the command")
        .split_whitespace()
        .collect();
    let ["playsim", args @ ..] = &command[..] else {
        panic!("{command:?}")
    };
    let written = fs::read_to_string(folder.join(args[1])).expect("the scenario was written");
    assert!(
        written.contains("skip") && written.contains("never: adSkip"),
        "{written}"
    );
    let drawn = scenario(&written);
    assert_eq!(drawn.steps.len(), 3, "created, played, skipped: {written}");
    let given = scenario(&CASE.replace("file: ad.xml", &format!("text: {AD:?}")));
    assert_eq!(
        (drawn.network, drawn.media, drawn.videos),
        (given.network, given.media, given.videos)
    );
    let again = run(&folder, args);
    assert_eq!(
        (again.code, again.stderr.as_str()),
        (1, ""),
        "{}",
        again.stdout
    );
    assert!(
        again
            .stdout
            .starts_with(&format!("{} breaks a law\n", args[1])),
        "{}",
        again.stdout
    );
    assert!(
        again.stdout.contains("expected no adSkip event; it fired"),
        "{}",
        again.stdout
    );
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let found = |threads: &str| {
        let folder = folder_with_case(&format!("fuzz_threads_{threads}"));
        let args = [
            "fuzz",
            "case.yaml",
            "--seed",
            "100",
            "--format",
            "json",
            "--threads",
            threads,
        ];
        let ran = run(&folder, &args);
        let json: Json = serde_json::from_str(&ran.stdout).expect("it is JSON");
        let file = json["failure"]["file"]
            .as_str()
            .expect("it fails")
            .to_owned();
        (
            ran.code,
            json,
            fs::read_to_string(folder.join(file)).expect("it was written"),
        )
    };
    let one = found("1");
    assert_eq!((one.0, &one.1["failure"]["drawn"]), (1, &Json::Bool(true)));
    assert_eq!(one, found("2"));
}

#[test]
fn a_corpus_is_judged_first_and_gets_the_failure() {
    let folder = folder_with_case("fuzz_corpus");
    let args = ["fuzz", "case.yaml", "--vary", "steps", "--corpus", "found"];
    assert_eq!(run(&folder, &args).code, 1);
    let files: Vec<_> = fs::read_dir(folder.join("found"))
        .expect("it was made")
        .collect();
    assert_eq!(files.len(), 1);
    let again = run(&folder, &args);
    let file = Path::new("found").join(files[0].as_ref().expect("it is readable").file_name());
    assert_eq!(again.code, 1);
    assert!(
        again
            .stdout
            .starts_with(&format!("{} breaks a law\n", file.display())),
        "{}",
        again.stdout
    );
    // Alone, without a scenario.
    assert_eq!(
        run(&folder, &["fuzz", "--corpus", "found", "--runs", "0"]).code,
        1
    );
}

#[test]
fn without_a_finding_it_says_what_was_reached_and_what_not() {
    let folder = folder_with_case("fuzz_reached");
    let ran = run(
        &folder,
        &[
            "fuzz",
            "--runs",
            "40",
            "--feature",
            "ads,late",
            "--steps",
            "4",
        ],
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    assert!(ran.stdout.starts_with("40 sessions, "), "{}", ran.stdout);
    let (_, missing) = ran
        .stdout
        .split_once("\nnot reached\n")
        .expect("it says what is missing");
    assert!(
        missing.contains("livestreamstopped") && !missing.contains(" ready,"),
        "{missing}"
    );
    let ran = run(&folder, &["fuzz", "--runs", "40", "--format", "json"]);
    let json: Json = serde_json::from_str(&ran.stdout).expect("it is JSON");
    assert_eq!(
        (&json["sessions"], &json["failure"]),
        (&Json::from(40), &Json::Null)
    );
    assert!(
        json["reached"]["events"]["seen"]["ready"].as_u64() > Some(0),
        "{json}"
    );
    assert_eq!(
        fs::read_dir(&folder).expect("it is readable").count(),
        2,
        "nothing is written"
    );
}

#[test]
fn time_ends_it() {
    let ran = run(&folder("fuzz_time"), &["fuzz", "--time", "200ms"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("every law holds"), "{}", ran.stdout);
}

/// Runs for an hour, unless a signal comes: as soon as sessions are played, which nothing shows, so
/// later and later.
#[cfg(unix)]
fn interrupted(folder: &Path, signal: &str, args: &[&str]) -> Ran {
    let mut wait = std::time::Duration::from_millis(100);
    loop {
        let mut command = command(folder, &[args, &["--time", "1h"]].concat());
        let child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary runs");
        std::thread::sleep(wait);
        let killed = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status();
        assert!(killed.expect("kill runs").success());
        let output = child.wait_with_output().expect("it ends");
        let was_early = output.status.code().is_none()
            || output.stdout.starts_with(b"interrupted after 0 ")
            || String::from_utf8_lossy(&output.stdout).contains("\"sessions\":0");
        if !was_early || wait > std::time::Duration::from_secs(10) {
            return Ran::from(output);
        }
        wait *= 2;
    }
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_with_what_was_done_so_far() {
    let folder = folder_with_case("fuzz_signal");
    fs::write(
        folder.join("plain.yaml"),
        CASE.replace("expect:\n  - { never: adSkip }\n", ""),
    )
    .expect("it can be written");
    for (signal, args) in [
        ("-INT", &["fuzz"][..]),
        ("-TERM", &["fuzz", "--format", "json"]),
        ("-INT", &["fuzz", "plain.yaml"]),
    ] {
        let ran = interrupted(&folder, signal, args);
        assert_eq!(
            (ran.code, ran.stderr.as_str()),
            (130, ""),
            "{args:?}: {}",
            ran.stdout
        );
        if args.contains(&"json") {
            let json: Json = serde_json::from_str(&ran.stdout).expect("it is JSON");
            assert_eq!(
                (&json["interrupted"], &json["failure"]),
                (&Json::Bool(true), &Json::Null)
            );
            assert!(json["sessions"].as_u64() > Some(0), "{json}");
        } else {
            assert!(
                ran.stdout.starts_with("interrupted after "),
                "{}",
                ran.stdout
            );
            assert!(
                ran.stdout.contains("every law held until then")
                    && ran.stdout.contains("\nreached\n")
            );
        }
    }
}

#[test]
fn it_says_which_features_are_not_drawn_around_a_scenario() {
    let folder = folder_with_case("fuzz_not_drawn");
    let not_drawn = |args: &[&str]| {
        let ran = run(
            &folder,
            &[
                &["fuzz", "--runs", "3", "--seed", "3", "--format", "json"],
                args,
            ]
            .concat(),
        );
        let json: Json = serde_json::from_str(&ran.stdout).expect("it is JSON");
        let names = json["not_drawn"].as_array().expect("a list").iter();
        names
            .map(|name| name.as_str().expect("a name").to_owned())
            .collect::<Vec<_>>()
            .join(" ")
    };
    assert_eq!(not_drawn(&[]), "");
    assert_eq!(
        not_drawn(&["case.yaml"]),
        "bids live several units elements settings"
    );
    assert_eq!(not_drawn(&["case.yaml", "--feature", "ads,live"]), "live");
    assert_eq!(
        not_drawn(&["case.yaml", "--feature", "late,people", "--vary", "steps"]),
        "late"
    );
    let ran = run(&folder, &["fuzz", "case.yaml", "--runs", "0"]);
    let (_, end) = ran
        .stdout
        .split_once("\nnot drawn around this scenario\n")
        .expect("it says so");
    assert_eq!(
        end,
        "  features             bids, live, several, units, elements, settings\n"
    );
}

#[test]
fn wrong_arguments_are_told() {
    let folder = folder_with_case("fuzz_wrong");
    fs::write(folder.join("broken.yaml"), "videos: 7\n").expect("it can be written");
    let cases: [(&[&str], i32, &str); 10] = [
        (&["nix.yaml"], 3, "cannot read nix.yaml"),
        (&["broken.yaml"], 2, "videos"),
        (
            &["case.yaml", "--vary", "step"],
            2,
            "did you mean \"steps\"?",
        ),
        (&["--feature", "ad"], 2, "did you mean \"ads\"?"),
        (&["--time", "soon"], 2, "--time"),
        (&["--runs", "-1"], 2, "must be a whole number from 0"),
        (
            &["--steps", "10001"],
            2,
            "must be a whole number from 0 to 10000",
        ),
        (&["--vary", "steps"], 2, "SCENARIO"),
        (&["--runs", "0"], 4, "there is nothing to judge"),
        (
            &["--corpus", "case.yaml", "--runs", "0"],
            3,
            "cannot read the folder case.yaml",
        ),
    ];
    for (args, code, text) in cases {
        let ran = run(&folder, &[&["fuzz"], args].concat());
        assert_eq!(
            (ran.code, ran.stdout.as_str()),
            (code, ""),
            "{args:?}: {}",
            ran.stderr
        );
        assert!(ran.stderr.contains(text), "{args:?}: {}", ran.stderr);
    }
}

/// Expectations on what a person may prevent: what is left of a session is what prevents it.
#[test]
fn a_session_is_reduced_to_what_was_drawn() {
    let folder = folder_with_case("fuzz_around");
    fs::write(
        folder.join("shown.yaml"),
        CASE.replace("never: adSkip", "event: adEnd"),
    )
    .expect("it can be written");
    for vary in ["steps", "world", "both"] {
        let ran = run(
            &folder,
            &["fuzz", "shown.yaml", "--vary", vary, "--format", "json"],
        );
        let json: Json = serde_json::from_str(&ran.stdout).expect("it is JSON");
        let file = json["failure"]["file"]
            .as_str()
            .expect("a session is found that prevents it");
        let written = fs::read_to_string(folder.join(file)).expect("it was written");
        let drawn = scenario(&written);
        assert_eq!(drawn.player.ads.len(), 1, "{vary}: {written}");
        assert_eq!(
            (drawn.network.len(), drawn.media.len(), drawn.videos.len()),
            (1, 2, 1),
            "{vary}: {written}"
        );
        assert!(
            json["reached"]["calls"]["seen"]
                .as_object()
                .is_some_and(|calls| !calls.is_empty()),
            "{json}"
        );
    }
}

#[test]
fn the_knobs_of_a_scenario_stay_on_top_of_other_profiles() {
    let folder = folder_with_case("fuzz_profile");
    let late = CASE
        .replace("after: 200ms", "after: 1s")
        .replace("adSkip", "adStart");
    fs::write(
        folder.join("late.yaml"),
        format!("{late}knobs: {{ ad.timeout: 500ms }}\n"),
    )
    .expect("it can be written");
    fs::write(
        folder.join("mine.yaml"),
        "profile: mine\nbase: ima\nknobs: { ad.max_wrappers: 2 }\n",
    )
    .expect("it can be written");
    for profile in ["default", "ima", "ima+element", "default,ima", "mine.yaml"] {
        let ran = run(
            &folder,
            &[
                "fuzz",
                "late.yaml",
                "--vary",
                "steps",
                "--runs",
                "200",
                "--profile",
                profile,
            ],
        );
        assert_eq!(ran.code, 0, "{profile}: {}{}", ran.stdout, ran.stderr);
    }
}

#[cfg(unix)]
#[test]
fn what_cannot_be_written_is_printed() {
    let folder = folder_with_case("fuzz_unwritten");
    for (format, begin) in [("text", "seed "), ("json", "{")] {
        // A name below a file.
        let args = [
            "fuzz",
            "case.yaml",
            "--vary",
            "steps",
            "--corpus",
            "nix",
            "--format",
            format,
        ];
        fs::write(folder.join("nix"), "").expect("it can be written");
        let refused = run(&folder, &args);
        assert_eq!(
            (refused.code, refused.stdout.as_str()),
            (3, ""),
            "{}",
            refused.stderr
        );
        fs::remove_file(folder.join("nix")).expect("it is there");
        std::os::unix::fs::symlink("nowhere/at/all", folder.join("nix")).expect("a link");
        let ran = run(&folder, &args);
        fs::remove_file(folder.join("nix")).expect("it is there");
        assert_eq!(ran.code, 3, "{}{}", ran.stdout, ran.stderr);
        assert!(
            ran.stdout.starts_with(begin) && ran.stdout.contains("never: adSkip"),
            "{}",
            ran.stdout
        );
        assert!(
            ran.stderr.contains("cannot write nix/broken-"),
            "{}",
            ran.stderr
        );
    }
}
