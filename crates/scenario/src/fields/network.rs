//! The responses of URLs.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::{
    Definitions, FieldRow, Node, Object, Properties, Reading, Scenario, Shape, Text, Writer,
    WrittenForm, Wrong, field_rows, list, whole,
};
use crate::form::{
    Length, Name, Parsed, Whole, Words, part, twice, write_field, write_some, write_unless,
};
use crate::read::node::Key;
use crate::{AnswerScript, ScriptedAnswer};
use playsim_api::NetworkFault;
use playsim_base::time::Span;

/// The responses of URLs, and the query parameters that are ignored.
pub(super) const NETWORK: FieldRow<Scenario> = FieldRow {
    key: "network",
    about: "The responses of URLs, by URL.",
    required: None,
    read: |node, scenario, reading| {
        let example = "{ https://ads.test/a: { file: ad.xml } }";
        for (key, node) in reading
            .keep(node.entries("network", example))
            .unwrap_or_default()
        {
            if key.text == MATCH {
                let read = MATCHING.read(node, MATCH, reading);
                scenario.ignore_query = read
                    .map(|matching| matching.ignore_query)
                    .unwrap_or_default();
            } else {
                if scenario.media.iter().any(|(url, _)| **url == *key.text) {
                    reading.wrongs.push(Wrong::new(&key.range, TWICE));
                }
                scenario
                    .network
                    .push((Arc::from(&*key.text), answers(node, reading)));
            }
        }
        true
    },
    same: |one, other| one.network == other.network && one.ignore_query == other.ignore_query,
    write: |scenario, out| {
        out.refuse(|_| twice("URL", scenario.network.iter().map(|(url, _)| &**url)));
        let media: BTreeSet<&str> = scenario.media.iter().map(|(url, _)| &**url).collect();
        out.object(|out| {
            for (url, answers) in &scenario.network {
                out.part(|| part("network", url));
                out.refuse_if(media.contains(&**url), TWICE);
                out.refuse_if(answers.is_empty(), "a URL must have at least one response");
                out.key(url);
                match &answers[..] {
                    [answer] => Answer.write(answer, out),
                    answers => {
                        out.list(|out| answers.iter().for_each(|answer| Answer.write(answer, out)))
                    }
                }
            }
            if !scenario.ignore_query.is_empty() {
                out.part(|| "network".to_owned());
                out.key(MATCH);
                MATCHING.write(
                    &Matching {
                        ignore_query: scenario.ignore_query.clone(),
                    },
                    out,
                );
            }
        });
    },
    schema: |definitions| {
        let answer = Answer.schema(definitions);
        json!({
            "type": ["object", "null"],
            "properties": { MATCH: MATCHING.schema(definitions) },
            "additionalProperties": { "anyOf": [answer, {
                "type": "array", "minItems": 1, "items": answer,
                "description": "Responses used up in order; the last repeats.",
            }] },
        })
    },
};

/// What is wrong with a URL that has a response and media.
const TWICE: &str =
    "this URL is listed under media, too; how its load fails or how long it takes is said there";

const MIME_TYPE: &str = "a MIME type, like text/html or \"application/xml; charset=utf-8\"";

/// Whether a text is a MIME type that can be sent as a header.
fn is_mime_type(text: &str) -> bool {
    let essence = text.split(';').next().unwrap_or_default();
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic());
    text.bytes()
        .all(|byte| byte.is_ascii_graphic() || byte == b' ')
        && essence
            .trim_end()
            .split_once('/')
            .is_some_and(|(kind, name)| is_name(kind) && is_name(name) && !name.contains('/'))
}

/// The key of the settings for looking up URLs.
const MATCH: &str = "match";

#[derive(Default)]
struct Matching {
    ignore_query: Vec<Arc<str>>,
}

const MATCHING: Shape<Matching> = Shape::new(
    MATCH,
    "{ ignore_query: [cb] }",
    "How URLs are looked up.",
    Matching::default,
    &[field_rows! { Matching:
        "ignore_query" ignore_query: list("ignore_query", Name, "[cb]"), "Query parameters that are ignored.";
    }],
);

/// The words for how a request fails; `None`: it never gets a response.
const FAULTS: Words<Option<NetworkFault>> = Words(&{
    let mut words = [("timeout", None); NetworkFault::ALL.len() + 1];
    let mut index = 0;
    while index < NetworkFault::ALL.len() {
        let fault = NetworkFault::ALL[index];
        words[index + 1] = (fault.name(), Some(fault));
        index += 1;
    }
    words
});

const STATUS: Whole<u16> = whole(100, 599);
const OK: u16 = 200;
/// The status of a redirect. Rule CHN-4.
const REDIRECT_STATUS: Whole<u16> = whole(300, 399);
const FOUND: u16 = 302;

/// The kind of content of a response.
#[derive(Debug, Clone, Copy)]
enum Content {
    File,
    Text,
    Redirect,
    Fails,
}

/// The fields for the content of a response, which has at most one of them.
const CONTENTS: [(&str, Content); 4] = [
    ("file", Content::File),
    ("text", Content::Text),
    ("redirect", Content::Redirect),
    ("fails", Content::Fails),
];

/// The fields of a response.
pub(super) const RESPONSE: [&str; 6] = ["after", "status", "file", "text", "redirect", "fails"];

/// The type that a body states.
const CONTENT_TYPE: Parsed<Arc<str>> = Parsed {
    takes: MIME_TYPE,
    made: Some(MIME_TYPE),
    pattern: "^[^/;\\s]+/[^/;\\s]+",
    read: |text| is_mime_type(text).then(|| Arc::from(text)),
    write: |stated| stated.to_string(),
};

/// What is wrong with the type of anything else.
const ONLY_BODIES: &str = "only a body has a type";

/// One response.
pub(super) struct Answer;

/// Reads the responses of a URL: one, or a list.
pub(super) fn answers(node: &Node, reading: &mut Reading<'_>) -> Vec<AnswerScript> {
    if node.items().is_empty() {
        let message = "a URL needs at least one response, like { file: ad.xml }";
        reading.wrongs.push(Wrong::new(&node.range, message));
    }
    node.items()
        .iter()
        .filter_map(|item| Answer.read(item, "", reading))
        .collect()
}

impl WrittenForm for Answer {
    type Of = AnswerScript;

    fn read(&self, node: &Node, _: &str, reading: &mut Reading<'_>) -> Option<AnswerScript> {
        let mut fields = reading.keep(Object::of(
            node,
            "a response",
            "{ after: 120ms, file: ad.xml }",
        ))?;
        let after = match fields.field("after") {
            Some(node) => Length.read(node, "after", reading),
            None => Some(Span::ZERO),
        };
        let status = fields.entry("status");
        let stated = fields.entry("type");
        let contents = CONTENTS
            .into_iter()
            .filter_map(|(name, content)| Some((content, fields.entry(name)?)));
        let contents: Vec<(Content, (&Key, &Node))> = contents.collect();
        fields.end(reading);
        let status_of = |form: &Whole<u16>, default, reading: &mut Reading<'_>| match status {
            Some((_, node)) => form.read(node, "status", reading),
            None => Some(default),
        };
        let answer = match contents[..] {
            [_, (_, (key, _)), ..] => {
                let message = "a response has only one of file, text, redirect and fails";
                reading.keep(Err(Wrong::new(&key.range, message)))
            }
            [(Content::Fails, (_, node))] => match status {
                Some((key, _)) => reading.keep(Err(Wrong::new(
                    &key.range,
                    "a failed request has no status",
                ))),
                None => FAULTS
                    .read(node, "fails", reading)
                    .map(|fault| fault.map_or(ScriptedAnswer::Silence, ScriptedAnswer::Fails)),
            },
            [(Content::Redirect, (_, node))] => {
                let to = Name.read(node, "redirect", reading);
                let status = status_of(&REDIRECT_STATUS, FOUND, reading);
                status
                    .zip(to)
                    .map(|(status, to)| ScriptedAnswer::Redirect { status, to })
            }
            [(content @ (Content::File | Content::Text), (_, node))] => {
                let body = if let Content::File = content {
                    let file = reading.file(node);
                    reading.keep(file)
                } else {
                    Text.read(node, "text", reading)
                        .map(|text| (Arc::default(), text))
                };
                let status = status_of(&STATUS, OK, reading);
                status
                    .zip(body)
                    .map(|(status, (name, text))| ScriptedAnswer::Body { status, name, text })
            }
            [] => status_of(&STATUS, OK, reading).map(|status| ScriptedAnswer::Body {
                status,
                name: Arc::default(),
                text: Arc::default(),
            }),
        };
        let content_type = match (stated, &answer) {
            (Some((key, _)), Some(answer)) if !matches!(answer, ScriptedAnswer::Body { .. }) => {
                reading.keep(Err(Wrong::new(&key.range, ONLY_BODIES)))
            }
            (Some((_, node)), _) => CONTENT_TYPE.read(node, "type", reading).map(Some),
            (None, _) => Some(None),
        };
        Some(AnswerScript {
            after: after?,
            answer: answer?,
            content_type: content_type?,
        })
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        definitions.define("answer", |definitions| {
            let mut answer = Properties::default();
            answer.add("after", "How long it takes.", Length.schema(definitions));
            let mut status = STATUS.schema(definitions);
            status["default"] = OK.into();
            answer.add(
                "status",
                "The HTTP status. Default of a redirect: 302.",
                status,
            );
            answer.add(
                "file",
                "A file with the body, in or below the scenario's folder.",
                Name.schema(definitions),
            );
            answer.add("text", "The body itself.", Text.schema(definitions));
            answer.add(
                "type",
                "The MIME type that the body states. Default: what the ending of its file or URL, or else its \
                 beginning says.",
                CONTENT_TYPE.schema(definitions),
            );
            answer.add(
                "redirect",
                "The URL to request instead.",
                Name.schema(definitions),
            );
            answer.add("fails", "There is no response.", FAULTS.schema(definitions));
            let mut answer = answer.end("The response of a URL.");
            let mut exclude = vec![
                json!({ "not": { "required": ["status", "fails"] } }),
                json!({ "not": { "required": ["type", "fails"] } }),
                json!({ "not": { "required": ["type", "redirect"] } }),
            ];
            for (index, (one, _)) in CONTENTS.iter().enumerate() {
                let others = CONTENTS[index + 1..].iter();
                exclude.extend(
                    others.map(|(other, _)| json!({ "not": { "required": [one, other] } })),
                );
            }
            answer["allOf"] = exclude.into();
            answer
        })
    }

    fn write(&self, value: &AnswerScript, out: &mut Writer) {
        out.object(|out| {
            write_unless("after", &Length, &value.after, &Span::ZERO, out);
            write_some("type", &CONTENT_TYPE, value.content_type.as_ref(), out);
            let is_body = matches!(value.answer, ScriptedAnswer::Body { .. });
            out.refuse_if(value.content_type.is_some() && !is_body, ONLY_BODIES);
            match &value.answer {
                ScriptedAnswer::Body { status, name, text } => {
                    write_unless("status", &STATUS, status, &OK, out);
                    out.body(name, text);
                }
                ScriptedAnswer::Redirect { status, to } => {
                    write_unless("status", &REDIRECT_STATUS, status, &FOUND, out);
                    write_field("redirect", &Name, to, out);
                }
                ScriptedAnswer::Fails(fault) => write_field("fails", &FAULTS, &Some(*fault), out),
                ScriptedAnswer::Silence => write_field("fails", &FAULTS, &None, out),
            }
        });
    }
}
