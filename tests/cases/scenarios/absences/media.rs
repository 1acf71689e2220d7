//! Rules about the media element below the player: live streams, incoming data, randomness, rates.

use playsim::api::{Decimal, EventName, Kind, PageChange};
use playsim::scenario::{self, Step, StepAct, Target, Trigger};
use playsim::sim::Simulation;
use playsim::time::{Span, Time};
use playsim::trace::Trace;

use super::Absence;
use super::support::{events, expect, play, story};

pub(crate) const ALL: &[Absence] = &[
    Absence {
        name: "a live stream has no end, and stops once per load",
        rules: &["LIVE-2", "LIVE-4", "END-6", "EV-12"],
        check: live_stops,
    },
    Absence {
        name: "progress is fired while data arrive and while they are awaited",
        rules: &["EV-18", "CON-32"],
        check: progress_reports_incoming_data,
    },
    Absence {
        name: "each source of randomness has its own stream",
        rules: &["CLK-8"],
        check: streams,
    },
    Absence {
        name: "a rate that no browser plays is ignored",
        rules: &["MEL-22"],
        check: odd_rates,
    },
];

/// One video in each container, played when it is ready; then these steps.
fn scenario(more: &str, film: &str, containers: &[&str], steps: &str) -> String {
    let mut text = format!(
        "{more}\npage: {{ containers: [{}] }}\nvideos: [{{ id: v1, renditions: {{ sd: film.mp4 }} }}]\n",
        containers.join(", ")
    );
    text.push_str(&format!("media: {{ film.mp4: {film} }}\nsteps:\n"));
    for container in containers {
        let config = "{ id: p, width: \"1\", height: \"1\", video: v1 }";
        text.push_str(&format!(
            "  - {{ at: 0s, init: {{ div: {container}, config: {config} }} }}\n"
        ));
        text.push_str(&format!(
            "  - {{ on: ready, do: play, player: {container} }}\n"
        ));
    }
    text + steps
}

fn live_stops() -> Result<(), String> {
    let steps = "  - { at: 9s, do: play }\n  - { at: 10s, read: currentTime }\n";
    let film = "{ live: true, stops_at: 2s, back_at: 5s }";
    let trace = play(&scenario("until: 60s", film, &["player"], steps));
    let due = "@0 ready play loadedmetadata beforeStart start @2 livestreamstopped \
               @9 play loadedmetadata beforeStart start @10 currentTime=1";
    let due = due.split_whitespace().collect::<Vec<_>>().join(" ");
    expect(story(&trace) == due, &due, &trace)
}

fn progress_reports_incoming_data() -> Result<(), String> {
    let film = "{ duration: 4s, bitrate: 1000, bandwidth: [{ at: 0s, bps: 2000 }, { at: 1s, bps: 0 }, { at: 9s, bps: 4000 }] }";
    let trace = play(&scenario("", film, &["player"], ""));
    let reported: Vec<u64> = trace
        .events()
        .filter(|event| event.name == EventName::Progress && event.data.is_empty())
        .map(|event| event.at.micros() / 1_000)
        .collect();
    // Data run out at 2.5 s, and there is enough to continue at 9.25 s.
    let mut due = vec![350, 700, 1_050];
    due.extend((2_850..=9_250).step_by(350));
    due.push(9_500);
    expect(
        reported == due,
        "progress while data arrive or are awaited, and when all have arrived",
        &trace,
    )
}

fn streams() -> Result<(), String> {
    let film = "{ duration: 4s, bitrate: 1000, bandwidth: [{ at: 0s, bps: 2000 }] }";
    let times = |trace: &Trace, event: &str| -> Vec<Time> {
        let of_first = |name: &str| name == event;
        let first = trace
            .records
            .iter()
            .filter(|record| record.player.is_some_and(|player| player.0 == 0));
        first
            .filter(|record| record.kind == Kind::Event && of_first(&record.name))
            .flat_map(|record| record.each().map(|(_, at)| at))
            .collect()
    };
    let run = |knobs: &str, seed: u64, containers: &[&str]| {
        play(&scenario(
            &format!("knobs: {{ {knobs} }}\nseed: {seed}"),
            film,
            containers,
            "",
        ))
    };
    let updates = "timeupdate.jitter: seeded";
    let both = "timeupdate.jitter: seeded, progress.jitter: 200ms";
    let alone = run(updates, 7, &["main"]);
    let with_progress = run(both, 7, &["main"]);
    let with_another = run(both, 7, &["main", "side"]);
    let reseeded = run(both, 8, &["main"]);
    let update = EventName::TimeUpdate.name();
    let same = times(&alone, update) == times(&with_progress, update)
        && times(&alone, update) == times(&with_another, update)
        && times(&with_progress, "progress") == times(&with_another, "progress");
    let other = times(&with_progress, update) != times(&reseeded, update)
        && times(&alone, "progress") != times(&with_progress, "progress");
    expect(
        same && other,
        "a new source does not change the other streams",
        &with_another,
    )
}

fn odd_rates() -> Result<(), String> {
    let text = scenario(
        "",
        "{ duration: 2s }",
        &["player"],
        "  - { at: 1s, read: currentTime }\n",
    );
    let mut load = |file: &str| {
        Err(std::io::Error::other(format!(
            "{file}: a test has no files"
        )))
    };
    let mut scenario =
        scenario::read("test.yaml", &text, &mut load).map_err(|error| error.to_string())?;
    for (number, millionths) in [-1_000_000, 0, 62_499, 16_000_001, i64::MAX, i64::MIN]
        .into_iter()
        .enumerate()
    {
        let at = Time::from_millis(100) + Span::from_millis(number as u64);
        let act = StepAct::Page(PageChange::Rate(Decimal::from_millionths(millionths)));
        scenario.steps.push(Step {
            trigger: Trigger::At(at),
            act,
            player: Target::First,
        });
    }
    let trace = Simulation::new(&scenario)
        .map_err(|error| error.to_string())?
        .run();
    let ignored = trace
        .records
        .iter()
        .filter(|record| *record.name == *"rate_range")
        .count();
    let is_even = story(&trace).contains("@1 lastSecond currentTime=1")
        && events(&trace).last() == Some(&"ended");
    expect(
        ignored == 6 && is_even,
        "six rates ignored, and content unchanged",
        &trace,
    )
}
