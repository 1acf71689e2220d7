//! Attributes that the schemas require and documents leave out.
//!
//! Sources: the schemas of VAST 2.0.1 to 4.2.

use super::WarningCode;
use super::element::Element;
use super::reader::{Reader, version_text};
use super::tree::NodeId;

/// The version that is assumed if a document claims none or an unknown one, times ten.
const NEWEST: u8 = 43;

/// Required attributes, each with the first and the last version that requires it, times ten.
///
/// Not here, since they have a warning of their own where they are read: `version`, the `type` of
/// files, the `event` and `offset` of trackers, the `authority` of categories. Nor `idValue`, which
/// VAST 4.0 requires in addition to the same text.
const REQUIRED: &[(Element, &str, u8, u8)] = &[
    (Element::Ad, "id", 20, 20),
    (Element::Companion, "width", 20, LAST),
    (Element::Companion, "height", 20, LAST),
    (Element::CompanionClickTracking, "id", 40, LAST),
    (Element::Icon, "program", 30, 30),
    (Element::Icon, "width", 30, 30),
    (Element::Icon, "height", 30, 30),
    (Element::Icon, "xPosition", 30, 30),
    (Element::Icon, "yPosition", 30, 30),
    (Element::MediaFile, "delivery", 20, LAST),
    (Element::MediaFile, "width", 20, LAST),
    (Element::MediaFile, "height", 20, LAST),
    (Element::Mezzanine, "delivery", 41, LAST),
    (Element::Mezzanine, "width", 41, LAST),
    (Element::Mezzanine, "height", 41, LAST),
    (Element::NonLinear, "width", 20, 30),
    (Element::NonLinear, "width", 41, LAST),
    (Element::NonLinear, "height", 20, 30),
    (Element::NonLinear, "height", 41, LAST),
    (Element::Pricing, "model", 30, LAST),
    (Element::Pricing, "currency", 30, LAST),
    (Element::StaticResource, "creativeType", 20, LAST),
    (Element::UniversalAdId, "idRegistry", 40, LAST),
];

/// The last known version, times ten.
const LAST: u8 = 44;

impl Reader<'_> {
    /// Warns of attributes that an element lacks and the document's version requires.
    pub(crate) fn require(&mut self, node: NodeId) {
        let tree = self.tree;
        let Some(name) = tree.node(node).element else {
            return;
        };
        let version = if self.version == u8::MAX {
            NEWEST
        } else {
            self.version
        };
        for (_, attribute, since, until) in REQUIRED.iter().filter(|(element, ..)| *element == name)
        {
            let is_there = tree
                .attributes(node)
                .iter()
                .any(|it| it.name.eq_ignore_ascii_case(attribute));
            if (*since..=*until).contains(&version) && !is_there {
                let version = version_text(version);
                let text =
                    format!("\"{name}\" has no \"{attribute}\", which VAST {version} requires");
                self.warn(node, WarningCode::AttributeMissing, text);
            }
        }
    }
}
