//! What SIMID units ask and answer.
//!
//! Rule SIMID-1.

use std::sync::Arc;

use super::node::{Node, Object, Tree, Wrong};
use super::{Reading, scalar};
use crate::media::{
    SIMID_ERRORS, SimidAnswer, SimidDetail, SimidError, SimidMessage, SimidReply, SimidScript, SimidSide,
    SimidStep,
};
use crate::time::Span;

const STEP: &str = "{ at: 2s, message: requestPause }";

/// The words for answers; beside them stands `{ reject: 1104 }`.
pub(in crate::scenario) const REPLIES: &[(&str, SimidReply)] = &[
    ("resolve", SimidReply::Resolve),
    ("reject", SimidReply::Reject(None)),
    ("broken", SimidReply::Broken),
    ("never", SimidReply::Never),
];

/// No message comes more often at one instant.
pub(in crate::scenario) const MAX_TIMES: u32 = 1_000;

/// The script of a unit.
pub(super) fn simid(node: &Node, reading: &mut Reading<'_>) -> Option<Arc<SimidScript>> {
    let mut fields = reading.keep(Object::of(node, "simid", "{ init: resolve }"))?;
    let version = fields.field("version").map(|node| scalar::name(node, "version")).transpose();
    let session = fields.field("session_after").map(|node| scalar::span_or_never(node, "session_after"));
    let session = session.transpose().map(|after| after.unwrap_or(Some(Span::ZERO)));
    let init = answer(&mut fields, reading, "init", "init_after");
    let start = answer(&mut fields, reading, "start", "start_after");
    let steps = fields.field("script").map(|node| steps(node, reading)).unwrap_or_default();
    fields.end(reading);
    let (version, session) = (reading.keep(version), reading.keep(session));
    Some(Arc::new(SimidScript {
        version: version?.unwrap_or_else(|| SimidScript::default().version),
        session_after: session?,
        init: init?,
        start: start?,
        steps,
    }))
}

fn answer(
    fields: &mut Object<'_>,
    reading: &mut Reading<'_>,
    name: &'static str,
    after_name: &'static str,
) -> Option<SimidAnswer> {
    let reply = match fields.field(name) {
        Some(node) => reply(node, name, reading),
        None => Some(SimidReply::default()),
    };
    let after = fields.field(after_name).map(|node| scalar::span(node, after_name)).transpose();
    let after = reading.keep(after);
    Some(SimidAnswer { reply: reply?, after: after?.unwrap_or_default() })
}

fn reply(node: &Node, name: &'static str, reading: &mut Reading<'_>) -> Option<SimidReply> {
    match &node.tree {
        Tree::Map(_) => {
            let mut fields = reading.keep(Object::of(node, name, "{ reject: 1104 }"))?;
            let code = fields.required("reject", "reject: 1104").and_then(code);
            fields.end(reading);
            reading.keep(code).map(|code| SimidReply::Reject(Some(code)))
        }
        Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::Text(_) | Tree::List(_) => {
            reading.keep(scalar::word(node, name, REPLIES))
        }
    }
}

/// An error code that a unit may name.
fn code(node: &Node) -> Result<u16, Wrong> {
    let most = SIMID_ERRORS.iter().filter(|error| error.side == SimidSide::Creative);
    let (least, most) =
        most.fold((u16::MAX, 0), |(least, most), error| (least.min(error.code), most.max(error.code)));
    let number = scalar::whole(node, "code", least.into(), most.into())?;
    let known = u16::try_from(number).ok().and_then(SimidError::read);
    known.map(|error| error.code).ok_or_else(|| node.not("code", "an error code of a SIMID unit, like 1104"))
}

fn steps(node: &Node, reading: &mut Reading<'_>) -> Vec<SimidStep> {
    let items = reading.keep(node.list("script", &format!("[{STEP}]"))).unwrap_or_default();
    items.iter().filter_map(|item| step(item, reading)).collect()
}

fn step(node: &Node, reading: &mut Reading<'_>) -> Option<SimidStep> {
    let mut fields = reading.keep(Object::of(node, "a message", STEP))?;
    let at = fields.required("at", "at: 2s").and_then(|node| scalar::span(node, "at"));
    let named = fields.required("message", "message: requestPause").and_then(message);
    let times = fields.field("times").map(|node| scalar::whole(node, "times", 1, MAX_TIMES.into()));
    let (at, named, times) = (reading.keep(at), reading.keep(named), reading.keep(times.transpose()));
    let detail = named.and_then(|named| reading.keep(detail(named, &mut fields)));
    if named.is_some() || !fields.has_unknown() {
        fields.end(reading);
    }
    let times = times?.and_then(|times| u32::try_from(times).ok()).unwrap_or(1);
    Some(SimidStep { at: at?, times, message: named?, detail: detail? })
}

fn message(node: &Node) -> Result<SimidMessage, Wrong> {
    let Tree::Text(name) = &node.tree else {
        return Err(node.not("message", "the name of a message, like requestPause"));
    };
    let known = SimidMessage::ALL.iter().map(|message| message.name());
    SimidMessage::read(name)
        .ok_or_else(|| Wrong::unknown(&node.range, "message of a SIMID unit", name, known))
}

/// What a message of this name carries.
fn detail(named: SimidMessage, fields: &mut Object<'_>) -> Result<SimidDetail, Wrong> {
    match named {
        SimidMessage::ClickThru => {
            let url = fields.field("url").map(|node| scalar::name(node, "url")).transpose();
            let handles = fields.field("player_handles").map(|node| scalar::truth(node, "player_handles"));
            let player_handles = handles.transpose()?.unwrap_or(true);
            Ok(SimidDetail::Link { url: url?, player_handles })
        }
        SimidMessage::RequestNavigation => {
            let url = fields.required("url", "url: https://shop.test/")?;
            Ok(SimidDetail::Link { url: Some(scalar::name(url, "url")?), player_handles: true })
        }
        SimidMessage::RequestChangeAdDuration => {
            let node = fields.required("by", "by: 5s")?;
            scalar::span(node, "by").map(SimidDetail::Length)
        }
        SimidMessage::RequestPause | SimidMessage::ExpandNonlinear => {
            let length = fields.field("for").map(|node| scalar::span(node, "for")).transpose()?;
            Ok(length.map_or(SimidDetail::Nothing, SimidDetail::Length))
        }
        SimidMessage::ReportTracking => {
            let node = fields.required("urls", "urls: [https://t.test/x]")?;
            let urls = node.list("urls", "[https://t.test/x]")?.iter();
            urls.map(|node| scalar::name(node, "an address"))
                .collect::<Result<_, _>>()
                .map(SimidDetail::Addresses)
        }
        SimidMessage::FatalError => {
            let code = fields.required("code", "code: 1108").and_then(code);
            let text = fields.field("text").map(|node| scalar::text(node, "text")).transpose();
            Ok(SimidDetail::Fatal(code?, text?))
        }
        SimidMessage::RequestSkip
        | SimidMessage::RequestStop
        | SimidMessage::RequestPlay
        | SimidMessage::RequestFullscreen
        | SimidMessage::RequestExitFullscreen
        | SimidMessage::RequestChangeVolume
        | SimidMessage::RequestResize
        | SimidMessage::CollapseNonlinear
        | SimidMessage::GetMediaState
        | SimidMessage::Log
        | SimidMessage::Broken => Ok(SimidDetail::Nothing),
    }
}
