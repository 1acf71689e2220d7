//! The tracking URLs in a document, each with the event that calls it.
//!
//! Sources: VAST 4.3 sections 3.4 to 3.17.

use super::{Ad, Clicks, CompanionAds, CreativeKind, Icon, Linear, Offset, Tracking, Url};

/// A tracking URL.
#[derive(Debug, Clone, Copy)]
pub struct Pixel<'d> {
    /// The event, named as in called beacons.
    pub event: &'d str,
    /// The URL as written.
    pub url: &'d Url,
    /// The part of the ad to which it belongs.
    pub what: TrackedPart<'d>,
}

/// The owner of a pixel.
#[derive(Debug, Clone, Copy)]
pub enum TrackedPart<'d> {
    /// The ad itself: it was shown.
    Impression,
    /// The ad itself: it failed.
    Error,
    /// Whether the ad was viewable.
    View,
    /// A verification that did not run.
    Verification,
    /// A linear creative, with the offset of a `progress` tracker.
    Linear(&'d Linear, Option<Offset>),
    /// An overlay.
    Overlay,
    /// A companion.
    Companion,
    /// An icon.
    Icon,
    /// A click on the ad, its companion or its icon.
    Click(Clicked<'d>),
}

/// The target of a click.
#[derive(Debug, Clone, Copy)]
pub enum Clicked<'d> {
    /// A linear creative.
    Linear(&'d Linear),
    /// An overlay.
    Overlay,
    /// A companion.
    Companion,
    /// An icon.
    Icon,
}

/// Returns the pixels of an ad.
pub fn of_ad(ad: &Ad) -> Vec<Pixel<'_>> {
    let mut pixels = Pixels(Vec::new());
    pixels.put("impression", TrackedPart::Impression, &ad.impressions);
    pixels.put("error", TrackedPart::Error, &ad.errors);
    if let Some(seen) = &ad.viewable {
        pixels.put("viewable", TrackedPart::View, &seen.viewable);
        pixels.put("notViewable", TrackedPart::View, &seen.not_viewable);
        pixels.put("viewUndetermined", TrackedPart::View, &seen.undetermined);
    }
    for verification in &ad.verifications {
        pixels.trackers(|_| TrackedPart::Verification, &verification.tracking);
    }
    for creative in &ad.creatives {
        match &creative.kind {
            CreativeKind::Linear(linear) => {
                pixels.trackers(
                    |tracking| TrackedPart::Linear(linear, tracking.offset),
                    &linear.tracking,
                );
                pixels.clicks(Clicked::Linear(linear), &linear.clicks);
                pixels.icons(&linear.icons);
            }
            CreativeKind::NonLinear(overlays) => {
                pixels.trackers(|_| TrackedPart::Overlay, &overlays.tracking);
                for choice in &overlays.choices {
                    pixels.clicks(Clicked::Overlay, &choice.clicks);
                }
                pixels.icons(&overlays.icons);
            }
            CreativeKind::Companions(_) | CreativeKind::Empty => {}
        }
        creative
            .companions()
            .for_each(|companions| pixels.companions(companions));
    }
    pixels.0
}

struct Pixels<'d>(Vec<Pixel<'d>>);

impl<'d> Pixels<'d> {
    fn put(&mut self, event: &'d str, what: TrackedPart<'d>, urls: &'d [Url]) {
        self.0
            .extend(urls.iter().map(|url| Pixel { event, url, what }));
    }

    fn trackers(
        &mut self,
        what: impl Fn(&'d Tracking) -> TrackedPart<'d>,
        tracking: &'d [Tracking],
    ) {
        let pixel = |it: &'d Tracking| Pixel {
            event: it.event.name(),
            url: &it.url,
            what: what(it),
        };
        self.0.extend(tracking.iter().map(pixel));
    }

    fn clicks(&mut self, on: Clicked<'d>, clicks: &'d Clicks) {
        let event = match on {
            Clicked::Linear(_) | Clicked::Overlay => "clickTracking",
            Clicked::Companion => "companionClickTracking",
            Clicked::Icon => "iconClickTracking",
        };
        self.put(event, TrackedPart::Click(on), &clicks.tracking);
        self.put("customClick", TrackedPart::Click(on), &clicks.custom);
    }

    fn icons(&mut self, icons: &'d [Icon]) {
        for icon in icons {
            self.put("iconView", TrackedPart::Icon, &icon.view_tracking);
            self.clicks(Clicked::Icon, &icon.clicks);
        }
    }

    fn companions(&mut self, companions: &'d CompanionAds) {
        for companion in &companions.companions {
            self.trackers(|_| TrackedPart::Companion, &companion.tracking);
            self.clicks(Clicked::Companion, &companion.clicks);
        }
    }
}
