//! Random sessions: each scenario of the fixtures is driven at random, with closures that act at
//! random.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use playsim::api::{
    Act, AdLine, Call, Command, Decimal, EventName, LineName, NetLine, NetworkFault, PageChange,
    Value,
};
use playsim::knobs::values::DispatchMode;
use playsim::scenario::{
    self, AnswerScript, EditScript, Scenario, ScriptedAnswer, Step, StepAct, Target, Trigger,
};
use playsim::sim::{Heard, Simulation};
use playsim::time::{Span, Time};
use playsim::trace::Trace;

use super::dice::Dice;
use crate::nightly;

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "yaml") {
            found.push(path);
        }
    }
}

/// The scenarios of the fixtures, by their paths.
fn scenarios() -> Vec<(Scenario, PathBuf)> {
    let mut paths = Vec::new();
    files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/scenarios"),
        &mut paths,
    );
    paths.sort();
    let read_file =
        |path: PathBuf| Some((read(&path, &fs::read_to_string(&path).ok()?).ok()?, path));
    paths.into_iter().filter_map(read_file).collect()
}

/// Reads a scenario with the documents next to a file.
fn read(path: &Path, text: &str) -> Result<Scenario, String> {
    let folder = path.parent().expect("a file is in a folder");
    let name = path.to_string_lossy();
    let scenario = scenario::read(&name, text, &mut |file| {
        fs::read_to_string(folder.join(file))
    });
    scenario.map_err(|error| error.to_string())
}

fn value(dice: &mut Dice) -> Value {
    match dice.below(8) {
        0 => Value::from(true),
        1 => Value::from("p1"),
        2 => Value::from("hd"),
        3 => Value::Null,
        4 => Value::Function("".into()),
        5 => Value::from(EventName::ALL[0].name()),
        _ => Value::from(dice.below(20)),
    }
}

fn command(dice: &mut Dice) -> Command {
    let often = [
        Call::Play,
        Call::Pause,
        Call::Stop,
        Call::CurrentTime,
        Call::PlayAd,
        Call::Volume,
    ];
    let call = if dice.one_in(2) {
        *dice.of(&often)
    } else {
        *dice.of(Call::ALL)
    };
    if call <= Call::Remove {
        // Where a function is due, a file cannot hold other text than the name of one.
        let event = Value::from(dice.of(EventName::DOCUMENTED).name());
        return Command::new(call, [event, Value::Function("".into())]);
    }
    let args: Vec<Value> = (0..dice.below(3)).map(|_| value(dice)).collect();
    Command::new(call, args)
}

fn act(dice: &mut Dice) -> Act {
    if dice.one_in(5) {
        Act::Seek(value(dice))
    } else {
        dice.of(Act::PLAIN).clone()
    }
}

fn page_change(dice: &mut Dice) -> PageChange {
    match dice.below(5) {
        0 => PageChange::Window(
            800,
            200 + 100 * u32::try_from(dice.below(9)).expect("a small number"),
        ),
        1 => PageChange::Hidden(dice.one_in(2)),
        2 => PageChange::Sticky(dice.one_in(2)),
        3 => PageChange::Fullscreen(dice.one_in(2)),
        _ => PageChange::InView(Decimal::from_integer(
            25 * i64::try_from(dice.below(5)).expect("a small number"),
        )),
    }
}

fn answer(dice: &mut Dice) -> AnswerScript {
    let answer = match dice.below(4) {
        0 => ScriptedAnswer::Silence,
        1 => ScriptedAnswer::Fails(NetworkFault::Reset),
        _ => {
            return AnswerScript::body("<VAST version='4.2'/>")
                .after(Span::from_millis(dice.below(400)));
        }
    };
    AnswerScript::from(answer)
}

/// What a closure does when it is called for the `nth` time.
fn hear(heard: &mut Heard<'_>, seed: u64, nth: u64) {
    let mut dice = Dice::new(seed ^ nth << 20);
    if nth > 12 {
        return;
    }
    for _ in 0..dice.below(3) {
        let _ = match dice.below(6) {
            0 => heard.act(act(&mut dice)),
            1 => heard.page(page_change(&mut dice)),
            2 => heard.call_after(Span::from_millis(250 * dice.below(4)), command(&mut dice)),
            _ => heard.call(command(&mut dice)).map(drop),
        };
    }
}

/// Events that most sessions have.
const OFTEN: &[EventName] = &[
    EventName::Ready,
    EventName::Play,
    EventName::Start,
    EventName::Pause,
    EventName::TimeUpdate,
    EventName::RequestAd,
    EventName::AdStart,
    EventName::AdError,
    EventName::AdEnd,
    EventName::VolumeChange,
];

/// Drives a simulation at random.
fn drive(simulation: &mut Simulation, containers: &[String], urls: &[String], dice: &mut Dice) {
    for _ in 0..dice.below(4) {
        let event = if dice.one_in(3) {
            *dice.of(EventName::DOCUMENTED)
        } else {
            *dice.of(OFTEN)
        };
        let container = dice.of(&containers[..containers.len().max(2) - 1]);
        let (seed, calls) = (dice.below(1 << 40), AtomicU64::new(0));
        let run =
            move |heard: &mut Heard<'_>| hear(heard, seed, calls.fetch_add(1, Ordering::Relaxed));
        let _ = simulation.on(container, event, run);
    }
    for _ in 0..dice.below(14) {
        let container = dice.of(containers).clone();
        match dice.below(14) {
            0 => drop(simulation.act(&container, act(dice))),
            1 => drop(simulation.page(&container, page_change(dice))),
            2 if !urls.is_empty() => drop(simulation.answer(dice.of(urls).as_str(), answer(dice))),
            3 => drop(simulation.advance_to(*dice.of(EventName::DOCUMENTED))),
            4 => {
                let names: [LineName; 3] = [
                    AdLine::Fill.into(),
                    NetLine::Request.into(),
                    EventName::TimeUpdate.into(),
                ];
                simulation.advance_to(*dice.of(&names));
            }
            5 => drop(simulation.step()),
            6 => {
                let video = EditScript {
                    id: Some("v1".into()),
                    ..EditScript::default()
                };
                let fields = vec![("data[Video][name]".into(), "other".into())];
                let _ = simulation.edit(EditScript { fields, ..video });
            }
            7 => {
                let read = StepAct::Read(vec![*dice.of(playsim::api::Query::ALL)]);
                let _ = simulation.perform(read, Target::First);
            }
            8 | 9 => {
                simulation.advance(Span::from_micros(
                    *dice.of(&[0, 1, 250_000, 1_000_000]) * dice.below(5),
                ));
            }
            _ => drop(simulation.call(&container, command(dice))),
        }
    }
}

fn containers(scenario: &Scenario) -> Vec<String> {
    let mut all: Vec<String> = scenario
        .page
        .containers
        .iter()
        .map(|it| it.id.to_string())
        .collect();
    for step in &scenario.steps {
        if let StepAct::Element { div, .. } = &step.act {
            all.push(div.to_string());
        }
    }
    all.push("nowhere".to_owned());
    all
}

/// Where two traces differ first.
fn difference(one: &Trace, other: &Trace) -> String {
    let differs = one
        .records
        .iter()
        .zip(&other.records)
        .skip(1)
        .find(|(one, other)| one != other);
    match differs {
        Some((one, other)) => format!("live:     {one:?}\nreplayed: {other:?}"),
        None => format!("{} records and {}", one.records.len(), other.records.len()),
    }
}

/// How much was done in a session, and how much of it by closures.
struct Done {
    acts: usize,
    heard: usize,
}

/// Drives a scenario, and returns what is wrong with the one that was saved.
fn judge(scenario: &Scenario, path: &Path, seed: u64) -> Result<Done, String> {
    let mut simulation = Simulation::new(scenario).map_err(|error| error.to_string())?;
    let urls: Vec<String> = scenario
        .network
        .iter()
        .map(|(url, _)| url.to_string())
        .collect();
    drive(
        &mut simulation,
        &containers(scenario),
        &urls,
        &mut Dice::new(seed),
    );
    simulation.run_until(Time::MAX);
    let saved = simulation.to_scenario();
    let live = simulation.run();
    let replayed = Simulation::new(&saved)
        .map_err(|error| format!("it cannot be played: {error}"))?
        .run();
    if live.digest != replayed.digest || live != replayed {
        return Err(format!(
            "{}\n{}",
            difference(&live, &replayed),
            saved.to_yaml()
        ));
    }
    if seed.is_multiple_of(8) {
        let read = read(path, &saved.to_yaml())
            .map_err(|error| format!("{error}\n{}", saved.to_yaml()))?;
        let again = Simulation::new(&read)
            .map_err(|error| error.to_string())?
            .run();
        if again.digest != live.digest {
            return Err(format!(
                "written and read, it plays to another trace\n{}",
                saved.to_yaml()
            ));
        }
    }
    let steps = &saved.steps[scenario.steps.len()..];
    let is_heard = |step: &&Step| matches!(step.trigger, Trigger::On { .. });
    Ok(Done {
        acts: steps.len(),
        heard: steps.iter().filter(is_heard).count(),
    })
}

#[test]
fn what_was_done_live_replays_to_the_same_digest() {
    // For each commit every third scenario.
    let (step, rounds) = (nightly::cases(3, 1), nightly::cases(1, 3));
    let (mut problems, mut sessions, mut acts, mut heard) = (Vec::new(), 0, 0, 0);
    for (number, (mut scenario, path)) in (1_u64..).zip(scenarios()).step_by(step as usize) {
        if number.is_multiple_of(4) {
            scenario.knobs.dispatch_mode = DispatchMode::Sync;
        }
        for round in 0..rounds {
            sessions += 1;
            match judge(&scenario, &path, number * 1_000 + round) {
                Ok(done) => (acts, heard) = (acts + done.acts, heard + done.heard),
                Err(problem) => {
                    problems.push(format!("{} round {round}: {problem}", path.display()))
                }
            }
        }
    }
    println!("{acts} acts in {sessions} sessions, {heard} of them by closures");
    assert!(
        acts > 2 * sessions && heard > sessions / 2,
        "{acts} acts, {heard} by closures"
    );
    let first: String = problems
        .iter()
        .take(3)
        .map(|problem| format!("\n{problem}\n"))
        .collect();
    assert!(
        problems.is_empty(),
        "{} of {sessions} sessions differ:{first}",
        problems.len()
    );
}
