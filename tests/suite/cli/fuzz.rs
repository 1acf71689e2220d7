//! `playsim fuzz`: what fails is found, reduced, written and found again, whatever the number of threads.

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

#[test]
fn a_session_that_fails_is_reduced_written_and_found_again() {
    let folder = folder_with_case("fuzz_fails");
    let ran = run(&folder, &["fuzz", "case.yaml", "--vary", "steps"]);
    assert_eq!(ran.code, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("the scenario's own expectations are met"), "{}", ran.stdout);
    assert!(ran.stdout.contains("expected no adSkip event; it fired"), "{}", ran.stdout);
    let command = ran.stdout.lines().find_map(|line| line.trim().strip_prefix("command"));
    let command: Vec<&str> = command.expect("it prints the command").split_whitespace().collect();
    let ["playsim", args @ ..] = &command[..] else { panic!("{command:?}") };
    let written = fs::read_to_string(folder.join(args[1])).expect("the scenario was written");
    assert!(written.lines().count() <= 16, "{written}");
    assert!(written.contains("skip") && written.contains("never: adSkip"), "{written}");
    let again = run(&folder, args);
    assert_eq!((again.code, again.stderr.as_str()), (1, ""), "{}", again.stdout);
    assert!(again.stdout.starts_with(&format!("{} breaks a law\n", args[1])), "{}", again.stdout);
    assert!(again.stdout.contains("expected no adSkip event; it fired"), "{}", again.stdout);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let found = |threads: &str| {
        let folder = folder_with_case(&format!("fuzz_threads_{threads}"));
        let args = ["fuzz", "case.yaml", "--seed", "100", "--format", "json", "--threads", threads];
        let ran = run(&folder, &args);
        let json: Json = serde_json::from_str(&ran.stdout).expect("it is JSON");
        let file = json["failure"]["file"].as_str().expect("it fails").to_owned();
        (ran.code, json, fs::read_to_string(folder.join(file)).expect("it was written"))
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
    let files: Vec<_> = fs::read_dir(folder.join("found")).expect("it was made").collect();
    assert_eq!(files.len(), 1);
    let again = run(&folder, &args);
    let file = Path::new("found").join(files[0].as_ref().expect("it is readable").file_name());
    assert_eq!(again.code, 1);
    assert!(again.stdout.starts_with(&format!("{} breaks a law\n", file.display())), "{}", again.stdout);
    // Alone, without a scenario.
    assert_eq!(run(&folder, &["fuzz", "--corpus", "found", "--runs", "0"]).code, 1);
}

#[test]
fn without_a_finding_it_says_what_was_reached_and_what_not() {
    let folder = folder_with_case("fuzz_reached");
    let ran = run(&folder, &["fuzz", "--runs", "40", "--feature", "ads,late", "--steps", "4"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    assert!(ran.stdout.starts_with("40 sessions, "), "{}", ran.stdout);
    let (_, missing) = ran.stdout.split_once("\nnot reached\n").expect("it says what is missing");
    assert!(missing.contains("livestreamstopped") && !missing.contains(" ready,"), "{missing}");
    let ran = run(&folder, &["fuzz", "--runs", "40", "--format", "json"]);
    let json: Json = serde_json::from_str(&ran.stdout).expect("it is JSON");
    assert_eq!((&json["sessions"], &json["failure"]), (&Json::from(40), &Json::Null));
    assert!(json["reached"]["events"]["seen"]["ready"].as_u64() > Some(0), "{json}");
    assert_eq!(fs::read_dir(&folder).expect("it is readable").count(), 2, "nothing is written");
}

#[test]
fn time_ends_it() {
    let ran = run(&folder("fuzz_time"), &["fuzz", "--time", "200ms"]);
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("every law holds"), "{}", ran.stdout);
}

#[test]
fn wrong_arguments_are_told() {
    let folder = folder_with_case("fuzz_wrong");
    fs::write(folder.join("broken.yaml"), "videos: 7\n").expect("it can be written");
    let cases: [(&[&str], i32, &str); 7] = [
        (&["nix.yaml"], 3, "cannot read nix.yaml"),
        (&["broken.yaml"], 2, "videos"),
        (&["case.yaml", "--vary", "step"], 2, "did you mean \"steps\"?"),
        (&["--feature", "ad"], 2, "did you mean \"ads\"?"),
        (&["--time", "soon"], 2, "--time"),
        (&["--runs", "0"], 4, "there is nothing to judge"),
        (&["--corpus", "case.yaml", "--runs", "0"], 3, "cannot read the folder case.yaml"),
    ];
    for (args, code, text) in cases {
        let ran = run(&folder, &[&["fuzz"], args].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (code, ""), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(text), "{args:?}: {}", ran.stderr);
    }
}
