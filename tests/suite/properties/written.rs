//! A scenario that is written reads back unchanged, and its digest does not depend on the format.

use std::sync::Arc;

use playsim::api::{Call, Decimal, EventName, Fields, Query, Value};
use playsim::rules;
use playsim::scenario::{self, AnswerScript, Expectation, Scenario, ScriptedAnswer};
use playsim::time::{Span, Time};

use super::drawn;
use playsim::testing::Source;

#[test]
fn a_written_scenario_reads_back_as_it_was() {
    for seed in 0..500 {
        let mut written = drawn(seed);
        add_what_no_run_depends_on(&mut written, &mut Source::from_seed(seed));
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

fn read_back(
    name: &str,
    text: &str,
    written: &Scenario,
) -> Result<Scenario, scenario::ScenarioError> {
    let files = written.files();
    scenario::read(name, text, &mut |path| {
        let file = files.iter().find(|(known, _)| **known == *path);
        file.map(|(_, text)| text.to_string())
            .ok_or_else(|| std::io::Error::other(format!("no file {path} is written")))
    })
}

/// Adds cited rules, expectations, and bodies in files, which the laws do not cover.
fn add_what_no_run_depends_on(scenario: &mut Scenario, source: &mut Source) {
    let all: Vec<_> = rules::all().collect();
    scenario.rules = source.some(0, 3, |source| *source.pick(&all));
    scenario.expect = source.some(0, 4, expectation);
    let file = |name: &str, text: &str| AnswerScript {
        content_type: None,
        after: Span::ZERO,
        answer: ScriptedAnswer::Body {
            status: 200,
            name: name.into(),
            text: text.into(),
        },
    };
    let answers = source.some(1, 3, |source| {
        let name: &&str = source.pick(&["a.xml", "answers/b 1.xml", "yes"]);
        file(name, "<VAST>\u{2028}\"\\</VAST>\n")
    });
    scenario
        .network
        .push(("https://files.test/a?x=1&y: #2".into(), answers));
}

fn expectation(source: &mut Source) -> Expectation {
    let event = *source.pick(EventName::DOCUMENTED);
    let times = |source: &mut Source| source.chance(1, 2).then(|| *source.pick(&[0, 1, 7]));
    let code = |source: &mut Source| {
        Arc::from(*source.pick(&["volume_range", "no_ads", "something of its own"]))
    };
    match source.below(8) {
        0 => {
            let data = if source.chance(1, 2) {
                Fields::one("wp", 1).with("of", value(source))
            } else {
                Fields::NONE
            };
            Expectation::Event {
                event,
                times: times(source),
                data: Value::Map(data),
            }
        }
        1 => Expectation::Order(source.some(1, 3, |source| *source.pick(EventName::DOCUMENTED))),
        2 => Expectation::Never(event),
        5 => {
            Expectation::AtMostOne(source.some(2, 4, |source| *source.pick(EventName::DOCUMENTED)))
        }
        6 => Expectation::After {
            event,
            comes: *source.pick(EventName::DOCUMENTED),
            within: Span::from_millis(source.below(90_000)),
        },
        3 => Expectation::Diag {
            code: code(source),
            times: times(source),
        },
        4 => Expectation::Read {
            query: *source.pick(Query::ALL),
            at: source
                .chance(1, 2)
                .then(|| Time::from_millis(source.below(90_000))),
            is: value(source),
        },
        _ => Expectation::Call {
            call: *source.pick(Call::ALL),
            times: times(source),
            error: source.chance(1, 2).then(|| code(source)),
        },
    }
}

fn value(source: &mut Source) -> Value {
    match source.below(8) {
        0 => Value::Null,
        1 => Value::NaN,
        2 => Value::NegativeInfinity,
        3 => Value::Undefined,
        4 => Value::from(source.chance(1, 2)),
        5 => Value::from(Decimal::from_millionths(i64::MIN + 1)),
        6 => Value::from(*source.pick(&[
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
        _ => Value::List(source.some(0, 2, value)),
    }
}
