//! Who looks whether an ad was seen: `ViewableImpression` and `AdVerifications`.
//!
//! Sources: VAST 4.3 sections 3.5, 3.16, 3.17.

use super::reader::Reader;
use super::{Verification, VerificationKind, VerificationResource, Viewable, creative, value};

/// Reads a `ViewableImpression`.
pub(super) fn viewable(reader: &mut Reader, node: usize) -> Viewable {
    let mut viewable =
        Viewable { id: reader.attribute_text(node, "id"), at: reader.place(node), ..Viewable::default() };
    for child in reader.elements(node) {
        match reader.name(child) {
            "Viewable" => reader.urls(child, "Viewable", &mut viewable.viewable),
            "NotViewable" => reader.urls(child, "NotViewable", &mut viewable.not_viewable),
            "ViewUndetermined" => reader.urls(child, "ViewUndetermined", &mut viewable.undetermined),
            _ => {}
        }
    }
    viewable
}

/// Reads the verifications of an `AdVerifications`. What an extension holds of a vendor that is there
/// already is the same in an older form, and passed over.
pub(super) fn read(reader: &mut Reader, node: usize, in_extension: bool, into: &mut Vec<Verification>) {
    for child in reader.elements(node) {
        if reader.name(child) != "Verification" {
            continue;
        }
        if !reader.room(child) {
            return;
        }
        let verification = verification(reader, child, in_extension);
        let is_known = |known: &Verification| !known.in_extension && known.vendor == verification.vendor;
        if in_extension && verification.vendor.is_some() && into.iter().any(is_known) {
            let text = "a \"Verification\" in an extension repeats one of the ad; passed over";
            reader.warn(reader.at(child), "carrier-repeated", text);
        } else {
            into.push(verification);
        }
    }
}

fn verification(reader: &mut Reader, node: usize, in_extension: bool) -> Verification {
    let mut verification = Verification {
        vendor: reader.attribute_text(node, "vendor"),
        in_extension,
        at: reader.place(node),
        ..Verification::default()
    };
    for child in reader.elements(node) {
        let kind = match reader.name(child) {
            "JavaScriptResource" => VerificationKind::JavaScript,
            "ExecutableResource" => VerificationKind::Executable,
            "FlashResource" => VerificationKind::Flash,
            "VerificationParameters" if verification.parameters.is_none() => {
                verification.parameters = Some(reader.content(child));
                continue;
            }
            "TrackingEvents" => {
                creative::tracking(reader, child, &mut verification.tracking);
                continue;
            }
            "ViewableImpression" if verification.viewable.is_none() => {
                verification.viewable = reader.url(child, "ViewableImpression");
                continue;
            }
            _ => continue,
        };
        verification.resources.extend(resource(reader, child, kind));
    }
    if verification.resources.is_empty() {
        let text = "\"Verification\" names nothing that could be run";
        reader.warn(reader.at(node), "verification-empty", text);
    }
    verification
}

fn resource(reader: &mut Reader, node: usize, kind: VerificationKind) -> Option<VerificationResource> {
    Some(VerificationResource {
        kind,
        api_framework: reader.attribute_text(node, "apiFramework"),
        browser_optional: reader.attribute_as(node, "browserOptional", value::boolean),
        mime: reader.attribute_text(node, "type"),
        url: reader.url(node, "Verification")?,
    })
}
