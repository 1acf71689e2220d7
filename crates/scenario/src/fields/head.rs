//! Which rules a scenario shows, which profile it starts from, and when it ends.

use serde_json::{Value as Json, json};

use super::{
    Definitions, FieldRow, Node, Reading, Scenario, Shape, Writer, WrittenForm, Wrong, count,
    field_rows,
};
use crate::Until;
use crate::form::{When, one_of};
use crate::read::node::shown;
use crate::read::scalar;
use playsim_base::time::Time;
use playsim_base::words;
use playsim_rules::knobs::{Profiles, UnknownProfile, other_player, profile_names};
use playsim_rules::{self as rules, RuleId};

/// The id of a rule.
#[derive(Clone, Copy)]
pub(super) struct Rule;
pub(super) const RULE: Rule = Rule;

/// A profile by its name, or several with `+` between them. One of the user's own is written as the
/// knobs that it sets, since a scenario does not depend on other files of profiles.
pub(super) const PROFILE: FieldRow<Scenario> = FieldRow {
    key: "profile",
    about: "The set of knobs to start from; several with `+` between them, of which a later one wins.",
    required: None,
    read: |node, scenario, reading| {
        let read = reading.keep(profiles(node, "profile"));
        read.map(|read| scenario.profile = read).is_some()
    },
    same: |scenario, base| scenario.profile.known() == base.profile,
    write: |scenario, out| out.text(&scenario.profile.known().to_string()),
    schema: |_| {
        let name = one_of(profile_names());
        json!({ "anyOf": [name, { "type": "string", "pattern": r"^[a-z0-9-]+( *\+ *[a-z0-9-]+)+$" }] })
    },
};

/// Reads the names of profiles.
pub(crate) fn profiles(node: &Node, what: &str) -> Result<Profiles, Wrong> {
    let Some(text) = node.text() else {
        return Err(node.not(what, "the name of a profile, like literal"));
    };
    text.parse()
        .map_err(|UnknownProfile(name)| match other_player(&name) {
            Some(text) => Wrong::new(&node.range, text),
            None => Wrong::unknown(&node.range, "profile", &name, profile_names()),
        })
}

/// An end in the middle of an instant.
struct LastLine {
    at: Time,
    line: u32,
}

const LINE: Shape<LastLine> = Shape::new(
    "until",
    "{ at: 1s, line: 57 }",
    "At this time, after the input that writes this line of the trace.",
    || LastLine {
        at: Time::ZERO,
        line: 0,
    },
    &[field_rows! { LastLine:
        "at" at: When => "at: 1s", "The time.";
        "line" line: count(0) => "line: 57", "The number of the line.";
    }],
);

/// `idle`, a time, or a line.
pub(super) struct UntilForm;
pub(super) const UNTIL: UntilForm = UntilForm;

impl WrittenForm for Rule {
    type Of = RuleId;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<RuleId> {
        let text = reading.keep(scalar::text(node, what))?;
        let rule = text.parse::<RuleId>().map_err(|_| {
            let message = format!("unknown rule \"{}\"", shown(&text));
            let known: Vec<String> = rules::all().map(|rule| rule.to_string()).collect();
            let wrong = Wrong::new(&node.range, message);
            match words::nearest(&text, known.iter().map(String::as_str)) {
                Some(meant) => wrong.meant(meant),
                None => Wrong {
                    message: wrong.message + "; playsim rules lists them",
                    ..wrong
                },
            }
        });
        reading.keep(rule)
    }

    fn schema(&self, _: &mut Definitions) -> Json {
        one_of(rules::all().map(|rule| rule.to_string()))
    }

    fn write(&self, value: &RuleId, out: &mut Writer) {
        out.text(&value.to_string());
    }
}

impl WrittenForm for UntilForm {
    type Of = Until;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<Until> {
        if node.map().is_some() {
            return LINE
                .read(node, what, reading)
                .map(|LastLine { at, line }| Until::Line { at, line });
        }
        let is_idle = scalar::is_word(node, what, "idle", "a time, like 120s, or idle");
        if reading.keep(is_idle)? {
            Some(Until::Idle)
        } else {
            When.read(node, what, reading).map(Until::At)
        }
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        json!({ "anyOf": [{ "const": "idle" }, When.schema(definitions), LINE.schema(definitions)] })
    }

    fn write(&self, value: &Until, out: &mut Writer) {
        match value {
            Until::Idle => out.text("idle"),
            Until::At(at) => When.write(at, out),
            Until::Line { at, line } => LINE.write(
                &LastLine {
                    at: *at,
                    line: *line,
                },
                out,
            ),
        }
    }
}
