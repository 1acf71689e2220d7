//! Recordings that are packed, and one on standard input, as the command line reads them.

use std::fs::File;
use std::process::{Command, Output, Stdio};

use super::folder;

fn run(args: &[&str], input: Option<&str>) -> Output {
    let stdin =
        input.map(|file| Stdio::from(File::open(folder().join(file)).expect("it can be opened")));
    Command::new(env!("CARGO_BIN_EXE_playsim"))
        .args(args)
        .current_dir(folder())
        .stdin(stdin.unwrap_or_else(Stdio::null))
        .output()
        .expect("it runs")
}

#[test]
fn packed_recordings_and_standard_input_are_read_like_files() {
    if !folder().join("packed").exists() {
        eprintln!("no recordings: the package leaves them out");
        return;
    }
    for (args, input) in [
        (["waterfall", "packed/session.har.gz"], None),
        (["waterfall", "packed/session.zip"], None),
        (
            ["waterfall", "-"],
            Some("three_tags_playwright/session.har"),
        ),
        (["waterfall", "-"], Some("packed/session.har.gz")),
        (["waterfall", "-"], Some("packed/session.zip")),
    ] {
        let ran = run(&args, input);
        let text = String::from_utf8_lossy(&ran.stdout);
        assert!(
            text.contains("Filled by tag 3 of 3 known tags (ads.test/three)"),
            "{args:?} {input:?}\n{text}"
        );
        assert_eq!(ran.status.code(), Some(0), "{args:?} {input:?}\n{text}");
    }
    let ran = run(&["import", "-"], Some("three_tags_playwright/session.har"));
    assert!(
        String::from_utf8_lossy(&ran.stdout).contains("3 ad tags"),
        "{ran:?}"
    );
}

#[test]
fn patterns_that_match_no_request_are_named() {
    let file = "three_tags_playwright/session.har";
    if !folder().join(file).exists() {
        return;
    }
    for option in ["--tag", "--ignore", "--content"] {
        let ran = run(&["waterfall", file, option, "nothing.example"], None);
        let text = String::from_utf8_lossy(&ran.stdout) + String::from_utf8_lossy(&ran.stderr);
        assert!(
            text.contains(option) && text.contains("nothing.example"),
            "{option}\n{text}"
        );
    }
}

#[test]
fn exit_codes_are_those_of_the_recording() {
    for (file, code) in [
        ("three_tags_playwright/session.har", 0),
        ("nothing_fills_playwright/session.har", 1),
        ("three_tags_playwright_omit/session.har", 2),
        ("three_tags_fluid/session.har", 1),
    ] {
        if folder().join(file).exists() {
            assert_eq!(
                run(&["waterfall", file], None).status.code(),
                Some(code),
                "{file}"
            );
        }
    }
}
