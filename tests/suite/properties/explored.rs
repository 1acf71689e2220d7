//! Exploring random scenarios: meeting equal states once loses no outcome, no way to it and no
//! broken law.

use std::collections::{BTreeMap, BTreeSet};

use playsim::scenario::{self, Until};
use playsim::testing::explore::{Action, Bounds, Explored, OutcomeClass, explore_while};
use playsim::time::Time;

use super::*;

/// The number of scenarios that are explored, for each commit and each night.
const EXPLORED: (u64, u64) = (2, 60);
/// The most parts of ways that are played by force; scenarios with more are left out.
const MOST: usize = 1_500;

/// A short scenario of a seed, in which nothing need hold.
fn short(seed: u64) -> Scenario {
    let options = Options::default().steps(1..=4);
    let mut scenario = scenario(&mut Source::from_seed(seed), &options);
    scenario.knobs.limit_tasks_per_second = 200;
    scenario.until = match scenario.until {
        Until::Idle => Until::At(Time::from_secs(30)),
        until @ (Until::At(_) | Until::Line { .. }) => until,
    };
    scenario
}

/// How often the orders of two things are tried: each night as by default, which takes far longer
/// by force.
fn orders() -> u32 {
    u32::try_from(crate::nightly::cases(0, 64)).unwrap_or(64)
}

fn explored(scenario: &Scenario, bounds: &Bounds) -> Explored {
    explore_while(scenario, bounds, &|now| {
        now.states < 20 * MOST && now.of <= MOST
    })
    .expect("it is playable")
}

fn outcome(class: &OutcomeClass) -> BTreeSet<String> {
    class
        .facts
        .iter()
        .map(|(fact, times)| format!("{times} {fact}"))
        .collect()
}

#[test]
fn exploring_by_states_finds_what_force_finds() {
    let actions = Action::list("pause,skip").expect("they are known");
    let (mut compared, mut merged) = (0, 0);
    let seeds = crate::nightly::cases(EXPLORED.0, EXPLORED.1);
    for seed in 0..seeds {
        let scenario = short(seed);
        for (acts, moves) in [(2, 0), (1, 1), (0, 2)] {
            let bounds = Bounds::default()
                .actions(actions.clone())
                .acts(acts)
                .moves(moves)
                .orders(orders());
            let forced = explored(&scenario, &bounds.clone().by_force());
            if forced.cut.is_some() {
                continue;
            }
            let found = explored(&scenario, &bounds);
            let of = |found: &Explored| -> BTreeMap<_, _> {
                found
                    .outcomes
                    .iter()
                    .map(|class| (outcome(class), class.ways))
                    .collect()
            };
            let (ours, theirs) = (of(&found), of(&forced));
            let missed = forced
                .outcomes
                .iter()
                .find(|class| !ours.contains_key(&outcome(class)));
            let way = missed.map(|class| &class.way.choices);
            assert!(
                missed.is_none(),
                "seed {seed}, {acts} {moves}: {way:#?}\n{}",
                scenario.to_yaml()
            );
            assert!(
                ours == theirs,
                "seed {seed}, {acts} {moves}: the ways to an outcome are not as many"
            );
            let laws = |found: &Explored| {
                found
                    .broken
                    .iter()
                    .map(|it| it.law)
                    .collect::<BTreeSet<_>>()
            };
            assert_eq!(laws(&found), laws(&forced), "seed {seed}, {acts} {moves}");
            compared += 1;
            merged += u64::from(found.runs < forced.runs);
        }
    }
    eprintln!("{compared} compared, {merged} merged");
    assert!(
        compared > 2 * seeds,
        "too few were small enough: {compared}"
    );
    assert!(4 * merged > seeds, "too few have equal states: {merged}");
}

/// In every way with an act or a response at another time, each night with both, whatever the
/// scenario itself expects.
#[test]
fn no_common_failure_breaks_a_law_in_any_way() {
    let mut ways = 0;
    for ready in scenario::FAILURES {
        let [(name, text), documents @ ..] = ready.files else {
            panic!("{} has no file", ready.name)
        };
        let document = &mut |path: &str| {
            let found = documents.iter().find(|(file, _)| *file == path);
            found
                .map(|(_, text)| (*text).to_owned())
                .ok_or_else(|| std::io::ErrorKind::NotFound.into())
        };
        let mut scenario =
            scenario::read(name, text, document).unwrap_or_else(|error| panic!("{error}"));
        scenario.expect.clear();
        let both: &[(u32, u32)] = &[(1, 1)];
        let each: &[(u32, u32)] = &[(1, 0), (0, 1)];
        for (acts, moves) in if orders() == 0 { each } else { both } {
            let bounds = Bounds::default().acts(*acts).moves(*moves).orders(orders());
            let found = explore_while(&scenario, &bounds, &|_| true).expect("it is playable");
            ways += found.ways;
            let broken = found.broken.first();
            assert!(
                broken.is_none(),
                "{}: {:?}",
                ready.name,
                broken.map(|it| (&it.why, &it.way.choices))
            );
        }
    }
    assert!(ways > 1_000, "{ways}");
}

/// Scenarios of which a tester found variants by brute force that were unknown, with what is done
/// and how many acts and moves there are.
const BY_FORCE: [(&str, &str, u32, u32); 9] = [
    ("a_condition_holds_at_one_position", "", 0, 1),
    (
        "a_late_tag_and_a_pause_after_the_last_second",
        "pause",
        1,
        1,
    ),
    ("a_live_stream_is_over_when_it_loads", "", 0, 1),
    ("a_response_comes_at_once", "", 0, 1),
    ("a_seek_before_the_tag_answers", "seek", 1, 1),
    ("a_step_after_the_end_comes_before_it", "", 0, 1),
    ("a_video_is_published_later", "play", 1, 0),
    ("one_load_of_a_medium_is_late", "", 0, 1),
    ("the_end_comes_before_the_content_does", "play", 1, 0),
];

#[test]
fn what_brute_force_reaches_is_known() {
    for (name, acts, most_acts, most_moves) in BY_FORCE {
        let read = |ending: &str| {
            let file = format!(
                "{}/fixtures/explore/{name}{ending}",
                env!("CARGO_MANIFEST_DIR")
            );
            let text = std::fs::read_to_string(&file).expect("the file is there");
            scenario::read(&file, &text, &mut |_| {
                Err(std::io::ErrorKind::NotFound.into())
            })
            .unwrap_or_else(|error| panic!("{error}"))
        };
        let explore = |ending: &str, acts: &str, most_acts, most_moves| {
            let bounds = Bounds::default()
                .actions(Action::list(acts).expect("they are known"))
                .acts(most_acts)
                .moves(most_moves);
            explore_while(&read(ending), &bounds, &|_| true).expect("it is playable")
        };
        let found = explore(".json", acts, most_acts, most_moves);
        let variant = explore(".variant.json", "", 0, 0);
        let due = outcome(&variant.outcomes[0]);
        let is_known = found.outcomes.iter().any(|class| outcome(class) == due);
        assert!(is_known, "{name}: {due:?}");
    }
}
