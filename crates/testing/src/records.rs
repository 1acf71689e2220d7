//! Random records of videos.

use std::sync::Arc;

use playsim_api::video::{AgeGate, ChapterMark, Day, Rendition, Video, VideoRecord, fields};
use playsim_base::time::Span;
use playsim_scenario::VideoScript;

use super::ad_objects::ad_object;
use super::feature::Feature;
use super::grid::beats;
use super::plan::{FILMS, Plan, VIDEOS};
use super::source::Source;

/// The countries of viewers, and where videos may be shown.
pub(super) const COUNTRIES: &[&str] = &["US", "NO", "DE"];

/// Dates around the day on which runs are played, which is the first of these.
const DAYS: &[&str] = &[
    "01-01-2000",
    "31-12-1999",
    "02-01-2000",
    "15-06-1990",
    "29-02-2024",
];

/// All records. The last id has none.
pub(super) fn videos(plan: &Plan, source: &mut Source) -> Vec<VideoScript> {
    VIDEOS[..3]
        .iter()
        .map(|id| {
            let record = VideoRecord {
                id: (*id).into(),
                name: format!("Film {id}").into(),
                tags: "news, sport".into(),
                monetize: !source.chance(1, 6),
                chapters: if source.chance(1, 3) {
                    source.some(1, 3, chapter)
                } else {
                    Vec::new()
                },
                clickthrough: (plan.has(Feature::People) && source.chance(1, 2))
                    .then(|| "https://shop.test/".into()),
                image: source
                    .chance(1, 4)
                    .then(|| "https://pictures.test/v.png".into()),
                ..VideoRecord::default()
            };
            let record = if plan.has(Feature::Records) {
                with_record_fields(record, source)
            } else {
                record
            };
            let video = Video {
                record,
                renditions: renditions(plan, source),
                ads: if plan.has(Feature::Ads) && source.chance(1, 4) {
                    source.some(1, 2, |source| ad_object(plan, source))
                } else {
                    Vec::new()
                },
            };
            let record_after = if plan.has(Feature::Late) {
                beats(6, source)
            } else {
                Span::ZERO
            };
            VideoScript {
                video: Arc::new(video),
                record_after,
            }
        })
        .collect()
}

fn with_record_fields(record: VideoRecord, source: &mut Source) -> VideoRecord {
    let day = |source: &mut Source| {
        let text = *source.pick(DAYS);
        text.parse::<Day>().ok().filter(|_| source.chance(1, 3))
    };
    let text = |source: &mut Source| Arc::from(*source.pick(&["news", "1", "a b"]));
    let measured = fields().filter(|field| field.is_measured && source.chance(1, 3));
    let reported: Vec<Arc<str>> = measured.map(|field| Arc::from(field.name)).collect();
    VideoRecord {
        partner_id: source.chance(1, 4).then(|| "p1".into()),
        channel_id: source.chance(1, 3).then_some(7),
        age_gate: source.chance(1, 3).then(|| *source.pick(AgeGate::ALL)),
        pixels: if source.chance(1, 4) {
            vec![("impression".into(), "".into())]
        } else {
            Vec::new()
        },
        rejected: source.chance(1, 5),
        publish: day(source),
        kill_date: day(source),
        geo_on: source.chance(1, 3),
        geo: source.some(0, 2, |source| Arc::from(*source.pick(COUNTRIES))),
        comscore: reported
            .into_iter()
            .map(|name| (name, text(source)))
            .collect(),
        custom_params: source.some(0, 3, |source| {
            (
                Arc::from(*source.pick(&["genre", "genre", "year"])),
                text(source),
            )
        }),
        ..record
    }
}

/// No two with the same name, and no URL twice: every rendition has its own URL.
fn renditions(plan: &Plan, source: &mut Source) -> Vec<(Rendition, Arc<str>)> {
    if plan.has(Feature::Faults) && source.chance(1, 6) {
        return Vec::new();
    }
    let count = if plan.has(Feature::Renditions) {
        source.count(2, 4)
    } else {
        1
    };
    let mut renditions: Vec<(Rendition, Arc<str>)> = Vec::new();
    for _ in 0..count {
        let (rendition, address) = (*source.pick(Rendition::ALL), *source.pick(FILMS));
        if renditions
            .iter()
            .all(|(known, film)| *known != rendition && **film != *address)
        {
            renditions.push((rendition, address.into()));
        }
    }
    renditions
}

fn chapter(source: &mut Source) -> ChapterMark {
    let timestamp = *source.pick(&[
        "0", "0:00", "0:01", "1.5", "00:00:02", "2", "90", "x", "0:75",
    ]);
    ChapterMark {
        timestamp: timestamp.into(),
        title: (*source.pick(&["", "One", "Two"])).into(),
    }
}
