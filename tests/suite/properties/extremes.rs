//! Scenarios built in Rust with values at the limits of their types and beyond what YAML can
//! express.
//!
//! What YAML could not express is refused, and nothing else is; a scenario that is accepted ends
//! without a panic, and every invariant holds.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use playsim::api::{Act, Call, Decimal, Fields, Outcome, PageChange, Value};
use playsim::check;
use playsim::knobs::KNOBS;
use playsim::knobs::values::{Limit, RateLimit};
use playsim::media::ElementConfig;
use playsim::media::{Delivery, Live, MediaFault};
use playsim::page::{CompanionSlot, Container};
use playsim::scenario::{
    self, AdLoop, AnswerScript, Bid, MediaScript, PlayerScript, Scenario, ScriptedAnswer, Step,
    StepAct, Target, Trigger, Until,
};
use playsim::sim::{MAX_PLAYERS, Simulation};
use playsim::time::{Span, Time};

use super::drawn;
use playsim::testing::Source;

const LENGTHS: &[Span] = &[
    Span::ZERO,
    Span::from_micros(1),
    Span::from_micros(14_999),
    Span::from_secs(7 * 24 * 3600),
    Span::LONGEST,
    Span::from_micros(Span::LONGEST.micros() + 1),
    Span::MAX,
];
const COUNTS: &[u32] = &[0, 1, 2, 1_000, 1_001, 100_001, u32::MAX - 1, u32::MAX];
/// The first and the last calendar instant.
const EPOCHS: [i64; 2] = [-377_705_023_201_000_000, 253_402_207_200_000_000];
const NUMBERS: &[i64] = &[
    i64::MIN,
    -1,
    0,
    1,
    62_499,
    62_500,
    1_000_000,
    1_000_001,
    100_000_001,
    i64::MAX,
];

fn length(source: &mut Source) -> Span {
    *source.pick(LENGTHS)
}

fn time(source: &mut Source) -> Time {
    Time::ZERO + length(source)
}

fn count(source: &mut Source) -> u32 {
    *source.pick(COUNTS)
}

fn number(source: &mut Source) -> Decimal {
    Decimal::from_millionths(*source.pick(NUMBERS))
}

fn word(source: &mut Source) -> Arc<str> {
    Arc::from(*source.pick(&["", "US", "main", "\u{feff}", "\u{1b}[2J", "film-0.mp4"]))
}

fn knob(scenario: &mut Scenario, source: &mut Source) {
    let knobs = &mut scenario.knobs;
    match source.below(10) {
        0 => knobs.timeupdate_period = length(source),
        1 => knobs.progress_jitter = length(source),
        2 => knobs.simid_max_messages = count(source),
        3 => knobs.limit_tasks_per_second = *source.pick(&[0, 1, 2]),
        4 => knobs.edit_rate = RateLimit::PerSecond(count(source)),
        5 => knobs.break_max_duration = Limit::After(length(source).min(Span::LONGEST)),
        _ => {
            let knob = source.pick(KNOBS);
            let values = [
                "0",
                "0s",
                "1",
                "4294967295",
                "9223372036854.775807s",
                "off",
                "on",
            ];
            if knob.name != "limit.tasks_per_second" {
                // A value that the knob refuses is not set.
                let _ = knobs.set(knob.name, source.pick::<&str>(&values));
            }
        }
    }
}

fn page(scenario: &mut Scenario, source: &mut Source) {
    let page = &mut scenario.page;
    match source.below(12) {
        0 => page.epoch_micros = *source.pick(&EPOCHS),
        1 => page.country = Some(word(source)),
        2 => page.window = (count(source), count(source)),
        3 => page.script_after = Some(length(source)),
        4 => page.outstream_script_after = Some(length(source)),
        5 => page.ads.bitrate = count(source),
        6 => (page.ads.shortest, page.ads.longest) = (Some(length(source)), Some(length(source))),
        7 => {
            (page.ads.smallest, page.ads.largest) =
                (Some((count(source), 0)), Some((0, count(source))))
        }
        8 => page.containers.push(Container {
            id: word(source),
            player_class: true,
        }),
        9 => page.sides.language = Some(word(source)),
        10 => page.sides.companions.push(CompanionSlot {
            id: word(source),
            width: count(source),
            height: count(source),
        }),
        _ => page.sides.unreachable.push(word(source)),
    }
}

fn medium(script: &mut MediaScript, source: &mut Source) {
    match source.below(9) {
        0 => script.duration = length(source),
        1 => script.metadata_after = length(source),
        2 => script.switch_after = length(source),
        3 => script.stalls.push((length(source).end(), length(source))),
        4 => {
            let how = *source.pick(&[
                MediaFault::Decode,
                MediaFault::Network,
                MediaFault::NotRunning,
            ]);
            script.fails = Some((Some(length(source).end()), how));
        }
        5 | 6 => {
            let bits = |source: &mut Source| {
                *source.pick(&[0, 1, 999, 1_000_000_000_000, 1_000_000_000_001, u64::MAX])
            };
            let bandwidth = (0..source.index(4))
                .map(|_| (time(source), bits(source)))
                .collect();
            script.delivery = Some(Delivery {
                bitrate: bits(source),
                bandwidth,
            });
        }
        _ => {
            let mut times =
                [None, None].map(|_: Option<Time>| source.chance(1, 2).then(|| time(source)));
            times.sort_unstable();
            script.live = Some(Live {
                window: length(source),
                stops_at: times[0],
                back_at: times[1],
                ends_at: source.chance(1, 4).then(|| time(source)),
            });
            script.duration = Span::ZERO;
        }
    }
}

fn network(answers: &mut Vec<AnswerScript>, source: &mut Source) {
    let status = *source.pick(&[0, 99, 100, 199, 204, 299, 302, 399, 599, 600, u16::MAX]);
    match source.below(4) {
        0 => answers.clear(),
        1 => answers.push(AnswerScript {
            content_type: None,
            after: length(source),
            answer: ScriptedAnswer::Body {
                status,
                name: "".into(),
                text: "\u{feff}\u{feff}<VAST/>".into(),
            },
        }),
        2 => answers.push(AnswerScript {
            content_type: None,
            after: length(source),
            answer: ScriptedAnswer::Redirect {
                status,
                to: word(source),
            },
        }),
        _ => answers
            .iter_mut()
            .for_each(|answer| answer.after = length(source)),
    }
}

fn player(script: &mut PlayerScript, source: &mut Source) {
    match source.below(7) {
        0 => script.ready_after = length(source),
        1 => script.volume = number(source),
        2 => script.plan = Some(Vec::new()),
        3 => {
            let kind = playsim::api::BreakKind::Pre;
            script.bids.push(Bid {
                kind,
                nth: count(source),
                url: word(source),
            });
        }
        4 | 5 => {
            let impressions = source.chance(1, 2).then(|| count(source));
            script.ad_loop = Some(AdLoop {
                times: count(source),
                every: length(source),
                impressions,
            });
        }
        _ => {
            let turns = &mut script.ad_turns;
            (turns.every, turns.offset, turns.seen) = (count(source), count(source), count(source));
        }
    }
}

/// A value nested to the given depth.
fn nested(depth: usize) -> Value {
    (1..depth).fold(Value::Null, |inner, _| Value::Map(Fields::one("a", inner)))
}

fn act(source: &mut Source) -> StepAct {
    let value = match source.below(4) {
        0 => nested(*source.pick(&[16, 33, 1_000])),
        1 => Value::Infinity,
        _ => Value::Number(number(source)),
    };
    let call = |call, args| StepAct::Do { call, args };
    match source.below(10) {
        0 => StepAct::Page(PageChange::Rate(Decimal::from_millionths(
            *source.pick(&[62_500, 333_333, 16_000_000]),
        ))),
        1 => StepAct::Page(PageChange::InView(number(source))),
        2 => StepAct::Page(PageChange::Window(count(source), count(source))),
        3 => StepAct::User(Act::Seek(value)),
        4 => StepAct::User(Act::Volume(value)),
        5 => StepAct::User(Act::Icon(word(source).into())),
        6 => StepAct::Read(Vec::new()),
        7 => call(Call::CurrentTime, vec![value]),
        8 => call(Call::Resize, vec![value.clone(), value]),
        _ => call(Call::PlayAd, vec![value]),
    }
}

/// Changes a scenario at one place.
fn drive(scenario: &mut Scenario, source: &mut Source) {
    match source.below(12) {
        0 | 1 => knob(scenario, source),
        2 | 3 => page(scenario, source),
        4 | 5 => {
            let which = source.index(scenario.media.len().max(1));
            if let Some((_, script)) = scenario.media.get_mut(which) {
                medium(script, source);
            }
        }
        6 => {
            let which = source.index(scenario.network.len().max(1));
            if let Some((_, answers)) = scenario.network.get_mut(which) {
                network(answers, source);
            }
        }
        7 | 8 => player(&mut scenario.player, source),
        9 => {
            let (act, at) = (act(source), Time::from_millis(250 * source.below(20)));
            scenario.steps.push(Step {
                trigger: Trigger::At(at),
                act,
                player: Target::First,
            });
        }
        10 => {
            if let Some(step) = scenario.steps.last_mut() {
                step.trigger = match (step.trigger, source.chance(1, 2)) {
                    (Trigger::On { event, .. }, true) => Trigger::On {
                        event,
                        nth: Some(count(source)),
                        after: Some(length(source)),
                    },
                    (_, _) => Trigger::At(time(source)),
                };
            }
        }
        _ => match source.below(5) {
            0 => {
                scenario.until = Until::At(
                    time(source)
                        .min(Time::from_secs(3_600))
                        .max(Time::from_micros(1)),
                )
            }
            1 => scenario.seed = u64::MAX,
            2 => scenario.ignore_query.push(word(source)),
            3 => scenario.steps.extend(scenario.steps.last().cloned()),
            _ => {
                if let Some(script) = scenario.videos.first_mut() {
                    script.record_after = length(source);
                }
            }
        },
    }
}

/// Returns what is wrong with how a scenario is handled.
fn taken(scenario: &Scenario) -> Result<bool, String> {
    let text = scenario.to_json();
    let read = scenario::read("case.json", &text, &mut |_| {
        Err(std::io::ErrorKind::NotFound.into())
    });
    let made = Simulation::new(scenario);
    match (&read, &made) {
        (Ok(_), Ok(_)) => {}
        (Err(_), Err(_)) => return Ok(false),
        (Ok(_), Err(error)) => {
            return Err(format!(
                "read from YAML it is accepted, built in Rust it is not: {error}"
            ));
        }
        (Err(error), Ok(_)) => {
            return Err(format!(
                "built in Rust it is played, read from YAML it is not: {error}"
            ));
        }
    }
    let trace = made.map_err(|error| error.to_string())?.run();
    match check::invariants(&trace).first() {
        Some(finding) => Err(finding.to_string()),
        None => Ok(true),
    }
}

#[test]
fn scenarios_built_in_rust_are_refused_like_yaml_and_otherwise_played() {
    let first = super::from_environment("PLAYSIM_SEED", 0);
    let cases = super::from_environment("PLAYSIM_EXTREMES", crate::nightly::cases(1_000, 4_000));
    let (mut played, mut wrong) = (0_u64, Vec::new());
    for seed in first..first + cases {
        let mut scenario = drawn(seed);
        let source = &mut Source::from_seed(seed ^ 0xe47_0000);
        for _ in 0..source.count(1, 3) {
            drive(&mut scenario, source);
        }
        match catch_unwind(AssertUnwindSafe(|| taken(&scenario))) {
            Ok(Ok(is_played)) => played += u64::from(is_played),
            Ok(Err(why)) => wrong.push(format!("seed {seed}: {why}")),
            Err(_) => wrong.push(format!("seed {seed} panics")),
        }
    }
    let reported = wrong
        .iter()
        .take(12)
        .cloned()
        .collect::<Vec<_>>()
        .join("\n");
    assert!(
        wrong.is_empty(),
        "{} of {cases} are not handled correctly\n{reported}",
        wrong.len()
    );
    assert!(
        4 * played >= cases && 4 * played <= 3 * cases,
        "{played} of {cases} were played"
    );
}

#[test]
fn what_yaml_cannot_express_is_refused_with_its_place() {
    let refused = |change: fn(&mut Scenario)| {
        let mut scenario = drawn(0);
        change(&mut scenario);
        Simulation::new(&scenario)
            .map_or_else(|error| error.to_string(), |_| "it is played".to_owned())
    };
    for (change, due) in [
        (
            (|it| it.knobs.timeupdate_period = Span::ZERO) as fn(&mut Scenario),
            "knobs: knob \"timeupdate.period\" is \"0s\"; it must be a duration such as 250ms (15ms to 1s)",
        ),
        (
            |it| it.knobs.break_max_duration = Limit::After(Span::MAX),
            "knobs: knob \"break.max_duration\" is \"9223372036854.775807s\"; it must be a duration such as 8s, or off",
        ),
        (
            |it| it.page.epoch_micros = i64::MAX,
            "page: \"epoch\" is 9223372036854775807 \u{b5}s; it must be a calendar instant",
        ),
        (
            |it| it.page.country = Some("us".into()),
            "page: \"country\" is \"us\"; it must be a country as two capital letters, like US",
        ),
        (
            |it| it.channels = Some(vec![7, 0]),
            "channels: \"channel\" is 0; it must be a number from 1 to 4294967295",
        ),
        (
            |it| it.player.volume = Decimal::from_integer(2),
            "player: \"volume\" is 2; it must be a number from 0 to 1",
        ),
        (
            |it| {
                it.media.push((
                    "x.mp4".into(),
                    MediaScript {
                        duration: Span::MAX,
                        ..MediaScript::default()
                    },
                ))
            },
            "media \"x.mp4\": \"duration\" is too long; it must be at most 9223372036854.775807 s",
        ),
        (
            |it| it.network.push(("x".into(), Vec::new())),
            "network \"x\": a URL must have at least one response",
        ),
        (
            |it| it.media.extend_from_within(..1),
            "media: duplicate URL \"film-0.mp4\"",
        ),
    ] {
        assert_eq!(refused(change), due);
    }
}

#[test]
fn a_page_that_creates_players_endlessly_is_stopped_by_a_limit() {
    let element = |number: usize| {
        let act = StepAct::Element {
            div: format!("e{number}").into(),
            config: ElementConfig::default(),
        };
        Step {
            trigger: Trigger::At(Time::ZERO),
            act,
            player: Target::First,
        }
    };
    let outcome = |players| {
        let scenario = Scenario {
            steps: (0..players).map(element).collect(),
            ..Scenario::default()
        };
        let trace = Simulation::new(&scenario).expect("it is playable").run();
        let limit = trace
            .records
            .last()
            .and_then(|last| last.data.get("limit"))
            .map(Value::to_string);
        (trace.outcome(), limit)
    };
    assert_eq!(outcome(MAX_PLAYERS - 1), (Some(Outcome::Idle), None));
    assert_eq!(
        outcome(MAX_PLAYERS + 9),
        (Some(Outcome::Limit), Some("\"players\"".to_owned()))
    );
}
