//! A second explorer, as simple as possible: it writes every combination as a scenario, plays each
//! to its end, and collects outcomes. [`explore`] must reach every outcome that it reaches.
//!
//! Scenarios are drawn small and as text, with what goes wrong most: tags that are late, empty or
//! wrapped, listeners that act, delays of zero, steps at fixed times, and breaks in content.

use super::super::ends::judge;
use super::super::outcome::Outline;
use super::*;

type Facts = Vec<(String, u32)>;

/// Numbers in a series of their own, so that a seed always gives the same scenario.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % end
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[usize::try_from(self.below(all.len() as u64)).unwrap_or(0)]
    }

    fn one_in(&mut self, many: u64) -> bool {
        self.below(many) == 0
    }
}

/// A step of a case.
#[derive(Debug, Clone)]
enum Line {
    Always(String),
    /// At a time in microseconds, which may be moved.
    Timed(u64, String),
}

/// A small scenario whose times are holes.
#[derive(Debug, Clone)]
struct Case {
    knobs: String,
    /// Each URL with the latencies of its responses in microseconds, the last for all others, and
    /// its body.
    network: Vec<(String, [u64; 3], String)>,
    /// Each medium with its length in milliseconds and the latency of its metadata.
    media: Vec<(String, u64, u64)>,
    ads: String,
    listeners: String,
    steps: Vec<Line>,
    expect: String,
}

fn seconds(micros: u64) -> String {
    format!("\"{}.{:06}s\"", micros / 1_000_000, micros % 1_000_000)
}

fn inline(name: &str, skips: bool, medium: &str) -> String {
    let skip = if skips { " skipoffset='00:00:01'" } else { "" };
    format!(
        "<VAST version='4.2'><Ad id='{name}'><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle><Impression>https://t.test/i{name}</Impression><Error>https://t.test/e{name}?c=[ERRORCODE]</Error><Creatives><Creative><Linear{skip}><Duration>00:00:04</Duration><MediaFiles><MediaFile delivery='progressive' type='video/mp4' width='640' height='360'>{medium}</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>"
    )
}

const ACTS: &[&str] = &[
    "\"pause\"",
    "\"play\"",
    "\"mute\"",
    "\"skip\"",
    "\"stop\"",
    "{ \"volume\": 0.4 }",
];

/// Draws the steps: listeners that act, and acts at fixed times.
fn steps(dice: &mut Dice) -> Vec<Line> {
    let mut steps = vec![Line::Always(
        "\"init\": { \"div\": \"player\", \"config\": { \"id\": \"p\", \"width\": \"640\", \"height\": \"360\", \"video\": \"film\" } }, \"at\": \"0s\""
            .into(),
    )];
    if !dice.one_in(6) {
        steps.push(Line::Always("\"on\": \"ready\", \"do\": \"play\"".into()));
    }
    for _ in 0..dice.below(3) {
        let on = dice.of(&[
            "adStart",
            "adEnd",
            "start",
            "adError",
            "requestAd",
            "pause",
            "beforeStart",
        ]);
        let act = dice.of(&[
            "{ \"volume\": 0.2 }",
            "\"pause\"",
            "{ \"currentTime\": 4 }",
            "\"play\"",
        ]);
        let after = dice.of(&["", "", ", \"after\": \"0.3s\"", ", \"after\": \"0s\""]);
        steps.push(Line::Always(format!(
            "\"on\": \"{on}\", \"do\": {act}{after}"
        )));
    }
    let mut taken = BTreeSet::new();
    for _ in 0..dice.below(3) {
        let at = 250_000 + 50_000 * dice.below(140);
        if taken.insert(at) {
            let act = dice.of(ACTS);
            steps.push(Line::Timed(
                at,
                format!("\"do\": {act}")
                    .replace("\"do\": \"mute\"", "\"user\": \"mute\"")
                    .replace("\"do\": \"skip\"", "\"user\": \"skip\""),
            ));
        }
    }
    steps
}

impl Case {
    fn drawn(seed: u64) -> Case {
        let mut dice = Dice(seed.wrapping_mul(0x2545_F491_4F6C_DD1D));
        let dice = &mut dice;
        let grid = |dice: &mut Dice, most: u64| 50_000 * dice.below(most);
        let spot = if dice.one_in(3) {
            "https://m.test/spot.mp4"
        } else {
            "spot.mp4"
        };
        let mut media = vec![
            ("film.mp4".to_owned(), 6_000 + 500 * dice.below(6), 0),
            ("film2.mp4".to_owned(), 3_000, 0),
            (spot.to_owned(), 4_000, 0),
        ];
        for (_, _, after) in &mut media {
            if dice.one_in(3) {
                *after = grid(dice, 20);
            }
        }
        let mut network = Vec::new();
        for name in ["a", "b"] {
            let body = match dice.below(6) {
                0 => "<VAST version='4.2'/>".to_owned(),
                1 => format!(
                    "<VAST version='4.2'><Ad id='w{name}'><Wrapper><AdSystem>w</AdSystem><Error>https://t.test/w{name}?c=[ERRORCODE]</Error><VASTAdTagURI>https://x.test/{name}</VASTAdTagURI></Wrapper></Ad></VAST>"
                ),
                _ => inline(name, dice.one_in(2), spot),
            };
            if body.contains("Wrapper") {
                let after = grid(dice, 12);
                network.push((
                    format!("https://x.test/{name}"),
                    [after; 3],
                    inline(name, false, spot),
                ));
            }
            let after = if dice.one_in(4) { 0 } else { grid(dice, 30) };
            network.push((format!("https://{name}.test/t"), [after; 3], body));
        }
        let tags = dice.of(&[
            "\"https://a.test/t\"",
            "\"https://a.test/t\", \"https://b.test/t\"",
            "\"https://b.test/t\"",
        ]);
        let mut ads = vec![format!(
            "{{ \"adType\": 0, \"adTimeType\": \"s\", \"mobile\": [{tags}] }}"
        )];
        match dice.below(5) {
            0 => ads.push("{ \"adType\": 1, \"adTimeType\": \"s\", \"cuepoints\": [3], \"mobile\": [\"https://b.test/t\"] }".into()),
            1 => ads.push("{ \"adType\": 2, \"adTimeType\": \"s\", \"mobile\": [\"https://b.test/t\"] }".into()),
            2 => ads.clear(),
            _ => {}
        }
        let steps = steps(dice);
        let expect = dice.of(&[
            "{ \"never\": \"adError\" }",
            "{ \"event\": \"ended\", \"times\": 1 }",
            "{ \"after\": \"adEnd\", \"comes\": \"play\", \"within\": \"1s\" }",
            "{ \"after\": \"requestAd\", \"comes\": \"adEnd\", \"within\": \"4.7s\" }",
            "{ \"order\": [\"loadedmetadata\", \"adStart\"] }",
            "{ \"at_most_one\": [\"adEnd\", \"adError\"] }",
        ]);
        let knobs = dice.of(&["", "\"ad.timeout\": \"2s\"", "\"ad.timeout\": \"1s\""]);
        Case {
            knobs: knobs.to_owned(),
            network,
            media,
            ads: ads.join(", "),
            listeners: String::new(),
            steps,
            expect: expect.to_owned(),
        }
    }

    fn text(&self) -> String {
        let media: Vec<String> = self
            .media
            .iter()
            .map(|(name, millis, after)| {
                format!(
                    "\"{name}\": {{ \"duration\": \"{millis}ms\", \"metadata_after\": {} }}",
                    seconds(*after)
                )
            })
            .collect();
        let network: Vec<String> = self
            .network
            .iter()
            .map(|(url, latencies, body)| {
                let answers = latencies.map(|after| {
                    format!("{{ \"after\": {}, \"text\": \"{body}\" }}", seconds(after))
                });
                format!("\"{url}\": [{}]", answers.join(", "))
            })
            .collect();
        let steps: Vec<String> = self
            .steps
            .iter()
            .map(|line| match line {
                Line::Always(text) => format!("{{ {text} }}"),
                Line::Timed(at, text) => format!("{{ \"at\": {}, {text} }}", seconds(*at)),
            })
            .collect();
        format!(
            "{{ \"knobs\": {{ {} }}, \"videos\": [{{ \"id\": \"film\", \"renditions\": {{ \"sd\": \"film.mp4\" }} }}, {{ \"id\": \"film2\", \"renditions\": {{ \"sd\": \"film2.mp4\" }} }}], \"media\": {{ {} }}, \"network\": {{ {} }}, \"player\": {{ \"ads\": [{}] }}, \"listeners\": {{ {} }}, \"steps\": [{}], \"expect\": [{}] }}",
            self.knobs,
            media.join(", "),
            network.join(", "),
            self.ads,
            self.listeners,
            steps.join(", "),
            self.expect
        )
    }

    fn scenario(&self) -> Scenario {
        let text = self.text();
        playsim_scenario::read("case.json", &text, &mut |_| {
            Err(std::io::ErrorKind::NotFound.into())
        })
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    /// The instants at which anything happens.
    fn instants(&self) -> Vec<u64> {
        let mut run = Simulation::new(&self.scenario()).expect("it can be played");
        run.run_until(Time::from_secs(20));
        let lines = run.records().iter().map(|record| record.at.micros());
        lines.collect::<BTreeSet<_>>().into_iter().collect()
    }

    /// The same with one thing at another time: each tag, medium and timed step, at some times.
    fn moved(&self, times: usize, dice: &mut Dice) -> Vec<Case> {
        let mut all = Vec::new();
        let instants = self.instants();
        let any = |dice: &mut Dice| match dice.below(5) {
            0 => 50_000 * dice.below(40),
            1 => 1_000_000 * dice.below(13),
            2 => (1_000_000 * dice.below(13) + dice.below(3)).saturating_sub(1),
            // As long as between two instants.
            3 => {
                let [one, other] = [(); 2].map(|()| dice.of(&instants));
                (one.abs_diff(other) + dice.below(3)).saturating_sub(1)
            }
            _ => dice.below(12_000_000),
        };
        for place in 0..self.network.len() {
            for _ in 0..times {
                let mut case = self.clone();
                let nth = usize::from(dice.one_in(3));
                case.network[place].1[nth] = any(dice);
                all.push(case);
            }
        }
        for place in 0..self.media.len() {
            for _ in 0..times {
                let mut case = self.clone();
                case.media[place].2 = any(dice);
                all.push(case);
            }
        }
        for place in 0..self.steps.len() {
            for _ in 0..times {
                let mut case = self.clone();
                if let Line::Timed(at, _) = &mut case.steps[place] {
                    *at = match dice.below(3) {
                        0 => *at + 50_000 - 10_000 * dice.below(11),
                        1 => *at + 2 - dice.below(5),
                        _ => *at + 50_000 - dice.below(100_001),
                    };
                    all.push(case);
                }
            }
        }
        all
    }

    /// The same with an act more.
    fn acted(&self, times: usize, acts: &[&str], dice: &mut Dice) -> Vec<Case> {
        let (mut all, instants) = (Vec::new(), self.instants());
        for act in acts {
            for _ in 0..times {
                let at = match dice.below(4) {
                    0 => 50_000 * dice.below(240),
                    1 => dice.below(12_000_000),
                    2 => (dice.of(&instants) + dice.below(3)).saturating_sub(1),
                    _ => (1_000_000 * dice.below(12) + dice.below(3)).saturating_sub(1),
                };
                let mut case = self.clone();
                case.steps
                    .push(Line::Timed(at, format!("\"user\": \"{act}\"")));
                all.push(case);
            }
        }
        all
    }
}

/// A case with more states says nothing.
const MOST_STATES: u64 = 20_000;

/// What a scenario comes to; `None` if it goes on and on.
fn facts(scenario: &Scenario) -> Option<(Facts, BTreeSet<(&'static str, String)>)> {
    let mut run = Simulation::new(scenario).expect("it can be played");
    run.run_until(Time::from_secs(100));
    if run.next_due().is_some() {
        return None;
    }
    let trace = run.run();
    let broken = judge(scenario, &trace)
        .into_iter()
        .map(|(law, why)| (law.name, why.kind))
        .collect();
    Some((sorted(&Outline::of(&trace).facts), broken))
}

fn sorted(facts: &[(Fact, u32)]) -> Facts {
    let mut all: Facts = facts
        .iter()
        .map(|(fact, times)| (fact.to_string(), *times))
        .collect();
    all.sort();
    all
}

/// What the explorer does not know of what was reached by force. If `is_excused`, nothing is
/// unknown where the explorer says that it did not try everything.
fn unknown(case: &Case, cases: &[Case], bounds: &Bounds, is_excused: bool) -> Vec<String> {
    let most = usize::try_from(number("PLAYSIM_STATES", MOST_STATES)).unwrap_or(usize::MAX);
    let found = explore_while(&case.scenario(), bounds, &|now| now.states < most)
        .expect("it can be played");
    if is_excused && (found.cut.is_some() || !found.not_tried.is_empty()) {
        println!("not complete: {:?}, {:?}", found.cut, found.not_tried);
        return Vec::new();
    }
    let known: BTreeSet<Facts> = found
        .outcomes
        .iter()
        .map(|class| sorted(&class.facts))
        .collect();
    let broken: BTreeSet<&str> = found.broken.iter().map(|broken| broken.law).collect();
    let mut unknown = BTreeMap::new();
    for case in cases {
        let scenario = case.scenario();
        let Some((facts, laws)) = facts(&scenario) else {
            continue;
        };
        if !known.contains(&facts) {
            unknown
                .entry(format!("{facts:?}"))
                .or_insert_with(|| case.text());
        }
        for (law, _) in laws {
            if !broken.contains(law) {
                unknown.entry(law.to_owned()).or_insert_with(|| case.text());
            }
        }
    }
    let all = unknown
        .into_iter()
        .map(|(what, text)| format!("{what}\n  {text}"));
    all.collect()
}

fn bounded(actions: &str, acts: u32, moves: u32) -> Bounds {
    let actions = Action::list(actions).expect("they are known");
    Bounds::default().actions(actions).acts(acts).moves(moves)
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// One choice in small random scenarios, and two with `PLAYSIM_KINDS=both,swaps`.
#[test]
fn no_outcome_of_brute_force_is_unknown() {
    let is_nightly = std::env::var_os("PLAYSIM_NIGHTLY").is_some();
    let usual = if is_nightly { 200 } else { 6 };
    let (first, count) = (number("PLAYSIM_SEED", 0), number("PLAYSIM_CASES", usual));
    let kinds = std::env::var("PLAYSIM_KINDS").unwrap_or_else(|_| "moves,acts".into());
    let (mut missed, mut tried, mut played) = (BTreeMap::<&str, u64>::new(), 0_u64, 0_usize);
    let mut shown = Vec::new();
    for seed in first..first + count {
        let case = Case::drawn(seed);
        let mut dice = Dice(seed ^ 0xACE);
        let acts = ["pause", "skip", "mute"];
        let mut check = |kind: &'static str, cases: Vec<Case>, bounds: Bounds| {
            if !kinds.split(',').any(|it| it == kind) {
                return;
            }
            played += cases.len();
            tried += 1;
            let unknown = unknown(&case, &cases, &bounds, true);
            if !unknown.is_empty() {
                *missed.entry(kind).or_default() += 1;
                let text = format!(
                    "seed {seed} {kind}: {}\n base {}",
                    unknown.join("\n"),
                    case.text()
                );
                println!("{text}");
                shown.push(text);
            }
        };
        check("moves", case.moved(24, &mut dice), bounded("", 0, 1));
        check(
            "acts",
            case.acted(40, &acts, &mut dice),
            bounded("pause,skip,mute", 1, 0),
        );
        let both = case.moved(12, &mut dice);
        let act = dice.of(&acts);
        let both = both
            .iter()
            .flat_map(|case| case.acted(8, &[act], &mut dice))
            .collect();
        check("both", both, bounded(act, 1, 1));
        let swaps = case.moved(6, &mut dice);
        let swaps = swaps
            .iter()
            .flat_map(|moved| moved.moved_again(&case, 3, &mut dice))
            .collect();
        check("swaps", swaps, bounded("", 0, 2));
    }
    println!("missed {missed:?} of {tried} explorations; {played} played");
    assert!(
        missed.is_empty(),
        "{}",
        shown.first().map_or("", |first| first)
    );
}

impl Case {
    /// One thing more at another time, but no step that is not within its bounds.
    fn moved_again(&self, base: &Case, times: usize, dice: &mut Dice) -> Vec<Case> {
        let is_within = |case: &Case| {
            case.steps
                .iter()
                .zip(&base.steps)
                .all(|(one, other)| match (one, other) {
                    (Line::Timed(one, _), Line::Timed(other, _)) => one.abs_diff(*other) <= 50_000,
                    _ => true,
                })
        };
        let mut all = self.moved(times, dice);
        all.retain(is_within);
        all
    }
}

/// Once a response is late, acts follow at all instants to the end: a run with a choice that takes
/// effect much later than it is made has as many states of its own as it takes from there.
#[test]
fn acts_are_tried_to_the_end_after_a_late_response() {
    let tag = |url: &str, after: u64, body: &str| (url.to_owned(), [after; 3], body.to_owned());
    let case = Case {
        knobs: "\"ad.timeout\": \"1s\"".into(),
        network: vec![
            tag("https://two.test/tag", 40_000, "<VAST version='4.2'/>"),
            tag("https://one.test/tag", 30_000, &inline("a", false, "spot.mp4")),
        ],
        media: vec![("film.mp4".into(), 4_000, 0), ("spot.mp4".into(), 4_000, 0)],
        ads: "{ \"adType\": 0, \"adTimeType\": \"s\", \"mobile\": [\"https://two.test/tag\", \"https://one.test/tag\"] }".into(),
        listeners: String::new(),
        steps: vec![
            Line::Always("\"at\": \"0s\", \"init\": { \"div\": \"player\", \"config\": { \"id\": \"p\", \"width\": \"640\", \"height\": \"360\", \"video\": \"film\" } }".into()),
            Line::Always("\"on\": \"ready\", \"do\": \"play\"".into()),
            Line::Timed(50_000, "\"user\": \"mute\"".into()),
        ],
        expect: String::new(),
    };
    let bounds = bounded("pause", 1, 1);
    let late = [
        (0, 1_000_001),
        (0, 1_020_000),
        (0, 3_500_000),
        (1, 1_040_001),
    ];
    let cases: Vec<Case> = late
        .iter()
        .flat_map(|(place, after)| {
            let mut late = case.clone();
            late.network[*place].1 = [*after; 3];
            (0..100).map(move |tenth| {
                let mut acted = late.clone();
                let pause = Line::Timed(100_000 * tenth + 30_000, "\"user\": \"pause\"".into());
                acted.steps.push(pause);
                acted
            })
        })
        .collect();
    let unknown = unknown(&case, &cases, &bounds, false);
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}
