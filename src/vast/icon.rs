//! `Icon` and what a click on it does.
//!
//! Source: VAST 4.3 section 3.11.

use super::reader::Reader;
use super::value::{self, Taken};
use super::{FallbackImage, Icon, IconPosition, Offset, resource};

/// Reads the icons of an `Icons`.
pub(super) fn read(reader: &mut Reader, node: usize, into: &mut Vec<Icon>) {
    for child in reader.elements(node) {
        if reader.name(child) == "Icon" {
            if !reader.room(child) {
                return;
            }
            into.push(icon(reader, child));
        }
    }
}

/// Reads an `Icon`.
pub(super) fn icon(reader: &mut Reader, node: usize) -> Icon {
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
        match reader.name(child) {
            "IconClicks" => clicks(reader, child, &mut icon),
            "IconViewTracking" => reader.urls(child, "IconViewTracking", &mut icon.view_tracking),
            name => _ = resource::read(reader, child, name, &mut icon.resources),
        }
    }
    if icon.resources.is_empty() {
        reader.warn(reader.at(node), "icon-empty", "\"Icon\" holds no resource; it shows nothing");
    }
    icon
}

fn clicks(reader: &mut Reader, node: usize, icon: &mut Icon) {
    for child in reader.elements(node) {
        match reader.name(child) {
            "IconClickThrough" if icon.clicks.through.is_none() => {
                icon.clicks.through = reader.url(child, "IconClickThrough");
            }
            "IconClickTracking" => reader.urls(child, "IconClickTracking", &mut icon.clicks.tracking),
            "IconClickFallbackImages" => {
                for image in reader.elements(child) {
                    if reader.name(image) == "IconClickFallbackImage" {
                        icon.fallback_images.push(fallback_image(reader, image));
                    }
                }
            }
            _ => {}
        }
    }
}

fn fallback_image(reader: &mut Reader, node: usize) -> FallbackImage {
    let mut image = FallbackImage {
        width: reader.attribute_as(node, "width", value::number),
        height: reader.attribute_as(node, "height", value::number),
        at: reader.place(node),
        ..FallbackImage::default()
    };
    for child in reader.elements(node) {
        match reader.name(child) {
            "AltText" if image.alt_text.is_none() => image.alt_text = reader.some_text(child),
            name => _ = resource::read(reader, child, name, &mut image.resources),
        }
    }
    image
}

/// One of two words, pixels, or a share as the 4.4 draft has it.
fn position(text: &str, [near, far]: [&str; 2]) -> Taken<IconPosition> {
    for (word, position) in [(near, IconPosition::Near), (far, IconPosition::Far)] {
        if text == word {
            return Taken::plain(position);
        }
        if text.eq_ignore_ascii_case(word) {
            return Taken::odd(position, "letter-case", format!("taken as \"{word}\""));
        }
    }
    if text.ends_with('%') {
        let share = |offset| match offset {
            Offset::Share(share) => Some(IconPosition::Share(share)),
            Offset::At(_) => None,
        };
        let taken = value::offset(text);
        return Taken { value: taken.value.and_then(share), oddity: taken.oddity };
    }
    let taken = value::number(text.strip_suffix("px").unwrap_or(text)).map(IconPosition::Pixels);
    if taken.value.is_some() {
        return taken;
    }
    Taken::nothing("position-unreadable", "neither a side nor a number of pixels, not taken")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_sides_pixels_or_shares() {
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
