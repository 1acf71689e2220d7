//! Measurement of whether an ad was seen: `ViewableImpression` and `AdVerifications`.
//!
//! Sources: VAST 4.3 sections 3.5, 3.16, 3.17.

use super::element::Element;
use super::reader::Reader;
use super::tree::NodeId;
use super::{
    Verification, VerificationKind, VerificationResource, Viewable, WarningCode, tracking, value,
};

/// Reads a `ViewableImpression`.
pub(super) fn viewable(reader: &mut Reader, node: NodeId) -> Viewable {
    let mut viewable = Viewable {
        id: reader.attribute_text(node, "id"),
        at: reader.place(node),
        ..Viewable::default()
    };
    for child in reader.elements(node) {
        match reader.element(child) {
            Some(Element::Viewable) => reader.urls(child, &mut viewable.viewable),
            Some(Element::NotViewable) => reader.urls(child, &mut viewable.not_viewable),
            Some(Element::ViewUndetermined) => reader.urls(child, &mut viewable.undetermined),
            _ => {}
        }
    }
    viewable
}

/// Reads the verifications of an `AdVerifications`. A verification in an extension whose vendor the
/// ad already has is the same one in an older form, and ignored.
pub(super) fn read(
    reader: &mut Reader,
    node: NodeId,
    in_extension: bool,
    into: &mut Vec<Verification>,
) {
    for child in reader.elements(node) {
        if reader.element(child) != Some(Element::Verification) {
            continue;
        }
        if !reader.room(child) {
            return;
        }
        let verification = verification(reader, child, in_extension);
        let is_known =
            |known: &Verification| !known.in_extension && known.vendor == verification.vendor;
        if in_extension && verification.vendor.is_some() && into.iter().any(is_known) {
            let text = "a \"Verification\" in an extension repeats one of the ad; ignored";
            reader.warn(child, WarningCode::CarrierRepeated, text);
        } else {
            into.push(verification);
        }
    }
}

fn verification(reader: &mut Reader, node: NodeId, in_extension: bool) -> Verification {
    let mut verification = Verification {
        vendor: reader.attribute_text(node, "vendor"),
        in_extension,
        at: reader.place(node),
        ..Verification::default()
    };
    for child in reader.elements(node) {
        let kind = match reader.element(child) {
            Some(Element::JavaScriptResource) => VerificationKind::JavaScript,
            Some(Element::ExecutableResource) => VerificationKind::Executable,
            Some(Element::FlashResource) => VerificationKind::Flash,
            Some(Element::VerificationParameters) if verification.parameters.is_none() => {
                verification.parameters = Some(reader.content(child));
                continue;
            }
            Some(Element::TrackingEvents) => {
                tracking::events(reader, child, &mut verification.tracking);
                continue;
            }
            Some(Element::ViewableImpression) if verification.viewable.is_none() => {
                verification.viewable = reader.url(child);
                continue;
            }
            _ => continue,
        };
        verification.resources.extend(resource(reader, child, kind));
    }
    if verification.resources.is_empty() {
        let text = "\"Verification\" has no resource; nothing is run";
        reader.warn(node, WarningCode::VerificationEmpty, text);
    }
    verification
}

fn resource(
    reader: &mut Reader,
    node: NodeId,
    kind: VerificationKind,
) -> Option<VerificationResource> {
    Some(VerificationResource {
        kind,
        api_framework: reader.attribute_text(node, "apiFramework"),
        browser_optional: reader.attribute_as(node, "browserOptional", value::boolean),
        mime: reader.attribute_text(node, "type"),
        url: reader.url(node)?,
    })
}
