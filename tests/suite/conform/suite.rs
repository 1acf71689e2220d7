//! The situations in `conform/suite`: each is whole, short, true in the simulator, and within what
//! a browser and an HTTP server can show. Their index is made from them:
//! `UPDATE_SUITE=1 cargo test --test suite conform::suite::the_index` writes it anew.

use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;

use playsim::api::{EventName, Kind, NetworkFault, Outcome};
use playsim::check;
use playsim::media::MediaFault;
use playsim::rules::Basis;
use playsim::scenario::{MediaScript, ScriptedAnswer, StepAct, Trigger};
use playsim::time::{Span, Time};

mod cases;
mod shown;

use cases::{Case, GROUPS, cases, folder};
use shown::lines;

/// A session is watched in real time, once for each player.
const LONGEST: Span = Span::from_secs(25);

/// The least number of cases.
const LEAST: usize = 60;

/// The cases in which a tracker belongs to a wrapper around several ads, and is called for each of
/// them.
const FOR_EACH_AD: &[&str] = &["wrapper_round_a_pod"];

/// Fails with the problems of all cases.
fn check_each(judge: impl Fn(&Case, &mut Vec<String>)) {
    let mut problems = Vec::new();
    for case in cases() {
        let mut found = Vec::new();
        judge(case, &mut found);
        problems.extend(
            found
                .iter()
                .map(|problem| format!("{}: {problem}", case.name)),
        );
    }
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn each_case_plays_to_its_end_in_a_short_time() {
    check_each(|case, problems| {
        problems.extend(
            check::invariants(&case.trace)
                .iter()
                .map(ToString::to_string),
        );
        problems.extend(
            check::expectations(&case.scenario.expect, &case.trace)
                .iter()
                .map(ToString::to_string),
        );
        let end = case
            .trace
            .records
            .last()
            .map_or(Time::ZERO, |record| record.at);
        if case.trace.outcome() != Some(Outcome::Idle) {
            problems.push(format!("it ends with {:?}", case.trace.outcome()));
        }
        if end - Time::ZERO > LONGEST {
            problems.push(format!("it lasts until {end}"));
        }
        if lines(&case.trace, Kind::Event, "ended") == 0 {
            problems.push("the content does not come to its end".to_owned());
        }
    });
}

/// The second suite, of other lengths, plays as its expectations say.
#[test]
fn cases_of_other_lengths_play_as_they_say() {
    /// The longest case waits 40 s for an answer.
    const LONGEST: Span = Span::from_secs(60);
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("conform/lengths");
    let (mut count, mut problems) = (0, Vec::new());
    for entry in fs::read_dir(&folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.extension().is_none_or(|ending| ending != "yaml") {
            continue;
        }
        let Case {
            name,
            scenario,
            trace,
            ..
        } = cases::read(&path);
        let of_trace = check::invariants(&trace)
            .into_iter()
            .map(|it| it.to_string());
        let unmet = check::expectations(&scenario.expect, &trace);
        let unmet = unmet.iter().map(ToString::to_string);
        problems.extend(of_trace.chain(unmet).map(|it| format!("{name}: {it}")));
        let end = trace.records.last().map_or(Time::ZERO, |record| record.at);
        if trace.outcome() != Some(Outcome::Idle) || end - Time::ZERO > LONGEST {
            problems.push(format!(
                "{name}: it ends at {end} with {:?}",
                trace.outcome()
            ));
        }
        count += 1;
    }
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
    assert!(count > 20, "{count} cases");
}

#[test]
fn each_case_says_what_it_shows_and_expects_something() {
    check_each(|case, problems| {
        let comment = case
            .text
            .lines()
            .take_while(|line| line.starts_with("# "))
            .count();
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
        let unseen = case
            .scenario
            .rules
            .iter()
            .filter(|rule| !shown::is_exercised(**rule, &case.trace));
        problems.extend(unseen.map(|rule| format!("its trace does not show {rule}")));
    });
}

#[test]
fn every_url_leads_to_a_host_of_the_suite() {
    const HOSTS: &[&str] = &[
        "content.test",
        "m.test",
        "ads.test",
        "dsp.test",
        "t.test",
        "shop.test",
    ];
    check_each(|case, problems| {
        for text in case.documents().chain([case.text.as_str()]) {
            for (at, _) in text.match_indices("://") {
                let start = text[..at]
                    .rfind(|c: char| !c.is_ascii_alphabetic())
                    .map_or(0, |before| before + 1);
                let host = text[at + 3..].split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
                let is_namespace = text[..start].trim_end_matches(['"', '\'']).ends_with('=')
                    && text[..start]
                        .rsplit([' ', '\n'])
                        .next()
                        .is_some_and(|name| name.starts_with("xmlns"));
                if !is_namespace
                    && (&text[start..at] != "http"
                        || !host.take(1).all(|host| HOSTS.contains(&host)))
                {
                    problems.push(format!(
                        "{}...",
                        text[start..].chars().take(40).collect::<String>()
                    ));
                }
            }
        }
        let media = case.scenario.media.iter().map(|(url, _)| url);
        problems.extend(
            media
                .filter(|url| !url.ends_with(".webm"))
                .map(|url| format!("{url} is not WebM")),
        );
    });
}

#[test]
fn each_tracker_has_its_own_url() {
    check_each(|case, problems| {
        let mut seen = BTreeSet::new();
        for document in case.documents() {
            for (at, _) in document.match_indices("http://t.test/") {
                let url = document[at..]
                    .split(['<', ' ', '\n', '"', '\''])
                    .next()
                    .unwrap_or_default();
                if !seen.insert(url) {
                    problems.push(format!("{url} is the URL of two trackers"));
                }
            }
        }
        let mut impressions = BTreeSet::new();
        for record in case
            .trace
            .records
            .iter()
            .filter(|it| it.kind == Kind::Beacon)
        {
            let url = record.data.text("url").map_or("", |url| url);
            if !url.starts_with("http://t.test/") {
                problems.push(format!("{url} is not on t.test"));
            }
            let is_shared = FOR_EACH_AD.contains(&case.name.as_str());
            if &*record.name == "impression" && !impressions.insert(url) && !is_shared {
                problems.push(format!("{url} is called for two ads"));
            }
        }
    });
}

#[test]
fn each_case_is_within_what_a_page_can_do() {
    // What a page knows of every player: the start of the content, which ads are on the screen, and
    // the end.
    let known = [
        EventName::Ready,
        EventName::Start,
        EventName::AdStart,
        EventName::AdEnd,
        EventName::Ended,
    ];
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
                | StepAct::Container(_)
                | StepAct::Edit(_)
                | StepAct::Read(_)
                | StepAct::Let { .. }
                | StepAct::Use { .. }
                | StepAct::When { .. }
                | StepAct::For { .. }
                | StepAct::Task(_) => {
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
fn each_case_has_one_group_and_each_group_has_cases() {
    check_each(|case, problems| {
        if case.groups().len() != 1 {
            problems.push(format!("it has {} groups", case.groups().len()));
        }
    });
    let cases = cases();
    assert!(cases.len() >= LEAST, "{} cases", cases.len());
    for group in GROUPS {
        let is_shown = cases
            .iter()
            .any(|case| case.groups()[0].title == group.title);
        assert!(is_shown, "no case of {}", group.title);
    }
}

#[test]
fn each_document_is_used_by_a_case() {
    let cases = cases();
    for entry in fs::read_dir(folder()).expect("there is a suite").flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_used = cases
            .iter()
            .any(|case| case.text.contains(&format!("file: {name} ")));
        assert!(is_used || !name.ends_with(".xml"), "no case uses {name}");
    }
}

#[test]
fn every_failure_that_a_server_can_show_has_a_case() {
    const DUE: &[&str] = &[
        "status",
        "no body",
        "redirect",
        "silence",
        "refused",
        "reset",
        "truncated",
        "too-many-redirects",
        "not-found",
        "network",
        "decode",
        "unsupported",
        "within: network",
        "stall",
        "late metadata",
    ];
    let mut shown = BTreeSet::new();
    for case in cases() {
        shown.extend(case.answers().filter_map(|it| answer_failure(&it.answer)));
        shown.extend(
            case.scenario
                .media
                .iter()
                .filter_map(|(_, media)| media_failure(media)),
        );
    }
    let missing: Vec<_> = DUE.iter().filter(|kind| !shown.contains(*kind)).collect();
    assert!(missing.is_empty(), "no case shows {missing:?}");
}

fn answer_failure(answer: &ScriptedAnswer) -> Option<&'static str> {
    match answer {
        ScriptedAnswer::Body { status, text, .. } if *status < 300 => {
            text.is_empty().then_some("no body")
        }
        ScriptedAnswer::Body { .. } => Some("status"),
        ScriptedAnswer::Redirect { .. } => Some("redirect"),
        ScriptedAnswer::Silence => Some("silence"),
        ScriptedAnswer::Fails(
            fault @ (NetworkFault::Refused
            | NetworkFault::Reset
            | NetworkFault::Truncated
            | NetworkFault::Redirects
            | NetworkFault::Cors),
        ) => Some(fault.name()),
        // An ad blocker is not the server's.
        ScriptedAnswer::Fails(NetworkFault::Blocked) => None,
    }
}

fn media_failure(media: &MediaScript) -> Option<&'static str> {
    match media.fails {
        Some((Some(_), MediaFault::Network)) => Some("within: network"),
        Some((_, MediaFault::NotFound)) => Some("not-found"),
        Some((_, MediaFault::Network)) => Some("network"),
        Some((_, MediaFault::Decode)) => Some("decode"),
        Some((_, MediaFault::Unsupported)) => Some("unsupported"),
        // A live stream; a film that the page would have to request with CORS; an ad blocker; what
        // the page itself refuses.
        Some((
            _,
            MediaFault::NotRunning
            | MediaFault::Cors
            | MediaFault::Blocked
            | MediaFault::Refused(_),
        )) => None,
        None if !media.stalls.is_empty() => Some("stall"),
        None => (media.metadata_after > Span::from_secs(10)).then_some("late metadata"),
    }
}

const INDEX_BEGIN: &str = "<!-- the cases, written by a test -->\n";

#[test]
fn the_index_has_a_row_for_each_case() {
    let cases = cases();
    let mut index = String::new();
    for group in GROUPS {
        let title = group.title;
        let _ = writeln!(index, "\n## {title}\n\n{}\n", group.about);
        index += "| case | what it shows | standards | reference | our choice |\n|---|---|---|---|---|\n";
        for case in cases
            .iter()
            .filter(|case| case.groups().iter().any(|it| it.title == title))
        {
            let (standard, reference) = (
                case.rules(&[Basis::Html, Basis::Iab]),
                case.rules(&[Basis::Stated]),
            );
            let (name, shows, chosen) = (
                &case.name,
                &case.scenario.name,
                case.rules(&[Basis::Chosen]),
            );
            let _ = writeln!(
                index,
                "| [{name}]({name}.yaml) | {shows} | {standard} | {reference} | {chosen} |"
            );
        }
    }
    let file = folder().join("README.md");
    let text = fs::read_to_string(&file).expect("the suite has a README");
    let (before, after) = text
        .split_once(INDEX_BEGIN)
        .expect("the README has a place for the cases");
    if std::env::var_os("UPDATE_SUITE").is_some() {
        fs::write(&file, format!("{before}{INDEX_BEGIN}{index}"))
            .expect("the README can be written");
        return;
    }
    assert_eq!(
        after, index,
        "`UPDATE_SUITE=1 cargo test --test suite conform::suite` writes the index anew"
    );
}
