//! The fields of a scenario, each with its reader, schema and writer in one place.

use std::sync::LazyLock;

use serde_json::{Value as Json, json};

use super::form::{
    Definitions, FieldRow, Opt, Properties, Shape, Text, WrittenForm, described, exactly_one,
    field_rows, list, optional, read_rows, required, text_schema, whole, write_rows,
};
use super::read::node::{Node, Object, Tree, Wrong};
use super::read::reading::Reading;
use super::writer::Writer;
use super::{Answers, Expectation, Scenario, ScenarioError, Step, StepAct, Target, Trigger};
use playsim_api::{Decimal, Value};
use playsim_base::time::Time;

mod acts;
mod ads;
mod call;
mod config;
mod edit;
mod expect;
mod head;
mod knobs;
mod listeners;
pub(crate) mod media;
mod network;
mod page;
mod player;
mod sides;
mod simid;
mod steps;
mod terms;
mod user;
mod value;
mod video;
mod vpaid;

pub(super) use head::profiles;
pub(super) use knobs::read_knobs as knobs_of;
use page::PAGE;
use player::PLAYER;

/// A number from 0 to 1: a volume.
const SHARE: super::form::Number = super::form::Number {
    least: Decimal::ZERO,
    most: Decimal::ONE,
};

/// A number from `least` up.
const fn count(least: u64) -> super::form::Whole<u32> {
    whole(least, u32::MAX as u64)
}

/// The settings of a run. Read first, since the other fields depend on them.
const HEAD: &[&[FieldRow<Scenario>]] = &[
    &[NAME],
    field_rows! { Scenario:
        "rules" rules: list("a rule", head::RULE, "[REQ-4, BRK-10]"),
            "Rules that the scenario is meant to show. For readers only.";
    },
    &[head::PROFILE, knobs::KNOBS_ROW],
    field_rows! { Scenario:
        "seed" seed: whole::<u64>(0, u64::MAX), "The seed of everything random.";
        "until" until: head::UNTIL, "When the run ends: `idle` (nothing can happen any more) or a time.";
    },
];

/// The name. It is always written, since a scenario without one takes the name of its file.
const NAME: FieldRow<Scenario> = FieldRow {
    key: "name",
    about: "What the scenario shows, in a few words. Default: the name of the file.",
    required: None,
    read: |node, scenario, reading| {
        let name = Text.read(node, "name", reading);
        name.map(|name| scenario.name = name).is_some()
    },
    same: |_, _| false,
    write: |scenario, out| Text.write(&scenario.name, out),
    schema: |definitions| Text.schema(definitions),
};

const BODY: &[&[FieldRow<Scenario>]] = &[
    field_rows! { Scenario:
        "page" page: PAGE, "The page around the players.";
        "videos" videos: video::VIDEOS, "The videos, with the fields that the edit call has for them.";
    },
    &[media::MEDIA, network::NETWORK],
    field_rows! { Scenario:
        "player" player: PLAYER, "Settings of all players.";
    },
    &[player::PLAYERS],
    field_rows! { Scenario:
        "channels" channels: Opt(list("a channel", count(1), "[7, 12]")),
            "The ids of the channels that exist. Default: any.";
        "listeners" listeners: listeners::Listeners, "Named listeners, for `on`, `once`, `off` and `on_ready`.";
        "steps" steps: steps::STEPS, "What happens. Without steps, one player plays the first video once it is ready.";
        "expect" expect: expect::EXPECTATIONS, "What must be true of the finished trace.";
    },
];

/// Reads a scenario; `name` is its name unless it has one itself.
pub(super) fn read(root: &Node, name: &str, reading: &mut Reading<'_>) -> Scenario {
    let mut scenario = Scenario {
        name: name.into(),
        ..Scenario::default()
    };
    let example = "{ videos: [...], network: {...} }";
    let Some(mut fields) = reading.keep(Object::of(root, "a scenario", example)) else {
        return scenario;
    };
    // For editors of JSON; in YAML it is a comment.
    let _ = fields.field("$schema");
    for rows in HEAD {
        read_rows(rows, &mut fields, &mut scenario, reading);
    }
    knobs::settle(&mut scenario, reading);
    for rows in BODY {
        read_rows(rows, &mut fields, &mut scenario, reading);
    }
    let start = fields.range().clone();
    fields.end(reading);
    for (range, name) in std::mem::take(&mut reading.used) {
        if !reading.kept.contains(&name) {
            let known: Vec<&str> = reading.kept.iter().map(|kept| &**kept).collect();
            let wrong = Wrong::unknown(&range, "value that was kept", &name, known);
            reading.wrongs.push(wrong);
        }
    }
    if reading.is_driven && scenario.steps.is_empty() {
        // Without a step, a player would be created.
        let act = StepAct::Task(Vec::new());
        scenario.steps.push(Step {
            trigger: Trigger::At(Time::ZERO),
            act,
            player: Target::First,
        });
    }
    if reading.wrongs.is_empty() && scenario.videos.is_empty() && scenario.steps.is_empty() {
        let message = "there is nothing to play; a scenario needs videos, or steps, or both";
        reading.wrongs.push(Wrong::new(&start, message));
    }
    scenario
}

/// Reads an act in the form of a listener's.
pub(super) fn read_act(node: &Node, reading: &mut Reading<'_>) -> Option<StepAct> {
    listeners::read_item(node, reading)
}

/// Reads what a URL answers: one response or several, or media. `is_media` says which of them; if
/// it does not, the fields decide.
pub(super) fn read_answers(
    node: &Node,
    is_media: Option<bool>,
    reading: &mut Reading<'_>,
) -> Option<Answers> {
    let is_medium = |item: &Node| matches!(&item.tree, Tree::Map(fields) if media::is_medium(fields, &network::RESPONSE));
    if is_media.unwrap_or_else(|| node.items().iter().any(is_medium)) {
        media::read_loads(node, reading).map(Answers::Media)
    } else {
        let answers = network::answers(node, reading);
        Some(Answers::Responses(answers))
    }
}

/// Reads a value of page code.
pub(super) fn read_value(node: &Node, reading: &mut Reading<'_>) -> Option<Value> {
    value::VALUE.read(node, "a value", reading)
}

/// Writes a scenario.
pub(super) fn write(scenario: &Scenario, out: &mut Writer) {
    static BASE: LazyLock<Scenario> = LazyLock::new(Scenario::default);
    out.object(|out| {
        for rows in HEAD.iter().chain(BODY) {
            write_rows(rows, scenario, &BASE, out);
        }
    });
}

/// Checks that a file could hold every value of a scenario that was made in Rust.
pub(super) fn check(scenario: &Scenario) -> Result<(), ScenarioError> {
    let mut out = Writer::checking();
    for row in HEAD.iter().chain(BODY).copied().flatten() {
        out.part(|| row.key.to_owned());
        out.field(row.key);
        (row.write)(scenario, &mut out);
    }
    for (index, expectation) in scenario.expect.iter().enumerate() {
        if let Expectation::AtMostOne(events) = expectation {
            out.part(|| format!("expectation {}", index + 1));
            out.refuse_if(
                events.len() < 2,
                "at_most_one must list at least two events",
            );
        }
    }
    out.checked()
}

/// Checks a step that was made in Rust.
pub(super) fn check_step(step: &Step) -> Result<(), ScenarioError> {
    let mut out = Writer::checking();
    out.part(|| "the act".to_owned());
    steps::StepForm.write(step, &mut out);
    out.checked()
}

/// The schema of a scenario, without its definitions.
pub(super) fn schema(definitions: &mut Definitions) -> Json {
    let mut properties = Properties::default();
    properties.add("$schema", "The URL of this schema, for editors.", json!({}));
    for rows in HEAD.iter().chain(BODY) {
        properties.rows(rows, &Scenario::default(), definitions);
    }
    properties.end("A scenario: what exists, what happens and what is expected.")
}
