//! `Icon`, and the effect of a click on it.
//!
//! Source: VAST 4.3 section 3.11.

use super::element::Element;
use super::reader::Reader;
use super::tree::NodeId;
use super::value::{self, Taken};
use super::{FallbackImage, Icon, IconPosition, Offset, WarningCode, resource};

/// Reads the icons of an `Icons`.
pub(super) fn read(reader: &mut Reader, node: NodeId, into: &mut Vec<Icon>) {
    for child in reader.elements(node) {
        if reader.element(child) == Some(Element::Icon) {
            if !reader.room(child) {
                return;
            }
            into.push(icon(reader, child));
        }
    }
}

/// Reads an `Icon`.
pub(super) fn icon(reader: &mut Reader, node: NodeId) -> Icon {
    reader.require(node);
    let mut icon = Icon {
        program: reader.attribute_text(node, "program"),
        width: reader.attribute_as(node, "width", value::number),
        height: reader.attribute_as(node, "height", value::number),
        x: reader.attribute_as(node, "xPosition", |text| position(text, ["left", "right"])),
        y: reader.attribute_as(node, "yPosition", |text| position(text, ["top", "bottom"])),
        offset: reader.attribute_as(node, "offset", value::time),
        duration: reader.attribute_as(node, "duration", value::time),
        api_framework: reader.attribute_text(node, "apiFramework"),
        px_ratio: reader.attribute_text(node, "pxratio"),
        alt_text: reader.attribute_text(node, "altText"),
        hover_text: reader.attribute_text(node, "hoverText"),
        regs: reader.attribute_text(node, "regs"),
        at: reader.place(node),
        ..Icon::default()
    };
    for child in reader.elements(node) {
        match reader.element(child) {
            Some(Element::IconClicks) => clicks(reader, child, &mut icon),
            Some(Element::IconViewTracking) => reader.urls(child, &mut icon.view_tracking),
            element => _ = resource::read(reader, child, element, &mut icon.resources),
        }
    }
    if icon.resources.is_empty() {
        reader.warn(
            node,
            WarningCode::IconEmpty,
            "\"Icon\" has no resource; nothing is shown",
        );
    }
    icon
}

fn clicks(reader: &mut Reader, node: NodeId, icon: &mut Icon) {
    for child in reader.elements(node) {
        match reader.element(child) {
            Some(Element::IconClickThrough) if icon.clicks.through.is_none() => {
                icon.clicks.through = reader.url(child);
            }
            Some(Element::IconClickTracking) => reader.urls(child, &mut icon.clicks.tracking),
            Some(Element::IconClickFallbackImages) => {
                for image in reader.elements(child) {
                    if reader.element(image) == Some(Element::IconClickFallbackImage) {
                        icon.fallback_images.push(fallback_image(reader, image));
                    }
                }
            }
            _ => {}
        }
    }
}

fn fallback_image(reader: &mut Reader, node: NodeId) -> FallbackImage {
    let mut image = FallbackImage {
        width: reader.attribute_as(node, "width", value::number),
        height: reader.attribute_as(node, "height", value::number),
        at: reader.place(node),
        ..FallbackImage::default()
    };
    for child in reader.elements(node) {
        match reader.element(child) {
            Some(Element::AltText) if image.alt_text.is_none() => {
                image.alt_text = reader.some_text(child)
            }
            element => _ = resource::read(reader, child, element, &mut image.resources),
        }
    }
    image
}

/// Parses a position: one of two keywords, pixels, or a percentage as in the 4.4 draft.
fn position(text: &str, [near, far]: [&str; 2]) -> Taken<IconPosition> {
    let sides = [(near, IconPosition::Near), (far, IconPosition::Far)];
    if let Some(side) = value::keyword(text, sides, |(word, _)| word) {
        return side.map(|(_, position)| position);
    }
    if text.ends_with('%') {
        let share = |offset| match offset {
            Offset::Share(share) => Some(IconPosition::Share(share)),
            Offset::At(_) => None,
        };
        let taken = value::offset(text);
        return Taken {
            value: taken.value.and_then(share),
            oddity: taken.oddity,
        };
    }
    let taken = value::number(text.strip_suffix("px").unwrap_or(text)).map(IconPosition::Pixels);
    if taken.value.is_some() {
        return taken;
    }
    Taken::nothing(
        WarningCode::PositionUnreadable,
        "expected a side or a number of pixels, ignored",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_sides_pixels_or_percentages() {
        let x = |text| position(text, ["left", "right"]);
        assert_eq!(x("left"), Taken::plain(IconPosition::Near));
        assert_eq!(x("Right").value, Some(IconPosition::Far));
        assert_eq!(x("12").value, Some(IconPosition::Pixels(12)));
        assert_eq!(x("12px").value, Some(IconPosition::Pixels(12)));
        assert_eq!(x("12.5%").value, Some(IconPosition::Share(125_000)));
        for text in ["top", "-3", "%", "x%"] {
            assert_eq!(x(text).value, None, "{text}");
            assert!(x(text).oddity.is_some(), "{text}");
        }
    }
}
