//! What is expected of the finished trace.

use std::sync::Arc;

use super::acts::{call_name, query};
use super::node::{Key, Node, Object, Wrong};
use super::steps::event;
use super::{Reading, scalar, value};
use crate::api::{Fields, Value};
use crate::scenario::Expectation;
use crate::words;

/// The kinds of expectations, each by the field that says which it is.
const KINDS: &[&str] = &["event", "order", "never", "diag", "read", "call"];

/// What some of the kinds take besides.
const DETAILS: &[&str] = &["times", "data", "at", "is", "error"];

/// What diagnostics and errors of calls are called.
const CODES: &[&str] = &[
    "ad_busy",
    "ad_tag_url",
    "ad_time_type",
    "address_not_listed",
    "already_initialised",
    "bad_ad",
    "bad_argument",
    "bad_chapter",
    "bad_date",
    "bad_flag",
    "bad_item",
    "bad_queue_entry",
    "bad_source",
    "chapter_behind_end",
    "config_missing:height",
    "config_missing:id",
    "config_missing:video",
    "config_missing:width",
    "config_size",
    "config_type",
    "config_unknown",
    "content_ignored",
    "cue_dropped",
    "date_order",
    "deldiv_true_keeps",
    "destroyed",
    "event_dropped",
    "fullscreen_refused",
    "ga_outside_ready",
    "gesture_required",
    "item_excluded:geo",
    "item_excluded:kill_date",
    "item_excluded:no_rendition",
    "item_excluded:plan",
    "item_excluded:publish",
    "item_excluded:rejected",
    "media_not_listed",
    "no_ads",
    "no_class",
    "no_container",
    "no_cue",
    "no_event_named",
    "no_hd",
    "no_media",
    "no_rendition",
    "no_source",
    "no_such_chapter",
    "no_such_item",
    "no_such_player",
    "no_user_agent",
    "non_integer_seek",
    "not_offered",
    "not_playing",
    "not_ready",
    "outstream",
    "plan_limit",
    "playlist_edge",
    "playlist_failed",
    "playlist_form",
    "pod_ignored",
    "property_called",
    "property_read_only",
    "queue_never_drained",
    "record_not_listed",
    "rendition_failed",
    "same_chapter_start",
    "same_player_id",
    "script_loaded_twice",
    "script_not_loaded",
    "seek_during_ad",
    "sent_both_ways",
    "skip_not_offered",
    "src_outside_ready",
    "sticky_closed",
    "title_ignored",
    "unknown_event",
    "unknown_pixel",
    "unknown_rendition",
    "unknown_skin",
    "video_barred:geo",
    "video_barred:kill_date",
    "video_barred:publish",
    "volume_mobile",
    "volume_range",
];

/// All expectations.
pub(super) fn expectations(node: &Node, reading: &mut Reading<'_>) -> Vec<Expectation> {
    let items = reading.keep(node.list("expect", "[{ event: adComplete, times: 1 }]")).unwrap_or_default();
    items.iter().filter_map(|item| expectation(item, reading)).collect()
}

fn expectation(node: &Node, reading: &mut Reading<'_>) -> Option<Expectation> {
    let mut fields = reading.keep(Object::of(node, "an expectation", "{ event: adComplete, times: 1 }"))?;
    let kinds: Vec<(&Key, &Node)> = KINDS.iter().filter_map(|name| fields.entry(name)).collect();
    let result = match kinds[..] {
        [] => {
            for name in DETAILS {
                let _ = fields.field(name);
            }
            if fields.has_unknown() {
                fields.end(reading);
                return None;
            }
            let message = format!("an expectation without a subject; it needs one of {}", KINDS.join(", "));
            Err(Wrong::new(fields.range(), message))
        }
        [(key, subject)] => of_kind(&key.text, subject, &mut fields, reading.hears_html),
        [(first, _), (second, _), ..] => {
            let message = format!(
                "an expectation has one subject, not both \"{}\" and \"{}\"; make it two",
                first.text, second.text
            );
            Err(Wrong::new(&second.range, message))
        }
    };
    if kinds.len() == 1 {
        fields.end(reading);
    }
    reading.keep(result)
}

fn of_kind(
    kind: &str,
    subject: &Node,
    fields: &mut Object<'_>,
    hears_html: bool,
) -> Result<Expectation, Wrong> {
    let event = |node: &Node| event(node, hears_html);
    let times = |fields: &mut Object<'_>| {
        fields.field("times").map(|node| scalar::count(node, "times", 0)).transpose()
    };
    match kind {
        "event" => {
            let (times, data) = (times(fields), fields.field("data"));
            let data = match data {
                Some(node) => {
                    let data = value::value(node)?;
                    if !matches!(data, Value::Map(_)) {
                        return Err(node.not("data", "an object, like { wp: 1 }"));
                    }
                    data
                }
                None => Value::Map(Fields::NONE),
            };
            Ok(Expectation::Event { event: event(subject)?, times: times?, data })
        }
        "order" => {
            let items = subject.list("order", "[adStart, adEnd]")?;
            if items.is_empty() {
                return Err(Wrong::new(
                    &subject.range,
                    "an order has at least one event, like [adStart, adEnd]",
                ));
            }
            items.iter().map(event).collect::<Result<_, _>>().map(Expectation::Order)
        }
        "never" => event(subject).map(Expectation::Never),
        "diag" => {
            let times = times(fields);
            Ok(Expectation::Diag { code: code(subject, "diag")?, times: times? })
        }
        "read" => {
            let (at, is) = (fields.field("at"), fields.required("is", "is: 44"));
            let query = query(subject)?;
            let at = at.map(|node| scalar::time(node, "at")).transpose()?;
            Ok(Expectation::Read { query, at, is: value::value(is?)? })
        }
        _ => {
            let (times, error) = (times(fields), fields.field("error"));
            let word = scalar::name(subject, "call")?;
            let call = call_name(&subject.range, &word)?;
            let error = error.map(|node| code(node, "error")).transpose()?;
            Ok(Expectation::Call { call, times: times?, error })
        }
    }
}

/// The code of a diagnostic or an error. One that looks like another is a slip: nothing would ever come, and
/// `times: 0` would hold for the wrong reason.
fn code(node: &Node, what: &'static str) -> Result<Arc<str>, Wrong> {
    let code = scalar::name(node, what)?;
    if !CODES.contains(&&*code) && words::nearest(&code, CODES.iter().copied()).is_some() {
        let what = if what == "diag" { "diagnostic" } else { what };
        return Err(Wrong::unknown(&node.range, what, &code, CODES.iter().copied()));
    }
    Ok(code)
}
