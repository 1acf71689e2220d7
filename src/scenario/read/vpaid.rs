//! What VPAID units do and say.
//!
//! Rules: VPAID-1, BRK-2, MUTE-6, CLICK-4.

use std::sync::Arc;

use super::node::{Key, Node, Object, Tree, Wrong};
use super::{Reading, scalar};
use crate::api::Decimal;
use crate::media::{Vpaid, VpaidCall, VpaidDetail, VpaidEvent, VpaidSaid, VpaidScript, VpaidStep, VpaidWhen};
use crate::time::Span;

const STEP: &str = "{ at: 2s, event: AdClickThru }";

/// The fields that make a unit one with a script.
pub(in crate::scenario) const SCRIPTED: &[&str] = &[
    "version",
    "handshake_after",
    "loaded_after",
    "starts_after",
    "stop_after",
    "answers_after",
    "linear",
    "skippable",
    "silent",
    "script",
];

/// What a unit does by itself, and its script if it has one.
pub(super) fn vpaid(node: &Node, reading: &mut Reading<'_>) -> Option<(Vpaid, Option<Arc<VpaidScript>>)> {
    let mut fields = reading.keep(Object::of(node, "vpaid", "{ own_sound: true }"))?;
    let mut truth = |name, default| {
        let found = fields.field(name).map(|node| scalar::truth(node, name)).transpose();
        reading.keep(found).map(|found| found.unwrap_or(default))
    };
    let (own_sound, reports_click) = (truth("own_sound", false), truth("reports_click", false));
    let (linear, skippable) = (truth("linear", true), truth("skippable", false));
    let version = fields.field("version").map(|node| scalar::name(node, "version")).transpose();
    let mut after = |name| {
        let found = fields.field(name).map(|node| scalar::span_or_never(node, name)).transpose();
        reading.keep(found).map(|found| found.unwrap_or(Some(Span::ZERO)))
    };
    let [handshake, loaded, starts, stop] =
        ["handshake_after", "loaded_after", "starts_after", "stop_after"].map(&mut after);
    let answers = fields.field("answers_after").map(|node| scalar::span(node, "answers_after")).transpose();
    let silent = fields.field("silent").map(|node| silent(node, reading));
    let steps = fields.field("script").map(|node| steps(node, reading));
    let has_script = match &node.tree {
        Tree::Map(entries) => entries.iter().any(|(Key { text, .. }, _)| SCRIPTED.contains(&&**text)),
        Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::Text(_) | Tree::List(_) => false,
    };
    fields.end(reading);
    let (version, answers) = (reading.keep(version), reading.keep(answers));
    let script = VpaidScript {
        version: version?.unwrap_or_else(|| VpaidScript::default().version),
        handshake_after: handshake?,
        loaded_after: loaded?,
        starts_after: starts?,
        stop_after: stop?,
        answers_after: answers?.unwrap_or_default(),
        linear: linear?,
        skippable: skippable?,
        silent: silent.unwrap_or_default(),
        steps: steps.unwrap_or_default(),
    };
    let vpaid = Vpaid { own_sound: own_sound?, reports_click: reports_click? };
    Some((vpaid, has_script.then(|| Arc::new(script))))
}

fn silent(node: &Node, reading: &mut Reading<'_>) -> Vec<VpaidEvent> {
    let items = reading.keep(node.list("silent", "[AdStarted]")).unwrap_or_default();
    items.iter().filter_map(|item| reading.keep(event(item))).collect()
}

fn event(node: &Node) -> Result<VpaidEvent, Wrong> {
    let Tree::Text(name) = &node.tree else {
        return Err(node.not("event", "the name of a message, like AdStarted"));
    };
    let known = VpaidEvent::ALL.iter().map(|event| event.name());
    VpaidEvent::read(name).ok_or_else(|| Wrong::unknown(&node.range, "message of a VPAID unit", name, known))
}

fn call(node: &Node) -> Result<VpaidCall, Wrong> {
    let Tree::Text(name) = &node.tree else { return Err(node.not("on", "the name of a call, like startAd")) };
    let known = VpaidCall::ALL.iter().map(|call| call.name());
    VpaidCall::read(name).ok_or_else(|| Wrong::unknown(&node.range, "call of a VPAID unit", name, known))
}

fn steps(node: &Node, reading: &mut Reading<'_>) -> Vec<VpaidStep> {
    let items = reading.keep(node.list("script", &format!("[{STEP}]"))).unwrap_or_default();
    items.iter().filter_map(|item| step(item, reading)).collect()
}

fn step(node: &Node, reading: &mut Reading<'_>) -> Option<VpaidStep> {
    let mut fields = reading.keep(Object::of(node, "a message", STEP))?;
    let when = when(&mut fields);
    let named = fields.required("event", "event: AdClickThru").and_then(event);
    let (when, named) = (reading.keep(when), reading.keep(named));
    let detail = named.and_then(|event| reading.keep(detail(event, &mut fields)));
    if named.is_some() || !fields.has_unknown() {
        fields.end(reading);
    }
    Some(VpaidStep { when: when?, said: VpaidSaid { event: named?, detail: detail? } })
}

/// `at` on the unit's own time, or `on` a call, and how long after it.
fn when(fields: &mut Object<'_>) -> Result<VpaidWhen, Wrong> {
    match (fields.field("at"), fields.entry("on"), fields.entry("after")) {
        (Some(at), None, None) => scalar::span(at, "at").map(VpaidWhen::At),
        (None, Some((_, on)), after) => {
            let after = after.map(|(_, node)| scalar::span(node, "after")).transpose()?;
            call(on).map(|call| VpaidWhen::On(call, after.unwrap_or_default()))
        }
        (Some(_), Some((key, _)), _) => {
            Err(Wrong::new(&key.range, "a message has \"at\" or \"on\", not both"))
        }
        (Some(_), None, Some((key, _))) => Err(Wrong::new(&key.range, "\"after\" goes with \"on\"")),
        (None, None, _) => {
            let message = "a message has neither \"at\" nor \"on\"; it needs one, like at: 2s or on: startAd";
            Err(Wrong::new(fields.range(), message))
        }
    }
}

/// What a message of this name carries.
fn detail(event: VpaidEvent, fields: &mut Object<'_>) -> Result<VpaidDetail, Wrong> {
    let name = event.field();
    match event {
        VpaidEvent::AdClickThru => {
            let url = fields.field("url").map(|node| scalar::name(node, "url")).transpose();
            let id = fields.field("id").map(|node| scalar::text(node, "id")).transpose();
            let handles = fields.field("player_handles").map(|node| scalar::truth(node, "player_handles"));
            let player_handles = handles.transpose()?.unwrap_or(true);
            Ok(VpaidDetail::Click { url: url?, id: id?, player_handles })
        }
        VpaidEvent::AdDurationChange => {
            let node = fields.required(name, "duration: 20s")?;
            scalar::span(node, name).map(VpaidDetail::Length)
        }
        VpaidEvent::AdRemainingTimeChange => {
            let node = fields.required(name, "remaining: 5s")?;
            scalar::span(node, name).map(VpaidDetail::Length)
        }
        VpaidEvent::AdVolumeChange => {
            let node = fields.required(name, "volume: 0")?;
            scalar::number(node, name, Decimal::ZERO, Decimal::ONE).map(VpaidDetail::Volume)
        }
        VpaidEvent::AdSkippableStateChange | VpaidEvent::AdLinearChange | VpaidEvent::AdExpandedChange => {
            let node = fields.required(name, &format!("{name}: true"))?;
            scalar::truth(node, name).map(VpaidDetail::State)
        }
        VpaidEvent::AdPaused => {
            let length = fields.field(name).map(|node| scalar::span(node, name)).transpose()?;
            Ok(length.map_or(VpaidDetail::Nothing, VpaidDetail::Pause))
        }
        VpaidEvent::AdError | VpaidEvent::AdLog | VpaidEvent::AdInteraction => {
            let words = fields.field(name).map(|node| scalar::text(node, name)).transpose()?;
            Ok(words.map_or(VpaidDetail::Nothing, VpaidDetail::Words))
        }
        VpaidEvent::AdLoaded
        | VpaidEvent::AdStarted
        | VpaidEvent::AdStopped
        | VpaidEvent::AdSkipped
        | VpaidEvent::AdSizeChange
        | VpaidEvent::AdImpression
        | VpaidEvent::AdVideoStart
        | VpaidEvent::AdVideoFirstQuartile
        | VpaidEvent::AdVideoMidpoint
        | VpaidEvent::AdVideoThirdQuartile
        | VpaidEvent::AdVideoComplete
        | VpaidEvent::AdUserAcceptInvitation
        | VpaidEvent::AdUserMinimize
        | VpaidEvent::AdUserClose
        | VpaidEvent::AdPlaying => Ok(VpaidDetail::Nothing),
    }
}
