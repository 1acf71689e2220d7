//! A scenario that is written reads back unchanged, and its digest does not depend on the format.

use std::sync::Arc;

use playsim::api::{Call, Decimal, EventName, Fields, Query, Value};
use playsim::rules;
use playsim::scenario::{self, AnswerScript, Expectation, Scenario, ScriptedAnswer};
use playsim::time::{Span, Time};

use super::dice::Dice;
use super::world;

#[test]
fn a_written_scenario_reads_back_as_it_was() {
    for seed in 0..500 {
        let mut written = world::scenario(seed);
        add_what_no_run_depends_on(&mut written, &mut Dice::new(seed));
        // Reading YAML takes much longer.
        let yaml = (seed % 5 == 0).then(|| ("case.yaml", written.to_yaml()));
        for (name, text) in [("case.json", written.to_json())].into_iter().chain(yaml) {
            match read_back(name, &text, &written) {
                Ok(read) => {
                    assert_eq!(read, written, "seed {seed}, {name}\n{text}");
                    assert_eq!(read.digest(), written.digest(), "seed {seed}, {name}");
                }
                Err(error) => panic!("seed {seed}: {error}\n{text}"),
            }
        }
    }
}

fn read_back(name: &str, text: &str, written: &Scenario) -> Result<Scenario, scenario::ScenarioError> {
    let files = written.files();
    scenario::read(name, text, &mut |path| {
        let file = files.iter().find(|(known, _)| **known == *path);
        file.map(|(_, text)| text.to_string())
            .ok_or_else(|| std::io::Error::other(format!("no file {path} is written")))
    })
}

/// Adds cited rules, expectations, and bodies in files, which the laws do not cover.
fn add_what_no_run_depends_on(scenario: &mut Scenario, dice: &mut Dice) {
    let all: Vec<_> = rules::all().collect();
    scenario.rules = dice.some(0, 3, |dice| *dice.pick(&all));
    scenario.expect = dice.some(0, 4, expectation);
    let file = |name: &str, text: &str| AnswerScript {
        after: Span::ZERO,
        answer: ScriptedAnswer::Body { status: 200, name: name.into(), text: text.into() },
    };
    let answers = dice.some(1, 3, |dice| {
        let name: &&str = dice.pick(&["a.xml", "answers/b 1.xml", "yes"]);
        file(name, "<VAST>\u{2028}\"\\</VAST>\n")
    });
    scenario.network.push(("https://files.test/a?x=1&y: #2".into(), answers));
}

fn expectation(dice: &mut Dice) -> Expectation {
    let event = *dice.pick(EventName::DOCUMENTED);
    let times = |dice: &mut Dice| dice.chance(1, 2).then(|| *dice.pick(&[0, 1, 7]));
    let code = |dice: &mut Dice| Arc::from(*dice.pick(&["volume_range", "no_ads", "something of its own"]));
    match dice.below(6) {
        0 => {
            let data =
                if dice.chance(1, 2) { Fields::one("wp", 1).with("of", value(dice)) } else { Fields::NONE };
            Expectation::Event { event, times: times(dice), data: Value::Map(data) }
        }
        1 => Expectation::Order(dice.some(1, 3, |dice| *dice.pick(EventName::DOCUMENTED))),
        2 => Expectation::Never(event),
        3 => Expectation::Diag { code: code(dice), times: times(dice) },
        4 => Expectation::Read {
            query: *dice.pick(Query::ALL),
            at: dice.chance(1, 2).then(|| Time::from_millis(dice.below(90_000))),
            is: value(dice),
        },
        _ => Expectation::Call {
            call: *dice.pick(Call::ALL),
            times: times(dice),
            error: dice.chance(1, 2).then(|| code(dice)),
        },
    }
}

fn value(dice: &mut Dice) -> Value {
    match dice.below(8) {
        0 => Value::Null,
        1 => Value::NaN,
        2 => Value::NegativeInfinity,
        3 => Value::Undefined,
        4 => Value::from(dice.chance(1, 2)),
        5 => Value::from(Decimal::from_millionths(i64::MIN + 1)),
        6 => Value::from(*dice.pick(&[
            "",
            "yes",
            "1.5s",
            "07",
            "a: b",
            "# no",
            "- x",
            "\u{85}\u{7f}\t",
            "~",
            "x:",
        ])),
        _ => Value::List(dice.some(0, 2, value)),
    }
}
