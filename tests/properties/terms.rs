//! Random terms of a page: what it plays, and which ads it requests.

use playsim::page::{AdMedium, AdTerms, Blocked, Conditional, MediaType, Skippable, Stitching};
use playsim::time::Span;

use super::dice::Dice;
use super::documents::SPOTS;

const SIZES: &[(u32, u32)] = &[(0, 0), (1, 1), (2, 2), (640, 360)];

/// Terms of a page, most of which request something.
pub(crate) fn terms(dice: &mut Dice) -> AdTerms {
    let types = ["video/mp4", "video/webm; codecs=vp9,av01", "application/x-none"];
    let media = |dice: &mut Dice| {
        let text: &&str = dice.pick(&types);
        text.parse::<MediaType>().expect("these are types")
    };
    let length = |dice: &mut Dice| Span::from_millis(*dice.pick(&[0, 1_000, 2_500, 4_000]));
    let standard = AdTerms::default();
    AdTerms {
        plays: dice.chance(1, 3).then(|| dice.some(0, 3, media)),
        bitrate: *dice.pick(&[0, 2_500]),
        types: if dice.chance(1, 4) { dice.some(0, 2, |dice| *dice.pick(&MEDIA)) } else { standard.types },
        skippable: *dice.pick(&[Skippable::Any, Skippable::Any, Skippable::Refused, Skippable::Required]),
        shortest: dice.chance(1, 4).then(|| length(dice)),
        longest: dice.chance(1, 4).then(|| length(dice)),
        smallest: dice.chance(1, 4).then(|| *dice.pick(SIZES)),
        largest: dice.chance(1, 4).then(|| *dice.pick(SIZES)),
        requires_category: dice.chance(1, 6),
        blocked: if dice.chance(1, 3) { dice.some(1, 2, blocked) } else { Vec::new() },
        conditional: *dice.pick(&[Conditional::Played, Conditional::Refused]),
        vpaid: dice.chance(2, 3),
        stitching: dice.chance(1, 6).then(|| stitching(dice)),
    }
}

const MEDIA: [AdMedium; 3] = [AdMedium::Video, AdMedium::Audio, AdMedium::Hybrid];

fn blocked(dice: &mut Dice) -> Blocked {
    let authority = dice.chance(1, 2).then(|| "iabtechlab.com".into());
    Blocked { authority, category: (*dice.pick(&["IAB1", "IAB25"])).into() }
}

fn stitching(dice: &mut Dice) -> Stitching {
    Stitching {
        transcoded: dice.some(0, 2, |dice| (*dice.pick(SPOTS)).into()),
        bitrate: dice.chance(1, 2).then(|| *dice.pick(&[0, 5_000])),
        size: dice.chance(1, 2).then(|| *dice.pick(SIZES)),
    }
}
