//! `playsim run`: what is printed, what is checked, what is refused.

use super::*;

#[test]
fn a_failed_expectation_says_what_came_instead() {
    let folder = folder_with_first("expectation");
    let text = fs::read_to_string(folder.join("first.yaml")).expect("it was written");
    let text = text.replace("times: 1, data: { wp: 1 }", "times: 1, data: { wp: 0 }");
    fs::write(folder.join("other.yaml"), text).expect("it can be written");
    let ran = run(&folder, &["run", "other.yaml"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.starts_with("playsim trace 1"));
    let found = "error: other.yaml:34:5: expectation 2 failed\n  expected  event adComplete with wp=0 once\n";
    assert!(ran.stderr.starts_with(found), "{}", ran.stderr);
    assert!(ran.stderr.contains(" with wp=1\n"), "{}", ran.stderr);
    assert!(
        ran.stderr
            .ends_with("other.yaml: 1 of 3 expectations failed\n"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_misspelt_word_is_shown_in_its_line_with_a_suggestion() {
    let folder = folder_with_first("typo");
    let text = fs::read_to_string(folder.join("first.yaml")).expect("it was written");
    let text = text.replace("on: ready, do: play", "on: ready, do: paly");
    fs::write(folder.join("typo.yaml"), &text).expect("it can be written");
    let ran = run(&folder, &["run", "typo.yaml"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    let (number, line) = (1..)
        .zip(text.lines())
        .find(|(_, line)| line.contains("paly"))
        .expect("it is there");
    let column = line.find("paly").expect("it is there") + 1;
    for part in [
        &format!("typo.yaml:{number}:{column}\n"),
        line,
        "did you mean \"play\"?",
        "^^^^",
    ] {
        assert!(
            ran.stderr.contains(part),
            "{part} is not in:\n{}",
            ran.stderr
        );
    }
    assert!(!ran.stderr.contains('\u{1b}'));
    let colored = run(&folder, &["--color", "always", "run", "typo.yaml"]);
    assert!(colored.stderr.contains('\u{1b}'));
}

#[test]
fn a_missing_file_is_an_io_error_and_the_others_are_played() {
    let folder = folder_with_first("missing");
    let ran = run(&folder, &["run", "nothing.yaml", "first.yaml"]);
    assert_eq!(ran.code, 3);
    assert_eq!(
        ran.stderr,
        "error: cannot read nothing.yaml: no such file or folder\n"
    );
    assert!(ran.stdout.starts_with("# first.yaml\nplaysim trace 1"));
    fs::remove_file(folder.join("ad.xml")).expect("it is there");
    let ran = run(&folder, &["run", "first.yaml"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("\"ad.xml\" cannot be read"),
        "{}",
        ran.stderr
    );
}

#[test]
fn several_files_have_a_heading_each_and_one_has_none() {
    let folder = folder_with_first("several");
    assert_eq!(run(&folder, &["new", "second"]).code, 0);
    let one = run(&folder, &["run", "first.yaml"]).stdout;
    let two = run(&folder, &["run", "first.yaml", "second.yaml"]);
    assert_eq!(
        two.stdout,
        format!("# first.yaml\n{one}\n# second.yaml\n{one}")
    );
    let absolute = folder.join("first.yaml").display().to_string();
    let ran = run(&folder, &["run", &absolute, &absolute]);
    assert_eq!(
        ran.stdout,
        format!("# first.yaml\n{one}\n# first.yaml\n{one}")
    );
}

#[test]
fn documents_in_other_encodings_are_decoded() {
    let folder = folder_with_first("encoding");
    let plain = run(&folder, &["run", "first.yaml"]);
    assert_eq!(plain.code, 0);
    let text = fs::read_to_string(folder.join("ad.xml")).expect("it was written");
    let wide = |to: fn(u16) -> [u8; 2]| -> Vec<u8> {
        format!("\u{feff}{text}")
            .encode_utf16()
            .flat_map(to)
            .collect()
    };
    for bytes in [wide(u16::to_le_bytes), wide(u16::to_be_bytes)] {
        fs::write(folder.join("ad.xml"), &bytes).expect("it can be written");
        assert_eq!(run(&folder, &["run", "first.yaml"]).stdout, plain.stdout);
    }
    let reported = run(&folder, &["vast", "ad.xml"]);
    assert_eq!(reported.code, 0, "{}", reported.stderr);
    assert!(
        reported
            .stderr
            .contains("ad.xml: the file is UTF-16BE, not UTF-8; decoded as UTF-16BE"),
        "{}",
        reported.stderr
    );
    let body = text
        .split_once("?>")
        .map_or(&*text, |(_, body)| body)
        .replace("<AdTitle>", "<AdTitle>\u{e9}");
    let declared = format!("<?xml version=\"1.0\" encoding=\"windows-1252\"?>{body}");
    let bytes: Vec<u8> = declared
        .chars()
        .map(|letter| u8::try_from(letter).expect("it is one byte"))
        .collect();
    fs::write(folder.join("ad.xml"), bytes).expect("it can be written");
    let ran = run(&folder, &["run", "first.yaml"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let due = "the encoding is \\\"windows-1252\\\", expected \\\"UTF-8\\\"; read anyway";
    assert!(ran.stdout.contains(due), "{due} is not in:\n{}", ran.stdout);
    let reported = run(&folder, &["vast", "ad.xml"]);
    assert!(reported.stdout.contains('\u{e9}'), "{}", reported.stdout);
}

#[test]
fn standard_input_is_a_scenario_with_files_of_the_current_folder() {
    let folder = folder_with_first("stdin");
    let text = fs::read_to_string(folder.join("first.yaml")).expect("it was written");
    let ran = run_with_stdin(&folder, &["run", "-"], &text);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert_eq!(ran.stdout, run(&folder, &["run", "first.yaml"]).stdout);
    let wrong = run_with_stdin(&folder, &["run", "-"], "steps: 7\n");
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("stdin:1:8"), "{}", wrong.stderr);
}

#[test]
fn a_trace_goes_to_a_file_and_never_onto_its_scenario() {
    let folder = folder_with_first("output");
    let ran = run(&folder, &["run", "first.yaml", "-o", "first.trace"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
    let written = fs::read_to_string(folder.join("first.trace")).expect("it was written");
    assert_eq!(written, run(&folder, &["run", "first.yaml"]).stdout);
    assert_eq!(
        run(&folder, &["run", "first.yaml", "-o", "first.yaml"]).code,
        2
    );
    assert_eq!(
        run(
            &folder,
            &["run", "first.yaml", "-o", "no/such/folder.trace"]
        )
        .code,
        3
    );
    // An error leaves an existing trace file untouched.
    assert_eq!(
        run_with_stdin(&folder, &["run", "-", "-o", "first.trace"], "steps: 7\n").code,
        2
    );
    assert_eq!(
        fs::read_to_string(folder.join("first.trace")).expect("it is there"),
        written
    );
}

#[test]
fn views_and_patterns_choose_lines() {
    let folder = folder_with_first("filters");
    let kinds = |args: &[&str]| {
        let ran = run(
            &folder,
            &[&["run", "first.yaml", "--format", "jsonl"], args].concat(),
        );
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        let lines = json_lines(&ran.stdout);
        let inner = lines[1..lines.len() - 1].iter();
        inner
            .map(|line| {
                (
                    line["kind"].as_str().unwrap().to_owned(),
                    line["name"].as_str().unwrap().to_owned(),
                )
            })
            .collect::<Vec<_>>()
    };
    let all = kinds(&[]);
    assert!(all.iter().any(|(kind, _)| kind == "state"));
    assert_eq!(kinds(&["--view", "all"]), all);
    assert!(
        kinds(&["--view", "page"])
            .iter()
            .all(|(kind, _)| kind == "call" || kind == "event")
    );
    let ads = kinds(&["--view", "ads"]);
    assert!(ads.iter().any(|(kind, _)| kind == "beacon"));
    assert!(
        ads.iter()
            .all(|(kind, _)| ["net", "ad", "break", "beacon", "event"].contains(&kind.as_str()))
    );
    let only = kinds(&["--only", "ad*Quartile", "--only", "beacon"]);
    assert!(only.iter().any(|(_, name)| name == "adFirstQuartile"));
    assert!(
        only.iter()
            .all(|(kind, name)| kind == "beacon" || name.ends_with("Quartile"))
    );
    assert_eq!(kinds(&["--only", "ad*Quartile,beacon"]), only);
    let not = kinds(&["--not", "timeupdate", "--not", "state"]);
    assert!(
        not.iter()
            .all(|(kind, name)| kind != "state" && name != "timeupdate")
    );
    assert!(all.iter().any(|(_, name)| name == "timeupdate"));
}

#[test]
fn a_pattern_that_matches_nothing_is_reported_with_a_suggestion() {
    let folder = folder_with_first("no_line");
    let ran = run(&folder, &["run", "first.yaml", "--only", "adStrat"]);
    assert_eq!(ran.code, 4);
    assert_eq!(
        ran.stderr,
        "error: no line matches --only 'adStrat'; did you mean 'adStart'?\n"
    );
    assert_eq!(ran.stdout.lines().count(), 2);
}

#[test]
fn why_names_the_rule_of_each_line() {
    let folder = folder_with_first("why");
    let ran = run(
        &folder,
        &["run", "first.yaml", "--format", "jsonl", "--why"],
    );
    let lines = json_lines(&ran.stdout);
    assert!(
        lines
            .iter()
            .any(|line| line["name"] == "adError" && line["rule"].is_string())
    );
    assert!(
        !run(&folder, &["run", "first.yaml", "--format", "jsonl"])
            .stdout
            .contains("\"rule\"")
    );
}

#[test]
fn a_run_ends_at_the_given_time() {
    let folder = folder_with_first("until");
    // The scenario's expectations have not been met by then.
    let ran = run(
        &folder,
        &["run", "first.yaml", "--until", "250ms", "--format", "jsonl"],
    );
    assert_eq!(ran.code, 1);
    let lines = json_lines(&ran.stdout);
    let last = &lines[lines.len() - 1];
    assert_eq!(
        (&last["name"], &last["t"]),
        (&"until".into(), &250_000.into())
    );
    assert_eq!(
        run(&folder, &["run", "first.yaml", "--until", "idle"]).code,
        0
    );
    let wrong = run(&folder, &["run", "first.yaml", "--until", "soon"]);
    assert_eq!(wrong.code, 2);
    assert!(wrong.stderr.contains("must be a "), "{}", wrong.stderr);
}

#[test]
fn another_seed_is_named_in_the_header() {
    let folder = folder_with_first("seed");
    let ran = run(&folder, &["run", "first.yaml", "--seed", "7"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stdout
            .starts_with("playsim trace 1  profile default  seed 7\n")
    );
}

#[test]
fn two_processes_give_the_same_digest() {
    let folder = folder_with_first("digest");
    let outcome = |args: &[&str]| {
        let ran = run(
            &folder,
            &[&["run", "first.yaml", "--format", "jsonl"], args].concat(),
        );
        json_lines(&ran.stdout)
            .pop()
            .expect("a trace has an outcome")["data"]["digest"]
            .clone()
    };
    let digest = outcome(&[]);
    assert_eq!(digest.as_str().map(str::len), Some(32));
    assert_eq!(outcome(&[]), digest);
    assert_eq!(outcome(&["--view", "page", "--not", "timeupdate"]), digest);
    let ran = run(&folder, &["run", "first.yaml", "--check-determinism"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stderr
            .contains(&format!("digest {}", digest.as_str().unwrap())),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_livelock_is_reported() {
    let folder = folder_with_first("livelock");
    let text = "videos: [{ id: v, renditions: { sd: film.mp4 } }]\n\
        media: { film.mp4: { duration: 9s } }\n\
        knobs: { limit.tasks_per_second: 50 }\n\
        listeners: { loop: [pause, play] }\n\
        steps:\n  \
        - { at: 0s, init: { div: player, config: { id: p, width: '1', height: '1', video: v } } }\n  \
        - { at: 0s, do: { on: [play, loop] } }\n  \
        - { at: 1s, do: play }\n";
    let ran = run_with_stdin(&folder, &["run", "-"], text);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let said = ran
        .stderr
        .strip_prefix("stdin: the run was stopped with outcome livelock; these lines go round: ");
    let lines: Vec<&str> = said
        .unwrap_or_default()
        .split(',')
        .filter_map(|line| line.trim().split_once(' '))
        .map(|(_, words)| words)
        .collect();
    assert_eq!(
        lines,
        ["call play", "event play", "listener play"],
        "{}{}",
        ran.stderr,
        ran.stdout
    );
}

#[test]
fn a_profile_and_knobs_are_set_on_top_of_the_scenarios() {
    let folder = folder_with_first("setting");
    let text = fs::read_to_string(folder.join("first.yaml")).expect("it was written");
    let text = text + "knobs: { ad.timeout: 3s, detect: exact }\n";
    fs::write(folder.join("own.yaml"), text).expect("it can be written");
    let head = |args: &[&str]| {
        let ran = run(&folder, &[&["run", "own.yaml"], args].concat());
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        ran.stdout.lines().next().unwrap_or_default().to_owned()
    };
    assert_eq!(
        head(&[]),
        "playsim trace 1  profile default  ad.timeout=3s  seed 0"
    );
    let args = [
        "--profile",
        "observed",
        "--knob",
        "ad.timeout=2s",
        "--knob",
        "ad.max_wrappers=3",
    ];
    assert_eq!(
        head(&args),
        "playsim trace 1  profile observed  volume.zero_mutes=on  ad.timeout=2s  ad.max_wrappers=3  \
         vpaid.start=instead  macros=obs  edit.auth=bearer  edit.error_shape=message_errors_validation  \
         edit.read_date=Y-m-d  seed 0"
    );
    assert_eq!(
        head(&["--knob", "ad.timeout=5s"]),
        "playsim trace 1  profile default  seed 0"
    );
}

#[test]
fn a_misspelt_profile_or_knob_is_reported_with_a_suggestion() {
    let folder = folder("setting_misspelt");
    for (args, reported) in [
        (
            ["--profile", "elment"],
            "unknown profile \"elment\"; did you mean \"element\"?",
        ),
        (
            ["--knob", "ad.timeuot=2s"],
            "unknown knob \"ad.timeuot\"; did you mean \"ad.timeout\"?",
        ),
        (
            ["--knob", "ad.timeout=2"],
            "knob \"ad.timeout\" is \"2\"; it must be a duration such as 250ms",
        ),
        (
            ["--knob", "ad.timeout"],
            "must be a knob and its value, such as ad.timeout=2s",
        ),
        (["--knob", "ga.event=on"], "unknown knob"),
    ] {
        let ran = run(&folder, &[&["run", "case.yaml"], &args[..]].concat());
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
        assert!(
            ran.stderr.contains(reported),
            "{reported} is not in:\n{}",
            ran.stderr
        );
    }
}

#[test]
fn a_failed_expectation_names_the_acts_with_a_diagnostic() {
    let folder = folder_with_first("refused");
    let ad = fs::read_to_string(folder.join("ad.xml")).expect("the starter has an ad");
    let fixed = ad.replace(" skipoffset=\"00:00:01\"", "");
    assert_ne!(ad, fixed, "the starter's ad can be skipped");
    let text = fs::read_to_string(folder.join("first.yaml")).expect("it was written");
    let tried = text.replace(
        "# - { on: adStart, after: 2s, user: skip }",
        "- { on: adStart, after: 2s, user: skip }",
    );
    let asked = tried.replace("  - { never: playbackerror }", "  - { event: adSkip }");
    fs::write(folder.join("first.yaml"), asked).expect("written");
    // As the starter offers it, the ad is skipped.
    let ran = run(&folder, &["run", "first.yaml"]);
    assert!(ran.stdout.contains("adSkip"), "{}", ran.stdout);
    assert!(!ran.stderr.contains("skip at"), "{}", ran.stderr);
    fs::write(folder.join("ad.xml"), fixed).expect("written");
    let ran = run(&folder, &["run", "first.yaml"]);
    assert_eq!(ran.code, 1);
    let said = "first.yaml: skip at 2.310 s: the ad cannot be skipped: it has no skipoffset \
        (the ad of ad.xml:3:3) [skip_not_offered]";
    assert!(ran.stderr.contains(said), "{}", ran.stderr);
}

#[test]
fn an_act_that_a_knob_allows_names_the_knob() {
    let folder = folder_with_first("refused_knob");
    let text = fs::read_to_string(folder.join("first.yaml")).expect("it was written");
    let text = text
        .replace(
            "# - { on: adStart, after: 2s, user: skip }",
            "- { on: adStart, after: 2s, user: { seek: 1 } }",
        )
        .replace("  - { never: playbackerror }", "  - { event: seeked }");
    fs::write(folder.join("first.yaml"), text).expect("written");
    let ran = run(&folder, &["run", "first.yaml"]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr
            .contains("; that depends on --knob seek.during_ad"),
        "{}",
        ran.stderr
    );
}
