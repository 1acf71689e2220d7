//! What addresses answer.

use std::sync::Arc;

use super::node::{Key, Node, Object, Tree, Wrong};
use super::{Reading, scalar};
use crate::api::NetworkFault;
use crate::scenario::{AnswerScript, ScriptedAnswer};

/// The words for how a request fails; `None` is one that nothing ever answers.
pub(in crate::scenario) const NETWORK_FAULTS: &[(&str, Option<NetworkFault>)] = &[
    ("timeout", None),
    (NetworkFault::Refused.word(), Some(NetworkFault::Refused)),
    (NetworkFault::Reset.word(), Some(NetworkFault::Reset)),
    (NetworkFault::Truncated.word(), Some(NetworkFault::Truncated)),
    (NetworkFault::Redirects.word(), Some(NetworkFault::Redirects)),
];

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
        ["file", "text", "redirect", "fails"].into_iter().filter_map(|name| fields.entry(name)).collect();
    fields.end(reading);
    let answer = match bodies[..] {
        [_, (key, _), ..] => {
            let message = "an answer is one of file, text, redirect and fails";
            Err(Wrong::new(&key.range, message))
        }
        [(key, node)] if key.text == "fails" => match status {
            Some((key, _)) => Err(Wrong::new(&key.range, "what fails has no status")),
            None => scalar::word(node, "fails", NETWORK_FAULTS)
                .map(|fault| fault.map_or(ScriptedAnswer::Silence, ScriptedAnswer::Fails)),
        },
        [(key, node)] if key.text == "redirect" => scalar::name(node, "redirect").and_then(|to| {
            let status = match status {
                Some((_, node)) => scalar::whole(node, "status", 300, 399)?,
                None => 302,
            };
            Ok(ScriptedAnswer::Redirect { status: u16::try_from(status).unwrap_or(302), to })
        }),
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
