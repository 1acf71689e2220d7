//! The behaviour and messages of VPAID units.
//!
//! Rules: VPAID-1, BRK-2, MUTE-6, CLICK-4.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::{
    Definitions, FieldRow, Node, Object, Properties, Reading, SHARE, Text, Writer, WrittenForm,
    Wrong, field_rows, list, optional, read_rows, required, write_rows,
};
use crate::form::{
    Length, LengthOrNever, Name, Truth, Word, write_field, write_some, write_unless,
};
use playsim_api::media::{
    Vpaid, VpaidCall, VpaidCarries, VpaidDetail, VpaidEvent, VpaidSaid, VpaidScript, VpaidStep,
    VpaidWhen,
};
use playsim_base::time::Span;

/// A VPAID unit: its own behaviour, and its script if it has one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct VpaidUnit {
    pub(super) does: Vpaid,
    pub(super) script: Option<Arc<VpaidScript>>,
}

#[derive(Clone, Copy)]
pub(super) struct VpaidForm;
pub(super) const VPAID: VpaidForm = VpaidForm;

const EXAMPLE: &str = "{ own_sound: true }";
const STEP: &str = "{ at: 2s, event: AdClickThru }";

const DOES: &[FieldRow<Vpaid>] = field_rows! { Vpaid:
    "own_sound" own_sound: Truth, "It plays sound until the player's mute reaches it.";
    "reports_click" reports_click: Truth, "It reports clicks to the player.";
};

/// The fields of its script.
const SCRIPT: &[FieldRow<VpaidScript>] = field_rows! { VpaidScript:
    "version" version: Name, "The version that it returns in the handshake.";
    "handshake_after" handshake_after: LengthOrNever, "How long it takes to answer the handshake, or never.";
    "loaded_after" loaded_after: LengthOrNever, "How long after initAd it sends AdLoaded, or never.";
    "starts_after" starts_after: LengthOrNever, "How long after startAd it sends AdStarted, or never.";
    "stop_after" stop_after: LengthOrNever, "How long it takes to leave with AdStopped, or never.";
    "answers_after" answers_after: Length, "How long it takes to answer other calls.";
    "linear" linear: Truth, "Whether it replaces the content.";
    "skippable" skippable: Truth, "Whether it can be skipped at first.";
    "silent" silent: list("a message", EVENT, "[AdStarted]"),
        "Messages that a unit sends unprompted and this one does not.";
    "script" steps: list("a message", StepForm, "[{ at: 2s, event: AdClickThru }]"), "What else it sends.";
};

const EVENT: Word<VpaidEvent> = Word {
    what: "message of a VPAID unit",
    takes: "the name of a message, like AdStarted",
    all: VpaidEvent::ALL,
    name: VpaidEvent::name,
};

const CALL: Word<VpaidCall> = Word {
    what: "call of a VPAID unit",
    takes: "the name of a call, like startAd",
    all: VpaidCall::ALL,
    name: VpaidCall::name,
};

impl WrittenForm for VpaidForm {
    type Of = VpaidUnit;

    fn read(&self, node: &Node, _: &str, reading: &mut Reading<'_>) -> Option<VpaidUnit> {
        let mut fields = reading.keep(Object::of(node, "vpaid", EXAMPLE))?;
        let (mut does, mut script) = (Vpaid::default(), VpaidScript::default());
        read_rows(DOES, &mut fields, &mut does, reading);
        read_rows(SCRIPT, &mut fields, &mut script, reading);
        fields.end(reading);
        Some(VpaidUnit {
            does,
            script: Some(Arc::new(script)),
        })
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        let mut unit = Properties::default();
        unit.rows(DOES, &Vpaid::default(), definitions);
        unit.rows(SCRIPT, &VpaidScript::default(), definitions);
        unit.end("For a VPAID unit: its own behaviour, and its script.")
    }

    fn write(&self, value: &VpaidUnit, out: &mut Writer) {
        out.object(|out| {
            write_rows(DOES, &value.does, &Vpaid::default(), out);
            if let Some(script) = &value.script {
                let base = VpaidScript::default();
                write_rows(SCRIPT, script, &base, out);
            }
        });
    }
}

/// A message of the script.
#[derive(Clone, Copy)]
struct StepForm;

impl WrittenForm for StepForm {
    type Of = VpaidStep;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<VpaidStep> {
        let mut fields = reading.keep(Object::of(node, "a message", STEP))?;
        let when = when(&mut fields, reading);
        let event = reading.keep(fields.required("event", "event: AdClickThru"));
        let event = event.and_then(|node| EVENT.read(node, what, reading));
        let detail = event.and_then(|event| detail(event, &mut fields, reading));
        if event.is_some() || !fields.has_unknown() {
            fields.end(reading);
        }
        Some(VpaidStep {
            when: when?,
            said: VpaidSaid {
                event: event?,
                detail: detail?,
            },
        })
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        let length = Length.schema(definitions);
        let truth = Truth.schema(definitions);
        let mut step = Properties::default();
        step.add(
            "at",
            "When it has played this long, counted from AdStarted.",
            length.clone(),
        );
        step.add(
            "on",
            "When the player makes this call.",
            CALL.schema(definitions),
        );
        step.add("after", "How long after the call.", length.clone());
        step.add("event", "The message.", EVENT.schema(definitions));
        step.add(
            "url",
            "For AdClickThru: the URL to open. Default: the one in the VAST document.",
            Name.schema(definitions),
        );
        step.add(
            "id",
            "For AdClickThru and AdInteraction: the id that they carry.",
            Text.schema(definitions),
        );
        let mut handles = truth.clone();
        handles["default"] = true.into();
        step.add(
            "player_handles",
            "For AdClickThru: whether the player is to open the URL.",
            handles,
        );
        step.add(
            "for",
            "For AdPaused: how long before it resumes on its own.",
            length.clone(),
        );
        step.add(
            "duration",
            "For AdDurationChange: its duration.",
            length.clone(),
        );
        step.add(
            "remaining",
            "For AdRemainingTimeChange: how much of it is left.",
            length,
        );
        step.add(
            "text",
            "For AdError and AdLog: the message text.",
            Text.schema(definitions),
        );
        step.add(
            "volume",
            "For AdVolumeChange: its volume.",
            SHARE.schema(definitions),
        );
        step.add(
            "skippable",
            "For AdSkippableStateChange: whether it can be skipped.",
            truth.clone(),
        );
        step.add(
            "linear",
            "For AdLinearChange: whether it replaces the content.",
            truth.clone(),
        );
        step.add(
            "expanded",
            "For AdExpandedChange: whether it is expanded.",
            truth,
        );
        let mut step = step.end("A message.");
        step["type"] = "object".into();
        step["required"] = json!(["event"]);
        step["oneOf"] = json!([
            { "required": ["at"], "not": { "required": ["after"] } },
            { "required": ["on"] },
        ]);
        step
    }

    fn write(&self, VpaidStep { when, said }: &VpaidStep, out: &mut Writer) {
        out.object(|out| {
            match when {
                VpaidWhen::At(at) => write_field("at", &Length, at, out),
                VpaidWhen::On(call, after) => {
                    write_field("on", &CALL, call, out);
                    write_unless("after", &Length, after, &Span::ZERO, out);
                }
            }
            write_field("event", &EVENT, &said.event, out);
            write_detail(said, out);
        });
    }
}

fn write_detail(said: &VpaidSaid, out: &mut Writer) {
    let name = said.event.field();
    match &said.detail {
        VpaidDetail::Nothing => {}
        VpaidDetail::Click {
            url,
            id,
            player_handles,
        } => {
            write_some("url", &Name, url.as_ref(), out);
            write_some("id", &Text, id.as_ref(), out);
            write_unless("player_handles", &Truth, player_handles, &true, out);
        }
        VpaidDetail::Length(length) | VpaidDetail::Pause(length) => {
            write_field(name, &Length, length, out)
        }
        VpaidDetail::Volume(volume) => write_field(name, &SHARE, volume, out),
        VpaidDetail::State(state) => write_field(name, &Truth, state, out),
        VpaidDetail::Words(words) => write_field(name, &Text, words, out),
    }
}

/// Reads when a message is sent: `at` a time of the unit, or `on` a call and how long after it.
fn when(fields: &mut Object<'_>, reading: &mut Reading<'_>) -> Option<VpaidWhen> {
    let wrong = match (
        fields.field("at"),
        fields.entry("on"),
        fields.entry("after"),
    ) {
        (Some(at), None, None) => return Length.read(at, "at", reading).map(VpaidWhen::At),
        (None, Some((_, on)), after) => {
            let after = match after {
                Some((_, node)) => Length.read(node, "after", reading),
                None => Some(Span::ZERO),
            };
            return CALL
                .read(on, "on", reading)
                .zip(after)
                .map(|(call, after)| VpaidWhen::On(call, after));
        }
        (Some(_), Some((key, _)), _) => Wrong::new(
            &key.range,
            "a message has either \"at\" or \"on\", not both",
        ),
        (Some(_), None, Some((key, _))) => Wrong::new(&key.range, "\"after\" requires \"on\""),
        (None, None, _) => {
            let message =
                "a message has neither \"at\" nor \"on\"; it needs one, like at: 2s or on: startAd";
            Wrong::new(fields.range(), message)
        }
    };
    reading.keep(Err(wrong))
}

/// The data of a message of this name.
fn detail(
    event: VpaidEvent,
    fields: &mut Object<'_>,
    reading: &mut Reading<'_>,
) -> Option<VpaidDetail> {
    let name = event.field();
    match event.carries() {
        VpaidCarries::Nothing => Some(VpaidDetail::Nothing),
        VpaidCarries::Click => {
            let url = optional(&Name, "url", fields, reading);
            let id = optional(&Text, "id", fields, reading);
            let player_handles =
                optional(&Truth, "player_handles", fields, reading)?.unwrap_or(true);
            Some(VpaidDetail::Click {
                url: url?,
                id: id?,
                player_handles,
            })
        }
        VpaidCarries::Length => {
            let example = if event == VpaidEvent::AdDurationChange {
                "duration: 20s"
            } else {
                "remaining: 5s"
            };
            required(&Length, (name, example), fields, reading).map(VpaidDetail::Length)
        }
        VpaidCarries::Volume => {
            required(&SHARE, (name, "volume: 0"), fields, reading).map(VpaidDetail::Volume)
        }
        VpaidCarries::State => required(&Truth, (name, &format!("{name}: true")), fields, reading)
            .map(VpaidDetail::State),
        VpaidCarries::Pause => {
            let length = optional(&Length, name, fields, reading)?;
            Some(length.map_or(VpaidDetail::Nothing, VpaidDetail::Pause))
        }
        VpaidCarries::Words => {
            let words = optional(&Text, name, fields, reading)?;
            Some(words.map_or(VpaidDetail::Nothing, VpaidDetail::Words))
        }
    }
}
