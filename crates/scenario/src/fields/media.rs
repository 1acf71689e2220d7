//! The media that URLs play.

use std::sync::Arc;

use serde_json::{Value as Json, json};

use super::simid::SIMID;
use super::vpaid::VPAID;
use super::{
    Definitions, FieldRow, Node, Object, Opt, Properties, Reading, Scenario, Shape, Writer,
    WrittenForm, Wrong, field_rows, list, read_rows, whole, write_rows,
};
use crate::MediaScript;
use crate::form::{Length, Place, Shared, Truth, When, Whole, Words, part, twice};
use crate::read::node::{Key, Tree};
use playsim_api::media::{Delivery, Live, MediaFault, SimidScript, VpaidScript};
use playsim_api::page::INLINE;
use playsim_base::time::{Position, Span, Time};

/// The media that URLs play, including URLs that are not listed.
pub(super) const MEDIA: FieldRow<Scenario> = FieldRow {
    key: "media",
    about: "What media URLs play, by URL; `default`: those not listed; `inline`: SIMID pages inside documents.",
    required: None,
    read: |node, scenario, reading| {
        let entries = reading.keep(node.entries("media", "{ film.mp4: { duration: 60s } }"));
        for (key, node) in entries.unwrap_or_default() {
            let is_one = key.text == DEFAULT || key.text == INLINE;
            if is_one && matches!(node.tree, Tree::List(_)) {
                let message = format!("\"{}\" is a medium, not a list of them", key.text);
                reading.wrongs.push(Wrong::new(&node.range, message));
                continue;
            }
            let script = read_loads(node, reading);
            if key.text == DEFAULT {
                scenario.media_default = script;
            } else {
                scenario
                    .media
                    .extend(script.map(|script| (Arc::from(&*key.text), script)));
            }
        }
        true
    },
    same: |one, other| one.media == other.media && one.media_default == other.media_default,
    write: |scenario, out| {
        out.refuse(|_| twice("URL", scenario.media.iter().map(|(url, _)| &**url)));
        out.object(|out| {
            for (url, script) in &scenario.media {
                out.part(|| part("media", url));
                let has_lists = script.earlier.iter().any(|load| !load.earlier.is_empty());
                out.refuse_if(has_lists, ONE_LIST);
                out.key(url);
                write_loads(script, out);
            }
            if let Some(script) = &scenario.media_default {
                out.part(|| "the default of media".to_owned());
                out.refuse_if(!script.earlier.is_empty(), ONE_LIST);
                out.field(DEFAULT);
                write_loads(script, out);
            }
        });
    },
    schema: |definitions| {
        let medium = Medium.schema(definitions);
        json!({
            "type": ["object", "null"],
            "properties": { DEFAULT: medium, INLINE: medium },
            "additionalProperties": { "anyOf": [medium, {
                "type": "array", "minItems": 1, "items": medium,
                "description": "What the loads of the URL play, in order; the last repeats.",
            }] },
        })
    },
};

/// Reads what the loads of a URL play: one medium, or a list. Rule MEL-28.
pub(super) fn read_loads(node: &Node, reading: &mut Reading<'_>) -> Option<MediaScript> {
    if node.items().is_empty() {
        let message = "a URL needs at least one medium, like { duration: 60s }";
        reading.wrongs.push(Wrong::new(&node.range, message));
    }
    let loads = node
        .items()
        .iter()
        .map(|item| Medium.read(item, "", reading));
    // All of them are read, for their mistakes.
    let loads: Vec<Option<MediaScript>> = loads.collect();
    MediaScript::of_loads(loads.into_iter().collect::<Option<_>>()?)
}

fn write_loads(script: &MediaScript, out: &mut Writer) {
    if script.earlier.is_empty() {
        Medium.write(script, out);
    } else {
        out.list(|out| script.loads().for_each(|load| Medium.write(load, out)));
    }
}

/// Returns whether an object has fields of a medium that a response does not have.
pub(super) fn is_medium(fields: &[(Key, Node)], of_response: &[&str]) -> bool {
    fields.iter().any(|(key, node)| {
        let is_own = FIELDS.iter().any(|row| row.key == key.text);
        is_own && (!of_response.contains(&&*key.text) || matches!(node.tree, Tree::Map(_)))
    })
}

/// What is wrong with a list of media in another, or where there is one medium.
const ONE_LIST: &str = "a list of media stands for the loads of one URL, and has no other in it";

/// The key of what URLs play that are not listed.
const DEFAULT: &str = "default";

/// The words for how media fail.
const FAULTS: Words<MediaFault> = Words(&[
    (MediaFault::Network.name(), MediaFault::Network),
    (MediaFault::Decode.name(), MediaFault::Decode),
    (MediaFault::Unsupported.name(), MediaFault::Unsupported),
    (MediaFault::NotFound.name(), MediaFault::NotFound),
    (MediaFault::Cors.name(), MediaFault::Cors),
    (MediaFault::Blocked.name(), MediaFault::Blocked),
    (MediaFault::REFUSED.name(), MediaFault::REFUSED),
]);

/// How far a medium that fails and has no duration extends past its failure.
const AFTER_FAILURE: Span = Span::from_secs(1);

/// The most bits per second, limited so that sums of them do not overflow. Rule MEL-25.
const MAX_BITS: u64 = playsim_api::media::MOST_BITS_PER_SECOND;

/// The media of one URL.
struct Medium;

/// A medium as written. Rules between its fields are checked once all are read.
#[derive(Default)]
struct Written {
    duration: Option<Span>,
    is_as_said: bool,
    metadata_after: Span,
    is_live: bool,
    window: Option<Span>,
    stops_at: Option<Time>,
    back_at: Option<Time>,
    ends_at: Option<Time>,
    bitrate: Option<u64>,
    bandwidth: Option<Vec<Bandwidth>>,
    switch_after: Span,
    has_sound: bool,
    vpaid: Option<Arc<VpaidScript>>,
    simid: Option<Arc<SimidScript>>,
    stalls: Vec<Stall>,
    fails: Option<Failure>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Bandwidth {
    at: Time,
    bps: u64,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Stall {
    at: Position,
    length: Span,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct Failure {
    at: Option<Position>,
    how: MediaFault,
    code: Option<u16>,
}

impl Failure {
    fn of((at, how): (Option<Position>, MediaFault)) -> Failure {
        let (how, code) = if let MediaFault::Refused(code) = how {
            (MediaFault::REFUSED, Some(code))
        } else {
            (how, None)
        };
        Failure { at, how, code }
    }

    fn fault(self) -> (Option<Position>, MediaFault) {
        (self.at, self.code.map_or(self.how, MediaFault::Refused))
    }
}

const FIELDS: &[FieldRow<Written>] = field_rows! { Written:
    "duration" duration: Opt(Length), "Its length.";
    "as_ad_says" is_as_said: Truth, "Whether an ad with it lasts as long as its document says, if that says so.";
    "metadata_after" metadata_after: Length, "How long its metadata takes.";
    "live" is_live: Truth, "Whether it is a live stream.";
    "window" window: Opt(Length), "For a live stream: how far back a seek can go.";
    "stops_at" stops_at: Opt(When), "For a live stream: when it goes off air.";
    "back_at" back_at: Opt(When), "For a live stream: when it is back on air.";
    "ends_at" ends_at: Opt(When), "For a live stream: when it ends for good. From then on it has a length.";
    "bitrate" bitrate: Opt(BITS), "Its bits per second; requires `bandwidth`.";
    "bandwidth" bandwidth: Opt(list("a bandwidth", &BANDWIDTH, "[{ at: 0s, bps: 1500000 }]").distinct(
        |one, other| one.at.cmp(&other.at),
        |_| "two bandwidths start at the same time; one of them would have no effect".to_owned(),
    )), "How fast its data arrives; requires `bitrate`.";
    "switch_after" switch_after: Length, "How long it takes to switch to it from another rendition.";
    "sound" has_sound: Truth, "For `playsim world`: whether its film has a sound track, which is silent.";
    "vpaid" vpaid: Opt(Shared(&VPAID)), "For a VPAID unit: its own behaviour, and its script.";
    "simid" simid: Opt(Shared(&SIMID)), "For the page of a SIMID unit: its script.";
    "stalls" stalls: list("a stall", &STALL, "[{ at: 5s, for: 2s }]"), "Where data runs out, and for how long.";
    "fails" fails: Opt(&FAILURE), "How it fails.";
};

/// A bitrate: never zero.
const BITS: Whole<u64> = whole(1, MAX_BITS);

const BANDWIDTH: Shape<Bandwidth> = Shape::new(
    "a bandwidth",
    "{ at: 0s, bps: 1500000 }",
    "A bandwidth.",
    Bandwidth::default,
    &[field_rows! { Bandwidth:
        "at" at: When => "at: 0s", "From when on.";
        "bps" bps: whole::<u64>(0, MAX_BITS) => "bps: 1500000", "Bits per second.";
    }],
);

const STALL: Shape<Stall> = Shape::new(
    "a stall",
    "{ at: 5s, for: 2s }",
    "A position at which data runs out.",
    Stall::default,
    &[field_rows! { Stall:
        "at" at: Place => "at: 5s", "Where.";
        "for" length: Length => "for: 2s", "For how long.";
    }],
);

const FAILURE: Shape<Failure> = Shape::new(
    "fails",
    "{ at: 3s, how: decode }",
    "How it fails.",
    || Failure {
        at: None,
        how: MediaFault::NotFound,
        code: None,
    },
    &[field_rows! { Failure:
        "at" at: Opt(Place), "Where. Default: before it can play.";
        "how" how: FAULTS => "how: decode", "What goes wrong.";
        "code" code: Opt(whole::<u16>(1, 9_999)), "For `refused`: the code that the page reports. Default: 900.";
    }],
);

impl WrittenForm for Medium {
    type Of = MediaScript;

    fn read(&self, node: &Node, _: &str, reading: &mut Reading<'_>) -> Option<MediaScript> {
        let mut fields = reading.keep(Object::of(node, "a medium", "{ duration: 60s }"))?;
        let mut written = Written::default();
        let wrongs = reading.wrongs.len();
        read_rows(FIELDS, &mut fields, &mut written, reading);
        if reading.wrongs.len() == wrongs {
            check(&written, &mut fields, reading);
        }
        fields.end(reading);
        (reading.wrongs.len() == wrongs).then(|| written.script())
    }

    fn schema(&self, definitions: &mut Definitions) -> Json {
        definitions.define("medium", |definitions| {
            let mut medium = Properties::default();
            medium.rows(FIELDS, &Written::default(), definitions);
            let mut medium = medium.end("What a media URL plays.");
            medium["anyOf"] = json!([
                { "required": ["duration"] },
                { "required": ["fails"] },
                { "required": ["simid"] },
                { "required": ["live"], "properties": { "live": { "const": true } } },
            ]);
            medium["dependentRequired"] =
                json!({ "bitrate": ["bandwidth"], "bandwidth": ["bitrate"], "back_at": ["stops_at"] });
            medium
        })
    }

    fn write(&self, value: &MediaScript, out: &mut Writer) {
        let written = Written::of(value);
        out.object(|out| write_rows(FIELDS, &written, &Written::default(), out));
        let is_off_air = matches!(value.fails, Some((_, MediaFault::NotRunning)));
        out.refuse_if(
            is_off_air,
            "\"fails\" is not-running; use \"live\" with \"stops_at\" and \"back_at\" instead",
        );
        if let (Some(stops), Some(back)) = (written.stops_at, written.back_at) {
            out.refuse(|_| {
                let due = "it must be after \"stops_at\"";
                (back <= stops).then(|| format!("\"back_at\" is {back} s; {due}"))
            });
        }
        for (_, is_wrong, message) in written.rules() {
            out.refuse_if(is_wrong, message);
        }
    }
}

/// Checks the rules between fields. Rules LIVE-1 to LIVE-3, MEL-25.
fn check(written: &Written, fields: &mut Object<'_>, reading: &mut Reading<'_>) {
    let mut wrong = |wrong| reading.wrongs.push(wrong);
    if written.is_live {
        if let Some((key, _)) = fields.entry("duration") {
            wrong(Wrong::new(
                &key.range,
                "a live stream has no duration; it has a window",
            ));
        }
        for (name, _, message) in written
            .rules()
            .into_iter()
            .filter(|(_, is_wrong, _)| *is_wrong)
        {
            if let Some((key, _)) = fields.entry(name) {
                wrong(Wrong::new(&key.range, message));
            }
        }
    } else {
        for name in ["window", "stops_at", "back_at", "ends_at"] {
            if let Some((key, _)) = fields.entry(name) {
                let message = format!("\"{name}\" requires a live stream");
                wrong(Wrong::new(&key.range, message).meant("live: true"));
            }
        }
        if written.duration.is_none() && written.fails.is_none() && written.simid.is_none() {
            let missing = fields.required("duration", "duration: 60s").err();
            missing.into_iter().for_each(&mut wrong);
        }
    }
    if let (Some(node), true) = (fields.field("back_at"), written.is_live)
        && let (Some(stops), Some(back)) = (written.stops_at, written.back_at)
        && back <= stops
    {
        wrong(node.not("back_at", "a time after that of \"stops_at\""));
    }
    if let (Some((_, node)), Some(failure)) = (fields.entry("fails"), written.fails)
        && failure.code.is_some()
        && failure.how != MediaFault::REFUSED
    {
        let message = "\"code\" requires \"how: refused\": other failures have codes of their own";
        wrong(Wrong::new(&node.range, message));
    }
    match (fields.entry("bitrate"), fields.entry("bandwidth")) {
        (None, None) | (Some(_), Some(_)) => {}
        (Some((key, _)), None) => wrong(Wrong::new(
            &key.range,
            "\"bitrate\" requires \"bandwidth\", like bandwidth: [{ at: 0s, bps: 1500000 }]",
        )),
        (None, Some((key, _))) => {
            wrong(Wrong::new(
                &key.range,
                "\"bandwidth\" requires \"bitrate\", like bitrate: 2000000",
            ));
        }
    }
}

impl Written {
    /// Returns rules between the fields of a live stream, by the field that one is told at: whether
    /// it is broken, and the message. Rule LIVE-5.
    fn rules(&self) -> [(&'static str, bool, &'static str); 3] {
        let is_always_on = self.stops_at.is_none();
        [
            (
                "as_ad_says",
                self.is_live && self.is_as_said,
                "\"as_ad_says\" requires media with a duration",
            ),
            (
                "back_at",
                is_always_on && self.back_at.is_some(),
                "\"back_at\" requires \"stops_at\": a stream that never stops is never back",
            ),
            (
                "ends_at",
                !self.live().ends_on_air(),
                "a stream ends for good while it is on air: \"ends_at\" must be after \"back_at\", \
                 and a stream that \"stops_at\" a time must be back",
            ),
        ]
    }

    fn live(&self) -> Live {
        Live {
            window: self.window.unwrap_or_default(),
            stops_at: self.stops_at,
            back_at: self.back_at,
            ends_at: self.ends_at,
        }
    }

    fn script(mut self) -> MediaScript {
        self.stalls.sort_unstable();
        let duration = match (self.duration, self.fails) {
            (Some(duration), _) => duration,
            (None, Some(failure)) if !self.is_live => {
                failure.at.unwrap_or_default() + AFTER_FAILURE - Position::ZERO
            }
            (None, _) => Span::ZERO,
        };
        let live = self.live();
        let delivery = self
            .bitrate
            .zip(self.bandwidth)
            .map(|(bitrate, mut bandwidth)| {
                bandwidth.sort_unstable();
                Delivery {
                    bitrate,
                    bandwidth: bandwidth.iter().map(|from| (from.at, from.bps)).collect(),
                }
            });
        MediaScript {
            duration,
            metadata_after: self.metadata_after,
            stalls: self
                .stalls
                .iter()
                .map(|stall| (stall.at, stall.length))
                .collect(),
            fails: self.fails.map(Failure::fault),
            live: self.is_live.then_some(live),
            delivery,
            switch_after: self.switch_after,
            has_sound: self.has_sound,
            vpaid: self.vpaid,
            simid: self.simid,
            is_as_said: self.is_as_said,
            earlier: Vec::new(),
        }
    }

    fn of(script: &MediaScript) -> Written {
        let live = script.live.unwrap_or_default();
        let delivery = script.delivery.as_ref();
        let bandwidth = |delivery: &Delivery| {
            delivery
                .bandwidth
                .iter()
                .map(|(at, bps)| Bandwidth { at: *at, bps: *bps })
                .collect()
        };
        Written {
            duration: script.live.is_none().then_some(script.duration),
            is_as_said: script.is_as_said,
            metadata_after: script.metadata_after,
            is_live: script.live.is_some(),
            window: Some(live.window).filter(|window| *window != Span::ZERO),
            stops_at: live.stops_at,
            back_at: live.back_at,
            ends_at: live.ends_at,
            bitrate: delivery.map(|delivery| delivery.bitrate),
            bandwidth: delivery.map(bandwidth),
            switch_after: script.switch_after,
            has_sound: script.has_sound,
            vpaid: script.vpaid.clone(),
            simid: script.simid.clone(),
            stalls: script
                .stalls
                .iter()
                .map(|(at, length)| Stall {
                    at: *at,
                    length: *length,
                })
                .collect(),
            fails: script.fails.map(Failure::of),
        }
    }
}
