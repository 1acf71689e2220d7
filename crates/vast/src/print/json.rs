//! Prints a document as JSON.
//!
//! The views below are the contract, together with the parts of the model that are serialised
//! directly. Every key is always present; what a document does not specify is `null` or an empty
//! list. Offsets are written as in VAST, `00:00:05` or `25%`; places are `line:column`.

mod breaks;

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;

use super::super::value::offset_text;
use super::super::{
    Ad, AdKind, AdParameters, AdType, CaptionFile, Category, Clicks, Companion, CompanionAds,
    Creative, CreativeKind, Document, Extension, Fault, Icon, InteractiveFile, Linear, MediaFile,
    NonLinear, Pricing, Required, Survey, Tracking, UniversalAdId, Url, Verification, Viewable,
};
use super::root_name;
use playsim_base::escape;
use playsim_base::place::Place;

/// Returns the document as one indented JSON object, without a line feed at the end.
///
/// The name is unused, since places are numbers. It is a parameter so that both formats are called
/// alike.
#[must_use]
pub fn json(_name: &str, document: &Document) -> String {
    written(&self::document(document))
}

/// Returns the same object with one key before all others.
#[must_use]
pub fn json_with(key: &str, value: &impl Serialize, document: &Document) -> String {
    written(&With {
        first: BTreeMap::from([(key, value)]),
        document: self::document(document),
    })
}

fn written(object: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(object)
        .expect("strings and numbers can always be written as JSON");
    escape::json(&text).into_owned()
}

#[derive(Serialize)]
struct With<'a, T: Serialize> {
    #[serde(flatten)]
    first: BTreeMap<&'a str, &'a T>,
    #[serde(flatten)]
    document: DocumentView<'a>,
}

fn document(document: &Document) -> DocumentView<'_> {
    let error = |fault: Fault| NoteView {
        code: fault.code,
        text: Cow::Owned(fault.text.to_string()),
        line: fault.at.line,
        column: fault.at.column,
    };
    DocumentView {
        root: root_name(&document.root),
        version: document.version.as_deref(),
        error_urls: texts(&document.error_urls),
        ads: document.ads.iter().map(ad).collect(),
        breaks: document.breaks.iter().map(breaks::ad_break).collect(),
        extensions: &document.extensions,
        warnings: document
            .warnings
            .iter()
            .map(|it| note(it.code.word(), &it.text, it.at))
            .collect(),
        errors: document.faults().map(error).collect(),
    }
}

#[derive(Serialize)]
struct DocumentView<'a> {
    root: Option<&'a str>,
    version: Option<&'a str>,
    error_urls: Vec<&'a str>,
    ads: Vec<AdView<'a>>,
    breaks: Vec<breaks::BreakView<'a>>,
    extensions: &'a [Extension],
    warnings: Vec<NoteView<'a, &'static str>>,
    errors: Vec<NoteView<'a, u16>>,
}

#[derive(Serialize)]
struct NoteView<'a, Code> {
    code: Code,
    text: Cow<'a, str>,
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
    at: String,
    ad_type: Option<&'a str>,
    conditional_ad: Option<bool>,
    ad_system_version: Option<&'a str>,
    serving_id: Option<&'a str>,
    description: Option<&'a str>,
    advertiser: Option<&'a str>,
    advertiser_id: Option<&'a str>,
    pricing: Option<&'a Pricing>,
    survey: Option<&'a Survey>,
    expires_us: Option<u64>,
    categories: &'a [Category],
    blocked_categories: &'a [Category],
    impression_ids: Vec<Option<&'a str>>,
    viewable: Option<&'a Viewable>,
    verifications: &'a [Verification],
    extensions: &'a [Extension],
}

#[derive(Serialize, Default)]
struct CreativeView<'a> {
    kind: &'static str,
    id: Option<&'a str>,
    sequence: Option<u32>,
    duration_us: Option<u64>,
    skip_offset: Option<String>,
    media_files: &'a [MediaFile],
    tracking: &'a [Tracking],
    clicks: Cow<'a, Clicks>,
    /// The number of icons; `icon_list` holds them.
    icons: usize,
    at: Option<String>,
    ad_id: Option<&'a str>,
    api_framework: Option<&'a str>,
    universal_ids: &'a [UniversalAdId],
    ad_parameters: Option<&'a AdParameters>,
    mezzanines: &'a [MediaFile],
    interactive_files: &'a [InteractiveFile],
    captions: &'a [CaptionFile],
    icon_list: &'a [Icon],
    overlays: &'a [NonLinear],
    required: Option<Required>,
    companions: &'a [Companion],
    also: Vec<CreativeView<'a>>,
    extensions: Vec<&'a Extension>,
}

fn texts(urls: &[Url]) -> Vec<&str> {
    urls.iter().map(|url| &*url.text).collect()
}

fn note<Code>(code: Code, text: &str, at: Place) -> NoteView<'_, Code> {
    NoteView {
        code,
        text: Cow::Borrowed(text),
        line: at.line,
        column: at.column,
    }
}

fn ad(ad: &Ad) -> AdView<'_> {
    let (kind, wrapper) = match &ad.kind {
        AdKind::Inline => ("inline", None),
        AdKind::Wrapper(wrapper) => ("wrapper", Some(wrapper)),
        AdKind::Broken(_) => ("broken", None),
    };
    AdView {
        id: ad.id.as_deref(),
        sequence: ad.sequence,
        kind,
        ad_system: ad.ad_system.as_deref(),
        title: ad.title.as_deref(),
        impressions: texts(&ad.impressions),
        errors: texts(&ad.errors),
        tag_uri: wrapper
            .and_then(|wrapper| wrapper.tag_uri.as_ref())
            .map(|uri| &*uri.text),
        follow_additional_wrappers: wrapper.map(|wrapper| wrapper.follow_additional_wrappers),
        allow_multiple_ads: wrapper.map(|wrapper| wrapper.allow_multiple_ads),
        fallback_on_no_ad: wrapper.and_then(|wrapper| wrapper.fallback_on_no_ad),
        creatives: ad.creatives.iter().map(creative).collect(),
        at: ad.at.to_string(),
        ad_type: ad.ad_type.as_ref().map(AdType::word),
        conditional_ad: ad.conditional,
        ad_system_version: ad.ad_system_version.as_deref(),
        serving_id: ad.serving_id.as_deref(),
        description: ad.description.as_deref(),
        advertiser: ad.advertiser.as_deref(),
        advertiser_id: ad.advertiser_id.as_deref(),
        pricing: ad.pricing.as_ref(),
        survey: ad.survey.as_ref(),
        expires_us: ad.expires.map(|span| span.micros()),
        categories: &ad.categories,
        blocked_categories: wrapper.map_or(&[], |wrapper| &wrapper.blocked_categories),
        impression_ids: ad.impressions.iter().map(|url| url.id.as_deref()).collect(),
        viewable: ad.viewable.as_ref(),
        verifications: &ad.verifications,
        extensions: &ad.extensions,
    }
}

fn creative(creative: &Creative) -> CreativeView<'_> {
    let mut view = of_kind(&creative.kind);
    view.id = creative.id.as_deref();
    view.sequence = creative.sequence;
    view.at = Some(creative.at.to_string());
    view.ad_id = creative.ad_id.as_deref();
    view.api_framework = creative.api_framework.as_deref();
    view.universal_ids = &creative.universal_ids;
    view.also = creative.also.iter().map(of_kind).collect();
    view.extensions.extend(&creative.extensions);
    view
}

fn of_kind(kind: &CreativeKind) -> CreativeView<'_> {
    match kind {
        CreativeKind::Linear(it) => linear(it),
        CreativeKind::NonLinear(overlays) => CreativeView {
            kind: "nonlinear",
            duration_us: overlays.min_suggested_duration().map(|span| span.micros()),
            skip_offset: overlays.skip_offset.map(offset_text),
            tracking: &overlays.tracking,
            clicks: overlays.clicks().map(Cow::Borrowed).unwrap_or_default(),
            icons: overlays.icons.len(),
            icon_list: &overlays.icons,
            overlays: &overlays.choices,
            ..CreativeView::default()
        },
        CreativeKind::Companions(CompanionAds {
            required,
            companions,
            at: _,
        }) => CreativeView {
            kind: "companions",
            required: *required,
            companions,
            ..CreativeView::default()
        },
        CreativeKind::Empty => CreativeView {
            kind: "empty",
            ..CreativeView::default()
        },
    }
}

fn linear(linear: &Linear) -> CreativeView<'_> {
    CreativeView {
        kind: "linear",
        duration_us: linear.duration.map(|span| span.micros()),
        skip_offset: linear.skip_offset.map(offset_text),
        media_files: &linear.media_files,
        tracking: &linear.tracking,
        clicks: Cow::Borrowed(&linear.clicks),
        icons: linear.icons.len(),
        ad_parameters: linear.ad_parameters.as_ref(),
        mezzanines: &linear.mezzanines,
        interactive_files: &linear.interactive_files,
        captions: &linear.captions,
        icon_list: &linear.icons,
        extensions: linear.extensions.iter().collect(),
        ..CreativeView::default()
    }
}
