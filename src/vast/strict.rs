//! What a strict reader refuses: one that wants well-formed XML and a document that its version's schema allows.
//!
//! [`read`](super::read) is lenient and lists what it tolerates. Here is which of that a strict reader does not, and
//! what else the schemas ask for that nobody needs to play an ad. Well-formedness comes first, then the version,
//! then the schema; of one kind the first in the document is told. An `Ad` that holds neither or both of its
//! children fails alone, as for every reader.
//!
//! Sources: XML 1.0 and its namespaces; VAST 4.3 sections 2.3.6, 4.3; the schemas of VAST 2.0.1 to 4.2. What is of
//! the 4.4 draft is taken.

use super::read::times_ten;
use super::{Ad, AdKind, CreativeKind, Document, Linear, MediaFile};
use crate::place::Place;

/// Why a strict reader refuses a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// 100, 101 or 102.
    pub code: u16,
    /// What was found.
    pub text: String,
    /// Where.
    pub at: Place,
}

/// Tolerances that a strict reader does not have, by the code of their warning.
///
/// Not here, since the schemas allow it: empty addresses and blanks around them, creatives without a child or with
/// several, empty resources, a `Duration` of zero, more than 100 percent, an `offset` on an event other than
/// `progress`, ids that differ, and what belongs to extensions or to the draft. An `Error` right inside an `Ad` is that
/// of an unusable ad, which fails alone.
pub const REFUSED: &[(&str, u16)] = &[
    ("attribute-twice", 100),
    ("bare-ampersand", 100),
    ("declaration-late", 100),
    ("prefix-undeclared", 100),
    ("text-outside-root", 100),
    ("unknown-entity", 100),
    ("version-unknown", 102),
    ("ad-system-missing", 101),
    ("ad-title-missing", 101),
    ("ad-type-unknown", 101),
    ("authority-missing", 101),
    ("boolean-spelling", 101),
    ("boolean-unreadable", 101),
    ("creatives-missing", 101),
    ("duration-missing", 101),
    ("element-misplaced", 101),
    ("element-twice", 101),
    ("event-missing", 101),
    ("event-unknown", 101),
    ("impression-missing", 101),
    ("legacy-tag-name", 101),
    ("legacy-url", 101),
    ("letter-case", 101),
    ("media-files-missing", 101),
    ("media-type-missing", 101),
    ("number-fraction", 101),
    ("number-unreadable", 101),
    ("offset-missing", 101),
    ("offset-unreadable", 101),
    ("position-unreadable", 101),
    ("pricing-empty", 101),
    ("rendering-mode-unknown", 101),
    ("required-unknown", 101),
    ("tag-uri-missing", 101),
    ("text-misplaced", 101),
    ("time-bare-number", 101),
    ("time-form", 101),
    ("time-fraction", 101),
    ("time-range", 101),
    ("time-too-fine", 101),
    ("time-unreadable", 101),
    ("unknown-attribute", 101),
    ("unknown-element", 101),
    ("version-mismatch", 101),
    ("version-missing", 101),
];

/// Why a strict reader refuses a VAST document; `None` if it does not.
#[must_use]
pub fn refusal(document: &Document) -> Option<Refusal> {
    let rank = |refusal: &Refusal| match refusal.code {
        100 => 0,
        102 => 1,
        _ => 2,
    };
    tolerated(document).chain(missing(document)).min_by_key(|refusal| (rank(refusal), refusal.at))
}

/// Why a reader refuses a document that wants its version to be one that is known, and nothing else.
#[must_use]
pub fn unknown_version(document: &Document) -> Option<Refusal> {
    tolerated(document).find(|refusal| refusal.code == 102)
}

/// What was tolerated in a document and a strict reader would not.
fn tolerated(document: &Document) -> impl Iterator<Item = Refusal> + '_ {
    document.warnings.iter().filter_map(|warning| {
        let (_, code) = REFUSED.iter().find(|(refused, _)| *refused == warning.code)?;
        Some(Refusal { code: *code, text: warning.text.to_string(), at: warning.at })
    })
}

/// The first thing that the schema asks for and the lenient reading does not miss.
fn missing(document: &Document) -> Option<Refusal> {
    let version = document.version.as_deref().and_then(times_ten).unwrap_or_default();
    let ad = |ad: &Ad| match &ad.kind {
        AdKind::Inline => of_inline(ad, version),
        AdKind::Wrapper(_) => of_wrapper(ad),
        AdKind::Broken(_) => None,
    };
    let (text, at) = document.ads.iter().find_map(ad)?;
    Some(Refusal { code: 101, text, at })
}

fn of_wrapper(ad: &Ad) -> Option<(String, Place)> {
    if ad.ad_system.is_none() {
        return Some(("\"Wrapper\" does not say its \"AdSystem\"".to_owned(), ad.at));
    }
    no_impression(ad, "Wrapper")
}

fn no_impression(ad: &Ad, what: &str) -> Option<(String, Place)> {
    ad.impressions.is_empty().then(|| (format!("\"{what}\" has no \"Impression\" with an address"), ad.at))
}

fn of_inline(ad: &Ad, version: u8) -> Option<(String, Place)> {
    if let Some(missing) = no_impression(ad, "InLine") {
        return Some(missing);
    }
    if version >= 41 && ad.serving_id.is_none() {
        return Some(("\"InLine\" has no \"AdServingId\", which VAST 4.1 asks for".to_owned(), ad.at));
    }
    ad.creatives.iter().find_map(|creative| {
        if version >= 40 && creative.universal_ids.is_empty() {
            let text = "\"Creative\" has no \"UniversalAdId\", which VAST 4.0 asks for";
            return Some((text.to_owned(), creative.at));
        }
        match &creative.kind {
            CreativeKind::Linear(linear) => of_linear(linear),
            CreativeKind::NonLinear(_) | CreativeKind::Companions(_) | CreativeKind::Empty => None,
        }
    })
}

fn of_linear(linear: &Linear) -> Option<(String, Place)> {
    linear.media_files.iter().find_map(|file| {
        let missing = missing_attribute(file)?;
        Some((format!("\"MediaFile\" has no \"{missing}\""), file.at?))
    })
}

/// An attribute that every version asks for. That the type is missing was noted by the reading.
fn missing_attribute(file: &MediaFile) -> Option<&'static str> {
    match (&file.delivery, file.width, file.height) {
        (None, _, _) => Some("delivery"),
        (_, None, _) => Some("width"),
        (_, _, None) => Some("height"),
        (Some(_), Some(_), Some(_)) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "<VAST version=\"3.0\"><Ad><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>\
        <Impression>https://t.test/i</Impression><Creatives><Creative><Linear><Duration>00:00:10</Duration>\
        <MediaFiles><MediaFile delivery=\"progressive\" type=\"video/mp4\" width=\"1\" height=\"2\">\
        https://m.test/a</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>";

    fn code(text: &str) -> Option<u16> {
        refusal(&crate::vast::read(text)).map(|refusal| refusal.code)
    }

    #[test]
    fn what_the_schema_allows_is_taken() {
        assert_eq!(code(WHOLE), None);
        assert_eq!(code("<VAST version=\"3.0\"/>"), None);
    }

    #[test]
    fn each_thing_that_is_taken_away_is_missed() {
        for (part, due) in [
            (" version=\"3.0\"", 101),
            ("<AdSystem>s</AdSystem>", 101),
            ("<AdTitle>t</AdTitle>", 101),
            ("<Impression>https://t.test/i</Impression>", 101),
            ("<Duration>00:00:10</Duration>", 101),
            (" delivery=\"progressive\"", 101),
            (" type=\"video/mp4\"", 101),
            (" width=\"1\"", 101),
            (" height=\"2\"", 101),
        ] {
            assert!(WHOLE.contains(part));
            assert_eq!(code(&WHOLE.replace(part, "")), Some(due), "{part}");
        }
    }

    #[test]
    fn versions_ask_for_what_they_have() {
        let of = |version: &str| WHOLE.replace("3.0", version);
        let with_id = |text: String| {
            text.replace("<Linear>", "<UniversalAdId idRegistry=\"r\">u</UniversalAdId><Linear>")
        };
        assert_eq!(code(&of("2.0")), None);
        assert_eq!(code(&of("4.0")), Some(101));
        assert_eq!(code(&with_id(of("4.0"))), None);
        assert_eq!(code(&with_id(of("4.1"))), Some(101));
        let served = with_id(of("4.1")).replace("<AdTitle>", "<AdServingId>a</AdServingId><AdTitle>");
        assert_eq!(code(&served), None);
    }

    #[test]
    fn well_formedness_comes_before_the_version_and_that_before_the_schema() {
        let odd = WHOLE.replace("3.0", "9.9").replace("<AdTitle>t</AdTitle>", "");
        assert_eq!(code(&odd), Some(102));
        assert_eq!(code(&odd.replace("https://t.test/i", "https://t.test/i?a&b")), Some(100));
        let twice = refusal(&crate::vast::read(&WHOLE.replace("00:00:10", "10").replace("\"1\"", "\"1.5\"")));
        assert_eq!(
            twice.map(|refusal| refusal.text),
            Some("Duration is \"10\"; taken as seconds: 00:00:10".into())
        );
    }

    #[test]
    fn an_unusable_ad_fails_alone() {
        let both = WHOLE.replace("</VAST>", "<Ad/></VAST>");
        assert_eq!(code(&both), None);
    }
}
