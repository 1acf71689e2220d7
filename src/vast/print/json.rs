//! A document as JSON.
//!
//! The views below are the contract: every key always stands, in this order; what a document does not say
//! is `null` or an empty list. Offsets are written as VAST writes them, `00:00:05` or `25%`.

mod breaks;

use serde::Serialize;

use super::super::value::offset_text;
use super::super::{Ad, AdKind, Clicks, Creative, CreativeKind, Document, Linear, MediaFile, Tracking, Url};
use super::root_name;
use crate::place::Place;

/// The document as one JSON object, indented, without a line feed at its end.
///
/// The name stands nowhere in it: its places are numbers. It is taken so that both forms are called alike.
#[must_use]
pub fn json(_name: &str, document: &Document) -> String {
    serde_json::to_string_pretty(&self::document(document))
        .expect("texts and numbers can always be written as JSON")
}

fn document(document: &Document) -> DocumentView<'_> {
    DocumentView {
        root: root_name(&document.root),
        version: document.version.as_deref(),
        error_urls: texts(&document.error_urls),
        ads: document.ads.iter().map(ad).collect(),
        breaks: document.breaks.iter().map(breaks::ad_break).collect(),
        warnings: document.warnings.iter().map(|it| note(it.code, &it.text, it.at)).collect(),
        errors: document.fault.iter().map(|it| note(it.code, &it.text, it.at)).collect(),
    }
}

#[derive(Serialize)]
struct DocumentView<'a> {
    root: Option<&'a str>,
    version: Option<&'a str>,
    error_urls: Vec<&'a str>,
    ads: Vec<AdView<'a>>,
    breaks: Vec<breaks::BreakView<'a>>,
    warnings: Vec<NoteView<'a, &'static str>>,
    errors: Vec<NoteView<'a, u16>>,
}

#[derive(Serialize)]
struct NoteView<'a, Code> {
    code: Code,
    text: &'a str,
    line: u32,
    column: u32,
}

#[derive(Serialize)]
struct AdView<'a> {
    id: Option<&'a str>,
    sequence: Option<u32>,
    kind: &'static str,
    ad_system: Option<&'a str>,
    title: Option<&'a str>,
    impressions: Vec<&'a str>,
    errors: Vec<&'a str>,
    tag_uri: Option<&'a str>,
    follow_additional_wrappers: Option<bool>,
    allow_multiple_ads: Option<bool>,
    fallback_on_no_ad: Option<bool>,
    creatives: Vec<CreativeView<'a>>,
}

#[derive(Serialize)]
struct CreativeView<'a> {
    kind: &'static str,
    id: Option<&'a str>,
    sequence: Option<u32>,
    duration_us: Option<u64>,
    skip_offset: Option<String>,
    media_files: Vec<MediaFileView<'a>>,
    tracking: Vec<TrackingView<'a>>,
    clicks: ClicksView<'a>,
    icons: usize,
}

#[derive(Serialize)]
struct MediaFileView<'a> {
    url: &'a str,
    r#type: Option<&'a str>,
    delivery: Option<&'a str>,
    width: Option<u32>,
    height: Option<u32>,
    bitrate: Option<u32>,
    api_framework: Option<&'a str>,
}

#[derive(Serialize)]
struct TrackingView<'a> {
    event: &'a str,
    url: &'a str,
    offset: Option<String>,
}

#[derive(Serialize, Default)]
struct ClicksView<'a> {
    through: Option<&'a str>,
    tracking: Vec<&'a str>,
    custom: Vec<&'a str>,
}

fn texts(urls: &[Url]) -> Vec<&str> {
    urls.iter().map(|url| &*url.text).collect()
}

fn note<Code>(code: Code, text: &str, at: Place) -> NoteView<'_, Code> {
    NoteView { code, text, line: at.line, column: at.column }
}

fn ad(ad: &Ad) -> AdView<'_> {
    let (kind, wrapper) = match &ad.kind {
        AdKind::Inline => ("inline", None),
        AdKind::Wrapper(wrapper) => ("wrapper", Some(wrapper)),
        AdKind::Broken => ("broken", None),
    };
    AdView {
        id: ad.id.as_deref(),
        sequence: ad.sequence,
        kind,
        ad_system: ad.ad_system.as_deref(),
        title: ad.title.as_deref(),
        impressions: texts(&ad.impressions),
        errors: texts(&ad.errors),
        tag_uri: wrapper.and_then(|wrapper| wrapper.tag_uri.as_ref()).map(|uri| &*uri.text),
        follow_additional_wrappers: wrapper.map(|wrapper| wrapper.follow_additional_wrappers),
        allow_multiple_ads: wrapper.map(|wrapper| wrapper.allow_multiple_ads),
        fallback_on_no_ad: wrapper.and_then(|wrapper| wrapper.fallback_on_no_ad),
        creatives: ad.creatives.iter().map(creative).collect(),
    }
}

fn creative(creative: &Creative) -> CreativeView<'_> {
    let empty = |kind| CreativeView {
        kind,
        id: creative.id.as_deref(),
        sequence: creative.sequence,
        duration_us: None,
        skip_offset: None,
        media_files: Vec::new(),
        tracking: Vec::new(),
        clicks: ClicksView::default(),
        icons: 0,
    };
    match &creative.kind {
        CreativeKind::Linear(linear) => fill_linear(empty("linear"), linear),
        CreativeKind::NonLinear(nonlinear) => CreativeView {
            duration_us: nonlinear.min_suggested_duration().map(|span| span.micros()),
            skip_offset: nonlinear.skip_offset.map(offset_text),
            tracking: trackers(&nonlinear.tracking),
            clicks: nonlinear.clicks().map(clicks).unwrap_or_default(),
            ..empty("nonlinear")
        },
        CreativeKind::Companions(_) => empty("companions"),
        CreativeKind::Empty => empty("empty"),
    }
}

fn fill_linear<'a>(empty: CreativeView<'a>, linear: &'a Linear) -> CreativeView<'a> {
    CreativeView {
        duration_us: linear.duration.map(|span| span.micros()),
        skip_offset: linear.skip_offset.map(offset_text),
        media_files: linear.media_files.iter().map(media_file).collect(),
        tracking: trackers(&linear.tracking),
        clicks: clicks(&linear.clicks),
        icons: linear.icons.len(),
        ..empty
    }
}

fn clicks(clicks: &Clicks) -> ClicksView<'_> {
    ClicksView {
        through: clicks.through.as_ref().map(|url| &*url.text),
        tracking: texts(&clicks.tracking),
        custom: texts(&clicks.custom),
    }
}

fn media_file(file: &MediaFile) -> MediaFileView<'_> {
    MediaFileView {
        url: &file.url,
        r#type: file.mime.as_deref(),
        delivery: file.delivery.as_deref(),
        width: file.width,
        height: file.height,
        bitrate: file.bitrate,
        api_framework: file.api_framework.as_deref(),
    }
}

fn trackers<'a>(tracking: &'a [Tracking]) -> Vec<TrackingView<'a>> {
    let view = |it: &'a Tracking| TrackingView {
        event: &it.event,
        url: &it.url.text,
        offset: it.offset.map(offset_text),
    };
    tracking.iter().map(view).collect()
}
