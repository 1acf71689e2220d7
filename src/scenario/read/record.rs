//! Videos as the edit call knows them.

use std::sync::Arc;

use super::node::{Key, Node, Object, Wrong};
use super::{Reading, record_fields, scalar, value};
use crate::scenario::VideoScript;
use crate::video::{ChapterMark, Record, Rendition, Video};

/// All videos.
pub(super) fn videos(node: &Node, reading: &mut Reading<'_>) -> Vec<VideoScript> {
    let example = "[{ id: v1, renditions: { sd: film.mp4 } }]";
    let items = reading.keep(node.list("videos", example)).unwrap_or_default();
    let mut videos: Vec<VideoScript> = Vec::with_capacity(items.len());
    for item in items {
        let Some(script) = video(item, reading) else { continue };
        if videos.iter().any(|known| known.video.id == script.video.id) {
            let message = format!("video \"{}\" stands here twice", script.video.id);
            reading.wrongs.push(Wrong::new(&item.range, message));
        }
        videos.push(script);
    }
    videos
}

fn video(node: &Node, reading: &mut Reading<'_>) -> Option<VideoScript> {
    let example = "{ id: v1, renditions: { sd: film.mp4 } }";
    let mut fields = reading.keep(Object::of(node, "a video", example))?;
    let id = fields.required("id", "id: v1").and_then(|node| scalar::name(node, "id"));
    let id = reading.keep(id);
    let mut text = |node: Option<&Node>, what: &str| match node {
        Some(node) => reading.keep(scalar::text(node, what)).unwrap_or_default(),
        None => Arc::default(),
    };
    let name = text(fields.field("name"), "name");
    let tags = text(fields.field("tags"), "tags");
    let image = text(fields.field("image"), "image");
    let mut flag = |name| {
        let flag = fields.field(name).map(|node| scalar::flag(node, name)).transpose();
        reading.keep(flag).flatten()
    };
    let (monetize, rejected, geo_on) = (flag("monetize"), flag("rejected"), flag("geo_on"));
    let record_after =
        fields.field("record_after").map(|node| scalar::span(node, "record_after")).transpose();
    let mut day = |name| {
        let day = fields.field(name).map(|node| record_fields::day(node, name)).transpose();
        reading.keep(day).flatten().flatten()
    };
    let (publish, kill_date) = (day("publish"), day("kill_date"));
    let record = Record {
        id: id.clone().unwrap_or_default(),
        partner_id: record_fields::partner(&mut fields, reading),
        name,
        tags,
        clickthrough: record_fields::clickthrough(&mut fields, reading),
        channel_id: record_fields::channel(&mut fields, reading),
        age_gate: record_fields::age_gate(&mut fields, reading),
        publish,
        kill_date,
        rejected: rejected.unwrap_or(false),
        image: Some(image).filter(|image| !image.is_empty()),
        monetize: monetize.unwrap_or(true),
        geo_on: geo_on.unwrap_or(false),
        geo: fields.field("geo").map(|node| record_fields::geo(node, reading)).unwrap_or_default(),
        pixels: record_fields::pixels(&mut fields, reading),
        comscore: record_fields::comscore(&mut fields, reading),
        custom_params: fields
            .field("custom_params")
            .map(|node| record_fields::pairs(node, reading))
            .unwrap_or_default(),
        chapters: fields.field("chapters").map(|node| chapters(node, reading)).unwrap_or_default(),
    };
    let video = Video {
        record,
        renditions: fields.field("renditions").map(|node| renditions(node, reading)).unwrap_or_default(),
        ads: fields.field("ads").map(|node| value::ads(node, reading)).unwrap_or_default(),
    };
    fields.end(reading);
    let record_after = reading.keep(record_after).flatten().unwrap_or_default();
    id.map(|_| VideoScript { video: Arc::new(video), record_after })
}

fn chapters(node: &Node, reading: &mut Reading<'_>) -> Vec<ChapterMark> {
    let example = "[{ timestamp: \"0:40\", title: Middle }]";
    let items = reading.keep(node.list("chapters", example)).unwrap_or_default();
    let mut chapter = |node: &Node| {
        let mut fields =
            reading.keep(Object::of(node, "a chapter", "{ timestamp: \"0:40\", title: Middle }"))?;
        let timestamp = fields
            .required("timestamp", "timestamp: \"0:40\"")
            .and_then(|node| scalar::text(node, "timestamp"));
        let title = fields.field("title").map(|node| scalar::text(node, "title")).transpose();
        fields.end(reading);
        let (timestamp, title) = (reading.keep(timestamp), reading.keep(title));
        Some(ChapterMark { timestamp: timestamp?, title: title?.unwrap_or_default() })
    };
    items.iter().filter_map(&mut chapter).collect()
}

fn renditions(node: &Node, reading: &mut Reading<'_>) -> Vec<(Rendition, Arc<str>)> {
    let entries = reading.keep(node.entries("renditions", "{ sd: film.mp4 }")).unwrap_or_default();
    let rendition = |(key, node): &(Key, Node)| {
        let known = Rendition::ALL.iter().map(|rendition| rendition.word());
        let rendition = Rendition::read(&key.text)
            .ok_or_else(|| Wrong::unknown(&key.range, "rendition", &key.text, known));
        let (rendition, address) = (reading.keep(rendition), reading.keep(scalar::name(node, "an address")));
        Some((rendition?, address?))
    };
    entries.iter().filter_map(rendition).collect()
}
