//! `playsim diff` and `playsim explain`: what is compared and explained, and what is refused.

use super::*;

/// What `playsim new first` writes, played with a different response: the second tag fills 50 ms
/// later.
fn later(folder: &Path) {
    let text = fs::read_to_string(folder.join("first.yaml")).expect("it was written");
    let second = text.replace("after: 190ms", "after: 240ms");
    assert_ne!(text, second, "the starter has an answer after 190 ms");
    fs::write(folder.join("second.yaml"), second).expect("it can be written");
}

fn write(folder: &Path, name: &str, args: &[&str]) {
    let ran = run(folder, &[&["run", "first.yaml", "-o", name], args].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn two_scenarios_are_compared_and_the_first_difference_has_both_causes() {
    let folder = folder_with_first("diff");
    later(&folder);
    let ran = run(&folder, &["diff", "first.yaml", "second.yaml"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (1, ""));
    snapshot("diff", &ran.stdout);
    let within = run(
        &folder,
        &["diff", "first.yaml", "second.yaml", "--within", "50ms"],
    );
    assert_eq!(
        (within.code, within.stdout.as_str()),
        (0, ""),
        "{}",
        within.stderr
    );
    assert!(
        within.stderr.starts_with("no difference in "),
        "{}",
        within.stderr
    );
    assert_eq!(
        run(
            &folder,
            &["diff", "first.yaml", "second.yaml", "--within", "soon"]
        )
        .code,
        2
    );
    let colored = run(
        &folder,
        &["diff", "first.yaml", "second.yaml", "--color", "always"],
    );
    assert!(colored.stdout.contains("\u{1b}[33m~"), "{}", colored.stdout);
}

#[test]
fn every_form_of_a_trace_can_be_compared_with_every_other() {
    let folder = folder_with_first("diff_forms");
    write(&folder, "first.trace", &[]);
    write(&folder, "why.trace", &["--why"]);
    write(&folder, "first.jsonl", &["--format", "jsonl"]);
    write(&folder, "why.jsonl", &["--format", "jsonl", "--why"]);
    let forms = [
        "first.yaml",
        "first.trace",
        "why.trace",
        "first.jsonl",
        "why.jsonl",
    ];
    for first in forms {
        for second in forms {
            let ran = run(&folder, &["diff", first, second]);
            assert_eq!(
                (ran.code, ran.stdout.as_str()),
                (0, ""),
                "{first} {second}: {}",
                ran.stderr
            );
        }
    }
}

#[test]
fn a_recording_is_compared_with_a_scenario() {
    let folder = folder_with_first("diff_recording");
    let ours = run(
        &folder,
        &["run", "first.yaml", "--format", "jsonl", "--only", "event"],
    );
    let recorded: String = json_lines(&ours.stdout)
        .iter()
        .filter(|line| line["kind"] == "event" && line["name"] != "timeupdate")
        .map(|line| {
            let mut recorded =
                serde_json::json!({ "t": line["t"], "kind": "event", "name": line["name"] });
            if !line["data"].is_null() {
                recorded["data"] = line["data"].clone();
            }
            recorded.to_string() + "\n"
        })
        .collect();
    let compare = |text: &str, args: &[&str]| {
        run_with_stdin(
            &folder,
            &[&["diff", "first.yaml", "-"], args].concat(),
            text,
        )
    };
    let ran = compare(&recorded, &["--not", "timeupdate"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    assert!(
        ran.stderr
            .starts_with("stdin is a recording without a head; "),
        "{}",
        ran.stderr
    );
    // Events under the player's own names have no counterpart in a simulation, but in another
    // recording.
    let native = "{\"t\":99000000,\"kind\":\"native\",\"name\":\"loaded\"}\n";
    let with_native = format!("{recorded}{native}");
    let ran = compare(&with_native, &["--not", "timeupdate"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    fs::write(
        folder.join("recorded.jsonl"),
        with_native.replace("loaded", "opened"),
    )
    .expect("it can be written");
    let ran = run_with_stdin(&folder, &["diff", "recorded.jsonl", "-"], &with_native);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.contains("loaded"), "{}", ran.stdout);
    let ran = compare(&recorded, &[]);
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr
            .ends_with("only time updates differ; use --not timeupdate to leave them out\n")
    );
    let missed = compare(
        &recorded.replace("adMidpoint", "adMidPoint"),
        &["--not", "timeupdate"],
    );
    assert_eq!(missed.code, 1);
    assert!(missed.stdout.contains("adMidpoint\n") && missed.stdout.contains("adMidPoint\n"));
}

#[test]
fn a_file_that_is_not_a_trace_is_reported_with_a_place() {
    let folder = folder_with_first("diff_wrong");
    let wrong = |name: &str, text: &str| {
        fs::write(folder.join(name), text).expect("it can be written");
        let ran = run(&folder, &["diff", name, "first.yaml"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{name}");
        ran.stderr
    };
    assert_eq!(
        wrong("a.jsonl", "{\"t\":0,\"kind\":\"evnt\",\"name\":\"play\"}\n"),
        "error: a.jsonl:1:15: unknown kind \"evnt\"; did you mean \"event\"?\n"
    );
    assert_eq!(
        wrong("a.trace", "hello\n"),
        "error: a.trace:1:1: this is not a trace; a trace in text form begins with \"playsim trace 1\"\n"
    );
    assert!(
        wrong("a.json", "[{\"t\":0}]")
            .contains("a.json:1:1: this is a list; a trace has one object")
    );
    assert!(wrong("a.yaml", "steps: 7\n").contains("a.yaml:1:8"));
    assert_eq!(
        run(&folder, &["diff", "nothing.jsonl", "first.yaml"]).code,
        3
    );
    assert_eq!(run(&folder, &["diff", "first.yaml"]).code, 2);
    assert_eq!(run(&folder, &["diff", "-", "-"]).code, 2);
    let ran = run(
        &folder,
        &["diff", "first.yaml", "first.yaml", "--only", "adStrat"],
    );
    assert_eq!(ran.code, 4);
    assert_eq!(
        ran.stderr,
        "error: no line matches --only 'adStrat'; did you mean 'adStart'?\n"
    );
}

#[test]
fn other_settings_that_change_nothing_are_not_a_difference() {
    let folder = folder_with_first("diff_heads");
    write(&folder, "seed.jsonl", &["--format", "jsonl", "--seed", "7"]);
    let ran = run(&folder, &["diff", "first.yaml", "seed.jsonl"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""));
    assert!(
        ran.stderr
            .contains("the headers differ:\n- playsim trace 1"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_line_is_explained_by_its_causes_and_their_rules() {
    let folder = folder_with_first("explain");
    let ran = run(&folder, &["explain", "first.yaml", "--event", "adMidpoint"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    // The wording of the rules may change without this command.
    let is_rule = |line: &&str| line.starts_with(&" ".repeat(20));
    let chain: Vec<&str> = ran.stdout.lines().filter(|line| !is_rule(line)).collect();
    snapshot("explain", &chain.join("\n"));
    let rules: Vec<&str> = ran.stdout.lines().filter(is_rule).map(str::trim).collect();
    assert!(
        rules
            .iter()
            .any(|line| line.starts_with("REQ-2 (chosen): ")),
        "{}",
        ran.stdout
    );
    assert_eq!(
        rules.last(),
        Some(&"This is a step of the scenario and has no cause.")
    );
    let seq = ran
        .stdout
        .split_whitespace()
        .next()
        .expect("a number comes first");
    write(&folder, "why.jsonl", &["--format", "jsonl", "--why"]);
    assert_eq!(
        run(&folder, &["explain", "why.jsonl", "--event", seq]).stdout,
        ran.stdout
    );
    let second = run(
        &folder,
        &["explain", "first.yaml", "--event", "requestAd#2"],
    );
    assert_eq!((second.code, second.stderr.as_str()), (0, ""));
    let first = run(&folder, &["explain", "first.yaml", "--event", "requestAd"]);
    assert_eq!(
        first.stderr,
        "first.yaml: requestAd occurs 2 times; the next one is requestAd#2\n"
    );
    assert_ne!(first.stdout, second.stdout);
}

#[test]
fn a_scenario_is_played_and_explained_and_a_trace_is_explained_as_it_is() {
    let folder = folder_with_first("explain_setting");
    let explain = |args: &[&str]| run(&folder, &[&["explain", "first.yaml"], args].concat());
    let cut = explain(&["--until", "250ms", "--event", "until"]);
    assert_eq!((cut.code, cut.stderr.as_str()), (0, ""));
    assert!(cut.stdout.contains("0.250000"), "{}", cut.stdout);
    assert_eq!(explain(&["--event", "until"]).code, 4);
    assert_eq!(explain(&["--seed", "7", "--event", "adStart"]).code, 0);
    let late = explain(&["--knob", "ad.timeout=100ms", "--event", "timeout"]);
    assert_eq!(late.code, 0, "{}", late.stderr);
    write(&folder, "first.jsonl", &["--format", "jsonl"]);
    write(&folder, "first.trace", &[]);
    for name in ["first.jsonl", "first.trace"] {
        let ran = run(
            &folder,
            &["explain", name, "--seed", "7", "--event", "adStart"],
        );
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
        assert_eq!(
            ran.stderr,
            format!("error: {name} is a trace; --seed only works with a scenario\n")
        );
    }
}

#[test]
fn what_a_trace_does_not_contain_is_reported() {
    let folder = folder_with_first("explain_less");
    write(&folder, "bare.jsonl", &["--format", "jsonl"]);
    let ran = run(&folder, &["explain", "bare.jsonl", "--event", "adStart"]);
    assert_eq!(ran.code, 0);
    assert!(
        ran.stderr.contains("bare.jsonl: this trace names no rules"),
        "{}",
        ran.stderr
    );
    write(
        &folder,
        "page.jsonl",
        &["--format", "jsonl", "--why", "--view", "page"],
    );
    let ran = run(&folder, &["explain", "page.jsonl", "--event", "adError"]);
    assert!(
        ran.stdout.ends_with("is not in this trace.\n"),
        "{}",
        ran.stdout
    );
    assert!(ran.stderr.contains("--view all"), "{}", ran.stderr);
    write(&folder, "first.trace", &[]);
    let ran = run(&folder, &["explain", "first.trace", "--event", "3"]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr
            .contains("first.trace is a trace in text form, which has no causes"),
        "{}",
        ran.stderr
    );
    let ran = run(&folder, &["explain", "first.yaml", "--event", "adStrat"]);
    assert_eq!(ran.code, 4);
    assert_eq!(
        ran.stderr,
        "error: first.yaml: unknown line \"adStrat\"; did you mean \"adStart\"?\n"
    );
    assert_eq!(
        run(&folder, &["explain", "first.yaml", "--event", "99999"]).code,
        4
    );
    assert_eq!(
        run(&folder, &["explain", "first.yaml", "--event", "adStart#0"]).code,
        2
    );
    assert_eq!(run(&folder, &["explain", "first.yaml"]).code, 2);
}

#[test]
fn two_profiles_are_compared_for_scenarios_only() {
    let folder = folder("diff_profiles");
    let of_trace = ["diff", "wrapper.trace", "--profiles", "standard", "ima"];
    assert_eq!(run(&folder, &of_trace).code, 3);
    fs::write(
        folder.join("wrapper.trace"),
        "playsim trace 1  profile default  seed 0\n",
    )
    .expect("it can be written");
    let ran = run(&folder, &of_trace);
    assert_eq!(ran.code, 2, "{}", ran.stdout);
    assert!(
        ran.stderr.contains("--profile only works with a scenario"),
        "{}",
        ran.stderr
    );
}
