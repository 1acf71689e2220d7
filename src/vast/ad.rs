//! One `Ad`: in-line, wrapper or neither.
//!
//! Sources: VAST 4.3 sections 3.3, 3.4, 3.19.

use super::reader::Reader;
use super::{Ad, AdKind, Wrapper, creative, value};

/// Reads an `Ad` element.
///
/// One that holds neither `InLine` nor `Wrapper`, or both, is [`AdKind::Broken`]: it keeps only what is
/// needed to report it. Of two of one kind the first counts.
pub(super) fn read(reader: &mut Reader, node: usize) -> Ad {
    let mut ad = Ad {
        id: reader.attribute_text(node, "id"),
        sequence: reader.attribute_as(node, "sequence", value::number),
        kind: AdKind::Broken,
        ad_system: None,
        title: None,
        impressions: Vec::new(),
        errors: Vec::new(),
        creatives: Vec::new(),
        at: reader.place(node),
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
        }
    }
    match (inline, wrapper) {
        (Some(inline), None) => {
            ad.kind = AdKind::Inline;
            Body { reader, ad: &mut ad, is_wrapper: false }.read(inline);
        }
        (None, Some(wrapper)) => {
            ad.kind = AdKind::Wrapper(redirection(reader, wrapper));
            Body { reader, ad: &mut ad, is_wrapper: true }.read(wrapper);
        }
        (Some(inline), Some(wrapper)) => {
            let text =
                "\"Ad\" holds both \"InLine\" and \"Wrapper\"; due was one of them, the ad is unusable";
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
            "AdSystem" if ad.ad_system.is_none() => ad.ad_system = some_text(reader, child),
            "AdTitle" if ad.title.is_none() => ad.title = some_text(reader, child),
            _ => {}
        }
    }
}

fn some_text(reader: &mut Reader, node: usize) -> Option<std::sync::Arc<str>> {
    let text = reader.text(node);
    (!text.is_empty()).then(|| text.into())
}

/// The attributes of a `Wrapper`; its address is found among its children.
fn redirection(reader: &mut Reader, node: usize) -> Wrapper {
    let boolean = value::boolean;
    Wrapper {
        tag_uri: None,
        follow_additional_wrappers: reader
            .attribute_as(node, "followAdditionalWrappers", boolean)
            .unwrap_or(true),
        allow_multiple_ads: reader.attribute_as(node, "allowMultipleAds", boolean).unwrap_or(false),
        fallback_on_no_ad: reader.attribute_as(node, "fallbackOnNoAd", boolean),
    }
}

/// What `InLine` and `Wrapper` have in common.
struct Body<'r, 't> {
    reader: &'r mut Reader<'t>,
    ad: &'r mut Ad,
    is_wrapper: bool,
}

impl Body<'_, '_> {
    fn read(mut self, node: usize) {
        let mut has_impression = false;
        let mut has_uri = false;
        for child in self.reader.elements(node) {
            let name = self.reader.name(child);
            match name {
                "AdSystem" if self.ad.ad_system.is_none() => {
                    self.ad.ad_system = some_text(self.reader, child);
                }
                "AdTitle" if self.ad.title.is_none() => self.ad.title = some_text(self.reader, child),
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
                _ => {}
            }
        }
        let at = self.reader.at(node);
        if self.is_wrapper {
            if !has_uri {
                let text = "\"Wrapper\" has no \"VASTAdTagURI\"; it leads nowhere";
                self.reader.warn(at, "tag-uri-missing", text);
            }
            return;
        }
        if self.ad.ad_system.is_none() {
            self.reader.warn(at, "ad-system-missing", "\"InLine\" does not say its \"AdSystem\"");
        }
        if self.ad.title.is_none() {
            self.reader.warn(at, "ad-title-missing", "\"InLine\" does not say its \"AdTitle\"");
        }
        if !has_impression {
            self.reader.warn(
                at,
                "impression-missing",
                "\"InLine\" has no \"Impression\"; played all the same",
            );
        }
        if self.ad.creatives.is_empty() {
            self.reader.warn(
                at,
                "creatives-missing",
                "\"InLine\" has no \"Creative\"; nothing in it can be played",
            );
        }
    }

    fn creatives(&mut self, node: usize) {
        for child in self.reader.elements(node) {
            if self.reader.name(child) == "Creative" {
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
