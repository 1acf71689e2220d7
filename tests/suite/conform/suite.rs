//! The situations in `conform/suite`: each is whole, short, true in the simulator, and within what a browser and an
//! HTTP server can show. Their index is made from them:
//! `UPDATE_SUITE=1 cargo test --test suite conform::suite::the_index` writes it anew.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use playsim::api::{EventName, Kind};
use playsim::check;
use playsim::rules::{Basis, RuleId};
use playsim::scenario::{self, AnswerScript, Scenario, ScriptedAnswer, StepAct, Trigger};
use playsim::sim::Simulation;
use playsim::time::{Span, Time};
use playsim::trace::Trace;

/// A session is watched in real time, once for each player.
const LONGEST: Span = Span::from_secs(25);

/// What the cases are about. Those of a group have one of its beginnings, and each case has one group.
const GROUPS: &[Group] = &[
    Group {
        title: "Breaks",
        about: "Where breaks are: before, in and after the content, and nowhere.",
        names: &["no_ads", "pre_", "mid_roll", "two_mid_rolls", "post_roll", "overlay"],
    },
    Group {
        title: "Failures",
        about: "Each way in which a tag or its film fails, alone: content must come.",
        names: &["tag_", "media_"],
    },
    Group {
        title: "Waterfalls",
        about: "A failure that is followed by a tag that fills.",
        names: &["waterfall_"],
    },
    Group { title: "Wrappers", about: "Documents that lead to others.", names: &["wrapper_", "redirect_"] },
    Group { title: "Pods", about: "Several ads in one document.", names: &["pod_"] },
    Group {
        title: "Persons",
        about: "What a person does during ads and content.",
        names: &["skip_", "click_", "pause_", "mute_", "unmute_"],
    },
    Group {
        title: "Seeks",
        about: "Jumps over cue points, onto them, back, and during ads.",
        names: &["seek_"],
    },
    Group { title: "Late answers", about: "Below and above the limits of time.", names: &["late_"] },
    Group { title: "VMAP", about: "One document with all breaks.", names: &["vmap_"] },
    Group { title: "Playlists and replay", about: "More than one pass.", names: &["playlist_", "replay_"] },
    Group { title: "Trackers", about: "Which URLs are called, and with what in them.", names: &["tracker_"] },
];

struct Group {
    title: &'static str,
    about: &'static str,
    /// The beginnings of its cases' names.
    names: &'static [&'static str],
}

/// A rule that leaves no line with its ID.
struct WithoutLine {
    rule: &'static str,
    /// Whether a trace exercises it.
    shows: fn(&Trace) -> bool,
}

const WITHOUT_LINES: &[WithoutLine] = &[
    // Several trackers at one instant, impressions among them.
    WithoutLine { rule: "ADX-7", shows: |it| beacons(it, "impression") > 0 && beacons(it, "start") > 0 },
    // One tag that fills with several ads.
    WithoutLine {
        rule: "BRK-9",
        shows: |it| lines(it, Kind::Ad, "fill") > lines(it, Kind::Event, "requestAd"),
    },
    // Content goes on after a break, and `play` has fired once.
    WithoutLine { rule: "BRK-18", shows: |it| begins(it, "cue") > 0 && lines(it, Kind::Event, "play") == 1 },
    // Pods that share a break.
    WithoutLine { rule: "CUE-8", shows: |it| most_pods(it) > 1 },
    WithoutLine { rule: "CUE-1", shows: |it| begins(it, "cue") > 0 },
    WithoutLine { rule: "VMAP-3", shows: |it| begins(it, "vmap") > 1 },
];

fn lines(trace: &Trace, kind: Kind, name: &str) -> usize {
    trace.records.iter().filter(|record| record.kind == kind && *record.name == *name).count()
}

fn beacons(trace: &Trace, name: &str) -> usize {
    lines(trace, Kind::Beacon, name)
}

/// The number of breaks whose first line has this field.
fn begins(trace: &Trace, field: &str) -> usize {
    let begins = trace.records.iter().filter(|it| it.kind == Kind::Break && &*it.name == "begin");
    begins.filter(|record| record.data.get(field).is_some()).count()
}

fn most_pods(trace: &Trace) -> i64 {
    let begins = trace.records.iter().filter(|it| it.kind == Kind::Break && &*it.name == "begin");
    begins.filter_map(|record| record.data.integer("pods")).max().unwrap_or_default()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("conform/suite")
}

/// A case, read and played.
struct Case {
    name: String,
    text: String,
    scenario: Scenario,
    trace: Trace,
}

/// All cases, by name.
fn cases() -> Vec<Case> {
    let entries = fs::read_dir(folder()).expect("there is a suite").flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "yaml"));
    files.sort();
    files.iter().map(|file| read(file)).collect()
}

fn read(file: &Path) -> Case {
    let name = file.file_stem().expect("it has a name").to_string_lossy().into_owned();
    let text = fs::read_to_string(file).expect("a case is UTF-8");
    let mut load = |body: &str| fs::read_to_string(folder().join(body));
    let scenario = scenario::read(&format!("{name}.yaml"), &text, &mut load);
    let scenario = scenario.unwrap_or_else(|error| panic!("{error}"));
    let trace = Simulation::new(&scenario).unwrap_or_else(|error| panic!("{name}: {error}")).run();
    Case { name, text, scenario, trace }
}

impl Case {
    fn answers(&self) -> impl Iterator<Item = &AnswerScript> {
        self.scenario.network.iter().flat_map(|(_, answers)| answers)
    }

    /// The documents that its URLs respond with.
    fn documents(&self) -> impl Iterator<Item = &str> {
        self.answers().filter_map(|answer| match &answer.answer {
            ScriptedAnswer::Body { text, .. } => Some(&**text),
            ScriptedAnswer::Redirect { .. } | ScriptedAnswer::Fails(_) | ScriptedAnswer::Silence => None,
        })
    }

    fn group(&self) -> Vec<&'static Group> {
        let has = |group: &&Group| group.names.iter().any(|name| self.name.starts_with(name));
        GROUPS.iter().filter(has).collect()
    }

    /// Its rules that rest on one of these, as the table of rules has them.
    fn rules(&self, bases: &[Basis]) -> String {
        let rules: BTreeSet<RuleId> =
            self.scenario.rules.iter().copied().filter(|rule| bases.contains(&rule.row().basis)).collect();
        rules.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    }
}

/// Fails with the problems of all cases.
fn check_each(judge: impl Fn(&Case, &mut Vec<String>)) {
    let mut problems = Vec::new();
    for case in cases() {
        let mut found = Vec::new();
        judge(&case, &mut found);
        problems.extend(found.iter().map(|problem| format!("{}: {problem}", case.name)));
    }
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn each_case_plays_to_its_end_in_a_short_time() {
    check_each(|case, problems| {
        problems.extend(check::invariants::judge(&case.trace).iter().map(ToString::to_string));
        problems
            .extend(check::expectations(&case.scenario.expect, &case.trace).iter().map(ToString::to_string));
        let end = case.trace.records.last().map_or(Time::ZERO, |record| record.at);
        if case.trace.outcome() != "idle" {
            problems.push(format!("it ends with {}", case.trace.outcome()));
        }
        if end - Time::ZERO > LONGEST {
            problems.push(format!("it lasts until {end}"));
        }
        if lines(&case.trace, Kind::Event, "ended") == 0 {
            problems.push("the content does not come to its end".to_owned());
        }
    });
}

#[test]
fn each_case_says_what_it_shows_and_expects_something() {
    check_each(|case, problems| {
        let comment = case.text.lines().take_while(|line| line.starts_with("# ")).count();
        if !(1..=2).contains(&comment) {
            problems.push("its first lines say in one or two comments what it shows".to_owned());
        }
        if !case.text.contains("\nname: ")
            || case.scenario.rules.is_empty()
            || case.scenario.expect.is_empty()
        {
            problems.push("it needs a name, rules and something to expect".to_owned());
        }
    });
}

#[test]
fn each_rule_that_a_case_names_is_exercised_by_it() {
    check_each(|case, problems| {
        let on_lines: BTreeSet<RuleId> = case.trace.records.iter().filter_map(|record| record.rule).collect();
        for rule in &case.scenario.rules {
            let word = rule.to_string();
            let otherwise = WITHOUT_LINES.iter().find(|it| it.rule == word);
            if !on_lines.contains(rule) && !otherwise.is_some_and(|it| (it.shows)(&case.trace)) {
                problems.push(format!("its trace does not show {rule}"));
            }
        }
    });
}

#[test]
fn every_url_leads_to_a_host_of_the_suite() {
    const HOSTS: &[&str] = &["content.test", "m.test", "ads.test", "dsp.test", "t.test", "shop.test"];
    check_each(|case, problems| {
        for text in case.documents().chain([case.text.as_str()]) {
            for (at, _) in text.match_indices("://") {
                let start =
                    text[..at].rfind(|c: char| !c.is_ascii_alphabetic()).map_or(0, |before| before + 1);
                let host = text[at + 3..].split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
                let is_namespace = text[..start].trim_end_matches(['"', '\'']).ends_with('=')
                    && text[..start].rsplit([' ', '\n']).next().is_some_and(|name| name.starts_with("xmlns"));
                if !is_namespace
                    && (&text[start..at] != "http" || !host.take(1).all(|host| HOSTS.contains(&host)))
                {
                    problems.push(format!("{}...", text[start..].chars().take(40).collect::<String>()));
                }
            }
        }
        let media = case.scenario.media.iter().map(|(url, _)| url);
        problems.extend(media.filter(|url| !url.ends_with(".webm")).map(|url| format!("{url} is not WebM")));
    });
}

#[test]
fn each_tracker_has_its_own_url() {
    check_each(|case, problems| {
        let mut seen = BTreeSet::new();
        for document in case.documents() {
            for (at, _) in document.match_indices("http://t.test/") {
                let url = document[at..].split(['<', ' ', '\n', '"', '\'']).next().unwrap_or_default();
                if !seen.insert(url) {
                    problems.push(format!("{url} is the URL of two trackers"));
                }
            }
        }
        let mut impressions = BTreeSet::new();
        for record in case.trace.records.iter().filter(|it| it.kind == Kind::Beacon) {
            let url = record.data.text("url").map_or("", |url| url);
            if !url.starts_with("http://t.test/") {
                problems.push(format!("{url} is not on t.test"));
            }
            if &*record.name == "impression" && !impressions.insert(url) {
                problems.push(format!("{url} is called for two ads"));
            }
        }
    });
}

#[test]
fn each_case_is_within_what_a_page_can_do() {
    // What a page knows of every player: the start of the content, which ads are on the screen, and the end.
    let known = [EventName::Ready, EventName::Start, EventName::AdStart, EventName::AdEnd, EventName::Ended];
    check_each(|case, problems| {
        for step in &case.scenario.steps {
            if let Trigger::On { event, .. } = step.trigger
                && !known.contains(&event)
            {
                problems.push(format!("a page does not know of {event} of every player"));
            }
            match step.act {
                StepAct::Init { .. } | StepAct::Do { .. } | StepAct::User(_) => {}
                StepAct::Queue { .. }
                | StepAct::Element { .. }
                | StepAct::Page(_)
                | StepAct::Script(_)
                | StepAct::Edit(_)
                | StepAct::Read(_) => {
                    problems.push("a step is a call or what the user does".to_owned());
                }
            }
        }
        if !case.scenario.player.muted && !case.name.starts_with("mute_") {
            problems.push("browsers let only muted players start without a person".to_owned());
        }
    });
}

#[test]
fn each_case_has_one_group() {
    check_each(|case, problems| {
        if case.group().len() != 1 {
            problems.push(format!("it has {} groups", case.group().len()));
        }
    });
}

const INDEX_BEGIN: &str = "<!-- the cases, written by a test -->\n";

#[test]
fn the_index_has_a_row_for_each_case() {
    let cases = cases();
    let mut index = String::new();
    for group in GROUPS {
        let title = group.title;
        if !cases.iter().any(|case| case.group().iter().any(|it| it.title == title)) {
            continue;
        }
        let _ = writeln!(index, "\n## {title}\n\n{}\n", group.about);
        index += "| case | what it shows | standards | reference | our choice |\n|---|---|---|---|---|\n";
        for case in cases.iter().filter(|case| case.group().iter().any(|it| it.title == title)) {
            let (standard, reference) =
                (case.rules(&[Basis::Html, Basis::Iab]), case.rules(&[Basis::Stated]));
            let (name, shows, chosen) = (&case.name, &case.scenario.name, case.rules(&[Basis::Chosen]));
            let _ =
                writeln!(index, "| [{name}]({name}.yaml) | {shows} | {standard} | {reference} | {chosen} |");
        }
    }
    let file = folder().join("README.md");
    let text = fs::read_to_string(&file).expect("the suite has a README");
    let (before, after) = text.split_once(INDEX_BEGIN).expect("the README has a place for the cases");
    if std::env::var_os("UPDATE_SUITE").is_some() {
        fs::write(&file, format!("{before}{INDEX_BEGIN}{index}")).expect("the README can be written");
        return;
    }
    assert_eq!(after, index, "`UPDATE_SUITE=1 cargo test --test suite conform::suite` writes the index anew");
}
