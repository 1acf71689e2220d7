//! Which media files can be played, and which of those is the best.
//!
//! Rules: SEL-7, SEL-10, SEL-14, PRD-3; VAST 4.3 section 3.9.1.

use std::cmp::Reverse;

use super::Tolerated;
use crate::surroundings::Surroundings;
use playsim_api::page::{AdTerms, codecs_in};
use playsim_api::{Fields, Text};
use playsim_rules::knobs::MediaChoice;
use playsim_vast::MediaFile;

/// How media is delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Delivery {
    Progressive,
    Streaming,
    /// As code: a VPAID unit.
    Interactive,
}

/// A media file that can be played.
pub(super) struct Playable<'a> {
    pub(super) file: &'a MediaFile,
    delivery: Delivery,
    pub(super) tolerated: Option<Tolerated>,
}

/// Why a media file cannot be played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Refused {
    /// It is not supported.
    Unsupported(String),
    /// It is a VPAID unit, which the page does not allow.
    Unit,
    /// It could be played, but the page asks for another size.
    Size(String),
    /// It could be played, but another file is better; the string says why.
    Outranked(&'static str),
}

/// Lower is better.
type Rank = (Delivery, u64, (u8, Reverse<u32>, u32), u64);

const SUPPORTED: &[(&str, Delivery)] = &[
    ("video/mp4", Delivery::Progressive),
    ("video/webm", Delivery::Progressive),
    ("video/ogg", Delivery::Progressive),
    ("application/x-mpegurl", Delivery::Streaming),
    ("application/vnd.apple.mpegurl", Delivery::Streaming),
    ("application/dash+xml", Delivery::Streaming),
];

/// The media types that are played if the page does not list any.
pub(crate) fn media_types() -> impl Iterator<Item = &'static str> {
    SUPPORTED.iter().map(|(mime, _)| *mime)
}

/// The media types of VPAID units that can run.
const SCRIPTS: &[&str] = &[
    "application/javascript",
    "application/x-javascript",
    "text/javascript",
];

/// The media type for a file extension, used if the type is missing.
const ENDINGS: &[(&str, Delivery, &str)] = &[
    (".mp4", Delivery::Progressive, "video/mp4"),
    (".m4v", Delivery::Progressive, "video/mp4"),
    (".webm", Delivery::Progressive, "video/webm"),
    (".ogv", Delivery::Progressive, "video/ogg"),
    (".ogg", Delivery::Progressive, "video/ogg"),
    (".m3u8", Delivery::Streaming, "application/x-mpegurl"),
    (".mpd", Delivery::Streaming, "application/dash+xml"),
];

impl Refused {
    /// The text for the trace.
    pub(super) fn text(&self) -> Text {
        match self {
            Refused::Unsupported(why) | Refused::Size(why) => why.clone().into(),
            Refused::Outranked(why) => (*why).into(),
            Refused::Unit => "is a VPAID unit, which the page does not allow".into(),
        }
    }

    /// Whether only its size is wrong.
    pub(super) fn is_size(&self) -> bool {
        matches!(self, Refused::Size(_))
    }

    /// Whether it could be played but another file is better.
    pub(super) fn is_outranked(&self) -> bool {
        matches!(self, Refused::Outranked(_))
    }

    /// Whether it is a VPAID unit that the page does not allow.
    pub(super) fn is_unit(&self) -> bool {
        matches!(self, Refused::Unit)
    }
}

impl Playable<'_> {
    /// The rank of the file; lower is better. Rule SEL-7.
    pub(super) fn rank(&self, around: Surroundings<'_>) -> Rank {
        let bitrate = match self.file.bitrate {
            Some(bitrate) if bitrate <= around.terms.bitrate => (0, Reverse(bitrate), 0),
            None => (1, Reverse(0), 0),
            Some(bitrate) => (2, Reverse(0), bitrate),
        };
        let away = self.away_from(around.size);
        match around.knobs.ad_media_choice() {
            MediaChoice::Bitrate => (self.delivery, 0, bitrate, away),
            MediaChoice::Size => (self.delivery, away, bitrate, 0),
            // Units rank after all media files.
            MediaChoice::Height => {
                let down = u64::from(u32::MAX - self.file.height.unwrap_or_default());
                let own = match self.delivery {
                    Delivery::Streaming => Delivery::Progressive,
                    Delivery::Progressive => Delivery::Streaming,
                    Delivery::Interactive => Delivery::Interactive,
                };
                (own, down, (0, Reverse(0), 0), 0)
            }
            // Among media files the first one counts.
            MediaChoice::First | MediaChoice::Last => (
                self.delivery.max(Delivery::Streaming),
                0,
                (0, Reverse(0), 0),
                0,
            ),
        }
    }

    /// Why another file is preferred. Rule SEL-7.
    pub(super) fn why_outranked(
        &self,
        best: &Playable<'_>,
        around: Surroundings<'_>,
    ) -> &'static str {
        if around.knobs.ad_media_choice() == MediaChoice::Last {
            return "the last file is taken, up to the first that names its codecs or is a unit";
        }
        let (own, best) = (self.rank(around), best.rank(around));
        let is_by_size = around.knobs.ad_media_choice() == MediaChoice::Size;
        if own.0 != best.0 {
            "another kind of delivery is preferred"
        } else if own.1 != best.1 && around.knobs.ad_media_choice() == MediaChoice::Height {
            "another height is greater"
        } else if own.1 != best.1 || (own.2 == best.2 && own.3 != best.3) {
            "another size is closer to the player's"
        } else if own.2 != best.2 {
            if is_by_size {
                "another bitrate of the same size is better"
            } else {
                "another bitrate is better"
            }
        } else {
            "an equally good file is listed first"
        }
    }

    /// By how many pixels its area differs from the player's; without a size it counts as the
    /// farthest.
    fn away_from(&self, (width, height): (u64, u64)) -> u64 {
        match (self.file.width, self.file.height) {
            (Some(own_width), Some(own_height)) => {
                let area = u64::from(own_width) * u64::from(own_height);
                area.abs_diff(width.saturating_mul(height))
            }
            _ => u64::MAX,
        }
    }

    /// Whether a browser says that it probably plays the file, or it is labelled as a VPAID unit.
    /// Knob `ad.media_choice`.
    pub(super) fn is_certain(&self) -> bool {
        let mime = self.file.mime.as_deref().unwrap_or_default();
        let names_codecs = mime
            .split(';')
            .skip(1)
            .any(|part| codecs_in(part.trim()).is_some());
        let framework = self
            .file
            .api_framework
            .as_deref()
            .map(str::trim)
            .unwrap_or_default();
        names_codecs || framework.eq_ignore_ascii_case("vpaid")
    }

    /// Whether it is a VPAID unit.
    pub(super) fn is_unit(&self) -> bool {
        self.delivery == Delivery::Interactive
    }

    /// The data for the trace.
    pub(super) fn data(&self) -> Fields {
        Fields::one("url", Text::from(&self.file.url))
            .with_some("type", self.file.mime.as_ref().map(Text::from))
            .with("delivery", self.delivery.word())
            .with_some("bitrate", self.file.bitrate)
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

/// Returns the file as playable, or why it cannot be played. Rules SEL-10, SEL-14, PRD-3.
pub(super) fn playable<'a>(
    file: &'a MediaFile,
    around: Surroundings<'_>,
) -> Result<Playable<'a>, Refused> {
    let terms = around.terms;
    if file.url.is_empty() {
        return Err(Refused::Unsupported("has no URL".to_owned()));
    }
    if around.knobs.ad_media_choice() == MediaChoice::Last {
        if file.mime.is_none() {
            return Err(Refused::Unsupported("has no type".to_owned()));
        }
        if is_streaming_hls(file) {
            // Where the browser does not play HLS, the product brings a player for it.
            return Ok(Playable {
                file,
                delivery: Delivery::Streaming,
                tolerated: None,
            });
        }
    }
    let (by_type, tolerated) = by_type(file, terms).map_err(Refused::Unsupported)?;
    if by_type == Delivery::Interactive && !terms.vpaid {
        return Err(Refused::Unit);
    }
    if by_type != Delivery::Interactive {
        codec(file, terms).map_err(Refused::Unsupported)?;
        size(file, terms).map_err(Refused::Size)?;
    }
    let delivery = match file.delivery.as_deref() {
        // The `delivery` of a unit does not matter: its code is loaded as a whole.
        Some(_) if by_type == Delivery::Interactive => by_type,
        Some(word) if word.eq_ignore_ascii_case("progressive") => Delivery::Progressive,
        Some(word) if word.eq_ignore_ascii_case("streaming") => Delivery::Streaming,
        Some(_) | None => by_type,
    };
    Ok(Playable {
        file,
        delivery,
        tolerated,
    })
}

/// Whether it is an HLS file that says so in its type and in its delivery.
fn is_streaming_hls(file: &MediaFile) -> bool {
    let is_hls =
        |mime: &str| ["application/vnd.apple.mpegurl", "application/x-mpegURL"].contains(&mime);
    file.mime.as_deref().is_some_and(is_hls) && file.delivery.as_deref() == Some("streaming")
}

/// How media of this type is delivered, and the tolerated deviation.
///
/// An API framework applies to code only. A video file that names one is played as a video.
fn by_type(file: &MediaFile, terms: &AdTerms) -> Result<(Delivery, Option<Tolerated>), String> {
    let framework = file
        .api_framework
        .as_deref()
        .map(str::trim)
        .unwrap_or_default();
    let is_vpaid = framework.eq_ignore_ascii_case("vpaid");
    let needs_framework = is_vpaid || framework.eq_ignore_ascii_case("simid");
    let framework_text = || {
        Text::from(format!(
            "a video file needs no {framework}; it is played without"
        ))
    };
    let unused = || Some(("media-framework-unused", framework_text()));
    let Some(mime) = file
        .mime
        .as_deref()
        .map(str::trim)
        .filter(|mime| !mime.is_empty())
    else {
        let path = file
            .url
            .split(['?', '#'])
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        let is_played = |(ending, _, mime): &&(&str, Delivery, &str)| {
            path.ends_with(ending) && plays(terms, mime)
        };
        let ending = ENDINGS
            .iter()
            .find(is_played)
            .map(|(_, delivery, _)| delivery);
        return match ending {
            Some(delivery) if needs_framework => Ok((*delivery, unused())),
            // The missing type was already reported when the document was read. REQ-17
            Some(delivery) => Ok((*delivery, None)),
            None if is_vpaid && path.ends_with(".js") => Ok((Delivery::Interactive, None)),
            None if needs_framework => Err(format!("needs {framework}, which is not supported")),
            None => Err("has no type and no known file extension".to_owned()),
        };
    };
    // Parameters such as codecs are compared elsewhere.
    let bare = mime.split(';').next().unwrap_or(mime).trim();
    let known = SUPPORTED
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(bare));
    // The page may play types that are not in the table; these count as progressive.
    let known = known
        .copied()
        .or_else(|| lists(terms, bare).then_some(("", Delivery::Progressive)));
    match known.filter(|_| plays(terms, bare)) {
        Some((_, delivery)) if needs_framework => Ok((delivery, unused())),
        Some((_, delivery)) => Ok((delivery, None)),
        None if is_vpaid && SCRIPTS.iter().any(|known| known.eq_ignore_ascii_case(bare)) => {
            Ok((Delivery::Interactive, None))
        }
        None if is_vpaid => Err(format!(
            "is a VPAID unit of type \"{mime}\", which is not supported"
        )),
        None if needs_framework => Err(format!("needs {framework}, which is not supported")),
        None => Err(format!("has type \"{mime}\", which is not supported")),
    }
}

/// Whether the page's own list contains the type.
fn lists(terms: &AdTerms, mime: &str) -> bool {
    terms
        .plays
        .iter()
        .flatten()
        .any(|known| known.mime.eq_ignore_ascii_case(mime))
}

/// Whether the page plays the type: it is on the page's list, or the page has no list. Rule SEL-14.
fn plays(terms: &AdTerms, mime: &str) -> bool {
    terms.plays.is_none() || lists(terms, mime)
}

/// Checks that the page plays the codecs that the file names. Rule SEL-14.
fn codec(file: &MediaFile, terms: &AdTerms) -> Result<(), String> {
    let mime = file.mime.as_deref().unwrap_or_default();
    let mut parts = mime.split(';').map(str::trim);
    let bare = parts.next().unwrap_or_default();
    let known = terms
        .plays
        .iter()
        .flatten()
        .filter(|known| known.mime.eq_ignore_ascii_case(bare));
    let known: Vec<_> = known.collect();
    let own = file
        .codec
        .as_deref()
        .unwrap_or_default()
        .split(',')
        .map(str::trim);
    let own = own.filter(|codec| !codec.is_empty());
    for codec in parts.filter_map(codecs_in).flatten().chain(own) {
        if !known.is_empty() && !known.iter().any(|known| known.takes(codec)) {
            return Err(format!("has codec \"{codec}\", which is not supported"));
        }
    }
    Ok(())
}

/// Checks that the file has a size that the page accepts; a file without a size passes.
fn size(file: &MediaFile, terms: &AdTerms) -> Result<(), String> {
    let (Some(width), Some(height)) = (file.width, file.height) else {
        return Ok(());
    };
    match (terms.smallest, terms.largest) {
        (Some(least), _) if width < least.0 || height < least.1 => Err(format!(
            "is {width}x{height}, smaller than {}x{}",
            least.0, least.1
        )),
        (_, Some(most)) if width > most.0 || height > most.1 => Err(format!(
            "is {width}x{height}, larger than {}x{}",
            most.0, most.1
        )),
        _ => Ok(()),
    }
}
