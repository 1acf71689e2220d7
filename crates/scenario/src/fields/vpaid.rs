//! The behaviour and messages of VPAID units.
//!
//! Rules: VPAID-1, BRK-2, MUTE-6, CLICK-4.

use serde_json::{Value as Json, json};

use super::{
    Definitions, Node, Object, Opt, Properties, Reading, SHARE, Shape, Text, Writer, WrittenForm,
    Wrong, field_rows, list,
};
use crate::form::choice::{Data, data};
use crate::form::{Length, LengthOrNever, Name, Truth, Word, write_field, write_unless};
use playsim_api::media::{VpaidCall, VpaidEvent, VpaidSaid, VpaidScript, VpaidStep, VpaidWhen};
use playsim_base::time::Span;

/// The behaviour of a unit.
pub(super) const VPAID: Shape<VpaidScript> = Shape::new(
    "vpaid",
    "{ own_sound: true }",
    "For a VPAID unit: its own behaviour, and its script.",
    VpaidScript::default,
    &[field_rows! { VpaidScript:
        "own_sound" does.own_sound: Truth, "It plays sound until the player's mute reaches it.";
        "reports_click" does.reports_click: Truth, "It reports clicks to the player.";
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
    }],
);

const STEP: &str = "{ at: 2s, event: AdClickThru }";

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
        let said = event.map(|event| (DATA.read)(event, &mut fields, reading));
        if said.is_some() || !fields.has_unknown() {
            fields.end(reading);
        }
        Some(VpaidStep {
            when: when?,
            said: said??,
        })
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        let length = Length.schema(definitions);
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
        step.add("after", "How long after the call.", length);
        step.add("event", "The message.", EVENT.schema(definitions));
        (DATA.schema)(&mut step, definitions);
        let mut step = step.end("A message.");
        // The data depend on the message.
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
            write_field("event", &EVENT, &said.kind(), out);
            (DATA.write)(said, out);
        });
    }
}

/// The data of the messages.
const DATA: Data<VpaidEvent, VpaidSaid> = data! { VpaidEvent, VpaidSaid:
    AdClickThru {
        "url" url: Opt(Name), Default(None), "For AdClickThru: the URL to open. Default: the one in the VAST document.";
        "id" id: Opt(Text), Default(None), ID;
        "player_handles" player_handles: Truth, Default(true), "For AdClickThru: whether the player is to open the URL.";
    }
    AdInteraction { "id" id: Opt(Text), Default(None), ID; }
    AdPaused {
        "for" length: Opt(Length), Default(None), "For AdPaused: how long before it resumes on its own.";
    }
    AdDurationChange {
        "duration" duration: Length, Required("duration: 20s"), "For AdDurationChange: its duration.";
    }
    AdRemainingTimeChange {
        "remaining" remaining: Length, Required("remaining: 5s"), "For AdRemainingTimeChange: how much of it is left.";
    }
    AdError { "text" text: Opt(Text), Default(None), TEXT; }
    AdLog { "text" text: Opt(Text), Default(None), TEXT; }
    AdVolumeChange { "volume" volume: SHARE, Required("volume: 0"), "For AdVolumeChange: its volume."; }
    AdSkippableStateChange {
        "skippable" skippable: Truth, Required("skippable: true"),
            "For AdSkippableStateChange: whether it can be skipped.";
    }
    AdLinearChange {
        "linear" linear: Truth, Required("linear: true"), "For AdLinearChange: whether it replaces the content.";
    }
    AdExpandedChange {
        "expanded" expanded: Truth, Required("expanded: true"), "For AdExpandedChange: whether it is expanded.";
    }
    AdLoaded {}
    AdStarted {}
    AdStopped {}
    AdSkipped {}
    AdSizeChange {}
    AdImpression {}
    AdVideoStart {}
    AdVideoFirstQuartile {}
    AdVideoMidpoint {}
    AdVideoThirdQuartile {}
    AdVideoComplete {}
    AdUserAcceptInvitation {}
    AdUserMinimize {}
    AdUserClose {}
    AdPlaying {}
};

const ID: &str = "For AdClickThru and AdInteraction: the id that they carry.";
const TEXT: &str = "For AdError and AdLog: the message text.";

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
