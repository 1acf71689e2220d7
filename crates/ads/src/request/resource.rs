//! The resource that an icon, companion or overlay shows, and whether it fits.
//!
//! Of the resources of one element, the first in the document that can be shown is used.
//!
//! Rules: ADX-8, ADX-12, ADX-14, ADX-21; VAST 4.3 section 3.15.

use playsim_api::page::Sides;
use playsim_api::{Fields, Text};
use playsim_vast::{Resource, ResourceKind};

/// Why something cannot be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Unshown {
    /// It has no resource.
    Nothing,
    /// Its type is not supported.
    Type,
    /// Its resource cannot be fetched.
    Unreachable,
    /// It is too large.
    Size,
    /// It is a VPAID unit, which may not run. Rule VPAID-19.
    Unit,
    /// There is no place for it.
    Place(NoPlace),
}

/// Why there is no place for something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum NoPlace {
    /// The page has no slots.
    NoSlots,
    /// The page has no slot with the id that it names.
    OtherSlots,
    /// Every slot for it is taken.
    Taken,
    /// It is an end card, but the ad has no media to end.
    NoMedia,
}

impl Unshown {
    /// The reason for the trace.
    pub(crate) const fn why(self) -> &'static str {
        match self {
            Unshown::Nothing => "it has nothing to show",
            Unshown::Type => "its type is not supported",
            Unshown::Unreachable => "its resource cannot be fetched",
            Unshown::Size => "it is too large",
            Unshown::Unit => "it is a VPAID unit, which the page does not allow",
            Unshown::Place(NoPlace::NoSlots) => "the page has no slot for companions",
            Unshown::Place(NoPlace::OtherSlots) => "the page has no slot with its adSlotId",
            Unshown::Place(NoPlace::Taken) => "no slot is left for it",
            Unshown::Place(NoPlace::NoMedia) => "an end card needs a linear ad",
        }
    }
}

/// The types of static resources that can be shown, other than images.
const SCRIPTS: &[&str] = &[
    "application/javascript",
    "application/x-javascript",
    "text/javascript",
];

/// Returns the first resource that can be shown; if there is none, the fault of the first one.
pub(crate) fn choose<'a>(
    resources: &'a [Resource],
    sides: &Sides,
) -> Result<&'a Resource, Unshown> {
    let mut first = None;
    for resource in resources {
        match fault(resource, sides) {
            None => return Ok(resource),
            Some(fault) => _ = first.get_or_insert(fault),
        }
    }
    Err(first.unwrap_or(Unshown::Nothing))
}

fn fault(resource: &Resource, sides: &Sides) -> Option<Unshown> {
    match resource.kind {
        ResourceKind::Html => None,
        ResourceKind::Static if !is_supported(resource.mime.as_deref()) => Some(Unshown::Type),
        ResourceKind::Static | ResourceKind::IFrame => {
            (!sides.reaches(&resource.content)).then_some(Unshown::Unreachable)
        }
    }
}

/// Whether a resource can be the code of a unit: a page, or a script by its type or else its
/// extension.
pub(crate) fn is_code(resource: &Resource) -> bool {
    match resource.kind {
        ResourceKind::IFrame => true,
        ResourceKind::Html => false,
        ResourceKind::Static => match bare(resource.mime.as_deref()) {
            Some(bare) => SCRIPTS.contains(&&*bare),
            None => {
                let path = resource
                    .content
                    .split(['?', '#'])
                    .next()
                    .unwrap_or_default();
                path.to_ascii_lowercase().ends_with(".js")
            }
        },
    }
}

/// A MIME type without its parameters; `None` if there is none.
fn bare(mime: Option<&str>) -> Option<String> {
    let mime = mime?;
    let bare = mime
        .split(';')
        .next()
        .unwrap_or(mime)
        .trim()
        .to_ascii_lowercase();
    (!bare.is_empty()).then_some(bare)
}

/// A resource without a type counts as an image.
fn is_supported(mime: Option<&str>) -> bool {
    let Some(bare) = bare(mime) else { return true };
    // Some documents give only the subtype.
    let is_bare_image = matches!(&*bare, "png" | "gif" | "jpg" | "jpeg" | "webp" | "svg");
    is_bare_image || bare.starts_with("image/") || SCRIPTS.contains(&&*bare)
}

/// The data for the trace.
pub(crate) fn data(resource: &Resource) -> Fields {
    let fields = Fields::one("shows", resource.kind.word());
    match resource.kind {
        ResourceKind::Html => fields,
        ResourceKind::Static | ResourceKind::IFrame => {
            fields.with("url", Text::from(&resource.content))
        }
    }
}

/// Whether something of this size fits into the area. A missing size always fits, and so does
/// everything if the size of the area is unknown.
pub(crate) fn fits(size: (Option<u32>, Option<u32>), area: (u64, u64)) -> bool {
    let fits =
        |side: Option<u32>, room: u64| room == 0 || side.is_none_or(|side| u64::from(side) <= room);
    fits(size.0, area.0) && fits(size.1, area.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use playsim_base::place::Place;

    fn shows(kind: ResourceKind, content: &str, mime: Option<&str>) -> Resource {
        let at = Place { line: 1, column: 1 };
        Resource {
            kind,
            content: content.into(),
            mime: mime.map(Into::into),
            xml_encoded: None,
            at,
        }
    }

    #[test]
    fn the_first_resource_that_can_be_shown_is_used() {
        let sides = Sides {
            unreachable: vec!["https://m.test/gone".into()],
            ..Sides::default()
        };
        let flash = shows(
            ResourceKind::Static,
            "https://m.test/a.swf",
            Some("application/x-shockwave-flash"),
        );
        let gone = shows(ResourceKind::IFrame, "https://m.test/gone", None);
        let image = shows(
            ResourceKind::Static,
            "https://m.test/a.png",
            Some("IMAGE/PNG; q=1"),
        );
        let html = shows(ResourceKind::Html, "<p>", None);
        let choose = |resources: &[&Resource]| {
            let resources: Vec<Resource> = resources.iter().map(|it| (*it).clone()).collect();
            super::choose(&resources, &sides).map(|found| found.content.to_string())
        };
        assert_eq!(
            choose(&[&flash, &gone, &image, &html]),
            Ok("https://m.test/a.png".into())
        );
        assert_eq!(choose(&[&flash, &html]), Ok("<p>".into()));
        assert_eq!(choose(&[&gone, &flash]), Err(Unshown::Unreachable));
        assert_eq!(choose(&[&flash, &gone]), Err(Unshown::Type));
        assert_eq!(choose(&[]), Err(Unshown::Nothing));
    }

    #[test]
    fn unknown_sizes_fit() {
        assert!(fits((Some(300), Some(250)), (300, 250)));
        assert!(!fits((Some(301), Some(250)), (300, 250)));
        assert!(!fits((Some(300), Some(251)), (300, 250)));
        assert!(fits((None, Some(250)), (300, 250)));
        assert!(fits((Some(9999), Some(9999)), (0, 0)));
    }
}
