//! The requests and replies of SIMID units.
//!
//! Rule SIMID-1.

use serde_json::{Value as Json, json};

use super::{
    Definitions, Node, Object, Opt, Properties, Reading, Shape, Text, Writer, WrittenForm,
    field_rows, list, optional, required, whole,
};
use crate::form::choice::{Data, data};
use crate::form::{
    Length, LengthOrNever, List, Name, Truth, Whole, Word, Words, write_field, write_unless,
};
use playsim_api::media::{
    SimidError, SimidMessage, SimidReply, SimidSaid, SimidScript, SimidSide, SimidStep,
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
        let said = message.map(|message| (DATA.read)(message, &mut fields, reading));
        if said.is_some() || !fields.has_unknown() {
            fields.end(reading);
        }
        Some(SimidStep {
            at: at?,
            times: times?.unwrap_or(1),
            said: said??,
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
        (DATA.schema)(&mut step, definitions);
        let mut step = step.end("A message.");
        // The data depend on the message.
        step["required"] = json!(["at", "message"]);
        step
    }

    fn write(&self, SimidStep { at, times, said }: &SimidStep, out: &mut Writer) {
        out.object(|out| {
            write_field("at", &Length, at, out);
            write_field("message", &MESSAGE, &said.kind(), out);
            write_unless("times", &TIMES, times, &1, out);
            (DATA.write)(said, out);
        });
    }
}

/// The data of the messages.
const DATA: Data<SimidMessage, SimidSaid> = data! { SimidMessage, SimidSaid:
    ClickThru {
        "url" url: Opt(Name), Default(None), URL;
        "player_handles" player_handles: Truth, Default(true), "For clickThru: whether the player is to open the URL.";
    }
    RequestNavigation { "url" url: Name, Required("url: https://shop.test/"), URL; }
    RequestChangeAdDuration {
        "by" by: Length, Required("by: 5s"), "For requestChangeAdDuration: how much more time.";
    }
    RequestPause { "for" length: Opt(Length), Default(None), FOR; }
    ExpandNonlinear { "for" length: Opt(Length), Default(None), FOR; }
    ReportTracking { "urls" urls: URLS, Required("urls: [https://t.test/x]"), "For reportTracking: the URLs."; }
    FatalError {
        "code" code: Code, Required("code: 1108"), "For fatalError: its code.";
        "text" text: Opt(Text), Default(None), "For fatalError: its message text.";
    }
    RequestSkip {}
    RequestStop {}
    RequestPlay {}
    RequestFullscreen {}
    RequestExitFullscreen {}
    RequestChangeVolume {}
    RequestResize {}
    CollapseNonlinear {}
    GetMediaState {}
    Log {}
    Broken {}
};

const URL: &str = "For clickThru and requestNavigation: the URL to open.";
const FOR: &str = "For requestPause and expandNonlinear: how long before the unit reverses it.";
