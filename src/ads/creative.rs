//! Which media file of an ad is played.
//!
//! Of the linear creatives the one with the lowest `sequence` that has a supported file; of its files a
//! progressive one before a streaming one, then the highest bitrate that does not pass 2500 kbit/s, then
//! one without a bitrate, then the lowest above; at a tie the first in the document; a VPAID unit if there
//! is no film. What was refused and why stands in the trace.
//!
//! Rules: REQ-3, REQ-5, OVL-7, BRK-2; VAST 4.3 sections 3.7, 3.9, 3.12.

use std::cmp::Reverse;
use std::sync::Arc;

use super::BreakKind;
use super::error::{AdErrorCode, Failure};
use super::tracking::Hop;
use crate::api::{Fields, Text, Value};
use crate::rule;
use crate::vast::{CreativeKind, Linear, MediaFile};

/// What was tolerated in a media file: a stable word, and what was found.
pub(super) type Tolerated = (&'static str, Text);

/// The media file that is played, and how it was found.
#[derive(Debug, Clone)]
pub(super) struct Choice {
    /// The index of its creative in the ad.
    pub(super) creative: usize,
    /// Its address; an overlay has none.
    pub(super) url: Option<Arc<str>>,
    /// Whether it is code that plays it: a VPAID unit. Rule BRK-2.
    pub(super) is_vpaid: bool,
    /// What a trace says of it.
    pub(super) data: Fields,
    /// What was tolerated in it.
    pub(super) tolerated: Option<Tolerated>,
}

/// How media comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Delivery {
    Progressive,
    Streaming,
    /// As code that plays it: a VPAID unit.
    Interactive,
}

/// A media file that can be played.
struct Playable<'a> {
    file: &'a MediaFile,
    delivery: Delivery,
    tolerated: Option<Tolerated>,
}

const BITRATE_LIMIT_KBIT: u32 = 2_500;

const SUPPORTED: &[(&str, Delivery)] = &[
    ("video/mp4", Delivery::Progressive),
    ("video/webm", Delivery::Progressive),
    ("video/ogg", Delivery::Progressive),
    ("application/x-mpegurl", Delivery::Streaming),
    ("application/vnd.apple.mpegurl", Delivery::Streaming),
    ("application/dash+xml", Delivery::Streaming),
];

/// The types of VPAID units that can run.
const SCRIPTS: &[&str] = &["application/javascript", "application/x-javascript", "text/javascript"];

/// What the end of an address says where the type is missing.
const ENDINGS: &[(&str, Delivery)] = &[
    (".mp4", Delivery::Progressive),
    (".m4v", Delivery::Progressive),
    (".webm", Delivery::Progressive),
    (".ogv", Delivery::Progressive),
    (".ogg", Delivery::Progressive),
    (".m3u8", Delivery::Streaming),
    (".mpd", Delivery::Streaming),
];

/// The types of media that play.
pub(super) fn media_types() -> impl Iterator<Item = &'static str> {
    SUPPORTED.iter().map(|(mime, _)| *mime)
}

/// Whether what is shown of an ad in a break of this kind can be skipped at some time.
pub(super) fn skips(hop: &Hop, kind: BreakKind) -> bool {
    let is_overlay = kind == BreakKind::Overlay;
    hop.creatives().any(|creative| match &creative.kind {
        CreativeKind::Linear(linear) => !is_overlay && linear.skip_offset.is_some(),
        CreativeKind::NonLinear(nonlinear) => is_overlay && nonlinear.skip_offset.is_some(),
        CreativeKind::Companions(_) | CreativeKind::Empty => false,
    })
}

/// What is shown of an in-line ad in a break of linear ads.
///
/// # Errors
///
/// 201 if the ad has only overlays; 400 if it has nothing for the slot; 403 if no file is supported.
pub(super) fn choose(hop: &Hop) -> Result<Choice, Failure> {
    let ad = hop.ad();
    let mut linears: Vec<(usize, Option<u32>, &Linear)> = Vec::new();
    let mut has_overlay = false;
    for (index, creative) in ad.creatives.iter().enumerate() {
        match &creative.kind {
            CreativeKind::Linear(linear) => linears.push((index, creative.sequence, linear)),
            CreativeKind::NonLinear(_) => has_overlay = true,
            CreativeKind::Companions(_) | CreativeKind::Empty => {}
        }
    }
    if linears.is_empty() {
        return Err(if has_overlay {
            Failure::at(
                AdErrorCode::Linearity,
                "the ad has only overlays; the slot is linear",
                hop.place(ad.at),
            )
            .by(rule!("OVL-7"))
        } else {
            Failure::at(AdErrorCode::Linear, "the ad has no linear creative", hop.place(ad.at))
        });
    }
    // Those without a sequence come last; the sort is stable.
    linears.sort_by_key(|(_, sequence, _)| sequence.unwrap_or(u32::MAX));
    let mut refused = Vec::new();
    for (creative, _, linear) in linears {
        if let Some(best) = best(&linear.media_files, &mut refused) {
            return Ok(best.choice(hop, creative, &refused));
        }
    }
    let why = match refused.as_slice() {
        [] => "the ad has no media file".to_owned(),
        [(file, why)] => format!("the only media file {} {why}", file.url),
        [(file, why), rest @ ..] => {
            format!("none of {} media files is supported; the first, {}, {why}", rest.len() + 1, file.url)
        }
    };
    Err(Failure::at(AdErrorCode::NoMedia, why, hop.place(ad.at)))
}

/// What is played of the film that an overlay has. Rule ADX-24.
pub(super) fn of_files(files: &[MediaFile], hop: &Hop, creative: usize) -> Option<Choice> {
    let mut refused = Vec::new();
    let best = best(files, &mut refused)?;
    Some(best.choice(hop, creative, &refused))
}

/// The best of these files that can be played.
fn best<'a>(files: &'a [MediaFile], refused: &mut Vec<(&'a MediaFile, String)>) -> Option<Playable<'a>> {
    let mut best: Option<Playable<'_>> = None;
    for file in files {
        match playable(file) {
            Ok(candidate) => {
                if best.as_ref().is_none_or(|best| candidate.rank() < best.rank()) {
                    best = Some(candidate);
                }
            }
            Err(why) => refused.push((file, why)),
        }
    }
    best
}

impl Playable<'_> {
    /// Lower is better.
    fn rank(&self) -> (Delivery, u8, Reverse<u32>, u32) {
        match self.file.bitrate {
            Some(bitrate) if bitrate <= BITRATE_LIMIT_KBIT => (self.delivery, 0, Reverse(bitrate), 0),
            None => (self.delivery, 1, Reverse(0), 0),
            Some(bitrate) => (self.delivery, 2, Reverse(0), bitrate),
        }
    }

    fn choice(self, hop: &Hop, creative: usize, refused: &[(&MediaFile, String)]) -> Choice {
        let refused: Vec<Value> = refused
            .iter()
            .map(|(file, why)| Value::Map(Fields::one("url", Text::from(&file.url)).with("why", why.clone())))
            .collect();
        let data = Fields::one("url", Text::from(&self.file.url))
            .with_some("type", self.file.mime.as_ref().map(Text::from))
            .with("delivery", self.delivery.word())
            .with_some("bitrate", self.file.bitrate)
            .with_some("refused", (!refused.is_empty()).then_some(Value::List(refused)))
            .with_some("at", self.file.at.map(|at| hop.place(at)));
        let is_vpaid = self.delivery == Delivery::Interactive;
        Choice { creative, url: Some(Arc::clone(&self.file.url)), is_vpaid, data, tolerated: self.tolerated }
    }
}

impl Delivery {
    const fn word(self) -> &'static str {
        match self {
            Delivery::Progressive => "progressive",
            Delivery::Streaming => "streaming",
            Delivery::Interactive => "interactive",
        }
    }
}

/// The file as something to play, or why it is none.
fn playable(file: &MediaFile) -> Result<Playable<'_>, String> {
    if file.url.is_empty() {
        return Err("has no address".to_owned());
    }
    let (by_type, tolerated) = by_type(file)?;
    let delivery = match file.delivery.as_deref() {
        // Units are labelled as films are: their code is loaded as a whole.
        Some(_) if by_type == Delivery::Interactive => by_type,
        Some(word) if word.eq_ignore_ascii_case("progressive") => Delivery::Progressive,
        Some(word) if word.eq_ignore_ascii_case("streaming") => Delivery::Streaming,
        Some(_) | None => by_type,
    };
    Ok(Playable { file, delivery, tolerated })
}

/// How media of the file's type comes, and what was tolerated in it.
///
/// A framework is for code. A film that is labelled with one is a film all the same.
fn by_type(file: &MediaFile) -> Result<(Delivery, Option<Tolerated>), String> {
    let framework = file.api_framework.as_deref().map(str::trim).unwrap_or_default();
    let is_vpaid = framework.eq_ignore_ascii_case("vpaid");
    let needs_framework = is_vpaid || framework.eq_ignore_ascii_case("simid");
    let framework_text = || Text::from(format!("a film needs no {framework}; it is played as it is"));
    let unused = || Some(("media-framework-unused", framework_text()));
    let Some(mime) = file.mime.as_deref().map(str::trim).filter(|mime| !mime.is_empty()) else {
        let path = file.url.split(['?', '#']).next().unwrap_or_default().to_ascii_lowercase();
        return match ENDINGS.iter().find(|(ending, _)| path.ends_with(ending)) {
            Some((_, delivery)) if needs_framework => Ok((*delivery, unused())),
            Some((ending, delivery)) => {
                let text = format!("the media file has no type; its address ends in \"{ending}\"");
                Ok((*delivery, Some(("media-type-missing", text.into()))))
            }
            None if is_vpaid && path.ends_with(".js") => {
                let text = "the media file has no type; its address ends in \".js\"";
                Ok((Delivery::Interactive, Some(("media-type-missing", text.into()))))
            }
            None if needs_framework => Err(format!("needs {framework}, which is not supported")),
            None => Err("has no type and no known ending".to_owned()),
        };
    };
    // Parameters such as codecs do not count.
    let bare = mime.split(';').next().unwrap_or(mime).trim();
    match SUPPORTED.iter().find(|(known, _)| known.eq_ignore_ascii_case(bare)) {
        Some((_, delivery)) if needs_framework => Ok((*delivery, unused())),
        Some((_, delivery)) => Ok((*delivery, None)),
        None if is_vpaid && SCRIPTS.iter().any(|known| known.eq_ignore_ascii_case(bare)) => {
            Ok((Delivery::Interactive, None))
        }
        None if is_vpaid => Err(format!("is a VPAID unit of type \"{mime}\", which is not supported")),
        None if needs_framework => Err(format!("needs {framework}, which is not supported")),
        None => Err(format!("has type \"{mime}\", which is not supported")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ads::tests::{ad_with_files, document, file};

    fn chosen(files: Vec<MediaFile>) -> Result<String, u16> {
        let hop = Hop::new(&document(vec![ad_with_files(files)]).into(), &"a.xml".into(), 0);
        let choice = choose(&hop).map_err(|failure| failure.code.number())?;
        Ok(choice.url.expect("linear ads have an address").to_string())
    }

    #[test]
    fn the_best_bitrate_within_the_limit_is_taken() {
        let files = |bitrates: &[Option<u32>]| {
            let name = |bitrate: &Option<u32>| match bitrate {
                Some(bitrate) => format!("https://m.test/{bitrate}"),
                None => "https://m.test/none".to_owned(),
            };
            bitrates
                .iter()
                .map(|bitrate| MediaFile { bitrate: *bitrate, ..file(&name(bitrate), "video/mp4") })
                .collect()
        };
        assert_eq!(chosen(files(&[Some(400), Some(2500), Some(2501)])).unwrap(), "https://m.test/2500");
        assert_eq!(chosen(files(&[Some(5000), Some(3000)])).unwrap(), "https://m.test/3000");
        assert_eq!(chosen(files(&[Some(5000), None])).unwrap(), "https://m.test/none");
        assert_eq!(chosen(files(&[None, Some(1)])).unwrap(), "https://m.test/1");
    }

    #[test]
    fn progressive_comes_before_streaming_and_types_ignore_case() {
        let files = vec![
            MediaFile { bitrate: Some(2000), ..file("https://m.test/a.m3u8", "application/x-mpegURL") },
            MediaFile { bitrate: Some(9000), ..file("https://m.test/a.mp4", "VIDEO/MP4; codecs=x") },
        ];
        assert_eq!(chosen(files).unwrap(), "https://m.test/a.mp4");
    }

    #[test]
    fn code_is_for_vpaid_alone_and_a_labelled_film_plays() {
        let labelled =
            |url: &str, mime: &str| MediaFile { api_framework: Some("VPAID".into()), ..file(url, mime) };
        let unit = labelled("https://m.test/a.js", "application/javascript");
        let empty = file("", "video/mp4");
        let script = file("https://m.test/b.js", "application/javascript");
        assert_eq!(chosen(vec![empty.clone(), script.clone()]), Err(403));
        assert_eq!(chosen(vec![empty, unit.clone(), script]).unwrap(), "https://m.test/a.js");
        let flash = labelled("https://m.test/a.swf", "application/x-shockwave-flash");
        assert_eq!(chosen(vec![flash]), Err(403));
        assert_eq!(chosen(vec![unit, file("https://m.test/b", "video/webm")]).unwrap(), "https://m.test/b");
        assert_eq!(chosen(vec![labelled("https://m.test/c", "video/mp4")]).unwrap(), "https://m.test/c");
        assert_eq!(chosen(Vec::new()), Err(403));
    }

    #[test]
    fn a_missing_type_is_guessed_from_the_address() {
        let untyped = |url: &str| MediaFile { mime: None, ..file(url, "") };
        assert_eq!(chosen(vec![untyped("https://m.test/a.MP4?x=1")]).unwrap(), "https://m.test/a.MP4?x=1");
        assert_eq!(chosen(vec![untyped("https://m.test/a")]), Err(403));
    }
}
