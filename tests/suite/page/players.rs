//! The page of players by situations. The players are invented: their recordings are simulated,
//! with other knobs or with lines taken away.

use std::fs;
use std::sync::LazyLock;

use playsim::conform::report::Counts;
use playsim::conform::{
    Behaviour, Case, Difference, DifferenceKind, Explained, Fit, FitOptions, MatrixPage, Recorded,
    Report,
};
use playsim::conform::{FittedSetting, Tolerance, Verdict, fit};
use playsim::knobs::Knobs;
use playsim::recording::Recording;
use playsim::scenario;
use roxmltree::Node;

use super::{check_structure, parsed, root, words};

const CASES: &[&str] = &[
    "no_ads",
    "post_roll",
    "pre_mid_and_post_roll",
    "pre_roll",
    "tag_404",
    "tag_without_an_ad",
    "vmap_start_middle_end",
    "wrapper_chain_of_three",
];

fn cases() -> Vec<Case> {
    let folder = root().join("conform/suite");
    let read = |name: &&str| {
        let file = format!("{name}.yaml");
        let text = fs::read_to_string(folder.join(&file))
            .unwrap_or_else(|error| panic!("{file}: {error}"));
        let scenario = scenario::read(&file, &text, &mut |name| {
            fs::read_to_string(folder.join(name))
        });
        Case::of(
            name,
            scenario.unwrap_or_else(|error| panic!("{file}: {error}")),
        )
        .expect("it can be played")
    };
    CASES.iter().map(read).collect()
}

fn knobs(settings: &[(&str, &str)]) -> Knobs {
    let mut knobs = Knobs::default();
    for (name, value) in settings {
        knobs
            .set(name, value)
            .unwrap_or_else(|error| panic!("{name}={value}: {error}"));
    }
    knobs
}

/// The recordings of an invented player: what the simulator does with these knobs, without lines of
/// some names.
fn recorded(player: &str, cases: &[Case], settings: &[(&str, &str)], without: &[&str]) -> Recorded {
    let recording = |(index, case): (usize, &Case)| {
        let mut trace = case.play(&knobs(settings)).expect("it can be played");
        trace
            .records
            .retain(|record| !without.contains(&&*record.name));
        let mut recording = Recording::of(trace).expect("it is a trace");
        recording.head.versions = vec![(format!("@some/{player}").into(), "1.2.3".into())];
        recording.head.browser = Some("Chromium 148".into());
        (index, recording)
    };
    let behaviour = Behaviour {
        name: "default".to_owned(),
        knobs: Knobs::default(),
    };
    let recordings = cases.iter().enumerate().map(recording).collect();
    Recorded {
        player: player.to_owned(),
        behaviour,
        recordings,
    }
}

struct Sample {
    report: Report,
    fit: Fit,
}

/// Three players: one that agrees, one with a knob, one that differs, cannot show one situation,
/// and was not recorded in another.
static SAMPLE: LazyLock<Sample> = LazyLock::new(|| {
    let cases = cases();
    let turned = recorded("turned", &cases, &[("postroll.ask", "-2s")], &[]);
    let mut silent = recorded("silent", &cases, &[], &["midpoint", "complete"]);
    silent
        .recordings
        .retain(|(index, _)| CASES[*index] != "no_ads");
    for (index, recording) in &mut silent.recordings {
        recording.head.decides = vec!["when a mid-roll is due".into()];
        if CASES[*index] == "vmap_start_middle_end" {
            recording.head.cannot = Some("it has no VMAP".into());
        }
    }
    let pairs: Vec<(&Case, &Recording)> = turned
        .recordings
        .iter()
        .map(|(index, recording)| (&cases[*index], recording))
        .collect();
    let fit = fit(&pairs, &turned.behaviour, FitOptions::default());
    let players = [silent, recorded("exact", &cases, &[], &[]), turned];
    let report = Report::of(&cases, &players, Tolerance::default()).expect("they can be played");
    Sample { report, fit }
});

fn written(page: &MatrixPage<'_>) -> String {
    let mut html = String::new();
    page.write(&mut html)
        .expect("writing to a string cannot fail");
    html
}

/// All sample pages with their names.
pub(super) fn all() -> Vec<(&'static str, String)> {
    vec![
        ("players", three()),
        ("players_one", one()),
        ("players_many", many()),
        ("players_hostile", hostile()),
        ("players_none", none()),
    ]
}

fn three() -> String {
    let Sample { report, fit } = &*SAMPLE;
    let page = MatrixPage::new(report)
        .with_fit("turned", fit)
        .with_fit("unknown", fit);
    written(&page.with_command("playsim conform report recordings --format html"))
}

fn one() -> String {
    let mut report = SAMPLE.report.clone();
    report.players.truncate(1);
    for row in &mut report.cases {
        row.cells.truncate(1);
    }
    written(&MatrixPage::new(&report))
}

/// Seventy situations and six players with long names.
fn many() -> String {
    let mut report = SAMPLE.report.clone();
    let (players, cases) = (report.players.clone(), report.cases.clone());
    report.players.clear();
    for number in 0..2 {
        for player in &players {
            let mut player = player.clone();
            player.name = format!("{}-player-with-a-very-long-name_{number}", player.name);
            player.label.clone_from(&player.name);
            report.players.push(player);
        }
    }
    report.cases = (0..72)
        .map(|number| {
            let mut row = cases[number % cases.len()].clone();
            row.name = format!("{}_that_has_a_long_name_and_the_number_{number}", row.name);
            row.cells = row
                .cells
                .iter()
                .cycle()
                .take(row.cells.len() * 2)
                .cloned()
                .collect();
            row
        })
        .collect();
    for (column, player) in report.players.iter_mut().enumerate() {
        player.counts = Counts::of(
            report
                .cases
                .iter()
                .filter_map(|row| row.cells[column].as_ref()),
        );
    }
    written(&MatrixPage::new(&report))
}

/// A report whose strings are all hostile.
fn hostile() -> String {
    let text = "</script><b>owned</b>\u{1b}[2J\u{202e}\"'>&amp;\n";
    let mut report = SAMPLE.report.clone();
    for player in &mut report.players {
        player.name = text.to_owned();
        player.label = text.to_owned();
        for it in &mut player.shared {
            it.class = text.to_owned();
        }
        player.profile = text.to_owned();
        player.browser = Some(text.to_owned());
        player.versions = [(text.to_owned(), text.to_owned())].into();
        player.decides = vec![text.to_owned()];
        player.settings = vec![FittedSetting {
            knob: "ad.timeout",
            value: text.to_owned(),
        }];
    }
    for row in &mut report.cases {
        (row.name, row.title) = (text.to_owned(), text.to_owned());
        for cell in row.cells.iter_mut().flatten() {
            if let Verdict::Unknown { why } = &mut cell.verdict {
                *why = text.to_owned();
            }
            cell.differences
                .iter_mut()
                .for_each(|it| it.what = text.to_owned());
            if let Some(first) = &mut cell.first {
                let line = || Some(text.to_owned());
                *first = Explained {
                    settings: Vec::new(),
                    decided: None,
                    sentence: text.to_owned(),
                    recorded: line(),
                    simulated: line(),
                    causes: vec![text.to_owned()],
                    rule: first.rule.clone(),
                };
            }
        }
    }
    written(&MatrixPage::new(&report).with_command(text))
}

/// A report of nothing.
fn none() -> String {
    let mut report = SAMPLE.report.clone();
    report.players.clear();
    report.cases.clear();
    written(&MatrixPage::new(&report))
}

#[test]
fn pages_of_players_are_sound() {
    for (name, html) in all() {
        check_structure(name, &html);
    }
    let html = hostile();
    assert!(
        !parsed(&html)
            .descendants()
            .any(|node| node.has_tag_name("b") && node.text() == Some("owned"))
    );
    assert!(
        html.contains("&lt;/script&gt;&lt;b&gt;owned&lt;/b&gt;"),
        "{html}"
    );
}

/// Returns the text of the element with an id.
fn text(html: &str, id: &str) -> String {
    let document = parsed(html);
    let found = document
        .descendants()
        .find(|node| node.attribute("id") == Some(id));
    words(found.unwrap_or_else(|| panic!("there is no {id}")))
}

#[test]
fn the_page_of_players_says_where_they_differ_and_why() {
    let html = three();
    let document = parsed(&html);
    let heading = document
        .descendants()
        .find(|node| node.has_tag_name("h1"))
        .map(words)
        .expect("there is one");
    assert_eq!(
        heading,
        "exact agrees wherever it can be compared; silent differs most, in 4 of 6 situations, most often at BRK-3."
    );
    let head = |node: &Node<'_, '_>| {
        node.attribute("class")
            .is_some_and(|class| class.starts_with("p p"))
    };
    let heads: Vec<String> = document.descendants().filter(head).map(words).collect();
    let due = [
        "exact 1.2.3 Chromium 148",
        "turned 1.2.3 Chromium 148",
        "silent 1.2.3 Chromium 148 adapter decides 1",
    ];
    assert_eq!(heads, due);
    let knob = text(&html, "post_roll--turned");
    assert!(
        knob.starts_with("turned is the same with a knob in post_roll: --knob postroll.ask=-2s"),
        "{knob}"
    );
    let differs = text(&html, "pre_roll--silent");
    for part in [
        "silent differs in pre_roll",
        "same until 2.100 s",
        "\u{2212} playsim ! complete",
        "+ silent nothing",
        "BRK-3 reference",
        "nearest first",
        "The situation tests PRE-1 (reference)",
    ] {
        assert!(differs.contains(part), "{part} in {differs}");
    }
    let unknown = text(&html, "vmap_start_middle_end--silent");
    assert!(
        unknown
            .contains("Nothing can be said about silent in vmap_start_middle_end: it has no VMAP"),
        "{unknown}"
    );
    assert!(
        text(&html, "no_ads").ends_with("no recording 2/2"),
        "{}",
        text(&html, "no_ads")
    );
    assert!(
        text(&html, "fits").contains("With profile default 6 of 8 situations go in the same order"),
        "{}",
        text(&html, "fits")
    );
    assert!(text(&html, "adapters").contains("silent when a mid-roll is due"));
    assert!(text(&html, "compared").contains("Order first"));
    assert!(html.contains("<pre>playsim conform report recordings --format html</pre>"));
}

#[test]
fn settings_of_the_profile_that_a_fit_began_with_are_not_more_settings() {
    let cases = cases();
    let turned = recorded("turned", &cases, &[("ad.tracker_calls", "twice")], &[]);
    let pairs = turned.recordings.iter();
    let pairs: Vec<(&Case, &Recording)> = pairs.map(|(index, it)| (&cases[*index], it)).collect();
    let more = |settings: &[(&str, &str)]| {
        let base = Behaviour {
            name: "some".to_owned(),
            knobs: knobs(settings),
        };
        let options = FitOptions {
            holds_out: false,
            ..FitOptions::default()
        };
        let fit = fit(&pairs, &base, options);
        assert_eq!(fit.decided.len(), 1, "{:?}", fit.decided);
        let html = written(&MatrixPage::new(&SAMPLE.report).with_fit("turned", &fit));
        text(&html, "fits")
    };
    assert!(more(&[]).contains("with 1 more setting 8."));
    assert!(more(&[("ad.tracker_calls", "twice")]).contains("with 0 more settings 8."));
}

#[test]
fn a_difference_from_a_choice_is_no_failure() {
    let mut report = SAMPLE.report.clone();
    for cell in report
        .cases
        .iter_mut()
        .flat_map(|row| row.cells.iter_mut().flatten())
    {
        if let Some(rule) = cell.first.as_mut().and_then(|first| first.rule.as_mut()) {
            rule.basis = "choice";
        }
        let late = |it: &Difference| {
            let mut late = it.clone();
            (late.kind, late.what) = (DifferenceKind::Time, "late".to_owned());
            (late.recorded, late.simulated, late.late_us) = (None, None, Some(-1_500));
            late
        };
        let Some(late) = cell.differences.first().map(late) else {
            continue;
        };
        cell.differences.extend((0..200).map(|_| late.clone()));
    }
    let html = written(&MatrixPage::new(&report));
    check_structure("choice", &html);
    assert!(text(&html, "pre_roll--silent").contains("information about it, not a failure"));
    assert!(
        html.contains("<td class=\"c choice p2\">"),
        "the cell is no full one"
    );
    assert!(html.contains("more differences not listed") && html.contains("\u{2212}0.002"));
}
