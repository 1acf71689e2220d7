//! What media addresses play.

use std::sync::Arc;

use super::node::{Key, Node, Object, Wrong};
use super::{Reading, scalar, simid, vpaid};
use crate::media::{Delivery, Live, MediaFault};
use crate::scenario::MediaScript;
use crate::time::{Position, Span, Time};

/// The words for how media fail.
pub(in crate::scenario) const MEDIA_FAULTS: &[(&str, MediaFault)] = &[
    (MediaFault::Network.word(), MediaFault::Network),
    (MediaFault::Decode.word(), MediaFault::Decode),
    (MediaFault::Unsupported.word(), MediaFault::Unsupported),
    (MediaFault::NotFound.word(), MediaFault::NotFound),
];

/// How much longer than the place of its failure a medium is that fails and has no duration.
const BEHIND_FAILURE: Span = Span::from_secs(1);

/// The most bits a second: what is counted with them stays countable.
const MAX_BITS: u64 = 1_000_000_000_000;

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
    let live = live(&mut fields, reading);
    let is_page = fields.field("simid").is_some();
    let fails = fields.field("fails").map(|node| media_failure(node, reading));
    let duration = match (&live, &fails) {
        (Ok(Some(_)), _) => match fields.entry("duration") {
            Some((key, _)) => Err(Wrong::new(&key.range, "a live stream has no duration; it has a window")),
            None => Ok(Some(Span::ZERO)),
        },
        (_, Some(_)) => fields.field("duration").map(|node| scalar::span(node, "duration")).transpose(),
        // What was to be said of a live stream could not be read: then a duration is not asked for.
        (Err(_), None) => {
            let _ = fields.field("duration");
            Ok(None)
        }
        // The page of a unit has no length of its own.
        (Ok(None), None) if is_page => fields
            .field("duration")
            .map(|node| scalar::span(node, "duration"))
            .transpose()
            .map(|length| Some(length.unwrap_or_default())),
        (Ok(None), None) => fields
            .required("duration", "duration: 60s")
            .and_then(|node| scalar::span(node, "duration"))
            .map(Some),
    };
    let metadata_after =
        fields.field("metadata_after").map(|node| scalar::span(node, "metadata_after")).transpose();
    let stalls = fields.field("stalls").map(|node| stalls(node, reading)).unwrap_or_default();
    let delivery = delivery(&mut fields, reading);
    let switch_after =
        fields.field("switch_after").map(|node| scalar::span(node, "switch_after")).transpose();
    let vpaid = fields.field("vpaid").map(|node| vpaid::vpaid(node, reading));
    let simid = fields.field("simid").map(|node| simid::simid(node, reading));
    fields.end(reading);
    let (duration, metadata_after) = (reading.keep(duration), reading.keep(metadata_after));
    let (live, delivery, switch_after) =
        (reading.keep(live), reading.keep(delivery), reading.keep(switch_after));
    let fails = fails.map_or(Some(None), |fails| fails.map(Some))?;
    let duration = duration?.unwrap_or_else(|| {
        let at = fails.and_then(|(at, _)| at).unwrap_or_default();
        at + BEHIND_FAILURE - Position::ZERO
    });
    let (vpaid, vpaid_script) = match vpaid {
        Some(vpaid) => vpaid.map(|(vpaid, script)| (Some(vpaid), script))?,
        None => (None, None),
    };
    Some(MediaScript {
        duration,
        metadata_after: metadata_after?.unwrap_or_default(),
        stalls,
        fails,
        live: live?,
        delivery: delivery?,
        switch_after: switch_after?.unwrap_or_default(),
        vpaid,
        vpaid_script,
        simid: simid.map_or(Some(None), |simid| simid.map(Some))?,
    })
}

/// `live: true` with its window and when it runs. Rules LIVE-1 to LIVE-3.
fn live(fields: &mut Object<'_>, reading: &mut Reading<'_>) -> Result<Option<Live>, Wrong> {
    let is_live = fields.field("live").map(|node| scalar::truth(node, "live")).transpose();
    let [window, stops_at, back_at] = ["window", "stops_at", "back_at"].map(|name| fields.entry(name));
    if !is_live?.unwrap_or(false) {
        for (key, _) in [window, stops_at, back_at].into_iter().flatten() {
            let message = format!("\"{}\" goes with a live stream", key.text);
            reading.wrongs.push(Wrong::new(&key.range, message).meant("live: true"));
        }
        return Ok(None);
    }
    let window = window.map(|(_, node)| scalar::span(node, "window")).transpose()?.unwrap_or_default();
    let stops = stops_at.map(|(_, node)| scalar::time(node, "stops_at")).transpose()?;
    let back = back_at.map(|(_, node)| scalar::time(node, "back_at")).transpose()?;
    match (back_at, back, stops) {
        (Some((key, _)), Some(_), None) => {
            let message = "\"back_at\" goes with \"stops_at\": what never stops is never back";
            Err(Wrong::new(&key.range, message))
        }
        (Some((_, node)), Some(back), Some(stops)) if back <= stops => {
            Err(node.not("back_at", "a time behind that of \"stops_at\""))
        }
        _ => Ok(Some(Live { window, stops_at: stops, back_at: back })),
    }
}

/// The rate that the medium uses, and the bandwidth it comes with: both or none. Rule MEL-25.
fn delivery(fields: &mut Object<'_>, reading: &mut Reading<'_>) -> Result<Option<Delivery>, Wrong> {
    match (fields.entry("bitrate"), fields.entry("bandwidth")) {
        (None, None) => Ok(None),
        (Some((key, _)), None) => Err(Wrong::new(
            &key.range,
            "\"bitrate\" goes with \"bandwidth\", like bandwidth: [{ at: 0s, bps: 1500000 }]",
        )),
        (None, Some((key, _))) => {
            Err(Wrong::new(&key.range, "\"bandwidth\" goes with \"bitrate\", like bitrate: 2000000"))
        }
        (Some((_, bitrate)), Some((_, node))) => {
            let bitrate = scalar::whole(bitrate, "bitrate", 1, MAX_BITS);
            let bandwidth = bandwidth(node, reading);
            Ok(Some(Delivery { bitrate: bitrate?, bandwidth }))
        }
    }
}

fn bandwidth(node: &Node, reading: &mut Reading<'_>) -> Vec<(Time, u64)> {
    let items = reading.keep(node.list("bandwidth", "[{ at: 0s, bps: 1500000 }]")).unwrap_or_default();
    let mut bandwidth: Vec<(Time, u64)> = Vec::with_capacity(items.len());
    for item in items {
        let Some(mut fields) = reading.keep(Object::of(item, "a bandwidth", "{ at: 0s, bps: 1500000 }"))
        else {
            continue;
        };
        let at = fields.required("at", "at: 0s").and_then(|node| scalar::time(node, "at"));
        let bits = fields.required("bps", "bps: 1500000");
        let bits = bits.and_then(|node| scalar::whole(node, "bps", 0, MAX_BITS));
        fields.end(reading);
        let (Some(at), Some(bits)) = (reading.keep(at), reading.keep(bits)) else { continue };
        if bandwidth.iter().any(|(known, _)| *known == at) {
            let message = "two bandwidths from the same time on; one of them would have no effect";
            reading.wrongs.push(Wrong::new(&item.range, message));
        }
        bandwidth.push((at, bits));
    }
    bandwidth.sort_unstable();
    bandwidth
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
