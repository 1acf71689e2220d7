//! What a report makes of many recordings: what is noticed most, what many cases share, knobs that
//! another case refutes, cases that were not played, faults by rules alone, repeated recordings,
//! and a baseline.

use playsim::conform::{
    Behaviour, Case, Cell, Change, DifferenceKind, Expectations, Importance, Recorded, Report,
    Tolerance, Verdict, are_played,
};
use playsim::knobs::Knobs;
use playsim::recording::Recording;

use super::report::{BROWSER, case, knobs, recording_of};

const CASES: [&str; 8] = [
    "no_ads",
    "pre_roll",
    "pod_of_two",
    "redirect_by_http",
    "late_by_1500_ms",
    "tag_404",
    "skip_after_the_offset",
    "tracker_urls_in_cdata",
];

fn cases() -> Vec<Case> {
    CASES.into_iter().map(case).collect()
}

/// The lines of a recording of a case, played with these knobs.
fn lines(case: &Case, settings: &[(&str, &str)]) -> Vec<String> {
    let trace = case.play(&knobs(settings)).expect("it plays");
    recording_of(&trace, BROWSER)
        .lines()
        .map(str::to_owned)
        .collect()
}

fn read(lines: &[String]) -> Recording {
    Recording::read("some.jsonl", &lines.join("\n")).expect("it is a recording")
}

fn report(cases: &[Case], recordings: Vec<(usize, Recording)>) -> Report {
    let behaviour = Behaviour {
        name: "default".to_owned(),
        knobs: Knobs::default(),
    };
    let players = [Recorded {
        player: "some".to_owned(),
        behaviour,
        recordings,
    }];
    Report::of(cases, &players, Tolerance::default()).expect("they play")
}

fn cell<'a>(report: &'a Report, name: &str) -> &'a Cell {
    let row = report
        .cases
        .iter()
        .find(|row| row.name == name)
        .expect("it is a case");
    row.cells[0].as_ref().expect("it has a recording")
}

/// Adds a field to the head of a recording.
fn with_head(lines: &mut [String], field: &str) {
    lines[0] = lines[0].replace("\"version\":1", &format!("\"version\":1,{field}"));
}

#[test]
fn what_is_noticed_most_comes_first() {
    let cases = vec![case("pre_roll")];
    let mut recorded = lines(&cases[0], &[]);
    // A quartile late by 0.7 s, no impression, complete twice.
    recorded.retain(|line| !line.contains("/impression"));
    let complete = recorded
        .iter()
        .position(|line| line.contains("/complete"))
        .expect("it is called");
    recorded.insert(complete, recorded[complete].clone());
    let late = recorded
        .iter_mut()
        .find(|line| line.contains("/midpoint"))
        .expect("it is called");
    let at: u64 = late[5..late.find(',').expect("a field")]
        .parse()
        .expect("a number");
    *late = late.replace(&at.to_string(), &(at + 700_000).to_string());
    let report = report(&cases, vec![(0, read(&recorded))]);
    let found = cell(&report, "pre_roll");
    let ranks: Vec<Importance> = found.differences.iter().map(|it| it.importance).collect();
    assert_eq!(
        ranks,
        [
            Importance::NotCounted,
            Importance::CountedTwice,
            Importance::OffByLess
        ]
    );
    let first = found.first.as_ref().expect("it is explained");
    assert!(first.sentence.contains("impression"), "{}", first.sentence);
    // Whatever the simulator does, a rule forbids to call a tracker twice.
    assert!(
        found
            .faults
            .iter()
            .any(|fault| fault.rule.starts_with("TRK-")),
        "{:?}",
        found.faults
    );
}

#[test]
fn another_code_in_a_tracker_is_one_difference() {
    let cases = vec![case("tag_404")];
    let mut recorded = lines(&cases[0], &[]);
    let line = recorded
        .iter_mut()
        .find(|line| line.contains("code="))
        .map(|line| {
            *line = line
                .replace("code=301", "code=900")
                .replace("code=303", "code=900");
        });
    if line.is_none() {
        // The document of this case has no error tracker: there is nothing to compare.
        return;
    }
    let report = report(&cases, vec![(0, read(&recorded))]);
    let found = cell(&report, "tag_404");
    let kinds: Vec<DifferenceKind> = found.differences.iter().map(|it| it.kind).collect();
    assert_eq!(kinds, [DifferenceKind::Value], "{:?}", found.differences);
    assert_eq!(found.differences[0].importance, Importance::WrongCode);
}

/// The player starts its content, and stops it at once, until the ad is there.
fn with_flash(recorded: &mut Vec<String>) {
    let Some(ad) = recorded
        .iter()
        .position(|line| line.contains("ui") && line.contains("m.test"))
    else {
        return;
    };
    let at: u64 = recorded[ad][5..recorded[ad].find(',').expect("a field")]
        .parse()
        .expect("a number");
    let film = r#""src":"http://content.test/film.webm""#;
    let line = |at: u64, kind: &str, name: &str, more: &str| {
        format!(r#"{{"t":{at},"kind":"{kind}","name":"{name}","data":{{{film}{more}}}}}"#)
    };
    let lines = [
        line(at - 50_000, "media", "playing", r#","position":0.004"#),
        line(at - 50_000, "ui", "shown", ""),
        line(at - 35_000, "media", "pause", r#","position":0.015"#),
        line(at, "ui", "gone", ""),
    ];
    recorded.splice(ad..ad, lines);
}

#[test]
fn what_many_cases_share_is_named_once_and_left_out_of_the_others() {
    let cases = cases();
    let recordings = cases.iter().enumerate().map(|(index, case)| {
        let mut recorded = lines(case, &[]);
        with_flash(&mut recorded);
        if &*case.name == "pre_roll" {
            recorded.retain(|line| !line.contains("/midpoint"));
        }
        (index, read(&recorded))
    });
    let report = report(&cases, recordings.collect());
    let shared = &report.players[0].shared;
    assert_eq!(shared.len(), 1, "{shared:?}");
    assert_eq!(shared[0].importance, Importance::Flash);
    assert_eq!(
        shared[0].cases.len(),
        6,
        "all with a pre-roll that plays: {shared:?}"
    );
    assert_eq!(cell(&report, "no_ads").verdict, Verdict::Same);
    assert_eq!(cell(&report, "pod_of_two").verdict, Verdict::Shared);
    let own = cell(&report, "pre_roll");
    assert_eq!(
        (own.verdict.clone(), own.differences.len(), own.shared),
        (Verdict::Differs, 1, 1)
    );
    assert!(own.differences[0].what.starts_with("midpoint"));
    // A flash is not what a player does that plays its content until the ad is there.
    let flat: Vec<&Cell> = report
        .cases
        .iter()
        .flat_map(|row| row.cells.iter().flatten())
        .collect();
    assert!(
        flat.iter()
            .all(|cell| !matches!(cell.verdict, Verdict::Knob { .. }))
    );
}

#[test]
fn a_knob_that_another_case_refutes_is_not_proposed() {
    let turned = [("ad.max_wrappers", "2")];
    let names = ["wrapper_chain_of_three", "wrapper_chain_of_eleven"];
    let cases: Vec<Case> = names.into_iter().map(case).collect();
    let alone = report(&cases, vec![(0, read(&lines(&cases[0], &turned)))]);
    assert!(matches!(
        cell(&alone, names[0]).verdict,
        Verdict::Knob { .. }
    ));
    // In a longer chain the same player follows all wrappers that are allowed.
    let recordings = vec![
        (0, read(&lines(&cases[0], &turned))),
        (1, read(&lines(&cases[1], &[]))),
    ];
    let both = report(&cases, recordings);
    assert_eq!(cell(&both, names[1]).verdict, Verdict::Same);
    let found = cell(&both, names[0]);
    let is_refuted = if let Verdict::Knob { settings } = &found.verdict {
        settings.iter().all(|it| it.knob != "ad.max_wrappers")
    } else {
        found.verdict == Verdict::Differs
    };
    assert!(is_refuted, "{:?}", found.verdict);
}

/// A player that lets an ad play on after a click, and forgets a tracker: no knob explains all of
/// the case.
#[test]
fn the_cause_of_a_difference_is_the_rule_that_differs() {
    let names = ["click_on_the_ad", "wrapper_click"];
    let cases: Vec<Case> = names.into_iter().map(case).collect();
    let mut recorded = lines(&cases[0], &[("click.pauses", "off")]);
    recorded.retain(|line| !line.contains("http://t.test/thirdQuartile?ad=1"));
    let differs = |report: &Report| {
        let cell = cell(report, names[0]);
        assert_eq!(cell.verdict, Verdict::Differs);
        let first = cell.first.clone().expect("something differs");
        let settings: Vec<String> = first.settings.iter().map(ToString::to_string).collect();
        (
            first.rule.expect("a rule decides it").id,
            settings.join(" "),
        )
    };
    let alone = report(&cases, vec![(0, read(&recorded))]);
    assert_eq!(
        differs(&alone),
        ("PRD-44".to_owned(), "click.pauses=off".to_owned())
    );
    // In another case an ad pauses for a click: the knob is no description of the player.
    let other = read(&lines(&cases[1], &[("ad.tracker_calls", "twice")]));
    let both = report(&cases, vec![(0, read(&recorded)), (1, other)]);
    let (rule, settings) = differs(&both);
    assert!(
        rule != "PRD-44" && !settings.contains("click.pauses"),
        "{rule} {settings}"
    );
}

#[test]
fn a_case_that_was_not_played_is_no_verdict_on_the_player() {
    let cases: Vec<Case> = ["pre_roll", "skip_after_the_offset"]
        .into_iter()
        .map(case)
        .collect();
    let mut thrown = lines(&cases[0], &[]);
    with_head(
        &mut thrown,
        r#""problems":["the adapter throws in start: no box"]"#,
    );
    thrown.truncate(3);
    let mut recorded = lines(&cases[1], &[]);
    let problem = r#""problems":["skip: nothing on the page ever matched .skip"]"#;
    with_head(&mut recorded, problem);
    let first = report(&cases, vec![(0, read(&thrown)), (1, read(&recorded))]);
    for name in ["pre_roll", "skip_after_the_offset"] {
        let found = cell(&first, name);
        assert!(
            matches!(&found.verdict, Verdict::NotPlayed { why } if !why.is_empty()),
            "{:?}",
            found.verdict
        );
        assert!(found.differences.is_empty() && found.faults.is_empty());
    }
    assert!(first.has_red());
    assert_eq!(first.players[0].counts.not_played, 2);
    // If the same button was pressed in another case, the adapter names the right one: that it is
    // missing is the player's.
    let mut pressed = lines(&cases[1], &[]);
    pressed.push(r#"{"t":90000000,"kind":"user","name":"skip"}"#.to_owned());
    let second = report(&cases, vec![(0, read(&pressed)), (1, read(&recorded))]);
    assert!(cell(&second, "skip_after_the_offset").verdict.is_compared());
}

#[test]
fn repeated_recordings_that_differ_are_flaky() {
    let cases = vec![case("pre_roll")];
    let recorded = lines(&cases[0], &[]);
    let mut other = recorded.clone();
    other.retain(|line| !line.contains("/complete"));
    let steady = report(&cases, vec![(0, read(&recorded)), (0, read(&recorded))]);
    assert!(!cell(&steady, "pre_roll").is_flaky());
    let flaky = report(&cases, vec![(0, read(&recorded)), (0, read(&other))]);
    let found = cell(&flaky, "pre_roll");
    assert_eq!(
        (found.verdict.clone(), found.runs.len()),
        (Verdict::Same, 2)
    );
    assert_eq!(flaky.players[0].counts.flaky, 1);
    // As expected, if any of its outcomes is.
    let mut held = report(&cases, vec![(0, read(&other)), (0, read(&recorded))]);
    Expectations::of(&steady).hold(&mut held);
    assert_eq!(cell(&held, "pre_roll").change, None);
}

/// What many cases share depends on which are there; what changed since a baseline must not.
#[test]
fn a_part_of_the_same_recordings_is_no_change() {
    let names = [
        "pre_roll",
        "post_roll",
        "pod_of_two",
        "mid_roll_at_4_s",
        "two_mid_rolls",
        "pre_mid_and_post_roll",
    ];
    let cases: Vec<Case> = names.into_iter().map(case).collect();
    let recorded = |index: usize| {
        let knob: &[(&str, &str)] = if index == 1 {
            &[("postroll.ask", "-2s")]
        } else {
            &[]
        };
        let mut lines = lines(&cases[index], knob);
        lines.retain(|line| !line.contains("/midpoint"));
        (index, read(&lines))
    };
    let all = report(&cases, (0..cases.len()).map(recorded).collect());
    assert!(
        !all.players[0].shared.is_empty(),
        "all of them lack a tracker"
    );
    let expected = Expectations::of(&all);
    for part in [vec![0], vec![1], vec![1, 3], vec![0, 2, 4, 5]] {
        let mut now = report(&cases, part.iter().copied().map(recorded).collect());
        expected.hold(&mut now);
        for index in &part {
            assert_eq!(cell(&now, names[*index]).change, None, "{part:?}");
        }
    }
}

/// A player whose post-roll does not come any more has a recording that ends before it.
#[test]
fn a_recording_that_ends_sooner_than_the_baseline_is_no_success() {
    let cases = [case("post_roll")];
    let whole = lines(&cases[0], &[]);
    let expected = Expectations::of(&report(&cases, vec![(0, read(&whole))]));
    let tag = whole
        .iter()
        .position(|line| line.contains("http://ads.test/one"));
    let mut now = report(&cases, vec![(0, read(&whole[..tag.expect("a tag")]))]);
    expected.hold(&mut now);
    assert_eq!(cell(&now, "post_roll").change, Some(Change::New));
}

#[test]
fn against_a_baseline_only_what_is_new_or_changed_fails() {
    let cases: Vec<Case> = ["no_ads", "post_roll", "pre_roll", "tag_404"]
        .into_iter()
        .map(case)
        .collect();
    let of = |index: usize, settings: &[(&str, &str)], without: &str| {
        let mut recorded = lines(&cases[index], settings);
        recorded.retain(|line| without.is_empty() || !line.contains(without));
        (index, read(&recorded))
    };
    let knob = [("postroll.ask", "-2s")];
    let before = report(
        &cases,
        vec![
            of(0, &[], ""),
            of(1, &knob, ""),
            of(2, &[], "/complete"),
            of(3, &[], ""),
        ],
    );
    let expected = Expectations::of(&before);
    // It survives a file, one line for each case.
    let written = expected.write();
    assert_eq!(Expectations::read(&written).expect("it reads"), expected);
    assert!(
        written
            .lines()
            .any(|line| line.contains("\"post_roll\"") && line.contains("differs"))
    );
    assert!(Expectations::read("{}").is_err() && Expectations::read("pre_roll: same").is_err());
    let held = |recordings| {
        let mut report = report(&cases, recordings);
        let gone = expected.hold(&mut report);
        (report, gone)
    };
    let (same, gone) = held(vec![
        of(0, &[], ""),
        of(1, &knob, ""),
        of(2, &[], "/complete"),
        of(3, &[], ""),
    ]);
    assert!(!same.has_red() && gone.is_empty(), "{same:?}");
    let (other, gone) = held(vec![
        of(1, &[], ""),
        of(2, &[], "/midpoint"),
        of(3, &[], "ads.test"),
    ]);
    assert_eq!(gone, ["some: no_ads"]);
    let change = |name: &str| cell(&other, name).change;
    assert_eq!(change("post_roll"), Some(Change::Fixed));
    assert_eq!(change("pre_roll"), Some(Change::Changed));
    assert_eq!(change("tag_404"), Some(Change::New));
    assert!(other.has_red());
    // A knob that the baseline does not have is new; without a baseline it is no success either.
    let (drift, _) = held(vec![
        of(0, &[], ""),
        of(
            1,
            &[("postroll.ask", "-2s"), ("ad.tracker_calls", "twice")],
            "",
        ),
    ]);
    assert_eq!(
        cell(&drift, "post_roll").change,
        Some(Change::Changed),
        "{:?}",
        cell(&drift, "post_roll")
    );
    assert!(before.has_red());
}

#[test]
fn the_same_player_in_two_browsers_and_versions_has_columns_of_its_own() {
    let cases = vec![case("no_ads")];
    let recorded = |browser: &str, version: &str| {
        let mut lines = lines(&cases[0], &[]);
        with_head(
            &mut lines,
            &format!(r#""browser":"{browser}","versions":{{"some":"{version}"}}"#),
        );
        let behaviour = Behaviour {
            name: "default".to_owned(),
            knobs: Knobs::default(),
        };
        Recorded {
            player: "some".to_owned(),
            behaviour,
            recordings: vec![(0, read(&lines))],
        }
    };
    let players = [
        recorded("Chromium 156", "1.0.0"),
        recorded("Firefox 153", "1.0.0"),
        recorded("Chromium 156", "2.0.0"),
    ];
    let report = Report::of(&cases, &players, Tolerance::default()).expect("they play");
    let labels: Vec<&str> = report.players.iter().map(|player| &*player.label).collect();
    assert_eq!(
        labels,
        [
            "some on Chromium 156 1.0.0",
            "some on Firefox 153 1.0.0",
            "some on Chromium 156 2.0.0"
        ]
    );
    let expected = Expectations::of(&report).write();
    assert!(
        expected.contains("some on chromium") && expected.contains("some on firefox"),
        "{expected}"
    );
}

/// `run` counts as the report does: a button that another case found is no fault of the adapter.
#[test]
fn what_is_not_played_is_judged_by_all_recordings() {
    let problem = "skip: nothing on the page ever matched .skip";
    let recording = |head: &str, rest: &str| read(&[head.to_owned(), rest.to_owned()]);
    let whole = r#"{"t":0,"kind":"header","name":"recording","data":{"version":1,"player":"some","hears":["user"]}}"#;
    let lacking = whole.replace(
        "\"version\":1",
        &format!("\"version\":1,\"problems\":[\"{problem}\"]"),
    );
    let act = |name: &str| format!(r#"{{"t":1,"kind":"user","name":"{name}"}}"#);
    let lacks = recording(&lacking, &act("play"));
    let skips = recording(whole, &act("skip"));
    let plays = recording(whole, &act("play"));
    assert_eq!(are_played(&[lacks.clone(), skips]), [true, true]);
    assert_eq!(are_played(&[lacks, plays]), [false, true]);
}
