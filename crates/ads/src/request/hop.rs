//! A document of the chain that leads to an ad, and the trackers that it holds.
//!
//! Rules: BRK-3, REQ-5; VAST 4.3 sections 2.3.4, 3.14.

use std::sync::Arc;

use playsim_api::{BreakKind, Text, Value};
use playsim_base::place::Place;
use playsim_base::time::Span;
use playsim_vast::{
    Ad, AdKind, AdType, Category, Clicks, CompanionAds, Creative, CreativeKind, Document, Icon,
    Linear, NonLinear, NonLinearAds, Tracking,
};

/// A document of the chain that leads to an ad, and the ad in it.
#[derive(Debug, Clone, Hash)]
pub(crate) struct Hop {
    document: Arc<Document>,
    name: Arc<str>,
    ad: usize,
    /// The creative that is shown; `None` if all of them count, as in a wrapper.
    creative: Option<usize>,
    /// The index of the overlay that is shown; in a wrapper, the clicks of its first overlay count.
    choice: usize,
}

/// The index of a document in the chain, 0 for the one that the tag returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct HopIndex(pub(crate) usize);

/// The hops with their indices.
pub(crate) fn numbered(hops: &[Hop]) -> impl DoubleEndedIterator<Item = (HopIndex, &Hop)> {
    hops.iter()
        .enumerate()
        .map(|(index, hop)| (HopIndex(index), hop))
}

impl From<HopIndex> for Value {
    fn from(HopIndex(index): HopIndex) -> Value {
        index.into()
    }
}

/// The ad that a tracker belongs to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AdOfHop<'a> {
    pub(crate) hop: HopIndex,
    pub(crate) id: Option<&'a Arc<str>>,
}

impl Hop {
    /// The `Error` URLs of the document's root element.
    pub(crate) fn root_errors(&self) -> &[playsim_vast::Url] {
        &self.document.error_urls
    }

    /// Creates the hop for the ad with this index.
    pub(crate) fn new(document: &Arc<Document>, name: &Arc<str>, ad: usize) -> Hop {
        Hop {
            document: Arc::clone(document),
            name: Arc::clone(name),
            ad,
            creative: None,
            choice: 0,
        }
    }

    /// Limits the hop to one creative, which is shown.
    pub(crate) fn showing(mut self, creative: usize) -> Hop {
        self.creative = Some(creative);
        self
    }

    /// Sets which of the creative's overlays is shown.
    pub(crate) fn choosing(mut self, choice: usize) -> Hop {
        self.choice = choice;
        self
    }

    /// Returns the hop with all creatives of the ad.
    pub(crate) fn whole(&self) -> Hop {
        Hop {
            creative: None,
            ..self.clone()
        }
    }

    /// The ad.
    pub(crate) fn ad(&self) -> &Ad {
        &self.document.ads[self.ad]
    }

    /// The ad, for its trackers; `hop` is the index of this document.
    pub(crate) fn ad_at(&self, hop: HopIndex) -> AdOfHop<'_> {
        AdOfHop {
            hop,
            id: self.ad().id.as_ref(),
        }
    }

    /// The type of the ad; `video` by default. VAST 4.3 section 3.3.2.
    pub(crate) fn ad_type(&self) -> &str {
        self.ad().ad_type.as_ref().map_or("video", AdType::word)
    }

    /// The ad serving id. VAST 4.3 section 3.4.3.
    pub(crate) fn serving_id(&self) -> Option<&str> {
        self.ad().serving_id.as_deref()
    }

    /// Registry and id of the creatives that count, separated by a blank. VAST 4.3 section 3.7.1.
    pub(crate) fn universal_ids(&self) -> impl Iterator<Item = String> {
        let ids = self
            .creatives()
            .flat_map(|creative| &creative.universal_ids);
        ids.filter_map(|id| {
            Some((
                id.registry.as_deref().unwrap_or("unknown"),
                id.value.as_deref()?,
            ))
        })
        .map(|(registry, id)| format!("{registry} {id}"))
    }

    /// The categories of the ad. VAST 4.3 section 3.4.5.
    pub(crate) fn categories(&self) -> impl Iterator<Item = &str> {
        self.ad().categories.iter().flat_map(Category::codes)
    }

    /// The categories that it forbids for the ad after it, if it is a wrapper. VAST 4.3 section
    /// 3.19.2.
    pub(crate) fn blocked_categories(&self) -> impl Iterator<Item = &str> {
        let blocked = match &self.ad().kind {
            AdKind::Wrapper(wrapper) => wrapper.blocked_categories.as_slice(),
            AdKind::Inline | AdKind::Broken(_) => &[],
        };
        blocked.iter().flat_map(Category::codes)
    }

    /// The id of the ad.
    pub(crate) fn id(&self) -> Option<Text> {
        self.ad().id.as_ref().map(Text::from)
    }

    /// The place of the ad.
    pub(crate) fn at(&self) -> Text {
        self.place(self.ad().at)
    }

    /// A place in the document, as `file:line:column`.
    pub(crate) fn place(&self, at: Place) -> Text {
        at.in_file(&self.name).into()
    }

    /// The creatives that count.
    pub(crate) fn creatives(&self) -> impl Iterator<Item = &Creative> {
        let shown = self.creative;
        let creatives = self.ad().creatives.iter().enumerate();
        creatives
            .filter(move |(index, _)| shown.is_none_or(|shown| shown == *index))
            .map(|(_, creative)| creative)
    }

    /// The linear creatives whose trackers count.
    pub(crate) fn linears(&self) -> impl Iterator<Item = &Linear> {
        self.creatives()
            .filter_map(|creative| match &creative.kind {
                CreativeKind::Linear(linear) => Some(linear),
                CreativeKind::NonLinear(_) | CreativeKind::Companions(_) | CreativeKind::Empty => {
                    None
                }
            })
    }

    /// The URL of the first media file of the linear creative shown, if there is one. Rule PRD-13.
    pub(crate) fn first_media_file(&self) -> Option<&str> {
        let file = self.linears().next()?.media_files.first()?;
        Some(&*file.url).filter(|url| !url.is_empty())
    }

    /// The duration that the document gives for its media.
    pub(crate) fn declared_length(&self) -> Option<Span> {
        let overlay = || {
            self.overlay()
                .and_then(|shown| shown.duration.or(shown.min_suggested_duration))
        };
        self.linears()
            .next()
            .map_or_else(overlay, |linear| linear.duration)
    }

    /// The overlays whose trackers count.
    pub(crate) fn nonlinears(&self) -> impl Iterator<Item = &NonLinearAds> {
        self.creatives()
            .filter_map(|creative| match &creative.kind {
                CreativeKind::NonLinear(nonlinear) => Some(nonlinear),
                CreativeKind::Linear(_) | CreativeKind::Companions(_) | CreativeKind::Empty => None,
            })
    }

    /// The overlay that is shown.
    pub(crate) fn overlay(&self) -> Option<&NonLinear> {
        self.nonlinears()
            .find_map(|nonlinear| nonlinear.choices.get(self.choice))
    }

    /// Whether linear creatives count in a break of this kind. In an overlay break they do if one
    /// of them is shown: a VPAID unit that is not linear. Rule VPAID-15.
    fn is_linear(&self, kind: BreakKind) -> bool {
        match kind {
            BreakKind::Pre | BreakKind::Mid | BreakKind::Post | BreakKind::Command => true,
            BreakKind::Overlay => self.creative.is_some() && self.linears().next().is_some(),
            BreakKind::Display => false,
        }
    }

    /// The icons that count in a break of this kind, chosen as in [`Hop::clicks`].
    pub(crate) fn icons(&self, kind: BreakKind) -> impl Iterator<Item = &Icon> {
        let (is_linear, is_overlay) = (self.is_linear(kind), kind == BreakKind::Overlay);
        self.creatives()
            .flat_map(move |creative| match &creative.kind {
                CreativeKind::Linear(linear) if is_linear => linear.icons.as_slice(),
                CreativeKind::NonLinear(nonlinear) if is_overlay => nonlinear.icons.as_slice(),
                CreativeKind::Linear(_)
                | CreativeKind::NonLinear(_)
                | CreativeKind::Companions(_)
                | CreativeKind::Empty => &[],
            })
    }

    /// The companions of the ad, whichever creative is shown.
    pub(crate) fn companions(&self) -> impl Iterator<Item = &CompanionAds> {
        self.ad().creatives.iter().flat_map(Creative::companions)
    }

    /// The trackers that count in a break of this kind: those of overlays in an overlay break, of
    /// companions in a display break, else of linear creatives.
    pub(crate) fn trackers(&self, kind: BreakKind) -> impl Iterator<Item = &Tracking> {
        let (is_linear, is_overlay) = (self.is_linear(kind), kind == BreakKind::Overlay);
        self.creatives()
            .flat_map(move |creative| match &creative.kind {
                CreativeKind::Linear(linear) if is_linear => linear.tracking.as_slice(),
                CreativeKind::NonLinear(nonlinear) if is_overlay => nonlinear.tracking.as_slice(),
                CreativeKind::Companions(ads) if kind == BreakKind::Display => ads
                    .shown()
                    .map_or([].as_slice(), |companion| &companion.tracking),
                CreativeKind::Linear(_)
                | CreativeKind::NonLinear(_)
                | CreativeKind::Companions(_)
                | CreativeKind::Empty => &[],
            })
    }

    /// The clicks that count in a break of this kind, chosen as in [`Hop::trackers`].
    pub(crate) fn clicks(&self, kind: BreakKind) -> impl Iterator<Item = &Clicks> {
        let (is_linear, is_overlay) = (self.is_linear(kind), kind == BreakKind::Overlay);
        self.creatives()
            .filter_map(move |creative| match &creative.kind {
                CreativeKind::Linear(linear) if is_linear => Some(&linear.clicks),
                CreativeKind::NonLinear(nonlinear) if is_overlay => nonlinear
                    .choices
                    .get(self.choice)
                    .map(|choice| &choice.clicks),
                CreativeKind::Linear(_)
                | CreativeKind::NonLinear(_)
                | CreativeKind::Companions(_)
                | CreativeKind::Empty => None,
            })
    }
}
