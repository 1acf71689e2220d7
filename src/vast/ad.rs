//! One `Ad`: in-line, wrapper or neither.
//!
//! Sources: VAST 4.3 sections 3.3, 3.4, 3.19.

use super::reader::Reader;
use super::value::Taken;
use super::{
    Ad, AdKind, AdType, Category, Children, Pricing, Survey, Wrapper, carrier, creative, extension, value,
    verification,
};
use crate::time::Span;

/// Reads an `Ad` element.
///
/// One that holds neither `InLine` nor `Wrapper`, or both, is [`AdKind::Broken`]: it keeps only what is
/// needed to report it. Of two of one kind the first counts.
pub(super) fn read(reader: &mut Reader, node: usize) -> Ad {
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
        reader.warn_newer(reader.at(node), "attribute \"sequence\" of \"Ad\"", 30);
    }
    let (mut inline, mut wrapper) = (None, None);
    for child in reader.elements(node) {
        let (slot, name) = match reader.name(child) {
            "InLine" => (&mut inline, "InLine"),
            "Wrapper" => (&mut wrapper, "Wrapper"),
            "Error" => {
                reader.warn(
                    reader.at(child),
                    "error-misplaced",
                    "\"Error\" right inside \"Ad\"; taken as the ad's",
                );
                reader.urls(child, "Error", &mut ad.errors);
                continue;
            }
            _ => continue,
        };
        if slot.is_none() {
            *slot = Some(child);
        } else {
            reader.warn(
                reader.at(child),
                "element-twice",
                format!("a second \"{name}\" in one \"Ad\"; passed over"),
            );
            reader.pass(child);
        }
    }
    match (inline, wrapper) {
        (Some(inline), None) => {
            ad.kind = AdKind::Inline;
            Body { reader, ad: &mut ad, is_wrapper: false, extensions: Vec::new() }.read(inline);
        }
        (None, Some(wrapper)) => {
            ad.kind = AdKind::Wrapper(redirection(reader, wrapper));
            Body { reader, ad: &mut ad, is_wrapper: true, extensions: Vec::new() }.read(wrapper);
        }
        (Some(inline), Some(wrapper)) => {
            let text =
                "\"Ad\" holds both \"InLine\" and \"Wrapper\"; due was one of them, the ad is unusable";
            ad.kind = AdKind::Broken(Children::Both);
            reader.warn(reader.at(node), "ad-both-children", text);
            report_only(reader, &mut ad, inline);
            report_only(reader, &mut ad, wrapper);
        }
        (None, None) => {
            let text = "\"Ad\" holds neither \"InLine\" nor \"Wrapper\"; the ad is unusable";
            reader.warn(reader.at(node), "ad-no-child", text);
        }
    }
    ad
}

/// Where an unusable ad is to be reported.
fn report_only(reader: &mut Reader, ad: &mut Ad, node: usize) {
    for child in reader.elements(node) {
        match reader.name(child) {
            "Error" => reader.urls(child, "Error", &mut ad.errors),
            "AdSystem" if ad.ad_system.is_none() => ad.ad_system = reader.some_text(child),
            "AdTitle" if ad.title.is_none() => ad.title = reader.some_text(child),
            _ => {}
        }
    }
    reader.pass(node);
}

/// The attributes of a `Wrapper`; its address is found among its children.
fn redirection(reader: &mut Reader, node: usize) -> Wrapper {
    let boolean = value::boolean;
    Wrapper {
        follow_additional_wrappers: reader
            .attribute_as(node, "followAdditionalWrappers", boolean)
            .unwrap_or(true),
        allow_multiple_ads: reader.attribute_as(node, "allowMultipleAds", boolean).unwrap_or(false),
        fallback_on_no_ad: reader.attribute_as(node, "fallbackOnNoAd", boolean),
        ..Wrapper::default()
    }
}

/// What `InLine` and `Wrapper` have in common.
struct Body<'r, 't> {
    reader: &'r mut Reader<'t>,
    ad: &'r mut Ad,
    is_wrapper: bool,
    /// The `Extension` elements.
    extensions: Vec<usize>,
}

impl Body<'_, '_> {
    fn read(mut self, node: usize) {
        let mut has_impression = false;
        let mut has_uri = false;
        for child in self.reader.elements(node) {
            let name = self.reader.name(child);
            match name {
                "Impression" => {
                    has_impression = true;
                    self.reader.urls(child, "Impression", &mut self.ad.impressions);
                }
                "Error" => self.reader.urls(child, "Error", &mut self.ad.errors),
                "Creatives" => self.creatives(child),
                "VASTAdTagURI" | "VASTAdTagURL" if self.is_wrapper => {
                    self.tag_uri(child, name, has_uri);
                    has_uri = true;
                }
                _ => self.about(child, name),
            }
        }
        let extensions = std::mem::take(&mut self.extensions);
        carrier::of_ad(self.reader, &extensions, self.ad);
        let at = self.reader.at(node);
        if self.is_wrapper {
            if !has_uri {
                let text = "\"Wrapper\" has no \"VASTAdTagURI\"; it leads nowhere";
                self.reader.warn(at, "tag-uri-missing", text);
            }
            return;
        }
        self.warn_of_missing(at, has_impression);
    }

    /// Reads what is said about the ad as a whole; of two of one kind the first counts.
    fn about(&mut self, node: usize, name: &'static str) {
        let (reader, ad) = (&mut *self.reader, &mut *self.ad);
        match name {
            "AdSystem" if ad.ad_system.is_none() => {
                ad.ad_system_version = reader.attribute_text(node, "version");
                ad.ad_system = reader.some_text(node);
            }
            "AdTitle" if ad.title.is_none() => ad.title = reader.some_text(node),
            "AdServingId" if ad.serving_id.is_none() => ad.serving_id = reader.some_text(node),
            "Description" if ad.description.is_none() => ad.description = reader.some_text(node),
            "Advertiser" if ad.advertiser.is_none() => {
                ad.advertiser_id = reader.attribute_text(node, "id");
                ad.advertiser = reader.some_text(node);
            }
            "Pricing" if ad.pricing.is_none() => ad.pricing = pricing(reader, node),
            "Survey" if ad.survey.is_none() => {
                let mime = reader.attribute_text(node, "type");
                ad.survey = reader.url(node, "Survey").map(|url| Survey { url, mime });
            }
            "Expires" if ad.expires.is_none() => ad.expires = expires(reader, node),
            "Category" => ad.categories.extend(category(reader, node, "Category")),
            "BlockedAdCategories" => {
                if let AdKind::Wrapper(wrapper) = &mut ad.kind {
                    wrapper.blocked_categories.extend(category(reader, node, "BlockedAdCategories"));
                }
            }
            "ViewableImpression" if ad.viewable.is_none() => {
                ad.viewable = Some(verification::viewable(reader, node));
            }
            "AdVerifications" => verification::read(reader, node, false, &mut ad.verifications),
            "Extensions" => {
                extension::read(reader, node, &mut ad.extensions, |it| self.extensions.push(it));
            }
            _ => {}
        }
    }

    fn warn_of_missing(&mut self, at: usize, has_impression: bool) {
        let mut warn = |code, text: &'static str| self.reader.warn(at, code, text);
        if self.ad.ad_system.is_none() {
            warn("ad-system-missing", "\"InLine\" does not say its \"AdSystem\"");
        }
        if self.ad.title.is_none() {
            warn("ad-title-missing", "\"InLine\" does not say its \"AdTitle\"");
        }
        if !has_impression {
            warn("impression-missing", "\"InLine\" has no \"Impression\"; played all the same");
        }
        if self.ad.creatives.is_empty() {
            warn("creatives-missing", "\"InLine\" has no \"Creative\"; nothing in it can be played");
        }
    }

    fn creatives(&mut self, node: usize) {
        for child in self.reader.elements(node) {
            if self.reader.name(child) == "Creative" {
                if !self.reader.room(child) {
                    return;
                }
                self.ad.creatives.push(creative::read(self.reader, child, self.is_wrapper));
            }
        }
    }

    fn tag_uri(&mut self, node: usize, name: &'static str, is_second: bool) {
        let at = self.reader.at(node);
        if is_second {
            self.reader.warn(
                at,
                "element-twice",
                format!("a second \"{name}\" in one \"Wrapper\"; passed over"),
            );
            self.reader.pass(node);
            return;
        }
        if name == "VASTAdTagURL" {
            self.reader.warn(at, "legacy-tag-name", "element \"VASTAdTagURL\"; taken as \"VASTAdTagURI\"");
        }
        if let AdKind::Wrapper(wrapper) = &mut self.ad.kind {
            wrapper.tag_uri = self.reader.url(node, name);
        }
    }
}

fn ad_type(text: &str) -> Taken<AdType> {
    let known = [AdType::Video, AdType::Audio, AdType::Hybrid];
    match known.into_iter().find(|it| it.word().eq_ignore_ascii_case(text)) {
        Some(found) if found.word() == text => Taken::plain(found),
        Some(found) => {
            let how = format!("taken as \"{}\"", found.word());
            Taken::odd(found, "letter-case", how)
        }
        None => {
            let how = "none of \"video\", \"audio\", \"hybrid\", kept as written";
            Taken::odd(AdType::Other(text.into()), "ad-type-unknown", how)
        }
    }
}

fn pricing(reader: &mut Reader, node: usize) -> Option<Pricing> {
    let model = reader.attribute_text(node, "model");
    let currency = reader.attribute_text(node, "currency");
    let value = reader.some_text(node);
    let Some(value) = value else {
        reader.warn(reader.at(node), "pricing-empty", "\"Pricing\" holds no price");
        return None;
    };
    Some(Pricing { value, model, currency, at: reader.place(node) })
}

/// `Expires` is a whole number of seconds.
fn expires(reader: &mut Reader, node: usize) -> Option<Span> {
    let (text, at) = (reader.text(node), reader.at(node));
    let seconds = reader.taken(value::number(&text), "Expires", &text, at)?;
    Some(Span::from_secs(u64::from(seconds)))
}

fn category(reader: &mut Reader, node: usize, name: &'static str) -> Option<Category> {
    let authority = reader.attribute_text(node, "authority");
    let Some(text) = reader.some_text(node) else {
        reader.warn(reader.at(node), "category-empty", format!("\"{name}\" names no category"));
        return None;
    };
    if authority.is_none() {
        let text =
            format!("\"{name}\" does not say its \"authority\"; compared with those that do not either");
        reader.warn(reader.at(node), "authority-missing", text);
    }
    Some(Category { authority, text, at: reader.place(node) })
}
