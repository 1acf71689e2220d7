//! What a page plays, and which ads it asks for.
//!
//! Rules: SEL-6, SEL-7, SEL-9 to SEL-11, SEL-13, SEL-14, PRD-3.

use std::sync::Arc;

use crate::time::Span;

/// What a page plays, and which ads it asks for. The default asks for nothing in particular.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdTerms {
    /// The media that can be played; `None`: what a browser usually plays. Rule SEL-14.
    pub plays: Option<Vec<MediaType>>,
    /// The best bitrate that is wanted, in kbit/s. Rule SEL-7.
    pub bitrate: u32,
    /// The types of ads that are asked for. Rule SEL-9.
    pub types: Vec<AdMedium>,
    /// Whether ads that can be skipped are asked for. Rule SEL-9.
    pub skippable: Skippable,
    /// The shortest ad that is asked for. Rule SEL-10.
    pub shortest: Option<Span>,
    /// The longest ad that is asked for. Rule SEL-10.
    pub longest: Option<Span>,
    /// The least width and height of media, in pixels. Rule SEL-10.
    pub smallest: Option<(u32, u32)>,
    /// The greatest width and height of media, in pixels. Rule SEL-10.
    pub largest: Option<(u32, u32)>,
    /// Whether an ad must say its category. Rule SEL-6.
    pub requires_category: bool,
    /// Categories whose ads are not wanted. Rule SEL-6.
    pub blocked: Vec<Blocked>,
    /// What is done with ads that call themselves conditional. Rule SEL-11.
    pub conditional: Conditional,
    /// Whether VPAID units may run. Rule PRD-3.
    pub vpaid: bool,
    /// What stitching ads into the content asks for; `None`: they are not stitched. Rule SEL-13.
    pub stitching: Option<Stitching>,
}

/// A type of media that can be played. Rule SEL-14.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaType {
    /// The MIME type, without parameters.
    pub mime: Arc<str>,
    /// The codecs that can be played in it, such as `avc1`; empty: all.
    pub codecs: Vec<Arc<str>>,
}

/// A category whose ads are not wanted. Rule SEL-6.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Blocked {
    /// Whose list it is from; `None`: whoever's.
    pub authority: Option<Arc<str>>,
    /// The category.
    pub category: Arc<str>,
}

/// What ads are made of: `adType`. Rule SEL-9.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdMedium {
    /// Pictures and sound.
    Video,
    /// Sound alone.
    Audio,
    /// Either.
    Hybrid,
}

/// Whether ads that can be skipped are asked for. Rule SEL-9.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Skippable {
    /// It is all the same.
    #[default]
    Any,
    /// They are refused.
    Refused,
    /// Only they are.
    Required,
}

/// What is done with ads that call themselves conditional. Rule SEL-11.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Conditional {
    /// They are played like any other.
    #[default]
    Played,
    /// They are refused.
    Refused,
}

/// What stitching asks of a mezzanine file. Rule SEL-13.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stitching {
    /// The addresses of those that are transcoded already.
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
    /// Reads `video/mp4`, or with codecs `video/mp4; codecs="avc1, mp4a"`; `None` if it is no MIME type.
    #[must_use]
    pub fn read(text: &str) -> Option<MediaType> {
        let mut parts = text.split(';').map(str::trim);
        let mime = parts.next().filter(|mime| {
            let (kind, form) = mime.split_once('/').unwrap_or_default();
            !kind.is_empty() && !form.is_empty() && !mime.contains(char::is_whitespace)
        })?;
        let mut codecs = Vec::new();
        for part in parts {
            codecs.extend(codecs_in(part)?.map(Arc::from));
        }
        Some(MediaType { mime: mime.into(), codecs })
    }

    /// As [`MediaType::read`] takes it.
    #[must_use]
    pub fn write(&self) -> String {
        if self.codecs.is_empty() {
            return self.mime.to_string();
        }
        format!("{}; codecs={}", self.mime, self.codecs.join(","))
    }

    /// Whether a codec such as `avc1.42E01E` is one of those that can be played.
    #[must_use]
    pub fn takes(&self, codec: &str) -> bool {
        let begins = |known: &Arc<str>| {
            let start = codec.get(..known.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(known))
        };
        self.codecs.is_empty() || self.codecs.iter().any(begins)
    }
}

/// The codecs of a parameter `codecs=...` of a MIME type; `None` if it is another parameter.
pub fn codecs_in(parameter: &str) -> Option<impl Iterator<Item = &str>> {
    let (name, value) = parameter.split_once('=')?;
    let is_codecs = name.trim().eq_ignore_ascii_case("codecs");
    let value = value.trim().trim_matches(['"', '\'']);
    is_codecs.then(|| value.split(',').map(str::trim).filter(|codec| !codec.is_empty()))
}

impl AdMedium {
    /// All of them with their words, as documents and scenarios have them.
    pub const WORDS: &[(&'static str, AdMedium)] =
        &[("video", AdMedium::Video), ("audio", AdMedium::Audio), ("hybrid", AdMedium::Hybrid)];

    /// The word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            AdMedium::Video => "video",
            AdMedium::Audio => "audio",
            AdMedium::Hybrid => "hybrid",
        }
    }

    /// The type of this word, whatever its letter case.
    #[must_use]
    pub fn read(word: &str) -> Option<AdMedium> {
        let known = AdMedium::WORDS.iter().find(|(known, _)| known.eq_ignore_ascii_case(word.trim()));
        known.map(|(_, medium)| *medium)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_media_type_may_name_codecs() {
        let read = |text| MediaType::read(text).map(|read| read.write());
        assert_eq!(read("video/mp4").as_deref(), Some("video/mp4"));
        assert_eq!(read("video/mp4; codecs=\"avc1, mp4a\"").as_deref(), Some("video/mp4; codecs=avc1,mp4a"));
        for wrong in ["", "mp4", "/mp4", "video/", "video/mp4; q=1", "video mp4/x"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        let avc = MediaType::read("video/mp4;codecs=avc1").unwrap();
        assert!(avc.takes("AVC1.42E01E") && !avc.takes("hev1.1.6") && !avc.takes("av"));
        assert!(MediaType::read("video/mp4").unwrap().takes("hev1"));
    }
}
