//! Breakages by the hundred: sound traces that are broken in one place each, with the rules of
//! which one must find it.
//!
//! Sound traces are recordings of `fixtures/check`, traces of playsim, and recordings made of
//! these. With `PLAYSIM_BREAKAGES` set to a folder, the broken traces are written there.

use std::collections::BTreeMap;
use std::path::Path;

use playsim::check::{self, CheckOptions, Finding, OF_THE_FORM, Sure, UNPREDICTED, compare};
use playsim::recording::{Recording, heard};
use playsim::rules::{self, RuleId};
use playsim::scenario::{self, Scenario};
use playsim::sim::{Simulation, play_observed};
use playsim::trace::{Filter, View, write_jsonl};
use serde_json::{Value, json};

use super::{Lines, lines, shown};

/// Where a sound trace comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Base {
    /// A recording of `fixtures/check`.
    Recording(&'static str),
    /// A trace of playsim, judged with its scenario.
    Own(&'static str),
    /// A recording made of it, judged with the scenario.
    Made(&'static str),
}

/// A line of a trace.
#[derive(Debug, Clone, Copy)]
enum What {
    /// The first call of a tracker whose URL has this in it.
    T(&'static str),
    /// The n-th line of a kind and name.
    L(&'static str, &'static str, usize),
}

/// How a trace is broken.
enum Change {
    /// The line is missing.
    Without(What),
    /// The line is there again, this many microseconds later.
    Again(What, i64),
    /// The line is this many microseconds later, or earlier.
    Moved(What, i64),
    /// Its URL has one text in place of another.
    Url(What, &'static str, &'static str),
    Other(fn(&mut Lines)),
}

/// What is broken, in which trace, how, and the rules of which one finds it.
type Breakage = (&'static str, Base, Change, &'static [&'static str]);

impl What {
    fn place(self, lines: &Lines) -> usize {
        match self {
            What::T(part) => tracker(lines, part, 0),
            What::L(kind, name, n) => nth(lines, kind, name, n),
        }
    }
}

impl Change {
    fn apply(&self, lines: &mut Lines) {
        match *self {
            Change::Without(what) => remove(lines, what.place(lines)),
            Change::Again(what, by) => again(lines, what.place(lines), by),
            Change::Moved(what, by) => moved(lines, what.place(lines), by),
            Change::Url(what, from, to) => url(lines, what.place(lines), from, to),
            Change::Other(change) => change(lines),
        }
    }
}

pub(super) fn scenario_of(name: &str) -> Scenario {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("{name}.yaml"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let folder = path.parent().expect("it is in a folder").to_owned();
    let mut load = |file: &str| std::fs::read_to_string(folder.join(file));
    scenario::read("s.yaml", &text, &mut load).unwrap_or_else(|error| panic!("{name}: {error}"))
}

impl Base {
    fn sound(self) -> Lines {
        match self {
            Base::Recording(name) => lines(name),
            Base::Own(name) => played(name, false),
            Base::Made(name) => recorded(&played(name, true)),
        }
    }

    fn options(self) -> CheckOptions {
        match self {
            Base::Recording(_) => CheckOptions::default(),
            Base::Own(name) | Base::Made(name) => {
                CheckOptions::default().with_scenario(&scenario_of(name))
            }
        }
    }

    fn judge(self, lines: &Lines) -> Vec<Finding> {
        let text: Vec<String> = lines.iter().map(Value::to_string).collect();
        let recording = Recording::read("broken", &text.join("\n"))
            .unwrap_or_else(|error| panic!("{self:?}: {error}"));
        check::judge(&recording, &self.options())
    }
}

fn played(name: &str, is_heard: bool) -> Lines {
    let trace = Simulation::new(&scenario_of(name))
        .expect("it can be played")
        .run();
    let trace = if is_heard { heard(&trace) } else { trace };
    let mut text = String::new();
    write_jsonl(
        &trace,
        &Filter {
            view: View::All,
            ..Filter::default()
        },
        false,
        &mut text,
    )
    .expect("a string can be written");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("a line is JSON"))
        .collect()
}

/// Makes a recording of a trace: what a recorder can hear, without numbers and causes; trackers are
/// requests.
pub(super) fn recorded(own: &Lines) -> Lines {
    let hears = ["event", "call", "user", "net", "ui", "page", "media"];
    let mut made = vec![json!({
        "t": 0, "kind": "header", "name": "recording", "data": { "version": 1, "player": "made", "hears": hears },
    })];
    let mut film = Value::Null;
    let mut players: Vec<&Value> = own.iter().map(|line| &line["player"]).collect();
    players.retain(|player| player.is_string());
    let is_of_one = players.windows(2).all(|two| two[0] == two[1]);
    for line in own {
        let kind = line["kind"].as_str().expect("a kind");
        if line["data"]["purpose"] == "media" && line["data"]["wp"].is_null() {
            film = line["data"]["url"].clone();
        }
        let is_heard = hears.contains(&kind) || kind == "beacon";
        if !is_heard || line["name"] == "$player" {
            continue;
        }
        let mut line = line.clone();
        let fields = line.as_object_mut().expect("an object");
        for field in ["seq", "cause", "rule", "break"]
            .into_iter()
            .chain(is_of_one.then_some("player"))
        {
            fields.remove(field);
        }
        if kind == "beacon" {
            line["kind"] = "net".into();
            line["name"] = "request".into();
            line["data"] = json!({ "url": line["data"]["url"], "via": "image" });
        } else if kind == "media" && line["data"]["position"].is_number() {
            line["data"]["src"] = film.clone();
        }
        made.push(line);
    }
    made
}

pub(super) fn is(line: &Value, kind: &str, name: &str) -> bool {
    line["kind"] == kind && line["name"] == name
}

/// The place of the n-th line of a kind and name.
#[track_caller]
fn nth(lines: &Lines, kind: &str, name: &str, n: usize) -> usize {
    let found = (0..lines.len())
        .filter(|index| is(&lines[*index], kind, name))
        .nth(n);
    found.unwrap_or_else(|| panic!("there is no {kind} {name} number {n}"))
}

/// The place of the n-th call of a tracker whose URL has this in it.
#[track_caller]
fn tracker(lines: &Lines, part: &str, n: usize) -> usize {
    let is_it = |line: &Value| {
        let is_call = line["kind"] == "beacon" || is(line, "net", "request");
        is_call
            && line["data"]["url"]
                .as_str()
                .is_some_and(|url| url.contains(part))
    };
    let found = (0..lines.len())
        .filter(|index| is_it(&lines[*index]))
        .nth(n);
    found.unwrap_or_else(|| panic!("there is no tracker {part} number {n}"))
}

fn at(line: &Value) -> i64 {
    line["t"].as_i64().expect("a time")
}

/// Numbers the lines of a trace of playsim again, after some were removed or added.
fn renumber(lines: &mut Lines) {
    if lines[0]["name"] != "playsim-trace" {
        return;
    }
    let (mut next, mut moved) = (0_u64, BTreeMap::new());
    for line in lines.iter_mut() {
        if let Some(seq) = line["seq"].as_u64() {
            moved.entry(seq).or_insert(next);
        }
        line["seq"] = next.into();
        if let Some(cause) = line["cause"].as_u64() {
            line["cause"] = moved.get(&cause).copied().unwrap_or(0).into();
        }
        next += line["run"]["lines"].as_u64().unwrap_or(1);
    }
}

fn remove(lines: &mut Lines, place: usize) {
    lines.remove(place);
    renumber(lines);
}

/// Removes all lines that are like this one.
fn remove_all(lines: &mut Lines, is_it: impl Fn(&Value) -> bool) {
    lines.retain(|line| !is_it(line));
    renumber(lines);
}

/// Puts a copy of a line this much later, in microseconds.
fn again(lines: &mut Lines, place: usize, by: i64) {
    let mut copy = lines[place].clone();
    copy["t"] = (at(&copy) + by).into();
    let to = if by == 0 {
        place + 1
    } else {
        lines
            .iter()
            .rposition(|line| at(line) <= at(&copy))
            .expect("a line")
            + 1
    };
    lines.insert(to, copy);
    renumber(lines);
}

/// Moves a line in time, to where it belongs then.
fn moved(lines: &mut Lines, place: usize, by: i64) {
    let mut line = lines.remove(place);
    let time = at(&line) + by;
    line["t"] = time.into();
    line["cause"] = if line["cause"].is_u64() {
        json!(0)
    } else {
        Value::Null
    };
    if line["cause"].is_null() {
        line.as_object_mut().expect("an object").remove("cause");
    }
    let to = lines
        .iter()
        .position(|other| at(other) > time)
        .unwrap_or(lines.len());
    lines.insert(to, line);
    renumber(lines);
}

fn swap_data(lines: &mut Lines, one: usize, other: usize) {
    let (first, second) = (lines[one]["data"].clone(), lines[other]["data"].clone());
    (lines[one]["data"], lines[other]["data"]) = (second, first);
}

fn url(lines: &mut Lines, place: usize, from: &str, to: &str) {
    let now = lines[place]["data"]["url"]
        .as_str()
        .expect("a URL")
        .replacen(from, to, 1);
    lines[place]["data"]["url"] = now.into();
}

const PRE: Base = Base::Recording("trk_1_sound");
const CHAIN: Base = Base::Recording("chain_sound");
const POD: Base = Base::Recording("pod_sound");
const MID: Base = Base::Recording("mid_roll_sound");
const PAUSE: Base = Base::Recording("pause_sound");
const SEEK: Base = Base::Recording("seek_sound");
const SKIP: Base = Base::Recording("skip_sound");
const FAILS: Base = Base::Recording("media_fails_sound");
const OWN_PRE: Base = Base::Own("conform/suite/pre_roll");
const MADE_PRE: Base = Base::Made("conform/suite/pre_roll");
const OWN_MID: Base = Base::Own("conform/suite/mid_roll_at_4_s");
const MADE_MID: Base = Base::Made("conform/suite/mid_roll_at_4_s");
const OWN_SKIP: Base = Base::Own("conform/suite/skip_after_the_offset");
const MADE_SKIP: Base = Base::Made("conform/suite/skip_after_the_offset");
const OWN_MUTE: Base = Base::Own("conform/suite/mute_and_unmute_in_the_ad");
const MADE_MUTE: Base = Base::Made("conform/suite/mute_and_unmute_in_the_ad");
const OWN_CLICK: Base = Base::Own("conform/suite/click_on_the_ad");
const MADE_CLICK: Base = Base::Made("conform/suite/click_on_the_ad");
const OWN_PAUSE: Base = Base::Own("conform/suite/pause_and_resume_in_the_ad");
const MADE_PAUSE: Base = Base::Made("conform/suite/pause_and_resume_in_the_ad");
const MADE_OVERLAY: Base = Base::Made("conform/suite/overlay_for_3_s");
const OWN_OVERLAY: Base = Base::Own("conform/suite/overlay_for_3_s");
const OWN_EMPTY: Base = Base::Own("conform/suite/tag_without_an_ad");
const MADE_EMPTY: Base = Base::Made("conform/suite/tag_without_an_ad");
const MADE_404: Base = Base::Made("conform/suite/media_404");
const OWN_404: Base = Base::Own("conform/suite/media_404");
const OWN_LIST: Base = Base::Own("fixtures/scenarios/playlist/advance_at_the_end_fires_skipped");
const MADE_LIST: Base = Base::Made("fixtures/scenarios/playlist/advance_at_the_end_fires_skipped");
const OWN_FULL: Base = Base::Own("fixtures/scenarios/fullscreen/fullscreen_is_entered_and_left");
const OWN_SEEK: Base = Base::Own("conform/suite/seek_over_one_cue");
const OWN_COMPANION: Base =
    Base::Own("fixtures/scenarios/attachments/companions_show_with_the_ad_and_can_be_clicked");
const MADE_COMPANION: Base =
    Base::Made("fixtures/scenarios/attachments/companions_show_with_the_ad_and_can_be_clicked");
const MADE_POST: Base = Base::Made("conform/suite/post_roll");

const POST: Base = Base::Recording("end_1_sound");
const OWN_AD_SEEK: Base =
    Base::Own("fixtures/scenarios/attachments/ad_rewound_calls_the_rewind_trackers");
const MADE_HOP_404: Base = Base::Made("fixtures/scenarios/chain/wrapper_with_status_404_is_301");

mod more;
mod recordings;
mod sessions;

fn all() -> impl Iterator<Item = &'static Breakage> {
    recordings::BREAKAGES
        .iter()
        .chain(sessions::BREAKAGES)
        .chain(more::BREAKAGES)
}

#[test]
fn the_bases_of_all_breakages_are_sound() {
    let mut problems = Vec::new();
    let bases: std::collections::BTreeSet<Base> = all().map(|(_, base, _, _)| *base).collect();
    for base in bases {
        let found = base.judge(&base.sound());
        let found: Vec<Finding> = found
            .into_iter()
            .filter(|it| it.sure != Sure::Depends)
            .collect();
        if found.iter().any(|it| it.level == check::Level::Fault) {
            problems.push(format!("{base:?}:\n{}", shown(&found)));
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Whoever knows the scenario needs no law: what is broken differs from what it predicts. Rule
/// TRACE-10.
#[test]
fn breakages_differ_from_what_their_scenario_predicts() {
    let (mut missed, mut all_of_them) = (Vec::new(), 0);
    for (name, base, change, _) in all() {
        let (Base::Own(of) | Base::Made(of)) = base else {
            continue;
        };
        all_of_them += 1;
        let mut lines = base.sound();
        change.apply(&mut lines);
        let text: Vec<String> = lines.iter().map(Value::to_string).collect();
        let recording = Recording::read("broken", &text.join("\n")).expect("it is a recording");
        let scenario = scenario_of(of);
        let predicted = play_observed(&scenario, &recording.trace).expect("it plays");
        let judged = compare::judge(&recording, &scenario, &predicted, None);
        let is_kept = |rule: &RuleId| {
            OF_THE_FORM.contains(rule) || !judged.is_own && UNPREDICTED.contains(rule)
        };
        let by_laws = check::judge(&recording, &base.options());
        let is_by_law = by_laws.iter().any(|finding| is_kept(&finding.rule));
        if judged.findings.is_empty() && judged.other_acts.is_empty() && !is_by_law {
            missed.push(format!("{base:?}: {name}"));
        }
    }
    assert!(
        missed.is_empty(),
        "{} of {all_of_them} are missed:\n{}",
        missed.len(),
        missed.join("\n")
    );
}

/// A tracker that comes twice is one that comes once more, not one at a wrong time; one with a
/// macro left in its URL is that tracker, not another one.
#[test]
fn a_difference_is_named_by_what_it_is() {
    let macros = "fixtures/scenarios/macros/every_macro_with_page_values_is_filled";
    let (filled, left) = (
        "tid=e34e7642-c16a-4bf8-8f21-4a83c2b426ac",
        "tid=[TRANSACTIONID]",
    );
    let again = Change::Again(What::T("midpoint"), 0);
    let unfilled = Change::Url(What::T("outer.test/impression"), filled, left);
    for (of, change, rule) in [
        ("conform/suite/pre_roll", again, rules::TRK_1),
        (macros, unfilled, rules::MAC_1),
    ] {
        let mut lines = Base::Own(of).sound();
        change.apply(&mut lines);
        let text: Vec<String> = lines.iter().map(Value::to_string).collect();
        let recording = Recording::read("broken", &text.join("\n")).expect("it is a recording");
        let scenario = scenario_of(of);
        let predicted = play_observed(&scenario, &recording.trace).expect("it plays");
        let found = compare::judge(&recording, &scenario, &predicted, None).findings;
        let named: Vec<RuleId> = found.iter().map(|it| it.rule).collect();
        assert_eq!(named, [rule], "{}", shown(&found));
    }
}

/// An event of another player is another event.
#[test]
fn an_event_at_the_wrong_player_is_found() {
    let of = "fixtures/scenarios/fullscreen/one_player_of_a_page_fills_the_screen";
    let mut lines = Base::Own(of).sound();
    let place = nth(&lines, "event", "fullscreenchange", 0);
    let own = lines[place]["player"].clone();
    let is_other = |line: &&Value| line["player"].is_string() && line["player"] != own;
    let other = lines.iter().find(is_other).expect("another player");
    lines[place]["player"] = other["player"].clone();
    let text: Vec<String> = lines.iter().map(Value::to_string).collect();
    let recording = Recording::read("broken", &text.join("\n")).expect("it is a recording");
    let scenario = scenario_of(of);
    let predicted = play_observed(&scenario, &recording.trace).expect("it plays");
    let found = compare::judge(&recording, &scenario, &predicted, None).findings;
    assert!(!found.is_empty(), "nothing is found");
}

#[test]
fn nine_of_ten_breakages_are_found_by_their_rule() {
    let folder = std::env::var_os("PLAYSIM_BREAKAGES");
    let (mut missed, mut names) = (Vec::new(), std::collections::BTreeSet::new());
    for (name, base, change, rules) in all() {
        assert!(names.insert((*name, *base)), "{name} is there twice");
        let mut lines = base.sound();
        change.apply(&mut lines);
        if let Some(folder) = &folder {
            let text: Vec<String> = lines.iter().map(|line| format!("{line}\n")).collect();
            let (kind, scenario) = match base {
                Base::Recording(scenario) => ("recording", *scenario),
                Base::Own(scenario) => ("own", *scenario),
                Base::Made(scenario) => ("made", *scenario),
            };
            let file = format!(
                "{kind}@{}@{}@{}.jsonl",
                scenario.replace('/', "__"),
                rules.join("+"),
                name.replace([' ', ','], "_")
            );
            std::fs::write(Path::new(folder).join(file), text.concat()).expect("it can be written");
        }
        let found = base.judge(&lines);
        if !found
            .iter()
            .any(|finding| rules.contains(&&*finding.rule.to_string()))
        {
            missed.push(format!(
                "{base:?}: {name}: expected {rules:?}, found:\n{}",
                shown(&found)
            ));
        }
    }
    let all = all().count();
    assert!(all >= 100, "{all} breakages");
    // Each of them: one that is missed is a law that has broken.
    assert!(
        missed.is_empty(),
        "{} of {all} are missed:\n{}",
        missed.len(),
        missed.join("\n")
    );
}
