//! Page code outside: functions that are defined, and tasks.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use playsim::api::{Act, Call, Command, EventName, Fields, Outcome, Query, UnitKind, Value};
use playsim::scenario::{self, CallScript, ListenerScript, Step, StepAct, Target, Trigger};
use playsim::sim::{LiveError, PageScope, Simulation};
use playsim::time::{Span, Time};
use playsim::trace::Record;
use playsim::{Scenario, Trace};

const PAGE: &str = r#"
page: { containers: [box, other] }
videos: [{ id: film, renditions: { sd: film.mp4 } }]
media: { film.mp4: { duration: 10s } }
player: { ads: [{ adType: 0, adTimeType: s, mobile: [https://ads.test/a] }] }
network: { https://ads.test/a: { after: 200ms, text: "<VAST version='4.2'/>" } }
"#;

fn page(text: &str) -> Simulation {
    let no_files = &mut |_: &str| Err(std::io::Error::other("no files"));
    let scenario = scenario::part::read_page("page.yaml", text, no_files).expect("it can be read");
    Simulation::new(&scenario).expect("it can be played")
}

/// `$player(div, { ... }, onReady)`
fn init(div: &str, on_ready: Option<&str>) -> StepAct {
    let config = Fields::one("id", "p1")
        .with("width", "640")
        .with("height", "360")
        .with("video", "film");
    StepAct::Init {
        unit: UnitKind::Player,
        div: Value::from(div.to_owned()),
        config: Value::Map(config),
        on_ready: on_ready.map(Into::into),
    }
}

fn on(event: EventName, function: &str) -> Command {
    Command::new(
        Call::On,
        [
            Value::from(event.name()),
            Value::Function(function.to_owned().into()),
        ],
    )
}

/// Checks that the saved scenario plays to the trace so far, also after it was written and read.
fn saved(simulation: &Simulation) -> (Trace, Scenario) {
    let run = simulation.ending_now();
    let scenario = run.to_scenario();
    let trace = run.run();
    let (text, files) = (scenario.to_yaml(), scenario.files());
    let mut load = |path: &str| {
        let file = files.iter().find(|(name, _)| **name == *path);
        file.map(|(_, text)| text.to_string())
            .ok_or_else(|| std::io::Error::other("no such file"))
    };
    let read = scenario::read("saved.yaml", &text, &mut load)
        .unwrap_or_else(|error| panic!("{error}\n{text}"));
    let replayed = Simulation::new(&read).expect("it can be played").run();
    let first = trace
        .records
        .iter()
        .zip(&replayed.records)
        .skip(1)
        .find(|(one, other)| one != other);
    assert_eq!(first, None, "{text}");
    assert_eq!(replayed.digest, trace.digest, "{text}");
    (trace, scenario)
}

fn listeners(trace: &Trace) -> Vec<String> {
    let calls = trace
        .records
        .iter()
        .filter_map(|record| Some((record, record.data.text("binding")?)));
    calls
        .map(|(record, name)| format!("{} {name}", record.name))
        .collect()
}

#[test]
fn nothing_starts_by_itself() {
    let mut simulation = page(PAGE);
    assert_eq!(simulation.next_due(), Some(Time::ZERO));
    while simulation.turn_until(Time::from_secs(5)) {}
    assert_eq!(simulation.now(), Time::from_secs(5));
    assert_eq!(simulation.records().len(), 1);
    saved(&simulation);
}

#[test]
fn the_ready_callback_runs_after_the_task() -> Result<(), LiveError> {
    let order = Arc::new(Mutex::new(Vec::new()));
    let mut simulation = page(PAGE);
    let heard = Arc::clone(&order);
    simulation.define("ready", move |page, call| {
        heard.lock().expect("no panic").push((
            call.heard,
            call.container.to_owned(),
            call.data.cloned(),
        ));
        page.call(call.container, Call::Play)
            .map(drop)
            .map_err(|error| error.to_string().into())
    })?;
    let tasks = Arc::clone(&order);
    simulation.task(|page| {
        page.perform(init("box", Some("ready")), Target::First)?;
        tasks
            .lock()
            .expect("no panic")
            .push(("task", String::new(), None));
        assert_eq!(
            page.query(Some("box"), Query::IsReady),
            Ok(Value::Bool(false))
        );
        Ok::<_, LiveError>(())
    })??;
    let expected = [
        ("task", String::new(), None),
        ("onReady", "box".to_owned(), None),
    ];
    assert_eq!(*order.lock().expect("no panic"), expected);
    assert_eq!(
        simulation
            .advance_to(EventName::Start)
            .map(|record| record.at),
        Some(Time::from_micros(200_000))
    );
    let (trace, scenario) = saved(&simulation);
    assert_eq!(listeners(&trace), ["onReady ready"]);
    assert_eq!(scenario.listeners.len(), 1);
    Ok(())
}

#[test]
fn functions_are_bound_and_removed_during_a_delivery() -> Result<(), LiveError> {
    let mut simulation = page(PAGE);
    simulation.define("first", |page, call| {
        let off = Command::new(
            Call::Off,
            [Value::from("play"), Value::Function("second".into())],
        );
        let _ = page.call(call.container, off);
        let _ = page.call(call.container, on(EventName::Play, "late"));
        Ok(())
    })?;
    simulation.define("second", |_, _| Ok(()))?;
    simulation.define("late", |_, _| Err("TypeError: late".into()))?;
    simulation.define("ready", |page, call| {
        page.call(call.container, Call::Play)
            .map(drop)
            .map_err(|_| "".into())
    })?;
    simulation.task(|page| {
        page.perform(init("box", Some("ready")), Target::First)?;
        for function in ["first", "second"] {
            page.call("box", on(EventName::Play, function))?;
        }
        Ok::<_, LiveError>(())
    })??;
    simulation.advance(Span::from_secs(2));
    for call in [Call::Pause, Call::Play] {
        simulation.task(|page| page.call("box", call))??;
    }
    simulation.advance(Span::from_secs(1));
    let (trace, _) = saved(&simulation);
    assert_eq!(
        listeners(&trace),
        [
            "onReady ready",
            "play first",
            "play first",
            "play late",
            "play late"
        ][..4]
    );
    let thrown = trace
        .records
        .iter()
        .find(|record| record.data.text("threw").is_some());
    assert_eq!(
        thrown
            .and_then(|record| record.rule)
            .map(|rule| rule.to_string())
            .as_deref(),
        Some("EVT-13")
    );
    Ok(())
}

#[test]
fn each_call_of_a_function_is_kept() -> Result<(), LiveError> {
    let mut simulation = page(PAGE);
    let calls = Mutex::new(0);
    simulation.define("turns", move |page, call| {
        let mut calls = calls.lock().expect("no panic");
        *calls += 1;
        match *calls {
            1 => drop(page.perform(
                StepAct::User(Act::Mute),
                Target::Container(call.container.into()),
            )),
            2 => drop(page.call("other", Call::Play)),
            _ => return Err("enough".into()),
        }
        Ok(())
    })?;
    simulation.define("ready", |page, call| {
        page.call(call.container, Call::Play)
            .map(drop)
            .map_err(|_| "".into())
    })?;
    simulation.task(|page| {
        page.perform(init("box", Some("ready")), Target::First)?;
        page.call("box", on(EventName::TimeUpdate, "turns"))
    })??;
    simulation.advance(Span::from_secs(2));
    let (_, scenario) = saved(&simulation);
    let (_, ListenerScript { calls, then }) = scenario
        .listeners
        .iter()
        .find(|(name, _)| &**name == "turns")
        .expect("it was called");
    assert!(then.acts.is_empty() && calls.len() > 3);
    assert!(
        matches!(&calls[1].acts[..], [StepAct::For { player: Target::Container(other), .. }] if &**other == "other")
    );
    assert_eq!(calls[2].throws.as_deref(), Some("enough"));
    Ok(())
}

/// Two listeners that trigger each other, in both modes of dispatch.
#[test]
fn a_loop_of_functions_ends_as_a_livelock() -> Result<(), LiveError> {
    for mode in ["queued", "sync"] {
        let mut simulation = page(&format!("{PAGE}knobs: {{ dispatch.mode: {} }}\n", mode));
        let turn = |muted: bool| {
            move |page: &mut PageScope<'_>, call: &playsim::sim::PageCall<'_>| {
                let result = page.call(call.container, Command::new(Call::Muted, [muted]));
                result.map(drop).map_err(|error| error.to_string().into())
            }
        };
        let is_on = Arc::new(Mutex::new(true));
        simulation.define("toggle", move |page, call| {
            let mut is_on = is_on.lock().map_err(|_| "poisoned")?;
            *is_on = !*is_on;
            let muted = *is_on;
            drop(is_on);
            turn(muted)(page, call)
        })?;
        simulation.task(|page| {
            page.perform(init("box", None), Target::First)?;
            page.call("box", on(EventName::MuteChange, "toggle"))
        })??;
        let _ = simulation.task(|page| page.call("box", Command::new(Call::Muted, [true])))?;
        simulation.advance(Span::from_secs(1));
        let outcome = simulation.outcome().map(|(outcome, _)| outcome);
        assert!(
            matches!(outcome, Some(Outcome::Livelock | Outcome::Limit)),
            "{mode}: {outcome:?}"
        );
        assert_eq!(simulation.task(|_| ()), Err(LiveError::Over));
        saved(&simulation);
    }
    Ok(())
}

#[test]
fn names_of_functions_are_checked() {
    let mut simulation = page(PAGE);
    assert!(matches!(
        simulation.define("", |_, _| Ok(())),
        Err(LiveError::Invalid(_))
    ));
    assert_eq!(simulation.define("one", |_, _| Ok(())), Ok(()));
    assert!(matches!(
        simulation.define("one", |_, _| Ok(())),
        Err(LiveError::Invalid(_))
    ));
    let bound = simulation.task(|page| {
        page.perform(init("other", None), Target::First)?;
        page.call("other", on(EventName::Play, "two"))
    });
    assert!(matches!(bound, Ok(Err(LiveError::Invalid(_)))), "{bound:?}");
    saved(&simulation);
}

#[test]
fn listeners_of_an_element_are_bound() -> Result<(), LiveError> {
    let mut simulation = page("media: { a.mp4: { duration: 4s } }\n");
    simulation.define("heard", |_, _| Ok(()))?;
    let element = scenario::part::read_act(
        r#"{ "init": { "div": "e", "element": { "src": "a.mp4" } } }"#,
        &[],
    )?;
    simulation.task(|page| {
        page.perform(element, Target::First)?;
        page.call("e", on(EventName::LoadedMetadata, "heard"))?;
        page.call("e", on(EventName::LoadedMetadata, "heard"))?;
        page.call("e", Call::Play)
    })??;
    simulation.advance(Span::from_secs(6));
    let (trace, _) = saved(&simulation);
    assert_eq!(listeners(&trace), ["loadedmetadata heard"]);
    Ok(())
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("it can be read").path())
        .collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "yaml") {
            found.push(path);
        }
    }
}

/// The page code of a scenario, taken out of it.
struct Driven {
    simulation: Simulation,
    steps: Vec<Step>,
    /// Whether the trace must be that of the scenario itself.
    is_same: bool,
    /// Whether a player is ready in the instant of its creation, so that steps are joined. Rule
    /// INIT-11.
    is_ready_at_once: bool,
}

/// Takes the page code out of a scenario; `None` if what stays in it needs what was taken out.
fn driven(scenario: &Scenario) -> Option<Driven> {
    let mut world = scenario.clone();
    world.listeners.clear();
    let (timed, mut waiting): (Vec<Step>, Vec<Step>) = world
        .steps
        .drain(..)
        .partition(|step| matches!(step.trigger, Trigger::At(_)));
    if timed.is_empty()
        || waiting
            .iter()
            .any(|step| step.act.listeners().next().is_some())
    {
        return None;
    }
    let is_element = |step: &Step| matches!(step.act, StepAct::Element { .. });
    let is_early = |step: &Step| matches!(step.act, StepAct::Script(_));
    // A step comes before some of an element's work of the same instant, and page code outside
    // after it.
    let is_same =
        waiting.is_empty() && !timed.iter().any(is_early) && !timed.iter().any(is_element);
    if waiting.is_empty() {
        let act = StepAct::Task(Vec::new());
        waiting.push(Step {
            trigger: Trigger::At(Time::ZERO),
            act,
            player: Target::First,
        });
    } else if timed.iter().find_map(|step| step.act.container())
        != world.page.containers.first().map(|first| first.id.clone())
    {
        return None;
    }
    world.steps = waiting;
    let mut simulation = Simulation::new(&world).ok()?;
    for (name, script) in &scenario.listeners {
        let (script, number) = (script.clone(), AtomicU32::new(0));
        let defined = simulation.define(name, move |page, _| {
            let CallScript { acts, throws } =
                script.call(1 + number.fetch_add(1, Ordering::Relaxed));
            for act in acts {
                let other = if let StepAct::For { player, .. } = act {
                    player.clone()
                } else {
                    Target::First
                };
                let _ = page.perform(act.done().clone(), other);
            }
            throws.as_ref().map_or(Ok(()), |text| Err(text.into()))
        });
        defined.expect("the names differ");
    }
    let mut steps = timed;
    steps.sort_by_key(|step| step.trigger_time());
    let is_ready_at_once = scenario.player.ready_after == Span::ZERO;
    let is_same = is_same && scenario.players.is_empty();
    Some(Driven {
        simulation,
        steps,
        is_same,
        is_ready_at_once,
    })
}

trait TriggerTime {
    fn trigger_time(&self) -> Time;
}

impl TriggerTime for Step {
    fn trigger_time(&self) -> Time {
        if let Trigger::At(at) = self.trigger {
            at
        } else {
            Time::MAX
        }
    }
}

/// Plays up to a time, without what page code does at it.
fn play_to(simulation: &mut Simulation, at: Time) {
    let before = Time::from_micros(at.micros().saturating_sub(1));
    if at > Time::ZERO {
        while simulation.turn_until(before) {}
        // The clock moves on; what is due at the instant comes first by itself.
        let _ = simulation.advance(at - simulation.now());
    }
}

fn drive(
    Driven {
        simulation,
        steps,
        is_ready_at_once,
        ..
    }: &mut Driven,
) {
    let mut rest = &steps[..];
    while let [first, ..] = rest {
        play_to(simulation, first.trigger_time());
        let is_line = |step: &&Step| {
            *is_ready_at_once
                && step.trigger_time() == first.trigger_time()
                && (matches!(step.act, StepAct::Init { .. }) || step.act.binds())
        };
        let lines = rest.iter().take_while(is_line).count();
        let last = rest[..lines]
            .iter()
            .rposition(|step| step.act.binds_to_ready());
        let (task, after) = rest.split_at(last.map_or(1, |last| last + 1));
        rest = after;
        if let [
            Step {
                act: act @ (StepAct::Edit(_) | StepAct::Script(_)),
                player,
                ..
            },
        ] = task
        {
            let _ = simulation.perform(act.clone(), player.clone());
            continue;
        }
        let _ = simulation.task(|page| {
            for Step { act, player, .. } in task {
                let _ = page.perform(act.clone(), player.clone());
            }
        });
    }
    while simulation.turn_until(Time::MAX) {}
}

/// The lines without the header, whose scenario differs.
fn lines(trace: &Trace) -> &[Record] {
    &trace.records[1..trace.records.len() - 1]
}

/// Page code outside does what the steps and listeners of each scenario do: the trace is that of
/// the scenario, and the scenario that is saved plays to it.
#[test]
fn the_page_code_of_each_scenario_may_be_outside() {
    let mut all = Vec::new();
    files(Path::new("fixtures/scenarios"), &mut all);
    let (mut outside, mut same) = (0, 0);
    for path in &all {
        let text = std::fs::read_to_string(path).expect("it can be read");
        let folder = path.parent().expect("it is in a folder");
        let mut load = |name: &str| std::fs::read_to_string(folder.join(name));
        let name = path.to_str().expect("ASCII");
        let Ok(scenario) = scenario::read(name, &text, &mut load) else {
            continue;
        };
        let Ok(simulation) = Simulation::new(&scenario) else {
            continue;
        };
        let Some(mut driven) = driven(&scenario) else {
            continue;
        };
        drive(&mut driven);
        outside += 1;
        let (trace, _) = saved(&driven.simulation);
        if driven.is_same {
            let original = simulation.run();
            if original.is_cut_short() {
                continue;
            }
            same += 1;
            let differ = lines(&original)
                .iter()
                .zip(lines(&trace))
                .find(|(one, other)| one != other);
            assert_eq!(differ, None, "{}", path.display());
        }
    }
    assert!(
        outside > 800 && same > 220,
        "{outside} and {same} of {}",
        all.len()
    );
}
