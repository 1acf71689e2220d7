//! The video record: what the service knows about a video.
//!
//! Rules: CH-9 to CH-12, QUAL-2, QUAL-11, META-1.

use std::sync::Arc;

use crate::api::Value;

/// A video's record as the player sees it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Video {
    /// Its id.
    pub id: Arc<str>,
    /// Its name, the player's title.
    pub name: Arc<str>,
    /// Its tags as comma-separated text.
    pub tags: Arc<str>,
    /// Whether ads may be shown with it. Rule REQ-14.
    pub monetize: bool,
    /// Its chapters as written. Rule CH-9.
    pub chapters: Vec<ChapterMark>,
    /// Media address by rendition.
    pub renditions: Vec<(Rendition, Arc<str>)>,
    /// Ad objects at video level, as page code would write them. Rule AD-13.
    pub ads: Vec<Value>,
}

/// A chapter as the record holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChapterMark {
    /// When it begins, as text. Rule CH-9.
    pub timestamp: Arc<str>,
    /// Its title.
    pub title: Arc<str>,
}

/// A rendition, from the lowest quality to the highest. Rules QUAL-1, QUAL-2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rendition {
    /// Low definition.
    Ld,
    /// Standard definition.
    Sd,
    /// High standard definition.
    Hsd,
    /// High definition.
    Hd,
    /// Full high definition.
    Fhd,
}

impl Rendition {
    /// All renditions, lowest first.
    pub const ALL: &[Rendition] =
        &[Rendition::Ld, Rendition::Sd, Rendition::Hsd, Rendition::Hd, Rendition::Fhd];

    /// The documented word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Rendition::Ld => "ld",
            Rendition::Sd => "sd",
            Rendition::Hsd => "hsd",
            Rendition::Hd => "hd",
            Rendition::Fhd => "fhd",
        }
    }

    /// The rendition of this word.
    #[must_use]
    pub fn read(word: &str) -> Option<Rendition> {
        Rendition::ALL.iter().copied().find(|rendition| rendition.word() == word)
    }
}

impl Video {
    /// The media address a player loads first: the best rendition below hd, else the lowest there is.
    ///
    /// Rule QUAL-11.
    #[must_use]
    pub fn initial_source(&self) -> Option<&Arc<str>> {
        let below_hd = self.renditions.iter().filter(|(rendition, _)| *rendition < Rendition::Hd);
        below_hd
            .max_by_key(|(rendition, _)| *rendition)
            .or_else(|| self.renditions.iter().min_by_key(|(rendition, _)| *rendition))
            .map(|(_, address)| address)
    }
}
