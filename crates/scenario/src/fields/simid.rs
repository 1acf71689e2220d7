//! The requests and replies of SIMID units.
//!
//! Rule SIMID-1.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::{
    Definitions, Node, Object, Properties, Reading, Shape, Text, Writer, WrittenForm, field_rows,
    list, optional, required, whole,
};
use crate::form::{
    Length, LengthOrNever, List, Name, Truth, Whole, Word, Words, write_field, write_some,
    write_unless,
};
use playsim_api::media::{
    SimidCarries, SimidDetail, SimidError, SimidMessage, SimidReply, SimidScript, SimidSide,
    SimidStep,
};

/// The script of a unit.
pub(super) const SIMID: Shape<SimidScript> = Shape::new(
    "simid",
    "{ init: resolve }",
    "For the page of a SIMID unit: its script.",
    SimidScript::default,
    &[field_rows! { SimidScript:
        "version" version: Name, "The version that it implements.";
        "session_after" session_after: LengthOrNever, "How long it takes to request a session, or never.";
        "init" init.reply: Reply, "Its reply to init.";
        "init_after" init.after: Length, "How long that takes.";
        "start" start.reply: Reply, "Its reply to startCreative.";
        "start_after" start.after: Length, "How long that takes.";
        "script" steps: list("a message", StepForm, "[{ at: 2s, message: requestPause }]"), "What else it sends.";
    }],
);

const STEP: &str = "{ at: 2s, message: requestPause }";

/// The words for replies; `{ reject: 1104 }` is another form.
const REPLIES: Words<SimidReply> = Words(&[
    ("resolve", SimidReply::Resolve),
    ("reject", SimidReply::Reject(None)),
    ("broken", SimidReply::Broken),
    ("never", SimidReply::Never),
]);

/// How often a message may be sent at one instant. Rule SIMID-7.
const TIMES: Whole<u32> = whole(1, 1_000);

const URLS: List<Name> = list("a URL", Name, "[https://t.test/x]");

const MESSAGE: Word<SimidMessage> = Word {
    what: "message of a SIMID unit",
    takes: "the name of a message, like requestPause",
    all: SimidMessage::ALL,
    name: SimidMessage::name,
};

/// A unit's reply: a word, or an error code.
struct Reply;

impl WrittenForm for Reply {
    type Of = SimidReply;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<SimidReply> {
        if node.map().is_none() {
            return REPLIES.read(node, what, reading);
        }
        let mut fields = reading.keep(Object::of(node, "a reply", "{ reject: 1104 }"))?;
        let code = required(&Code, ("reject", "reject: 1104"), &mut fields, reading);
        fields.end(reading);
        code.map(|code| SimidReply::Reject(Some(code)))
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        let mut reject = Properties::default();
        reject.add("reject", "The error code.", Code.schema(definitions));
        let mut reject = reject.end("It rejects, with an error code.");
        reject["type"] = "object".into();
        reject["required"] = json!(["reject"]);
        json!({ "anyOf": [REPLIES.schema(definitions), reject] })
    }

    fn write(&self, value: &SimidReply, out: &mut Writer) {
        match value {
            SimidReply::Reject(Some(code)) => {
                out.object(|out| write_field("reject", &Code, code, out))
            }
            SimidReply::Resolve
            | SimidReply::Reject(None)
            | SimidReply::Broken
            | SimidReply::Never => {
                REPLIES.write(value, out);
            }
        }
    }
}

/// An error code that a unit may name.
struct Code;

impl Code {
    fn range() -> (u16, u16) {
        let of_unit = SimidError::ALL
            .iter()
            .filter(|error| error.side() == SimidSide::Creative);
        let codes = of_unit.map(|error| error.code());
        codes.fold((u16::MAX, 0), |(least, most), code| {
            (least.min(code), most.max(code))
        })
    }
}

impl WrittenForm for Code {
    type Of = SimidError;

    fn read(&self, node: &Node, what: &str, reading: &mut Reading<'_>) -> Option<SimidError> {
        let (least, most) = Code::range();
        let number = whole::<u16>(least.into(), most.into()).read(node, what, reading)?;
        reading.keep(
            SimidError::read(number)
                .ok_or_else(|| node.not(what, "an error code of a SIMID unit, like 1104")),
        )
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        let (least, most) = Code::range();
        whole::<u16>(least.into(), most.into()).schema(definitions)
    }

    fn write(&self, value: &SimidError, out: &mut Writer) {
        out.number(value.code().into());
    }
}

/// A message of the script.
#[derive(Clone, Copy)]
struct StepForm;

impl WrittenForm for StepForm {
    type Of = SimidStep;

    fn read(&self, node: &Node, _: &str, reading: &mut Reading<'_>) -> Option<SimidStep> {
        let mut fields = reading.keep(Object::of(node, "a message", STEP))?;
        let at = required(&Length, ("at", "at: 2s"), &mut fields, reading);
        let message = required(
            &MESSAGE,
            ("message", "message: requestPause"),
            &mut fields,
            reading,
        );
        let times = optional(&TIMES, "times", &mut fields, reading);
        let detail = message.and_then(|message| detail(message, &mut fields, reading));
        if message.is_some() || !fields.has_unknown() {
            fields.end(reading);
        }
        Some(SimidStep {
            at: at?,
            times: times?.unwrap_or(1),
            message: message?,
            detail: detail?,
        })
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        let mut step = Properties::default();
        step.add(
            "at",
            "When the ad has played this long.",
            Length.schema(definitions),
        );
        step.add("message", "The message.", MESSAGE.schema(definitions));
        let mut times = TIMES.schema(definitions);
        times["default"] = 1.into();
        step.add(
            "times",
            "How often it is sent, all at the same instant.",
            times,
        );
        step.add(
            "url",
            "For clickThru and requestNavigation: the URL to open.",
            Name.schema(definitions),
        );
        let mut handles = Truth.schema(definitions);
        handles["default"] = true.into();
        step.add(
            "player_handles",
            "For clickThru: whether the player is to open the URL.",
            handles,
        );
        step.add(
            "by",
            "For requestChangeAdDuration: how much more time.",
            Length.schema(definitions),
        );
        step.add(
            "for",
            "For requestPause and expandNonlinear: how long before the unit reverses it.",
            Length.schema(definitions),
        );
        step.add(
            "urls",
            "For reportTracking: the URLs.",
            URLS.schema(definitions),
        );
        step.add(
            "code",
            "For fatalError: its code.",
            Code.schema(definitions),
        );
        step.add(
            "text",
            "For fatalError: its message text.",
            Text.schema(definitions),
        );
        let mut step = step.end("A message.");
        step["type"] = "object".into();
        step["required"] = json!(["at", "message"]);
        step
    }

    fn write(
        &self,
        SimidStep {
            at,
            times,
            message,
            detail,
        }: &SimidStep,
        out: &mut Writer,
    ) {
        out.object(|out| {
            write_field("at", &Length, at, out);
            write_field("message", &MESSAGE, message, out);
            write_unless("times", &TIMES, times, &1, out);
            match detail {
                SimidDetail::Nothing => {}
                SimidDetail::Link {
                    url,
                    player_handles,
                } => {
                    write_some("url", &Name, url.as_ref(), out);
                    write_unless("player_handles", &Truth, player_handles, &true, out);
                }
                SimidDetail::Length(length) => {
                    let is_more = *message == SimidMessage::RequestChangeAdDuration;
                    write_field(if is_more { "by" } else { "for" }, &Length, length, out);
                }
                SimidDetail::Addresses(urls) => write_field("urls", &URLS, urls, out),
                SimidDetail::Fatal(code, text) => {
                    write_field("code", &Code, code, out);
                    write_some("text", &Text, text.as_ref(), out);
                }
            }
        });
    }
}

/// The data of a message of this name.
fn detail(
    message: SimidMessage,
    fields: &mut Object<'_>,
    reading: &mut Reading<'_>,
) -> Option<SimidDetail> {
    match message.carries() {
        SimidCarries::Nothing => Some(SimidDetail::Nothing),
        SimidCarries::Link => {
            let url = optional(&Name, "url", fields, reading);
            let player_handles =
                optional(&Truth, "player_handles", fields, reading)?.unwrap_or(true);
            Some(SimidDetail::Link {
                url: url?,
                player_handles,
            })
        }
        SimidCarries::Url => {
            let url: Arc<str> =
                required(&Name, ("url", "url: https://shop.test/"), fields, reading)?;
            Some(SimidDetail::Link {
                url: Some(url),
                player_handles: true,
            })
        }
        SimidCarries::Length => {
            required(&Length, ("by", "by: 5s"), fields, reading).map(SimidDetail::Length)
        }
        SimidCarries::Pause => {
            let length = optional(&Length, "for", fields, reading)?;
            Some(length.map_or(SimidDetail::Nothing, SimidDetail::Length))
        }
        SimidCarries::Addresses => {
            required(&URLS, ("urls", "urls: [https://t.test/x]"), fields, reading)
                .map(SimidDetail::Addresses)
        }
        SimidCarries::Fatal => {
            let code = required(&Code, ("code", "code: 1108"), fields, reading);
            let text = optional(&Text, "text", fields, reading);
            Some(SimidDetail::Fatal(code?, text?))
        }
    }
}
