//! The refusals of a strict reader: it requires well-formed XML and a document that the schema of
//! its version allows.
//!
//! [`read`](super::read) is lenient and lists the deviations that it tolerates. Which warnings a
//! strict reader refuses is a column of the table of warnings; this module adds elements that the
//! schemas require and playback does not need. Well-formedness comes first, then the version, then
//! the schema; of each kind the first in the document is reported. An `Ad` that holds neither or
//! both of its children fails alone, as for every reader.
//!
//! Sources: XML 1.0 and its namespaces; VAST 4.3 sections 2.3.6, 4.3; the schemas of VAST 2.0.1 to
//! 4.2. Additions of the 4.4 draft are accepted.

use super::read::times_ten;
use super::{Ad, AdKind, Document, Strictly};
use playsim_base::place::Place;

/// The reason why a strict reader refuses a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// 100, 101 or 102.
    pub code: u16,
    why: Strictly,
    /// The deviation, in words.
    pub text: String,
    /// Where.
    pub at: Place,
}

/// Returns why a strict reader refuses a VAST document; `None` if it accepts it.
#[must_use]
pub fn refusal(document: &Document) -> Option<Refusal> {
    tolerated(document)
        .chain(missing(document))
        .min_by_key(|refusal| (refusal.why, refusal.at))
}

/// Returns why a reader refuses a document that checks nothing but its version; `None` if it
/// accepts it.
#[must_use]
pub fn unknown_version(document: &Document) -> Option<Refusal> {
    tolerated(document).find(|refusal| refusal.why == Strictly::UnknownVersion)
}

/// Returns why a reader refuses a document that checks nothing but that it is well-formed, as the
/// parsers of browsers do; `None` if it accepts it.
#[must_use]
pub fn not_well_formed(document: &Document) -> Option<Refusal> {
    tolerated(document)
        .filter(|refusal| refusal.why == Strictly::NotXml)
        .min_by_key(|refusal| refusal.at)
}

/// Returns the warnings of a document that a strict reader does not tolerate.
fn tolerated(document: &Document) -> impl Iterator<Item = Refusal> + '_ {
    document.warnings.iter().filter_map(|warning| {
        let why = warning.code.strictly();
        Some(Refusal {
            code: why.error_code()?,
            why,
            text: warning.text.to_string(),
            at: warning.at,
        })
    })
}

/// Returns the first thing that the schema requires and the lenient reader does not warn of.
fn missing(document: &Document) -> Option<Refusal> {
    let version = document
        .version
        .as_deref()
        .and_then(times_ten)
        .unwrap_or_default();
    let ad = |ad: &Ad| match &ad.kind {
        AdKind::Inline => of_inline(ad, version),
        AdKind::Wrapper(_) => of_wrapper(ad),
        AdKind::Broken(_) => None,
    };
    let (text, at) = document.ads.iter().find_map(ad)?;
    Some(Refusal {
        code: 101,
        why: Strictly::NotSchema,
        text,
        at,
    })
}

fn of_wrapper(ad: &Ad) -> Option<(String, Place)> {
    if ad.ad_system.is_none() {
        return Some(("\"Wrapper\" has no \"AdSystem\"".to_owned(), ad.at));
    }
    no_impression(ad, "Wrapper")
}

fn no_impression(ad: &Ad, what: &str) -> Option<(String, Place)> {
    ad.impressions.is_empty().then(|| {
        (
            format!("\"{what}\" has no \"Impression\" with a URL"),
            ad.at,
        )
    })
}

fn of_inline(ad: &Ad, version: u8) -> Option<(String, Place)> {
    if let Some(missing) = no_impression(ad, "InLine") {
        return Some(missing);
    }
    if version >= 41 && ad.serving_id.is_none() {
        return Some((
            "\"InLine\" has no \"AdServingId\", which VAST 4.1 requires".to_owned(),
            ad.at,
        ));
    }
    ad.creatives.iter().find_map(|creative| {
        if version >= 40 && creative.universal_ids.is_empty() {
            let text = "\"Creative\" has no \"UniversalAdId\", which VAST 4.0 requires";
            return Some((text.to_owned(), creative.at));
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "<VAST version=\"3.0\"><Ad><InLine><AdSystem>s</AdSystem><AdTitle>t</AdTitle>\
        <Impression>https://t.test/i</Impression><Creatives><Creative><Linear><Duration>00:00:10</Duration>\
        <MediaFiles><MediaFile delivery=\"progressive\" type=\"video/mp4\" width=\"1\" height=\"2\">\
        https://m.test/a</MediaFile></MediaFiles></Linear></Creative></Creatives></InLine></Ad></VAST>";

    fn code(text: &str) -> Option<u16> {
        refusal(&crate::read(text)).map(|refusal| refusal.code)
    }

    #[test]
    fn a_document_that_the_schema_allows_is_accepted() {
        assert_eq!(code(WHOLE), None);
        assert_eq!(code("<VAST version=\"3.0\"/>"), None);
    }

    #[test]
    fn each_required_part_is_reported_when_it_is_missing() {
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
    fn versions_require_their_own_elements() {
        let of = |version: &str| WHOLE.replace("3.0", version);
        let with_id = |text: String| {
            text.replace(
                "<Linear>",
                "<UniversalAdId idRegistry=\"r\">u</UniversalAdId><Linear>",
            )
        };
        assert_eq!(code(&of("2.0").replace("<Ad>", "<Ad id=\"a\">")), None);
        assert_eq!(code(&of("2.0")), Some(101));
        assert_eq!(code(&of("4.0")), Some(101));
        assert_eq!(code(&with_id(of("4.0"))), None);
        assert_eq!(code(&with_id(of("4.1"))), Some(101));
        let served =
            with_id(of("4.1")).replace("<AdTitle>", "<AdServingId>a</AdServingId><AdTitle>");
        assert_eq!(code(&served), None);
    }

    #[test]
    fn well_formedness_comes_before_the_version_and_that_before_the_schema() {
        let odd = WHOLE
            .replace("3.0", "9.9")
            .replace("<AdTitle>t</AdTitle>", "");
        assert_eq!(code(&odd), Some(102));
        assert_eq!(
            code(&odd.replace("https://t.test/i", "https://t.test/i?a&b")),
            Some(100)
        );
        let twice = refusal(&crate::read(
            &WHOLE.replace("00:00:10", "10").replace("\"1\"", "\"1.5\""),
        ));
        assert_eq!(
            twice.map(|refusal| refusal.text),
            Some("Duration is \"10\"; read as seconds: 00:00:10".into())
        );
    }

    #[test]
    fn an_unusable_ad_fails_alone() {
        let both = WHOLE.replace("</VAST>", "<Ad/></VAST>");
        assert_eq!(code(&both), None);
    }
}
