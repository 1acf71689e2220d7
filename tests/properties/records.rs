//! Random records of videos.

use std::sync::Arc;

use playsim::scenario::VideoScript;
use playsim::time::Span;
use playsim::video::{AgeGate, ChapterMark, Day, Rendition, Video, VideoRecord, fields};

use super::dice::Dice;
use super::features::Features;
use super::world::{self, FILMS, VIDEOS, beats};

/// The countries of viewers, and where videos may be shown.
pub(crate) const COUNTRIES: &[&str] = &["US", "NO", "DE"];

/// Dates around the day on which runs are played, which is the first of these.
const DAYS: &[&str] = &["01-01-2000", "31-12-1999", "02-01-2000", "15-06-1990", "29-02-2024"];

/// All records. The last id has none.
pub(crate) fn videos(features: Features, dice: &mut Dice) -> Vec<VideoScript> {
    VIDEOS[..3]
        .iter()
        .map(|id| {
            let record = VideoRecord {
                id: (*id).into(),
                name: format!("Film {id}").into(),
                tags: "news, sport".into(),
                monetize: !dice.chance(1, 6),
                chapters: if dice.chance(1, 3) { dice.some(1, 3, chapter) } else { Vec::new() },
                clickthrough: (features.people && dice.chance(1, 2)).then(|| "https://shop.test/".into()),
                image: dice.chance(1, 4).then(|| "https://pictures.test/v.png".into()),
                ..VideoRecord::default()
            };
            let record = if features.records { with_record_fields(record, dice) } else { record };
            let video = Video {
                record,
                renditions: renditions(features, dice),
                ads: if features.ads && dice.chance(1, 4) {
                    dice.some(1, 2, world::ad_object)
                } else {
                    Vec::new()
                },
            };
            let record_after = if features.late { beats(6, dice) } else { Span::ZERO };
            VideoScript { video: Arc::new(video), record_after }
        })
        .collect()
}

fn with_record_fields(record: VideoRecord, dice: &mut Dice) -> VideoRecord {
    let day = |dice: &mut Dice| {
        let text = *dice.pick(DAYS);
        text.parse::<Day>().ok().filter(|_| dice.chance(1, 3))
    };
    let text = |dice: &mut Dice| Arc::from(*dice.pick(&["news", "1", "a b"]));
    let measured = fields().filter(|field| field.kind.is_sparse && dice.chance(1, 3));
    let reported: Vec<Arc<str>> = measured.map(|field| Arc::from(field.name)).collect();
    VideoRecord {
        partner_id: dice.chance(1, 4).then(|| "p1".into()),
        channel_id: dice.chance(1, 3).then_some(7),
        age_gate: dice.chance(1, 3).then(|| *dice.pick(AgeGate::ALL)),
        pixels: if dice.chance(1, 4) { vec![("impression".into(), "".into())] } else { Vec::new() },
        rejected: dice.chance(1, 5),
        publish: day(dice),
        kill_date: day(dice),
        geo_on: dice.chance(1, 3),
        geo: dice.some(0, 2, |dice| Arc::from(*dice.pick(COUNTRIES))),
        comscore: reported.into_iter().map(|name| (name, text(dice))).collect(),
        custom_params: dice
            .some(0, 3, |dice| (Arc::from(*dice.pick(&["genre", "genre", "year"])), text(dice))),
        ..record
    }
}

/// No two with the same name, and no URL twice: every rendition has its own URL.
fn renditions(features: Features, dice: &mut Dice) -> Vec<(Rendition, Arc<str>)> {
    if features.faults && dice.chance(1, 6) {
        return Vec::new();
    }
    let count = if features.renditions { dice.count(2, 4) } else { 1 };
    let mut renditions: Vec<(Rendition, Arc<str>)> = Vec::new();
    for _ in 0..count {
        let (rendition, address) = (*dice.pick(Rendition::ALL), *dice.pick(FILMS));
        if renditions.iter().all(|(known, film)| *known != rendition && **film != *address) {
            renditions.push((rendition, address.into()));
        }
    }
    renditions
}

fn chapter(dice: &mut Dice) -> ChapterMark {
    let timestamp = *dice.pick(&["0", "0:00", "0:01", "1.5", "00:00:02", "2", "90", "x", "0:75"]);
    ChapterMark { timestamp: timestamp.into(), title: (*dice.pick(&["", "One", "Two"])).into() }
}
