//! Which media a page can play, and which ads it requests.
//!
//! Rules: SEL-6, SEL-7, SEL-9 to SEL-11, SEL-13, SEL-14, PRD-3.

use std::fmt;
use std::sync::Arc;

use playsim_base::named::from_str;
use playsim_base::time::Span;

/// Which media a page can play, and which ads it requests. The default has no special requirements.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AdTerms {
    /// The media that can be played; `None`: those that browsers usually play. Rule SEL-14.
    pub plays: Option<Vec<MediaType>>,
    /// The preferred bitrate, in kbit/s. Rule SEL-7.
    pub bitrate: u32,
    /// The types of ads that are requested. Rule SEL-9.
    pub types: Vec<AdMedium>,
    /// Whether skippable ads are requested. Rule SEL-9.
    pub skippable: Skippable,
    /// The shortest permitted ad. Rule SEL-10.
    pub shortest: Option<Span>,
    /// The longest permitted ad. Rule SEL-10.
    pub longest: Option<Span>,
    /// The least width and height of media, in pixels. Rule SEL-10.
    pub smallest: Option<(u32, u32)>,
    /// The greatest width and height of media, in pixels. Rule SEL-10.
    pub largest: Option<(u32, u32)>,
    /// Whether an ad must state its category. Rule SEL-6.
    pub requires_category: bool,
    /// Categories whose ads are rejected. Rule SEL-6.
    pub blocked: Vec<Blocked>,
    /// How ads that are marked as conditional are treated. Rule SEL-11.
    pub conditional: Conditional,
    /// Whether VPAID units may run. Rule PRD-3.
    pub vpaid: bool,
    /// The requirements for stitching ads into the content; `None`: ads are not stitched. Rule
    /// SEL-13.
    pub stitching: Option<Stitching>,
}

/// A type of media that can be played. Rule SEL-14.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct MediaType {
    /// The MIME type, without parameters.
    pub mime: Arc<str>,
    /// The codecs that can be played in it, such as `avc1`; empty: all.
    pub codecs: Vec<Arc<str>>,
}

/// A category whose ads are rejected. Rule SEL-6.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Blocked {
    /// The authority that defines it; `None`: any.
    pub authority: Option<Arc<str>>,
    /// The category.
    pub category: Arc<str>,
}

/// The media of an ad: `adType`. Rule SEL-9.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AdMedium {
    /// Video with sound.
    Video,
    /// Sound alone.
    Audio,
    /// Either.
    Hybrid,
}

/// Whether skippable ads are requested. Rule SEL-9.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Skippable {
    /// Both skippable and non-skippable ads are accepted.
    #[default]
    Any,
    /// Skippable ads are refused.
    Refused,
    /// Only skippable ads are accepted.
    Required,
}

/// How ads that are marked as conditional are treated. Rule SEL-11.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub enum Conditional {
    /// They are played like any other.
    #[default]
    Played,
    /// They are refused.
    Refused,
}

/// The requirements of stitching for a mezzanine file. Rule SEL-13.
#[derive(Debug, Clone, PartialEq, Eq, Default, Hash)]
pub struct Stitching {
    /// The URLs of files that are already transcoded.
    pub transcoded: Vec<Arc<str>>,
    /// The least bitrate in kbit/s.
    pub bitrate: Option<u32>,
    /// The least width and height in pixels.
    pub size: Option<(u32, u32)>,
}

impl Default for AdTerms {
    fn default() -> AdTerms {
        AdTerms {
            plays: None,
            bitrate: 2_500,
            types: vec![AdMedium::Video, AdMedium::Hybrid],
            skippable: Skippable::Any,
            shortest: None,
            longest: None,
            smallest: None,
            largest: None,
            requires_category: false,
            blocked: Vec::new(),
            conditional: Conditional::Played,
            vpaid: true,
            stitching: None,
        }
    }
}

impl MediaType {
    fn read(text: &str) -> Option<MediaType> {
        let mut parts = text.split(';').map(str::trim);
        let mime = parts.next().filter(|mime| {
            let (kind, form) = mime.split_once('/').unwrap_or_default();
            !kind.is_empty() && !form.is_empty() && !mime.contains(char::is_whitespace)
        })?;
        let mut codecs = Vec::new();
        for part in parts {
            codecs.extend(codecs_in(part)?.map(Arc::from));
        }
        Some(MediaType {
            mime: mime.into(),
            codecs,
        })
    }

    /// Whether a codec such as `avc1.42E01E` can be played.
    #[must_use]
    pub fn takes(&self, codec: &str) -> bool {
        let begins = |known: &Arc<str>| {
            let start = codec.get(..known.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(known))
        };
        self.codecs.is_empty() || self.codecs.iter().any(begins)
    }
}

// `video/mp4`, or with codecs `video/mp4; codecs="avc1, mp4a"`.
from_str!(
    MediaType,
    "a MIME type, like video/mp4 or \"video/mp4; codecs=avc1\""
);

impl fmt::Display for MediaType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.mime)?;
        if self.codecs.is_empty() {
            Ok(())
        } else {
            write!(f, "; codecs={}", self.codecs.join(","))
        }
    }
}

/// The codecs of a parameter `codecs=...` of a MIME type; `None` if it is another parameter.
pub fn codecs_in(parameter: &str) -> Option<impl Iterator<Item = &str>> {
    let (name, value) = parameter.split_once('=')?;
    let is_codecs = name.trim().eq_ignore_ascii_case("codecs");
    let value = value.trim().trim_matches(['"', '\'']);
    is_codecs.then(|| {
        value
            .split(',')
            .map(str::trim)
            .filter(|codec| !codec.is_empty())
    })
}

impl AdMedium {
    /// All of them with their names in documents and scenarios.
    pub const WORDS: &[(&'static str, AdMedium)] = &[
        ("video", AdMedium::Video),
        ("audio", AdMedium::Audio),
        ("hybrid", AdMedium::Hybrid),
    ];

    /// Its name.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            AdMedium::Video => "video",
            AdMedium::Audio => "audio",
            AdMedium::Hybrid => "hybrid",
        }
    }

    fn read(word: &str) -> Option<AdMedium> {
        let known = AdMedium::WORDS
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(word.trim()));
        known.map(|(_, medium)| *medium)
    }
}

// Case does not matter.
from_str!(AdMedium, "video, audio or hybrid");

impl fmt::Display for AdMedium {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.word())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_media_type_may_name_codecs() {
        let read = |text: &str| text.parse::<MediaType>().ok().map(|read| read.to_string());
        assert_eq!(read("video/mp4").as_deref(), Some("video/mp4"));
        assert_eq!(
            read("video/mp4; codecs=\"avc1, mp4a\"").as_deref(),
            Some("video/mp4; codecs=avc1,mp4a")
        );
        for wrong in ["", "mp4", "/mp4", "video/", "video/mp4; q=1", "video mp4/x"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        let avc = "video/mp4;codecs=avc1".parse::<MediaType>().unwrap();
        assert!(avc.takes("AVC1.42E01E") && !avc.takes("hev1.1.6") && !avc.takes("av"));
        assert!("video/mp4".parse::<MediaType>().unwrap().takes("hev1"));
    }
}
