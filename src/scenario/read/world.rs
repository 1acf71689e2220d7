//! Everything outside the player: the page, what media addresses play, what addresses answer.

use std::sync::Arc;

use super::node::{Key, Node, Object, Tree, Wrong};
use super::{Reading, scalar};
use crate::api::NetworkFault;
use crate::media::MediaFault;
use crate::page::{Container, Device, Page};
use crate::scenario::{AnswerScript, MediaScript, ScriptedAnswer};
use crate::time::{Position, Span};

/// The words for how media fail.
pub(in crate::scenario) const MEDIA_FAULTS: &[(&str, MediaFault)] = &[
    (MediaFault::Network.word(), MediaFault::Network),
    (MediaFault::Decode.word(), MediaFault::Decode),
    (MediaFault::Unsupported.word(), MediaFault::Unsupported),
    (MediaFault::NotFound.word(), MediaFault::NotFound),
];

/// The words for how a request fails; `None` is one that nothing ever answers.
pub(in crate::scenario) const NETWORK_FAULTS: &[(&str, Option<NetworkFault>)] = &[
    ("timeout", None),
    (NetworkFault::Refused.word(), Some(NetworkFault::Refused)),
    (NetworkFault::Reset.word(), Some(NetworkFault::Reset)),
    (NetworkFault::Truncated.word(), Some(NetworkFault::Truncated)),
];

/// The words for devices.
pub(in crate::scenario) const DEVICES: &[(&str, Device)] =
    &[("desktop", Device::Desktop), ("mobile", Device::Mobile)];

/// How much longer than the place of its failure a medium is that fails and has no duration.
const BEHIND_FAILURE: Span = Span::from_secs(1);

/// The page.
pub(super) fn page(node: &Node, reading: &mut Reading<'_>) -> Page {
    let mut page = Page::default();
    let Some(mut fields) = reading.keep(Object::of(node, "page", "{ device: mobile }")) else { return page };
    if let Some(node) = fields.field("device") {
        page.device = reading.keep(scalar::word(node, "device", DEVICES)).unwrap_or_default();
    }
    if let Some(node) = fields.field("epoch") {
        page.epoch_micros = reading.keep(epoch(node)).unwrap_or_default();
    }
    if let Some(node) = fields.field("containers") {
        page.containers = containers(node, reading);
    }
    fields.later("window", "this version has one page that fits every player");
    fields.only("fullscreen", &["allowed"], "this version has no call that asks for it");
    fields.later("country", "this version serves every country alike");
    if let Some(node) = fields.field("gesture_policy") {
        let policies = [("free", false), ("required", true)];
        page.gesture_required = reading.keep(scalar::word(node, "gesture_policy", &policies));
    }
    for name in ["script_after", "outstream_script_after"] {
        fields.only(name, &["0s"], "in this version the script is there at 0s; let the init step come later");
    }
    fields.end(reading);
    page
}

fn epoch(node: &Node) -> Result<i64, Wrong> {
    let form = "a calendar instant, like 2026-01-01T00:00:00Z";
    let text = scalar::text(node, "epoch")?;
    let instant: jiff::Timestamp = text.parse().map_err(|_| node.not("epoch", form))?;
    if instant.subsec_nanosecond() % 1_000 == 0 {
        Ok(instant.as_microsecond())
    } else {
        Err(node.not("epoch", "an instant no finer than a microsecond"))
    }
}

fn containers(node: &Node, reading: &mut Reading<'_>) -> Vec<Container> {
    let items = reading.keep(node.list("containers", "[main, side]")).unwrap_or_default();
    let mut containers: Vec<Container> = Vec::with_capacity(items.len());
    for item in items {
        let Some(container) = container(item, reading) else { continue };
        if containers.iter().any(|known| known.id == container.id) {
            let message = format!("container \"{}\" stands here twice", container.id);
            reading.wrongs.push(Wrong::new(&item.range, message));
        }
        containers.push(container);
    }
    containers
}

fn container(node: &Node, reading: &mut Reading<'_>) -> Option<Container> {
    if !matches!(node.tree, Tree::Map(_)) {
        let id = reading.keep(scalar::name(node, "a container"))?;
        return Some(Container { id, player_class: true });
    }
    let mut fields = reading.keep(Object::of(node, "a container", "{ id: side }"))?;
    let id = fields.required("id", "id: side").and_then(|node| scalar::name(node, "id"));
    let player_class =
        fields.field("player_class").map(|node| scalar::truth(node, "player_class")).transpose();
    fields.end(reading);
    let (id, player_class) = (reading.keep(id), reading.keep(player_class));
    Some(Container { id: id?, player_class: player_class?.unwrap_or(true) })
}

/// What media addresses play, and what those play that are not listed.
pub(super) fn media(
    node: &Node,
    reading: &mut Reading<'_>,
) -> (Vec<(Arc<str>, MediaScript)>, Option<MediaScript>) {
    let entries = reading.keep(node.entries("media", "{ film.mp4: { duration: 60s } }")).unwrap_or_default();
    let (mut media, mut default) = (Vec::new(), None);
    for (Key { text, .. }, node) in entries {
        let script = medium(node, reading);
        if text == "default" {
            default = script;
        } else {
            media.extend(script.map(|script| (Arc::from(&**text), script)));
        }
    }
    (media, default)
}

fn medium(node: &Node, reading: &mut Reading<'_>) -> Option<MediaScript> {
    let mut fields = reading.keep(Object::of(node, "a medium", "{ duration: 60s }"))?;
    for name in ["live", "window", "stops_at", "back_at"] {
        fields.later(name, "this version plays media of a fixed duration, like { duration: 60s }");
    }
    for name in ["bandwidth", "bitrate", "switch_after"] {
        fields.later(name, "this version says where data runs out by stalls: [{ at: 5s, for: 2s }]");
    }
    fields.later("vpaid", "this version plays media files, like { duration: 15s }");
    let fails = fields.field("fails").map(|node| media_failure(node, reading));
    let duration = match fails {
        Some(_) => fields.field("duration").map(|node| scalar::span(node, "duration")).transpose(),
        None => fields
            .required("duration", "duration: 60s")
            .and_then(|node| scalar::span(node, "duration"))
            .map(Some),
    };
    let metadata_after =
        fields.field("metadata_after").map(|node| scalar::span(node, "metadata_after")).transpose();
    let stalls = fields.field("stalls").map(|node| stalls(node, reading)).unwrap_or_default();
    fields.end(reading);
    let (duration, metadata_after) = (reading.keep(duration), reading.keep(metadata_after));
    let fails = fails.map_or(Some(None), |fails| fails.map(Some))?;
    let duration = duration?.unwrap_or_else(|| {
        let at = fails.and_then(|(at, _)| at).unwrap_or_default();
        at + BEHIND_FAILURE - Position::ZERO
    });
    Some(MediaScript {
        duration,
        metadata_after: metadata_after?.unwrap_or_default(),
        stalls,
        fails,
        ..MediaScript::default()
    })
}

fn media_failure(node: &Node, reading: &mut Reading<'_>) -> Option<(Option<Position>, MediaFault)> {
    let mut fields = reading.keep(Object::of(node, "fails", "{ at: 3s, how: decode }"))?;
    let at = fields.field("at").map(|node| scalar::position(node, "at")).transpose();
    let how = fields.required("how", "how: decode").and_then(|node| scalar::word(node, "how", MEDIA_FAULTS));
    fields.end(reading);
    let (at, how) = (reading.keep(at), reading.keep(how));
    Some((at?, how?))
}

fn stalls(node: &Node, reading: &mut Reading<'_>) -> Vec<(Position, Span)> {
    let items = reading.keep(node.list("stalls", "[{ at: 5s, for: 2s }]")).unwrap_or_default();
    let mut stall = |node: &Node| {
        let mut fields = reading.keep(Object::of(node, "a stall", "{ at: 5s, for: 2s }"))?;
        let at = fields.required("at", "at: 5s").and_then(|node| scalar::position(node, "at"));
        let length = fields.required("for", "for: 2s").and_then(|node| scalar::span(node, "for"));
        fields.end(reading);
        let (at, length) = (reading.keep(at), reading.keep(length));
        Some((at?, length?))
    };
    let mut stalls: Vec<(Position, Span)> = items.iter().filter_map(&mut stall).collect();
    stalls.sort_unstable();
    stalls
}

/// Addresses with their answers.
type Network = Vec<(Arc<str>, Vec<AnswerScript>)>;

/// What addresses answer, and the query parameters that do not count.
pub(super) fn network(node: &Node, reading: &mut Reading<'_>) -> (Network, Vec<Arc<str>>) {
    let example = "{ https://ads.test/a: { file: ad.xml } }";
    let entries = reading.keep(node.entries("network", example)).unwrap_or_default();
    let (mut network, mut ignored) = (Vec::new(), Vec::new());
    for (Key { text, .. }, node) in entries {
        if text == "match" {
            ignored = matching(node, reading);
            continue;
        }
        let answers = match &node.tree {
            Tree::List(items) if items.is_empty() => {
                let message = "an address has at least one answer, like { file: ad.xml }";
                reading.wrongs.push(Wrong::new(&node.range, message));
                Vec::new()
            }
            Tree::List(items) => items.iter().filter_map(|item| answer(item, reading)).collect(),
            Tree::Null | Tree::Bool(_) | Tree::Number(_) | Tree::Text(_) | Tree::Map(_) => {
                answer(node, reading).into_iter().collect()
            }
        };
        network.push((Arc::from(&**text), answers));
    }
    (network, ignored)
}

fn matching(node: &Node, reading: &mut Reading<'_>) -> Vec<Arc<str>> {
    let Some(mut fields) = reading.keep(Object::of(node, "match", "{ ignore_query: [cb] }")) else {
        return Vec::new();
    };
    let ignored = fields.field("ignore_query").map(|node| node.list("ignore_query", "[cb]"));
    fields.end(reading);
    let items = reading.keep(ignored.transpose()).flatten().unwrap_or_default();
    items.iter().filter_map(|item| reading.keep(scalar::name(item, "ignore_query"))).collect()
}

fn answer(node: &Node, reading: &mut Reading<'_>) -> Option<AnswerScript> {
    let mut fields = reading.keep(Object::of(node, "an answer", "{ after: 120ms, file: ad.xml }"))?;
    let after = fields.field("after").map(|node| scalar::span(node, "after")).transpose();
    let status = fields.entry("status");
    let bodies: Vec<(&Key, &Node)> =
        ["file", "text", "fails"].into_iter().filter_map(|name| fields.entry(name)).collect();
    fields.end(reading);
    let answer = match bodies[..] {
        [_, (key, _), ..] => {
            let message = "an answer is one of file, text and fails";
            Err(Wrong::new(&key.range, message))
        }
        [(key, node)] if key.text == "fails" => match status {
            Some((key, _)) => Err(Wrong::new(&key.range, "what fails has no status")),
            None => scalar::word(node, "fails", NETWORK_FAULTS)
                .map(|fault| fault.map_or(ScriptedAnswer::Silence, ScriptedAnswer::Fails)),
        },
        [(key, node)] if key.text == "file" => reading
            .file(node)
            .and_then(|(name, text)| Ok(ScriptedAnswer::Body { status: status_of(status)?, name, text })),
        [(_, node)] => scalar::text(node, "text")
            .and_then(|text| Ok(ScriptedAnswer::Body { status: status_of(status)?, name: "".into(), text })),
        [] => {
            status_of(status).map(|status| ScriptedAnswer::Body { status, name: "".into(), text: "".into() })
        }
    };
    let (after, answer) = (reading.keep(after), reading.keep(answer));
    Some(AnswerScript { after: after?.unwrap_or_default(), answer: answer? })
}

fn status_of(status: Option<(&Key, &Node)>) -> Result<u16, Wrong> {
    let Some((_, node)) = status else { return Ok(200) };
    scalar::whole(node, "status", 100, 599).map(|status| u16::try_from(status).unwrap_or(599))
}
