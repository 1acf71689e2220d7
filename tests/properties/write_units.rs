//! The scripts of units as JSON text.

use playsim::media::{
    SimidAnswer, SimidDetail, SimidMessage, SimidReply, SimidScript, SimidStep, Vpaid, VpaidDetail,
    VpaidScript, VpaidStep, VpaidWhen,
};
use playsim::time::Span;

use super::write::{list, micros, object, quoted};

fn span(span: Span) -> String {
    micros(span.micros())
}

fn span_or_never(after: Option<Span>) -> String {
    after.map_or_else(|| quoted("never"), span)
}

/// What stands under `vpaid`.
pub(crate) fn vpaid(Vpaid { own_sound, reports_click }: Vpaid, script: Option<&VpaidScript>) -> String {
    let mut fields = vec![("own_sound", own_sound.to_string()), ("reports_click", reports_click.to_string())];
    if let Some(script) = script {
        fields.extend([
            ("version", quoted(&script.version)),
            ("handshake_after", span_or_never(script.handshake_after)),
            ("loaded_after", span_or_never(script.loaded_after)),
            ("starts_after", span_or_never(script.starts_after)),
            ("stop_after", span_or_never(script.stop_after)),
            ("answers_after", span(script.answers_after)),
            ("linear", script.linear.to_string()),
            ("skippable", script.skippable.to_string()),
            ("silent", list(script.silent.iter().map(|event| quoted(event.name())))),
            ("script", list(script.steps.iter().map(vpaid_step))),
        ]);
    }
    object(fields)
}

fn vpaid_step(VpaidStep { when, said }: &VpaidStep) -> String {
    let mut fields = match when {
        VpaidWhen::At(at) => vec![("at", span(*at))],
        VpaidWhen::On(call, after) => vec![("on", quoted(call.name())), ("after", span(*after))],
    };
    fields.push(("event", quoted(said.event.name())));
    let name = said.event.field();
    match &said.detail {
        VpaidDetail::Nothing => {}
        VpaidDetail::Click { url, id, player_handles } => {
            fields.extend(url.iter().map(|url| ("url", quoted(url))));
            fields.extend(id.iter().map(|id| ("id", quoted(id))));
            fields.push(("player_handles", player_handles.to_string()));
        }
        VpaidDetail::Length(length) | VpaidDetail::Pause(length) => fields.push((name, span(*length))),
        VpaidDetail::Volume(volume) => fields.push((name, volume.to_string())),
        VpaidDetail::State(state) => fields.push((name, state.to_string())),
        VpaidDetail::Words(words) => fields.push((name, quoted(words))),
    }
    object(fields)
}

/// What stands under `simid`.
pub(crate) fn simid(script: &SimidScript) -> String {
    object([
        ("version", quoted(&script.version)),
        ("session_after", span_or_never(script.session_after)),
        ("init", reply(script.init)),
        ("init_after", span(script.init.after)),
        ("start", reply(script.start)),
        ("start_after", span(script.start.after)),
        ("script", list(script.steps.iter().map(simid_step))),
    ])
}

fn reply(answer: SimidAnswer) -> String {
    match answer.reply {
        SimidReply::Resolve => quoted("resolve"),
        SimidReply::Reject(None) => quoted("reject"),
        SimidReply::Reject(Some(code)) => object([("reject", code.to_string())]),
        SimidReply::Broken => quoted("broken"),
        SimidReply::Never => quoted("never"),
    }
}

fn simid_step(SimidStep { at, times, message, detail }: &SimidStep) -> String {
    let mut fields =
        vec![("at", span(*at)), ("message", quoted(message.name())), ("times", times.to_string())];
    match detail {
        SimidDetail::Nothing => {}
        SimidDetail::Link { url, player_handles } => {
            fields.extend(url.iter().map(|url| ("url", quoted(url))));
            if *message == SimidMessage::ClickThru {
                fields.push(("player_handles", player_handles.to_string()));
            }
        }
        SimidDetail::Length(length) => {
            let name = if *message == SimidMessage::RequestChangeAdDuration { "by" } else { "for" };
            fields.push((name, span(*length)));
        }
        SimidDetail::Addresses(urls) => fields.push(("urls", list(urls.iter().map(|url| quoted(url))))),
        SimidDetail::Fatal(code, text) => {
            fields.push(("code", code.to_string()));
            fields.extend(text.iter().map(|text| ("text", quoted(text))));
        }
    }
    object(fields)
}
