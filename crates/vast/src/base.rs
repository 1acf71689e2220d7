//! Resolves the relative URLs of a document.
//!
//! Rule CHN-11; RFC 3986 section 5.

use std::sync::Arc;

use super::vmap::AdSourceKind;
use super::{
    Ad, AdKind, Clicks, Companion, Creative, CreativeKind, Document, Icon, InteractiveFile, Linear,
    MediaFile, NonLinear, NonLinearAds, Resource, ResourceKind, Tracking, Url, Verification,
    address,
};

/// A relative URL that was resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Resolved {
    /// The URL as written in the document.
    pub written: Arc<str>,
    /// The URL that is requested, before macro expansion.
    pub address: Arc<str>,
}

/// The URLs of a document that are resolved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UrlScope {
    /// All of them.
    All,
    /// Those of further documents: `VASTAdTagURI` and `AdTagURI`.
    Documents,
}

/// Visits every URL of a document.
struct Walk<'a> {
    base: &'a str,
    scope: UrlScope,
    found: Vec<Resolved>,
    /// Whether there was a relative URL, even if it could not be resolved against this base.
    has_relative: bool,
}

impl Document {
    /// Resolves its relative URLs, and those of embedded documents, against the URL of the
    /// document.
    ///
    /// Returns the URLs that changed; see [`resolve`](super::resolve) for those that stay as
    /// written.
    ///
    /// Rule CHN-11.
    pub fn resolve(&mut self, base: &str) -> Vec<Resolved> {
        self.resolve_at(base, UrlScope::All).0
    }

    /// Resolves the URLs of this scope; also returns whether another base could have another
    /// result.
    pub fn resolve_at(&mut self, base: &str, scope: UrlScope) -> (Vec<Resolved>, bool) {
        let mut walk = Walk {
            base,
            scope,
            found: Vec::new(),
            has_relative: false,
        };
        walk.document(self);
        (walk.found, walk.has_relative)
    }
}

impl Walk<'_> {
    fn document(&mut self, document: &mut Document) {
        self.urls(&mut document.error_urls);
        document.ads.iter_mut().for_each(|ad| self.ad(ad));
        for found in &mut document.breaks {
            self.trackers(&mut found.tracking);
            match found.source.as_mut().map(|source| &mut source.kind) {
                Some(AdSourceKind::Tag { uri: Some(uri), .. }) => self.document_url(uri),
                Some(
                    AdSourceKind::Vast(document)
                    | AdSourceKind::Custom {
                        document: Some(document),
                        ..
                    },
                ) => {
                    self.document(Arc::make_mut(document));
                }
                Some(
                    AdSourceKind::Tag { uri: None, .. }
                    | AdSourceKind::Custom { document: None, .. }
                    | AdSourceKind::Empty,
                )
                | None => {}
            }
        }
    }

    fn ad(&mut self, ad: &mut Ad) {
        if let AdKind::Wrapper(wrapper) = &mut ad.kind {
            wrapper
                .tag_uri
                .iter_mut()
                .for_each(|uri| self.document_url(uri));
        }
        ad.survey
            .iter_mut()
            .for_each(|survey| self.url(&mut survey.url));
        self.urls(&mut ad.impressions);
        self.urls(&mut ad.errors);
        if let Some(viewable) = &mut ad.viewable {
            self.urls(&mut viewable.viewable);
            self.urls(&mut viewable.not_viewable);
            self.urls(&mut viewable.undetermined);
        }
        ad.verifications
            .iter_mut()
            .for_each(|it| self.verification(it));
        ad.creatives.iter_mut().for_each(|it| self.creative(it));
    }

    fn verification(&mut self, verification: &mut Verification) {
        verification
            .resources
            .iter_mut()
            .for_each(|resource| self.url(&mut resource.url));
        verification
            .viewable
            .iter_mut()
            .for_each(|url| self.url(url));
        self.trackers(&mut verification.tracking);
    }

    fn creative(&mut self, creative: &mut Creative) {
        for kind in [&mut creative.kind].into_iter().chain(&mut creative.also) {
            match kind {
                CreativeKind::Linear(linear) => self.linear(linear),
                CreativeKind::NonLinear(overlays) => self.overlays(overlays),
                CreativeKind::Companions(ads) => {
                    ads.companions.iter_mut().for_each(|it| self.companion(it))
                }
                CreativeKind::Empty => {}
            }
        }
    }

    fn linear(&mut self, linear: &mut Linear) {
        self.media(&mut linear.media_files);
        self.media(&mut linear.mezzanines);
        self.interactive(&mut linear.interactive_files);
        linear
            .captions
            .iter_mut()
            .for_each(|file| self.url(&mut file.url));
        self.trackers(&mut linear.tracking);
        self.clicks(&mut linear.clicks);
        linear.icons.iter_mut().for_each(|icon| self.icon(icon));
    }

    fn overlays(&mut self, overlays: &mut NonLinearAds) {
        overlays
            .choices
            .iter_mut()
            .for_each(|choice| self.choice(choice));
        self.trackers(&mut overlays.tracking);
        overlays.icons.iter_mut().for_each(|icon| self.icon(icon));
    }

    fn choice(&mut self, choice: &mut NonLinear) {
        self.resources(&mut choice.resources);
        self.clicks(&mut choice.clicks);
        self.media(&mut choice.media_files);
        self.media(&mut choice.mezzanines);
        self.interactive(&mut choice.interactive_files);
        choice
            .captions
            .iter_mut()
            .for_each(|file| self.url(&mut file.url));
    }

    fn companion(&mut self, companion: &mut Companion) {
        self.resources(&mut companion.resources);
        self.clicks(&mut companion.clicks);
        self.trackers(&mut companion.tracking);
    }

    fn icon(&mut self, icon: &mut Icon) {
        self.resources(&mut icon.resources);
        self.clicks(&mut icon.clicks);
        icon.fallback_images
            .iter_mut()
            .for_each(|image| self.resources(&mut image.resources));
        self.urls(&mut icon.view_tracking);
    }

    fn clicks(&mut self, clicks: &mut Clicks) {
        clicks.through.iter_mut().for_each(|url| self.url(url));
        self.urls(&mut clicks.tracking);
        self.urls(&mut clicks.custom);
    }

    fn media(&mut self, files: &mut [MediaFile]) {
        files.iter_mut().for_each(|file| self.any(&mut file.url));
    }

    fn interactive(&mut self, files: &mut [InteractiveFile]) {
        files.iter_mut().for_each(|file| self.url(&mut file.url));
    }

    fn resources(&mut self, resources: &mut [Resource]) {
        for resource in resources {
            match resource.kind {
                ResourceKind::Static | ResourceKind::IFrame => self.any(&mut resource.content),
                ResourceKind::Html => {}
            }
        }
    }

    fn trackers(&mut self, trackers: &mut [Tracking]) {
        trackers
            .iter_mut()
            .for_each(|tracking| self.url(&mut tracking.url));
    }

    fn urls(&mut self, urls: &mut [Url]) {
        urls.iter_mut().for_each(|url| self.url(url));
    }

    fn url(&mut self, url: &mut Url) {
        self.any(&mut url.text);
    }

    /// Visits a URL that does not point to a document.
    fn any(&mut self, text: &mut Arc<str>) {
        if self.scope == UrlScope::All {
            self.resolve(text);
        }
    }

    /// Visits a URL that points to another document.
    fn document_url(&mut self, url: &mut Url) {
        self.resolve(&mut url.text);
    }

    fn resolve(&mut self, text: &mut Arc<str>) {
        if !address::is_relative(text) {
            return;
        }
        self.has_relative = true;
        if let Some(address) = address::resolve_relative(self.base, text) {
            let address = Arc::from(address);
            let written = std::mem::replace(text, Arc::clone(&address));
            self.found.push(Resolved { written, address });
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    /// Every URL of the fixtures, made relative, is resolved: none is forgotten.
    #[test]
    fn every_url_of_a_document_is_resolved() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/vast");
        let mut changed = 0;
        for entry in folder.read_dir().expect("the fixtures are there") {
            let path = entry.expect("it can be read").path();
            if path.extension().is_none_or(|ending| ending != "xml") {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("it is UTF-8");
            let relative = text.replace("https://", "/");
            let mut document = crate::read(&relative);
            changed += document.resolve("https://base.test/x/tag").len();
            let left = format!("{document:?}");
            let is_url =
                |at: &usize| left[..*at].ends_with("text: ") || left[..*at].ends_with("url: ");
            let first = left.match_indices("\"/").map(|(at, _)| at).find(is_url);
            let around = first.map(|at| &left[at..(at + 60).min(left.len())]);
            assert_eq!(around, None, "{}", path.display());
        }
        assert!(changed > 200, "{changed}");
    }

    #[test]
    fn only_the_document_url_of_a_wrapper_changes() {
        let text = "<VAST version='3.0'><Ad><Wrapper><VASTAdTagURI>in.xml</VASTAdTagURI>\
            <Impression>i</Impression></Wrapper></Ad></VAST>";
        let changed = |scope| {
            let mut document = crate::read(text);
            document
                .resolve_at("https://a.test/x/", scope)
                .0
                .into_iter()
                .map(|it| it.address)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            changed(UrlScope::All),
            [
                "https://a.test/x/in.xml".into(),
                "https://a.test/x/i".into()
            ]
        );
        assert_eq!(
            changed(UrlScope::Documents),
            ["https://a.test/x/in.xml".into()]
        );
    }
}
