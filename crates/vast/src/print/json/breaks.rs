//! Prints the breaks of a VMAP document as JSON.
//!
//! An embedded document has the same form as a document of its own.

use serde::Serialize;

use super::super::super::vmap::{AdSource, AdSourceKind, Break, BreakType, TimeOffset};
use super::{DocumentView, Extension, Tracking, document};

#[derive(Serialize)]
pub(super) struct BreakView<'a> {
    time_offset: Option<String>,
    offset_us: Option<u64>,
    break_type: Vec<&'a str>,
    break_id: Option<&'a str>,
    repeat_after_us: Option<u64>,
    ad_source: Option<AdSourceView<'a>>,
    tracking: &'a [Tracking],
    extensions: &'a [Extension],
}

#[derive(Serialize)]
struct AdSourceView<'a> {
    id: Option<&'a str>,
    allow_multiple_ads: Option<bool>,
    follow_redirects: Option<bool>,
    kind: Option<&'static str>,
    tag_uri: Option<&'a str>,
    template_type: Option<&'a str>,
    document: Option<Box<DocumentView<'a>>>,
    data: Option<&'a str>,
}

pub(super) fn ad_break(it: &Break) -> BreakView<'_> {
    let at = if let Some(TimeOffset::At(span)) = it.time_offset {
        Some(span.micros())
    } else {
        None
    };
    BreakView {
        time_offset: it.time_offset.as_ref().map(ToString::to_string),
        offset_us: at,
        break_type: it.types.iter().map(BreakType::word).collect(),
        break_id: it.id.as_deref(),
        repeat_after_us: it.repeat_after.map(|span| span.micros()),
        ad_source: it.source.as_ref().map(ad_source),
        tracking: &it.tracking,
        extensions: &it.extensions,
    }
}

fn ad_source(source: &AdSource) -> AdSourceView<'_> {
    let view = AdSourceView {
        id: source.id.as_deref(),
        allow_multiple_ads: source.allow_multiple_ads,
        follow_redirects: source.follow_redirects,
        kind: None,
        tag_uri: None,
        template_type: None,
        document: None,
        data: None,
    };
    match &source.kind {
        AdSourceKind::Tag { uri, template_type } => AdSourceView {
            kind: Some("tag"),
            tag_uri: uri.as_ref().map(|uri| &*uri.text),
            template_type: template_type.as_deref(),
            ..view
        },
        AdSourceKind::Vast(held) => AdSourceView {
            kind: Some("vast"),
            document: Some(Box::new(document(held))),
            ..view
        },
        AdSourceKind::Custom {
            template_type,
            data,
            document: held,
        } => AdSourceView {
            kind: Some("custom"),
            template_type: template_type.as_deref(),
            data: Some(data),
            document: held.as_ref().map(|held| Box::new(document(held))),
            ..view
        },
        AdSourceKind::Empty => view,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    /// The one break of a VMAP document with these children of `AdBreak`.
    fn ad_break(attributes: &str, inside: &str) -> Value {
        let text = format!("<VMAP version='1.0'><AdBreak {attributes}>{inside}</AdBreak></VMAP>");
        let json = crate::print::json("any", &crate::read(&text));
        let mut document: Value = serde_json::from_str(&json).expect("it is JSON");
        document["breaks"][0].take()
    }

    #[test]
    fn every_key_of_a_break_is_always_present() {
        let bare = json!({
            "time_offset": null, "offset_us": null, "break_type": [], "break_id": null,
            "repeat_after_us": null, "ad_source": null, "tracking": [], "extensions": [],
        });
        assert_eq!(ad_break("", ""), bare);
        let tag = "<AdSource id='s' allowMultipleAds='0'><AdTagURI templateType='vast3'>u</AdTagURI></AdSource>";
        let tracking = "<TrackingEvents><Tracking event='breakStart'>t</Tracking></TrackingEvents>";
        let attributes = "timeOffset='00:00:15.000' breakType='linear,display' breakId='b' repeatAfter='00:01:00'";
        let full = json!({
            "time_offset": "00:00:15", "offset_us": 15_000_000, "break_type": ["linear", "display"],
            "break_id": "b", "repeat_after_us": 60_000_000,
            "ad_source": {
                "id": "s", "allow_multiple_ads": false, "follow_redirects": null, "kind": "tag",
                "tag_uri": "u", "template_type": "vast3", "document": null, "data": null,
            },
            "tracking": [{"event": "breakStart", "url": "t", "offset": null, "id": null, "at": "1:226"}],
            "extensions": [],
        });
        assert_eq!(ad_break(attributes, &format!("{tag}{tracking}")), full);
    }

    #[test]
    fn only_a_time_has_microseconds() {
        for offset in ["start", "end", "70%", "#1", "soon"] {
            let found = ad_break(&format!("timeOffset='{offset}'"), "");
            assert_eq!(
                (&found["time_offset"], &found["offset_us"]),
                (&json!(offset), &Value::Null)
            );
        }
    }

    #[test]
    fn an_embedded_document_has_the_same_form_as_its_own() {
        let vast = "<VAST version='3.0'><Error>e</Error></VAST>";
        let alone = crate::print::json("any", &crate::read(vast));
        let alone: Value = serde_json::from_str(&alone).expect("it is JSON");
        for name in ["VASTAdData", "VASTData"] {
            let found = ad_break("", &format!("<AdSource><{name}>{vast}</{name}></AdSource>"));
            assert_eq!(found["ad_source"]["kind"], "vast");
            assert_eq!(found["ad_source"]["document"], alone);
        }
        assert_eq!(
            ad_break("", "<AdSource><CustomAdData/></AdSource>")["ad_source"]["kind"],
            "custom"
        );
        assert_eq!(
            ad_break("", "<AdSource/>")["ad_source"]["kind"],
            Value::Null
        );
    }
}
