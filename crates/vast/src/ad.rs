//! One `Ad`: in-line, wrapper or unusable.
//!
//! Sources: VAST 4.3 sections 3.3, 3.4, 3.19.

use super::element::Element;
use super::reader::Reader;
use super::tree::NodeId;
use super::value::Taken;
use super::{
    Ad, AdKind, AdType, Category, Children, Pricing, Survey, WarningCode, Wrapper, carrier,
    creative, extension, value, verification,
};
use playsim_base::time::Span;

/// Reads an `Ad` element.
///
/// One that contains neither `InLine` nor `Wrapper`, or both, is [`AdKind::Broken`]: it keeps only
/// what is needed to report it. If one of them is repeated, the first is used.
pub(super) fn read(reader: &mut Reader, node: NodeId) -> Ad {
    reader.require(node);
    let mut ad = Ad {
        id: reader.attribute_text(node, "id"),
        sequence: reader.attribute_as(node, "sequence", value::number),
        ad_type: reader.attribute_as(node, "adType", ad_type),
        conditional: reader.attribute_as(node, "conditionalAd", value::boolean),
        kind: AdKind::Broken(Children::Neither),
        at: reader.place(node),
        ..Ad::default()
    };
    if ad.sequence.is_some() && reader.version < 30 {
        reader.warn_newer(node, "attribute \"sequence\" of \"Ad\"", 30);
    }
    let (mut inline, mut wrapper) = (None, None);
    for child in reader.elements(node) {
        let slot = match reader.element(child) {
            Some(Element::InLine) => &mut inline,
            Some(Element::Wrapper) => &mut wrapper,
            Some(Element::Error) => {
                reader.warn(
                    child,
                    WarningCode::ErrorMisplaced,
                    "\"Error\" is a direct child of \"Ad\"; used as an error URL of the ad",
                );
                reader.urls(child, &mut ad.errors);
                continue;
            }
            _ => continue,
        };
        if slot.is_none() {
            *slot = Some(child);
            ad.is_misnamed |= reader.is_misnamed(child);
        } else {
            reader.second(child, "Ad");
        }
    }
    match (inline, wrapper) {
        (Some(inline), None) => {
            ad.kind = AdKind::Inline;
            Body {
                reader,
                ad: &mut ad,
                is_wrapper: false,
                extensions: Vec::new(),
            }
            .read(inline);
        }
        (None, Some(wrapper)) => {
            ad.kind = AdKind::Wrapper(redirection(reader, wrapper));
            Body {
                reader,
                ad: &mut ad,
                is_wrapper: true,
                extensions: Vec::new(),
            }
            .read(wrapper);
        }
        (Some(inline), Some(wrapper)) => {
            let text = "\"Ad\" contains both \"InLine\" and \"Wrapper\"; expected one of them, the ad is unusable";
            ad.kind = AdKind::Broken(Children::Both);
            reader.warn(node, WarningCode::AdBothChildren, text);
            report_only(reader, &mut ad, inline);
            report_only(reader, &mut ad, wrapper);
        }
        (None, None) => {
            let text = "\"Ad\" contains neither \"InLine\" nor \"Wrapper\"; the ad is unusable";
            reader.warn(node, WarningCode::AdNoChild, text);
        }
    }
    ad
}

/// Reads only the parts of an unusable ad that are needed to report it.
fn report_only(reader: &mut Reader, ad: &mut Ad, node: NodeId) {
    for child in reader.elements(node) {
        match reader.element(child) {
            Some(Element::Error) => reader.urls(child, &mut ad.errors),
            Some(Element::AdSystem) if ad.ad_system.is_none() => {
                ad.ad_system = reader.some_text(child)
            }
            Some(Element::AdTitle) if ad.title.is_none() => ad.title = reader.some_text(child),
            _ => {}
        }
    }
    reader.pass(node);
}

/// Reads the attributes of a `Wrapper`. Its URL is read with its children.
fn redirection(reader: &mut Reader, node: NodeId) -> Wrapper {
    let boolean = value::boolean;
    Wrapper {
        follow_additional_wrappers: reader
            .attribute_as(node, "followAdditionalWrappers", boolean)
            .unwrap_or(true),
        allow_multiple_ads: reader
            .attribute_as(node, "allowMultipleAds", boolean)
            .unwrap_or(false),
        fallback_on_no_ad: reader.attribute_as(node, "fallbackOnNoAd", boolean),
        ..Wrapper::default()
    }
}

/// Reads an `InLine` or a `Wrapper`.
struct Body<'r, 't> {
    reader: &'r mut Reader<'t>,
    ad: &'r mut Ad,
    is_wrapper: bool,
    /// The `Extension` elements.
    extensions: Vec<NodeId>,
}

impl Body<'_, '_> {
    fn read(mut self, node: NodeId) {
        let mut has_impression = false;
        let mut has_uri = false;
        for child in self.reader.elements(node) {
            let element = self.reader.element(child);
            match element {
                Some(Element::Impression) => {
                    has_impression = true;
                    self.reader.urls(child, &mut self.ad.impressions);
                }
                Some(Element::Error) => self.reader.urls(child, &mut self.ad.errors),
                Some(Element::Creatives) => self.creatives(child),
                Some(Element::VastAdTagUri | Element::VastAdTagUrl) if self.is_wrapper => {
                    self.tag_uri(child, element, has_uri);
                    has_uri = true;
                }
                _ => self.about(child, element),
            }
        }
        let extensions = std::mem::take(&mut self.extensions);
        carrier::of_ad(self.reader, &extensions, self.ad);
        if self.is_wrapper {
            if !has_uri {
                let text = "\"Wrapper\" has no \"VASTAdTagURI\"; there is no document to load";
                self.reader.warn(node, WarningCode::TagUriMissing, text);
            }
            return;
        }
        self.warn_of_missing(node, has_impression);
    }

    /// Reads an element that describes the ad as a whole. If it is repeated, the first is used.
    fn about(&mut self, node: NodeId, element: Option<Element>) {
        let (reader, ad) = (&mut *self.reader, &mut *self.ad);
        match element {
            Some(Element::AdSystem) if ad.ad_system.is_none() => {
                ad.ad_system_version = reader.attribute_text(node, "version");
                ad.ad_system = reader.some_text(node);
            }
            Some(Element::AdTitle) if ad.title.is_none() => ad.title = reader.some_text(node),
            Some(Element::AdServingId) if ad.serving_id.is_none() => {
                ad.serving_id = reader.some_text(node)
            }
            Some(Element::Description) if ad.description.is_none() => {
                ad.description = reader.some_text(node)
            }
            Some(Element::Advertiser) if ad.advertiser.is_none() => {
                ad.advertiser_id = reader.attribute_text(node, "id");
                ad.advertiser = reader.some_text(node);
            }
            Some(Element::Pricing) if ad.pricing.is_none() => ad.pricing = pricing(reader, node),
            Some(Element::Survey) if ad.survey.is_none() => {
                let mime = reader.attribute_text(node, "type");
                ad.survey = reader.url(node).map(|url| Survey { url, mime });
            }
            Some(Element::Expires) if ad.expires.is_none() => ad.expires = expires(reader, node),
            Some(Element::Category) => ad.categories.extend(category(reader, node)),
            Some(Element::BlockedAdCategories) => {
                if let AdKind::Wrapper(wrapper) = &mut ad.kind {
                    wrapper.blocked_categories.extend(category(reader, node));
                }
            }
            Some(Element::ViewableImpression) if ad.viewable.is_none() => {
                ad.viewable = Some(verification::viewable(reader, node));
            }
            Some(Element::AdVerifications) => {
                verification::read(reader, node, false, &mut ad.verifications)
            }
            Some(Element::Extensions) => {
                extension::read(reader, node, &mut ad.extensions, |it| {
                    self.extensions.push(it)
                });
            }
            _ => {}
        }
    }

    fn warn_of_missing(&mut self, node: NodeId, has_impression: bool) {
        let mut warn = |code, text: &'static str| self.reader.warn(node, code, text);
        if self.ad.ad_system.is_none() {
            warn(
                WarningCode::AdSystemMissing,
                "\"InLine\" has no \"AdSystem\"",
            );
        }
        if self.ad.title.is_none() {
            warn(WarningCode::AdTitleMissing, "\"InLine\" has no \"AdTitle\"");
        }
        if !has_impression {
            warn(
                WarningCode::ImpressionMissing,
                "\"InLine\" has no \"Impression\"; played anyway",
            );
        }
        if self.ad.creatives.is_empty() {
            warn(
                WarningCode::CreativesMissing,
                "\"InLine\" has no \"Creative\"; nothing in it can be played",
            );
        }
    }

    fn creatives(&mut self, node: NodeId) {
        for child in self.reader.elements(node) {
            if self.reader.element(child) == Some(Element::Creative) {
                if !self.reader.room(child) {
                    return;
                }
                self.ad
                    .creatives
                    .push(creative::read(self.reader, child, self.is_wrapper));
            }
        }
    }

    fn tag_uri(&mut self, node: NodeId, element: Option<Element>, is_second: bool) {
        if is_second {
            return self.reader.second(node, "Wrapper");
        }
        if element == Some(Element::VastAdTagUrl) {
            let text = "element \"VASTAdTagURL\"; read as \"VASTAdTagURI\"";
            self.reader.warn(node, WarningCode::LegacyTagName, text);
        }
        if let AdKind::Wrapper(wrapper) = &mut self.ad.kind {
            wrapper.tag_uri = self.reader.url(node);
        }
    }
}

fn ad_type(text: &str) -> Taken<AdType> {
    let known = [AdType::Video, AdType::Audio, AdType::Hybrid];
    value::keyword(text, known, AdType::word).unwrap_or_else(|| {
        let how = "expected \"video\", \"audio\" or \"hybrid\", kept as written";
        Taken::odd(AdType::Other(text.into()), WarningCode::AdTypeUnknown, how)
    })
}

fn pricing(reader: &mut Reader, node: NodeId) -> Option<Pricing> {
    reader.require(node);
    let model = reader.attribute_text(node, "model");
    let currency = reader.attribute_text(node, "currency");
    let value = reader.some_text(node);
    let Some(value) = value else {
        reader.warn(
            node,
            WarningCode::PricingEmpty,
            "\"Pricing\" contains no price",
        );
        return None;
    };
    Some(Pricing {
        value,
        model,
        currency,
        at: reader.place(node),
    })
}

/// Reads an `Expires`: a whole number of seconds.
fn expires(reader: &mut Reader, node: NodeId) -> Option<Span> {
    let text = reader.text(node);
    let seconds = reader.taken(value::number(&text), "Expires", &text, reader.at(node))?;
    Some(Span::from_secs(u64::from(seconds)))
}

fn category(reader: &mut Reader, node: NodeId) -> Option<Category> {
    let name = reader.name(node);
    let authority = reader.attribute_text(node, "authority");
    let Some(text) = reader.some_text(node) else {
        reader.warn(
            node,
            WarningCode::CategoryEmpty,
            format!("\"{name}\" names no category"),
        );
        return None;
    };
    if authority.is_none() {
        let text = format!(
            "\"{name}\" has no \"authority\"; compared with categories that have none either"
        );
        reader.warn(node, WarningCode::AuthorityMissing, text);
    }
    Some(Category {
        authority,
        text,
        at: reader.place(node),
    })
}
