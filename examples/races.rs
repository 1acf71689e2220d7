//! Races, found in every way of a scenario and looked for in random sessions, side by side.
//!
//! Run with `cargo run --example races`.

use playsim::api::{EventName, NetLine, Purpose, UserLine};
use playsim::scenario::{self, Scenario};
use playsim::testing::explore::{Bounds, explore_judged};
use playsim::testing::{Options, Source, Vary};
use playsim::{ScenarioError, Simulation, Trace};

/// A film with a pre-roll of two tags, the first of which is slow, and a mid-roll.
const CASE: &str = r#"{
    "knobs": { "ad.timeout": "2s" },
    "videos": [{ "id": "film", "renditions": { "sd": "film.mp4" } }],
    "media": { "film.mp4": { "duration": "20s", "metadata_after": "100ms" }, "spot.mp4": { "duration": "4s" } },
    "network": {
        "https://slow.test/tag": { "after": "1.9s", "text": "<VAST version='4.2'/>" },
        "https://good.test/tag": { "after": "300ms", "text": "<VAST version='4.2'><Ad id='a'><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Impression>https://t.test/i</Impression><Creatives><Creative><Linear skipoffset='00:00:01'><Duration>00:00:04</Duration><MediaFiles><MediaFile delivery='progressive' type='video/mp4' width='640' height='360'>spot.mp4</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>" }
    },
    "player": { "ads": [
        { "adType": 0, "adTimeType": "s", "mobile": ["https://slow.test/tag", "https://good.test/tag"] },
        { "adType": 1, "adTimeType": "s", "cuepoints": [8], "mobile": ["https://good.test/tag"] }
    ] }
}"#;

/// The number of random sessions.
const SESSIONS: u64 = 2_000;

/// Something that page code may not be prepared for.
struct Race {
    name: &'static str,
    /// Whether it takes an act, and not a response at another time.
    is_act: bool,
    happens: fn(&Trace) -> bool,
}

const RACES: [Race; 5] = [
    Race {
        name: "a response just after its timeout",
        is_act: false,
        happens: late,
    },
    Race {
        name: "the film is there after its ad has begun",
        is_act: false,
        happens: film_after_ad,
    },
    Race {
        name: "a skip while an ad is asked for",
        is_act: true,
        happens: |it| acts_while_asking(it, UserLine::Skip),
    },
    Race {
        name: "a seek while a mid-roll is asked for",
        is_act: true,
        happens: |it| acts_while_asking(it, UserLine::Seek),
    },
    Race {
        name: "a pause at the instant of a quartile",
        is_act: true,
        happens: pause_at_quartile,
    },
];

fn late(trace: &Trace) -> bool {
    trace.records.iter().any(|record| record.is(NetLine::Late))
}

fn film_after_ad(trace: &Trace) -> bool {
    let place = |event| {
        trace
            .records
            .iter()
            .position(|it| it.event() == Some(event))
    };
    place(EventName::LoadedMetadata)
        .zip(place(EventName::AdStart))
        .is_some_and(|(film, ad)| film > ad)
}

/// Whether the user does something between the request for an ad and its response, once content has
/// begun for a seek.
fn acts_while_asking(trace: &Trace, act: UserLine) -> bool {
    let (mut open, mut has_begun) = (0, act != UserLine::Seek);
    trace.records.iter().any(|record| {
        has_begun |= record.event() == Some(EventName::Start);
        if record.purpose() == Some(Purpose::AdTag) {
            open += if record.is(NetLine::Request) { 1 } else { -1 };
        }
        record.is(act) && open > 0 && has_begun
    })
}

fn pause_at_quartile(trace: &Trace) -> bool {
    let mut pauses = trace
        .records
        .iter()
        .filter(|record| record.is(UserLine::Pause));
    pauses.any(|pause| {
        trace
            .events()
            .any(|event| event.at == pause.at && event.name == EventName::AdMidpoint)
    })
}

fn main() -> Result<(), ScenarioError> {
    let case = scenario::read("case.json", CASE, &mut |_| {
        Err(std::io::ErrorKind::NotFound.into())
    })?;
    let hits = random(&case)?;
    for (
        Race {
            name,
            is_act,
            happens,
        },
        hits,
    ) in RACES.iter().zip(hits)
    {
        let bounds = Bounds::default()
            .acts(u32::from(*is_act))
            .moves(u32::from(!is_act));
        let law = |trace: &Trace| {
            if happens(trace) {
                Err((*name).to_owned())
            } else {
                Ok(())
            }
        };
        let found = explore_judged(&case, &bounds, &|_| true, &law)?;
        println!("{name}");
        match found.broken.iter().find(|broken| broken.why == *name) {
            Some(broken) => {
                let way: Vec<String> = broken.way.choices.iter().map(ToString::to_string).collect();
                println!(
                    "    in every way:       yes, of {} ways: {}",
                    found.ways,
                    way.join(", ")
                );
            }
            None => println!("    in every way:       no, of {} ways", found.ways),
        }
        match hits.first() {
            Some(first) => println!(
                "    in random sessions: {} of {SESSIONS}, the first is number {}",
                hits.len(),
                first + 1
            ),
            None => println!("    in random sessions: none of {SESSIONS}"),
        }
    }
    Ok(())
}

/// Returns the random sessions around the scenario in which each race happens.
fn random(case: &Scenario) -> Result<[Vec<u64>; 5], ScenarioError> {
    let options = Options::default().around(case, Vary::Both);
    let mut hits = [const { Vec::new() }; 5];
    for seed in 0..SESSIONS {
        let session = playsim::testing::scenario(&mut Source::from_seed(seed), &options);
        let trace = Simulation::new(&session)?.run();
        for (Race { happens, .. }, hits) in RACES.iter().zip(&mut hits) {
            if happens(&trace) {
                hits.push(seed);
            }
        }
    }
    Ok(hits)
}
