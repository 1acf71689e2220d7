//! Random terms of a page: what it plays, and which ads it asks for. Drawn, and written as JSON text.

use playsim::page::{AdMedium, AdTerms, Blocked, Conditional, MediaType, Skippable, Stitching};
use playsim::time::Span;

use super::dice::Dice;
use super::documents::SPOTS;
use super::write::{list, micros, object, quoted, size};

const SIZES: &[(u32, u32)] = &[(0, 0), (1, 1), (2, 2), (640, 360)];

/// Terms of a page, most of which ask for something.
pub(crate) fn terms(dice: &mut Dice) -> AdTerms {
    let types = ["video/mp4", "video/webm; codecs=vp9,av01", "application/x-none"];
    let media = |dice: &mut Dice| {
        let text: &&str = dice.pick(&types);
        MediaType::read(text).expect("these are types")
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

/// The fields of a page that say these terms.
pub(crate) fn written(terms: &AdTerms) -> Vec<(&'static str, String)> {
    let mut fields = vec![("bitrate", terms.bitrate.to_string()), ("ads", object(ads(terms)))];
    let plays = |types: &Vec<MediaType>| list(types.iter().map(|media| quoted(&media.write())));
    fields.extend(terms.plays.iter().map(|types| ("plays", plays(types))));
    fields
}

fn ads(terms: &AdTerms) -> Vec<(&'static str, String)> {
    let skippable = match terms.skippable {
        Skippable::Any => "any",
        Skippable::Refused => "refused",
        Skippable::Required => "required",
    };
    let conditional = match terms.conditional {
        Conditional::Played => "played",
        Conditional::Refused => "refused",
    };
    let blocked = terms.blocked.iter().map(|blocked| match &blocked.authority {
        None => quoted(&blocked.category),
        Some(whose) => object([("authority", quoted(whose)), ("category", quoted(&blocked.category))]),
    });
    let mut fields = vec![
        ("types", list(terms.types.iter().map(|medium| quoted(medium.word())))),
        ("skippable", quoted(skippable)),
        ("categories", quoted(if terms.requires_category { "required" } else { "optional" })),
        ("blocked", list(blocked)),
        ("conditional", quoted(conditional)),
        ("vpaid", quoted(if terms.vpaid { "runs" } else { "refused" })),
    ];
    fields.extend(terms.shortest.map(|length| ("shortest", micros(length.micros()))));
    fields.extend(terms.longest.map(|length| ("longest", micros(length.micros()))));
    fields.extend(terms.smallest.map(|least| ("smallest", size(least))));
    fields.extend(terms.largest.map(|most| ("largest", size(most))));
    if let Some(Stitching { transcoded, bitrate, size: least }) = &terms.stitching {
        let mut stitching = vec![("transcoded", list(transcoded.iter().map(|url| quoted(url))))];
        stitching.extend(bitrate.map(|bitrate| ("bitrate", bitrate.to_string())));
        stitching.extend(least.map(|least| ("size", size(least))));
        fields.push(("stitching", object(stitching)));
    }
    fields
}
