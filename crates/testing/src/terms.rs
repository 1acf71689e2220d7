//! Random terms of a page: its content, and the ads that it requests.

use std::sync::Arc;

use playsim_api::page::{AdMedium, AdTerms, Blocked, Conditional, MediaType, Skippable, Stitching};
use playsim_base::time::Span;

use super::plan::Plan;
use super::source::Source;

const SIZES: &[(u32, u32)] = &[(0, 0), (1, 1), (2, 2), (640, 360)];

/// Terms of a page, most of which request something.
pub(super) fn terms(plan: &Plan, source: &mut Source) -> AdTerms {
    let types = [
        "video/mp4",
        "video/webm; codecs=vp9,av01",
        "application/x-none",
    ];
    let media = |source: &mut Source| {
        let text: &&str = source.pick(&types);
        text.parse::<MediaType>().expect("these are types")
    };
    let length = |source: &mut Source| Span::from_millis(*source.pick(&[0, 1_000, 2_500, 4_000]));
    let standard = AdTerms::default();
    AdTerms {
        plays: source.chance(1, 3).then(|| source.some(0, 3, media)),
        bitrate: *source.pick(&[0, 2_500]),
        types: if source.chance(1, 4) {
            source.some(0, 2, |source| *source.pick(&MEDIA))
        } else {
            standard.types
        },
        skippable: *source.pick(&[
            Skippable::Any,
            Skippable::Any,
            Skippable::Refused,
            Skippable::Required,
        ]),
        shortest: source.chance(1, 4).then(|| length(source)),
        longest: source.chance(1, 4).then(|| length(source)),
        smallest: source.chance(1, 4).then(|| *source.pick(SIZES)),
        largest: source.chance(1, 4).then(|| *source.pick(SIZES)),
        requires_category: source.chance(1, 6),
        blocked: if source.chance(1, 3) {
            source.some(1, 2, blocked)
        } else {
            Vec::new()
        },
        conditional: *source.pick(&[Conditional::Played, Conditional::Refused]),
        vpaid: source.chance(2, 3),
        stitching: source.chance(1, 6).then(|| stitching(plan, source)),
    }
}

const MEDIA: [AdMedium; 3] = [AdMedium::Video, AdMedium::Audio, AdMedium::Hybrid];

fn blocked(source: &mut Source) -> Blocked {
    let authority = source.chance(1, 2).then(|| "iabtechlab.com".into());
    Blocked {
        authority,
        category: (*source.pick(&["IAB1", "IAB25"])).into(),
    }
}

fn stitching(plan: &Plan, source: &mut Source) -> Stitching {
    Stitching {
        transcoded: source.some(0, 2, |source| Arc::from(&**source.pick(&plan.spots))),
        bitrate: source.chance(1, 2).then(|| *source.pick(&[0, 5_000])),
        size: source.chance(1, 2).then(|| *source.pick(SIZES)),
    }
}
